//! Expressions.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::narrow::NarrowedFacts;
use super::types::is_generic;
use super::walk::{PythonWalk, start};
use crate::facts::{Expr, ExprId, IterationPart, Literal, NONE, Role, ScopeKind, space};

/// Of more entries than this the first say what the others are.
const ENTRIES: usize = 4;

impl<'t> PythonWalk<'t> {
    pub(super) fn expr(&mut self, node: Node<'t>) -> ExprId {
        self.deeper(NONE, |walk| walk.expr_of(node))
    }

    fn expr_of(&mut self, node: Node<'t>) -> ExprId {
        match self.kind(node) {
            Kind::Identifier => {
                let text = self.text(node);
                self.b
                    .name_use(text, self.lang.scope, start(node), Role::Read, space::ANY)
            }
            Kind::Attribute => self.attribute(node),
            Kind::Call => self.call(node),
            Kind::Subscript => self.subscript(node),
            Kind::Text | Kind::Concatenated => self.string(node),
            Kind::Integer => self.literal(Literal::Integer),
            Kind::Float => self.literal(Literal::Float),
            Kind::True | Kind::False => self.literal(Literal::Boolean),
            Kind::Nothing => self.literal(Literal::Null),
            Kind::Comparison => {
                self.exprs_of(node);
                self.literal(Literal::Boolean)
            }
            Kind::Not | Kind::Boolean => self.condition(node, &mut NarrowedFacts::default()),
            Kind::Binary => self.binary(node),
            Kind::Unary => self.unary(node),
            Kind::Conditional => self.conditional(node),
            Kind::Lambda => self.lambda(node, None),
            Kind::Await => {
                let of = self.last_of(node);
                self.b.expr(Expr::Await { of })
            }
            Kind::Named => self.named(node),
            Kind::List | Kind::Set => self.sequence(node),
            Kind::Tuple | Kind::ExpressionList | Kind::PatternList => self.tuple(node),
            Kind::Dictionary => self.dictionary(node),
            Kind::ListComprehension | Kind::SetComprehension | Kind::Generator => {
                self.comprehension(node)
            }
            Kind::DictComprehension => self.comprehension(node),
            Kind::Yield => self.yields(node),
            Kind::Assignment => self.assignment(node),
            Kind::Augmented => {
                self.augmented(node);
                NONE
            }
            Kind::Ellipsis => self.b.expr(Expr::Opaque),
            Kind::Slice => {
                self.exprs_of(node);
                self.b.expr(Expr::Opaque)
            }
            Kind::ListSplat | Kind::ListSplatPattern => {
                let of = self.last_of(node);
                let part = IterationPart::Element;
                self.b.expr(Expr::Iter { of, part })
            }
            Kind::Type | Kind::GenericType | Kind::UnionType | Kind::MemberType => self.ty(node),
            Kind::Block => {
                self.block(node);
                NONE
            }
            Kind::Function => {
                self.function(node, None);
                NONE
            }
            _ => self.last_of(node),
        }
    }

    fn literal(&mut self, of: Literal) -> ExprId {
        self.b.expr(Expr::Literal { of })
    }

    /// All expressions below a node; gives the last.
    fn last_of(&mut self, node: Node<'t>) -> ExprId {
        let children = self.open_named(node);
        let mut last = NONE;
        for at in children {
            last = self.expr(self.child(at).node);
        }
        self.close(children);
        last
    }

