//! Statements.

use crate::facts::{DefKind, Expr, ExprId, NONE, Part, Role, ScopeId, space};

use super::{Kid, Kind, Range, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    pub(super) fn is_statement(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::Block
                | Kind::Break
                | Kind::CheckedStatement
                | Kind::Continue
                | Kind::Do
                | Kind::ExpressionStatement
                | Kind::Fixed
                | Kind::For
                | Kind::Foreach
                | Kind::GlobalStatement
                | Kind::Goto
                | Kind::If
                | Kind::Labeled
                | Kind::LocalDeclaration
                | Kind::LocalFunction
                | Kind::Lock
                | Kind::Return
                | Kind::SwitchStatement
                | Kind::Throw
                | Kind::Try
                | Kind::Unsafe
                | Kind::UsingStatement
                | Kind::While
                | Kind::Yield
                | Kind::PreprocIf
                | Kind::PreprocElse
                | Kind::PreprocElif
        ) || Self::is_type(kind)
            || Self::is_member(kind)
    }

    pub(super) fn statements(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let kid = self.kids.get(i);
            self.statement(kid, scope);
        }
        self.close(&kids);
    }

    /// A statement, or whatever else stands where one is looked for.
    pub(super) fn statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        match kid.kind {
            // What is in them goes as deep as it likes by itself.
            Kind::ExpressionStatement | Kind::GlobalStatement => self.statements(kid, scope),
            _ if Self::is_type(kid.kind) => self.declare_type(kid, scope),
            _ if !self.enter() => {}
            _ => {
                self.compound_statement(kid, scope);
                self.leave();
            }
        }
    }

    fn compound_statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        match kid.kind {
            Kind::Block
            | Kind::While
            | Kind::Do
            | Kind::For
            | Kind::Fixed
            | Kind::Lock
            | Kind::SwitchBody => {
                let scope = self.block(kid, scope);
                self.statements(kid, scope);
            }
            Kind::If => self.if_statement(kid, scope),
            Kind::Foreach => self.foreach(kid, scope),
            Kind::UsingStatement => {
                let scope = self.block(kid, scope);
                self.statements(kid, scope);
            }
            Kind::CatchClause => {
                let scope = self.block(kid, scope);
                self.catch(kid, scope);
            }
            Kind::LocalDeclaration | Kind::VariableDeclaration => {
                self.local_declaration(kid, scope)
            }
            Kind::LocalFunction => self.local_function(kid, scope, scope),
            Kind::Return | Kind::Yield => self.return_statement(kid, scope),
            Kind::Labeled | Kind::Goto => self.label(kid, scope),
            Kind::SwitchStatement => self.switch_statement(kid, scope),
            Kind::PreprocIf | Kind::PreprocElse | Kind::PreprocElif => {
                self.conditional_parts(kid, scope);
            }
            Kind::Throw
            | Kind::Try
            | Kind::Finally
            | Kind::CheckedStatement
            | Kind::Unsafe
            | Kind::CatchFilter
            | Kind::WhenClause
            | Kind::DeclarationList
            | Kind::AccessorList
            | Kind::Arrow => self.statements(kid, scope),
            Kind::AttributeList => self.attributes(kid, scope),
            Kind::Using | Kind::Namespace | Kind::ExternAlias => {
                let mut main = scope;
                self.top(kid, scope, &mut main);
            }
            Kind::ParameterList => {
                self.parameters(kid, scope, scope);
            }
            Kind::Parameter => {
                self.parameter(kid, scope, scope);
            }
            Kind::Modifier | Kind::Break | Kind::Continue => {}
            Kind::NullableType
            | Kind::ArrayType
            | Kind::PointerType
            | Kind::TupleType
            | Kind::TypeArguments => {
                self.statements_of_types(kid, scope);
            }
            _ if Self::is_member(kid.kind) => self.member_declaration(kid, scope, NONE),
            _ if Self::is_pattern(kid.kind) => self.pattern(kid, scope, NONE),
            _ => {
                self.expr(kid, scope, Want::Nothing);
            }
        }
    }

    /// Types where the parser lost its way.
    fn statements_of_types(&mut self, kid: Kid<'t>, scope: ScopeId) {
        if kid.kind == Kind::TypeArguments {
            let kids = self.open(kid.node);
            for i in kids.clone() {
                let kid = self.kids.get(i);
                self.ty(kid, scope);
            }
            self.close(&kids);
        } else {
            self.ty(kid, scope);
        }
    }

    /// The parts of `#if`: everything but its condition.
    fn conditional_parts(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field != self.t.condition {
                self.statement(part, scope);
            }
        }
        self.close(&kids);
    }

    /// `else if` goes on in a loop.
    fn if_statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let before = self.kids.len();
        let mut at = kid;
        loop {
            let kids = self.open(at.node);
            let mut next = None;
            for i in kids.clone() {
                let part = self.kids.get(i);
                if part.field == self.t.alternative && part.kind == Kind::If {
                    next = Some(part);
                } else {
                    self.statement(part, scope);
                }
            }
            match next {
                Some(part) => at = part,
                None => break,
            }
        }
        self.kids.close(before);
    }

    fn foreach(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let scope = self.block(kid, scope);
        let kids = self.open(kid.node);
        let of = self.field_expr(&kids, self.t.right, scope, Want::Nothing);
        let part = Part::Element;
        let element = self.b.expr(Expr::Iter { of, part });
        let mut ty = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field == self.t.ty {
                ty = self.ty(part, scope);
            } else if part.field == self.t.left {
                match part.kind {
                    Kind::Identifier if self.kids.field(&kids, self.t.ty).is_some() => {
                        self.local(part, scope, part.range(), ty, element);
                    }
                    Kind::TuplePattern => self.tuple_pattern(part, scope, element),
                    _ => self.target(part, scope, element),
                }
            } else if part.field == self.t.body {
                self.statement(part, scope);
            }
        }
        self.close(&kids);
    }

    fn catch(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind != Kind::CatchDeclaration {
                self.statement(part, scope);
                continue;
            }
            let inner = self.open(part.node);
            let mut ty = NONE;
            for i in inner.clone() {
                let part = self.kids.get(i);
                if part.field == self.t.ty {
                    ty = self.ty(part, scope);
                } else if part.field == self.t.name {
                    self.local(part, scope, part.range(), ty, NONE);
                }
            }
            self.close(&inner);
        }
        self.close(&kids);
    }

    fn local_declaration(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let range = kid.range();
        if kid.kind == Kind::VariableDeclaration {
            return self.variables(kid, scope, DefKind::Variable, 0, range);
        }
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind == Kind::VariableDeclaration {
                self.variables(part, scope, DefKind::Variable, 0, range.clone());
            }
        }
        self.close(&kids);
    }

    /// A function in a block of which the names are seen in another one, that of a `switch`.
    fn local_function(&mut self, kid: Kid<'t>, scope: ScopeId, seen_in: ScopeId) {
        let kids = self.open(kid.node);
        if let Some(name) = self.kids.field(&kids, self.t.name) {
            let def = self.define(name.node, DefKind::Function, seen_in, kid.range(), VALUE);
            self.callable(kid, &kids, def, scope);
        }
        self.close(&kids);
    }

    fn return_statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        let value = self.last(&kids, scope, self.result);
        if kid.kind == Kind::Return && value != NONE {
            self.returns.push(value);
        }
        self.close(&kids);
    }

    /// `name: statement`, `goto name`.
    fn label(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        let to_case = self.text(kid.node).split_whitespace().nth(1) == Some("case");
        for (place, i) in kids.clone().enumerate() {
            let part = self.kids.get(i);
            if place > 0 || part.kind != Kind::Identifier || to_case {
                self.statement(part, scope);
            } else if kid.kind == Kind::Labeled {
                let range = part.range();
                self.define(part.node, DefKind::Label, scope, range, space::LABEL);
            } else {
                self.name(part.node, scope, Role::Read, space::LABEL);
            }
        }
        self.close(&kids);
    }

    fn switch_statement(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        let subject = self.field_expr(&kids, self.t.value, scope, Want::Nothing);
        if let Some(body) = self.kids.field(&kids, self.t.body) {
            let scope = self.block(body, scope);
            self.sections(body, scope, subject);
        }
        self.close(&kids);
    }

    /// Sections of a `switch`; `#if` may surround some.
    fn sections(&mut self, kid: Kid<'t>, scope: ScopeId, subject: ExprId) {
        let sections = self.open(kid.node);
        for i in sections.clone() {
            let section = self.kids.get(i);
            // Variables of patterns are seen in their section, functions in all.
            let own = self.block(section, scope);
            let parts = self.open(section.node);
            let mut is_label = true;
            for i in parts.clone() {
                let part = self.kids.get(i);
                if Self::is_pattern(part.kind) {
                    self.pattern(part, own, subject);
                } else if is_label && !Self::is_statement(part.kind) {
                    self.case(part, own);
                } else {
                    is_label = false;
                    match part.kind {
                        Kind::LocalFunction => self.local_function(part, own, scope),
                        _ => self.statement(part, own),
                    }
                }
            }
            self.close(&parts);
        }
        self.close(&sections);
    }

    /// What stands after `case` where it is no pattern: a constant, or the name of a type.
    fn case(&mut self, kid: Kid<'t>, scope: ScopeId) {
        match kid.kind {
            Kind::Identifier => {
                self.name(kid.node, scope, Role::Read, super::AMBIGUOUS);
            }
            Kind::MemberAccess => {
                self.chain(kid, scope, super::AMBIGUOUS);
            }
            _ => self.statement(kid, scope),
        }
    }

    /// `value switch { pattern => value }`.
    pub(super) fn switch_expression(&mut self, kid: Kid<'t>, scope: ScopeId, want: Want) -> ExprId {
        let kids = self.open(kid.node);
        let mut subject = NONE;
        let mut values = Vec::new();
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind != Kind::SwitchArm {
                subject = self.expr(part, scope, Want::Nothing);
                continue;
            }
            let scope = self.block(part, scope);
            let arm = self.open(part.node);
            let value = self.arm(&arm, scope, subject, want);
            self.close(&arm);
            if values.len() < 4 && value != NONE {
                values.push(value);
            }
        }
        self.close(&kids);
        self.b.union(&values)
    }

    fn arm(&mut self, kids: &Range, scope: ScopeId, subject: ExprId, want: Want) -> ExprId {
        let mut value = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if Self::is_pattern(part.kind) {
                self.pattern(part, scope, subject);
            } else if part.kind == Kind::WhenClause {
                self.statements(part, scope);
            } else {
                value = self.expr(part, scope, want);
            }
        }
        value
    }

    /// `foreach ((int a, var b) in x)`, `foreach (A<B> a in x)`.
    fn target(&mut self, kid: Kid<'t>, scope: ScopeId, of: ExprId) {
        if kid.kind == Kind::TupleExpression {
            self.deconstruct(kid, scope, of);
        } else if let Some((ty, name)) = self.misread_variable(kid, scope) {
            self.local(name, scope, name.range(), ty, of);
        } else {
            self.expr(kid, scope, Want::Nothing);
        }
    }
}
