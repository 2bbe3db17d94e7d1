//! Which files there are, which of them are wanted, and what is known of each.
//!
//! The tables here are the engine's picture of the disk. Listings make and refresh it: a listing of
//! a known folder is compared with what was known, so that the first scan, a watcher's event and a
//! branch switch are one mechanism.

pub mod rules;
pub mod scan;

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use codecortex_protocol::{Config, ReadLimits, Root};
use codecortex_syntax::SkipReason;
use ignore::gitignore::Gitignore;

use crate::folder_config::FolderConfig;
use crate::workspace::rules::Rules;

pub use crate::workspace::scan::ScanRequests;

/// A file's size and times, by which a change is noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stat {
    /// Bytes.
    pub size: u64,
    /// When it was written, in ms since 1970.
    pub mtime_ms: f64,
    /// When the file itself changed, in ms since 1970, which nobody sets; 0 where that is not known. It is that of the
    /// listing by which the file was read: one that was replaced since has another in the next.
    pub changed_ms: f64,
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Asked for, not here yet.
    Pending,
    /// Its facts are in the index.
    Indexed,
    /// It is generated and left out, but its names are in the index.
    Names,
    /// It is left out.
    Skipped(SkipReason),
}

impl Status {
    /// Why it is left out.
    pub fn reason(&self) -> Option<&SkipReason> {
        match self {
            Self::Skipped(reason) => Some(reason),
            Self::Names => Some(&SkipReason::Generated),
            Self::Pending | Self::Indexed => None,
        }
    }
}

/// A file of the workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct FileState {
    /// Size and time when it was read.
    pub stat: Stat,
    /// What was made of it.
    pub status: Status,
}

/// A folder of the workspace.
#[derive(Clone, Debug)]
enum DirState {
    /// Listed, or about to be.
    Open(Option<Arc<Rules>>),
    /// Not descended into.
    Skipped(SkipReason),
}

/// One workspace folder.
#[derive(Clone, Debug, Default)]
pub struct FolderTree {
    /// By path, relative to the root.
    pub files: BTreeMap<Box<str>, FileState>,
    dirs: BTreeMap<Box<str>, DirState>,
    /// Links to where they lead, absolute.
    links: BTreeMap<Box<str>, Option<Box<str>>>,
    /// The text of `.context/config.json`.
    config: Option<String>,
    /// What that text leaves out.
    exclude: Option<Gitignore>,
    /// What that text says is not read as code.
    limits: Option<ReadLimits>,
}

/// Something that is left out.
pub struct Left<'a> {
    /// Index of the root.
    pub root: u32,
    /// Relative to it.
    pub path: &'a str,
    /// Whether it is a folder.
    pub is_dir: bool,
    /// Why it is left out.
    pub reason: &'a SkipReason,
}

/// All workspace folders.
#[derive(Clone, Debug, Default)]
pub struct WorkspaceFolders {
    /// The folders that make up the workspace.
    pub roots: Vec<Root>,
    trees: Vec<FolderTree>,
    exclude: Option<Gitignore>,
    /// What is not read as code where a folder says nothing of it.
    limits: ReadLimits,
    max_file_size_holds: bool,
    exclude_generated_holds: bool,
    /// Listings asked for and not answered.
    pub listing: usize,
    pending: usize,
    /// Files that are left out; counted here because the state is told often.
    skipped_files: usize,
    /// Those of them whose names are in the index.
    names_only: usize,
}

impl WorkspaceFolders {
    /// A workspace of these folders, nothing listed yet.
    pub fn new(roots: Vec<Root>, config: &Config) -> Self {
        let exclude = (!config.exclude.is_empty())
            .then(|| rules::matcher(config.exclude.iter().map(String::as_str)));
        Self {
            trees: roots.iter().map(|_| FolderTree::default()).collect(),
            roots,
            exclude,
            limits: ReadLimits {
                max_file_size: config.max_file_size,
                exclude_generated: config.exclude_generated,
            },
            max_file_size_holds: config.max_file_size_holds,
            exclude_generated_holds: config.exclude_generated_holds,
            listing: 0,
            pending: 0,
            skipped_files: 0,
            names_only: 0,
        }
    }

    /// Files asked for and not here yet.
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// A file.
    pub fn file(&self, root: u32, path: &str) -> Option<&FileState> {
        self.trees.get(root as usize)?.files.get(path)
    }

    /// Whether a path is a folder that was listed.
    pub fn is_dir(&self, root: u32, path: &str) -> bool {
        self.trees
            .get(root as usize)
            .is_some_and(|tree| tree.dirs.contains_key(path))
    }

