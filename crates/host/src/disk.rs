//! Listing folders and reading files.
//!
//! Nothing here blocks: only what is a regular file at the moment it is opened is read, so a pipe
//! put in a file's place does no harm. Failures become sentences in the index's own account.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::UNIX_EPOCH;

use codecortex_engine::is_manifest;
use codecortex_engine::protocol::{
    DirRef, EntryKind, FileRef, IgnoreFile, Listing, ListingEntry, Root,
};
use codecortex_syntax::language::may_be_script;
use codecortex_syntax::{Limits, Outcome, SkipReason, analyse, language_of_path};

use crate::roots::slashed;
use crate::{context_folder, git_ignores};

/// A file that changes while it is read is read again, this often.
const MAX_READS: usize = 3;
/// An ignore file larger than this is not written by people.
const MAX_IGNORE_FILE: u64 = 1 << 20;

/// What reading a file gave.
#[derive(Debug)]
pub(crate) struct FileRead {
    pub(crate) file: FileRef,
    pub(crate) size: u64,
    pub(crate) mtime_ms: f64,
    pub(crate) outcome: Outcome,
}

/// By what a file is known to be the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FileStat {
    pub(crate) size: u64,
    pub(crate) mtime_ms: f64,
}

/// The state of a file now; none where there is no such file.
pub(crate) fn stat(root: &Root, path: &str) -> Option<FileStat> {
    let found = fs::symlink_metadata(join(root, path)).ok()?;
    found.is_file().then(|| FileStat {
        size: found.len(),
        mtime_ms: mtime_ms(&found),
    })
}

/// Lists a folder.
pub(crate) fn list(root: &Root, dir: &DirRef) -> Listing {
    let path = join(root, &dir.dir);
    let mut listing = Listing {
        root: dir.root,
        dir: dir.dir.clone(),
        entries: Vec::new(),
        ignore_files: Vec::new(),
        error: None,
    };
    // A link put in the folder's place since it was seen leads out of the workspace.
    let is_link = !dir.dir.is_empty()
        && fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
    if is_link {
        listing.error = Some("It became a link while it was looked at.".to_owned());
        return listing;
    }
    match fs::read_dir(&path) {
        Ok(entries) => {
            for entry in entries.filter_map(Result::ok) {
                listing.entries.extend(self::entry(&entry));
            }
        }
        Err(error) => listing.error = Some(sentence(&error, "folder")),
    }
    listing.ignore_files = ignore_files(&path, &listing);
    listing
}

/// One entry; `None` for what vanished in the meantime.
fn entry(entry: &fs::DirEntry) -> Option<ListingEntry> {
    let file_type = entry.file_type().ok()?;
    let name = entry.file_name().to_string_lossy().into_owned();
    let mut found = ListingEntry {
        name,
        kind: EntryKind::Other,
        size: 0.0,
        mtime_ms: 0.0,
        changed_ms: 0.0,
        target: None,
    };
    if file_type.is_dir() {
        found.kind = EntryKind::Dir;
    } else if file_type.is_symlink() {
        found.kind = EntryKind::Symlink;
        found.target = fs::canonicalize(entry.path())
            .ok()
            .and_then(|target| slashed(&target));
    } else if file_type.is_file() {
        found.kind = EntryKind::File;
        // Size and times of what is never read are not worth a system call.
        if language_of_path(&found.name).is_some()
            || may_be_script(&found.name)
            || is_manifest(&found.name)
        {
            let metadata = entry.metadata().ok()?;
            found.size = metadata.len() as f64;
            found.mtime_ms = mtime_ms(&metadata);
            found.changed_ms = changed_ms(&metadata);
        }
    }
    Some(found)
}

