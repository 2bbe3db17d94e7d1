//! What lies at a path, and why it is not opened.

use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::time::SystemTime;

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderEntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, wherever it leads.
    Link,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device, or something that this system has besides.
    Device,
}

/// An entry itself, not what it may lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryInfo {
    /// What it is.
    pub kind: FolderEntryKind,
    /// Bytes of a file.
    pub len: u64,
    /// When it was written, where the system tells.
    pub modified: Option<SystemTime>,
    /// Device and number of the file, which tell it from another that took its place; elsewhere than on Unix, zero
    /// and the time at which it was made, in ns since 1970.
    pub id: (u64, u64),
}

impl EntryInfo {
    /// The same of a file that is open.
    #[must_use]
    pub fn from_metadata(metadata: &Metadata) -> Self {
        let kind = metadata.file_type();
        Self {
            kind: match () {
                () if kind.is_file() => FolderEntryKind::File,
                () if kind.is_dir() => FolderEntryKind::Folder,
                () if kind.is_symlink() => FolderEntryKind::Link,
                () => special(&kind),
            },
            len: metadata.len(),
            modified: metadata.modified().ok(),
            id: id(metadata),
        }
    }

    pub(crate) fn of_entry(metadata: &cap_std::fs::Metadata) -> Self {
        let kind = metadata.file_type();
        Self {
            kind: match () {
                () if kind.is_file() => FolderEntryKind::File,
                () if kind.is_dir() => FolderEntryKind::Folder,
                () if kind.is_symlink() => FolderEntryKind::Link,
                () => special_entry(&kind),
            },
            len: metadata.len(),
            modified: metadata.modified().ok().map(|time| time.into_std()),
            id: entry_id(metadata),
        }
    }
}

#[cfg(unix)]
fn special(kind: &std::fs::FileType) -> FolderEntryKind {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if kind.is_fifo() => FolderEntryKind::Pipe,
        () if kind.is_socket() => FolderEntryKind::Socket,
        () => FolderEntryKind::Device,
    }
}

#[cfg(unix)]
fn special_entry(kind: &cap_std::fs::FileType) -> FolderEntryKind {
    use cap_std::fs::FileTypeExt;
    match () {
        () if kind.is_fifo() => FolderEntryKind::Pipe,
        () if kind.is_socket() => FolderEntryKind::Socket,
        () => FolderEntryKind::Device,
    }
}

#[cfg(not(unix))]
fn special(_: &std::fs::FileType) -> FolderEntryKind {
    FolderEntryKind::Device
}

#[cfg(not(unix))]
fn special_entry(_: &cap_std::fs::FileType) -> FolderEntryKind {
    FolderEntryKind::Device
}

#[cfg(unix)]
fn id(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(unix)]
fn entry_id(metadata: &cap_std::fs::Metadata) -> (u64, u64) {
    use cap_std::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn id(metadata: &Metadata) -> (u64, u64) {
    (0, nanos(metadata.created().ok()))
}

#[cfg(not(unix))]
fn entry_id(metadata: &cap_std::fs::Metadata) -> (u64, u64) {
    (
        0,
        nanos(metadata.created().ok().map(|time| time.into_std())),
    )
}

#[cfg(not(unix))]
fn nanos(time: Option<SystemTime>) -> u64 {
    let since = time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos() as u64)
}

/// Why an entry was not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is no file that can be read or written.
    #[error("{}", not_a_file(*.0))]
    NotAFile(FolderEntryKind),
    /// It is no folder.
    #[error("{}", not_a_folder(*.0))]
    NotAFolder(FolderEntryKind),
    /// It is no path below the folder.
    #[error("it is not a path below the folder")]
    Outside,
}

impl Refused {
    /// Why an error came about, if it is one of these.
    #[must_use]
    pub fn from_error(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        let kind = match refused {
            Refused::NotAFile(FolderEntryKind::Folder) => ErrorKind::IsADirectory,
            Refused::NotAFolder(FolderEntryKind::File) => ErrorKind::NotADirectory,
            _ => ErrorKind::InvalidInput,
        };
        Self::new(kind, refused)
    }
}

fn not_a_file(kind: FolderEntryKind) -> &'static str {
    match kind {
        FolderEntryKind::File => "it changed while it was opened",
        FolderEntryKind::Folder => "it is a folder",
        FolderEntryKind::Link => "it is not a file but a link",
        FolderEntryKind::Pipe => "it is not a file but a pipe",
        FolderEntryKind::Socket => "it is not a file but a socket",
        FolderEntryKind::Device => "it is not a file but a device",
    }
}

fn not_a_folder(kind: FolderEntryKind) -> &'static str {
    match kind {
        FolderEntryKind::File => "it is not a folder",
        FolderEntryKind::Folder => "it changed while it was opened",
        FolderEntryKind::Link => "it is not a folder but a link",
        FolderEntryKind::Pipe => "it is not a folder but a pipe",
        FolderEntryKind::Socket => "it is not a folder but a socket",
        FolderEntryKind::Device => "it is not a folder but a device",
    }
}
