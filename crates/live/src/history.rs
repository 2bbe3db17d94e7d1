//! The versions of one document: a ring of its last meaningful steps, and samples of what it was before.
//!
//! Keystrokes that follow one another at one place are one step. A step keeps the text before it, how many
//! bytes at its start and end did not change, and no difference: that is made when it is asked for.
//!
//! What is dropped, and when: the oldest step when there are more than [`MAX_STEPS`] or the steps hold more
//! than [`MAX_BYTES`]; the oldest sample when there are more than [`MAX_SAMPLES`].

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::ops::Range;

use codecortex_text::{DocumentEdit, TextDocument, base32};
use xxhash_rust::xxh3::Xxh3;

use crate::clock::Millis;

/// Steps that a document keeps.
const MAX_STEPS: usize = 48;
/// What the steps of a document may hold of texts that are no more.
const MAX_BYTES: usize = 4 << 20;
/// Samples that a document keeps: four hours of them, unless the settings say otherwise.
const MAX_SAMPLES: usize = 8;
/// An edit after a longer pause is another step …
const PAUSE: Millis = 2_000;
/// … and so is one that comes when a step has grown for so long.
const LONGEST: Millis = 60_000;
/// Edits within so many bytes of a step are at the same place.
const NEAR: usize = 160;
/// What an edit of a rope leaves behind in the old version: the nodes on the way to the leaf, and the leaf.
const NODES: usize = 4_096;
/// Letters of a version's id after the `v`.
const ID_LETTERS: usize = 10;

/// A version's id. It follows from the text alone: the same text has the same id in every process.
pub type Version = String;

/// An immutable text.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The text itself.
    pub text: TextDocument,
    id: OnceCell<Version>,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self::new(TextDocument::new(""))
    }
}

impl Snapshot {
    /// A text whose version is not known yet.
    pub fn new(text: TextDocument) -> Self {
        Self {
            text,
            id: OnceCell::new(),
        }
    }

    /// The id; made once.
    pub fn id(&self) -> &Version {
        self.id.get_or_init(|| version_of(&self.text))
    }
}

/// The id of a text.
pub fn version_of(text: &TextDocument) -> Version {
    let mut hasher = Xxh3::new();
    text.fingerprint()
        .iter()
        .for_each(|number| hasher.update(&number.to_le_bytes()));
    let digest = hasher.digest().to_be_bytes();
    format!("v{}", base32(&digest, ID_LETTERS).to_ascii_lowercase())
}

/// Who changed a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditOrigin {
    /// Somebody in the editor.
    Editor,
    /// A tool.
    Tool,
    /// Somebody else, on the disk.
    Disk,
}

impl EditOrigin {
    /// The word in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Editor => "editor",
            Self::Tool => "tool",
            Self::Disk => "disk",
        }
    }
}

/// What happened in a step.
#[derive(Clone, Debug)]
pub enum StepContent {
    /// The text changed.
    Change {
        /// Who changed it.
        origin: EditOrigin,
        /// Bytes at the start that are the same before and after.
        prefix: usize,
        /// Bytes at the end that are the same.
        suffix: usize,
    },
    /// A tool wanted to change it and could not.
    Failure {
        /// What was wanted, as far as that is known.
        patch: String,
        /// Why it was not done.
        reason: String,
    },
}

/// A step.
#[derive(Clone, Debug)]
pub struct HistoryStep {
    pub before: Snapshot,
    pub what: StepContent,
    /// The host's time of its last edit.
    pub at: Millis,
    /// The count of time of its first and last edit.
    begun: Millis,
    ended: Millis,
    /// What it holds of texts that are no more, roughly.
    bytes: usize,
}

/// A text and the time in which it was that, by the count.
#[derive(Clone, Debug)]
struct Sample {
    from: Millis,
    until: Millis,
    /// The host's time at its end.
    at: Millis,
    snapshot: Snapshot,
}

/// The past of a document.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: VecDeque<HistoryStep>,
    samples: VecDeque<Sample>,
    /// The count of time since which the text is what it is.
    since: Millis,
    bytes: usize,
    /// The next edit is a tool's.
    pub expects_tool: bool,
}

/// Where and when an edit happened.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The host's time.
    pub at: Millis,
    /// The count of time.
    pub count: Millis,
    /// Ms between samples.
    pub sample_every: Millis,
}

impl History {
    /// Bytes that are held only for the past, roughly.
    pub fn memory(&self) -> usize {
        self.bytes + self.steps.len() * size_of::<HistoryStep>()
    }

    /// Forgets the past.
    pub fn clear(&mut self) {
        *self = Self {
            since: self.since,
            ..Self::default()
        };
    }

    /// The text is what it is from now on.
    pub fn begin(&mut self, moment: Moment) {
        self.since = moment.count;
    }

