//! Which parts of a text's tree are stale: not as the text is.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::change::TextReplacement;
use crate::error_recovery::Errors;

/// Declarations of a text that were parsed by themselves, so that its tree has them as they were before.
#[derive(Clone, Debug, Default)]
pub(super) struct Stale {
    /// In the order of the text.
    places: Vec<Range<usize>>,
    /// The one of them in which there were errors when it was read last: all that the text has.
    broken: Option<Range<usize>>,
    /// Where the tree has errors, from the first to the last.
    errors: Option<Range<usize>>,
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

    /// A tree that is that of the text, with these errors.
    pub(super) fn none(errors: Errors) -> Self {
        Self {
            errors: (errors.count > 0).then_some(errors.start..errors.end),
            ..Self::default()
        }
    }

    /// Whether all errors of a tree, which was told of edits since, are within a declaration, or within one that
    /// was read since.
    pub(super) fn errs_in(&self, tree: &Tree, declaration: &Range<usize>) -> bool {
        let Some(errors) = &self.errors else {
            return !tree.root_node().has_error();
        };
        let mut declarations = self.places.iter().chain([declaration]);
        declarations.any(|place| place.start < errors.start && errors.end < place.end)
    }

    /// Whether it is known where the errors of the text were when it was read last.
    pub(super) fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Whether all errors of the text as it was read last are within a declaration.
    pub(super) fn breaks_in(&self, declaration: &Range<usize>) -> bool {
        let broken = self.broken.as_ref();
        broken.is_none_or(|broken| is_inside(broken, declaration))
    }

    /// The text has changed.
    pub(super) fn edit(&mut self, change: TextReplacement) {
        if let Some(errors) = &mut self.errors {
            follow(errors, change);
        }
        for place in self.places.iter_mut().chain(&mut self.broken) {
            self.is_torn |= follow(place, change);
        }
    }

    /// A declaration was parsed by itself, with all that is in it.
    pub(super) fn add(&mut self, declaration: Range<usize>, has_errors: bool) {
        self.places.retain(|place| !is_inside(place, &declaration));
        self.broken = has_errors.then(|| declaration.clone());
        let at = self
            .places
            .partition_point(|place| place.start < declaration.start);
        self.places.insert(at, declaration);
    }

    /// Whether a node of the tree is one of them.
    pub(super) fn has(&self, node: Node<'_>) -> bool {
        self.holds(&node.byte_range())
    }

    /// Whether a declaration is one of them.
    pub(super) fn holds(&self, declaration: &Range<usize>) -> bool {
        let at = self
            .places
            .partition_point(|place| place.start < declaration.start);
        let behind = self.places[at..].iter();
        let mut same_start = behind.take_while(|place| place.start == declaration.start);
        same_start.any(|place| place == declaration)
    }

    /// Where a tree of the present text may be another than what was read last, by where it is another than the
    /// old tree: in no declaration that was read since then, if that is in it as it was read.
    pub(super) fn unread(
        &self,
        differing: impl Iterator<Item = Range<usize>>,
        tree: &Tree,
        change: TextReplacement,
    ) -> Vec<Range<usize>> {
        let is_read = |place: &&Range<usize>| {
            let was_sound = self.broken.as_ref() != Some(*place);
            was_sound && !touches(place, change) && is_sound_in(tree, place)
        };
        let (read, others): (Vec<_>, Vec<_>) = self.places.iter().partition(is_read);
        let is_unread = |range: &Range<usize>| !read.iter().any(|place| is_inside(range, place));
        let others = others.into_iter().cloned();
        differing.filter(is_unread).chain(others).collect()
    }
}

/// Moves a place with an edit, or makes it one with what that replaced. Whether the edit reached out of it.
fn follow(place: &mut Range<usize>, change: TextReplacement) -> bool {
    if place.end < change.start {
        return false;
    }
    let moved = |at: usize| (at as i64 + change.shift().by) as usize;
    if change.old_end < place.start {
        *place = moved(place.start)..moved(place.end);
        return false;
    }
    let is_inside = place.start < change.start && change.old_end < place.end;
    *place = place.start.min(change.start)..moved(place.end.max(change.old_end));
    !is_inside
}

fn touches(place: &Range<usize>, change: TextReplacement) -> bool {
    place.start <= change.new_end && change.start <= place.end
}

/// Whether what was read without errors is one node of a tree that has none: then it is what it was.
fn is_sound_in(tree: &Tree, place: &Range<usize>) -> bool {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.byte_range() == *place {
            return !node.has_error();
        }
        // A node's own way down skips what stands before the place; going by all of it would take longer than
        // reading the place again.
        let is_around = is_inside(place, &node.byte_range());
        if !is_around || cursor.goto_first_child_for_byte(place.start).is_none() {
            return false;
        }
    }
}

fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
