//! Where the cache of a set of roots is kept, and how it is written.
//!
//! A reader sees a whole cache or none: it is written beside its place and moved there. Of several
//! writers the last one wins; each one's file is right by itself. Failures cost time at the next
//! start, nothing else, and are only logged.

use std::borrow::Cow;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use codecortex_confined::{ConfinedFolder, Refused, Whose};
use codecortex_engine::CacheBytes;
use codecortex_engine::protocol::Root;
use etcetera::BaseStrategy;

use crate::roots::roots_key;

const TEMPORARY: &str = ".writing-";
const ENDING: &str = "index";
/// Bytes that are written at once.
const BUFFER: usize = 1 << 20;
/// Caches of workspaces that nobody opened for this long are removed.
const KEEP: Duration = Duration::from_secs(60 * 24 * 3600);
/// What a writer that was killed leaves behind.
const KEEP_TEMPORARY: Duration = Duration::from_secs(3600);
/// How exactly the time of the last use is kept.
const TOUCH_EVERY: Duration = Duration::from_secs(24 * 3600);

/// The user's folder for everything of ours that can be made anew; `None` on a system without one.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("codecortex"))
}

/// The user's folder for what of ours has to outlive a process and lies in no workspace; `None` on a system without one.
#[must_use]
pub fn state_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let folder = strategy.state_dir().unwrap_or_else(|| strategy.cache_dir());
    Some(folder.join("codecortex"))
}

/// The folder of caches in a workspace.
const IN_WORKSPACE: &str = ".context/cache";

/// The cache of one set of roots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CacheFile {
    /// In a folder that only caches are in, which we keep tidy.
    Shared(PathBuf),
    /// In the `.context/cache` of this root, where no link is followed.
    InWorkspace(PathBuf),
}

impl CacheFile {
    /// The cache of these roots: in the workspace where it has a folder for us that `is_trusted` (SPEC D17), in the
    /// user's cache folder otherwise.
    pub(crate) fn locate(roots: &[Root], folder: Option<&Path>, is_trusted: bool) -> Option<Self> {
        if let [root] = roots
            && is_trusted
            && let Some(cache) = Self::in_workspace(root)
        {
            return Some(cache);
        }
        let key = roots_key(roots);
        Some(Self::Shared(folder?.join(format!("{key}.{ENDING}"))))
    }

