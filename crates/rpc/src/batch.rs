//! Batches: requests that came together are answered together, once the last of them is.

use std::collections::BTreeMap;

/// A batch that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BatchId(u64);

/// The replies of batches, until each is whole.
#[derive(Debug, Default)]
pub struct Replies {
    next: u64,
    open: BTreeMap<BatchId, (usize, Vec<String>)>,
}

impl Replies {
    /// Opens a batch of so many requests. `None` where it has none, so that it has no reply either.
    pub fn open(&mut self, requests: usize) -> Option<BatchId> {
        if requests == 0 {
            return None;
        }
        let id = BatchId(self.next);
        self.next += 1;
        self.open.insert(id, (requests, Vec::new()));
        Some(id)
    }

    /// Adds a reply; all of them where it was the last one.
    pub fn add(&mut self, id: BatchId, reply: String) -> Option<String> {
        let (requests, replies) = self.open.get_mut(&id)?;
        replies.push(reply);
        if replies.len() < *requests {
            return None;
        }
        let (_, replies) = self.open.remove(&id)?;
        Some(format!("[{}]", replies.join(",")))
    }
}
