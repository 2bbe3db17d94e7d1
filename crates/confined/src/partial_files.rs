//! Files that are not whole yet: written beside their place, then moved there.
//!
//! The name of such a file says whose it is, so that what a process left when it was killed can be told from what
//! another one is writing.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use crate::entry_info::{EntryInfo, FolderEntryKind};
use crate::folder::ConfinedFolder;
use crate::owner::{ProcessIdentity, is_gone, is_known};

/// How the names of files begin that are not whole yet.
const HALF: &str = ".writing-";
/// From this age on a half file has no writer any more of whom nobody can say whether he is there.
const ABANDONED: Duration = Duration::from_secs(3600);
/// Folders below folders that are looked at for half files.
const DEPTH: u32 = 4;

/// Whose half files are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those of processes that ended.
    TheDead,
    /// Those as well that name no process, as earlier versions wrote them. Their lock has to be ours.
    TheNameless,
}

impl ConfinedFolder {
    /// Puts a file in place whole or not at all; what has its name is replaced, also a link. `lasts` says that it has
    /// to be whole also after the machine lost power.
    ///
    /// # Errors
    /// What `write` fails with, what the system says. Then nothing is left of it.
    pub fn replace<T>(
        &self,
        path: &str,
        lasts: bool,
        write: impl FnOnce(&mut File) -> io::Result<T>,
    ) -> io::Result<T> {
        let (folder, name) = self.holder(path)?;
        let (half, mut file) = folder.half()?;
        let written = write(&mut file).and_then(|value| {
            folder.keep_mode(name, &file);
            if lasts {
                file.sync_data()?;
            }
            Ok(value)
        });
        drop(file); // Windows renames no file that is open
        let placed = written.and_then(|value| folder.rename(&half, name).map(|()| value));
        if placed.is_err() {
            // The reason why it is not in place is what counts.
            let _ = folder.remove(&half);
        }
        placed
    }

    /// Makes a new half file here.
    fn half(&self) -> io::Result<(String, File)> {
        loop {
            let name = half_name();
            match self.create_file(&name) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(file) => return Ok((name, file)),
            }
        }
    }

    /// A file that takes another one's place may be read and written by the same people.
    #[cfg(unix)]
    fn keep_mode(&self, name: &str, file: &File) {
        use std::os::unix::fs::PermissionsExt;
        let Ok(former) = self.open_file(name).and_then(|former| former.metadata()) else {
            return;
        };
        let mode = former.permissions().mode() & 0o777;
        // Where it cannot be given its modes, it is what a new file would be.
        let _ = file.set_permissions(PermissionsExt::from_mode(mode));
    }

    #[cfg(not(unix))]
    fn keep_mode(&self, _: &str, _: &File) {}

    /// Deletes half files here and in the folders below. What stays does no harm.
    pub fn sweep(&self, whose: Whose) {
        self.sweep_to(whose, &ProcessIdentity::me(), DEPTH);
    }

    fn sweep_to(&self, whose: Whose, me: &ProcessIdentity, depth: u32) {
        for name in self.entries().unwrap_or_default() {
            let Ok(found) = self.find(&name) else {
                continue;
            };
            match found.kind {
                FolderEntryKind::File if is_left(&name, &found, whose, me) => {
                    drop(self.remove(&name))
                }
                FolderEntryKind::Folder if is_left(&name, &found, whose, me) => {
                    self.drop_half_folder(&name)
                }
                FolderEntryKind::Folder if depth > 0 => {
                    if let Ok(inner) = self.below(&name) {
                        inner.sweep_to(whose, me, depth - 1);
                    }
                }
                _ => {}
            }
        }
    }

    /// Deletes a folder that is not in its place yet, with the files in it.
    pub(crate) fn drop_half_folder(&self, name: &str) {
        if let Ok(inner) = self.below(name) {
            for file in inner.entries().unwrap_or_default() {
                let _ = inner.remove(&file);
            }
        }
        let _ = self.remove_folder(name);
    }
}

/// A name that no other file has.
pub(crate) fn half_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{HALF}{}-{count}", ProcessIdentity::me())
}

/// Whether nobody is writing it any more.
fn is_left(name: &str, found: &EntryInfo, whose: Whose, me: &ProcessIdentity) -> bool {
    let Some(rest) = name.strip_prefix(HALF) else {
        return false;
    };
    let Some(owner) = owner_of(rest) else {
        return whose == Whose::TheNameless && found.kind == FolderEntryKind::File;
    };
    is_gone(&owner, me) || (!is_known(&owner, me) && is_old(found))
}

fn owner_of(rest: &str) -> Option<ProcessIdentity> {
    let (owner, _) = rest.split_once('-')?;
    let mut parts = owner.split('.');
    let owner = ProcessIdentity::parse(&mut parts)?;
    parts.next().is_none().then_some(owner)
}

fn is_old(found: &EntryInfo) -> bool {
    let age = found
        .modified
        .and_then(|at| SystemTime::now().duration_since(at).ok());
    age.is_some_and(|age| age > ABANDONED)
}
