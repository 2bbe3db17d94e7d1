//! Paths that lead to a declaration without being where it is written: a name that a module exports for another one,
//! a member that a type inherits (SPEC S1, D20).

use codecortex_answer::Detour;
use codecortex_index::{FileId, Match, Resolution, Resolved, Symbol, SymbolPath};
use codecortex_resolve::Resolver;

use crate::view::AnalysisView;

/// Bases of a type that are looked at.
const MAX_BASES: usize = 500;

/// What a path leads to by a re-export or through a base, and by which of the two.
pub(crate) fn by_other_path(
    view: &AnalysisView<'_>,
    path: &SymbolPath,
) -> Option<(Resolved, Detour)> {
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

fn resolved(view: &AnalysisView<'_>, symbols: Vec<Symbol>) -> Resolved {
    Resolved {
        path: view.index.path_of(symbols[0]),
        symbols,
        matched: Match::Exact,
    }
}

/// The type of a path, and whether only a re-export leads to it.
fn type_called(view: &AnalysisView<'_>, segments: &[String]) -> Option<(Symbol, bool)> {
    let path = SymbolPath {
        segments: segments.to_vec(),
        parameters: None,
        arity: None,
    };
    let is_type = |symbol: &Symbol| {
        let item = view.index.get(*symbol).map(|(_, item)| item);
        item.is_some_and(|item| item.kind.is_type())
    };
    if let Resolution::One(found) = view.resolve(&path) {
        let is_other = found.is_other_spelling(&path);
        let own = found.symbols.into_iter().find(is_type);
        // A module of that name in other letters is not meant by the path of a type.
        if own.is_some() || !is_other {
            return own.map(|symbol| (symbol, false));
        }
    }
    let (name, around) = segments.split_last()?;
    let symbol = exported(view, around, name).filter(is_type)?;
    Some((symbol, true))
}

fn members_called(view: &AnalysisView<'_>, of: Symbol, name: &str) -> Vec<Symbol> {
    let members = view.index.members_in(of, view.overlay()).into_iter();
    let is_it = |symbol: &Symbol| {
        let found = view.index.get(*symbol);
        found.is_some_and(|(file, item)| file.facts.str(item.name) == name)
    };
    members.filter(is_it).collect()
}

/// The members of that name of the nearest base that has any.
fn inherited(view: &AnalysisView<'_>, of: Symbol, name: &str) -> Option<Vec<Symbol>> {
    let names = view.names();
    let query = Resolver::new(names.workspace());
    let def = view.def_of(&query, of)?;
    let bases = query.all_supertypes(def, MAX_BASES).0.into_iter();
    let bases = bases.filter_map(|base| view.symbol_of(&query, base));
    let mut found = bases.map(|base| members_called(view, base, name));
    found.find(|members| !members.is_empty())
}

/// The declaration that a module gives this name, where it is another module's.
fn exported(view: &AnalysisView<'_>, module: &[String], name: &str) -> Option<Symbol> {
    let files = view.index.files();
    let files = files.filter(|(_, file)| view.index.is_module_called(file, module));
    let files: Vec<FileId> = files.map(|(id, _)| id).collect();
    if files.is_empty() {
        return None; // without joining the names of all files
    }
    let names = view.names();
    let query = Resolver::new(names.workspace());
    let defs = files.iter().flat_map(|file| query.exported(file.0, name));
    defs.into_iter().find_map(|def| view.symbol_of(&query, def))
}
