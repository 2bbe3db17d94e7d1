//! What was asked of language providers, and what came of it.

use std::cell::RefCell;

use codecortex_protocol::{Disagreement, ProviderQuestion, ProviderReply, StatsEntry};

use crate::agreement::Sums;
use crate::reliability::ProviderStats;

/// What was asked of language providers, and what came of it.
#[derive(Debug, Default)]
pub struct Providers {
    /// The last reply: further pages are of the same list.
    pub last: Option<(ProviderQuestion, ProviderReply)>,
    /// How often they agreed so far.
    pub sums: RefCell<Sums>,
    /// What was learned so far, by kinds of places.
    pub trust: RefCell<ProviderStats>,
    /// The same when the last reply came: further pages of its list are made with it.
    pub trusted: ProviderStats,
    /// Disagreements that the host was not told of.
    pub fresh: RefCell<Vec<Disagreement>>,
}

impl Providers {
    /// What providers taught, for later runs.
    pub fn learned(&self) -> Vec<StatsEntry> {
        self.trust.borrow().learned()
    }

    /// Takes in what they taught an earlier run.
    pub fn restore(&mut self, learned: &[StatsEntry]) {
        self.trust.get_mut().restore(learned);
    }

    /// Takes in what they replied to a question.
    pub fn take_in(&mut self, question: ProviderQuestion, reply: ProviderReply) {
        self.sums.get_mut().count(reply.outcome);
        self.trusted = self.trust.get_mut().clone();
        self.last = Some((question, reply));
    }

    /// Disagreements that the host was not told of; they count as told now.
    pub fn take_disagreements(&mut self) -> Vec<Disagreement> {
        std::mem::take(self.fresh.get_mut())
    }
}
