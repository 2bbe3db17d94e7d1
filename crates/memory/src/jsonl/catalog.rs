//! Where every observation of a log is, and what its lines are that are none.

use std::collections::HashSet;

use memchr::memchr;

use super::line::{Line, LineView};
use crate::filter::Filter;
use crate::record::Record;
use crate::store::Health;

/// Where an observation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: u64,
    /// Bytes before its line.
    pub offset: u64,
    /// Bytes of its line, without the end.
    pub len: u32,
}

/// What a part of a log holds. Parts can be looked at side by side.
#[derive(Debug, Default)]
pub struct Scan {
    entries: Vec<Entry>,
    matches: Vec<Entry>,
    tombstones: Vec<u64>,
    forgotten: Vec<u64>,
    health: Health,
}

impl Scan {
    /// Looks at lines that are whole; `offset` is the place of the first byte in the log.
    pub fn lines(&mut self, block: &[u8], offset: u64, filter: Option<&Filter>) {
        let mut start = 0;
        while start < block.len() {
            let end = memchr(b'\n', &block[start..]).map_or(block.len(), |len| start + len);
            self.line(&block[start..end], offset + start as u64, filter);
            start = end + 1;
        }
    }

    fn line(&mut self, line: &[u8], offset: u64, filter: Option<&Filter>) {
        match Line::read(line) {
            Line::Observation(view) => self.observation(&view, line, offset, filter),
            Line::OtherSchema(_) => self.health.other_schema += 1,
            Line::Cut => self.health.cut += 1,
            Line::Foreign => self.health.foreign += 1,
            Line::Blank => {}
        }
    }

    fn observation(
        &mut self,
        view: &LineView<'_>,
        line: &[u8],
        offset: u64,
        filter: Option<&Filter>,
    ) {
        let entry = Entry {
            id: view.id(),
            offset,
            len: line.len() as u32,
        };
        if view.may_be_tombstone()
            && let Some(record) = parse(line)
            && let Some(tombstone) = record.tombstone()
        {
            self.tombstones.push(record.id);
            self.forgotten.extend(&tombstone.ids);
        }
        self.entries.push(entry);
        let Some(filter) = filter else { return };
        let is_match = filter.matches_line(view);
        if is_match.unwrap_or_else(|| parse(line).is_some_and(|record| filter.matches(&record))) {
            self.matches.push(entry);
        }
    }
}

/// The record of a line.
pub(crate) fn parse(line: &[u8]) -> Option<Record> {
    serde_json::from_slice(line).ok()
}

/// Where everything of a log is, by id.
#[derive(Debug, Default)]
pub struct Catalog {
    entries: Vec<Entry>,
    /// Tombstones and what they name: told to nobody.
    hidden: HashSet<u64>,
    health: Health,
}

impl Catalog {
    /// Takes the scan of the next part in; the entries of those that matched its filter.
    pub fn add(&mut self, scan: Scan) -> Vec<Entry> {
        self.health.add(&scan.health);
        self.hidden
            .extend(scan.tombstones.iter().chain(&scan.forgotten));
        let is_ascending =
            |entries: &[Entry]| entries.windows(2).all(|pair| pair[0].id < pair[1].id);
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
        self.entries.sort_by_key(|entry| (entry.id, entry.offset));
        self.entries.dedup_by_key(|entry| entry.id);
        self.health.duplicates += (all - self.entries.len()) as u64;
    }

    /// Where the observation with an id is.
    #[must_use]
    pub fn entry(&self, id: u64) -> Option<Entry> {
        let at = self
            .entries
            .binary_search_by_key(&id, |entry| entry.id)
            .ok()?;
        Some(self.entries[at])
    }

    /// All of them, in the order of their ids, forgotten ones too.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether it is told to nobody: forgotten, or a tombstone.
    #[must_use]
    pub fn is_hidden(&self, id: u64) -> bool {
        self.hidden.contains(&id)
    }

    /// Ids that are told, of those that are given in any order: ascending.
    #[must_use]
    pub fn visible(&self, entries: &[Entry]) -> Vec<u64> {
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
