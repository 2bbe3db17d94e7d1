//! `use` and `extern crate`.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{RustWalk, spaces};
use crate::facts::{DefKind, ExprId, NONE, Role, flag};

impl<'t, 's> RustWalk<'t, 's> {
    pub(super) fn use_declaration(&mut self, node: Node<'t>) {
        let flags = self.visibility(node);
        if let Some(clause) = node.child_by_field_id(self.table.argument) {
            self.clause(clause, None, flags);
        }
    }

    /// `extern crate a as b;`
    pub(super) fn extern_crate(&mut self, node: Node<'t>) {
        let flags = self.visibility(node);
        let Some(name) = node.child_by_field_id(self.table.name) else {
            return;
        };
        let value = self.root(self.unraw(name), self.start(name));
        let alias = node.child_by_field_id(self.table.alias);
        self.alias(alias.unwrap_or(name), value, flags, node);
    }

    /// A part of a `use` after what is before it.
    fn clause(&mut self, node: Node<'t>, before: Option<ExprId>, flags: u32) {
        if !self.enter() {
            return;
        }
        match self.kind(node) {
            Kind::UseList => self.each(node, |walk, child| walk.clause(child, before, flags)),
            Kind::ScopedUseList => {
                let path = node.child_by_field_id(self.table.path);
                let of = match path {
                    Some(path) => Some(self.use_path(path, before, spaces::PREFIX)),
                    None => before,
                };
                if let Some(list) = node.child_by_field_id(self.table.list) {
                    self.list(list, path, of, flags);
                }
            }
            Kind::UseAs => {
                let path = node.child_by_field_id(self.table.path);
                let alias = node.child_by_field_id(self.table.alias);
                if let Some(path) = path {
                    let value = match before {
                        Some(of) if self.kind(path) == Kind::SelfWord => of,
                        _ => self.use_path(path, before, spaces::ANY),
                    };
                    if let Some(alias) = alias.filter(|alias| self.unraw(*alias) != "_") {
                        self.alias(alias, value, flags, node);
                    }
                }
            }
            Kind::UseWildcard => {
                let of = match node.named_child(0) {
                    Some(path) => self.use_path(path, before, spaces::PREFIX),
                    None => before.unwrap_or(NONE),
                };
                let exported = flags & (flag::EXPORTED | flag::INTERNAL) != 0;
                let flags = if exported { flag::EXPORTED } else { 0 };
                self.b.glob_import(self.lang.scope, of, flags);
            }
            _ => {
                let value = self.use_path(node, before, spaces::ANY);
                let last = self.last_segment(node);
                if matches!(self.kind(last), Kind::Identifier | Kind::TypeIdentifier) {
                    self.alias(last, value, flags, node);
                }
            }
        }
        self.leave();
    }

    /// The entries in braces; `self` among them is the module before them.
    fn list(&mut self, list: Node<'t>, path: Option<Node<'t>>, of: Option<ExprId>, flags: u32) {
        self.each(list, |walk, child| {
            if walk.kind(child) != Kind::SelfWord {
                walk.clause(child, of, flags);
                return;
            }
            if let (Some(path), Some(of)) = (path, of) {
                let last = walk.last_segment(path);
                if walk.kind(last) == Kind::Identifier {
                    walk.alias(last, of, flags, child);
                }
            }
        });
    }

    fn last_segment(&self, node: Node<'t>) -> Node<'t> {
        match self.kind(node) {
            Kind::ScopedIdentifier => node.child_by_field_id(self.table.name).unwrap_or(node),
            _ => node,
        }
    }

    /// A path that continues another one; its last segment is looked up in `last`.
    fn use_path(&mut self, node: Node<'t>, before: Option<ExprId>, last: u8) -> ExprId {
        let path = self.use_path_of(node, before, last);
        self.b.set_role(path, Role::Import);
        path
    }

    fn use_path_of(&mut self, node: Node<'t>, before: Option<ExprId>, last: u8) -> ExprId {
        let Some(of) = before else {
            return self.path(node, last);
        };
        match self.kind(node) {
            Kind::ScopedIdentifier if self.enter() => {
                let path = node.child_by_field_id(self.table.path);
                let of = path.map_or(of, |path| self.use_path_of(path, before, spaces::PREFIX));
                self.leave();
                match node.child_by_field_id(self.table.name) {
                    Some(name) => self.segment(name, Some(of), last),
                    None => of,
                }
            }
            Kind::Identifier | Kind::TypeIdentifier => self.segment(node, Some(of), last),
            Kind::Super => self
                .b
                .member_use(of, "super", NONE, Role::Import, spaces::PREFIX),
            Kind::Crate => self.root("crate", NONE),
            _ => of,
        }
    }

    fn alias(&mut self, name: Node<'t>, value: ExprId, flags: u32, whole: Node<'t>) {
        let (text, at) = (self.unraw(name), self.start(name));
        let range = whole.byte_range();
        let scope = self.lang.scope;
        let def = self.b.define(text, DefKind::Alias, scope, at, range);
        let edit = self.b.edit(def);
        (edit.value, edit.flags) = (value, flags);
    }
}
