//! What is kept of a text that is being edited.

use std::ops::Range;

use codecortex_text::DocumentEdit;
use tree_sitter::Tree;

use super::Edited;
use super::preprocessed::Preprocessed;
use super::reason::{Reason, needs_recovery};
use super::reuse::Reuse;
use super::stale::Stale;
use crate::change::{TextReplacement, input_edit};
use crate::digest::{Digest, content_hash};
use crate::error_recovery::{Errors, Recovered};
use crate::facts::Facts;
use crate::spec::Spec;
use crate::specs::spec;
use crate::tree_facts::{ParsedText, facts_of_parsed};
use crate::walk::{Trace, is_read_by_parts};
use crate::{Language, Limits, Outcome, analyse_text};

/// A text that is being edited: its tree, and what reading parts of it again needs.
#[derive(Debug)]
pub struct IncrementalReader {
    language: Language,
    preprocessed: Preprocessed,
    trace: Option<Trace>,
    change: Option<TextReplacement>,
    /// The last text that had fewer errors than the present one.
    sound: Option<Sound>,
    /// Bytes that have come or gone since the text was looked through for ambiguities.
    unseen: usize,
    /// Of the text that was read last.
    hash: Digest,
    /// Whether a byte order mark stands in it behind where it begins.
    has_mark: bool,
    /// Why that was read whole.
    whole: Option<Reason>,
    /// What closing brackets in the present text gives, while it is read and where that was tried: it takes
    /// as long as reading all of it.
    recovered: Option<Recovered>,
}

/// So many bytes more or less make no ambiguity; looking for one takes longer than reading a part.
const MAX_UNSEEN: usize = 256;

/// A text before the present one, and what was edited since. Who types `(` may take it back or close it next: then
/// little is another than here, and all of it than in between.
#[derive(Debug)]
struct Sound {
    facts: Facts,
    preprocessed: Preprocessed,
    trace: Trace,
    change: TextReplacement,
}

impl Sound {
    fn known(&self) -> ComparedText<'_> {
        ComparedText {
            facts: &self.facts,
            preprocessed: &self.preprocessed,
            change: self.change,
        }
    }
}

/// What a text is compared with.
#[derive(Clone, Copy)]
struct ComparedText<'a> {
    facts: &'a Facts,
    preprocessed: &'a Preprocessed,
    change: TextReplacement,
}

impl IncrementalReader {
    /// Analyses a text as [`analyse_text`] does, and keeps what later edits need. No reader where the
    /// text has no facts.
    #[must_use]
    pub fn open(path: &str, text: &str, limits: Limits) -> (Outcome, Option<Self>) {
        let outcome = analyse_text(path, text, limits);
        let Outcome::Facts(facts) = &outcome else {
            return (outcome, None);
        };
        let language = facts.language;
        let Some(preprocessed) = Preprocessed::read(language, text, None, true) else {
            return (outcome, None);
        };
        let reader = Self {
            language,
            preprocessed,
            trace: None,
            change: None,
            sound: None,
            unseen: 0,
            hash: facts.hash,
            has_mark: holds_mark(text),
            whole: Some(Reason::First),
            recovered: None,
        };
        (outcome, Some(reader))
    }

