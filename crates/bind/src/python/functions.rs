//! Functions, their parameters and decorators, lambdas.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{ClassContext, DeferredBody, PythonWalk, start};
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, flag, space};

/// What decorators say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decorators {
    pub(super) flags: u32,
    /// Whether it is a class whose annotated names are its constructor's parameters.
    pub(super) record: bool,
    /// First byte of the first.
    pub(super) start: usize,
}

impl<'t> PythonWalk<'t> {
    pub(super) fn decorated(&mut self, node: Node<'t>) {
        let mut found = Decorators {
            start: node.start_byte(),
            ..Decorators::default()
        };
        let children = self.open_named(node);
        let mut unknown = Vec::new();
        for at in children {
            let child = self.child(at).node;
            match self.kind(child) {
                Kind::Decorator => unknown.extend(self.decorator(child, &mut found)),
                Kind::Function => {
                    let def = self.b.facts.defs.len() as DefId;
                    self.function(child, Some(found));
                    self.given_to(&unknown, def);
                }
                Kind::Class => self.class(child, Some(found)),
                _ => {}
            }
        }
        self.close(children);
    }

    /// What decorators of which nothing is known here are called with: the function, or what the one below makes of it.
    fn given_to(&mut self, decorators: &[ExprId], def: DefId) {
        if decorators.is_empty() {
            return;
        }
        let mut value = self.b.expr(Expr::Function { def });
        for of in decorators.iter().rev() {
            let args = self.b.list(&[value]);
            value = self.b.expr(Expr::Call { of: *of, args });
        }
    }

    /// A decorator; given back if nothing is known of it.
    fn decorator(&mut self, node: Node<'t>, found: &mut Decorators) -> Option<ExprId> {
        let children = self.open_named(node);
        let child = children.iter().next().map(|at| self.child(at).node);
        self.close(children);
        let child = child?;
        let name = if self.kind(child) == Kind::Call {
            child.child_by_field_id(self.table.function)
        } else {
            Some(child)
        };
        let name = name.map_or("", |name| self.text(name));
        let mut is_known = true;
        match name.rsplit('.').next().unwrap_or("") {
            "property" | "cached_property" | "getter" | "abstractproperty" => {
                found.flags |= flag::GETTER;
            }
            "setter" | "deleter" if name.contains('.') => found.flags |= flag::SETTER,
            "staticmethod" => found.flags |= flag::STATIC,
            "classmethod" => found.flags |= flag::CLASS_METHOD,
            "abstractmethod" => found.flags |= flag::ABSTRACT,
            "overload" => found.flags |= flag::DECLARATION,
            "override" => found.flags |= flag::OVERRIDE,
            "dataclass" | "dataclass_transform" | "attrs" | "define" | "frozen" | "mutable" => {
                found.record = true;
            }
            "s" if name == "attr.s" => found.record = true,
            "lru_cache" | "cache" | "wraps" | "final" | "runtime_checkable" | "total_ordering" => {}
            _ => {
                found.flags |= flag::DECORATED;
                is_known = false;
            }
        }
        let decorator = self.expr(child);
        self.b.set_role(decorator, Role::Attribute);
        if let Some(&Expr::Call { of, .. }) = self.b.facts.exprs.get(decorator as usize) {
            self.b.set_role(of, Role::Attribute);
        }
        (!is_known).then_some(decorator)
    }

    pub(super) fn function(&mut self, node: Node<'t>, decorators: Option<Decorators>) {
        let children = self.open_named(node);
        let name = self.node_in(children, self.table.name);
        let parameters = self.node_in(children, self.table.parameters);
        let generics = self.node_in(children, self.table.type_parameters);
        let result = self.node_in(children, self.table.return_type);
        let body = self.node_in(children, self.table.body);
        self.close(children);
        let Some(name) = name else {
            self.exprs_of(node);
            return;
        };
        let found = decorators.unwrap_or_default();
        let in_class = self.lang.frame.in_class;
        let kind = match in_class {
            true if found.flags & (flag::GETTER | flag::SETTER) != 0 => DefKind::Property,
            true => DefKind::Method,
            false => DefKind::Function,
        };
        let first = decorators.map_or(node.start_byte(), |found| found.start);
        let text = self.text(name);
        let range = first..node.end_byte();
        let def = self
            .b
            .define(text, kind, self.lang.frame.scope, start(name), range);
        let mut flags = found.flags;
        if self.text(node).starts_with("async") {
            flags |= flag::ASYNC;
        }
        if in_class && matches!(text, "__new__" | "__init_subclass__" | "__class_getitem__") {
            flags |= flag::CLASS_METHOD;
        }
        self.b.edit(def).flags = flags;
        let header = self.header(def, generics, node.byte_range());
        if let Some(result) = result {
            let mut ty = NONE;
            self.inside(header, |walk| ty = walk.ty(result));
            self.b.edit(def).ty = ty;
        }
        let scope = self
            .b
            .scope(ScopeKind::Function, header, def, node.byte_range());
        self.b.edit(def).inner = scope;
        let method = in_class.then_some(flags);
        let receiver = parameters.map_or("", |of| self.parameters(of, scope, header, method));
        if let Some(body) = body {
            self.wait(body, def, scope, receiver, text);
        }
    }

