//! Statements and the blocks they open.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::GoWalk;
use crate::children::Child;
use crate::facts::{DefKind, Expr, ExprId, IterationPart, NONE, Role, ScopeId, ScopeKind, space};
use crate::nodes::child;

impl<'t> GoWalk<'t> {
    /// A declaration or statement, or whatever else stands in its place.
    pub(super) fn statement(&mut self, node: Node<'t>, scope: ScopeId) {
        self.deeper((), |walk| walk.statement_of(node, scope));
    }

    fn statement_of(&mut self, node: Node<'t>, scope: ScopeId) {
        match self.kind(node) {
            Kind::PackageClause => self.package(node),
            Kind::ImportDeclaration => self.imports(node),
            Kind::FunctionDeclaration => self.function(node, scope),
            Kind::MethodDeclaration => self.method(node),
            Kind::ConstDeclaration => self.constants(node, scope),
            Kind::VarSpec => self.variables(node, scope),
            Kind::TypeSpec | Kind::TypeAlias => self.type_spec(node, scope),
            Kind::Block => {
                let inner = self.block(node, scope);
                self.children(node, inner);
            }
            Kind::AssignmentStatement => self.assignment(node, scope),
            Kind::ShortVarDeclaration => {
                let (left, right) = self.sides(node);
                let (Some(left), Some(right)) = (left, right) else {
                    return self.children(node, scope);
                };
                let names = self.entries(left);
                let values = self.values(right, names.len(), scope);
                self.declare(&names, &values, scope, node);
            }
            Kind::ReceiveStatement => self.receive(node, scope),
            Kind::IncStatement | Kind::DecStatement => {
                let children = self.open(node);
                for at in children {
                    let target = self.child(at).node;
                    let to = self.expr(target, scope);
                    self.written(target, to, Role::ReadWrite);
                }
                self.close(children);
            }
            Kind::LabeledStatement
            | Kind::BreakStatement
            | Kind::ContinueStatement
            | Kind::GotoStatement => self.labelled(node, scope),
            Kind::IfStatement => self.conditional(node, scope),
            Kind::ForStatement => self.repeated(node, scope),
            Kind::TypeSwitchStatement => self.type_switch(node, scope),
            Kind::SwitchStatement | Kind::SelectStatement => {
                let inner = self.block(node, scope);
                self.children(node, inner);
            }
            Kind::ExpressionCase | Kind::DefaultCase | Kind::CommunicationCase | Kind::TypeCase => {
                let inner = self.block(node, scope);
                self.children(node, inner);
            }
            Kind::VarDeclaration
            | Kind::VarSpecList
            | Kind::TypeDeclaration
            | Kind::StatementList
            | Kind::ExpressionList
            | Kind::ExpressionStatement
            | Kind::SendStatement
            | Kind::ReturnStatement
            | Kind::GoStatement
            | Kind::DeferStatement => self.children(node, scope),
            _ => {
                self.expr(node, scope);
            }
        }
    }

    fn block(&mut self, node: Node<'t>, scope: ScopeId) -> ScopeId {
        self.b
            .scope(ScopeKind::Block, scope, NONE, node.byte_range())
    }

    fn sides(&self, node: Node<'t>) -> (Option<Node<'t>>, Option<Node<'t>>) {
        (child(node, self.table.left), child(node, self.table.right))
    }

