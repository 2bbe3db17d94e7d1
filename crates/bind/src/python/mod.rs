//! Python: what its nodes mean.
//!
//! Bodies of functions wait until what is around them has been walked, as they run later: so a name that
//! a class or module declares further down is known to them.

mod classes;
mod exprs;
mod forward_refs;
mod functional_types;
mod functions;
mod imports;
mod kinds;
mod narrow;
mod patterns;
mod statements;
mod strings;
mod targets;
mod types;
mod typing_forms;
mod version_guards;
mod walk;

pub use classes::METACLASS;
pub use functional_types::{FunctionalField, FunctionalKind, FunctionalType, functional_type};

use tree_sitter::Tree;

use crate::class_values;
use crate::facts::Bindings;
use crate::inactive;
use walk::{Python, Walk};

/// The bindings of a Python file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let mut walk = Walk::new(text, tree, Python::new(text.len()));
    walk.block(tree.root_node());
    while let Some(body) = walk.lang.waiting.pop_front() {
        walk.body(&body);
    }
    inactive::mark(&mut walk.lang.inactive, &mut walk.b.facts.defs);
    class_values::mark(&mut walk.b.facts);
    walk.finish()
}