    /// Whether there is such a folder, listed or left out.
    pub fn has_dir(&self, root: u32, path: &str) -> bool {
        self.is_dir(root, path)
    }

    /// A folder that a process made itself, and that no listing shows yet; nothing in it is code.
    pub fn note_made(&mut self, root: u32, path: &str) {
        if let Some(tree) = self.trees.get_mut(root as usize) {
            let dirs = &mut tree.dirs;
            dirs.entry(path.into())
                .or_insert(DirState::Skipped(SkipReason::Tooling));
        }
    }

    /// The workspace folders that could not be listed, as those that are gone, by index.
    pub fn unreadable_roots(&self) -> impl Iterator<Item = u32> {
        let is_unreadable = |tree: &FolderTree| {
            let top = tree.dirs.get("");
            matches!(top, Some(DirState::Skipped(SkipReason::Unreadable(_))))
        };
        let trees = (0_u32..).zip(&self.trees);
        trees
            .filter(move |(_, tree)| is_unreadable(tree))
            .map(|(root, _)| root)
    }

    /// What of a root is not read as code, where its `.context/config.json` says that.
    pub fn folder_limits(&self, root: u32) -> Option<ReadLimits> {
        self.trees.get(root as usize)?.limits
    }

    /// What of a root is not read as code.
    pub fn limits_of(&self, root: u32) -> ReadLimits {
        self.folder_limits(root).unwrap_or(self.limits)
    }

    /// Takes in what a root's `.context/config.json` says is not read as code; where that is something else than
    /// before, its files are read again.
    fn set_folder_limits(&mut self, root: u32, config: Option<&FolderConfig>) {
        let most = config.and_then(|config| config.max_file_size);
        let most = most.filter(|_| !self.max_file_size_holds);
        let included = config.and_then(|config| config.include_generated);
        let included = included.filter(|_| !self.exclude_generated_holds);
        let says = most.is_some() || included.is_some();
        let limits = says.then(|| ReadLimits {
            max_file_size: most.unwrap_or(self.limits.max_file_size),
            exclude_generated: included.map_or(self.limits.exclude_generated, |included| !included),
        });
        let tree = &mut self.trees[root as usize];
        if tree.limits != limits {
            tree.limits = limits;
            // No file was changed then, so that each counts as changed.
            tree.files
                .values_mut()
                .for_each(|file| file.stat.mtime_ms = f64::MIN);
        }
    }

    /// The text of a root's `.context/config.json`.
    pub fn folder_config(&self, root: u32) -> Option<&str> {
        self.trees.get(root as usize)?.config.as_deref()
    }

    /// The files of a root that nothing tells to leave out, also those in no language that is known.
    pub fn paths(&self, root: u32) -> impl Iterator<Item = &str> {
        let files = self.trees.get(root as usize).map(|tree| &tree.files);
        files.into_iter().flatten().filter_map(|(path, file)| {
            let left_out = [
                SkipReason::Ignored,
                SkipReason::Excluded,
                SkipReason::Symlink,
                SkipReason::NotAFile,
            ];
            let is_left_out =
                matches!(&file.status, Status::Skipped(reason) if left_out.contains(reason));
            (!is_left_out).then_some(&**path)
        })
    }

