//! Types that a name stands for which declares none itself: an alias, or a variable that holds a class.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, Expr, NONE, flag};
use rustc_hash::FxHashSet;

use crate::hierarchy;
use crate::ids::{DefRef, ExprRef, Name};
use crate::list::push;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Types above one that is meant whose members are gathered.
const MOST_BASES: usize = 200;

/// The types of the workspace that an alias stands for, or whose class a variable holds, in their order; none of what is
/// a type itself, and none where nobody knows.
#[must_use]
pub(crate) fn types_meant(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let Some(def) = resolver.def(of) else {
        return Vec::new();
    };
    let meant = match def.kind {
        DefKind::TypeAlias if def.ty != NONE => {
            let target = ExprRef {
                file: of.file,
                expr: def.ty,
            };
            resolver.lower_type(target).ty
        }
        DefKind::Variable | DefKind::Constant | DefKind::Field | DefKind::Property
            if holds_classes(resolver, of) =>
        {
            let held = resolver.type_of_def(of).ty;
            return parts(&held, |part| matches!(part, Ty::Type(..)));
        }
        _ => return Vec::new(),
    };
    let mut types = parts(&meant, |part| {
        matches!(part, Ty::Instance(..) | Ty::Type(..))
    });
    types.retain(|ty| *ty != of);
    types
}

/// The variable that holds a class without a name: `const A = class {}`.
#[must_use]
pub(crate) fn holder(resolver: &Resolver<'_>, class: DefRef) -> Option<DefRef> {
    let bound = resolver.file(class.file)?;
    let nameless = bound.def(class.def);
    if nameless.flags & flag::UNWRITTEN == 0 || !nameless.kind.is_type() {
        return None;
    }
    let holds = |def: &Def| {
        let is_variable = matches!(def.kind, DefKind::Variable | DefKind::Constant);
        let value = bound.expr(def.value);
        is_variable && matches!(value, Expr::Name { name, .. } if name == nameless.name)
    };
    let def = bound.defs().iter().position(holds)? as u32;
    Some(DefRef { def, ..class })
}

/// Whether a class is a value in the language.
fn holds_classes(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let dialect = resolver.workspace.dialect(of.file);
    matches!(
        dialect,
        Some(Dialect::Python | Dialect::TypeScript | Dialect::JavaScript)
    )
}

fn parts(of: &Ty, counts: impl Fn(&Ty) -> bool) -> Vec<DefRef> {
    let all = match of {
        Ty::Union(parts) => &parts[..],
        one => std::slice::from_ref(one),
    };
    let mut types = Vec::new();
    for part in all.iter().filter(|part| counts(part)) {
        if let Ty::Instance(def, _) | Ty::Type(def, _) = part {
            push(&mut types, *def);
        }
    }
    types
}

/// The members of the types that a name stands for, inherited ones included: of several types those whose names all of
/// them have.
#[must_use]
pub(crate) fn members_of_meant(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let mut types = types_meant(resolver, of).into_iter();
    let Some(first) = types.next() else {
        return Vec::new();
    };
    let mut members = members_of(resolver, first);
    for other in types {
        let names: FxHashSet<Name> = members_of(resolver, other)
            .iter()
            .filter_map(|member| resolver.name_of(*member))
            .collect();
        let has = |member: &DefRef| {
            resolver
                .name_of(*member)
                .is_some_and(|name| names.contains(&name))
        };
        members.retain(has);
    }
    members
}

/// The members of a type and of those above it that nothing nearer hides.
pub(crate) fn members_of(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (above, _) = hierarchy::all_supertypes(resolver, of, MOST_BASES);
    let mut hidden: FxHashSet<Name> = FxHashSet::default();
    let mut members = Vec::new();
    for ty in std::iter::once(of).chain(above) {
        let own = own_members(resolver, ty);
        let names = own.iter().filter_map(|member| resolver.name_of(*member));
        let names: Vec<Name> = names.collect();
        members.extend(own.into_iter().filter(|member| {
            let name = resolver.name_of(*member);
            name.is_some_and(|name| !hidden.contains(&name))
        }));
        hidden.extend(names);
    }
    members
}

/// What a type declares, in the order in which it is written.
fn own_members(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let parts = resolver.parts(of);
    let mut members = Vec::new();
    for (file, scope) in &parts.scopes {
        let Some(bound) = resolver.file(*file) else {
            continue;
        };
        let is_member = |def: &u32| {
            let def = bound.def(*def);
            let is_one = !matches!(
                def.kind,
                DefKind::TypeParam | DefKind::Alias | DefKind::Lambda | DefKind::Label
            );
            is_one && def.at != NONE && def.flags & flag::UNWRITTEN == 0
        };
        let mut defs: Vec<u32> = bound.all_in(*scope).filter(is_member).collect();
        defs.sort_by_key(|def| bound.def(*def).at);
        members.extend(defs.into_iter().map(|def| DefRef { file: *file, def }));
    }
    members.extend(parts.loose.iter().copied());
    members
}
