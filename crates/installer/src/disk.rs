//! Files to read while a plan is made.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::links;

/// No configuration file is larger.
const MAX_BYTES: u64 = 32 << 20;

/// What a plan is made from. Nothing is written by it.
pub trait Files {
    /// The file's bytes; none where there is no file.
    ///
    /// # Errors
    /// Something is there that cannot be read as a file.
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>>;

    /// The path behind links.
    ///
    /// # Errors
    /// A folder on the way cannot be read, or links lead in a circle.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;

    /// Whether something is there.
    fn exists(&self, path: &Path) -> bool;
}

/// The files of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let found = match std::fs::metadata(path) {
            Err(error) if is_nothing(&error) => return Ok(None),
            found => found?,
        };
        // A pipe would be waited for.
        if !found.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a file"));
        }
        let mut bytes = Vec::new();
        File::open(path)?
            .take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)?;
        match bytes.len() as u64 > MAX_BYTES {
            true => Err(io::Error::new(ErrorKind::InvalidInput, "it is too large")),
            false => Ok(Some(bytes)),
        }
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        links::real_path(path)
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
}

fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
