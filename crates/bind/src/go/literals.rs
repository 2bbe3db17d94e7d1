//! Composite literals: whose members their keys are, also where inner types are left out.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::GoWalk;
use crate::facts::{Expr, ExprId, IterationPart, NONE, Role, ScopeId, space};
use crate::nodes::child;

/// What a literal's keys and elements are.
#[derive(Clone, Copy)]
enum LiteralPart {
    /// Keys are fields of this value.
    Fields(ExprId),
    /// Keys are expressions; element and key literals without a type are of these.
    Elements { key: ExprId, element: ExprId },
    /// A type whose name does not tell whether keys are fields or expressions: noted as fields.
    Named(ExprId),
}

impl<'t> GoWalk<'t> {
    pub(super) fn composite(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let Some(ty) = child(node, self.table.ty) else {
            return NONE;
        };
        let of = self.ty(ty, scope);
        let value = self.b.expr(Expr::Value { of });
        if let Some(body) = child(node, self.table.body) {
            let form = self.form(of, value);
            self.literal_value(body, form, scope);
        }
        value
    }

    fn form(&mut self, ty: ExprId, value: ExprId) -> LiteralPart {
        match self.b.facts.expr(ty) {
            Expr::Array { of } => LiteralPart::Elements {
                key: NONE,
                element: of,
            },
            Expr::Map { key, value } => LiteralPart::Elements {
                key,
                element: value,
            },
            Expr::Object { .. } => LiteralPart::Fields(value),
            _ => LiteralPart::Named(value),
        }
    }

    /// The form of a literal within another that leaves its type out.
    fn inner_form(&mut self, form: LiteralPart, key: bool) -> LiteralPart {
        match form {
            LiteralPart::Elements { key: ty, .. } if key => self.form_of_type(ty),
            LiteralPart::Elements { element, .. } => self.form_of_type(element),
            LiteralPart::Named(of) | LiteralPart::Fields(of) => {
                let part = if key {
                    IterationPart::Key
                } else {
                    IterationPart::Element
                };
                LiteralPart::Named(self.b.expr(Expr::Iter { of, part }))
            }
        }
    }

    fn form_of_type(&mut self, ty: ExprId) -> LiteralPart {
        let value = self.b.expr(Expr::Value { of: ty });
        self.form(ty, value)
    }

    fn literal_value(&mut self, node: Node<'t>, form: LiteralPart, scope: ScopeId) {
        if !self.enter() {
            return;
        }
        // Made when the first element needs it, and then for all: tables have thousands.
        let mut inner = [None; 2];
        let children = self.open(node);
        for at in children {
            let entry = self.child(at).node;
            match self.kind(entry) {
                Kind::KeyedElement => {
                    if let Some(key) = child(entry, self.table.key) {
                        self.element(key, form, &mut inner, true, scope);
                    }
                    if let Some(value) = child(entry, self.table.value) {
                        self.element(value, form, &mut inner, false, scope);
                    }
                }
                Kind::LiteralElement => self.element(entry, form, &mut inner, false, scope),
                _ => self.statement(entry, scope),
            }
        }
        self.close(children);
        self.leave();
    }

    fn element(
        &mut self,
        node: Node<'t>,
        form: LiteralPart,
        inner: &mut [Option<LiteralPart>; 2],
        key: bool,
        scope: ScopeId,
    ) {
        let Some(node) = node.named_child(0) else {
            return;
        };
        match self.kind(node) {
            Kind::LiteralValue => {
                let form = match inner[usize::from(key)] {
                    Some(form) => form,
                    None => self.inner_form(form, key),
                };
                inner[usize::from(key)] = Some(form);
                self.literal_value(node, form, scope);
            }
            Kind::Identifier if key => self.key(node, form, scope),
            _ => {
                self.expr(node, scope);
            }
        }
    }

    fn key(&mut self, node: Node<'t>, form: LiteralPart, scope: ScopeId) {
        if let LiteralPart::Fields(of) | LiteralPart::Named(of) = form {
            let at = node.start_byte() as u32;
            self.b
                .member_use(of, self.text(node), at, Role::Write, space::ANY);
        }
        if matches!(form, LiteralPart::Elements { .. }) {
            self.name(node, scope, Role::Read);
        }
    }
}
