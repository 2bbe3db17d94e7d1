//! Attributes.

use std::ops::Range;

use tree_sitter::Node;

use super::{Kind, Walk};
use crate::facts::{Role, space};

/// Attributes of the compiler whose arguments name nothing.
const PLAIN: [&str; 22] = [
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
];

impl<'t, 's> Walk<'t, 's> {
    /// Whether it says that most builds leave out what stands behind it.
    pub(super) fn attribute(&mut self, node: Node<'t>) -> bool {
        let mut is_unmet = false;
        self.each(node, |walk, body| is_unmet |= walk.attribute_body(body));
        is_unmet
    }

    fn attribute_body(&mut self, node: Node<'t>) -> bool {
        let kids = self.kids.named(node);
        let (mut name, mut is_unmet) = ("", false);
        for at in kids.all() {
            let (field, child) = self.kids.at(at);
            if field == self.table.arguments {
                is_unmet |= name == "cfg" && self.is_unmet(child);
                self.attribute_arguments(child, name);
            } else if field == self.table.value {
                self.expr(child);
            } else {
                name = self.text(child);
                if !PLAIN.contains(&name) && !matches!(name, "derive" | "cfg_attr") {
                    let path = self.path(child, space::MACRO);
                    self.b.set_role(path, Role::Attribute);
                }
            }
        }
        self.kids.close(kids);
        is_unmet
    }

    /// `derive(A, b::C)` names macros; others may name values behind `=`, and by a path everywhere.
    fn attribute_arguments(&mut self, node: Node<'t>, name: &str) {
        if name == "derive" {
            self.tokens(node, space::MACRO, Role::Attribute);
        } else if !PLAIN.contains(&name) && name != "cfg_attr" {
            self.assigned_tokens(node);
        }
    }

    /// The path that `#[path = "…"]` among attributes says.
    pub(super) fn path_attribute(&mut self, attributes: Range<usize>) -> Option<&'s str> {
        for at in attributes {
            let node = self.kids.at(at).1;
            if self.kind(node) != Kind::Attribute {
                continue;
            }
            let body = node.named_child(0)?;
            let is_path = body
                .named_child(0)
                .is_some_and(|name| self.text(name) == "path");
            if is_path && let Some(value) = body.child_by_field_id(self.table.value) {
                return Some(self.text(value).trim_matches('"'));
            }
        }
        None
    }

    /// Whether one of the attributes is of this name.
    pub(super) fn has_attribute(&self, attributes: Range<usize>, name: &str) -> bool {
        attributes.into_iter().any(|at| {
            let node = self.kids.at(at).1;
            let body = node.named_child(0).and_then(|body| body.named_child(0));
            body.is_some_and(|path| self.text(path) == name)
        })
    }
}
