//! Collectors and comparators: parameter types of lambdas that are passed to them, and what collecting returns.
//!
//! `Comparator.comparing(a -> …)` and `Collectors.toMap(a -> …, …)` have their types from where they stand: `a` is what
//! is sorted or collected there.

use codecortex_bind::facts::{Expr, flag, space};

use super::functional_interfaces;
use super::support::receiver;
use crate::contextual;
use crate::ids::{ExprRef, Name};
use crate::library_types;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::{Ty, Typed};

/// Makers, and which of their arguments are about what is sorted or collected: a bit for each.
const MAKERS: [(&str, u32); 4] = [
    (
        "comparing comparingInt comparingLong comparingDouble thenComparing thenComparingInt \
         thenComparingLong thenComparingDouble nullsFirst nullsLast",
        0b1,
    ),
    (
        "mapping flatMapping collectingAndThen minBy maxBy summingInt summingLong summingDouble \
         averagingInt averagingLong averagingDouble summarizingInt summarizingLong summarizingDouble",
        0b1,
    ),
    ("toMap toUnmodifiableMap toConcurrentMap", 0b11),
    (
        "groupingBy groupingByConcurrent partitioningBy filtering",
        0b111,
    ),
];

/// Types that are made with a comparator of what they hold.
const SORTED: &str = "TreeSet TreeMap PriorityQueue PriorityBlockingQueue ConcurrentSkipListSet ConcurrentSkipListMap";

fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// What a maker, or what sorts by a comparator, expects as an argument: a function of these.
pub(super) fn contextual_type(
    resolver: &Resolver<'_>,
    callee: ExprRef,
    args: u32,
    index: u32,
) -> Option<Ty> {
    let name = name_of(resolver, callee)?;
    let function = |of: Ty| Ty::External(None, [of.clone(), of].into());
    if has(SORTED, name) {
        return held(resolver, callee).map(function);
    }
    let given = resolver.each(callee.file, args, |at| at);
    let first = *given.first()?;
    let is_maker = |(names, places): &&(&str, u32)| has(names, name) && places >> index & 1 == 1;
    if MAKERS.iter().any(|maker| is_maker(&maker)) {
        return wanted(resolver, callee);
    }
    match name {
        "mapping" => result(resolver, &sorted(resolver, callee)?, first).map(function),
        "flatMapping" => flat(resolver, &sorted(resolver, callee)?, first).map(function),
        "toMap" | "toUnmodifiableMap" | "toConcurrentMap" if index == 2 => {
            let value = given.get(1).copied()?;
            result(resolver, &sorted(resolver, callee)?, value).map(function)
        }
        "iterate" if index > 0 && is_outside(resolver, callee) => {
            Some(function(resolver.type_of(first).ty))
        }
        "collectingAndThen" => made(resolver, &sorted(resolver, callee)?, first).map(function),
        "sort" | "min" | "max" if index > 0 && is_outside(resolver, callee) => {
            let of = resolver.type_of(first).ty;
            library_types::unwrap(resolver, callee.file, &of, "iter").map(function)
        }
        _ => None,
    }
}

