//! The log as a file.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use codecortex_confined::{self as confined, EntryInfo, Lock, LockGuard};

use super::{JSONL, MemoryFolder, failed, half_purged};
use crate::draft::Sealed;
use crate::error::{MemoryError, Result};
use crate::in_memory::is_purged;
use crate::jsonl::{Catalog, CatalogEntry, CatalogScan, Finder, LogLine, Tail};
use crate::record::Observation;
use crate::store::{
    Appended, BackEnd, Health, IdState, MAX_COUNT, ObservationOrder, ObservationPage, Select,
    Store, Total, page,
};

/// Bytes that are read at once.
const BLOCK: usize = 1 << 20;
/// Bytes that most lines are shorter than.
const LINE: usize = 4 << 10;
/// Bytes of the end that a writer looks at first.
const TAIL: u64 = 16 << 10;
/// Bytes that one thread looks at before it takes the next ones.
const PART: u64 = 8 << 20;
/// Threads that look at one log at most.
const MAX_THREADS: usize = 4;

/// Observations in `observations.jsonl`.
#[derive(Debug)]
pub struct JsonlStore {
    folder: MemoryFolder,
    lock: Lock,
    known: Option<FileProgress>,
}

/// What was read of the file.
#[derive(Debug)]
struct FileProgress {
    catalog: Catalog,
    /// Which file it was: a purge puts another in its place.
    identity: (u64, u64),
    /// Up to where its lines are known.
    end: u64,
}

impl JsonlStore {
    pub(super) fn new(folder: MemoryFolder) -> Result<Self> {
        folder.claim(BackEnd::Jsonl)?;
        let lock = folder.lock();
        Ok(Self {
            folder,
            lock,
            known: None,
        })
    }

    fn failed(&self, error: &io::Error) -> MemoryError {
        failed(&self.folder.file(JSONL), error)
    }

    /// Reads what is new in the file, or all of it with a question; what is in it, and what matches.
    fn look(&mut self, plan: ScanPlan<'_>) -> Result<Option<Looked<'_>>> {
        self.folder.claim(BackEnd::Jsonl)?;
        let file = match self.folder.at.open_file(JSONL) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failed(&error)),
        };
        let last = self.known.take().filter(|_| plan.question.is_none());
        let found = look(&self.folder.at, &file, last, plan);
        let (known, matches, has_more) = found.map_err(|error| self.failed(&error))?;
        let catalog = &self.known.insert(known).catalog;
        Ok(Some(Looked {
            file,
            catalog,
            matches,
            has_more,
        }))
    }

    /// What matches a question, as far as a page and its total need it.
    fn ask(&mut self, select: &Select, enough: usize) -> Result<Option<Looked<'_>>> {
        let finder = Finder::new(&select.filter);
        let plan = ScanPlan {
            question: Some((&finder, select)),
            enough,
            ..ScanPlan::LIST
        };
        self.look(plan)
    }
}

/// What is in a file.
struct Looked<'l> {
    file: File,
    catalog: &'l Catalog,
    matches: Vec<CatalogEntry>,
    /// Whether matches may be missing.
    has_more: bool,
}

impl Looked<'_> {
    /// The page of a question, of all ids that match.
    fn page(mut self, ids: &[u64], select: &Select) -> ObservationPage {
        let (ids_of_page, has_more) = page(ids, select);
        let entries = ids_of_page.iter().filter_map(|id| self.catalog.entry(*id));
        let records = entries
            .filter_map(|entry| record(&mut self.file, entry))
            .collect();
        let is_exact = !self.has_more;
        let count = ids.len() as u64;
        ObservationPage {
            records,
            has_more: has_more || self.has_more,
            total: Total {
                count: if is_exact {
                    count
                } else {
                    count.min(MAX_COUNT)
                },
                is_exact,
            },
        }
    }
}

