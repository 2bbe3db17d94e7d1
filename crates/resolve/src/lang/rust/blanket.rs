//! Blanket implementations: `impl<T: Bound> Trait for T`.

use super::block_heads;
use super::support;
use std::rc::Rc;

use codecortex_bind::facts::{DefKind, space};

use super::library;
use super::memo::{ForAll, RustMemo};
use super::support::is_rust;
use super::trait_scope::has_in_scope;
use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::ty::Ty;

/// Names that people give to type parameters for which they implement traits.
const PARAMETERS: [&str; 30] = [
    "T", "U", "V", "I", "F", "S", "A", "B", "C", "D", "E", "G", "H", "K", "L", "M", "N", "O", "P",
    "Q", "R", "W", "X", "Y", "Z", "Iter", "It", "Ty", "Fut", "This",
];

/// Traits of what can be called.
const CALLED: [&str; 3] = ["Fn", "FnMut", "FnOnce"];

/// Traits of the standard library that others bring.
const EVERYWHERE: [&str; 8] = [
    "Clone",
    "Debug",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sized",
    "Sync",
    "Unpin",
];

/// A member of a trait in scope that is implemented for every type of some kind which this one can be of.
pub(super) fn member(
    resolver: &Resolver<'_>,
    of: &Ty,
    name: Name,
    spaces: u8,
    from: FileNo,
) -> LookupResult {
    if spaces & space::VALUE == 0 {
        return LookupResult::nothing();
    }
    let mut defs = Vec::new();
    for (known, bounds) in traits_for_all(resolver).iter() {
        let own = resolver.own_members(&resolver.parts(*known), name, spaces);
        let is_callable = || has_in_scope(resolver, from, *known);
        if own.is_empty()
            || !is_callable()
            || !bounds.iter().any(|bound| can_be(resolver, of, bound, from))
        {
            continue;
        }
        for def in own {
            if !defs.contains(&def) {
                defs.push(def);
            }
        }
    }
    if defs.is_empty() {
        return LookupResult::nothing();
    }
    LookupResult::defs(defs).inferred()
}

/// Whether a type may have a bound; what nobody knows here, it may.
fn can_be(resolver: &Resolver<'_>, of: &Ty, bound: &Ty, from: FileNo) -> bool {
    let own = parts(&match of {
        Ty::Param(param) => support::bound_of(resolver, *param),
        of => of.clone(),
    });
    let has = |wanted: &Ty| match (wanted, of) {
        (Ty::Function(..), _) => {
            of.is_unknown() || own.iter().any(|own| matches!(own, Ty::Function(..)))
        }
        (Ty::Instance(wanted, _), of)
            if !is_library(wanted.file) && library::declares(resolver, of, from) =>
        {
            implements(resolver, of, *wanted)
        }
        (Ty::Instance(wanted, _), Ty::Instance(..) | Ty::Param(_)) => own
            .iter()
            .any(|own| matches!(own, Ty::Instance(own, _) if resolver.is_subtype(*own, *wanted))),
        // A parameter has no more bounds than are written, and those that they bring.
        (Ty::External(Some(wanted), _), Ty::Param(_)) => {
            let brings = |own: &Ty| match own {
                Ty::External(Some(own), _) => own == wanted,
                own => !own.is_unknown(),
            };
            EVERYWHERE.contains(&resolver.workspace.text(*wanted)) || own.iter().any(brings)
        }
        // Nothing is called that is made of parts.
        (Ty::External(Some(wanted), _), Ty::Tuple(_) | Ty::Array(_) | Ty::Map(_)) => {
            !CALLED.contains(&resolver.workspace.text(*wanted))
        }
        _ => true,
    };
    parts(bound).iter().all(has)
}

/// Whether the workspace implements one of its traits for a type of the library.
fn implements(resolver: &Resolver<'_>, of: &Ty, wanted: DefRef) -> bool {
    let is_it = |of: DefRef| of == wanted || resolver.is_subtype(of, wanted);
    if traits_for_all(resolver).iter().any(|(of, _)| is_it(*of)) {
        return true;
    }
    let heads = block_heads::heads_of_blocks(resolver, of)
        .into_iter()
        .flatten();
    let mut blocks = heads.flat_map(|head| resolver.workspace.outside_of(head));
    blocks.any(|block| {
        let bases = resolver.file(block.file).map(BoundFile::bases);
        let mut bases = bases
            .into_iter()
            .flatten()
            .filter(|base| base.def == block.def);
        let file = block.file;
        bases.any(|base| {
            match resolver
                .lower_type(ExprRef {
                    file,
                    expr: base.of,
                })
                .ty
            {
                Ty::Instance(of, _) => is_it(of),
                _ => false,
            }
        })
    })
}

/// The types that something is all of; those of the library by their names.
fn parts(of: &Ty) -> Vec<Ty> {
    match of {
        Ty::Union(parts) => parts.to_vec(),
        of => vec![of.clone()],
    }
}

/// The names that people give to such type parameters.
pub(super) fn parameter_names<'q>(resolver: &'q Resolver<'_>) -> impl Iterator<Item = Name> + 'q {
    let names = PARAMETERS.iter();
    names.filter_map(|name| resolver.workspace.name(name))
}

/// The `impl` blocks for a type that is called as type parameters are.
pub(super) fn blocks<'q>(resolver: &'q Resolver<'_>) -> impl Iterator<Item = DefRef> + 'q {
    parameter_names(resolver).flat_map(|name| resolver.workspace.outside_of(name).iter().copied())
}

/// The traits that are implemented for a type parameter.
fn traits_for_all(resolver: &Resolver<'_>) -> Rc<[ForAll]> {
    let memo = resolver.languages.get::<RustMemo>();
    if let Some(known) = &*memo.traits_for_all.borrow() {
        return known.clone();
    }
    // Whoever asks while they are looked for sees none.
    *memo.traits_for_all.borrow_mut() = Some(Rc::from([]));
    let mut traits: Vec<ForAll> = Vec::new();
    for block in blocks(resolver) {
        add_block(resolver, block, &mut traits);
    }
    let traits: Rc<[ForAll]> = traits.into();
    *memo.traits_for_all.borrow_mut() = Some(traits.clone());
    traits
}

/// Adds the traits that an `impl` implements, if it does so for a type parameter.
fn add_block(resolver: &Resolver<'_>, block: DefRef, traits: &mut Vec<ForAll>) {
    let (Some(bound), Some(def)) = (resolver.file(block.file), resolver.def(block)) else {
        return;
    };
    let lowered = |expr| {
        let at = ExprRef {
            file: block.file,
            expr,
        };
        resolver.lower_type(at).ty
    };
    if def.kind != DefKind::Impl || !is_rust(resolver, block.file) {
        return;
    }
    let Ty::Param(param) = lowered(def.ty) else {
        return;
    };
    let named = |of: &Ty| tables::as_named(resolver, of);
    let wanted = match support::bound_of(resolver, param) {
        Ty::Union(parts) => Ty::Union(parts.iter().map(named).collect()),
        of => named(&of),
    };
    for base in bound.bases().iter().filter(|base| base.def == block.def) {
        let Ty::Instance(of, _) = lowered(base.of) else {
            continue;
        };
        match traits.iter_mut().find(|(known, _)| *known == of) {
            Some((_, bounds)) => bounds.push(wanted.clone()),
            None => traits.push((of, vec![wanted.clone()])),
        }
    }
}
