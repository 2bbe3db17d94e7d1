//! Files that a person has written with `--out`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes a file beside its place and moves it there, so that the old one stays until the new one is whole: a disk
/// that is full leaves no empty file. What is no file, such as a pipe, is written as it is. A link is followed, for a
/// person named it; `what` says what could not be done.
pub(crate) fn write_whole<T>(
    path: &Path,
    what: &'static str,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let failed = |source| Failure::Io { what, source };
    let former = fs::metadata(path).ok();
    if former.as_ref().is_some_and(|former| !former.is_file()) {
        let mut out = BufWriter::new(File::options().write(true).open(path).map_err(failed)?);
        let value = write(&mut out)?;
        out.flush().map_err(failed)?;
        return Ok(value);
    }
    let place = match &former {
        Some(_) => path.canonicalize().map_err(failed)?,
        None => path.to_path_buf(),
    };
    let folder = place.parent().filter(|parent| *parent != Path::new(""));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".writing-");
    // Temporary files are private; this one is for whoever may read the one before.
    #[cfg(unix)]
    builder.permissions(match &former {
        Some(former) => former.permissions(),
        None => std::os::unix::fs::PermissionsExt::from_mode(0o666),
    });
    let half = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
    let mut out = BufWriter::new(half.map_err(failed)?);
    let value = write(&mut out)?;
    let done = |out: BufWriter<tempfile::NamedTempFile>| {
        let half = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        half.as_file().sync_data()?;
        half.persist(&place).map_err(|error| error.error)?;
        Ok(())
    };
    done(out).map_err(failed)?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, text: &str, is_whole: bool) -> Result<(), Failure> {
        write_whole(path, "it cannot be written", |out| {
            let source = io::ErrorKind::StorageFull.into();
            out.write_all(text.as_bytes())
                .map_err(|source| Failure::Io { what: "", source })?;
            match is_whole {
                true => Ok(()),
                false => Err(Failure::Io { what: "", source }),
            }
        })
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("map.json");
        assert!(put(&path, "one", true).is_ok());
        assert!(put(&path, "tw", false).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        assert!(put(&path, "two", true).is_ok());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_leads_to_is_written() {
        let place = tempfile::tempdir().unwrap();
        let (link, file) = (place.path().join("link"), place.path().join("file"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        assert!(put(&link, "new", true).is_ok());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(put(Path::new("/dev/null"), "x", true).is_ok());
    }
}