    /// That of a root with a `.context` of its own, not a link to somewhere else.
    fn in_workspace(root: &Root) -> Option<Self> {
        let path = PathBuf::from(&root.path);
        let context = ConfinedFolder::open(&path).ok()?.below(".context").ok()?;
        let is_usable = match context.below("cache") {
            Ok(_) => true,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        is_usable.then_some(Self::InWorkspace(path))
    }

    /// Where it is, for messages.
    fn path(&self) -> PathBuf {
        match self {
            Self::Shared(path) => path.clone(),
            Self::InWorkspace(root) => root.join(IN_WORKSPACE).join(facts()),
        }
    }

    /// What was written last, if anything.
    pub(crate) fn load(&self) -> Option<FileBytes> {
        let bytes = match self.open() {
            Ok(bytes) => bytes,
            Err(error) => {
                let path = self.path();
                let path = path.display();
                if Refused::from_error(&error).is_some() {
                    tracing::error!("{path}: {error}; the cache is not read");
                } else if error.kind() != io::ErrorKind::NotFound {
                    tracing::warn!(%path, %error, "the cache cannot be read");
                }
                return None;
            }
        };
        self.touch();
        Some(bytes)
    }

    fn open(&self) -> io::Result<FileBytes> {
        match self {
            Self::Shared(path) => fs::File::open(path).and_then(FileBytes::from_file),
            Self::InWorkspace(root) => {
                let folder = ConfinedFolder::open(root)?.below(IN_WORKSPACE)?;
                // People look at this folder, and many writers may be killed within a moment.
                folder.sweep(Whose::TheDead);
                folder.open_file(&facts()).and_then(FileBytes::from_file)
            }
        }
    }

    /// Has the cache written; how many bytes that were, if it succeeded.
    pub(crate) fn save(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Option<u64> {
        let written = match self {
            Self::Shared(path) => write_shared(path, write),
            Self::InWorkspace(root) => write_in_workspace(root, write),
        };
        match written {
            Ok(length) => {
                self.tidy();
                Some(length)
            }
            Err(error) => {
                tracing::warn!(path = %self.path().display(), %error, "the cache cannot be written");
                None
            }
        }
    }

    /// Only how long a shared cache is kept depends on it.
    fn touch(&self) {
        let Self::Shared(path) = self else { return };
        let is_old = age(path).is_some_and(|age| age > TOUCH_EVERY);
        if is_old && let Ok(file) = fs::File::options().write(true).open(path) {
            let _ = file.set_modified(SystemTime::now());
        }
    }

    /// Removes what nobody will use any more.
    fn tidy(&self) {
        let Self::Shared(path) = self else { return };
        let Some(entries) = path.parent().and_then(|folder| fs::read_dir(folder).ok()) else {
            return;
        };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            let is_temporary = entry
                .file_name()
                .to_str()
                .is_some_and(|name| name.starts_with(TEMPORARY));
            let is_cache = path.extension().is_some_and(|ending| ending == ENDING);
            let keep = if is_temporary { KEEP_TEMPORARY } else { KEEP };
            if (is_temporary || is_cache) && age(&path).is_some_and(|age| age > keep) {
                // Somebody else may have removed it.
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The name of the cache in a workspace.
fn facts() -> String {
    format!("facts.{ENDING}")
}

fn write_shared(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<u64> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new()
        .prefix(&format!("{TEMPORARY}{}-", std::process::id()))
        .tempfile_in(folder)?;
    let length = fill(file.as_file_mut(), write)?;
    file.as_file().sync_data()?;
    file.persist(path)?;
    Ok(length)
}

fn write_in_workspace(
    root: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<u64> {
    let folder = ConfinedFolder::open(root)?.made(IN_WORKSPACE)?;
    let ignores = folder.find(".gitignore");
    if ignores.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        folder.replace(".gitignore", false, |file| file.write_all(b"*\n"))?;
    }
    folder.replace(&facts(), true, |file| fill(file, write))
}

fn fill(
    file: &mut fs::File,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<u64> {
    let mut buffer = BufWriter::with_capacity(BUFFER, &mut *file);
    write(&mut buffer)?;
    buffer.flush()?;
    drop(buffer);
    Ok(file.metadata()?.len())
}

/// The bytes of a cache. It stays what it was when it was opened: another one takes its name, not its place.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct FileBytes {
    file: fs::File,
    length: u64,
}

#[cfg(unix)]
impl FileBytes {
    fn from_file(file: fs::File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file, length })
    }
}

#[cfg(unix)]
impl CacheBytes for FileBytes {
    fn len(&self) -> u64 {
        self.length
    }

    fn read(&self, start: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        use std::os::unix::fs::FileExt;
        // What is told to be longer than the file is no reason to make room for it.
        if start.checked_add(length as u64)? > self.length {
            return None;
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, start).ok()?;
        Some(Cow::Owned(bytes))
    }

    fn memory(&self) -> usize {
        0
    }
}

/// The bytes of a cache, all read: elsewhere no other file can take the name of one that is open.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) struct FileBytes(Vec<u8>);

#[cfg(not(unix))]
impl FileBytes {
    fn from_file(mut file: fs::File) -> io::Result<Self> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes)?;
        Ok(Self(bytes))
    }
}

#[cfg(not(unix))]
impl CacheBytes for FileBytes {
    fn len(&self) -> u64 {
        CacheBytes::len(&self.0)
    }

    fn read(&self, start: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        self.0.read(start, length)
    }

    fn memory(&self) -> usize {
        self.0.memory()
    }
}

fn age(path: &Path) -> Option<Duration> {
    fs::symlink_metadata(path)
        .ok()?
        .modified()
        .ok()?
        .elapsed()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(path: &Path) -> Root {
        Root {
            name: "r".into(),
            path: path.to_str().unwrap().into(),
            link: None,
        }
    }

    fn put(cache: &CacheFile, bytes: &[u8]) -> Option<u64> {
        cache.save(|out| out.write_all(bytes))
    }

    fn get(cache: &CacheFile) -> Option<Vec<u8>> {
        let bytes = cache.load()?;
        let all = bytes.read(0, bytes.len() as usize)?;
        Some(all.into_owned())
    }

    #[test]
    fn what_is_saved_is_loaded_and_nothing_else_is_left() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("deep/cache");
        let cache = CacheFile::locate(&[root(place.path())], Some(&folder), true).unwrap();
        assert_eq!(get(&cache), None);
        assert_eq!(
            (put(&cache, b"one"), put(&cache, b"two!")),
            (Some(3), Some(4))
        );
        assert_eq!(get(&cache).as_deref(), Some(&b"two!"[..]));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn what_was_opened_stays_what_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let cache = CacheFile::locate(&[root(Path::new("/a"))], Some(folder.path()), true).unwrap();
        assert_eq!(put(&cache, b"before"), Some(6));
        let opened = cache.load().unwrap();
        assert_eq!(put(&cache, b"and after"), Some(9));
        assert_eq!(opened.read(0, 6).as_deref(), Some(&b"before"[..]));
        assert_eq!(opened.read(2, 4).as_deref(), Some(&b"fore"[..]));
        assert!(opened.read(2, 5).is_none() && opened.read(u64::MAX, 2).is_none());
        assert_eq!(get(&cache).as_deref(), Some(&b"and after"[..]));
    }

