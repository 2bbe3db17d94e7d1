//! Members that code gives to instances by assigning them in it: `this.x = …`.
//!
//! Whose instance `this` is in a function that is a value turns out where that goes to, behind its body. So what is
//! assigned there is noted, and defined when the file was read.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::state::AssignedMember;
use super::walk::TypeScriptWalk;
use crate::facts::{
    Def, DefId, DefKind, Expr, ExprId, NONE, NameId, Role, ScopeId, ScopeKind, flag, space,
};

/// Whose instance `this` is.
enum Home {
    Class(ScopeId),
    /// A declared function makes it.
    Function(DefId),
    /// A function that is a value makes it, or is its method.
    Value(DefId),
    Nobody,
}

impl<'t> TypeScriptWalk<'t> {
    /// `this.x = …`, where `scope` is that of the instance. Of several assignments the first counts.
    pub(super) fn instance_member(
        &mut self,
        name: &str,
        at: u32,
        scope: ScopeId,
        value: ExprId,
        range: Range<usize>,
    ) {
        let home = self.home(scope);
        let member = |function| AssignedMember {
            function,
            name: name.to_owned(),
            at,
            value,
            range: range.clone(),
        };
        match home {
            // What the class declares comes first, wherever that stands: `this.run = this.run.bind(this)`.
            Home::Class(class) => self
                .lang
                .this_assignments
                .fields
                .push((class, member(NONE))),
            Home::Function(function) => self.member_of_made(name, at, function, value, range),
            Home::Value(function) => {
                self.lang.this_assignments.makers.insert(function);
                self.lang.this_assignments.members.push(member(function));
            }
            Home::Nobody => {}
        }
    }

    /// Arrows are not in between: an instance has the scope that the outermost of them stands in.
    fn home(&self, scope: ScopeId) -> Home {
        let facts = &self.b.facts;
        let mut at = scope;
        while let Some(found) = facts.scopes.get(at as usize) {
            if found.kind == ScopeKind::Class {
                return Home::Class(at);
            }
            if found.kind == ScopeKind::Function
                && let Some(owner) = facts.defs.get(found.owner as usize)
            {
                let around = facts.scopes.get(owner.scope as usize);
                return match owner.kind {
                    DefKind::Function => Home::Function(found.owner),
                    DefKind::Lambda => Home::Value(found.owner),
                    _ if around.is_some_and(|scope| scope.kind == ScopeKind::Class) => {
                        Home::Class(owner.scope)
                    }
                    _ => Home::Nobody,
                };
            }
            at = found.parent;
        }
        Home::Nobody
    }

    fn field_of_class(&mut self, class: ScopeId, field: AssignedMember) {
        if self.b.declared(class, &field.name).is_some() {
            return;
        }
        let start = field.range.start;
        let def = self
            .b
            .define(&field.name, DefKind::Field, class, field.at, field.range);
        let ty = self.documented_variable(start, class);
        let edit = self.b.edit(def);
        edit.value = field.value;
        edit.ty = ty;
        edit.flags |= flag::IMPLICIT;
    }

    /// `function A() { this.x = … }`: instances that it makes have it.
    fn member_of_made(
        &mut self,
        name: &str,
        at: u32,
        function: DefId,
        value: ExprId,
        range: Range<usize>,
    ) {
        if !self.lang.constructed.insert((function, name.to_owned())) {
            return;
        }
        let def = self.b.facts.defs[function as usize];
        let owner = self.b.facts.name(def.name).to_owned();
        let owner = self
            .b
            .name_use(&owner, def.scope, NONE, Role::Read, space::VALUE);
        self.loose_member(name, at, owner, value, range);
    }

    /// A function is the value of what `owner` names, which it makes instances of if it makes any: it is known by
    /// that name, which no lookup finds it by.
    pub(super) fn is_given_to(&mut self, value: ExprId, owner: ExprId) {
        let Expr::Function { def } = self.b.facts.expr(value) else {
            return;
        };
        let (Expr::Name { name, .. } | Expr::Member { name, .. }) = self.b.facts.expr(owner) else {
            return;
        };
        self.b.edit(def).name = name;
        self.lang.this_assignments.owners.insert(def, owner);
    }

    /// `var A; A = function () { this.x = … }`: a variable gets the function that makes its instances.
    pub(super) fn is_made_later(&mut self, to: ExprId, value: ExprId) {
        let Expr::Function { def: function } = self.b.facts.expr(value) else {
            return;
        };
        if !self.lang.this_assignments.makers.contains(&function) {
            return;
        }
        if let Some(variable) = self.variable_named(to)
            && self.b.edit(variable).value == NONE
        {
            self.b.edit(variable).value = value;
            self.is_given_to(value, to);
        }
    }

    /// The variable that a name means.
    fn variable_named(&mut self, of: ExprId) -> Option<DefId> {
        let Expr::Name { name, scope, .. } = self.b.facts.expr(of) else {
            return None;
        };
        let name = self.b.facts.name(name).to_owned();
        let mut at = scope;
        while at != NONE {
            if let Some(def) = self.b.declared(at, &name) {
                let is_variable = self.b.edit(def).kind == DefKind::Variable;
                return is_variable.then_some(def);
            }
            at = self.b.facts.scopes[at as usize].parent;
        }
        None
    }

    /// A function is a method of what `owner` makes.
    pub(super) fn is_method_of(&mut self, value: ExprId, owner: ExprId) {
        if let Expr::Function { def } = self.b.facts.expr(value) {
            self.lang.this_assignments.owners.insert(def, owner);
        }
    }

    /// Defines what was noted, where nothing else gives the instances a member of that name.
    pub(super) fn settle_instances(&mut self) {
        let noted = std::mem::take(&mut self.lang.this_assignments);
        for (class, field) in noted.fields {
            self.field_of_class(class, field);
        }
        if noted.members.is_empty() {
            return;
        }
        let loose = self.b.facts.defs.iter();
        let loose = loose.filter_map(|def| self.loose_key(def));
        let mut known: FxHashSet<(NameId, NameId)> = loose.collect();
        for member in noted.members {
            let Some(&owner) = noted.owners.get(&member.function) else {
                continue;
            };
            let name = self.b.name(&member.name);
            if let Some(of) = self.last_name(owner)
                && known.insert((of, name))
            {
                self.loose_member(&member.name, member.at, owner, member.value, member.range);
            }
        }
    }

    fn loose_key(&self, def: &Def) -> Option<(NameId, NameId)> {
        Some((self.last_name(def.container)?, def.name))
    }

    fn last_name(&self, of: ExprId) -> Option<NameId> {
        match self.b.facts.expr(of) {
            Expr::Name { name, .. } | Expr::Member { name, .. } => Some(name),
            _ => None,
        }
    }
}
