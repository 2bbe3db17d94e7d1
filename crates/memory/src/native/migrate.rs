//! From one back end to another, with every id and field (SPEC OB1).
//!
//! The new file is written beside its place. Then the old one is moved aside, the new one moved in, and the old
//! one deleted: whoever comes after a kill sees by the files how far it came, and ends it or takes it back.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::lock::Lock;
use super::{Folder, JSONL, MARKDOWN, SQLITE, failed, replace, sqlite};
use crate::error::{MemoryError, Result};
use crate::record::Record;
use crate::store::{Health, Source};

/// How the old file is called while the new one takes over.
const ASIDE: &str = ".migrating";
/// How it is called for good if it has lines that are no records.
const KEPT: &str = ".old";

/// What a migration did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// Records that are in the new back end.
    pub records: u64,
    /// Where the old file is, if it has lines that no other back end can hold.
    pub kept: Option<PathBuf>,
    /// What those lines are.
    pub health: Health,
}

/// Moves all records from one back end to another.
///
/// # Errors
/// `Unsupported` to Markdown, which keeps summaries alone; `Elsewhere` if the target has records already.
pub fn migrate(folder: &Folder, from: Source, to: Source) -> Result<Migrated> {
    if to == Source::Markdown {
        return Err(MemoryError::Unsupported {
            backend: to.as_str(),
            what: "hold all of a record",
        });
    }
    if from == to {
        return Err(MemoryError::invalid(
            "to",
            "it is the back end that the records are in",
        ));
    }
    let mut source = folder.open(from)?;
    let target = folder.file(name(to));
    if target.exists() {
        return Err(MemoryError::Elsewhere {
            asked: from.as_str(),
            holder: to.as_str(),
        });
    }
    let mut lock = Lock::new(folder.path());
    let mut held = lock.hold()?;
    let health = source.health()?;
    let new = folder.file(&format!("{}.new", name(to)));
    remove(&new)?;
    let mut write = |visit: &mut dyn FnMut(&Record) -> Result<()>| source.each(visit);
    let records = match to {
        Source::Sqlite => write_sqlite(&new, &mut write),
        _ => write_jsonl(&new, &mut write),
    }?;
    drop(source); // gives the database's journal back
    held.check()?;
    exchange(folder, from, to, &new)?;
    let old = folder.file(&format!("{}{ASIDE}", name(from)));
    let has_rest = health.cut + health.foreign + health.other_schema + health.duplicates > 0;
    let kept = folder.file(&format!("{}{KEPT}", name(from)));
    if from == Source::Jsonl && has_rest {
        rename(&old, &kept)?;
    } else if from != Source::Markdown {
        remove(&old)?;
    }
    Ok(Migrated {
        records,
        kept: (from == Source::Jsonl && has_rest).then_some(kept),
        health,
    })
}

/// The Markdown file goes on as the log for people.
fn exchange(folder: &Folder, from: Source, to: Source, new: &Path) -> Result<()> {
    let (old, aside) = (
        folder.file(name(from)),
        folder.file(&format!("{}{ASIDE}", name(from))),
    );
    if from != Source::Markdown && old.exists() {
        if from == Source::Sqlite {
            sqlite::empty_journal(&old)?;
        }
        rename(&old, &aside)?;
        remove_journal(&old)?; // another database of this name would take it for its own
    }
    rename(new, &folder.file(name(to)))
}

/// Ends or takes back what a migration left that was killed.
pub(super) fn finish(folder: &Folder) -> Result<()> {
    for (from, to) in [(JSONL, SQLITE), (SQLITE, JSONL)] {
        let aside = folder.file(&format!("{from}{ASIDE}"));
        if !aside.exists() {
            continue;
        }
        let mut lock = Lock::new(folder.path());
        let held = lock.hold()?;
        // The one who works on it may have ended while we waited.
        if aside.exists() {
            if folder.file(to).exists() {
                rename(&aside, &folder.file(&format!("{from}{KEPT}")))?;
            } else {
                rename(&aside, &folder.file(from))?;
            }
        }
        drop(held);
    }
    Ok(())
}

fn name(source: Source) -> &'static str {
    match source {
        Source::Jsonl => JSONL,
        Source::Sqlite => SQLITE,
        Source::Markdown => MARKDOWN,
    }
}

type Each<'e> = dyn FnMut(&mut dyn FnMut(&Record) -> Result<()>) -> Result<()> + 'e;

fn write_jsonl(path: &Path, each: &mut Each<'_>) -> Result<u64> {
    let mut count = 0;
    let mut outcome = Ok(());
    let write = |file: &mut fs::File| {
        let mut file = BufWriter::new(file);
        let fail = |error: io::Error| failed(path, &error);
        outcome = each(&mut |record| {
            count += 1;
            writeln!(file, "{}", record.to_line()).map_err(fail)
        });
        file.flush()
    };
    let written = replace(path, write).map_err(|error| failed(path, &error));
    outcome.and(written)?;
    Ok(count)
}

fn write_sqlite(path: &Path, each: &mut Each<'_>) -> Result<u64> {
    let mut connection = sqlite::open(path)?;
    let fail = |error: rusqlite::Error| sqlite::failed(path, &error);
    let transaction = connection.transaction().map_err(fail)?;
    let mut count = 0;
    each(&mut |record| {
        count += 1;
        sqlite::insert(&transaction, record).map_err(fail)
    })?;
    transaction.commit().map_err(fail)?;
    drop(connection);
    sqlite::empty_journal(path)?;
    Ok(count)
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| failed(from, &error))
}

fn remove(path: &Path) -> Result<()> {
    remove_with(path, &["", "-wal", "-shm"])
}

fn remove_journal(path: &Path) -> Result<()> {
    remove_with(path, &["-wal", "-shm"])
}

fn remove_with(path: &Path, endings: &[&str]) -> Result<()> {
    for ending in endings {
        let mut path = path.as_os_str().to_owned();
        path.push(ending);
        let path = PathBuf::from(path);
        if let Err(error) = fs::remove_file(&path)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(failed(&path, &error));
        }
    }
    Ok(())
}
