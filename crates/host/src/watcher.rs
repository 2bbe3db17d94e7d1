//! What changed on the disk, by the system's own notices.
//!
//! A system tells of changes in the order in which they happened, but later. To know that nothing
//! older is on its way, [`Watcher::settled_changes`] makes a change of its own, in a folder beside
//! the caches, and waits until it is told of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{DirRef, Root};
use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::disk::join;
use crate::roots::slashed;

/// How long a notice of our own change may take.
const PATIENCE: Duration = Duration::from_millis(1000);
/// No process waits for its mark this long.
const STALE_MARK: Duration = Duration::from_secs(600);
/// Where one notice covers all folders below; elsewhere each folder is watched by itself.
const IS_RECURSIVE: bool = cfg!(any(target_os = "macos", windows));

/// What the system told and nobody took yet.
#[derive(Debug, Default)]
struct Seen {
    paths: BTreeSet<String>,
    /// Whether the system lost some.
    lost: bool,
    /// Number of the last change of our own.
    mark: u64,
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Seen {
    fn take(&mut self) -> Self {
        let fresh = Self {
            mark: self.mark,
            ..Self::default()
        };
        std::mem::replace(self, fresh)
    }
}

/// Is told that something changed.
pub(crate) type Listener = Arc<dyn Fn() + Send + Sync>;

#[derive(Default)]
struct WatcherShared {
    seen: Mutex<Seen>,
    marked: Condvar,
    listener: Mutex<Option<Listener>>,
}

impl WatcherShared {
    /// Sets of paths have no state that a panic could leave half changed.
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self, event: notify::Result<notify::Event>, marks: &Path) {
        let mut seen = self.seen();
        match event {
            Ok(event) => {
                seen.lost |= event.need_rescan();
                if !is_change(event.kind) {
                    return;
                }
                for path in event.paths {
                    if path.starts_with(marks) {
                        let mark = mark_number(&path).unwrap_or(0);
                        seen.mark = seen.mark.max(mark);
                        self.marked.notify_all();
                    } else if let Some(path) = slashed(&path) {
                        seen.paths.insert(path);
                    }
                }
            }
            Err(error) => {
                tracing::debug!(%error, "the watcher lost something");
                seen.lost = true;
            }
        }
        if seen.paths.is_empty() && !seen.lost {
            return;
        }
        let now = Instant::now();
        seen.first.get_or_insert(now);
        seen.last = Some(now);
        drop(seen);
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listener) = &*listener {
            listener();
        }
    }
}

/// Watches the folders of a workspace.
pub(crate) struct Watcher {
    inner: RecommendedWatcher,
    shared: Arc<WatcherShared>,
    roots: Vec<Root>,
    marks: PathBuf,
    next_mark: u64,
    /// Whether some folder could not be watched.
    is_partial: bool,
}

impl Watcher {
    /// A watcher of these roots; `None` where the system has none to give. `folder` is one that we
    /// may write to.
    pub(crate) fn start(roots: &[Root], folder: Option<&Path>) -> Option<Self> {
        let marks = folder.map_or_else(|| std::env::temp_dir().join("codecortex"), Path::to_owned);
        let marks = marks.join("watch");
        match Self::try_start(roots, &marks) {
            Ok(watcher) => Some(watcher),
            Err(error) => {
                tracing::warn!(%error, "no notices of changes; folders are listed again instead");
                None
            }
        }
    }

    fn try_start(roots: &[Root], marks: &Path) -> notify::Result<Self> {
        fs::create_dir_all(marks)?;
        tidy(marks);
        let marks = marks.canonicalize()?;
        let shared = Arc::new(WatcherShared::default());
        let handler = {
            let (shared, marks) = (Arc::clone(&shared), marks.clone());
            move |event| shared.told(event, &marks)
        };
        let mut inner = notify::recommended_watcher(handler)?;
        inner.watch(&marks, RecursiveMode::NonRecursive)?;
        let mut watcher = Self {
            inner,
            shared,
            roots: roots.to_vec(),
            marks,
            next_mark: 1,
            is_partial: false,
        };
        if IS_RECURSIVE {
            for root in roots {
                watcher.add(Path::new(&root.path), RecursiveMode::Recursive);
            }
        }
        Ok(watcher)
    }

    /// Watches folders that are about to be listed.
    pub(crate) fn watch(&mut self, dirs: &[DirRef]) {
        if IS_RECURSIVE {
            return;
        }
        for dir in dirs {
            let path = join(&self.roots[dir.root as usize], &dir.dir);
            self.add(Path::new(&path), RecursiveMode::NonRecursive);
        }
    }

