//! What is kept of a text that is being edited.

use std::ops::Range;

use codecortex_text::Edit;
use tree_sitter::Tree;

use super::change::{Change, input_edit};
use super::shown::Shown;
use super::stale::Stale;
use super::{Edited, Reason, Reuse};
use crate::analyse::{AsRead, content_hash, facts_as_read};
use crate::ending::may_be_open;
use crate::facts::Facts;
use crate::layers::Digest;
use crate::repair::{Errors, Repaired, repaired};
use crate::spec::{Spec, spec};
use crate::walk::Trace;
use crate::{Language, Limits, Outcome, analyse_text};

/// A text that is being edited: its tree, and what reading parts of it again needs.
#[derive(Debug)]
pub struct Reader {
    language: Language,
    shown: Shown,
    trace: Option<Trace>,
    change: Option<Change>,
    /// The last text that was read as it stands, if the present one is mended before it is read.
    sound: Option<Sound>,
    /// Bytes that have come or gone since the text was looked through for knots.
    unseen: usize,
    /// Of the text that was read last.
    hash: Digest,
    /// Why that was read whole.
    whole: Option<Reason>,
    /// What closing brackets in the present text gives, while it is read and where that was tried: it takes
    /// as long as reading all of it.
    repaired: Option<Repaired>,
}

/// So many bytes more or less tie no knot; looking for one takes longer than reading a part.
const MOST_UNSEEN: usize = 256;

/// A text before the present one.
#[derive(Debug)]
struct Sound {
    facts: Facts,
    shown: Shown,
    trace: Trace,
    change: Change,
}

/// What a text is compared with.
struct Known<'a> {
    facts: &'a Facts,
    shown: &'a Shown,
    change: Change,
}

impl Reader {
    /// Analyses a text as [`analyse_text`] does, and keeps what later edits need. No reader where the
    /// text has no facts.
    #[must_use]
    pub fn open(path: &str, text: &str, limits: Limits) -> (Outcome, Option<Self>) {
        let outcome = analyse_text(path, text, limits);
        let Outcome::Facts(facts) = &outcome else {
            return (outcome, None);
        };
        let language = facts.language;
        let Some(shown) = Shown::read(language, text, None, true) else {
            return (outcome, None);
        };
        let reader = Self {
            language,
            shown,
            trace: None,
            change: None,
            sound: None,
            unseen: 0,
            hash: facts.hash,
            whole: Some(Reason::First),
            repaired: None,
        };
        (outcome, Some(reader))
    }

    /// The facts of the text from all of its tree: what [`Reader::read`] gives, the long way.
    #[must_use]
    pub fn read_whole(&self, text: &str) -> Option<Facts> {
        let spec = spec(self.language)?;
        if self.shown.stale().is_empty() {
            return Some(traced(&self.shown, spec, text, None).0);
        }
        let shown = Shown::read(self.language, text, Some((&self.shown, None)), false)?;
        Some(traced(&shown, spec, text, None).0)
    }

