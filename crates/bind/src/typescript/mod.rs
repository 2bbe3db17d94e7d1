//! TypeScript and JavaScript, with and without JSX.

mod await_type_args;
mod class;
mod declare;
mod destructured_siblings;
mod disjunctive_guards;
mod expando;
mod expression;
mod jsdoc;
mod kinds;
mod narrow;
mod pattern;
mod prototypes;
mod state;
mod statement;
mod this_assignments;
mod types;
mod walk;

pub use declare::DESCRIBED;

use tree_sitter::Tree;

use crate::class_values;
use crate::dialect::Dialect;
use crate::doc_links::{self, Style};
use crate::facts::Bindings;
use walk::{TypeScript, Walk};

/// The bindings of a file.
pub(crate) fn bind(dialect: Dialect, text: &str, tree: &Tree) -> Bindings {
    let mut walk = Walk::new(text, tree, TypeScript::new(dialect, text));
    walk.statements(tree.root_node(), 0);
    walk.settle_instances();
    walk.settle_jsdoc_names();
    class_values::mark(&mut walk.b.facts);
    if walk.lang.is_typed {
        doc_links::add(&mut walk.b, text, Style::TypeScript);
    }
    walk.finish()
}
