//! Blocks, statements, branches and loops.

use tree_sitter::Node;

use super::exprs::ENTRIES;
use super::kinds::Kind;
use super::walk::RustWalk;
use crate::facts::{DefKind, Expr, ExprId, IterationPart, NONE};

impl<'t, 's> RustWalk<'t, 's> {
    /// Everything that has a block of its own, and what is not known.
    pub(super) fn control(&mut self, node: Node<'t>) -> ExprId {
        match self.kind(node) {
            Kind::Block => self.block(node),
            Kind::If => self.if_expression(node),
            Kind::Match => self.match_expression(node),
            Kind::While | Kind::Loop | Kind::For => self.repeated(node),
            Kind::LetCondition => self.let_condition(node),
            Kind::Statement | Kind::Let => self.statement(node),
            Kind::Attribute | Kind::InnerAttribute => {
                self.attribute(node);
                NONE
            }
            Kind::Metavariable | Kind::TokenTree | Kind::Mutable => NONE,
            Kind::GenericType
            | Kind::GenericTurbofish
            | Kind::TypeIdentifier
            | Kind::BracketedType
            | Kind::ScopedType => self.ty(node),
            Kind::Function
            | Kind::Struct
            | Kind::Enum
            | Kind::Impl
            | Kind::Trait
            | Kind::Use
            | Kind::Mod
            | Kind::Const
            | Kind::Static
            | Kind::TypeItem
            | Kind::MacroDefinition => {
                self.item(node, 0..0);
                NONE
            }
            _ => self.last_of(node),
        }
    }

    fn block(&mut self, node: Node<'t>) -> ExprId {
        let scope = self.block_scope(node.byte_range());
        self.inside(scope, |walk| walk.statements(node))
    }

    /// The statements of a block in the current scope; gives the value at its end.
    pub(super) fn statements(&mut self, block: Node<'t>) -> ExprId {
        let mut last = NONE;
        let result = std::mem::replace(&mut self.lang.result, NONE);
        if !self.enter() {
            return NONE;
        }
        let children = self.open_named(block);
        let (mut attributes, mut is_left_out) = (children.from, false);
        for at in children {
            let child = self.child(at).node;
            last = NONE;
            let kind = self.kind(child);
            if matches!(kind, Kind::Attribute | Kind::InnerAttribute) {
                is_left_out |= self.attribute(child);
                continue;
            }
            if std::mem::take(&mut is_left_out) {
                self.leave_out(child);
            }
            match kind {
                Kind::Label => {
                    self.define_label(child, block);
                }
                Kind::Let => {
                    self.let_declaration(child);
                }
                Kind::Statement => last = self.statement(child),
                kind if is_item(kind) => {
                    self.item(child, attributes..at);
                }
                _ if at + 1 == children.to => last = self.expected(child, result),
                _ => last = self.expr(child),
            }
            attributes = at + 1;
        }
        self.close(children);
        self.leave();
        last
    }

    /// An expression as a statement; its value if it has no semicolon.
    pub(super) fn statement(&mut self, node: Node<'t>) -> ExprId {
        if self.kind(node) == Kind::Let {
            self.let_declaration(node);
            return NONE;
        }
        let value = self.last_of(node);
        if self.unraw(node).ends_with(';') {
            return NONE;
        }
        value
    }

    /// `let pattern: T = value else { … };`
    fn let_declaration(&mut self, node: Node<'t>) {
        let written = node.child_by_field_id(self.table.ty);
        let has_hole = written.is_some_and(|ty| self.has_hole(ty));
        let ty = written.map_or(NONE, |ty| self.ty(ty));
        let value = node.child_by_field_id(self.table.value);
        let expected = match ty {
            NONE => NONE,
            of => self.b.expr(Expr::Value { of }),
        };
        let value = value.map_or(NONE, |value| self.expected(value, expected));
        if let Some(otherwise) = node.child_by_field_id(self.table.alternative) {
            self.expr(otherwise);
        }
        let Some(pattern) = node.child_by_field_id(self.table.pattern) else {
            return;
        };
        let from = node.end_byte() as u32;
        if self.kind(pattern) == Kind::Identifier && !self.is_constant(pattern) {
            let def = self.bind(pattern, DefKind::Variable, value, self.lang.scope, from);
            self.b.edit(def).ty = ty;
            return;
        }
        let is_told = ty != NONE && !has_hole;
        let value = if is_told { expected } else { value };
        self.pattern(pattern, value, self.lang.scope, from);
    }

