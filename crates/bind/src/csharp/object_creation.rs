//! Objects, arrays and collections that are made.

use crate::facts::{DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, flag};

use super::kinds::Kind;
use super::walk::{AMBIGUOUS, CSharpChild, CSharpWalk, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> CSharpWalk<'t> {
    pub(super) fn object_creation(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        match child.kind {
            Kind::ObjectCreation => self.creation(children, scope),
            Kind::ImplicitCreation => self.implicit_creation(child, children, scope, context),
            Kind::AnonymousObject => self.anonymous_object(child, children, scope),
            Kind::ArrayCreation | Kind::StackAlloc => self.array_creation(children, scope),
            Kind::ImplicitArray | Kind::ImplicitStackAlloc => self.implicit_array(children, scope),
            Kind::Initializer => self.bare_initializer(children, scope, context),
            Kind::Collection => {
                let value = self.last(children, scope, ContextualType::Nothing);
                match context.value(&mut self.b) {
                    NONE => self.b.expr(Expr::Array { of: value }),
                    wanted => wanted,
                }
            }
            Kind::SpreadElement => {
                let of = self.last(children, scope, ContextualType::Nothing);
                let part = crate::facts::IterationPart::Element;
                self.b.expr(Expr::Iter { of, part })
            }
            Kind::With => self.with(children, scope),
            Kind::RangeExpression => {
                self.last(children, scope, ContextualType::Nothing);
                let of = self.unwritten_type("Range", scope);
                self.instance(of)
            }
            Kind::ThrowExpression => {
                self.last(children, scope, ContextualType::Nothing);
                NONE
            }
            Kind::ElementBinding => {
                self.last(children, scope, ContextualType::Nothing);
                NONE
            }
            _ => self.unknown(children, scope),
        }
    }

    fn creation(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let call = self.b.reserve();
        let (mut of, mut args) = (NONE, NONE);
        for i in children {
            let part = self.child(i);
            match part.kind {
                _ if part.field == self.table.ty => {
                    of = self.ty(part, scope);
                    self.called(of);
                }
                Kind::ArgumentList => args = self.arguments(part, scope, call),
                Kind::Initializer => {
                    self.b.fill(call, Expr::New { of, args });
                    let element = self.element(of);
                    self.initializer(part, scope, call, element);
                }
                _ => {}
            }
        }
        self.b.fill(call, Expr::New { of, args });
        call
    }

    /// `new List<A>(n) { a, b }`, which the grammar reads as `new List < A > (n){ a, b }`: two comparisons and
    /// a cast.
    pub(super) fn misread_creation(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
    ) -> Option<ExprId> {
        if !self.text(child.node).starts_with("new") {
            return None;
        }
        let outer = self.open(child.node);
        let parts = self.operands(outer, ">", Kind::Binary, Kind::Cast);
        let made = parts.and_then(|(left, cast)| {
            let inner = self.open(left.node);
            let is_creation = self
                .children
                .in_field(inner, self.table.right)
                .map(|right| right.kind);
            let parts = is_creation
                .and_then(|right| self.operands(inner, "<", Kind::ObjectCreation, right));
            let made = parts.and_then(|(creation, argument)| {
                let (creation, cast) = (self.open(creation.node), self.open(cast.node));
                let made = self.creation_of_parts(creation, argument, cast, scope);
                self.close(cast);
                self.close(creation);
                made
            });
            self.close(inner);
            made
        });
        self.close(outer);
        made
    }

    /// Both sides of an operator, where these are what they should be.
    fn operands(
        &self,
        children: ChildRange,
        operator: &str,
        left: Kind,
        right: Kind,
    ) -> Option<(CSharpChild<'t>, CSharpChild<'t>)> {
        let written = self.children.in_field(children, self.table.operator)?;
        let sides = self
            .children
            .in_field(children, self.table.left)
            .zip(self.children.in_field(children, self.table.right))?;
        let fits =
            self.text(written.node) == operator && sides.0.kind == left && sides.1.kind == right;
        fits.then_some(sides)
    }

    fn creation_of_parts(
        &mut self,
        creation: ChildRange,
        argument: CSharpChild<'t>,
        cast: ChildRange,
        scope: ScopeId,
    ) -> Option<ExprId> {
        let made = self
            .children
            .in_field(creation, self.table.ty)
            .filter(|_| creation.len() == 1)?;
        let given = self.children.in_field(cast, self.table.ty)?;
        let filled = self.children.in_field(cast, self.table.value);
        let filled = filled.filter(|filled| filled.kind == Kind::Initializer)?;
        let call = self.b.reserve();
        let named = self.ty(made, scope);
        let argument = match argument.kind {
            Kind::MemberAccess => self.chain(argument, scope, AMBIGUOUS),
            _ => self.ty(argument, scope),
        };
        let args = self.b.list(&[argument]);
        let of = self.b.expr(Expr::Apply { of: named, args });
        self.called(of);
        let given = self.expr(given, scope, ContextualType::Argument(call, 0));
        let args = self.b.list(&[given]);
        self.b.fill(call, Expr::New { of, args });
        self.initializer(filled, scope, call, ContextualType::Type(argument));
        Some(call)
    }

    /// What elements of a collection are expected to be: its one type argument.
    fn element(&self, of: ExprId) -> ContextualType {
        match self.b.facts.expr(of) {
            Expr::Apply { args, .. } => match self.b.facts.list(args) {
                [one] => ContextualType::Type(*one),
                _ => ContextualType::Nothing,
            },
            _ => ContextualType::Nothing,
        }
    }

    /// `new(…)`, of the type that is expected.
    fn implicit_creation(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        let wanted = context.value(&mut self.b);
        let call = self.b.reserve();
        let mut args = NONE;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::ArgumentList => args = self.arguments(part, scope, call),
                Kind::Initializer => {
                    let element = match context {
                        ContextualType::Type(of) => self.element(of),
                        _ => ContextualType::Nothing,
                    };
                    self.initializer(part, scope, wanted, element);
                }
                _ => {}
            }
        }
        // Not the written type itself: naming it there constructs nothing.
        let of = self.b.expr(Expr::TypeOf { of: wanted });
        self.b.fill(call, Expr::New { of, args });
        self.constructor_word(call, "new", child.node.start_byte());
        if matches!(context, ContextualType::Type(_)) {
            call
        } else {
            wanted
        }
    }

    /// A word that stands for a constructor where no type is named: a member of what is made, in no space of
    /// names.
    pub(super) fn constructor_word(&mut self, of: ExprId, word: &str, at: usize) {
        self.b.member_use(of, word, at as u32, Role::Call, 0);
    }

    /// `{ A = 1, B = { C = 2 }, [0] = x, y }` of a value.
    pub(super) fn initializer(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        of: ExprId,
        element: ContextualType,
    ) {
        if !self.enter() {
            return;
        }
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::Assignment {
                self.member_initializer(part, scope, of);
            } else if part.kind == Kind::Initializer {
                self.added(part, scope, of);
            } else {
                self.expr(part, scope, element);
            }
        }
        self.close(children);
        self.leave();
    }

    /// `{ a, b }` in an initializer of `of`: the arguments of `of.Add`, which nobody writes, or a row of an array.
    fn added(&mut self, child: CSharpChild<'t>, scope: ScopeId, of: ExprId) {
        if of == NONE {
            return self.initializer(child, scope, NONE, ContextualType::Nothing);
        }
        let name = self.b.name("Add");
        let of = self.b.expr(Expr::Member {
            of,
            name,
            at: NONE,
            role: Role::Call,
            spaces: VALUE,
        });
        let call = self.b.reserve();
        let args = self.arguments(child, scope, call);
        self.b.fill(call, Expr::Call { of, args });
    }

    fn member_initializer(&mut self, child: CSharpChild<'t>, scope: ScopeId, of: ExprId) {
        let children = self.open(child.node);
        let to = match self.children.in_field(children, self.table.left) {
            Some(left) if left.kind == Kind::Identifier => {
                self.member(of, left.node, Role::Write, VALUE)
            }
            Some(left) if left.kind == Kind::ElementBinding => self.indexed(of, left, scope),
            Some(left) => self.expr(left, scope, ContextualType::Nothing),
            None => NONE,
        };
        match self.children.in_field(children, self.table.right) {
            Some(right) if right.kind == Kind::Initializer => {
                self.initializer(right, scope, to, ContextualType::Nothing);
            }
            Some(right) => {
                self.expr(right, scope, ContextualType::Same(to));
            }
            None => {}
        }
        self.close(children);
    }

    /// `value with { A = 1 }`.
    fn with(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in children {
            let part = self.child(i);
            if part.kind != Kind::WithInitializer {
                of = self.expr(part, scope, ContextualType::Nothing);
                continue;
            }
            let inner = self.open(part.node);
            let mut to = NONE;
            for (place, i) in inner.iter().enumerate() {
                let part = self.child(i);
                if place == 0 && part.kind == Kind::Identifier {
                    to = self.member(of, part.node, Role::Write, VALUE);
                } else {
                    self.expr(part, scope, ContextualType::Same(to));
                }
            }
            self.close(inner);
        }
        of
    }

    /// `new { A = 1, x.B, c }`: its members are named by what is before `=` or by the value's last name.
    fn anonymous_object(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        scope: ScopeId,
    ) -> ExprId {
        let keys = self.b.scope(ScopeKind::Object, scope, NONE, child.range());
        let mut key = None;
        for i in children {
            let part = self.child(i);
            let is_key = part.kind == Kind::Identifier && self.is_followed_by(part, '=');
            if is_key && key.is_none() {
                key = Some(part);
                continue;
            }
            let value = self.expr(part, scope, ContextualType::Nothing);
            let def = match key.take() {
                Some(key) => self.define(key.node, DefKind::Property, keys, part.range(), VALUE),
                None => match self.b.facts.expr(value) {
                    Expr::Name { name, at, .. } | Expr::Member { name, at, .. } => {
                        let name = self.b.facts.name(name).to_owned();
                        let range = part.range();
                        self.b.define(&name, DefKind::Property, keys, at, range)
                    }
                    _ => continue,
                },
            };
            let def = self.b.edit(def);
            def.spaces = VALUE;
            def.value = value;
            def.flags = flag::READONLY | flag::EXPORTED;
        }
        self.b.expr(Expr::Object {
            scope: keys,
            of: NONE,
        })
    }

    fn array_creation(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.ty {
                of = self.ty(part, scope);
            } else {
                self.expr(part, scope, ContextualType::Type(of));
            }
        }
        self.instance(of)
    }

    fn implicit_array(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in children {
            let part = self.child(i);
            let inner = self.open(part.node);
            let mut values = Vec::new();
            for i in inner {
                let element = self.child(i);
                let value = self.expr(element, scope, ContextualType::Nothing);
                if values.len() < 4 && value != NONE {
                    values.push(value);
                }
            }
            self.close(inner);
            of = self.b.union(&values);
        }
        self.b.expr(Expr::Array { of })
    }

    /// `{ a, b }` of an array with a declared type.
    fn bare_initializer(
        &mut self,
        children: ChildRange,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        let element = match context {
            ContextualType::Type(ty) => match self.b.facts.expr(ty) {
                Expr::Array { of } => ContextualType::Type(of),
                _ => ContextualType::Nothing,
            },
            _ => ContextualType::Nothing,
        };
        self.last(children, scope, element);
        context.value(&mut self.b)
    }
}
