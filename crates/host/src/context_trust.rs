//! Whether a person vouches for a folder `.context/` (SPEC D17): it was made on this machine, or somebody took it over.
//!
//! A repository brings its own `.context/` along, so nothing in it can say so by itself. The marks lie in the user's
//! state folder: the name of a number that only this machine knows, which `.context/cache/trusted` holds too (it goes along when
//! the folder is moved or copied, and no clone has it), and for each workspace folder which folder `.context/` was there.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use codecortex_engine::protocol::{Bytes, CommitOutcome, DiskChange, Root};
use sha2::{Digest, Sha256};

use crate::context_folder::{self, Reservation};

/// Where the number is, relative to the root.
const NUMBER: &str = ".context/cache/trusted";
/// Digits of the number.
const DIGITS: usize = 32;
/// The marks, below the user's state folder.
const MARKS: &str = "contexts";

/// The marks of this machine.
#[derive(Clone, Debug)]
pub(crate) struct ContextTrust {
    /// Where they lie; none on a system without such a folder.
    marks: Option<PathBuf>,
}

impl ContextTrust {
    /// The marks in a user's state folder.
    pub(crate) fn new(state: Option<&Path>) -> Self {
        Self {
            marks: state.map(|state| state.join(MARKS)),
        }
    }

    /// Whether the folder of a root is to be written, and its cache read. One that is not there yet is.
    pub(crate) fn is_trusted(&self, root: &Root) -> bool {
        let context = Path::new(&root.path).join(".context");
        let Ok(found) = fs::symlink_metadata(&context) else {
            return true;
        };
        let Some(marks) = self.marks.as_ref().filter(|_| found.is_dir()) else {
            return false;
        };
        let known = fs::read_to_string(marks.join(name_of(root)));
        known.is_ok_and(|known| known == identity(&found))
            || number(root).is_some_and(|number| marks.join(number).is_file())
    }

    /// Notes that a person vouches for the folder of a root, which is there.
    ///
    /// # Errors
    /// What writing in the state folder fails with.
    pub(crate) fn trust(&self, root: &Root) -> io::Result<()> {
        let Some(marks) = &self.marks else {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "there is no folder for this user's trusted folders",
            ));
        };
        let found = fs::symlink_metadata(Path::new(&root.path).join(".context"))?;
        if !found.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        make_private(marks)?;
        write_whole(marks, &name_of(root), identity(&found).as_bytes())?;
        if number(root).is_some_and(|number| marks.join(number).is_file()) {
            return Ok(());
        }
        let number = new_number();
        write_whole(marks, &number, root.path.as_bytes())?;
        let change = DiskChange::Write {
            path: NUMBER.to_owned(),
            bytes: Bytes(number.into_bytes()),
        };
        match context_folder::commit(root, &[], &[change], &mut Reservation::default()) {
            CommitOutcome::Done { .. } => {}
            // The other mark is enough as long as the folder stays where it is.
            outcome => tracing::info!(?outcome, "a moved .context has to be taken over again"),
        }
        Ok(())
    }
}

/// The file that says which folder was at a root's place.
fn name_of(root: &Root) -> String {
    let hash = Sha256::digest(root.path.as_bytes());
    let digits: String = hash[..12]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("at-{digits}")
}

/// Tells a folder from any that takes its place later.
fn identity(found: &fs::Metadata) -> String {
    #[cfg(unix)]
    let (device, id) = {
        use std::os::unix::fs::MetadataExt;
        (found.dev(), found.ino())
    };
    #[cfg(not(unix))]
    let (device, id) = (0, 0);
    let made = found.created().ok();
    let made = made.and_then(|made| made.duration_since(SystemTime::UNIX_EPOCH).ok());
    format!("{device}-{id}-{}", made.map_or(0, |made| made.as_nanos()))
}

/// The number in a root's folder, where there is one.
fn number(root: &Root) -> Option<String> {
    let file = context_folder::open_inside(&root.path, NUMBER).ok()?;
    if file.metadata().ok()?.len() != DIGITS as u64 {
        return None;
    }
    let mut text = String::new();
    file.take(DIGITS as u64).read_to_string(&mut text).ok()?;
    let is_number = text.len() == DIGITS && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number.then_some(text)
}

/// A number that nobody can guess: the standard library's keys come from the system's source of chance.
fn new_number() -> String {
    use std::hash::{BuildHasher, RandomState};
    let mut hash = Sha256::new();
    for _ in 0..4 {
        let keys = RandomState::new();
        hash.update(keys.hash_one(SystemTime::now()).to_le_bytes());
    }
    let hash = hash.finalize();
    let digits = hash[..DIGITS / 2].iter();
    digits.map(|byte| format!("{byte:02x}")).collect()
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_data()?;
    file.persist(folder.join(name))
        .map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Root, ContextTrust) {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("w");
        fs::create_dir(&folder).unwrap();
        let root = root_at(&folder);
        let trust = ContextTrust::new(Some(&place.path().join("state")));
        (place, root, trust)
    }

    fn root_at(folder: &Path) -> Root {
        Root {
            name: "w".to_owned(),
            path: folder.to_str().unwrap().to_owned(),
            link: None,
        }
    }

    fn make(root: &Root) -> PathBuf {
        let context = Path::new(&root.path).join(".context");
        fs::create_dir(&context).unwrap();
        context
    }

    #[test]
    fn a_folder_that_came_along_is_not_trusted_before_somebody_says_so() {
        let (_place, root, trust) = place();
        assert!(trust.is_trusted(&root), "there is none yet");
        make(&root);
        assert!(!trust.is_trusted(&root));
        trust.trust(&root).unwrap();
        assert!(trust.is_trusted(&root));
    }

    #[test]
    fn a_moved_or_copied_folder_stays_trusted_and_one_put_in_its_place_is_not() {
        let (place, root, trust) = place();
        let context = make(&root);
        trust.trust(&root).unwrap();
        let moved = place.path().join("moved");
        fs::rename(&root.path, &moved).unwrap();
        assert!(trust.is_trusted(&root_at(&moved)));
        fs::create_dir(&root.path).unwrap();
        fs::create_dir(&context).unwrap();
        assert!(!trust.is_trusted(&root));
        fs::create_dir(context.join("cache")).unwrap();
        for made_up in [
            "0".repeat(DIGITS),
            "../../etc/passwd".to_owned(),
            String::new(),
        ] {
            fs::write(context.join("cache/trusted"), made_up).unwrap();
            assert!(!trust.is_trusted(&root));
        }
    }

    #[test]
    fn without_its_cache_a_folder_is_known_by_itself() {
        let (_place, root, trust) = place();
        let context = make(&root);
        trust.trust(&root).unwrap();
        fs::remove_dir_all(context.join("cache")).unwrap();
        assert!(trust.is_trusted(&root));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_no_folders_of_ours() {
        let (place, root, trust) = place();
        let own = place.path().join("own");
        fs::create_dir(&own).unwrap();
        let other = root_at(&own);
        make(&other);
        trust.trust(&other).unwrap();
        let link = Path::new(&root.path).join(".context");
        std::os::unix::fs::symlink(own.join(".context"), link).unwrap();
        assert!(!trust.is_trusted(&root));
        assert!(trust.trust(&root).is_err());
    }
}
