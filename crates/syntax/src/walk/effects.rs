//! What a walk says or asks about other places of the text than the one it is at.
//!
//! A part of a text can be walked again by itself as long as it has no such effects. They are noted by
//! where they arise, so that it is known of which parts that is true.

use std::collections::HashMap;
use std::ops::Range;

use codecortex_text::LineIndex;

use super::Walk;
use crate::Facts;
use crate::facts::{Flags, ItemIndex};
use crate::layers::{Member, Noted};

/// What is kept of a walk beside its facts.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    pub(crate) lines: LineIndex,
    /// Names that are exported, wherever in the file they are declared.
    pub(crate) exports: HashMap<String, Flags>,
    pub(crate) exports_closed: bool,
    /// Places of what is said about the file or about declarations around.
    pub(crate) effects: Vec<u32>,
    /// Names that were looked for among the declarations before.
    pub(crate) lookups: Vec<Lookup>,
    /// Stretches of text that go to a type or the file itself.
    pub(crate) glue: Vec<Range<u32>>,
    /// Declarations with what they are members of.
    pub(crate) members: Vec<Member>,
}

/// A name that was looked for among the declarations before a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// What the walk is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Scope {
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
    scope: Scope,
    places: Vec<u32>,
    lookups: Vec<Lookup>,
    /// Whether a part has effects elsewhere, or the way to it is another than before.
    pub(super) is_doubtful: bool,
}

impl Effects {
    pub(super) fn is_replay(&self) -> bool {
        self.scope == Scope::Replay
    }

    /// Something is said at a place.
    pub(super) fn note(&mut self, place: usize) {
        self.places.push(place as u32);
    }

    /// An item becomes another.
    pub(super) fn touches(&mut self, item: ItemIndex) {
        self.is_doubtful |= match self.scope {
            Scope::Whole => false,
            Scope::Replay => true,
            Scope::Part(first) => item < first,
        };
    }

    /// Begins to come back to a part.
    pub(super) fn replay(&mut self) {
        self.scope = Scope::Replay;
    }

    /// Begins a part, whose items are those from `first` on.
    pub(super) fn part(&mut self, first: ItemIndex) {
        *self = Self {
            scope: Scope::Part(first),
            ..Self::default()
        };
    }

    pub(super) fn take(&mut self) -> (Vec<u32>, Vec<Lookup>) {
        (
            std::mem::take(&mut self.places),
            std::mem::take(&mut self.lookups),
        )
    }
}

impl<'t> Walk<'t> {
    /// Something at a place is about the file, or about a declaration that the walk is in.
    pub(super) fn affects(&mut self, place: usize) {
        self.effects.note(place);
        self.effects.is_doubtful |= self.effects.scope != Scope::Whole;
    }

    /// Declarations before the current place are searched for the name at `name`.
    pub(crate) fn looks_up(&mut self, name: Range<usize>) {
        self.effects.lookups.push(Lookup {
            start: name.start as u32,
            end: name.end as u32,
        });
    }

    /// What the walk found and noted.
    pub(super) fn end(mut self, noted: Noted) -> (Facts, Trace) {
        let (effects, lookups) = self.effects.take();
        let trace = Trace {
            lines: self.lines.into_lines(),
            exports: self.exports,
            exports_closed: self.exports_closed,
            effects,
            lookups,
            glue: noted.glue,
            members: noted.members,
        };
        (self.facts, trace)
    }
}
