//! Functions, variables, types by declaration.

use tree_sitter::Node;

use super::kinds::Kind;
use super::state::Returns;
use super::walk::TypeScriptWalk;
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, flag, space};
use crate::nodes::named_children;

/// The name that every description of a module has beside its own, so that all of them are found.
pub const DESCRIBED: &str = "(described)";

impl<'t> TypeScriptWalk<'t> {
    pub(super) fn function(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) {
        let Some(name) = self.field(node, |table| table.name) else {
            self.callable(node, scope, DefKind::Lambda, NONE, flags);
            return;
        };
        let def = self.b.define(
            self.text(name),
            DefKind::Function,
            scope,
            name.start_byte() as u32,
            node.byte_range(),
        );
        let is_signature = self.kind(node) == Kind::FunctionSignature;
        let function = self.b.edit(def);
        function.spaces = space::VALUE;
        function.flags |= flags | if is_signature { flag::DECLARATION } else { 0 };
        self.complete(def, node, scope, NONE);
    }

    /// A function without a name in its scope: an expression or a type.
    pub(super) fn callable(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        kind: DefKind,
        expected: ExprId,
        flags: u32,
    ) -> DefId {
        let def = self.b.define("", kind, scope, NONE, node.byte_range());
        self.b.edit(def).flags |= flags;
        // A function expression's own name is seen inside of it.
        let named = matches!(
            self.kind(node),
            Kind::FunctionExpression | Kind::GeneratorFunction
        );
        let name = self.field(node, |table| table.name).filter(|_| named);
        let around = match name {
            Some(name) => {
                let block = self.block(node, scope);
                let own = self.b.define(
                    self.text(name),
                    DefKind::Function,
                    block,
                    name.start_byte() as u32,
                    node.byte_range(),
                );
                let value = self.b.expr(Expr::Function { def });
                let own = self.b.edit(own);
                own.kind = DefKind::Variable;
                own.spaces = space::VALUE;
                own.value = value;
                block
            }
            None => scope,
        };
        self.complete(def, node, around, expected);
        def
    }

    /// What the values that a function returns are expected to be: its declared result, else that of the function
    /// which is expected in its place.
    fn wanted_result(&mut self, declared: ExprId, expected: ExprId, is_async: bool) -> ExprId {
        let value = match (declared, expected) {
            (NONE, NONE) => return NONE,
            (NONE, of) => self.b.expr(Expr::Call { of, args: NONE }),
            (of, _) => self.b.expr(Expr::Value { of }),
        };
        if is_async {
            return self.b.expr(Expr::Await { of: value });
        }
        value
    }

    /// Type parameters, parameters, result and body of a function.
    pub(super) fn complete(
        &mut self,
        def: DefId,
        node: Node<'t>,
        scope: ScopeId,
        expected: ExprId,
    ) {
        self.with_this(node, scope, |walk| {
            walk.complete_now(def, node, scope, expected);
        });
    }

    fn complete_now(&mut self, def: DefId, node: Node<'t>, scope: ScopeId, expected: ExprId) {
        let around = self.type_parameters(node, scope, def);
        let inner = self
            .b
            .scope(ScopeKind::Function, around, def, node.byte_range());
        self.b.edit(def).inner = inner;
        if let Some(parameters) = self.field(node, |table| table.parameters) {
            self.parameters(parameters, inner, expected);
        } else if let Some(parameter) = self.field(node, |table| table.parameter) {
            self.parameter(parameter, inner, expected, 0);
        }
        self.documented_function(def, node.start_byte(), inner);
        let mut ty = NONE;
        if let Some(result) = self.field(node, |table| table.return_type) {
            ty = self.annotation(result, inner);
            self.b.edit(def).ty = ty;
        }
        let is_async = self.has(node, "async");
        if is_async && ty == NONE {
            self.b.edit(def).flags |= flag::ASYNC;
        }
        let awaits = self.wanted_result(ty, expected, is_async);
        let Some(body) = self.field(node, |table| table.body) else {
            return;
        };
        self.lang.returns.push(Returns {
            expected: awaits,
            ..Returns::default()
        });
        if self.kind(body) == Kind::StatementBlock {
            self.statements(body, inner);
        } else {
            let value = self.expression(body, inner, awaits);
            if let Some(returns) = self.lang.returns.last_mut() {
                returns.values.push(value);
            }
        }
        let returns = self.lang.returns.pop().unwrap_or_default();
        self.give(def, &returns);
    }

    /// What a function gives that declares no result.
    fn give(&mut self, def: DefId, returns: &Returns) {
        let is_generator = !returns.yields.is_empty();
        let values = if is_generator {
            &returns.yields
        } else {
            &returns.values
        };
        let value = self.b.union(values);
        let function = self.b.edit(def);
        if function.ty == NONE {
            function.value = value;
            if is_generator {
                function.flags |= flag::GENERATOR;
            }
        }
    }