fn look(
    folder: &confined::ConfinedFolder,
    file: &File,
    last: Option<FileProgress>,
    plan: ScanPlan<'_>,
) -> io::Result<(FileProgress, Vec<CatalogEntry>, bool)> {
    let metadata = file.metadata()?;
    let (identity, len) = (EntryInfo::from_metadata(&metadata).id, metadata.len());
    let last = last.filter(|known| known.identity == identity && known.end <= len);
    let mut known = last.unwrap_or_else(|| FileProgress {
        catalog: Catalog::default(),
        identity,
        end: 0,
    });
    let (scans, end, has_more) = scan(folder, known.end..len, plan)?;
    let mut matches = Vec::new();
    for scan in scans {
        matches.extend(known.catalog.add(scan));
    }
    known.end = end;
    Ok((known, matches, has_more))
}

impl Store for JsonlStore {
    fn source(&self) -> BackEnd {
        BackEnd::Jsonl
    }

    fn append(&mut self, drafts: Vec<Sealed>) -> Result<Appended> {
        let mut held = self.lock.hold()?;
        self.folder.claim(BackEnd::Jsonl)?;
        let (mut appended, records) = append(&self.folder, &mut held, drafts)?;
        appended.warnings.extend(self.folder.log(&records));
        Ok(appended)
    }

    fn read(&mut self, ids: &[u64]) -> Result<Vec<IdState>> {
        let Some(Looked {
            mut file, catalog, ..
        }) = self.look(ScanPlan::LIST)?
        else {
            return Ok(vec![IdState::Unknown; ids.len()]);
        };
        let reading = |id: &u64| match catalog.entry(*id) {
            _ if catalog.is_hidden(*id) => IdState::Forgotten,
            Some(entry) => record(&mut file, entry)
                .map_or(IdState::Unknown, |record| IdState::Found(Box::new(record))),
            None => IdState::Unknown,
        };
        Ok(ids.iter().map(reading).collect())
    }

    fn select(&mut self, select: &Select) -> Result<ObservationPage> {
        select.filter.check()?;
        if select.filter.is_empty() {
            let Some(looked) = self.look(ScanPlan::LIST)? else {
                return Ok(nothing());
            };
            let ids = looked.catalog.visible(looked.catalog.entries());
            return Ok(looked.page(&ids, select));
        }
        let enough = MAX_COUNT as usize + select.limit + 1;
        for enough in [enough, usize::MAX] {
            let Some(looked) = self.ask(select, enough)? else {
                return Ok(nothing());
            };
            let ids = looked.catalog.visible(&looked.matches);
            // Among what was found may be much that is forgotten.
            let is_full =
                page(&ids, select).0.len() == select.limit && ids.len() as u64 > MAX_COUNT;
            if !looked.has_more || (is_full && !looked.catalog.is_shuffled()) {
                return Ok(looked.page(&ids, select));
            }
        }
        Ok(nothing())
    }

    fn purge(&mut self, ids: &[u64], ts: &str) -> Result<u64> {
        let tombstone = Sealed::tombstone(ids, true, ts)?;
        let mut held = self.lock.hold()?;
        self.folder.claim(BackEnd::Jsonl)?;
        let (appended, records) = append(&self.folder, &mut held, vec![tombstone])?;
        // From here on it is said that they are purged, whatever becomes of the lines.
        let purged = rewrite(&self.folder, &mut held, ids).map_err(half_purged)?;
        self.folder.purge_log(&purged).map_err(half_purged)?;
        if let Some(warning) = self.folder.log(&records) {
            tracing::warn!(warning, "the log of observations lacks a line");
        }
        Ok(appended.ids.first().copied().unwrap_or_default())
    }

    fn each(&mut self, visit: &mut dyn FnMut(&Observation) -> Result<()>) -> Result<()> {
        let Some(Looked {
            mut file, catalog, ..
        }) = self.look(ScanPlan::LIST)?
        else {
            return Ok(());
        };
        let mut entries = catalog.entries().iter();
        entries
            .try_for_each(|entry| record(&mut file, *entry).map_or(Ok(()), |record| visit(&record)))
    }

