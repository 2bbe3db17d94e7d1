//! Types of operators, smart pointers, iterators and the standard library's containers.

use std::rc::Rc;

use codecortex_bind::facts::{DefKind, Expr, Literal, NONE, space};

use super::conversions::is_arithmetic;
use super::{algorithms, deduction, tuples};
use crate::ids::{ExprRef, FileNo};
use crate::library_types::table::LibraryMember;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// What `*a`, `a[b]` or iterating gives by the operators that a class has.
pub(super) fn unwrapped(resolver: &Resolver<'_>, file: FileNo, of: &Ty, how: &str) -> Option<Ty> {
    let member = |name: &str| -> Option<Ty> {
        let sym = resolver.workspace.name(name)?;
        let found = resolver.member(of, sym, space::VALUE, file);
        let def = *found.defs.first()?;
        let result = resolver.declared_result(def);
        (!result.ty.is_unknown()).then(|| result.ty.with(&found.subst))
    };
    match how {
        "deref" => {
            if let Some(ty) = member("operator->") {
                return Some(match ty {
                    Ty::Pointer(of) => (*of).clone(),
                    // It is asked again, until there is a pointer.
                    ty if ty != *of => resolver.unwrapped(file, &Typed::inferred(ty), "deref").ty,
                    ty => ty,
                });
            }
            member("operator*")
        }
        "index" => member("operator[]"),
        "iter" => {
            let iterator = member("begin")?;
            let element = resolver
                .unwrapped(file, &Typed::inferred(iterator), "deref")
                .ty;
            (!element.is_unknown()).then_some(element)
        }
        _ => None,
    }
}

/// What a binary operator gives.
pub(super) fn applied(
    resolver: &Resolver<'_>,
    file: FileNo,
    operator: &str,
    left: u32,
    right: u32,
) -> Typed {
    let left = resolver.type_of(ExprRef { file, expr: left });
    let class = match &left.ty {
        Ty::Instance(..) => Some(left.ty.clone()),
        _ => None,
    };
    if let (Some(class), Some(name)) = (
        class,
        resolver.workspace.name(&format!("operator{operator}")),
    ) {
        let found = resolver.member(&class, name, space::VALUE, file);
        if let Some(def) = found.defs.first() {
            let result = resolver.declared_result(*def);
            return Typed::inferred(result.ty.with(&found.subst));
        }
    }
    let right = resolver.type_of(ExprRef { file, expr: right });
    if let (Ty::Instance(..), _) | (_, Ty::Instance(..)) = (&left.ty, &right.ty)
        && let Some(ty) = free_operator(resolver, operator, &left.ty, &right.ty)
    {
        return Typed::inferred(ty);
    }
    match (&left.ty, &right.ty, operator) {
        (Ty::Pointer(_) | Ty::Array(_), Ty::Pointer(_) | Ty::Array(_), "-") => {
            resolver.type_of_literal(file, Literal::Integer)
        }
        (Ty::Pointer(_) | Ty::Array(_), ..) => left,
        (_, Ty::Pointer(_), "+") => right,
        (Ty::External(Some(name), _), ..) if is_arithmetic(resolver.workspace.text(*name)) => left,
        // Between two points in time is no point in time.
        (Ty::External(..), other, "-") if *other == left.ty => Typed::unknown(),
        (Ty::External(..), ..) if left.ty.is_external() => left.and(false),
        _ => Typed::unknown(),
    }
}