    /// The word or sign between two nodes.
    pub(super) fn between(&self, left: Node<'_>, right: Node<'_>) -> &'t str {
        let between = self.text.get(left.end_byte()..right.start_byte());
        let between = between.unwrap_or("").trim_start_matches([')', ' ', '\n']);
        between.split_whitespace().next().unwrap_or("")
    }

    fn attribute(&mut self, node: Node<'t>) -> ExprId {
        let children = self.open_named(node);
        let object = self.node_in(children, self.table.object);
        let name = self.node_in(children, self.table.attribute);
        self.close(children);
        let (Some(object), Some(name)) = (object, name) else {
            return self.last_of(node);
        };
        let of = self.expr(object);
        let (text, at) = (self.text(name), start(name));
        if text == "__class__" {
            return self.b.expr(Expr::TypeOf { of });
        }
        self.b.member_use(of, text, at, Role::Read, space::ANY)
    }

    fn call(&mut self, node: Node<'t>) -> ExprId {
        let children = self.open_named(node);
        let function = self.node_in(children, self.table.function);
        let arguments = self.node_in(children, self.table.arguments);
        self.close(children);
        let Some(function) = function else {
            return self.last_of(node);
        };
        let call = self.b.reserve();
        let of = self.expr(function);
        self.b.set_role(of, Role::Call);
        let name = self.text(function);
        let args = match arguments {
            Some(arguments) if self.kind(arguments) == Kind::Generator => {
                vec![self.expr(arguments)]
            }
            Some(arguments) => self.arguments(arguments, call, name),
            None => Vec::new(),
        };
        let expr = match (name, args.as_slice()) {
            ("super", &[of, ..]) if !self.is_own_class(of) => self.super_of(of),
            ("super", _) => Expr::Super {
                scope: self.lang.scope,
            },
            ("type", &[of]) => Expr::TypeOf { of },
            ("cast" | "typing.cast" | "t.cast", &[of, _]) => Expr::Value { of },
            _ => {
                let args = self.b.list(&args);
                Expr::Call { of, args }
            }
        };
        self.b.fill(call, expr);
        call
    }

    /// `super(Other, self)`: what comes behind another class than the one around.
    fn super_of(&mut self, class: ExprId) -> Expr {
        let scope = self.lang.scope;
        let of = self.b.expr(Expr::Super { scope });
        let args = self.b.list(&[class]);
        Expr::Apply { of, args }
    }

    /// Whether an expression names the class around, or is nothing that would name one.
    fn is_own_class(&self, of: ExprId) -> bool {
        let facts = &self.b.facts;
        let name = match facts.expr(of) {
            Expr::Name { name, .. } => name,
            expr => return !matches!(expr, Expr::Member { .. }),
        };
        let own = self
            .lang
            .frame
            .class
            .map(|class| facts.scopes[class.scope as usize].owner);
        let own = own.and_then(|own| facts.defs.get(own as usize));
        own.is_some_and(|own| own.name == name)
    }

    /// `name` is what is called: some take types.
    fn arguments(&mut self, node: Node<'t>, call: ExprId, name: &str) -> Vec<ExprId> {
        let children = self.open_named(node);
        let mut args = Vec::with_capacity(children.len());
        for at in children {
            let child = self.child(at).node;
            let index = (at - children.from) as u32;
            let arg = match self.kind(child) {
                Kind::KeywordArgument => self.keyword_argument(child, call, index),
                Kind::Lambda => self.lambda(child, Some((call, index))),
                _ if takes_type(name, index) => self.ty(child),
                _ if index == 1 && matches!(name, "isinstance" | "issubclass") => {
                    self.classes(child)
                }
                _ => self.expr(child),
            };
            args.push(arg);
        }
        self.close(children);
        args
    }

    fn keyword_argument(&mut self, node: Node<'t>, call: ExprId, index: u32) -> ExprId {
        let children = self.open_named(node);
        let name = self.node_in(children, self.table.name);
        let value = self.node_in(children, self.table.value);
        self.close(children);
        let text = name.map_or("", |name| self.text(name));
        let value = match value {
            Some(value) if text == "bound" => self.ty(value),
            Some(value) if self.kind(value) == Kind::Lambda => {
                self.lambda(value, Some((call, index)))
            }
            Some(value) => self.expr(value),
            None => NONE,
        };
        let at = name.map_or(NONE, start);
        let name = self.b.name(text);
        self.b.expr(Expr::Keyword {
            call,
            name,
            at,
            value,
        })
    }

    fn subscript(&mut self, node: Node<'t>) -> ExprId {
        let children = self.open_named(node);
        let value = self.node_in(children, self.table.value);
        let name = value.map_or("", |value| self.text(value));
        if is_generic(name.rsplit('.').next().unwrap_or("")) {
            self.close(children);
            return self.ty(node);
        }
        let mut of = NONE;
        let mut by = Vec::new();
        let mut slices = false;
        for at in children {
            let child = self.child(at).node;
            let value = self.expr(child);
            if self.child(at).field == self.table.value {
                of = value;
            } else {
                slices |= self.kind(child) == Kind::Slice;
                by.push(self.constant_index(child).unwrap_or(value));
            }
        }
        self.close(children);
        let by = match *by {
            [one] => one,
            _ => {
                let of = self.b.list(&by);
                self.b.expr(Expr::Tuple { of })
            }
        };
        // A stretch of a sequence is a sequence of the same.
        if slices {
            return of;
        }
        self.b.expr(Expr::Index { of, by })
    }

    /// An index that is written as a small number: it says which part of a tuple is meant.
    fn constant_index(&mut self, node: Node<'t>) -> Option<ExprId> {
        const LONGEST: usize = 2;
        let text = self.text(node);
        let is_small = self.kind(node) == Kind::Integer && text.len() <= LONGEST;
        if !is_small || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let value = self.b.name(text);
        let of = Literal::Integer;
        Some(self.b.expr(Expr::Constant { of, value }))
    }

    /// `a + b + c`.
    fn binary(&mut self, node: Node<'t>) -> ExprId {
        self.left_chain(
            node,
            Self::left_operand,
            |walk, first| match first == node {
                true => walk.last_of(first),
                false => walk.expr(first),
            },
            |walk, link, left| {
                let operator = link.child_by_field_id(walk.table.operator);
                let operator = operator.map_or("", |operator| walk.text(operator));
                let right = link.child_by_field_id(walk.table.right);
                let right = right.map_or(NONE, |right| walk.expr(right));
                let name = walk.b.name(operator);
                walk.b.expr(Expr::Operator { name, left, right })
            },
        )
    }

    /// The left operand of an operator that has both.
    fn left_operand(&self, node: Node<'t>) -> Option<Node<'t>> {
        if self.kind(node) != Kind::Binary {
            return None;
        }
        node.child_by_field_id(self.table.right)?;
        node.child_by_field_id(self.table.left)
    }

    fn unary(&mut self, node: Node<'t>) -> ExprId {
        let operator = node.child_by_field_id(self.table.operator);
        let name = operator.map_or("", |operator| self.text(operator));
        let left = self.last_of(node);
        let name = self.b.name(name);
        let right = NONE;
        self.b.expr(Expr::Operator { name, left, right })
    }

    /// `a if condition else b`.
    fn conditional(&mut self, node: Node<'t>) -> ExprId {
        let children = self.open_named(node);
        let mut of = Vec::with_capacity(2);
        if let [yes, condition, no] = *children.iter().collect::<Vec<_>>() {
            let mut facts = NarrowedFacts::default();
            self.condition(self.child(condition).node, &mut facts);
            let (yes, no) = (self.child(yes).node, self.child(no).node);
            self.know(&facts.yes, yes.byte_range());
            self.know(&facts.no, no.byte_range());
            for one in [yes, no] {
                let one = self.expr(one);
                of.push(one);
            }
        }
        self.close(children);
        self.b.union(&of)
    }

    /// `name := value`.
    fn named(&mut self, node: Node<'t>) -> ExprId {
        let children = self.open_named(node);
        let name = self.node_in(children, self.table.name);
        let value = self.node_in(children, self.table.value);
        self.close(children);
        let value = value.map_or(NONE, |value| self.expr(value));
        if let Some(name) = name {
            self.bind_name(name, value, NONE, &(node.end_byte()..self.lang.block_end));
        }
        value
    }

    fn entries(&mut self, node: Node<'t>) -> Vec<ExprId> {
        let children = self.open_named(node);
        let mut entries = Vec::with_capacity(children.len());
        for at in children {
            let entry = self.expr(self.child(at).node);
            entries.push(entry);
        }
        self.close(children);
        entries
    }

    fn sequence(&mut self, node: Node<'t>) -> ExprId {
        let mut entries = self.entries(node);
        entries.truncate(ENTRIES);
        let of = self.b.union(&entries);
        self.b.expr(Expr::Array { of })
    }

    fn tuple(&mut self, node: Node<'t>) -> ExprId {
        let entries = self.entries(node);
        let of = self.b.list(&entries);
        self.b.expr(Expr::Tuple { of })
    }

    fn dictionary(&mut self, node: Node<'t>) -> ExprId {
        let children = self.open_named(node);
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for at in children {
            let child = self.child(at).node;
            let (key, value) = match self.kind(child) {
                Kind::Pair => self.pair(child),
                Kind::DictionarySplat => {
                    let of = self.last_of(child);
                    self.entries_of(of)
                }
                _ => {
                    self.expr(child);
                    continue;
                }
            };
            if keys.len() < ENTRIES {
                keys.push(key);
                values.push(value);
            }
        }
        self.close(children);
        let key = self.b.union(&keys);
        let value = self.b.union(&values);
        self.b.expr(Expr::Map { key, value })
    }

    /// Keys and values of a mapping that is unpacked: `{**of}`.
    fn entries_of(&mut self, of: ExprId) -> (ExprId, ExprId) {
        let part = IterationPart::Element;
        let key = self.b.expr(Expr::Iter { of, part });
        let value = self.b.expr(Expr::Index { of, by: NONE });
        (key, value)
    }

    fn pair(&mut self, node: Node<'t>) -> (ExprId, ExprId) {
        let children = self.open_named(node);
        let key = self.node_in(children, self.table.key);
        let value = self.node_in(children, self.table.value);
        self.close(children);
        let key = key.map_or(NONE, |key| self.expr(key));
        let value = value.map_or(NONE, |value| self.expr(value));
        (key, value)
    }

    /// Comprehensions: clauses are evaluated before the body that stands before them.
    fn comprehension(&mut self, node: Node<'t>) -> ExprId {
        let scope = self
            .b
            .scope(ScopeKind::Block, self.lang.scope, NONE, node.byte_range());
        let children = self.open_named(node);
        let body = self.node_in(children, self.table.body);
        let around = self.lang.scope;
        for at in children {
            let child = self.child(at).node;
            match self.kind(child) {
                Kind::ForIn => {
                    self.clause(child, scope);
                    self.lang.scope = scope;
                }
                Kind::IfClause => {
                    let mut facts = NarrowedFacts::default();
                    let inner = self.open_named(child);
                    for at in inner {
                        self.condition(self.child(at).node, &mut facts);
                    }
                    self.close(inner);
                    self.know(&facts.yes, node.byte_range());
                }
                _ => {}
            }
        }
        self.close(children);
        let result = match body {
            Some(body) if self.kind(body) == Kind::Pair => {
                let (key, value) = self.pair(body);
                Expr::Map { key, value }
            }
            Some(body) => self.comprised(body),
            None => Expr::Opaque,
        };
        self.lang.scope = around;
        self.b.expr(result)
    }

    /// What a comprehension makes of its body, which may be unpacked (PEP 798): the grammar is not shown the stars
    /// (`syntax/preprocess/python`).
    fn comprised(&mut self, body: Node<'t>) -> Expr {
        let before = self.text_before(body);
        let of = self.expr(body);
        if before.ends_with("**") {
            let (key, value) = self.entries_of(of);
            return Expr::Map { key, value };
        }
        let is_unpacked = before.ends_with('*');
        let part = IterationPart::Element;
        Expr::Array {
            of: match is_unpacked {
                true => self.b.expr(Expr::Iter { of, part }),
                false => of,
            },
        }
    }

    /// The text before a node on its line, without the blanks at its end.
    fn text_before(&self, node: Node<'t>) -> &'t str {
        let before = self.text.get(..node.start_byte()).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        before.get(line..).unwrap_or("").trim_end()
    }

    /// `for target in iterable`, the first of which is looked up outside.
    fn clause(&mut self, node: Node<'t>, scope: u32) {
        let children = self.open_named(node);
        let left = self.node_in(children, self.table.left);
        let right = self.node_in(children, self.table.right);
        self.close(children);
        let of = right.map_or(NONE, |right| self.expr(right));
        if let Some(left) = left {
            let part = IterationPart::Element;
            let value = self.b.expr(Expr::Iter { of, part });
            let frame = std::mem::replace(&mut self.lang.frame.scope, scope);
            let empty: Range<usize> = 0..0;
            self.inside(scope, |walk| walk.target(left, value, &empty));
            self.lang.frame.scope = frame;
        }
    }

    fn yields(&mut self, node: Node<'t>) -> ExprId {
        self.lang.frame.generator = true;
        let from = self.text(node).trim_start_matches("yield").trim_start();
        let from = from.starts_with("from") && !from[4..].starts_with(is_word);
        let value = self.last_of(node);
        if value != NONE {
            let part = IterationPart::Element;
            let value = match from {
                true => self.b.expr(Expr::Iter { of: value, part }),
                false => value,
            };
            self.lang.frame.yields.push(value);
        }
        NONE
    }
}

fn is_word(next: char) -> bool {
    next.is_alphanumeric() || next == '_'
}

/// Whether a function's argument is a type, in quotes or not.
fn takes_type(name: &str, index: u32) -> bool {
    match name.rsplit('.').next().unwrap_or("") {
        "cast" => index == 0,
        "NewType" | "TypeAliasType" => index == 1,
        "TypeVar" => index > 0,
        _ => false,
    }
}
