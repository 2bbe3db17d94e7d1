//! A text as its grammar is shown it, with its tree.
//!
//! Some of a text may be blanked out before it is parsed, and macro calls unwrapped after that; each of
//! the texts on the way has a tree. After an edit every one of them is parsed again from its own, so
//! that this costs what tree-sitter's own parse does, once for each.

use std::borrow::Cow;

use tree_sitter::{InputEdit, Tree};

use super::change::Change;
use crate::Language;
use crate::macro_items::Unwrapped;
use crate::mask::readable;
use crate::parse::parse_untangled;
use crate::reparse::{Parsed, touch};
use crate::tangle::knots;

/// What the grammar is shown first.
#[derive(Debug)]
enum Base {
    /// The text as it is; its tree is told of edits.
    Plain(Tree),
    /// The text with blanks.
    Masked(Parsed),
}

/// A text as it is read.
#[derive(Debug)]
pub(super) struct Shown {
    base: Base,
    unwrapped: Unwrapped,
}

impl Shown {
    /// Parses a text, with what is known of it before an edit, and that edit. `None` where it cannot be parsed;
    /// knots are looked for only if that is asked.
    pub(super) fn read(
        language: Language,
        text: &str,
        known: Option<(&Self, Option<Change>)>,
        looks_for_knots: bool,
    ) -> Option<Self> {
        let readable = readable(language, text);
        if looks_for_knots && !knots(language, &readable).is_empty() {
            return None;
        }
        let change = known.and_then(|(_, change)| change);
        let known = known.map(|(known, _)| known);
        let base = match (readable, known.map(|known| &known.base)) {
            (Cow::Borrowed(text), Some(Base::Plain(tree))) => {
                let mut tree = tree.clone();
                if let Some(change) = change {
                    touch(&mut tree, text, change.start..change.new_end);
                }
                Base::Plain(parse_untangled(language, text, Some(&tree))?)
            }
            (Cow::Borrowed(text), _) => Base::Plain(parse_untangled(language, text, None)?),
            (Cow::Owned(text), Some(Base::Masked(known))) => {
                Base::Masked(Parsed::again(language, text, Some(known))?)
            }
            (Cow::Owned(text), _) => Base::Masked(Parsed::again(language, text, None)?),
        };
        let none = Unwrapped::default();
        let known = known.map_or(&none, |known| &known.unwrapped);
        let unwrapped = match &base {
            Base::Plain(tree) => known.next(language, text, tree),
            Base::Masked(parsed) => known.next(language, &parsed.text, &parsed.tree),
        };
        Some(Self { base, unwrapped })
    }

    /// The text has changed.
    pub(super) fn edit(&mut self, edit: &InputEdit) {
        if let Base::Plain(tree) = &mut self.base {
            tree.edit(edit);
        }
    }

    /// What is walked, of a text, and its tree.
    pub(super) fn last<'a>(&'a self, text: &'a str) -> (&'a str, &'a Tree) {
        match self.unwrapped.last() {
            Some(last) => (&last.text, &last.tree),
            None => self.base(text),
        }
    }

    /// What the grammar was shown first, of a text, and its tree.
    pub(super) fn base<'a>(&'a self, text: &'a str) -> (&'a str, &'a Tree) {
        match &self.base {
            Base::Plain(tree) => (text, tree),
            Base::Masked(parsed) => (&parsed.text, &parsed.tree),
        }
    }

    /// How many trees are kept of it.
    pub(super) fn trees(&self) -> usize {
        1 + self.unwrapped.trees()
    }

    /// Whether macro calls are unwrapped in it.
    pub(super) fn is_unwrapped(&self) -> bool {
        self.unwrapped.last().is_some()
    }

    /// The last tree before a change, told of it and of what else is shown otherwise, with all of that
    /// as one change. `None` where the two were not made alike.
    pub(super) fn before(&self, now: &Self, text: &str, change: Change) -> Option<(Tree, Change)> {
        let known = match (self.unwrapped.last(), now.unwrapped.last()) {
            (Some(known), Some(_)) => known,
            (None, None) => match (&self.base, &now.base) {
                (Base::Plain(tree), Base::Plain(_)) => return Some((tree.clone(), change)),
                (Base::Masked(known), Base::Masked(_)) => known,
                _ => return None,
            },
            _ => return None,
        };
        let (tree, differing) = known.moved_to(now.last(text).0);
        let change = differing.map_or(change, |differing| change.around(differing));
        Some((tree, change))
    }
}
