//! What is given to calls and initialisers: lists in braces, designators, lambdas.

use tree_sitter::Node;

use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite, EnclosingDeclaration};
use crate::facts::{
    DefKind, Expr, ExprId, IterationPart, ListId, NONE, Role, ScopeId, ScopeKind, space,
};
use crate::nodes::child;

impl<'t> CppWalk<'t> {
    /// Whether arguments must know which call they are of.
    pub(super) fn needs_call(&mut self, list: Node<'t>) -> bool {
        let children = self.open(list);
        let needs = children.iter().any(|index| {
            let part = self.child(index).node;
            matches!(
                self.kind(part),
                Kind::LambdaExpression | Kind::InitializerList
            )
        });
        self.close(children);
        needs
    }

    /// The arguments of a call; `call` is [`NONE`] where none of them has to know it.
    pub(super) fn arguments(&mut self, list: Node<'t>, call: ExprId, scope: ScopeId) -> ListId {
        let children = self.open(list);
        let mut values = Vec::with_capacity(children.len());
        let mut is_behind_tag = false;
        for index in children {
            let part = self.child(index).node;
            let given = values.len() as u32;
            // `container_of(at, struct node, next)` gives a macro a type, which the grammar has none for.
            if part.is_error() {
                let value = part.named_child(0).map_or(NONE, |of| self.expr(of, scope));
                if std::mem::take(&mut is_behind_tag) {
                    values.push(value);
                }
                continue;
            }
            is_behind_tag =
                is_word_of_type(self.text(part)) && self.is_before_error(index, children.to);
            if is_behind_tag {
                continue;
            }
            let value = match self.kind(part) {
                Kind::LambdaExpression => self.lambda(part, call, given, scope),
                Kind::InitializerList => {
                    let expected = match call {
                        NONE => NONE,
                        call => self.b.expr(Expr::ContextualType { call, index: given }),
                    };
                    self.initializer(part, expected, scope)
                }
                _ => self.expr(part, scope),
            };
            values.push(value);
        }
        self.close(children);
        self.b.list(&values)
    }

    /// Whether an error of the grammar stands behind a child.
    fn is_before_error(&mut self, index: usize, end: usize) -> bool {
        index + 1 < end && self.child(index + 1).node.is_error()
    }

    /// The value of a declaration. `expected` is a value of the type that it is to have, or [`NONE`].
    pub(super) fn initializer(
        &mut self,
        node: Node<'t>,
        expected: ExprId,
        scope: ScopeId,
    ) -> ExprId {
        match self.kind(node) {
            Kind::InitializerList => {
                self.braces(node, expected, scope);
                expected
            }
            Kind::ArgumentList => {
                self.arguments(node, NONE, scope);
                expected
            }
            _ => self.expr(node, scope),
        }
    }

    /// Whether what is made of a list of values is of a type that may be a template whose arguments the values tell.
    pub(super) fn may_be_deduced(&mut self, ty: ExprId, list: Node<'t>) -> bool {
        let is_list = matches!(self.kind(list), Kind::InitializerList | Kind::ArgumentList);
        if self.lang.is_c || !is_list || !self.is_written_name(ty) {
            return false;
        }
        let children = self.open(list);
        let is_plain = children.from < children.to
            && children.iter().all(|index| {
                let part = self.child(index).node;
                !matches!(
                    self.kind(part),
                    Kind::InitializerList | Kind::InitializerPair
                )
            });
        self.close(children);
        is_plain
    }

    /// Whether a type is a name without arguments.
    pub(super) fn is_written_name(&self, ty: ExprId) -> bool {
        ty != NONE
            && matches!(
                self.b.facts.expr(ty),
                Expr::Name { at, .. } | Expr::Member { at, .. } if at != NONE
            )
    }

    /// What is made of a type and values for it.
    pub(super) fn made_of(&mut self, of: ExprId, list: Node<'t>, scope: ScopeId) -> ExprId {
        let call = self.b.reserve();
        let args = self.arguments(list, call, scope);
        self.b.fill(call, Expr::New { of, args });
        call
    }