    fn add(&mut self, path: &Path, mode: RecursiveMode) {
        if self.is_partial {
            return;
        }
        let Err(error) = self.inner.watch(path, mode) else {
            return;
        };
        // A folder that is gone, a file now, or not ours to open, is told of by its listing.
        let is_harmless = match &error.kind {
            notify::ErrorKind::PathNotFound => true,
            notify::ErrorKind::Io(error) => matches!(
                error.kind(),
                std::io::ErrorKind::NotFound
                    | std::io::ErrorKind::NotADirectory
                    | std::io::ErrorKind::PermissionDenied
            ),
            _ => false,
        };
        if !is_harmless {
            tracing::warn!(%error, "not every folder can be watched; folders are listed again instead");
            self.is_partial = true;
        }
    }

    /// Whether some folder could not be watched: the system watches no more.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Is told, on another thread, whenever something changed.
    pub(crate) fn on_change(&mut self, listener: Listener) {
        let mut slot = self
            .shared
            .listener
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *slot = Some(listener);
    }

    /// Everything that changed until now.
    pub(crate) fn settled_changes(&mut self) -> SettledChanges {
        let is_told = self.wait_for_notices();
        let seen = self.shared.seen().take();
        if !is_told {
            SettledChanges::Silent
        } else if seen.lost || self.is_partial {
            SettledChanges::Lost
        } else {
            SettledChanges::Paths(seen.paths.into_iter().collect())
        }
    }

    /// What changed, once nothing more came for `quiet` or the first of it is `most` ago.
    pub(crate) fn quiet_changes(&mut self, quiet: Duration, most: Duration) -> QuietChanges {
        let mut seen = self.shared.seen();
        let (Some(first), Some(last)) = (seen.first, seen.last) else {
            return QuietChanges::Nothing;
        };
        let due = (last + quiet).min(first + most);
        let now = Instant::now();
        if now < due {
            return QuietChanges::In(due - now);
        }
        let taken = seen.take();
        if taken.lost || self.is_partial {
            QuietChanges::Unknown
        } else {
            QuietChanges::Paths(taken.paths.into_iter().collect())
        }
    }

    fn wait_for_notices(&mut self) -> bool {
        let mark = self.next_mark;
        self.next_mark += 1;
        let path = self.marks.join(format!("{}-{mark}", std::process::id()));
        if let Err(error) = fs::write(&path, "") {
            tracing::debug!(%error, "the watcher's mark cannot be written");
            return false;
        }
        let deadline = Instant::now() + PATIENCE;
        let mut seen = self.shared.seen();
        while seen.mark < mark {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            seen = self
                .shared
                .marked
                .wait_timeout(seen, left)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(seen, _)| seen);
        }
        let is_told = seen.mark >= mark;
        drop(seen);
        // Nothing depends on it being gone.
        let _ = fs::remove_file(path);
        is_told
    }
}

#[cfg(test)]
impl Watcher {
    /// Does not tell of what is in a folder any more, as on a disk that does not.
    pub(crate) fn forget(&mut self, folder: &Path) {
        self.inner.unwatch(folder).unwrap_or_default();
    }

    /// The system watches no more.
    pub(crate) fn run_out(&mut self) {
        self.is_partial = true;
    }
}

/// What [`Watcher::settled_changes`] has to say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SettledChanges {
    /// These paths.
    Paths(Vec<String>),
    /// The system lost some, or does not watch every folder: list again.
    Lost,
    /// Not even our own change was told of.
    Silent,
}

/// What [`Watcher::quiet_changes`] has to say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum QuietChanges {
    /// Nothing changed.
    Nothing,
    /// Something did; ask again after this long.
    In(Duration),
    /// These paths.
    Paths(Vec<String>),
    /// The system lost some: list again.
    Unknown,
}

/// Removes the marks of processes that were killed while they waited.
fn tidy(marks: &Path) {
    for entry in fs::read_dir(marks).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|found| found.modified());
        let is_old = age.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STALE_MARK));
        if is_old {
            // Another process may do the same.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether an event is about content: being opened or read is not.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

/// The number of a mark of this process; other processes have their marks in the same folder.
fn mark_number(path: &Path) -> Option<u64> {
    let (process, number) = path.file_name()?.to_str()?.split_once('-')?;
    (process.parse() == Ok(std::process::id()))
        .then(|| number.parse().ok())
        .flatten()
}