    #[test]
    fn every_set_of_roots_has_its_own() {
        let folder = Path::new("/cache");
        let path = |roots: &[Root]| CacheFile::locate(roots, Some(folder), true).unwrap().path();
        let (a, b) = (root(Path::new("/a")), root(Path::new("/b")));
        let paths = [
            path(std::slice::from_ref(&a)),
            path(std::slice::from_ref(&b)),
            path(&[a.clone(), b.clone()]),
            path(&[b, a]),
        ];
        for (index, path) in paths.iter().enumerate() {
            assert!(!paths[..index].contains(path));
        }
        assert!(CacheFile::locate(&[root(Path::new("/a"))], None, true).is_none());
    }

    #[test]
    fn a_workspace_with_a_context_folder_keeps_its_own() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join(".context")).unwrap();
        let cache = CacheFile::locate(&[root(place.path())], None, true).unwrap();
        assert_eq!(put(&cache, b"x"), Some(1));
        let folder = place.path().join(".context/cache");
        assert_eq!(
            fs::read_to_string(folder.join(".gitignore")).unwrap(),
            "*\n"
        );
        assert_eq!(get(&cache).as_deref(), Some(&b"x"[..]));
    }

    #[cfg(unix)]
    #[test]
    fn what_the_dead_left_is_swept_and_what_the_living_write_stays() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join(".context/cache");
        fs::create_dir_all(&folder).unwrap();
        let cache = CacheFile::locate(&[root(place.path())], None, true).unwrap();
        let mut own = None;
        let saved = cache.save(|out| {
            let names = fs::read_dir(&folder).unwrap();
            let mut names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            own = names.find(|name| name.starts_with(TEMPORARY));
            out.write_all(b"x")
        });
        assert_eq!(saved, Some(1));
        let own = own.unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let pid = |id: u32| format!(".{id}.");
        let gone = own.replace(&pid(std::process::id()), &pid(child.id()));
        assert_ne!(own, gone);
        for name in [&own, &gone] {
            fs::write(folder.join(name), "half").unwrap();
        }
        assert!(cache.load().is_some());
        assert!(folder.join(own).exists() && !folder.join(gone).exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_in_the_folder_of_the_cache_are_not_written_through() {
        let (place, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = place.path().join(".context/cache");
        fs::create_dir_all(&folder).unwrap();
        let theirs = other.path().join("theirs");
        fs::write(&theirs, "theirs").unwrap();
        let link = std::os::unix::fs::symlink::<&Path, PathBuf>;
        link(&theirs, folder.join("facts.index")).unwrap();
        link(&other.path().join("absent"), folder.join(".gitignore")).unwrap();
        let cache = CacheFile::locate(&[root(place.path())], None, true).unwrap();
        assert_eq!(get(&cache), None, "a link is not read");
        assert_eq!(put(&cache, b"x"), Some(1));
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_the_cache_out_of_the_workspace() {
        let (place, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), place.path().join(".context")).unwrap();
        assert!(CacheFile::locate(&[root(place.path())], None, true).is_none());
    }

    #[test]
    fn only_what_is_old_and_ours_is_tidied_away() {
        let folder = tempfile::tempdir().unwrap();
        let long_ago = SystemTime::now() - 2 * KEEP;
        for name in ["old.index", ".writing-old", "old.txt"] {
            let path = folder.path().join(name);
            fs::write(&path, "x").unwrap();
            let file = fs::File::options().write(true).open(path).unwrap();
            file.set_modified(long_ago).unwrap();
        }
        fs::write(folder.path().join("new.index"), "x").unwrap();
        let cache = CacheFile::locate(&[root(Path::new("/a"))], Some(folder.path()), true).unwrap();
        assert_eq!(put(&cache, b"x"), Some(1));
        let left = |name: &str| folder.path().join(name).exists();
        assert!(!left("old.index") && !left(".writing-old"));
        assert!(left("old.txt") && left("new.index") && cache.load().is_some());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_no_failure() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "x").unwrap();
        let cache = CacheFile::locate(&[root(Path::new("/a"))], Some(&file), true).unwrap();
        assert_eq!(put(&cache, b"x"), None);
        assert_eq!(get(&cache), None);
    }
}
