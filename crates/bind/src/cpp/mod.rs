//! C++, and C in the same terms.
//!
//! Values, types, namespaces and macros have spaces of their own. A type behind its keyword (`struct a`)
//! is looked up in that of types alone, a plain name of a type among macros as well. References are dropped, pointers are not:
//! `a->b` is a member of [`Expr::Deref`] of `a`, so that a smart pointer's own members stay apart.
//!
//! What is in a namespace without a name or `static` is put in the scope around and marked
//! [`flag::INTERNAL`](crate::facts::flag::INTERNAL). Members of unscoped enums are in the scope around
//! the enum. A constructor's name is a use of its class as well, so is a destructor's behind the `~`
//! and a class's that is declared but not defined.

mod aliases;
mod arguments;
mod classes;
mod declarations;
mod declarators;
mod expressions;
mod functions;
mod kinds;
mod linkage;
mod macro_bodies;
mod macro_members;
mod macro_values;
mod modules;
mod names;
mod namespaces;
mod preprocessor;
mod statements;
mod templates;
mod types;
mod walk;

pub use macro_bodies::OPENED;
pub use macro_members::MEMBER_MACROS;
pub use modules::MODULE;

use tree_sitter::Tree;

use crate::dialect::Dialect;
use crate::facts::{Bindings, FILE_SCOPE};
use walk::{Cpp, CppWalk, DeclarationSite, EnclosingDeclaration};

/// The bindings of a C or C++ file.
pub(crate) fn bind(dialect: Dialect, text: &str, tree: &Tree) -> Bindings {
    let mut walk = CppWalk::new(text, tree, Cpp::new(dialect));
    let at = DeclarationSite {
        scope: FILE_SCOPE,
        look: FILE_SCOPE,
        place: EnclosingDeclaration::Namespace,
    };
    walk.modules(tree.root_node());
    walk.children(tree.root_node(), at);
    walk.lang.arms.mark(&mut walk.b.facts.defs);
    walk.finish()
}
