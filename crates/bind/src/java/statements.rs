//! Statements, patterns, and where the variables of patterns are seen.

use crate::facts::{DefKind, Expr, ExprId, NONE, Part, Role, ScopeId, ScopeKind, space};

use super::{Kid, Kind, Range, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    /// The statements of a block in this very scope.
    pub(super) fn statements(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        self.each(&kids, scope);
        self.close(&kids);
    }

    fn each(&mut self, kids: &Range, scope: ScopeId) {
        for i in kids.clone() {
            let kid = self.kids.get(i);
            self.statement(kid, scope);
        }
    }

    /// A statement, or whatever else stands where one is looked for.
    pub(super) fn statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        match kid.kind {
            // The expression in it goes as deep as it likes by itself.
            Kind::ExpressionStatement => self.statements(kid, scope),
            _ if Self::is_type(kid.kind) => self.declare_type(kid, scope, scope, 0),
            Kind::MethodDeclaration => self.method(kid, scope, scope, false),
            _ if !self.enter() => {}
            _ => {
                self.compound_statement(kid, scope);
                self.leave();
            }
        }
    }

    fn compound_statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        match kid.kind {
            Kind::Block | Kind::StaticInitializer => {
                let scope = self.b.scope(ScopeKind::Block, scope, NONE, kid.range());
                self.statements(kid, scope);
            }
            Kind::If => self.if_statement(kid, scope),
            Kind::While | Kind::Do | Kind::For => self.loop_statement(kid, scope),
            Kind::EnhancedFor | Kind::CatchClause | Kind::TryResources => {
                let scope = self.b.scope(ScopeKind::Block, scope, NONE, kid.range());
                let kids = self.open(kid.node);
                match kid.kind {
                    Kind::EnhancedFor => self.enhanced_for(&kids, scope),
                    Kind::CatchClause => self.catch(&kids, scope),
                    _ => self.resources(&kids, scope),
                }
                self.close(&kids);
            }
            Kind::Return | Kind::Yield => self.return_statement(kid, scope),
            Kind::LocalVariable | Kind::FieldDeclaration => self.local(kid, scope),
            Kind::Labeled | Kind::Break | Kind::Continue => self.label(kid, scope),
            Kind::ExplicitConstructor => self.explicit_constructor(kid, scope),
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
            | Kind::FormalParameters => self.statements(kid, scope),
            Kind::TypeIdentifier
            | Kind::GenericType
            | Kind::ScopedType
            | Kind::ArrayType
            | Kind::AnnotatedType => {
                self.ty(kid, scope);
            }
            Kind::Modifiers => {
                self.modifiers(kid, scope);
            }
            Kind::Annotation | Kind::MarkerAnnotation => self.annotation(kid, scope),
            Kind::FormalParameter | Kind::SpreadParameter => {
                self.parameter(kid, scope, scope);
            }
            _ => {
                self.expr(kid, scope, Want::Nothing);
            }
        }
    }

    /// Pattern variables of the condition are seen in the statement alone, or, where what follows is
    /// reached only when it is not met, by what follows.
    fn if_statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let mut at = kid;
        let mut around = scope;
        let before = self.kids_mark();
        loop {
            let kids = self.open(at.node);
            let inner = self.condition_scope(at, &kids, around);
            let first = self.introduced.len();
            if let Some(condition) = self.kids.field(&kids, self.t.condition) {
                self.expr(condition, inner, Want::Nothing);
            }
            let consequence = self.kids.field(&kids, self.t.consequence);
            let alternative = self.kids.field(&kids, self.t.alternative);
            if let Some(yes) = consequence {
                if alternative.is_none() && self.leaves(yes) {
                    self.lift(first, around);
                }
                self.introduced.truncate(first);
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
        self.kids.close(before);
    }

    fn kids_mark(&mut self) -> usize {
        self.kids.len()
    }

    /// A scope for the pattern variables of a condition, if it has any.
    fn condition_scope(&mut self, kid: Kid<'t>, kids: &Range, scope: ScopeId) -> ScopeId {
        let condition = self.kids.field(kids, self.t.condition);
        let patterns =
            condition.is_some_and(|condition| self.text(condition.node).contains("instanceof"));
        if patterns {
            self.b.scope(ScopeKind::Block, scope, NONE, kid.range())
        } else {
            scope
        }
    }

    /// Variables that are there when the condition is not met, from `first` on, belong to the scope around.
    fn lift(&mut self, first: usize, scope: ScopeId) {
        for i in first..self.introduced.len() {
            if self.introduced[i].negated {
                let def = self.introduced[i].def;
                self.b.edit(def).scope = scope;
            }
        }
    }

    /// Whether what follows a statement is not reached through it.
    fn leaves(&mut self, kid: Kid<'t>) -> bool {
        match kid.kind {
            Kind::Return | Kind::Throw | Kind::Break | Kind::Continue | Kind::Yield => true,
            Kind::Block => {
                let kids = self.open(kid.node);
                let last = kids.clone().last().map(|i| self.kids.get(i).kind);
                self.close(&kids);
                matches!(
                    last,
                    Some(Kind::Return | Kind::Throw | Kind::Break | Kind::Continue | Kind::Yield)
                )
            }
            _ => false,
        }
    }

    fn loop_statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        let inner = if kid.kind == Kind::For {
            self.b.scope(ScopeKind::Block, scope, NONE, kid.range())
        } else {
            self.condition_scope(kid, &kids, scope)
        };
        let first = self.introduced.len();
        for i in kids.clone() {
            let part = self.kids.get(i);
            self.statement(part, inner);
            if part.field == self.t.condition {
                // A loop is left when its condition is not met.
                self.lift(first, scope);
                self.introduced.truncate(first);
            }
        }
        self.close(&kids);
    }

    fn enhanced_for(&mut self, kids: &Range, scope: ScopeId) {
        let value = self.kids.field(kids, self.t.value);
        let of = match value {
            Some(value) => self.expr(value, scope, Want::Nothing),
            None => NONE,
        };
        let mut ty = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field == self.t.ty {
                ty = self.variable_type(part, scope);
            } else if part.field == self.t.name {
                let value = match ty {
                    NONE => self.b.expr(Expr::Iter {
                        of,
                        part: Part::Element,
                    }),
                    _ => NONE,
                };
                self.variable(part, scope, ty, value);
            } else if part.field == self.t.body {
                self.statement(part, scope);
            } else if part.kind == Kind::Modifiers {
                self.modifiers(part, scope);
            }
        }
    }

    fn variable(&mut self, kid: Kid<'t>, scope: ScopeId, ty: ExprId, value: ExprId) {
        let before = self.introduced.len();
        self.pattern_variable(kid, scope, ty, value);
        self.introduced.truncate(before);
    }

    fn catch(&mut self, kids: &Range, scope: ScopeId) {
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind != Kind::CatchParameter {
                self.statements(part, scope);
                continue;
            }
            let inner = self.open(part.node);
            let mut ty = NONE;
            for i in inner.clone() {
                let part = self.kids.get(i);
                match part.kind {
                    Kind::CatchType => ty = self.ty(part, scope),
                    Kind::Identifier => self.variable(part, scope, ty, NONE),
                    Kind::Modifiers => {
                        self.modifiers(part, scope);
                    }
                    _ => {}
                }
            }
            self.close(&inner);
        }
    }

    fn resources(&mut self, kids: &Range, scope: ScopeId) {
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind != Kind::ResourceSpecification {
                self.statement(part, scope);
                continue;
            }
            let resources = self.open(part.node);
            for i in resources.clone() {
                let resource = self.kids.get(i);
                let kids = self.open(resource.node);
                self.resource(&kids, scope);
                self.close(&kids);
            }
            self.close(&resources);
        }
    }

    fn resource(&mut self, kids: &Range, scope: ScopeId) {
        let mut ty = NONE;
        let mut name = None;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field == self.t.ty {
                ty = self.variable_type(part, scope);
            } else if part.field == self.t.name {
                name = Some(part);
            } else if part.kind == Kind::Modifiers {
                self.modifiers(part, scope);
            } else if part.field == self.t.value || part.kind != Kind::Other {
                let value = self.expr(part, scope, Want::Nothing);
                if let Some(name) = name {
                    self.variable(name, scope, ty, value);
                }
            }
        }
    }

    fn return_statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let part = self.kids.get(i);
            let value = self.expr(part, scope, self.result);
            if kid.kind == Kind::Return && value != NONE {
                self.returns.push(value);
            }
        }
        self.close(&kids);
    }

    fn local(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        let mut ty = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::Modifiers => {
                    self.modifiers(part, scope);
                }
                Kind::VariableDeclarator => {
                    let before = self.introduced.len();
                    self.declarator(part, scope, DefKind::Variable, ty, kid.range());
                    self.introduced.truncate(before);
                }
                _ if part.field == self.t.ty => ty = self.variable_type(part, scope),
                _ => {}
            }
        }
        self.close(&kids);
    }

    /// `name: statement`, `break name`.
    fn label(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        let mut around = scope;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind != Kind::Identifier {
                self.statement(part, around);
            } else if kid.kind == Kind::Labeled {
                around = self.b.scope(ScopeKind::Block, scope, NONE, kid.range());
                let at = part.start() as u32;
                let name = self.text(part.node);
                let def = self.b.define(name, DefKind::Label, around, at, kid.range());
                self.b.edit(def).spaces = space::LABEL;
            } else {
                self.name(part.node, scope, Role::Read, space::LABEL);
            }
        }
        self.close(&kids);
    }

    /// `this(…)`, `super(…)`, `outer.super(…)`.
    fn explicit_constructor(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        let call = self.b.reserve();
        let mut of = NONE;
        let mut args = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::ArgumentList => args = self.arguments(part, scope, call),
                Kind::TypeArguments => {
                    self.apply(NONE, part, scope);
                }
                _ => of = self.expr(part, scope, Want::Nothing),
            }
        }
        self.b.fill(call, Expr::Call { of, args });
        self.close(&kids);
    }

    pub(super) fn switch(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        let kids = self.open(kid.node);
        let mut subject = NONE;
        let mut values = Vec::new();
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind == Kind::SwitchBlock {
                let scope = self.b.scope(ScopeKind::Block, scope, NONE, part.range());
                let arms = self.open(part.node);
                for i in arms.clone() {
                    let arm = self.kids.get(i);
                    self.arm(arm, scope, subject, want, &mut values);
                }
                self.close(&arms);
            } else if part.field == self.t.condition {
                subject = self.expr(part, scope, Want::Nothing);
            }
        }
        self.close(&kids);
        self.b.union(&values)
    }

    fn arm(
        &mut self,
        kid: Kid<'t>,
        scope: ScopeId,
        subject: ExprId,
        want: Want,
        values: &mut Vec<ExprId>,
    ) {
        let scope = match kid.kind {
            Kind::SwitchRule => self.b.scope(ScopeKind::Block, scope, NONE, kid.range()),
            _ => scope,
        };
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::SwitchLabel => self.switch_label(part, scope, subject),
                Kind::ExpressionStatement if kid.kind == Kind::SwitchRule => {
                    let inner = self.open(part.node);
                    for i in inner.clone() {
                        let value = self.kids.get(i);
                        let value = self.expr(value, scope, want);
                        if values.len() < 4 && value != NONE {
                            values.push(value);
                        }
                    }
                    self.close(&inner);
                }
                _ => self.statement(part, scope),
            }
        }
        self.close(&kids);
    }

    /// `case RED, GREEN`: constants of the enum that the subject is of, or any constants.
    fn switch_label(&mut self, kid: Kid<'t>, scope: ScopeId, subject: ExprId) {
        let first = self.introduced.len();
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::Identifier => {
                    self.name(part.node, scope, Role::Read, VALUE);
                    self.member(subject, part.node, Role::Read, VALUE);
                }
                Kind::Pattern => {
                    let inner = self.open(part.node);
                    for i in inner.clone() {
                        let part = self.kids.get(i);
                        self.pattern(part, scope, subject);
                    }
                    self.close(&inner);
                }
                _ => self.statement(part, scope),
            }
        }
        self.close(&kids);
        self.introduced.truncate(first);
    }

    /// `T t`, `R(T t, var u)`, matched with `subject`.
    pub(super) fn pattern(&mut self, kid: Kid<'t>, scope: ScopeId, subject: ExprId) {
        if !self.enter() {
            return;
        }
        let kids = self.open(kid.node);
        let mut ty = NONE;
        let last = kids.end.wrapping_sub(1);
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::RecordPatternBody => self.components_of(part, scope, ty),
                Kind::Identifier if i == last && kid.kind != Kind::RecordPattern => {
                    let value = if ty == NONE { subject } else { NONE };
                    self.pattern_variable(part, scope, ty, value);
                }
                _ => ty = self.variable_type(part, scope),
            }
        }
        self.close(&kids);
        self.leave();
    }

    fn components_of(&mut self, kid: Kid<'t>, scope: ScopeId, ty: ExprId) {
        let of = self.b.expr(Expr::Value { of: ty });
        let kids = self.open(kid.node);
        for (index, i) in kids.clone().enumerate() {
            let part = self.kids.get(i);
            let index = index as u32;
            let subject = self.b.expr(Expr::Entry { of, index });
            self.pattern(part, scope, subject);
        }
        self.close(&kids);
    }
}
