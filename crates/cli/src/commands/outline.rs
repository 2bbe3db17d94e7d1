//! `codecortex outline`: `codecortex_getOutline` for people.

use std::path::Path;

use serde_json::{Map, Value};

use crate::args::{OutlineArgs, OutlineDocs, OutlineForm};
use crate::failure::Failure;

pub(crate) fn run(command: &OutlineArgs) -> Result<i32, Failure> {
    let mut args = Map::new();
    match command.what.as_slice() {
        [what] => {
            let (name, value) = subject(what);
            args = super::names::place(what)
                .unwrap_or_else(|| Map::from_iter([(name.to_owned(), value)]));
        }
        symbols => drop(args.insert("symbol".to_owned(), symbols.into())),
    }
    if command.public {
        args.insert("visibility".to_owned(), "public".into());
    }
    if command.form != OutlineForm::Tree {
        args.insert("form".to_owned(), command.form.as_str().into());
    }
    if command.docs != OutlineDocs::Summary {
        args.insert("docs".to_owned(), command.docs.as_str().into());
    }
    super::show(
        &command.workspace,
        &command.show,
        "codecortex_getOutline",
        args,
    )
}

/// A place in a file or a file that is there, seen from the current folder, or what looks like a path; else a symbol.
pub(super) fn subject(what: &str) -> (&'static str, Value) {
    if let Some(place) = super::names::written(what) {
        return ("symbol", place.into());
    }
    if let Ok(absolute) = Path::new(what).canonicalize()
        && absolute.is_file()
    {
        return ("filePath", absolute.to_string_lossy().into());
    }
    let (_, name) = what.rsplit_once(['/', '\\']).unwrap_or(("", what));
    let looks_like_path = what.len() > name.len() && name.contains('.');
    let argument = if looks_like_path {
        "filePath"
    } else {
        "symbol"
    };
    (argument, what.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_symbols_are_told_apart() {
        assert_eq!(subject("src/main.rs").0, "filePath");
        assert_eq!(subject("Cargo.toml").0, "filePath");
        for symbol in ["NodeStore", "Core.NodeStore.Add(int)", "a/b", "core::fmt"] {
            assert_eq!(subject(symbol), ("symbol", symbol.into()));
        }
        assert_eq!(subject("app/none.ts"), ("filePath", "app/none.ts".into()));
    }
}
