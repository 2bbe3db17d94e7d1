//! Observations in a database with a full-text index.
//!
//! The index is given words and conditions as tokens ([`tokens::tokens_of`]), so that every question but one for times is
//! a walk through it, newest first, that ends when its page is full. What is forgotten is in no index. The newest records
//! wait to be indexed together ([`pending`]).

mod pending;
mod tokens;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use codecortex_confined::{self as confined, FolderEntryKind, Lock, Refused};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};

use self::pending::Pending;
use self::tokens::index_query;
use super::jsonl::nothing;
use super::{MemoryFolder, SQLITE};
use crate::draft::Sealed;
use crate::error::{MemoryError, Result};
use crate::filter::ObservationFilter;
use crate::record::Observation;
use crate::store::{
    Appended, BackEnd, Health, IdState, MAX_COUNT, ObservationOrder, ObservationPage, Select,
    Store, Total,
};

/// The version of the tables (`user_version`).
const VERSION: i64 = 1;
/// Says that a database is one of these (`application_id`): `CCob`.
const APPLICATION: i64 = 0x4343_6f62;
/// How long somebody waits for another process inside the database; the lock comes before it.
const PATIENCE: Duration = Duration::from_secs(5);
/// A beginning of one of these lengths has a list of its own; that of another is merged from all words that begin
/// so, which takes the longer the more there are, and long beginnings have few.
const TABLES: &str = "
CREATE TABLE observation(id INTEGER PRIMARY KEY, ts TEXT NOT NULL, line TEXT NOT NULL);
CREATE TABLE hidden(id INTEGER PRIMARY KEY);
CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('next_id', 1), ('visible', 0), ('indexed', 0);
CREATE VIRTUAL TABLE word USING fts5(
  text, content='', contentless_delete=1, detail='none', tokenize='ascii', prefix='1 2 3 4 5 6 7 8 9 10'
);";

/// Observations in `mem.db`.
#[derive(Debug)]
pub struct SqliteStore {
    folder: MemoryFolder,
    lock: Lock,
    open: Option<(Connection, (u64, u64))>,
}

impl SqliteStore {
    pub(super) fn new(folder: MemoryFolder) -> Result<Self> {
        folder.claim(BackEnd::Sqlite)?;
        let lock = folder.lock();
        let mut store = Self {
            folder,
            lock,
            open: None,
        };
        store.connect(false)?; // says at once what is wrong with it
        Ok(store)
    }

    fn path(&self) -> PathBuf {
        self.folder.file(SQLITE)
    }

    /// The database; none if it is not there and may not be made. Another one in its place is opened anew.
    fn connect(&mut self, may_make: bool) -> Result<Option<&mut Connection>> {
        self.folder.claim(BackEnd::Sqlite)?;
        let path = self.path();
        let identity = |found: io::Result<confined::EntryInfo>| found.ok().map(|found| found.id);
        let now = identity(self.folder.at.find(SQLITE));
        if now.is_none() && !may_make {
            self.open = None;
            return Ok(None);
        }
        if self
            .open
            .as_ref()
            .is_none_or(|(_, then)| Some(*then) != now)
        {
            let connection = open(&self.folder, SQLITE)?;
            let found = self.folder.at.find(SQLITE);
            let found = found.map_err(|error| super::failed(&path, &error))?;
            self.open = Some((connection, found.id));
        }
        Ok(self.open.as_mut().map(|(connection, _)| connection))
    }

    fn read_with<T>(
        &mut self,
        or: T,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let path = self.path();
        match self.connect(false)? {
            Some(connection) => read(connection).map_err(|error| failed(&path, &error)),
            None => Ok(or),
        }
    }

