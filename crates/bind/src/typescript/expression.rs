//! Expressions.

use tree_sitter::Node;

use super::kinds::Kind;
use super::state::Prefixes;
use super::walk::Walk;
use crate::facts::{
    DefKind, Expr, ExprId, Literal, NONE, Part, Role, ScopeId, ScopeKind, flag, space,
};
use crate::nodes::named_children;

impl<'t> Walk<'t> {
    /// An expression; `expected` says what it is expected to be, or is [`NONE`].
    pub(super) fn expression(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        expected: ExprId,
    ) -> ExprId {
        let value = self.link(node, scope, expected);
        self.prefixed(node, value)
    }

    pub(super) fn expression_now(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        expected: ExprId,
    ) -> ExprId {
        let at = node.start_byte() as u32;
        match self.kind(node) {
            Kind::Identifier
            | Kind::ShorthandPropertyIdentifier
            | Kind::TypeIdentifier
            | Kind::Undefined => {
                let name = self.text(node);
                if name == "undefined" {
                    return self.literal(Literal::Null);
                }
                self.b
                    .name_use(name, scope, at, Role::Read, space::VALUE | space::NAMESPACE)
            }
            Kind::This => self.this_value(scope, at),
            Kind::Super => self.b.expr(Expr::Super { scope }),
            Kind::String => self.literal(Literal::Text),
            Kind::Number => self.literal(Literal::Integer),
            Kind::True | Kind::False => self.literal(Literal::Boolean),
            Kind::Null => self.literal(Literal::Null),
            Kind::Regex => self.literal(Literal::Regex),
            Kind::TemplateString => {
                self.inside(node, scope);
                self.literal(Literal::Text)
            }
            Kind::MemberExpression | Kind::NestedIdentifier => self.member(node, scope),
            Kind::SubscriptExpression => self.subscript(node, scope),
            Kind::CallExpression => self.call(node, scope),
            Kind::NewExpression => self.construct(node, scope),
            Kind::ArrowFunction
            | Kind::FunctionExpression
            | Kind::GeneratorFunction
            | Kind::FunctionDeclaration
            | Kind::GeneratorFunctionDeclaration => {
                let def = self.callable(node, scope, DefKind::Lambda, expected, 0);
                self.b.expr(Expr::Function { def })
            }
            Kind::Class | Kind::ClassDeclaration => self.class_expression(node, scope),
            Kind::Object => self.object(node, scope, expected),
            Kind::Array => self.array(node, scope, expected),
            Kind::ParenthesizedExpression => self.parenthesized(node, scope, expected),
            Kind::BinaryExpression => self.binary(node, scope, expected),
            Kind::UnaryExpression => self.unary(node, scope),
            Kind::UpdateExpression => {
                let of = self.field(node, |table| table.argument);
                let of = of.map_or(NONE, |of| self.expression(of, scope, NONE));
                self.b.set_role(of, Role::ReadWrite);
                self.literal(Literal::Integer)
            }
            Kind::AssignmentExpression => self.assignment(node, scope),
            Kind::AugmentedAssignmentExpression => self.augmented(node, scope),
            Kind::TernaryExpression => self.ternary(node, scope, expected),
            Kind::AwaitExpression => {
                let of = self.only(node, scope, NONE);
                self.b.expr(Expr::Await { of })
            }
            Kind::YieldExpression => self.give_out(node, scope),
            Kind::AsExpression | Kind::SatisfiesExpression | Kind::TypeAssertion => {
                self.cast(node, scope, expected)
            }
            Kind::NonNullExpression => match named_children(node).first() {
                Some(of) => self.link(*of, scope, expected),
                None => NONE,
            },
            Kind::InstantiationExpression => {
                let of = self.only(node, scope, NONE);
                match self.field(node, |table| table.type_arguments) {
                    Some(arguments) => self.apply(of, arguments, scope),
                    None => of,
                }
            }
            Kind::SequenceExpression => {
                let mut last = NONE;
                let children = self.open_named(node);
                for place in children {
                    let part = self.child(place).node;
                    last = self.expression(part, scope, NONE);
                }
                self.close(children);
                last
            }
            Kind::SpreadElement => self.only(node, scope, NONE),
            Kind::JsxElement | Kind::JsxSelfClosingElement => self.markup(node, scope),
            Kind::Comment | Kind::PropertyIdentifier | Kind::StatementIdentifier => NONE,
            // What the language says of modules is an interface that programs add to.
            Kind::MetaProperty if self.text(node) == "import.meta" => {
                let of = self
                    .b
                    .name_use("ImportMeta", scope, NONE, Role::Type, space::TYPE);
                self.b.expr(Expr::Value { of })
            }
            Kind::TypeAnnotation | Kind::TypeArguments => self.ty(node, scope),
            _ => {
                self.inside(node, scope);
                self.b.expr(Expr::Opaque)
            }
        }
    }

