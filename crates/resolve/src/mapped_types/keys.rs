//! The keys of a mapped type: those of which type they are, and what stands under each.

use codecortex_bind::facts::{DefKind, Expr, NONE, ScopeId};

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::resolver::Resolver;
use crate::ty::Ty;

/// A mapped type: its key, which keys there are, what stands under each.
pub(super) struct Mapped {
    pub(super) key: DefRef,
    pub(super) keys: Keys,
    pub(super) value: ExprRef,
}

/// The keys of a mapped type.
pub(super) enum Keys {
    /// Those of a type.
    Of(ExprRef),
    /// Those that are written: `[K in "a" | "b"]`.
    Named(Vec<Name>),
}

/// The type whose keys a mapped type has.
pub(crate) fn mapped_source(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Option<Ty> {
    match mapped(resolver, file, scope)?.keys {
        Keys::Of(source) => Some(resolver.lower_type(source).ty),
        Keys::Named(_) => None,
    }
}

/// The keys of a mapped type that are written.
pub(crate) fn named_keys(
    resolver: &Resolver<'_>,
    file: FileNo,
    scope: ScopeId,
) -> Option<Vec<Name>> {
    match mapped(resolver, file, scope)?.keys {
        Keys::Of(_) => None,
        Keys::Named(names) => Some(names),
    }
}

/// The mapped type that an object type is; none if it is no such type.
pub(super) fn mapped(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Option<Mapped> {
    let bound = resolver.file(file)?;
    let index = bound.local(resolver.workspace.name("(index)")?)?;
    let index = bound.def(bound.defs_in(scope, index).next()?);
    let is_key = |def: &u32| {
        let def = bound.def(*def);
        def.kind == DefKind::TypeParam && bound.scope(def.scope).parent == scope
    };
    let def = bound.defs_within(index.start..index.end).find(is_key)?;
    let part = |expr| ExprRef { file, expr };
    // `[K in keyof T as `get${K}`]` has keys of its own.
    if bound.def(def).value != NONE {
        return None;
    }
    let of = part(bound.def(def).ty);
    let keys = match keys_of(resolver, of, 4) {
        Some(source) => Keys::Of(source),
        None => Keys::Named(resolver.rules(file).written_keys(resolver, of)?),
    };
    Some(Mapped {
        key: DefRef { file, def },
        keys,
        value: part(index.ty),
    })
}

/// `T` of `keyof T`, of `keyof T & string`, of `Exclude<keyof T, "a">`, of a parameter that is bound so.
pub(super) fn keys_of(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> Option<ExprRef> {
    if depth == 0 || at.expr == NONE {
        return None;
    }
    let part = |expr| ExprRef { expr, ..at };
    match resolver.expr(at) {
        Expr::Operator { name, left, .. } => {
            let name = resolver.file(at.file)?.name(name);
            match resolver.workspace.text(name) {
                "keyof" => Some(part(left)),
                "&" => keys_of(resolver, part(left), depth - 1),
                _ => None,
            }
        }
        Expr::Apply { args: of, .. } | Expr::Union { of } => {
            let first = *resolver.file(at.file)?.list(of).first()?;
            keys_of(resolver, part(first), depth - 1)
        }
        Expr::Name { .. } => {
            let found = resolver.find(at);
            let param = *found.defs.first()?;
            let def = resolver.def(param)?;
            let is_param = def.kind == DefKind::TypeParam;
            let expr = ExprRef {
                file: param.file,
                expr: def.ty,
            };
            is_param.then(|| keys_of(resolver, expr, depth - 1))?
        }
        _ => None,
    }
}
