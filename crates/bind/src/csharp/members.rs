//! Fields, methods, properties, events, operators.

use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, ScopeId, ScopeKind, flag};

use super::kinds::Kind;
use super::walk::{CSharpChild, CSharpWalk, OPERATOR, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> CSharpWalk<'t> {
    pub(super) fn is_member(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::Field
                | Kind::EventField
                | Kind::Event
                | Kind::Method
                | Kind::Property
                | Kind::Indexer
                | Kind::Constructor
                | Kind::Destructor
                | Kind::Operator
                | Kind::ConversionOperator
                | Kind::EnumMember
        )
    }

    pub(super) fn member_declaration(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        owner: DefId,
    ) {
        if !self.enter() {
            return;
        }
        let first = self.b.facts.defs.len();
        match child.kind {
            Kind::Field => self.fields(child, scope, DefKind::Field),
            Kind::EventField => self.fields(child, scope, DefKind::Event),
            Kind::EnumMember => self.enum_member(child, scope),
            Kind::Event | Kind::Property | Kind::Indexer => self.property(child, scope),
            Kind::Method
            | Kind::Constructor
            | Kind::Destructor
            | Kind::Operator
            | Kind::ConversionOperator => self.method(child, scope),
            _ => {
                let scope = self.block(child, scope);
                self.statement(child, scope);
            }
        }
        self.member_access(first, scope, owner);
        self.leave();
    }

    /// Members of interfaces are public, and have no implementation unless one is written; others are private.
    fn member_access(&mut self, first: usize, scope: ScopeId, owner: DefId) {
        let is_interface = owner != NONE && self.b.edit(owner).kind == DefKind::Interface;
        let default = if is_interface {
            flag::EXPORTED
        } else {
            flag::PRIVATE
        };
        for def in first..self.b.facts.defs.len() {
            let made = self.b.facts.defs[def];
            if made.scope != scope || !Self::has_access(made.kind) {
                continue;
            }
            self.default_access(def as DefId, default);
            let explicit = self.b.facts.defs[def].flags & flag::EXPLICIT != 0;
            if explicit {
                self.b.facts.defs[def].flags &= !flag::PRIVATE;
            }
        }
    }

    fn has_access(kind: DefKind) -> bool {
        matches!(
            kind,
            DefKind::Field
                | DefKind::Event
                | DefKind::Method
                | DefKind::Property
                | DefKind::Constructor
        )
    }

    fn fields(&mut self, child: CSharpChild<'t>, scope: ScopeId, kind: DefKind) {
        let children = self.open(child.node);
        let mut flags = 0;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifier => flags |= self.modifier(part),
                Kind::AttributeList | Kind::PreprocIfAttributes => self.attributes(part, scope),
                Kind::VariableDeclaration => {
                    self.variables(part, scope, kind, flags, child.range());
                }
                _ => {}
            }
        }
        self.close(children);
    }

    /// `T a = 1, b`: fields or local variables.
    pub(super) fn variables(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        kind: DefKind,
        flags: u32,
        range: std::ops::Range<usize>,
    ) {
        let children = self.open(child.node);
        let mut ty = NONE;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.ty {
                ty = self.ty(part, scope);
            } else if part.kind == Kind::VariableDeclarator {
                self.declarator(part, scope, kind, flags, ty, range.clone());
            }
        }
        self.close(children);
    }

    fn declarator(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        kind: DefKind,
        flags: u32,
        ty: ExprId,
        range: std::ops::Range<usize>,
    ) {
        let children = self.open(child.node);
        let mut def = NONE;
        let mut pattern = None;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.name {
                def = self.define(part.node, kind, scope, range.clone(), VALUE);
                self.b.edit(def).ty = ty;
                self.b.edit(def).flags = flags;
            } else if part.kind == Kind::TuplePattern {
                pattern = Some(part);
            } else if part.kind == Kind::BracketedArguments {
                self.arguments(part, scope, NONE);
            } else {
                let context = if ty == NONE {
                    ContextualType::Nothing
                } else {
                    ContextualType::Type(ty)
                };
                let around = match kind {
                    DefKind::Variable => scope,
                    _ => self.block(part, scope),
                };
                let value = self.expr(part, around, context);
                if def != NONE {
                    self.b.edit(def).value = value;
                }
                if let Some(pattern) = pattern {
                    self.tuple_pattern(pattern, scope, value);
                }
            }
        }
        self.close(children);
    }

    /// A method, constructor, destructor or operator.
    fn method(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let range = child.range();
        let name = self.children.in_field(children, self.table.name);
        let def = match (child.kind, name) {
            (Kind::Constructor, Some(name)) => {
                self.define(name.node, DefKind::Constructor, scope, range, 0)
            }
            (Kind::Destructor, Some(name)) => {
                self.define(name.node, DefKind::Method, scope, range, 0)
            }
            (_, Some(name)) => self.define(name.node, DefKind::Method, scope, range, VALUE),
            (Kind::Operator, None) => match self.children.in_field(children, self.table.operator) {
                Some(operator) => {
                    let at = operator.start() as u32;
                    let name = self.text(operator.node);
                    self.b.define(name, DefKind::Method, scope, at, range)
                }
                None => self.b.define("", DefKind::Method, scope, NONE, range),
            },
            _ => self.b.define("", DefKind::Method, scope, NONE, range),
        };
        if name.is_none() {
            self.b.edit(def).spaces = OPERATOR;
            self.b.edit(def).flags = flag::STATIC;
        }
        self.callable(child, children, def, scope);
        let is_interface = self.is_interface(scope);
        let has_body = self.children.in_field(children, self.table.body).is_some();
        if is_interface && !has_body {
            self.b.edit(def).flags |= flag::ABSTRACT;
        }
        self.close(children);
    }

    fn is_interface(&self, scope: ScopeId) -> bool {
        let owner = self.b.facts.scopes[scope as usize].owner;
        let owner = self.b.facts.defs.get(owner as usize);
        owner.is_some_and(|owner| owner.kind == DefKind::Interface)
    }

    /// Everything of a function with a name, a delegate or a lambda but its name.
    pub(super) fn callable(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        def: DefId,
        around: ScopeId,
    ) {
        let header = self.header(children, around, def, child.range());
        let inner = self
            .b
            .scope(ScopeKind::Function, header, def, child.range());
        self.b.edit(def).inner = inner;
        let kind = self.b.edit(def).kind;
        let extended = match self.block_around(kind) {
            Some(_) => self.receiver(inner, header, child.range()),
            None => 0,
        };
        // What is declared in a member is none of the block.
        let block = self.lang.extension.take();
        let mut flags = 0;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifier => flags |= self.modifier(part),
                Kind::AttributeList | Kind::PreprocIfAttributes => {
                    self.attributes_of_function(part, header, inner);
                }
                Kind::ExplicitInterface => self.explicit(part, def, header),
                Kind::ParameterList => {
                    let extends = self.parameters(part, inner, header);
                    flags |= if extends { flag::EXTENSION } else { 0 };
                }
                Kind::TypeConstraints => self.constraints(part, header),
                Kind::ConstructorInitializer => self.constructor_initializer(part, inner),
                Kind::Block | Kind::Arrow => self.function_body(part, inner, def, NONE),
                _ if part.field == self.table.ty || part.field == self.table.returns => {
                    let ty = self.ty(part, header);
                    self.b.edit(def).ty = ty;
                }
                _ => {}
            }
        }
        self.lang.extension = block;
        self.b.edit(def).flags |= flags;
        self.extended(def, extended);
    }

    fn explicit(&mut self, child: CSharpChild<'t>, def: DefId, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            let of = self.ty(part, scope);
            let def = self.b.edit(def);
            def.container = of;
            def.flags |= flag::EXPLICIT | flag::HIDDEN;
        }
        self.close(children);
    }

    /// `: this(…)`, `: base(…)`.
    fn constructor_initializer(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let call = self.b.reserve();
        let mut of = NONE;
        let mut args = NONE;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::ArgumentList => args = self.arguments(part, scope, call),
                _ => of = self.expr(part, scope, ContextualType::Nothing),
            }
        }
        self.b.fill(call, Expr::Call { of, args });
        self.close(children);
        let words = (0..child.node.child_count()).filter_map(|index| child.node.child(index));
        for part in words {
            if let Some(word @ ("this" | "base")) = self.text.get(part.byte_range()) {
                self.constructor_word(of, word, part.start_byte());
            }
        }
    }

    /// A block, or `=> value`. `value` is what that word means in it.
    pub(super) fn function_body(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        def: DefId,
        value: ExprId,
    ) {
        let ty = self.b.edit(def).ty;
        let context = if ty == NONE {
            ContextualType::Nothing
        } else {
            ContextualType::Type(ty)
        };
        let result = std::mem::replace(&mut self.lang.result, context);
        let value = std::mem::replace(&mut self.lang.value, value);
        let returned = self.lang.returns.len();
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if child.kind == Kind::Arrow {
                self.expr(part, scope, context);
            } else {
                self.statement(part, scope);
            }
        }
        self.close(children);
        self.lang.returns.truncate(returned);
        self.lang.result = result;
        self.lang.value = value;
    }

    /// A property, an indexer (named `this`), an event with accessors.
    fn property(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let kind = match child.kind {
            Kind::Event => DefKind::Event,
            _ => DefKind::Property,
        };
        let def = match self.children.in_field(children, self.table.name) {
            Some(name) => self.define(name.node, kind, scope, child.range(), VALUE),
            None => match self.children.of_kind(children, Kind::This) {
                Some(this) => self.define(this.node, kind, scope, child.range(), VALUE),
                None => self.b.define("", kind, scope, NONE, child.range()),
            },
        };
        // An indexer's parameters are seen in its accessors, and so is the receiver of an extension block.
        let block = self.block_around(kind);
        let header = match block {
            Some(_) => self.header(children, scope, def, child.range()),
            None => scope,
        };
        let inner = self
            .b
            .scope(ScopeKind::Function, header, def, child.range());
        if child.kind == Kind::Indexer || block.is_some() {
            self.b.edit(def).inner = inner;
        }
        let extended = match block {
            Some(_) => self.receiver(inner, header, child.range()),
            None => 0,
        };
        self.lang.extension = None;
        for i in children {
            let part = self.child(i);
            self.property_part(part, header, inner, def);
        }
        self.lang.extension = block;
        self.extended(def, extended);
        let has_body = children.iter().any(|i| self.child(i).kind == Kind::Arrow);
        if self.is_interface(scope) && !has_body {
            self.b.edit(def).flags |= flag::ABSTRACT;
        }
        self.close(children);
    }

    fn property_part(&mut self, part: CSharpChild<'t>, scope: ScopeId, inner: ScopeId, def: DefId) {
        match part.kind {
            Kind::Modifier => {
                let flags = self.modifier(part);
                self.b.edit(def).flags |= flags;
            }
            Kind::AttributeList | Kind::PreprocIfAttributes => {
                self.attributes_of_function(part, scope, inner);
            }
            Kind::ExplicitInterface => self.explicit(part, def, scope),
            Kind::BracketedParameters => {
                self.parameters(part, inner, scope);
            }
            Kind::Arrow => self.function_body(part, inner, def, NONE),
            Kind::AccessorList => {
                let accessors = self.open(part.node);
                for i in accessors {
                    let accessor = self.child(i);
                    self.accessor(accessor, inner, def);
                }
                self.close(accessors);
            }
            _ if part.field == self.table.ty => {
                let ty = self.ty(part, scope);
                self.b.edit(def).ty = ty;
            }
            _ if part.field == self.table.value => {
                let around = self.block(part, scope);
                let context = ContextualType::Type(self.b.edit(def).ty);
                let value = self.expr(part, around, context);
                self.b.edit(def).value = value;
            }
            _ => {}
        }
    }

    fn accessor(&mut self, child: CSharpChild<'t>, scope: ScopeId, def: DefId) {
        let children = self.open(child.node);
        let ty = self.b.edit(def).ty;
        let gets = self
            .children
            .in_field(children, self.table.name)
            .is_some_and(|name| self.text(name.node) == "get");
        let value = match ty {
            NONE => NONE,
            _ if gets => NONE,
            of => self.instance(of),
        };
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::AttributeList => self.attributes(part, scope),
                Kind::Block | Kind::Arrow => {
                    let scope = self.block(part, scope);
                    self.function_body(part, scope, def, value);
                }
                _ => {}
            }
        }
        self.close(children);
    }
}
