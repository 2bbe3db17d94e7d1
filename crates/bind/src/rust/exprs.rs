//! Expressions. References and what they point to are one; `?` and `.await` are not.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{RustWalk, spaces};
use crate::facts::{Expr, ExprId, Literal, NONE, Role, space};

/// Of more entries than this the first say what the others are.
pub(super) const ENTRIES: usize = 4;

impl<'t, 's> RustWalk<'t, 's> {
    pub(super) fn expr(&mut self, node: Node<'t>) -> ExprId {
        self.deeper(NONE, |walk| walk.expr_of(node))
    }

    fn expr_of(&mut self, node: Node<'t>) -> ExprId {
        match self.kind(node) {
            Kind::Identifier | Kind::SelfWord | Kind::ScopedIdentifier | Kind::Crate => {
                self.path(node, spaces::VALUE)
            }
            Kind::FieldExpression => self.field_access(node),
            Kind::Call => self.call(node),
            Kind::GenericFunction => self.generic_function(node),
            Kind::MacroCall => self.macro_call(node, false),
            Kind::StructExpression => self.struct_expression(node),
            Kind::TextLiteral | Kind::RawText => self.literal(self.text_kind(node)),
            Kind::IntegerLiteral | Kind::Negative => self.literal(Literal::Integer),
            Kind::FloatLiteral => self.literal(Literal::Float),
            Kind::BooleanLiteral => self.literal(Literal::Boolean),
            Kind::CharLiteral => self.literal(Literal::Character),
            Kind::Unit => self.b.expr(Expr::Tuple { of: NONE }),
            Kind::Unary => self.unary(node),
            Kind::Try => {
                let of = self.last_of(node);
                self.b.expr(Expr::Unwrap { of })
            }
            Kind::Await => {
                let of = self.last_of(node);
                self.b.expr(Expr::Await { of })
            }
            Kind::Binary => self.binary(node),
            Kind::Assignment | Kind::Compound => self.assignment(node),
            Kind::Cast => self.cast(node),
            Kind::Array => self.array(node),
            Kind::Tuple => {
                let mut of = Vec::new();
                self.each(node, |walk, child| of.push(walk.expr(child)));
                let of = self.b.list(&of);
                self.b.expr(Expr::Tuple { of })
            }
            Kind::Index => self.index(node),
            Kind::Closure => self.closure(node, None),
            Kind::Range => {
                // Iterating gives what its ends are.
                let mut of = NONE;
                self.each(node, |walk, child| of = walk.expr(child));
                self.b.expr(Expr::Array { of })
            }
            Kind::Return | Kind::Break | Kind::Continue | Kind::Yield => {
                self.last_of(node);
                NONE
            }
            Kind::Label => {
                self.label_use(node);
                NONE
            }
            _ => self.control(node),
        }
    }

    /// All expressions below a node; gives the last.
    pub(super) fn last_of(&mut self, node: Node<'t>) -> ExprId {
        let mut last = NONE;
        self.each(node, |walk, child| last = walk.expr(child));
        last
    }

    pub(super) fn literal(&mut self, of: Literal) -> ExprId {
        self.b.expr(Expr::Literal { of })
    }

    fn text_kind(&self, node: Node<'t>) -> Literal {
        let bytes = self.unraw(node).starts_with('b');
        if bytes { Literal::Bytes } else { Literal::Text }
    }

    /// `a.b`, `a.0`.
    fn field_access(&mut self, node: Node<'t>) -> ExprId {
        self.member(node, space::FIELD, Role::Read)
    }

    fn member(&mut self, node: Node<'t>, spaces: u8, role: Role) -> ExprId {
        let of = node.child_by_field_id(self.table.value);
        let of = of.map_or(NONE, |of| self.expr(of));
        let Some(name) = node.child_by_field_id(self.table.field) else {
            return of;
        };
        if self.kind(name) == Kind::IntegerLiteral {
            if let Ok(index) = self.unraw(name).parse() {
                return self.tuple_field(of, index);
            }
            return NONE;
        }
        let (text, at) = (self.unraw(name), self.start(name));
        self.b.member_use(of, text, at, role, spaces)
    }