    fn health(&mut self) -> Result<Health> {
        self.folder.claim(BackEnd::Jsonl)?;
        let at = &self.folder.at;
        let Some(len) = at.find(JSONL).ok().map(|found| found.len) else {
            return Ok(Health::default());
        };
        let plan = ScanPlan {
            begin: CatalogScan::thorough,
            ..ScanPlan::LIST
        };
        let scanned = scan(at, 0..len, plan);
        let (scans, end, _) = scanned.map_err(|error| self.failed(&error))?;
        let mut catalog = Catalog::default();
        for scan in scans {
            catalog.add(scan);
        }
        let mut health = catalog.health();
        // What is behind the last whole line is being written, or was cut off.
        health.cut += u64::from(len > end);
        Ok(health)
    }
}

pub(super) fn nothing() -> ObservationPage {
    ObservationPage {
        records: Vec::new(),
        has_more: false,
        total: Total {
            count: 0,
            is_exact: true,
        },
    }
}

/// Puts the end of the file in order and writes all lines at once.
fn append(
    folder: &MemoryFolder,
    held: &mut LockGuard<'_>,
    drafts: Vec<Sealed>,
) -> Result<(Appended, Vec<Observation>)> {
    let failed = |error: io::Error| failed(&folder.file(JSONL), &error);
    let mut file = folder.at.open_log(JSONL).map_err(failed)?;
    let len = file.metadata().map_err(failed)?.len();
    let (tail, start) = tail(&mut file, len).map_err(failed)?;
    let keep = start + tail.keep as u64;
    let next = tail.last_id.unwrap_or(0).max(folder.last_logged()) + 1;
    let records: Vec<Observation> = (next..)
        .zip(drafts)
        .map(|(id, draft)| draft.into_record(id))
        .collect();
    let mut text = if tail.needs_newline {
        "\n".to_owned()
    } else {
        String::new()
    };
    for record in &records {
        text.push_str(&record.to_line());
        text.push('\n');
    }
    held.check()?;
    if keep < len {
        file.set_len(keep).map_err(failed)?;
    }
    if let Err(error) = file.write_all(text.as_bytes()) {
        // The next writer would take half a line away as well.
        let _ = file.set_len(keep);
        return Err(failed(error));
    }
    let appended = Appended {
        ids: records.iter().map(|record| record.id).collect(),
        mended: len - keep,
        warnings: Vec::new(),
    };
    Ok((appended, records))
}

/// The highest id of the records of a folder; 0 where there are none.
pub(super) fn last_id(folder: &MemoryFolder) -> Result<u64> {
    let failed = |error: io::Error| failed(&folder.file(JSONL), &error);
    let mut file = match folder.at.open_file(JSONL) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(failed(error)),
    };
    let len = file.metadata().map_err(failed)?.len();
    let (tail, _) = tail(&mut file, len).map_err(failed)?;
    Ok(tail.last_id.unwrap_or(0))
}

/// The end of a file, and where the block begins that says it.
fn tail(file: &mut File, len: u64) -> io::Result<(Tail, u64)> {
    let mut size = TAIL;
    loop {
        let start = len.saturating_sub(size);
        let mut block = Vec::with_capacity((len - start) as usize);
        file.seek(SeekFrom::Start(start))?;
        Read::by_ref(file)
            .take(len - start)
            .read_to_end(&mut block)?;
        if let Some(tail) = Tail::from_block(&block, start == 0) {
            return Ok((tail, start));
        }
        size *= 8;
    }
}

