//! Incremental reparse: facts of a text after an edit, from those before it (SPEC I2).
//!
//! The smallest run of declarations around the edit is walked and hashed again, and takes the place of
//! what it was; everything behind it moves. That is exact where nothing in the run, before or now, is
//! about anything outside of it: what a walk says elsewhere is noted when it says it ([`Trace`]), and the
//! run begins and ends where neither the walk nor the hashes remember what was before. Where that is
//! not so, or in doubt, the next larger run is tried, and in the end the whole text is read.

mod common_affix;
mod difference;
mod edges;
mod edited_tree;
mod excerpt;
mod preprocessed;
mod previous;
mod previous_text;
mod reader;
mod reason;
mod reuse;
mod splice;
mod stale;
mod unterminated;

use std::ops::Range;

use tree_sitter::{Node, Tree};

use self::difference::{FactsDifference, MemberOrder};
use self::edges::{Edges, Stretch};
use self::previous_text::PreviousText;
use self::splice::{
    Moved, replace_statements, splice_trace, spliced, spliced_layers, spliced_members,
};
use crate::change::{Shift, TextReplacement};
use crate::digest::content_hash;
use crate::editor_arms;
use crate::facts::{Bound, Facts, Item, ItemFlags, ItemIndex, ItemKind};
use crate::hooks::HOOKS;
use crate::layers::{
    DocPlace, FILE, FileStatement, LayerSpan, LayeredMember, Noted, Read, order_of_members,
};
use crate::spec::Spec;
use crate::walk::{PartPath, Trace, Walk};

pub use self::reader::IncrementalReader;
pub use self::reason::Reason;
pub use self::reuse::{Rest, Reuse};

/// A part that ended with a statement and now ends with a declaration, or the other way round, is tried
/// with so many nodes more.
const MORE: usize = 2;

/// A text after an edit.
struct Edited<'a, 't> {
    spec: &'static Spec,
    text: &'t str,
    before: &'a Facts,
    /// The tree of the text as it was parsed, or of a part of it.
    tree: &'t Tree,
    /// What of the text is not in the tree.
    cuts: &'a [Range<usize>],
    /// Where the tree or the text is another than before.
    changed: Range<usize>,
    /// The number of places that the grammar could not make sense of, in the text as it was parsed at first.
    syntax_errors: u16,
    change: TextReplacement,
}

