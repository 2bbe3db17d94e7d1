//! Types under a key that is an argument: `Get<"a">` of `type Get<K extends keyof T> = T[K]`, and what
//! `get<K extends keyof T>(key: K): T[K]` gives for `get("a")`.
//!
//! A type argument lowers to a type, and that of `"a"` is a text. So where a result is `T[K]`, the argument for `K` is read
//! as it is written.

use codecortex_bind::facts::{DefKind, Expr, NONE};

use super::indexed_access;
use crate::ids::{DefRef, ExprRef};
use crate::infer_type_args;
use crate::resolver::Resolver;
use crate::ty::{Substitution, Ty, Typed};

/// Keys behind one another: `T[K][L]`.
const DEEPEST: u32 = 8;

/// Type parameters with what is written for them.
type Written = Vec<(DefRef, ExprRef)>;

/// What an alias of a type under a key lowers to with the keys that it is given.
pub(super) fn applied(resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
    let Expr::Apply { of, args } = resolver.expr(at) else {
        return None;
    };
    let found = resolver.find(ExprRef { expr: of, ..at });
    let [alias] = resolver.resolve_alias(*found.defs.first()?).ends[..] else {
        return None;
    };
    let def = resolver.def(alias)?;
    let target = ExprRef {
        file: alias.file,
        expr: def.ty,
    };
    let is_keyed = def.kind == DefKind::TypeAlias
        && def.ty != NONE
        && matches!(resolver.expr(target), Expr::Index { .. });
    if !is_keyed {
        return None;
    }
    let written = resolver.each(at.file, args, |arg| arg);
    let written: Written = resolver.params_of(alias).into_iter().zip(written).collect();
    let subst: Vec<(DefRef, Ty)> = written
        .iter()
        .map(|(param, arg)| (*param, resolver.lower_type(*arg).ty))
        .collect();
    under_keys(resolver, target, &written, &subst.into(), DEEPEST).map(Typed::inferred)
}

/// What a function gives that is asked for what stands under a key.
pub(super) fn called(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<Typed> {
    let Ty::Function(defs, subst) = resolver.type_of(callee).ty else {
        return None;
    };
    let [function] = defs[..] else {
        return None;
    };
    let result = ExprRef {
        file: function.file,
        expr: resolver.def(function)?.ty,
    };
    if !matches!(resolver.expr(result), Expr::Index { .. }) {
        return None;
    }
    let mut written = Written::new();
    if let Expr::Apply { args, .. } = resolver.expr(callee) {
        let explicit = resolver.each(callee.file, args, |arg| arg);
        written.extend(resolver.params_of(function).into_iter().zip(explicit));
    }
    let given = resolver.each(callee.file, args, |arg| arg);
    let bound = resolver.file(function.file)?;
    for (param, arg) in bound.params(function.def).zip(given) {
        let ty = ExprRef {
            file: function.file,
            expr: bound.def(param).ty,
        };
        if matches!(resolver.expr(ty), Expr::Name { .. }) {
            let named = resolver.find(ty).defs.first().copied();
            written.extend(named.map(|named| (named, arg)));
        }
    }
    let more =
        infer_type_args::type_args_of_call(resolver, callee.file, function, &subst, args, true);
    let all: Vec<(DefRef, Ty)> = subst.iter().chain(more.iter()).cloned().collect();
    under_keys(resolver, result, &written, &all.into(), DEEPEST).map(Typed::inferred)
}

/// `T[K]` where it is written what stands for `K`.
fn under_keys(
    resolver: &Resolver<'_>,
    at: ExprRef,
    written: &[(DefRef, ExprRef)],
    subst: &Substitution,
    depth: u32,
) -> Option<Ty> {
    let depth = depth.checked_sub(1)?;
    let Expr::Index { of, by } = resolver.expr(at) else {
        return None;
    };
    let part = |expr| ExprRef { expr, ..at };
    let of = match resolver.expr(part(of)) {
        Expr::Index { .. } => under_keys(resolver, part(of), written, subst, depth)?,
        _ => resolver.lower_type(part(of)).ty.with(subst),
    };
    let key = match resolver.expr(part(by)) {
        Expr::Name { .. } => {
            let param = *resolver.find(part(by)).defs.first()?;
            let given = written.iter().find(|(known, _)| *known == param);
            given.map_or(part(by), |(_, given)| *given)
        }
        _ => part(by),
    };
    indexed_access::under_written(resolver, &of, key)
}
