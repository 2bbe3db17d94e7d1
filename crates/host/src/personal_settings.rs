//! The person's own settings: `codecortex/config.json` in the user's folder for settings (SPEC D17, D25). No repository can
//! change them. `extension/worker/personalSettings.node.ts` reads the same file.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::{PersonalFile, PersonalSettings, Root};
use etcetera::BaseStrategy;

/// A longer file is written by nobody.
const MAX_BYTES: u64 = 1 << 20;

/// Where the person's settings are; none on a system without such a folder.
#[must_use]
pub fn personal_file() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.config_dir().join("codecortex/config.json"))
}

/// Why the person's settings cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PersonalError {
    /// There is no folder for them.
    #[error("this user has no folder for settings")]
    NoFolder,
    /// The disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("{}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// Reads the person's settings; one that is not there says nothing.
///
/// # Errors
/// What cannot be read, so that nobody takes it for no word.
pub fn read_personal(path: &Path) -> Result<PersonalFile, PersonalError> {
    let failed = |source: io::Error| PersonalError::Io {
        path: path.to_owned(),
        source,
    };
    let text = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(PersonalFile::default()),
        Err(error) => return Err(failed(error)),
        // A pipe would be waited for.
        Ok(found) if !found.is_file() || found.len() > MAX_BYTES => {
            return Err(failed(io::ErrorKind::InvalidInput.into()));
        }
        Ok(_) => fs::read_to_string(path).map_err(failed)?,
    };
    serde_json::from_str(&text).map_err(|error| PersonalError::Malformed {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

/// Changes the person's settings for a folder, or for all of them. The file is replaced whole.
///
/// # Errors
/// What cannot be read or written; then nothing is changed.
pub fn change_personal(
    path: &Path,
    folder: Option<&Root>,
    change: impl FnOnce(&mut PersonalSettings),
) -> Result<(), PersonalError> {
    let mut file = read_personal(path)?;
    change(match folder {
        Some(root) => file.folders.entry(root.path.clone()).or_default(),
        None => &mut file.everywhere,
    });
    file.folders
        .retain(|_, of| *of != PersonalSettings::default());
    write(path, &file).map_err(|source| PersonalError::Io {
        path: path.to_owned(),
        source,
    })
}

fn write(path: &Path, file: &PersonalFile) -> io::Result<()> {
    // A link to where a person keeps such files is the person's own.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut half = tempfile::NamedTempFile::new_in(folder)?;
    half.write_all((serde_json::to_string_pretty(file)? + "\n").as_bytes())?;
    half.as_file().sync_data()?;
    half.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// What counts for each root, by its path; and the state of the file that it was read from.
pub(crate) fn personal_of(
    roots: &[Root],
    path: Option<&Path>,
) -> BTreeMap<String, PersonalSettings> {
    let read = path.map(read_personal);
    let file = match read {
        Some(Ok(file)) => file,
        Some(Err(error)) => {
            tracing::error!(%error, "your own settings do not count");
            PersonalFile::default()
        }
        None => PersonalFile::default(),
    };
    let of_root = |root: &Root| (root.path.clone(), file.for_root(&root.path));
    roots.iter().map(of_root).collect()
}

/// Tells a file from any that took its place; none where it is not there.
pub(crate) fn stamp_of(path: Option<&Path>) -> Option<String> {
    let found = fs::metadata(path?).ok()?;
    Some(crate::context_folder::stamp(&found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(path: &str) -> Root {
        Root {
            name: "w".to_owned(),
            path: path.to_owned(),
            link: None,
        }
    }

    #[test]
    fn settings_are_of_one_folder_or_of_all() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/config.json");
        let roots = [root("/w/one"), root("/w/two")];
        change_personal(&path, Some(&roots[0]), |own| own.observations = Some(true)).unwrap();
        change_personal(&path, None, |own| own.record = Some(true)).unwrap();
        let personal = personal_of(&roots, Some(&path));
        assert_eq!(personal["/w/one"].observations, Some(true));
        assert_eq!(personal["/w/two"].observations, None);
        assert_eq!(personal["/w/two"].record, Some(true));
        change_personal(&path, Some(&roots[0]), |own| own.observations = None).unwrap();
        assert!(read_personal(&path).unwrap().folders.is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_said_and_not_written_over() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("config.json");
        for wrong in ["{", "[]", "{\"record\": 3}", "<<<<<<< ours\n{}"] {
            fs::write(&path, wrong).unwrap();
            assert!(read_personal(&path).is_err(), "{wrong}");
            assert!(change_personal(&path, None, |own| own.record = Some(true)).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), wrong);
            let personal = personal_of(&[root("/w")], Some(&path));
            assert_eq!(
                personal["/w"],
                PersonalSettings::default(),
                "nothing is switched on"
            );
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(read_personal(&path).is_err());
    }
}