    /// Writes in one transaction, under the lock.
    fn write_with<T>(
        &mut self,
        write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let path = self.path();
        let connection = match self.connect(true)? {
            Some(connection) => connection,
            None => return Err(MemoryError::LockLost),
        };
        let run = || {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = write(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        run().map_err(|error| failed(&path, &error))
    }
}

/// Where SQLite opens a database of a folder. It takes no handles and follows no link in the path (`NOFOLLOW`), so the
/// path is the one without links, and what it opens beside the database is looked at before.
fn path_to_open(folder: &MemoryFolder, name: &str) -> io::Result<PathBuf> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        match folder.at.find(&format!("{name}{ending}")) {
            Ok(found) if found.kind != FolderEntryKind::File => {
                return Err(Refused::NotAFile(found.kind).into());
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let path = folder.path().canonicalize()?;
    match confined::ConfinedFolder::open(&path)?.id()? == folder.id {
        true => Ok(path.join(name)),
        false => Err(Refused::NotAFolder(FolderEntryKind::Link).into()), // another one is in its place
    }
}

/// Opens a database of a folder and makes its tables where there are none.
pub(super) fn open(folder: &MemoryFolder, name: &str) -> Result<Connection> {
    let path = &folder.file(name);
    let fail = |error: rusqlite::Error| failed(path, &error);
    let own = path_to_open(folder, name).map_err(|error| super::failed(path, &error))?;
    let open = |flags| {
        let flags = flags | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Connection::open_with_flags(&own, flags)
    };
    let connection = open(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
        .or_else(|_| open(OpenFlags::SQLITE_OPEN_READ_ONLY))
        .map_err(fail)?;
    connection.busy_timeout(PATIENCE).map_err(fail)?;
    let Marks {
        version,
        application,
        is_new,
    } = marks(&connection).map_err(fail)?;
    if version > VERSION && application == APPLICATION {
        return Err(MemoryError::NewerVersion {
            path: path.display().to_string(),
            found: version,
            known: VERSION,
        });
    }
    if !is_new && (application != APPLICATION || version != VERSION) {
        return Err(MemoryError::Damaged {
            path: path.display().to_string(),
            reason: "it is a database of something else".to_owned(),
        });
    }
    if is_new {
        set_up(&connection).map_err(fail)?;
    }
    // After a kill nothing is lost; the database has no such hint for readers of a read-only disk.
    connection
        .execute_batch(
            "PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=4000;",
        )
        .map_err(fail)?;
    Ok(connection)
}

/// The highest id that a folder's database gave; 0 where there is none.
pub(super) fn last_id(folder: &MemoryFolder) -> Result<u64> {
    if !folder.has(SQLITE) {
        return Ok(0);
    }
    let connection = open(folder, SQLITE)?;
    let next =
        meta(&connection, "next_id").map_err(|error| failed(&folder.file(SQLITE), &error))?;
    Ok(u64::try_from(next - 1).unwrap_or(0))
}

/// What a database says of itself.
struct Marks {
    version: i64,
    application: i64,
    /// Whether it has no tables.
    is_new: bool,
}

/// Reads them of one state of the database: another process may be making its tables.
fn marks(connection: &Connection) -> rusqlite::Result<Marks> {
    let reading = connection.unchecked_transaction()?;
    let number = |query: &str| reading.query_row(query, [], |row| row.get::<_, i64>(0));
    // The first table that is read begins the state; what a pragma says outside of one may be of another.
    let is_new = number("SELECT count(*) FROM sqlite_schema")? == 0;
    Ok(Marks {
        version: number("PRAGMA user_version")?,
        application: number("PRAGMA application_id")?,
        is_new,
    })
}

/// Puts everything into the database's own file.
pub(super) fn empty_journal(folder: &MemoryFolder, name: &str) -> Result<()> {
    let connection = open(folder, name)?;
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
    connection
        .query_row(checkpoint, [], |_| Ok(()))
        .map_err(|error| failed(&folder.file(name), &error))
}

/// Several processes may meet here; the first makes the tables.
fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    let mode: String = connection.query_row("PRAGMA journal_mode=WAL", [], |row| row.get(0))?;
    tracing::debug!(mode, "a new database of observations");
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let made = if tables == 0 {
        let marks = format!("PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION};");
        connection.execute_batch(&format!("{TABLES}{marks}"))
    } else {
        Ok(())
    };
    connection.execute_batch(if made.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    made
}

/// Adds records with the ids that they have. Tombstones hide what they name.
pub(super) fn insert(transaction: &Transaction<'_>, record: &Observation) -> rusqlite::Result<()> {
    let id = record.id as i64;
    let mut row = transaction.prepare_cached("INSERT INTO observation VALUES (?1, ?2, ?3)")?;
    row.execute(params![id, record.ts, record.to_line()])?;
    let is_hidden = is_hidden(transaction, id)?;
    match record.tombstone() {
        Some(tombstone) => {
            transaction
                .prepare_cached("INSERT OR IGNORE INTO hidden VALUES (?1)")?
                .execute([id])?;
            for id in &tombstone.ids {
                hide(transaction, *id as i64)?;
            }
        }
        None if !is_hidden => {
            pending::index_or_wait(transaction, record)?;
            count(transaction, "visible", 1)?;
        }
        None => {}
    }
    transaction
        .prepare_cached("UPDATE meta SET value = max(value, ?1) WHERE key = 'next_id'")?
        .execute([id + 1])?;
    Ok(())
}

fn is_hidden(connection: &Connection, id: i64) -> rusqlite::Result<bool> {
    let mut query = connection.prepare_cached("SELECT 1 FROM hidden WHERE id = ?1")?;
    query.exists([id])
}

fn hide(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    let is_new = transaction
        .prepare_cached("INSERT OR IGNORE INTO hidden VALUES (?1)")?
        .execute([id])?
        > 0;
    let is_there = transaction
        .prepare_cached("SELECT 1 FROM observation WHERE id = ?1")?
        .exists([id])?;
    if is_new && is_there {
        if id <= pending::indexed(transaction)? {
            transaction
                .prepare_cached("DELETE FROM word WHERE rowid = ?1")?
                .execute([id])?;
        }
        count(transaction, "visible", -1)?;
    }
    Ok(())
}

fn count(transaction: &Transaction<'_>, key: &str, by: i64) -> rusqlite::Result<()> {
    let mut update =
        transaction.prepare_cached("UPDATE meta SET value = value + ?2 WHERE key = ?1")?;
    update.execute(params![key, by]).map(|_| ())
}

fn meta(connection: &Connection, key: &str) -> rusqlite::Result<i64> {
    let mut query = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    query.query_row([key], |row| row.get(0))
}

/// The ids that match, as a table with the parameters `?1` (words), `?2` and `?3` (times).
fn matches_sql(filter: &ObservationFilter, query: Option<&String>) -> String {
    let has_times = filter.since.is_some() || filter.until.is_some();
    let times = "o.ts >= coalesce(?2, '') AND o.ts <= coalesce(?3, 'x')";
    match (query, has_times) {
        (Some(_), false) => {
            "SELECT rowid AS id FROM word WHERE word MATCH ?1 AND (?2 IS NULL AND ?3 IS NULL)"
                .to_owned()
        }
        (Some(_), true) => format!(
            "SELECT word.rowid AS id FROM word JOIN observation o ON o.id = word.rowid WHERE word MATCH ?1 AND {times}"
        ),
        (None, _) => format!(
            "SELECT o.id AS id FROM observation o WHERE ?1 IS NULL AND {times} AND NOT EXISTS (SELECT 1 FROM hidden h WHERE h.id = o.id)"
        ),
    }
}

fn select(connection: &Connection, select: &Select) -> rusqlite::Result<ObservationPage> {
    let filter = &select.filter;
    let query = index_query(filter);
    // The rows of one state of the database: the index is filled meanwhile.
    let _reading = connection.unchecked_transaction()?;
    let waiting = match query {
        Some(_) => Pending::read(connection, filter)?,
        None => Pending::default(),
    };
    let matches = matches_sql(filter, query.as_ref());
    let column = match query {
        Some(_) => "word.rowid",
        None => "o.id",
    };
    let (order, bound) = match select.order {
        ObservationOrder::NewestFirst => {
            ("DESC", format!("AND {column} < coalesce(?4, {})", i64::MAX))
        }
        ObservationOrder::OldestFirst => ("ASC", format!("AND {column} > coalesce(?4, -1)")),
    };
    let sql = format!("{matches} {bound} ORDER BY {column} {order} LIMIT ?5");
    let from = select.from.map(|id| id.min(i64::MAX as u64) as i64);
    let limit = select.limit as i64 + 1;
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(
        params![query, filter.since, filter.until, from, limit],
        |row| row.get::<_, i64>(0),
    )?;
    let mut ids = rows.collect::<rusqlite::Result<Vec<i64>>>()?;
    waiting.join(&mut ids, select.order, from);
    let has_more = ids.len() > select.limit;
    ids.truncate(select.limit);
    let records = ids
        .iter()
        .filter_map(|id| record(connection, *id).transpose());
    Ok(ObservationPage {
        records: records.collect::<rusqlite::Result<_>>()?,
        has_more,
        total: total(
            connection,
            filter,
            query.as_ref(),
            (&matches, waiting.count()),
        )?,
    })
}

fn total(
    connection: &Connection,
    filter: &ObservationFilter,
    query: Option<&String>,
    (matches, waiting): (&str, u64),
) -> rusqlite::Result<Total> {
    if filter.is_empty() {
        let count = meta(connection, "visible")?.max(0) as u64;
        return Ok(Total {
            count,
            is_exact: true,
        });
    }
    let sql = format!("SELECT count(*) FROM ({matches} LIMIT {})", MAX_COUNT + 1);
    let mut statement = connection.prepare_cached(&sql)?;
    let count: i64 =
        statement.query_row(params![query, filter.since, filter.until], |row| row.get(0))?;
    let count = count as u64 + waiting;
    Ok(Total {
        count: count.min(MAX_COUNT),
        is_exact: count <= MAX_COUNT,
    })
}

fn record(connection: &Connection, id: i64) -> rusqlite::Result<Option<Observation>> {
    let mut statement = connection.prepare_cached("SELECT line FROM observation WHERE id = ?1")?;
    let line: Option<String> = statement.query_row([id], |row| row.get(0)).optional()?;
    Ok(line.and_then(|line| serde_json::from_str(&line).ok()))
}

fn reading(connection: &Connection, id: u64) -> rusqlite::Result<IdState> {
    let Ok(id) = i64::try_from(id) else {
        return Ok(IdState::Unknown);
    };
    if is_hidden(connection, id)? {
        return Ok(IdState::Forgotten);
    }
    let record = record(connection, id)?;
    Ok(record.map_or(IdState::Unknown, |record| IdState::Found(Box::new(record))))
}

impl Store for SqliteStore {
    fn source(&self) -> BackEnd {
        BackEnd::Sqlite
    }

    fn append(&mut self, drafts: Vec<Sealed>) -> Result<Appended> {
        let mut lock = self.folder.lock();
        std::mem::swap(&mut lock, &mut self.lock);
        let outcome = lock.hold().map_err(MemoryError::from).and_then(|mut held| {
            held.check()?;
            let logged = self.folder.last_logged();
            let records = self.write_with(|transaction| append(transaction, logged, drafts))?;
            Ok(Appended {
                ids: records.iter().map(|record| record.id).collect(),
                mended: 0,
                warnings: self.folder.log(&records).into_iter().collect(),
            })
        });
        self.lock = lock;
        outcome
    }

    fn read(&mut self, ids: &[u64]) -> Result<Vec<IdState>> {
        let none = vec![IdState::Unknown; ids.len()];
        self.read_with(none, |connection| {
            ids.iter().map(|id| reading(connection, *id)).collect()
        })
    }

    fn select(&mut self, question: &Select) -> Result<ObservationPage> {
        question.filter.check()?;
        self.read_with(nothing(), |connection| select(connection, question))
    }

    fn purge(&mut self, ids: &[u64], ts: &str) -> Result<u64> {
        let tombstone = Sealed::tombstone(ids, true, ts)?;
        let mut lock = self.folder.lock();
        let mut held = lock.hold()?;
        held.check()?;
        let logged = self.folder.last_logged();
        let records = self.write_with(|transaction| {
            let records = append(transaction, logged, vec![tombstone])?;
            let mut delete = transaction.prepare_cached("DELETE FROM observation WHERE id = ?1")?;
            for id in ids.iter().map(|id| *id as i64) {
                // Tombstones stay: what they name would come back.
                let is_tombstone =
                    record(transaction, id)?.is_some_and(|record| record.tombstone().is_some());
                if !is_tombstone {
                    delete.execute([id])?;
                }
            }
            // Without this the words stay in the index until it is merged some day.
            transaction.execute("INSERT INTO word(word) VALUES ('optimize')", [])?;
            Ok(records)
        })?;
        // And the pages in the journal until somebody writes over them.
        self.read_with((), |connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        })
        .map_err(super::half_purged)?;
        self.folder.purge_log(ids).map_err(super::half_purged)?;
        if let Some(warning) = self.folder.log(&records) {
            tracing::warn!(warning, "the log of observations lacks a line");
        }
        Ok(records.first().map_or(0, |record| record.id))
    }

    fn each(&mut self, visit: &mut dyn FnMut(&Observation) -> Result<()>) -> Result<()> {
        let mut outcome = Ok(());
        self.read_with((), |connection| {
            let mut statement = connection.prepare("SELECT line FROM observation ORDER BY id")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let line: String = row.get(0)?;
                outcome = serde_json::from_str(&line).map_or(Ok(()), |record| visit(&record));
                if outcome.is_err() {
                    break;
                }
            }
            Ok(())
        })?;
        outcome
    }

    fn health(&mut self) -> Result<Health> {
        self.read_with(Health::default(), |connection| {
            let count = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
            let observations = count("SELECT count(*) FROM observation")?;
            Ok(Health {
                observations: observations as u64,
                hidden: (observations - meta(connection, "visible")?) as u64,
                ..Health::default()
            })
        })
    }
}

/// Records drafts under ids above those of the log for people, which has what another back end was told.
fn append(
    transaction: &Transaction<'_>,
    logged: u64,
    drafts: Vec<Sealed>,
) -> rusqlite::Result<Vec<Observation>> {
    let next = (meta(transaction, "next_id")?.max(1) as u64).max(logged + 1);
    let records: Vec<Observation> = (next..)
        .zip(drafts)
        .map(|(id, draft)| draft.into_record(id))
        .collect();
    pending::begin(transaction, next - 1)?;
    records
        .iter()
        .try_for_each(|record| insert(transaction, record))?;
    Ok(records)
}

/// What SQLite said, as an error of ours.
pub(super) fn failed(path: &Path, error: &rusqlite::Error) -> MemoryError {
    let path = path.display().to_string();
    let reason = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => MemoryError::DiskFull { path },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            MemoryError::ReadOnly { path, reason }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            MemoryError::Busy { owner: None }
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            MemoryError::Damaged { path, reason }
        }
        _ => MemoryError::Io { path, reason },
    }
}
