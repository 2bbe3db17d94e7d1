//! What JavaScript declares by assigning it: exports of CommonJS, members of instances and prototypes.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::TypeScriptWalk;
use crate::facts::{
    DefId, DefKind, Expr, ExprId, NONE, NameId, Role, ScopeId, ScopeKind, flag, space,
};
use crate::nodes::named_children;

impl<'t> TypeScriptWalk<'t> {
    /// CommonJS: `module.exports = x`, `exports.a = x`.
    pub(super) fn exported(
        &mut self,
        left: Node<'t>,
        right: Node<'t>,
        scope: ScopeId,
    ) -> Option<ExprId> {
        if self.lang.is_typed || self.kind(left) != Kind::MemberExpression {
            return None;
        }
        let object = self.text(self.field(left, |table| table.object)?);
        let property = self.field(left, |table| table.property)?;
        let name = self.text(property);
        if object == "module" && name == "exports" {
            // An empty object is filled later: its members are the module's own.
            if self.kind(right) == Kind::Object && named_children(right).is_empty() {
                return Some(self.expression(right, scope, NONE));
            }
            let value = self.export_value(right, 0, "export=");
            self.export_keys(value);
            let is_function = self.is_exported_as(value, "export=");
            return Some(if is_function { value } else { NONE });
        }
        if object != "exports" && object != "module.exports" {
            return None;
        }
        let value = self.expression(right, scope, NONE);
        let def = self.b.define(
            name,
            DefKind::Variable,
            0,
            property.start_byte() as u32,
            left.start_byte()..right.end_byte(),
        );
        let exported = self.b.edit(def);
        exported.value = value;
        exported.flags = flag::EXPORTED | flag::HIDDEN;
        self.is_exported_as(value, name);
        Some(value)
    }

    /// Whether a function is what the module exports under a name, and so what makes instances of that.
    fn is_exported_as(&mut self, value: ExprId, name: &str) -> bool {
        let is_function = matches!(self.b.facts.expr(value), Expr::Function { .. });
        if is_function {
            let exports = self
                .b
                .name_use("exports", 0, NONE, Role::Read, space::VALUE);
            let owner = self
                .b
                .member_use(exports, name, NONE, Role::Read, space::ANY);
            self.is_given_to(value, owner);
        }
        is_function
    }

    /// What an exported object has by its own name is that name, handed on: `module.exports = { run }`.
    fn export_keys(&mut self, object: ExprId) {
        let Expr::Object { scope, .. } = self.b.facts.expr(object) else {
            return;
        };
        for index in 0..self.b.facts.defs.len() {
            let def = self.b.facts.defs[index];
            let value = self.b.facts.expr(def.value);
            let is_name = matches!(value, Expr::Name { at, .. } if at == def.at);
            if def.scope == scope && is_name {
                self.b.facts.defs[index].kind = DefKind::Alias;
            }
        }
    }

    /// JavaScript declares members by assigning them: `this.x = …`, `A.prototype.m = …`, `A.s = …`.
    pub(super) fn implicit_member(
        &mut self,
        left: Node<'t>,
        to: ExprId,
        value: ExprId,
        node: Node<'t>,
    ) {
        match self.b.facts.expr(to) {
            Expr::Index { of, .. } => self.computed_member(of, value, node),
            Expr::Name { .. } => self.is_made_later(to, value),
            _ => {}
        }
        let Expr::Member { of, name, at, .. } = self.b.facts.expr(to) else {
            return;
        };
        let text = self.b.facts.name(name).to_owned();
        match self.b.facts.expr(of) {
            Expr::This { scope } => {
                self.instance_member(&text, at, scope, value, node.byte_range())
            }
            Expr::Member {
                of: owner, name, ..
            } if self.b.facts.name(name) == "prototype" => {
                self.loose_member(&text, at, owner, value, node.byte_range());
                self.is_method_of(value, owner);
            }
            Expr::Name { .. } if text == "prototype" => {
                self.prototype_members(of, value);
                if let Some(base) = self.prototype_made_of(value) {
                    self.derive(of, base);
                }
            }
            Expr::Name { name, .. } => {
                let is_function = matches!(self.b.facts.expr(value), Expr::Function { .. });
                let prototype_of = self.prototype_named(name);
                let is_member =
                    is_function || prototype_of.is_some() || self.is_first_of_type(name, &text);
                if is_member && self.kind(left) == Kind::MemberExpression {
                    let owner = prototype_of.unwrap_or(of);
                    let def = self.loose_member(&text, at, owner, value, node.byte_range());
                    if prototype_of.is_none() && self.type_of_file(name).is_some() {
                        self.b.edit(def).flags |= flag::STATIC;
                    }
                }
                match prototype_of {
                    Some(owner) => self.is_method_of(value, owner),
                    None => self.is_given_to(value, to),
                }
            }
            _ => {}
        }
    }

    /// `A.prototype[name] = function () { … }`: nobody knows its name, but in it `this` is an instance.
    fn computed_member(&mut self, of: ExprId, value: ExprId, node: Node<'t>) {
        let is_function = matches!(self.b.facts.expr(value), Expr::Function { .. });
        let Some(owner) = self.owner_of_prototype(of).filter(|_| is_function) else {
            return;
        };
        let at = node.start_byte() as u32;
        let def = self.loose_member("(computed)", at, owner, value, node.byte_range());
        self.b.edit(def).flags |= flag::UNWRITTEN;
    }

    /// Whether a class or function of the file gets a member by being assigned it for the first time: `A.all = []`.
    fn is_first_of_type(&mut self, owner: NameId, member: &str) -> bool {
        let Some(owner) = self.type_of_file(owner) else {
            return false;
        };
        let def = self.b.facts.defs[owner as usize];
        let is_declared = def.kind == DefKind::Class
            && def.inner != NONE
            && self.b.declared(def.inner, member).is_some();
        !is_declared && self.lang.constructed.insert((owner, format!(".{member}")))
    }

    /// The class or function of the file that has a name.
    fn type_of_file(&mut self, name: NameId) -> Option<DefId> {
        let name = self.b.facts.name(name).to_owned();
        let owner = self.b.declared(0, &name)?;
        let def = self.b.facts.defs[owner as usize];
        let is_function = matches!(self.b.facts.expr(def.value), Expr::Function { .. });
        let is_type = is_function || matches!(def.kind, DefKind::Class | DefKind::Function);
        is_type.then_some(owner)
    }

    pub(super) fn loose_member(
        &mut self,
        name: &str,
        at: u32,
        owner: ExprId,
        value: ExprId,
        range: Range<usize>,
    ) -> DefId {
        // In a scope of its own: it is found through its owner alone.
        let hidden = self.b.scope(ScopeKind::Object, 0, NONE, 0..0);
        let def = self.b.define(name, DefKind::Field, hidden, at, range);
        let member = self.b.edit(def);
        member.container = owner;
        member.value = value;
        def
    }
}
