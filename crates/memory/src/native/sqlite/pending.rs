//! Records that wait for the full-text index.
//!
//! Indexing one costs many times what writing it does, for the index is written anew bit by bit with every transaction;
//! many at once cost little more than one. So the newest records wait, and questions look through them themselves.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::is_hidden;
use super::tokens::tokens_of;
use crate::filter::ObservationFilter;
use crate::jsonl::{LogLine, parse};
use crate::record::Observation;
use crate::store::ObservationOrder;

/// So many may wait: looking through them takes a millisecond, and indexing them stops others once in so many records.
const MAX: i64 = 1024;

/// The highest id that is in the index; what is above waits. A database of before has all in it.
pub(super) fn indexed(connection: &Connection) -> rusqlite::Result<i64> {
    let mut query = connection.prepare_cached("SELECT value FROM meta WHERE key = 'indexed'")?;
    let known = query.query_row([], |row| row.get(0)).optional()?;
    Ok(known.unwrap_or(i64::MAX))
}

/// Has records wait from now on in a database of before, whose last id is `last`.
pub(super) fn begin(transaction: &Transaction<'_>, last: u64) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("INSERT OR IGNORE INTO meta VALUES ('indexed', ?1)")?
        .execute([last as i64])
        .map(|_| ())
}

/// Has a record wait, or be indexed where later ones are; where too many wait, all are.
pub(super) fn index_or_wait(
    transaction: &Transaction<'_>,
    record: &Observation,
) -> rusqlite::Result<()> {
    let (id, indexed) = (record.id as i64, indexed(transaction)?);
    if id <= indexed {
        return index(transaction, record);
    }
    if id - indexed <= MAX {
        return Ok(());
    }
    for (id, line) in above(transaction, indexed)? {
        if !is_hidden(transaction, id)?
            && let Some(record) = parse(line.as_bytes())
        {
            index(transaction, &record)?;
        }
    }
    transaction
        .prepare_cached("UPDATE meta SET value = ?1 WHERE key = 'indexed'")?
        .execute([id])
        .map(|_| ())
}

fn index(transaction: &Transaction<'_>, record: &Observation) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("INSERT INTO word(rowid, text) VALUES (?1, ?2)")?
        .execute(params![record.id as i64, tokens_of(record)])
        .map(|_| ())
}

/// Lines with higher ids, in their order.
fn above(connection: &Connection, id: i64) -> rusqlite::Result<Vec<(i64, String)>> {
    let mut query =
        connection.prepare_cached("SELECT id, line FROM observation WHERE id > ?1 ORDER BY id")?;
    let lines = query.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    lines.collect()
}

fn matches(line: &str, filter: &ObservationFilter) -> bool {
    let LogLine::Observation(view) = LogLine::read(line.as_bytes()) else {
        return false;
    };
    let whole = || parse(line.as_bytes()).is_some_and(|record| filter.matches(&record));
    filter.matches_line(&view).unwrap_or_else(whole)
}

/// What matches a question among those that wait.
#[derive(Default)]
pub(super) struct Pending {
    /// In order.
    ids: Vec<i64>,
}

impl Pending {
    /// Looks through them.
    pub(super) fn read(
        connection: &Connection,
        filter: &ObservationFilter,
    ) -> rusqlite::Result<Self> {
        let indexed = indexed(connection)?;
        let mut ids = Vec::new();
        for (id, line) in above(connection, indexed)? {
            if matches(&line, filter) && !is_hidden(connection, id)? {
                ids.push(id);
            }
        }
        Ok(Self { ids })
    }

    /// How many.
    pub(super) fn count(&self) -> u64 {
        self.ids.len() as u64
    }

    /// Puts those behind `from` to the ids that the index has: their ids are the highest.
    pub(super) fn join(&self, found: &mut Vec<i64>, order: ObservationOrder, from: Option<i64>) {
        match order {
            ObservationOrder::NewestFirst => {
                let own = self.ids.iter().rev().copied();
                let own = own.filter(|id| from.is_none_or(|from| *id < from));
                found.splice(0..0, own);
            }
            ObservationOrder::OldestFirst => {
                let own = self.ids.iter().copied();
                found.extend(own.filter(|id| from.is_none_or(|from| *id > from)));
            }
        }
    }
}
