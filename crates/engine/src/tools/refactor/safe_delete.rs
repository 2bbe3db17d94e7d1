//! `safeDelete`: a declaration goes where nothing uses it; what it would need is found as for a rename to a name that
//! nothing has.

use codecortex_protocol::counts::counted;
use std::ops::Range;

use codecortex_bind::Dialect;
use codecortex_bind::facts::DefKind;
use codecortex_edit::{
    FileChange, LocatedEdit as _, Refusal, RefusalKind, Rename, RenameOptions, RenameTexts,
    SourceChange, TextEdit, deletion, import_deletion,
};
use codecortex_index::FileId;
use codecortex_protocol::Failure;
use codecortex_resolve::{DefRef, FileNo, Resolver};
use rustc_hash::FxHashMap;

use crate::invocation::Invocation;
use crate::tools::refactor::aftermath::changed_uses;
use crate::tools::refactor::args::RefactorArgs;
use crate::tools::refactor::by_position::constructions;
use crate::tools::refactor::current_texts::texts_of;
use crate::tools::refactor::declaration::{NamedDeclaration, declaration, named_declaration};
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned};
use crate::tools::refactor::refused::failure;
use crate::tools::refactor::resolved_change::ResolvedChange;

/// Plans to delete a declaration.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let named = named_declaration(cx, args)?;
    let name = named.place.name.clone();
    let (resolved, imports) = {
        let names = cx.names();
        let resolver = Resolver::new(names.workspace());
        deletion_of(cx, &resolver, args, named)?
    };
    let problems = changed_uses(cx, &resolved);
    if !problems.is_empty() {
        let message = "A name would mean something else afterwards, or nothing.";
        let names: Vec<&str> = problems
            .iter()
            .take(5)
            .map(|found| found.name.as_str())
            .collect();
        let message = format!("{message} The first: `{}`.", names.join("`, `"));
        return Err(failure(cx, &Refusal::new(RefusalKind::Used, message)));
    }
    let with_imports = match imports {
        0 => String::new(),
        1 => " and an import of it".to_owned(),
        count => format!(" and {count} imports of it"),
    };
    let title = EditTitle::new(format!("Delete `{name}`{with_imports}"));
    planned(cx, title, &resolved)
}

