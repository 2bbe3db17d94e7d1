//! The log as a file.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::lock::{Held, Lock};
use super::{Folder, JSONL, failed, replace};
use crate::draft::Sealed;
use crate::error::Result;
use crate::in_memory::is_purged;
use crate::jsonl::{Catalog, Entry, Finder, Scan, Tail};
use crate::record::Record;
use crate::store::{Appended, Health, Reading, Select, Selection, Source, Store, Total, page};

/// Bytes that are read at once.
const BLOCK: usize = 1 << 20;
/// Bytes of the end that a writer looks at first.
const TAIL: u64 = 16 << 10;
/// Bytes from which on more than one thread looks at a log.
const LARGE: u64 = 8 << 20;
/// Threads that look at one log at most.
const MAX_THREADS: usize = 4;

/// Observations in `observations.jsonl`.
#[derive(Debug)]
pub struct JsonlStore {
    folder: Folder,
    lock: Lock,
    known: Option<Known>,
}

/// What was read of the file.
#[derive(Debug)]
struct Known {
    catalog: Catalog,
    /// Which file it was: a purge puts another in its place.
    identity: (u64, u64),
    /// Up to where its lines are known.
    end: u64,
}

impl JsonlStore {
    pub(super) fn new(folder: Folder) -> Result<Self> {
        folder.claim(Source::Jsonl)?;
        let lock = Lock::new(folder.path());
        Ok(Self {
            folder,
            lock,
            known: None,
        })
    }

    fn path(&self) -> PathBuf {
        self.folder.file(JSONL)
    }

    /// Reads what is new in the file, or all of it with a question; the file, what is in it, and what matches.
    fn look(
        &mut self,
        finder: Option<&Finder<'_>>,
    ) -> Result<Option<(File, &Catalog, Vec<Entry>)>> {
        self.folder.claim(Source::Jsonl)?;
        let path = self.path();
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&path, &error)),
        };
        let mut look = || -> io::Result<(Known, Vec<Entry>)> {
            let metadata = file.metadata()?;
            let identity = super::identity(&metadata);
            let len = metadata.len();
            let is_same = |known: &Known| known.identity == identity && known.end <= len;
            let known = self
                .known
                .take()
                .filter(|known| finder.is_none() && is_same(known));
            let mut known = known.unwrap_or_else(|| Known {
                catalog: Catalog::default(),
                identity,
                end: 0,
            });
            let (scans, end) = scan(&path, known.end..len, finder, Scan::default)?;
            let mut matches = Vec::new();
            for scan in scans {
                matches.extend(known.catalog.add(scan));
            }
            known.end = end;
            Ok((known, matches))
        };
        let (known, matches) = look().map_err(|error| failed(&path, &error))?;
        let known = self.known.insert(known);
        Ok(Some((file, &known.catalog, matches)))
    }
}

impl Store for JsonlStore {
    fn source(&self) -> Source {
        Source::Jsonl
    }

    fn append(&mut self, drafts: Vec<Sealed>) -> Result<Appended> {
        let path = self.path();
        let mut held = self.lock.hold()?;
        self.folder.claim(Source::Jsonl)?;
        let (mut appended, records) = append(&path, &mut held, drafts)?;
        appended.warnings.extend(self.folder.log(&records));
        Ok(appended)
    }

    fn read(&mut self, ids: &[u64]) -> Result<Vec<Reading>> {
        let Some((mut file, catalog, _)) = self.look(None)? else {
            return Ok(vec![Reading::Unknown; ids.len()]);
        };
        let reading = |id: &u64| match catalog.entry(*id) {
            _ if catalog.is_hidden(*id) => Reading::Forgotten,
            Some(entry) => record(&mut file, entry)
                .map_or(Reading::Unknown, |record| Reading::Found(Box::new(record))),
            None => Reading::Unknown,
        };
        Ok(ids.iter().map(reading).collect())
    }

    fn select(&mut self, select: &Select) -> Result<Selection> {
        select.filter.check()?;
        let filter = Some(&select.filter).filter(|filter| !filter.is_empty());
        let finder = filter.map(Finder::new);
        let found = self.look(finder.as_ref())?;
        let Some((mut file, catalog, matches)) = found else {
            return Ok(nothing());
        };
        let matches = catalog.visible(if filter.is_some() {
            &matches
        } else {
            catalog.entries()
        });
        let (ids, has_more) = page(&matches, select);
        let entries = ids.iter().filter_map(|id| catalog.entry(*id));
        Ok(Selection {
            records: entries
                .filter_map(|entry| record(&mut file, entry))
                .collect(),
            has_more,
            total: Total {
                count: matches.len() as u64,
                is_exact: true,
            },
        })
    }

    fn purge(&mut self, ids: &[u64], ts: &str) -> Result<u64> {
        let path = self.path();
        let tombstone = Sealed::tombstone(ids, true, ts)?;
        let mut held = self.lock.hold()?;
        self.folder.claim(Source::Jsonl)?;
        let (appended, records) = append(&path, &mut held, vec![tombstone])?;
        rewrite(&path, &mut held, ids)?;
        self.folder.purge_log(ids)?;
        if let Some(warning) = self.folder.log(&records) {
            tracing::warn!(warning, "the log of observations lacks a line");
        }
        Ok(appended.ids.first().copied().unwrap_or_default())
    }

