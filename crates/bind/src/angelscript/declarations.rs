//! Files, namespaces, imports, types, delegates, global functions and variables.

use tree_sitter::Node;

use crate::facts::{DefId, DefKind, Expr, NONE, Relation, Role, ScopeId, ScopeKind, flag, space};

use super::kinds::Kind;
use super::walk::{Child, FUNCTION, OUTER, TYPE, VALUE, Walk};
use crate::children::ChildRange;

impl<'t> Walk<'t> {
    /// The whole file.
    pub(super) fn file(&mut self, root: Node<'t>) {
        let children = self.open(root);
        for i in children {
            let child = self.child(i);
            self.top(child, 0);
        }
        self.close(children);
    }

    /// What stands in a file or namespace.
    pub(super) fn top(&mut self, child: Child<'t>, scope: ScopeId) {
        if !self.enter() {
            return;
        }
        match child.kind {
            Kind::Import => self.import_module(child, scope),
            Kind::ImportFunction => self.import_function(child, scope),
            Kind::Namespace => self.namespace(child, scope),
            Kind::Class | Kind::Struct | Kind::Interface | Kind::Enum => {
                self.declare_type(child, scope);
            }
            Kind::Delegate | Kind::Event | Kind::Funcdef => self.delegate(child, scope),
            Kind::Typedef => self.type_alias(child, scope),
            Kind::Function => self.function(child, scope, DefKind::Function),
            Kind::Variable => self.variables(child, scope, DefKind::Constant),
            Kind::Property => self.property(child, scope),
            Kind::Asset | Kind::Settings => self.asset(child, scope),
            _ => self.statement(child, scope),
        }
        self.leave();
    }

    /// `import Props.Lamps.Lamp;`: what another file has is seen in this one. It is no use of a name.
    fn import_module(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        if let Some(path) = self.children.in_field(children, self.table.path) {
            let name = self.text(path.node);
            let name = self.b.name(name);
            let module = self.b.expr(Expr::Module {
                name,
                at: NONE,
                level: 0,
            });
            self.b.glob_import(scope, module, flag::EXPORTED);
        }
        self.close(children);
    }

