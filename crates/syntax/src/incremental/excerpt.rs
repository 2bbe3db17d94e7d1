//! Partial parse: what is around an edit, without the rest of the text.
//!
//! tree-sitter's incremental parse goes by every declaration that stands beside the edited one: in a file of
//! ten thousand lines that is most of a keystroke. An excerpt is the heads of what is around the edit, the
//! declaration that the edit is in, and one on each side of that. What is between them is cut out, as is the
//! code in those beside. Everything in it has its own place in the text.
//!
//! The parser's state before a declaration depends on what is around it and on what is before it in the same
//! list; what follows, on that state and the text. So where what the excerpt has around and beside the edit is of
//! the same kinds and at the same places as in the tree of the whole text, the edited declaration is what it is in
//! the text, and nothing else is another: an error that was in it may be gone, and one that is in it ends there.
//! Of an error the parser keeps several stacks, and what follows may tell which of them costs least: where one may
//! end elsewhere ([`unterminated`](super::unterminated)), it has to be decided before the first thing that is left out behind the
//! declaration ([`ParseStacks`](crate::parse_stacks::ParseStacks)), or is looked for in the whole. The whole tree is told of the
//! edit and keeps the declaration as it was ([`Stale`]).

mod cut;
mod expected_nodes;

use std::ops::Range;

use tree_sitter::{Node, Tree, TreeCursor};

use self::cut::{CutList, ExcerptCut, LEAST, end_before, kept, length};
use self::expected_nodes::{ExpectedNode, KeptSiblings, is_as_before};

use super::edges::Most;
use super::edited_tree::EditedTree;
use super::previous::{Previous, to_previous};
use super::reason::needs_recovery;
use super::stale::Stale;
use super::unterminated::{
    begins_comment, cuts_comment, has_unterminated, is_at_comment, may_be_other,
};
use crate::change::TextReplacement;
use crate::comment_runs::has_long_run;
use crate::error_recovery::Errors;
use crate::facts::{Facts, Item};
use crate::parse_stacks::is_decided;
use crate::parser::parse_ranges;
use crate::spec::{Action, Spec};
use crate::walk::{holds_members, open_namespace};

/// An excerpt of more than one of so many bytes saves nothing.
const OF_TEXT: usize = 2;

/// With more declarations that are stale in the tree, the text is parsed again: each is one more for it.
const MAX_STALE: usize = 64;

/// So many nodes beside a declaration are looked at for one to begin or end with.
const MAX_BESIDE: usize = 64;

/// A list of fewer is kept.
const FEW: u32 = 8;

/// A namespace that is longer has a block.
const LONGEST: usize = 256;

/// In so many bytes, and nodes, of a text a token is looked for that its scanner reads.
const MAX_OF_HEAD: usize = 4096;
const MAX_LOOKED_AT: usize = 512;

/// How deep in a declaration its code may be.
const DEPTH: usize = 6;

/// The part of a text that an edit is in, parsed.
pub(super) struct Excerpt {
    pub(super) tree: Tree,
    /// All within the declaration.
    pub(super) errors: Errors,
    /// What is not in it, in the order of the text.
    pub(super) cuts: Vec<Range<usize>>,
    /// What the edit is in.
    pub(super) declaration: Range<usize>,
}