    /// The nodes of an expression list.
    fn entries(&mut self, list: Node<'t>) -> Vec<Node<'t>> {
        let children = self.open(list);
        let nodes = children.iter().map(|at| self.child(at).node).collect();
        self.close(children);
        nodes
    }

    /// `names := values`: names that the block already has are assigned, others are new.
    fn declare(&mut self, names: &[Node<'t>], values: &[ExprId], scope: ScopeId, node: Node<'t>) {
        for (index, &name) in names.iter().enumerate() {
            let value = values.get(index).copied().unwrap_or(NONE);
            if self.kind(name) != Kind::Identifier {
                self.expr(name, scope);
                continue;
            }
            let text = self.text(name);
            let end = node.end_byte() as u32;
            if self.b.declared(scope, text).is_some() {
                let to = self.name(name, scope, Role::Write);
                self.b.assign(to, value);
            } else if let Some(def) = self.define(name, DefKind::Variable, scope, node) {
                let def = self.b.edit(def);
                (def.value, def.from) = (value, end);
            }
        }
    }

    /// Notes that a name or field is written; what `*p` and `a[i]` write is another thing.
    fn written(&mut self, mut target: Node<'t>, to: ExprId, role: Role) {
        while self.kind(target) == Kind::ParenthesizedExpression {
            let Some(inner) = target.named_child(0) else {
                return;
            };
            target = inner;
        }
        if matches!(
            self.kind(target),
            Kind::Identifier | Kind::SelectorExpression
        ) {
            self.b.set_role(to, role);
        }
    }

    fn assignment(&mut self, node: Node<'t>, scope: ScopeId) {
        let (left, right) = self.sides(node);
        let (Some(left), Some(right)) = (left, right) else {
            return self.children(node, scope);
        };
        let plain = child(node, self.table.operator).is_none_or(|node| self.text(node) == "=");
        let role = if plain { Role::Write } else { Role::ReadWrite };
        let targets = self.entries(left);
        let values = self.values(right, targets.len(), scope);
        self.assign(&targets, &values, role, scope);
    }

    fn assign(&mut self, targets: &[Node<'t>], values: &[ExprId], role: Role, scope: ScopeId) {
        for (index, &target) in targets.iter().enumerate() {
            let to = self.expr(target, scope);
            if to == NONE {
                continue;
            }
            self.written(target, to, role);
            if let Some(&value) = values.get(index)
                && role == Role::Write
            {
                self.b.assign(to, value);
            }
        }
    }

    /// Whether `:=` stands between two nodes.
    fn declares(&self, left: Node<'t>, right: Node<'t>) -> bool {
        self.text
            .get(left.end_byte()..right.start_byte())
            .is_some_and(|between| between.contains(":="))
    }

    fn receive(&mut self, node: Node<'t>, scope: ScopeId) {
        let (left, right) = self.sides(node);
        let Some(right) = right else {
            return self.children(node, scope);
        };
        let of = self.expr(right, scope);
        let Some(left) = left else {
            return;
        };
        let targets = self.entries(left);
        let values = self.results(of, targets.len());
        if self.declares(left, right) {
            self.declare(&targets, &values, scope, node);
        } else {
            self.assign(&targets, &values, Role::Write, scope);
        }
    }

    fn labelled(&mut self, node: Node<'t>, scope: ScopeId) {
        let children = self.open(node);
        for at in children {
            let Child {
                field, node: part, ..
            } = self.child(at);
            if self.kind(part) != Kind::LabelName {
                self.statement(part, scope);
                continue;
            }
            let name = self.text(part);
            let at = part.start_byte() as u32;
            let inside = self.lang.function;
            if field == self.table.label {
                let range = node.byte_range();
                let def = self.b.define(name, DefKind::Label, inside, at, range);
                self.b.edit(def).spaces = space::LABEL;
            } else {
                self.b.name_use(name, inside, at, Role::Read, space::LABEL);
            }
        }
        self.close(children);
    }

    /// `if … else if …`: each condition's block is around the next, so a loop goes down.
    fn conditional(&mut self, node: Node<'t>, scope: ScopeId) {
        let (mut node, mut scope) = (node, scope);
        loop {
            scope = self.block(node, scope);
            let children = self.open(node);
            let mut next = None;
            for at in children {
                let part = self.child(at).node;
                match self.kind(part) {
                    Kind::IfStatement => next = Some(part),
                    _ => self.statement(part, scope),
                }
            }
            self.close(children);
            match next {
                Some(part) => node = part,
                None => return,
            }
        }
    }

    fn repeated(&mut self, node: Node<'t>, scope: ScopeId) {
        let scope = self.block(node, scope);
        let children = self.open(node);
        for at in children {
            let part = self.child(at).node;
            match self.kind(part) {
                Kind::ForClause => self.children(part, scope),
                Kind::RangeClause => self.range(part, scope),
                _ => self.statement(part, scope),
            }
        }
        self.close(children);
    }

    fn range(&mut self, node: Node<'t>, scope: ScopeId) {
        let (left, right) = self.sides(node);
        let of = right.map_or(NONE, |right| self.expr(right, scope));
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let targets = self.entries(left);
        let parts = [IterationPart::Key, IterationPart::Element]
            .into_iter()
            .take(targets.len());
        let values: Vec<_> = parts
            .map(|part| self.b.expr(Expr::Iter { of, part }))
            .collect();
        if self.declares(left, right) {
            self.declare(&targets, &values, scope, node);
        } else {
            self.assign(&targets, &values, Role::Write, scope);
        }
    }

    /// `switch x := y.(type)`: one variable, that each clause with one type knows more about.
    fn type_switch(&mut self, node: Node<'t>, scope: ScopeId) {
        let scope = self.block(node, scope);
        let children = self.open(node);
        let mut variable = None;
        for at in children {
            let Child {
                field, node: part, ..
            } = self.child(at);
            if field == self.table.alias {
                variable = self.entries(part).first().copied();
            } else if field == self.table.value {
                let of = self.expr(part, scope);
                let name = variable.filter(|node| self.kind(*node) == Kind::Identifier);
                if let Some(name) = name
                    && let Some(def) = self.define(name, DefKind::Variable, scope, part)
                {
                    let def = self.b.edit(def);
                    (def.value, def.from) = (of, part.end_byte() as u32);
                }
            } else if self.kind(part) == Kind::TypeCase {
                self.type_case(part, variable, scope);
            } else {
                self.statement(part, scope);
            }
        }
        self.close(children);
    }

    fn type_case(&mut self, node: Node<'t>, variable: Option<Node<'t>>, scope: ScopeId) {
        let scope = self.block(node, scope);
        let mut types = Vec::new();
        let children = self.open(node);
        for at in children {
            let Child {
                field, node: part, ..
            } = self.child(at);
            if field == self.table.ty {
                // Commas are in the field as well.
                if part.is_named() {
                    types.push((self.ty(part, scope), self.text(part)));
                }
                continue;
            }
            if let ([(ty, text)], Some(variable)) = (&types[..], variable)
                && *text != "nil"
            {
                let name = self.text(variable);
                let spaces = space::ANY;
                let of = self.b.name_use(name, scope, NONE, Role::Read, spaces);
                self.b.narrow(of, part.byte_range(), *ty, false);
            }
            self.statement(part, scope);
        }
        self.close(children);
    }
}
