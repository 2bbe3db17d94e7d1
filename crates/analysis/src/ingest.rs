//! What reading, editing and losing files does to the index.

use std::collections::BTreeSet;

use codecortex_protocol::paths::{absolute_path, place_of};
use codecortex_protocol::{FileRef, Listing, Outbox};
use codecortex_syntax::{Facts, Limits, Outcome, SkipReason};

use crate::analysis::Analysis;
use crate::documents::OpenDocument;
use crate::external::forget_external;
use crate::workspace::scan::ScanRequests;
use crate::workspace::{FileState, Stat, Status};

impl Analysis {
    /// Takes in what reading a file gave.
    pub fn store(&mut self, root: u32, path: &str, stat: Stat, outcome: Outcome) {
        let (facts, status) = taken_in(outcome);
        self.replace(root, path, facts);
        self.settle((root, path), FileState { stat, status });
    }

    /// Notes what became of a file.
    pub fn settle(&mut self, (root, path): (u32, &str), state: FileState) {
        self.workspace.set(root, path, state);
        // The editor's text wins: its facts are made again when somebody asks.
        let absolute = self
            .workspace
            .roots
            .get(root as usize)
            .map(|root| absolute_path(root, path));
        if let Some(document) = absolute.and_then(|path| self.documents.get_mut(&path)) {
            document.stale = true;
        }
    }

    /// Puts a file's facts into the index, or takes them out, and notes what that concerns.
    pub fn replace(&mut self, root: u32, path: &str, mut facts: Option<Facts>) {
        if let Some(facts) = facts.as_mut().filter(|_| self.memory.is_without_bodies()) {
            facts.layers = Default::default();
        }
        self.revision += 1;
        self.recent
            .get_mut()
            .replace(&mut self.index, (root, path), facts, self.revision);
        self.touched.push((root, path.into()));
    }

    /// Files or folders may be others than they were; absolute paths.
    pub fn changed(&mut self, outbox: &mut Outbox, paths: &[String]) {
        let mut dirs = Vec::new();
        for path in paths {
            if self.external.is_read_of(path) {
                forget_external(self);
            }
            let Some(place) = place_of(path, &self.workspace.roots) else {
                continue;
            };
            for dir in self.workspace.changed(place.root, &place.path) {
                if !dirs.contains(&dir) {
                    dirs.push(dir);
                }
            }
            self.projects[place.root as usize].changed(&place.path);
            self.force.entry(place.root).or_default().insert(place.path);
        }
        self.workspace.listing += dirs.len();
        self.list(outbox, dirs);
    }

    /// Brings the facts of edited documents up to date (SPEC X2).
    pub fn refresh_documents(&mut self) {
        let limits = self.limits();
        for (path, document) in &mut self.documents {
            if !document.stale {
                continue;
            }
            let place = place_of(path, &self.workspace.roots);
            let found = place.as_ref().and_then(|place| {
                let state = self.workspace.file(place.root, &place.path)?;
                Some((place, state))
            });
            let Some((place, state)) = found else {
                // It is outside of every folder, or was never saved. What is left out of the index stays out.
                let is_left_out = place.as_ref().is_some_and(|place| {
                    let around = self.workspace.left_out_around(place.root, &place.path);
                    around.is_some()
                });
                let before = self.outside.open.get(path);
                if !is_left_out
                    && let (Outcome::Facts(facts), _) = document.outcome(path, limits, before)
                {
                    self.outside.open.insert(path.clone(), facts);
                }
                continue;
            };
            // What is left out of the index stays out while it is open.
            let by_listing = matches!(
                &state.status,
                Status::Skipped(
                    SkipReason::Ignored
                        | SkipReason::Excluded
                        | SkipReason::Symlink
                        | SkipReason::NotAFile
                        | SkipReason::UnknownLanguage
                )
            );
            if by_listing {
                continue;
            }
            let stat = state.stat;
            let known = self.index.file_id(place.root, &place.path);
            let before = known.and_then(|id| self.index.file(id));
            let before = before.map(|file| &*file.facts);
            let of_folder = self.workspace.limits_of(place.root);
            let limits = Limits {
                max_file_size: of_folder.max_file_size,
                exclude_generated: of_folder.exclude_generated,
            };
            let status = match document.outcome(&place.path, limits, before) {
                (Outcome::Facts(mut facts), reuse) => {
                    // It will be saved in the encoding that it has on the disk.
                    if let Some(before) = before {
                        facts.cosmetic = before.cosmetic;
                    }
                    self.recent.get_mut().edit(
                        &mut self.index,
                        (place.root, &place.path),
                        facts,
                        reuse.as_ref(),
                        self.revision + 1,
                    );
                    Status::Indexed
                }
                (outcome, _) => {
                    let (facts, status) = taken_in(outcome);
                    self.recent.get_mut().replace(
                        &mut self.index,
                        (place.root, &place.path),
                        facts,
                        self.revision + 1,
                    );
                    status
                }
            };
            self.workspace
                .set(place.root, &place.path, FileState { stat, status });
            self.touched.push((place.root, place.path.as_str().into()));
            self.revision += 1;
        }
    }

