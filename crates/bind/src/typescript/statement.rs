//! Statements, imports, exports.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::TypeScriptWalk;
use crate::facts::{
    DefKind, Expr, ExprId, IterationPart, NONE, Role, ScopeId, ScopeKind, flag, space,
};
use crate::nodes::named_children;

impl<'t> TypeScriptWalk<'t> {
    /// All statements in a node.
    pub(super) fn statements(&mut self, node: Node<'t>, scope: ScopeId) {
        let children = self.open_named(node);
        for place in children {
            let statement = self.child(place).node;
            self.statement(statement, scope, 0);
        }
        self.close(children);
    }

    /// A statement; `flags` are what is around it adds to what it declares.
    pub(super) fn statement(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) {
        self.deeper((), |walk| walk.statement_now(node, scope, flags));
    }

    fn statement_now(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) {
        match self.kind(node) {
            Kind::ImportStatement => self.import(node, scope),
            Kind::ImportAlias => self.import_alias(node, scope, flags),
            Kind::ExportStatement => self.export(node, scope),
            Kind::AmbientDeclaration => self.ambient(node, scope, flags),
            Kind::FunctionDeclaration
            | Kind::GeneratorFunctionDeclaration
            | Kind::FunctionSignature => self.function(node, scope, flags),
            Kind::ClassDeclaration | Kind::AbstractClassDeclaration => {
                self.class(node, scope, flags);
            }
            Kind::InterfaceDeclaration => self.interface(node, scope, flags),
            Kind::TypeAliasDeclaration => self.type_alias(node, scope, flags),
            Kind::EnumDeclaration => self.enumeration(node, scope, flags),
            Kind::InternalModule | Kind::Module => self.module(node, scope, flags),
            Kind::LexicalDeclaration | Kind::UsingDeclaration => {
                self.variables(node, scope, scope, flags);
            }
            Kind::VariableDeclaration => {
                let hoisted = self.hoisted(scope);
                self.variables(node, scope, hoisted, flags);
            }
            Kind::StatementBlock => {
                let block = self.block(node, scope);
                self.statements(node, block);
            }
            Kind::IfStatement => self.branch(node, scope),
            Kind::ForStatement => self.for_loop(node, scope),
            Kind::ForInStatement => self.for_each(node, scope),
            Kind::TryStatement => self.attempt(node, scope),
            Kind::SwitchStatement => self.switch(node, scope),
            Kind::LabeledStatement => self.labeled(node, scope),
            Kind::BreakStatement | Kind::ContinueStatement => {
                if let Some(label) = self.field(node, |table| table.label) {
                    let name = self.text(label);
                    let at = label.start_byte() as u32;
                    self.b.name_use(name, scope, at, Role::Read, space::LABEL);
                }
            }
            Kind::ReturnStatement => self.give_back(node, scope),
            Kind::Comment => self.defined_types(node.start_byte(), self.text(node), scope),
            Kind::ExpressionStatement => {
                // `namespace A {}` is an expression to the grammar.
                let children = self.open_named(node);
                for place in children {
                    let inner = self.child(place).node;
                    match self.kind(inner) {
                        Kind::InternalModule => self.module(inner, scope, flags),
                        Kind::CallExpression => {
                            let call = self.expression(inner, scope, NONE);
                            self.narrow_by_assertion(call, node.end_byte(), scope);
                            self.narrow_by_asserted(inner, call, scope);
                        }
                        _ => {
                            self.expression(inner, scope, NONE);
                        }
                    }
                }
                self.close(children);
            }
            Kind::Decorator => self.decorator(node, scope),
            Kind::WhileStatement
            | Kind::DoStatement
            | Kind::ThrowStatement
            | Kind::ElseClause
            | Kind::Error => self.inside(node, scope),
            _ => {
                self.expression(node, scope, NONE);
            }
        }
    }

    /// Whatever is in a node, statements or expressions.
    pub(super) fn inside(&mut self, node: Node<'t>, scope: ScopeId) {
        let children = self.open_named(node);
        for place in children {
            let inner = self.child(place).node;
            self.statement(inner, scope, 0);
        }
        self.close(children);
    }

