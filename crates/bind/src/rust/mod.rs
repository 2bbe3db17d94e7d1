//! Rust: what its nodes mean.
//!
//! What macros are called with is parsed a second time, as expressions or as items: to the grammar it is
//! tokens without a meaning. Fields have a space of names of their own, as `a.b` and `a.b()` may differ.

mod attribute_texts;
mod attributes;
mod conditions;
mod control;
mod exprs;
mod format;
mod functions;
mod includes;
mod items;
mod kinds;
mod macro_globs;
mod macro_items;
mod macros;
mod paths;
mod patterns;
mod select_arms;
mod state;
mod tokens;
mod types;
mod uses;
mod walk;

use tree_sitter::Tree;

use crate::facts::Bindings;
use crate::inactive;
use walk::{Rust, Walk};

/// The bindings of a Rust file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let mut walk = Walk::new(text, tree, Rust::new());
    walk.items(tree.root_node());
    inactive::mark(&mut walk.lang.shared.inactive, &mut walk.b.facts.defs);
    walk.finish()
}
