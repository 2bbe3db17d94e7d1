//! Packages, imports, modules and types.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use crate::facts::{
    DefId, DefKind, Expr, ExprId, NONE, Relation, Role, ScopeId, ScopeKind, flag, space,
};

use super::kinds::Kind;
use super::walk::{JavaChild, JavaWalk, METHOD, OUTER, TYPE, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> JavaWalk<'t> {
    /// The whole file.
    pub(super) fn file(&mut self, root: Node<'t>) {
        let whole = 0..self.text.len();
        let children = self.open(root);
        let mut top = 0;
        if let Some(package) = self.children.of_kind(children, Kind::Package) {
            top = self.package(package);
        }
        let imports = self.b.scope(ScopeKind::Block, top, NONE, whole);
        for i in children {
            let child = self.child(i);
            match child.kind {
                Kind::Package => self.package_annotations(child, imports),
                Kind::Import => self.import(child, imports),
                Kind::ModuleDeclaration => self.module(child),
                _ if Self::is_type(child.kind) => self.declare_type(child, top, imports, 0),
                Kind::MethodDeclaration => self.method(child, top, imports, false),
                _ => self.statement(child, imports),
            }
        }
        self.close(children);
    }

    pub(super) fn is_type(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::ClassDeclaration
                | Kind::InterfaceDeclaration
                | Kind::EnumDeclaration
                | Kind::RecordDeclaration
                | Kind::AnnotationTypeDeclaration
        )
    }

    /// The scope of the file's package.
    fn package(&mut self, child: JavaChild<'t>) -> ScopeId {
        let children = self.open(child.node);
        let mut scope = 0;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Identifier | Kind::ScopedIdentifier => {
                    let mut path = Vec::new();
                    self.segments(part, &mut path);
                    scope = self.namespace(&path, child.range());
                }
                _ => {}
            }
        }
        self.close(children);
        scope
    }

    /// What stands before a package's name sees the file's imports (`package-info.java`).
    fn package_annotations(&mut self, child: JavaChild<'t>, imports: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            if !matches!(part.kind, Kind::Identifier | Kind::ScopedIdentifier) {
                self.annotation(part, imports);
            }
        }
        self.close(children);
    }

    fn namespace(&mut self, path: &[Node<'t>], range: std::ops::Range<usize>) -> ScopeId {
        let Some((last, outer)) = path.split_last() else {
            return 0;
        };
        let mut of = NONE;
        for &node in outer {
            of = self.import_segment(of, node, space::NAMESPACE);
        }
        let names: Vec<&str> = path.iter().map(|&node| self.text(node)).collect();
        let at = last.start_byte() as u32;
        let def = self
            .b
            .define(&names.join("."), DefKind::Namespace, 0, at, range);
        self.b.edit(def).spaces = space::NAMESPACE;
        let whole = 0..self.text.len();
        let scope = self.b.scope(ScopeKind::Namespace, 0, def, whole);
        self.b.edit(def).inner = scope;
        scope
    }

    /// The identifiers of `a.b.c`, in a loop: the tree leans to the left.
    fn segments(&mut self, child: JavaChild<'t>, path: &mut Vec<Node<'t>>) {
        let mut at = child;
        loop {
            if at.kind == Kind::Identifier {
                path.push(at.node);
                break;
            }
            let children = self.open(at.node);
            let scope = self.children.in_field(children, self.table.scope);
            let name = self.children.in_field(children, self.table.name);
            self.close(children);
            path.extend(name.map(|name| name.node));
            match scope {
                Some(scope) => at = scope,
                None => break,
            }
        }
        path.reverse();
    }

    fn import_segment(&mut self, of: ExprId, node: Node<'t>, spaces: u8) -> ExprId {
        if of != NONE {
            return self.member(of, node, Role::Import, spaces);
        }
        let name = self.b.name(self.text(node));
        let at = node.start_byte() as u32;
        self.b.expr(Expr::Module { name, at, level: 0 })
    }

    fn import(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let star = self.children.of_kind(children, Kind::Asterisk).is_some();
        let mut path = Vec::new();
        for i in children {
            let part = self.child(i);
            if matches!(part.kind, Kind::Identifier | Kind::ScopedIdentifier) {
                self.segments(part, &mut path);
            }
        }
        self.close(children);
        let is_static = self.text(child.node).split_whitespace().nth(1) == Some("static");
        let flags = if is_static { flag::STATIC } else { 0 };
        let all = match (is_static, star) {
            (true, false) => VALUE | METHOD | TYPE,
            (false, false) => TYPE,
            _ => OUTER,
        };
        let mut of = NONE;
        for (i, &node) in path.iter().enumerate() {
            let spaces = if i + 1 == path.len() { all } else { OUTER };
            of = self.import_segment(of, node, spaces);
        }
        match path.last() {
            Some(_) if star => self.b.glob_import(0, of, flags),
            Some(&last) => {
                let name = self.text(last);
                let at = last.start_byte() as u32;
                let def = self
                    .b
                    .define(name, DefKind::Alias, scope, at, child.range());
                let def = self.b.edit(def);
                def.value = of;
                def.flags = flags;
                def.spaces = all;
            }
            None => {}
        }
    }

    /// `module-info.java`: the packages and types that its directives name.
    fn module(&mut self, child: JavaChild<'t>) {
        let children = self.open(child.node);
        for i in children {
            let body = self.child(i);
            if body.kind != Kind::ModuleBody {
                self.annotation(body, 0);
                continue;
            }
            let directives = self.open(body.node);
            for i in directives {
                let directive = self.child(i);
                self.directive(directive);
            }
            self.close(directives);
        }
        self.close(children);
    }

    fn directive(&mut self, child: JavaChild<'t>) {
        let of_types = matches!(child.kind, Kind::UsesModule | Kind::ProvidesModule);
        let of_packages = matches!(child.kind, Kind::ExportsModule | Kind::OpensModule);
        if !of_types && !of_packages {
            return;
        }
        let children = self.open(child.node);
        // After `to` there are modules, which are no names of this language's scopes.
        let count = if of_types { children.len() } else { 1 };
        for i in children.iter().take(count) {
            let part = self.child(i);
            let mut path = Vec::new();
            if matches!(part.kind, Kind::Identifier | Kind::ScopedIdentifier) {
                self.segments(part, &mut path);
            }
            let mut of = NONE;
            for node in path {
                of = self.import_segment(of, node, OUTER);
            }
        }
        self.close(children);
    }

    /// A type in `scope`, from which inside `parent` is seen.
    pub(super) fn declare_type(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        parent: ScopeId,
        more: u32,
    ) {
        if !self.enter() {
            return;
        }
        let kind = match child.kind {
            Kind::ClassDeclaration => DefKind::Class,
            Kind::EnumDeclaration => DefKind::Enum,
            Kind::RecordDeclaration => DefKind::Record,
            _ => DefKind::Interface,
        };
        let children = self.open(child.node);
        if let Some(name) = self.children.in_field(children, self.table.name) {
            let at = name.start() as u32;
            let def = self
                .b
                .define(self.text(name.node), kind, scope, at, child.range());
            self.b.edit(def).spaces = TYPE;
            self.b.edit(def).flags = more;
            self.type_parts(child, children, def, parent);
        }
        self.close(children);
        self.leave();
    }

    fn type_parts(
        &mut self,
        child: JavaChild<'t>,
        children: ChildRange,
        def: DefId,
        parent: ScopeId,
    ) {
        let parameters = self.children.of_kind(children, Kind::TypeParameters);
        let header = self.header(parameters, parent, def, child.range());
        let mut inner = NONE;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifiers => {
                    let flags = self.modifiers(part, parent);
                    self.b.edit(def).flags |= flags;
                }
                Kind::Superclass | Kind::ExtendsInterfaces => {
                    self.bases(part, header, def, Relation::Extends);
                }
                Kind::SuperInterfaces => self.bases(part, header, def, Relation::Implements),
                Kind::Permits => {
                    self.every_type(part, header);
                }
                Kind::FormalParameters => {
                    inner = self.body_scope(child, header, def);
                    self.components(part, inner, header);
                }
                Kind::ClassBody
                | Kind::InterfaceBody
                | Kind::EnumBody
                | Kind::AnnotationTypeBody => {
                    if inner == NONE {
                        inner = self.body_scope(part, header, def);
                    }
                    self.body(part, inner, def);
                }
                _ => {}
            }
        }
        let made = self.b.edit(def);
        made.flags = Self::access(made.flags);
        if made.kind == DefKind::Record {
            self.written_accessors(def, inner);
        }
    }

    /// A component whose accessor is written out has no other.
    fn written_accessors(&mut self, record: DefId, scope: ScopeId) {
        let members = self
            .b
            .facts
            .defs
            .get_mut(record as usize..)
            .unwrap_or_default();
        let with_parameters: FxHashSet<ScopeId> = members
            .iter()
            .filter(|def| def.kind == DefKind::Parameter)
            .map(|def| def.scope)
            .collect();
        let written: FxHashSet<u32> = members
            .iter()
            .filter(|def| def.scope == scope && def.kind == DefKind::Method)
            .filter(|def| !with_parameters.contains(&def.inner))
            .map(|def| def.name)
            .collect();
        for def in members {
            if def.scope == scope && def.flags & flag::MEMBER != 0 && written.contains(&def.name) {
                def.spaces = VALUE;
            }
        }
    }

    fn body_scope(&mut self, child: JavaChild<'t>, parent: ScopeId, def: DefId) -> ScopeId {
        let scope = self.b.scope(ScopeKind::Class, parent, def, child.range());
        self.b.edit(def).inner = scope;
        scope
    }

    fn bases(&mut self, child: JavaChild<'t>, scope: ScopeId, def: DefId, relation: Relation) {
        for of in self.every_type(child, scope) {
            self.b.base(def, relation, of);
        }
    }

    /// A record's components: fields and methods without parameters at once.
    fn components(&mut self, child: JavaChild<'t>, scope: ScopeId, header: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let component = self.child(i);
            let Some(def) = self.parameter(component, scope, header) else {
                continue;
            };
            let def = self.b.edit(def);
            def.kind = DefKind::Field;
            def.flags |= flag::MEMBER | flag::READONLY;
            def.spaces = VALUE | METHOD;
        }
        self.close(children);
    }

    /// The members between a type's braces.
    pub(super) fn body(&mut self, child: JavaChild<'t>, scope: ScopeId, owner: DefId) {
        let result = std::mem::replace(&mut self.lang.result, ContextualType::Nothing);
        let negated = std::mem::replace(&mut self.lang.negated, false);
        let children = self.open(child.node);
        for i in children {
            let member = self.child(i);
            self.member_declaration(member, scope, owner);
        }
        self.close(children);
        self.lang.result = result;
        self.lang.negated = negated;
    }

    /// A class without a name, which an instance of is made at once.
    pub(super) fn anonymous(
        &mut self,
        body: JavaChild<'t>,
        scope: ScopeId,
        base: ExprId,
    ) -> ScopeId {
        let def = self.b.define("", DefKind::Class, scope, NONE, body.range());
        self.b.edit(def).spaces = TYPE;
        self.b.base(def, Relation::Extends, base);
        let inner = self.body_scope(body, scope, def);
        self.body(body, inner, def);
        inner
    }
}
