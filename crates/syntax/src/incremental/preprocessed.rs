//! A preprocessed text with its tree.
//!
//! Some of a text may be blanked out before it is parsed, and macro calls unwrapped after that; each of
//! the texts on the way has a tree. After an edit an excerpt of the last of them is parsed where that is enough;
//! otherwise every one of them is parsed again from its own, so that this costs what tree-sitter's own parse
//! does, once for each.

use std::borrow::Cow;

use tree_sitter::{InputEdit, Tree};

use super::edited_tree::EditedTree;
use super::excerpt::{Excerpt, excerpt};
use super::stale::Stale;
use crate::Language;
use crate::ambiguity::ambiguous_spans;
use crate::change::TextReplacement;
use crate::comment_runs::has_long_run;
use crate::error_recovery::Errors;
use crate::facts::Facts;
use crate::macro_items::Unwrapped;
use crate::parser::parse_unambiguous;
use crate::preprocess::{is_scanned, keeps, preprocess, stays_as_written};
use crate::reparse::{Parsed, touch};
use crate::spec::Spec;
use crate::walk::is_read_by_parts;

/// What is parsed first.
#[derive(Debug)]
enum PreprocessedBase {
    /// The text as it is; its tree is told of edits.
    Plain(Tree),
    /// The text with blanks, or one of which it takes long to know that it needs none.
    Preprocessed(Parsed),
}

impl PreprocessedBase {
    /// Whether the next text is parsed from this one's tree. Where the parser made something of an error it may go
    /// on doing so when there is none any more. What is read whole in any case is parsed anew then.
    fn is_worth_more(&self, language: Language) -> bool {
        let (Self::Plain(tree) | Self::Preprocessed(Parsed { tree, .. })) = self;
        is_read_by_parts(language) || !tree.root_node().has_error()
    }
}

/// A preprocessed text, of its own where finding that out again takes long.
fn worth_keeping(language: Language, text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) if is_scanned(language, text) => Cow::Owned(text.to_owned()),
        text => text,
    }
}

/// A text as it is read: preprocessed, and with the items of macro calls.
#[derive(Debug)]
pub(super) struct Preprocessed {
    base: PreprocessedBase,
    unwrapped: Unwrapped,
    /// What was replaced in the text and is not yet in the last one that is kept of it.
    pending: Option<TextReplacement>,
    /// What the grammar could not make sense of in what is walked.
    errors: Errors,
    /// What has been read since.
    stale: Stale,
    /// Whether the tree does not have all comments.
    hides_comments: bool,
}

impl Preprocessed {
    /// Parses a text, with what is known of it before an edit, and that edit. `None` where it cannot be parsed;
    /// ambiguities are looked for only if that is asked.
    pub(super) fn read(
        language: Language,
        text: &str,
        known: Option<(&Self, Option<TextReplacement>)>,
        checks_ambiguity: bool,
    ) -> Option<Self> {
        let readable = match known {
            Some((known, Some(_))) => known.preprocess(language, text),
            _ => worth_keeping(language, preprocess(language, text)),
        };
        if checks_ambiguity && !ambiguous_spans(language, &readable).is_empty() {
            return None;
        }
        let change = known.and_then(|(_, change)| change);
        let known = known.map(|(known, _)| known);
        let base = known.map(|known| &known.base);
        let base = match (readable, base.filter(|base| base.is_worth_more(language))) {
            (Cow::Borrowed(text), Some(PreprocessedBase::Plain(tree))) => {
                let mut tree = tree.clone();
                if let Some(change) = change {
                    touch(&mut tree, text, change.inserted());
                }
                PreprocessedBase::Plain(parse_unambiguous(language, text, Some(&tree))?)
            }
            (Cow::Borrowed(text), _) => {
                PreprocessedBase::Plain(parse_unambiguous(language, text, None)?)
            }
            (Cow::Owned(text), Some(PreprocessedBase::Preprocessed(known))) => {
                PreprocessedBase::Preprocessed(Parsed::again(language, text, Some(known))?)
            }
            (Cow::Owned(text), _) => {
                PreprocessedBase::Preprocessed(Parsed::again(language, text, None)?)
            }
        };
        let none = Unwrapped::default();
        let known = known.map_or(&none, |known| &known.unwrapped);
        let unwrapped = match &base {
            PreprocessedBase::Plain(tree) => known.next(language, text, tree),
            PreprocessedBase::Preprocessed(parsed) => {
                known.next(language, &parsed.text, &parsed.tree)
            }
        };
        let mut preprocessed = Self {
            base,
            unwrapped,
            pending: None,
            errors: Errors::default(),
            stale: Stale::default(),
            hides_comments: false,
        };
        let (readable, tree) = preprocessed.last(text);
        let hides_comments = has_long_run(language, readable);
        preprocessed.errors = Errors::scan(readable, tree);
        preprocessed.stale = Stale::none(preprocessed.errors);
        preprocessed.hides_comments = hides_comments;
        Some(preprocessed)
    }

    /// The text has changed.
    pub(super) fn edit(&mut self, edit: &InputEdit) {
        if let PreprocessedBase::Plain(tree) = &mut self.base {
            tree.edit(edit);
        }
        let change = TextReplacement::of_input(edit);
        self.stale.edit(change);
        self.pending = Some(self.pending.map_or(change, |before| before.then(change)));
        let InputEdit {
            start_byte,
            old_end_byte,
            new_end_byte,
            ..
        } = *edit;
        self.unwrapped.edit(start_byte, old_end_byte, new_end_byte);
    }

