//! A ceiling on what a workspace may hold in memory, and what is given up to stay below it (SPEC X10).
//!
//! First what is made again in a moment, then what makes answers fast, then what only hashes need. Each
//! step is taken when the one before was not enough, and status says which were. What nothing helps
//! against is told: a larger ceiling, or less to index.

use crate::Engine;
use crate::analysis::Analysis;
use crate::error::{ErrorCode, ToolError};
use crate::protocol::Phase;

/// What is given up, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GivenUp {
    /// Syntax trees of open documents, and what documents were before: the next edit parses anew.
    Trees,
    /// Tables that make searches fast, and what answers keep for the next one: they are made again.
    Caches,
    /// Digests of bodies: hashes, kinds of change and `.context/` rest until the next reindexing.
    Bodies,
}

impl GivenUp {
    /// In order.
    pub(crate) const ALL: [Self; 3] = [Self::Trees, Self::Caches, Self::Bodies];

    /// The word in answers.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Trees => "trees",
            Self::Caches => "caches",
            Self::Bodies => "bodies",
        }
    }
}

/// So many changes of the index later memory is looked at again: adding it up costs a look at every file.
const EVERY: u32 = 512;

/// What is known of memory.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// What was given up.
    pub(crate) given_up: Vec<GivenUp>,
    /// Revision at which it was looked at last.
    looked: u32,
    is_settled: bool,
}

impl Memory {
    /// Whether digests of bodies are given up.
    pub(crate) fn is_without_bodies(&self) -> bool {
        self.given_up.contains(&GivenUp::Bodies)
    }
}

impl Analysis {
    /// The most bytes that the workspace may hold; `None` where nobody set a ceiling.
    pub(crate) fn ceiling_bytes(&self) -> Option<usize> {
        let megabytes = self.config.memory_ceiling_mb as usize;
        (megabytes > 0).then_some(megabytes << 20)
    }

    /// The error for what needs digests that were given up.
    pub(crate) fn need_bodies(&self) -> Result<(), ToolError> {
        if !self.memory.is_without_bodies() {
            return Ok(());
        }
        let error = ToolError::new(
            ErrorCode::Unavailable,
            "Hashes and kinds of change rest: the memory ceiling was reached.",
        );
        Err(error.hint("Raise the memory ceiling or leave more out of the index, then reindex."))
    }
}

impl Engine {
    /// Bytes that the workspace holds, roughly.
    pub(crate) fn held_bytes(&self) -> usize {
        let documents = self.code.documents.values();
        let documents: usize = documents.map(crate::documents::OpenDocument::memory).sum();
        let shelf = self.code.shelf.as_ref().map_or(0, |shelf| shelf.memory());
        let names = self.code.names.borrow().memory();
        self.code.index.memory() + shelf + documents + names + self.live.memory()
    }

    /// Gives up what is needed to stay below the ceiling, if it is time to look.
    pub(crate) fn stay_below_ceiling(&mut self) {
        let Some(ceiling) = self.code.ceiling_bytes() else {
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
                documents.for_each(crate::documents::OpenDocument::drop_tree);
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
