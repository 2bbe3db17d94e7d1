//! The symbols that entries of the window stand for.

use codecortex_analysis::artefacts::types::find_type;
use codecortex_analysis::symbols::ids::known_id;
use codecortex_index::{Resolution, Symbol, SymbolPath};

use crate::sources::Sources;

/// A type by its id, without looking at everything: one that was given out, or that the ledger knows.
pub fn type_by_id(sources: &Sources<'_>, root: u32, id: &str) -> Option<Symbol> {
    // Types of the same path in several folders have the same id.
    let known = known_id(sources.code, id);
    if let Some(symbol) = known.filter(|symbol| sources.code.is_in(root, *symbol)) {
        return Some(symbol);
    }
    let known = sources.folders.folder(root)?.ledger?.get(id)?;
    find_type(sources.code, root, &known.identity)
}

/// What an entry is about now: by its id, and by its path where the id is another one.
pub fn symbol_of_entry(sources: &Sources<'_>, root: u32, id: &str, path: &str) -> Option<Symbol> {
    if let Some(symbol) = type_by_id(sources, root, id) {
        return Some(symbol);
    }
    let is_it = |symbol: &Symbol| {
        sources.code.is_in(root, *symbol) && sources.code.index().path_of(*symbol) == path
    };
    let name = path
        .rsplit([':', '.', '+', '/', '#', '('])
        .find(|part| !part.is_empty())?;
    let mut types = sources.code.index().types_named(name);
    if let Some(symbol) = types.find(is_it) {
        return Some(symbol);
    }
    // A member's id has its type's before it.
    if id.matches('_').count() < 2 {
        return None;
    }
    match sources.code.index().resolve(&SymbolPath::parse(path)?) {
        Resolution::One(found) => found.symbols.into_iter().find(is_it),
        _ => None,
    }
}