/// Puts a file without these observations in the place of the log.
/// Takes lines out of the file: those of `ids`, and those that purges before it were to take out when they were
/// interrupted. The ids of all.
fn rewrite(folder: &MemoryFolder, held: &mut LockGuard<'_>, ids: &[u64]) -> Result<Vec<u64>> {
    let failed = |error: io::Error| failed(&folder.file(JSONL), &error);
    let text = folder.at.read(JSONL).map_err(failed)?;
    let mut ids: HashSet<u64> = ids.iter().copied().collect();
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    ids.extend(lines.flat_map(purged_by));
    let lines = || {
        text.split_inclusive(|byte| *byte == b'\n')
            .map(|line| (line, is_purged(line, &ids)))
    };
    let all = ids.iter().copied().collect();
    if lines().all(|(_, is_purged)| !is_purged) {
        return Ok(all);
    }
    held.check()?;
    let write = |file: &mut File| {
        let mut file = io::BufWriter::new(file);
        for (line, is_purged) in lines() {
            if !is_purged {
                file.write_all(line)?;
            }
        }
        file.flush()
    };
    folder.at.replace(JSONL, true, write).map_err(failed)?;
    Ok(all)
}

fn record(file: &mut File, entry: CatalogEntry) -> Option<Observation> {
    let mut line = vec![0; entry.len as usize];
    file.seek(SeekFrom::Start(entry.offset)).ok()?;
    file.read_exact(&mut line).ok()?;
    serde_json::from_slice(&line).ok()
}

/// How a file is looked at.
#[derive(Clone, Copy)]
struct ScanPlan<'p> {
    /// Which lines match; none if nobody asks.
    question: Option<(&'p Finder<'p>, &'p Select)>,
    begin: fn() -> CatalogScan,
    /// How many matches are enough for a page and its total; from there on lines are only listed.
    enough: usize,
}

impl ScanPlan<'_> {
    const LIST: Self = Self {
        question: None,
        begin: CatalogScan::default,
        enough: usize::MAX,
    };
}

/// Looks at the whole lines of a part of a file: scans in the order of the file, where they end, and whether there
/// may be more matches. Threads take the parts in the order of the question, so that the first page is complete.
fn scan(
    folder: &confined::ConfinedFolder,
    part: Range<u64>,
    plan: ScanPlan<'_>,
) -> io::Result<(Vec<CatalogScan>, u64, bool)> {
    let mut file = folder.open_file(JSONL)?;
    let end = last_line_end(&mut file, &part)?;
    let starts = starts(&mut file, part.start..end)?;
    // A part ends where the next one starts.
    let ends = starts.iter().skip(1).copied().chain([end]);
    let mut parts: Vec<(usize, Range<u64>)> = starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(start, end)| start..end)
        .enumerate()
        .collect();
    if plan
        .question
        .is_some_and(|(_, select)| select.order == ObservationOrder::NewestFirst)
    {
        parts.reverse();
    }
    let threads =
        std::thread::available_parallelism().map_or(1, |count| count.get().min(MAX_THREADS));
    let work = SharedParts {
        folder,
        parts: &parts,
        plan,
        next: AtomicUsize::new(0),
        matches: AtomicUsize::new(0),
    };
    let done = std::thread::scope(|scope| {
        let spawned: Vec<_> = (1..threads.min(parts.len()))
            .map(|_| scope.spawn(|| work.run()))
            .collect();
        let mut done = work.run()?;
        for thread in spawned {
            let lost = |_| Err(io::Error::other("a thread ended early"));
            done.extend(thread.join().unwrap_or_else(lost)?);
        }
        io::Result::Ok(done)
    });
    let mut done = done?;
    done.sort_by_key(|(at, ..)| *at);
    let has_more = done.iter().any(|(.., is_listed)| *is_listed);
    Ok((
        done.into_iter().map(|(_, scan, _)| scan).collect(),
        end,
        has_more,
    ))
}

/// The parts of a file, shared by threads.
struct SharedParts<'w> {
    folder: &'w confined::ConfinedFolder,
    parts: &'w [(usize, Range<u64>)],
    plan: ScanPlan<'w>,
    next: AtomicUsize,
    matches: AtomicUsize,
}

