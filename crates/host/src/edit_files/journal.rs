//! The journal of an edit: every file with what it held and what it is to hold. From the moment when it is there, the
//! edit counts, and whoever finds it with no process at work ends the edit.
//!
//! It is one file, so that it is there as a whole or not at all: a line of JSON, then the bytes of all files.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::folder::{DONE, EditsFolder, JOURNAL, Lock, OVER, PART, UNDO};

/// Changed with the form of the file: a journal of another version is left to who wrote it.
const VERSION: u64 = 2;
/// The version of journals whose files were all changed or made.
const VERSION_WITHOUT_DELETIONS: u64 = 1;
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
    /// None where the file is deleted.
    pub(super) new: Option<Vec<u8>>,
    /// The rights that a file has that is made, or had that is deleted; none where the system has no such numbers.
    pub(super) mode: Option<u32>,
    /// Where a file was that is made: it is moved.
    pub(super) moved_from: Option<PathBuf>,
}

impl JournalStep {
    /// Whether the file is made or deleted.
    pub(super) fn is_of_name(&self) -> bool {
        self.old.is_none() || self.new.is_none()
    }
}

/// What is known of an edit beside its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EditLabel {
    /// What it is for.
    pub(super) summary: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub(super) at_ms: u64,
    /// The kept journal of the edit that it takes back.
    pub(super) undoes: Option<String>,
    /// Folders that are made for its files, the outer ones first.
    pub(super) folders: Vec<PathBuf>,
}

/// A journal as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JournalText {
    pub(super) label: EditLabel,
    pub(super) steps: Vec<JournalStep>,
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
        label: &EditLabel,
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
        file.write_all(&to_bytes(label, steps))?;
        file.as_file().sync_data()?;
        file.persist(&path).map_err(|error| error.error)?;
        sync_folder(folder.path())?;
        Ok(Self { path })
    }

    /// A journal that another process left.
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// What it says; `None` where the journal is gone or of another version.
    pub(super) fn read(&self) -> io::Result<Option<JournalText>> {
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

    /// Every file is as the edit wants it: whatever a person makes of it later is none of the edit's business. What it did
    /// can be taken back by another edit.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.advance(DONE)
    }

    /// Every file is as it was: whatever a person makes of it later is none of the edit's business.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.advance(OVER)
    }

    fn advance(&mut self, ending: &str) -> io::Result<()> {
        let path = self.path.with_extension(ending.trim_start_matches('.'));
        fs::rename(&self.path, &path)?;
        self.path = path;
        sync_folder(self.path.parent().unwrap_or(&self.path))
    }

    /// It is kept at another place.
    pub(super) fn move_to(self, place: &Path) -> io::Result<()> {
        fs::rename(&self.path, place)?;
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

fn to_bytes(label: &EditLabel, steps: &[JournalStep]) -> Vec<u8> {
    let files = steps.iter().map(|step| {
        json!({
            "root": step.root.to_str(),
            "path": step.path.to_str(),
            "half": step.half.to_str(),
            "old": step.old.as_ref().map(Vec::len),
            "new": step.new.as_ref().map(Vec::len),
            "mode": step.mode,
            "movedFrom": step.moved_from.as_ref().and_then(|path| path.to_str()),
        })
    });
    let folders = label.folders.iter().map(|folder| folder.to_str());
    let head = json!({
        "version": VERSION,
        "summary": label.summary,
        "atMs": label.at_ms,
        "undoes": label.undoes,
        "folders": folders.collect::<Vec<_>>(),
        "files": files.collect::<Vec<Value>>(),
    });
    let mut bytes = head.to_string().into_bytes();
    bytes.push(b'\n');
    for step in steps {
        bytes.extend(step.old.iter().flatten());
        bytes.extend(step.new.iter().flatten());
    }
    bytes
}

/// The outer `None` where it is no journal, the inner where it is one of another version.
pub(super) fn from_bytes(bytes: &[u8]) -> Option<Option<JournalText>> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (head, mut rest) = (&bytes[..end], &bytes[end + 1..]);
    let head: Value = serde_json::from_slice(head).ok()?;
    if head["version"] != VERSION && head["version"] != VERSION_WITHOUT_DELETIONS {
        return Some(None);
    }
    let mut take = |length: &Value| match length {
        Value::Null => Some(None),
        length => {
            let length = usize::try_from(length.as_u64()?).ok()?;
            let (taken, left) = rest.split_at_checked(length)?;
            rest = left;
            Some(Some(taken.to_vec()))
        }
    };
    let mut steps = Vec::new();
    for file in head["files"].as_array()? {
        let path = |field: &str| Some(PathBuf::from(file[field].as_str()?));
        steps.push(JournalStep {
            root: path("root")?,
            path: path("path")?,
            half: path("half")?,
            old: take(&file["old"])?,
            new: take(&file["new"])?,
            mode: file["mode"].as_u64().and_then(|mode| mode.try_into().ok()),
            moved_from: path("movedFrom"),
        });
    }
    let text = |field: &str| head[field].as_str().map(str::to_owned);
    let folders = head["folders"].as_array().into_iter().flatten();
    let label = EditLabel {
        summary: text("summary"),
        at_ms: head["atMs"].as_u64().unwrap_or_default(),
        undoes: text("undoes"),
        folders: folders
            .filter_map(Value::as_str)
            .map(PathBuf::from)
            .collect(),
    };
    rest.is_empty()
        .then_some(Some(JournalText { label, steps }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a process of an older release left is ended, too.
    #[test]
    fn a_journal_of_the_release_before_is_read() {
        let head = r#"{"version":1,"files":[{"root":"/w","path":"/w/a","half":"/w/.writing-x","old":1,"new":2}]}"#;
        let text = from_bytes(format!("{head}\nabc").as_bytes())
            .unwrap()
            .unwrap();
        assert_eq!(text.label, EditLabel::default());
        let step = &text.steps[0];
        assert_eq!(step.old.as_deref(), Some(&b"a"[..]));
        assert_eq!(step.new.as_deref(), Some(&b"bc"[..]));
    }

    #[test]
    fn a_journal_is_read_as_it_was_written_and_not_in_part() {
        let step = |path: &str, old: Option<&[u8]>| JournalStep {
            root: "/w".into(),
            path: path.into(),
            half: "/w/.writing-x".into(),
            old: old.map(<[u8]>::to_vec),
            new: Some(b"\n{}\xff".to_vec()),
            mode: Some(0o640),
            moved_from: Some("/w/b".into()),
        };
        let deleted = JournalStep {
            new: None,
            mode: None,
            moved_from: None,
            ..step("/w/d", Some(b"gone"))
        };
        let steps = vec![
            step("/w/a", Some(b"old\n")),
            step("/w/\u{e4}\n", None),
            step("/w/c", Some(b"")),
            deleted,
        ];
        let label = EditLabel {
            summary: Some("why\n".to_owned()),
            at_ms: 7,
            undoes: Some("x".to_owned()),
            folders: vec!["/w/e".into()],
        };
        let bytes = to_bytes(&label, &steps);
        let text = JournalText { label, steps };
        assert_eq!(from_bytes(&bytes), Some(Some(text)));
        for length in 0..bytes.len() {
            assert_eq!(from_bytes(&bytes[..length]), None, "{length}");
        }
        assert_eq!(from_bytes(b"{\"version\":3}\n??"), Some(None));
    }
}
