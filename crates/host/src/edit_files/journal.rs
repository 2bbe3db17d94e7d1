//! The journal of an edit: every file with what it held and what it is to hold. From the moment when it is there, the
//! edit counts, and whoever finds it with no process at work ends the edit.
//!
//! It is one file, so that it is there as a whole or not at all: a line of JSON, then the bytes of all files.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::folder::{EditsFolder, JOURNAL, Lock, OVER, PART, UNDO};

/// Changed with the form of the file: a journal of another version is left to who wrote it.
const VERSION: u64 = 1;
/// How the names of files begin that are not whole yet.
const HALF: &str = ".writing-";

/// A file of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JournalStep {
    /// The workspace folder that it is in.
    pub(super) root: PathBuf,
    pub(super) path: PathBuf,
    /// A name beside it, for what takes its place and for what it held.
    pub(super) half: PathBuf,
    /// None where the file is made.
    pub(super) old: Option<Vec<u8>>,
    pub(super) new: Vec<u8>,
}

/// A journal on the disk.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
}

impl Journal {
    /// Writes a journal and gives every step the name of its half.
    pub(super) fn write(
        folder: &EditsFolder,
        lock: &Lock,
        steps: &mut [JournalStep],
    ) -> io::Result<Self> {
        let prefix = format!("{}-", lock.key);
        let mut file = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(PART)
            .rand_bytes(10)
            .tempfile_in(folder.path())?;
        let name = file.path().file_name().and_then(|name| name.to_str());
        let name = name.and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(PART));
        let name = name.ok_or(ErrorKind::InvalidData)?.to_owned();
        for (place, step) in steps.iter_mut().enumerate() {
            let folder = step.path.parent().unwrap_or(&step.path);
            step.half = folder.join(format!("{HALF}{name}-{place}"));
        }
        let path = folder.path().join(format!("{prefix}{name}{JOURNAL}"));
        file.write_all(&to_bytes(steps))?;
        file.as_file().sync_data()?;
        file.persist(&path).map_err(|error| error.error)?;
        sync_folder(folder.path())?;
        Ok(Self { path })
    }

    /// A journal that another process left.
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// The steps; `None` where the journal is gone or of another version.
    pub(super) fn read(&self) -> io::Result<Option<Vec<JournalStep>>> {
        match fs::read(&self.path) {
            Ok(bytes) => from_bytes(&bytes).ok_or_else(|| ErrorKind::InvalidData.into()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether it is one with this ending.
    pub(super) fn says(&self, ending: &str) -> bool {
        self.path
            .to_str()
            .is_some_and(|path| path.ends_with(ending))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// From now on, the edit is to be taken back.
    pub(super) fn undo(&mut self) -> io::Result<()> {
        self.advance(UNDO)
    }

    /// Every file is as it is to stay: whatever a person makes of it later is none of the edit's business.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.advance(OVER)
    }

    fn advance(&mut self, ending: &str) -> io::Result<()> {
        let path = self.path.with_extension(ending.trim_start_matches('.'));
        fs::rename(&self.path, &path)?;
        self.path = path;
        sync_folder(self.path.parent().unwrap_or(&self.path))
    }

    /// There is nothing to do any more.
    pub(super) fn remove(self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        sync_folder(self.path.parent().unwrap_or(&self.path))
    }
}

/// Has a folder's entries on the disk, where the system and the disk can do that: a network's may not.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match fs::File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if cannot_sync(error.kind()) => Ok(()),
        other => other,
    }
}

fn cannot_sync(kind: ErrorKind) -> bool {
    use ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(kind, InvalidInput | PermissionDenied | Unsupported)
}

fn to_bytes(steps: &[JournalStep]) -> Vec<u8> {
    let files = steps.iter().map(|step| {
        json!({
            "root": step.root.to_str(),
            "path": step.path.to_str(),
            "half": step.half.to_str(),
            "old": step.old.as_ref().map(Vec::len),
            "new": step.new.len(),
        })
    });
    let head = json!({ "version": VERSION, "files": files.collect::<Vec<Value>>() });
    let mut bytes = head.to_string().into_bytes();
    bytes.push(b'\n');
    for step in steps {
        bytes.extend(step.old.iter().flatten());
        bytes.extend(&step.new);
    }
    bytes
}

/// The outer `None` where it is no journal, the inner where it is one of another version.
fn from_bytes(bytes: &[u8]) -> Option<Option<Vec<JournalStep>>> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (head, mut rest) = (&bytes[..end], &bytes[end + 1..]);
    let head: Value = serde_json::from_slice(head).ok()?;
    if head["version"] != VERSION {
        return Some(None);
    }
    let mut take = |length: u64| {
        let (taken, left) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        rest = left;
        Some(taken.to_vec())
    };
    let mut steps = Vec::new();
    for file in head["files"].as_array()? {
        let path = |field: &str| Some(PathBuf::from(file[field].as_str()?));
        let old = match &file["old"] {
            Value::Null => None,
            length => Some(take(length.as_u64()?)?),
        };
        steps.push(JournalStep {
            root: path("root")?,
            path: path("path")?,
            half: path("half")?,
            old,
            new: take(file["new"].as_u64()?)?,
        });
    }
    rest.is_empty().then_some(Some(steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_read_as_it_was_written_and_not_in_part() {
        let step = |path: &str, old: Option<&[u8]>| JournalStep {
            root: "/w".into(),
            path: path.into(),
            half: "/w/.writing-x".into(),
            old: old.map(<[u8]>::to_vec),
            new: b"\n{}\xff".to_vec(),
        };
        let steps = vec![
            step("/w/a", Some(b"old\n")),
            step("/w/\u{e4}\n", None),
            step("/w/c", Some(b"")),
        ];
        let bytes = to_bytes(&steps);
        assert_eq!(from_bytes(&bytes), Some(Some(steps)));
        for length in 0..bytes.len() {
            assert_eq!(from_bytes(&bytes[..length]), None, "{length}");
        }
        assert_eq!(from_bytes(b"{\"version\":2}\n??"), Some(None));
    }
}
