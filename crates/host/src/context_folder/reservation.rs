//! The lock of `.context/`, kept by who found a conflict until it has written.
//!
//! A writer whose files are outdated reads them and compares anew, which takes longer than others need to write once
//! more. Of many writers the slow ones would always be late; so the one that was late goes first.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use codecortex_confined::{ConfinedFolder, Lock};

/// How long a writer waits for others before it says that they are busy.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a lock is kept after a conflict at most: who wanted to write may have thought better of it.
const KEEP: Duration = Duration::from_secs(2);

/// Locks that this process keeps for its next commits, by their roots.
#[derive(Debug)]
pub(crate) struct Reservation {
    kept: Arc<Mutex<HashMap<PathBuf, (u64, Lock)>>>,
    /// How many were kept so far.
    count: u64,
    patience: Duration,
    keep: Duration,
}

impl Default for Reservation {
    fn default() -> Self {
        Self {
            kept: Arc::default(),
            count: 0,
            patience: PATIENCE,
            keep: KEEP,
        }
    }
}

impl Reservation {
    /// One whose owner waits for nobody, for tests.
    #[cfg(test)]
    pub(crate) fn impatient(keep: Duration) -> Self {
        let mut reservation = Self::default();
        (reservation.patience, reservation.keep) = (Duration::ZERO, keep);
        reservation
    }

    /// The lock of a root, whose folder `cache` is given: the one that is kept, if that folder is still the same.
    pub(super) fn lock(&mut self, root: &Path, cache: Arc<ConfinedFolder>) -> Lock {
        let kept = self.take(root);
        let kept = kept.filter(|lock| lock.is_of(&cache));
        kept.unwrap_or_else(|| Lock::new(cache, self.patience))
    }

    /// Keeps a lock for the next commit of its root. It is given back then, after a while, or when the process ends.
    pub(super) fn keep(&mut self, root: &Path, lock: Lock) {
        self.count += 1;
        let count = self.count;
        self.put(root, (count, lock));
        let (kept, root, keep) = (Arc::clone(&self.kept), root.to_path_buf(), self.keep);
        let give_back = move || {
            std::thread::sleep(keep);
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.get(&root).is_some_and(|(number, _)| *number == count) {
                kept.remove(&root);
            }
        };
        let thread = std::thread::Builder::new().name("context-lock".to_owned());
        if thread.spawn(give_back).is_err() {
            self.kept().clear(); // nobody would give it back in time
        }
    }

    fn take(&self, root: &Path) -> Option<Lock> {
        self.kept().remove(root).map(|(_, lock)| lock)
    }

    fn put(&self, root: &Path, lock: (u64, Lock)) {
        self.kept().insert(root.to_path_buf(), lock);
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, (u64, Lock)>> {
        // A panic elsewhere leaves the map whole.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.kept().clear();
    }
}