    pub(super) fn block(&mut self, node: Node<'t>, scope: ScopeId) -> ScopeId {
        self.b
            .scope(ScopeKind::Block, scope, NONE, node.byte_range())
    }

    fn give_back(&mut self, node: Node<'t>, scope: ScopeId) {
        let expected = self
            .lang
            .returns
            .last()
            .map_or(NONE, |returns| returns.expected);
        let children = self.open_named(node);
        for place in children {
            let value = self.child(place).node;
            if self.kind(value) == Kind::Comment {
                continue;
            }
            let value = self.expression(value, scope, expected);
            if let Some(returns) = self.lang.returns.last_mut()
                && returns.values.len() < 4
            {
                returns.values.push(value);
            }
        }
        self.close(children);
    }

    fn branch(&mut self, node: Node<'t>, scope: ScopeId) {
        // `else if` chains are walked in a loop: they may be thousands long.
        let mut at = Some(node);
        while let Some(branch) = at.take() {
            let consequence = self.field(branch, |table| table.consequence);
            let alternative = self.field(branch, |table| table.alternative);
            if let Some(condition) = self.field(branch, |table| table.condition) {
                self.expression(condition, scope, NONE);
                let then = consequence.map(|node| node.byte_range());
                let otherwise = alternative.map(|node| node.byte_range());
                let leaves = consequence.is_some_and(|node| self.leaves(node));
                // What is known where the branch left: the rest of the block.
                let rest = match (leaves, otherwise) {
                    (_, Some(otherwise)) => Some(otherwise),
                    (true, None) => Some(branch.end_byte()..self.end_of_scope(scope)),
                    (false, None) => None,
                };
                self.narrow_by(condition, scope, then, rest);
            }
            if let Some(consequence) = consequence {
                self.statement(consequence, scope, 0);
            }
            let Some(alternative) = alternative else {
                continue;
            };
            let children = self.open_named(alternative);
            for place in children {
                let inner = self.child(place).node;
                if self.kind(inner) == Kind::IfStatement {
                    at = Some(inner);
                } else {
                    self.statement(inner, scope, 0);
                }
            }
            self.close(children);
        }
    }

    pub(super) fn end_of_scope(&self, scope: ScopeId) -> usize {
        self.b.facts.scopes[scope as usize].end as usize
    }

