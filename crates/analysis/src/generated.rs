//! Declarations of generated code (SPEC P2, R1, R3): the index has its names alone, so a question that names one of
//! its types or members has the file read, and the declarations lie over the index until the question is answered.

use codecortex_bind::facts::{DefKind, NONE, ScopeKind};
use codecortex_index::{FileId, Resolved, SymbolPath};
use codecortex_protocol::{Failure, Located, Missing};
use codecortex_resolve::{File, FileNo, Workspace};
use codecortex_syntax::{Bound, Facts, Limits, Outcome, analyse_text};
use rustc_hash::FxHashSet;

use crate::analysis::Analysis;
use crate::view::View;

/// So many files are read for one name, and so many lines of them.
const MOST_FILES: usize = 16;
const MOST_LINES: u32 = 100_000;
/// Ids of so many declarations are remembered.
const MOST_IDS: usize = 10_000;

/// Whether the texts of files are here.
pub fn are_here(code: &Analysis, files: &[Located]) -> bool {
    let is_here = |file: &Located| {
        code.documents.contains_key(&file.path) || code.disk.contains_key(&file.path)
    };
    files.iter().all(is_here)
}

/// Notes the id that a declaration of this file is given out with.
pub fn note_generated_id(code: &Analysis, id: &str, file: FileId) {
    if code.generated.tried.contains(&file) {
        let mut ids = code.generated.ids.borrow_mut();
        if ids.len() >= MOST_IDS {
            ids.clear();
        }
        ids.insert(id.to_owned(), file);
    }
}

/// Whether an id is of a declaration that has to be read first.
pub fn is_unread_id(code: &Analysis, id: &str) -> bool {
    let file = code.generated.ids.borrow().get(id).copied();
    file.is_some_and(|file| !code.generated.tried.contains(&file) && code.is_generated(file.0))
}

/// Makes sure that the declarations of generated files are at hand, as far as they can be.
pub fn need_declarations(
    code: &Analysis,
    files: impl Iterator<Item = FileNo>,
) -> Result<(), Failure> {
    let mut missing: Vec<Located> = Vec::new();
    let (mut lines, mut seen) = (0_u32, FxHashSet::default());
    for file in files {
        let id = FileId(file);
        if code.generated.tried.contains(&id) || !code.is_generated(file) || !seen.insert(id) {
            continue;
        }
        let Some(found) = code.index.file(id) else {
            continue;
        };
        lines = lines.saturating_add(found.facts.summary().lines);
        if missing.len() == MOST_FILES || lines > MOST_LINES && !missing.is_empty() {
            break;
        }
        missing.extend(code.located_file(id));
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Failure::Missing(Missing::Declarations(missing))),
    }
}

/// The generated files in which a path may be declared, or the one of an id.
fn declaring(code: &Analysis, sought: &str) -> Vec<FileNo> {
    if let Some(file) = code.generated.ids.borrow().get(sought) {
        return vec![file.0];
    }
    let Some(mut path) = SymbolPath::parse(sought) else {
        return Vec::new();
    };
    let last = path.segments.pop().unwrap_or_default();
    let names = code.names();
    let workspace = names.workspace();
    let Some(name) = workspace.name(&last) else {
        return Vec::new();
    };
    let has = |bound: &File, segment: &str| {
        let is_named = |sym| bound.local(sym).is_some();
        workspace.name(segment).is_some_and(is_named) || is_around(workspace, bound, segment)
    };
    let declares = |bound: &File| {
        let local = bound.local(name);
        let mut defs = local.into_iter().flat_map(|name| bound.defs_of(name));
        defs.any(|def| is_declaration(bound.def(def).kind))
            && path.segments.iter().all(|segment| has(bound, segment))
    };
    // Who is generated is known without looking into it: a name may be in thousands of files that are not.
    let files = workspace.files_with(name).iter().copied();
    let files = files.filter(|file| code.is_generated(*file));
    let mut declaring: Vec<FileNo> = files
        .filter(|file| workspace.file(*file).is_some_and(declares))
        .collect();
    declaring.sort_by_key(|file| workspace.path(*file));
    declaring
}

