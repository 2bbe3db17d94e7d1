//! Listings in; what to list and read next, and what is gone, out.

use std::collections::BTreeSet;
use std::sync::Arc;

use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{DirRef, EntryKind, FileRef, Listing, ListingEntry};
use codecortex_syntax::{SkipReason, language_of_path};

use crate::folder_config::{CONFIG_PATH, FolderConfig};
use crate::workspace::rules::{Rules, is_marked, matcher, tooling};
use crate::workspace::{DirState, FileState, Stat, Status, WorkspaceFolders};

/// What a listing makes necessary.
#[derive(Debug, Default)]
pub struct ScanRequests {
    /// Folders to list.
    pub list: Vec<DirRef>,
    /// Files that are new or changed, already noted as pending.
    pub read: Vec<FileRef>,
    /// Files that are gone or no longer wanted.
    pub gone: Vec<FileRef>,
}

impl WorkspaceFolders {
    /// The first folders to list.
    pub fn start(&mut self) -> Vec<DirRef> {
        let dirs: Vec<DirRef> = (0..self.roots.len() as u32)
            .map(|root| DirRef {
                root,
                dir: String::new(),
            })
            .collect();
        for dir in &dirs {
            self.trees[dir.root as usize]
                .dirs
                .insert("".into(), DirState::Open(None));
        }
        self.listing += dirs.len();
        dirs
    }