    /// Why the text was read whole the last time; nothing where a part of it was enough.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        self.whole
    }

    /// The language that the text is read as.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// How many trees of the text are kept: one of each form in which its grammar is shown it, and those
    /// of the last text that was read as it stands.
    #[must_use]
    pub fn trees(&self) -> usize {
        let sound = self.sound.as_ref();
        self.shown.trees() + sound.map_or(0, |sound| sound.shown.trees())
    }

    /// The text has changed.
    pub fn edit(&mut self, edit: &Edit) {
        let input = input_edit(edit);
        let change = Change::of(edit);
        self.shown.edit(&input);
        self.change = Some(self.change.map_or(change, |before| before.then(change)));
        if let Some(sound) = &mut self.sound {
            sound.shown.edit(&input);
            sound.change = sound.change.then(change);
        }
        self.unseen += (edit.old_end - edit.start) + (edit.new_end - edit.start);
    }

    /// The facts of the text as it is now. `before` are the facts that this gave last. `None` where
    /// the text is too ambiguous to parse; then this is of no more use.
    pub fn read(&mut self, text: &str, before: Option<&Facts>) -> Option<(Facts, Option<Reuse>)> {
        let change = self.change.take();
        let spec = spec(self.language)?;
        if let (Some(change), Some(before)) = (change, before)
            && let Some((facts, reuse)) = self.excerpt(spec, text, change, before)
        {
            return Some((facts, Some(reuse)));
        }
        let shown = self.parsed(text, change)?;
        let shown = std::mem::replace(&mut self.shown, shown);
        let before = before.filter(|facts| facts.hash == self.hash);
        self.whole = Some(Reason::First);
        if let (Some(change), Some(facts), Some(trace)) = (change, before, self.trace.take()) {
            let known = Known {
                facts,
                shown: &shown,
                change,
            };
            match self.part(spec, text, &known, trace) {
                Ok((facts, reuse)) => return Some((facts, Some(reuse))),
                Err(Some(trace)) => {
                    let facts = facts.clone();
                    self.sound = Some(Sound {
                        facts,
                        shown,
                        trace: *trace,
                        change,
                    });
                }
                Err(None) => {}
            }
        } else if let Some(sound) = self.sound.take() {
            let known = Known {
                facts: &sound.facts,
                shown: &sound.shown,
                change: sound.change,
            };
            match self.part(spec, text, &known, sound.trace) {
                Ok((facts, _)) => return Some((facts, None)),
                Err(Some(trace)) => {
                    self.sound = Some(Sound {
                        trace: *trace,
                        ..sound
                    });
                }
                Err(None) => {}
            }
        }
        let repaired = self.repaired.take();
        let (facts, trace) = traced(&self.shown, spec, text, repaired);
        self.hash = facts.hash;
        let in_order = facts.items.is_sorted_by_key(|item| item.start_byte)
            && facts.bases.is_sorted_by_key(|base| base.item);
        self.trace = trace.filter(|trace| {
            in_order && trace.members.is_sorted() && is_read_by_parts(self.language)
        });
        if self.trace.is_some() {
            self.sound = None;
        }
        Some((facts, None))
    }

    /// The facts from what the change is in alone, if they are the same as before elsewhere.
    fn excerpt(
        &mut self,
        spec: &'static Spec,
        text: &str,
        change: Change,
        before: &Facts,
    ) -> Option<(Facts, Reuse)> {
        // Which of the errors are in a text without its macro calls is not known.
        let is_known = before.syntax_errors == 0
            || !self.shown.is_unwrapped()
            || self.shown.stale().is_broken();
        if !is_known || before.hash != self.hash || self.unseen > MOST_UNSEEN {
            return None;
        }
        let trace = self.trace.as_mut()?;
        let (excerpt, told) = self.shown.excerpt(spec, text, before, change)?;
        let change = told.change;
        let edited = Edited {
            spec,
            text,
            before,
            tree: &excerpt.tree,
            cuts: &excerpt.cuts,
            // What is in it may all be another, but it is read whole.
            changed: excerpt.declaration.start..change.new_end,
            syntax_errors: excerpt.errors.count,
            change,
        };
        let lines = trace.lines.clone();
        match edited.facts(trace) {
            Ok((facts, reuse)) => {
                self.shown.was_read(&excerpt, told);
                self.hash = facts.hash;
                self.whole = None;
                Some((facts, reuse))
            }
            Err(_) => {
                trace.lines = lines;
                None
            }
        }
    }

    /// The text as it is now, parsed.
    fn parsed(&mut self, text: &str, change: Option<Change>) -> Option<Shown> {
        let looks_for_knots = self.unseen > MOST_UNSEEN;
        if looks_for_knots {
            self.unseen = 0;
        }
        let known = Some((&self.shown, change));
        Shown::read(self.language, text, known, looks_for_knots)
    }

    /// Facts from those before, the tree as it was edited, and what was edited. What was to be kept, as
    /// it was, where the text is not read as it stands.
    fn part(
        &mut self,
        spec: &'static Spec,
        text: &str,
        known: &Known<'_>,
        mut trace: Trace,
    ) -> Result<(Facts, Reuse), Option<Box<Trace>>> {
        let (readable, tree) = self.shown.last(text);
        let before = known.shown.before(&self.shown, text, known.change);
        let Some((old, change)) = before else {
            let is_unwrapped = self.shown.is_unwrapped() || known.shown.is_unwrapped();
            self.whole = Some(if is_unwrapped {
                Reason::Macros
            } else {
                Reason::Masked
            });
            return Err(None);
        };
        let errors = self.shown.errors();
        let syntax_errors = match self.shown.is_unwrapped() {
            true => base_errors(&self.shown, text),
            false => errors.count, // it is the same tree
        };
        if let Some((reason, repaired)) = is_mended(spec, readable, tree, errors) {
            self.whole = Some(reason);
            self.repaired = repaired;
            return Err(Some(Box::new(trace)));
        }
        let edited = Edited {
            spec,
            text,
            before: known.facts,
            tree,
            cuts: &[],
            changed: changed((&old, known.shown.stale()), tree, change),
            syntax_errors,
            change,
        };
        let (facts, reuse) = edited.facts(&mut trace).map_err(|reason| {
            self.whole = Some(reason);
            None
        })?;
        self.trace = Some(trace);
        self.sound = None;
        self.hash = facts.hash;
        self.whole = None;
        Ok((facts, reuse))
    }
}