    fn literal(&mut self, of: Literal) -> ExprId {
        self.b.expr(Expr::Literal { of })
    }

    /// What stands in parentheses. JavaScript's comments say what it is: `/** @type {A} */ (x)`.
    fn parenthesized(&mut self, node: Node<'t>, scope: ScopeId, expected: ExprId) -> ExprId {
        let said = self.jsdoc_before(node.start_byte(), scope);
        if said == NONE {
            return self.only(node, scope, expected);
        }
        let value = self.b.expr(Expr::Value { of: said });
        self.only(node, scope, value);
        value
    }

    /// The one expression in a node.
    fn only(&mut self, node: Node<'t>, scope: ScopeId, expected: ExprId) -> ExprId {
        let mut found = NONE;
        let children = self.open_named(node);
        for place in children {
            let inner = self.child(place).node;
            if matches!(self.kind(inner), Kind::Comment | Kind::TypeArguments) {
                continue;
            }
            let expr = self.expression(inner, scope, expected);
            if found == NONE {
                found = expr;
            }
        }
        self.close(children);
        found
    }

    /// A chain of members and calls is as deep as it is long; each link is one step.
    fn member(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let parts = named_children(node);
        let object = self
            .field(node, |table| table.object)
            .or(parts.first().copied());
        let property = self
            .field(node, |table| table.property)
            .or(parts.last().copied());
        let (Some(object), Some(property)) = (object, property) else {
            return NONE;
        };
        let of = self.link(object, scope, NONE);
        let name = self.text(property);
        let at = property.start_byte() as u32;
        self.b.member_use(of, name, at, Role::Read, space::ANY)
    }

    fn subscript(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let (Some(object), Some(index)) = (
            self.field(node, |table| table.object),
            self.field(node, |table| table.index),
        ) else {
            return NONE;
        };
        let of = self.link(object, scope, NONE);
        if self.kind(index) == Kind::String
            && let Some((name, at)) = self.key(index)
        {
            return self.b.member_use(of, name, at, Role::Read, space::ANY);
        }
        let by = self.expression(index, scope, NONE);
        if self.kind(index) == Kind::Number
            && let Ok(index) = self.text(index).parse::<u32>()
            && index < 64
        {
            return self.b.expr(Expr::Entry { of, index });
        }
        self.b.expr(Expr::Index { of, by })
    }

    fn call(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let Some(function) = self.field(node, |table| table.function) else {
            return NONE;
        };
        let arguments = self.field(node, |table| table.arguments);
        if let Some(module) = self.required_module(function, arguments) {
            return module;
        }
        let types = self.field(node, |table| table.type_arguments);
        let (function, prefixes) = match types {
            Some(_) => self.without_prefixes(node, function),
            None => (function, Prefixes::default()),
        };
        let mut of = self.link(function, scope, NONE);
        self.b.set_role(of, Role::Call);
        if let Some(types) = types {
            of = self.apply(of, types, scope);
        }
        let call = self.b.reserve();
        let args = arguments.map_or(NONE, |arguments| self.arguments(arguments, scope, call));
        self.b.fill(call, Expr::Call { of, args });
        if let Some(arguments) = arguments {
            self.filled_by_call(of, args, arguments);
        }
        if !self.lang.is_typed {
            self.derived_by_call(of, args);
            self.assigned_by_call(of, args);
        }
        self.keep_prefixes(prefixes);
        call
    }