    /// What a change is in, parsed by itself, and the change in the preprocessed text. `None` where that is not
    /// enough.
    pub(super) fn excerpt(
        &mut self,
        spec: &'static Spec,
        text: &str,
        before: &Facts,
        change: TextReplacement,
    ) -> Option<(Excerpt, TextReplacement)> {
        if self.hides_comments {
            return None;
        }
        self.follow(spec.language, text)?;
        let last = self.unwrapped.last().or(match &self.base {
            PreprocessedBase::Plain(_) => None,
            PreprocessedBase::Preprocessed(parsed) => Some(parsed),
        });
        let change = last
            .and_then(Parsed::told)
            .map_or(change, |told| change.around(told));
        let (text, tree) = self.last(text);
        let edited = EditedTree { text, tree, change };
        let excerpt = excerpt(spec, before, edited, &self.stale)?;
        if excerpt.errors.count > 0 && self.unwrapped.has_call_in(&excerpt.declaration) {
            return None; // a call that does not parse as items is none
        }
        let unwrapped = Unwrapped::default().next(spec.language, text, &excerpt.tree);
        unwrapped.last().is_none().then_some((excerpt, change))
    }

    /// Whether a text is known to have no unbounded ambiguity, without parsing that.
    pub(super) fn is_unambiguous(&mut self, language: Language, text: &str) -> bool {
        self.follow(language, text).is_some()
            && ambiguous_spans(language, self.base(text).0).is_empty()
    }

    /// Brings the preprocessed text up to a text, without parsing. `None` where that is not made as it was.
    fn follow(&mut self, language: Language, text: &str) -> Option<()> {
        let Some(change) = self.pending else {
            return Some(());
        };
        if self.is_unwrapped() {
            self.unwrapped.follow(change, text)?;
        } else if self.unwrapped.is_edited() {
            return None;
        } else if let PreprocessedBase::Preprocessed(known) = &mut self.base {
            let keeps = keeps(language, &known.text, text, change);
            if !keeps || known.apply(change, text).is_none() {
                match worth_keeping(language, preprocess(language, text)) {
                    Cow::Owned(text) => known.move_to(text),
                    Cow::Borrowed(_) => return None,
                }
            }
        } else if !stays_as_written(language, text, change.inserted())
            && matches!(
                worth_keeping(language, preprocess(language, text)),
                Cow::Owned(_)
            )
        {
            return None;
        }
        self.pending = None;
        Some(())
    }

    /// The preprocessed text.
    fn preprocess<'a>(&self, language: Language, text: &'a str) -> Cow<'a, str> {
        let again = match (&self.base, self.pending) {
            (PreprocessedBase::Preprocessed(known), None) => Some(known.text.clone()),
            (PreprocessedBase::Preprocessed(known), Some(change)) => {
                let keeps = keeps(language, &known.text, text, change);
                keeps.then(|| change.applied(&known.text, text)).flatten()
            }
            _ => None,
        };
        match again {
            Some(text) => Cow::Owned(text),
            None => worth_keeping(language, preprocess(language, text)),
        }
    }

    /// A declaration was read without the tree.
    pub(super) fn was_read(&mut self, excerpt: &Excerpt) {
        let has_errors = excerpt.errors.count > 0;
        self.stale.add(excerpt.declaration.clone(), has_errors);
        if self.is_unwrapped() {
            self.unwrapped.was_read();
        } else if let PreprocessedBase::Preprocessed(parsed) = &mut self.base {
            parsed.was_read();
        }
    }

    /// What the grammar could not make sense of, in the tree of what is walked.
    pub(super) fn errors(&self) -> Errors {
        self.errors
    }

    /// What was read since the tree was made.
    pub(super) fn stale(&self) -> &Stale {
        &self.stale
    }

    /// What is walked, of a text, and its tree.
    pub(super) fn last<'a>(&'a self, text: &'a str) -> (&'a str, &'a Tree) {
        match self.unwrapped.last() {
            Some(last) => (&last.text, &last.tree),
            None => self.base(text),
        }
    }

    /// What was parsed first of a text, and its tree.
    pub(super) fn base<'a>(&'a self, text: &'a str) -> (&'a str, &'a Tree) {
        match &self.base {
            PreprocessedBase::Plain(tree) => (text, tree),
            PreprocessedBase::Preprocessed(parsed) => (&parsed.text, &parsed.tree),
        }
    }

    /// How many trees are kept of it.
    pub(super) fn trees(&self) -> usize {
        1 + self.unwrapped.trees()
    }

    /// Whether the tree does not have all comments: what stands between its nodes is not known from it.
    pub(super) fn hides_comments(&self) -> bool {
        self.hides_comments
    }

    /// Whether macro calls are unwrapped in it.
    pub(super) fn is_unwrapped(&self) -> bool {
        self.unwrapped.last().is_some()
    }

    /// The last tree before a change, told of it and of what else is preprocessed otherwise, with all of that
    /// as one change. `None` where the two were not made in the same way.
    pub(super) fn before(
        &self,
        now: &Self,
        text: &str,
        change: TextReplacement,
    ) -> Option<(Tree, TextReplacement)> {
        let known = match (self.unwrapped.last(), now.unwrapped.last()) {
            (Some(known), Some(_)) => known,
            (None, None) => match (&self.base, &now.base) {
                (PreprocessedBase::Plain(tree), PreprocessedBase::Plain(_)) => {
                    return Some((tree.clone(), change));
                }
                (PreprocessedBase::Preprocessed(known), PreprocessedBase::Preprocessed(_)) => known,
                _ => return None,
            },
            _ => return None,
        };
        let (tree, differing) = known.moved_to(now.last(text).0);
        let change = differing.map_or(change, |differing| change.around(differing));
        Some((tree, change))
    }
}
