//! What keys of object literals stand for: members of what is expected there.

use codecortex_bind::facts::{DefKind, Expr, NONE, ScopeId, ScopeKind, flag, space};

use crate::narrow;
use crate::query::Query;
use crate::ty::{Ty, Typed};
use crate::workspace::{DefRef, ExprRef, FileNo};

impl Query<'_> {
    /// The members that a key of an object literal stands for by what is expected there.
    pub(crate) fn expected_member(&self, key: DefRef) -> Vec<DefRef> {
        let (Some(bound), Some(def)) = (self.file(key.file), self.def(key)) else {
            return Vec::new();
        };
        let scope = bound.scope(def.scope);
        if scope.kind != ScopeKind::Object {
            return Vec::new();
        }
        let Some(expected) = self.object_expected(key.file, def.scope) else {
            return Vec::new();
        };
        if self.is_given_first(expected) {
            return Vec::new();
        }
        self.refuel();
        let asked = self.asked_for(expected);
        let is_open = |asked: &Ty| matches!(asked, Ty::Param(_));
        if !asked.is_empty() && asked.iter().all(is_open) {
            return Vec::new();
        }
        // A member that nobody writes is the value that is expected of a key around.
        let is_nested = matches!(self.expr(expected), Expr::Member { at: NONE, .. });
        let typed = if is_nested {
            self.type_of(expected)
        } else {
            self.denotes(expected)
        };
        let typed = if typed.ty.is_unknown() {
            self.type_of(expected)
        } else {
            typed
        };
        let typed = self.told_by_keys(key.file, def.scope, typed);
        let found = self.member(&typed.ty, bound.sym(def.name), space::ANY, key.file);
        found.defs
    }

    /// Whether what is expected is what a member is, of which nothing but the values is known that it is assigned: each
    /// of them is its own (JavaScript).
    fn is_given_first(&self, expected: ExprRef) -> bool {
        const MOST: usize = 8;
        let mut at = expected;
        for _ in 0..MOST {
            at.expr = match self.expr(at) {
                Expr::Member { of, at: NONE, .. } | Expr::Iter { of, .. } => of,
                _ => break,
            };
        }
        if !matches!(self.expr(at), Expr::Member { .. }) {
            return false;
        }
        let found = self.find(at).defs;
        let is_assigned = |def: &DefRef| {
            let def = self.def(*def);
            def.is_some_and(|def| {
                let is_implicit = def.flags & flag::IMPLICIT != 0 || def.container != NONE;
                is_implicit && def.ty == NONE && !def.kind.is_callable()
            })
        };
        !found.is_empty() && found.iter().all(is_assigned)
    }

    /// Where an object literal's expected type is said.
    pub(crate) fn object_expected(&self, file: FileNo, scope: u32) -> Option<ExprRef> {
        let expr = self.file(file)?.expected_of_object(scope)?;
        Some(ExprRef { file, expr })
    }

    /// Of several types that are expected of an object those which can have the values that its keys have.
    fn told_by_keys(&self, file: FileNo, object: ScopeId, expected: Typed) -> Typed {
        let (Ty::Union(_), Some(bound)) = (&expected.ty, self.file(file)) else {
            return expected;
        };
        let keys = bound.all_in(object).map(|key| bound.def(key));
        let keys = keys.filter(|key| key.value != NONE && !key.kind.is_callable());
        keys.fold(expected, |typed, key| {
            let value = ExprRef {
                file,
                expr: key.value,
            };
            narrow::having(self, typed, key.name, value)
        })
    }

    /// What functions that are called ask for at a place, as they declare it, each of several: a type parameter of their
    /// own there stands for just what it is given. Nothing where the place is no argument of a call, nor what an argument
    /// gives.
    fn asked_for(&self, expected: ExprRef) -> Vec<Ty> {
        let file = expected.file;
        let part = |expr| self.asked_for(ExprRef { file, expr }).into_iter();
        match self.expr(expected) {
            Expr::ContextualType { call, index } => self.asked_argument(file, call, index),
            Expr::Call { of, args: NONE } => part(of).filter_map(|ty| self.result(ty)).collect(),
            Expr::Await { of } => {
                let awaited = |of: Ty| {
                    let held = self.unwrapped(file, &Typed::guess(of.clone()), "await").ty;
                    if held.is_unknown() { of } else { held }
                };
                part(of).map(awaited).collect()
            }
            Expr::Member { of, at: NONE, .. } => part(of)
                .filter(|asked| matches!(asked, Ty::Param(_)))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// `Checked<T>`, where that depends on a condition: what it lets through is what is given.
    fn is_of_alias_with_condition(&self, declared: ExprRef) -> bool {
        let Expr::Apply { of, .. } = self.expr(declared) else {
            return false;
        };
        let found = self.find(ExprRef {
            expr: of,
            ..declared
        });
        let ends = found.defs.iter().flat_map(|def| self.follow(*def).ends);
        ends.into_iter().any(|alias| {
            let target = self.def(alias).filter(|def| def.kind == DefKind::TypeAlias);
            target.is_some_and(|def| {
                self.is_conditional(ExprRef {
                    file: alias.file,
                    expr: def.ty,
                })
            })
        })
    }

    /// What a function gives that is asked for; what is given for a type parameter gives what it does.
    fn result(&self, asked: Ty) -> Option<Ty> {
        match asked {
            Ty::Function(defs, env) => {
                let result = self.declared_result(*defs.first()?).ty;
                Some(result.with(&env))
            }
            Ty::Param(_) => Some(asked),
            _ => None,
        }
    }

    /// The declared types of a parameter of what a call calls.
    fn asked_argument(&self, file: FileNo, call: u32, index: u32) -> Vec<Ty> {
        let (Expr::Call { of, .. } | Expr::New { of, .. }) =
            self.expr(ExprRef { file, expr: call })
        else {
            return Vec::new();
        };
        // What is written stands for itself.
        if matches!(self.expr(ExprRef { file, expr: of }), Expr::Apply { .. }) {
            return Vec::new();
        }
        let (defs, own) = match self.type_of(ExprRef { file, expr: of }).ty {
            Ty::Function(defs, _) => (defs.to_vec(), Vec::new()),
            Ty::Type(def, _) => (self.constructors(def), self.params_of(def)),
            _ => return Vec::new(),
        };
        let declared = |def: &DefRef| {
            let bound = self.file(def.file)?;
            let is_given = |param: &u32| bound.def(*param).flags & flag::RECEIVER == 0;
            let mut params = bound.params(def.def).filter(is_given);
            let declared = ExprRef {
                file: def.file,
                expr: bound.def(params.nth(index as usize)?).ty,
            };
            if self.is_of_alias_with_condition(declared) {
                return self.params_of(*def).first().map(|own| Ty::Param(*own));
            }
            let ty = self.denotes(declared).ty;
            let is_own = |param| own.contains(param) || self.params_of(*def).contains(param);
            match &ty {
                Ty::Param(param) if !is_own(param) => Some(Ty::Unknown),
                _ => Some(ty),
            }
        };
        defs.iter().filter_map(declared).collect()
    }
}