    /// The scope of type parameters, if there are any.
    pub(super) fn type_parameters(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        owner: DefId,
    ) -> ScopeId {
        let Some(list) = self.field(node, |table| table.type_parameters) else {
            return self.documented_type_parameters(node.start_byte(), scope, owner);
        };
        let header = self
            .b
            .scope(ScopeKind::Header, scope, owner, node.byte_range());
        let children = self.open_named(list);
        for place in children {
            let parameter = self.child(place).node;
            let Some(name) = self.field(parameter, |table| table.name) else {
                continue;
            };
            let def = self.b.define(
                self.text(name),
                DefKind::TypeParam,
                header,
                name.start_byte() as u32,
                parameter.byte_range(),
            );
            self.b.edit(def).spaces = space::TYPE;
            let children = self.open_named(parameter);
            for place in children {
                let part = self.child(place).node;
                match self.kind(part) {
                    Kind::Constraint => {
                        let ty = self.first_type(part, header);
                        self.b.edit(def).ty = ty;
                    }
                    Kind::DefaultType => {
                        let ty = self.first_type(part, header);
                        self.b.edit(def).value = ty;
                    }
                    _ => {}
                }
            }
            self.close(children);
        }
        self.close(children);
        header
    }

    pub(super) fn first_type(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let first = named_children(node)
            .into_iter()
            .find(|child| self.kind(*child) != Kind::Comment);
        first.map_or(NONE, |ty| self.ty(ty, scope))
    }

    pub(super) fn parameters(&mut self, list: Node<'t>, scope: ScopeId, expected: ExprId) {
        let mut index = 0;
        let children = self.open_named(list);
        for place in children {
            let parameter = self.child(place).node;
            if self.kind(parameter) == Kind::Comment {
                continue;
            }
            if self.kind(parameter) == Kind::Decorator {
                self.decorator(parameter, scope);
                continue;
            }
            self.parameter(parameter, scope, expected, index);
            index += 1;
        }
        self.close(children);
    }

    fn parameter(&mut self, node: Node<'t>, scope: ScopeId, expected: ExprId, index: u32) {
        let is_wrapped = matches!(
            self.kind(node),
            Kind::RequiredParameter | Kind::OptionalParameter
        );
        let mut pattern = if is_wrapped {
            let Some(pattern) = self.field(node, |table| table.pattern) else {
                return;
            };
            pattern
        } else {
            node
        };
        let ty = self.field(node, |table| table.type_).filter(|_| is_wrapped);
        let ty = ty.map_or(NONE, |ty| self.annotation(ty, scope));
        let mut flags = 0;
        let mut default = self.field(node, |table| table.value).filter(|_| is_wrapped);
        if self.kind(pattern) == Kind::AssignmentPattern {
            default = self.field(pattern, |table| table.right);
            let Some(left) = self.field(pattern, |table| table.left) else {
                return;
            };
            pattern = left;
        }
        if self.kind(node) == Kind::OptionalParameter || default.is_some() {
            flags |= flag::OPTIONAL;
        }
        if self.kind(pattern) == Kind::RestPattern {
            flags |= flag::VARIADIC;
            let Some(inner) = pattern.named_child(0) else {
                return;
            };
            pattern = inner;
        }
        if is_wrapped {
            let children = self.open_named(node);
            for place in children {
                let decorator = self.child(place).node;
                if self.kind(decorator) == Kind::Decorator {
                    self.decorator(decorator, scope);
                }
            }
            self.close(children);
        }
        let declared = match ty {
            NONE => NONE,
            ty => self.b.expr(Expr::Value { of: ty }),
        };
        let mut value = NONE;
        if declared == NONE && expected != NONE {
            value = self.b.expr(Expr::ContextualParam {
                of: expected,
                index,
            });
        }
        if let Some(default) = default {
            let known = if declared == NONE { value } else { declared };
            let of = self.expression(default, scope, known);
            // What the function is expected to take says more than an object.
            value = match value {
                NONE => of,
                given if self.kind(default) == Kind::Object => given,
                given => self.b.union(&[given, of]),
            };
        }
        let is_this = self.kind(pattern) == Kind::This;
        self.lang.this.is_declared |= is_this;
        if self.kind(pattern) == Kind::Identifier || is_this {
            let at = pattern.start_byte() as u32;
            let name = self.text(pattern);
            let def = self
                .b
                .define(name, DefKind::Parameter, scope, at, node.byte_range());
            let parameter = self.b.edit(def);
            parameter.spaces = space::VALUE;
            parameter.ty = self_typed(ty, flags);
            parameter.value = value;
            parameter.flags |= flags | if is_this { flag::RECEIVER } else { 0 };
            if flags & flag::VARIADIC != 0 {
                self.variadic(def, ty);
            }
            self.parameter_property(node, pattern, scope, ty);
            return;
        }
        // A pattern: the parameter itself has no name.
        let def = self
            .b
            .define("", DefKind::Parameter, scope, NONE, node.byte_range());
        let parameter = self.b.edit(def);
        parameter.ty = ty;
        parameter.value = value;
        parameter.flags |= flags;
        let from = if declared == NONE { value } else { declared };
        let from = if from == NONE {
            // Documentation may say it.
            let said = self.b.reserve();
            self.b.edit(def).value = said;
            said
        } else {
            from
        };
        self.bind_pattern(pattern, scope, scope, from, DefKind::Variable, node);
    }

