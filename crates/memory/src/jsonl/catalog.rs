//! Where every observation of a log is, and what its lines are that are none.

use std::collections::HashSet;
use std::iter::Peekable;

use memchr::{memchr, memmem};

use super::line::{LineView, LogLine, number};
use crate::filter::ObservationFilter;
use crate::record::Observation;
use crate::store::{Health, ObservationOrder, Select};
use crate::words::QueryWord;

/// Where an observation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogEntry {
    /// Its id.
    pub id: u64,
    /// Bytes before its line.
    pub offset: u64,
    /// Bytes of its line, without the end.
    pub len: u32,
}

/// A question, prepared for many lines.
#[derive(Debug)]
pub struct Finder<'f> {
    filter: &'f ObservationFilter,
    /// Text that every line has which can match, unless it has escapes; none if there is no such text.
    hint: Option<Hint<'f>>,
}

impl<'f> Finder<'f> {
    /// The one of a filter.
    #[must_use]
    pub fn new(filter: &'f ObservationFilter) -> Self {
        // Others have more than one form in a line: upper case outside of ASCII, quotes.
        let is_plain = |text: &&str| {
            text.bytes()
                .all(|b| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\'))
        };
        let task = filter
            .task_id
            .as_deref()
            .filter(is_plain)
            .map(|task| Hint::Exact(Box::new(memmem::Finder::new(task))));
        let words = filter.words.iter().filter(|word| word.as_str().is_ascii());
        let word = || words.max_by_key(|word| word.as_str().len()).map(Hint::Word);
        Self {
            filter,
            hint: task.or_else(word),
        }
    }
}

/// Text that is looked for in whole blocks.
#[derive(Debug)]
enum Hint<'f> {
    Exact(Box<memmem::Finder<'f>>),
    Word(&'f QueryWord),
}

impl Hint<'_> {
    /// Where it is in a block, ascending.
    fn places<'b>(&'b self, block: &'b [u8]) -> Box<dyn Iterator<Item = usize> + 'b> {
        match self {
            Self::Exact(finder) => Box::new(finder.find_iter(block)),
            Self::Word(word) => Box::new(word.places(block)),
        }
    }
}

/// What a part of a log holds. Parts can be looked at side by side.
#[derive(Debug, Default)]
pub struct CatalogScan {
    entries: Vec<CatalogEntry>,
    matches: Vec<CatalogEntry>,
    tombstones: Vec<u64>,
    forgotten: Vec<u64>,
    health: Health,
    is_thorough: bool,
}

/// How every line begins that a program has written.
const HEAD: &[u8] = br#"{"schema_version":"obs.v1","id":"#;

impl CatalogScan {
    /// One that reads every line to its end. Otherwise one that begins and ends like a record of ours is taken for
    /// one until somebody asks for it.
    #[must_use]
    pub fn thorough() -> Self {
        Self {
            is_thorough: true,
            ..Self::default()
        }
    }

    /// How many match on the side of the page that a question asks for.
    #[must_use]
    pub fn matches_of(&self, select: &Select) -> usize {
        let is_asked = |entry: &&CatalogEntry| {
            select.from.is_none_or(|from| match select.order {
                ObservationOrder::NewestFirst => entry.id < from,
                ObservationOrder::OldestFirst => entry.id > from,
            })
        };
        self.matches.iter().filter(is_asked).count()
    }

    /// Looks at lines that are whole; `offset` is the place of the first byte in the log.
    pub fn lines(&mut self, block: &[u8], offset: u64, finder: Option<&Finder<'_>>) {
        let mut tombstones = memmem::find_iter(block, b"\"tombstone\"").peekable();
        // Anything may be written as an escape of its number.
        let mut escapes = memmem::find_iter(block, b"\\u").peekable();
        let hint = finder.and_then(|finder| finder.hint.as_ref());
        let mut hints = hint.map(|hint| hint.places(block).peekable());
        let mut start = 0;
        while start < block.len() {
            let end = memchr(b'\n', &block[start..]).map_or(block.len(), |len| start + len);
            let may_be_tombstone = skip(&mut tombstones, end);
            let has_escape = skip(&mut escapes, end);
            let has_hint = hints.as_mut().is_none_or(|hints| skip(hints, end));
            let may_match = finder.is_some() && (has_hint || has_escape);
            let line = &block[start..end];
            let place = offset + start as u64;
            let head = head(line).filter(|_| !(may_match || may_be_tombstone || self.is_thorough));
            match head {
                Some(id) => self.entries.push(entry(id, place, line)),
                None => self.line(line, place, finder.filter(|_| may_match)),
            }
            start = end + 1;
        }
    }

    fn line(&mut self, line: &[u8], offset: u64, finder: Option<&Finder<'_>>) {
        match LogLine::read(line) {
            LogLine::Observation(view) => self.observation(&view, line, offset, finder),
            LogLine::OtherSchema(_) => self.health.other_schema += 1,
            LogLine::Cut => self.health.cut += 1,
            LogLine::Foreign => self.health.foreign += 1,
            LogLine::Blank => {}
        }
    }

