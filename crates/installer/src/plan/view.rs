//! Files and records as they will be when the plans so far are applied: agents share files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{AgentPart, RecordChange, Step};
use crate::disk::Files;
use crate::record::{FileRecord, RecordKey, RecordStore};

/// What a plan sees.
#[derive(Clone)]
pub(super) struct View<'a> {
    pub(super) files: &'a dyn Files,
    store: &'a RecordStore,
    texts: BTreeMap<PathBuf, Option<String>>,
    records: BTreeMap<RecordKey, Option<FileRecord>>,
}

impl<'a> View<'a> {
    pub(super) fn new(files: &'a dyn Files, store: &'a RecordStore) -> Self {
        Self {
            files,
            store,
            texts: BTreeMap::new(),
            records: BTreeMap::new(),
        }
    }

    /// From here on, the step is applied.
    pub(super) fn take(&mut self, step: &Step) {
        if let Some(change) = &step.change {
            self.texts.insert(change.path.clone(), change.after.clone());
        }
        match &step.record {
            Some(RecordChange::Put(record)) => {
                let record = record.as_ref().clone();
                self.records.insert(record.key(), Some(record));
            }
            Some(RecordChange::Forget(key)) => {
                self.records.insert(key.clone(), None);
            }
            None => {}
        }
    }

    /// A file's text; none where there is no file.
    pub(super) fn text(&self, path: &Path) -> Result<Option<String>, String> {
        if let Some(text) = self.texts.get(path) {
            return Ok(text.clone());
        }
        let bytes = self.files.read(path).map_err(|error| error.to_string())?;
        match bytes.map(String::from_utf8) {
            None => Ok(None),
            Some(Ok(text)) => Ok(Some(text)),
            Some(Err(_)) => Err("it is not UTF-8".to_owned()),
        }
    }

    pub(super) fn record(&self, path: &Path, part: AgentPart) -> Option<FileRecord> {
        let key = RecordKey::new(path, part);
        match self.records.get(&key) {
            Some(record) => record.clone(),
            None => self.store.get(&key),
        }
    }

    /// The folders above a file that do not exist yet, outermost first.
    pub(super) fn missing_folders(&self, path: &Path) -> Vec<PathBuf> {
        let above = path.ancestors().skip(1);
        let missing = above.take_while(|folder| !self.files.exists(folder));
        let mut missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        missing.reverse();
        missing
    }
}