    /// A rest parameter's type is that of all arguments; ours is that of one.
    fn variadic(&mut self, def: DefId, ty: ExprId) {
        if let Expr::Array { of } = self.b.facts.expr(ty) {
            self.b.edit(def).ty = of;
            return;
        }
        if ty != NONE {
            // A tuple or a type parameter: what it is, is known as a whole.
            let parameter = self.b.edit(def);
            parameter.ty = ty;
        }
    }

    /// `constructor(private x: T)` declares a field as well.
    fn parameter_property(&mut self, node: Node<'t>, name: Node<'t>, scope: ScopeId, ty: ExprId) {
        let is_property = named_children(node)
            .iter()
            .any(|part| self.kind(*part) == Kind::AccessibilityModifier)
            || self.has(node, "readonly")
            || named_children(node)
                .iter()
                .any(|part| self.kind(*part) == Kind::OverrideModifier);
        if !is_property {
            return;
        }
        let mut class = scope;
        while self.b.facts.scopes[class as usize].kind != ScopeKind::Class {
            class = self.b.facts.scopes[class as usize].parent;
            if class == NONE {
                return;
            }
        }
        let def = self.b.define(
            self.text(name),
            DefKind::Field,
            class,
            name.start_byte() as u32,
            node.byte_range(),
        );
        let visibility = self.visibility(node);
        let field = self.b.edit(def);
        field.ty = ty;
        field.flags |= flag::MEMBER | visibility;
    }

    pub(super) fn variables(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        target: ScopeId,
        flags: u32,
    ) {
        let children = self.open_named(node);
        for place in children {
            let declarator = self.child(place).node;
            if self.kind(declarator) != Kind::VariableDeclarator {
                continue;
            }
            let Some(name) = self.field(declarator, |table| table.name) else {
                continue;
            };
            let ty = self.field(declarator, |table| table.type_);
            let ty = match ty {
                Some(ty) => self.annotation(ty, scope),
                None => self.documented_variable(node.start_byte(), scope),
            };
            let expected = match ty {
                NONE => NONE,
                ty => self.b.expr(Expr::Value { of: ty }),
            };
            let initial = self.field(declarator, |table| table.value);
            let is_const = ty == NONE && self.has(node, "const");
            let value = self.initial(initial, scope, expected, is_const);
            if self.kind(name) != Kind::Identifier {
                let from = if expected == NONE { value } else { expected };
                let from = if from == NONE { self.b.reserve() } else { from };
                let first = self.b.facts.defs.len();
                self.bind_pattern(name, scope, target, from, DefKind::Variable, declarator);
                self.b.facts.defs[first..]
                    .iter_mut()
                    .filter(|def| def.scope == target)
                    .for_each(|def| def.flags |= flags);
                continue;
            }
            // A module that is required is an import; what is in it is found through the name.
            let is_module = matches!(self.b.facts.expr(value), Expr::Module { .. });
            let is_alias = is_module && ty == NONE;
            let kind = if is_alias {
                DefKind::Alias
            } else {
                DefKind::Variable
            };
            let value = if is_alias {
                self.b
                    .member_use(value, "export=", NONE, Role::Import, space::ANY)
            } else {
                value
            };
            let def = self.b.define(
                self.text(name),
                kind,
                target,
                name.start_byte() as u32,
                declarator.byte_range(),
            );
            let variable = self.b.edit(def);
            if kind == DefKind::Variable {
                variable.spaces = space::VALUE;
            }
            variable.ty = ty;
            variable.value = value;
            variable.flags |= flags;
            if !self.lang.is_typed && kind == DefKind::Variable {
                let name = self.text(name);
                let owner = self
                    .b
                    .name_use(name, target, NONE, Role::Read, space::VALUE);
                self.is_given_to(value, owner);
            }
        }
        self.close(children);
    }

