//! Prototypes of JavaScript: names for them, what they are given as a whole, and what they are made of.

use super::walk::TypeScriptWalk;
use crate::facts::{Def, DefKind, Expr, ExprId, NONE, NameId, Relation};

impl<'t> TypeScriptWalk<'t> {
    /// Whose prototype a variable of the file stands for: `const proto = A.prototype`.
    pub(super) fn prototype_named(&mut self, name: NameId) -> Option<ExprId> {
        if self.lang.is_typed {
            return None;
        }
        let name = self.b.facts.name(name).to_owned();
        let variable = self.b.declared(0, &name)?;
        let value = self.b.facts.defs[variable as usize].value;
        match self.b.facts.expr(value) {
            Expr::Member { of, name, .. } if self.b.facts.name(name) == "prototype" => {
                let is_name = matches!(self.b.facts.expr(of), Expr::Name { .. });
                is_name.then_some(of)
            }
            _ => None,
        }
    }

    /// `A.prototype = { … }`: what the object has, instances have.
    pub(super) fn prototype_members(&mut self, owner: ExprId, value: ExprId) {
        let Expr::Object { scope, .. } = self.b.facts.expr(value) else {
            return;
        };
        let facts = &mut self.b.facts;
        let start = facts.scopes[scope as usize].start;
        // The object was read last: what stands in it is at the end.
        let inside = |def: &&mut Def| def.at == NONE || def.at >= start;
        for def in facts.defs.iter_mut().rev().take_while(inside) {
            if def.scope == scope {
                def.container = owner;
            }
        }
    }

    /// Whose instances or prototype a new prototype is made of: `Object.create(A.prototype)`, `new A()`.
    pub(super) fn prototype_made_of(&self, value: ExprId) -> Option<ExprId> {
        match self.b.facts.expr(value) {
            Expr::New { of, .. } => Some(of),
            Expr::Call { of, args } if self.is_named(of, "create") => {
                let first = self.b.facts.list(args).first()?;
                self.owner_of_prototype(*first)
            }
            _ => None,
        }
    }

    /// `Object.assign(A.prototype, { … })`: what the objects have, instances have.
    pub(super) fn assigned_by_call(&mut self, callee: ExprId, args: u32) {
        let [target, ref sources @ ..] = *self.b.facts.list(args) else {
            return;
        };
        let owner = self.owner_of_prototype(target);
        let Some(owner) = owner.filter(|_| self.is_named(callee, "assign")) else {
            return;
        };
        let sources: Vec<ExprId> = sources.to_vec();
        for source in sources {
            self.prototype_members(owner, source);
        }
    }

    /// `inherits(A, B)`, `Object.setPrototypeOf(A.prototype, B.prototype)`.
    pub(super) fn derived_by_call(&mut self, callee: ExprId, args: u32) {
        let [derived, base] = *self.b.facts.list(args) else {
            return;
        };
        if self.is_named(callee, "inherits") {
            self.derive(derived, base);
        } else if self.is_named(callee, "setPrototypeOf") {
            let pair = (
                self.owner_of_prototype(derived),
                self.owner_of_prototype(base),
            );
            if let (Some(derived), Some(base)) = pair {
                self.derive(derived, base);
            }
        }
    }

    /// A function or class of the file has another one as its base.
    pub(super) fn derive(&mut self, derived: ExprId, base: ExprId) {
        let Expr::Name { name, .. } = self.b.facts.expr(derived) else {
            return;
        };
        let is_path = matches!(
            self.b.facts.expr(base),
            Expr::Name { .. } | Expr::Member { .. }
        );
        let name = self.b.facts.name(name).to_owned();
        let Some(def) = self.b.declared(0, &name).filter(|_| is_path) else {
            return;
        };
        let found = self.b.facts.defs[def as usize];
        match self.b.facts.expr(found.value) {
            _ if found.kind == DefKind::Function => {
                self.b.base(def, Relation::Extends, base);
            }
            Expr::Function { def } => self.b.base(def, Relation::Extends, base),
            _ => {}
        }
    }

    /// `A` of `A.prototype`.
    pub(super) fn owner_of_prototype(&self, of: ExprId) -> Option<ExprId> {
        match self.b.facts.expr(of) {
            Expr::Member { of, name, .. } if self.b.facts.name(name) == "prototype" => Some(of),
            _ => None,
        }
    }

    /// Whether the last name of a path is this one.
    fn is_named(&self, path: ExprId, wanted: &str) -> bool {
        match self.b.facts.expr(path) {
            Expr::Name { name, .. } | Expr::Member { name, .. } => {
                self.b.facts.name(name) == wanted
            }
            _ => false,
        }
    }
}
