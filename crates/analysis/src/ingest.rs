//! What reading, editing and losing files does to the index.

use codecortex_protocol::paths::{absolute_path, place_of};
use codecortex_syntax::{Facts, Limits, Outcome, SkipReason};

use crate::analysis::Analysis;
use crate::external::forget_external;
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
    pub fn changed(&mut self, paths: &[String]) {
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
        self.list(dirs);
    }

    /// Brings the facts of edited documents up to date (SPEC X2).
    pub fn refresh_documents(&mut self) {
        let limits = self.limits();
        for (path, document) in &mut self.documents {
            if !document.stale {
                continue;
            }
            let Some(place) = place_of(path, &self.workspace.roots) else {
                let before = self.outside.open.get(path);
                if let (Outcome::Facts(facts), _) = document.outcome(path, limits, before) {
                    self.outside.open.insert(path.clone(), facts);
                }
                continue;
            };
            // What is left out of the index stays out while it is open.
            let Some(state) = self.workspace.file(place.root, &place.path) else {
                continue;
            };
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
}

/// What the index has of a file, and what it is then.
fn taken_in(outcome: Outcome) -> (Option<Facts>, Status) {
    match outcome {
        Outcome::Facts(facts) => (Some(facts), Status::Indexed),
        Outcome::Names(facts) => (Some(facts), Status::Names),
        Outcome::Skipped(reason) => (None, Status::Skipped(reason)),
    }
}