    /// Bodies come later, those that make instances first: what they assign is what an instance has.
    fn wait(
        &mut self,
        body: Node<'t>,
        def: DefId,
        scope: ScopeId,
        receiver: &'t str,
        name: &'t str,
    ) {
        let class = self
            .lang
            .frame
            .class
            .map(|class| match self.lang.frame.in_class {
                true => ClassContext { receiver, ..class },
                false => class,
            });
        let waiting = DeferredBody {
            body,
            def,
            scope,
            class,
        };
        if self.lang.frame.in_class && matches!(name, "__init__" | "__new__" | "__post_init__") {
            self.lang.waiting.push_front(waiting);
        } else {
            self.lang.waiting.push_back(waiting);
        }
    }

    /// Defines parameters in `scope`; what is written in them is looked up in `around`. `method` are the
    /// flags of the method that they are of. Gives the name of the instance.
    fn parameters(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        around: ScopeId,
        method: Option<u32>,
    ) -> &'t str {
        let children = self.open_named(node);
        let mut keyword_only = 0;
        let mut receiver = "";
        let mut first = true;
        for at in children {
            let child = self.child(at).node;
            if self.kind(child) == Kind::KeywordSeparator {
                keyword_only = flag::KEYWORD_ONLY;
                continue;
            }
            let mut def = None;
            self.inside(around, |walk| def = walk.parameter(child, scope));
            let Some(def) = def else { continue };
            let edit = self.b.edit(def);
            edit.flags |= keyword_only;
            if edit.flags & flag::VARIADIC != 0 {
                keyword_only = flag::KEYWORD_ONLY;
            }
            if first && let Some(flags) = method.filter(|flags| flags & flag::STATIC == 0) {
                // `self: T` is the instance as well.
                let name = match self.kind(child) {
                    Kind::TypedParameter => child.named_child(0),
                    _ => Some(child),
                };
                if let Some(name) = name.filter(|name| self.kind(*name) == Kind::Identifier) {
                    receiver = self.text(name);
                }
                self.receiver(def, scope, flags);
            }
            first = false;
        }
        self.close(children);
        receiver
    }

    fn receiver(&mut self, def: DefId, scope: ScopeId, flags: u32) {
        if self.b.edit(def).ty == NONE {
            let value = if flags & flag::CLASS_METHOD == 0 {
                Expr::This { scope }
            } else {
                Expr::SelfType { scope }
            };
            let value = self.b.expr(value);
            self.b.edit(def).value = value;
        }
        self.b.edit(def).flags |= flag::RECEIVER;
    }

    fn parameter(&mut self, node: Node<'t>, scope: ScopeId) -> Option<DefId> {
        match self.kind(node) {
            Kind::Identifier => Some(self.define_parameter(node, node, scope, 0)),
            Kind::ListSplatPattern | Kind::ListSplat => {
                self.splat(node, node, scope, flag::VARIADIC)
            }
            Kind::DictionarySplatPattern | Kind::DictionarySplat => {
                self.splat(node, node, scope, flag::KEYWORDS)
            }
            Kind::TypedParameter => self.typed_parameter(node, scope),
            Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                let children = self.open_named(node);
                let name = self.node_in(children, self.table.name);
                let annotation = self.node_in(children, self.table.ty);
                let value = self.node_in(children, self.table.value);
                self.close(children);
                let ty = annotation.map_or(NONE, |annotation| self.ty(annotation));
                let value = value.map_or(NONE, |value| self.expr(value));
                let def = self.define_parameter(name?, node, scope, flag::OPTIONAL);
                let edit = self.b.edit(def);
                (edit.ty, edit.value) = (ty, value);
                Some(def)
            }
            _ => {
                self.expr(node);
                None
            }
        }
    }

    fn typed_parameter(&mut self, node: Node<'t>, scope: ScopeId) -> Option<DefId> {
        let children = self.open_named(node);
        let annotation = self.node_in(children, self.table.ty);
        let child = children.iter().next().map(|at| self.child(at).node);
        self.close(children);
        let child = child?;
        let ty = annotation.map_or(NONE, |annotation| self.ty(annotation));
        let def = match self.kind(child) {
            Kind::ListSplatPattern => self.splat(child, node, scope, flag::VARIADIC),
            Kind::DictionarySplatPattern => self.splat(child, node, scope, flag::KEYWORDS),
            _ => Some(self.define_parameter(child, node, scope, 0)),
        }?;
        self.b.edit(def).ty = ty;
        Some(def)
    }

    fn splat(
        &mut self,
        node: Node<'t>,
        whole: Node<'t>,
        scope: ScopeId,
        flags: u32,
    ) -> Option<DefId> {
        let name = node.named_child(0)?;
        Some(self.define_parameter(name, whole, scope, flags))
    }

    fn define_parameter(
        &mut self,
        name: Node<'t>,
        whole: Node<'t>,
        scope: ScopeId,
        flags: u32,
    ) -> DefId {
        let text = self.text(name);
        let range = whole.byte_range();
        let def = self
            .b
            .define(text, DefKind::Parameter, scope, start(name), range);
        self.b.edit(def).flags = flags;
        def
    }

    /// The scope of type parameters, or the scope around where there are none.
    pub(super) fn header(
        &mut self,
        def: DefId,
        generics: Option<Node<'t>>,
        range: Range<usize>,
    ) -> ScopeId {
        let Some(generics) = generics else {
            return self.lang.scope;
        };
        let scope = self.b.scope(ScopeKind::Header, self.lang.scope, def, range);
        let children = self.open_named(generics);
        for at in children {
            let node = self.child(at).node;
            self.type_parameter(node, scope);
        }
        self.close(children);
        scope
    }

    /// `T`, `T: Bound`, `*T`.
    fn type_parameter(&mut self, node: Node<'t>, scope: ScopeId) {
        let mut inner = node;
        let mut bound = None;
        while !matches!(self.kind(inner), Kind::Identifier) {
            if self.kind(inner) == Kind::ConstrainedType {
                bound = inner.named_child(1);
            }
            let Some(child) = inner.named_child(0) else {
                return;
            };
            inner = child;
        }
        let text = self.text(inner);
        let range = node.byte_range();
        let def = self
            .b
            .define(text, DefKind::TypeParam, scope, start(inner), range);
        if let Some(bound) = bound {
            let mut ty = NONE;
            self.inside(scope, |walk| ty = walk.ty(bound));
            self.b.edit(def).ty = ty;
        }
    }

    /// `expected` is the call that the lambda is an argument of, and which one.
    pub(super) fn lambda(&mut self, node: Node<'t>, expected: Option<(ExprId, u32)>) -> ExprId {
        let def = self.b.define(
            "",
            DefKind::Lambda,
            self.lang.scope,
            NONE,
            node.byte_range(),
        );
        let scope = self
            .b
            .scope(ScopeKind::Function, self.lang.scope, def, node.byte_range());
        self.b.edit(def).inner = scope;
        let children = self.open_named(node);
        if let Some(parameters) = self.node_in(children, self.table.parameters) {
            let first = self.b.facts.defs.len();
            self.parameters(parameters, scope, self.lang.scope, None);
            if let Some((call, index)) = expected {
                self.given(first, call, index);
            }
        }
        if let Some(body) = self.node_in(children, self.table.body) {
            let mut value = NONE;
            let frame = std::mem::replace(&mut self.lang.frame.scope, scope);
            self.inside(scope, |walk| value = walk.expr(body));
            self.lang.frame.scope = frame;
            self.b.edit(def).value = value;
        }
        self.close(children);
        self.b.expr(Expr::Function { def })
    }

    /// The parameters from `first` on are what a call's argument is given.
    fn given(&mut self, first: usize, call: ExprId, index: u32) {
        for (nth, def) in (first..self.b.facts.defs.len()).enumerate() {
            if self.b.facts.defs[def].kind != DefKind::Parameter {
                continue;
            }
            if self.b.facts.defs[def].value == NONE {
                let of = self.b.expr(Expr::ContextualType { call, index });
                let index = nth as u32;
                self.b.facts.defs[def].value = self.b.expr(Expr::ContextualParam { of, index });
            }
        }
    }

    /// A member that nobody writes, such as `__enter__`.
    pub(super) fn implied(&mut self, of: ExprId, name: &str) -> ExprId {
        self.b.member_use(of, name, NONE, Role::Call, space::ANY)
    }
}