    /// The facts of the text from all of its tree: what [`IncrementalReader::read`] gives, the long way.
    #[must_use]
    pub fn read_whole(&self, text: &str) -> Option<Facts> {
        let spec = spec(self.language)?;
        if self.preprocessed.stale().is_empty() {
            return Some(traced(&self.preprocessed, spec, text, None).0);
        }
        let preprocessed =
            Preprocessed::read(self.language, text, Some((&self.preprocessed, None)), false)?;
        Some(traced(&preprocessed, spec, text, None).0)
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

    /// How many trees of the text are kept: one of each form of it that is parsed, and those
    /// of the last text that was read as it stands.
    #[must_use]
    pub fn trees(&self) -> usize {
        let sound = self.sound.as_ref();
        self.preprocessed.trees() + sound.map_or(0, |sound| sound.preprocessed.trees())
    }

    /// The text has changed.
    pub fn edit(&mut self, edit: &DocumentEdit) {
        let input = input_edit(edit);
        let change = TextReplacement::from_edit(edit);
        self.preprocessed.edit(&input);
        self.change = Some(self.change.map_or(change, |before| before.then(change)));
        if let Some(sound) = &mut self.sound {
            sound.preprocessed.edit(&input);
            sound.change = sound.change.then(change);
        }
        self.unseen += (edit.old_end - edit.start) + (edit.new_end - edit.start);
    }

    /// The facts of the text as it is now. `before` are the facts that this gave last. `None` where
    /// the text is too ambiguous to parse; then this is of no more use.
    pub fn read(&mut self, text: &str, before: Option<&Facts>) -> Option<(Facts, Option<Reuse>)> {
        let change = self.change.take();
        let spec = spec(self.language)?;
        let has_mark = holds_mark(text);
        let is_marked = std::mem::replace(&mut self.has_mark, has_mark) || has_mark;
        if is_marked {
            self.sound = None;
        }
        let before = before.filter(|facts| facts.hash == self.hash && !is_marked);
        if self.unseen > MAX_UNSEEN && self.preprocessed.is_unambiguous(self.language, text) {
            self.unseen = 0;
        }
        let excerpt = change.zip(before).and_then(|(change, before)| {
            let own = self.excerpt(spec, text, change, before);
            own.or_else(|| self.excerpt_of_sound(spec, text, before))
        });
        let (facts, reuse) = match excerpt {
            Some((facts, reuse)) => (facts, Some(reuse)),
            None => self.read_parsed(spec, text, change, before)?,
        };
        self.hash = facts.hash;
        self.sound
            .take_if(|sound| sound.facts.syntax_errors >= facts.syntax_errors);
        Some((facts, reuse))
    }

    /// The facts after all of the text was parsed: from a part of it where that is enough.
    fn read_parsed(
        &mut self,
        spec: &'static Spec,
        text: &str,
        change: Option<TextReplacement>,
        before: Option<&Facts>,
    ) -> Option<(Facts, Option<Reuse>)> {
        let preprocessed = self.parsed(text, change)?;
        let preprocessed = std::mem::replace(&mut self.preprocessed, preprocessed);
        self.whole = Some(Reason::First);
        let sound = self.sound.take();
        if let (Some(change), Some(facts), Some(trace)) = (change, before, self.trace.take()) {
            let has_more = self.preprocessed.errors().count > facts.syntax_errors;
            let kept = (has_more && sound.is_none()).then(|| (facts.clone(), trace.clone()));
            let known = ComparedText {
                facts,
                preprocessed: &preprocessed,
                change,
            };
            let part = self.part(spec, text, known, trace);
            if let Some((facts, trace)) = kept {
                self.sound = Some(Sound {
                    facts,
                    preprocessed,
                    trace,
                    change,
                });
            }
            if let Some((facts, reuse)) = part {
                self.sound = self.sound.take().or(sound);
                return Some((facts, Some(reuse)));
            }
        }
        if let Some(sound) = sound {
            let part = self.part(spec, text, sound.known(), sound.trace.clone());
            self.sound = Some(sound);
            if let Some((facts, _)) = part {
                let reuse = before.map(|before| Reuse::between(before, &facts));
                return Some((facts, reuse));
            }
        }
        let recovered = self.recovered.take();
        let (facts, trace) = traced(&self.preprocessed, spec, text, recovered);
        let in_order = facts.items.is_sorted_by_key(|item| item.start_byte)
            && facts.bases.is_sorted_by_key(|base| base.item);
        self.trace = trace.filter(|trace| {
            in_order && trace.members.is_sorted() && is_read_by_parts(self.language)
        });
        Some((facts, None))
    }

    /// The facts from what the change is in alone, if they are the same as before elsewhere.
    fn excerpt(
        &mut self,
        spec: &'static Spec,
        text: &str,
        change: TextReplacement,
        before: &Facts,
    ) -> Option<(Facts, Reuse)> {
        if self.unseen > MAX_UNSEEN {
            return None;
        }
        let state = (&mut self.preprocessed, self.trace.as_mut()?);
        let read = read_excerpt(spec, text, (before, change), state)?;
        self.whole = None;
        Some(read)
    }

    /// The same from the last sound text and all that was edited since; it is the present one's text then. `before`
    /// are the facts of the one in between.
    fn excerpt_of_sound(
        &mut self,
        spec: &'static Spec,
        text: &str,
        before: &Facts,
    ) -> Option<(Facts, Reuse)> {
        let sound = self.sound.as_mut().filter(|_| self.unseen <= MAX_UNSEEN)?;
        let state = (&mut sound.preprocessed, &mut sound.trace);
        let (facts, read) = read_excerpt(spec, text, (&sound.facts, sound.change), state)?;
        let Sound {
            preprocessed,
            trace,
            ..
        } = self.sound.take()?;
        self.preprocessed = preprocessed;
        self.trace = Some(trace);
        self.whole = None;
        let reuse = Reuse {
            visited: read.visited,
            parsed: read.parsed,
            ..Reuse::between(before, &facts)
        };
        Some((facts, reuse))
    }

    /// The text as it is now, parsed.
    fn parsed(&mut self, text: &str, change: Option<TextReplacement>) -> Option<Preprocessed> {
        let checks_ambiguity = self.unseen > MAX_UNSEEN;
        if checks_ambiguity {
            self.unseen = 0;
        }
        let known = Some((&self.preprocessed, change));
        Preprocessed::read(self.language, text, known, checks_ambiguity)
    }

    /// Facts from those before, the tree as it was edited, and what was edited. `None` where no part is enough, or
    /// the text is not read as it stands.
    fn part(
        &mut self,
        spec: &'static Spec,
        text: &str,
        known: ComparedText<'_>,
        mut trace: Trace,
    ) -> Option<(Facts, Reuse)> {
        if known.preprocessed.hides_comments() || self.preprocessed.hides_comments() {
            self.whole = Some(Reason::Comments);
            return None;
        }
        let (readable, tree) = self.preprocessed.last(text);
        let before = known
            .preprocessed
            .before(&self.preprocessed, text, known.change);
        let Some((old, change)) = before else {
            let is_unwrapped =
                self.preprocessed.is_unwrapped() || known.preprocessed.is_unwrapped();
            self.whole = Some(if is_unwrapped {
                Reason::Macros
            } else {
                Reason::Preprocessed
            });
            return None;
        };
        let errors = self.preprocessed.errors();
        let syntax_errors = match self.preprocessed.is_unwrapped() {
            true => base_errors(&self.preprocessed, text),
            false => errors.count, // it is the same tree
        };
        if let Some((reason, recovered)) = needs_recovery(spec, readable, tree, errors) {
            self.whole = Some(reason);
            self.recovered = recovered;
            return None;
        }
        let edited = Edited {
            spec,
            text,
            before: known.facts,
            tree,
            cuts: &[],
            changed: changed((&old, known.preprocessed.stale()), tree, change),
            syntax_errors,
            change,
        };
        let read = edited.facts(&mut trace);
        self.whole = read.as_ref().err().copied();
        let read = read.ok()?;
        self.trace = Some(trace);
        Some(read)
    }
}

/// Whether a byte order mark stands behind where the text begins: the parser passes over it there alone, so that what
/// it is depends on all that stands before it.
fn holds_mark(text: &str) -> bool {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let behind = text.as_bytes().get(1..).unwrap_or_default();
    memchr::memmem::find(behind, MARK).is_some()
}

/// The facts from an excerpt around a change, which are those before but for what the change is in. What is kept of
/// the text before becomes that of the present one; where there are none it stays as it was.
fn read_excerpt(
    spec: &'static Spec,
    text: &str,
    (before, change): (&Facts, TextReplacement),
    (preprocessed, trace): (&mut Preprocessed, &mut Trace),
) -> Option<(Facts, Reuse)> {
    // Which of the errors are in a text without its macro calls is not known.
    let is_known = before.syntax_errors == 0
        || !preprocessed.is_unwrapped()
        || preprocessed.stale().is_broken();
    let (excerpt, change) =
        is_known.then(|| preprocessed.excerpt(spec, text, before, change))??;
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
    let Ok(read) = edited.facts(trace) else {
        trace.lines = lines;
        return None;
    };
    preprocessed.was_read(&excerpt);
    Some(read)
}

/// The facts from a whole tree.
fn traced(
    preprocessed: &Preprocessed,
    spec: &'static Spec,
    text: &str,
    recovered: Option<Recovered>,
) -> (Facts, Option<Trace>) {
    let (readable, tree) = preprocessed.last(text);
    let read = ParsedText {
        readable,
        tree,
        syntax_errors: base_errors(preprocessed, text),
        hash: content_hash(text.as_bytes()),
    };
    facts_of_parsed(spec, text, &read, recovered)
}

/// Places that the grammar could not make sense of in the preprocessed text.
fn base_errors(preprocessed: &Preprocessed, text: &str) -> u16 {
    let (readable, tree) = preprocessed.base(text);
    Errors::scan(readable, tree).count
}

/// Where a tree or the text is another than what was read last: then from an old tree, which was told of the
/// change, and since that was made from some declarations alone.
fn changed((old, stale): (&Tree, &Stale), tree: &Tree, change: TextReplacement) -> Range<usize> {
    let differing = old.changed_ranges(tree);
    let differing = differing.map(|range| range.start_byte..range.end_byte);
    let unread = stale.unread(differing, tree, change).into_iter();
    unread.fold(change.start..change.new_end, |all, range| {
        all.start.min(range.start)..all.end.max(range.end)
    })
}