fn ignore_files(path: &str, listing: &Listing) -> Vec<IgnoreFile> {
    let mut names: Vec<&str> = [".gitignore", ".ignore"]
        .into_iter()
        .filter(|name| {
            let is_file = |entry: &ListingEntry| {
                entry.kind == EntryKind::File && entry.name.as_str() == *name
            };
            listing.entries.iter().any(is_file)
        })
        .collect();
    if listing.dir.is_empty() {
        // A link in the folder's place leads out of the workspace.
        let is_dir =
            |entry: &ListingEntry| entry.kind == EntryKind::Dir && entry.name == ".context";
        if listing.entries.iter().any(is_dir) {
            names.push(".context/config.json");
        }
    }
    let own = names.into_iter().filter_map(|name| {
        let mut bytes = Vec::new();
        let file = match name.starts_with(".context/") {
            true => context_folder::open_inside(path, name).ok()?,
            false => open(&format!("{path}/{name}")).ok()?.0,
        };
        file.take(MAX_IGNORE_FILE).read_to_end(&mut bytes).ok()?;
        Some(IgnoreFile {
            name: name.to_owned(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            above: String::new(),
        })
    });
    let mut files: Vec<IgnoreFile> = own.collect();
    if listing.dir.is_empty() {
        files.extend(git_ignores::above(path));
    }
    files
}

/// Reads and analyses a file. `watched` has it parsed, in the state that it is told.
pub(crate) fn read(
    root: &Root,
    file: FileRef,
    limits: Limits,
    watched: impl Fn(FileStat, &dyn Fn() -> Outcome) -> Outcome,
) -> FileRead {
    let path = join(root, &file.path);
    let mut read = FileRead {
        file,
        size: 0,
        mtime_ms: 0.0,
        outcome: Outcome::Skipped(SkipReason::NotAFile),
    };
    for _ in 0..MAX_READS {
        match read_once(&path, limits) {
            Ok(once) => {
                (read.size, read.mtime_ms) = (once.size, once.mtime_ms);
                read.outcome = once.content.map_or_else(Outcome::Skipped, |bytes| {
                    let stat = FileStat {
                        size: once.size,
                        mtime_ms: once.mtime_ms,
                    };
                    watched(stat, &|| analyse_safely(&read.file.path, &bytes, limits))
                });
                if once.settled {
                    return read;
                }
            }
            Err(error) => {
                let mut why = sentence(&error, "file");
                if fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
                    why = "It became a link while it was looked at.".to_owned();
                } else if read.file.path.contains('\u{fffd}') {
                    why = "The file's name is not valid Unicode.".to_owned();
                }
                read.outcome = Outcome::Skipped(SkipReason::Unreadable(why));
                return read;
            }
        }
    }
    // It still changes; the next listing sees another time and reads it again.
    read
}

/// The bytes of a file; nothing where they cannot be read.
pub(crate) fn bytes(root: &Root, path: &str) -> Option<Vec<u8>> {
    let limits = Limits {
        max_file_size: u32::MAX - 1,
        exclude_generated: false,
    };
    let once = read_once(&join(root, path), limits).ok()?;
    once.content.ok().filter(|_| once.settled)
}

struct Once {
    size: u64,
    mtime_ms: f64,
    content: Result<Vec<u8>, SkipReason>,
    /// Whether size and times were the same afterwards.
    settled: bool,
}

fn read_once(path: &str, limits: Limits) -> io::Result<Once> {
    let (mut file, before) = open(path)?;
    let mut once = Once {
        size: before.len(),
        mtime_ms: mtime_ms(&before),
        content: Err(SkipReason::NotAFile),
        settled: true,
    };
    if !before.is_file() {
        return Ok(once);
    }
    let most = u64::from(limits.max_file_size);
    if before.len() > most {
        once.content = Err(SkipReason::Oversized);
        return Ok(once);
    }
    let mut bytes = Vec::with_capacity(before.len() as usize + 1);
    file.by_ref().take(most + 1).read_to_end(&mut bytes)?;
    let after = file.metadata()?;
    once.settled = after.len() == before.len()
        && mtime_ms(&after) == once.mtime_ms
        && changed_ms(&after) == changed_ms(&before)
        && bytes.len() as u64 == before.len();
    once.content = if bytes.len() as u64 > most {
        Err(SkipReason::Oversized)
    } else {
        Ok(bytes)
    };
    Ok(once)
}

/// Opens without waiting for a pipe's other end and without following a link.
pub(crate) fn open(path: &str) -> io::Result<(File, Metadata)> {
    open_as(path.as_ref(), false)
}

/// Opens without waiting for a pipe's other end; a link is followed.
pub(crate) fn open_where_it_leads(path: &Path) -> io::Result<(File, Metadata)> {
    open_as(path, true)
}

