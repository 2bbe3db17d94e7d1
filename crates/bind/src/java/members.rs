//! Fields, methods, constructors, enum constants.

use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, ScopeId, ScopeKind, flag};

use super::{Kid, Kind, METHOD, Range, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    pub(super) fn member_declaration(&mut self, kid: Kid<'t>, scope: ScopeId, owner: DefId) {
        let interface = self.b.edit(owner).kind == DefKind::Interface;
        match kid.kind {
            Kind::FieldDeclaration | Kind::ConstantDeclaration => {
                let more = if interface {
                    flag::STATIC | flag::READONLY | flag::EXPORTED
                } else {
                    0
                };
                self.fields(kid, scope, more);
            }
            Kind::MethodDeclaration | Kind::AnnotationElement => {
                self.method(kid, scope, scope, interface);
            }
            Kind::ConstructorDeclaration | Kind::CompactConstructor => {
                self.constructor(kid, scope);
            }
            Kind::EnumConstant => self.enum_constant(kid, scope, owner),
            Kind::EnumBodyDeclarations => {
                let kids = self.open(kid.node);
                for i in kids.clone() {
                    let member = self.kids.get(i);
                    self.member_declaration(member, scope, owner);
                }
                self.close(&kids);
            }
            _ if Self::is_type(kid.kind) => {
                let more = if interface {
                    flag::STATIC | flag::EXPORTED
                } else if kid.kind == Kind::ClassDeclaration {
                    0
                } else {
                    flag::STATIC
                };
                self.declare_type(kid, scope, scope, more);
            }
            _ => self.statement(kid, scope),
        }
    }

    fn fields(&mut self, kid: Kid<'t>, scope: ScopeId, more: u32) {
        let kids = self.open(kid.node);
        let mut flags = more;
        let mut ty = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::Modifiers => flags |= self.modifiers(part, scope),
                Kind::VariableDeclarator => {
                    let def = self.declarator(part, scope, DefKind::Field, ty, kid.range());
                    if let Some(def) = def {
                        self.b.edit(def).flags |= Self::access(flags);
                    }
                }
                _ if part.field == self.t.ty => ty = self.ty(part, scope),
                _ => {}
            }
        }
        self.close(&kids);
    }

    /// `a[] = value` of a declaration of fields or variables; `ty` is [`NONE`] for `var`.
    pub(super) fn declarator(
        &mut self,
        kid: Kid<'t>,
        scope: ScopeId,
        kind: DefKind,
        ty: ExprId,
        range: Range,
    ) -> Option<DefId> {
        let kids = self.open(kid.node);
        let mut def = None;
        let mut ty = ty;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field == self.t.name && part.kind == Kind::Identifier {
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
            } else if part.field == self.t.value {
                let want = if ty == NONE {
                    Want::Nothing
                } else {
                    Want::Type(ty)
                };
                let value = self.expr(part, scope, want);
                if let Some(def) = def {
                    self.b.edit(def).value = value;
                }
            }
        }
        self.close(&kids);
        def
    }

    /// A method or an annotation's element, seen in `scope`; `around` is what it sees itself.
    pub(super) fn method(
        &mut self,
        kid: Kid<'t>,
        scope: ScopeId,
        around: ScopeId,
        interface: bool,
    ) {
        if !self.enter() {
            return;
        }
        let kids = self.open(kid.node);
        if let Some(name) = self.kids.field(&kids, self.t.name) {
            let at = name.start() as u32;
            let range = kid.range();
            let def = self
                .b
                .define(self.text(name.node), DefKind::Method, scope, at, range);
            self.b.edit(def).spaces = METHOD;
            self.callable(kid, &kids, def, around);
            let bodiless = self.kids.field(&kids, self.t.body).is_none();
            let def = self.b.edit(def);
            if interface {
                if def.flags & flag::PRIVATE == 0 {
                    def.flags |= flag::EXPORTED;
                }
                if bodiless {
                    def.flags |= flag::ABSTRACT;
                }
            }
            def.flags = Self::access(def.flags);
        }
        self.close(&kids);
        self.leave();
    }

    /// A constructor. No name finds it: one makes an instance by the type's name.
    fn constructor(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        if let Some(name) = self.kids.field(&kids, self.t.name) {
            let at = name.start() as u32;
            let range = kid.range();
            let def = self
                .b
                .define(self.text(name.node), DefKind::Constructor, scope, at, range);
            self.b.edit(def).spaces = 0;
            self.callable(kid, &kids, def, scope);
            let def = self.b.edit(def);
            def.flags = Self::access(def.flags);
        }
        self.close(&kids);
    }

    /// Everything of a method or constructor but its name.
    fn callable(&mut self, kid: Kid<'t>, kids: &Range, def: DefId, around: ScopeId) {
        let parameters = self.kids.kind(kids, Kind::TypeParameters);
        let header = self.header(parameters, around, def, kid.range());
        let inner = self.b.scope(ScopeKind::Function, header, def, kid.range());
        self.b.edit(def).inner = inner;
        for i in kids.clone() {
            let part = self.kids.get(i);
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
                _ if part.field == self.t.ty => self.b.edit(def).ty = self.ty(part, header),
                _ if part.field == self.t.value => self.element_value(part, header),
                _ => {}
            }
        }
    }

    fn function_body(&mut self, kid: Kid<'t>, scope: ScopeId, def: DefId) {
        let ty = self.b.edit(def).ty;
        let want = if ty == NONE {
            Want::Nothing
        } else {
            Want::Type(ty)
        };
        let result = std::mem::replace(&mut self.result, want);
        let returned = self.returns.len();
        self.statements(kid, scope);
        self.returns.truncate(returned);
        self.result = result;
    }

    pub(super) fn parameters(&mut self, kid: Kid<'t>, scope: ScopeId, types: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let kid = self.kids.get(i);
            self.parameter(kid, scope, types);
        }
        self.close(&kids);
    }

    /// A parameter with a type; `var` of a lambda leaves it open.
    pub(super) fn parameter(
        &mut self,
        kid: Kid<'t>,
        scope: ScopeId,
        types: ScopeId,
    ) -> Option<DefId> {
        let variadic = kid.kind == Kind::SpreadParameter;
        let kids = self.open(kid.node);
        let mut flags = if variadic { flag::VARIADIC } else { 0 };
        let mut ty = NONE;
        let mut def = None;
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::Modifiers => flags |= self.modifiers(part, types) & flag::READONLY,
                Kind::Annotation | Kind::MarkerAnnotation => self.annotation(part, types),
                Kind::VariableDeclarator => {
                    def = self.declarator(part, scope, DefKind::Parameter, ty, kid.range());
                }
                Kind::Identifier if kid.kind == Kind::ReceiverParameter => {}
                Kind::Identifier if part.field == self.t.name => {
                    let at = part.start() as u32;
                    let name = self.text(part.node);
                    let made = self
                        .b
                        .define(name, DefKind::Parameter, scope, at, kid.range());
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
        self.close(&kids);
        if let Some(def) = def {
            self.b.edit(def).flags |= flags;
        }
        def
    }

    /// A declared type; [`NONE`] for `var`.
    pub(super) fn variable_type(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        if kid.kind == Kind::TypeIdentifier && self.text(kid.node) == "var" {
            NONE
        } else {
            self.ty(kid, scope)
        }
    }

    fn enum_constant(&mut self, kid: Kid<'t>, scope: ScopeId, owner: DefId) {
        let kids = self.open(kid.node);
        let name = self.b.edit(owner).name;
        let name = self.b.facts.name(name).to_owned();
        let ty = self.unwritten_type(&name, scope);
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::Modifiers => {
                    self.modifiers(part, scope);
                }
                Kind::Identifier => {
                    let at = part.start() as u32;
                    let name = self.text(part.node);
                    let def = self
                        .b
                        .define(name, DefKind::EnumMember, scope, at, kid.range());
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
        self.close(&kids);
    }
}