    /// `{ .a = 1, [2] = {…}, 3 }`.
    fn braces(&mut self, list: Node<'t>, expected: ExprId, scope: ScopeId) {
        if !self.enter() {
            return;
        }
        // What an element is expected to be; the same for all, made when one needs it.
        let mut element = NONE;
        let children = self.open(list);
        for index in children {
            let part = self.child(index).node;
            match self.kind(part) {
                Kind::InitializerPair => self.designated(part, expected, scope),
                Kind::InitializerList => {
                    if element == NONE {
                        element = self.element_of(expected);
                    }
                    self.braces(part, element, scope);
                }
                _ => {
                    self.expr(part, scope);
                }
            }
        }
        self.close(children);
        self.leave();
    }

    fn element_of(&mut self, of: ExprId) -> ExprId {
        if of == NONE {
            return NONE;
        }
        let part = IterationPart::Element;
        self.b.expr(Expr::Iter { of, part })
    }

    fn designated(&mut self, node: Node<'t>, expected: ExprId, scope: ScopeId) {
        let mut of = expected;
        for (field, part) in self.list_of(node) {
            let name = match self.kind(part) {
                Kind::FieldDesignator => part.named_child(0),
                Kind::FieldIdentifier => Some(part),
                _ if field == self.table.value => {
                    self.initializer(part, of, scope);
                    continue;
                }
                _ => None,
            };
            of = match name {
                Some(name) => self.use_of(In::Of(of), name, Role::Write, space::VALUE),
                None => {
                    self.children(part, DeclarationSite::block(scope));
                    self.element_of(of)
                }
            };
        }
    }

    /// A lambda; as an argument of a call it may take the types of its parameters from there.
    pub(super) fn lambda(
        &mut self,
        node: Node<'t>,
        call: ExprId,
        index: u32,
        scope: ScopeId,
    ) -> ExprId {
        let range = node.byte_range();
        let kind = DefKind::Lambda;
        let def = self.b.define("", kind, scope, NONE, range.clone());
        let parts = self.list_of(node);
        let mut outer = scope;
        for &(field, part) in &parts {
            if field == self.table.template_parameters {
                outer = self.b.scope(ScopeKind::Header, outer, def, range.clone());
                self.template_parameters(part, outer);
            }
        }
        let inner = self.b.scope(ScopeKind::Function, outer, def, range);
        self.b.edit(def).inner = inner;
        let first = self.b.facts.defs.len();
        for &(field, part) in &parts {
            if field == self.table.declarator {
                self.parameters(part, inner);
                if call != NONE {
                    self.given_parameters(first, inner, call, index);
                }
                if let Some(ty) = self.trailing(part, inner) {
                    self.b.edit(def).ty = ty;
                }
            } else if field == self.table.captures {
                self.captures(part, scope, inner);
            } else if field == 0 {
                self.item(part, DeclarationSite::block(inner));
            }
        }
        self.function_body(node, def, inner);
        self.b.expr(Expr::Function { def })
    }

    /// Parameters that are `auto` are what the call gives.
    fn given_parameters(&mut self, first: usize, scope: ScopeId, call: ExprId, index: u32) {
        let mut position = 0;
        for def in first..self.b.facts.defs.len() {
            let parameter = self.b.facts.defs[def];
            if parameter.kind != DefKind::Parameter || parameter.scope != scope {
                continue;
            }
            if parameter.ty == NONE {
                let of = self.b.expr(Expr::ContextualType { call, index });
                let index = position;
                let value = self.b.expr(Expr::ContextualParam { of, index });
                self.b.edit(def as u32).value = value;
            }
            position += 1;
        }
    }

    /// `[a, &b, c = d]`.
    fn captures(&mut self, list: Node<'t>, outer: ScopeId, inner: ScopeId) {
        for (_, part) in self.list_of(list) {
            if self.kind(part) != Kind::LambdaCaptureInitializer {
                self.item(part, DeclarationSite::block(outer));
                continue;
            }
            let value = child(part, self.table.right);
            let value = value.map_or(NONE, |value| self.expr(value, outer));
            if let Some(name) = child(part, self.table.left) {
                let at = DeclarationSite {
                    scope: inner,
                    look: inner,
                    place: EnclosingDeclaration::Block,
                };
                self.local(name, NONE, value, part, at);
            }
        }
    }
}

/// Words that a type is written with before its name.
fn is_word_of_type(word: &str) -> bool {
    matches!(
        word,
        "struct" | "union" | "enum" | "class" | "const" | "unsigned" | "signed" | "typename"
    )
}
