//! `codecortex references`, `callers`, `callees`, `implementations` and `overrides`:
//! `codecortex_findReferences` for people (SPEC R2, R5).

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use super::outline::subject;
use crate::args::NameArgs;
use crate::failure::Failure;

/// `relation` as the tool has it; uses without one.
pub(crate) fn run(command: &NameArgs, relation: Option<&str>) -> Result<i32, Failure> {
    let mut args = meant(&command.what);
    if let Some(relation) = relation {
        args.insert("relation".to_owned(), relation.into());
    }
    for (name, number) in [("depth", command.depth), ("limit", command.limit)] {
        if let Some(number) = number {
            args.insert(name.to_owned(), number.into());
        }
    }
    let tiers: Vec<Value> = command.tiers.iter().map(|tier| word(*tier)).collect();
    let roles: Vec<Value> = command.roles.iter().map(|role| word(*role)).collect();
    for (name, words) in [("tiers", tiers), ("roles", roles)] {
        if !words.is_empty() {
            args.insert(name.to_owned(), words.into());
        }
    }
    if command.no_preview {
        args.insert("includePreview".to_owned(), false.into());
    }
    if let Some(folder) = &command.folder {
        args.insert("folder".to_owned(), folder.as_str().into());
    }
    super::show(
        &command.workspace,
        &command.show,
        "codecortex_findReferences",
        args,
    )
}

/// The word of a choice, as the tool has it.
fn word(choice: impl ValueEnum) -> Value {
    let value = choice.to_possible_value();
    value.map_or(Value::Null, |value| value.get_name().into())
}

/// A place where the end is two numbers, else a symbol.
fn meant(what: &str) -> Map<String, Value> {
    place(what).unwrap_or_else(|| Map::from_iter([("symbol".to_owned(), what.into())]))
}

/// A place in a file: two numbers behind it.
pub(super) fn place(what: &str) -> Option<Map<String, Value>> {
    let mut parts = what.rsplitn(3, ':');
    let character = parts.next()?.parse::<u32>().ok()?;
    let line = parts.next()?.parse::<u32>().ok()?;
    let file = subject(parts.next()?).1;
    let position = json!({ "line": line, "character": character });
    Some(Map::from_iter([
        ("filePath".to_owned(), file),
        ("position".to_owned(), position),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_symbols_are_told_apart() {
        let place = meant("src/a.ts:12:9");
        assert_eq!(place["filePath"], "src/a.ts");
        assert_eq!(place["position"], json!({ "line": 12, "character": 9 }));
        for symbol in ["Store.Add", "std::vector", "a::b:3", "Store.Add(int)"] {
            assert_eq!(meant(symbol)["symbol"], symbol);
        }
    }
}
