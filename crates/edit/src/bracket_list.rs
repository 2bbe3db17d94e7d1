//! Lists in brackets: parameters and arguments, with the edits that keep their layout.

use std::ops::Range;

use tree_sitter::Node;

use crate::rewrite::{TextPart, TextRewrite};
use crate::tree::{children, is_comment, range_of, text_of};

/// An element of a list.
#[derive(Clone, Debug)]
pub(crate) struct ListItem<'t> {
    /// From its first token to its last one.
    pub(crate) range: Range<u32>,
    /// Its nodes, without comments.
    pub(crate) nodes: Vec<Node<'t>>,
}

/// A list in brackets.
#[derive(Clone, Debug)]
pub(crate) struct BracketList<'t> {
    /// Behind the opening bracket.
    pub(crate) open: u32,
    /// At the closing bracket.
    pub(crate) close: u32,
    pub(crate) items: Vec<ListItem<'t>>,
}

impl<'t> BracketList<'t> {
    /// Of a node that begins and ends with a bracket; nothing where it does not.
    pub(crate) fn new(node: Node<'t>, text: &str) -> Option<Self> {
        let all = children(node);
        let (first, last) = (all.first()?, all.last()?);
        let is_pair = matches!(
            (text_of(*first, text), text_of(*last, text)),
            ("(", ")") | ("{", "}") | ("[", "]")
        );
        if all.len() < 2 || !is_pair {
            return None;
        }
        let inside = all.get(1..all.len() - 1)?;
        let (open, close) = (first.end_byte() as u32, last.start_byte() as u32);
        Some(Self::between(inside, open..close, text))
    }

