//! Questions to the host that are on their way, by who asked: a reply goes to nobody else.

use rustc_hash::FxHashMap;

/// Who asked the host for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// A call of a tool, by the number of its task.
    Call {
        /// The task.
        task: u32,
        /// The number of the call; none for a call of the engine's own.
        call: Option<u32>,
    },
    /// The engine, for texts that calls wait for.
    Texts,
    /// The engine, for declarations outside of the workspace.
    External,
    /// The engine, for files of packages.
    Libraries,
    /// The engine, for the commits of a root that calls wait for.
    History(u32),
    /// The `.context/` of a root.
    Folder,
    /// The recording of live context.
    Recording,
    /// A job of the queue of texts, by its number.
    Job(u32),
}

/// Questions that are on their way, by their numbers.
#[derive(Debug, Default)]
pub struct Asks {
    on_their_way: FxHashMap<u32, Asker>,
}

impl Asks {
    /// Takes the question of this number out: who asked it. None where nobody waits for the reply any more.
    pub(crate) fn take(&mut self, id: u32) -> Option<Asker> {
        self.on_their_way.remove(&id)
    }

    /// Whether somebody has asked something and waits for it.
    pub(crate) fn is_asked_by(&self, asker: Asker) -> bool {
        self.on_their_way.values().any(|known| *known == asker)
    }

    /// Somebody asks this.
    pub(crate) fn note(&mut self, id: u32, asker: Asker) {
        self.on_their_way.insert(id, asker);
    }

    /// The workspace begins anew: only what calls have asked is waited for.
    pub(crate) fn begin(&mut self) {
        self.on_their_way
            .retain(|_, asker| matches!(asker, Asker::Call { .. } | Asker::Job(_)));
    }
}