/// The deletion of a declaration, with the texts of the changed files and the count of imports that go along.
fn deletion_of(
    cx: &Invocation<'_>,
    resolver: &Resolver<'_>,
    args: &RefactorArgs,
    named: NamedDeclaration,
) -> Result<(ResolvedChange, usize), Failure> {
    let refuse = |refusal: Refusal| failure(cx, &refusal);
    let def = definition(resolver, &named).ok_or_else(|| {
        let message = "Names of this kind of declaration are not resolved.";
        refuse(Refusal::new(RefusalKind::Unsupported, message))
    })?;
    if let Some(symbol) = cx.declaration_of(resolver, def) {
        let places = constructions(cx, resolver, symbol)?;
        if !places.is_empty() {
            let name = resolver.name(def);
            let message = format!("Values are given by place to the type of `{name}`.");
            return Err(refuse(Refusal::new(RefusalKind::Used, message).at(places)));
        }
    }
    let own = own_declarations(cx, resolver, named, def)?;
    let everywhere = RenameOptions {
        leaves_unsure: true,
        notes_doubts: args.leave_unsure == Some(true),
        ..RenameOptions::default()
    };
    let defs = resolver.symbol(def);
    let unused = unused_name(resolver.name(def));
    let rename = Rename::of(resolver, &defs, &unused, everywhere).map_err(refuse)?;
    cx.need_texts(rename.files().iter().copied())?;
    let mut texts = texts_of(cx, rename.files())?;
    let mut edits: FxHashMap<FileNo, Vec<TextEdit>> = FxHashMap::default();
    for found in &own {
        let edit = deletion((&found.path, &found.text), &found.place).map_err(refuse)?;
        edits.entry(found.file).or_default().push(edit);
        texts.insert(found.file, found.text.clone());
    }
    let deleted: Vec<(FileNo, Range<u32>)> = edits
        .iter()
        .flat_map(|(file, edits)| edits.iter().map(|edit| (*file, edit.start..edit.end)))
        .collect();
    let is_deleted = |(file, at): (FileNo, u32)| {
        let mut deleted = deleted.iter();
        deleted.any(|(of, range)| *of == file && range.contains(&at))
    };
    refuse_family(resolver, &rename, &is_deleted).map_err(refuse)?;
    let uses: Vec<(FileNo, u32)> = rename
        .places()
        .iter()
        .copied()
        .filter(|place| !is_deleted(*place))
        .collect();
    let imports = imports_alone(cx, &texts, &uses);
    let Some(imports) = imports else {
        return Err(refuse(used(&rename, &uses, &is_deleted)));
    };
    if !rename.unsure().is_empty() && args.leave_unsure != Some(true) {
        return Err(refuse(used(&rename, &uses, &is_deleted)));
    }
    if may_implement_unseen(resolver, def) && args.leave_unsure != Some(true) {
        let old = rename.old_name();
        let message = format!(
            "`{old}` may implement an interface that is declared outside of the workspace."
        );
        let place = resolver.place(def).map(|at| (def.file, at));
        return Err(refuse(Refusal::new(RefusalKind::Unsure, message).at(place)));
    }
    let count = imports.len();
    for (file, edit) in unused_imports(resolver, &texts, &deleted, cx) {
        edits.entry(file).or_default().push(edit);
    }
    for (file, edit) in imports {
        edits.entry(file).or_default().push(edit);
    }
    let planned = rename.plan(resolver, &texts).map_err(refuse)?;
    let left = planned.not_touched;
    let mut files: Vec<FileChange> = edits
        .into_iter()
        .map(|(file, mut edits)| {
            edits.sort_unstable();
            edits.dedup();
            FileChange { file, edits }
        })
        .collect();
    files.sort_by_key(|change| change.file);
    let overlaps = |change: &FileChange| {
        change
            .edits
            .windows(2)
            .any(|pair| pair[0].end > pair[1].start)
    };
    if files.iter().any(overlaps) {
        let message = "Two of the places overlap.";
        return Err(refuse(Refusal::new(RefusalKind::Unsupported, message)));
    }
    let mut change = SourceChange::of_files(files);
    change.notes = planned.notes;
    change.not_touched = left
        .into_iter()
        .filter(|stays| !is_deleted((stays.file, stays.at)))
        .collect();
    Ok((ResolvedChange { change, texts }, count))
}

/// The definition of a declaration.
fn definition(resolver: &Resolver<'_>, named: &NamedDeclaration) -> Option<DefRef> {
    let file = named.file;
    let bound = resolver.workspace().file(file)?;
    let mut defs = bound.defs_at(named.place.name_byte);
    defs.next().map(|def| DefRef { file, def })
}

/// Whether a declaration is an exported method of Go: nothing is written where one implements an interface.
fn may_implement_unseen(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let is_go = resolver.workspace().dialect(def.file) == Some(Dialect::Go);
    let kind = resolver.definition(def).map(|def| def.kind);
    let is_exported = resolver.name(def).starts_with(char::is_uppercase);
    is_go && is_exported && kind == Some(DefKind::Method)
}

/// Every declaration of the symbol: a declaration and its definition, overload signatures, parts.
fn own_declarations(
    cx: &Invocation<'_>,
    resolver: &Resolver<'_>,
    named: NamedDeclaration,
    def: DefRef,
) -> Result<Vec<NamedDeclaration>, Failure> {
    let first = (named.file, named.place.name_byte);
    let mut own = vec![named];
    for other in resolver.symbol(def) {
        let place = resolver.place(other).map(|at| (other.file, at));
        let is_known =
            |found: &NamedDeclaration| Some((found.file, found.place.name_byte)) == place;
        if place == Some(first) || own.iter().any(is_known) {
            continue;
        }
        if let Some(symbol) = cx.declaration_of(resolver, other) {
            own.push(declaration(cx, symbol)?);
        }
    }
    Ok(own)
}

