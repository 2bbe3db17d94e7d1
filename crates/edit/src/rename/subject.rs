//! What a place names: the declaration that somebody who points there wants to rename.

use codecortex_bind::facts::DefKind;
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver};

use crate::refusal::{Refusal, RefusalKind};

/// The declarations that the name at a byte means.
pub(crate) fn definitions_at(
    resolver: &Resolver<'_>,
    file: FileNo,
    byte: u32,
) -> Result<Vec<DefRef>, Refusal> {
    // Behind the last letter of a name an editor still means the name.
    let mut found = resolver.at(file, byte);
    if found == (None, None) && byte > 0 {
        found = resolver.at(file, byte - 1);
    }
    let (used, defined) = found;
    // `{ a }` writes the value down; the key has no other name.
    let declared = defined.filter(|def| !resolver.is_shorthand(*def));
    if let Some(def) = declared.filter(|def| !is_alias(resolver, *def)) {
        return Ok(vec![def]);
    }
    if let Some(expr) = used {
        return match (used_at(resolver, ExprRef { file, expr }), declared) {
            // What is imported from outside is known by its import alone.
            (Err(_), Some(alias)) => Ok(vec![alias]),
            (used, _) => used,
        };
    }
    match declared.or(defined) {
        Some(def) => Ok(imported(resolver, def)),
        None => {
            let message = "No name that is resolved stands at this place.";
            Err(Refusal::new(RefusalKind::Unsupported, message).at([(file, byte)]))
        }
    }
}

fn is_alias(resolver: &Resolver<'_>, def: DefRef) -> bool {
    resolver
        .definition(def)
        .is_some_and(|def| def.kind == DefKind::Alias)
}

/// What an import brings under its own name; an import that gives another name is a declaration itself.
fn imported(resolver: &Resolver<'_>, alias: DefRef) -> Vec<DefRef> {
    let name = resolver.name(alias);
    if is_written_apart(resolver, alias) {
        return vec![alias];
    }
    let mut ends = resolver.without_aliases(vec![alias]);
    ends.retain(|end| resolver.name(*end) == name);
    match ends.is_empty() {
        true => vec![alias],
        false => ends,
    }
}

/// Whether an import writes what it names beside the name that it gives, which may be the same: `a as a`.
pub(super) fn is_written_apart(resolver: &Resolver<'_>, alias: DefRef) -> bool {
    let bound = resolver.workspace().file(alias.file);
    let (Some(bound), Some(def)) = (bound, resolver.definition(alias)) else {
        return false;
    };
    let target = bound.expr(def.value).written();
    target.is_some_and(|(_, at, _)| at != def.at)
        && def.flags & codecortex_bind::facts::flag::UNWRITTEN == 0
}

/// What a use means, under the name that it is written with.
fn used_at(resolver: &Resolver<'_>, at: ExprRef) -> Result<Vec<DefRef>, Refusal> {
    let bound = resolver.workspace().file(at.file);
    let written = bound.and_then(|bound| {
        bound.expr(at.expr).written().map(|(name, place, _)| {
            (
                resolver.workspace().text(bound.name(name)).to_owned(),
                place,
            )
        })
    });
    let Some((written, place)) = written else {
        let message = "No name that is resolved stands at this place.";
        return Err(Refusal::new(RefusalKind::Unsupported, message));
    };
    let target = resolver.target_of_written(at);
    let is_so_called = |def: &DefRef| resolver.name(*def) == written;
    let defs: Vec<DefRef> = target.defs.iter().copied().filter(is_so_called).collect();
    if !defs.is_empty() {
        return Ok(defs);
    }
    // The name that an import gives.
    let mut aliases = target.via_aliases.iter().copied().filter(is_so_called);
    if let Some(alias) = aliases.next() {
        return Ok(vec![alias]);
    }
    if !target.defs.is_empty() {
        return Ok(target.defs);
    }
    let message = format!("It is not known what `{written}` means here.");
    Err(Refusal::new(RefusalKind::Unsure, message).at([(at.file, place)]))
}
