//! Calls that wait: for what, and where they go on when it is here.

use codecortex_protocol::paths::Place;
use codecortex_protocol::{Caller, Located, Need};
use serde_json::Value;

use crate::tools::dispatch::Suspended;

/// A call that waits for something that is being read.
pub(crate) struct WaitingCall {
    pub(crate) id: u32,
    pub(crate) tool: String,
    pub(crate) args: Value,
    pub(crate) caller: Caller,
    /// What is not here yet.
    pub(crate) needs: Vec<Need>,
    /// Where it goes on, and the revision of the index that what it knows is of; without it, it begins.
    pub(crate) rest: Option<(u32, Box<Suspended>)>,
}

impl std::fmt::Debug for WaitingCall {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            id, tool, needs, ..
        } = self;
        write!(out, "call {id} of {tool} needs {needs:?}")
    }
}

/// All of them, in the order in which they began to wait.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    calls: Vec<WaitingCall>,
}

impl Waiting {
    /// Whether nobody waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Has a call wait.
    pub(crate) fn push(&mut self, call: WaitingCall) {
        self.calls.push(call);
    }

    /// Whether a call waits for this already.
    pub(crate) fn is_needed(&self, need: &Need) -> bool {
        self.calls.iter().any(|call| call.needs.contains(need))
    }

    /// Whether a call waits for texts, which are kept for it.
    pub(crate) fn needs_texts(&self) -> bool {
        self.texts().next().is_some()
    }

    /// Whether a call waits for the text of a file, by its absolute path.
    pub(crate) fn needs_text(&self, path: &str) -> bool {
        self.texts().any(|file| file.path == path)
    }

    fn texts(&self) -> impl Iterator<Item = &Located> {
        let needs = self.calls.iter().flat_map(|call| &call.needs);
        needs
            .filter_map(|need| match need {
                Need::Texts(files) | Need::Declarations(files) => Some(files),
                _ => None,
            })
            .flatten()
    }

    /// Takes in that something is here.
    pub(crate) fn arrived(&mut self, is_here: impl Fn(&Need) -> bool) {
        for call in &mut self.calls {
            call.needs.retain(|need| !is_here(need));
        }
    }

    /// Takes in that a file was read.
    pub(crate) fn file_arrived(&mut self, place: &Place) {
        for need in self.calls.iter_mut().flat_map(|call| &mut call.needs) {
            if let Need::Files(places) = need {
                places.retain(|other| other != place);
            }
        }
        self.arrived(|need| match need {
            Need::File(file) => file == place,
            Need::Files(places) => places.is_empty(),
            _ => false,
        });
    }

    /// Takes the calls out that lack nothing any more. Texts are kept until a call has all that it needs: some alone are
    /// of no use to it.
    pub(crate) fn take_ready(&mut self, has_text: impl Fn(&Located) -> bool) -> Vec<WaitingCall> {
        self.take(|call| {
            call.needs.iter().all(|need| match need {
                Need::Texts(files) | Need::Declarations(files) => files.iter().all(&has_text),
                _ => false,
            })
        })
    }

    /// The call that waits for an edit.
    pub(crate) fn take_edit(&mut self, edit: u32) -> Option<WaitingCall> {
        let mut found = self.take(|call| call.needs.contains(&Need::Applied(edit)));
        found.pop()
    }

    /// All of them.
    pub(crate) fn take_all(&mut self) -> Vec<WaitingCall> {
        std::mem::take(&mut self.calls)
    }

    fn take(&mut self, is_it: impl Fn(&WaitingCall) -> bool) -> Vec<WaitingCall> {
        let (taken, left) = std::mem::take(&mut self.calls).into_iter().partition(is_it);
        self.calls = left;
        taken
    }
}
