//! What calls may wait for and the engine itself has asked for: how often each has come, so that a call waits for the
//! next time.

use rustc_hash::FxHashMap;

/// Something that a call may wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Signal {
    /// A file was read into the index, or is gone.
    Files,
    /// Texts of files.
    Texts,
    /// What is declared outside of the workspace, or as far as it will come.
    External,
    /// Files of packages.
    Libraries,
    /// What was read of a root: its projects, or its `.context/`, or as far as they will come.
    Root(u32),
    /// The commits of a root.
    History(u32),
    /// The workspace begins anew: nothing that was asked for before will come.
    Beginning,
}

/// How often each signal has come.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    counts: FxHashMap<Signal, u32>,
    raised: Vec<Signal>,
}

impl Signals {
    /// A signal has come.
    pub(crate) fn raise(&mut self, signal: Signal) {
        let count = self.counts.entry(signal).or_default();
        *count = count.wrapping_add(1);
        if !self.raised.contains(&signal) {
            self.raised.push(signal);
        }
    }

    /// How often it has come.
    pub(crate) fn count(&self, signal: Signal) -> u32 {
        self.counts.get(&signal).copied().unwrap_or_default()
    }

    /// What has come since this was called last.
    pub(crate) fn take_raised(&mut self) -> Vec<Signal> {
        std::mem::take(&mut self.raised)
    }
}
