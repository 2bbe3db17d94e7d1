//! Mapped types of TypeScript: `{ [K in keyof T]: Signal<T[K]> }` has the members that `T` has, each with a type that
//! is made of its own.
//!
//! Where the value is `T[K]` alone such a type is `T`. Otherwise it is an object of which the member under a key is
//! looked up in `T`, and `K` stands for that member's type while its own one is found out.

pub(crate) mod keys;

use codecortex_bind::facts::{DefKind, Expr, NONE, ScopeId, ScopeKind, space};

use self::keys::{Keys, Mapped, keys_of, mapped};
use crate::conditional;
use crate::ids::{ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::{Substitution, Ty, Typed};

/// The member of a mapped type under a name; none if an object is no such type.
pub(crate) fn mapped_member(
    resolver: &Resolver<'_>,
    file: FileNo,
    scope: ScopeId,
    subst: &Substitution,
    name: Name,
) -> Option<LookupResult> {
    let mapped = mapped(resolver, file, scope)?;
    let source = match &mapped.keys {
        Keys::Of(source) => resolver.lower_type(*source).ty.with(subst),
        Keys::Named(names) => return named_member(resolver, &mapped, names, subst, name),
    };
    let found = resolver.with_depth(|| resolver.member(&source, name, space::ANY, file))?;
    if found.defs.is_empty() {
        return None;
    }
    let given = resolver.type_of_found(&found).ty;
    let ty = mapped_value(resolver, &mapped, subst, &given).unwrap_or(given);
    let found = found.inferred();
    if ty.is_unknown() {
        return Some(found);
    }
    Some(LookupResult {
        ty: Some(ty),
        ..found
    })
}

/// What stands under one of the keys that are written: where it is `T[K]`, the member of `T`.
fn named_member(
    resolver: &Resolver<'_>,
    mapped: &Mapped,
    names: &[Name],
    subst: &Substitution,
    name: Name,
) -> Option<LookupResult> {
    if !names.contains(&name) {
        return Some(LookupResult::nothing());
    }
    let Expr::Index { of, by } = resolver.expr(mapped.value) else {
        return None;
    };
    let part = |expr| ExprRef {
        expr,
        ..mapped.value
    };
    if resolver.find(part(by)).defs.first() != Some(&mapped.key) {
        return None;
    }
    let source = resolver.lower_type(part(of)).ty.with(subst);
    let file = mapped.value.file;
    let found = resolver.with_depth(|| resolver.member(&source, name, space::ANY, file))?;
    (!found.defs.is_empty()).then(|| found.inferred())
}

/// What stands under a key whose own type is given.
fn mapped_value(
    resolver: &Resolver<'_>,
    mapped: &Mapped,
    subst: &Substitution,
    given: &Ty,
) -> Option<Ty> {
    let mut known = subst.to_vec();
    known.retain(|(param, _)| *param != mapped.key);
    known.push((mapped.key, given.clone()));
    if conditional::is_conditional(resolver, mapped.value) {
        let whole = resolver.def(mapped.key)?.scope;
        return conditional::decided_in(resolver, mapped.value, mapped.key.file, whole, &known);
    }
    let value = resolver.lower_type(mapped.value).ty;
    (!value.is_unknown()).then(|| value.with(&known))
}

/// `T[K]` in a mapped type over the keys of `T` is what stands under the key.
pub(crate) fn under_key(resolver: &Resolver<'_>, file: FileNo, of: u32, by: u32) -> Option<Typed> {
    let key = *resolver.find(ExprRef { file, expr: by }).defs.first()?;
    let bound = resolver.file(key.file)?;
    let def = bound.def(key.def);
    let is_key = def.kind == DefKind::TypeParam
        && bound.scope(def.scope).kind == ScopeKind::Block
        && def.ty != NONE;
    if !is_key {
        return None;
    }
    let source = keys_of(
        resolver,
        ExprRef {
            file: key.file,
            expr: def.ty,
        },
        4,
    )?;
    let is_its =
        resolver.lower_type(source).ty == resolver.lower_type(ExprRef { file, expr: of }).ty;
    is_its.then(|| Typed::inferred(Ty::Param(key)))
}
