//! A ceiling on what a workspace may hold in memory, and what is given up to stay below it (SPEC X10).
//!
//! First what is made again in a moment, then what makes answers fast, then what only hashes need. Each
//! step is taken when the one before was not enough, and status says which were. What nothing helps
//! against is told: a larger ceiling, or less to index.

use codecortex_protocol::{Config, ErrorCode, GivenUp, ToolError};

/// So many changes of the index later memory is looked at again: adding it up costs a look at every file.
pub const EVERY: u32 = 512;

/// What is known of memory.
#[derive(Debug, Default)]
pub struct Memory {
    /// What was given up.
    pub given_up: Vec<GivenUp>,
    /// Revision at which it was looked at last.
    pub looked: u32,
    /// Whether every file had been read then.
    pub is_settled: bool,
}

impl Memory {
    /// Whether digests of bodies are given up.
    pub fn is_without_bodies(&self) -> bool {
        self.given_up.contains(&GivenUp::Bodies)
    }

    /// The error for what needs digests that were given up.
    pub fn need_bodies(&self) -> Result<(), ToolError> {
        if !self.is_without_bodies() {
            return Ok(());
        }
        let error = ToolError::new(
            ErrorCode::Unavailable,
            "Hashes and kinds of change rest: the memory ceiling was reached.",
        );
        Err(error.hint("Raise the memory ceiling or leave more out of the index, then reindex."))
    }
}

/// The most bytes that the workspace may hold; `None` where nobody set a ceiling.
pub fn ceiling_bytes(config: &Config) -> Option<usize> {
    let megabytes = config.memory_ceiling_mb as usize;
    (megabytes > 0).then_some(megabytes << 20)
}