    /// Whether a part of a type is left to the value: `(Vec<_>, Vec<_>)`.
    fn has_hole(&self, ty: Node<'t>) -> bool {
        let words = |letter: char| !letter.is_alphanumeric() && letter != '_';
        self.unraw(ty).split(words).any(|word| word == "_")
    }

    /// `if`, and all its `else if` in a loop.
    fn if_expression(&mut self, node: Node<'t>) -> ExprId {
        let mut values = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let end = node.child_by_field_id(self.table.consequence);
            let end = end.map_or(node.end_byte(), |then| then.end_byte());
            let scope = self.block_scope(node.start_byte()..end);
            let value = self.inside(scope, |walk| {
                if let Some(condition) = node.child_by_field_id(walk.table.condition) {
                    walk.expr(condition);
                }
                let then = node.child_by_field_id(walk.table.consequence);
                then.map_or(NONE, |then| walk.expr(then))
            });
            values.push(value);
            at = None;
            if let Some(otherwise) = node.child_by_field_id(self.table.alternative)
                && let Some(inner) = otherwise.named_child(0)
            {
                if self.kind(inner) == Kind::If {
                    at = Some(inner);
                } else {
                    let value = self.expr(inner);
                    values.push(value);
                }
            }
        }
        self.one_of(values)
    }

    /// The value of branches: those that have one.
    fn one_of(&mut self, mut values: Vec<ExprId>) -> ExprId {
        values.retain(|value| *value != NONE);
        values.truncate(ENTRIES);
        self.b.union(&values)
    }

    /// `let pattern = value` in a condition: what it binds is seen behind it.
    fn let_condition(&mut self, node: Node<'t>) -> ExprId {
        let value = node.child_by_field_id(self.table.value);
        let value = value.map_or(NONE, |value| self.expr(value));
        if let Some(pattern) = node.child_by_field_id(self.table.pattern) {
            let from = node.end_byte() as u32;
            self.pattern(pattern, value, self.lang.scope, from);
        }
        NONE
    }

    fn match_expression(&mut self, node: Node<'t>) -> ExprId {
        let value = node.child_by_field_id(self.table.value);
        let value = value.map_or(NONE, |value| self.expr(value));
        let mut values = Vec::new();
        if let Some(body) = node.child_by_field_id(self.table.body) {
            self.each(body, |walk, child| {
                if walk.kind(child) == Kind::Arm {
                    values.push(walk.arm(child, value));
                } else {
                    walk.expr(child);
                }
            });
        }
        self.one_of(values)
    }

    fn arm(&mut self, node: Node<'t>, subject: ExprId) -> ExprId {
        let scope = self.block_scope(node.byte_range());
        let mut result = NONE;
        self.inside(scope, |walk| {
            walk.each(node, |walk, child| match walk.kind(child) {
                Kind::MatchPattern => walk.match_pattern(child, subject),
                _ => result = walk.expr(child),
            });
        });
        result
    }

    fn match_pattern(&mut self, node: Node<'t>, subject: ExprId) {
        let condition = node.child_by_field_id(self.table.condition);
        let from = node.start_byte() as u32;
        self.each(node, |walk, child| {
            if Some(child) == condition {
                walk.expr(child);
            } else {
                walk.pattern(child, subject, walk.lang.scope, from);
            }
        });
    }

    /// `while`, `loop`, `for`.
    fn repeated(&mut self, node: Node<'t>) -> ExprId {
        let outside = self.lang.scope;
        let scope = self.block_scope(node.byte_range());
        self.inside(scope, |walk| {
            if let Some(label) = node.named_child(0)
                && walk.kind(label) == Kind::Label
            {
                walk.define_label(label, node);
            }
            if let Some(condition) = node.child_by_field_id(walk.table.condition) {
                walk.expr(condition);
            }
            if let Some(value) = node.child_by_field_id(walk.table.value) {
                let of = walk.inside(outside, |walk| walk.expr(value));
                let part = IterationPart::Element;
                let value = walk.b.expr(Expr::Iter { of, part });
                if let Some(pattern) = node.child_by_field_id(walk.table.pattern) {
                    walk.pattern(pattern, value, scope, 0);
                }
            }
            if let Some(body) = node.child_by_field_id(walk.table.body) {
                walk.expr(body);
            }
        });
        NONE
    }
}

fn is_item(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Mod
            | Kind::Function
            | Kind::Signature
            | Kind::Struct
            | Kind::UnionItem
            | Kind::Enum
            | Kind::Impl
            | Kind::Trait
            | Kind::Const
            | Kind::Static
            | Kind::TypeItem
            | Kind::Use
            | Kind::ExternCrate
            | Kind::MacroDefinition
            | Kind::Foreign
    )
}
