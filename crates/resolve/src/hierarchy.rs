//! Type hierarchy: supertypes, and subtypes directly or not.

use codecortex_bind::facts::DefKind;

use crate::ids::{DefRef, ExprRef, Name};
use crate::list::push;
use crate::resolver::Resolver;
use crate::symbol_names;
use crate::ty::Ty;

/// Types that derive from a type, directly or not.
#[must_use]
pub(crate) fn derived(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    const MOST: usize = 2000;
    let mut all: Vec<DefRef> = Vec::new();
    let mut open = vec![of];
    while let Some(base) = open.pop() {
        for derived in subtypes(resolver, base) {
            if !all.contains(&derived) && derived != of && all.len() < MOST {
                all.push(derived);
                open.push(derived);
            }
        }
    }
    all
}

/// Types that name a type as a base.
#[must_use]
pub(crate) fn subtypes(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    if let Some(found) = resolver.rules(of.file).subtypes(resolver, of) {
        return found;
    }
    let mut found = Vec::new();
    let parts = resolver.parts(of);
    for name in symbol_names::names_of(resolver, of) {
        for (file, index) in resolver.workspace.derived_from(name) {
            let Some(base) = resolver
                .file(*file)
                .and_then(|bound| bound.bases().get(*index as usize))
            else {
                continue;
            };
            let lowered = resolver.lower_type(ExprRef {
                file: *file,
                expr: base.of,
            });
            let is_it = |ty: &Ty| matches!(ty, Ty::Instance(def, _) | Ty::Type(def, _) if parts.types.contains(def));
            let matches = match &lowered.ty {
                Ty::Union(types) => types.iter().any(is_it),
                ty => is_it(ty),
            };
            if !matches {
                continue;
            }
            let derived = DefRef {
                file: *file,
                def: base.def,
            };
            let of = resolver.type_of_block(derived).unwrap_or(derived);
            // A block for a type from outside, or for all types, has no name to show.
            if resolver
                .def(of)
                .is_some_and(|def| def.kind != DefKind::Impl)
            {
                push(&mut found, of);
            }
        }
    }
    found
}

/// The types that a type names as bases, with names of those that are outside.
#[must_use]
pub(crate) fn supertypes(resolver: &Resolver<'_>, of: DefRef) -> (Vec<DefRef>, Vec<Name>) {
    if let Some(found) = resolver.rules(of.file).supertypes(resolver, of) {
        return (found, Vec::new());
    }
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (file, index) in &resolver.parts(of).bases {
        let bases = resolver.file(*file).map(|bound| bound.bases());
        let Some(base) = bases.and_then(|bases| bases.get(*index as usize)) else {
            continue;
        };
        let base = ExprRef {
            file: *file,
            expr: base.of,
        };
        if !resolver.rules(*file).is_base(resolver, base) {
            continue;
        }
        match resolver.lower_type(base).ty {
            Ty::Instance(def, _) | Ty::Type(def, _) => push(&mut inside, def),
            Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => {
                push(&mut outside, name);
            }
            _ => {}
        }
    }
    (inside, outside)
}
