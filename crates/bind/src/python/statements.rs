//! Statements.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{PythonWalk, start};
use crate::facts::{DefKind, Expr, IterationPart, Role, space};

impl<'t> PythonWalk<'t> {
    /// The statements of a block, the file, or of anything else that holds statements.
    pub(super) fn block(&mut self, node: Node<'t>) {
        if !self.enter() {
            return;
        }
        let around = std::mem::replace(&mut self.lang.block_end, node.end_byte());
        let children = self.open_named(node);
        for at in children {
            self.statement(self.child(at).node);
        }
        self.close(children);
        self.lang.block_end = around;
        self.leave();
    }

    fn statement(&mut self, node: Node<'t>) {
        match self.kind(node) {
            Kind::ExpressionStatement => self.expression_statement(node),
            Kind::Import => self.import(node),
            Kind::ImportFrom => self.import_from(node),
            Kind::Future => {}
            Kind::Function => self.function(node, None),
            Kind::Class => self.class(node, None),
            Kind::Decorated => self.decorated(node),
            Kind::If => self.if_statement(node),
            Kind::For => self.for_statement(node),
            Kind::While => self.while_statement(node),
            Kind::With => self.with(node),
            Kind::Try | Kind::Finally | Kind::Else => self.parts(node),
            Kind::Except => self.except(node),
            Kind::Match => self.match_statement(node),
            Kind::Return => self.return_statement(node),
            Kind::Assert => self.assert(node),
            Kind::Delete => self.delete(node),
            Kind::Global => self.outer_names(node, true),
            Kind::Nonlocal => self.outer_names(node, false),
            Kind::TypeAlias => self.type_alias(node),
            Kind::Block | Kind::Module => self.block(node),
            _ if node.is_error() => self.block(node),
            Kind::Raise => self.exprs_of(node),
            _ => {
                self.expr(node);
            }
        }
    }

    fn expression_statement(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        for at in children {
            let child = self.child(at).node;
            match self.kind(child) {
                Kind::Assignment => {
                    self.assignment(child);
                }
                Kind::Augmented => self.augmented(child),
                Kind::Call => {
                    self.expr(child);
                    self.extends_exports(child);
                }
                _ => {
                    self.expr(child);
                }
            }
        }
        self.close(children);
    }

    /// Clauses and blocks one after the other.
    fn parts(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        for at in children {
            self.statement(self.child(at).node);
        }
        self.close(children);
    }

    fn return_statement(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        for at in children {
            let value = self.expr(self.child(at).node);
            self.lang.frame.returns.push(value);
        }
        self.close(children);
    }

    fn assert(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let mut facts = super::narrow::NarrowedFacts::default();
        for at in children {
            if at == children.from {
                self.condition(self.child(at).node, &mut facts);
            } else {
                self.expr(self.child(at).node);
            }
        }
        self.close(children);
        self.know(&facts.yes, node.end_byte()..self.lang.block_end);
    }

    fn delete(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        for at in children {
            let target = self.expr(self.child(at).node);
            self.b.set_role(target, Role::Write);
        }
        self.close(children);
    }

    fn outer_names(&mut self, node: Node<'t>, global: bool) {
        let children = self.open_named(node);
        for at in children {
            let name = self.child(at).node;
            let text = self.text(name);
            self.lang.frame.outer.push((text, global));
            let scope = self.outer_scope(global);
            self.b
                .name_use(text, scope, start(name), Role::Read, space::ANY);
        }
        self.close(children);
    }

    fn if_statement(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let mut otherwise: Vec<super::narrow::Fact> = Vec::new();
        let mut exits = true;
        let mut facts = super::narrow::NarrowedFacts::default();
        // Whether an arm is for all, and what the condition of the next one says.
        let (mut is_taken, mut holds) = (false, None);
        for at in children {
            let (child, field) = (self.child(at).node, self.child(at).field);
            let is_elif = self.kind(child) == Kind::Elif;
            if field == self.table.condition || is_elif {
                let condition = match is_elif {
                    true => child.child_by_field_id(self.table.condition),
                    false => Some(child),
                };
                holds = condition.and_then(|condition| self.holds(condition));
            }
            let is_arm = field == self.table.consequence || is_elif;
            if is_arm && (is_taken || holds == Some(false))
                || is_taken && self.kind(child) == Kind::Else
            {
                self.leave_out(child);
            }
            is_taken |= is_arm && holds == Some(true);
            if field == self.table.condition {
                self.condition(child, &mut facts);
            } else if is_elif {
                self.know(&otherwise, child.byte_range());
                facts = self.elif(child, &mut exits);
                if exits {
                    otherwise.append(&mut facts.no);
                }
            } else if self.kind(child) == Kind::Else {
                self.know(&otherwise, child.byte_range());
                self.parts(child);
                exits = false;
            } else if field == self.table.consequence {
                self.know(&facts.yes, child.byte_range());
                self.block(child);
                otherwise.append(&mut facts.no);
                exits = self.leaves(child);
            } else {
                self.statement(child);
            }
        }
        self.close(children);
        if exits {
            self.know(&otherwise, node.end_byte()..self.lang.block_end);
        }
    }

