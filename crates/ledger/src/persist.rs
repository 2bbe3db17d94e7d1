//! The ledger as the files of `.context/`, and the ledger that they tell of (SPEC I5).

use crate::config::Config;
use crate::files::{ContextFileProblem, aliases, cache, index, state, unless_same};
use crate::graph::GraphSlot;
use crate::ledger::Ledger;
use crate::time::Millis;

/// What the host found in `.context/`; nothing of it need be there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written<'a> {
    /// `index.json`
    pub index: Option<&'a str>,
    /// `state.json`
    pub state: Option<&'a str>,
    /// `aliases.json`
    pub aliases: Option<&'a str>,
    /// `cache/ledger.bin`
    pub cache: Option<&'a [u8]>,
}

impl Ledger {
    /// The ledger that files tell of, under the switches in force now, and what is wrong with the files.
    ///
    /// What the files do not say comes with the next update: it has to be complete where
    /// [`Self::needs_complete_update`] says so. What was being made when the program ended is still
    /// `generating`: [`Self::recover`] puts it back into the queue when its worker's time is over.
    #[must_use]
    pub fn load(
        written: Written<'_>,
        config: Config,
        now: Millis,
    ) -> (Self, Vec<ContextFileProblem>) {
        let mut ledger = Self::default();
        let mut problems = Vec::new();
        ledger.clock.advance(now);
        let missing_config = written.index.is_none();
        if let Some(text) = written.index {
            index::read(&mut ledger, text, &mut problems);
        }
        if let Some(text) = written.state {
            state::read(&mut ledger, text, &mut problems);
        }
        if let Some(text) = written.aliases {
            aliases::read(&mut ledger, text, &mut problems);
        }
        if let Some(bytes) = written.cache {
            cache::read(&mut ledger, bytes, &mut problems);
        }
        if missing_config {
            ledger.config = config;
        } else {
            ledger.configure(config);
        }
        ledger.is_just_loaded = true;
        ledger.number_waiting();
        (ledger, problems)
    }

    /// `index.json` as it should be now: types in the order of their paths, one block each.
    #[must_use]
    pub fn render_index(&self, generated_at: Millis) -> String {
        index::render(self, generated_at)
    }

    /// `index.json` to write, or nothing when only its time would be another than in `previous`.
    #[must_use]
    pub fn index_to_write(&self, previous: Option<&str>, now: Millis) -> Option<String> {
        unless_same(previous, self.render_index(now), &["generatedAt"])
    }

    /// `state.json` as it should be now. Types of which there is nothing to say are not in it.
    #[must_use]
    pub fn render_state(&self) -> String {
        state::render(self)
    }

    /// `state.json` to write, or nothing when only its time would be another than in `previous`.
    #[must_use]
    pub fn state_to_write(&self, previous: Option<&str>) -> Option<String> {
        unless_same(previous, self.render_state(), &["clock", "count"])
    }

    /// `aliases.json` as it should be now, by old id.
    #[must_use]
    pub fn render_aliases(&self) -> String {
        aliases::render(self)
    }

    /// `aliases.json` to write, or nothing when it is as `previous`.
    #[must_use]
    pub fn aliases_to_write(&self, previous: Option<&str>) -> Option<String> {
        unless_same(previous, self.render_aliases(), &[])
    }

    /// The bytes of the cache.
    #[must_use]
    pub fn render_cache(&self) -> Vec<u8> {
        cache::render(self)
    }

    /// Numbers for what waits without one, because `state.json` was lost, and the queue of all.
    fn number_waiting(&mut self) {
        use crate::semantic::TextState::{Generating, Pending};
        let waits = |node: &GraphSlot| {
            let semantic = &self.records[node].semantic;
            matches!(semantic.state, Pending | Generating)
        };
        let mut nodes: Vec<GraphSlot> = self.records.keys().copied().filter(waits).collect();
        nodes.sort_by(|a, b| self.records[a].id.cmp(&self.records[b].id));
        for node in &nodes {
            if self.records[node].semantic.ticket == 0 {
                let ticket = self.take_ticket();
                self.record(*node).semantic.ticket = ticket;
            }
        }
        nodes.retain(|node| self.graph.first(*node) == *node);
        nodes.into_iter().for_each(|node| self.requeue(node));
    }
}
