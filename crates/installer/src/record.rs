//! What was written, for the day when it is taken back: a small file for each changed one, in the person's state folder.
//! It holds nothing of the person's configuration but the bytes that a change replaced: white space, and a comment between
//! an entry and its comma.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::plan::AgentPart;

/// A record that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct RecordError {
    /// The record's file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// A part in a file: a file may have a server and a hook.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordKey {
    /// The changed file, behind links.
    pub path: PathBuf,
    /// Whether it is the hook; a file has one of the other parts.
    pub is_hook: bool,
}

impl RecordKey {
    pub(crate) fn new(path: &Path, part: AgentPart) -> Self {
        Self {
            path: path.to_path_buf(),
            is_hook: part == AgentPart::Hook,
        }
    }
}

/// What was written into one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    /// The changed file, behind links.
    pub path: PathBuf,
    /// What was written.
    pub part: AgentPart,
    /// Whether the file is one of a project.
    pub is_of_project: bool,
    /// The agents that need it, by their ids: it is taken back with the last of them.
    pub owners: BTreeSet<String>,
    /// Whether the part was there before install, which then wrote nothing: it is not taken out.
    pub is_of_other: bool,
    /// Whether the file did not exist before.
    pub is_new_file: bool,
    /// Folders that did not exist before, outermost first.
    pub new_folders: Vec<PathBuf>,
    /// Whether the key that entries are below did not exist before.
    pub is_new_key: bool,
    /// The entry or text as it was written.
    pub written: Value,
    /// Hash of the file as it was then: as long as it holds, the change is undone exactly.
    pub after: String,
    /// How to undo it exactly.
    pub undo: Undo,
}

impl FileRecord {
    /// What it is the record of.
    #[must_use]
    pub fn key(&self) -> RecordKey {
        RecordKey::new(&self.path, self.part)
    }
}

/// The one place at which two texts differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Undo {
    /// Byte of the place.
    pub start: usize,
    /// Bytes that the change put there.
    pub added: usize,
    /// Text that was there before.
    pub removed: String,
}

impl Undo {
    /// How `after` becomes `before` again.
    pub(crate) fn between(before: &str, after: &str) -> Self {
        let shared = before.bytes().zip(after.bytes());
        let mut start = shared.take_while(|(left, right)| left == right).count();
        while !(before.is_char_boundary(start) && after.is_char_boundary(start)) {
            start -= 1;
        }
        let (left, right) = (&before[start..], &after[start..]);
        let shared = left.bytes().rev().zip(right.bytes().rev());
        let mut tail = shared.take_while(|(left, right)| left == right).count();
        while !left.is_char_boundary(left.len() - tail)
            || !right.is_char_boundary(right.len() - tail)
        {
            tail -= 1;
        }
        Self {
            start,
            added: right.len() - tail,
            removed: left[..left.len() - tail].to_owned(),
        }
    }

    /// The text before the change; none where it does not fit the text.
    pub(crate) fn apply(&self, after: &str) -> Option<String> {
        let head = after.get(..self.start)?;
        let tail = after.get(self.start.checked_add(self.added)?..)?;
        Some(format!("{head}{}{tail}", self.removed))
    }
}

/// The hash by which a text is known again.
pub(crate) fn hash_of(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The records of a person.
#[derive(Clone, Debug)]
pub struct RecordStore {
    folder: PathBuf,
}

impl RecordStore {
    /// The records of a folder, which is made with the first of them.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The record of a file; none where there is none, or none that can be read.
    #[must_use]
    pub fn get(&self, key: &RecordKey) -> Option<FileRecord> {
        let record = read(&self.file_of(key))?;
        (record.key() == *key).then_some(record)
    }

    /// All records, by path.
    #[must_use]
    pub fn all(&self) -> Vec<FileRecord> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut records: Vec<FileRecord> =
            entries.filter_map(|entry| read(&entry.path())).collect();
        records.sort_by(|left, right| left.path.cmp(&right.path));
        records
    }

    /// Keeps a record.
    ///
    /// # Errors
    /// The state folder cannot be written.
    pub fn put(&self, record: &FileRecord) -> Result<(), RecordError> {
        let path = self.file_of(&record.key());
        let write = || {
            self.make_folder()?;
            let text = serde_json::to_vec_pretty(record)?;
            // Temporary files are private, and the record stays so.
            let mut half = tempfile::NamedTempFile::new_in(&self.folder)?;
            half.write_all(&text)?;
            half.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|source| RecordError {
            path: path.clone(),
            source,
        })
    }

    /// Removes the record of a file, and the folder with the last one.
    ///
    /// # Errors
    /// The state folder cannot be written.
    pub fn forget(&self, key: &RecordKey) -> Result<(), RecordError> {
        let path = self.file_of(key);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(source) => return Err(RecordError { path, source }),
            Ok(()) if self.all().is_empty() => self.remove_folder(),
            Ok(()) => {}
        }
        Ok(())
    }

    /// Makes the folder, and keeps which folders did not exist before.
    fn make_folder(&self) -> io::Result<()> {
        let above = self.folder.ancestors();
        let missing: Vec<&Path> = above.take_while(|folder| !folder.exists()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        fs::write(self.made_folders(), serde_json::to_vec(&missing)?)
    }

    /// Removes the folders that were made, innermost first, as long as nothing else is in them.
    fn remove_folder(&self) {
        let made = fs::read(self.made_folders()).unwrap_or_default();
        let made: Vec<PathBuf> = serde_json::from_slice(&made).unwrap_or_default();
        // Where one cannot be removed it stays, empty.
        let _ = fs::remove_file(self.made_folders());
        for folder in made.iter().filter(|folder| self.folder.starts_with(folder)) {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }

    fn made_folders(&self) -> PathBuf {
        self.folder.join("folders")
    }

    fn file_of(&self, key: &RecordKey) -> PathBuf {
        let hash = hash_of(&key.path.to_string_lossy());
        let name = hash.get(..32).unwrap_or(&hash);
        let part = if key.is_hook { "-hook" } else { "" };
        self.folder.join(format!("{name}{part}.json"))
    }
}

fn read(path: &Path) -> Option<FileRecord> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_difference_is_undone(before in "[ab{}\n ,é]{0,12}", after in "[ab{}\n ,éè]{0,12}") {
            let undo = Undo::between(&before, &after);
            prop_assert_eq!(undo.apply(&after), Some(before));
        }
    }

    #[test]
    fn an_undo_of_another_text_gives_nothing() {
        let undo = Undo {
            start: 5,
            added: usize::MAX,
            removed: String::new(),
        };
        assert_eq!(undo.apply("short"), None);
    }
}
