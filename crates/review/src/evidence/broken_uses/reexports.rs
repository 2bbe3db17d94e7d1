//! Names that a file passed on to others and passes on no more: `export { a } from`, `pub use`, an import of Python that other
//! modules import from there.

use codecortex_bind::facts::{Def, DefKind, Role};
use codecortex_resolve::{ConfidenceTier, DefRef, ExprRef, FileNo, Reference};
use rustc_hash::FxHashSet;

use super::former_uses::FormerState;
use super::{Cause, Suspect, UseLocation};

/// Names of a change that are followed.
const MAX_NAMES: usize = 60;
/// Uses of one.
const MAX_USES: usize = 200;

/// Names that the files of a change pass on no more, with the uses that came by them. Uses that are `told` already are not
/// told again.
pub(super) fn passed_on_no_more(
    before: &FormerState<'_>,
    told: &FxHashSet<UseLocation>,
) -> Vec<Suspect> {
    let mut found = Vec::new();
    let mut known = FxHashSet::default();
    for (unit, of) in before.units.iter().enumerate() {
        let file = &before.states.change.files[of.file];
        let number = before.files.get(&of.file).filter(|_| file.new.is_some());
        let Some(number) = number.filter(|number| !before.query.is_by_name(**number)) else {
            continue;
        };
        if !known.insert(of.file) {
            continue;
        }
        for (alias, name) in aliases(before, *number) {
            if found.len() == MAX_NAMES {
                return found;
            }
            let at = before.query.place(alias);
            let is_kept = at.is_some_and(|at| before.states.now(of.file, at).is_some());
            if is_kept || !is_named_elsewhere(before, alias, &name) {
                continue;
            }
            let uses = before.query.references_of(&[alias]).into_iter();
            let uses = uses.filter(|used| came_by(before, used, alias));
            let uses = uses.filter_map(|used| {
                let mut is = before.former_use((used.file, used.at), used.tier)?;
                is.is_import = used.role == Role::Import.into();
                is.had_import = true;
                (!told.contains(&is.place)).then_some(is)
            });
            found.push(Suspect {
                unit,
                name,
                cause: Cause::Gone,
                uses: uses.take(MAX_USES).collect(),
            });
        }
    }
    found
}

/// The names that a file imports, in the state before the change.
fn aliases(before: &FormerState<'_>, file: FileNo) -> Vec<(DefRef, String)> {
    let is_alias = |def: &Def| def.kind == DefKind::Alias;
    let defs = before.query.definitions_in(file).into_iter();
    let aliases = defs.filter(|def| before.query.definition(*def).is_some_and(is_alias));
    aliases
        .map(|def| (def, before.query.name(def).to_owned()))
        .collect()
}

/// Whether a name stands in a file beside that of the alias and those that declare it.
fn is_named_elsewhere(before: &FormerState<'_>, alias: DefRef, name: &str) -> bool {
    let workspace = before.query.workspace();
    let Some(name) = workspace.name(name) else {
        return false;
    };
    let declares = |file: FileNo| {
        let bound = workspace.file(file);
        bound.is_some_and(|bound| {
            let local = bound.names().iter().position(|known| *known == name);
            let local = local.and_then(|local| u32::try_from(local).ok());
            let mut defs = local.into_iter().flat_map(|local| bound.defs_of(local));
            defs.any(|def| bound.def(def).kind != DefKind::Alias)
        })
    };
    let files = workspace.files_with(name).iter();
    files
        .filter(|file| **file != alias.file)
        .any(|file| !declares(*file))
}

/// Whether a use in another file leads through an alias.
fn came_by(before: &FormerState<'_>, used: &Reference, alias: DefRef) -> bool {
    if used.file == alias.file || used.tier == ConfidenceTier::Name || used.role == Role::Doc.into()
    {
        return false;
    }
    let (expr, def) = before.query.at(used.file, used.at);
    let value = || Some(before.query.definition(def?)?.value);
    let expr = expr.or_else(value);
    expr.is_some_and(|expr| {
        let file = used.file;
        let target = before.query.target(ExprRef { file, expr });
        target.via_aliases.contains(&alias)
    })
}
