//! Gives memory up to stay below the ceiling (SPEC X10).

use codecortex_analysis::memory_limit::{EVERY, GivenUp, ceiling_bytes};
use codecortex_protocol::Phase;

use crate::engine::Engine;

impl Engine {
    /// Bytes that the workspace holds, roughly.
    pub(crate) fn held_bytes(&self) -> usize {
        let documents = self.code.documents.values();
        let documents: usize = documents
            .map(codecortex_analysis::documents::OpenDocument::memory)
            .sum();
        let shelf = self.code.shelf.as_ref().map_or(0, |shelf| shelf.memory());
        let names = self.code.names.borrow().memory();
        self.code.index.memory() + shelf + documents + names + self.live.memory()
    }

    /// Gives up what is needed to stay below the ceiling, if it is time to look.
    pub(crate) fn stay_below_ceiling(&mut self) {
        let Some(ceiling) = ceiling_bytes(&self.code.config) else {
            return;
        };
        let is_ready = self.code.phase() == Phase::Ready;
        let is_news = is_ready && !self.code.memory.is_settled;
        let is_due = self.code.revision.wrapping_sub(self.code.memory.looked) >= EVERY;
        self.code.memory.is_settled = is_ready;
        if !is_news && !is_due {
            return;
        }
        self.code.memory.looked = self.code.revision;
        for step in GivenUp::ALL {
            if self.held_bytes() <= ceiling {
                return;
            }
            self.give_up(step);
        }
        let held = self.held_bytes();
        if held > ceiling {
            self.code.notice(format!(
                "The index needs more than the memory ceiling of {} MB. Raise it, or leave more out of the index.",
                ceiling >> 20
            ));
        }
    }

    fn give_up(&mut self, step: GivenUp) {
        match step {
            GivenUp::Trees => {
                let documents = self.code.documents.values_mut();
                documents.for_each(codecortex_analysis::documents::OpenDocument::drop_tree);
                self.live.forget_closed();
            }
            GivenUp::Caches => {
                self.window_memo.take();
                self.code.ids.take();
                self.code.search.take();
                self.code.index.drop_search_tables();
                self.code.names.take();
            }
            GivenUp::Bodies => {
                if !self.code.memory.is_without_bodies() {
                    self.code.notice(
                        "The memory ceiling is reached: hashes and kinds of change rest until the workspace is \
                         reindexed."
                            .to_owned(),
                    );
                }
                self.code.index.drop_layers();
                self.code.recent.get_mut().end();
            }
        }
        if !self.code.memory.given_up.contains(&step) {
            self.code.memory.given_up.push(step);
        }
    }
}
