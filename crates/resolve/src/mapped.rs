//! Mapped types of TypeScript: `{ [K in keyof T]: Signal<T[K]> }` has the members that `T` has, each with a type that
//! is made of its own.
//!
//! Where the value is `T[K]` alone such a type is `T`. Otherwise it is an object of which the member under a key is
//! looked up in `T`, and `K` stands for that member's type while its own one is found out.

use codecortex_bind::facts::{DefKind, Expr, NONE, ScopeId, ScopeKind, space};

use crate::resolver::{LookupResult, Resolver};
use crate::ty::{Substitution, Ty, Typed};
use crate::workspace::{DefRef, ExprRef, FileNo, Name};

/// A mapped type: its key, the type whose keys these are, what stands under each.
struct Mapped {
    key: DefRef,
    source: ExprRef,
    value: ExprRef,
}

impl Resolver<'_> {
    /// The member of a mapped type under a name; none if an object is no such type.
    pub(crate) fn mapped_member(
        &self,
        file: FileNo,
        scope: ScopeId,
        subst: &Substitution,
        name: Name,
    ) -> Option<LookupResult> {
        let mapped = self.mapped(file, scope)?;
        let source = self.lower_type(mapped.source).ty.with(subst);
        let found = self.with_depth(|| self.member(&source, name, space::ANY, file))?;
        if found.defs.is_empty() {
            return None;
        }
        let given = self.type_of_found(&found).ty;
        let ty = self.mapped_value(&mapped, subst, &given).unwrap_or(given);
        let found = found.inferred();
        if ty.is_unknown() {
            return Some(found);
        }
        Some(LookupResult {
            ty: Some(ty),
            ..found
        })
    }

    /// The type whose keys a mapped type has.
    pub(crate) fn mapped_source(&self, file: FileNo, scope: ScopeId) -> Option<Ty> {
        let mapped = self.mapped(file, scope)?;
        Some(self.lower_type(mapped.source).ty)
    }

    /// What stands under a key whose own type is given.
    fn mapped_value(&self, mapped: &Mapped, subst: &Substitution, given: &Ty) -> Option<Ty> {
        let mut known = subst.to_vec();
        known.retain(|(param, _)| *param != mapped.key);
        known.push((mapped.key, given.clone()));
        if self.is_conditional(mapped.value) {
            let whole = self.def(mapped.key)?.scope;
            return self.decided_in(mapped.value, mapped.key.file, whole, &known);
        }
        let value = self.lower_type(mapped.value).ty;
        (!value.is_unknown()).then(|| value.with(&known))
    }

    fn mapped(&self, file: FileNo, scope: ScopeId) -> Option<Mapped> {
        let bound = self.file(file)?;
        let index = bound.local(self.workspace.name("(index)")?)?;
        let index = bound.def(bound.defs_in(scope, index).next()?);
        let is_key = |def: &u32| {
            let def = bound.def(*def);
            def.kind == DefKind::TypeParam && bound.scope(def.scope).parent == scope
        };
        let def = bound.defs_within(index.start..index.end).find(is_key)?;
        let part = |expr| ExprRef { file, expr };
        Some(Mapped {
            key: DefRef { file, def },
            source: self.keys_of(part(bound.def(def).ty), 4)?,
            value: part(index.ty),
        })
    }

    /// `T` of `keyof T`, of `keyof T & string`, of `Exclude<keyof T, "a">`, of a parameter that is bound so.
    fn keys_of(&self, at: ExprRef, depth: u32) -> Option<ExprRef> {
        if depth == 0 || at.expr == NONE {
            return None;
        }
        let part = |expr| ExprRef { expr, ..at };
        match self.expr(at) {
            Expr::Operator { name, left, .. } => {
                let name = self.file(at.file)?.name(name);
                (self.workspace.text(name) == "keyof").then(|| part(left))
            }
            Expr::Apply { args: of, .. } | Expr::Union { of } => {
                let first = *self.file(at.file)?.list(of).first()?;
                self.keys_of(part(first), depth - 1)
            }
            Expr::Name { .. } => {
                let found = self.find(at);
                let param = *found.defs.first()?;
                let def = self.def(param)?;
                let is_param = def.kind == DefKind::TypeParam;
                let expr = ExprRef {
                    file: param.file,
                    expr: def.ty,
                };
                is_param.then(|| self.keys_of(expr, depth - 1))?
            }
            _ => None,
        }
    }

    /// `T[K]` in a mapped type over the keys of `T` is what stands under the key.
    pub(crate) fn under_key(&self, file: FileNo, of: u32, by: u32) -> Option<Typed> {
        let key = *self.find(ExprRef { file, expr: by }).defs.first()?;
        let bound = self.file(key.file)?;
        let def = bound.def(key.def);
        let is_key = def.kind == DefKind::TypeParam
            && bound.scope(def.scope).kind == ScopeKind::Block
            && def.ty != NONE;
        if !is_key {
            return None;
        }
        let source = self.keys_of(
            ExprRef {
                file: key.file,
                expr: def.ty,
            },
            4,
        )?;
        let is_its = self.lower_type(source).ty == self.lower_type(ExprRef { file, expr: of }).ty;
        is_its.then(|| Typed::inferred(Ty::Param(key)))
    }
}
