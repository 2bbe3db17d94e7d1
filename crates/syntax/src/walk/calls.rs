//! Calls that declare, document or say who sees what.

use tree_sitter::Node;

use super::{Visit, Walk};
use crate::facts::{ItemFlags, Relation, Visibility};
use crate::spec::{CallRole, Selector};

impl<'t> Walk<'t> {
    /// A call, by what it calls.
    pub(super) fn call(&mut self, node: Node<'t>) -> Visit {
        let spec = self.spec;
        match spec.call_role(node, self.text) {
            None => Visit::Descend,
            Some(CallRole::Item(rule)) => match spec.rule(rule) {
                Some(rule) => self.item(node, rule),
                None => Visit::Descend,
            },
            Some(CallRole::Doc(text)) => {
                if let Some(text) = self.select(node, text) {
                    self.document_next(text.byte_range(), node.end_byte());
                }
                Visit::Skip
            }
            Some(CallRole::InnerDoc(text)) => {
                if let Some(text) = self.select(node, text) {
                    self.document_around(text.byte_range());
                }
                Visit::Skip
            }
            Some(CallRole::Bases(relation)) => {
                if let Some(list) = spec
                    .calls
                    .arguments
                    .and_then(|list| self.select(node, list))
                {
                    self.member_bases(list, relation);
                }
                Visit::Skip
            }
            Some(CallRole::Attribute) => {
                self.attribute(node);
                Visit::Skip
            }
            Some(CallRole::Access(visibility)) => self.access_call(node, visibility),
        }
    }

    /// A word by itself that says who sees the members that follow.
    pub(super) fn bare(&mut self, node: Node<'t>) {
        let is_member = self.levels_below_frame().is_some_and(|levels| levels <= 2);
        if is_member
            && !self.in_code()
            && let Some(CallRole::Access(visibility)) = self.spec.calls.role_of(self.source(node))
        {
            self.set_access(visibility);
        }
    }

    /// `private def f`, `private :f`: who sees what is an argument or is named by one.
    fn access_call(&mut self, node: Node<'t>, visibility: Visibility) -> Visit {
        let list = self.spec.calls.arguments;
        if let Some(list) = list.and_then(|list| self.select(node, list)) {
            let mut cursor = list.walk();
            for argument in list.named_children(&mut cursor) {
                if self.spec.calls.names.contains(&argument.kind_id()) {
                    let trim = self.spec.names.trim.as_slice();
                    let name = self.source(argument).trim_matches(trim);
                    self.set_visibility(name, visibility);
                }
            }
        }
        self.wrap(node);
        Visit::Descend
    }

    /// Sets who sees the members of that name in what is around.
    fn set_visibility(&mut self, name: &str, visibility: Visibility) {
        let parent = self.parent_index();
        for index in 0..self.facts.items.len() {
            let item = &self.facts.items[index];
            if item.parent == parent && self.facts.str(item.name) == name {
                self.facts.items[index].visibility = visibility;
            }
        }
    }

    /// Types that the declaration around takes over.
    pub(super) fn member_bases(&mut self, list: Node<'t>, relation: Relation) -> Visit {
        let owner = self.parent().is_some_and(|parent| {
            (parent.kind.is_type() || parent.kind.is_namespace())
                && !parent.flags.contains(ItemFlags::LOCAL)
        });
        let Some(owner) = self.parent_index().filter(|_| owner) else {
            return Visit::Skip;
        };
        let mut bases = Vec::new();
        let mut cursor = list.walk();
        for base in list.named_children(&mut cursor) {
            self.collect_bases(base, relation, &mut bases);
        }
        for (relation, name) in bases {
            self.add_base(owner, relation, &name);
        }
        Visit::Skip
    }

    /// An export of what is declared elsewhere in the file.
    pub(super) fn exported(&mut self, node: Node<'t>, name: Selector) -> Visit {
        if self.frames.is_empty()
            && let Some(name) = self.select(node, name)
        {
            self.export(self.source(name), ItemFlags::EXPORTED);
        }
        Visit::Descend
    }
}
