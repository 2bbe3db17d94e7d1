//! Statements.

use crate::facts::{DefKind, Expr, ExprId, IterationPart, NONE, Role, ScopeId, space};

use super::kinds::Kind;
use super::walk::{CSharpChild, CSharpWalk, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> CSharpWalk<'t> {
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

    pub(super) fn statements(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let child = self.child(i);
            self.statement(child, scope);
        }
        self.close(children);
    }

    /// A statement, or whatever else stands where one is looked for.
    pub(super) fn statement(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        match child.kind {
            // What is in them goes as deep as it likes by itself.
            Kind::ExpressionStatement | Kind::GlobalStatement => self.statements(child, scope),
            _ if Self::is_type(child.kind) => self.declare_type(child, scope),
            _ if !self.enter() => {}
            _ => {
                self.compound_statement(child, scope);
                self.leave();
            }
        }
    }

    fn compound_statement(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        match child.kind {
            Kind::Block
            | Kind::While
            | Kind::Do
            | Kind::For
            | Kind::Fixed
            | Kind::Lock
            | Kind::SwitchBody => {
                let scope = self.block(child, scope);
                self.statements(child, scope);
            }
            Kind::If => self.if_statement(child, scope),
            Kind::Foreach => self.foreach(child, scope),
            Kind::UsingStatement => {
                let scope = self.block(child, scope);
                self.statements(child, scope);
            }
            Kind::CatchClause => {
                let scope = self.block(child, scope);
                self.catch(child, scope);
            }
            Kind::LocalDeclaration | Kind::VariableDeclaration => {
                self.local_declaration(child, scope)
            }
            Kind::LocalFunction => self.local_function(child, scope, scope),
            Kind::Return | Kind::Yield => self.return_statement(child, scope),
            Kind::Labeled | Kind::Goto => self.label(child, scope),
            Kind::SwitchStatement => self.switch_statement(child, scope),
            Kind::PreprocIf | Kind::PreprocElse | Kind::PreprocElif => {
                self.conditional_parts(child, scope);
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
            | Kind::Arrow => self.statements(child, scope),
            Kind::AttributeList => self.attributes(child, scope),
            Kind::Using | Kind::Namespace | Kind::ExternAlias => {
                let mut main = scope;
                self.top(child, scope, &mut main);
            }
            Kind::ParameterList => {
                self.parameters(child, scope, scope);
            }
            Kind::Parameter => {
                self.parameter(child, scope, scope);
            }
            Kind::Modifier | Kind::Break | Kind::Continue => {}
            Kind::NullableType
            | Kind::ArrayType
            | Kind::PointerType
            | Kind::TupleType
            | Kind::TypeArguments => {
                self.statements_of_types(child, scope);
            }
            _ if Self::is_member(child.kind) => self.member_declaration(child, scope, NONE),
            _ if Self::is_pattern(child.kind) => self.pattern(child, scope, NONE),
            _ => {
                self.expr(child, scope, ContextualType::Nothing);
            }
        }
    }

    /// Types where the parser lost its way.
    fn statements_of_types(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        if child.kind == Kind::TypeArguments {
            let children = self.open(child.node);
            for i in children {
                let child = self.child(i);
                self.ty(child, scope);
            }
            self.close(children);
        } else {
            self.ty(child, scope);
        }
    }

    /// The parts of `#if`: everything but its condition.
    fn conditional_parts(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if part.field != self.table.condition {
                self.statement(part, scope);
            }
        }
        self.close(children);
    }

    /// `else if` goes on in a loop.
    fn if_statement(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let before = self.children.top();
        let mut at = child;
        loop {
            let children = self.open(at.node);
            let mut next = None;
            for i in children {
                let part = self.child(i);
                if part.field == self.table.alternative && part.kind == Kind::If {
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
        self.close(before);
    }

    fn foreach(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let scope = self.block(child, scope);
        let children = self.open(child.node);
        let of = self.field_expr(children, self.table.right, scope, ContextualType::Nothing);
        let part = IterationPart::Element;
        let element = self.b.expr(Expr::Iter { of, part });
        let mut ty = NONE;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.ty {
                ty = self.ty(part, scope);
            } else if part.field == self.table.left {
                match part.kind {
                    Kind::Identifier
                        if self.children.in_field(children, self.table.ty).is_some() =>
                    {
                        self.local(part, scope, part.range(), ty, element);
                    }
                    Kind::TuplePattern => self.tuple_pattern(part, scope, element),
                    _ => self.target(part, scope, element),
                }
            } else if part.field == self.table.body {
                self.statement(part, scope);
            }
        }
        self.close(children);
    }

    fn catch(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if part.kind != Kind::CatchDeclaration {
                self.statement(part, scope);
                continue;
            }
            let inner = self.open(part.node);
            let mut ty = NONE;
            for i in inner {
                let part = self.child(i);
                if part.field == self.table.ty {
                    ty = self.ty(part, scope);
                } else if part.field == self.table.name {
                    self.local(part, scope, part.range(), ty, NONE);
                }
            }
            self.close(inner);
        }
        self.close(children);
    }

    fn local_declaration(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let range = child.range();
        if child.kind == Kind::VariableDeclaration {
            return self.variables(child, scope, DefKind::Variable, 0, range);
        }
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::VariableDeclaration {
                self.variables(part, scope, DefKind::Variable, 0, range.clone());
            }
        }
        self.close(children);
    }

    /// A function in a block of which the names are seen in another one, that of a `switch`.
    fn local_function(&mut self, child: CSharpChild<'t>, scope: ScopeId, seen_in: ScopeId) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let def = self.define(name.node, DefKind::Function, seen_in, child.range(), VALUE);
            self.callable(child, children, def, scope);
        }
        self.close(children);
    }

    fn return_statement(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let value = self.last(children, scope, self.lang.result);
        if child.kind == Kind::Return && value != NONE {
            self.lang.returns.push(value);
        }
        self.close(children);
    }

    /// `name: statement`, `goto name`.
    fn label(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let to_case = self.text(child.node).split_whitespace().nth(1) == Some("case");
        for (place, i) in children.iter().enumerate() {
            let part = self.child(i);
            if place > 0 || part.kind != Kind::Identifier || to_case {
                self.statement(part, scope);
            } else if child.kind == Kind::Labeled {
                let range = part.range();
                self.define(part.node, DefKind::Label, scope, range, space::LABEL);
            } else {
                self.name(part.node, scope, Role::Read, space::LABEL);
            }
        }
        self.close(children);
    }

    fn switch_statement(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let subject = self.field_expr(children, self.table.value, scope, ContextualType::Nothing);
        if let Some(body) = self.children.in_field(children, self.table.body) {
            let scope = self.block(body, scope);
            self.sections(body, scope, subject);
        }
        self.close(children);
    }

    /// Sections of a `switch`; `#if` may surround some.
    fn sections(&mut self, child: CSharpChild<'t>, scope: ScopeId, subject: ExprId) {
        let sections = self.open(child.node);
        for i in sections {
            let section = self.child(i);
            // Variables of patterns are seen in their section, functions in all.
            let own = self.block(section, scope);
            let parts = self.open(section.node);
            let mut is_label = true;
            for i in parts {
                let part = self.child(i);
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
            self.close(parts);
        }
        self.close(sections);
    }

    /// What stands after `case` where it is no pattern: a constant, or the name of a type.
    fn case(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        match child.kind {
            Kind::Identifier => {
                self.name(child.node, scope, Role::Read, super::walk::AMBIGUOUS);
            }
            Kind::MemberAccess => {
                self.chain(child, scope, super::walk::AMBIGUOUS);
            }
            _ => self.statement(child, scope),
        }
    }

    /// `value switch { pattern => value }`.
    pub(super) fn switch_expression(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        context: ContextualType,
    ) -> ExprId {
        let children = self.open(child.node);
        let mut subject = NONE;
        let mut values = Vec::new();
        for i in children {
            let part = self.child(i);
            if part.kind != Kind::SwitchArm {
                subject = self.expr(part, scope, ContextualType::Nothing);
                continue;
            }
            let scope = self.block(part, scope);
            let arm = self.open(part.node);
            let value = self.arm(arm, scope, subject, context);
            self.close(arm);
            if values.len() < 4 && value != NONE {
                values.push(value);
            }
        }
        self.close(children);
        self.b.union(&values)
    }

    fn arm(
        &mut self,
        children: ChildRange,
        scope: ScopeId,
        subject: ExprId,
        context: ContextualType,
    ) -> ExprId {
        let mut value = NONE;
        for i in children {
            let part = self.child(i);
            if Self::is_pattern(part.kind) {
                self.pattern(part, scope, subject);
            } else if part.kind == Kind::WhenClause {
                self.statements(part, scope);
            } else {
                value = self.expr(part, scope, context);
            }
        }
        value
    }

    /// `foreach ((int a, var b) in x)`, `foreach (A<B> a in x)`.
    fn target(&mut self, child: CSharpChild<'t>, scope: ScopeId, of: ExprId) {
        if child.kind == Kind::TupleExpression {
            self.deconstruct(child, scope, of);
        } else if let Some((ty, name)) = self.misread_variable(child, scope) {
            self.local(name, scope, name.range(), ty, of);
        } else {
            self.expr(child, scope, ContextualType::Nothing);
        }
    }
}
