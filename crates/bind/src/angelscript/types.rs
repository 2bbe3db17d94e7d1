//! Types and names with `::`.

use crate::facts::{Expr, ExprId, NONE, Role, ScopeId};

use super::kinds::Kind;
use super::walk::{AngelScriptChild, AngelScriptWalk, OUTER, TYPE};

impl<'t> AngelScriptWalk<'t> {
    /// What a written type denotes; [`NONE`] for `auto`. Handles, references and `const` are left out: a type is one
    /// with or without them.
    pub(super) fn ty(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) -> ExprId {
        match child.kind {
            Kind::Type => {
                let is_array = self.text(child.node).contains("[]");
                let children = self.open(child.node);
                let name = self.children.in_field(children, self.table.name);
                self.close(children);
                let of = match name {
                    Some(name) => self.deeper(NONE, |walk| walk.ty(name, scope)),
                    None => NONE,
                };
                match is_array {
                    true => self.b.expr(Expr::Array { of }),
                    false => of,
                }
            }
            Kind::PrimitiveType => match self.text(child.node) {
                "auto" | "?" => NONE,
                name => self.primitive(name, scope),
            },
            Kind::Identifier | Kind::TypeIdentifier => {
                self.name(child.node, scope, Role::Type, TYPE)
            }
            Kind::ScopedIdentifier => self.scoped(child, scope, Role::Type, TYPE),
            Kind::TemplateType => self.template(child, scope),
            _ => NONE,
        }
    }

    /// `TArray<ALamp>`.
    pub(super) fn template(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) -> ExprId {
        let children = self.open(child.node);
        let of = match self.children.in_field(children, self.table.name) {
            Some(name) => self.ty(name, scope),
            None => NONE,
        };
        let mut args = Vec::new();
        if let Some(list) = self.children.in_field(children, self.table.arguments) {
            let types = self.open(list.node);
            for i in types {
                let argument = self.child(i);
                let argument = self.deeper(NONE, |walk| walk.ty(argument, scope));
                args.push(argument);
            }
            self.close(types);
        }
        self.close(children);
        let args = self.b.list(&args);
        self.b.expr(Expr::Apply { of, args })
    }

    /// `A::B::C`, leaning to the left: what stands before `::` is a namespace, a type or `Super`.
    pub(super) fn scoped(
        &mut self,
        child: AngelScriptChild<'t>,
        scope: ScopeId,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        let table = self.table;
        let outermost = child.node;
        self.left_chain(
            child.node,
            |walk, node| {
                let is_link = walk.kind(node) == Kind::ScopedIdentifier;
                is_link.then(|| crate::nodes::child(node, table.scope))?
            },
            |walk, node| walk.root(node, scope, role, spaces),
            |walk, node, of| {
                let Some(name) = crate::nodes::child(node, table.name) else {
                    return of;
                };
                match node.id() == outermost.id() {
                    true => walk.member(of, name, role, spaces),
                    false => walk.member(of, name, Role::Read, OUTER),
                }
            },
        )
    }

    /// The first name of a path; `::X` is looked up in the file and beyond.
    fn root(
        &mut self,
        node: tree_sitter::Node<'t>,
        scope: ScopeId,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        if self.kind(node) == Kind::ScopedIdentifier {
            return match crate::nodes::child(node, self.table.name) {
                Some(name) => self.name(name, 0, role, spaces),
                None => NONE,
            };
        }
        match self.text(node) {
            "Super" => self.b.expr(Expr::Super { scope }),
            _ if self.kind(node) == Kind::PrimitiveType => {
                let name = self.text(node);
                self.primitive(name, scope)
            }
            _ => self.name(node, scope, Role::Read, OUTER),
        }
    }
}