    /// Takes in the edits of one event, each in terms of the text after the ones before; `before` is the
    /// text before all of them, `length` that of the text after.
    pub fn edited(
        &mut self,
        before: TextDocument,
        edits: &[(DocumentEdit, usize)],
        length: usize,
        moment: Moment,
    ) {
        if edits.is_empty() {
            return;
        }
        self.sample(&before, moment);
        let origin = match std::mem::take(&mut self.expects_tool) {
            true => EditOrigin::Tool,
            false => EditOrigin::Editor,
        };
        let (mut prefix, mut suffix) = (usize::MAX, usize::MAX);
        let mut bytes = 0;
        let first = edits[0].0;
        for (edit, length) in edits {
            prefix = prefix.min(edit.start);
            suffix = suffix.min(length - edit.new_end);
            bytes += (edit.old_end - edit.start) + (edit.new_end - edit.start) + NODES;
        }
        self.bytes += bytes;
        let before_length = before.len();
        if let Some(step) = self.steps.back_mut()
            && step.continues(origin, first.start..first.old_end, before_length, moment)
            && let StepContent::Change {
                prefix: known_prefix,
                suffix: known_suffix,
                ..
            } = &mut step.what
        {
            *known_prefix = prefix.min(*known_prefix);
            *known_suffix = suffix.min(*known_suffix);
            step.at = moment.at;
            step.ended = moment.count;
            step.bytes += bytes;
        } else {
            let shorter = before_length.min(length);
            prefix = prefix.min(shorter);
            suffix = suffix.min(shorter - prefix);
            self.push(HistoryStep {
                before: Snapshot::new(before),
                what: StepContent::Change {
                    origin,
                    prefix,
                    suffix,
                },
                at: moment.at,
                begun: moment.count,
                ended: moment.count,
                bytes,
            });
        }
        self.since = moment.count;
    }

    /// The whole text became another one.
    pub fn replaced(
        &mut self,
        before: &Snapshot,
        after: &TextDocument,
        origin: EditOrigin,
        moment: Moment,
    ) {
        let prefix = before.text.common_prefix(after);
        let suffix = before.text.common_suffix(after, prefix);
        if prefix + suffix == before.text.len() && before.text.len() == after.len() {
            return;
        }
        self.sample(&before.text, moment);
        let bytes = before.text.len() + after.len() - 2 * (prefix + suffix) + NODES;
        self.bytes += bytes;
        self.push(HistoryStep {
            before: before.clone(),
            what: StepContent::Change {
                origin,
                prefix,
                suffix,
            },
            at: moment.at,
            begun: moment.count,
            ended: moment.count,
            bytes,
        });
        self.since = moment.count;
    }

    /// A tool wanted to change the text and could not.
    pub fn failed(&mut self, now: TextDocument, patch: String, reason: String, moment: Moment) {
        let bytes = patch.len() + reason.len() + NODES;
        self.bytes += bytes;
        self.push(HistoryStep {
            before: Snapshot::new(now),
            what: StepContent::Failure { patch, reason },
            at: moment.at,
            begun: moment.count,
            ended: moment.count,
            bytes,
        });
    }

    fn push(&mut self, step: HistoryStep) {
        self.steps.push_back(step);
        while self.steps.len() > MAX_STEPS || self.bytes > MAX_BYTES && self.steps.len() > 1 {
            let gone = self.steps.pop_front().map_or(0, |step| step.bytes);
            self.bytes = self.bytes.saturating_sub(gone);
        }
    }

    /// Keeps the text before an edit, where the last sample is old enough.
    fn sample(&mut self, before: &TextDocument, moment: Moment) {
        let last = self.samples.back().map(|sample| sample.until);
        if last.is_some_and(|last| moment.count < last + moment.sample_every) {
            return;
        }
        self.samples.push_back(Sample {
            from: self.since.min(moment.count),
            until: moment.count,
            at: moment.at,
            snapshot: Snapshot::new(before.clone()),
        });
        if self.samples.len() > MAX_SAMPLES {
            self.samples.pop_front();
        }
    }

    /// The steps, the latest first, each with the text after it; `now` is the text now.
    pub fn steps<'a>(
        &'a self,
        now: &'a Snapshot,
    ) -> impl Iterator<Item = (&'a HistoryStep, &'a Snapshot)> {
        let afters = self.steps.iter().skip(1).map(|step| &step.before);
        let afters = afters.chain([now]).collect::<Vec<_>>();
        self.steps.iter().zip(afters).rev()
    }

    /// The sample that is nearest to a time ago, with the host's time at its end; none where the text was
    /// then what it is now.
    pub fn anchor(&self, ago: Millis, now: Millis) -> Option<(&Snapshot, Millis)> {
        let wanted = now.saturating_sub(ago);
        let distance = |from: Millis, until: Millis| match wanted {
            wanted if wanted < from => from - wanted,
            wanted => wanted.saturating_sub(until),
        };
        let nearest = self
            .samples
            .iter()
            .min_by_key(|sample| distance(sample.from, sample.until))?;
        let of_now = distance(self.since, now);
        (distance(nearest.from, nearest.until) <= of_now).then_some((&nearest.snapshot, nearest.at))
    }

    /// The text of a version, as long as it is kept.
    pub fn find<'a>(&'a self, id: &str, now: &'a Snapshot) -> Option<&'a Snapshot> {
        let steps = self.steps.iter().rev().map(|step| &step.before);
        let samples = self.samples.iter().rev().map(|sample| &sample.snapshot);
        let mut known = std::iter::once(now).chain(steps).chain(samples);
        known.find(|snapshot| snapshot.id() == id)
    }
}

