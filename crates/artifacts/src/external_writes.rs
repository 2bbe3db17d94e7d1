//! Writes of other processes to a folder `.context/` that was read: another window of the editor, the command line, a change
//! of branches (SPEC D17; docs/context-folder.md).
//!
//! A watcher reports our own writes too. A file's stamp tells them apart, so only the reported file is fetched. After a
//! write of another process the folder is read again as a whole.

use std::collections::{BTreeMap, BTreeSet};

use codecortex_protocol::paths::place_of;
use codecortex_protocol::{FetchedFile, Root};

use crate::contexts::Contexts;
use crate::folder::{ContextState, FOLDER, FolderPhase};

/// The start and the end of the path of a semantic text, below the folder.
const TEXT: (&str, &str) = ("types/", ".semantic.md");

/// What a watcher reported of folders `.context/`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ReportedWrites {
    /// Files of the folder that may be other than when they were read, by root.
    pub files: BTreeMap<u32, BTreeSet<String>>,
    /// Types whose semantic texts were written: root and id.
    pub texts: Vec<(u32, String)>,
}

impl Contexts {
    /// Sorts the absolute paths that a watcher reported. Folders that were not read are left out: they are read on demand.
    #[must_use]
    pub fn reported_writes(&self, roots: &[Root], paths: &[String]) -> ReportedWrites {
        let mut writes = ReportedWrites::default();
        for path in paths {
            let Some(place) = place_of(path, roots) else {
                continue;
            };
            let Some(name) = place.path.strip_prefix(FOLDER) else {
                continue;
            };
            let folder = self.folders.get(place.root as usize);
            if folder.is_none_or(|folder| folder.step == FolderPhase::Unread) {
                continue;
            }
            if name.is_empty() {
                // The folder was removed or made: reports of its files may be missing.
                let files = writes.files.entry(place.root).or_default();
                files.extend(ContextState::watched());
            } else if ContextState::watched().any(|path| path == place.path) {
                let files = writes.files.entry(place.root).or_default();
                files.insert(place.path);
            } else if let Some(id) = name.strip_prefix('/').and_then(text_of) {
                writes.texts.push((place.root, id.to_owned()));
            }
        }
        writes
    }

    /// Whether another process wrote one of the reported files of a root, so that its folder has to be read again.
    pub fn is_written_by_others(
        &mut self,
        root: u32,
        paths: &[String],
        files: &[FetchedFile],
    ) -> bool {
        let is_writing = self.is_writing(root);
        let Some(folder) = self.folders.get_mut(root as usize) else {
            return false;
        };
        if is_writing || folder.is_reading() {
            // What is on its way may be older or newer than these files, and has to arrive first.
            folder.noticed.extend(paths.iter().cloned());
            return false;
        }
        // A folder that was not read is read on demand.
        if folder.ledger.is_none() {
            return false;
        }
        let is_all = ContextState::watched().all(|path| paths.contains(&path));
        let is_gone = |file: &FetchedFile| file.bytes.is_none() && file.error.is_none();
        if is_all && files.iter().all(is_gone) {
            return false; // the folder was removed; its listing says so
        }
        let mut found = paths.iter().zip(files);
        !found.all(|(path, file)| folder.is_known(path, file.stamp.as_deref()))
    }

    /// Forgets what was read of a root's folder. Returns whether it has changes that the disk does not have; they are put
    /// in again when the folder is read.
    pub fn read_anew(&mut self, root: u32) -> bool {
        let Some(folder) = self.folders.get_mut(root as usize) else {
            return false;
        };
        let has_news = folder.window_changed || folder.is_unwritten();
        folder.unload();
        if !has_news {
            folder.window_changed = false;
        }
        has_news
    }
}

/// The type that a semantic text is about, by its path below the folder.
fn text_of(name: &str) -> Option<&str> {
    name.strip_prefix(TEXT.0)?.strip_suffix(TEXT.1)
}
