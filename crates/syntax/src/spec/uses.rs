//! Which nodes are names where they are used, in languages whose names are not resolved (SPEC D2).

use codecortex_bind::facts::Role;
use tree_sitter::Node;

use super::compile::Compiler;

/// Kinds of names and what is done with them.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// By kind: a parent's kind, or nothing for any other parent, which stands last.
    roles: Vec<Vec<(Option<u16>, Role)>>,
}

impl Uses {
    /// What is done with the name that a node is; nothing where it is no name.
    pub(crate) fn role(&self, node: Node<'_>, parent: Option<u16>) -> Option<Role> {
        let roles = self.roles.get(node.kind_id() as usize)?;
        let fits = |of: &&(Option<u16>, Role)| of.0.is_none() || of.0 == parent;
        roles.iter().find(fits).map(|(_, role)| *role)
    }
}

impl Compiler<'_> {
    pub(super) fn uses(&self) -> Result<Uses, String> {
        let mut roles = vec![Vec::new(); self.grammar.node_kind_count()];
        for (written, word) in &self.file.uses {
            let role = role(word)?;
            let (parents, kind): (Vec<_>, &str) = match written.split_once('.') {
                Some((parent, kind)) => (self.ids(parent)?.into_iter().map(Some).collect(), kind),
                None => (vec![None], written),
            };
            for id in self.ids(kind)? {
                roles[id as usize].extend(parents.iter().map(|parent| (*parent, role)));
            }
        }
        for of_kind in &mut roles {
            of_kind.sort_by_key(|(parent, _): &(Option<u16>, Role)| parent.is_none());
        }
        Ok(Uses { roles })
    }
}

fn role(word: &str) -> Result<Role, String> {
    Ok(match word {
        "read" => Role::Read,
        "write" => Role::Write,
        "call" => Role::Call,
        "type" => Role::Type,
        "import" => Role::Import,
        "attribute" => Role::Attribute,
        _ => return Err(format!("no role '{word}'")),
    })
}
