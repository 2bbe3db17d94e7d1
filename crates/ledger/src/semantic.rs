//! The states of a semantic text and what leads from one to another (SPEC I3, `000` §3.2).

use codecortex_hashes::{ChangeClass, ChangeKinds};
use serde::{Deserialize, Serialize};

use crate::time::Millis;

/// Attempts after which only a manual retry leads on (D19).
pub const MAX_ATTEMPTS: u8 = 3;
/// The first wait is twice this, the second four times, in milliseconds (`000` §7: 2^attempt × base).
pub const BACKOFF_BASE: Millis = 2_000;

/// A worker has so long for a job, in milliseconds. Until then nobody else takes the job for lost, whoever
/// opens the same folder in the meantime (D17).
pub const LEASE: Millis = 20 * 60 * 1_000;

/// Where the semantic text of a type, or of its group, stands.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum TextState {
    /// There is none and nobody asked for one.
    #[default]
    None,
    /// It waits for a worker.
    Pending,
    /// A worker is on it.
    Generating,
    /// It describes the code as it is.
    Cached,
    /// It describes the code as it was.
    Stale,
}

impl TextState {
    /// Every state.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Pending,
        Self::Generating,
        Self::Cached,
        Self::Stale,
    ];

    /// The word in files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Pending => "pending",
            Self::Generating => "generating",
            Self::Cached => "cached",
            Self::Stale => "stale",
        }
    }

    /// The state of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// What happens to a semantic text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Somebody wants it (again).
    Enqueue,
    /// A worker takes it.
    Dispatch,
    /// The worker has a text.
    Success,
    /// The worker has none.
    Failure,
    /// It is no longer wanted now.
    Cancel,
    /// The code has changed.
    Invalidate,
}

impl Event {
    /// Every event.
    pub const ALL: [Self; 6] = [
        Self::Enqueue,
        Self::Dispatch,
        Self::Success,
        Self::Failure,
        Self::Cancel,
        Self::Invalidate,
    ];

    /// The word in messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enqueue => "enqueue",
            Self::Dispatch => "dispatch",
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Cancel => "cancel",
            Self::Invalidate => "invalidate",
        }
    }
}

/// A cell of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It goes there, or stays there.
    To(TextState),
    /// It stays, and whatever the worker brings is out of date already.
    Outdated,
    /// Cached, or stale when it was out of date before it was there.
    Settled,
    /// Back to stale where there is an old text, to none where there is not.
    Rest,
    /// It cannot happen here; nothing changes.
    Refused,
}

/// What each event does in each state: a row a state, a column an event, both in the order of `ALL`.
pub const TRANSITIONS: [[Next; 6]; 5] = {
    use Next::{Outdated, Refused, Rest, Settled, To};
    use TextState::{Generating, None, Pending, Stale};
    [
        //  enqueue        dispatch        success  failure      cancel       invalidate
        [To(Pending), Refused, Refused, Refused, Refused, To(None)],
        [
            To(Pending),
            To(Generating),
            Refused,
            Refused,
            Rest,
            To(Pending),
        ],
        [
            To(Generating),
            Refused,
            Settled,
            To(Pending),
            To(Pending),
            Outdated,
        ],
        [To(Pending), Refused, Refused, Refused, Refused, To(Stale)],
        [To(Pending), Refused, Refused, Refused, Refused, To(Stale)],
    ]
};

/// The table's cell.
#[must_use]
pub fn transition(state: TextState, event: Event) -> Next {
    TRANSITIONS[state as usize][event as usize]
}

/// Everything about the semantic text of a type. All members of a group have the same but for `unseen`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Semantic {
    pub(crate) state: TextState,
    /// Failures since the last success or manual retry.
    pub(crate) retries: u8,
    pub(crate) last_error: Option<String>,
    /// On the ledger's count: no automatic attempt before.
    pub(crate) ready_at: Millis,
    /// Number in the queue while pending, of the job while generating.
    pub(crate) ticket: u64,
    /// While generating, on the ledger's count: until then the worker may be at it.
    pub(crate) leased_until: Millis,
    /// The job that runs works on what is no longer so.
    pub(crate) outdated: bool,
    /// All classes of change since the text was made.
    pub(crate) unseen: ChangeKinds,
    /// Of those, the ones since the job that runs was given out.
    pub(crate) since_dispatch: ChangeKinds,
}

/// An event that cannot happen in the state that a text is in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {} is not possible while {}", id, event.as_str(), state.as_str())]
pub struct Refused {
    /// The type or group.
    pub id: String,
    /// Its state.
    pub state: TextState,
    /// What was to happen.
    pub event: Event,
}

impl Semantic {
    /// Whether only a manual retry leads on.
    pub(crate) fn is_parked(&self) -> bool {
        self.state == TextState::Pending && self.retries >= MAX_ATTEMPTS
    }

    /// Moves on by the table; `false` where the event is refused.
    pub(crate) fn apply(&mut self, event: Event, has_text: bool) -> bool {
        let rest = if has_text {
            TextState::Stale
        } else {
            TextState::None
        };
        let next = match transition(self.state, event) {
            Next::Refused => return false,
            Next::To(state) => state,
            Next::Outdated => {
                self.outdated = true;
                TextState::Generating
            }
            Next::Settled if self.outdated => TextState::Stale,
            Next::Settled => TextState::Cached,
            Next::Rest => rest,
        };
        if next != TextState::Generating {
            self.outdated = false;
            self.leased_until = 0;
        }
        if !matches!(next, TextState::Pending | TextState::Generating) {
            self.forget_attempts();
        }
        self.state = next;
        true
    }

    pub(crate) fn forget_attempts(&mut self) {
        self.retries = 0;
        self.last_error = None;
        self.ready_at = 0;
        self.ticket = 0;
    }

