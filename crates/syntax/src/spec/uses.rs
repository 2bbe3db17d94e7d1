//! Which nodes are names where they are used, in languages whose names are not resolved (SPEC D2).

use codecortex_bind::facts::Role;
use tree_sitter::Node;

/// Kinds of names and what is done with them.
#[derive(Debug, Default)]
pub(crate) struct NameUseKinds {
    /// By kind: a parent's kind, or nothing for any other parent, which stands last.
    pub(super) roles: Vec<Vec<(Option<u16>, Role)>>,
}

impl NameUseKinds {
    /// What is done with the name that a node is; nothing where it is no name.
    pub(crate) fn role(&self, node: Node<'_>, parent: Option<u16>) -> Option<Role> {
        let roles = self.roles.get(node.kind_id() as usize)?;
        let fits = |of: &&(Option<u16>, Role)| of.0.is_none() || of.0 == parent;
        roles.iter().find(fits).map(|(_, role)| *role)
    }
}
