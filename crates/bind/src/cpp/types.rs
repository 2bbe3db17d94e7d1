//! Types.

use tree_sitter::Node;

use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite};
use crate::facts::{Expr, ExprId, FILE_SCOPE, NONE, Role, ScopeId, space};
use crate::nodes::child;

impl<'t> CppWalk<'t> {
    /// What stands before the declarators; classes and enums with a body are defined by it.
    /// [`NONE`] for `auto`.
    pub(super) fn specifier(&mut self, node: Node<'t>, at: DeclarationSite) -> ExprId {
        self.deeper(NONE, |walk| walk.specifier_of(node, at))
    }

    fn specifier_of(&mut self, node: Node<'t>, at: DeclarationSite) -> ExprId {
        let spaces = super::walk::TYPES;
        match self.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => {
                // `typename [: r :]` names what stands for a type.
                let before = self.text.get(..node.start_byte()).unwrap_or("");
                let spaces = match before.trim_end().ends_with("[:") {
                    true => space::ANY,
                    false => spaces,
                };
                self.use_of(In::Scope(at.look), node, Role::Type, spaces)
            }
            Kind::QualifiedIdentifier
            | Kind::TemplateType
            | Kind::TemplateFunction
            | Kind::DependentName
            | Kind::NamespaceIdentifier => {
                self.last(In::Scope(at.look), node, at.look, Role::Type, spaces)
            }
            Kind::PrimitiveType => self.primitive(self.text(node)),
            Kind::SizedType => {
                if let Some(ty) = child(node, self.table.ty)
                    && self.kind(ty) == Kind::TypeIdentifier
                {
                    self.specifier(ty, at);
                }
                self.primitive(self.text(node))
            }
            Kind::PlaceholderType => {
                let constraint = node.child_by_field_name("constraint");
                if let Some(constraint) = constraint {
                    self.specifier(constraint, at);
                }
                NONE
            }
            Kind::Auto => NONE,
            Kind::Decltype => {
                let mut of = NONE;
                for (_, inner) in self.list_of(node) {
                    if self.kind(inner) != Kind::Auto {
                        of = self.expr(inner, at.look);
                    }
                }
                if of == NONE {
                    return NONE;
                }
                self.b.expr(Expr::TypeOf { of })
            }
            Kind::DependentType => match node.named_child(0) {
                Some(inner) => self.specifier(inner, at),
                None => NONE,
            },
            Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier => {
                self.class(node, at, None)
            }
            Kind::EnumSpecifier => self.enumeration(node, at, None),
            Kind::TypeDescriptor => self.descriptor(node, at.look),
            Kind::MacroType => {
                if let Some(name) = child(node, self.table.name) {
                    let of = In::Scope(at.look);
                    self.use_of(of, name, Role::Call, space::MACRO | space::VALUE);
                }
                child(node, self.table.ty).map_or(NONE, |ty| self.descriptor(ty, at.look))
            }
            _ => {
                self.children(node, DeclarationSite::block(at.look));
                NONE
            }
        }
    }

    /// A type that no file defines.
    pub(super) fn primitive(&mut self, text: &'t str) -> ExprId {
        if let Some((_, known)) = self.lang.primitives.iter().find(|(name, _)| *name == text) {
            return *known;
        }
        let ty = self
            .b
            .name_use(text, FILE_SCOPE, NONE, Role::Type, space::TYPE);
        self.lang.primitives.push((text, ty));
        ty
    }

    /// A type with its declarator, as in casts and template arguments.
    pub(super) fn descriptor(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        if self.kind(node) != Kind::TypeDescriptor {
            return self.specifier(node, DeclarationSite::block(scope));
        }
        let children = self.open(node);
        let ty = self.node_in(children, self.table.ty);
        let declarator = self.node_in(children, self.table.declarator);
        self.close(children);
        let ty = ty.map_or(NONE, |ty| self.specifier(ty, DeclarationSite::block(scope)));
        match declarator {
            Some(declarator) => self.declarator(declarator, ty, scope).ty,
            None => ty,
        }
    }
}
