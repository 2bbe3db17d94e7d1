//! Forms in which a place writes a name: by itself, or one word for two names of which one changes.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefId, DefKind, Expr, ExprId};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver};
use rustc_hash::FxHashSet;

use crate::rename::subject::is_written_apart;

/// How a name stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameForm {
    /// The word is the name and nothing else.
    Plain,
    /// `{ a }` of which the key or field alone gets the new name: `{ new: a }`.
    KeyOfPair,
    /// `{ a }` of which the value or variable alone gets the new name: `{ a: new }`.
    ValueOfPair,
    /// An import by its own name of something that keeps its name: `{ a as new }`.
    ImportedName,
}

/// A place with what is defined and used there.
pub(super) struct NamePlace<'p> {
    pub(super) file: FileNo,
    pub(super) defs: &'p [DefId],
    pub(super) uses: &'p [ExprId],
}

/// The form of a name at a place of a family.
pub(super) fn form_of(
    resolver: &Resolver<'_>,
    family: &FxHashSet<DefRef>,
    place: &NamePlace<'_>,
) -> NameForm {
    let file = place.file;
    let is_met = |expr: &ExprId| {
        let target = resolver.target(ExprRef { file, expr: *expr });
        let mut met = target.defs.iter().chain(&target.via_aliases);
        met.any(|def| family.contains(def))
    };
    let is_used = || place.uses.iter().any(is_met);
    for def in place.defs {
        let def = DefRef { file, def: *def };
        let Some(found) = resolver.definition(def) else {
            continue;
        };
        if resolver.is_shorthand(def) {
            let meant = resolver.contextual_definitions(def);
            let is_key = family.contains(&def) || meant.iter().any(|def| family.contains(def));
            return of_pair(is_key, is_used());
        }
        if found.kind == DefKind::Alias && family.contains(&def) {
            let ends = resolver.without_aliases(vec![def]);
            let is_followed = ends.iter().any(|end| *end != def && family.contains(end));
            return match is_followed || is_written_apart(resolver, def) {
                true => NameForm::Plain,
                false => NameForm::ImportedName,
            };
        }
        let binds = matches!(found.kind, DefKind::Variable | DefKind::Parameter);
        if binds && takes_member(resolver, place) {
            return of_pair(is_used(), family.contains(&def));
        }
    }
    // Rust's `Item { a }`: the field and the variable are both used.
    let bound = resolver.workspace().file(file);
    let is_member = |expr: &&ExprId| {
        let expr = bound.map(|bound| bound.expr(**expr));
        matches!(expr, Some(Expr::Member { .. }))
    };
    let (members, others): (Vec<&ExprId>, Vec<&ExprId>) = place.uses.iter().partition(is_member);
    let is_rust = resolver.workspace().dialect(file) == Some(Dialect::Rust);
    match is_rust && place.defs.is_empty() && !members.is_empty() && !others.is_empty() {
        true => of_pair(
            members.into_iter().any(is_met),
            others.into_iter().any(is_met),
        ),
        false => NameForm::Plain,
    }
}

fn of_pair(is_key: bool, is_value: bool) -> NameForm {
    match (is_key, is_value) {
        (true, false) => NameForm::KeyOfPair,
        (false, true) => NameForm::ValueOfPair,
        _ => NameForm::Plain,
    }
}

/// Whether a pattern takes a member by the name of the variable that it binds: `const { a } = b`, `S { a }`.
fn takes_member(resolver: &Resolver<'_>, place: &NamePlace<'_>) -> bool {
    let dialect = resolver.workspace().dialect(place.file);
    let has_patterns = matches!(
        dialect,
        Some(Dialect::TypeScript | Dialect::JavaScript | Dialect::Rust)
    );
    has_patterns && !place.uses.is_empty()
}