/// The excerpt of a text around a change. `None` where it would be most of the text, or where the change may
/// concern more than one declaration.
pub(super) fn excerpt(
    spec: &'static Spec,
    before: &Facts,
    EditedTree { text, tree, change }: EditedTree<'_>,
    stale: &Stale,
) -> Option<Excerpt> {
    let edited = change.inserted();
    let is_at_comment = is_at_comment(text, edited.clone());
    if stale.is_torn() || is_at_comment || cuts_comment(spec, text, tree, edited) {
        return None;
    }
    let namespace = open_namespace(spec, before, tree.root_node(), change.start);
    let plan = ExcerptPlan {
        spec,
        text,
        stale,
        before,
        change,
        namespace: namespace.map(|node| node.start_byte()),
        head_end: head_end(spec, tree),
    };
    let levels = plan.levels(tree)?;
    let declaration = levels.last()?.way.clone();
    let is_one_more = stale.len() >= MAX_STALE && !stale.holds(&declaration);
    if is_one_more || !stale.errs_in(tree, &declaration) || !stale.breaks_in(&declaration) {
        return None;
    }
    let mut cuts: Vec<&ExcerptCut> = levels.iter().flat_map(|level| &level.cuts).collect();
    cuts.sort_unstable_by_key(|cut| cut.start.0);
    let left_out: usize = cuts.iter().map(|cut| cut.len()).sum();
    if (text.len() - left_out) * OF_TEXT > text.len() {
        return None;
    }
    let kept = kept(&cuts);
    let mut parts = kept
        .iter()
        .filter_map(|part| text.get(part.start_byte..part.end_byte.min(text.len())));
    if parts.any(|part| has_long_run(spec.language, part)) {
        return None;
    }
    let parsed = parse_ranges(spec.language, text, &kept, tree)?;
    if begins_comment(spec, &parsed, change.inserted()) {
        return None;
    }
    let errors = Errors::scan(text, &parsed);
    let is_same = is_as_before(&parsed, &levels)
        && needs_recovery(spec, text, &parsed, errors).is_none()
        && (!parsed.root_node().has_error()
            || is_in(errors, &declaration) && plan.ends_there(tree, &parsed, &cuts, &declaration));
    is_same.then(|| Excerpt {
        tree: parsed,
        errors,
        cuts: cuts.iter().map(|cut| cut.start.0..cut.end.0).collect(),
        declaration,
    })
}

/// Whether there are errors, all of them within a declaration.
fn is_in(errors: Errors, declaration: &Range<usize>) -> bool {
    errors.count > 0 && declaration.start < errors.start && errors.end < declaration.end
}

/// Up to where a text is kept whole: to the first token of its grammar's own scanner. A node before which the
/// scanner has something else to remember than in the tree is not taken over from that, and nothing in it is; in
/// Rust that was half of what parsing an excerpt took.
fn head_end(spec: &Spec, tree: &Tree) -> usize {
    if !spec.has_scanned() {
        return 0;
    }
    let is_scanned = |node: Node<'_>| spec.is_scanned(node.kind_id());
    let mut cursor = tree.walk();
    let mut end = 0;
    for _ in 0..MAX_LOOKED_AT {
        let node = cursor.node();
        if cursor.depth() == 1 {
            end = node.end_byte();
        }
        if end > MAX_OF_HEAD {
            return 0;
        }
        if is_scanned(node) {
            return end;
        }
        let mut has_next = cursor.goto_first_child() || cursor.goto_next_sibling();
        while !has_next {
            if !cursor.goto_parent() {
                return 0;
            }
            has_next = cursor.goto_next_sibling();
        }
    }
    0
}

/// How an excerpt is made.
struct ExcerptPlan<'a> {
    spec: &'static Spec,
    text: &'a str,
    stale: &'a Stale,
    before: &'a Facts,
    change: TextReplacement,
    /// Where the namespace begins that is around all that follows it.
    namespace: Option<usize>,
    /// Up to where the text is kept whole.
    head_end: usize,
}

