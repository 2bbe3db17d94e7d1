//! AngelScript in the dialect of Unreal's script plugin: what its nodes declare and use (SPEC AS1).
//!
//! Both arms of `#if` count, as directives are no nodes that hold anything. Namespaces are open: all files together
//! make one. Functions are in a space of names of their own besides that of values, so that a string that names one
//! (`AddUFunction(this, n"OnBroke")`) means no variable.

mod declarations;
mod expressions;
mod kinds;
mod macros;
mod members;
mod statements;
mod types;
mod walk;

use tree_sitter::Tree;

use crate::facts::Bindings;
use walk::{AngelScript, AngelScriptWalk};

/// The bindings of an AngelScript file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let mut walk = AngelScriptWalk::new(text, tree, AngelScript);
    walk.file(tree.root_node());
    walk.finish()
}