    /// `.0` of a tuple, or of a struct that is like one.
    pub(super) fn tuple_field(&mut self, of: ExprId, index: u32) -> ExprId {
        let entry = self.b.expr(Expr::Entry { of, index });
        let name = index.to_string();
        let field = self.b.member_use(of, &name, NONE, Role::Read, space::FIELD);
        self.b.union(&[entry, field])
    }

    fn call(&mut self, node: Node<'t>) -> ExprId {
        let call = self.b.reserve();
        let function = node.child_by_field_id(self.table.function);
        let of = function.map_or(NONE, |function| self.callee(function));
        let mut args = Vec::new();
        if let Some(arguments) = node.child_by_field_id(self.table.arguments) {
            self.each(arguments, |walk, child| {
                if walk.kind(child) == Kind::Attribute {
                    walk.attribute(child);
                    return;
                }
                let index = args.len() as u32;
                // A reference to a closure is as good as the closure: `f(&|a| …)`.
                let inner = match walk.kind(child) {
                    Kind::Reference => child.child_by_field_name("value").unwrap_or(child),
                    _ => child,
                };
                let arg = match walk.kind(inner) {
                    Kind::Closure => walk.closure(inner, Some((call, index))),
                    _ => walk.expr(child),
                };
                args.push(arg);
            });
        }
        let args = self.b.list(&args);
        self.b.fill(call, Expr::Call { of, args });
        call
    }

    /// What is called: `a.b` is a method there.
    fn callee(&mut self, node: Node<'t>) -> ExprId {
        match self.kind(node) {
            Kind::FieldExpression => self.member(node, space::VALUE, Role::Call),
            Kind::GenericFunction => {
                let function = node.child_by_field_id(self.table.function);
                let of = function.map_or(NONE, |function| self.callee_inside(function));
                match node.child_by_field_id(self.table.type_arguments) {
                    Some(arguments) => self.apply(of, arguments),
                    None => of,
                }
            }
            Kind::Identifier | Kind::ScopedIdentifier => {
                let of = self.path(node, spaces::VALUE);
                self.b.set_role(of, Role::Call);
                of
            }
            _ => self.expr(node),
        }
    }

    fn callee_inside(&mut self, node: Node<'t>) -> ExprId {
        if self.kind(node) == Kind::GenericFunction {
            return self.expr(node);
        }
        self.callee(node)
    }

    /// `f::<T>` that is not called.
    fn generic_function(&mut self, node: Node<'t>) -> ExprId {
        let function = node.child_by_field_id(self.table.function);
        let of = function.map_or(NONE, |function| self.expr(function));
        match node.child_by_field_id(self.table.type_arguments) {
            Some(arguments) => self.apply(of, arguments),
            None => of,
        }
    }

    /// `A { b: 1, c, ..d }`.
    fn struct_expression(&mut self, node: Node<'t>) -> ExprId {
        let name = node.child_by_field_id(self.table.name);
        let of = name.map_or(NONE, |name| self.path(name, spaces::TYPE));
        self.b.set_role(of, Role::Call);
        let value = self.b.expr(Expr::Value { of });
        if let Some(body) = node.child_by_field_id(self.table.body) {
            self.each(body, |walk, child| walk.initializer(child, value));
        }
        value
    }

    fn initializer(&mut self, node: Node<'t>, of: ExprId) {
        match self.kind(node) {
            Kind::ShorthandInitializer => self.each(node, |walk, child| {
                if walk.kind(child) == Kind::Identifier {
                    walk.path(child, spaces::VALUE);
                    let (text, at) = (walk.unraw(child), walk.start(child));
                    walk.b.member_use(of, text, at, Role::Write, space::FIELD);
                } else {
                    walk.expr(child);
                }
            }),
            Kind::Initializer => {
                let mut field = NONE;
                if let Some(name) = node.child_by_field_id(self.table.field)
                    && self.kind(name) != Kind::IntegerLiteral
                {
                    let (text, at) = (self.unraw(name), self.start(name));
                    field = self.b.member_use(of, text, at, Role::Write, space::FIELD);
                }
                if let Some(value) = node.child_by_field_id(self.table.value) {
                    self.expected(value, field);
                }
            }
            _ => self.each(node, |walk, base| {
                walk.expected(base, of);
            }),
        }
    }