    /// The folder around a path that is left out, and why.
    pub fn left_out_around<'a>(
        &'a self,
        root: u32,
        path: &'a str,
    ) -> Option<(&'a str, &'a SkipReason)> {
        let dirs = &self.trees.get(root as usize)?.dirs;
        let mut rest = path;
        while let Some((above, _)) = rest.rsplit_once('/') {
            if let Some(DirState::Skipped(reason)) = dirs.get(above) {
                return path.get(..above.len()).map(|folder| (folder, reason));
            }
            rest = above;
        }
        None
    }

    /// The folders in a folder that are left out because of what they are or because ignore files say so; not those that
    /// a setting leaves out.
    pub fn left_out_in(&self, root: u32, folder: &str) -> Vec<&str> {
        let Some(tree) = self.trees.get(root as usize) else {
            return Vec::new();
        };
        let below = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let mut found = Vec::new();
        let mut next = Bound::Excluded(below.clone());
        while let Some((path, dir)) = {
            let bound = next.as_ref().map(String::as_str);
            tree.dirs.range::<str, _>((bound, Bound::Unbounded)).next()
        } {
            let Some(rest) = path.strip_prefix(below.as_str()) else {
                break;
            };
            if let Some((child, _)) = rest.split_once('/') {
                // What is below a child is passed over at once: `0` comes right behind `/`.
                next = Bound::Included(format!("{below}{child}0"));
                continue;
            }
            let reasons = [SkipReason::Tooling, SkipReason::Ignored];
            if matches!(dir, DirState::Skipped(reason) if reasons.contains(reason)) {
                found.push(&**path);
            }
            next = Bound::Excluded(path.to_string());
        }
        found
    }

    /// Every file of every folder.
    pub fn files(&self) -> impl Iterator<Item = (u32, &str, &FileState)> {
        self.trees.iter().enumerate().flat_map(|(root, tree)| {
            tree.files
                .iter()
                .map(move |(path, file)| (root as u32, &**path, file))
        })
    }

    /// Everything that is left out, by folder and path.
    pub fn left_out(&self) -> impl Iterator<Item = Left<'_>> {
        self.trees.iter().enumerate().flat_map(|(root, tree)| {
            let root = root as u32;
            let dirs = tree.dirs.iter().filter_map(move |(path, dir)| match dir {
                DirState::Skipped(reason) => Some(Left {
                    root,
                    path,
                    is_dir: true,
                    reason,
                }),
                DirState::Open(_) => None,
            });
            let files = tree.files.iter().filter_map(move |(path, file)| {
                Some(Left {
                    root,
                    path,
                    is_dir: false,
                    reason: file.status.reason()?,
                })
            });
            dirs.chain(files)
        })
    }

    /// Sets what became of a file; counts stay right.
    pub fn set(&mut self, root: u32, path: &str, file: FileState) {
        let Some(tree) = self.trees.get_mut(root as usize) else {
            return;
        };
        self.pending += usize::from(file.status == Status::Pending);
        self.skipped_files += usize::from(file.status.reason().is_some());
        self.names_only += usize::from(file.status == Status::Names);
        let before = match tree.files.get_mut(path) {
            Some(known) => Some(std::mem::replace(known, file)),
            None => tree.files.insert(path.into(), file),
        };
        self.uncount(before.as_ref());
    }

    /// Forgets a file; counts stay right.
    pub fn forget(&mut self, root: u32, path: &str) {
        let tree = &mut self.trees[root as usize];
        let before = tree.files.remove(path);
        self.uncount(before.as_ref());
    }

    fn uncount(&mut self, file: Option<&FileState>) {
        match file.map(|file| &file.status) {
            Some(Status::Pending) => self.pending -= 1,
            Some(Status::Skipped(_)) => self.skipped_files -= 1,
            Some(Status::Names) => {
                self.skipped_files -= 1;
                self.names_only -= 1;
            }
            Some(Status::Indexed) | None => {}
        }
    }

    /// How many of the files that are left out have their names in the index.
    pub fn names_only(&self) -> usize {
        self.names_only
    }

    /// How many files and folders are left out.
    pub fn left_out_count(&self) -> usize {
        let dirs = self.trees.iter().flat_map(|tree| tree.dirs.values());
        let skipped = dirs.filter(|dir| matches!(dir, DirState::Skipped(_)));
        self.skipped_files + skipped.count()
    }

    /// Where a path leads that goes through a link: the path of what is meant, absolute.
    pub fn through_link(&self, root: u32, path: &str) -> Option<Option<String>> {
        let links = &self.trees.get(root as usize)?.links;
        let mut end = path.len();
        loop {
            let head = &path[..end];
            if let Some(target) = links.get(head) {
                let rest = &path[end..];
                return Some(target.as_ref().map(|target| format!("{target}{rest}")));
            }
            end = head.rfind('/')?;
        }
    }

    /// Paths of a tree's table that lie below a folder and of which `is_wanted` is true.
    fn below_where<T>(
        table: &BTreeMap<Box<str>, T>,
        dir: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Vec<Box<str>> {
        let prefix = match dir {
            "" => String::new(),
            dir => format!("{dir}/"),
        };
        table
            .range::<str, _>((Bound::Excluded(prefix.as_str()), Bound::Unbounded))
            .map(|(path, _)| path)
            .take_while(|path| path.starts_with(&prefix))
            .filter(|path| is_wanted(path))
            .cloned()
            .collect()
    }

    /// Paths of a tree's table that lie below a folder.
    fn below<T>(table: &BTreeMap<Box<str>, T>, dir: &str) -> Vec<Box<str>> {
        Self::below_where(table, dir, |_| true)
    }
}
