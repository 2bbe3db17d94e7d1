//! What the stores of observations were asked by calls that are not answered yet.

use codecortex_protocol::{MemoryReply, MemoryRequest};
use rustc_hash::FxHashMap;

/// Requests of each call by its number, in their order. A call is made again for every reply; what it asked before is
/// answered from here, so that nothing is recorded twice.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    of_call: FxHashMap<u32, Vec<Request>>,
}

#[derive(Debug)]
struct Request {
    root: u32,
    request: MemoryRequest,
    reply: Option<MemoryReply>,
}

impl Request {
    /// Whether it is what a call asks now. A call records once: when it is made again the second may be another one,
    /// and what it would record then is the same observation.
    fn is_for(&self, root: u32, request: &MemoryRequest) -> bool {
        let is_same = match (&self.request, request) {
            (MemoryRequest::Append { .. }, MemoryRequest::Append { .. })
            | (MemoryRequest::Purge { .. }, MemoryRequest::Purge { .. }) => true,
            (known, asked) => known == asked,
        };
        self.root == root && is_same
    }
}

impl Asked {
    /// What was said to a request of a call.
    pub(crate) fn reply(
        &self,
        call: u32,
        root: u32,
        request: &MemoryRequest,
    ) -> Option<&MemoryReply> {
        let asked = self.of_call.get(&call)?;
        let mut asked = asked.iter();
        asked
            .find(|known| known.is_for(root, request))?
            .reply
            .as_ref()
    }

    /// Notes that a call asks this; false where it is on its way already.
    pub(crate) fn begin(&mut self, call: u32, root: u32, request: &MemoryRequest) -> bool {
        let asked = self.of_call.entry(call).or_default();
        if asked.iter().any(|known| known.is_for(root, request)) {
            return false;
        }
        asked.push(Request {
            root,
            request: request.clone(),
            reply: None,
        });
        true
    }

    /// What was said to the request that a call waits for.
    pub(crate) fn take_in(&mut self, call: u32, reply: MemoryReply) {
        let asked = self.of_call.get_mut(&call).into_iter().flatten();
        if let Some(waiting) = asked.into_iter().find(|request| request.reply.is_none()) {
            waiting.reply = Some(reply);
        }
    }

    /// A call was answered.
    pub(crate) fn end(&mut self, call: u32) {
        self.of_call.remove(&call);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_asked_twice_by_a_call() {
        let mut asked = Asked::default();
        let request = MemoryRequest::Place;
        assert!(asked.begin(7, 0, &request) && !asked.begin(7, 0, &request));
        assert!(asked.begin(8, 0, &request) && asked.begin(7, 1, &request));
        let reply = MemoryReply::Log {
            bytes: None,
            backend: "jsonl".to_owned(),
        };
        asked.take_in(7, reply.clone());
        assert_eq!(asked.reply(7, 0, &request), Some(&reply));
        assert_eq!(asked.reply(8, 0, &request), None);
        asked.end(7);
        assert!(asked.reply(7, 0, &request).is_none() && asked.begin(7, 0, &request));
    }

    #[test]
    fn a_call_that_is_made_again_a_second_later_records_once() {
        let at = |ts: &str| MemoryRequest::Append {
            backend: None,
            records: vec![json!({ "ts": ts, "summary": "one" })],
        };
        let mut asked = Asked::default();
        assert!(asked.begin(7, 0, &at("2026-01-01 00:00:00")));
        let reply = MemoryReply::Recorded {
            ids: vec![2],
            warnings: Vec::new(),
        };
        asked.take_in(7, reply.clone());
        let later = at("2026-01-01 00:00:01");
        assert!(!asked.begin(7, 0, &later));
        assert_eq!(asked.reply(7, 0, &later), Some(&reply));
        assert!(asked.begin(8, 0, &later));
    }
}