impl<'t> Edited<'_, 't> {
    /// The facts, and what they have in common with those before; or why no part that the edit is in can be
    /// read by itself. The lines of the trace are lost then.
    fn facts(&self, trace: &mut Trace) -> Result<(Facts, Reuse), Reason> {
        let old_line = trace.lines.line_of(self.change.old_end as u32);
        let old_count = trace.lines.line_count();
        let replaced = self.change.start..self.change.old_end;
        trace.lines.edit(replaced, self.change.new_end, self.text);
        let lines = std::mem::take(&mut trace.lines);
        let more_lines = i64::from(lines.line_count()) - i64::from(old_count);
        let change = self.changed.clone();
        let known = self.known(change.start as u32);
        let mut walk = Walk::new(self.spec, HOOKS, self.text, lines, known);
        let way = walk.approach(self.tree, &change);
        let edges = Edges {
            spec: self.spec,
            text: self.text,
            facts: self.before,
            change,
            edit: self.change.start..self.change.new_end,
            cuts: self.cuts,
        };
        let mut last = Reason::Edges;
        for (step, node) in way.steps.iter().enumerate().rev() {
            if node.is_wrapper {
                continue;
            }
            let at = EditedNode {
                way: &way,
                step,
                old_line,
                more_lines,
            };
            match self.facts_at(&edges, at, &mut walk, trace) {
                Ok(read) => {
                    trace.lines = walk.into_lines();
                    return Ok(read);
                }
                Err(reason) => last = reason,
            }
        }
        Err(last)
    }

    /// The facts, if the nodes around the edit on one level of the way to it can be read by themselves: as few
    /// as there may be, or some more where these are tied to what follows.
    fn facts_at(
        &self,
        edges: &Edges<'_, 't>,
        at: EditedNode<'_, 't>,
        walk: &mut Walk<'t>,
        trace: &mut Trace,
    ) -> Result<(Facts, Reuse), Reason> {
        let mut read = Err(Reason::Edges);
        for more in 0..=MORE {
            read = self
                .stretch(edges, at, more, trace)
                .and_then(|at| self.exchange(walk, at, trace));
            if read.as_ref().err() != Some(&Reason::Tied) {
                break;
            }
        }
        read
    }

    /// What was known of the text before a byte, for a walk that goes on from there: strings of what
    /// stands behind it are kept, because new ones come after all of them.
    fn known(&self, byte: u32) -> Facts {
        let Facts { items, bases, .. } = self.before;
        let first = items.partition_point(|item| item.start_byte < byte);
        let end = bases.partition_point(|base| (base.item as usize) < first);
        // What is around the change ends elsewhere now, and what is in it may not reach further.
        let mut items = items[..first].to_vec();
        let shift = self.change.shift();
        for item in &mut items {
            item.end_byte = shift.byte(item.end_byte);
        }
        Facts {
            language: self.before.language,
            lines: self.before.lines,
            bytes: self.before.bytes,
            hash: self.before.hash,
            syntax_errors: self.before.syntax_errors,
            package: self.before.package,
            doc: self.before.doc,
            items,
            bases: bases[..end].to_vec(),
            cosmetic: self.before.cosmetic,
            layers: Vec::new(),
            bindings: Bound::default(),
            heap: self.before.heap.clone(),
        }
    }

    /// The part below a node that the edit is in, with so many nodes more, and what was known of it.
    fn stretch<'a>(
        &self,
        edges: &Edges<'_, 't>,
        at: EditedNode<'a, 't>,
        more: usize,
        trace: &Trace,
    ) -> Result<StretchSide<'a, 't>, Reason> {
        let parent = at.way.steps.get(at.step).ok_or(Reason::Edges)?.node;
        let stretch = edges
            .around(parent, at.step == 0, more)
            .ok_or(Reason::Edges)?;
        let before = PreviousText::find(self.before, trace, &stretch, self.change)?;
        Ok(StretchSide {
            level: at,
            stretch,
            before,
        })
    }

    /// Walks a stretch and puts what it declares in the place of what was there. `None` where that is
    /// not all that would change.
    fn exchange(
        &self,
        walk: &mut Walk<'t>,
        at: StretchSide<'_, 't>,
        trace: &mut Trace,
    ) -> Result<(Facts, Reuse), Reason> {
        let first = at.before.items.start;
        walk.go_back_to(self.before, first);
        let walked = walk
            .part(at.level.way, at.level.step, &at.stretch.nodes, trace)
            .ok_or(Reason::Effects)?;
        let shift = self.change.shift();
        let added = walk.facts.items.len() - first;
        let is_closed = self.is_closed(&walk.facts, &at, shift);
        // A comment behind is about the file where nothing is declared before it.
        if first == 0 && (added == 0) != at.before.items.is_empty() {
            return Err(Reason::Effects);
        }
        let difference = FactsDifference::from_before(self.before, &at.before, &walk.facts);
        if difference.is_looked_for(
            self.text,
            (self.before, &at.before),
            &walk.facts,
            (trace, shift),
        ) {
            return Err(Reason::Names);
        }
        let mut facts = self.facts_around(walk, &at);
        if self.moves_editor_arms(&facts, &at.before.items, added) {
            return Err(Reason::Effects);
        }
        let around = at.around(&facts);
        let items = first as ItemIndex..(first + added) as ItemIndex;
        let read = self
            .layers(&facts, &at, (&around, items), walked.docs, is_closed)
            .ok_or(Reason::MemberTrivia)?;
        let visited = walk.visited() + read.visited;
        let Noted {
            layers,
            member_trivia,
            statements,
            members,
        } = read.noted;
        let old = &trace.statements[trace.statements_in(&at.before.bytes)];
        let was_last = last_end(&self.before.items[at.before.items.clone()]);
        let is_last = last_end(&walk.facts.items[first..]);
        let ends = ends_with_statement(old, was_last) && ends_with_statement(&statements, is_last);
        if !is_closed && !ends {
            return Err(Reason::Tied);
        }
        let members = spliced_members(&trace.members, &at.before, added, members);
        facts.layers = spliced_layers(&self.before.layers, &at.before, added, layers);
        let mut order_of_file = Rest::Same;
        if !difference.same_order || trace.members != members {
            let order = self.order(&facts, &around, (&trace.members, &members));
            let order = order.ok_or(Reason::Order)?;
            let is_of_file = order.item == FILE;
            if order.put_into(&mut facts.layers) && is_of_file {
                order_of_file = Rest::Cosmetic;
            }
        }
        let rest = replace_statements(trace, &at.before, shift, statements, &mut facts.layers);
        trace.members = members;
        let noted = (walked.effects, walked.lookups, member_trivia);
        splice_trace(trace, &at.before, shift, noted);
        let reuse = Reuse {
            first: first as ItemIndex,
            removed: at.before.items.len() as ItemIndex,
            added: added as ItemIndex,
            same_names: difference.same_names,
            same_docs: difference.same_docs,
            rest: rest.max(order_of_file),
            visited,
            parsed: self.text.len() - self.cuts.iter().map(ExactSizeIterator::len).sum::<usize>(),
        };
        Ok((facts, reuse))
    }

    /// The facts before, with what was walked in place of what the stretch declared; without layers.
    fn facts_around(&self, walk: &Walk<'t>, at: &StretchSide<'_, 't>) -> Facts {
        let moved = Moved {
            shift: self.change.shift(),
            text: self.text,
            lines: &|byte| walk.position(byte),
            old_line: at.level.old_line,
            more_lines: at.level.more_lines,
        };
        let mut facts = spliced(self.before, &at.before, &walk.facts, &moved);
        facts.lines = (i64::from(self.before.lines) + at.level.more_lines) as u32;
        facts.hash = content_hash(self.text.as_bytes());
        facts.syntax_errors = self.syntax_errors;
        // Of an edited directive, much of what it is about may stand elsewhere.
        editor_arms::mark(&mut facts, self.text, &self.spec.editor_conditions);
        facts
    }

    /// Whether something around a stretch is for editors alone now and was not, or the other way round: the edit was in a
    /// directive, or in a comment that takes one in.
    fn moves_editor_arms(&self, facts: &Facts, stretch: &Range<usize>, added: usize) -> bool {
        let is_editor = |item: &Item| item.flags.contains(ItemFlags::EDITOR_ONLY);
        let (old, new) = (&self.before.items, &facts.items);
        let ahead = old[..stretch.start].iter().zip(new);
        let behind = old[stretch.end..].iter().zip(&new[stretch.start + added..]);
        let mut around = ahead.chain(behind);
        !self.spec.editor_conditions.is_empty()
            && around.any(|(old, new)| is_editor(old) != is_editor(new))
    }

    /// Reads a stretch for its layers. Unless it ends with a declaration, it has to end with a statement
    /// that stands by itself.
    fn layers(
        &self,
        facts: &Facts,
        at: &StretchSide<'_, 't>,
        (around, items): (&[ItemIndex], Range<ItemIndex>),
        docs: Vec<DocPlace>,
        is_closed: bool,
    ) -> Option<Read> {
        let steps = at.level.way.steps[..=at.level.step].iter();
        let nodes: Vec<Node<'t>> = steps.map(|step| step.node).collect();
        LayerSpan {
            spec: self.spec,
            text: self.text,
            facts,
            way: &nodes,
            namespace: at.level.way.namespace,
            around: around.to_vec(),
            nodes: &at.stretch.nodes,
            items,
            docs,
            unread: at.stretch.unread,
            start: at.stretch.start,
            end: at.stretch.end,
            has_statements: at.stretch.follows_statement || !is_closed,
        }
        .read()
    }

    /// Whether the stretch ends with a declaration, before and now.
    fn is_closed(&self, walked: &Facts, at: &StretchSide<'_, 't>, shift: Shift) -> bool {
        let Some(end) = last_end(&walked.items[at.before.items.start..]) else {
            return false;
        };
        // White space in front of what ends a statement belongs to what follows.
        let was = last_end(&self.before.items[at.before.items.clone()]);
        let was = was.filter(|was| *was as usize >= self.change.old_end);
        let tail = self.text.get(end as usize..at.stretch.end).unwrap_or("-");
        let parts = |byte: u8| byte == b';' || byte.is_ascii_whitespace();
        end as usize >= self.change.new_end
            && was.map(|was| shift.byte(was)) == Some(end)
            && tail.bytes().all(parts)
    }

    /// The order of the members around a stretch whose items are called otherwise than before. `None`
    /// where it is not only cosmetic.
    fn order(
        &self,
        facts: &Facts,
        around: &[ItemIndex],
        (was, is): (&[LayeredMember], &[LayeredMember]),
    ) -> Option<MemberOrder> {
        let holder = around.iter().rev().copied().find(|item| {
            let item = facts.items.get(*item as usize);
            item.is_some_and(|item| !item.kind.is_namespace())
        });
        let index = holder.unwrap_or(FILE);
        let before = order_of_members(self.before, was, index);
        let after = order_of_members(facts, is, index);
        if before != after
            && let Some(item) = holder.and_then(|holder| facts.items.get(holder as usize))
        {
            let head = self
                .text
                .get(item.start_byte as usize..item.end_byte as usize)?;
            let head = &head[..head.find('{').unwrap_or(head.len())];
            let counts = |facts: &Facts, members: &[LayeredMember]| {
                let mut held = members.iter().filter(|member| member.holder == index);
                held.any(|member| {
                    let item = facts.items.get(member.item as usize);
                    item.is_some_and(|item| item.kind == ItemKind::EnumMember)
                })
            };
            if self.spec.layers.is_ordered(item.kind)
                || head.contains("Sequential")
                || counts(self.before, was)
                || counts(facts, is)
            {
                return None;
            }
        }
        Some(MemberOrder {
            item: index,
            before,
            after,
        })
    }
}

