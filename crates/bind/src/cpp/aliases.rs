//! Other names of types.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{CppWalk, DeclarationSite, EnclosingDeclaration};
use crate::facts::{DefKind, Expr, ExprId, NONE, ScopeKind, space};
use crate::nodes::child;

impl<'t> CppWalk<'t> {
    /// `typedef T a, *b;`.
    pub(super) fn typedef(&mut self, node: Node<'t>, at: DeclarationSite) {
        let parts = self.list_of(node);
        let is_declarator = |(field, _): &&(u16, Node<'t>)| *field == self.table.declarator;
        let first = parts.iter().find(is_declarator).map(|(_, part)| *part);
        let plain = first.filter(|part| self.kind(*part) == Kind::TypeIdentifier);
        let mut ty = NONE;
        let mut named = false;
        for (field, part) in parts {
            if field == self.table.ty {
                let nameless = child(part, self.table.name).is_none()
                    && child(part, self.table.body).is_some();
                ty = match self.kind(part) {
                    Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier
                        if nameless =>
                    {
                        named = plain.is_some();
                        self.class(part, at, plain)
                    }
                    Kind::EnumSpecifier if nameless => {
                        named = plain.is_some();
                        self.enumeration(part, at, plain)
                    }
                    _ => self.specifier(part, at),
                };
            } else if field == self.table.declarator {
                if named && plain == Some(part) {
                    continue;
                }
                let declared = self.declarator(part, ty, at.look);
                let ty = match declared.function {
                    // `typedef int f(int);`
                    Some(function) => self.signature_type(function, declared.ty, at),
                    None => declared.ty,
                };
                if let Some(name) = declared.name {
                    self.alias(name, ty, node, at);
                }
            } else {
                self.extra(part, at);
            }
        }
    }

    fn signature_type(
        &mut self,
        function: Node<'t>,
        result: ExprId,
        at: DeclarationSite,
    ) -> ExprId {
        let range = function.byte_range();
        let kind = DefKind::Lambda;
        let def = self.b.define("", kind, at.look, NONE, range.clone());
        let inner = self.b.scope(ScopeKind::Function, at.look, def, range);
        self.parameters(function, inner);
        let edited = self.b.edit(def);
        (edited.inner, edited.ty) = (inner, result);
        self.b.expr(Expr::Function { def })
    }

    /// Another name of a type.
    pub(super) fn alias(
        &mut self,
        name: Node<'t>,
        ty: ExprId,
        node: Node<'t>,
        at: DeclarationSite,
    ) {
        if !matches!(
            self.kind(name),
            Kind::TypeIdentifier | Kind::Identifier | Kind::PrimitiveType
        ) {
            return;
        }
        let text = self.text(name);
        let place = name.start_byte() as u32;
        let kind = DefKind::TypeAlias;
        let def = self
            .b
            .define(text, kind, at.scope, place, node.byte_range());
        self.own(at, def);
        let flags = self.visibility(at, false);
        let edited = self.b.edit(def);
        edited.ty = ty;
        edited.spaces = space::TYPE;
        edited.flags = flags;
        if at.look != at.scope {
            edited.inner = at.look;
        }
        if at.place == EnclosingDeclaration::Block {
            edited.from = place;
        }
    }

    /// `using A = B;`.
    pub(super) fn alias_declaration(&mut self, node: Node<'t>, at: DeclarationSite) {
        let ty = child(node, self.table.ty).map_or(NONE, |ty| self.descriptor(ty, at.look));
        if let Some(name) = child(node, self.table.name) {
            self.alias(name, ty, node, at);
        }
    }
}
