//! Imports and `__all__`.

use tree_sitter::Node;

use super::{Kind, Walk, start};
use crate::facts::{DefKind, Expr, ExprId, NONE, Role, flag, space};

impl<'t> Walk<'t> {
    /// `import a.b, c as d`.
    pub(super) fn import(&mut self, node: Node<'t>) {
        let kids = self.kids.named(node);
        for at in kids.all() {
            let child = self.kids.at(at).1;
            match self.kind(child) {
                Kind::DottedName => {
                    let value = self.dotted(child, 0);
                    if let (Some(first), Some((root, _))) = (child.named_child(0), value) {
                        self.alias(first, root, node);
                    }
                }
                Kind::AliasedImport => {
                    let name = child.child_by_field_id(self.table.name);
                    let alias = child.child_by_field_id(self.table.alias);
                    let value = name.and_then(|name| self.dotted(name, 0));
                    if let (Some(alias), Some((_, value))) = (alias, value) {
                        self.alias(alias, value, node);
                    }
                }
                _ => {}
            }
        }
        self.kids.close(kids);
    }

    /// A dotted path from its root: the root and the whole.
    fn dotted(&mut self, node: Node<'t>, level: u8) -> Option<(ExprId, ExprId)> {
        let kids = self.kids.named(node);
        let mut found: Option<(ExprId, ExprId)> = None;
        for at in kids.all() {
            let segment = self.kids.at(at).1;
            let text = self.text(segment);
            found = Some(match found {
                None => {
                    let (name, at) = (self.b.name(text), start(segment));
                    let root = self.b.expr(Expr::Module { name, at, level });
                    (root, root)
                }
                Some((root, of)) => {
                    let at = start(segment);
                    (
                        root,
                        self.b
                            .member_use(of, text, at, Role::Import, space::NAMESPACE),
                    )
                }
            });
        }
        self.kids.close(kids);
        found
    }

    fn alias(&mut self, name: Node<'t>, value: ExprId, whole: Node<'t>) {
        let text = self.text(name);
        let scope = self.frame.scope;
        let range = whole.byte_range();
        let global = self.frame.outer.iter().any(|(outer, _)| *outer == text);
        let scope = if global { 0 } else { scope };
        let def = self
            .b
            .define(text, DefKind::Alias, scope, start(name), range);
        self.b.edit(def).value = value;
    }

    /// `from a.b import c as d`, `from . import *`.
    pub(super) fn import_from(&mut self, node: Node<'t>) {
        let kids = self.kids.named(node);
        let module = self.kids.get(kids, self.table.module_name);
        let of = module.and_then(|module| self.module(module));
        for at in kids.all() {
            let (child, field) = (self.kids.at(at).1, self.kids.at(at).0);
            let Some(of) = of else { break };
            match self.kind(child) {
                Kind::Wildcard => self.b.glob_import(self.frame.scope, of, flag::EXPORTED),
                Kind::DottedName if field == self.table.name => {
                    let value = self.member_of(of, child);
                    self.alias(child, value, node);
                }
                Kind::AliasedImport => {
                    let name = child.child_by_field_id(self.table.name);
                    let alias = child.child_by_field_id(self.table.alias);
                    if let (Some(name), Some(alias)) = (name, alias) {
                        let value = self.member_of(of, name);
                        self.alias(alias, value, node);
                    }
                }
                _ => {}
            }
        }
        self.kids.close(kids);
    }

    fn member_of(&mut self, of: ExprId, name: Node<'t>) -> ExprId {
        let text = self.text(name);
        self.b
            .member_use(of, text, start(name), Role::Import, space::ANY)
    }

    /// `a.b`, `..a`, `.` after `from`.
    fn module(&mut self, node: Node<'t>) -> Option<ExprId> {
        if self.kind(node) == Kind::DottedName {
            return self.dotted(node, 0).map(|(_, whole)| whole);
        }
        let kids = self.kids.named(node);
        let mut level = 0;
        let mut path = None;
        for at in kids.all() {
            let child = self.kids.at(at).1;
            match self.kind(child) {
                Kind::Prefix => {
                    let dots = self.text(child).bytes().filter(|byte| *byte == b'.');
                    level = dots.count().min(255) as u8;
                }
                Kind::DottedName => path = Some(child),
                _ => {}
            }
        }
        self.kids.close(kids);
        if let Some(path) = path {
            return self.dotted(path, level).map(|(_, whole)| whole);
        }
        let name = self.b.name("");
        let at = NONE;
        Some(self.b.expr(Expr::Module { name, at, level }))
    }

    /// The names that a list for `__all__` holds.
    pub(super) fn exports(&mut self, list: Node<'t>) {
        if !matches!(
            self.kind(list),
            Kind::List | Kind::Tuple | Kind::ExpressionList | Kind::ArgumentList
        ) {
            return;
        }
        let kids = self.kids.named(list);
        for at in kids.all() {
            let entry = self.kids.at(at).1;
            match self.kind(entry) {
                Kind::Text => self.export(entry),
                Kind::List | Kind::Tuple if self.enter() => {
                    self.exports(entry);
                    self.leave();
                }
                Kind::List | Kind::Tuple => self.leave(),
                _ => {}
            }
        }
        self.kids.close(kids);
    }

    /// The fields that `__slots__` names.
    pub(super) fn slots(&mut self, list: Node<'t>) {
        if !matches!(self.kind(list), Kind::List | Kind::Tuple) {
            return;
        }
        let kids = self.kids.named(list);
        for at in kids.all() {
            let entry = self.kids.at(at).1;
            if self.kind(entry) == Kind::Text
                && let Some(content) = self.content(entry)
            {
                let (text, at) = (self.text(content), start(content));
                let scope = self.frame.scope;
                let of = self.b.expr(Expr::SelfType { scope });
                self.b.member_use(of, text, at, Role::Read, space::ANY);
            }
        }
        self.kids.close(kids);
    }

    fn export(&mut self, entry: Node<'t>) {
        let Some(content) = self.content(entry) else {
            return;
        };
        let (text, at) = (self.text(content), start(content));
        self.b.name_use(text, 0, at, Role::Import, space::ANY);
        let name = self.b.name(text);
        self.b.facts.exported.push(name);
    }

    /// `__all__.extend([…])`, `__all__.append(…)`.
    pub(super) fn extends_exports(&mut self, call: Node<'t>) {
        let Some(function) = call.child_by_field_id(self.table.function) else {
            return;
        };
        let extends = matches!(self.text(function), "__all__.extend" | "__all__.append");
        if extends
            && self.frame.scope == 0
            && let Some(arguments) = call.child_by_field_id(self.table.arguments)
        {
            self.exports(arguments);
        }
    }
}
