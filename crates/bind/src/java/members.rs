//! Fields, methods, constructors, enum constants.

use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, ScopeId, ScopeKind, flag};

use super::kinds::Kind;
use super::walk::{JavaChild, JavaWalk, METHOD, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> JavaWalk<'t> {
    pub(super) fn member_declaration(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        owner: DefId,
    ) {
        let interface = self.b.edit(owner).kind == DefKind::Interface;
        match child.kind {
            Kind::FieldDeclaration | Kind::ConstantDeclaration => {
                let more = if interface {
                    flag::STATIC | flag::READONLY | flag::EXPORTED
                } else {
                    0
                };
                self.fields(child, scope, more);
            }
            Kind::MethodDeclaration | Kind::AnnotationElement => {
                self.method(child, scope, scope, interface);
            }
            Kind::ConstructorDeclaration | Kind::CompactConstructor => {
                self.constructor(child, scope);
            }
            Kind::EnumConstant => self.enum_constant(child, scope, owner),
            Kind::EnumBodyDeclarations => {
                let children = self.open(child.node);
                for i in children {
                    let member = self.child(i);
                    self.member_declaration(member, scope, owner);
                }
                self.close(children);
            }
            _ if Self::is_type(child.kind) => {
                let more = if interface {
                    flag::STATIC | flag::EXPORTED
                } else if child.kind == Kind::ClassDeclaration {
                    0
                } else {
                    flag::STATIC
                };
                self.declare_type(child, scope, scope, more);
            }
            _ => self.statement(child, scope),
        }
    }

    fn fields(&mut self, child: JavaChild<'t>, scope: ScopeId, more: u32) {
        let children = self.open(child.node);
        let mut flags = more;
        let mut ty = NONE;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifiers => flags |= self.modifiers(part, scope),
                Kind::VariableDeclarator => {
                    let def = self.declarator(part, scope, DefKind::Field, ty, child.range());
                    if let Some(def) = def {
                        self.b.edit(def).flags |= Self::access(flags);
                    }
                }
                _ if part.field == self.table.ty => ty = self.ty(part, scope),
                _ => {}
            }
        }
        self.close(children);
    }

    /// `a[] = value` of a declaration of fields or variables; `ty` is [`NONE`] for `var`.
    pub(super) fn declarator(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        kind: DefKind,
        ty: ExprId,
        range: std::ops::Range<usize>,
    ) -> Option<DefId> {
        let children = self.open(child.node);
        let mut def = None;
        let mut ty = ty;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.name && part.kind == Kind::Identifier {
                let at = part.start() as u32;
                let made = self
                    .b
                    .define(self.text(part.node), kind, scope, at, range.clone());
                let edited = self.b.edit(made);
                edited.spaces = VALUE;
                edited.ty = ty;
                if kind == DefKind::Variable {
                    edited.from = at;
                }
                def = Some(made);
            } else if part.kind == Kind::Dimensions {
                ty = self.arrays(ty, part);
                if let Some(def) = def {
                    self.b.edit(def).ty = ty;
                }
            } else if part.field == self.table.value {
                let context = if ty == NONE {
                    ContextualType::Nothing
                } else {
                    ContextualType::Type(ty)
                };
                let value = self.expr(part, scope, context);
                if let Some(def) = def {
                    self.b.edit(def).value = value;
                }
            }
        }
        self.close(children);
        def
    }

    /// A method or an annotation's element, seen in `scope`; `around` is what it sees itself.
    pub(super) fn method(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        around: ScopeId,
        interface: bool,
    ) {
        if !self.enter() {
            return;
        }
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let at = name.start() as u32;
            let range = child.range();
            let def = self
                .b
                .define(self.text(name.node), DefKind::Method, scope, at, range);
            self.b.edit(def).spaces = METHOD;
            self.callable(child, children, def, around);
            let bodiless = self.children.in_field(children, self.table.body).is_none();
            // Where bodies are left out, these words say that there is one.
            let modifiers = self.children.of_kind(children, Kind::Modifiers);
            let words = modifiers.map_or("", |modifiers| self.text(modifiers.node));
            let mut words = words.split_whitespace();
            let implements = words.any(|word| matches!(word, "default" | "static"));
            let def = self.b.edit(def);
            if interface {
                if def.flags & flag::PRIVATE == 0 {
                    def.flags |= flag::EXPORTED;
                }
                if bodiless && !implements {
                    def.flags |= flag::ABSTRACT;
                }
            }
            def.flags = Self::access(def.flags);
        }
        self.close(children);
        self.leave();
    }

    /// A constructor. No name finds it: one makes an instance by the type's name.
    fn constructor(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let at = name.start() as u32;
            let range = child.range();
            let def = self
                .b
                .define(self.text(name.node), DefKind::Constructor, scope, at, range);
            self.b.edit(def).spaces = 0;
            self.callable(child, children, def, scope);
            let def = self.b.edit(def);
            def.flags = Self::access(def.flags);
        }
        self.close(children);
    }

    /// Everything of a method or constructor but its name.
    fn callable(
        &mut self,
        child: JavaChild<'t>,
        children: ChildRange,
        def: DefId,
        around: ScopeId,
    ) {
        let parameters = self.children.of_kind(children, Kind::TypeParameters);
        let header = self.header(parameters, around, def, child.range());
        let inner = self
            .b
            .scope(ScopeKind::Function, header, def, child.range());
        self.b.edit(def).inner = inner;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifiers => {
                    let flags = self.modifiers(part, around);
                    self.b.edit(def).flags |= flags;
                }
                Kind::FormalParameters => self.parameters(part, inner, header),
                Kind::Throws => {
                    self.every_type(part, header);
                }
                Kind::Dimensions => {
                    let ty = self.b.edit(def).ty;
                    self.b.edit(def).ty = self.arrays(ty, part);
                }
                Kind::Block | Kind::ConstructorBody => self.function_body(part, inner, def),
                Kind::Annotation | Kind::MarkerAnnotation if part.field == 0 => {
                    self.annotation(part, header);
                }
                _ if part.field == self.table.ty => self.b.edit(def).ty = self.ty(part, header),
                _ if part.field == self.table.value => self.element_value(part, header),
                _ => {}
            }
        }
    }

    fn function_body(&mut self, child: JavaChild<'t>, scope: ScopeId, def: DefId) {
        let ty = self.b.edit(def).ty;
        let context = if ty == NONE {
            ContextualType::Nothing
        } else {
            ContextualType::Type(ty)
        };
        let result = std::mem::replace(&mut self.lang.result, context);
        let returned = self.lang.returns.len();
        self.statements(child, scope);
        self.lang.returns.truncate(returned);
        self.lang.result = result;
    }

    pub(super) fn parameters(&mut self, child: JavaChild<'t>, scope: ScopeId, types: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let child = self.child(i);
            self.parameter(child, scope, types);
        }
        self.close(children);
    }

    /// A parameter with a type; `var` of a lambda leaves it open.
    pub(super) fn parameter(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        types: ScopeId,
    ) -> Option<DefId> {
        let variadic = child.kind == Kind::SpreadParameter;
        let children = self.open(child.node);
        let mut flags = if variadic { flag::VARIADIC } else { 0 };
        let mut ty = NONE;
        let mut def = None;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifiers => flags |= self.modifiers(part, types) & flag::READONLY,
                Kind::Annotation | Kind::MarkerAnnotation => self.annotation(part, types),
                Kind::VariableDeclarator => {
                    def = self.declarator(part, scope, DefKind::Parameter, ty, child.range());
                }
                Kind::Identifier if child.kind == Kind::ReceiverParameter => {}
                Kind::Identifier if part.field == self.table.name => {
                    let at = part.start() as u32;
                    let name = self.text(part.node);
                    let made = self
                        .b
                        .define(name, DefKind::Parameter, scope, at, child.range());
                    self.b.edit(made).spaces = VALUE;
                    self.b.edit(made).ty = ty;
                    def = Some(made);
                }
                Kind::Dimensions => {
                    ty = self.arrays(ty, part);
                    if let Some(def) = def {
                        self.b.edit(def).ty = ty;
                    }
                }
                Kind::This | Kind::Other => {}
                _ => ty = self.variable_type(part, types),
            }
        }
        self.close(children);
        if let Some(def) = def {
            self.b.edit(def).flags |= flags;
        }
        def
    }

    /// A declared type; [`NONE`] for `var`.
    pub(super) fn variable_type(&mut self, child: JavaChild<'t>, scope: ScopeId) -> ExprId {
        if child.kind == Kind::TypeIdentifier && self.text(child.node) == "var" {
            NONE
        } else {
            self.ty(child, scope)
        }
    }

    fn enum_constant(&mut self, child: JavaChild<'t>, scope: ScopeId, owner: DefId) {
        let children = self.open(child.node);
        let name = self.b.edit(owner).name;
        let name = self.b.facts.name(name).to_owned();
        let ty = self.unwritten_type(&name, scope);
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifiers => {
                    self.modifiers(part, scope);
                }
                Kind::Identifier => {
                    let at = part.start() as u32;
                    let name = self.text(part.node);
                    let def = self
                        .b
                        .define(name, DefKind::EnumMember, scope, at, child.range());
                    let def = self.b.edit(def);
                    def.flags = flag::STATIC | flag::READONLY | flag::EXPORTED;
                    def.spaces = VALUE;
                    def.ty = ty;
                }
                Kind::ArgumentList => {
                    let call = self.b.reserve();
                    let args = self.arguments(part, scope, call);
                    self.b.fill(call, Expr::New { of: ty, args });
                }
                Kind::ClassBody => {
                    self.anonymous(part, scope, ty);
                }
                _ => {}
            }
        }
        self.close(children);
    }
}
