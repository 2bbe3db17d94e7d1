//! Reading a part of a text again: members that stand side by side.

use std::ops::Range;

use tree_sitter::Node;

use super::closer::closer;
use super::open::{OpenDeclaration, identity};
use super::pass::LayerPass;
use super::{DocPlace, LayeredMember, Noted};
use crate::digest::{Digest, order_digest};
use crate::facts::{Facts, ItemFlags, ItemIndex};
use crate::spec::Spec;

/// A part of a text.
pub(crate) struct LayerSpan<'a, 't> {
    pub(crate) spec: &'static Spec,
    pub(crate) text: &'t str,
    /// The facts of the text, without layers.
    pub(crate) facts: &'t Facts,
    /// The nodes around it, the root first, and a namespace that stands beside them.
    pub(crate) way: &'a [Node<'t>],
    pub(crate) namespace: Option<Node<'t>>,
    /// The declarations around it.
    pub(crate) around: Vec<ItemIndex>,
    pub(crate) nodes: &'a [Node<'t>],
    /// What the nodes declare.
    pub(crate) items: Range<ItemIndex>,
    pub(crate) docs: Vec<DocPlace>,
    /// From where on nothing has been read; what stands there before `start` only parts tokens.
    pub(crate) unread: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it begins or ends with a statement of the file, which has to be one by itself.
    pub(crate) has_statements: bool,
}

/// What reading it gave.
pub(crate) struct Read {
    pub(crate) noted: Noted,
    pub(crate) visited: usize,
}

impl LayerSpan<'_, '_> {
    /// Reads it. `None` where something in it concerns what is around.
    pub(crate) fn read(self) -> Option<Read> {
        let is_own = |item: ItemIndex| self.items.contains(&item);
        if self.docs.iter().any(|doc| !is_own(doc.item)) {
            return None;
        }
        let around = self.around.len();
        let mut known = self.around;
        known.extend(self.items.clone());
        let mut pass = LayerPass::new(self.spec, self.text, self.facts, known, self.docs);
        let own = &self.facts.items[self.items.start as usize..self.items.end as usize];
        let unread = self.text.get(self.unread..self.end)?;
        pass.closer = closer(self.spec, unread, self.unread, own);
        for (depth, node) in self.way.iter().enumerate() {
            pass.last = node.start_byte();
            if !pass.enter(*node, node.kind_id()) {
                return None;
            }
            pass.go_in(node.end_byte(), node.kind_id());
            if let Some(namespace) = self.namespace.filter(|_| depth == 0) {
                pass.last = namespace.start_byte();
                pass.enter(namespace, namespace.kind_id());
            }
        }
        if pass.opened != around || self.has_statements && !pass.is_listed() {
            return None;
        }
        pass.trivia.clear();
        let gap = self.text.get(self.unread..self.start)?;
        pass.trivia.extend_from_slice(gap.as_bytes());
        pass.last = self.start;
        pass.comma = None;
        pass.statement = None;
        pass.brackets = Default::default();
        pass.gap = true;
        pass.out.clear();
        pass.member_trivia = Default::default();
        if let Some(file) = pass.opens.first_mut() {
            file.take_statements();
        }
        if let Some(frame) = pass.frames.last_mut() {
            frame.opened = None;
        }
        pass.members.clear();
        pass.member_trivia.outside = pass.opens.len();
        pass.member_trivia.part();
        let frames = pass.frames.len();
        for node in self.nodes {
            pass.run(node.walk());
        }
        while pass.frames.len() > frames {
            pass.pop();
        }
        if pass.is_listed() {
            pass.end_statement();
            pass.end_comment();
        }
        let counted = own
            .iter()
            .filter(|item| !item.flags.contains(ItemFlags::LOCAL));
        if pass.opened != around + counted.count() {
            return None;
        }
        if pass.member_trivia.is_outside || pass.comma.is_some() || pass.frames.len() < frames {
            return None;
        }
        let statements = pass.opens.first_mut().map(OpenDeclaration::take_statements);
        let mut layers = std::mem::take(&mut pass.out);
        pass.documented_into(&mut layers);
        layers.sort_unstable();
        Some(Read {
            noted: Noted {
                layers,
                member_trivia: std::mem::take(&mut pass.member_trivia.places),
                statements: statements.unwrap_or_default(),
                members: std::mem::take(&mut pass.members),
            },
            visited: pass.visited,
        })
    }
}

/// The digest of the order of what a type or the file holds; none where that is sorted.
pub(crate) fn order_of_members(
    facts: &Facts,
    members: &[LayeredMember],
    holder: ItemIndex,
) -> Option<Digest> {
    let members = members.iter().filter(|member| member.holder == holder);
    let items = members.filter_map(|member| facts.items.get(member.item as usize));
    let identities =
        items.map(|item| identity(item.kind, facts.str(item.name), facts.str(item.params)));
    order_digest(&identities.collect::<Vec<_>>())
}
