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
mod lock;
mod markdown;
mod migrate;
mod owner;
mod sqlite;

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::{MemoryError, Result};
use crate::markdown as log;
use crate::record::Record;
use crate::store::{Source, Store};

pub use jsonl::JsonlStore;
pub use markdown::MarkdownStore;
pub use migrate::{Migrated, migrate};
pub use sqlite::SqliteStore;

/// The folder of a root's memory, below the root.
const FOLDER: [&str; 2] = [".context", "memory"];
const JSONL: &str = "observations.jsonl";
const SQLITE: &str = "mem.db";
const MARKDOWN: &str = "observations.md";

/// The folder in which a root's observations are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder of a root; `may_make` says that it may be made. `None` if it is not there.
    ///
    /// # Errors
    /// `Outside` where a link leads out of the root, `ReadOnly` or `Io` where it cannot be made.
    pub fn of(root: &Path, may_make: bool) -> Result<Option<Self>> {
        let mut path = root.to_path_buf();
        for part in FOLDER {
            path.push(part);
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => {
                    return Err(MemoryError::Outside {
                        path: path.display().to_string(),
                    });
                }
                Err(error) if error.kind() == ErrorKind::NotFound && !may_make => return Ok(None),
                Err(error) if error.kind() == ErrorKind::NotFound => make(&path)?,
                Err(error) => return Err(failed(&path, &error)),
            }
        }
        Ok(Some(Self { path }))
    }

    /// Opens a back end. What an interrupted migration left is brought to an end first.
    ///
    /// # Errors
    /// `Elsewhere` where another back end holds the records; what its file says of it otherwise.
    pub fn open(&self, source: Source) -> Result<Box<dyn Store + Send>> {
        migrate::finish(self)?;
        Ok(match source {
            Source::Jsonl => Box::new(JsonlStore::new(self.clone())?),
            Source::Sqlite => Box::new(SqliteStore::new(self.clone())?),
            Source::Markdown => Box::new(MarkdownStore::new(self.clone())),
        })
    }

    /// The back end that holds records, by the files that are there.
    #[must_use]
    pub fn holder(&self) -> Option<Source> {
        let holders = [(Source::Sqlite, SQLITE), (Source::Jsonl, JSONL)];
        let holder = holders
            .into_iter()
            .find(|(_, name)| self.file(name).is_file());
        holder.map(|(source, _)| source)
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Fails where the other back end holds the records.
    fn claim(&self, asked: Source) -> Result<()> {
        let other = match asked {
            Source::Jsonl => (Source::Sqlite, SQLITE),
            _ => (Source::Jsonl, JSONL),
        };
        if self.file(other.1).exists() {
            return Err(MemoryError::Elsewhere {
                asked: asked.as_str(),
                holder: other.0.as_str(),
            });
        }
        Ok(())
    }

    /// Appends to the log for people; what does not work is told, and no reason to lose the record.
    fn log(&self, records: &[Record]) -> Option<String> {
        let path = self.file(MARKDOWN);
        let lines: String = records
            .iter()
            .map(|record| log::line(record) + "\n")
            .collect();
        append_text(&path, &lines)
            .err()
            .map(|error| failed(&path, &error).to_string())
    }

    /// Takes lines out of the log for people.
    fn purge_log(&self, ids: &[u64]) -> Result<()> {
        let path = self.file(MARKDOWN);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(&path, &error)),
        };
        let text = String::from_utf8_lossy(&text);
        let is_kept = |line: &&str| log::id_of(line).is_none_or(|id| !ids.contains(&id));
        let kept: String = text.split_inclusive('\n').filter(is_kept).collect();
        if kept.len() == text.len() {
            return Ok(());
        }
        replace(&path, |file| file.write_all(kept.as_bytes()))
            .map_err(|error| failed(&path, &error))
    }
}

/// A purge that recorded what it forgets, and could not take it out.
fn half_purged(error: MemoryError) -> MemoryError {
    let reason = error.to_string().trim_end_matches('.').to_owned();
    MemoryError::HalfPurged { reason }
}

fn append_text(path: &Path, lines: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    if file.metadata()?.len() == 0 {
        file.write_all(log::HEAD.as_bytes())?;
    }
    file.write_all(lines.as_bytes())
}

fn make(path: &Path) -> Result<()> {
    match fs::create_dir(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(failed(path, &error)),
        _ => Ok(()),
    }
}

/// Writes a file beside its place, and moves it there when all of it is on the disk.
fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".writing-");
    #[cfg(unix)]
    if let Ok(found) = fs::metadata(path) {
        builder.permissions(found.permissions());
    }
    let mut file = builder.tempfile_in(folder)?;
    write(file.as_file_mut())?;
    file.as_file().sync_data()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Tells a file from another that took its place, where the system can.
fn identity(metadata: &fs::Metadata) -> (u64, u64) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (metadata.dev(), metadata.ino())
    }
    #[cfg(not(unix))]
    {
        let made = metadata.created().ok();
        let since = made.and_then(|made| made.duration_since(std::time::UNIX_EPOCH).ok());
        (0, since.map_or(0, |since| since.as_nanos() as u64))
    }
}

/// What the system said, as an error of ours.
fn failed(path: &Path, error: &io::Error) -> MemoryError {
    let path = path.display().to_string();
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
