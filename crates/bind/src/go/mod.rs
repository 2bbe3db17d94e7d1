//! Go. One space of names; the package's names are in the file's scope, and a clause `package p` is a
//! hidden definition there that says which package that is, and by
//! [`flag::OPTIONAL`](crate::facts::flag::OPTIONAL) that the file is left out of an ordinary build.
//!
//! Pointers are dropped: members are found through them. A channel is a map from its element to itself,
//! since ranging over it gives the element first. A type defined from another (`type A B`) that has no
//! members of its own is a [`DefKind::Class`] with [`Def::ty`](crate::facts::Def::ty); an alias is a
//! [`DefKind::TypeAlias`].

mod build;
mod declarations;
mod expressions;
mod kinds;
mod literals;
mod statements;
mod types;
mod walk;

use tree_sitter::Tree;

use crate::facts::{Bindings, FILE_SCOPE};
use walk::{GoState, GoWalk};

/// The bindings of a Go file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let function = FILE_SCOPE;
    let mut walk = GoWalk::new(text, tree, GoState { function });
    walk.children(tree.root_node(), FILE_SCOPE);
    walk.finish()
}
