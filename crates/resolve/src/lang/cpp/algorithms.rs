//! Algorithms of the standard library: what the functions get that are passed to them, and what they give.

use codecortex_bind::facts::{Expr, NONE};

use super::{ranges, tuples};
use crate::ids::ExprRef;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Algorithms that put all elements together, in whose functions what was put together comes first.
const FOLDS: [&str; 9] = [
    "accumulate",
    "exclusive_scan",
    "fold_left",
    "fold_left_first",
    "inclusive_scan",
    "inner_product",
    "partial_sum",
    "reduce",
    "transform_reduce",
];

/// Functions of `std::ranges` that give an iterator.
const FINDS: [&str; 21] = [
    "adjacent_find",
    "begin",
    "cbegin",
    "cend",
    "crbegin",
    "end",
    "rbegin",
    "rend",
    "find",
    "find_first_of",
    "find_if",
    "find_if_not",
    "find_last",
    "find_last_if",
    "lower_bound",
    "max_element",
    "min_element",
    "partition_point",
    "search",
    "unique",
    "upper_bound",
];

/// What a lambda gets that is an argument of a function of the library: a function that nobody wrote, with the types of its
/// parameters.
pub(super) fn given_to_function(
    resolver: &Resolver<'_>,
    callee: ExprRef,
    args: u32,
    index: u32,
) -> Option<Ty> {
    let given = resolver.each(callee.file, args, |at| at);
    let lambda = given.get(index as usize)?;
    if !matches!(resolver.expr(*lambda), Expr::Function { .. }) {
        return None;
    }
    if let Some((element, makes)) = ranges::element_for(resolver, callee, args) {
        let count = if makes == ranges::Makes::MappedNeighbours {
            8
        } else {
            1
        };
        return Some(function(std::iter::repeat_n(element, count)));
    }
    let name = name_in_std(resolver, callee)?;
    let type_of = |index: usize| given.get(index).map(|at| resolver.type_of(*at).ty);
    let others = || {
        let others = given
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != index as usize);
        others.map(|(_, at)| resolver.type_of(*at).ty)
    };
    match name {
        "visit" => return Some(function(others().map(|of| tuples::alternatives(&of)))),
        "invoke" | "bind_front" => return Some(function(others())),
        "apply" => {
            let of = type_of(1)?;
            let parts = (0..8).map(|index| tuples::part(&of, index));
            return Some(function(parts));
        }
        "zip_transform" => {
            let elements = others().map(|of| ranges::element(resolver, callee.file, &of));
            return Some(function(elements));
        }
        _ => {}
    }
    if index == 0 {
        return None;
    }
    let element = match type_of(0)? {
        Ty::Pointer(of) => (*of).clone(),
        range => ranges::element(resolver, callee.file, &range),
    };
    if element.is_unknown() {
        return None;
    }
    if FOLDS.contains(&name) {
        let start = type_of(index as usize - 1).filter(|_| index > 1);
        return Some(function([
            start.unwrap_or_else(|| element.clone()),
            element,
        ]));
    }
    Some(function([element.clone(), element]))
}

/// A function that nobody wrote.
fn function(params: impl IntoIterator<Item = Ty>) -> Ty {
    Ty::External(None, params.into_iter().collect())
}

/// What a call of an algorithm of `std::ranges` gives, as far as that is an iterator, and of what makes views.
pub(super) fn result(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<Ty> {
    if let Some(view) = ranges::called(resolver, callee, args) {
        return Some(view);
    }
    let plain = without_arguments(resolver, callee);
    let bound = resolver.file(callee.file)?;
    let Expr::Member { of, name, .. } = bound.expr(plain.expr) else {
        return None;
    };
    let is_of_ranges = bound
        .head_name(of)
        .is_some_and(|head| resolver.workspace.text(head) == "ranges");
    let name = resolver.workspace.text(bound.name(name));
    let is_view = name == "subrange" || name.ends_with("_view");
    if !is_of_ranges || !is_view && !FINDS.contains(&name) {
        return None;
    }
    let first = *resolver.each(callee.file, args, |at| at).first()?;
    if is_view {
        let made = match resolver.type_of(first).ty {
            Ty::Pointer(of) => (*of).clone(),
            range => ranges::element_of_view(resolver, callee.file, name, &range)?,
        };
        return Some(Ty::array(made));
    }
    Some(match resolver.type_of(first).ty {
        Ty::Pointer(of) => Ty::Pointer(of),
        range => Ty::Pointer(ranges::element(resolver, callee.file, &range).into()),
    })
}

fn without_arguments(resolver: &Resolver<'_>, callee: ExprRef) -> ExprRef {
    match resolver.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { expr: of, ..callee },
        _ => callee,
    }
}

/// The name of a function that stands behind `std`, or alone where the workspace has none of that name.
fn name_in_std<'q>(resolver: &'q Resolver<'_>, callee: ExprRef) -> Option<&'q str> {
    const LONGEST: u32 = 4;
    let plain = without_arguments(resolver, callee);
    let bound = resolver.file(callee.file)?;
    let (mut first, name) = match bound.expr(plain.expr) {
        Expr::Member { of, name, .. } => (of, name),
        Expr::Name { name, .. } => (NONE, name),
        _ => return None,
    };
    for _ in 0..LONGEST {
        match bound.expr(first) {
            Expr::Member { of, .. } => first = of,
            _ => break,
        }
    }
    let is_std = match bound.expr(first) {
        Expr::Name { name, .. } => {
            matches!(resolver.workspace.text(bound.name(name)), "std" | "ranges")
        }
        _ => first == NONE,
    };
    let is_outside = || resolver.find(plain).is_empty();
    (is_std && is_outside()).then(|| resolver.workspace.text(bound.name(name)))
}
