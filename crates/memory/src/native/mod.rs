//! Stores in files: `.context/memory` of a root (SPEC D3, D17, D26; docs/memory.md).
//!
//! One back end holds the records. Every writer, of any back end and of any program, holds one lock; the log for
//! people beside it gets a line with each record and is never read unless it is the back end itself.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "this module is the part of the crate that is a host"
)]

mod jsonl;
mod markdown;
mod migrate;
mod sqlite;

use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use codecortex_confined::{self as confined, Lock, LockError, Refused};

use crate::error::{MemoryError, Result};
use crate::markdown as log;
use crate::record::Observation;
use crate::store::{BackEnd, Store};

pub use jsonl::JsonlStore;
pub use markdown::MarkdownStore;
pub use migrate::{Migrated, migrate};
pub use sqlite::SqliteStore;

/// The folder of a root's memory, below the root.
const FOLDER: [&str; 2] = [".context", "memory"];
const JSONL: &str = "observations.jsonl";
const SQLITE: &str = "mem.db";
const MARKDOWN: &str = "observations.md";

/// Ids in the log for people count below this one: anybody may edit it, and none may leave no room for more.
const LOGGED_BELOW: u64 = 1 << 52;

/// Bytes of the end of the log for people that are looked at first.
const LOG_END: u64 = 16 << 10;

/// How long somebody waits for other writers at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// The folder in which a root's observations are, by its handle: no link in it is followed.
#[derive(Clone, Debug)]
pub struct MemoryFolder {
    at: Arc<confined::ConfinedFolder>,
    /// Tells it from another that took its place.
    id: (u64, u64),
}

impl PartialEq for MemoryFolder {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.path() == other.path()
    }
}

impl Eq for MemoryFolder {}

impl MemoryFolder {
    /// The folder of a root; `may_make` says that it may be made. `None` if it is not there.
    ///
    /// # Errors
    /// `Refused` where one of its folders is none, such as a link; `ReadOnly` or `Io` where it cannot be made.
    pub fn at_root(root: &Path, may_make: bool) -> Result<Option<Self>> {
        let mut folder = match confined::ConfinedFolder::open(root) {
            Ok(folder) => folder,
            Err(error) if error.kind() == ErrorKind::NotFound && !may_make => return Ok(None),
            Err(error) => return Err(failed(root, &error)),
        };
        for part in FOLDER {
            let inner = match may_make {
                true => folder.made(part),
                false => folder.below(part),
            };
            folder = match inner {
                Ok(inner) => inner,
                Err(error) if error.kind() == ErrorKind::NotFound && !may_make => return Ok(None),
                Err(error) => return Err(failed(&folder.path().join(part), &error)),
            };
        }
        let id = folder.id().map_err(|error| failed(folder.path(), &error))?;
        let at = Arc::new(folder);
        Ok(Some(Self { at, id }))
    }

    /// Opens a back end. What an interrupted migration left is brought to an end first.
    ///
    /// # Errors
    /// `Elsewhere` where another back end holds the records; what its file says of it otherwise.
    pub fn open(&self, source: BackEnd) -> Result<Box<dyn Store + Send>> {
        migrate::finish(self)?;
        Ok(match source {
            BackEnd::Jsonl => Box::new(JsonlStore::new(self.clone())?),
            BackEnd::Sqlite => Box::new(SqliteStore::new(self.clone())?),
            BackEnd::Markdown => Box::new(MarkdownStore::new(self.clone())),
        })
    }

    /// The back end that holds records, by the files that are there.
    #[must_use]
    pub fn holder(&self) -> Option<BackEnd> {
        let holders = [(BackEnd::Sqlite, SQLITE), (BackEnd::Jsonl, JSONL)];
        let holder = holders.into_iter().find(|(_, name)| self.has(name));
        holder.map(|(source, _)| source)
    }

    /// Whether the log for people is there, which may hold records where nothing else does.
    #[must_use]
    pub fn has_log(&self) -> bool {
        self.at.has_file(MARKDOWN)
    }

