//! The uses of what is inlined, as nodes.

use codecortex_bind::facts::Role;
use tree_sitter::Node;

use crate::inline::InlinedCode;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{leaf_at, text_of};

impl<'c> InlinedCode<'c, '_> {
    /// The nodes of the uses, in the order of the text.
    pub(super) fn uses(&self) -> Result<Vec<Node<'c>>, Refusal> {
        let (def, name) = (self.inline.def, self.inline.name());
        let own = self.resolver.place(def);
        let mut uses = Vec::new();
        for reference in self.resolver.references(def) {
            let place = (reference.file, reference.at);
            let refuse =
                |message: String| Err(Refusal::new(RefusalKind::Unsupported, message).at([place]));
            if Some(reference.at) == own && reference.file == def.file
                || reference.role.0 == Role::Doc as u8
            {
                continue;
            }
            if reference.file != def.file {
                return refuse(format!("`{name}` is used in another file."));
            }
            let role = reference.role.0;
            if role == Role::Write as u8 || role == Role::ReadWrite as u8 {
                return refuse(format!("`{name}` gets another value."));
            }
            if role == Role::Import as u8
                || role == Role::Type as u8
                || role == Role::Attribute as u8
            {
                return refuse(format!("`{name}` is used by its name there."));
            }
            let node = leaf_at(self.tree, reference.at);
            match node.filter(|node| text_of(*node, self.text) == name && node.is_named()) {
                Some(node) => uses.push(node),
                None => return refuse(format!("`{name}` is used in a text.")),
            }
        }
        uses.sort_by_key(Node::start_byte);
        uses.dedup_by_key(|node| node.start_byte());
        Ok(uses)
    }
}
