//! A log that is held as text: on the web, where the host reads and writes the file, and in tests.

use std::collections::HashSet;

use crate::draft::Sealed;
use crate::error::Result;
use crate::jsonl::{Catalog, CatalogEntry, CatalogScan, Finder, LogLine, Tail};
use crate::markdown;
use crate::record::Observation;
use crate::store::{
    Appended, BackEnd, Health, IdState, ObservationPage, Select, Store, Total, page,
};

/// A log as text.
#[derive(Debug)]
pub struct InMemory {
    text: Vec<u8>,
    source: BackEnd,
}

impl Default for InMemory {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl InMemory {
    /// The log that a file holds.
    #[must_use]
    pub fn new(text: Vec<u8>) -> Self {
        Self {
            text,
            source: BackEnd::Jsonl,
        }
    }

    /// What a host that does not look into it read of another back end: of Markdown its text, of a database its records
    /// as lines. It is there for questions alone.
    #[must_use]
    pub fn from_source(source: BackEnd, text: Vec<u8>) -> Self {
        let text = match source {
            BackEnd::Markdown => {
                let text = String::from_utf8_lossy(&text);
                let records = text.lines().filter_map(markdown::read);
                let lines: String = records.map(|record| record.to_line() + "\n").collect();
                lines.into_bytes()
            }
            BackEnd::Jsonl | BackEnd::Sqlite => text,
        };
        Self { text, source }
    }

    /// What the file has to hold.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    fn scan(&self, select: Option<&Select>) -> (Catalog, Vec<CatalogEntry>) {
        let mut scan = CatalogScan::thorough();
        let finder = select.map(|select| Finder::new(&select.filter));
        scan.lines(&self.text, 0, finder.as_ref());
        let mut catalog = Catalog::default();
        let matches = catalog.add(scan);
        (catalog, matches)
    }

    fn line(&self, entry: CatalogEntry) -> &[u8] {
        let start = entry.offset as usize;
        &self.text[start..start + entry.len as usize]
    }

    fn record(&self, entry: CatalogEntry) -> Option<Observation> {
        serde_json::from_slice(self.line(entry)).ok()
    }
}

impl Store for InMemory {
    fn source(&self) -> BackEnd {
        self.source
    }

    fn append(&mut self, drafts: Vec<Sealed>) -> Result<Appended> {
        let mut appended = Appended::default();
        let mut next = 1;
        if let Some(tail) = Tail::from_block(&self.text, true) {
            appended.mended = (self.text.len() - tail.keep) as u64;
            self.text.truncate(tail.keep);
            if tail.needs_newline {
                self.text.push(b'\n');
            }
            next = tail.last_id.map_or(1, |last| last + 1);
        }
        for (id, draft) in (next..).zip(drafts) {
            self.text
                .extend(draft.into_record(id).to_line().into_bytes());
            self.text.push(b'\n');
            appended.ids.push(id);
        }
        Ok(appended)
    }

    fn read(&mut self, ids: &[u64]) -> Result<Vec<IdState>> {
        let (catalog, _) = self.scan(None);
        let reading = |id: &u64| match catalog.entry(*id) {
            _ if catalog.is_hidden(*id) => IdState::Forgotten,
            Some(entry) => self
                .record(entry)
                .map_or(IdState::Unknown, |record| IdState::Found(Box::new(record))),
            None => IdState::Unknown,
        };
        Ok(ids.iter().map(reading).collect())
    }

    fn select(&mut self, select: &Select) -> Result<ObservationPage> {
        select.filter.check()?;
        let (catalog, matches) = self.scan(Some(select));
        let matches = catalog.visible(&matches);
        let (ids, has_more) = page(&matches, select);
        let entries = ids.iter().filter_map(|id| catalog.entry(*id));
        Ok(ObservationPage {
            records: entries.filter_map(|entry| self.record(entry)).collect(),
            has_more,
            total: Total {
                count: matches.len() as u64,
                is_exact: true,
            },
        })
    }

    fn purge(&mut self, ids: &[u64], ts: &str) -> Result<u64> {
        let tombstone = Sealed::tombstone(ids, true, ts)?;
        let appended = self.append(vec![tombstone])?;
        let ids: HashSet<u64> = ids.iter().copied().collect();
        let mut kept = Vec::with_capacity(self.text.len());
        for line in self.text.split_inclusive(|byte| *byte == b'\n') {
            if !is_purged(line, &ids) {
                kept.extend_from_slice(line);
            }
        }
        self.text = kept;
        Ok(appended.ids.first().copied().unwrap_or_default())
    }

    fn each(&mut self, visit: &mut dyn FnMut(&Observation) -> Result<()>) -> Result<()> {
        let (catalog, _) = self.scan(None);
        let mut records = catalog
            .entries()
            .iter()
            .filter_map(|entry| self.record(*entry));
        records.try_for_each(|record| visit(&record))
    }

    fn health(&mut self) -> Result<Health> {
        let (catalog, _) = self.scan(None);
        Ok(catalog.health())
    }
}

/// Whether a line is an observation that is to be taken out. Tombstones stay: what they name would come back.
pub(crate) fn is_purged(line: &[u8], ids: &HashSet<u64>) -> bool {
    let LogLine::Observation(view) = LogLine::read(line) else {
        return false;
    };
    let is_tombstone = || {
        let record: Option<Observation> = serde_json::from_slice(line).ok();
        record.is_some_and(|record| record.tombstone().is_some())
    };
    ids.contains(&view.id()) && !(view.may_be_tombstone() && is_tombstone())
}
