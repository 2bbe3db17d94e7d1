//! Walking a part of a text again: the way to it, and the part.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::declared_names::NamesOfDeclarations;
use super::effects::{Lookup, Trace, WalkEffect};
use super::{ItemDraft, Visit, Walk};
use crate::Facts;
use crate::facts::{Item, ItemIndex, ItemKind};
use crate::layers::DocPlace;
use crate::spec::{Action, Spec};

/// A node on the way to a part, entered as it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathStep<'t> {
    pub(crate) node: Node<'t>,
    /// Whether it only wraps the declaration that it holds.
    pub(crate) is_wrapper: bool,
    frames: usize,
    wrappers: usize,
}

/// The way to a part.
#[derive(Debug, Default)]
pub(crate) struct PartPath<'t> {
    /// The root first.
    pub(crate) steps: Vec<PathStep<'t>>,
    /// Declarations on the way, as indices of the facts before.
    pub(crate) items: Vec<ItemIndex>,
    /// Where the namespace that holds for the rest of the file ends, with its node.
    pub(crate) namespace: Option<Node<'t>>,
}

/// What walking a part gave beside items.
pub(crate) struct WalkedPart {
    pub(crate) docs: Vec<DocPlace>,
    pub(crate) effects: Vec<WalkEffect>,
    pub(crate) lookups: Vec<Lookup>,
}

/// Whether what is declared in a declaration of this kind are members of it, or declarations of the file.
pub(crate) fn holds_members(kind: ItemKind) -> bool {
    use ItemKind::{Class, Extension, Interface, Record, Struct, Trait, Union};
    kind.is_namespace()
        || matches!(
            kind,
            Class | Struct | Interface | Trait | Record | Union | Extension
        )
}

/// The namespace without a block that a place in a text is in, by the facts of what is before that place. Damaged
/// code may have one behind others that have blocks.
pub(crate) fn open_namespace<'t>(
    spec: &Spec,
    facts: &Facts,
    root: Node<'t>,
    place: usize,
) -> Option<Node<'t>> {
    let is_rest = |kind| {
        let action = spec.action(kind);
        matches!(action, Action::Item(index)
            if spec.rule(index).is_some_and(|rule| rule.rest_of_parent))
    };
    let is_around = |item: &&Item| {
        let bytes = item.start_byte as usize + 1..=item.end_byte as usize;
        item.kind.is_namespace() && bytes.contains(&place)
    };
    let around = facts.items.iter().filter(is_around);
    around.rev().find_map(|item| {
        let mut cursor = root.walk();
        cursor.goto_first_child_for_byte(item.start_byte as usize)?;
        let node = cursor.node();
        // What the tree does not have is no such namespace.
        let is_it = node.start_byte() <= item.start_byte as usize;
        (is_it && is_rest(node.kind_id()) && node.end_byte() < place).then_some(node)
    })
}

impl<'t> Walk<'t> {
    /// Goes towards a change as long as what is around it declares the same as before. The facts are
    /// those before, with what is around the change ending where it ends now.
    pub(crate) fn approach(&mut self, tree: &'t Tree, change: &Range<usize>) -> PartPath<'t> {
        self.effects.replay();
        let mut way = PartPath::default();
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let (frames, wrappers) = (self.frames.len(), self.wrappers.len());
            let visit = self.enter(node);
            if self.effects.is_doubtful || visit == Visit::Skip || !self.holds_members() {
                self.frames.truncate(frames);
                self.wrappers.truncate(wrappers);
                self.effects.is_doubtful = false;
                break;
            }
            if way.steps.is_empty() {
                way.namespace = self.enter_namespace(node, change);
            }
            way.steps.push(PathStep {
                node,
                is_wrapper: self.wrappers.len() > wrappers,
                frames: self.frames.len(),
                wrappers: self.wrappers.len(),
            });
            if cursor.goto_first_child_for_byte(change.start).is_none() {
                break;
            }
            let child = cursor.node();
            if child.start_byte() >= change.start || child.end_byte() <= change.end {
                break;
            }
            self.depth += 1;
        }
        way.items = std::mem::take(&mut self.replayed);
        way
    }

    /// Whether what is declared at the current place is a member of a type, or of the file.
    fn holds_members(&self) -> bool {
        let is_plain = self
            .frames
            .last()
            .is_none_or(|frame| !frame.code && frame.member_depth.is_none());
        is_plain
            && !self.in_code()
            && self
                .parent()
                .is_none_or(|parent| holds_members(parent.kind))
    }