/// Refuses a declaration that others override or implement, or that does so.
fn refuse_family(
    resolver: &Resolver<'_>,
    rename: &Rename,
    is_deleted: &dyn Fn((FileNo, u32)) -> bool,
) -> Result<(), Refusal> {
    let others = rename.declarations().iter().filter_map(|def| {
        let place = (def.file, resolver.place(*def)?);
        (!is_deleted(place)).then_some(place)
    });
    let others: Vec<(FileNo, u32)> = others.collect();
    match others.is_empty() {
        true => Ok(()),
        false => {
            let old = rename.old_name();
            let message = format!(
                "`{old}` overrides or implements another declaration, or is overridden or implemented."
            );
            Err(Refusal::new(RefusalKind::Used, message).at(others))
        }
    }
}

/// The imports that all uses are, as deletions; nothing where a use is no import that can go.
fn imports_alone(
    cx: &Invocation<'_>,
    texts: &RenameTexts,
    uses: &[(FileNo, u32)],
) -> Option<Vec<(FileNo, TextEdit)>> {
    let imports = uses.iter().map(|(file, at)| {
        let path = &cx.index.file(FileId(*file))?.path;
        Some((*file, import_deletion((path, texts.get(file)?), *at)?))
    });
    imports.collect()
}

/// Imports of Go that only the deleted code uses: its compiler refuses those that nothing uses.
fn unused_imports(
    resolver: &Resolver<'_>,
    texts: &RenameTexts,
    deleted: &[(FileNo, Range<u32>)],
    cx: &Invocation<'_>,
) -> Vec<(FileNo, TextEdit)> {
    let workspace = resolver.workspace();
    let mut found = Vec::new();
    let mut files: Vec<FileNo> = deleted.iter().map(|(file, _)| *file).collect();
    files.sort_unstable();
    files.dedup();
    for file in files
        .into_iter()
        .filter(|file| workspace.dialect(*file) == Some(Dialect::Go))
    {
        let Some((bound, text)) = workspace.file(file).zip(texts.get(&file)) else {
            continue;
        };
        let is_deleted = |at: u32| {
            let mut deleted = deleted.iter();
            deleted.any(|(of, range)| *of == file && range.contains(&at))
        };
        for def in bound.defs().iter().filter(|def| def.kind == DefKind::Alias) {
            let mut uses = bound.uses().filter(|(_, name, at, _)| {
                bound.name(*name) == bound.name(def.name) && *at != def.at
            });
            let first = uses.next();
            let is_only = first.is_some_and(|(_, _, at, _)| is_deleted(at))
                && uses.all(|(_, _, at, _)| is_deleted(at));
            let path = cx.index.file(FileId(file)).map(|file| &*file.path);
            let edit = path
                .filter(|_| is_only)
                .and_then(|path| import_deletion((path, text), def.at));
            found.extend(edit.map(|edit| (file, edit)));
        }
    }
    found
}

/// The refusal of what is used.
fn used(
    rename: &Rename,
    uses: &[(FileNo, u32)],
    is_deleted: &dyn Fn((FileNo, u32)) -> bool,
) -> Refusal {
    let unsure = rename.unsure().iter().copied();
    let unsure: Vec<(FileNo, u32)> = unsure.filter(|place| !is_deleted(*place)).collect();
    let by_name = match unsure.len() {
        0 => String::new(),
        places => format!(
            " Its name is used in {} whose receiver is not known.",
            counted(places, "place")
        ),
    };
    let old = rename.old_name();
    let (kind, message) = match uses.is_empty() {
        true => (
            RefusalKind::Unsure,
            format!("`{old}` may be used.{by_name}"),
        ),
        false => (
            RefusalKind::Used,
            format!(
                "`{old}` is used in {}.{by_name}",
                counted(uses.len(), "place")
            ),
        ),
    };
    Refusal::new(kind, message).at(uses.iter().copied().chain(unsure))
}

/// A name that nothing has, and that is seen where the old one is.
fn unused_name(old: &str) -> String {
    let stem = old.trim_end_matches('_');
    let end = old.get(stem.len()..).unwrap_or_default();
    format!("{stem}Zq9Unused{end}")
}