    fn observation(
        &mut self,
        view: &LineView<'_>,
        line: &[u8],
        offset: u64,
        finder: Option<&Finder<'_>>,
    ) {
        let entry = entry(view.id(), offset, line);
        if view.may_be_tombstone()
            && let Some(record) = parse(line)
            && let Some(tombstone) = record.tombstone()
        {
            self.tombstones.push(record.id);
            self.forgotten.extend(&tombstone.ids);
        }
        self.entries.push(entry);
        let Some(Finder { filter, .. }) = finder else {
            return;
        };
        let is_match = filter.matches_line(view);
        if is_match.unwrap_or_else(|| parse(line).is_some_and(|record| filter.matches(&record))) {
            self.matches.push(entry);
        }
    }
}

/// Whether there is a place before the end of a line; those are passed.
fn skip(places: &mut Peekable<impl Iterator<Item = usize>>, end: usize) -> bool {
    let mut is_there = false;
    while places.next_if(|place| *place < end).is_some() {
        is_there = true;
    }
    is_there
}

/// The id of a line that has the form of ours.
fn head(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(HEAD)?;
    let len = rest.iter().take(17).position(|byte| *byte == b',')?;
    number(&rest[..len]).filter(|_| line.ends_with(b"}"))
}

fn entry(id: u64, offset: u64, line: &[u8]) -> CatalogEntry {
    CatalogEntry {
        id,
        offset,
        len: line.len() as u32,
    }
}

/// The record of a line.
pub(crate) fn parse(line: &[u8]) -> Option<Observation> {
    serde_json::from_slice(line).ok()
}

/// Where everything of a log is, by id.
#[derive(Debug, Default)]
pub struct Catalog {
    entries: Vec<CatalogEntry>,
    /// Tombstones and what they name: told to nobody.
    hidden: HashSet<u64>,
    health: Health,
    is_shuffled: bool,
}

impl Catalog {
    /// Takes the scan of the next part in; the entries of those that matched its filter.
    pub fn add(&mut self, scan: CatalogScan) -> Vec<CatalogEntry> {
        self.health.add(&scan.health);
        self.hidden
            .extend(scan.tombstones.iter().chain(&scan.forgotten));
        let is_ascending =
            |entries: &[CatalogEntry]| entries.windows(2).all(|pair| pair[0].id < pair[1].id);
        let joint = self.entries.last().zip(scan.entries.first());
        let is_sorted =
            joint.is_none_or(|(last, first)| last.id < first.id) && is_ascending(&scan.entries);
        self.entries.extend(scan.entries);
        if !is_sorted {
            self.sort();
        }
        self.health.observations = self.entries.len() as u64;
        let mut matches = scan.matches;
        if !is_sorted {
            matches.retain(|entry| self.entry(entry.id) == Some(*entry));
        }
        matches
    }

    /// Of several lines with one id the first counts.
    fn sort(&mut self) {
        let all = self.entries.len();
        self.is_shuffled = true;
        self.entries.sort_by_key(|entry| (entry.id, entry.offset));
        self.entries.dedup_by_key(|entry| entry.id);
        self.health.duplicates += (all - self.entries.len()) as u64;
    }

    /// Where the observation with an id is.
    #[must_use]
    pub fn entry(&self, id: u64) -> Option<CatalogEntry> {
        let at = self
            .entries
            .binary_search_by_key(&id, |entry| entry.id)
            .ok()?;
        Some(self.entries[at])
    }

    /// Whether lines are in another order than their ids, as after a merge.
    #[must_use]
    pub fn is_shuffled(&self) -> bool {
        self.is_shuffled
    }

    /// All of them, in the order of their ids, forgotten ones too.
    #[must_use]
    pub fn entries(&self) -> &[CatalogEntry] {
        &self.entries
    }

    /// Whether it is told to nobody: forgotten, or a tombstone.
    #[must_use]
    pub fn is_hidden(&self, id: u64) -> bool {
        self.hidden.contains(&id)
    }

    /// Ids that are told, of those that are given in any order: ascending.
    #[must_use]
    pub fn visible(&self, entries: &[CatalogEntry]) -> Vec<u64> {
        let ids = entries.iter().map(|entry| entry.id);
        let mut ids: Vec<u64> = ids.filter(|id| !self.is_hidden(*id)).collect();
        if !ids.is_sorted() {
            ids.sort_unstable();
        }
        ids
    }

    /// What the lines are.
    #[must_use]
    pub fn health(&self) -> Health {
        let hidden = self
            .hidden
            .iter()
            .filter(|id| self.entry(**id).is_some())
            .count();
        Health {
            hidden: hidden as u64,
            ..self.health
        }
    }
}