impl SharedParts<'_> {
    /// Scans with their places in the file, and whether they only list what they ought to match.
    fn run(&self) -> io::Result<Vec<(usize, CatalogScan, bool)>> {
        let mut done = Vec::new();
        while let Some((at, part)) = self.parts.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let is_enough = self.matches.load(Ordering::Relaxed) >= self.plan.enough;
            let question = self.plan.question.filter(|_| !is_enough);
            let scan = scan_part(
                self.folder,
                part.clone(),
                question.map(|(finder, _)| finder),
                (self.plan.begin)(),
            )?;
            if let Some((_, select)) = question {
                self.matches
                    .fetch_add(scan.matches_of(select), Ordering::Relaxed);
            }
            done.push((*at, scan, is_enough && self.plan.question.is_some()));
        }
        Ok(done)
    }
}

/// Where the last whole line of a part ends.
fn last_line_end(file: &mut File, part: &Range<u64>) -> io::Result<u64> {
    let mut end = part.end;
    while end > part.start {
        let start = end.saturating_sub(BLOCK as u64).max(part.start);
        let block = block(file, start, (end - start) as usize)?;
        if let Some(at) = memchr::memrchr(b'\n', &block) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(part.start)
}

/// Where parts begin: at lines.
fn starts(file: &mut File, part: Range<u64>) -> io::Result<Vec<u64>> {
    let mut starts = vec![part.start];
    let mut near = part.start + PART;
    while near < part.end {
        let Some(start) = next_line(file, near, part.end)?.filter(|start| *start < part.end) else {
            break;
        };
        starts.push(start);
        near = start + PART;
    }
    Ok(starts)
}

/// Where the first line behind a place begins.
fn next_line(file: &mut File, mut from: u64, end: u64) -> io::Result<Option<u64>> {
    while from < end {
        let block = block(file, from, LINE)?;
        if let Some(at) = memchr::memchr(b'\n', &block) {
            return Ok(Some(from + at as u64 + 1));
        }
        from += LINE as u64;
    }
    Ok(None)
}

fn block(file: &mut File, start: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut block = Vec::with_capacity(len);
    file.seek(SeekFrom::Start(start))?;
    Read::by_ref(file)
        .take(len as u64)
        .read_to_end(&mut block)?;
    Ok(block)
}

/// Looks at whole lines, a block at a time.
fn scan_part(
    folder: &confined::ConfinedFolder,
    part: Range<u64>,
    finder: Option<&Finder<'_>>,
    mut scan: CatalogScan,
) -> io::Result<CatalogScan> {
    let mut file = folder.open_file(JSONL)?;
    file.seek(SeekFrom::Start(part.start))?;
    let mut file = file.take(part.end - part.start);
    let mut offset = part.start;
    let mut buffer = vec![0; BLOCK];
    let mut filled = 0; // bytes of a line whose end is in the next block
    loop {
        let read = file.read(&mut buffer[filled..])?;
        filled += read;
        let whole = match memchr::memrchr(b'\n', &buffer[..filled]) {
            _ if read == 0 => filled,
            Some(at) => at + 1,
            None => 0,
        };
        scan.lines(&buffer[..whole], offset, finder);
        buffer.copy_within(whole..filled, 0);
        (filled, offset) = (filled - whole, offset + whole as u64);
        if read == 0 {
            return Ok(scan);
        }
        if filled == buffer.len() {
            buffer.resize(filled * 2, 0);
        }
    }
}

/// The ids that a line's tombstone purges; none of another line.
fn purged_by(line: &[u8]) -> Vec<u64> {
    let record = match LogLine::read(line) {
        LogLine::Observation(view) if view.may_be_tombstone() => serde_json::from_slice(line).ok(),
        _ => None,
    };
    let tombstone = record.and_then(|record: Observation| record.tombstone().cloned());
    let purged = tombstone.filter(|tombstone| tombstone.purged);
    purged.map_or_else(Vec::new, |tombstone| tombstone.ids)
}
