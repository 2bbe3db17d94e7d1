//! Members that a type has by another one: those of the type that an alias means, and those that embedding promotes.

use codecortex_bind::facts::{DefKind, NONE};

use crate::ids::{DefRef, ExprRef, Name};
use crate::resolver::Resolver;
use crate::ty::{Ty, no_substitution};

/// Types that are looked into.
const MAX: usize = 64;

/// The members of what an alias means, or those that a type has promoted from what it embeds. The nearest of a name hides
/// those farther in.
pub(super) fn members_by_others(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let Some(def) = resolver.def(of) else {
        return Vec::new();
    };
    let mut names: Vec<Name> = Vec::new();
    let mut open = if def.kind == DefKind::TypeAlias && def.ty != NONE {
        let meant = resolver.lower_type(ExprRef {
            file: of.file,
            expr: def.ty,
        });
        declared(&meant.ty).into_iter().collect()
    } else {
        names.extend(
            own(resolver, of)
                .iter()
                .filter_map(|of| resolver.name_of(*of)),
        );
        embedded(resolver, of)
    };
    let (mut found, mut known) = (Vec::new(), vec![of]);
    while !open.is_empty() && known.len() < MAX {
        let mut deeper = Vec::new();
        let mut here: Vec<Name> = Vec::new();
        for ty in open {
            if known.contains(&ty) {
                continue;
            }
            known.push(ty);
            for member in own(resolver, ty) {
                let name = resolver
                    .name_of(member)
                    .filter(|name| !names.contains(name));
                here.extend(name);
                found.extend(name.map(|_| member));
            }
            deeper.extend(embedded(resolver, ty));
        }
        names.append(&mut here);
        open = deeper;
    }
    found
}

/// The fields and methods that a type declares.
fn own(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let parts = resolver.parts(of);
    let mut members = Vec::new();
    for (file, scope) in &parts.scopes {
        let Some(bound) = resolver.file(*file) else {
            continue;
        };
        let is_member =
            |def: &u32| matches!(bound.def(*def).kind, DefKind::Field | DefKind::Method);
        let defs = bound.all_in(*scope).filter(is_member);
        members.extend(defs.map(|def| DefRef { file: *file, def }));
    }
    members.sort_unstable();
    members.extend(parts.loose.iter().copied());
    members
}

/// The types of the workspace that a type embeds.
fn embedded(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let bases = resolver.bases(&resolver.parts(of), &no_substitution());
    bases.iter().filter_map(|(ty, _)| declared(ty)).collect()
}

fn declared(ty: &Ty) -> Option<DefRef> {
    match ty {
        Ty::Instance(def, _) | Ty::Type(def, _) => Some(*def),
        Ty::Pointer(of) => declared(of),
        _ => None,
    }
}
