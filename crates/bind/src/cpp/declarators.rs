//! Declarators: what name they declare, and what they make of the type before them.

use tree_sitter::Node;

use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite};
use crate::facts::{DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, space};
use crate::nodes::child;

/// A declarator taken apart.
#[derive(Clone, Copy)]
pub(super) struct DeclaratorParts<'t> {
    /// The name, if there is one.
    pub(super) name: Option<Node<'t>>,
    /// Its type; of a function its result.
    pub(super) ty: ExprId,
    /// The `f(…)` of a function.
    pub(super) function: Option<Node<'t>>,
}

impl<'t> CppWalk<'t> {
    /// Takes a declarator apart, from the outside in: each layer is one more made of the type.
    pub(super) fn declarator(
        &mut self,
        node: Node<'t>,
        ty: ExprId,
        scope: ScopeId,
    ) -> DeclaratorParts<'t> {
        let mut ty = ty;
        let mut next = Some(node);
        while let Some(node) = next {
            if let Some(inner) = self.member_pointer(node, scope) {
                ty = self.pointer(ty);
                next = self.inner_declarator(inner);
                continue;
            }
            match self.kind(node) {
                Kind::PointerDeclarator | Kind::PointerTypeDeclarator | Kind::AbstractPointer => {
                    ty = self.pointer(ty);
                    next = child(node, self.table.declarator);
                }
                Kind::ArrayDeclarator | Kind::AbstractArray => {
                    if let Some(size) = child(node, self.table.size) {
                        self.expr(size, scope);
                    }
                    if ty != NONE {
                        ty = self.b.expr(Expr::Array { of: ty });
                    }
                    next = child(node, self.table.declarator);
                }
                Kind::FunctionDeclarator | Kind::AbstractFunction => {
                    let inner = child(node, self.table.declarator);
                    if let Some(inner) = inner {
                        self.class_pointed_into(inner, scope);
                    }
                    let inner = inner.map(|inner| self.without_parentheses(inner));
                    let plain = |inner: &Node<'t>| {
                        self.is_name(*inner) && self.pointed_member(*inner).is_none()
                    };
                    if let Some(name) = inner.filter(plain) {
                        return DeclaratorParts {
                            name: Some(name),
                            ty,
                            function: Some(node),
                        };
                    }
                    ty = self.function_type(node, ty, scope);
                    next = inner;
                }
                Kind::ReferenceDeclarator
                | Kind::AbstractReference
                | Kind::ParenthesizedDeclarator
                | Kind::AbstractParenthesized
                | Kind::AttributedDeclarator
                | Kind::VariadicDeclarator
                | Kind::InitDeclarator => next = self.inner_declarator(node),
                _ => {
                    let name = self.is_name(node).then_some(node);
                    if name.is_none() && self.kind(node) != Kind::StructuredBinding {
                        self.item(node, DeclarationSite::block(scope));
                    }
                    return DeclaratorParts {
                        name: name.or(Some(node)),
                        ty,
                        function: None,
                    };
                }
            }
        }
        DeclaratorParts {
            name: None,
            ty,
            function: None,
        }
    }

    /// The `*a` of `T::*a`.
    fn pointed_member(&self, mut node: Node<'t>) -> Option<Node<'t>> {
        while self.kind(node) == Kind::QualifiedIdentifier {
            node = child(node, self.table.name)?;
        }
        (self.kind(node) == Kind::PointerTypeDeclarator).then_some(node)
    }

    /// The same, with uses of what is before it.
    fn member_pointer(&mut self, node: Node<'t>, scope: ScopeId) -> Option<Node<'t>> {
        if self.kind(node) != Kind::QualifiedIdentifier {
            return None;
        }
        let pointed = self.pointed_member(node)?;
        self.qualified(node, scope);
        Some(pointed)
    }

    /// The `T` of a field `void (T::*call)()`, where the grammar knows no `T::`.
    fn class_pointed_into(&mut self, node: Node<'t>, scope: ScopeId) {
        if self.kind(node) != Kind::ParenthesizedDeclarator {
            return;
        }
        let parts = self.list_of(node);
        let error = parts.iter().find(|(_, part)| part.is_error());
        let Some((_, error)) = error.filter(|(_, error)| self.text(*error).ends_with("::")) else {
            return;
        };
        if let (1, Some(name)) = (error.named_child_count(), error.named_child(0)) {
            self.use_of(In::Scope(scope), name, Role::Type, space::TYPE);
        }
    }

    /// The part of a declarator that goes on inside of it.
    fn inner_declarator(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let parts = self.list_of(node);
        let mut parts = parts.into_iter().map(|(_, part)| part);
        parts.find(|part| {
            self.is_name(*part)
                || matches!(
                    self.kind(*part),
                    Kind::PointerDeclarator
                        | Kind::PointerTypeDeclarator
                        | Kind::ReferenceDeclarator
                        | Kind::ArrayDeclarator
                        | Kind::FunctionDeclarator
                        | Kind::ParenthesizedDeclarator
                        | Kind::AttributedDeclarator
                        | Kind::VariadicDeclarator
                        | Kind::StructuredBinding
                        | Kind::AbstractPointer
                        | Kind::AbstractReference
                        | Kind::AbstractArray
                        | Kind::AbstractFunction
                        | Kind::AbstractParenthesized
                )
        })
    }

    fn without_parentheses(&mut self, mut node: Node<'t>) -> Node<'t> {
        while self.kind(node) == Kind::ParenthesizedDeclarator {
            match self.inner_declarator(node) {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }

    /// Whether a declarator ends here, with what it declares.
    pub(super) fn is_name(&self, node: Node<'_>) -> bool {
        matches!(
            self.kind(node),
            Kind::Identifier
                | Kind::FieldIdentifier
                | Kind::TypeIdentifier
                | Kind::QualifiedIdentifier
                | Kind::OperatorName
                | Kind::OperatorCast
                | Kind::DestructorName
                | Kind::TemplateFunction
                | Kind::TemplateMethod
                | Kind::PrimitiveType
        )
    }

    /// The type of a function: a function without a name.
    fn function_type(&mut self, node: Node<'t>, result: ExprId, scope: ScopeId) -> ExprId {
        let range = node.byte_range();
        let kind = DefKind::Lambda;
        let def = self.b.define("", kind, scope, NONE, range.clone());
        let inner = self.b.scope(ScopeKind::Function, scope, def, range);
        self.parameters(node, inner);
        let result = self.trailing(node, inner).unwrap_or(result);
        let edited = self.b.edit(def);
        edited.inner = inner;
        edited.ty = result;
        self.b.expr(Expr::Function { def })
    }

    /// The result behind `->`, where it is written there. Other parts behind the parameters are
    /// looked through as well.
    pub(super) fn trailing(&mut self, node: Node<'t>, scope: ScopeId) -> Option<ExprId> {
        let mut result = None;
        for (field, part) in self.list_of(node) {
            if field != 0 {
                continue;
            }
            match self.kind(part) {
                Kind::TrailingReturn => {
                    if let Some(ty) = part.named_child(0) {
                        result = Some(self.descriptor(ty, scope)).filter(|ty| *ty != NONE);
                    }
                }
                Kind::VirtualSpecifier | Kind::TypeQualifier | Kind::AttributeDeclaration => {}
                Kind::Identifier => {
                    // A macro that stands where a specifier would.
                    let spaces = crate::facts::space::MACRO;
                    let of = super::names::In::Scope(scope);
                    self.use_of(of, part, crate::facts::Role::Read, spaces);
                }
                _ => self.item(part, DeclarationSite::block(scope)),
            }
        }
        result
    }
}