fn open_as(path: &Path, follows: bool) -> io::Result<(File, Metadata)> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let link = match follows {
            true => rustix::fs::OFlags::empty(),
            false => rustix::fs::OFlags::NOFOLLOW,
        };
        let flags = rustix::fs::OFlags::NONBLOCK | link;
        options.custom_flags(flags.bits() as i32);
    }
    #[cfg(not(unix))]
    let _ = follows;
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

/// A fault of ours in one file must not take the others with it.
fn analyse_safely(path: &str, bytes: &[u8], limits: Limits) -> Outcome {
    let analysis = AssertUnwindSafe(|| analyse(path, bytes, limits));
    catch_unwind(analysis).unwrap_or_else(|_| {
        tracing::error!(path, "the analysis of this file failed");
        Outcome::Skipped(SkipReason::Unreadable(
            "The analysis of this file failed; please report it.".to_owned(),
        ))
    })
}

/// The absolute path of what is in a root.
pub(crate) fn join(root: &Root, path: &str) -> String {
    match path {
        "" => root.path.clone(),
        path => format!("{}/{path}", root.path.trim_end_matches('/')),
    }
}

fn mtime_ms(metadata: &Metadata) -> f64 {
    match metadata
        .modified()
        .map(|time| time.duration_since(UNIX_EPOCH))
    {
        Ok(Ok(since)) => since.as_secs() as f64 * 1e3 + f64::from(since.subsec_nanos()) / 1e6,
        Ok(Err(before)) => -(before.duration().as_secs_f64() * 1e3),
        Err(_) => 0.0,
    }
}

/// When the file itself changed, which no program sets: another file in its place has another, whatever its size and
/// modification are. Windows tells its programs in Rust no such time, but when the file was made.
#[cfg(unix)]
fn changed_ms(metadata: &Metadata) -> f64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime() as f64 * 1e3 + metadata.ctime_nsec() as f64 / 1e6
}

/// When the file was made; 0 where that is not known.
#[cfg(not(unix))]
fn changed_ms(metadata: &Metadata) -> f64 {
    let made = metadata.created().ok();
    let since = made.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0.0, |since| {
        since.as_secs() as f64 * 1e3 + f64::from(since.subsec_nanos()) / 1e6
    })
}

