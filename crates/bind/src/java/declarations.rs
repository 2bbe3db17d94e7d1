//! Packages, imports, modules and types.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use crate::facts::{
    DefId, DefKind, Expr, ExprId, NONE, Relation, Role, ScopeId, ScopeKind, flag, space,
};

use super::{Kid, Kind, METHOD, OUTER, Range, TYPE, VALUE, Walker, Want};

impl<'t> Walker<'t> {
    /// The whole file.
    pub(super) fn file(&mut self, root: Node<'t>) {
        let whole = 0..self.text.len();
        let kids = self.open(root);
        let mut top = 0;
        if let Some(package) = self.kids.kind(&kids, Kind::Package) {
            top = self.package(package);
        }
        let imports = self.b.scope(ScopeKind::Block, top, NONE, whole);
        for i in kids.clone() {
            let kid = self.kids.get(i);
            match kid.kind {
                Kind::Package => self.package_annotations(kid, imports),
                Kind::Import => self.import(kid, imports),
                Kind::ModuleDeclaration => self.module(kid),
                _ if Self::is_type(kid.kind) => self.declare_type(kid, top, imports, 0),
                Kind::MethodDeclaration => self.method(kid, top, imports, false),
                _ => self.statement(kid, imports),
            }
        }
        self.close(&kids);
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
    fn package(&mut self, kid: Kid<'t>) -> ScopeId {
        let kids = self.open(kid.node);
        let mut scope = 0;
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::Identifier | Kind::ScopedIdentifier => {
                    let mut path = Vec::new();
                    self.segments(part, &mut path);
                    scope = self.namespace(&path, kid.range());
                }
                _ => {}
            }
        }
        self.close(&kids);
        scope
    }

    /// What stands before a package's name sees the file's imports (`package-info.java`).
    fn package_annotations(&mut self, kid: Kid<'t>, imports: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let part = self.kids.get(i);
            if !matches!(part.kind, Kind::Identifier | Kind::ScopedIdentifier) {
                self.annotation(part, imports);
            }
        }
        self.close(&kids);
    }

    fn namespace(&mut self, path: &[Node<'t>], range: Range) -> ScopeId {
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
    fn segments(&mut self, kid: Kid<'t>, path: &mut Vec<Node<'t>>) {
        let mut at = kid;
        loop {
            if at.kind == Kind::Identifier {
                path.push(at.node);
                break;
            }
            let kids = self.open(at.node);
            let scope = self.kids.field(&kids, self.t.scope);
            let name = self.kids.field(&kids, self.t.name);
            self.close(&kids);
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

    fn import(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        let star = self.kids.kind(&kids, Kind::Asterisk).is_some();
        let mut path = Vec::new();
        for i in kids.clone() {
            let part = self.kids.get(i);
            if matches!(part.kind, Kind::Identifier | Kind::ScopedIdentifier) {
                self.segments(part, &mut path);
            }
        }
        self.close(&kids);
        let is_static = self.text(kid.node).split_whitespace().nth(1) == Some("static");
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
                let def = self.b.define(name, DefKind::Alias, scope, at, kid.range());
                let def = self.b.edit(def);
                def.value = of;
                def.flags = flags;
                def.spaces = all;
            }
            None => {}
        }
    }

    /// `module-info.java`: the packages and types that its directives name.
    fn module(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let body = self.kids.get(i);
            if body.kind != Kind::ModuleBody {
                self.annotation(body, 0);
                continue;
            }
            let directives = self.open(body.node);
            for i in directives.clone() {
                let directive = self.kids.get(i);
                self.directive(directive);
            }
            self.close(&directives);
        }
        self.close(&kids);
    }

    fn directive(&mut self, kid: Kid<'t>) {
        let of_types = matches!(kid.kind, Kind::UsesModule | Kind::ProvidesModule);
        let of_packages = matches!(kid.kind, Kind::ExportsModule | Kind::OpensModule);
        if !of_types && !of_packages {
            return;
        }
        let kids = self.open(kid.node);
        // After `to` there are modules, which are no names of this language's scopes.
        let count = if of_types { kids.len() } else { 1 };
        for i in kids.clone().take(count) {
            let part = self.kids.get(i);
            let mut path = Vec::new();
            if matches!(part.kind, Kind::Identifier | Kind::ScopedIdentifier) {
                self.segments(part, &mut path);
            }
            let mut of = NONE;
            for node in path {
                of = self.import_segment(of, node, OUTER);
            }
        }
        self.close(&kids);
    }

    /// A type in `scope`, from which inside `parent` is seen.
    pub(super) fn declare_type(
        &mut self,
        kid: Kid<'t>,
        scope: ScopeId,
        parent: ScopeId,
        more: u32,
    ) {
        if !self.enter() {
            return;
        }
        let kind = match kid.kind {
            Kind::ClassDeclaration => DefKind::Class,
            Kind::EnumDeclaration => DefKind::Enum,
            Kind::RecordDeclaration => DefKind::Record,
            _ => DefKind::Interface,
        };
        let kids = self.open(kid.node);
        if let Some(name) = self.kids.field(&kids, self.t.name) {
            let at = name.start() as u32;
            let def = self
                .b
                .define(self.text(name.node), kind, scope, at, kid.range());
            self.b.edit(def).spaces = TYPE;
            self.b.edit(def).flags = more;
            self.type_parts(kid, &kids, def, parent);
        }
        self.close(&kids);
        self.leave();
    }

    fn type_parts(&mut self, kid: Kid<'t>, kids: &Range, def: DefId, parent: ScopeId) {
        let parameters = self.kids.kind(kids, Kind::TypeParameters);
        let header = self.header(parameters, parent, def, kid.range());
        let mut inner = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
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
                    inner = self.body_scope(kid, header, def);
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

    fn body_scope(&mut self, kid: Kid<'t>, parent: ScopeId, def: DefId) -> ScopeId {
        let scope = self.b.scope(ScopeKind::Class, parent, def, kid.range());
        self.b.edit(def).inner = scope;
        scope
    }

    fn bases(&mut self, kid: Kid<'t>, scope: ScopeId, def: DefId, relation: Relation) {
        for of in self.every_type(kid, scope) {
            self.b.base(def, relation, of);
        }
    }

    /// A record's components: fields and methods without parameters at once.
    fn components(&mut self, kid: Kid<'t>, scope: ScopeId, header: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let component = self.kids.get(i);
            let Some(def) = self.parameter(component, scope, header) else {
                continue;
            };
            let def = self.b.edit(def);
            def.kind = DefKind::Field;
            def.flags |= flag::MEMBER | flag::READONLY;
            def.spaces = VALUE | METHOD;
        }
        self.close(&kids);
    }

    /// The members between a type's braces.
    pub(super) fn body(&mut self, kid: Kid<'t>, scope: ScopeId, owner: DefId) {
        let result = std::mem::replace(&mut self.result, Want::Nothing);
        let negated = std::mem::replace(&mut self.negated, false);
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let member = self.kids.get(i);
            self.member_declaration(member, scope, owner);
        }
        self.close(&kids);
        self.result = result;
        self.negated = negated;
    }

    /// A class without a name, which an instance of is made at once.
    pub(super) fn anonymous(&mut self, body: Kid<'t>, scope: ScopeId, base: ExprId) -> ScopeId {
        let def = self.b.define("", DefKind::Class, scope, NONE, body.range());
        self.b.edit(def).spaces = TYPE;
        self.b.base(def, Relation::Extends, base);
        let inner = self.body_scope(body, scope, def);
        self.body(body, inner, def);
        inner
    }
}
