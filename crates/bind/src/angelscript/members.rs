//! Members of classes and structs, variables of files, `access` lists.

use crate::facts::{DefKind, NONE, Role, ScopeId, ScopeKind};

use super::kinds::Kind;
use super::walk::{AngelScriptChild, AngelScriptWalk, FUNCTION, TYPE, VALUE};

impl<'t> AngelScriptWalk<'t> {
    /// What stands between the braces of a type.
    pub(super) fn body(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let member = self.child(i);
            self.member_declaration(member, scope);
        }
        self.close(children);
    }

    fn member_declaration(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) {
        match child.kind {
            Kind::Function => self.function(child, scope, DefKind::Method),
            Kind::Constructor => self.function(child, scope, DefKind::Constructor),
            Kind::Destructor => self.function(child, scope, DefKind::Constructor),
            Kind::Variable => self.variables(child, scope, DefKind::Field),
            Kind::Property => self.property(child, scope),
            Kind::Delegate | Kind::Event | Kind::Funcdef => self.delegate(child, scope),
            Kind::AccessDeclaration => self.access_declaration(child, scope),
            _ => {
                let scope = self.block(child, scope);
                self.statement(child, scope);
            }
        }
    }

    /// `T a = 1, b(2);` in a type, namespace or file.
    pub(super) fn variables(&mut self, child: AngelScriptChild<'t>, scope: ScopeId, kind: DefKind) {
        let children = self.open(child.node);
        let (mut flags, mut ty) = (0, NONE);
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifier => flags |= self.modifier(part),
                Kind::AccessSpecifier => self.access_specifier(part, scope),
                Kind::Macro => self.macro_call(part, scope),
                Kind::MemberDeclarator => {
                    let range = child.range();
                    if let Some(def) = self.declarator(part, scope, kind, ty, range) {
                        self.b.edit(def).flags = flags;
                    }
                }
                _ if part.field == self.table.ty => ty = self.ty(part, scope),
                _ => {}
            }
        }
        self.close(children);
    }

    /// A name with its initial value or the arguments of its constructor.
    pub(super) fn declarator(
        &mut self,
        child: AngelScriptChild<'t>,
        scope: ScopeId,
        kind: DefKind,
        ty: u32,
        range: super::walk::NodeRange,
    ) -> Option<u32> {
        let children = self.open(child.node);
        let name = self.children.in_field(children, self.table.name);
        let is_local = kind == DefKind::Variable;
        let around = match is_local {
            true => scope,
            false => self.block(child, scope),
        };
        let mut value = NONE;
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::ArgumentList {
                let made = self.b.facts.expr(ty);
                value = self.constructed(made, part, around);
            } else if part.field == self.table.value {
                value = self.expr(part, around);
            }
        }
        self.close(children);
        let name = name?;
        let def = self.define(name.node, kind, scope, range, VALUE);
        let made = self.b.edit(def);
        made.ty = ty;
        made.value = value;
        if is_local {
            // seen in what follows, and in its own initial value by nobody
            made.from = child.node.end_byte() as u32;
        }
        Some(def)
    }

    /// `int Count { get { … } set { … } }` of plain AngelScript.
    pub(super) fn property(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let mut ty = NONE;
        let mut flags = 0;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifier => flags |= self.modifier(part),
                Kind::Macro => self.macro_call(part, scope),
                Kind::AccessorList => {
                    let inner = self.b.scope(ScopeKind::Function, scope, NONE, part.range());
                    self.statements_within(part, inner);
                }
                _ if part.field == self.table.ty => ty = self.ty(part, scope),
                _ => {}
            }
        }
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let def = self.define(name.node, DefKind::Property, scope, child.range(), VALUE);
            let def = self.b.edit(def);
            def.ty = ty;
            def.flags = flags;
        }
        self.close(children);
    }

    /// `access Wiring = private, ALampRig, CountLamps (readonly);`: a name that `access:Wiring` uses; the list names
    /// types and functions.
    fn access_declaration(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if part.field == self.table.name {
                let def = self.define(
                    part.node,
                    DefKind::Label,
                    scope,
                    child.range(),
                    crate::facts::space::LABEL,
                );
                self.b.edit(def).flags = 0;
            } else if part.kind == Kind::AccessItem {
                let inner = self.open(part.node);
                if let Some(name) = self.children.in_field(inner, self.table.name) {
                    match name.kind {
                        Kind::ScopedIdentifier => {
                            self.scoped(name, 0, Role::Read, TYPE | FUNCTION);
                        }
                        _ => {
                            let around = self.b.facts.scopes[scope as usize].parent;
                            let around = if around == NONE { 0 } else { around };
                            self.name(name.node, around, Role::Read, TYPE | FUNCTION);
                        }
                    }
                }
                self.close(inner);
            }
        }
        self.close(children);
    }

    /// `access:Wiring`.
    pub(super) fn access_specifier(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            self.name(
                name.node,
                scope,
                Role::Attribute,
                crate::facts::space::LABEL,
            );
        }
        self.close(children);
    }
}