    /// A failure's account: at `count` the attempt failed with `error`.
    pub(crate) fn failed(&mut self, error: &str, count: Millis) {
        self.retries = self.retries.saturating_add(1);
        self.last_error = Some(error.to_owned());
        let factor = 1u64 << self.retries.min(MAX_ATTEMPTS);
        self.ready_at = count.saturating_add(BACKOFF_BASE * factor);
    }

    /// Notes changes of the code.
    pub(crate) fn saw(&mut self, changes: ChangeKinds) {
        self.unseen.extend(changes);
        if self.state == TextState::Generating {
            self.since_dispatch.extend(changes);
        }
    }
}

/// What a class of change does: the matrix of `000` §3.6 and the weights of §5.2, as data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeEffect {
    /// The class.
    pub class: ChangeClass,
    /// What becomes of the semantic text.
    pub semantic: SemanticEffect,
    /// What becomes of the outline.
    pub outline: OutlineEffect,
    /// Weight in the queue.
    pub weight: f64,
}

/// What a change does to a semantic text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticEffect {
    /// It becomes stale, and drift begins anew.
    Stale,
    /// It stays, and drift counts.
    Drift,
    /// It stays.
    Keep,
}

/// What a change does to an outline that is written (D18).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutlineEffect {
    /// Nothing.
    Keep,
    /// The lines with hashes are written anew.
    Header,
    /// All of it is.
    Body,
}

/// One row a class.
pub const EFFECTS: [ChangeEffect; 6] = [
    effect(
        ChangeClass::Structure,
        SemanticEffect::Stale,
        OutlineEffect::Body,
        2.0,
    ),
    effect(
        ChangeClass::PublicBehavior,
        SemanticEffect::Stale,
        OutlineEffect::Header,
        1.5,
    ),
    effect(
        ChangeClass::StructureDependency,
        SemanticEffect::Stale,
        OutlineEffect::Keep,
        1.2,
    ),
    effect(
        ChangeClass::Internal,
        SemanticEffect::Drift,
        OutlineEffect::Header,
        0.5,
    ),
    effect(
        ChangeClass::Docs,
        SemanticEffect::Keep,
        OutlineEffect::Body,
        0.5,
    ),
    effect(
        ChangeClass::Cosmetic,
        SemanticEffect::Keep,
        OutlineEffect::Keep,
        0.5,
    ),
];

const fn effect(
    class: ChangeClass,
    semantic: SemanticEffect,
    outline: OutlineEffect,
    weight: f64,
) -> ChangeEffect {
    ChangeEffect {
        class,
        semantic,
        outline,
        weight,
    }
}

/// The row of a class.
#[must_use]
pub fn effect_of(class: ChangeClass) -> ChangeEffect {
    EFFECTS[class as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cell: the table once more, as words.
    const CELLS: &str = "
        none       enqueue    -> pending
        none       dispatch   -> refused
        none       success    -> refused
        none       failure    -> refused
        none       cancel     -> refused
        none       invalidate -> none
        pending    enqueue    -> pending
        pending    dispatch   -> generating
        pending    success    -> refused
        pending    failure    -> refused
        pending    cancel     -> none, with text stale
        pending    invalidate -> pending
        generating enqueue    -> generating
        generating dispatch   -> refused
        generating success    -> cached, outdated stale
        generating failure    -> pending
        generating cancel     -> pending
        generating invalidate -> generating outdated
        cached     enqueue    -> pending
        cached     dispatch   -> refused
        cached     success    -> refused
        cached     failure    -> refused
        cached     cancel     -> refused
        cached     invalidate -> stale
        stale      enqueue    -> pending
        stale      dispatch   -> refused
        stale      success    -> refused
        stale      failure    -> refused
        stale      cancel     -> refused
        stale      invalidate -> stale";

    fn outcome(state: TextState, event: Event, has_text: bool, outdated: bool) -> String {
        let mut semantic = Semantic {
            state,
            outdated,
            ..Semantic::default()
        };
        if !semantic.apply(event, has_text) {
            assert_eq!(semantic.state, state);
            return "refused".to_owned();
        }
        let mark = if semantic.outdated { " outdated" } else { "" };
        format!("{}{mark}", semantic.state.as_str())
    }

    #[test]
    fn every_cell() {
        let mut cells = 0;
        for line in CELLS.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (cell, expected) = line.split_once("-> ").unwrap();
            let mut words = cell.split_whitespace();
            let state = TextState::from_word(words.next().unwrap()).unwrap();
            let word = words.next().unwrap();
            let event = Event::ALL
                .into_iter()
                .find(|event| event.as_str() == word)
                .unwrap();
            let mut seen = outcome(state, event, false, false);
            let with_text = outcome(state, event, true, false);
            if with_text != seen {
                seen = format!("{seen}, with text {with_text}");
            }
            if state == TextState::Generating && event == Event::Success {
                seen = format!("{seen}, outdated {}", outcome(state, event, false, true));
            }
            assert_eq!(seen, expected, "{line}");
            cells += 1;
        }
        assert_eq!(cells, TextState::ALL.len() * Event::ALL.len());
    }

    #[test]
    fn rows_stand_where_their_class_says() {
        for class in ChangeClass::ALL {
            assert_eq!(effect_of(class).class, class);
        }
    }

    #[test]
    fn waits_grow_and_end() {
        let mut semantic = Semantic {
            state: TextState::Generating,
            ..Semantic::default()
        };
        let waits: Vec<Millis> = (0..3)
            .map(|_| {
                semantic.failed("no answer", 100);
                semantic.ready_at - 100
            })
            .collect();
        assert_eq!(waits, [4_000, 8_000, 16_000]);
        semantic.state = TextState::Pending;
        assert!(semantic.is_parked());
    }
}