    /// The folders to list again because these paths changed. A changed ignore file changes what
    /// is wanted in every folder below it.
    pub fn changed(&mut self, root: u32, path: &str) -> Vec<DirRef> {
        let Some(tree) = self.trees.get_mut(root as usize) else {
            return Vec::new();
        };
        // It says what is wanted everywhere, and its own folder is not listed.
        let path = match path {
            CONFIG_PATH => ".ignore",
            path => path,
        };
        let (mut dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        // What appears in a folder that is not known yet shows in the nearest one that is.
        while !dir.is_empty() && !tree.dirs.contains_key(dir) {
            dir = dir.rsplit_once('/').map_or("", |(above, _)| above);
        }
        match tree.dirs.get_mut(dir) {
            Some(DirState::Open(_)) => {}
            // It may be there again, or ours to read.
            Some(state @ DirState::Skipped(SkipReason::Unreadable(_))) => {
                *state = DirState::Open(None);
            }
            _ => return Vec::new(),
        }
        let mut dirs = vec![DirRef {
            root,
            dir: dir.to_owned(),
        }];
        if name == ".gitignore" || name == ".ignore" {
            let below = Self::below(&tree.dirs, dir);
            let open = below
                .into_iter()
                .filter(|dir| matches!(tree.dirs.get(dir), Some(DirState::Open(_))));
            dirs.extend(open.map(|dir| DirRef {
                root,
                dir: dir.into(),
            }));
        }
        dirs
    }

    /// Takes in a listing. `force` names files to read though their size and times are the same.
    pub fn listed(&mut self, listing: &Listing, force: &BTreeSet<String>) -> ScanRequests {
        let mut wanted = ScanRequests::default();
        let root = listing.root;
        let known = self.trees.get(root as usize).is_some_and(|tree| {
            matches!(tree.dirs.get(listing.dir.as_str()), Some(DirState::Open(_)))
        });
        if !known {
            return wanted; // the folder went away, or became unwanted, in the meantime
        }
        if let Some(error) = &listing.error {
            self.skip_dir(
                root,
                &listing.dir,
                SkipReason::Unreadable(error.clone()),
                &mut wanted,
            );
            return wanted;
        }
        if is_marked(listing) && !listing.dir.is_empty() {
            self.skip_dir(root, &listing.dir, SkipReason::Tooling, &mut wanted);
            return wanted;
        }
        if listing.dir.is_empty() {
            self.read_config(root, listing);
        }
        let rules = self.rules_for(root, listing);
        for entry in &listing.entries {
            self.entry(listing, entry, &rules, force, &mut wanted);
        }
        self.drop_missing(listing, &mut wanted);
        self.listing += wanted.list.len();
        wanted
    }

    /// Takes `.context/config.json` in. What is wrong with it is told when the folder is read.
    fn read_config(&mut self, root: u32, listing: &Listing) {
        let found = listing.ignore_files.iter();
        let text = found
            .filter(|file| file.name == CONFIG_PATH)
            .map(|file| file.text.clone())
            .next();
        let tree = &mut self.trees[root as usize];
        if tree.config == text {
            return;
        }
        let config = text.as_deref().map(FolderConfig::read);
        let config = config.and_then(Result::ok).map(|(config, _)| config);
        self.set_folder_limits(root, config.as_ref());
        let tree = &mut self.trees[root as usize];
        let exclude = config.map(|config| config.exclude);
        tree.exclude = exclude
            .filter(|patterns| !patterns.is_empty())
            .map(|patterns| matcher(patterns.iter().map(String::as_str)));
        tree.config = text;
    }

    fn rules_for(&mut self, root: u32, listing: &Listing) -> Arc<Rules> {
        let dirs = &mut self.trees[root as usize].dirs;
        let parent = match listing.dir.rsplit_once('/') {
            _ if listing.dir.is_empty() => None,
            Some((above, _)) => dirs.get(above),
            None => dirs.get(""),
        };
        let parent = match parent {
            Some(DirState::Open(rules)) => rules.clone(),
            _ => None,
        };
        let rules = Rules::new(parent.as_ref(), &listing.dir, &listing.ignore_files);
        dirs.insert(
            listing.dir.as_str().into(),
            DirState::Open(Some(Arc::clone(&rules))),
        );
        rules
    }

    fn entry(
        &mut self,
        listing: &Listing,
        entry: &ListingEntry,
        rules: &Rules,
        force: &BTreeSet<String>,
        wanted: &mut ScanRequests,
    ) {
        let root = listing.root;
        let path = match listing.dir.as_str() {
            "" => entry.name.clone(),
            dir => format!("{dir}/{}", entry.name),
        };
        if entry.kind == EntryKind::Dir {
            self.drop_file(root, &path, wanted);
            self.dir_entry(listing, path, &entry.name, rules, wanted);
            return;
        }
        if self.trees[root as usize].dirs.contains_key(path.as_str()) {
            self.drop_below(root, &path, wanted);
            self.trees[root as usize].dirs.remove(path.as_str());
        }
        self.trees[root as usize].links.remove(path.as_str());
        let stat = Stat {
            size: entry.size as u64,
            mtime_ms: entry.mtime_ms,
            changed_ms: entry.changed_ms,
        };
        if let Some(reason) = self.reason_to_skip(root, entry, &path, rules) {
            if matches!(self.file(root, &path), Some(file) if matches!(file.status, Status::Indexed | Status::Names))
            {
                wanted.gone.push(FileRef {
                    root,
                    path: path.clone(),
                });
            }
            self.set(
                root,
                &path,
                FileState {
                    stat,
                    status: Status::Skipped(reason),
                },
            );
            return;
        }
        let unchanged = self.file(root, &path).is_some_and(|file| {
            let settled = match &file.status {
                Status::Pending | Status::Indexed | Status::Names => true,
                // What the listing alone decided may be decided otherwise now.
                Status::Skipped(reason) => is_by_content(reason),
            };
            settled && file.stat == stat
        });
        if !unchanged || force.contains(&path) {
            self.set(
                root,
                &path,
                FileState {
                    stat,
                    status: Status::Pending,
                },
            );
            wanted.read.push(FileRef { root, path });
        }
    }

    fn dir_entry(
        &mut self,
        listing: &Listing,
        path: String,
        name: &str,
        rules: &Rules,
        wanted: &mut ScanRequests,
    ) {
        let root = listing.root;
        let reason = tooling(name, listing)
            .or_else(|| {
                self.is_excluded(root, &path, true)
                    .then_some(SkipReason::Excluded)
            })
            .or_else(|| rules.ignores(&path, true).then_some(SkipReason::Ignored));
        let is_own_root = {
            let absolute = absolute_path(&self.roots[root as usize], &path);
            self.roots.iter().any(|other| other.path == absolute)
        };
        if is_own_root {
            return; // a workspace folder inside another: it is listed on its own
        }
        match reason {
            Some(reason) => self.skip_dir(root, &path, reason, wanted),
            None => {
                let dirs = &mut self.trees[root as usize].dirs;
                if !matches!(dirs.get(path.as_str()), Some(DirState::Open(_))) {
                    dirs.insert(path.as_str().into(), DirState::Open(None));
                    wanted.list.push(DirRef { root, dir: path });
                }
            }
        }
    }

    fn reason_to_skip(
        &mut self,
        root: u32,
        entry: &ListingEntry,
        path: &str,
        rules: &Rules,
    ) -> Option<SkipReason> {
        match entry.kind {
            EntryKind::Symlink => {
                let target = entry.target.as_deref().map(Into::into);
                self.trees[root as usize].links.insert(path.into(), target);
                return Some(SkipReason::Symlink);
            }
            EntryKind::Other => return Some(SkipReason::NotAFile),
            EntryKind::File | EntryKind::Dir => {}
        }
        if self.is_excluded(root, path, false) {
            Some(SkipReason::Excluded)
        } else if rules.ignores(path, false) {
            Some(SkipReason::Ignored)
        } else if language_of_path(path).is_none()
            && !codecortex_syntax::language::may_be_script(path)
        {
            Some(SkipReason::UnknownLanguage)
        } else if entry.size > f64::from(self.limits_of(root).max_file_size) {
            Some(SkipReason::Oversized)
        } else {
            None
        }
    }

    fn is_excluded(&self, root: u32, path: &str, is_dir: bool) -> bool {
        let own = self.trees.get(root as usize);
        let own = own.and_then(|tree| tree.exclude.as_ref());
        let all = self.exclude.iter().chain(own);
        all.into_iter()
            .any(|exclude| exclude.matched(path, is_dir).is_ignore())
    }

    /// What was a file is a folder now, as after a change of branches.
    fn drop_file(&mut self, root: u32, path: &str, wanted: &mut ScanRequests) {
        if self.file(root, path).is_none() {
            return;
        }
        self.forget(root, path);
        self.trees[root as usize].links.remove(path);
        wanted.gone.push(FileRef {
            root,
            path: path.to_owned(),
        });
    }

    /// A folder is not wanted (any more): everything below it goes.
    fn skip_dir(&mut self, root: u32, dir: &str, reason: SkipReason, wanted: &mut ScanRequests) {
        self.drop_below(root, dir, wanted);
        self.trees[root as usize]
            .dirs
            .insert(dir.into(), DirState::Skipped(reason));
    }

    fn drop_below(&mut self, root: u32, dir: &str, wanted: &mut ScanRequests) {
        for path in Self::below(&self.trees[root as usize].files, dir) {
            self.forget(root, &path);
            wanted.gone.push(FileRef {
                root,
                path: path.into(),
            });
        }
        let tree = &mut self.trees[root as usize];
        for path in Self::below(&tree.dirs, dir) {
            tree.dirs.remove(&path);
        }
        for path in Self::below(&tree.links, dir) {
            tree.links.remove(&path);
        }
    }

    /// What was known in this folder and is not listed any more is gone.
    fn drop_missing(&mut self, listing: &Listing, wanted: &mut ScanRequests) {
        let root = listing.root;
        let listed: BTreeSet<&str> = listing
            .entries
            .iter()
            .map(|entry| entry.name.as_str())
            .collect();
        let is_missing = |path: &str| {
            let name = match listing.dir.as_str() {
                "" => path,
                dir => path
                    .strip_prefix(dir)
                    .map_or(path, |rest| rest.trim_start_matches('/')),
            };
            !name.contains('/') && !listed.contains(name)
        };
        let tree = &self.trees[root as usize];
        let files = Self::below_where(&tree.files, &listing.dir, is_missing);
        let dirs = Self::below_where(&tree.dirs, &listing.dir, is_missing);
        for path in files {
            self.forget(root, &path);
            self.trees[root as usize].links.remove(&path);
            wanted.gone.push(FileRef {
                root,
                path: path.into(),
            });
        }
        for dir in dirs {
            self.drop_below(root, &dir, wanted);
            self.trees[root as usize].dirs.remove(&dir);
        }
    }
}

/// Reasons that only reading the file can give: they hold until the file changes.
fn is_by_content(reason: &SkipReason) -> bool {
    matches!(
        reason,
        SkipReason::Binary
            | SkipReason::Generated
            | SkipReason::Minified
            | SkipReason::TooComplex
            | SkipReason::ActionScript
            | SkipReason::GrammarLeftOut
            | SkipReason::Unreadable(_)
    )
}
