//! Whether the disk tells of changes, and what is done where it does not.
//!
//! A watcher is taken at its word for a while; then every folder is listed, and a change that it did not tell of costs it
//! that trust: folders are listed for every answer until another watcher is tried, after a while that grows with every
//! one that fails.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{DirRef, Root, Unwatched};

use crate::disk::join;
use crate::watcher::{Listener, QuietChanges, SettledChanges, Watcher};

/// How long a watcher is taken at its word. Some mounts never tell of changes.
const TRUST: Duration = Duration::from_secs(30);
/// When another watcher is tried after one that failed …
const FIRST_RETRY: Duration = Duration::from_secs(30);
/// … and after many.
const LAST_RETRY: Duration = Duration::from_secs(1800);
/// A notice may come this long after what it tells of can be seen.
const GRACE: Duration = Duration::from_millis(50);
/// A watcher that is silent about our own changes this often in turn is given up; a busy machine may be late once.
const MAX_SILENT: u32 = 3;
/// How often all folders are listed for nobody where no watcher tells of changes.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Where things are kept for a root, relative to it.
const CONTEXT: &str = ".context";
/// What is in it that nobody writes for another process, but each often.
const OWN: [&str; 2] = ["cache", "replay"];

/// What a refresh is to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// These paths changed, and nothing else.
    Paths(Vec<String>),
    /// These did; it is time to see whether that was all.
    Check(Vec<String>),
    /// Nobody can tell: list everything.
    Unknown,
}

/// The watcher of a workspace, and what is known of it.
pub(crate) struct Watching {
    roots: Vec<Root>,
    /// A folder that may be written to, for the watcher's marks.
    folder: Option<PathBuf>,
    /// Whether there is to be a watcher.
    is_wanted: bool,
    watcher: Option<Watcher>,
    unwatched: Option<Unwatched>,
    listener: Option<Listener>,
    /// How often in turn the watcher was silent.
    silent: u32,
    /// When every folder was listed last.
    checked: Instant,
    /// How long it takes until another watcher is tried, and since when.
    retry: (Duration, Instant),
}

impl Watching {
    /// A watcher of these roots where one is wanted and the system has it.
    pub(crate) fn start(roots: &[Root], folder: Option<PathBuf>, is_wanted: bool) -> Self {
        let now = Instant::now();
        let mut watching = Self {
            roots: roots.to_vec(),
            folder,
            is_wanted,
            watcher: None,
            unwatched: None,
            listener: None,
            silent: 0,
            checked: now,
            retry: (FIRST_RETRY, now),
        };
        watching.open();
        watching
    }

    fn open(&mut self) {
        if !self.is_wanted {
            return;
        }
        self.watcher = Watcher::start(&self.roots, self.folder.as_deref());
        match (&mut self.watcher, &self.listener) {
            (Some(watcher), Some(listener)) => watcher.on_change(Arc::clone(listener)),
            (Some(_), None) => {}
            (None, _) => self.give_up(Unwatched::Unavailable),
        }
    }

    /// Why folders are listed to find changes; none where the disk tells of them or nobody wants it to.
    pub(crate) fn unwatched(&self) -> Option<Unwatched> {
        match &self.watcher {
            Some(watcher) if watcher.is_partial() => Some(Unwatched::LimitReached),
            _ => self.unwatched,
        }
    }

    /// Is told, on another thread, whenever something changed, also by watchers to come.
    pub(crate) fn on_change(&mut self, listener: Listener) {
        if let Some(watcher) = &mut self.watcher {
            watcher.on_change(Arc::clone(&listener));
        }
        self.listener = Some(listener);
    }

    /// Watches folders that are about to be listed.
    pub(crate) fn watch(&mut self, dirs: &[DirRef]) {
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        watcher.watch(dirs);
        for dir in dirs.iter().filter(|dir| dir.dir.is_empty()) {
            watcher.watch(&context_dirs(&self.roots, dir.root));
        }
    }

    /// Watches what is new in a folder `.context/` of which one of these paths is.
    pub(crate) fn watch_contexts(&mut self, paths: &[String]) {
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        for (root, at) in (0_u32..).zip(&self.roots) {
            let folder = join(at, CONTEXT);
            let is_in = |path: &String| {
                let parent = path.rsplit_once('/').map(|(parent, _)| parent);
                *path == folder || parent == Some(&folder)
            };
            if paths.iter().any(is_in) {
                watcher.watch(&context_dirs(&self.roots, root));
            }
        }
    }