    /// Takes in listings: forgets what is gone, takes what is unchanged from the cache, and has the rest read.
    pub fn listed(&mut self, outbox: &mut Outbox, listings: &[Listing]) {
        let mut list = Vec::new();
        let mut read: Vec<FileRef> = Vec::new();
        for listing in listings {
            self.workspace.listing = self.workspace.listing.saturating_sub(1);
            let nothing = BTreeSet::new();
            let force = self.force.get(&listing.root).unwrap_or(&nothing);
            let ScanRequests {
                list: dirs,
                read: files,
                gone,
            } = self.workspace.listed(listing, force);
            if let Some(projects) = self.projects.get_mut(listing.root as usize) {
                projects.note(listing, &self.workspace);
                gone.iter().for_each(|file| projects.gone(&file.path));
            }
            for file in &gone {
                let known = self.index.file_id(file.root, &file.path);
                if known.is_some() {
                    self.replace(file.root, &file.path, None);
                }
            }
            list.extend(dirs);
            read.extend(files);
        }
        self.list(outbox, list);
        read.retain(|file| !self.take_from_cache(file));
        if !read.is_empty() && !self.cancelled {
            self.read(outbox, read);
        }
        if self.workspace.listing == 0 {
            self.force.clear();
        }
    }

    /// A person has indexing stop.
    pub fn cancel_indexing(&mut self) {
        if self.workspace.pending() > 0 || self.workspace.listing > 0 {
            self.cancelled = true;
        }
    }

    /// An editor holds a document now, by its absolute path.
    pub fn open_document(&mut self, path: String, document: OpenDocument) {
        self.documents.insert(path, document);
    }

    /// Takes an open document out.
    pub fn take_document(&mut self, path: &str) -> Option<OpenDocument> {
        self.documents.remove(path)
    }

    /// An open document, to be changed.
    pub fn document_mut(&mut self, path: &str) -> Option<&mut OpenDocument> {
        self.documents.get_mut(path)
    }

    /// All open documents, to be changed.
    pub fn documents_mut(&mut self) -> impl Iterator<Item = (&str, &mut OpenDocument)> {
        let documents = self.documents.iter_mut();
        documents.map(|(path, document)| (path.as_str(), document))
    }

    /// Forgets what was read of a document outside of the workspace: no editor holds it any more.
    pub fn forget_outside_document(&mut self, path: &str) {
        self.outside.open.remove(path);
    }
}

/// What the index has of a file, and what it is then.
fn taken_in(outcome: Outcome) -> (Option<Facts>, Status) {
    match outcome {
        Outcome::Facts(facts) => (Some(facts), Status::Indexed),
        Outcome::Names(facts) => (Some(facts), Status::Names),
        Outcome::Skipped(reason) => (None, Status::Skipped(reason)),
    }
}