    /// An expression where a value like `of` is expected: there `Default::default()` is of its type.
    pub(super) fn expected(&mut self, node: Node<'t>, of: ExprId) -> ExprId {
        let function = node.child_by_field_id(self.table.function);
        let path = function.filter(|_| self.kind(node) == Kind::Call && of != NONE);
        let path = path.filter(|path| self.unraw(*path) == "Default::default");
        let Some((path, name)) = path.and_then(|path| {
            let name = path.child_by_field_id(self.table.name)?;
            Some((path.child_by_field_id(self.table.path)?, name))
        }) else {
            return self.expr(node);
        };
        self.path(path, spaces::PREFIX);
        let (text, at) = (self.unraw(name), self.start(name));
        self.b.member_use(of, text, at, Role::Call, space::VALUE);
        of
    }

    /// `-a`, `!a`; `*a` is `a`, `**self` what `self` leads to.
    fn unary(&mut self, node: Node<'t>) -> ExprId {
        let operator = self.unraw(node).chars().next().unwrap_or('*');
        let left = self.last_of(node);
        if operator == '*' {
            let is_of_self = self.unraw(node) == "**self";
            return if is_of_self {
                self.b.expr(Expr::Deref { of: left })
            } else {
                left
            };
        }
        let name = self.b.name(operator.encode_utf8(&mut [0; 4]));
        let right = NONE;
        self.b.expr(Expr::Operator { name, left, right })
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
                let operator = operator.map_or("", |operator| walk.unraw(operator));
                let right = link.child_by_field_id(walk.table.right);
                let right = right.map_or(NONE, |right| walk.expr(right));
                walk.operator(operator, left, right)
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

    fn operator(&mut self, operator: &str, left: ExprId, right: ExprId) -> ExprId {
        if matches!(
            operator,
            "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"
        ) {
            return self.literal(Literal::Boolean);
        }
        let name = self.b.name(operator);
        self.b.expr(Expr::Operator { name, left, right })
    }

    fn assignment(&mut self, node: Node<'t>) -> ExprId {
        let left = node.child_by_field_id(self.table.left);
        let right = node.child_by_field_id(self.table.right);
        let to = left.map_or(NONE, |left| self.expr(left));
        let value = right.map_or(NONE, |right| self.expr(right));
        if self.kind(node) == Kind::Compound {
            self.b.set_role(to, Role::ReadWrite);
        } else if left.is_some_and(|left| self.kind(left) != Kind::Unary) {
            self.b.set_role(to, Role::Write);
            let known = self.b.facts.expr(to);
            if matches!(known, Expr::Name { .. }) {
                self.b.assign(to, value);
            }
        }
        self.b.expr(Expr::Tuple { of: NONE })
    }

    fn cast(&mut self, node: Node<'t>) -> ExprId {
        if let Some(value) = node.child_by_field_id(self.table.value) {
            self.expr(value);
        }
        let ty = node.child_by_field_id(self.table.ty);
        let of = ty.map_or(NONE, |ty| self.ty(ty));
        self.b.expr(Expr::Value { of })
    }

    fn array(&mut self, node: Node<'t>) -> ExprId {
        let length = node.child_by_field_id(self.table.length);
        let mut entries = Vec::new();
        self.each(node, |walk, child| {
            let entry = walk.expr(child);
            if Some(child) != length && entries.len() < ENTRIES {
                entries.push(entry);
            }
        });
        let of = self.b.union(&entries);
        self.b.expr(Expr::Array { of })
    }

    /// `a[b]`; a stretch of a sequence is a sequence of the same: of what it leads to.
    fn index(&mut self, node: Node<'t>) -> ExprId {
        let mut parts = Vec::new();
        let mut stretch = false;
        self.each(node, |walk, child| {
            stretch |= walk.kind(child) == Kind::Range;
            parts.push(walk.expr(child));
        });
        let of = parts.first().copied().unwrap_or(NONE);
        if stretch {
            return self.b.expr(Expr::Deref { of });
        }
        let by = parts.get(1).copied().unwrap_or(NONE);
        self.b.expr(Expr::Index { of, by })
    }
}