    /// Enters the namespace that holds for the rest of the file, if it stands before the change.
    fn enter_namespace(&mut self, root: Node<'t>, change: &Range<usize>) -> Option<Node<'t>> {
        let node = open_namespace(self.spec, &self.facts, root, change.start)?;
        self.depth = 1;
        self.enter(node);
        self.depth = 0;
        Some(node)
    }

    /// A declaration on the way: the one that it was, if it is the same.
    pub(super) fn replayed(
        &mut self,
        kind: ItemKind,
        name: &str,
        attributes: &str,
        draft: &ItemDraft,
        parent: Option<ItemIndex>,
    ) -> Option<ItemIndex> {
        self.pending_docs.clear();
        let facts = &self.facts;
        let start = draft.span.start.min(draft.name_range.start) as u32;
        let end = draft.span.end.max(draft.name_range.end) as u32;
        let first = facts.items.partition_point(|item| item.start_byte < start);
        let same = facts.items[first..]
            .iter()
            .take_while(|item| item.start_byte == start)
            .position(|item| item.name_byte as usize == draft.name_range.start);
        let Some(index) = same.map(|place| first + place) else {
            self.effects.is_doubtful = true;
            return None;
        };
        let item = &facts.items[index];
        let texts = [
            (item.name, name),
            (item.container, draft.container.as_str()),
            (item.signature, draft.signature.as_str()),
            (item.params, draft.params.as_str()),
            (item.result, draft.result.as_str()),
            (item.attributes, attributes),
        ];
        let is_same = item.kind == kind
            && item.arity == draft.arity
            && item.parent == parent
            && item.flags.contains(draft.flags)
            && item.end_byte == end
            && texts.iter().all(|(known, now)| facts.str(*known) == *now)
            // Comments before it are out of sight from here, a docstring is in it.
            && draft.doc.as_ref().is_none_or(|doc| facts.str(item.doc) == doc);
        let index = index as ItemIndex;
        let mut bases = facts.bases_of(index);
        let has_bases = draft
            .bases
            .iter()
            .all(|(relation, name)| bases.next() == Some((*relation, name.as_str())));
        self.effects.is_doubtful |= !is_same || !has_bases;
        self.replayed.push(index);
        Some(index)
    }

    /// Walks nodes that stand side by side below a step, as items from `first` on. `None` where that
    /// concerns more than these items.
    pub(crate) fn part(
        &mut self,
        way: &PartPath<'t>,
        level: usize,
        nodes: &[Node<'t>],
        trace: &Trace,
    ) -> Option<WalkedPart> {
        let first = self.facts.items.len();
        let step = way.steps.get(level)?;
        self.frames.truncate(step.frames);
        self.wrappers.truncate(step.wrappers);
        // A namespace without a block, met on the way, is around what follows it. Where it is read again
        // itself, what it is around is not known before.
        let is_read_again = |item: ItemIndex| item as usize >= first;
        if self
            .frames
            .iter()
            .filter_map(|frame| frame.item)
            .any(is_read_again)
        {
            return None;
        }
        self.comments.clear();
        self.pending_docs.clear();
        self.docs.clear();
        self.inner_docs.clear();
        self.attributes = None;
        self.run_end = 0;
        self.comment_end = usize::MAX;
        self.effects.part(first as ItemIndex);
        for node in nodes {
            self.depth = level + 1;
            self.run(node.walk());
        }
        if self.effects.is_doubtful || !self.inner_docs.is_empty() {
            return None;
        }
        self.exports.clone_from(&trace.exports);
        self.exports_closed = trace.exports_closed;
        self.apply_exports(first);
        let (effects, lookups) = self.effects.take();
        let docs = std::mem::take(&mut self.docs);
        Some(WalkedPart {
            docs,
            effects,
            lookups,
        })
    }

    /// Forgets the items from `first` on; those before are as they were.
    pub(crate) fn go_back_to(&mut self, before: &Facts, first: usize) {
        self.facts.items.truncate(first);
        self.declared = NamesOfDeclarations::default();
        let bases = before
            .bases
            .partition_point(|base| (base.item as usize) < first);
        self.facts.bases.truncate(bases);
        self.facts.heap.truncate(before.heap.len());
    }

    /// How many nodes were entered.
    pub(crate) fn visited(&self) -> usize {
        self.visited
    }

    /// The place of a byte as editors count.
    pub(crate) fn position(&self, byte: usize) -> codecortex_text::Utf16Position {
        self.lines.position(byte as u32, self.text)
    }

    /// The index of lines, back.
    pub(crate) fn into_lines(self) -> codecortex_text::LineIndex {
        self.lines.into_lines()
    }
}
