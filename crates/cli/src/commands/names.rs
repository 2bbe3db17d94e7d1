//! `codecortex references`, `callers`, `callees`, `implementations` and `overrides`:
//! `codecortex_findReferences` for people (SPEC R2, R5).

use std::path::Path;

use clap::ValueEnum;
use codecortex_engine::protocol::WrittenPlace;
use serde_json::{Map, Value, json};

use super::outline::subject;
use crate::args::NameArgs;
use crate::failure::Failure;

/// `relation` as the tool has it; uses without one.
pub(crate) fn run(command: &NameArgs, relation: Option<&str>) -> Result<i32, Failure> {
    let mut args = match command.what.as_slice() {
        [what] => meant(what),
        several => {
            let symbols = several.iter().map(|what| {
                let symbol = written(what).unwrap_or_else(|| what.clone());
                Value::from(symbol)
            });
            Map::from_iter([("symbol".to_owned(), Value::Array(symbols.collect()))])
        }
    };
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

/// A place with a character, else a symbol, which may be a place without one.
pub(super) fn meant(what: &str) -> Map<String, Value> {
    place(what).unwrap_or_else(|| {
        let symbol = written(what).unwrap_or_else(|| what.to_owned());
        Map::from_iter([("symbol".to_owned(), symbol.into())])
    })
}

/// A place in a file, with a line and a character.
pub(super) fn place(what: &str) -> Option<Map<String, Value>> {
    let place = WrittenPlace::parse(what)?;
    let position = json!({ "line": place.line, "character": place.character? });
    Some(Map::from_iter([
        ("filePath".to_owned(), subject(place.path).1),
        ("position".to_owned(), position),
    ]))
}

/// A place in a file that is there, seen from the current folder, as a tool finds it from anywhere.
pub(super) fn written(what: &str) -> Option<String> {
    let place = WrittenPlace::parse(what)?;
    let file = Path::new(place.path).canonicalize().ok()?;
    let file = file
        .is_file()
        .then(|| file.to_string_lossy().into_owned())?;
    Some(match place.character {
        Some(character) => format!("{file}:{}:{character}", place.line),
        None => format!("{file}:{}", place.line),
    })
}

/// The same for all symbols among the arguments of a call.
pub(super) fn read_places(args: &mut Map<String, Value>) {
    let read = |value: &mut Value| {
        if let Some(place) = value.as_str().and_then(written) {
            *value = place.into();
        }
    };
    args.get_mut("symbol").into_iter().for_each(read);
    if let Some(Value::Array(symbols)) = args.get_mut("symbols") {
        symbols.iter_mut().for_each(read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_symbols_are_told_apart() {
        let place = meant("src/a.ts:12:9");
        assert_eq!(place["filePath"], "src/a.ts");
        assert_eq!(place["position"], json!({ "line": 12, "character": 9 }));
        for other in ["src/a.ts(12,9)", "src/a.ts#L12C9"] {
            assert_eq!(meant(other), place, "{other}");
        }
        for symbol in [
            "Store.Add",
            "std::vector",
            "a::b:3",
            "Store.Add(int)",
            "none.ts:3",
        ] {
            assert_eq!(meant(symbol)["symbol"], symbol);
        }
    }
}
