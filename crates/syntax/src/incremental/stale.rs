//! What of a text's tree is not as the text is.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::change::Change;

/// A declaration that was parsed by itself.
#[derive(Clone, Debug)]
struct Place {
    bytes: Range<usize>,
    /// Places in it that the grammar could not make sense of.
    errors: u16,
}

/// Declarations of a text that were parsed by themselves, so that its tree has them as they were before.
#[derive(Clone, Debug, Default)]
pub(super) struct Stale {
    places: Vec<Place>,
    /// An edit met the border of one: what the tree has there is not known.
    is_torn: bool,
}

impl Stale {
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether the tree is that of the text.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty() && !self.is_torn
    }

    pub(super) fn is_torn(&self) -> bool {
        self.is_torn
    }

    /// The text has changed.
    pub(super) fn edit(&mut self, change: Change) {
        let by = change.shift().by;
        let moved = |at: usize| (at as i64 + by) as usize;
        let mut is_torn = self.is_torn;
        self.places.retain_mut(|Place { bytes, .. }| {
            if change.old_end < bytes.start {
                *bytes = moved(bytes.start)..moved(bytes.end);
            } else if bytes.start < change.start && change.old_end < bytes.end {
                bytes.end = moved(bytes.end);
            } else if change.start <= bytes.end {
                is_torn = true;
                return false;
            }
            true
        });
        self.is_torn = is_torn;
    }

    /// A declaration was parsed by itself, with all that is in it and so many errors.
    pub(super) fn add(&mut self, declaration: Range<usize>, errors: u16) {
        self.places
            .retain(|place| !is_inside(&place.bytes, &declaration));
        self.places.push(Place {
            bytes: declaration,
            errors,
        });
    }

    /// How many errors there are in what of a declaration was parsed since the tree was made.
    pub(super) fn errors_in(&self, declaration: &Range<usize>) -> u16 {
        let places = self.places.iter();
        let inside = places.filter(|place| is_inside(&place.bytes, declaration));
        inside.map(|place| place.errors).sum()
    }

    /// Whether a node of the tree is one of them.
    pub(super) fn has(&self, node: Node<'_>) -> bool {
        let mut places = self.places.iter();
        places.any(|place| place.bytes == node.byte_range())
    }

    /// Where a tree of the present text may be another than what was read last, by where it is another than the
    /// old tree: in no declaration that was read since then, if that is in it as it was read.
    pub(super) fn unread(
        &self,
        differing: impl Iterator<Item = Range<usize>>,
        tree: &Tree,
        change: Change,
    ) -> Vec<Range<usize>> {
        let is_read = |place: &&Place| !place.touches(change) && place.is_sound_in(tree);
        let (read, others): (Vec<&Place>, Vec<&Place>) = self.places.iter().partition(is_read);
        let is_unread = |range: &Range<usize>| {
            let mut read = read.iter();
            !read.any(|place| is_inside(range, &place.bytes))
        };
        let others = others.into_iter().map(|place| place.bytes.clone());
        differing.filter(is_unread).chain(others).collect()
    }
}

impl Place {
    fn touches(&self, change: Change) -> bool {
        self.bytes.start <= change.new_end && change.start <= self.bytes.end
    }

    /// Whether it is one node of a tree, and was read without errors and has none now: then it is what it was.
    /// What the grammar makes nothing of it may take otherwise with the rest of the text around it.
    fn is_sound_in(&self, tree: &Tree) -> bool {
        let root = tree.root_node();
        let node = root.descendant_for_byte_range(self.bytes.start, self.bytes.end);
        let is_it = |node: Node<'_>| node.byte_range() == self.bytes && !node.has_error();
        self.errors == 0 && node.is_some_and(is_it)
    }
}

fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