    /// `list.push(a)` puts something into what the name stands for, as `list[0] = a` does.
    fn filled_by_call(&mut self, callee: ExprId, args: u32, arguments: Node<'t>) {
        let Expr::Member { of, name, .. } = self.b.facts.expr(callee) else {
            return;
        };
        let is_name = matches!(self.b.facts.expr(of), Expr::Name { .. });
        let is_put = matches!(self.b.facts.name(name), "push" | "unshift");
        let are_elements = || {
            let mut all = named_children(arguments).into_iter();
            all.all(|argument| self.kind(argument) != Kind::SpreadElement)
        };
        if !is_name || !is_put || !are_elements() {
            return;
        }
        let values = self.b.facts.list(args).to_vec();
        for value in values {
            let to = self.b.expr(Expr::Index { of, by: NONE });
            self.b.assign(to, value);
        }
    }

    /// `require("x")`, `import("x")`.
    fn required_module(
        &mut self,
        function: Node<'t>,
        arguments: Option<Node<'t>>,
    ) -> Option<ExprId> {
        let is_import = self.kind(function) == Kind::Import;
        let is_require =
            self.kind(function) == Kind::Identifier && self.text(function) == "require";
        if !is_import && !is_require {
            return None;
        }
        let first = named_children(arguments?).into_iter().next()?;
        (self.kind(first) == Kind::String).then(|| self.module_path(first))
    }

