//! Files, namespaces, `using`, types.

use tree_sitter::Node;

use crate::facts::{DefId, DefKind, Expr, NONE, Role, ScopeId, ScopeKind, flag, space};

use super::{Kid, Kind, OUTER, Range, TYPE, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    /// The whole file.
    pub(super) fn file(&mut self, root: Node<'t>) {
        let kids = self.open(root);
        let mut scope = 0;
        let mut main = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            if kid.kind == Kind::FileNamespace {
                scope = self.namespace(kid, scope, kid.start()..self.text.len());
            } else {
                self.top(kid, scope, &mut main);
            }
        }
        self.close(&kids);
    }

    /// Whether one of two arms of a condition holds in any case.
    fn has_other_arm(&self, mut kids: std::ops::Range<usize>) -> bool {
        kids.any(|i| matches!(self.kids.get(i).kind, Kind::PreprocElse | Kind::PreprocElif))
    }

    /// What stands in a file or namespace. Statements make up a function, whose scope is made when the
    /// first one comes.
    pub(super) fn top(&mut self, kid: Kid<'t>, scope: ScopeId, main: &mut ScopeId) {
        match kid.kind {
            Kind::Using => self.using(kid, scope),
            Kind::ExternAlias => self.extern_alias(kid, scope),
            Kind::GlobalAttribute | Kind::AttributeList => self.attributes(kid, scope),
            Kind::Namespace => {
                self.namespace(kid, scope, kid.range());
            }
            Kind::PreprocIf | Kind::PreprocElse | Kind::PreprocElif => {
                if !self.enter() {
                    return;
                }
                let mut scope = scope;
                let kids = self.open(kid.node);
                let is_only = kid.kind == Kind::PreprocIf && !self.has_other_arm(kids.clone());
                for i in kids.clone() {
                    let part = self.kids.get(i);
                    if is_only {
                        let range = part.range();
                        self.inactive.push((range.start as u32, range.end as u32));
                    }
                    if part.kind == Kind::FileNamespace {
                        scope = self.namespace(part, scope, part.start()..self.text.len());
                    } else if part.field != self.t.condition {
                        self.top(part, scope, main);
                    }
                }
                self.close(&kids);
                self.leave();
            }
            _ if Self::is_type(kid.kind) => self.declare_type(kid, scope),
            _ if Self::is_member(kid.kind) => self.member_declaration(kid, scope, NONE),
            _ => {
                if *main == NONE {
                    *main = self
                        .b
                        .scope(ScopeKind::Block, scope, NONE, 0..self.text.len());
                }
                self.statement(kid, *main);
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
    fn namespace(&mut self, kid: Kid<'t>, scope: ScopeId, range: Range) -> ScopeId {
        if !self.enter() {
            return scope;
        }
        let kids = self.open(kid.node);
        let mut inner = scope;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.field == self.t.name {
                inner = self.namespace_scope(part, scope, range.clone());
            } else if part.kind == Kind::DeclarationList {
                let list = self.open(part.node);
                let mut main = NONE;
                for i in list.clone() {
                    let member = self.kids.get(i);
                    self.top(member, inner, &mut main);
                }
                self.close(&list);
            }
        }
        self.close(&kids);
        self.leave();
        inner
    }

    fn namespace_scope(&mut self, name: Kid<'t>, scope: ScopeId, range: Range) -> ScopeId {
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
    fn segments(&mut self, kid: Kid<'t>, path: &mut Vec<Node<'t>>) {
        let mut at = kid;
        loop {
            if at.kind != Kind::QualifiedName {
                if at.kind == Kind::Identifier {
                    path.push(at.node);
                }
                break;
            }
            let kids = self.open(at.node);
            let outer = self.kids.field(&kids, self.t.qualifier);
            let name = self.kids.field(&kids, self.t.name);
            self.close(&kids);
            path.extend(name.map(|name| name.node));
            match outer {
                Some(outer) => at = outer,
                None => break,
            }
        }
        path.reverse();
    }

    /// `using N;`, `using static T;`, `using A = T;`, each with or without `global`.
    fn using(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let words: Vec<&str> = self.text(kid.node).split_whitespace().take(3).collect();
        let is_global = words.first() == Some(&"global");
        let is_static = words.contains(&"static");
        let mut flags = if is_global { flag::EXPORTED } else { 0 };
        if is_global {
            // A definition that no lookup wants tells the workspace where such directives are.
            let at = kid.start() as u32;
            let def = self.b.define("global", DefKind::Alias, 0, at, kid.range());
            self.b.edit(def).spaces = 0;
        }
        let kids = self.open(kid.node);
        if let Some(name) = self.kids.field(&kids, self.t.name) {
            let def = self.define(name.node, DefKind::Alias, scope, kid.range(), OUTER);
            self.b.edit(def).flags = flags;
            for i in kids.clone() {
                let part = self.kids.get(i);
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
            for i in kids.clone() {
                let part = self.kids.get(i);
                let of = self.ty_in(part, scope, spaces, Role::Import);
                self.b.glob_import(scope, of, flags);
            }
        }
        self.close(&kids);
    }

    fn extern_alias(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        if let Some(name) = self.kids.field(&kids, self.t.name) {
            self.define(name.node, DefKind::Alias, scope, kid.range(), OUTER);
        }
        self.close(&kids);
    }

    pub(super) fn declare_type(&mut self, kid: Kid<'t>, scope: ScopeId) {
        if !self.enter() {
            return;
        }
        let kids = self.open(kid.node);
        if let Some(name) = self.kids.field(&kids, self.t.name) {
            let kind = match kid.kind {
                Kind::Class => DefKind::Class,
                Kind::Struct => DefKind::Struct,
                Kind::Interface => DefKind::Interface,
                Kind::Enum => DefKind::Enum,
                Kind::Record => DefKind::Record,
                _ => DefKind::Delegate,
            };
            let def = self.define(name.node, kind, scope, kid.range(), TYPE);
            if kid.kind == Kind::Delegate {
                self.callable(kid, &kids, def, scope);
            } else {
                self.type_parts(kid, &kids, name, def, scope);
            }
            let is_inner = self.b.facts.scopes[scope as usize].kind == ScopeKind::Class;
            let default = if is_inner {
                flag::PRIVATE
            } else {
                flag::INTERNAL
            };
            self.default_access(def, default);
        }
        self.close(&kids);
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
        kid: Kid<'t>,
        kids: &Range,
        name: Kid<'t>,
        def: DefId,
        scope: ScopeId,
    ) {
        // Parameters of a primary constructor are seen in the whole type, behind its members.
        let primary = self.kids.kind(kids, Kind::ParameterList);
        let around = match primary {
            Some(_) => self.b.scope(ScopeKind::Function, scope, NONE, kid.range()),
            None => scope,
        };
        let header = self.header(kids, around, def, kid.range());
        let inner = self.b.scope(ScopeKind::Class, header, def, kid.range());
        self.b.edit(def).inner = inner;
        if let Some(parameters) = primary {
            self.primary_constructor(parameters, name, def, around, header);
        }
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::Modifier => {
                    let flags = self.modifier(part);
                    self.b.edit(def).flags |= flags;
                }
                // A type's attributes see what it declares.
                Kind::AttributeList | Kind::PreprocIfAttributes => self.attributes(part, inner),
                Kind::BaseList => self.bases(part, header, def),
                Kind::TypeConstraints => self.constraints(part, header),
                Kind::DeclarationList | Kind::EnumMembers => self.body(part, inner, def),
                _ => {}
            }
        }
    }

    /// The parameters after a type's name; a record's are properties as well.
    fn primary_constructor(
        &mut self,
        kid: Kid<'t>,
        name: Kid<'t>,
        owner: DefId,
        scope: ScopeId,
        types: ScopeId,
    ) {
        let inner = self.b.edit(owner).inner;
        let constructor = self.define(name.node, DefKind::Constructor, inner, kid.range(), 0);
        self.b.edit(constructor).inner = scope;
        self.b.edit(constructor).flags = flag::EXPORTED;
        self.b.facts.scopes[scope as usize].owner = constructor;
        let first = self.b.facts.defs.len();
        self.parameters(kid, scope, types);
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
    pub(super) fn body(&mut self, kid: Kid<'t>, scope: ScopeId, owner: DefId) {
        if !self.enter() {
            return;
        }
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let member = self.kids.get(i);
            match member.kind {
                Kind::PreprocIf | Kind::PreprocElse | Kind::PreprocElif => {
                    self.body(member, scope, owner);
                }
                _ if member.field == self.t.condition => {}
                _ if Self::is_type(member.kind) => self.declare_type(member, scope),
                Kind::AttributeList => self.attributes(member, scope),
                _ => self.member_declaration(member, scope, owner),
            }
        }
        self.close(&kids);
        self.leave();
    }

    /// A member of an enum.
    pub(super) fn enum_member(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind == Kind::AttributeList {
                self.attributes(part, scope);
            } else if part.field == self.t.name {
                let def = self.define(part.node, DefKind::EnumMember, scope, kid.range(), VALUE);
                self.b.edit(def).flags = flag::STATIC | flag::READONLY | flag::EXPORTED;
            } else {
                self.expr(part, scope, Want::Nothing);
            }
        }
        self.close(&kids);
    }

    /// An unnamed scope for what a part of a type declares that is no member.
    pub(super) fn block(&mut self, kid: Kid<'t>, scope: ScopeId) -> ScopeId {
        self.b.scope(ScopeKind::Block, scope, NONE, kid.range())
    }

    /// An instance of what a type denotes.
    pub(super) fn instance(&mut self, of: u32) -> u32 {
        self.b.expr(Expr::Value { of })
    }
}
