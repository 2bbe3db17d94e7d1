//! Namespaces, `using`, friends.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite, EnclosingDeclaration};
use crate::facts::{DefKind, NONE, Role, ScopeId, ScopeKind, flag, space};
use crate::nodes::child;

impl<'t> CppWalk<'t> {
    /// `using namespace a;`, `using a::b;`.
    pub(super) fn using(&mut self, node: Node<'t>, at: DeclarationSite) {
        let Some(name) = node.named_child(node.named_child_count().saturating_sub(1) as u32) else {
            return;
        };
        let keyword = self.text.get(node.start_byte()..name.start_byte());
        if keyword.is_some_and(|text| text.contains("namespace") || text.contains("enum")) {
            let spaces = space::NAMESPACE | space::TYPE;
            let of = self.last(In::Scope(at.look), name, at.look, Role::Import, spaces);
            return self.b.glob_import(at.scope, of, 0);
        }
        let value = self.last(In::Scope(at.look), name, at.look, Role::Import, space::ANY);
        let mut last = name;
        while let Some(inner) = child(last, self.table.name) {
            last = inner;
        }
        let text = match self.kind(last) {
            Kind::OperatorName => self.operator_name(last),
            _ => self.text(last).to_owned(),
        };
        let place = last.start_byte() as u32;
        let kind = DefKind::Alias;
        let def = self
            .b
            .define(&text, kind, at.scope, place, node.byte_range());
        let flags = self.visibility(at, false);
        let edited = self.b.edit(def);
        edited.value = value;
        edited.flags = flags;
    }

    /// `namespace a::b { … }`.
    pub(super) fn namespace(&mut self, node: Node<'t>, at: DeclarationSite) {
        let (name, body) = (child(node, self.table.name), child(node, self.table.body));
        let Some(name) = name else {
            let hidden = std::mem::replace(&mut self.lang.hidden, true);
            if let Some(body) = body {
                self.children(body, at);
            }
            self.lang.hidden = hidden;
            return;
        };
        let length = self.lang.namespace.len();
        let outer = self.lang.namespace_scope;
        let is_inline = self
            .text
            .get(node.start_byte()..name.start_byte())
            .is_some_and(|keywords| keywords.contains("inline"));
        let mut scope = at.scope;
        let mut names = Vec::new();
        self.namespace_names(name, &mut names);
        for part in names {
            if !self.lang.namespace.is_empty() {
                self.lang.namespace.push('.');
            }
            let text = self.text(part);
            self.lang.namespace.push_str(text);
            let path = std::mem::take(&mut self.lang.namespace);
            let range = body.map_or(node.byte_range(), |body| body.byte_range());
            let inner = self.namespace_at(&path, scope, node, part.start_byte(), range);
            self.lang.namespace = path;
            if is_inline {
                let spaces = space::NAMESPACE;
                let of = self.b.name_use(text, scope, NONE, Role::Import, spaces);
                self.b.glob_import(scope, of, flag::EXPORTED);
            }
            scope = inner;
        }
        self.lang.namespace_scope = scope;
        if let Some(body) = body {
            let at = DeclarationSite {
                scope,
                look: scope,
                place: EnclosingDeclaration::Namespace,
            };
            self.children(body, at);
        }
        self.lang.namespace_scope = outer;
        self.lang.namespace.truncate(length);
    }

    /// Declares a namespace by its whole path, and its scope.
    pub(super) fn namespace_at(
        &mut self,
        path: &str,
        around: ScopeId,
        whole: Node<'t>,
        at: usize,
        body: Range<usize>,
    ) -> ScopeId {
        let (kind, range) = (DefKind::Namespace, whole.byte_range());
        let def = self.b.define(path, kind, around, at as u32, range);
        let inner = self.b.scope(ScopeKind::Namespace, around, def, body);
        let edited = self.b.edit(def);
        (edited.inner, edited.spaces) = (inner, space::NAMESPACE);
        inner
    }

    fn namespace_names(&mut self, node: Node<'t>, names: &mut Vec<Node<'t>>) {
        if self.kind(node) != Kind::NestedNamespace {
            return names.push(node);
        }
        let mut next = Some(node);
        while let Some(node) = next.take() {
            for (_, part) in self.list_of(node) {
                match self.kind(part) {
                    Kind::NestedNamespace => next = Some(part),
                    _ => names.push(part),
                }
            }
        }
    }

    /// `namespace a = b::c;`.
    pub(super) fn namespace_alias(&mut self, node: Node<'t>, at: DeclarationSite) {
        let Some(name) = child(node, self.table.name) else {
            return;
        };
        let mut target = Vec::new();
        for (field, part) in self.list_of(node) {
            if field == 0 {
                self.namespace_names(part, &mut target);
            }
        }
        let mut of = In::Scope(at.look);
        let mut value = NONE;
        for part in target {
            value = self.use_of(of, part, Role::Import, space::NAMESPACE);
            of = In::Of(value);
        }
        let text = self.text(name);
        let place = name.start_byte() as u32;
        let kind = DefKind::Alias;
        let def = self
            .b
            .define(text, kind, at.scope, place, node.byte_range());
        let edited = self.b.edit(def);
        (edited.value, edited.spaces) = (value, space::NAMESPACE);
    }

    /// `friend class A;`, `friend void f();`: what is declared there is in the namespace around.
    pub(super) fn friend(&mut self, node: Node<'t>, at: DeclarationSite) {
        let outside = DeclarationSite {
            scope: self.lang.namespace_scope,
            look: at.look,
            place: EnclosingDeclaration::Namespace,
        };
        let class = std::mem::take(&mut self.lang.class);
        for (_, part) in self.list_of(node) {
            match self.kind(part) {
                Kind::TypeIdentifier => {
                    let look = self.look_of_friend(self.text(part), at);
                    self.use_of(In::Scope(look), part, Role::Type, space::TYPE);
                }
                Kind::QualifiedIdentifier | Kind::TemplateType => {
                    self.specifier(part, at);
                }
                _ => self.item(part, outside),
            }
        }
        self.lang.class = class;
    }

    /// Where a friend is looked for: what the class around declares below is none yet, so the namespace's is meant.
    fn look_of_friend(&mut self, name: &str, at: DeclarationSite) -> ScopeId {
        let mut scope = at.look;
        while scope != self.lang.namespace_scope && scope != NONE {
            if self.b.declared(scope, name).is_some() {
                return at.look;
            }
            scope = self.b.facts.scopes[scope as usize].parent;
        }
        self.lang.namespace_scope
    }

    /// `extern "C" { … }`.
    pub(super) fn linkage(&mut self, node: Node<'t>, at: DeclarationSite) {
        if let Some(body) = child(node, self.table.body) {
            match self.kind(body) {
                Kind::DeclarationList => self.children(body, at),
                _ => self.item(body, at),
            }
        }
    }
}
