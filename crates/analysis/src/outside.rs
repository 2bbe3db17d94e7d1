//! Which files that are not in the index may be read (SPEC D12, TC2): what an editor holds open, and what an earlier
//! answer named.

use std::cell::RefCell;
use std::collections::VecDeque;

use codecortex_syntax::Facts;
use rustc_hash::FxHashMap;

/// So many files are remembered, those that were named last.
const MAX_NAMED: usize = 1_024;

/// What is known of files that are not in the index.
#[derive(Debug, Default)]
pub struct OutsideFiles {
    /// Facts of open documents outside every folder, by the host's path.
    pub open: FxHashMap<String, Facts>,
    /// Paths that answers named, as the host has them, the latest last.
    pub named: RefCell<VecDeque<String>>,
}

impl OutsideFiles {
    /// Notes that an answer names this file.
    pub fn name(&self, path: &str) {
        let mut named = self.named.borrow_mut();
        if let Some(at) = named.iter().position(|known| known == path) {
            named.remove(at);
        } else if named.len() == MAX_NAMED {
            named.pop_front();
        }
        named.push_back(path.to_owned());
    }

    /// Whether an answer named this file.
    pub fn is_named(&self, path: &str) -> bool {
        self.named.borrow().iter().any(|known| known == path)
    }
}
