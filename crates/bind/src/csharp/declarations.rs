//! Files, namespaces, `using`, types.

use tree_sitter::Node;

use crate::facts::{DefId, DefKind, Expr, NONE, Role, ScopeId, ScopeKind, flag, space};

use super::kinds::Kind;
use super::walk::{CSharpChild, CSharpWalk, OUTER, TYPE, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> CSharpWalk<'t> {
    /// The whole file.
    pub(super) fn file(&mut self, root: Node<'t>) {
        let children = self.open(root);
        let mut scope = 0;
        let mut main = NONE;
        for i in children {
            let child = self.child(i);
            if child.kind == Kind::FileNamespace {
                scope = self.namespace(child, scope, child.start()..self.text.len());
            } else {
                self.top(child, scope, &mut main);
            }
        }
        self.close(children);
    }

    /// Whether one of two arms of a condition holds in any case.
    fn has_other_arm(&self, mut children: std::ops::Range<usize>) -> bool {
        children.any(|i| matches!(self.child(i).kind, Kind::PreprocElse | Kind::PreprocElif))
    }

    /// What stands in a file or namespace. Statements make up a function, whose scope is made when the
    /// first one comes.
    pub(super) fn top(&mut self, child: CSharpChild<'t>, scope: ScopeId, main: &mut ScopeId) {
        match child.kind {
            Kind::Using => self.using(child, scope),
            Kind::ExternAlias => self.extern_alias(child, scope),
            Kind::GlobalAttribute | Kind::AttributeList => self.attributes(child, scope),
            Kind::Namespace => {
                self.namespace(child, scope, child.range());
            }
            Kind::PreprocIf | Kind::PreprocElse | Kind::PreprocElif => {
                if !self.enter() {
                    return;
                }
                let mut scope = scope;
                let children = self.open(child.node);
                let is_only = child.kind == Kind::PreprocIf && !self.has_other_arm(children.iter());
                for i in children {
                    let part = self.child(i);
                    if is_only {
                        let range = part.range();
                        self.lang
                            .inactive
                            .push((range.start as u32, range.end as u32));
                    }
                    if part.kind == Kind::FileNamespace {
                        scope = self.namespace(part, scope, part.start()..self.text.len());
                    } else if part.field != self.table.condition {
                        self.top(part, scope, main);
                    }
                }
                self.close(children);
                self.leave();
            }
            _ if Self::is_type(child.kind) => self.declare_type(child, scope),
            _ if Self::is_member(child.kind) => self.member_declaration(child, scope, NONE),
            _ => {
                if *main == NONE {
                    *main = self
                        .b
                        .scope(ScopeKind::Block, scope, NONE, 0..self.text.len());
                }
                self.statement(child, *main);
            }
        }
    }

    pub(super) fn is_type(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::Class
                | Kind::Struct
                | Kind::Interface
                | Kind::Enum
                | Kind::Record
                | Kind::Delegate
        )
    }

    /// `namespace A.B { … }`; its name is the whole path. Gives its scope.
    fn namespace(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        range: std::ops::Range<usize>,
    ) -> ScopeId {
        if !self.enter() {
            return scope;
        }
        let children = self.open(child.node);
        let mut inner = scope;
        for i in children {
            let part = self.child(i);
            if part.field == self.table.name {
                inner = self.namespace_scope(part, scope, range.clone());
            } else if part.kind == Kind::DeclarationList {
                let list = self.open(part.node);
                let mut main = NONE;
                for i in list {
                    let member = self.child(i);
                    self.top(member, inner, &mut main);
                }
                self.close(list);
            }
        }
        self.close(children);
        self.leave();
        inner
    }

    fn namespace_scope(
        &mut self,
        name: CSharpChild<'t>,
        scope: ScopeId,
        range: std::ops::Range<usize>,
    ) -> ScopeId {
        let mut path = Vec::new();
        self.segments(name, &mut path);
        let Some((last, outer)) = path.split_last() else {
            return scope;
        };
        let mut of = NONE;
        for &node in outer {
            of = match of {
                NONE => self.name(node, scope, Role::Read, space::NAMESPACE),
                of => self.member(of, node, Role::Read, space::NAMESPACE),
            };
        }
        let mut names: Vec<&str> = path.iter().map(|&node| self.identifier(node).0).collect();
        let around = self.b.facts.scopes[scope as usize];
        let outer_name = (around.kind == ScopeKind::Namespace && around.owner != NONE).then(|| {
            let outer = self.b.facts.defs[around.owner as usize].name;
            self.b.facts.name(outer).to_owned()
        });
        if let Some(outer) = &outer_name {
            names.insert(0, outer);
        }
        let at = self.identifier(*last).1;
        let def = self.b.define(
            &names.join("."),
            DefKind::Namespace,
            scope,
            at,
            range.clone(),
        );
        self.b.edit(def).spaces = space::NAMESPACE;
        let inner = self.b.scope(ScopeKind::Namespace, scope, def, range);
        self.b.edit(def).inner = inner;
        inner
    }

    /// The identifiers of `A.B.C`.
    fn segments(&mut self, child: CSharpChild<'t>, path: &mut Vec<Node<'t>>) {
        let mut at = child;
        loop {
            if at.kind != Kind::QualifiedName {
                if at.kind == Kind::Identifier {
                    path.push(at.node);
                }
                break;
            }
            let children = self.open(at.node);
            let outer = self.children.in_field(children, self.table.qualifier);
            let name = self.children.in_field(children, self.table.name);
            self.close(children);
            path.extend(name.map(|name| name.node));
            match outer {
                Some(outer) => at = outer,
                None => break,
            }
        }
        path.reverse();
    }

    /// `using N;`, `using static T;`, `using A = T;`, each with or without `global`.
    fn using(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let words: Vec<&str> = self.text(child.node).split_whitespace().take(3).collect();
        let is_global = words.first() == Some(&"global");
        let is_static = words.contains(&"static");
        let mut flags = if is_global { flag::EXPORTED } else { 0 };
        if is_global {
            // A definition that no lookup wants tells the workspace where such directives are.
            let at = child.start() as u32;
            let def = self
                .b
                .define("global", DefKind::Alias, 0, at, child.range());
            self.b.edit(def).spaces = 0;
        }
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let def = self.define(name.node, DefKind::Alias, scope, child.range(), OUTER);
            self.b.edit(def).flags = flags;
            for i in children {
                let part = self.child(i);
                if part.field == 0 {
                    let of = self.ty_in(part, scope, OUTER, Role::Import);
                    self.b.edit(def).value = of;
                }
            }
        } else {
            let spaces = if is_static { TYPE } else { space::NAMESPACE };
            if is_static {
                flags |= flag::STATIC;
            }
            for i in children {
                let part = self.child(i);
                let of = self.ty_in(part, scope, spaces, Role::Import);
                self.b.glob_import(scope, of, flags);
            }
        }
        self.close(children);
    }

    fn extern_alias(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            self.define(name.node, DefKind::Alias, scope, child.range(), OUTER);
        }
        self.close(children);
    }

    pub(super) fn declare_type(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        if !self.enter() {
            return;
        }
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let kind = match child.kind {
                Kind::Class => DefKind::Class,
                Kind::Struct => DefKind::Struct,
                Kind::Interface => DefKind::Interface,
                Kind::Enum => DefKind::Enum,
                Kind::Record => DefKind::Record,
                _ => DefKind::Delegate,
            };
            let def = self.define(name.node, kind, scope, child.range(), TYPE);
            if child.kind == Kind::Delegate {
                self.callable(child, children, def, scope);
            } else {
                self.type_parts(child, children, name, def, scope);
            }
            let is_inner = self.b.facts.scopes[scope as usize].kind == ScopeKind::Class;
            let default = if is_inner {
                flag::PRIVATE
            } else {
                flag::INTERNAL
            };
            self.default_access(def, default);
        }
        self.close(children);
        self.leave();
    }

    /// Without a modifier of access it has its place's.
    pub(super) fn default_access(&mut self, def: DefId, default: u32) {
        let said = flag::EXPORTED | flag::PRIVATE | flag::PROTECTED | flag::INTERNAL;
        let def = self.b.edit(def);
        if def.flags & said == 0 {
            def.flags |= default;
        }
    }

    fn type_parts(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        name: CSharpChild<'t>,
        def: DefId,
        scope: ScopeId,
    ) {
        // Parameters of a primary constructor are seen in the whole type, behind its members.
        let primary = self.children.of_kind(children, Kind::ParameterList);
        let around = match primary {
            Some(_) => self
                .b
                .scope(ScopeKind::Function, scope, NONE, child.range()),
            None => scope,
        };
        let header = self.header(children, around, def, child.range());
        let inner = self.b.scope(ScopeKind::Class, header, def, child.range());
        self.b.edit(def).inner = inner;
        if let Some(parameters) = primary {
            self.primary_constructor(parameters, name, def, around, header);
        }
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifier => {
                    let flags = self.modifier(part);
                    self.b.edit(def).flags |= flags;
                }
                // A type's attributes see what it declares.
                Kind::AttributeList | Kind::PreprocIfAttributes => self.attributes(part, inner),
                Kind::BaseList if self.is_union(name) => self.union_cases(part, header, def),
                Kind::BaseList => self.bases(part, header, def),
                Kind::TypeConstraints => self.constraints(part, header),
                Kind::DeclarationList | Kind::EnumMembers => self.body(part, inner, def),
                _ => {}
            }
        }
    }

    /// Whether a type is a union, of which the grammar is shown a class.
    fn is_union(&self, name: CSharpChild<'t>) -> bool {
        let before = self.text.get(..name.start()).unwrap_or("");
        before.trim_end().ends_with("union")
    }

    /// The parameters after a type's name; a record's are properties as well.
    fn primary_constructor(
        &mut self,
        child: CSharpChild<'t>,
        name: CSharpChild<'t>,
        owner: DefId,
        scope: ScopeId,
        types: ScopeId,
    ) {
        let inner = self.b.edit(owner).inner;
        let constructor = self.define(name.node, DefKind::Constructor, inner, child.range(), 0);
        self.b.edit(constructor).inner = scope;
        self.b.edit(constructor).flags = flag::EXPORTED;
        self.b.facts.scopes[scope as usize].owner = constructor;
        let first = self.b.facts.defs.len();
        self.parameters(child, scope, types);
        if self.b.edit(owner).kind != DefKind::Record {
            return;
        }
        for i in first..self.b.facts.defs.len() {
            let parameter = self.b.facts.defs[i];
            if parameter.kind != DefKind::Parameter || parameter.scope != scope {
                continue;
            }
            let name = self.b.facts.name(parameter.name).to_owned();
            let range = parameter.start as usize..parameter.end as usize;
            let property = self
                .b
                .define(&name, DefKind::Property, inner, parameter.at, range);
            let property = self.b.edit(property);
            property.ty = parameter.ty;
            property.flags = flag::MEMBER | flag::EXPORTED;
            property.spaces = VALUE;
        }
    }

    /// The members between a type's braces.
    pub(super) fn body(&mut self, child: CSharpChild<'t>, scope: ScopeId, owner: DefId) {
        if !self.enter() {
            return;
        }
        let children = self.open(child.node);
        for i in children {
            let member = self.child(i);
            match member.kind {
                Kind::PreprocIf | Kind::PreprocElse | Kind::PreprocElif => {
                    self.body(member, scope, owner);
                }
                _ if member.field == self.table.condition => {}
                _ if self.is_extension_block(&member) => {
                    self.extension_block(member, scope, owner);
                }
                _ if Self::is_type(member.kind) => self.declare_type(member, scope),
                Kind::AttributeList => self.attributes(member, scope),
                _ => self.member_declaration(member, scope, owner),
            }
        }
        self.close(children);
        self.leave();
    }

    /// A member of an enum.
    pub(super) fn enum_member(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::AttributeList {
                self.attributes(part, scope);
            } else if part.field == self.table.name {
                let def = self.define(part.node, DefKind::EnumMember, scope, child.range(), VALUE);
                self.b.edit(def).flags = flag::STATIC | flag::READONLY | flag::EXPORTED;
            } else {
                self.expr(part, scope, ContextualType::Nothing);
            }
        }
        self.close(children);
    }

    /// An unnamed scope for what a part of a type declares that is no member.
    pub(super) fn block(&mut self, child: CSharpChild<'t>, scope: ScopeId) -> ScopeId {
        self.b.scope(ScopeKind::Block, scope, NONE, child.range())
    }

    /// An instance of what a type denotes.
    pub(super) fn instance(&mut self, of: u32) -> u32 {
        self.b.expr(Expr::Value { of })
    }
}
