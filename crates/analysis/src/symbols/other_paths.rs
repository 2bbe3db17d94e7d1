//! Paths that lead to a declaration without being where it is written: a name that a module exports for another one,
//! a member that a type inherits (SPEC S1, D20).

use std::collections::VecDeque;

use codecortex_answer::Detour;
use codecortex_index::{FileId, Match, Resolution, Resolved, Symbol, SymbolPath};
use codecortex_resolve::{DefRef, Resolver};
use rustc_hash::FxHashSet;

use crate::view::View;

/// Bases of a type that are looked at.
const MOST_BASES: usize = 500;

/// What a path leads to by a re-export or through a base, and by which of the two.
pub(crate) fn by_other_path(view: &View<'_>, path: &SymbolPath) -> Option<(Resolved, Detour)> {
    let (name, around) = path.segments.split_last()?;
    if around.is_empty() || path.has_wildcard() {
        return None;
    }
    if let Some(symbol) = exported(view, around, name) {
        return Some((resolved(view, vec![symbol]), Detour::ReExport));
    }
    let (owner, by_export) = type_called(view, around)?;
    let own = members_called(view, owner, name);
    match (own.is_empty(), by_export) {
        (false, true) => Some((resolved(view, own), Detour::ReExport)),
        (false, false) => None,
        (true, _) => Some((
            resolved(view, inherited(view, owner, name)?),
            Detour::Inherited,
        )),
    }
}

fn resolved(view: &View<'_>, symbols: Vec<Symbol>) -> Resolved {
    Resolved {
        path: view.index.path_of(symbols[0]),
        symbols,
        matched: Match::Exact,
    }
}

/// The type of a path, and whether only a re-export leads to it.
fn type_called(view: &View<'_>, segments: &[String]) -> Option<(Symbol, bool)> {
    let path = SymbolPath {
        segments: segments.to_vec(),
        parameters: None,
        arity: None,
    };
    let is_type = |symbol: &Symbol| {
        let item = view.index.get(*symbol).map(|(_, item)| item);
        item.is_some_and(|item| item.kind.is_type())
    };
    if let Resolution::One(found) = view.index.resolve(&path) {
        return found
            .symbols
            .into_iter()
            .find(is_type)
            .map(|symbol| (symbol, false));
    }
    let (name, around) = segments.split_last()?;
    let symbol = exported(view, around, name).filter(is_type)?;
    Some((symbol, true))
}

fn members_called(view: &View<'_>, of: Symbol, name: &str) -> Vec<Symbol> {
    let members = view.index.members(of).into_iter();
    let is_it = |symbol: &Symbol| {
        let found = view.index.get(*symbol);
        found.is_some_and(|(file, item)| file.facts.str(item.name) == name)
    };
    members.filter(is_it).collect()
}

/// The members of that name of the nearest base that has any.
fn inherited(view: &View<'_>, of: Symbol, name: &str) -> Option<Vec<Symbol>> {
    let names = view.names();
    let query = Resolver::new(names.workspace());
    let def = view.def_of(&query, of)?;
    let mut seen: FxHashSet<DefRef> = query.symbol(def).into_iter().collect();
    let mut next = VecDeque::from([def]);
    while let Some(def) = next.pop_front() {
        for base in query.supertypes(def).0 {
            if seen.len() > MOST_BASES || !seen.insert(base) {
                continue;
            }
            let symbol = view.symbol_of(&query, base);
            let found = symbol.map_or_else(Vec::new, |base| members_called(view, base, name));
            if !found.is_empty() {
                return Some(found);
            }
            next.push_back(base);
        }
    }
    None
}

/// The declaration that a module gives this name, where it is another module's.
fn exported(view: &View<'_>, module: &[String], name: &str) -> Option<Symbol> {
    if module.is_empty() {
        return None;
    }
    let names = view.names();
    let query = Resolver::new(names.workspace());
    let files = view
        .index
        .files()
        .filter(|(_, file)| view.index.is_module_called(file, module));
    let mut found = files.flat_map(|(id, _)| query.exported(id.0, name));
    found.find_map(|def| {
        let symbol = view.symbol_of(&query, def)?;
        view.index.file(FileId(def.file)).map(|_| symbol)
    })
}
