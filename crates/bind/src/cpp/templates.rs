//! Templates and concepts.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{CppWalk, DeclarationSite};
use crate::facts::{DefKind, NONE, ScopeKind, flag, space};

impl<'t> CppWalk<'t> {
    /// The parameters of a template are in a scope around what it declares.
    pub(super) fn template(&mut self, node: Node<'t>, at: DeclarationSite) {
        let range = node.byte_range();
        let look = self.b.scope(ScopeKind::Header, at.look, NONE, range);
        for (field, part) in self.list_of(node) {
            if field == self.table.parameters {
                self.template_parameters(part, look);
            } else {
                self.item(part, DeclarationSite { look, ..at });
            }
        }
    }

    pub(super) fn template_parameters(&mut self, list: Node<'t>, scope: u32) {
        for (_, part) in self.list_of(list) {
            match self.kind(part) {
                Kind::TypeParameter | Kind::OptionalTypeParameter | Kind::VariadicTypeParameter => {
                    self.type_parameter(part, part, scope);
                }
                Kind::TemplateTemplateParameter => {
                    for (field, inner) in self.list_of(part) {
                        if field != self.table.parameters {
                            self.type_parameter(inner, part, scope);
                        } else {
                            let range = inner.byte_range();
                            let nested = self.b.scope(ScopeKind::Header, scope, NONE, range);
                            self.template_parameters(inner, nested);
                        }
                    }
                }
                Kind::ParameterDeclaration | Kind::OptionalParameter | Kind::VariadicParameter => {
                    self.value_parameter(part, scope);
                }
                _ => self.item(part, DeclarationSite::block(scope)),
            }
        }
    }

    fn type_parameter(&mut self, node: Node<'t>, whole: Node<'t>, scope: u32) {
        let mut value = NONE;
        let mut name = None;
        let is_pack = self.kind(node) == Kind::VariadicTypeParameter;
        for (field, part) in self.list_of(node) {
            if field == self.table.default_type {
                value = self.specifier(part, DeclarationSite::block(scope));
            } else if self.kind(part) == Kind::TypeIdentifier && name.is_none() {
                name = Some(part);
            }
        }
        let text = name.map_or("", |name| self.text(name));
        let at = name.map_or(NONE, |name| name.start_byte() as u32);
        let kind = DefKind::TypeParam;
        let def = self.b.define(text, kind, scope, at, whole.byte_range());
        let edited = self.b.edit(def);
        (edited.value, edited.spaces) = (value, space::TYPE);
        if is_pack {
            edited.flags = flag::VARIADIC;
        }
    }

    fn value_parameter(&mut self, node: Node<'t>, scope: u32) {
        let children = self.open(node);
        let ty = self.node_in(children, self.table.ty);
        let declarator = self.node_in(children, self.table.declarator);
        let value = self.node_in(children, self.table.default_value);
        self.close(children);
        // `template <Concept T>` is written as `template <Enum e>` is: only one that is used tells.
        let may_be_type = ty.is_some_and(|ty| self.may_be_concept(ty)) && is_plain(declarator);
        let spaces = if may_be_type {
            space::VALUE | space::TYPE
        } else {
            space::VALUE
        };
        let is_pack = self.kind(node) == Kind::VariadicParameter;
        let ty = ty.map_or(NONE, |ty| self.specifier(ty, DeclarationSite::block(scope)));
        let value = value.map_or(NONE, |value| self.expr(value, scope));
        let declared = declarator.map(|declarator| self.declarator(declarator, ty, scope));
        let name = declared.and_then(|declared| declared.name);
        let name = name.filter(|name| self.kind(*name) == Kind::Identifier);
        let text = name.map_or("", |name| self.text(name));
        let at = name.map_or(NONE, |name| name.start_byte() as u32);
        let kind = DefKind::TypeParam;
        let def = self.b.define(text, kind, scope, at, node.byte_range());
        let edited = self.b.edit(def);
        edited.spaces = spaces;
        if is_pack {
            edited.flags = flag::VARIADIC;
        }
        // A value's type is no bound, but it is what members of it are found in.
        edited.ty = declared.map_or(ty, |declared| declared.ty);
        edited.value = value;
    }

    fn may_be_concept(&self, ty: Node<'t>) -> bool {
        matches!(
            self.kind(ty),
            Kind::TypeIdentifier | Kind::QualifiedIdentifier | Kind::TemplateType
        )
    }

    /// `concept A = …;`.
    pub(super) fn concept(&mut self, node: Node<'t>, at: DeclarationSite) {
        for (field, part) in self.list_of(node) {
            if field != self.table.name {
                self.item(part, DeclarationSite::block(at.look));
                continue;
            }
            let text = self.text(part);
            let place = part.start_byte() as u32;
            let kind = DefKind::Interface;
            let def = self
                .b
                .define(text, kind, at.scope, place, node.byte_range());
            self.b.edit(def).spaces = space::TYPE | space::VALUE;
            self.own(at, def);
        }
    }
}

/// Whether a declarator is a name, or that of a pack.
fn is_plain(declarator: Option<Node<'_>>) -> bool {
    declarator.is_none_or(|of| matches!(of.kind(), "identifier" | "variadic_declarator"))
}
