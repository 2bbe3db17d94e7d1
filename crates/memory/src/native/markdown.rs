//! The log for people as the back end, for emergencies (`003` §2.5): it holds summaries and nothing else.

use codecortex_confined::Lock;

use super::{MARKDOWN, MemoryFolder};
use crate::draft::Sealed;
use crate::error::{MemoryError, Result};
use crate::in_memory::InMemory;
use crate::markdown;
use crate::record::Observation;
use crate::store::{Appended, BackEnd, Health, IdState, ObservationPage, Select, Store};

/// Observations in `observations.md`.
#[derive(Debug)]
pub struct MarkdownStore {
    folder: MemoryFolder,
    lock: Lock,
}

impl MarkdownStore {
    pub(super) fn new(folder: MemoryFolder) -> Self {
        let lock = folder.lock();
        Self { folder, lock }
    }

    fn text(&self) -> Result<Vec<u8>> {
        Ok(self.folder.bytes(MARKDOWN)?.unwrap_or_default())
    }

    /// The same as a log of JSON lines, which answers every question.
    fn log(&self) -> Result<InMemory> {
        Ok(InMemory::from_source(BackEnd::Markdown, self.text()?))
    }
}

/// The highest id that another back end gave, as far as its file can be read: this one is for emergencies.
fn last_elsewhere(folder: &MemoryFolder) -> u64 {
    let in_database = super::sqlite::last_id(folder).unwrap_or(0);
    let in_log = super::jsonl::last_id(folder).unwrap_or(0);
    in_log.max(in_database)
}

/// The highest id of the log.
fn last_id(text: &str) -> u64 {
    text.lines().filter_map(markdown::id_of).max().unwrap_or(0)
}

impl Store for MarkdownStore {
    fn source(&self) -> BackEnd {
        BackEnd::Markdown
    }

    fn append(&mut self, drafts: Vec<Sealed>) -> Result<Appended> {
        let mut held = self.lock.hold()?;
        let text =
            String::from_utf8_lossy(&self.folder.bytes(MARKDOWN)?.unwrap_or_default()).into_owned();
        let next = last_id(&text).max(last_elsewhere(&self.folder)) + 1;
        let records: Vec<Observation> = (next..)
            .zip(drafts)
            .map(|(id, draft)| draft.into_record(id))
            .collect();
        let mut lines: String = records
            .iter()
            .map(|record| markdown::line(record) + "\n")
            .collect();
        if !text.is_empty() && !text.ends_with('\n') {
            lines.insert(0, '\n');
        }
        held.check()?;
        self.folder.append_text(&lines)?;
        let has_more = |record: &&Observation| record.detail.is_some() || record.refs.is_some();
        let cut = records.iter().filter(has_more).count();
        let warning = format!("Markdown keeps only summaries: {cut} details are lost.");
        Ok(Appended {
            ids: records.iter().map(|record| record.id).collect(),
            mended: 0,
            warnings: Some(warning).filter(|_| cut > 0).into_iter().collect(),
        })
    }

    fn read(&mut self, ids: &[u64]) -> Result<Vec<IdState>> {
        self.log()?.read(ids)
    }

    fn select(&mut self, select: &Select) -> Result<ObservationPage> {
        self.log()?.select(select)
    }

    fn purge(&mut self, ids: &[u64], ts: &str) -> Result<u64> {
        let tombstone = Sealed::tombstone(ids, true, ts)?;
        let appended = self.append(vec![tombstone])?;
        let mut held = self
            .lock
            .hold()
            .map_err(MemoryError::from)
            .map_err(super::half_purged)?;
        held.check()
            .map_err(MemoryError::from)
            .map_err(super::half_purged)?;
        self.folder.purge_log(ids).map_err(super::half_purged)?;
        Ok(appended.ids.first().copied().unwrap_or_default())
    }

    fn each(&mut self, visit: &mut dyn FnMut(&Observation) -> Result<()>) -> Result<()> {
        self.log()?.each(visit)
    }

    fn health(&mut self) -> Result<Health> {
        let text = self.text()?;
        let text = String::from_utf8_lossy(&text);
        let is_broken =
            |line: &&str| markdown::id_of(line).is_some() && markdown::read(line).is_none();
        let mut health = self.log()?.health()?;
        health.foreign += text.lines().filter(is_broken).count() as u64;
        Ok(health)
    }
}
