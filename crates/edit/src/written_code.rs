//! Looks at the code that an edit writes: it must parse, and its names must mean one thing at every place.

use std::collections::BTreeMap;

use codecortex_bind::facts::Expr;
use codecortex_resolve::{ExprRef, FileNo, Resolver, Workspace};

use rustc_hash::FxHashSet;

use crate::refusal::{Refusal, RefusalKind};
use crate::source_change::SourceChange;
use crate::tree::syntax_errors;

/// Refuses an edit after which a file has places that its grammar does not read, and did read before.
///
/// # Errors
/// The first of those places, in terms of the text afterwards.
pub fn check_syntax(path: &str, file: FileNo, before: &str, after: &str) -> Result<(), Refusal> {
    let (old, new) = (syntax_errors(path, before), syntax_errors(path, after));
    if new.len() <= old.len() {
        return Ok(());
    }
    let message = format!("{path} would not parse any more.");
    Err(Refusal::new(RefusalKind::Captured, message).at([(file, 0)]))
}

/// Refuses written code whose names mean nothing, or different things at different places. `after` has the texts of the
/// result.
///
/// # Errors
/// The file, as a sentence.
pub fn check_written(change: &SourceChange, after: &Workspace) -> Result<(), Refusal> {
    let resolver = Resolver::new(after);
    let ambient = ambient_names(change, &resolver);
    // By the length of the code, the place in it and the name.
    let mut meanings: BTreeMap<(u32, u32, String), Vec<(FileNo, u32)>> = BTreeMap::new();
    for (file, range) in &change.written {
        let refuse = |what: &str, at: u32| {
            let path = after.path(*file).unwrap_or_default();
            let message = format!("{what} in {path}.");
            Err(Refusal::new(RefusalKind::Captured, message).at([(*file, at)]))
        };
        for (expr, at, ..) in resolver.uses_between(*file, range.start, range.end) {
            let use_at = ExprRef { file: *file, expr };
            let name = after.file(*file).and_then(|bound| {
                let (name, ..) = bound.expr(expr).written()?;
                Some(after.text(bound.name(name)).to_owned())
            });
            let name = name.unwrap_or_default();
            let is_ambient = ambient.contains(&(*file, name.clone()));
            if !is_ambient && resolver.is_dangling(use_at, false) {
                return refuse(&format!("`{name}` names nothing"), 0);
            }
            let target = resolver.target(use_at);
            let mut places: Vec<(FileNo, u32)> = target
                .defs
                .iter()
                .filter_map(|def| Some((def.file, resolver.place(*def)?)))
                .collect();
            places.sort_unstable();
            let key = (range.end - range.start, at - range.start, name.clone());
            let first = meanings.entry(key).or_insert_with(|| places.clone());
            if *first != places {
                return refuse(&format!("`{name}` means something else"), 0);
            }
        }
    }
    Ok(())
}

/// Names that other code of the same file uses and nothing declares: the language has them.
fn ambient_names(change: &SourceChange, resolver: &Resolver<'_>) -> FxHashSet<(FileNo, String)> {
    let mut names = FxHashSet::default();
    let mut files: Vec<FileNo> = change.written.iter().map(|(file, _)| *file).collect();
    files.dedup();
    for file in files {
        let workspace = resolver.workspace();
        let Some(bound) = workspace.file(file) else {
            continue;
        };
        let is_written = |at: u32| {
            let mut written = change.written.iter();
            written.any(|(of, range)| *of == file && range.contains(&at))
        };
        let in_written: FxHashSet<u32> = change
            .written
            .iter()
            .filter(|(of, _)| *of == file)
            .flat_map(|(_, range)| resolver.uses_between(file, range.start, range.end))
            .filter_map(|(expr, ..)| Some(bound.expr(expr).written()?.0))
            .collect();
        if in_written.is_empty() {
            continue;
        }
        for (expr, name, at, _) in bound.uses() {
            let is_name = matches!(bound.expr(expr), Expr::Name { .. });
            if !is_name || !in_written.contains(&name) || is_written(at) {
                continue;
            }
            let target = resolver.target(ExprRef { file, expr });
            if target.defs.is_empty() && target.via_aliases.is_empty() {
                names.insert((file, workspace.text(bound.name(name)).to_owned()));
            }
        }
    }
    names
}
