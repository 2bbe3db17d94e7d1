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

use codecortex_engine::CacheBytes;
use codecortex_engine::protocol::Root;
use etcetera::BaseStrategy;
use sha2::{Digest, Sha256};

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
pub(crate) fn state_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let folder = strategy.state_dir().unwrap_or_else(|| strategy.cache_dir());
    Some(folder.join("codecortex"))
}

/// The cache of one set of roots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CacheFile {
    path: PathBuf,
    /// Whether it lies in a folder that only caches are in, which we keep tidy.
    is_shared_folder: bool,
}

impl CacheFile {
    /// The cache of these roots: in the workspace where it has a folder for us (SPEC D17), in the
    /// user's cache folder otherwise.
    pub(crate) fn of(roots: &[Root], folder: Option<&Path>) -> Option<Self> {
        if let [root] = roots
            && let Some(path) = in_workspace(root)
        {
            return Some(Self {
                path,
                is_shared_folder: false,
            });
        }
        let mut hash = Sha256::new();
        for root in roots {
            hash.update(root.path.as_bytes());
            hash.update([0]);
        }
        let hash: String = hash.finalize()[..12]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Some(Self {
            path: folder?.join(format!("{hash}.{ENDING}")),
            is_shared_folder: true,
        })
    }

    /// What was written last, if anything.
    pub(crate) fn load(&self) -> Option<FileBytes> {
        let bytes = match FileBytes::open(&self.path) {
            Ok(bytes) => bytes,
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    tracing::warn!(path = %self.path.display(), %error, "the cache cannot be read");
                }
                return None;
            }
        };
        if self.is_shared_folder {
            self.touch();
        } else {
            self.sweep();
        }
        Some(bytes)
    }

    /// Has the cache written; how many bytes that were, if it succeeded.
    pub(crate) fn save(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Option<u64> {
        match self.write(write) {
            Ok(length) => {
                self.tidy();
                Some(length)
            }
            Err(error) => {
                tracing::warn!(path = %self.path.display(), %error, "the cache cannot be written");
                None
            }
        }
    }

    fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<u64> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        if !self.is_shared_folder {
            let ignore = folder.join(".gitignore");
            if !ignore.exists() {
                fs::write(ignore, "*\n")?;
            }
        }
        let file = tempfile::Builder::new()
            .prefix(&format!("{TEMPORARY}{}-", std::process::id()))
            .tempfile_in(folder)?;
        let mut buffer = BufWriter::with_capacity(BUFFER, file);
        write(&mut buffer)?;
        let file = buffer.into_inner()?;
        file.as_file().sync_data()?;
        let length = file.as_file().metadata()?.len();
        file.persist(&self.path)?;
        Ok(length)
    }

    fn touch(&self) {
        let is_old = age(&self.path).is_some_and(|age| age > TOUCH_EVERY);
        if is_old && let Ok(file) = fs::File::options().write(true).open(&self.path) {
            // Only how long it is kept depends on it.
            let _ = file.set_modified(SystemTime::now());
        }
    }

    /// Removes what processes had half written that are no more: a workspace's own folder is looked at by
    /// people, and may see many of them killed within a moment.
    fn sweep(&self) {
        let folder = self.path.parent();
        let Some(entries) = folder.and_then(|folder| fs::read_dir(folder).ok()) else {
            return;
        };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            let writer = name.to_str().and_then(writer);
            if writer.is_some_and(|writer| !is_alive(writer)) {
                // Somebody else may have removed it.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Removes what nobody will use any more.
    fn tidy(&self) {
        let folder = self.path.parent().filter(|_| self.is_shared_folder);
        let Some(entries) = folder.and_then(|folder| fs::read_dir(folder).ok()) else {
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

/// The bytes of a cache. It stays what it was when it was opened: another one takes its name, not its place.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct FileBytes {
    file: fs::File,
    length: u64,
}

#[cfg(unix)]
impl FileBytes {
    fn open(path: &Path) -> io::Result<Self> {
        let file = fs::File::open(path)?;
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
    fn open(path: &Path) -> io::Result<Self> {
        fs::read(path).map(Self)
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

/// `.context/cache` of a root that has a `.context` of its own, not a link to somewhere else.
fn in_workspace(root: &Root) -> Option<PathBuf> {
    let context = Path::new(&root.path).join(".context");
    let is_own = |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    let cache = context.join("cache");
    let is_usable = is_own(&context) && (is_own(&cache) || fs::symlink_metadata(&cache).is_err());
    is_usable.then(|| cache.join(format!("facts.{ENDING}")))
}

/// The process that writes a file of this name.
fn writer(name: &str) -> Option<u32> {
    let (process, _) = name.strip_prefix(TEMPORARY)?.split_once('-')?;
    process.parse().ok()
}

/// Whether there is a process of this number; where nobody can tell, there may be one.
#[cfg(unix)]
fn is_alive(process: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) else {
        return false;
    };
    test_kill_process(process) != Err(rustix::io::Errno::SRCH)
}

/// Whether there is a process of this number; where nobody can tell, there may be one.
#[cfg(not(unix))]
fn is_alive(_process: u32) -> bool {
    true
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
        let cache = CacheFile::of(&[root(place.path())], Some(&folder)).unwrap();
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
        let cache = CacheFile::of(&[root(Path::new("/a"))], Some(folder.path())).unwrap();
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
        let path = |roots: &[Root]| CacheFile::of(roots, Some(folder)).unwrap().path;
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
        assert!(CacheFile::of(&[root(Path::new("/a"))], None).is_none());
    }

    #[test]
    fn a_workspace_with_a_context_folder_keeps_its_own() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join(".context")).unwrap();
        let cache = CacheFile::of(&[root(place.path())], None).unwrap();
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
        let cache = CacheFile::of(&[root(place.path())], None).unwrap();
        assert_eq!(put(&cache, b"x"), Some(1));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let own = format!("{TEMPORARY}{}-abc", std::process::id());
        let gone = format!("{TEMPORARY}{}-abc", child.id());
        for name in [&own, &gone] {
            fs::write(folder.join(name), "half").unwrap();
        }
        assert!(cache.load().is_some());
        assert!(folder.join(own).exists() && !folder.join(gone).exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_the_cache_out_of_the_workspace() {
        let (place, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), place.path().join(".context")).unwrap();
        assert!(CacheFile::of(&[root(place.path())], None).is_none());
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
        let cache = CacheFile::of(&[root(Path::new("/a"))], Some(folder.path())).unwrap();
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
        let cache = CacheFile::of(&[root(Path::new("/a"))], Some(&file)).unwrap();
        assert_eq!(put(&cache, b"x"), None);
        assert_eq!(get(&cache), None);
    }
}