    fn each(&mut self, visit: &mut dyn FnMut(&Record) -> Result<()>) -> Result<()> {
        let Some((mut file, catalog, _)) = self.look(None)? else {
            return Ok(());
        };
        let mut entries = catalog.entries().iter();
        entries
            .try_for_each(|entry| record(&mut file, *entry).map_or(Ok(()), |record| visit(&record)))
    }

    fn health(&mut self) -> Result<Health> {
        self.folder.claim(Source::Jsonl)?;
        let path = self.path();
        let Some(len) = fs::metadata(&path).ok().map(|found| found.len()) else {
            return Ok(Health::default());
        };
        let scanned = scan(&path, 0..len, None, Scan::thorough);
        let (scans, end) = scanned.map_err(|error| failed(&path, &error))?;
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

pub(super) fn nothing() -> Selection {
    Selection {
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
    path: &Path,
    held: &mut Held<'_>,
    drafts: Vec<Sealed>,
) -> Result<(Appended, Vec<Record>)> {
    let failed = |error: io::Error| failed(path, &error);
    let mut options = OpenOptions::new();
    let mut file = options
        .create(true)
        .read(true)
        .append(true)
        .open(path)
        .map_err(failed)?;
    let len = file.metadata().map_err(failed)?.len();
    let (tail, start) = tail(&mut file, len).map_err(failed)?;
    let keep = start + tail.keep as u64;
    let next = tail.last_id.map_or(1, |last| last + 1);
    let records: Vec<Record> = (next..)
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
        if let Some(tail) = Tail::of(&block, start == 0) {
            return Ok((tail, start));
        }
        size *= 8;
    }
}

/// Puts a file without these observations in the place of the log.
fn rewrite(path: &Path, held: &mut Held<'_>, ids: &[u64]) -> Result<()> {
    let ids: HashSet<u64> = ids.iter().copied().collect();
    let text = fs::read(path).map_err(|error| failed(path, &error))?;
    let lines = || {
        text.split_inclusive(|byte| *byte == b'\n')
            .map(|line| (line, is_purged(line, &ids)))
    };
    if lines().all(|(_, is_purged)| !is_purged) {
        return Ok(());
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
    replace(path, write).map_err(|error| failed(path, &error))
}

fn record(file: &mut File, entry: Entry) -> Option<Record> {
    let mut line = vec![0; entry.len as usize];
    file.seek(SeekFrom::Start(entry.offset)).ok()?;
    file.read_exact(&mut line).ok()?;
    serde_json::from_slice(&line).ok()
}

/// Looks at the whole lines of a part of a file; where they end.
fn scan(
    path: &Path,
    part: Range<u64>,
    finder: Option<&Finder<'_>>,
    begin: fn() -> Scan,
) -> io::Result<(Vec<Scan>, u64)> {
    let mut file = File::open(path)?;
    let end = last_line_end(&mut file, &part)?;
    let starts = starts(&mut file, part.start..end)?;
    let ends = starts.iter().skip(1).copied().chain([end]);
    let parts: Vec<Range<u64>> = starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(start, end)| start..end)
        .collect();
    let scans = std::thread::scope(|scope| {
        let spawn = |part: Range<u64>| scope.spawn(move || scan_part(path, part, finder, begin()));
        let threads: Vec<_> = parts.iter().skip(1).cloned().map(spawn).collect();
        let first = parts
            .first()
            .cloned()
            .map(|part| scan_part(path, part, finder, begin()));
        let rest = threads.into_iter().map(|thread| {
            let lost = || io::Error::other("a thread ended early");
            thread.join().unwrap_or_else(|_| Err(lost()))
        });
        first
            .into_iter()
            .chain(rest)
            .collect::<io::Result<Vec<Scan>>>()
    })?;
    Ok((scans, end))
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

/// Where the parts of several threads begin: at lines.
fn starts(file: &mut File, part: Range<u64>) -> io::Result<Vec<u64>> {
    let len = part.end - part.start;
    let threads =
        std::thread::available_parallelism().map_or(1, |count| count.get().min(MAX_THREADS));
    let mut starts = vec![part.start];
    if len < LARGE || threads < 2 {
        return Ok(starts);
    }
    for thread in 1..threads as u64 {
        let near = part.start + len / threads as u64 * thread;
        let block = block(file, near, BLOCK * 2)?; // a line is shorter
        if let Some(at) = memchr::memchr(b'\n', &block) {
            let start = near + at as u64 + 1;
            if start < part.end && starts.last().is_some_and(|last| *last < start) {
                starts.push(start);
            }
        }
    }
    Ok(starts)
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
    path: &Path,
    part: Range<u64>,
    finder: Option<&Finder<'_>>,
    mut scan: Scan,
) -> io::Result<Scan> {
    let mut file = File::open(path)?;
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