impl ExcerptPlan<'_> {
    /// Whether what is wrong in a declaration would be the same with what is left out behind it. `tree` is of the text,
    /// `parsed` of what is between the cuts.
    fn ends_there(
        &self,
        tree: &Tree,
        parsed: &Tree,
        cuts: &[&ExcerptCut],
        declaration: &Range<usize>,
    ) -> bool {
        let (language, text) = (self.spec.language, self.text);
        if has_unterminated(text, parsed) {
            return false;
        }
        let behind = cuts.iter().find(|cut| cut.start.0 >= declaration.end);
        let Some(cut) = behind.filter(|_| may_be_other(language, text, parsed)) else {
            return true;
        };
        // Listening to the parser takes as long again, and few errors need it.
        is_decided(
            end_before(text, cut.start),
            language,
            text,
            &kept(cuts),
            tree,
        )
    }

    /// What is kept, from the root to the list in which the edited declaration is.
    fn levels(&self, tree: &Tree) -> Option<Vec<KeptSiblings>> {
        let change = self.change;
        let mut levels: Vec<KeptSiblings> = Vec::new();
        let mut cursor = tree.walk();
        let mut is_list = true;
        loop {
            let parent = cursor.node();
            cursor.goto_first_child_for_byte(change.start)?;
            let child = cursor.node();
            let is_inside = child.start_byte() < change.start && change.new_end < child.end_byte();
            let is_around = self.is_around(parent, child);
            if !is_inside && is_list {
                return None;
            }
            if !(is_list || is_inside && is_around) {
                break;
            }
            let is_last = !is_around || self.stale.has(child);
            // What holds others has no other half; looking for one would take all that it holds.
            let tied = if is_last {
                self.tied(&cursor)
            } else {
                child.byte_range()
            };
            levels.push(self.level(parent, &cursor, &tied, is_list)?);
            if is_last {
                break;
            }
            is_list = self.is_body(parent, child);
        }
        while levels.last().is_some_and(|level| !level.is_list) {
            levels.pop();
        }
        // What is edited may become something else.
        let last = levels.last_mut()?;
        let way = last.way.clone();
        let edited = last.nodes.iter_mut().filter(|node| node.bytes == way);
        edited.for_each(|node| node.kind = None);
        Some(levels)
    }

    /// Whether a node holds declarations, wraps one that does, or is the body of one.
    fn is_around(&self, parent: Node<'_>, child: Node<'_>) -> bool {
        let wraps = || {
            let mut cursor = child.walk();
            let is_there = cursor
                .goto_first_child_for_byte(self.change.start)
                .is_some();
            is_there && self.is_declaration(cursor.node())
        };
        self.is_declaration(child) || self.is_body(parent, child) || wraps()
    }

    /// Whether a node is what a declaration holds others in.
    fn is_body(&self, parent: Node<'_>, child: Node<'_>) -> bool {
        let action = self.spec.action(child.kind_id());
        matches!(action, Action::Descend | Action::Scope(_))
            && self.is_declaration(parent)
            && child.end_byte() == parent.end_byte()
    }

    /// Whether a node declares what holds others, or wraps a declaration.
    fn is_declaration(&self, node: Node<'_>) -> bool {
        match self.spec.action(node.kind_id()) {
            Action::Wrapper => true,
            Action::Item(rule) => self
                .spec
                .rule(rule)
                .is_some_and(|rule| holds_members(rule.kind)),
            _ => false,
        }
    }

    /// The nodes below a parent that are kept: of a long list the first, the last, and those at the cursor.
    /// What is `tied` to the node at the cursor is kept whole.
    fn level<'t>(
        &self,
        parent: Node<'t>,
        at: &TreeCursor<'t>,
        tied: &Range<usize>,
        is_list: bool,
    ) -> Option<KeptSiblings> {
        let way = at.node();
        let mut list = CutList::default();
        if is_list && parent.child_count() > FEW {
            self.gather(parent, at, tied, &mut list)?;
        } else {
            list.kept.extend(parent.children(&mut parent.walk()));
        }
        if is_list {
            let is_other = |node: &&Node<'_>| {
                let start = node.start_byte();
                start >= self.head_end && !tied.contains(&start)
            };
            let others = list.kept.iter().filter(is_other);
            let cuts = others.filter_map(|node| self.code_of(*node));
            list.cuts.extend(cuts);
        }
        let shapes = list.kept.iter().map(|node| self.shape(*node));
        Some(KeptSiblings {
            nodes: shapes.collect(),
            way: way.byte_range(),
            is_list,
            cuts: list.cuts,
        })
    }

    fn shape(&self, node: Node<'_>) -> ExpectedNode {
        ExpectedNode {
            kind: (!self.stale.has(node)).then(|| node.kind_id()),
            bytes: node.byte_range(),
        }
    }

    /// What is read together with the node at the cursor: what a comment or an attribute is about, and the other half
    /// of what two nodes declare, as accessors do.
    fn tied(&self, at: &TreeCursor<'_>) -> Range<usize> {
        let by = self.change.shift().by;
        let start = at.node().start_byte() as u32;
        let end = (self.end_of_subject(at) as i64 - by) as u32;
        let items = &self.before.items;
        let first = items.partition_point(|item| item.start_byte < start);
        let inside = items[first..]
            .iter()
            .take_while(|item| item.start_byte < end);
        let reaches_in = |item: &&Item| (start + 1..=end).contains(&item.end_byte);
        let other = items[..first]
            .iter()
            .rev()
            .take(MAX_BESIDE)
            .find(reaches_in);
        let start = other.map_or(start, |item| item.start_byte);
        let end = inside.map(|item| item.end_byte).fold(end, u32::max);
        start as usize..(i64::from(end) + by) as usize
    }

    /// Where the first declaration ends from the node at the cursor on; a plain comment before a namespace is about nothing.
    fn end_of_subject(&self, at: &TreeCursor<'_>) -> usize {
        let mut cursor = at.clone();
        let mut most = Most::default();
        let mut is_plain_comment = true;
        while !self.is_plain(cursor.node()) {
            is_plain_comment &= self.is_plain_comment(cursor.node());
            let is_one_more = most.count(self.spec, cursor.node()).is_some();
            if !is_one_more || !cursor.goto_next_sibling() {
                break;
            }
        }
        let node = cursor.node();
        let is_about_none = is_plain_comment && self.spec.is_namespace(node.kind_id());
        if is_about_none { at.node() } else { node }.end_byte()
    }

    /// Whether a node is a comment that documents nothing.
    fn is_plain_comment(&self, node: Node<'_>) -> bool {
        let comment = self.text.get(node.byte_range()).unwrap_or("");
        self.spec.is_comment(node.kind_id()) && self.spec.is_plain_comment(comment)
    }

    /// The first and last nodes of a list, and those at the cursor.
    fn gather<'t>(
        &self,
        parent: Node<'t>,
        at: &TreeCursor<'t>,
        tied: &Range<usize>,
        list: &mut CutList<'t>,
    ) -> Option<()> {
        let (left, is_first) = self.left(parent, at, tied.start)?;
        let (right, next) = self.right(at, tied.end)?;
        let first = left.first().copied().unwrap_or(at.node());
        if !is_first {
            let (head, rest) = self.head(parent)?;
            let is_before = |node: &Node<'_>| node.start_byte() < first.start_byte();
            list.kept.extend(head.into_iter().filter(is_before));
            self.leave_out(rest, first, list);
        }
        list.kept.extend(left);
        list.kept.push(at.node());
        list.kept.extend(right);
        if let Some(next) = next {
            let tail = self.tail(parent)?;
            list.leave_out(next, *tail.first()?);
            let is_behind = |node: &Node<'_>| node.start_byte() >= next.start_byte();
            list.kept.extend(tail.into_iter().filter(is_behind));
        }
        Some(())
    }

    /// Leaves out what is from one node up to another one, but a namespace without a block.
    fn leave_out<'t>(&self, first: Node<'t>, last: Node<'t>, list: &mut CutList<'t>) {
        let between = first.start_byte()..last.start_byte();
        let namespace = self.namespace.filter(|start| between.contains(start));
        let node = namespace.and_then(|start| {
            let mut cursor = first.parent()?.walk();
            cursor.goto_first_child_for_byte(start)?;
            Some(cursor.node())
        });
        let is_kept = |node: &Node<'t>| length(node) < LONGEST && self.begins_line(*node);
        let Some(namespace) = node.filter(is_kept) else {
            return list.leave_out(first, last);
        };
        list.leave_out(first, namespace);
        list.kept.push(namespace);
        if let Some(next) = namespace.next_sibling() {
            list.leave_out(next, last);
        }
    }

    /// The nodes before the cursor's, from the beginning of a declaration on that is not behind a byte, and whether
    /// these are all.
    fn left<'t>(
        &self,
        parent: Node<'t>,
        at: &TreeCursor<'t>,
        start: usize,
    ) -> Option<(Vec<Node<'t>>, bool)> {
        let mut cursor = at.clone();
        let mut nodes = Vec::new();
        let mut most = Most::default();
        loop {
            let node = match to_previous(&mut cursor, parent, self.text) {
                Previous::Node(node) => node,
                Previous::None => {
                    nodes.reverse();
                    return Some((nodes, true));
                }
                Previous::Unknown => return None,
            };
            most.count(self.spec, node)?;
            nodes.push(node);
            if node.end_byte() <= start && self.is_plain(node) && self.begins_line(node) {
                nodes.reverse();
                return Some((nodes, false));
            }
        }
    }

    /// The nodes behind the cursor's, to the end of a declaration that is not before a byte, and what follows them.
    fn right<'t>(
        &self,
        at: &TreeCursor<'t>,
        end: usize,
    ) -> Option<(Vec<Node<'t>>, Option<Node<'t>>)> {
        let mut cursor = at.clone();
        let mut nodes: Vec<Node<'t>> = Vec::new();
        let mut most = Most::default();
        loop {
            if !cursor.goto_next_sibling() {
                return Some((nodes, None));
            }
            let node = cursor.node();
            let is_end = |node: &Node<'_>| self.is_plain(*node) && node.end_byte() >= end;
            if self.begins_line(node) && nodes.iter().any(is_end) {
                return Some((nodes, Some(node)));
            }
            most.count(self.spec, node)?;
            nodes.push(node);
        }
    }

    /// The first nodes of a list, with what is kept whole, and what follows them in a line of its own.
    fn head<'t>(&self, parent: Node<'t>) -> Option<(Vec<Node<'t>>, Node<'t>)> {
        let mut cursor = parent.walk();
        let mut nodes = Vec::new();
        let mut is_there = cursor.goto_first_child();
        while is_there && nodes.len() < MAX_BESIDE {
            let node = cursor.node();
            if !nodes.is_empty() && node.start_byte() >= self.head_end && self.begins_line(node) {
                return Some((nodes, node));
            }
            nodes.push(node);
            is_there = cursor.goto_next_sibling();
        }
        None
    }

    /// The last nodes of a list, from one in a line of its own on.
    fn tail<'t>(&self, parent: Node<'t>) -> Option<Vec<Node<'t>>> {
        let mut cursor = parent.walk();
        let mut nodes = Vec::new();
        cursor.goto_last_child();
        let mut last = Some(cursor.node()).filter(|node| *node != parent);
        while let Some(node) = last.filter(|_| nodes.len() < MAX_BESIDE) {
            nodes.push(node);
            if self.begins_line(node) {
                nodes.reverse();
                return Some(nodes);
            }
            last = match to_previous(&mut cursor, parent, self.text) {
                Previous::Node(node) => Some(node),
                _ => None,
            };
        }
        None
    }

    /// What may be left out of a declaration beside the edited one: all between the first and the last line of
    /// its code.
    fn code_of(&self, node: Node<'_>) -> Option<ExcerptCut> {
        if length(&node) < LEAST {
            return None;
        }
        let mut cursor = node.walk();
        for _ in 0..DEPTH {
            let around = cursor.node();
            let longest = around.children(&mut around.walk()).max_by_key(length)?;
            if length(&longest) * 2 < length(&around) {
                return None;
            }
            let action = self.spec.action(longest.kind_id());
            if matches!(action, Action::Code) || self.is_body(around, longest) {
                let first = longest.child(1)?;
                let last = longest.child(longest.child_count().checked_sub(1)?)?;
                let is_apart = self.begins_line(first) && self.begins_line(last);
                return ExcerptCut::between(first, last).filter(|_| is_apart);
            }
            cursor.reset(longest);
        }
        None
    }

    fn is_plain(&self, node: Node<'_>) -> bool {
        let kind = node.kind_id();
        node.is_named() && !self.spec.is_comment(kind) && !self.spec.is_attribute(kind)
    }

    /// Whether there is nothing before a node in its line.
    fn begins_line(&self, node: Node<'_>) -> bool {
        let start = node.start_byte();
        let line = start.checked_sub(node.start_position().column);
        let indent = line.and_then(|line| self.text.get(line..start));
        indent.is_some_and(|indent| indent.bytes().all(|byte| byte.is_ascii_whitespace()))
    }
}
