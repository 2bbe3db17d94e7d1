//! Statements, patterns, and where the variables of patterns are seen.

use crate::facts::{DefKind, Expr, ExprId, IterationPart, NONE, Role, ScopeId, ScopeKind, space};

use super::kinds::Kind;
use super::walk::{JavaChild, JavaWalk, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> JavaWalk<'t> {
    /// The statements of a block in this very scope.
    pub(super) fn statements(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        self.each(children, scope);
        self.close(children);
    }

    fn each(&mut self, children: ChildRange, scope: ScopeId) {
        for i in children {
            let child = self.child(i);
            self.statement(child, scope);
        }
    }

    /// A statement, or whatever else stands where one is looked for.
    pub(super) fn statement(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        match child.kind {
            // The expression in it goes as deep as it likes by itself.
            Kind::ExpressionStatement => self.statements(child, scope),
            _ if Self::is_type(child.kind) => self.declare_type(child, scope, scope, 0),
            Kind::MethodDeclaration => self.method(child, scope, scope, false),
            _ if !self.enter() => {}
            _ => {
                self.compound_statement(child, scope);
                self.leave();
            }
        }
    }

    fn compound_statement(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        match child.kind {
            Kind::Block | Kind::StaticInitializer => {
                let scope = self.b.scope(ScopeKind::Block, scope, NONE, child.range());
                self.statements(child, scope);
            }
            Kind::If => self.if_statement(child, scope),
            Kind::While | Kind::Do | Kind::For => self.loop_statement(child, scope),
            Kind::EnhancedFor | Kind::CatchClause | Kind::TryResources => {
                let scope = self.b.scope(ScopeKind::Block, scope, NONE, child.range());
                let children = self.open(child.node);
                match child.kind {
                    Kind::EnhancedFor => self.enhanced_for(children, scope),
                    Kind::CatchClause => self.catch(children, scope),
                    _ => self.resources(children, scope),
                }
                self.close(children);
            }
            Kind::Return | Kind::Yield => self.return_statement(child, scope),
            Kind::LocalVariable | Kind::FieldDeclaration => self.local(child, scope),
            Kind::Labeled | Kind::Break | Kind::Continue => self.label(child, scope),
            Kind::ExplicitConstructor => self.explicit_constructor(child, scope),
            Kind::Throw
            | Kind::Assert
            | Kind::Synchronized
            | Kind::Try
            | Kind::Finally
            | Kind::ConstructorBody
            | Kind::ArgumentList
            | Kind::ClassBody
            | Kind::SwitchGroup
            | Kind::SwitchRule
            | Kind::SwitchBlock
            | Kind::Guard
            | Kind::FormalParameters => self.statements(child, scope),
            Kind::TypeIdentifier
            | Kind::GenericType
            | Kind::ScopedType
            | Kind::ArrayType
            | Kind::AnnotatedType => {
                self.ty(child, scope);
            }
            Kind::Modifiers => {
                self.modifiers(child, scope);
            }
            Kind::Annotation | Kind::MarkerAnnotation => self.annotation(child, scope),
            Kind::FormalParameter | Kind::SpreadParameter => {
                self.parameter(child, scope, scope);
            }
            _ => {
                self.expr(child, scope, ContextualType::Nothing);
            }
        }
    }

    /// Pattern variables of the condition are seen in the statement alone, or, where what follows is
    /// reached only when it is not met, by what follows.
    fn if_statement(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        let mut at = child;
        let mut around = scope;
        let before = self.children.top();
        loop {
            let children = self.open(at.node);
            let inner = self.condition_scope(at, children, around);
            let first = self.lang.introduced.len();
            if let Some(condition) = self.children.in_field(children, self.table.condition) {
                self.expr(condition, inner, ContextualType::Nothing);
            }
            let consequence = self.children.in_field(children, self.table.consequence);
            let alternative = self.children.in_field(children, self.table.alternative);
            if let Some(yes) = consequence {
                if alternative.is_none() && self.leaves(yes) {
                    self.lift(first, around);
                }
                self.lang.introduced.truncate(first);
                self.statement(yes, inner);
            }
            match alternative {
                Some(no) if no.kind == Kind::If => {
                    at = no;
                    around = inner;
                }
                Some(no) => {
                    self.statement(no, inner);
                    break;
                }
                None => break,
            }
        }
        self.close(before);
    }

    /// A scope for the pattern variables of a condition, if it has any.
    fn condition_scope(
        &mut self,
        child: JavaChild<'t>,
        children: ChildRange,
        scope: ScopeId,
    ) -> ScopeId {
        let condition = self.children.in_field(children, self.table.condition);
        let patterns =
            condition.is_some_and(|condition| self.text(condition.node).contains("instanceof"));
        if patterns {
            self.b.scope(ScopeKind::Block, scope, NONE, child.range())
        } else {
            scope
        }
    }

    /// Variables that are there when the condition is not met, from `first` on, belong to the scope around.
    fn lift(&mut self, first: usize, scope: ScopeId) {
        for i in first..self.lang.introduced.len() {
            if self.lang.introduced[i].negated {
                let def = self.lang.introduced[i].def;
                self.b.edit(def).scope = scope;
            }
        }
    }

    /// Whether what follows a statement is not reached through it.
    fn leaves(&mut self, child: JavaChild<'t>) -> bool {
        match child.kind {
            Kind::Return | Kind::Throw | Kind::Break | Kind::Continue | Kind::Yield => true,
            Kind::Block => {
                let children = self.open(child.node);
                let last = children.iter().last().map(|i| self.child(i).kind);
                self.close(children);
                matches!(
                    last,
                    Some(Kind::Return | Kind::Throw | Kind::Break | Kind::Continue | Kind::Yield)
                )
            }
            _ => false,
        }
    }

    fn loop_statement(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let inner = if child.kind == Kind::For {
            self.b.scope(ScopeKind::Block, scope, NONE, child.range())
        } else {
            self.condition_scope(child, children, scope)
        };
        let first = self.lang.introduced.len();
        for i in children {
            let part = self.child(i);
            self.statement(part, inner);
            if part.field == self.table.condition {
                // A loop is left when its condition is not met.
                self.lift(first, scope);
                self.lang.introduced.truncate(first);
            }
        }
        self.close(children);
    }

    fn enhanced_for(&mut self, children: ChildRange, scope: ScopeId) {
        let value = self.children.in_field(children, self.table.value);
        let of = match value {
            Some(value) => self.expr(value, scope, ContextualType::Nothing),
            None => NONE,
        };
        let mut ty = NONE;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.ty {
                ty = self.variable_type(part, scope);
            } else if part.field == self.table.name {
                let value = match ty {
                    NONE => self.b.expr(Expr::Iter {
                        of,
                        part: IterationPart::Element,
                    }),
                    _ => NONE,
                };
                self.variable(part, scope, ty, value);
            } else if part.field == self.table.body {
                self.statement(part, scope);
            } else if part.kind == Kind::Modifiers {
                self.modifiers(part, scope);
            }
        }
    }

    fn variable(&mut self, child: JavaChild<'t>, scope: ScopeId, ty: ExprId, value: ExprId) {
        let before = self.lang.introduced.len();
        self.pattern_variable(child, scope, ty, value);
        self.lang.introduced.truncate(before);
    }

    fn catch(&mut self, children: ChildRange, scope: ScopeId) {
        for i in children {
            let part = self.child(i);
            if part.kind != Kind::CatchParameter {
                self.statements(part, scope);
                continue;
            }
            let inner = self.open(part.node);
            let mut ty = NONE;
            for i in inner {
                let part = self.child(i);
                match part.kind {
                    Kind::CatchType => ty = self.ty(part, scope),
                    Kind::Identifier => self.variable(part, scope, ty, NONE),
                    Kind::Modifiers => {
                        self.modifiers(part, scope);
                    }
                    _ => {}
                }
            }
            self.close(inner);
        }
    }

    fn resources(&mut self, children: ChildRange, scope: ScopeId) {
        for i in children {
            let part = self.child(i);
            if part.kind != Kind::ResourceSpecification {
                self.statement(part, scope);
                continue;
            }
            let resources = self.open(part.node);
            for i in resources {
                let resource = self.child(i);
                let children = self.open(resource.node);
                self.resource(children, scope);
                self.close(children);
            }
            self.close(resources);
        }
    }

    fn resource(&mut self, children: ChildRange, scope: ScopeId) {
        let mut ty = NONE;
        let mut name = None;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.ty {
                ty = self.variable_type(part, scope);
            } else if part.field == self.table.name {
                name = Some(part);
            } else if part.kind == Kind::Modifiers {
                self.modifiers(part, scope);
            } else if part.field == self.table.value || part.kind != Kind::Other {
                let value = self.expr(part, scope, ContextualType::Nothing);
                if let Some(name) = name {
                    self.variable(name, scope, ty, value);
                }
            }
        }
    }

    fn return_statement(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            let value = self.expr(part, scope, self.lang.result);
            if child.kind == Kind::Return && value != NONE {
                self.lang.returns.push(value);
            }
        }
        self.close(children);
    }

    fn local(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let mut ty = NONE;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifiers => {
                    self.modifiers(part, scope);
                }
                Kind::VariableDeclarator => {
                    let before = self.lang.introduced.len();
                    self.declarator(part, scope, DefKind::Variable, ty, child.range());
                    self.lang.introduced.truncate(before);
                }
                _ if part.field == self.table.ty => ty = self.variable_type(part, scope),
                _ => {}
            }
        }
        self.close(children);
    }

    /// `name: statement`, `break name`.
    fn label(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let mut around = scope;
        for i in children {
            let part = self.child(i);
            if part.kind != Kind::Identifier {
                self.statement(part, around);
            } else if child.kind == Kind::Labeled {
                around = self.b.scope(ScopeKind::Block, scope, NONE, child.range());
                let at = part.start() as u32;
                let name = self.text(part.node);
                let def = self
                    .b
                    .define(name, DefKind::Label, around, at, child.range());
                self.b.edit(def).spaces = space::LABEL;
            } else {
                self.name(part.node, scope, Role::Read, space::LABEL);
            }
        }
        self.close(children);
    }

    /// `this(…)`, `super(…)`, `outer.super(…)`.
    fn explicit_constructor(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let call = self.b.reserve();
        let mut of = NONE;
        let mut args = NONE;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::ArgumentList => args = self.arguments(part, scope, call),
                Kind::TypeArguments => {
                    self.apply(NONE, part, scope);
                }
                _ => of = self.expr(part, scope, ContextualType::Nothing),
            }
        }
        self.b.fill(call, Expr::Call { of, args });
        self.close(children);
    }

    pub(super) fn switch(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        let children = self.open(child.node);
        let mut subject = NONE;
        let mut values = Vec::new();
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::SwitchBlock {
                let scope = self.b.scope(ScopeKind::Block, scope, NONE, part.range());
                let arms = self.open(part.node);
                for i in arms {
                    let arm = self.child(i);
                    self.arm(arm, scope, subject, context, &mut values);
                }
                self.close(arms);
            } else if part.field == self.table.condition {
                subject = self.expr(part, scope, ContextualType::Nothing);
            }
        }
        self.close(children);
        self.b.union(&values)
    }

    fn arm(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        subject: ExprId,
        context: ContextualType,
        values: &mut Vec<ExprId>,
    ) {
        let scope = match child.kind {
            Kind::SwitchRule => self.b.scope(ScopeKind::Block, scope, NONE, child.range()),
            _ => scope,
        };
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::SwitchLabel => self.switch_label(part, scope, subject),
                Kind::ExpressionStatement if child.kind == Kind::SwitchRule => {
                    let inner = self.open(part.node);
                    for i in inner {
                        let value = self.child(i);
                        let value = self.expr(value, scope, context);
                        if values.len() < 4 && value != NONE {
                            values.push(value);
                        }
                    }
                    self.close(inner);
                }
                _ => self.statement(part, scope),
            }
        }
        self.close(children);
    }

    /// `case RED, GREEN`: constants of the enum that the subject is of, or any constants.
    fn switch_label(&mut self, child: JavaChild<'t>, scope: ScopeId, subject: ExprId) {
        let first = self.lang.introduced.len();
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Identifier => {
                    self.name(part.node, scope, Role::Read, VALUE);
                    self.member(subject, part.node, Role::Read, VALUE);
                }
                Kind::Pattern => {
                    let inner = self.open(part.node);
                    for i in inner {
                        let part = self.child(i);
                        self.pattern(part, scope, subject);
                    }
                    self.close(inner);
                }
                _ => self.statement(part, scope),
            }
        }
        self.close(children);
        self.lang.introduced.truncate(first);
    }

    /// `T t`, `R(T t, var u)`, matched with `subject`.
    pub(super) fn pattern(&mut self, child: JavaChild<'t>, scope: ScopeId, subject: ExprId) {
        if !self.enter() {
            return;
        }
        let children = self.open(child.node);
        let mut ty = NONE;
        let last = children.to.wrapping_sub(1);
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::RecordPatternBody => self.components_of(part, scope, ty),
                Kind::Identifier if i == last && child.kind != Kind::RecordPattern => {
                    let value = if ty == NONE { subject } else { NONE };
                    self.pattern_variable(part, scope, ty, value);
                }
                _ => ty = self.variable_type(part, scope),
            }
        }
        self.close(children);
        self.leave();
    }

    fn components_of(&mut self, child: JavaChild<'t>, scope: ScopeId, ty: ExprId) {
        let of = self.b.expr(Expr::Value { of: ty });
        let children = self.open(child.node);
        for (index, i) in children.iter().enumerate() {
            let part = self.child(i);
            let index = index as u32;
            let subject = self.b.expr(Expr::Entry { of, index });
            self.pattern(part, scope, subject);
        }
        self.close(children);
    }
}