/// Where the last declaration of some ends.
fn last_end(items: &[Item]) -> Option<u32> {
    let counted = items
        .iter()
        .filter(|item| !item.flags.contains(ItemFlags::LOCAL));
    counted.map(|item| item.end_byte).max()
}

/// Whether a stretch that says this, and in which the last declaration ends there, ends with a statement
/// without declarations.
fn ends_with_statement(statements: &[FileStatement], last_end: Option<u32>) -> bool {
    let last = statements.last().map(|statement| statement.at);
    last.is_some_and(|at| last_end.is_none_or(|end| at >= end))
}

/// A node on the way to an edit, and what the edit did to the lines.
#[derive(Clone, Copy)]
struct EditedNode<'a, 't> {
    way: &'a PartPath<'t>,
    /// Which of its steps.
    step: usize,
    /// The line of the end of what was replaced, in the text before.
    old_line: u32,
    /// How many lines more there are.
    more_lines: i64,
}

/// Where a stretch is.
struct StretchSide<'a, 't> {
    level: EditedNode<'a, 't>,
    stretch: Stretch<'t>,
    before: PreviousText,
}

impl StretchSide<'_, '_> {
    /// The declarations around it, by their places in the facts now, which are those before.
    fn around(&self, facts: &Facts) -> Vec<ItemIndex> {
        let is_around = |index: &ItemIndex| {
            facts.items.get(*index as usize).is_some_and(|item| {
                item.start_byte < self.stretch.start as u32
                    && item.end_byte >= self.stretch.end as u32
            })
        };
        let mut around: Vec<ItemIndex> = self
            .level
            .way
            .items
            .iter()
            .copied()
            .filter(is_around)
            .collect();
        around.retain(|item| (*item as usize) < self.before.items.start);
        around
    }
}