    /// ``tag`a ${b} c` ``: the texts are one argument, what stands between them are others.
    fn template_arguments(&mut self, node: Node<'t>, scope: ScopeId, call: ExprId) -> u32 {
        let mut args = vec![self.b.expr(Expr::Opaque)];
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            if self.kind(part) != Kind::TemplateSubstitution {
                continue;
            }
            let index = args.len() as u32;
            let expected = self.b.expr(Expr::ContextualType { call, index });
            args.push(self.only(part, scope, expected));
        }
        self.close(children);
        self.b.list(&args)
    }

    fn arguments(&mut self, node: Node<'t>, scope: ScopeId, call: ExprId) -> u32 {
        if self.kind(node) == Kind::TemplateString {
            return self.template_arguments(node, scope, call);
        }
        if self.kind(node) != Kind::Arguments {
            self.inside(node, scope);
            return NONE;
        }
        let mut args = Vec::new();
        let children = self.open_named(node);
        for place in children {
            let argument = self.child(place).node;
            if self.kind(argument) == Kind::Comment {
                continue;
            }
            let needs = matches!(
                self.kind(argument),
                Kind::ArrowFunction
                    | Kind::FunctionExpression
                    | Kind::GeneratorFunction
                    | Kind::Object
                    | Kind::Array
                    | Kind::ParenthesizedExpression
                    | Kind::TernaryExpression
                    | Kind::BinaryExpression
            );
            let expected = if needs {
                self.b.expr(Expr::ContextualType {
                    call,
                    index: args.len() as u32,
                })
            } else {
                NONE
            };
            // A text may be the key that the result stands under: `get("a")`.
            let key = match self.is_key(argument) {
                true => self.constant(argument),
                false => None,
            };
            args.push(match key {
                Some(key) => key,
                None => self.expression(argument, scope, expected),
            });
        }
        self.close(children);
        self.b.list(&args)
    }

    /// Whether an argument is a text that can be the name of a member.
    fn is_key(&self, argument: Node<'t>) -> bool {
        /// Bytes of a name, with its quotes.
        const LONGEST: usize = 64;
        let text = self.text(argument);
        let within = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        self.kind(argument) == Kind::String
            && text.len() <= LONGEST
            && !within.is_empty()
            && within.bytes().all(is_of_name)
    }

    fn construct(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let Some(constructor) = self.field(node, |table| table.constructor) else {
            return NONE;
        };
        let mut of = self.expression(constructor, scope, NONE);
        self.b.set_role(of, Role::Call);
        if let Some(types) = self.field(node, |table| table.type_arguments) {
            of = self.apply(of, types, scope);
        }
        let call = self.b.reserve();
        let arguments = self.field(node, |table| table.arguments);
        let args = arguments.map_or(NONE, |arguments| self.arguments(arguments, scope, call));
        self.b.fill(call, Expr::New { of, args });
        call
    }

    fn class_expression(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let block = self.block(node, scope);
        let def = self.class(node, block, 0);
        if self.b.edit(def).at == NONE {
            // Nothing can look it up; its value is the type all the same.
            let name = format!("(class {def})");
            let at = node.start_byte() as u32;
            let named = self.b.name(&name);
            let class = self.b.edit(def);
            class.name = named;
            class.at = at;
            class.flags |= flag::UNWRITTEN;
            return self.b.name_use(&name, block, NONE, Role::Read, space::ANY);
        }
        let name = self.b.edit(def).name;
        self.b.expr(Expr::Name {
            name,
            scope: block,
            at: NONE,
            role: Role::Read,
            spaces: space::ANY,
        })
    }

    fn object(&mut self, node: Node<'t>, scope: ScopeId, expected: ExprId) -> ExprId {
        let inner = self
            .b
            .scope(ScopeKind::Object, scope, NONE, node.byte_range());
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            match self.kind(part) {
                Kind::Pair => self.pair(part, inner, expected),
                Kind::ShorthandPropertyIdentifier => {
                    let name = self.text(part);
                    let at = part.start_byte() as u32;
                    let value = self.b.name_use(name, scope, at, Role::Read, space::VALUE);
                    self.object_key(name, at, inner, value, part);
                }
                Kind::MethodDefinition => self.object_method(part, inner, expected),
                Kind::SpreadElement => {
                    let of = self.only(part, scope, NONE);
                    self.b.glob_import(inner, of, 0);
                }
                _ => {}
            }
        }
        self.close(children);
        self.b.expr(Expr::Object {
            scope: inner,
            of: expected,
        })
    }

    fn object_method(&mut self, node: Node<'t>, inner: ScopeId, expected: ExprId) {
        let Some(name) = self.field(node, |table| table.name) else {
            return;
        };
        if self.kind(name) == Kind::ComputedPropertyName {
            self.inside(name, inner);
            self.callable(node, inner, DefKind::Lambda, NONE, 0);
            return;
        }
        let Some((text, at)) = self.key(name) else {
            return;
        };
        let is_getter = self.has(node, "get");
        let is_setter = self.has(node, "set");
        let def = self
            .b
            .define(text, DefKind::Method, inner, at, node.byte_range());
        let wants = match expected {
            NONE => NONE,
            _ if is_getter || is_setter => NONE,
            expected => self.wanted_key(expected, text),
        };
        self.complete(def, node, inner, wants);
        if is_getter || is_setter {
            let method = self.b.edit(def);
            method.kind = DefKind::Property;
            method.flags |= if is_getter {
                flag::GETTER
            } else {
                flag::SETTER
            };
        }
    }

    /// What is expected of a key of an object.
    fn wanted_key(&mut self, expected: ExprId, name: &str) -> ExprId {
        self.b
            .member_use(expected, name, NONE, Role::Read, space::ANY)
    }

    fn object_key(&mut self, name: &str, at: u32, inner: ScopeId, value: ExprId, node: Node<'t>) {
        let def = self
            .b
            .define(name, DefKind::Field, inner, at, node.byte_range());
        self.b.edit(def).value = value;
    }

    fn pair(&mut self, node: Node<'t>, inner: ScopeId, expected: ExprId) {
        let (Some(key), Some(value)) = (
            self.field(node, |table| table.key),
            self.field(node, |table| table.value),
        ) else {
            return;
        };
        if self.kind(key) == Kind::ComputedPropertyName {
            self.inside(key, inner);
            self.expression(value, inner, NONE);
            return;
        }
        let Some((name, at)) = self.key(key) else {
            self.expression(value, inner, NONE);
            return;
        };
        let wants = match expected {
            NONE => NONE,
            expected => self.wanted_key(expected, name),
        };
        // Its value narrowed which of several types is meant.
        let constant = if wants == NONE {
            None
        } else {
            self.constant(value)
        };
        let value = constant.unwrap_or_else(|| self.expression(value, inner, wants));
        self.object_key(name, at, inner, value, node);
    }

    fn array(&mut self, node: Node<'t>, scope: ScopeId, expected: ExprId) -> ExprId {
        let wants = match expected {
            NONE => NONE,
            of => self.b.expr(Expr::Iter {
                of,
                part: Part::Element,
            }),
        };
        let mut elements = Vec::new();
        let children = self.open_named(node);
        for place in children {
            let element = self.child(place).node;
            if self.kind(element) == Kind::Comment {
                continue;
            }
            let is_spread = self.kind(element) == Kind::SpreadElement;
            let value = self.expression(element, scope, wants);
            let value = if is_spread {
                self.b.expr(Expr::Iter {
                    of: value,
                    part: Part::Element,
                })
            } else {
                value
            };
            if elements.len() < 16 {
                elements.push(value);
            }
        }
        self.close(children);
        let is_mixed = elements.len() > 1 && elements.len() <= 4;
        // What a function gives back that is handed to another one is as good as expected by nobody.
        let is_result = |of| matches!(self.b.facts.expr(of), Expr::Call { args: NONE, .. });
        if is_mixed && (expected == NONE || is_result(expected)) {
            // DestructuredSiblings apart, each entry is what it is.
            let of = self.b.list(&elements);
            return self.b.expr(Expr::Tuple { of });
        }
        let of = self.b.union(&elements);
        self.b.expr(Expr::Array { of })
    }

    /// Long sums nest to the left, thousands deep in generated code: walked in a loop.
    fn binary(&mut self, node: Node<'t>, scope: ScopeId, expected: ExprId) -> ExprId {
        if let Some(call) = self.tagged(node, scope) {
            return call;
        }
        self.left_chain(
            node,
            |walk, link| match walk.kind(link) {
                Kind::BinaryExpression => walk.field(link, |table| table.left),
                _ => None,
            },
            |walk, first| match walk.kind(first) {
                // Without a left operand.
                Kind::BinaryExpression => walk.joined(first, NONE, scope, expected),
                _ => walk.expression(first, scope, NONE),
            },
            |walk, link, left| walk.joined(link, left, scope, expected),
        )
    }

    fn joined(&mut self, node: Node<'t>, left: ExprId, scope: ScopeId, expected: ExprId) -> ExprId {
        let operator = self.field(node, |table| table.operator);
        let operator = operator.map_or("", |operator| self.text(operator));
        let Some(right_node) = self.field(node, |table| table.right) else {
            return left;
        };
        let is_choice = matches!(operator, "||" | "&&" | "??");
        if (operator == "&&" || operator == "||")
            && let Some(condition) = self.field(node, |table| table.left)
        {
            let range = Some(right_node.byte_range());
            let (then, otherwise) = if operator == "&&" {
                (range, None)
            } else {
                (None, range)
            };
            self.narrow_by(condition, scope, then, otherwise);
        }
        let wants = if is_choice { expected } else { NONE };
        let right = self.expression(right_node, scope, wants);
        match operator {
            "&&" => right,
            "||" | "??" => self.b.union(&[left, right]),
            _ => {
                let name = self.b.name(operator);
                self.b.expr(Expr::Operator { name, left, right })
            }
        }
    }

    /// ``tag<T>`…` ``, which the grammar takes for two comparisons.
    fn tagged(&mut self, node: Node<'t>, scope: ScopeId) -> Option<ExprId> {
        let right = self.field(node, |table| table.right)?;
        if !self.has(node, ">") || !self.text(right).starts_with('`') {
            return None;
        }
        let left = self.field(node, |table| table.left)?;
        if self.kind(left) != Kind::BinaryExpression || !self.has(left, "<") {
            return None;
        }
        let ty = self.field(left, |table| table.right)?;
        if self.kind(ty) != Kind::Identifier {
            return None;
        }
        let tag = self.field(left, |table| table.left)?;
        let tag = self.expression(tag, scope, NONE);
        self.b.set_role(tag, Role::Call);
        let (name, at) = (self.text(ty), ty.start_byte() as u32);
        let ty = self.b.name_use(name, scope, at, Role::Type, space::TYPE);
        let args = self.b.list(&[ty]);
        let of = self.b.expr(Expr::Apply { of: tag, args });
        let call = self.b.reserve();
        let args = self.arguments(right, scope, call);
        self.b.fill(call, Expr::Call { of, args });
        Some(call)
    }

    fn unary(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let of = self.field(node, |table| table.argument);
        let left = of.map_or(NONE, |of| self.expression(of, scope, NONE));
        let operator = self.field(node, |table| table.operator);
        let name = operator.map_or("", |operator| self.text(operator));
        let name = self.b.name(name);
        self.b.expr(Expr::Operator {
            name,
            left,
            right: NONE,
        })
    }

    fn augmented(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let (Some(left), Some(right)) = (
            self.field(node, |table| table.left),
            self.field(node, |table| table.right),
        ) else {
            return NONE;
        };
        let to = self.expression(left, scope, NONE);
        self.b.set_role(to, Role::ReadWrite);
        let value = self.expression(right, scope, to);
        self.b.assign(to, value);
        to
    }

    fn ternary(&mut self, node: Node<'t>, scope: ScopeId, expected: ExprId) -> ExprId {
        let consequence = self.field(node, |table| table.consequence);
        let alternative = self.field(node, |table| table.alternative);
        if let Some(condition) = self.field(node, |table| table.condition) {
            self.expression(condition, scope, NONE);
            let then = consequence.map(|node| node.byte_range());
            let otherwise = alternative.map(|node| node.byte_range());
            self.narrow_by(condition, scope, then, otherwise);
        }
        let mut values = Vec::new();
        for side in [consequence, alternative].into_iter().flatten() {
            values.push(self.expression(side, scope, expected));
        }
        self.b.union(&values)
    }

    fn give_out(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let is_all = self.has(node, "*");
        let mut value = self.only(node, scope, NONE);
        if is_all {
            value = self.b.expr(Expr::Iter {
                of: value,
                part: Part::Element,
            });
        }
        if let Some(returns) = self.lang.returns.last_mut()
            && returns.yields.len() < 4
        {
            returns.yields.push(value);
        }
        self.b.expr(Expr::Opaque)
    }

    fn cast(&mut self, node: Node<'t>, scope: ScopeId, expected: ExprId) -> ExprId {
        let parts: Vec<Node<'t>> = named_children(node)
            .into_iter()
            .filter(|part| self.kind(*part) != Kind::Comment)
            .collect();
        let is_prefix = self.kind(node) == Kind::TypeAssertion;
        let (value, ty) = match (parts.as_slice(), is_prefix) {
            ([ty, value, ..], true) => (*value, Some(*ty)),
            ([value, ty, ..], false) => (*value, Some(*ty)),
            ([value], _) => (*value, None), // `as const`
            _ => return NONE,
        };
        let Some(ty) = ty else {
            let constant = self.constant(value);
            return constant.unwrap_or_else(|| self.expression(value, scope, expected));
        };
        let ty = if is_prefix {
            self.first_type(ty, scope)
        } else {
            self.ty(ty, scope)
        };
        let cast = self.b.expr(Expr::Value { of: ty });
        let inner = self.expression(value, scope, cast);
        let is_loose = matches!(self.b.facts.expr(ty), Expr::Opaque);
        if self.kind(node) == Kind::SatisfiesExpression || (is_loose && !self.lang.is_typed) {
            return inner;
        }
        cast
    }

    fn assignment(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let (Some(left), Some(right)) = (
            self.field(node, |table| table.left),
            self.field(node, |table| table.right),
        ) else {
            return NONE;
        };
        // `using x = …` is one to the grammar of TypeScript.
        if self.has(node, "using") {
            let value = self.expression(right, scope, NONE);
            self.bind_pattern(left, scope, scope, value, DefKind::Variable, node);
            return value;
        }
        if matches!(self.kind(left), Kind::ObjectPattern | Kind::ArrayPattern) {
            let value = self.expression(right, scope, NONE);
            self.assign_pattern(left, scope, value);
            return value;
        }
        if let Some(value) = self.exported(left, right, scope) {
            return value;
        }
        let to = self.expression(left, scope, NONE);
        self.b.set_role(to, Role::Write);
        let value = self.expression(right, scope, to);
        self.b.assign(to, value);
        if !self.lang.is_typed {
            self.implicit_member(left, to, value, node);
        }
        value
    }

    /// JSX: the tag is a use, attributes are members of what the component gets.
    fn markup(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            match self.kind(part) {
                Kind::JsxOpeningElement => self.tag(part, scope),
                Kind::JsxClosingElement => {
                    if let Some(name) = self.field(part, |table| table.name) {
                        self.tag_name(name, scope);
                    }
                }
                Kind::JsxAttribute => {}
                Kind::JsxElement | Kind::JsxSelfClosingElement => {
                    self.expression(part, scope, NONE);
                }
                _ => {
                    if self.kind(node) == Kind::JsxElement {
                        self.inside(part, scope);
                    }
                }
            }
        }
        self.close(children);
        if self.kind(node) == Kind::JsxSelfClosingElement {
            self.tag(node, scope);
        }
        self.b.expr(Expr::Opaque)
    }

    fn tag_name(&mut self, name: Node<'t>, scope: ScopeId) -> ExprId {
        let text = self.text(name);
        let is_component = text.contains('.') || text.starts_with(char::is_uppercase);
        if is_component {
            self.expression(name, scope, NONE)
        } else {
            NONE
        }
    }

    fn tag(&mut self, node: Node<'t>, scope: ScopeId) {
        let name = self.field(node, |table| table.name);
        let mut component = name.map_or(NONE, |name| self.tag_name(name, scope));
        if let Some(types) = self.field(node, |table| table.type_arguments) {
            component = self.apply(component, types, scope);
        }
        let props = match component {
            NONE => NONE,
            of => self.b.expr(Expr::ContextualParam { of, index: 0 }),
        };
        let children = self.open_named(node);
        for place in children {
            let attribute = self.child(place).node;
            match self.kind(attribute) {
                Kind::JsxAttribute => self.attribute(attribute, scope, props),
                Kind::JsxExpression => self.inside(attribute, scope),
                _ => {}
            }
        }
        self.close(children);
    }

    fn attribute(&mut self, node: Node<'t>, scope: ScopeId, props: ExprId) {
        let mut wants = NONE;
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            match self.kind(part) {
                Kind::PropertyIdentifier if props != NONE => {
                    let name = self.text(part);
                    let at = part.start_byte() as u32;
                    wants = self.b.member_use(props, name, at, Role::Write, space::ANY);
                }
                Kind::JsxExpression => {
                    let children = self.open_named(part);
                    for place in children {
                        let inner = self.child(place).node;
                        self.expression(inner, scope, wants);
                    }
                    self.close(children);
                }
                Kind::JsxElement | Kind::JsxSelfClosingElement => {
                    self.expression(part, scope, NONE);
                }
                _ => {}
            }
        }
        self.close(children);
    }
}
