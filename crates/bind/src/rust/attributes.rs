//! Attributes.

use std::ops::Range;

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::RustWalk;
use crate::children::Child;
use crate::facts::{DefKind, Role, flag, space};

/// Attributes of the compiler whose arguments name nothing.
const PLAIN: [&str; 25] = [
    "cfg",
    "allow",
    "warn",
    "deny",
    "forbid",
    "expect",
    "doc",
    "inline",
    "must_use",
    "repr",
    "deprecated",
    "test",
    "ignore",
    "should_panic",
    "feature",
    "non_exhaustive",
    "macro_export",
    "macro_use",
    "path",
    "track_caller",
    "cold",
    "rustfmt",
    "proc_macro",
    "proc_macro_attribute",
    "proc_macro_derive",
];

/// Whether an attribute is the compiler's own, so that its words are no names.
pub(super) fn is_plain(name: &str) -> bool {
    PLAIN.contains(&name)
}

impl<'t, 's> RustWalk<'t, 's> {
    /// Whether it says that most builds leave out what stands behind it.
    pub(super) fn attribute(&mut self, node: Node<'t>) -> bool {
        let mut is_unmet = false;
        self.each(node, |walk, body| is_unmet |= walk.attribute_body(body));
        is_unmet
    }

    fn attribute_body(&mut self, node: Node<'t>) -> bool {
        let children = self.open_named(node);
        let (mut name, mut is_unmet) = ("", false);
        for at in children {
            let Child {
                field, node: child, ..
            } = self.child(at);
            if field == self.table.arguments {
                is_unmet |= name == "cfg" && self.is_unmet(child);
                self.attribute_arguments(child, name);
            } else if field == self.table.value {
                self.expr(child);
            } else {
                name = self.unraw(child);
                if !is_plain(name) && !matches!(name, "derive" | "cfg_attr") {
                    let path = self.path(child, space::MACRO);
                    self.b.set_role(path, Role::Attribute);
                }
            }
        }
        self.close(children);
        is_unmet
    }

    /// `derive(A, b::C)` names macros; others may name values.
    pub(super) fn attribute_arguments(&mut self, node: Node<'t>, name: &str) {
        if name == "derive" {
            self.tokens(node, space::MACRO, Role::Attribute);
        } else if name == "cfg_attr" {
            self.conditional_attributes(node);
        } else if !is_plain(name) {
            self.attribute_tokens(node);
            self.attribute_texts(node, name);
        }
    }

    /// The path that `#[path = "…"]` among attributes says.
    pub(super) fn path_attribute(&mut self, attributes: Range<usize>) -> Option<&'s str> {
        for at in attributes {
            let node = self.child(at).node;
            if self.kind(node) != Kind::Attribute {
                continue;
            }
            let body = node.named_child(0)?;
            let is_path = body
                .named_child(0)
                .is_some_and(|name| self.unraw(name) == "path");
            if is_path && let Some(value) = body.child_by_field_id(self.table.value) {
                return Some(self.unraw(value).trim_matches('"'));
            }
        }
        None
    }

    /// Defines the macro that a function is by an attribute: `#[proc_macro_derive(Name)]`.
    pub(super) fn derive_macro(&mut self, attributes: Range<usize>) {
        for at in attributes {
            let node = self.child(at).node;
            let Some(body) = node.named_child(0) else {
                continue;
            };
            let is_derive = body
                .named_child(0)
                .is_some_and(|path| self.unraw(path) == "proc_macro_derive");
            let tokens = body.child_by_field_id(self.table.arguments);
            let name = tokens
                .filter(|_| is_derive)
                .and_then(|of| of.named_child(0));
            let Some(name) = name.filter(|name| name.kind() == "identifier") else {
                continue;
            };
            let (text, at, scope) = (self.unraw(name), self.start(name), self.lang.scope);
            let range = node.byte_range();
            let def = self.b.define(text, DefKind::Macro, scope, at, range);
            let edit = self.b.edit(def);
            (edit.spaces, edit.flags) = (space::MACRO, flag::EXPORTED);
        }
    }

    /// Whether one of the attributes is of this name.
    pub(super) fn has_attribute(&self, attributes: Range<usize>, name: &str) -> bool {
        attributes.into_iter().any(|at| {
            let node = self.child(at).node;
            let body = node.named_child(0).and_then(|body| body.named_child(0));
            body.is_some_and(|path| self.unraw(path) == name)
        })
    }
}
