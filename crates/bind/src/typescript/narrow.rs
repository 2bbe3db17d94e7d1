//! What tests say of values: `instanceof`, `typeof`, functions that guard or assert, what members are compared with.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::TypeScriptWalk;
use crate::facts::{Expr, ExprId, Literal, NONE, Role, ScopeId, space};
use crate::nodes::named_children;

/// More cases than these that run on into one another are not told apart.
const MAX: usize = 64;

impl<'t> TypeScriptWalk<'t> {
    /// What a condition says about types where it holds and where it does not.
    pub(super) fn narrow_by(
        &mut self,
        condition: Node<'t>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        self.deeper((), |walk| {
            walk.narrow_by_now(condition, scope, then, otherwise);
        });
    }

    fn narrow_by_now(
        &mut self,
        condition: Node<'t>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        match self.kind(condition) {
            Kind::ParenthesizedExpression => {
                if let Some(inner) = condition.named_child(0) {
                    self.narrow_by(inner, scope, then, otherwise);
                }
            }
            Kind::UnaryExpression if self.has(condition, "!") => {
                if let Some(inner) = self.field(condition, |table| table.argument) {
                    self.narrow_by(inner, scope, otherwise, then);
                }
            }
            Kind::BinaryExpression => {
                self.narrow_by_operator(condition, scope, then, otherwise);
            }
            Kind::MemberExpression | Kind::SubscriptExpression | Kind::Identifier => {
                let value = self.b.expr(Expr::Literal {
                    of: Literal::Boolean,
                });
                self.narrow_by_member(condition, value, scope, then, otherwise);
            }
            Kind::CallExpression => {
                self.narrow_by_call(condition, scope, then, otherwise);
            }
            _ => {}
        }
    }

    fn narrow_by_operator(
        &mut self,
        condition: Node<'t>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        let (Some(left), Some(right)) = (
            self.field(condition, |table| table.left),
            self.field(condition, |table| table.right),
        ) else {
            return;
        };
        if self.has(condition, "&&") {
            self.narrow_by(left, scope, then.clone(), None);
            self.narrow_by(right, scope, then, None);
            self.narrow_by_disjunction(condition, scope, false, otherwise);
        } else if self.has(condition, "||") {
            self.narrow_by_disjunction(condition, scope, true, then);
            self.narrow_by(left, scope, None, otherwise.clone());
            self.narrow_by(right, scope, None, otherwise);
        } else if self.has(condition, "instanceof") {
            let of = self.unwritten(left, scope);
            let ty = self.unwritten(right, scope);
            self.narrowed(of, ty, then, otherwise);
        } else if self.has(condition, "===") || self.has(condition, "==") {
            self.narrow_by_equality(left, right, scope, then, otherwise);
        } else if self.has(condition, "!==") || self.has(condition, "!=") {
            self.narrow_by_equality(left, right, scope, otherwise, then);
        } else if self.has(condition, "in")
            && let Some((member, _)) = self.key(left).filter(|_| self.kind(left) == Kind::String)
        {
            let of = self.unwritten(right, scope);
            let narrowed = self.discriminant(member, NONE);
            self.narrowed(of, narrowed, then, otherwise);
        }
    }

    /// `isT(x)`: the function may say what its first argument is.
    fn narrow_by_call(
        &mut self,
        call: Node<'t>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        let (Some(function), Some(arguments)) = (
            self.field(call, |table| table.function),
            self.field(call, |table| table.arguments),
        ) else {
            return;
        };
        let Some(first) = arguments.named_child(0) else {
            return;
        };
        let of = self.unwritten(first, scope);
        if of == NONE {
            return;
        }
        let ty = self.jsdoc_by(function, scope);
        self.narrowed(of, ty, then, otherwise);
    }

    /// What a function says of its first argument where it gives true.
    pub(super) fn jsdoc_by(&mut self, function: Node<'t>, scope: ScopeId) -> ExprId {
        let function = self.unwritten(function, scope);
        if function == NONE {
            return NONE;
        }
        let call = self.b.expr(Expr::Call {
            of: function,
            args: NONE,
        });
        self.b.expr(Expr::Unwrap { of: call })
    }

    /// `typeof x === "function"`, `x.kind === "circle"`, `x.kind === Kind.Circle`, the other way round as well.
    fn narrow_by_equality(
        &mut self,
        left: Node<'t>,
        right: Node<'t>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        let is_typeof = |walk: &Self, side| {
            walk.kind(side) == Kind::UnaryExpression && walk.has(side, "typeof")
        };
        for (subject, other) in [(left, right), (right, left)] {
            if is_typeof(self, subject) {
                return self.narrow_by_name(subject, other, scope, then, otherwise);
            }
            if !self.may_discriminate(subject) {
                continue;
            }
            let value = self.compared(other, scope);
            if value != NONE {
                self.narrow_by_member(subject, value, scope, then.clone(), otherwise.clone());
            }
        }
    }

    /// What a member is compared with: a constant, or names that may lead to one.
    pub(super) fn compared(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        match self.constant(node) {
            Some(constant) => constant,
            None => self.unwritten(node, scope),
        }
    }

    /// What the value of a member says of what it is a member of, and that of a name which a pattern took of
    /// something of what it took with it.
    pub(super) fn narrow_by_member(
        &mut self,
        member: Node<'t>,
        value: ExprId,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        if self.kind(member) == Kind::Identifier {
            let Some((member, beside)) = self.taken_with(self.text(member), scope) else {
                return;
            };
            let narrowed = self.discriminant(member, value);
            for (name, of) in beside {
                let narrowed = self.b.expr(Expr::Indirect { of, narrowed });
                self.narrowed(name, narrowed, then.clone(), otherwise.clone());
            }
        } else if let Some((object, name)) = self.member_of(member) {
            let of = self.unwritten(object, scope);
            let narrowed = self.discriminant(name, value);
            self.narrowed(of, narrowed, then, otherwise);
        }
    }

    /// The object and the name of `x.name` and `x["name"]`.
    fn member_of(&self, node: Node<'t>) -> Option<(Node<'t>, &'t str)> {
        let object = self.field(node, |table| table.object)?;
        if let Some(property) = self.field(node, |table| table.property) {
            return Some((object, self.text(property)));
        }
        let index = self.field(node, |table| table.index)?;
        let is_written = self.kind(index) == Kind::String;
        let (name, _) = self.key(index).filter(|_| is_written)?;
        Some((object, name))
    }

    /// Whether the value of something may tell what something else is.
    fn may_discriminate(&self, node: Node<'t>) -> bool {
        match self.kind(node) {
            Kind::MemberExpression | Kind::SubscriptExpression => self.member_of(node).is_some(),
            Kind::Identifier => self.lang.siblings.is_known(self.text(node)),
            _ => false,
        }
    }

    fn discriminant(&mut self, member: &str, value: ExprId) -> ExprId {
        let member = self.b.name(member);
        self.b.expr(Expr::Discriminant { member, value })
    }

    /// `assertIsT(x);`: from there on `x` is what the function asserts, if it does.
    pub(super) fn narrow_by_assertion(&mut self, call: ExprId, from: usize, scope: ScopeId) {
        let Expr::Call { of, args } = self.b.facts.expr(call) else {
            return;
        };
        let first = self.b.facts.list(args).first().copied();
        // Who asserts is named without more, so that most calls need not be looked at.
        let is_named = matches!(self.b.facts.expr(of), Expr::Name { .. });
        let Some(first) = first.filter(|_| is_named && self.lang.is_typed) else {
            return;
        };
        if !matches!(
            self.b.facts.expr(first),
            Expr::Name { .. } | Expr::Member { .. }
        ) {
            return;
        }
        let ty = self.b.expr(Expr::Deref { of: call });
        let until = self.end_of_scope(scope);
        self.narrowed(first, ty, Some(from..until), None);
    }

    /// `assert(x.kind === "a");`: from there on the condition holds, if the function asserts it.
    pub(super) fn narrow_by_asserted(&mut self, node: Node<'t>, call: ExprId, scope: ScopeId) {
        let Expr::Call { of, .. } = self.b.facts.expr(call) else {
            return;
        };
        let is_named = matches!(self.b.facts.expr(of), Expr::Name { .. });
        let arguments = self.field(node, |table| table.arguments);
        let arguments = arguments.filter(|_| is_named && self.lang.is_typed);
        let first = arguments.and_then(|arguments| arguments.named_child(0));
        let Some(condition) = first.filter(|first| self.is_condition(*first)) else {
            return;
        };
        let holds = node.end_byte()..self.end_of_scope(scope);
        let around = std::mem::replace(&mut self.lang.asserted_by, call);
        self.narrow_by(condition, scope, Some(holds), None);
        self.lang.asserted_by = around;
    }

    /// Whether an argument is written as a condition: calls and names are more often none.
    fn is_condition(&self, node: Node<'t>) -> bool {
        let kind = self.kind(node);
        matches!(kind, Kind::BinaryExpression | Kind::UnaryExpression)
    }

    /// What a `switch` says in its cases of what it looks at a member of. Where a case runs on into the next one,
    /// the value is of either.
    pub(super) fn narrow_by_cases(&mut self, value: Node<'t>, cases: &[Node<'t>], scope: ScopeId) {
        if self.is_true(value) {
            return self.narrow_by_conditions(cases, scope);
        }
        let Some(member) = self.member_looked_at(value) else {
            return;
        };
        let mut labels: Vec<Vec<ExprId>> = Vec::new();
        for case in cases {
            let label = self.field(*case, |table| table.value);
            let label = label.map(|label| self.compared(label, scope));
            labels.push(label.into_iter().collect());
        }
        let all: Vec<ExprId> = labels.iter().flatten().copied().collect();
        if all.contains(&NONE) {
            return;
        }
        let mut first = 0;
        for (index, case) in cases.iter().enumerate() {
            let range = Some(case.byte_range());
            let entered = &labels[first..=index];
            // Labels one below another have nothing of their own.
            if self.is_bare(*case) || entered.len() > MAX {
                continue;
            }
            if entered.iter().all(|label| !label.is_empty()) {
                let value = self.b.union(&entered.concat());
                self.narrow_by_member(member, value, scope, range, None);
            } else if first == index {
                // Of `default` nothing is known but what it is not.
                let value = self.b.union(&all);
                self.narrow_by_member(member, value, scope, None, range);
            }
            if self.never_goes_on(*case) {
                first = index + 1;
            }
        }
    }

    /// `switch (true)`: what cases are labelled with are conditions.
    fn narrow_by_conditions(&mut self, cases: &[Node<'t>], scope: ScopeId) {
        let end = cases.last().map_or(0, |case| case.end_byte());
        let mut is_entered_by_label = true;
        for case in cases {
            let never_goes_on = self.never_goes_on(*case);
            if let Some(label) = self.field(*case, |table| table.value) {
                let then = label.end_byte()..case.end_byte();
                let then = is_entered_by_label.then_some(then);
                let otherwise = never_goes_on.then(|| case.end_byte()..end);
                self.narrow_by(label, scope, then, otherwise);
            }
            is_entered_by_label = never_goes_on;
        }
    }

    fn is_true(&self, node: Node<'t>) -> bool {
        match self.kind(node) {
            Kind::ParenthesizedExpression => {
                let inner = node.named_child(0);
                inner.is_some_and(|inner| self.kind(inner) == Kind::True)
            }
            kind => kind == Kind::True,
        }
    }

    /// Whether a case has no statements.
    fn is_bare(&self, case: Node<'t>) -> bool {
        let label = self.field(case, |table| table.value);
        let parts = named_children(case).into_iter();
        let mut parts = parts.filter(|part| self.kind(*part) != Kind::Comment);
        parts.all(|part| Some(part) == label)
    }

    fn member_looked_at(&self, value: Node<'t>) -> Option<Node<'t>> {
        let looked_at = match self.kind(value) {
            Kind::ParenthesizedExpression => value.named_child(0)?,
            _ => value,
        };
        self.may_discriminate(looked_at).then_some(looked_at)
    }

    /// `typeof x === "function"`.
    fn narrow_by_name(
        &mut self,
        left: Node<'t>,
        right: Node<'t>,
        scope: ScopeId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        let Some(subject) = self.field(left, |table| table.argument) else {
            return;
        };
        let of = self.unwritten(subject, scope);
        let ty = match self.text(right).trim_matches(['"', '\'']) {
            "string" => self.b.expr(Expr::Literal { of: Literal::Text }),
            "number" => self.b.expr(Expr::Literal {
                of: Literal::Integer,
            }),
            "boolean" => self.b.expr(Expr::Literal {
                of: Literal::Boolean,
            }),
            "function" => {
                let at = NONE;
                self.b
                    .name_use("Function", scope, at, Role::Type, space::TYPE)
            }
            _ => return,
        };
        self.narrowed(of, ty, then, otherwise);
    }

    /// What a test says of a value where it holds, and denies where it does not.
    pub(super) fn narrowed(
        &mut self,
        of: ExprId,
        ty: ExprId,
        then: Option<Range<usize>>,
        otherwise: Option<Range<usize>>,
    ) {
        if of == NONE || ty == NONE {
            return;
        }
        let ty = match self.lang.asserted_by {
            NONE => ty,
            call => self.b.expr(Expr::Indirect {
                of: call,
                narrowed: ty,
            }),
        };
        if let Some(range) = then {
            self.b.narrow(of, range, ty, false);
        }
        if let Some(range) = otherwise {
            self.b.narrow(of, range, ty, true);
        }
    }

    /// A chain of names once more, not as a use of them.
    pub(super) fn unwritten(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        self.deeper(NONE, |walk| match walk.kind(node) {
            Kind::Identifier => {
                let name = walk.text(node);
                walk.b.name_use(name, scope, NONE, Role::Read, space::ANY)
            }
            Kind::This => walk.this_value(scope, NONE),
            Kind::MemberExpression | Kind::SubscriptExpression => {
                let Some((object, name)) = walk.member_of(node) else {
                    return NONE;
                };
                let of = walk.unwritten(object, scope);
                if of == NONE {
                    return NONE;
                }
                walk.b.member_use(of, name, NONE, Role::Read, space::ANY)
            }
            Kind::ParenthesizedExpression | Kind::NonNullExpression => {
                let inner = node.named_child(0);
                inner.map_or(NONE, |inner| walk.unwritten(inner, scope))
            }
            _ => NONE,
        })
    }
}
