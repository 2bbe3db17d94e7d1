//! Imports and `__all__`.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{PythonWalk, start};
use crate::facts::{DefKind, Expr, ExprId, NONE, Role, flag, space};

impl<'t> PythonWalk<'t> {
    /// `import a.b, c as d`.
    pub(super) fn import(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        for at in children {
            let child = self.child(at).node;
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
        self.close(children);
    }

    /// A dotted path from its root: the root and the whole.
    fn dotted(&mut self, node: Node<'t>, level: u8) -> Option<(ExprId, ExprId)> {
        let children = self.open_named(node);
        let mut found: Option<(ExprId, ExprId)> = None;
        for at in children {
            let segment = self.child(at).node;
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
        self.close(children);
        found
    }

    fn alias(&mut self, name: Node<'t>, value: ExprId, whole: Node<'t>) {
        let text = self.text(name);
        let scope = self.lang.frame.scope;
        let range = whole.byte_range();
        let global = self
            .lang
            .frame
            .outer
            .iter()
            .any(|(outer, _)| *outer == text);
        let scope = if global { 0 } else { scope };
        let def = self
            .b
            .define(text, DefKind::Alias, scope, start(name), range);
        self.b.edit(def).value = value;
    }

    /// `from a.b import c as d`, `from . import *`.
    pub(super) fn import_from(&mut self, node: Node<'t>) {
        let children = self.open_named(node);
        let module = self.node_in(children, self.table.module_name);
        let of = module.and_then(|module| self.module(module));
        for at in children {
            let (child, field) = (self.child(at).node, self.child(at).field);
            let Some(of) = of else { break };
            match self.kind(child) {
                Kind::Wildcard => self
                    .b
                    .glob_import(self.lang.frame.scope, of, flag::EXPORTED),
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
        self.close(children);
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
        let children = self.open_named(node);
        let mut level = 0;
        let mut path = None;
        for at in children {
            let child = self.child(at).node;
            match self.kind(child) {
                Kind::Prefix => {
                    let dots = self.text(child).bytes().filter(|byte| *byte == b'.');
                    level = dots.count().min(255) as u8;
                }
                Kind::DottedName => path = Some(child),
                _ => {}
            }
        }
        self.close(children);
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
        let children = self.open_named(list);
        for at in children {
            let entry = self.child(at).node;
            match self.kind(entry) {
                Kind::Text => self.export(entry),
                Kind::List | Kind::Tuple => self.deeper((), |walk| walk.exports(entry)),
                _ => {}
            }
        }
        self.close(children);
    }

    /// The fields that `__slots__` names.
    pub(super) fn slots(&mut self, list: Node<'t>) {
        if !matches!(self.kind(list), Kind::List | Kind::Tuple) {
            return;
        }
        let children = self.open_named(list);
        for at in children {
            let entry = self.child(at).node;
            if self.kind(entry) == Kind::Text
                && let Some(content) = self.content(entry)
            {
                let (text, at) = (self.text(content), start(content));
                let scope = self.lang.frame.scope;
                let of = self.b.expr(Expr::SelfType { scope });
                self.b.member_use(of, text, at, Role::Read, space::ANY);
            }
        }
        self.close(children);
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
            && self.lang.frame.scope == 0
            && let Some(arguments) = call.child_by_field_id(self.table.arguments)
        {
            self.exports(arguments);
        }
    }
}
