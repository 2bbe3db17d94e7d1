//! `codecortex references`, `callers`, `callees`, `implementations` and `overrides`:
//! `codecortex_findReferences` for people (SPEC R2, R5).

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

/// A place where the end is two numbers, else a symbol.
fn meant(what: &str) -> Map<String, Value> {
    let mut args = Map::new();
    let mut parts = what.rsplitn(3, ':');
    let character = parts.next().and_then(|part| part.parse::<u32>().ok());
    let line = parts.next().and_then(|part| part.parse::<u32>().ok());
    if let (Some(file), Some(line), Some(character)) = (parts.next(), line, character) {
        args.insert("filePath".to_owned(), subject(file).1);
        let position = json!({ "line": line, "character": character });
        args.insert("position".to_owned(), position);
    } else {
        args.insert("symbol".to_owned(), what.into());
    }
    args
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
