//! What was asked of language providers, and what came of it.

use std::cell::RefCell;

use codecortex_protocol::{Disagreement, Learned, ProviderQuestion, ProviderReply};
use rustc_hash::FxHashMap;

use crate::providers::agreement::Sums;
use crate::providers::trust::Trust;

/// What was asked of language providers, and what came of it.
#[derive(Debug, Default)]
pub(crate) struct Providers {
    /// Replies for calls that are not answered yet.
    pub(crate) replies: FxHashMap<u32, ProviderReply>,
    /// The last reply: further pages are of the same list.
    pub(crate) last: Option<(ProviderQuestion, ProviderReply)>,
    /// How often they agreed so far.
    pub(crate) sums: RefCell<Sums>,
    /// What was learned so far, by kinds of places.
    pub(crate) trust: RefCell<Trust>,
    /// The same when the last reply came: further pages of its list are made with it.
    pub(crate) trusted: Trust,
    /// Disagreements that the host was not told of.
    pub(crate) fresh: RefCell<Vec<Disagreement>>,
}

impl Providers {
    /// What providers taught, for later runs.
    pub(crate) fn learned(&self) -> Vec<Learned> {
        self.trust.borrow().learned()
    }

    /// Takes in what they taught an earlier run.
    pub(crate) fn restore(&mut self, learned: &[Learned]) {
        self.trust.get_mut().restore(learned);
    }

    /// A call was answered.
    pub(crate) fn end(&mut self, call: u32) {
        self.replies.remove(&call);
    }
}
