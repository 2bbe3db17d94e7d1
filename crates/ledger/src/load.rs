//! Starting from what was written (SPEC I5).

use crate::config::Config;
use crate::files::Problem;
use crate::graph::Node;
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
    pub fn load(written: Written<'_>, config: Config, now: Millis) -> (Self, Vec<Problem>) {
        let mut ledger = Self::default();
        let mut problems = Vec::new();
        ledger.clock.advance(now);
        let missing_config = written.index.is_none();
        if let Some(text) = written.index {
            ledger.read_index(text, &mut problems);
        }
        if let Some(text) = written.state {
            ledger.read_state(text, &mut problems);
        }
        if let Some(text) = written.aliases {
            ledger.read_aliases(text, &mut problems);
        }
        if let Some(bytes) = written.cache {
            ledger.read_cache(bytes, &mut problems);
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

    /// Numbers for what waits without one, because `state.json` was lost, and the queue of all.
    fn number_waiting(&mut self) {
        use crate::semantic::State::{Generating, Pending};
        let waits = |node: &Node| {
            let semantic = &self.records[node].semantic;
            matches!(semantic.state, Pending | Generating)
        };
        let mut nodes: Vec<Node> = self.records.keys().copied().filter(waits).collect();
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