    /// `import int F(FName Tag) from "…"` names a function that is a global one of another file.
    fn import_function(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let value = self.name(name.node, scope, Role::Import, FUNCTION);
            let def = self.define(
                name.node,
                DefKind::Alias,
                scope,
                child.range(),
                VALUE | FUNCTION,
            );
            self.b.edit(def).value = value;
            let inner = self
                .b
                .scope(ScopeKind::Function, scope, NONE, child.range());
            if let Some(ty) = self.children.in_field(children, self.table.ty) {
                self.ty(ty, scope);
            }
            if let Some(list) = self.children.in_field(children, self.table.parameters) {
                self.parameters(list, inner);
            }
        }
        self.close(children);
    }

    /// `using namespace A::B;` brings what the namespace has.
    pub(super) fn using(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let of = match name.kind {
                Kind::ScopedIdentifier => self.scoped(name, scope, Role::Read, OUTER),
                _ => self.name(name.node, scope, Role::Read, OUTER),
            };
            self.b.glob_import(scope, of, 0);
        }
        self.close(children);
    }

    /// `namespace A::B { … }`: a part of the open namespace of that whole path.
    fn namespace(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let path = self.path_of(name.node, scope);
            let last = self.last_of(name.node);
            let at = last.start_byte() as u32;
            let def = self
                .b
                .define(&path, DefKind::Namespace, scope, at, child.range());
            self.b.edit(def).spaces = space::NAMESPACE;
            let inner = self
                .b
                .scope(ScopeKind::Namespace, scope, def, child.range());
            self.b.edit(def).inner = inner;
            if name.kind == Kind::Identifier {
                // where it is a type's, it adds to that
                self.name(name.node, scope, Role::Type, TYPE);
            }
            if let Some(body) = self.children.in_field(children, self.table.body) {
                let members = self.open(body.node);
                for i in members {
                    let member = self.child(i);
                    self.top(member, inner);
                }
                self.close(members);
            }
        }
        self.close(children);
    }

    /// The whole path of a namespace that is written in a scope, joined by `.`.
    fn path_of(&self, name: Node<'_>, scope: ScopeId) -> String {
        let own: String = self.text(name).split_whitespace().collect();
        let own = own.trim_start_matches(':').replace("::", ".");
        let around = &self.b.facts.scopes[scope as usize];
        match self.b.facts.defs.get(around.owner as usize) {
            Some(outer) if around.kind == ScopeKind::Namespace => {
                format!("{}.{own}", self.b.facts.name(outer.name))
            }
            _ => own,
        }
    }

    fn last_of(&self, name: Node<'t>) -> Node<'t> {
        crate::nodes::child(name, self.table.name).unwrap_or(name)
    }

    fn declare_type(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let kind = match child.kind {
                Kind::Struct => DefKind::Struct,
                Kind::Interface => DefKind::Interface,
                Kind::Enum => DefKind::Enum,
                _ => DefKind::Class,
            };
            let def = self.define(name.node, kind, scope, child.range(), TYPE);
            let inner = self.b.scope(ScopeKind::Class, scope, def, child.range());
            self.b.edit(def).inner = inner;
            for i in children {
                let part = self.child(i);
                match part.kind {
                    Kind::BaseList => self.base_list(part, scope, def),
                    Kind::MemberList => self.body(part, inner),
                    _ if part.field == self.table.body => self.enumerators(part, inner),
                    _ => {}
                }
            }
        }
        self.close(children);
    }

    fn base_list(&mut self, child: Child<'t>, scope: ScopeId, def: DefId) {
        let children = self.open(child.node);
        for i in children {
            let base = self.child(i);
            let of = self.ty(base, scope);
            if of != NONE {
                self.b.base(def, Relation::Extends, of);
            }
        }
        self.close(children);
    }

    fn enumerators(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let member = self.child(i);
            if member.kind != Kind::Enumerator {
                self.statement(member, scope);
                continue;
            }
            let parts = self.open(member.node);
            for i in parts {
                let part = self.child(i);
                if part.field == self.table.name {
                    let range = member.range();
                    let def = self.define(part.node, DefKind::EnumMember, scope, range, VALUE);
                    self.b.edit(def).flags = flag::STATIC | flag::READONLY;
                } else if part.field == self.table.value {
                    self.expr(part, scope);
                }
            }
            self.close(parts);
        }
        self.close(children);
    }

    /// A delegate, event or `funcdef`: a type that is called.
    pub(super) fn delegate(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let def = self.define(name.node, DefKind::Delegate, scope, child.range(), TYPE);
            self.callable(child, children, def, scope);
        }
        self.close(children);
    }

    fn type_alias(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let ty = match self.children.in_field(children, self.table.ty) {
            Some(ty) => self.ty(ty, scope),
            None => NONE,
        };
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let def = self.define(name.node, DefKind::TypeAlias, scope, child.range(), TYPE);
            self.b.edit(def).ty = ty;
        }
        self.close(children);
    }

    /// `asset A of T { … }`, `settings A for T { … }`: a global of a type, with statements that see its members.
    fn asset(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let ty = match self.children.in_field(children, self.table.ty) {
            Some(ty) => self.ty(ty, scope),
            None => NONE,
        };
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let def = self.define(name.node, DefKind::Constant, scope, child.range(), VALUE);
            self.b.edit(def).ty = ty;
        }
        if let Some(body) = self.children.in_field(children, self.table.body) {
            let inner = self.block(body, scope);
            let value = self.instance(ty);
            self.b.glob_import(inner, value, 0);
            self.statements(body, inner);
        }
        self.close(children);
    }

    /// A function with its name; `kind` is what it is where it stands.
    pub(super) fn function(&mut self, child: Child<'t>, scope: ScopeId, kind: DefKind) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let spaces = match kind {
                DefKind::Constructor => 0,
                _ => VALUE | FUNCTION,
            };
            let def = self.define(name.node, kind, scope, child.range(), spaces);
            self.callable(child, children, def, scope);
            let has_body = self.children.in_field(children, self.table.body).is_some();
            if !has_body {
                self.b.edit(def).flags |= flag::ABSTRACT;
            }
        }
        self.close(children);
    }

    /// Everything of a function, delegate or lambda but its name.
    pub(super) fn callable(
        &mut self,
        child: Child<'t>,
        children: ChildRange,
        def: DefId,
        scope: ScopeId,
    ) {
        let inner = self.b.scope(ScopeKind::Function, scope, def, child.range());
        self.b.edit(def).inner = inner;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifier => {
                    let flags = self.modifier(part);
                    self.b.edit(def).flags |= flags;
                }
                Kind::AccessSpecifier => self.access_specifier(part, scope),
                Kind::Macro => self.macro_call(part, scope),
                Kind::Qualifier => {
                    let flags = self.qualifier(part);
                    self.b.edit(def).flags |= flags;
                }
                Kind::ParameterList => self.parameters(part, inner),
                Kind::Block => self.statements(part, inner),
                _ if part.field == self.table.ty => {
                    let ty = self.ty(part, scope);
                    self.b.edit(def).ty = ty;
                }
                _ => {}
            }
        }
    }

    fn qualifier(&self, child: Child<'t>) -> u32 {
        match self.text(child.node) {
            "override" => flag::OVERRIDE,
            "property" => flag::GETTER,
            _ => 0,
        }
    }

    /// What a word before a declaration says; `mixin` makes a function one of its first parameter's type.
    pub(super) fn modifier(&self, child: Child<'t>) -> u32 {
        match self.text(child.node) {
            "private" => flag::PRIVATE,
            "protected" => flag::PROTECTED,
            "mixin" => flag::EXTENSION,
            "local" => flag::INTERNAL,
            _ => 0,
        }
    }

    /// Parameters, in their order; those without a name count, too.
    pub(super) fn parameters(&mut self, child: Child<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let parameter = self.child(i);
            if parameter.kind != Kind::Parameter {
                self.statement(parameter, scope);
                continue;
            }
            let parts = self.open(parameter.node);
            let ty = match self.children.in_field(parts, self.table.ty) {
                Some(ty) => self.ty(ty, scope),
                None => NONE,
            };
            let range = parameter.range();
            let def = match self.children.in_field(parts, self.table.name) {
                Some(name) => self.define(name.node, DefKind::Parameter, scope, range, VALUE),
                None => self
                    .b
                    .define("", DefKind::Parameter, scope, NONE, parameter.range()),
            };
            self.b.edit(def).ty = ty;
            if let Some(value) = self.children.in_field(parts, self.table.value) {
                let value = self.expr(value, scope);
                let def = self.b.edit(def);
                def.value = value;
                def.flags |= flag::OPTIONAL;
            }
            self.close(parts);
        }
        self.close(children);
    }
}