/// An error as a person would say it: no code numbers, no path (the account names it).
pub(crate) fn sentence(error: &io::Error, what: &str) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => format!("No permission to read this {what}."),
        io::ErrorKind::NotFound => format!("The {what} disappeared while it was read."),
        io::ErrorKind::NotADirectory => "It is no longer a folder.".to_owned(),
        kind => format!("The {what} could not be read: {kind}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        max_file_size: 1000,
        exclude_generated: true,
    };

    fn place() -> (tempfile::TempDir, Root) {
        let place = tempfile::tempdir().unwrap();
        let path = slashed(&place.path().canonicalize().unwrap()).unwrap();
        (
            place,
            Root {
                name: "r".into(),
                path,
                link: None,
            },
        )
    }

    fn file(path: &str) -> FileRef {
        FileRef {
            root: 0,
            path: path.into(),
        }
    }

    fn dir(dir: &str) -> DirRef {
        DirRef {
            root: 0,
            dir: dir.into(),
        }
    }

    fn skip(read: FileRead) -> SkipReason {
        match read.outcome {
            Outcome::Skipped(reason) => reason,
            Outcome::Facts(_) | Outcome::Names(_) => panic!("it has facts"),
        }
    }

    #[test]
    fn a_file_has_facts_and_the_stat_of_its_listing() {
        let (place, root) = place();
        fs::write(place.path().join("a.py"), "class A: pass\n").unwrap();
        fs::write(place.path().join("b.txt"), "hello").unwrap();
        let listing = list(&root, &dir(""));
        let entry = |name: &str| listing.entries.iter().find(|e| e.name == name).unwrap();
        let read = read(&root, file("a.py"), LIMITS, |_, parsed| parsed());
        assert!(matches!(read.outcome, Outcome::Facts(_)));
        assert_eq!(entry("a.py").size, read.size as f64);
        assert_eq!(entry("a.py").mtime_ms, read.mtime_ms);
        assert!(read.mtime_ms > 1e12);
        assert_eq!(entry("b.txt").kind, EntryKind::File);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_in_anothers_place_shows_whatever_its_size_and_modification_are() {
        let (place, root) = place();
        let (one, other) = (place.path().join("a.py"), place.path().join("b.py"));
        let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        let put = |path: &std::path::Path, text: &str| {
            fs::write(path, text).unwrap();
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(time).unwrap();
        };
        put(&one, "class A: pass\n");
        let before = list(&root, &dir(""));
        put(&other, "class B: pass\n");
        // Times on a disk go on in steps.
        let clock = || {
            fs::metadata(&other)
                .map(|found| changed_ms(&found))
                .unwrap()
        };
        while clock() == before.entries[0].changed_ms {
            put(&other, "class B: pass\n");
        }
        fs::rename(&other, &one).unwrap();
        let after = list(&root, &dir(""));
        let (before, after) = (&before.entries[0], &after.entries[0]);
        assert_eq!((before.size, before.mtime_ms), (after.size, after.mtime_ms));
        assert_ne!(before.changed_ms, after.changed_ms);
    }

    #[test]
    fn ignore_files_come_with_their_text() {
        let (place, root) = place();
        fs::create_dir_all(place.path().join(".git/info")).unwrap();
        fs::write(place.path().join(".git/info/exclude"), "x\n").unwrap();
        fs::write(place.path().join(".gitignore"), b"caf\xe9\n").unwrap();
        fs::create_dir(place.path().join(".ignore")).unwrap();
        let listing = list(&root, &dir(""));
        let files: Vec<(&str, &str)> = listing
            .ignore_files
            .iter()
            // What the user of this machine leaves out everywhere.
            .filter(|file| file.name != "core.excludesFile")
            .map(|file| (file.name.as_str(), file.text.as_str()))
            .collect();
        assert_eq!(
            files,
            [
                (".gitignore", "caf\u{fffd}\n"),
                (".git/info/exclude", "x\n")
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let (place, root) = place();
        fs::write(place.path().join("big.py"), "#".repeat(1001)).unwrap();
        fs::create_dir(place.path().join("dir.py")).unwrap();
        assert_eq!(
            skip(read(&root, file("big.py"), LIMITS, |_, parsed| parsed())),
            SkipReason::Oversized
        );
        assert_eq!(
            skip(read(&root, file("dir.py"), LIMITS, |_, parsed| parsed())),
            SkipReason::NotAFile
        );
        assert_eq!(
            skip(read(&root, file("gone.py"), LIMITS, |_, parsed| parsed())),
            SkipReason::Unreadable("The file disappeared while it was read.".into())
        );
        let gone = list(&root, &dir("gone"));
        assert_eq!(
            gone.error.as_deref(),
            Some("The folder disappeared while it was read.")
        );
    }

    #[cfg(unix)]
    #[test]
    fn pipes_do_not_block_and_links_are_not_followed() {
        use std::os::unix::fs::symlink;
        let (place, root) = place();
        let pipe = place.path().join("pipe.py");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
        fs::write(place.path().join("a.py"), "x = 1\n").unwrap();
        symlink("a.py", place.path().join("link.py")).unwrap();
        symlink("/nowhere/at/all", place.path().join("dead.py")).unwrap();
        symlink("..", place.path().join("up")).unwrap();
        let listing = list(&root, &dir(""));
        let entry = |name: &str| listing.entries.iter().find(|e| e.name == name).unwrap();
        assert_eq!(entry("pipe.py").kind, EntryKind::Other);
        assert_eq!(
            entry("link.py").target.as_deref(),
            Some(format!("{}/a.py", root.path).as_str())
        );
        assert_eq!(
            (entry("dead.py").kind, &entry("dead.py").target),
            (EntryKind::Symlink, &None)
        );
        assert_eq!(
            skip(read(&root, file("pipe.py"), LIMITS, |_, parsed| parsed())),
            SkipReason::NotAFile
        );
        assert!(matches!(
            skip(read(&root, file("link.py"), LIMITS, |_, parsed| parsed())),
            SkipReason::Unreadable(_)
        ));
        assert!(list(&root, &dir("up")).error.is_some());
    }
}
