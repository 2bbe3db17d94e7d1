//! What the ledger knows of one type.

use codecortex_hashes::ChangeKinds;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

use crate::model::{Identity, LongMemberId, NameHash, RecordedSignature, TypeNow};
use crate::partial_hashes::{HashKind, PartialHash, PartialHashes};
use crate::semantic::Semantic;
use crate::time::Millis;

/// Changes within this time count as one (`000` §5.2), in milliseconds.
pub const MERGE_WINDOW: Millis = 10 * 60 * 1_000;
/// Internal changes after which a semantic text is stale (`000` §3.6).
pub const DRIFT_CHANGES: u32 = 5;
/// Time after the first internal change until its semantic text is stale, in milliseconds.
pub const DRIFT_TIME: Millis = 24 * 60 * 60 * 1_000;

/// Internal changes since the semantic text was made, merged by window. Times are on the ledger's count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Drift {
    /// How many.
    pub(crate) count: u32,
    /// When the first was seen.
    pub(crate) first_at: Option<Millis>,
    /// When the open window ends.
    pub(crate) window_ends: Option<Millis>,
}

/// What the end of a window, or of a day, means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowVerdict {
    /// Not yet.
    Wait,
    /// The semantic text has to be made anew.
    Stale,
}

impl Drift {
    /// Takes in a change; within an open window it is one with those before.
    pub(crate) fn saw(&mut self, count: Millis) {
        self.first_at.get_or_insert(count);
        if self.window_ends.is_none() {
            self.window_ends = Some(count.saturating_add(MERGE_WINDOW));
            self.count = self.count.saturating_add(1);
        }
    }

    /// When something is to be decided next.
    pub(crate) fn deadline(&self) -> Option<Millis> {
        let day = self.first_at.map(|first| first.saturating_add(DRIFT_TIME));
        match (self.window_ends, day) {
            (Some(window), Some(day)) => Some(window.min(day)),
            (window, day) => window.or(day),
        }
    }

    /// Decides what is due.
    pub(crate) fn evaluate(&mut self, count: Millis) -> WindowVerdict {
        if self.window_ends.is_some_and(|end| end <= count) {
            self.window_ends = None;
            if self.count >= DRIFT_CHANGES {
                return WindowVerdict::Stale;
            }
        }
        match self.first_at {
            Some(first) if first.saturating_add(DRIFT_TIME) <= count => WindowVerdict::Stale,
            _ => WindowVerdict::Wait,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first_at.is_none()
    }
}

/// What a semantic text was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextBase {
    pub(crate) structure: PartialHash,
    pub(crate) public_impl: PartialHash,
    pub(crate) internal_impl: PartialHash,
    pub(crate) generated_at: Millis,
}

/// What is known of one type.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TypeRecord {
    /// With as many letters as it takes.
    pub(crate) id: String,
    /// With eight letters.
    pub(crate) short: String,
    pub(crate) identity: Arc<Identity>,
    /// The number of type parameters is a guess: files do not tell it.
    pub(crate) is_guess: bool,
    pub(crate) project_id: Arc<str>,
    pub(crate) files: Box<[Arc<str>]>,
    pub(crate) hashes: PartialHashes,
    /// Unknown after a start without the cache, until the next update.
    pub(crate) api: Option<Box<[RecordedSignature]>>,
    /// Names of the same, and its bases; empty after a start without the cache.
    pub(crate) names: Box<[NameHash]>,
    pub(crate) bases: RecordedSignature,
    /// Those that the log tells of.
    pub(crate) long_member_ids: Box<[LongMemberId]>,
    /// As the caller told; unknown after a start without the cache.
    pub(crate) depends_on: Option<Box<[Arc<str>]>>,
    pub(crate) changes: ChangeKinds,
    pub(crate) changed_at: Option<Millis>,
    pub(crate) drift: Drift,
    pub(crate) base: Option<TextBase>,
    pub(crate) semantic: Semantic,
    pub(crate) group: Option<String>,
    /// Depth as a file had it, until dependencies are known.
    pub(crate) depth_hint: Option<u32>,
    /// Fields of `index.json` that this version does not know.
    pub(crate) extra: Map<String, Value>,
    /// The same, of `state.json`.
    pub(crate) state_extra: Map<String, Value>,
}

impl TypeRecord {
    pub(crate) fn new(now: &TypeNow) -> Self {
        Self {
            id: now.id.clone(),
            short: now.id.clone(),
            identity: Arc::new(now.identity.clone()),
            hashes: PartialHashes::from(&now.hashes),
            ..Self::default()
        }
    }

    /// Whether the internal state is again what the semantic text was made from.
    pub(crate) fn is_back_at_base(&self) -> bool {
        let now = self.hashes.get(HashKind::InternalImpl);
        self.base
            .is_some_and(|base| base.internal_impl.same(now) == Some(true))
    }

    pub(crate) fn has_text(&self) -> bool {
        self.base.is_some()
    }
}