    /// Where it is, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.at.path()
    }

    /// Where a file of it is, for messages.
    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Whether anything has this name: what is no file is refused when it is opened, not passed over.
    fn has(&self, name: &str) -> bool {
        self.at.find(name).is_ok()
    }

    fn lock(&self) -> Lock {
        Lock::new(Arc::clone(&self.at), PATIENCE)
    }

    /// What a file holds; none where it is not there.
    fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self.at.read(name) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&self.file(name), &error)),
        }
    }

    /// Fails where the other back end holds the records.
    fn claim(&self, asked: BackEnd) -> Result<()> {
        let other = match asked {
            BackEnd::Jsonl => (BackEnd::Sqlite, SQLITE),
            _ => (BackEnd::Jsonl, JSONL),
        };
        if self.has(other.1) {
            return Err(MemoryError::Elsewhere {
                asked: asked.as_str(),
                holder: other.0.as_str(),
            });
        }
        Ok(())
    }

    /// Appends to the log for people; what does not work is told, and no reason to lose the record.
    fn log(&self, records: &[Observation]) -> Option<String> {
        let lines: String = records
            .iter()
            .map(|record| log::line(record) + "\n")
            .collect();
        self.append_text(&lines)
            .err()
            .map(|error| error.to_string())
    }

    /// The highest id of the log for people: what another back end was told stands there too. Ids ascend in it, so its
    /// end is read alone where that has one. A log that cannot be read says nothing: it is no reason to lose a record.
    fn last_logged(&self) -> u64 {
        self.read_last_logged().unwrap_or(0)
    }

    fn read_last_logged(&self) -> io::Result<u64> {
        let mut file = self.at.open_file(MARKDOWN)?;
        let len = file.metadata()?.len();
        let mut size = LOG_END;
        loop {
            let start = len.saturating_sub(size);
            let mut block = Vec::new();
            file.seek(SeekFrom::Start(start))?;
            file.read_to_end(&mut block)?;
            let text = String::from_utf8_lossy(&block);
            // The first line of a block may lack its beginning.
            let whole = text.lines().skip(usize::from(start > 0));
            let ids = whole.filter_map(log::id_of).filter(|id| *id < LOGGED_BELOW);
            if let Some(last) = ids.max().or((start == 0).then_some(0)) {
                return Ok(last);
            }
            size = size.saturating_mul(8);
        }
    }

    fn append_text(&self, lines: &str) -> Result<()> {
        let append = || {
            let mut file = self.at.open_log(MARKDOWN)?;
            if file.metadata()?.len() == 0 {
                file.write_all(log::HEAD.as_bytes())?;
            }
            file.write_all(lines.as_bytes())
        };
        append().map_err(|error| failed(&self.file(MARKDOWN), &error))
    }

    /// Takes lines out of the log for people.
    fn purge_log(&self, ids: &[u64]) -> Result<()> {
        let Some(text) = self.bytes(MARKDOWN)? else {
            return Ok(());
        };
        let text = String::from_utf8_lossy(&text);
        let is_kept = |line: &&str| log::id_of(line).is_none_or(|id| !ids.contains(&id));
        let kept: String = text.split_inclusive('\n').filter(is_kept).collect();
        if kept.len() == text.len() {
            return Ok(());
        }
        self.at
            .replace(MARKDOWN, true, |file| file.write_all(kept.as_bytes()))
            .map_err(|error| failed(&self.file(MARKDOWN), &error))
    }
}

/// A purge that recorded what it forgets, and could not take it out.
fn half_purged(error: MemoryError) -> MemoryError {
    let reason = error.to_string().trim_end_matches('.').to_owned();
    MemoryError::HalfPurged { reason }
}

/// A lock that was not taken, as an error of ours.
impl From<LockError> for MemoryError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Busy { owner } => Self::Busy { owner },
            LockError::Lost => Self::LockLost,
            LockError::Io { path, source } => failed(&path, &source),
        }
    }
}

/// What the system said, as an error of ours.
fn failed(path: &Path, error: &io::Error) -> MemoryError {
    let path = path.display().to_string();
    if Refused::from_error(error).is_some() {
        let reason = error.to_string();
        return MemoryError::Refused { path, reason };
    }
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => MemoryError::ReadOnly {
            path,
            reason: error.kind().to_string(),
        },
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            MemoryError::DiskFull { path }
        }
        kind => MemoryError::Io {
            path,
            reason: kind.to_string(),
        },
    }
}
