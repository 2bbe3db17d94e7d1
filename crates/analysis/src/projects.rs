//! The projects of each workspace folder, read when somebody needs them (SPEC P1; docs/projects.md).
//!
//! Listings tell which manifests there are and whether they changed; their text is fetched when
//! projects are needed for the first time and after a change. One changed manifest costs one parse;
//! putting projects together again is linear in the files of the folder and waits until somebody asks.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::ops::Bound;

use codecortex_project::{
    ManifestFormat, Manifests, Projects, RootFiles, format_of, parse, parse_as,
};
use codecortex_protocol::{EntryKind, FetchedFile, Listing, ListingEntry};
use codecortex_syntax::SkipReason;
use rustc_hash::{FxHashMap, FxHasher};

use crate::workspace::{Stat, Status, WorkspaceFolders};

/// Manifests lead to further ones, such as what a tsconfig extends; after this many rounds it is enough.
const MAX_ROUNDS: u8 = 4;

/// What is known of the projects of one folder.
#[derive(Clone, Debug, Default)]
pub struct FolderProjects {
    /// Manifests that listings show, as they were listed.
    seen: BTreeMap<Box<str>, Stat>,
    /// Manifests whose text was asked for, as they were listed then.
    read: BTreeMap<Box<str>, Stat>,
    /// Further files that manifests lead to, and how to read them.
    further: BTreeMap<Box<str>, ManifestFormat>,
    rounds: u8,
    manifests: Manifests,
    model: Option<Projects>,
    /// A hash of the names in each folder that was listed.
    names: FxHashMap<Box<str>, u64>,
    /// Files came or went since the model was made, or a manifest changed.
    is_old: bool,
    /// Whether the resolver was told what the model says.
    is_told: Cell<bool>,
}

fn names_in(listing: &Listing) -> u64 {
    let hash = |entry: &ListingEntry| {
        let mut hasher = FxHasher::default();
        (&entry.name, entry.kind as u8).hash(&mut hasher);
        hasher.finish()
    };
    // The order in which a folder is listed means nothing.
    let hashes = listing.entries.iter().map(hash);
    hashes.fold(listing.entries.len() as u64, u64::wrapping_add)
}

impl FolderProjects {
    /// Takes note of the manifests in a folder that was listed; `workspace` has taken the listing in.
    pub fn note(&mut self, listing: &Listing, workspace: &WorkspaceFolders) {
        let names = names_in(listing);
        let before = self.names.insert(listing.dir.as_str().into(), names);
        self.is_old |= before != Some(names);
        let inside = |path: &str| match listing.dir.as_str() {
            "" => !path.contains('/'),
            dir => path
                .strip_prefix(dir)
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|name| !name.contains('/')),
        };
        let mut here: BTreeSet<Box<str>> = BTreeSet::new();
        for entry in &listing.entries {
            if entry.kind != EntryKind::File || format_of(&entry.name).is_none() {
                continue;
            }
            let path = match listing.dir.as_str() {
                "" => entry.name.clone(),
                dir => format!("{dir}/{}", entry.name),
            };
            let is_left_out = workspace.file(listing.root, &path).is_none_or(|file| {
                let reasons = [SkipReason::Ignored, SkipReason::Excluded];
                matches!(&file.status, Status::Skipped(reason) if reasons.contains(reason))
            });
            if is_left_out {
                continue;
            }
            let stat = Stat {
                size: entry.size as u64,
                mtime_ms: entry.mtime_ms,
                changed_ms: entry.changed_ms,
            };
            self.seen.insert(path.as_str().into(), stat);
            here.insert(path.into());
        }
        let below = format!("{}/", listing.dir);
        let from = if listing.dir.is_empty() { "" } else { &below };
        let gone: Vec<Box<str>> = self
            .seen
            .range::<str, _>((Bound::Included(from), Bound::Unbounded))
            .map(|(path, _)| path)
            .take_while(|path| path.starts_with(from))
            .filter(|path| inside(path) && !here.contains(*path))
            .cloned()
            .collect();
        gone.iter().for_each(|path| self.forget(path));
    }

    /// A file is gone, with the folder it was in perhaps.
    pub fn gone(&mut self, path: &str) {
        self.is_old = true;
        self.forget(path);
    }

    /// Reads a manifest again though its size and time may be the same.
    pub fn changed(&mut self, path: &str) {
        self.read.remove(path);
    }

    fn forget(&mut self, path: &str) {
        self.seen.remove(path);
        self.read.remove(path);
        self.manifests.remove(path);
    }

    /// The manifests whose text is missing; they count as asked for from now on.
    pub fn take_missing(&mut self) -> Vec<String> {
        let mut paths = Vec::new();
        for (path, stat) in &self.seen {
            if self.read.get(path) != Some(stat) {
                self.read.insert(path.clone(), *stat);
                paths.push(path.to_string());
            }
        }
        for path in self.further.keys() {
            if !self.read.contains_key(path) {
                self.read.insert(path.clone(), Stat::default());
                paths.push(path.to_string());
            }
        }
        paths
    }

    /// Takes a manifest's text in.
    pub fn fetched(&mut self, path: &str, file: &FetchedFile) {
        self.is_old = true;
        let Some(bytes) = &file.bytes else {
            self.manifests.remove(path);
            return;
        };
        self.manifests.insert(match self.further.get(path) {
            Some(format) => parse_as(path, *format, &bytes.0),
            None => parse(path, &bytes.0),
        });
    }

    /// Puts projects together, where that is due. False where further manifests have to be fetched
    /// first.
    pub fn build<'a>(&mut self, files: impl Iterator<Item = &'a str>) -> bool {
        if !self.is_old && self.model.is_some() {
            return true;
        }
        let model = Projects::build(&self.manifests, &RootFiles::new(files));
        let wanted = model.wanted().iter();
        let further: BTreeMap<Box<str>, ManifestFormat> = wanted
            .map(|wanted| (wanted.path.as_str().into(), wanted.format))
            .filter(|(path, _)| !self.read.contains_key(path))
            .collect();
        self.is_old = false;
        self.model = Some(model);
        self.is_told.set(false);
        if further.is_empty() || self.rounds >= MAX_ROUNDS {
            self.rounds = 0;
            return true;
        }
        self.rounds += 1;
        self.further.extend(further);
        false
    }

    /// Whether the projects may be others by now.
    pub fn is_old(&self) -> bool {
        let mut seen = self.seen.iter();
        self.is_old || seen.any(|(path, stat)| self.read.get(path) != Some(stat))
    }

    /// Whether somebody was told before of what the model says; from now on somebody was.
    pub fn tell(&self) -> bool {
        self.is_told.replace(true)
    }

    /// The projects as they were put together last.
    pub fn model(&self) -> Option<&Projects> {
        self.model.as_ref()
    }
}
