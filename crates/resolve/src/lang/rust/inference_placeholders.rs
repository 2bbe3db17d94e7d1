//! Inference placeholders: `_` in the type that a variable is declared with, by the value that it gets:
//! `let lines: Vec<_> = text.iter().map(…).collect()`.

use std::rc::Rc;

use codecortex_bind::facts::{Def, DefKind, NONE};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Types in types are followed this deep.
const DEEPEST: u32 = 4;

/// The type of a variable of which only a part is declared.
pub(super) fn filled(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
    if def.kind != DefKind::Variable || def.ty == NONE || def.value == NONE {
        return None;
    }
    let part = |expr| ExprRef {
        file: at.file,
        expr,
    };
    let declared = resolver.lower_type(part(def.ty));
    if !has_hole(resolver, &declared.ty, DEEPEST) {
        return None;
    }
    let value = resolver.type_of(part(def.value)).ty;
    Some(Typed::inferred(fill(
        resolver,
        &declared.ty,
        &value,
        DEEPEST,
    )))
}

/// A written type with what a value says of its holes; the type as it is where it has none.
pub(super) fn with_holes_filled(resolver: &Resolver<'_>, written: &Ty, value: &Ty) -> Ty {
    if value.is_unknown() || !has_hole(resolver, written, DEEPEST) {
        return written.clone();
    }
    fill(resolver, written, value, DEEPEST)
}

pub(super) fn is_hole(resolver: &Resolver<'_>, ty: &Ty) -> bool {
    match ty {
        Ty::Unknown | Ty::External(None, _) => true,
        Ty::External(Some(name), _) => resolver.workspace.text(*name) == "_",
        _ => false,
    }
}

fn has_hole(resolver: &Resolver<'_>, ty: &Ty, depth: u32) -> bool {
    let among =
        |parts: &[Ty]| depth > 0 && parts.iter().any(|ty| has_hole(resolver, ty, depth - 1));
    match ty {
        ty if is_hole(resolver, ty) => true,
        Ty::External(_, args) | Ty::Instance(_, args) | Ty::Tuple(args) => among(args),
        Ty::Array(of) | Ty::Pointer(of) => among(std::slice::from_ref(of)),
        _ => false,
    }
}

/// A declared type with what a value says of its holes.
fn fill(resolver: &Resolver<'_>, declared: &Ty, value: &Ty, depth: u32) -> Ty {
    if is_hole(resolver, declared) {
        return value.clone();
    }
    let Some(depth) = depth.checked_sub(1) else {
        return declared.clone();
    };
    let pairs = |declared: &[Ty], given: &[Ty]| -> Vec<Ty> {
        let all = declared.iter().enumerate();
        let filled = all.map(|(index, ty)| match given.get(index) {
            Some(given) => fill(resolver, ty, given, depth),
            None => ty.clone(),
        });
        filled.collect()
    };
    match (declared, value) {
        (Ty::External(name, args), Ty::External(of, given)) if name == of => {
            Ty::External(*name, pairs(args, given).into())
        }
        (Ty::Instance(of, args), Ty::Instance(other, given)) if of == other => {
            Ty::Instance(*of, pairs(args, given).into())
        }
        (Ty::Tuple(args), Ty::Tuple(given)) if args.len() == given.len() => {
            Ty::Tuple(pairs(args, given).into())
        }
        (Ty::Array(of), Ty::Array(given)) => Ty::Array(Rc::new(fill(resolver, of, given, depth))),
        (Ty::External(name, args), Ty::Array(element)) => {
            Ty::External(*name, collected(resolver, args, element, depth).into())
        }
        _ => declared.clone(),
    }
}

/// The arguments of what elements are collected into: a list has one of them, a map a pair, and what may fail is
/// collected from what may fail.
fn collected(resolver: &Resolver<'_>, args: &[Ty], element: &Ty, depth: u32) -> Vec<Ty> {
    match (args, element) {
        ([first, rest @ ..], Ty::External(_, given)) if !is_hole(resolver, first) => {
            let list = given.first().map(|of| Ty::array(of.clone()));
            let first =
                list.map_or_else(|| first.clone(), |list| fill(resolver, first, &list, depth));
            let rest = rest
                .iter()
                .enumerate()
                .map(|(index, ty)| match given.get(index + 1) {
                    Some(given) => fill(resolver, ty, given, depth),
                    None => ty.clone(),
                });
            std::iter::once(first).chain(rest).collect()
        }
        ([key, value], Ty::Tuple(pair)) if pair.len() == 2 => {
            vec![
                fill(resolver, key, &pair[0], depth),
                fill(resolver, value, &pair[1], depth),
            ]
        }
        ([of], _) => vec![fill(resolver, of, element, depth)],
        _ => args.to_vec(),
    }
}
