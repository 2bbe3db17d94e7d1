//! Side effects of a walk: what it says or asks about other places of the text than the one it is at.
//!
//! A part of a text can be walked again by itself as long as it has no such effects. They are noted by
//! where they arise, so that it is known of which parts that is true.

use std::collections::HashMap;
use std::ops::Range;

use codecortex_text::LineIndex;

use crate::Language;
use crate::change::Shift;
use crate::facts::{ItemFlags, ItemIndex};
use crate::layers::{FileStatement, LayeredMember, TriviaSpan};

/// What is kept of a walk beside its facts.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    pub(crate) lines: LineIndex,
    /// Names that are exported, wherever in the file they are declared.
    pub(crate) exports: HashMap<String, ItemFlags>,
    pub(crate) exports_closed: bool,
    /// What is said about the file or about declarations around.
    pub(crate) effects: Vec<WalkEffect>,
    /// Names that were looked for among the declarations before.
    pub(crate) lookups: Vec<Lookup>,
    /// Stretches of text that go to a type or the file itself.
    pub(crate) member_trivia: Vec<TriviaSpan>,
    /// The statements of the file outside of its declarations.
    pub(crate) statements: Vec<FileStatement>,
    /// Declarations with what they are members of.
    pub(crate) members: Vec<LayeredMember>,
}

impl Trace {
    /// Which of the file's statements stand in a stretch of its text.
    pub(crate) fn statements_in(&self, bytes: &Range<u32>) -> Range<usize> {
        let first = self
            .statements
            .partition_point(|statements| statements.at < bytes.start);
        let last = self
            .statements
            .partition_point(|statements| statements.at < bytes.end);
        first..last.max(first)
    }
}

/// Something that is said elsewhere than where it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkEffect {
    pub(crate) at: u32,
    /// A place in the declaration that it is about, all of which has to be read with it; nothing where
    /// that is the file.
    pub(crate) about: Option<u32>,
}

impl WalkEffect {
    /// Whether it is said in a stretch of text, and about something that is not all in that.
    pub(crate) fn leaves(self, bytes: &Range<u32>) -> bool {
        bytes.contains(&self.at) && !self.about.is_some_and(|about| bytes.contains(&about))
    }

    /// The same after an edit.
    pub(crate) fn moved(self, shift: Shift) -> Self {
        Self {
            at: shift.byte(self.at),
            about: self.about.map(|about| shift.byte(about)),
        }
    }
}

/// A name that was looked for among the declarations before a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) among: Among,
}

impl Lookup {
    /// The same after an edit.
    pub(crate) fn moved(self, shift: Shift) -> Self {
        let among = match self.among {
            Among::In(Some(holder)) => Among::In(Some(shift.byte(holder))),
            among => among,
        };
        Self {
            start: shift.byte(self.start),
            end: shift.byte(self.end),
            among,
        }
    }
}

/// Which declarations a name was looked for among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Among {
    /// All, or the last: which others there are, and in what order, may matter.
    Any,
    /// Those in the declaration that begins at this byte, or in none. Nothing matters but the names.
    In(Option<u32>),
}

/// What the walk is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum WalkPurpose {
    /// A whole text.
    #[default]
    Whole,
    /// Coming back to where a part begins: what is declared on the way is known.
    Replay,
    /// A part, with items from this one on.
    Part(ItemIndex),
}

/// What a walk noted.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    scope: WalkPurpose,
    noted: Vec<WalkEffect>,
    lookups: Vec<Lookup>,
    /// Whether a part has effects elsewhere, or the way to it is another than before.
    pub(super) is_doubtful: bool,
}

impl Effects {
    pub(super) fn is_replay(&self) -> bool {
        self.scope == WalkPurpose::Replay
    }

    /// Whether the walk is one of a whole text.
    pub(super) fn is_whole(&self) -> bool {
        self.scope == WalkPurpose::Whole
    }

    /// A name was looked for.
    pub(super) fn look_up(&mut self, lookup: Lookup) {
        self.lookups.push(lookup);
    }

    /// Something is said at a place, about the declaration at another place or about the file.
    pub(super) fn note(&mut self, place: usize, about: Option<u32>) {
        self.noted.push(WalkEffect {
            at: place as u32,
            about,
        });
    }

    /// An item becomes another.
    pub(super) fn touches(&mut self, item: ItemIndex) {
        self.is_doubtful |= match self.scope {
            WalkPurpose::Whole => false,
            WalkPurpose::Replay => true,
            WalkPurpose::Part(first) => item < first,
        };
    }

    /// Begins to come back to a part.
    pub(super) fn replay(&mut self) {
        self.scope = WalkPurpose::Replay;
    }

    /// Begins a part, whose items are those from `first` on.
    pub(super) fn part(&mut self, first: ItemIndex) {
        *self = Self {
            scope: WalkPurpose::Part(first),
            ..Self::default()
        };
    }

    pub(super) fn take(&mut self) -> (Vec<WalkEffect>, Vec<Lookup>) {
        (
            std::mem::take(&mut self.noted),
            std::mem::take(&mut self.lookups),
        )
    }
}

/// Languages whose walk is known to have no effects but those that are noted.
pub(crate) fn is_read_by_parts(language: Language) -> bool {
    use Language::{AngelScript, CSharp, Go, Java, JavaScript, Python, Rust, Tsx, TypeScript};
    matches!(
        language,
        AngelScript | CSharp | TypeScript | Tsx | JavaScript | Python | Rust | Go | Java
    )
}