    /// Of nodes with commas between them, which stand between two bytes.
    pub(crate) fn between(nodes: &[Node<'t>], inside: Range<u32>, text: &str) -> Self {
        let mut items: Vec<ListItem<'t>> = Vec::new();
        let mut is_open = false;
        for child in nodes {
            if is_comment(*child) {
                continue;
            }
            if text_of(*child, text) == "," && !child.is_named() {
                is_open = false;
                continue;
            }
            let range = range_of(*child);
            match items.last_mut().filter(|_| is_open) {
                Some(item) => {
                    item.range.end = range.end;
                    item.nodes.push(*child);
                }
                None => items.push(ListItem {
                    range,
                    nodes: vec![*child],
                }),
            }
            is_open = true;
        }
        Self {
            open: inside.start,
            close: inside.end,
            items,
        }
    }

    /// Puts an element at a place.
    pub(crate) fn insert(
        &self,
        rewrite: &mut TextRewrite,
        text: &str,
        place: usize,
        code: &[TextPart],
    ) {
        let mut parts = code.to_vec();
        let Some(at) = self.items.get(place) else {
            match self.items.last() {
                None => rewrite.insert(self.open, parts),
                Some(last) => {
                    let gap = self.gap_before(text, self.items.len() - 1);
                    let gap = gap.filter(|gap| gap.contains('\n')).unwrap_or(" ");
                    parts.insert(0, TextPart::Text(format!(",{gap}")));
                    rewrite.insert(last.range.end, parts);
                }
            }
            return;
        };
        let gap = self.gap_before(text, place);
        let gap = gap.filter(|gap| gap.contains('\n')).unwrap_or(" ");
        parts.push(TextPart::Text(format!(",{gap}")));
        rewrite.insert(at.range.start, parts);
    }

    /// Takes the element of a place away.
    pub(crate) fn remove(&self, rewrite: &mut TextRewrite, text: &str, place: usize) {
        self.remove_all(rewrite, text, place..place + 1);
    }

    /// Takes the elements of several places away.
    pub(crate) fn remove_all(&self, rewrite: &mut TextRewrite, text: &str, places: Range<usize>) {
        let (Some(first), Some(last)) = (
            self.items.get(places.start),
            places
                .end
                .checked_sub(1)
                .and_then(|last| self.items.get(last)),
        ) else {
            return;
        };
        if let Some(next) = self.items.get(places.end) {
            let gap = last.range.end..next.range.start;
            match is_only_separator(text, &gap) {
                true => rewrite.remove(first.range.start..next.range.start),
                false => {
                    // A comment stays.
                    rewrite.remove(first.range.start..last.range.end);
                    remove_comma(rewrite, text, gap);
                }
            }
            return;
        }
        let behind = last.range.end..self.close;
        match places
            .start
            .checked_sub(1)
            .and_then(|before| self.items.get(before))
        {
            Some(before) => {
                let gap = before.range.end..first.range.start;
                match is_only_separator(text, &gap) {
                    true => rewrite.remove(before.range.end..last.range.end),
                    false => {
                        rewrite.remove(first.range.start..last.range.end);
                        remove_comma(rewrite, text, gap);
                    }
                }
            }
            // The last one of all: a comma behind it goes too.
            None => match is_only_separator(text, &behind) {
                true => rewrite.remove(self.open..self.close),
                false => {
                    rewrite.remove(first.range.start..last.range.end);
                    remove_comma(rewrite, text, behind);
                }
            },
        }
    }

    /// Takes the elements of these places away, which are in order.
    pub(crate) fn remove_set(&self, rewrite: &mut TextRewrite, text: &str, places: &[usize]) {
        let mut run: Option<Range<usize>> = None;
        for place in places {
            match &mut run {
                Some(run) if run.end == *place => run.end += 1,
                other => {
                    if let Some(run) = other.replace(*place..*place + 1) {
                        self.remove_all(rewrite, text, run);
                    }
                }
            }
        }
        if let Some(run) = run {
            self.remove_all(rewrite, text, run);
        }
    }

    /// Puts the elements in another order: `order[i]` is the place before of what stands at `i` afterwards.
    pub(crate) fn reorder(&self, rewrite: &mut TextRewrite, order: &[usize]) {
        let moved = |place: &usize| order.get(*place) != Some(place);
        let (Some(first), Some(last)) = (
            (0..order.len()).find(moved),
            (0..order.len()).rev().find(moved),
        ) else {
            return;
        };
        let mut parts = Vec::new();
        for place in first..=last {
            let (Some(item), Some(slot)) = (
                order.get(place).and_then(|from| self.items.get(*from)),
                self.items.get(place),
            ) else {
                return;
            };
            if place > first
                && let Some(before) = self.items.get(place - 1)
            {
                parts.push(TextPart::Source(before.range.end..slot.range.start));
            }
            parts.push(TextPart::Source(item.range.clone()));
        }
        if let (Some(first), Some(last)) = (self.items.get(first), self.items.get(last)) {
            rewrite.replace(first.range.start..last.range.end, parts);
        }
    }

    /// What stands between an element and the bracket or comma before it, where that is white space.
    fn gap_before<'s>(&self, text: &'s str, place: usize) -> Option<&'s str> {
        let at = self.items.get(place)?.range.start;
        let start = match place.checked_sub(1) {
            Some(before) => self.items.get(before)?.range.end,
            None => self.open,
        };
        let gap = text.get(start as usize..at as usize)?;
        let gap = gap.strip_prefix(',').unwrap_or(gap);
        gap.chars().all(char::is_whitespace).then_some(gap)
    }
}

/// Whether there is nothing but white space and one comma at most.
fn is_only_separator(text: &str, gap: &Range<u32>) -> bool {
    let gap = text.get(gap.start as usize..gap.end as usize);
    let rest = gap.unwrap_or("?").replacen(',', "", 1);
    rest.chars().all(char::is_whitespace)
}

/// Takes the comma of a gap with comments away: the first one before a comment or the last one behind it.
fn remove_comma(rewrite: &mut TextRewrite, text: &str, gap: Range<u32>) {
    let Some(between) = text.get(gap.start as usize..gap.end as usize) else {
        return;
    };
    let trimmed = between.trim_start();
    let comma = match trimmed.starts_with(',') {
        true => Some(between.len() - trimmed.len()),
        false => between
            .trim_end()
            .ends_with(',')
            .then(|| between.trim_end().len() - 1),
    };
    if let Some(comma) = comma {
        let at = gap.start + comma as u32;
        rewrite.remove(at..at + 1);
    }
}