    fn elif(&mut self, node: Node<'t>, exits: &mut bool) -> super::narrow::NarrowedFacts {
        let mut facts = super::narrow::NarrowedFacts::default();
        let children = self.open_named(node);
        for at in children {
            let child = self.child(at).node;
            if self.child(at).field == self.table.condition {
                self.condition(child, &mut facts);
            } else {
                self.know(&facts.yes, child.byte_range());
                self.block(child);
                *exits &= self.leaves(child);
            }
        }
        self.close(children);
        facts
    }

    /// Whether a block ends by leaving what is around it.
    fn leaves(&self, block: Node<'t>) -> bool {
        let count = block.named_child_count();
        let last = (0..count)
            .rev()
            .filter_map(|at| block.named_child(at as u32))
            .find(|child| !child.is_extra());
        last.is_some_and(|last| {
            matches!(
                self.kind(last),
                Kind::Return | Kind::Raise | Kind::Break | Kind::Continue
            )
        })
    }

    fn while_statement(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let mut facts = super::narrow::NarrowedFacts::default();
        for at in children {
            let child = self.child(at).node;
            if self.child(at).field == self.table.condition {
                self.condition(child, &mut facts);
            } else {
                if self.child(at).field == self.table.body {
                    self.know(&facts.yes, child.byte_range());
                }
                self.statement(child);
            }
        }
        self.close(children);
    }

    fn for_statement(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let right = self.node_in(children, self.table.right);
        let of = right.map(|right| self.expr(right));
        let body = self.node_in(children, self.table.body);
        if let (Some(of), Some(left)) = (of, self.node_in(children, self.table.left)) {
            let part = IterationPart::Element;
            let value = self.b.expr(Expr::Iter { of, part });
            let stretch = body.map_or(0..0, |body| body.byte_range());
            self.target(left, value, &stretch);
        }
        for at in children {
            let field = self.child(at).field;
            if field != self.table.left && field != self.table.right {
                self.statement(self.child(at).node);
            }
        }
        self.close(children);
    }

    fn with(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let asynchronous = self.text(node).starts_with("async");
        let end = node.end_byte();
        for at in children {
            let child = self.child(at).node;
            if self.kind(child) == Kind::WithClause {
                let items = self.open_named(child);
                for item in items {
                    let item = self.child(item).node;
                    self.with_item(item, asynchronous, item.end_byte()..end);
                }
                self.close(items);
            } else {
                self.statement(child);
            }
        }
        self.close(children);
    }

    fn with_item(&mut self, item: Node<'t>, asynchronous: bool, stretch: std::ops::Range<usize>) {
        let children = self.open_named(item);
        for at in children {
            let child = self.child(at).node;
            match self.kind(child) {
                Kind::AsPattern => self.entered(child, asynchronous, &stretch),
                // `with (a as b, c as d)` is a tuple to the grammar.
                Kind::Tuple | Kind::Parenthesized => {
                    self.with_item(child, asynchronous, stretch.clone());
                }
                _ => {
                    self.expr(child);
                }
            }
        }
        self.close(children);
    }

    /// `with manager as target`.
    fn entered(&mut self, pattern: Node<'t>, asynchronous: bool, stretch: &std::ops::Range<usize>) {
        let children = self.open_named(pattern);
        if let Some(manager) = children.iter().next().map(|at| self.child(at).node) {
            let of = self.expr(manager);
            let enter = if asynchronous {
                "__aenter__"
            } else {
                "__enter__"
            };
            let of = self.implied(of, enter);
            let args = crate::facts::NONE;
            let mut value = self.b.expr(Expr::Call { of, args });
            if asynchronous {
                value = self.b.expr(Expr::Await { of: value });
            }
            if let Some(target) = self.node_in(children, self.table.alias) {
                self.target(target, value, stretch);
            }
        }
        self.close(children);
    }

    fn except(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let end = node.end_byte();
        for at in children {
            let child = self.child(at).node;
            match self.kind(child) {
                Kind::Block => self.block(child),
                Kind::AsPattern => {
                    let inner = self.open_named(child);
                    if let Some(class) = inner.iter().next().map(|at| self.child(at).node) {
                        let value = self.caught(class);
                        if let Some(target) = self.node_in(inner, self.table.alias) {
                            self.target(target, value, &(target.end_byte()..end));
                        }
                    }
                    self.close(inner);
                }
                _ => {
                    self.caught(child);
                }
            }
        }
        self.close(children);
    }

    /// A value of the classes that `except` names.
    fn caught(&mut self, class: Node<'t>) -> u32 {
        let of = self.classes(class);
        self.b.expr(Expr::Value { of })
    }

    fn type_alias(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let (left, right) = (
            self.node_in(children, self.table.left),
            self.node_in(children, self.table.right),
        );
        self.close(children);
        let Some((name, parameters)) = left.and_then(|left| self.generic_name(left)) else {
            return;
        };
        let text = self.text(name);
        let def = self.b.define(
            text,
            DefKind::TypeAlias,
            self.lang.frame.scope,
            start(name),
            node.byte_range(),
        );
        let header = self.header(def, parameters, node.byte_range());
        if header != self.lang.scope {
            self.b.edit(def).inner = header;
        }
        if let Some(right) = right {
            let mut ty = crate::facts::NONE;
            self.inside(header, |walk| ty = walk.ty(right));
            self.b.edit(def).ty = ty;
        }
    }
}