impl HistoryStep {
    /// Whether an edit belongs to this step: the same hand, soon after, at the same place.
    fn continues(
        &self,
        origin: EditOrigin,
        edit: Range<usize>,
        length: usize,
        moment: Moment,
    ) -> bool {
        let StepContent::Change {
            origin: mine,
            prefix,
            suffix,
        } = self.what
        else {
            return false;
        };
        let is_soon = moment.count.saturating_sub(self.ended) <= PAUSE
            && moment.count.saturating_sub(self.begun) <= LONGEST;
        let is_here =
            edit.start <= (length - suffix.min(length)) + NEAR && edit.end + NEAR >= prefix;
        origin == EditOrigin::Editor && mine == origin && is_soon && is_here
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_text::Utf16Position;

    fn moment(count: Millis) -> Moment {
        Moment {
            at: count,
            count,
            sample_every: 30 * 60_000,
        }
    }

    /// A document that is typed into.
    struct Typed {
        document: TextDocument,
        history: History,
    }

    impl Typed {
        fn new(text: &str) -> Self {
            let mut history = History::default();
            history.begin(moment(0));
            Self {
                document: TextDocument::new(text),
                history,
            }
        }

        fn insert(&mut self, line: u32, character: u32, text: &str, at: Millis) {
            let place = Utf16Position { line, character };
            let before = self.document.clone();
            let edit = self.document.apply(place, place, text);
            let length = self.document.len();
            self.history
                .edited(before, &[(edit, length)], length, moment(at));
        }

        fn steps(&self) -> Vec<(String, String)> {
            let now = Snapshot::new(self.document.clone());
            let steps = self.history.steps(&now);
            steps
                .map(|(step, after)| (step.before.text.text(), after.text.text()))
                .collect()
        }
    }

    #[test]
    fn a_burst_of_typing_is_one_step() {
        let mut typed = Typed::new("a\nb\n");
        for (place, letter) in ["x", "y", "z"].into_iter().enumerate() {
            typed.insert(0, 1 + place as u32, letter, 1000 + 300 * place as u64);
        }
        assert_eq!(
            typed.steps(),
            [("a\nb\n".to_owned(), "axyz\nb\n".to_owned())]
        );
        // After a pause it is another one, and far away it is another one at once.
        typed.insert(1, 1, "!", 9000);
        assert_eq!(typed.steps().len(), 2);
        let long = "line\n".repeat(200);
        typed.insert(2, 0, &long, 9100);
        typed.insert(190, 0, "?", 9200);
        assert_eq!(typed.steps().len(), 2, "the paste is beside what was typed");
        typed.insert(0, 0, "#", 9300);
        assert_eq!(typed.steps().len(), 2, "within what the step changed");
    }

    #[test]
    fn the_same_text_is_the_same_version_everywhere() {
        let whole = TextDocument::new(&"hello\n".repeat(5000));
        let mut other = TextDocument::new("");
        for _ in 0..5000 {
            other.replace(0..0, "hello\n");
        }
        assert_eq!(version_of(&whole), version_of(&other));
        assert_eq!(version_of(&TextDocument::new("")).len(), 1 + ID_LETTERS);
        other.replace(0..1, "H");
        assert_ne!(version_of(&whole), version_of(&other));
    }

    #[test]
    fn old_steps_go_and_memory_stays_bounded() {
        let mut typed = Typed::new("");
        for step in 0..5000u64 {
            typed.insert(0, 0, "word ", step * 10_000);
        }
        assert_eq!(typed.steps().len(), MAX_STEPS);
        assert!(typed.history.memory() < MAX_BYTES + MAX_STEPS * size_of::<HistoryStep>());
        let large = "x".repeat(3 << 20);
        typed.insert(0, 0, &large, 60_000_000);
        typed.insert(0, 0, &large, 70_000_000);
        assert!(typed.steps().len() <= 2);
    }

    #[test]
    fn the_anchor_is_nearest_to_an_hour_ago() {
        const MINUTE: Millis = 60_000;
        let mut typed = Typed::new("0");
        for ten in 1..=18u64 {
            typed.insert(0, 0, &format!("{ten} "), ten * 10 * MINUTE);
        }
        let now = 185 * MINUTE;
        let (anchor, at) = typed.history.anchor(60 * MINUTE, now).unwrap();
        // Samples at 10, 40, 70, 100, 130, 160 min: 125 min ago was nearest to 130.
        assert_eq!(at, 130 * MINUTE);
        assert!(anchor.text.text().starts_with("12 11 "));
        // Whoever did not touch the text for an hour sees no difference.
        let later = 400 * MINUTE;
        assert!(typed.history.anchor(60 * MINUTE, later).is_none());
        assert!(History::default().anchor(60 * MINUTE, now).is_none());
    }
}
