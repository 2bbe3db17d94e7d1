//! Where a path leads, also one whose last parts do not exist yet.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A chain of links is not longer than this.
const MAX_HOPS: usize = 40;

/// The path behind all links. Folders and files that do not exist keep their names.
///
/// # Errors
/// A folder on the way cannot be read, or links lead in a circle.
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    let mut current = std::path::absolute(path)?;
    let mut missing: Vec<OsString> = Vec::new();
    let mut hops = 0;
    loop {
        match current.canonicalize() {
            Ok(mut real) => {
                real.extend(missing.iter().rev());
                return Ok(real);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let parent = current.parent().map(Path::to_path_buf);
        let parent = parent.ok_or(ErrorKind::NotFound)?;
        match current.read_link() {
            // A link to what does not exist yet, such as a file of a folder of dotfiles.
            Ok(target) => {
                hops += 1;
                if hops > MAX_HOPS {
                    return Err(ErrorKind::InvalidInput.into());
                }
                current = parent.join(target);
            }
            Err(_) => {
                missing.extend(current.file_name().map(OsString::from));
                current = parent;
            }
        }
    }
}
