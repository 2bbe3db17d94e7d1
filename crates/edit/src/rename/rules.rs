//! Rules about names that decide before any place is looked at.

use std::ops::Range;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, ScopeKind};
use codecortex_resolve::{DefRef, FileNo, Resolver};

use crate::identifiers::{NameProblem, name_problem};
use crate::refusal::{Refusal, RefusalKind};
use crate::source_change::RenamedFile;

/// Refuses names that the language does not have, and languages whose names are not resolved.
pub(super) fn check_names(
    resolver: &Resolver<'_>,
    first: DefRef,
    old: &str,
    new: &str,
) -> Result<(), Refusal> {
    let invalid = |message: String| Err(Refusal::new(RefusalKind::InvalidName, message));
    let unsupported = |message: String| Err(Refusal::new(RefusalKind::Unsupported, message));
    let Some(dialect) = resolver.workspace().dialect(first.file) else {
        return unsupported("The file is not in the index.".to_owned());
    };
    if !dialect.is_resolved() {
        return unsupported("Names of this language are not resolved.".to_owned());
    }
    match name_problem(dialect, new) {
        Some(NameProblem::NoIdentifier) => {
            return invalid(format!("`{new}` is no identifier of {dialect:?}."));
        }
        Some(NameProblem::Keyword) => {
            return invalid(format!("`{new}` is a reserved word of {dialect:?}."));
        }
        None => {}
    }
    if old == new {
        return invalid(format!("`{new}` is its name already."));
    }
    let kind = resolver.definition(first).map(|def| def.kind);
    match kind {
        Some(DefKind::Namespace | DefKind::Module) => {
            return unsupported(format!(
                "`{old}` is a namespace or module, which is not renamed yet."
            ));
        }
        Some(DefKind::Impl | DefKind::Lambda) | None => {
            return unsupported("The declaration has no name.".to_owned());
        }
        _ => {}
    }
    if name_problem(dialect, old) == Some(NameProblem::NoIdentifier) {
        return unsupported(format!("`{old}` is no identifier."));
    }
    check_visibility(dialect, old, new)
}

/// Refuses names that are seen from other places than the old one, by a rule of the language.
fn check_visibility(dialect: Dialect, old: &str, new: &str) -> Result<(), Refusal> {
    let is_upper = |name: &str| name.chars().next().is_some_and(char::is_uppercase);
    let is_mangled = |name: &str| name.starts_with("__") && !name.ends_with("__");
    let (differs, rule) = match dialect {
        Dialect::Go => (
            is_upper(old) != is_upper(new),
            "its first letter decides whether other packages see it",
        ),
        Dialect::Python => (
            is_mangled(old) != is_mangled(new),
            "two leading underscores hide it",
        ),
        Dialect::TypeScript | Dialect::JavaScript => (
            old.starts_with('#') != new.starts_with('#'),
            "`#` decides where it is seen",
        ),
        _ => (false, ""),
    };
    match differs {
        true => {
            let message = format!("`{new}` would not be seen where `{old}` is: {rule}.");
            Err(Refusal::new(RefusalKind::InvalidName, message))
        }
        false => Ok(()),
    }
}

/// Refuses names that the language of one of the family does not have.
pub(super) fn check_family(
    resolver: &Resolver<'_>,
    family: &[DefRef],
    new: &str,
) -> Result<(), Refusal> {
    for of in family {
        let workspace = resolver.workspace();
        let (Some(def), Some(dialect)) = (resolver.definition(*of), workspace.dialect(of.file))
        else {
            continue;
        };
        let place = (of.file, def.at);
        if name_problem(dialect, new).is_some() {
            let message = format!("`{new}` is no name of {dialect:?}.");
            return Err(Refusal::new(RefusalKind::InvalidName, message).at([place]));
        }
    }
    Ok(())
}

/// The files that a language wants to be named after a type of the family, with their names afterwards.
pub(super) fn renamed_files(
    resolver: &Resolver<'_>,
    family: &[DefRef],
    old: &str,
    new: &str,
) -> Vec<RenamedFile> {
    let workspace = resolver.workspace();
    let renamed = family.iter().filter_map(|of| {
        let def = resolver.definition(*of)?;
        let path = workspace.path(of.file)?;
        let name = path.rsplit('/').next()?;
        let (stem, ending) = name.split_once('.')?;
        let is_top_level = matches!(
            resolver.scope_kind(*of),
            Some(ScopeKind::File | ScopeKind::Namespace)
        );
        let is_tied = workspace.dialect(of.file) == Some(Dialect::Java) && stem == old;
        (is_tied && is_top_level && def.kind.is_type()).then(|| RenamedFile {
            file: of.file,
            name: format!("{new}.{ending}"),
        })
    });
    let mut renamed: Vec<RenamedFile> = renamed.collect();
    renamed.sort_unstable();
    renamed.dedup();
    renamed
}

/// Refuses a name that another declaration has where the renamed ones are seen: in their scopes and types, and in the
/// files that import them.
pub(super) fn check_clashes(
    resolver: &Resolver<'_>,
    family: &[DefRef],
    places: &[(FileNo, u32)],
    new: &str,
) -> Result<(), Refusal> {
    let mut defs = family.to_vec();
    for (file, at) in places {
        let bound = resolver.workspace().file(*file);
        let here = bound.iter().flat_map(|bound| bound.defs_at(*at));
        defs.extend(here.map(|def| DefRef { file: *file, def }));
    }
    defs.sort_unstable();
    defs.dedup();
    let clashes = resolver.name_clashes(&defs, new);
    let Some(first) = clashes.first() else {
        return Ok(());
    };
    let path = resolver.workspace().path(first.file).unwrap_or_default();
    let message = format!("`{new}` is taken: {path} declares it where the renamed name is seen.");
    let places = clashes.iter();
    let places = places.filter_map(|def| Some((def.file, resolver.place(*def)?)));
    Err(Refusal::new(RefusalKind::Taken, message).at(places))
}

/// The part of a file in which local names are written: the outermost function around all of them.
pub(super) fn only_part(
    resolver: &Resolver<'_>,
    family: &[DefRef],
) -> Option<(FileNo, Range<u32>)> {
    let first = family.first()?;
    let mut part: Option<Range<u32>> = None;
    for of in family {
        if of.file != first.file || !resolver.is_local(*of) {
            return None;
        }
        let bound = resolver.workspace().file(of.file)?;
        let mut scope = *bound.scope(resolver.definition(*of)?.scope);
        let mut steps = 0;
        while scope.parent != codecortex_bind::facts::NONE && steps < 512 {
            let around = *bound.scope(scope.parent);
            let is_local = matches!(
                around.kind,
                ScopeKind::Function | ScopeKind::Block | ScopeKind::Header
            );
            if !is_local {
                break;
            }
            scope = around;
            steps += 1;
        }
        part = Some(match part {
            Some(part) => part.start.min(scope.start)..part.end.max(scope.end),
            None => scope.start..scope.end,
        });
    }
    Some((first.file, part?))
}
