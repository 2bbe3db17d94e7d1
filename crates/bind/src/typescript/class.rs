//! Classes, interfaces, and their members.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::Walk;
use crate::facts::{
    DefId, DefKind, Expr, ExprId, NONE, Relation, Role, ScopeId, ScopeKind, flag, space,
};
use crate::nodes::named_children;

impl<'t> Walk<'t> {
    /// A class by declaration or as an expression; its definition.
    pub(super) fn class(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) -> DefId {
        let name = self.field(node, |table| table.name);
        let (text, at) = match name {
            Some(name) => (self.text(name), name.start_byte() as u32),
            None => ("", NONE),
        };
        let def = self
            .b
            .define(text, DefKind::Class, scope, at, node.byte_range());
        let is_abstract = self.kind(node) == Kind::AbstractClassDeclaration;
        let class = self.b.edit(def);
        class.spaces = space::VALUE | space::TYPE;
        class.flags |= flags | if is_abstract { flag::ABSTRACT } else { 0 };
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            if self.kind(part) == Kind::Decorator {
                self.decorator(part, scope);
            }
        }
        self.close(children);
        self.documented_links(node.start_byte(), scope);
        let header = self.type_parameters(node, scope, def);
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            if self.kind(part) == Kind::ClassHeritage {
                self.heritage(part, header, def);
            }
        }
        self.close(children);
        let inner = self
            .b
            .scope(ScopeKind::Class, header, def, node.byte_range());
        self.b.edit(def).inner = inner;
        if let Some(body) = self.field(node, |table| table.body) {
            self.with_this(node, inner, |walk| walk.members(body, inner));
        }
        def
    }

    fn heritage(&mut self, node: Node<'t>, scope: ScopeId, def: DefId) {
        let children = self.open_named(node);
        for place in children {
            let clause = self.child(place).node;
            match self.kind(clause) {
                Kind::ExtendsClause => {
                    let Some(value) = self.field(clause, |table| table.value) else {
                        continue;
                    };
                    let base = self.expression(value, scope, NONE);
                    self.b.set_role(base, Role::Type);
                    let base = self.class_value(base);
                    let base = match self.field(clause, |table| table.type_arguments) {
                        Some(arguments) => self.apply(base, arguments, scope),
                        None => base,
                    };
                    self.b.base(def, Relation::Extends, base);
                }
                Kind::ImplementsClause => {
                    let children = self.open_named(clause);
                    for place in children {
                        let ty = self.child(place).node;
                        let base = self.ty(ty, scope);
                        self.b.base(def, Relation::Implements, base);
                    }
                    self.close(children);
                }
                Kind::Comment => {}
                // JavaScript has the base right here.
                _ => {
                    let base = self.expression(clause, scope, NONE);
                    self.b.set_role(base, Role::Type);
                    let start = self.b.facts.defs[def as usize].start as usize;
                    let base = self.class_value(base);
                    let base = self.documented_base(start, base, scope);
                    self.b.base(def, Relation::Extends, base);
                }
            }
        }
        self.close(children);
    }

    /// A base that is no name but what an expression gives: the instances that the class makes which that is.
    fn class_value(&mut self, base: ExprId) -> ExprId {
        match self.b.facts.expr(base) {
            Expr::Call { .. }
            | Expr::Index { .. }
            | Expr::Entry { .. }
            | Expr::Await { .. }
            | Expr::Union { .. }
            | Expr::Value { .. } => self.b.expr(Expr::New {
                of: base,
                args: NONE,
            }),
            _ => base,
        }
    }

    pub(super) fn interface(&mut self, node: Node<'t>, scope: ScopeId, flags: u32) {
        let Some(name) = self.field(node, |table| table.name) else {
            return;
        };
        let def = self.b.define(
            self.text(name),
            DefKind::Interface,
            scope,
            name.start_byte() as u32,
            node.byte_range(),
        );
        let interface = self.b.edit(def);
        interface.spaces = space::TYPE;
        interface.flags |= flags;
        let header = self.type_parameters(node, scope, def);
        let children = self.open_named(node);
        for place in children {
            let clause = self.child(place).node;
            if self.kind(clause) == Kind::ExtendsTypeClause {
                let children = self.open_named(clause);
                for place in children {
                    let ty = self.child(place).node;
                    let base = self.ty(ty, header);
                    self.b.base(def, Relation::Extends, base);
                }
                self.close(children);
            }
        }
        self.close(children);
        let inner = self
            .b
            .scope(ScopeKind::Class, header, def, node.byte_range());
        self.b.edit(def).inner = inner;
        if let Some(body) = self.field(node, |table| table.body) {
            self.members(body, inner);
        }
    }

    /// The members of a class, interface or object type.
    pub(super) fn members(&mut self, body: Node<'t>, scope: ScopeId) {
        let children = self.open_named(body);
        for place in children {
            let member = self.child(place).node;
            match self.kind(member) {
                Kind::MethodDefinition | Kind::MethodSignature | Kind::AbstractMethodSignature => {
                    self.method(member, scope)
                }
                Kind::PublicFieldDefinition | Kind::FieldDefinition | Kind::PropertySignature => {
                    self.property(member, scope)
                }
                Kind::CallSignature => {
                    let def = self.member_function(member, scope, "(call)", DefKind::Method);
                    self.complete(def, member, scope, NONE);
                }
                Kind::ConstructSignature => self.construct_signature(member, scope),
                Kind::IndexSignature => self.index_signature(member, scope),
                Kind::ClassStaticBlock => {
                    if let Some(body) = self.field(member, |table| table.body) {
                        let block = self.block(body, scope);
                        self.statements(body, block);
                    }
                }
                Kind::Decorator => self.decorator(member, scope),
                Kind::FunctionSignature => self.method(member, scope),
                Kind::Error => self.members(member, scope),
                _ => {}
            }
        }
        self.close(children);
    }

    pub(super) fn visibility(&self, node: Node<'t>) -> u32 {
        let modifier = named_children(node)
            .into_iter()
            .find(|part| self.kind(*part) == Kind::AccessibilityModifier);
        match modifier.map(|modifier| self.text(modifier)) {
            Some("private") => flag::PRIVATE,
            Some("protected") => flag::PROTECTED,
            _ => 0,
        }
    }

    fn member_flags(&self, node: Node<'t>) -> u32 {
        let mut flags = self.visibility(node);
        let mut cursor = node.walk();
        for part in node.children(&mut cursor) {
            flags |= match part.kind() {
                "static" => flag::STATIC,
                "get" => flag::GETTER,
                "set" => flag::SETTER,
                "readonly" => flag::READONLY,
                "abstract" => flag::ABSTRACT,
                "override_modifier" => flag::OVERRIDE,
                "?" => flag::OPTIONAL,
                _ => 0,
            };
        }
        flags
    }

    /// A member that no text names.
    fn member_function(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        name: &str,
        kind: DefKind,
    ) -> DefId {
        let at = node.start_byte() as u32;
        let def = self.b.define(name, kind, scope, at, node.byte_range());
        self.b.edit(def).flags |= flag::UNWRITTEN;
        def
    }

    fn method(&mut self, node: Node<'t>, scope: ScopeId) {
        let flags = self.member_flags(node);
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            if self.kind(part) == Kind::Decorator {
                self.decorator(part, scope);
            }
        }
        self.close(children);
        let Some(name) = self.field(node, |table| table.name) else {
            return;
        };
        if self.kind(name) == Kind::ComputedPropertyName {
            self.inside(name, scope);
            self.computed_method(node, name, scope, flags);
            return;
        }
        let Some((text, at)) = self.key(name) else {
            return;
        };
        let kind = if text == "constructor" && flags & flag::STATIC == 0 {
            DefKind::Constructor
        } else {
            DefKind::Method
        };
        let flags = match flags & flag::GETTER != 0 && text.starts_with('#') {
            true => flags | flag::PRIVATE,
            false => flags,
        };
        let def = self.b.define(text, kind, scope, at, node.byte_range());
        let is_signature = self.field(node, |table| table.body).is_none();
        let method = self.b.edit(def);
        method.flags |= flags | if is_signature { flag::DECLARATION } else { 0 };
        self.complete(def, node, scope, NONE);
        if self.b.edit(def).flags & flag::GETTER != 0 {
            // Read like a field: its type is what it gives.
            self.b.edit(def).kind = DefKind::Property;
        } else if self.b.edit(def).flags & flag::SETTER != 0 {
            self.setter(def);
        }
    }

    /// A method whose name is computed. Those that the language calls itself, as `[Symbol.iterator]`, have what is
    /// written for their name; no other use can be looked up.
    fn computed_method(&mut self, node: Node<'t>, name: Node<'t>, scope: ScopeId, flags: u32) {
        let symbol = self.text(name);
        if symbol.starts_with("[Symbol.") {
            let def = self.member_function(node, scope, symbol, DefKind::Method);
            self.b.edit(def).flags |= flags;
            self.complete(def, node, scope, NONE);
            return;
        }
        let def = self.callable(node, scope, DefKind::Lambda, NONE, flags);
        self.b.edit(def).kind = DefKind::Method;
    }

    /// A setter's type is that of its parameter.
    fn setter(&mut self, def: DefId) {
        let inner = self.b.edit(def).inner;
        let parameter = self.b.facts.defs.iter();
        let ty = parameter
            .skip(def as usize)
            .find(|other| other.scope == inner && other.kind == DefKind::Parameter)
            .map_or(NONE, |parameter| parameter.ty);
        let setter = self.b.edit(def);
        setter.kind = DefKind::Property;
        setter.ty = ty;
        setter.value = NONE;
    }

    fn property(&mut self, node: Node<'t>, scope: ScopeId) {
        let flags = self.member_flags(node);
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            if self.kind(part) == Kind::Decorator {
                self.decorator(part, scope);
            }
        }
        self.close(children);
        let name = self.field(node, |table| table.name);
        let Some(name) = name.or_else(|| self.field(node, |table| table.property)) else {
            return;
        };
        let ty = self.field(node, |table| table.type_);
        let ty = ty.map_or(NONE, |ty| self.annotation(ty, scope));
        let expected = match ty {
            NONE => NONE,
            ty => self.b.expr(Expr::Value { of: ty }),
        };
        // What initialises it sees members only through `this`.
        let value = match self.field(node, |table| table.value) {
            Some(value) => {
                let block = self.block(value, scope);
                let is_const = ty == NONE && flags & flag::READONLY != 0;
                self.initial(Some(value), block, expected, is_const)
            }
            None => NONE,
        };
        if self.kind(name) == Kind::ComputedPropertyName {
            self.inside(name, scope);
            return;
        }
        let Some((text, at)) = self.key(name) else {
            return;
        };
        let def = self
            .b
            .define(text, DefKind::Field, scope, at, node.byte_range());
        let field = self.b.edit(def);
        field.flags |= flags;
        field.ty = ty;
        field.value = value;
    }

    /// What a variable or field begins with; a literal of one that never changes is its type.
    pub(super) fn initial(
        &mut self,
        value: Option<Node<'t>>,
        scope: ScopeId,
        expected: ExprId,
        is_const: bool,
    ) -> ExprId {
        let Some(value) = value else {
            return NONE;
        };
        let constant = if is_const { self.constant(value) } else { None };
        constant.unwrap_or_else(|| self.expression(value, scope, expected))
    }

    fn construct_signature(&mut self, node: Node<'t>, scope: ScopeId) {
        let def = self.member_function(node, scope, "(new)", DefKind::Constructor);
        self.complete(def, node, scope, NONE);
        if let Some(result) = self.field(node, |table| table.type_) {
            let inner = self.b.edit(def).inner;
            let ty = self.annotation(result, inner);
            self.b.edit(def).ty = ty;
        }
    }

    fn index_signature(&mut self, node: Node<'t>, scope: ScopeId) {
        let block = self.block(node, scope);
        let def = self.b.define(
            "(index)",
            DefKind::Field,
            scope,
            node.start_byte() as u32,
            node.byte_range(),
        );
        self.b.edit(def).flags |= flag::UNWRITTEN;
        let children = self.open_named(node);
        for place in children {
            let part = self.child(place).node;
            match self.kind(part) {
                // `[K in T]?: X`, `[K in T]-?: X`
                Kind::TypeAnnotation | Kind::OptingAnnotation | Kind::OmittingAnnotation => {
                    let ty = self.annotation(part, block);
                    self.b.edit(def).ty = ty;
                }
                Kind::Identifier => {
                    let name = self.text(part);
                    let at = part.start_byte() as u32;
                    self.b
                        .define(name, DefKind::Parameter, block, at, part.byte_range());
                }
                Kind::MappedTypeClause => self.mapped(part, block),
                Kind::Comment => {}
                _ => {
                    self.ty(part, block);
                }
            }
        }
        self.close(children);
    }

    /// `[K in T]`.
    fn mapped(&mut self, node: Node<'t>, scope: ScopeId) {
        let Some(name) = self.field(node, |table| table.name) else {
            return;
        };
        let def = self.b.define(
            self.text(name),
            DefKind::TypeParam,
            scope,
            name.start_byte() as u32,
            node.byte_range(),
        );
        if let Some(of) = self.field(node, |table| table.type_) {
            let of = self.ty(of, scope);
            self.b.edit(def).ty = of;
        }
        if let Some(alias) = self.field(node, |table| table.alias) {
            let given = self.ty(alias, scope);
            // Keys are filtered by other types, and get other names by this one.
            if matches!(
                self.kind(alias),
                Kind::TemplateLiteralType | Kind::TemplateType
            ) {
                self.b.edit(def).value = given;
            }
        }
    }

    /// Type arguments on an expression.
    pub(super) fn apply(&mut self, of: ExprId, arguments: Node<'t>, scope: ScopeId) -> ExprId {
        let args: Vec<ExprId> = named_children(arguments)
            .into_iter()
            .filter(|argument| self.kind(*argument) != Kind::Comment)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|argument| self.ty(argument, scope))
            .collect();
        let args = self.b.list(&args);
        self.b.expr(Expr::Apply { of, args })
    }
}
