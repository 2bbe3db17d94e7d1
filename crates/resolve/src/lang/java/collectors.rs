//! Collectors and comparators: what functions get that their makers are handed, and what collecting gives.
//!
//! `Comparator.comparing(a -> …)` and `Collectors.toMap(a -> …, …)` have their types from where they stand: `a` is what is
//! sorted or collected there.

use codecortex_bind::facts::{Expr, flag};

use super::{library, receiver};
use crate::containers;
use crate::query::Query;
use crate::ty::{Ty, Typed};
use crate::workspace::{ExprRef, Sym};

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
pub(super) fn expected(query: &Query<'_>, callee: ExprRef, args: u32, index: u32) -> Option<Ty> {
    let name = name_of(query, callee)?;
    let function = |of: Ty| Ty::External(None, [of.clone(), of].into());
    if has(SORTED, name) {
        return held(query, callee).map(function);
    }
    let given = query.each(callee.file, args, |at| at);
    let first = *given.first()?;
    let is_maker = |(names, places): &&(&str, u32)| has(names, name) && places >> index & 1 == 1;
    if MAKERS.iter().any(|maker| is_maker(&maker)) {
        return wanted(query, callee);
    }
    match name {
        "mapping" => result(query, &sorted(query, callee)?, first).map(function),
        "flatMapping" => flat(query, &sorted(query, callee)?, first).map(function),
        "toMap" | "toUnmodifiableMap" | "toConcurrentMap" if index == 2 => {
            let value = given.get(1).copied()?;
            result(query, &sorted(query, callee)?, value).map(function)
        }
        "iterate" if index > 0 && is_outside(query, callee) => {
            Some(function(query.type_of(first).ty))
        }
        "collectingAndThen" => made(query, &sorted(query, callee)?, first).map(function),
        "sort" | "min" | "max" if index > 0 && is_outside(query, callee) => {
            let of = query.type_of(first).ty;
            containers::unwrap(query, callee.file, &of, "iter").map(function)
        }
        _ => None,
    }
}

/// What is sorted or collected by what a call makes.
fn sorted(query: &Query<'_>, callee: ExprRef) -> Option<Ty> {
    library::functional_param(query, &wanted(query, callee)?, 0)
}

/// What the call's result is wanted for: as an argument, or as a variable's value. Not if the workspace has the function
/// itself.
fn wanted(query: &Query<'_>, callee: ExprRef) -> Option<Ty> {
    let file = callee.file;
    let bound = query.file(file)?;
    let call = bound.call_of(callee.expr)?;
    if !is_outside(query, callee) {
        return None;
    }
    let ty = match bound.outer_of(call) {
        Some((outer, place)) => query.deeper(|| query.expected(file, outer, place).ty)?,
        None => {
            let expr = bound.declared_for(call)?;
            query.denotes(ExprRef { file, expr }).ty
        }
    };
    (!ty.is_unknown()).then_some(ty)
}

/// What a sorted collection is declared to hold.
fn held(query: &Query<'_>, callee: ExprRef) -> Option<Ty> {
    let file = callee.file;
    let first = |ty: Ty| match ty {
        Ty::External(_, args) => args.first().cloned(),
        _ => None,
    };
    first(query.denotes(callee).ty).or_else(|| {
        let bound = query.file(file)?;
        let expr = bound.declared_for(bound.call_of(callee.expr)?)?;
        first(query.denotes(ExprRef { file, expr }).ty)
    })
}

/// Whether nothing in the workspace is called.
fn is_outside(query: &Query<'_>, callee: ExprRef) -> bool {
    let found = query.find(callee);
    let leads_out = |def: &_| query.follow(*def).ends.is_empty();
    found.ty.is_none() && found.defs.iter().all(leads_out)
}

/// The last name of what is called.
fn name_of<'q>(query: &Query<'q>, callee: ExprRef) -> Option<&'q str> {
    let bound = query.file(callee.file)?;
    let name = bound.head_name(callee.expr)?;
    Some(query.workspace.text(name))
}

/// `stream.collect(Collectors.toList())` and the like.
pub(super) fn collected(query: &Query<'_>, of: &Ty, at: ExprRef, args: u32) -> Option<Typed> {
    let element = containers::unwrap(query, at.file, of, "iter")?;
    let collector = query.each(at.file, args, |at| at).first().copied()?;
    made(query, &element, collector).map(Typed::guess)
}

/// What a collector makes of many of these.
fn made(query: &Query<'_>, element: &Ty, collector: ExprRef) -> Option<Ty> {
    let file = collector.file;
    let Expr::Call { of: callee, args } = query.expr(collector) else {
        return None;
    };
    let given = query.each(file, args, |at| at);
    let external = |name: &str, args: Vec<Ty>| Ty::External(query.workspace.sym(name), args.into());
    let list = |element: &Ty| external("List", vec![element.clone()]);
    let below = |element: &Ty, at: ExprRef| query.deeper(|| made(query, element, at)).flatten();
    let result_of = |place: usize| {
        let ty = given.get(place).and_then(|at| result(query, element, *at));
        ty.unwrap_or(Ty::Unknown)
    };
    Some(match name_of(query, ExprRef { file, expr: callee })? {
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
        "flatMapping" => below(&flat(query, element, *given.first()?)?, *given.get(1)?)?,
        "collectingAndThen" => {
            let made = below(element, *given.first()?)?;
            result(query, &made, *given.get(1)?)?
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
        "toCollection" => match containers::returned(query, file, args)? {
            Ty::External(name, _) => Ty::External(name, [element.clone()].into()),
            made => made,
        },
        _ => return None,
    })
}

/// What a function that is handed on gives for a value: a lambda, a method by its name, `Function.identity()`.
fn result(query: &Query<'_>, of: &Ty, function: ExprRef) -> Option<Ty> {
    let ty = match query.type_of(function).ty {
        Ty::Function(defs, env) => query.declared_result(*defs.first()?).ty.with(&env),
        _ => match query.expr(function) {
            Expr::Call { of: callee, .. } => {
                let name = name_of(
                    query,
                    ExprRef {
                        expr: callee,
                        ..function
                    },
                )?;
                return (name == "identity").then(|| of.clone());
            }
            _ => referred(query, function, of)?,
        },
    };
    Some(ty)
}

/// What there is in each of the streams that a function gives.
fn flat(query: &Query<'_>, of: &Ty, function: ExprRef) -> Option<Ty> {
    let streams = result(query, of, function)?;
    containers::unwrap(query, function.file, &streams, "iter")
}

/// What a method of the library gives that is handed on by its name, or one that a record has for its component:
/// `Map.Entry::getValue`, `Point::x`.
pub(super) fn referred(query: &Query<'_>, method: ExprRef, of: &Ty) -> Option<Ty> {
    let found = query.find(method);
    if !found.defs.is_empty() {
        let is_component = |def: &_| {
            let def = query.def(*def);
            def.is_some_and(|def| def.flags & flag::MEMBER != 0)
        };
        let all = found.defs.iter().all(is_component);
        return all.then(|| query.type_of_found(&found).ty);
    }
    let (_, name): (_, Sym) = receiver(query, method)?;
    containers::property(query, method.file, of, query.workspace.text(name))
}