/// What is sorted or collected by what a call makes.
fn sorted(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Ty> {
    functional_interfaces::functional_param(resolver, &wanted(resolver, callee)?, 0)
}

/// What the call's result is wanted for: as an argument, or as a variable's value. Not if the workspace has the
/// function itself.
fn wanted(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Ty> {
    let file = callee.file;
    let bound = resolver.file(file)?;
    let call = bound.call_of(callee.expr)?;
    if !is_outside(resolver, callee) {
        return None;
    }
    let ty = match bound.outer_of(call) {
        Some((outer, place)) => {
            resolver.with_depth(|| contextual::contextual_type(resolver, file, outer, place).ty)?
        }
        None => {
            let expr = bound.declared_for(call)?;
            resolver.lower_type(ExprRef { file, expr }).ty
        }
    };
    (!ty.is_unknown()).then_some(ty)
}

/// What a sorted collection is declared to hold.
fn held(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Ty> {
    let file = callee.file;
    let first = |ty: Ty| match ty {
        Ty::External(_, args) => args.first().cloned(),
        _ => None,
    };
    first(resolver.lower_type(callee).ty).or_else(|| {
        let bound = resolver.file(file)?;
        let expr = bound.declared_for(bound.call_of(callee.expr)?)?;
        first(resolver.lower_type(ExprRef { file, expr }).ty)
    })
}

/// Whether nothing in the workspace is called.
fn is_outside(resolver: &Resolver<'_>, callee: ExprRef) -> bool {
    let found = resolver.find(callee);
    let leads_out = |def: &_| {
        let ends = resolver.resolve_alias(*def).ends;
        ends.iter().all(|end| is_library(end.file))
    };
    found.ty.is_none() && found.defs.iter().all(leads_out)
}

/// The last name of what is called.
fn name_of<'q>(resolver: &Resolver<'q>, callee: ExprRef) -> Option<&'q str> {
    let bound = resolver.file(callee.file)?;
    let name = bound.head_name(callee.expr)?;
    Some(resolver.workspace.text(name))
}

/// `stream.collect(Collectors.toList())` and the like.
pub(super) fn collected(resolver: &Resolver<'_>, of: &Ty, at: ExprRef, args: u32) -> Option<Typed> {
    let element = library_types::unwrap(resolver, at.file, of, "iter")?;
    let collector = resolver.each(at.file, args, |at| at).first().copied()?;
    made(resolver, &element, collector).map(Typed::inferred)
}

/// What a collector makes of many of these.
fn made(resolver: &Resolver<'_>, element: &Ty, collector: ExprRef) -> Option<Ty> {
    let file = collector.file;
    let Expr::Call { of: callee, args } = resolver.expr(collector) else {
        return None;
    };
    let given = resolver.each(file, args, |at| at);
    let external =
        |name: &str, args: Vec<Ty>| Ty::External(resolver.workspace.name(name), args.into());
    let list = |element: &Ty| external("List", vec![element.clone()]);
    let below = |element: &Ty, at: ExprRef| {
        resolver
            .with_depth(|| made(resolver, element, at))
            .flatten()
    };
    let result_of = |place: usize| {
        let ty = given
            .get(place)
            .and_then(|at| result(resolver, element, *at));
        ty.unwrap_or(Ty::Unknown)
    };
    Some(match name_of(resolver, ExprRef { file, expr: callee })? {
        "toList" | "toUnmodifiableList" => list(element),
        "toSet" | "toUnmodifiableSet" => external("Set", vec![element.clone()]),
        "joining" => external("String", vec![]),
        "counting" | "summingLong" => external("Long", vec![]),
        "summingInt" => external("Integer", vec![]),
        "summingDouble" | "averagingInt" | "averagingLong" | "averagingDouble" => {
            external("Double", vec![])
        }
        "minBy" | "maxBy" => external("Optional", vec![element.clone()]),
        "filtering" => below(element, *given.get(1)?)?,
        "mapping" => below(&result_of(0), *given.get(1)?)?,
        "flatMapping" => below(&flat(resolver, element, *given.first()?)?, *given.get(1)?)?,
        "collectingAndThen" => {
            let made = below(element, *given.first()?)?;
            result(resolver, &made, *given.get(1)?)?
        }
        "groupingBy" | "groupingByConcurrent" | "partitioningBy" => {
            let value = match &given[..] {
                [_] => list(element),
                _ => below(element, *given.last()?).unwrap_or(Ty::Unknown),
            };
            external("Map", vec![result_of(0), value])
        }
        "toMap" | "toUnmodifiableMap" | "toConcurrentMap" => {
            external("Map", vec![result_of(0), result_of(1)])
        }
        "toCollection" => match library_types::returned(resolver, file, args)? {
            Ty::External(name, _) => Ty::External(name, [element.clone()].into()),
            made => made,
        },
        _ => return None,
    })
}

/// What a function that is passed gives for a value: a lambda, a method by its name, `Function.identity()`.
fn result(resolver: &Resolver<'_>, of: &Ty, function: ExprRef) -> Option<Ty> {
    let ty = match resolver.type_of(function).ty {
        Ty::Function(defs, subst) if defs.iter().all(|def| !is_library(def.file)) => {
            resolver.declared_result(*defs.first()?).ty.with(&subst)
        }
        _ => match resolver.expr(function) {
            Expr::Call { of: callee, .. } => {
                let name = name_of(
                    resolver,
                    ExprRef {
                        expr: callee,
                        ..function
                    },
                )?;
                return (name == "identity").then(|| of.clone());
            }
            _ => method_reference_result(resolver, function, of)?,
        },
    };
    Some(ty)
}

/// What there is in each of the streams that a function gives.
fn flat(resolver: &Resolver<'_>, of: &Ty, function: ExprRef) -> Option<Ty> {
    let streams = result(resolver, of, function)?;
    library_types::unwrap(resolver, function.file, &streams, "iter")
}

/// What a method of the library gives that is passed by its name, or one that a record has for its component:
/// `Map.Entry::getValue`, `Point::x`.
pub(super) fn method_reference_result(
    resolver: &Resolver<'_>,
    method: ExprRef,
    of: &Ty,
) -> Option<Ty> {
    let found = resolver.find(method);
    let (_, name): (_, Name) = receiver(resolver, method)?;
    let by_rows =
        || library_types::property(resolver, method.file, of, resolver.workspace.text(name));
    if !found.defs.is_empty() && found.defs.iter().all(|def| is_library(def.file)) {
        let given = || {
            let found = resolver.member(of, name, space::VALUE, method.file);
            let method = *found.defs.first()?;
            Some(resolver.declared_result(method).ty.with(&found.subst))
        };
        return by_rows().or_else(given);
    }
    if !found.defs.is_empty() {
        let is_component = |def: &_| {
            let def = resolver.def(*def);
            def.is_some_and(|def| def.flags & flag::MEMBER != 0)
        };
        let all = found.defs.iter().all(is_component);
        return all.then(|| resolver.type_of_found(&found).ty);
    }
    by_rows()
}