    pub(super) fn type_alias(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) {
        let Some(name) = self.field(node, |table| table.name) else {
            return;
        };
        let def = self.b.define(
            self.text(name),
            DefKind::TypeAlias,
            scope,
            name.start_byte() as u32,
            node.byte_range(),
        );
        let header = self.type_parameters(node, scope, def);
        let ty = self.field(node, |table| table.value);
        let ty = ty.map_or(NONE, |ty| self.ty(ty, header));
        let alias = self.b.edit(def);
        alias.spaces = space::TYPE;
        alias.flags |= flags | flag::NAMES_BASES;
        alias.ty = ty;
        if header != scope {
            alias.inner = header;
        }
    }

    pub(super) fn enumeration(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) {
        let Some(name) = self.field(node, |table| table.name) else {
            return;
        };
        let def = self.b.define(
            self.text(name),
            DefKind::Enum,
            scope,
            name.start_byte() as u32,
            node.byte_range(),
        );
        let inner = self
            .b
            .scope(ScopeKind::Class, scope, def, node.byte_range());
        let declared = self.b.edit(def);
        declared.inner = inner;
        declared.flags |= flags;
        let Some(body) = self.field(node, |table| table.body) else {
            return;
        };
        let children = self.open_named(body);
        for place in children {
            let member = self.child(place).node;
            let (name, value) = match self.kind(member) {
                Kind::EnumAssignment => (
                    self.field(member, |table| table.name),
                    self.field(member, |table| table.value),
                ),
                Kind::Comment => continue,
                _ => (Some(member), None),
            };
            let value = value.map_or(NONE, |value| self.expression(value, inner, NONE));
            let Some((text, at)) = name.and_then(|name| self.key(name)) else {
                continue;
            };
            let def = self
                .b
                .define(text, DefKind::EnumMember, inner, at, member.byte_range());
            self.b.edit(def).value = value;
        }
        self.close(children);
    }

    pub(super) fn module(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) {
        let body = self.field(node, |table| table.body);
        let Some(name) = self.field(node, |table| table.name) else {
            return;
        };
        if self.kind(name) == Kind::String {
            if let Some(body) = body {
                self.described_module(name, body, scope);
            }
            return;
        }
        let mut at = scope;
        let mut flags = flags;
        for part in self.parts(name) {
            let def = self.b.define(
                self.text(part),
                DefKind::Module,
                at,
                part.start_byte() as u32,
                node.byte_range(),
            );
            let inner = self.b.scope(ScopeKind::Module, at, def, node.byte_range());
            let module = self.b.edit(def);
            module.inner = inner;
            module.flags |= flags;
            module.spaces = space::VALUE | space::NAMESPACE | space::TYPE;
            at = inner;
            flags = flag::EXPORTED;
        }
        if let Some(body) = body {
            self.statements(body, at);
        }
    }

    /// A module of another package, described here: `declare module "a" { … }`. Its name has quotes, so that no other
    /// name finds it.
    fn described_module(&mut self, path: Node<'t>, body: Node<'t>, scope: ScopeId) {
        let name = format!("\"{}\"", self.text(path).trim_matches(['"', '\'']));
        let at = path.start_byte() as u32;
        let def = self
            .b
            .define(&name, DefKind::Module, scope, at, body.byte_range());
        let inner = self
            .b
            .scope(ScopeKind::Module, scope, def, body.byte_range());
        let module = self.b.edit(def);
        module.inner = inner;
        module.flags |= flag::UNWRITTEN;
        module.spaces = space::NAMESPACE;
        let mark = self
            .b
            .define(DESCRIBED, DefKind::Module, scope, at, body.byte_range());
        let mark = self.b.edit(mark);
        mark.inner = inner;
        mark.flags |= flag::UNWRITTEN | flag::HIDDEN;
        mark.spaces = space::NAMESPACE;
        self.statements(body, inner);
    }

    /// The identifiers of `a.b.c`.
    fn parts(&self, name: Node<'t>) -> Vec<Node<'t>> {
        let mut parts = Vec::new();
        let mut open = vec![name];
        while let Some(node) = open.pop() {
            let inner = named_children(node);
            if inner.is_empty() {
                parts.push(node);
            } else {
                open.extend(inner.into_iter().rev());
            }
        }
        parts
    }

    pub(super) fn decorator(&mut self, node: Node<'t>, scope: ScopeId) {
        let children = self.open_named(node);
        for place in children {
            let inner = self.child(place).node;
            let expr = self.expression(inner, scope, NONE);
            let callee = match self.b.facts.expr(expr) {
                Expr::Call { of, .. } => of,
                _ => expr,
            };
            self.b.set_role(callee, Role::Attribute);
        }
        self.close(children);
    }
}

/// A rest parameter's type is set by its own rule.
fn self_typed(ty: ExprId, flags: u32) -> ExprId {
    if flags & flag::VARIADIC != 0 {
        NONE
    } else {
        ty
    }
}
