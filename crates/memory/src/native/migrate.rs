//! From one back end to another, with every id and field (SPEC OB1).
//!
//! The new file is written beside its place. Then the old one is moved aside, the new one moved in, and the old
//! one deleted: whoever comes after a kill sees by the files how far it came, and ends it or takes it back.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::{JSONL, MARKDOWN, MemoryFolder, SQLITE, failed, sqlite};
use crate::error::{MemoryError, Result};
use crate::record::Observation;
use crate::store::{BackEnd, Health};

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
pub fn migrate(folder: &MemoryFolder, from: BackEnd, to: BackEnd) -> Result<Migrated> {
    if to == BackEnd::Markdown {
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
    if folder.has(name(to)) {
        return Err(MemoryError::Elsewhere {
            asked: from.as_str(),
            holder: to.as_str(),
        });
    }
    let mut lock = folder.lock();
    let mut held = lock.hold()?;
    let health = source.health()?;
    let new = format!("{}.new", name(to));
    remove(folder, &new)?;
    let mut write = |visit: &mut dyn FnMut(&Observation) -> Result<()>| source.each(visit);
    let records = match to {
        BackEnd::Sqlite => write_sqlite(folder, &new, &mut write),
        _ => write_jsonl(folder, &new, &mut write),
    }?;
    drop(source); // gives the database's journal back
    held.check()?;
    exchange(folder, from, to, &new)?;
    let old = format!("{}{ASIDE}", name(from));
    let has_rest = health.cut + health.foreign + health.other_schema + health.duplicates > 0;
    let kept = format!("{}{KEPT}", name(from));
    if from == BackEnd::Jsonl && has_rest {
        rename(folder, &old, &kept)?;
    } else if from != BackEnd::Markdown {
        remove(folder, &old)?;
    }
    Ok(Migrated {
        records,
        kept: (from == BackEnd::Jsonl && has_rest).then(|| folder.file(&kept)),
        health,
    })
}

/// The Markdown file goes on as the log for people.
fn exchange(folder: &MemoryFolder, from: BackEnd, to: BackEnd, new: &str) -> Result<()> {
    let (old, aside) = (name(from), format!("{}{ASIDE}", name(from)));
    if from != BackEnd::Markdown && folder.has(old) {
        if from == BackEnd::Sqlite {
            sqlite::empty_journal(folder, old)?;
        }
        rename(folder, old, &aside)?;
        remove_journal(folder, old)?; // another database of this name would take it for its own
    }
    rename(folder, new, name(to))
}

/// Ends or takes back what a migration left that was killed.
pub(super) fn finish(folder: &MemoryFolder) -> Result<()> {
    for (from, to) in [(JSONL, SQLITE), (SQLITE, JSONL)] {
        let aside = format!("{from}{ASIDE}");
        if !folder.has(&aside) {
            continue;
        }
        let mut lock = folder.lock();
        let held = lock.hold()?;
        // The one who works on it may have ended while we waited.
        if folder.has(&aside) {
            if folder.has(to) {
                rename(folder, &aside, &format!("{from}{KEPT}"))?;
            } else {
                rename(folder, &aside, from)?;
            }
        }
        drop(held);
    }
    Ok(())
}

fn name(source: BackEnd) -> &'static str {
    match source {
        BackEnd::Jsonl => JSONL,
        BackEnd::Sqlite => SQLITE,
        BackEnd::Markdown => MARKDOWN,
    }
}

type Each<'e> = dyn FnMut(&mut dyn FnMut(&Observation) -> Result<()>) -> Result<()> + 'e;

fn write_jsonl(folder: &MemoryFolder, name: &str, each: &mut Each<'_>) -> Result<u64> {
    let path = folder.file(name);
    let mut count = 0;
    let mut outcome = Ok(());
    let write = |file: &mut File| {
        let mut file = BufWriter::new(file);
        let fail = |error: io::Error| failed(&path, &error);
        outcome = each(&mut |record| {
            count += 1;
            writeln!(file, "{}", record.to_line()).map_err(fail)
        });
        file.flush()
    };
    let written = folder.at.replace(name, true, write);
    outcome.and(written.map_err(|error| failed(&path, &error)))?;
    Ok(count)
}

fn write_sqlite(folder: &MemoryFolder, name: &str, each: &mut Each<'_>) -> Result<u64> {
    let mut connection = sqlite::open(folder, name)?;
    let path = folder.file(name);
    let fail = |error: rusqlite::Error| sqlite::failed(&path, &error);
    let transaction = connection.transaction().map_err(fail)?;
    let mut count = 0;
    each(&mut |record| {
        count += 1;
        sqlite::insert(&transaction, record).map_err(fail)
    })?;
    transaction.commit().map_err(fail)?;
    drop(connection);
    sqlite::empty_journal(folder, name)?;
    Ok(count)
}

fn rename(folder: &MemoryFolder, from: &str, to: &str) -> Result<()> {
    let renamed = folder.at.rename(from, to);
    renamed.map_err(|error| failed(&folder.file(from), &error))
}

fn remove(folder: &MemoryFolder, name: &str) -> Result<()> {
    remove_with(folder, name, &["", "-wal", "-shm"])
}

fn remove_journal(folder: &MemoryFolder, name: &str) -> Result<()> {
    remove_with(folder, name, &["-wal", "-shm"])
}

fn remove_with(folder: &MemoryFolder, name: &str, endings: &[&str]) -> Result<()> {
    for ending in endings {
        let name = format!("{name}{ending}");
        if let Err(error) = folder.at.remove(&name)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(failed(&folder.file(&name), &error));
        }
    }
    Ok(())
}
