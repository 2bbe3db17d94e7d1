//! The symbols that entries of the window stand for.

use codecortex_analysis::artefacts::types::find_type;
use codecortex_analysis::symbols::ids::known_id;
use codecortex_index::{Resolution, Symbol, SymbolPath};

use crate::session::Session;

/// A type by its id, without looking at everything: one that was given out, or that the ledger knows.
pub(super) fn type_by_id(session: &Session, root: u32, id: &str) -> Option<Symbol> {
    // Types of the same path in several folders have the same id.
    let known = known_id(&session.code, id);
    if let Some(symbol) = known.filter(|symbol| session.code.is_in(root, *symbol)) {
        return Some(symbol);
    }
    let folder = session.contexts.folders.get(root as usize)?;
    let known = folder.ledger.as_ref()?.get(id)?;
    find_type(&session.code, root, &known.identity)
}

/// What an entry is about now: by its id, and by its path where the id is another one.
pub(crate) fn symbol_of_entry(
    session: &Session,
    root: u32,
    id: &str,
    path: &str,
) -> Option<Symbol> {
    if let Some(symbol) = type_by_id(session, root, id) {
        return Some(symbol);
    }
    let is_it = |symbol: &Symbol| {
        session.code.is_in(root, *symbol) && session.code.index.path_of(*symbol) == path
    };
    let name = path
        .rsplit([':', '.', '+', '/', '#', '('])
        .find(|part| !part.is_empty())?;
    let mut types = session.code.index.types_named(name);
    if let Some(symbol) = types.find(is_it) {
        return Some(symbol);
    }
    // A member's id has its type's before it.
    if id.matches('_').count() < 2 {
        return None;
    }
    match session.code.index.resolve(&SymbolPath::parse(path)?) {
        Resolution::One(found) => found.symbols.into_iter().find(is_it),
        _ => None,
    }
}