    /// Whether a statement never goes on behind itself: a block by its last one, a choice by both arms.
    fn leaves(&self, node: Node<'t>) -> bool {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match self.kind(node) {
                Kind::ReturnStatement
                | Kind::ThrowStatement
                | Kind::ContinueStatement
                | Kind::BreakStatement => {}
                Kind::StatementBlock | Kind::ElseClause => match self.last_statement(node) {
                    Some(last) => open.push(last),
                    None => return false,
                },
                Kind::IfStatement => {
                    let consequence = self.field(node, |table| table.consequence);
                    let alternative = self.field(node, |table| table.alternative);
                    match (consequence, alternative) {
                        (Some(then), Some(otherwise)) => open.extend([then, otherwise]),
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
        true
    }

    fn last_statement(&self, node: Node<'t>) -> Option<Node<'t>> {
        let statements = named_children(node).into_iter().rev();
        let mut statements = statements.filter(|inner| self.kind(*inner) != Kind::Comment);
        statements.next()
    }

    /// Whether a case of a `switch` does not run on into the next one.
    pub(super) fn never_goes_on(&self, case: Node<'t>) -> bool {
        self.last_statement(case)
            .is_some_and(|last| self.leaves(last))
    }

    fn for_loop(&mut self, node: Node<'t>, scope: ScopeId) {
        let block = self.block(node, scope);
        let children = self.open_named(node);
        for place in children {
            let inner = self.child(place).node;
            self.statement(inner, block, 0);
        }
        self.close(children);
    }

    fn for_each(&mut self, node: Node<'t>, scope: ScopeId) {
        let block = self.block(node, scope);
        let Some(right) = self.field(node, |table| table.right) else {
            return;
        };
        let over = self.expression(right, scope, NONE);
        let operator = self.field(node, |table| table.operator);
        let is_of = operator.is_some_and(|operator| operator.kind() == "of");
        let part = if is_of {
            IterationPart::Element
        } else {
            IterationPart::Key
        };
        let of = if self.has(node, "await") {
            self.b.expr(Expr::Await { of: over })
        } else {
            over
        };
        let value = self.b.expr(Expr::Iter { of, part });
        if let Some(left) = self.field(node, |table| table.left) {
            let declares = ["const", "let", "var", "using"]
                .iter()
                .any(|keyword| self.has(node, keyword));
            if declares {
                let is_var = self.has(node, "var");
                let target = if is_var { self.hoisted(scope) } else { block };
                self.bind_pattern(left, block, target, value, DefKind::Variable, node);
            } else {
                self.assign_pattern(left, block, value);
            }
        }
        if let Some(body) = self.field(node, |table| table.body) {
            self.statement(body, block, 0);
        }
    }

    fn attempt(&mut self, node: Node<'t>, scope: ScopeId) {
        let children = self.open_named(node);
        for place in children {
            let inner = self.child(place).node;
            if self.kind(inner) != Kind::CatchClause {
                self.statement(inner, scope, 0);
                continue;
            }
            let block = self.block(inner, scope);
            if let Some(parameter) = self.field(inner, |table| table.parameter) {
                let value = self.b.reserve();
                let ty = self.field(inner, |table| table.type_);
                self.bind_pattern(parameter, block, block, value, DefKind::Variable, parameter);
                if let Some(ty) = ty {
                    self.annotation(ty, block);
                }
            }
            if let Some(body) = self.field(inner, |table| table.body) {
                self.statements(body, block);
            }
        }
        self.close(children);
    }

    fn switch(&mut self, node: Node<'t>, scope: ScopeId) {
        let value = self.field(node, |table| table.value);
        if let Some(value) = value {
            self.expression(value, scope, NONE);
        }
        let Some(body) = self.field(node, |table| table.body) else {
            return;
        };
        let block = self.block(body, scope);
        let cases = named_children(body);
        if let Some(value) = value {
            let is_case = |case: &&Node<'t>| self.kind(**case) != Kind::Comment;
            let cases: Vec<Node<'t>> = cases.iter().filter(is_case).copied().collect();
            self.narrow_by_cases(value, &cases, block);
        }
        for case in cases {
            self.inside(case, block);
        }
    }

    fn labeled(&mut self, node: Node<'t>, scope: ScopeId) {
        let block = self.block(node, scope);
        if let Some(label) = self.field(node, |table| table.label) {
            let at = label.start_byte() as u32;
            let name = self.text(label);
            let def = self
                .b
                .define(name, DefKind::Label, block, at, node.byte_range());
            self.b.edit(def).spaces = space::LABEL;
        }
        if let Some(body) = self.field(node, |table| table.body) {
            self.statement(body, block, 0);
        }
    }

    fn ambient(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) {
        let is_global = self.has(node, "global");
        let children = self.open_named(node);
        for place in children {
            let inner = self.child(place).node;
            if is_global && self.kind(inner) == Kind::StatementBlock {
                let children = self.open_named(inner);
                for place in children {
                    let statement = self.child(place).node;
                    self.statement(statement, scope, flag::INTERNAL);
                }
                self.close(children);
            } else {
                self.statement(inner, scope, flags);
            }
        }
        self.close(children);
    }

    /// The module that a string names.
    pub(super) fn module_path(&mut self, source: Node<'t>) -> ExprId {
        let text = self.text(source);
        let path = text.trim_matches(['"', '\'', '`']);
        self.module_at(path, source.start_byte() as u32 + 1)
    }

    /// The module of a path that is written at a place.
    pub(super) fn module_at(&mut self, path: &str, at: u32) -> ExprId {
        let name = self.b.name(path);
        self.b.expr(Expr::Module { name, at, level: 0 })
    }

    /// A file with an import or export is a module, even if nothing is named: `export {}`. One in a namespace
    /// of it, or in the module of another package that it describes, says nothing about the file.
    fn is_module(&mut self, scope: ScopeId) {
        if scope == 0 && self.b.facts.exported.is_empty() {
            let name = self.b.name("");
            self.b.facts.exported.push(name);
        }
    }

    fn import(&mut self, node: Node<'t>, scope: ScopeId) {
        self.is_module(scope);
        let type_only = if self.has(node, "type") {
            flag::TYPE_ONLY
        } else {
            0
        };
        let children = self.open_named(node);
        let mut has_clause = false;
        for place in children {
            let clause = self.child(place).node;
            let kind = self.kind(clause);
            has_clause |= matches!(kind, Kind::ImportClause | Kind::ImportRequireClause);
            match kind {
                Kind::ImportClause => {
                    if let Some(source) = self.field(node, |table| table.source) {
                        let module = self.module_path(source);
                        self.import_clause(clause, scope, module, type_only);
                    }
                }
                Kind::ImportRequireClause => self.import_require(clause, scope),
                _ => {}
            }
        }
        self.close(children);
        // `import "./setup"` names nothing, and still leads to its module.
        if !has_clause && let Some(source) = self.field(node, |table| table.source) {
            self.module_path(source);
        }
    }

    fn import_require(&mut self, clause: Node<'t>, scope: ScopeId) {
        let parts = named_children(clause);
        let (Some(name), Some(source)) = (parts.first(), self.field(clause, |table| table.source))
        else {
            return;
        };
        let module = self.module_path(source);
        let exported = self
            .b
            .member_use(module, "export=", NONE, Role::Import, space::ANY);
        self.alias(*name, *name, scope, exported, 0);
    }

    fn import_clause(&mut self, clause: Node<'t>, scope: ScopeId, module: ExprId, flags: u32) {
        let children = self.open_named(clause);
        for place in children {
            let part = self.child(place).node;
            match self.kind(part) {
                Kind::Identifier => {
                    let value =
                        self.b
                            .member_use(module, "default", NONE, Role::Import, space::ANY);
                    self.alias(part, part, scope, value, flags);
                }
                Kind::NamespaceImport => {
                    if let Some(name) = part.named_child(0).as_ref() {
                        self.alias(*name, part, scope, module, flags);
                    }
                }
                Kind::NamedImports => {
                    let children = self.open_named(part);
                    for place in children {
                        let specifier = self.child(place).node;
                        self.import_specifier(specifier, scope, module, flags);
                    }
                    self.close(children);
                }
                _ => {}
            }
        }
        self.close(children);
    }

    fn import_specifier(&mut self, node: Node<'t>, scope: ScopeId, module: ExprId, flags: u32) {
        let Some(name) = self.field(node, |table| table.name) else {
            return;
        };
        let Some((text, at)) = self.key(name) else {
            return;
        };
        let value = self
            .b
            .member_use(module, text, at, Role::Import, space::ANY);
        let alias = self.field(node, |table| table.alias).unwrap_or(name);
        self.alias(alias, node, scope, value, flags);
    }

    /// A name for something else.
    pub(super) fn alias(
        &mut self,
        name: Node<'t>,
        node: Node<'t>,
        scope: ScopeId,
        value: ExprId,
        flags: u32,
    ) {
        let Some((text, at)) = self.key(name) else {
            return;
        };
        let def = self
            .b
            .define(text, DefKind::Alias, scope, at, node.byte_range());
        let alias = self.b.edit(def);
        alias.value = value;
        alias.flags |= flags;
    }

    /// `import A = B.C`.
    fn import_alias(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) {
        let parts = named_children(node);
        let (Some(name), Some(target)) = (parts.first(), parts.get(1)) else {
            return;
        };
        let value = self.qualified(*target, scope, Role::Import, space::ANY);
        self.alias(*name, node, scope, value, flags);
    }

    fn export(&mut self, node: Node<'t>, scope: ScopeId) {
        self.is_module(scope);
        let is_default = self.has(node, "default");
        let flags = flag::EXPORTED | if is_default { flag::DEFAULT } else { 0 };
        let source = self.field(node, |table| table.source);
        let module = source.map(|source| self.module_path(source));
        let children = self.open_named(node);
        for place in children {
            let decorator = self.child(place).node;
            if self.kind(decorator) == Kind::Decorator {
                self.decorator(decorator, scope);
            }
        }
        self.close(children);
        if let Some(declaration) = self.field(node, |table| table.declaration) {
            self.statement(declaration, scope, flags);
            return;
        }
        if let Some(value) = self.field(node, |table| table.value) {
            self.export_value(value, scope, "default");
            return;
        }
        if self.has(node, "=") {
            if let Some(value) = named_children(node).last() {
                self.export_value(*value, scope, "export=");
            }
            return;
        }
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            match (self.kind(part), module) {
                (Kind::ExportClause, module) => {
                    let children = self.open_named(part);
                    for place in children {
                        let specifier = self.child(place).node;
                        self.export_specifier(specifier, scope, module);
                    }
                    self.close(children);
                }
                (Kind::NamespaceExport, Some(module)) => {
                    if let Some(name) = part.named_child(0).as_ref() {
                        let flags = flag::EXPORTED | flag::HIDDEN;
                        self.alias(*name, part, scope, module, flags);
                    }
                }
                _ => {}
            }
        }
        self.close(children);
        let is_star = self.has(node, "*");
        if let Some(module) = module.filter(|_| is_star) {
            self.b.glob_import(scope, module, flag::EXPORTED);
        }
    }

    /// `export default x`, `export = x`: a name of its own that cannot be seen inside.
    pub(super) fn export_value(&mut self, value: Node<'t>, scope: ScopeId, name: &str) -> ExprId {
        let expr = self.expression(value, scope, NONE);
        // A class or function that is written there may have a name of its own.
        let own = self.own_name(value);
        let is_name = own.is_some()
            || matches!(
                self.kind(value),
                Kind::Identifier | Kind::MemberExpression | Kind::NestedIdentifier | Kind::Class
            );
        let kind = if is_name {
            DefKind::Alias
        } else {
            DefKind::Variable
        };
        let at = value.start_byte() as u32;
        let def = self.b.define(name, kind, scope, at, value.byte_range());
        let exported = self.b.edit(def);
        exported.value = own.unwrap_or(expr);
        exported.flags = flag::EXPORTED | flag::HIDDEN | flag::UNWRITTEN;
        expr
    }

    /// The name of a function expression, as it is seen inside of it.
    fn own_name(&mut self, value: Node<'t>) -> Option<ExprId> {
        if !matches!(
            self.kind(value),
            Kind::FunctionExpression | Kind::GeneratorFunction
        ) {
            return None;
        }
        let name = self.field(value, |table| table.name)?;
        let at = name.start_byte() as u32;
        let mut known = self.b.facts.defs.iter_mut().rev();
        let own = known.find(|def| def.at == at)?;
        // It is seen inside of it, and leaves the module all the same.
        own.flags |= flag::DEFAULT;
        let scope = own.scope;
        let text = self.text(name);
        let named = self.b.name_use(text, scope, NONE, Role::Read, space::VALUE);
        Some(named)
    }

    fn export_specifier(&mut self, node: Node<'t>, scope: ScopeId, module: Option<ExprId>) {
        let Some(name) = self.field(node, |table| table.name) else {
            return;
        };
        let Some((text, at)) = self.key(name) else {
            return;
        };
        let value = match module {
            Some(module) => self
                .b
                .member_use(module, text, at, Role::Import, space::ANY),
            None => self.b.name_use(text, scope, at, Role::Import, space::ANY),
        };
        let alias = self.field(node, |table| table.alias).unwrap_or(name);
        self.alias(alias, node, scope, value, flag::EXPORTED | flag::HIDDEN);
    }
}
