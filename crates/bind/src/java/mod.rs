//! Java: what its nodes declare and use.
//!
//! Java keeps methods apart from variables, so they have a space of their own. What a file imports by
//! name goes before its package, which goes before what it imports with `*`; so the latter are in the
//! file's scope, the package's is inside it and the block of single imports inside that.

mod declarations;
mod expressions;
mod kinds;
mod lambdas;
mod members;
mod statements;
mod types;
mod walk;

use tree_sitter::Tree;

use crate::doc_links::{self, Style};
use crate::facts::Bindings;
use walk::{Java, JavaWalk};

/// The bindings of a Java file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let mut walk = JavaWalk::new(text, tree, Java::new());
    walk.file(tree.root_node());
    doc_links::add(&mut walk.b, text, Style::Java);
    walk.finish()
}
