//! Calls and operators whose result the language or its library says.

use super::support;
use codecortex_bind::facts::{DefKind, Expr, Literal, NONE, space};

use super::support::{POINTERS, called_name};
use super::{
    explicit_results, library_functions, library_receivers, library_results, projections,
    self_substitution,
};
use crate::call;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::library_types;
use crate::resolver::Resolver;
use crate::standard_library::results::{is_of_library, leads_into_library};
use crate::ty::{Ty, Typed};

/// What calling something gives that has no definition in the workspace.
pub(super) fn call(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    let plain = match resolver.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    let name = called_name(resolver, plain)?;
    let first = || -> Option<Ty> {
        let at = resolver.each(file, args, |at| at).first().copied()?;
        Some(resolver.type_of(at).ty)
    };
    let external = |name: &str, args: Vec<Ty>| {
        Some(Typed::inferred(Ty::External(
            resolver.workspace.name(name),
            args.into(),
        )))
    };
    if let Some(typed) = of_macro(resolver, file, plain, args) {
        return Some(typed);
    }
    if let Some(typed) = cast(resolver, callee, name) {
        return Some(typed);
    }
    if let Some(typed) = explicit_results::result(resolver, callee, name)
        .or_else(|| library_functions::result(resolver, callee, args))
    {
        return Some(typed);
    }
    match (resolver.expr(plain), name) {
        (Expr::Name { .. }, "Some") => external("Option", vec![first()?]),
        (Expr::Name { .. }, "Ok") => {
            external("Result", vec![first().unwrap_or(Ty::Unknown), Ty::Unknown])
        }
        (Expr::Name { .. }, "Err") => external("Result", vec![Ty::Unknown, first()?]),
        (Expr::Member { of, .. }, _) => {
            let receiver = ExprRef { file, expr: of };
            let of = resolver.type_of(receiver);
            let found = resolver.find(plain);
            if is_of_library(&found) {
                return library_results::result(resolver, callee, plain, (of, &found), args);
            }
            if let Some(typed) = self_substitution::result(resolver, file, callee, &of.ty, args) {
                return Some(typed.and(of.is_declared));
            }
            if let Some(typed) = projections::result(resolver, file, callee, args) {
                return Some(typed);
            }
            method(resolver, file, plain, of, name, args)
        }
        _ => {
            let found = resolver.find(plain);
            let leads = |def: &DefRef| leads_into_library(&resolver.resolve_alias(*def).ends);
            match !found.defs.is_empty() && found.defs.iter().all(leads) {
                true => library_results::of_function(resolver, callee, &found, args),
                false => projections::result(resolver, file, callee, args),
            }
        }
    }
}

/// What a macro gives: only of those that unwrap what they get something is known.
fn of_macro(resolver: &Resolver<'_>, file: FileNo, callee: ExprRef, args: u32) -> Option<Typed> {
    let (Expr::Name { spaces, .. } | Expr::Member { spaces, .. }) = resolver.expr(callee) else {
        return None;
    };
    if spaces != space::MACRO {
        return None;
    }
    let found = resolver.find(callee);
    let ends = found
        .defs
        .iter()
        .flat_map(|def| resolver.resolve_alias(*def).ends);
    let unwraps = ends
        .filter_map(|def| resolver.def(def))
        .any(|def| def.kind == DefKind::Macro && def.value != NONE);
    if !unwraps {
        return Some(Typed::unknown());
    }
    let first = resolver.each(file, args, |at| at).first().copied()?;
    Some(resolver.unwrapped(file, &resolver.type_of(first), "unwrap"))
}

/// `pointer.cast::<T>()`: a pointer to what is written.
fn cast(resolver: &Resolver<'_>, callee: ExprRef, name: &str) -> Option<Typed> {
    let Expr::Apply { of, args } = resolver.expr(callee) else {
        return None;
    };
    let member = ExprRef { expr: of, ..callee };
    if name != "cast" || !resolver.find(member).is_empty() {
        return None;
    }
    let [to] = *resolver.file(callee.file)?.list(args) else {
        return None;
    };
    let to = resolver.lower_type(ExprRef { expr: to, ..callee });
    Some(to.and(false))
}