/// The facts from a whole tree.
fn traced(
    shown: &Shown,
    spec: &'static Spec,
    text: &str,
    repaired: Option<Repaired>,
) -> (Facts, Option<Trace>) {
    let (readable, tree) = shown.last(text);
    let read = AsRead {
        readable,
        tree,
        syntax_errors: base_errors(shown, text),
        hash: content_hash(text.as_bytes()),
    };
    facts_as_read(spec, text, &read, repaired)
}

/// Places that the grammar could not make sense of in what it was shown first.
fn base_errors(shown: &Shown, text: &str) -> u16 {
    let (readable, tree) = shown.base(text);
    Errors::of(readable, tree).count
}

/// Why a text is not read as it was parsed, if something in it is mended first, and what closing brackets
/// gives where that was tried.
pub(super) fn is_mended(
    spec: &'static Spec,
    readable: &str,
    tree: &Tree,
    errors: Errors,
) -> Option<(Reason, Option<Repaired>)> {
    let root = tree.root_node();
    if root.is_error() {
        return Some((Reason::Broken, None));
    }
    if !root.has_error() {
        return None;
    }
    let repaired = repaired(spec.language, readable, tree, errors);
    if repaired.is_some() {
        return Some((Reason::Mended, Some(repaired)));
    }
    let is_open = may_be_open(spec, readable, tree, errors);
    is_open.then_some((Reason::Open, Some(repaired)))
}

/// Where a tree or the text is another than what was read last: then from an old tree, which was told of the
/// change, and since that was made from some declarations alone.
fn changed((old, stale): (&Tree, &Stale), tree: &Tree, change: Change) -> Range<usize> {
    let differing = old.changed_ranges(tree);
    let differing = differing.map(|range| range.start_byte..range.end_byte);
    let unread = stale.unread(differing, tree, change).into_iter();
    unread.fold(change.start..change.new_end, |all, range| {
        all.start.min(range.start)..all.end.max(range.end)
    })
}

/// Languages whose walk is known to have no effects but those that are noted.
pub(super) fn is_read_by_parts(language: Language) -> bool {
    use Language::{CSharp, Go, Java, JavaScript, Python, Rust, Tsx, TypeScript};
    matches!(
        language,
        CSharp | TypeScript | Tsx | JavaScript | Python | Rust | Go | Java
    )
}
