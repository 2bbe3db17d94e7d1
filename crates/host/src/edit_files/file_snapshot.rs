//! What a path holds: its bytes, and the stamp that tells a file from any that took its place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::context_folder::stamp;

/// A file that grows while it is read is read again so many times.
const ATTEMPTS: usize = 3;

/// A file's bytes and its stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileSnapshot {
    /// Of the time when the last byte was read.
    pub(super) stamp: String,
    pub(super) bytes: Vec<u8>,
}

/// What a path holds; none where nothing is there.
///
/// # Errors
/// What is there is a link or no file, or cannot be read.
pub(super) fn held(path: &Path) -> io::Result<Option<FileSnapshot>> {
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let found = match fs::symlink_metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if !found.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a file"));
        }
        let mut file = match open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let begun = stamp(&file.metadata()?);
        let mut bytes = Vec::with_capacity(found.len() as usize + 1);
        file.read_to_end(&mut bytes)?;
        let ended = stamp(&file.metadata()?);
        let is_whole = begun == ended;
        last = Some(FileSnapshot {
            stamp: ended,
            bytes,
        });
        if is_whole {
            break;
        }
    }
    Ok(last)
}

/// What a path holds under exactly this name: a disk that folds case finds a file under others, too.
pub(super) fn held_by_name(path: &Path) -> io::Result<Option<FileSnapshot>> {
    let Some(found) = held(path)? else {
        return Ok(None);
    };
    let folder = path.parent().unwrap_or(path);
    for entry in fs::read_dir(folder)? {
        if Some(entry?.file_name().as_os_str()) == path.file_name() {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Whether a path holds exactly this.
pub(super) fn holds(path: &Path, expected: &FileSnapshot) -> bool {
    held(path).is_ok_and(|found| found.as_ref() == Some(expected))
}

/// Opens a file for reading; no link is followed and no pipe waited for.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    no_follow(&mut options);
    options.open(path)
}

/// Has an open refuse links, and not wait for the other end of a pipe.
pub(super) fn no_follow(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    #[cfg(not(unix))]
    let _ = options;
}