/// Lays the declarations of files over the index whose texts are here, for the calls that asked for them.
pub fn open_generated(code: &mut Analysis, files: &[Located]) {
    for file in files {
        let place = file.place.as_ref();
        let id = place.and_then(|place| code.index.file_id(place.root, &place.path));
        let Some(id) = id.filter(|id| code.generated.tried.insert(*id)) else {
            continue;
        };
        if let Some(facts) = facts_of_generated(code, id, file) {
            code.index.put_over(id, facts);
        }
    }
}

/// What the text of a generated file says.
fn facts_of_generated(code: &Analysis, id: FileId, file: &Located) -> Option<Facts> {
    let known = code.index.file(id)?;
    let limits = Limits {
        exclude_generated: false,
        ..code.limits_of(known.root)
    };
    let text = code.text_of(file).ok()?.snapshot.text.text();
    let Outcome::Facts(mut facts) = analyse_text(&known.path, &text, limits) else {
        return None;
    };
    // Names stay what they are: nothing of them is asked anew.
    if let Some((_, bindings)) = code.bindings_of(known) {
        facts.bindings = Bound(bindings);
    }
    facts.hash = known.facts.summary().hash;
    facts.cosmetic = known.facts.cosmetic;
    Some(facts)
}

/// Takes them away again: nobody waits who asked for them.
pub fn close_generated(code: &mut Analysis) {
    if !code.generated.tried.is_empty() {
        code.index.clear_overlay();
        code.generated.tried.clear();
    }
}

/// Notes that the index does not have what a caller named.
pub fn note_sought(view: &View<'_>, symbol: &str) {
    *view.call.not_found.borrow_mut() = Some(symbol.to_owned());
}

/// The generated code that may declare what the tool did not find; nothing where none does, or was read already.
pub fn generated_to_read(view: &View<'_>) -> Option<Missing> {
    let sought = view.call.not_found.borrow_mut().take()?;
    unread_with(view, &sought)
}

/// Whether something that is called like this in another case was found, while generated code that was not read
/// declares it as it is written.
pub fn is_less_than_generated(view: &View<'_>, symbol: &str, found: &[Resolved]) -> bool {
    let path = SymbolPath::parse(symbol);
    let Some(name) = path.as_ref().and_then(|path| path.segments.last()) else {
        return false;
    };
    let is_it = |found: &Resolved| found.path.ends_with(name.as_str());
    !found.iter().any(is_it) && is_in_generated(view, symbol)
}

/// Whether generated code that was not read may declare a path.
pub fn is_in_generated(view: &View<'_>, symbol: &str) -> bool {
    unread_with(view, symbol).is_some()
}

fn unread_with(view: &View<'_>, symbol: &str) -> Option<Missing> {
    if view.workspace.names_only() == 0 || !view.call.sees_generated {
        return None;
    }
    match need_declarations(view, declaring(view, symbol.trim()).into_iter()) {
        Err(Failure::Missing(awaited)) => Some(awaited),
        _ => None,
    }
}

/// Whether something of this kind can be named by a path.
fn is_declaration(kind: DefKind) -> bool {
    use DefKind::{Alias, Impl, Label, Lambda, Parameter, TypeParam};
    !matches!(kind, Alias | Impl | Label | Lambda | Parameter | TypeParam)
}

/// Whether a file is in a folder, module or namespace of this name.
fn is_around(workspace: &Workspace, bound: &File, name: &str) -> bool {
    let in_path = bound.path().split(['/', '.']).any(|part| part == name);
    let namespaces = bound.scopes().iter().filter(|scope| {
        let is_open = matches!(scope.kind, ScopeKind::Namespace | ScopeKind::Module);
        is_open && scope.owner != NONE
    });
    let mut paths = namespaces.map(|scope| workspace.text(bound.name(bound.def(scope.owner).name)));
    in_path || paths.any(|path| path.split('.').any(|part| part == name))
}