/// What a function `operator…` of a namespace gives that takes one of the operands.
fn free_operator(resolver: &Resolver<'_>, operator: &str, left: &Ty, right: &Ty) -> Option<Ty> {
    let name = resolver.workspace.name(&format!("operator{operator}"))?;
    for file in resolver.workspace.files_with(name) {
        let Some(bound) = resolver.file(*file) else {
            continue;
        };
        let Some(local) = bound.local(name) else {
            continue;
        };
        for (index, def) in bound.defs().iter().enumerate() {
            if def.name != local || def.kind != DefKind::Function {
                continue;
            }
            let takes = |ty: &Ty, at: usize| {
                let param = bound.params(index as u32).nth(at);
                param.is_some_and(|param| {
                    let expr = bound.def(param).ty;
                    resolver.lower_type(ExprRef { file: *file, expr }).ty == *ty
                })
            };
            if takes(left, 0) || takes(right, 1) {
                let def = crate::ids::DefRef {
                    file: *file,
                    def: index as u32,
                };
                return Some(resolver.declared_result(def).ty);
            }
        }
    }
    None
}

/// What functions of the standard library return that forward what they get.
pub(super) fn known_call(
    resolver: &Resolver<'_>,
    at: ExprRef,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    if let Some(ty) = algorithms::result(resolver, callee, args) {
        return Some(Typed::inferred(ty));
    }
    let bound = resolver.file(at.file)?;
    let (plain, given) = match bound.expr(callee.expr) {
        Expr::Apply { of, args } => (of, args),
        _ => (callee.expr, NONE),
    };
    let (Expr::Name { name, .. } | Expr::Member { name, .. }) = bound.expr(plain) else {
        return None;
    };
    let name = resolver.workspace.text(bound.name(name));
    let first = || {
        let args = resolver.each(at.file, args, |at| at);
        args.first().map(|at| resolver.type_of(*at).ty)
    };
    let plain = ExprRef {
        file: at.file,
        expr: plain,
    };
    let is_outside = || resolver.find(plain).is_empty();
    match name {
        "make_unique"
        | "make_shared"
        | "allocate_shared"
        | "make_intrusive"
        | "static_pointer_cast"
        | "dynamic_pointer_cast"
        | "const_pointer_cast"
            if is_outside() =>
        {
            let types = resolver.each(at.file, given, |at| resolver.lower_type(at).ty);
            let of = types.first()?.clone();
            Some(Typed::inferred(Ty::Pointer(Rc::new(of))))
        }
        "get" | "get_if" | "any_cast"
            if given != NONE && is_of_std(resolver, plain) && is_outside() =>
        {
            let taken = tuples::taken(resolver, name, at.file, given, args)?;
            Some(Typed::inferred(taken))
        }
        "move" | "forward" | "ref" | "cref" | "as_const" | "exchange" | "min" | "max" | "next"
        | "prev"
            if is_outside() =>
        {
            Some(Typed::inferred(first()?))
        }
        name if ALGORITHMS.contains(&name) && is_of_std(resolver, plain) && is_outside() => {
            Some(Typed::inferred(first()?))
        }
        "begin" | "end" | "cbegin" | "cend"
            if matches!(bound.expr(plain.expr), Expr::Name { .. }) && is_outside() =>
        {
            let of = resolver.unwrapped(at.file, &Typed::inferred(first()?), "iter");
            Some(Typed::inferred(Ty::Pointer(Rc::new(of.ty))))
        }
        "make_pair" | "make_tuple" | "tie" if is_outside() => {
            let parts = resolver.each(at.file, args, |at| resolver.type_of(at).ty);
            Some(Typed::inferred(Ty::Tuple(parts.into())))
        }
        // `std::pair(1, item)`
        _ if given == NONE && name.starts_with(char::is_lowercase) => {
            let of = match resolver.type_of(callee).ty {
                of @ Ty::ExternalType(..) => of,
                _ => return None,
            };
            deduction::of_outside(resolver, at.file, &of, args).map(Typed::inferred)
        }
        _ => None,
    }
}

/// Functions of the standard library that give an iterator like their first argument.
const ALGORITHMS: [&str; 14] = [
    "adjacent_find",
    "find",
    "find_first_of",
    "find_if",
    "find_if_not",
    "lower_bound",
    "max_element",
    "min_element",
    "partition",
    "partition_point",
    "remove_if",
    "search",
    "unique",
    "upper_bound",
];