pub(super) fn method(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    of: Typed,
    name: &str,
    args: u32,
) -> Option<Typed> {
    // `Box::new(x)` is as good as `x`.
    if let Ty::ExternalType(Some(head), _) = &of.ty
        && POINTERS.contains(&resolver.workspace.text(*head))
        && let Some(holds) = POINTER_FUNCTIONS.iter().find(|(known, _)| *known == name)
    {
        let at = resolver.each(file, args, |at| at).first().copied()?;
        let head = resolver.workspace.text(*head);
        let is_made_by = matches!(head, "LazyLock" | "LazyCell" | "Lazy") && name == "new"
            || name == "new_cyclic";
        let held = if is_made_by {
            made_by(resolver, at)
        } else {
            resolver.type_of(at)
        };
        let is_counted = matches!(head, "Rc" | "Arc");
        return Some(match holds.1 {
            "" => held,
            _ if !is_counted => held,
            // Of a result the error is the pointer, which is as good.
            around => Typed {
                ty: Ty::External(
                    resolver.workspace.name(around),
                    [held.ty.clone(), held.ty].into(),
                ),
                is_declared: held.is_declared,
            },
        });
    }
    let found = resolver.find(callee);
    if !found.is_empty() && !is_of_library(&found) {
        // What the workspace adds to types from outside comes before what the tables say of these.
        let is_outside = of.ty.is_external() || matches!(of.ty, Ty::Array(_));
        let result = || call::result_of(resolver, file, &resolver.type_of(callee).ty, args);
        let result = (is_outside && !found.defs.is_empty()).then(result);
        let known = result.filter(|result| !result.ty.is_unknown());
        return known.map(|result| result.and(false));
    }
    if library_receivers::lent(resolver, &of.ty, name).is_some() {
        return library_types::returned(resolver, file, args).map(Typed::inferred);
    }
    if matches!(of.ty, Ty::ExternalType(..))
        && let Some(ty) = library_types::call(resolver, file, &of.ty, name, args)
    {
        return Some(Typed::inferred(ty));
    }
    if let Ty::Param(param) = of.ty
        && let Some(ty) = by_bounds(resolver, file, param, (name, args))
    {
        return Some(Typed::inferred(ty));
    }
    match (&of.ty, name) {
        // What makes an empty collection or another one's copy.
        (
            Ty::ExternalType(Some(head), args),
            "new" | "with_capacity" | "default" | "from" | "from_iter" | "with_hasher",
        ) => Some(Typed::inferred(Ty::External(Some(*head), args.clone()))),
        // What a derived implementation gives; of an iterator it is no list.
        (Ty::Instance(..), "clone" | "by_ref") => Some(Typed::inferred(of.ty)),
        (Ty::Type(def, args), "default" | "from" | "new" | "try_from") => {
            Some(Typed::inferred(Ty::Instance(*def, args.clone())))
        }
        (
            Ty::Instance(..) | Ty::Param(_) | Ty::Union(_),
            "clone" | "borrow" | "borrow_mut" | "as_ref" | "as_mut" | "get_mut" | "get_ref"
            | "get_unchecked_mut" | "into_ref" | "to_owned" | "by_ref" | "deref" | "deref_mut"
            | "as_deref" | "into_owned" | "lock" | "fuse" | "boxed" | "boxed_local" | "shared"
            | "into_future" | "unwrap" | "cloned" | "project" | "project_ref",
        ) if !of.ty.is_external() => {
            let known = library_types::call(resolver, file, &of.ty, name, args);
            Some(known.map_or(of, Typed::inferred))
        }
        _ => None,
    }
}

/// What a method of a type parameter gives that one of its bounds from outside has: `T: Into<Item>`.
fn by_bounds(
    resolver: &Resolver<'_>,
    file: FileNo,
    param: DefRef,
    (name, args): (&str, u32),
) -> Option<Ty> {
    let parts = support::bound_of(resolver, param).alternatives();
    let outside = parts.iter().filter(|part| part.is_external());
    outside
        .into_iter()
        .find_map(|part| library_types::call(resolver, file, part, name, args))
}

/// What a function gives that is passed: a closure, or one by its path.
fn made_by(resolver: &Resolver<'_>, function: ExprRef) -> Typed {
    match resolver.type_of(function).ty {
        Ty::Function(defs, subst) => {
            let first = defs.first().copied();
            let result = first.map(|def| resolver.declared_result(def).ty.with(&subst));
            result.map_or_else(Typed::unknown, Typed::inferred)
        }
        _ => given_by_path(resolver, function).map_or_else(Typed::unknown, Typed::inferred),
    }
}

/// What a function gives that nobody wrote and that is passed by its path: `Item::default`.
pub(super) fn given_by_path(resolver: &Resolver<'_>, function: ExprRef) -> Option<Ty> {
    let Expr::Member { of, .. } = resolver.expr(function) else {
        return None;
    };
    let is_maker = matches!(
        called_name(resolver, function)?,
        "default" | "new" | "from" | "clone"
    );
    let of = resolver.type_of(ExprRef {
        expr: of,
        ..function
    });
    match of.ty {
        Ty::Type(def, args) if is_maker && resolver.find(function).is_empty() => {
            Some(Ty::Instance(def, args))
        }
        _ => None,
    }
}

/// Functions of pointers that take one or what it points to, and what they give it back in.
const POINTER_FUNCTIONS: [(&str, &str); 15] = [
    ("new", ""),
    ("new_cyclic", ""),
    ("downgrade", "Weak"),
    ("clone", ""),
    ("from", ""),
    ("pin", ""),
    ("make_mut", ""),
    ("unwrap_or_clone", ""),
    ("leak", ""),
    ("from_raw", ""),
    ("into_raw", ""),
    ("new_unchecked", ""),
    ("get_mut", "Option"),
    ("into_inner", "Option"),
    ("try_unwrap", "Result"),
];

/// The methods of operators.
const OPERATORS: [(&str, &str); 12] = [
    ("+", "add"),
    ("-", "sub"),
    ("*", "mul"),
    ("/", "div"),
    ("%", "rem"),
    ("&", "bitand"),
    ("|", "bitor"),
    ("^", "bitxor"),
    ("<<", "shl"),
    (">>", "shr"),
    ("!", "not"),
    ("neg", "neg"),
];

/// What an operator gives.
pub(super) fn operator(
    resolver: &Resolver<'_>,
    file: FileNo,
    operator: &str,
    left: u32,
    right: u32,
) -> Typed {
    let left_ty = resolver.type_of(ExprRef { file, expr: left });
    let sign = if operator == "-" && right == NONE {
        "neg"
    } else {
        operator
    };
    let Some((_, method)) = OPERATORS.iter().find(|(known, _)| *known == sign) else {
        return resolver.type_of_literal(file, Literal::Boolean);
    };
    if matches!(left_ty.ty, Ty::Instance(..) | Ty::Param(_))
        && let Some(name) = resolver.workspace.name(method)
    {
        let found = resolver.member(&left_ty.ty, name, space::VALUE, file);
        if !found.defs.is_empty() {
            let function = resolver.type_of_found(&found);
            return call::result_of(resolver, file, &function.ty, NONE).and(false);
        }
        return left_ty.and(false);
    }
    if left_ty.ty.is_external() {
        return left_ty;
    }
    Typed::unknown()
}