    /// Everything that changed until now.
    pub(crate) fn settled_changes(&mut self) -> Settled {
        let is_trusted = self.checked.elapsed() < TRUST;
        match self.told() {
            None => Settled::Unknown,
            Some(paths) if is_trusted => Settled::Paths(paths),
            Some(paths) => Settled::Check(paths),
        }
    }

    /// What changed, once nothing more came for `quiet` or the first of it is `most` ago. Without a watcher everything
    /// is to be listed now and then.
    pub(crate) fn quiet_changes(&mut self, quiet: Duration, most: Duration) -> QuietChanges {
        match &mut self.watcher {
            Some(watcher) => watcher.quiet_changes(quiet, most),
            None if !self.is_wanted => QuietChanges::Nothing,
            None => match LOOK_EVERY.checked_sub(self.checked.elapsed()) {
                Some(wait) if !wait.is_zero() => QuietChanges::In(wait),
                _ => QuietChanges::Unknown,
            },
        }
    }

    /// Every folder is about to be listed.
    pub(crate) fn checks(&mut self) {
        self.checked = Instant::now();
    }

    /// These folders hold something that they did not, though the disk was silent when they were listed. What the
    /// watcher told meanwhile; where that does not account for all of it, it is given up.
    pub(crate) fn account_for(&mut self, news: &[DirRef]) -> Vec<String> {
        let mut all = Vec::new();
        for wait in [Duration::ZERO, GRACE] {
            std::thread::sleep(wait);
            match self.told() {
                Some(told) => all.extend(told),
                // What was lost may have been of these folders.
                None => return all,
            }
            if !self.is_untold(news, &all) {
                self.retry.0 = FIRST_RETRY;
                return all;
            }
        }
        self.give_up(Unwatched::Silent);
        all
    }

    /// What the watcher told until now. None where it could not tell everything; one that is silent is given up.
    fn told(&mut self) -> Option<Vec<String>> {
        let settled = self.watcher.as_mut()?.settled_changes();
        self.silent = match &settled {
            SettledChanges::Silent => self.silent + 1,
            _ => 0,
        };
        if self.silent >= MAX_SILENT {
            self.give_up(Unwatched::Silent);
        }
        match settled {
            SettledChanges::Paths(paths) => Some(paths),
            SettledChanges::Lost | SettledChanges::Silent => None,
        }
    }

    /// Whether there is a folder of which no path that was told says anything.
    fn is_untold(&self, news: &[DirRef], told: &[String]) -> bool {
        let is_told = |dir: &DirRef| {
            let root = self.roots.get(dir.root as usize);
            let folder = root.map(|root| join(root, &dir.dir));
            folder.is_none_or(|folder| told.iter().any(|path| concerns(path, &folder)))
        };
        !news.iter().all(is_told)
    }

    fn give_up(&mut self, why: Unwatched) {
        tracing::warn!(?why, "folders are listed to find changes");
        self.watcher = None;
        self.silent = 0;
        self.unwatched = Some(why);
        self.retry.1 = Instant::now();
    }

    /// Tries another watcher, if it is time. Whether there is one; it watches these folders, of which each has to be
    /// listed once more.
    pub(crate) fn try_again_if_due(&mut self, dirs: &[DirRef]) -> bool {
        let (after, since) = self.retry;
        let is_whole = self.watcher.as_ref().is_some_and(|it| !it.is_partial());
        if !self.is_wanted || is_whole || since.elapsed() < after {
            return false;
        }
        self.retry = ((after * 2).min(LAST_RETRY), Instant::now());
        self.watcher = None;
        self.open();
        self.watch(dirs);
        if self.watcher.is_some() {
            self.unwatched = None;
        }
        self.watcher.is_some()
    }
}

/// The folder `.context/` of a root and those in it that others write for us, none of which is ever listed as code.
fn context_dirs(roots: &[Root], root: u32) -> Vec<DirRef> {
    let Some(path) = roots.get(root as usize).map(|root| join(root, CONTEXT)) else {
        return Vec::new();
    };
    // A link in its place leads out of the workspace.
    if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
        return Vec::new();
    }
    let here = fs::read_dir(&path).into_iter().flatten().flatten();
    let dirs = here.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let names = dirs.filter_map(|entry| entry.file_name().into_string().ok());
    let names = names.filter(|name| !OWN.contains(&name.as_str()));
    let below = names.map(|name| format!("{CONTEXT}/{name}"));
    let all = std::iter::once(CONTEXT.to_owned()).chain(below);
    all.map(|dir| DirRef { root, dir }).collect()
}

/// Whether a path that was told says something of what is in a folder.
fn concerns(path: &str, folder: &str) -> bool {
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    let is_at_or_above = folder
        .strip_prefix(path)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    parent == folder || is_at_or_above
}

#[cfg(test)]
mod tests;