/// Whether a name stands alone or behind `std`, not behind an object.
fn is_of_std(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let Expr::Member { of, .. } = resolver.expr(at) else {
        return true;
    };
    resolver
        .file(at.file)
        .is_some_and(|bound| match bound.expr(of) {
            Expr::Name { name, .. } => resolver.workspace.text(bound.name(name)) == "std",
            _ => false,
        })
}

/// What types in types from outside are: `std::vector<T>::iterator`.
pub(super) fn nested_type(resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
    let bound = resolver.file(at.file)?;
    let Expr::Member { of, name, .. } = bound.expr(at.expr) else {
        return None;
    };
    let container = || {
        resolver.lower_type(ExprRef {
            file: at.file,
            expr: of,
        })
    };
    let element = || resolver.unwrapped(at.file, &container(), "iter").ty;
    match resolver.workspace.text(bound.name(name)) {
        "iterator"
        | "const_iterator"
        | "reverse_iterator"
        | "const_reverse_iterator"
        | "pointer"
        | "const_pointer" => Some(Typed::inferred(Ty::Pointer(Rc::new(element())))),
        "value_type" | "reference" | "const_reference" => Some(Typed::inferred(element())),
        "mapped_type" => Some(resolver.unwrapped(at.file, &container(), "index")),
        _ => None,
    }
}

/// What containers of the standard library give. A pair is a tuple, an iterator a pointer.
pub(super) const LIBRARY: [LibraryMember; 19] = [
    // What views are.
    LibraryMember("[]", "front back at", "0", ""),
    LibraryMember("[]", "begin end cbegin cend rbegin rend data", "*0", ""),
    LibraryMember(
        "vector deque list array initializer_list forward_list span valarray",
        "@iter @index front back at emplace_back emplace_front",
        "0",
        "",
    ),
    LibraryMember(
        "set multiset unordered_set unordered_multiset stack queue priority_queue",
        "@iter @index front back top",
        "0",
        "",
    ),
    LibraryMember(
        "set unordered_set flat_set",
        "insert emplace",
        "(*0,bool)",
        "",
    ),
    LibraryMember(
        "map unordered_map flat_map",
        "insert emplace try_emplace insert_or_assign",
        "(*(0,1),bool)",
        "",
    ),
    LibraryMember(
        "map multimap unordered_map unordered_multimap flat_map",
        "emplace_hint erase",
        "*(0,1)",
        "",
    ),
    LibraryMember(
        "vector deque list array set multiset unordered_set unordered_multiset span forward_list",
        "begin end cbegin cend rbegin rend find lower_bound upper_bound data insert erase emplace before_begin",
        "*0",
        "",
    ),
    LibraryMember(
        "map multimap unordered_map unordered_multimap flat_map",
        "@iter",
        "(0,1)",
        "",
    ),
    LibraryMember("map unordered_map flat_map", "@index at", "1", ""),
    LibraryMember(
        "map multimap unordered_map unordered_multimap flat_map",
        "begin end cbegin cend rbegin rend find lower_bound upper_bound",
        "*(0,1)",
        "",
    ),
    LibraryMember(
        "unique_ptr shared_ptr weak_ptr scoped_ptr auto_ptr intrusive_ptr scoped_refptr optional reference_wrapper observer_ptr atomic not_null",
        "@deref value value_or load",
        "0",
        "",
    ),
    LibraryMember(
        "unique_ptr shared_ptr scoped_ptr auto_ptr intrusive_ptr scoped_refptr reference_wrapper",
        "get release",
        "*0",
        "",
    ),
    LibraryMember("weak_ptr", "lock", "*0", ""),
    LibraryMember("unique_ptr shared_ptr", "@index", "0", ""),
    LibraryMember("pair", "first", "0", ""),
    LibraryMember("pair", "second", "1", ""),
    LibraryMember("()", "first", "1", ""),
    LibraryMember("()", "second", "2", ""),
];
