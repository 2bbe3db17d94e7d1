//! C#: what its nodes declare and use.
//!
//! Both arms of `#if` count: what one declares and what the other declares are in the same scopes.

mod calls;
mod conditional_regions;
mod declarations;
mod expressions;
mod extension_blocks;
mod generic_vs_less_than;
mod headers;
mod kinds;
mod linq;
mod members;
mod object_creation;
mod patterns;
mod statements;
mod types;
mod walk;

use tree_sitter::Tree;

use crate::doc_links::{self, Style};
use crate::facts::Bindings;
use crate::inactive;
use walk::{CSharp, CSharpWalk};

/// The bindings of a C# file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let mut walk = CSharpWalk::new(text, tree, CSharp::new());
    walk.file(tree.root_node());
    doc_links::add(&mut walk.b, text, Style::CSharp);
    conditional_regions::add(&mut walk.b, text, tree);
    inactive::mark(&mut walk.lang.inactive, &mut walk.b.facts.defs);
    walk.finish()
}
