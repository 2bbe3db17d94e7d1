//! What has to be read for the modules that questions met and did not find.

use codecortex_protocol::Located;
use codecortex_resolve::MissingModule;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Analysis;
use crate::external::libraries::MAX_FILES;

/// What is known of the search for a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchState {
    /// Files were asked for.
    Open,
    /// Every file was tried that it may be, and some are there.
    Found,
    /// Every file was tried that it may be, and none is there.
    Absent,
}

/// One round of a search for files that installed packages may have.
pub(super) struct LibrarySearch<'c> {
    pub(super) code: &'c Analysis,
    /// Manifests and configurations, which say where files are.
    first: Vec<Located>,
    /// Files of modules.
    files: Vec<Located>,
    asked: FxHashSet<String>,
    settled: Vec<MissingModule>,
    /// Folders of installed packages by workspace folder and folder of the importing file.
    pub(super) sites: FxHashMap<(u32, String), Vec<String>>,
    /// Folders that have installed packages by workspace folder and folder of the importing file, the nearest first.
    pub(super) homes: FxHashMap<(u32, String), Vec<String>>,
}

impl<'c> LibrarySearch<'c> {
    pub(super) fn new(code: &'c Analysis) -> Self {
        Self {
            code,
            first: Vec::new(),
            files: Vec::new(),
            asked: FxHashSet::default(),
            settled: Vec::new(),
            sites: FxHashMap::default(),
            homes: FxHashMap::default(),
        }
    }

    /// Asks for a file that says where others are, unless its content is known. Whether it is known.
    pub(super) fn ask_first(&mut self, file: Located) -> bool {
        if self.code.external.libraries.is_known(&file.path) {
            return true;
        }
        if self.first.len() < MAX_FILES && self.asked.insert(file.path.clone()) {
            self.first.push(file);
        }
        false
    }

    /// Asks for the files that a module may be, best first: all of them or none. Whether all were tried before.
    pub(super) fn ask(&mut self, candidates: Vec<Located>) -> bool {
        let libraries = &self.code.external.libraries;
        let new = candidates
            .into_iter()
            .filter(|file| !libraries.is_known(&file.path));
        let new: Vec<Located> = new.collect();
        if new.is_empty() {
            return true;
        }
        // What does not fit into this round is asked for in the next.
        if self.files.is_empty() || self.files.len() + new.len() <= MAX_FILES {
            let asked = &mut self.asked;
            let new = new.into_iter();
            self.files
                .extend(new.filter(|file| asked.insert(file.path.clone())));
        }
        false
    }

    /// Whether any of these files is there.
    pub(super) fn is_any_there(&self, candidates: &[Located]) -> bool {
        let present = &self.code.external.libraries.present;
        candidates.iter().any(|file| present.contains(&file.path))
    }

    /// Asks for the files that a module may be, best first.
    pub(super) fn look_for(&mut self, candidates: Vec<Located>) -> SearchState {
        let is_there = self.is_any_there(&candidates);
        match self.ask(candidates) {
            false => SearchState::Open,
            true if is_there => SearchState::Found,
            true => SearchState::Absent,
        }
    }

    /// Ends the round of a module.
    pub(super) fn end(&mut self, module: MissingModule, state: SearchState) {
        if state != SearchState::Open {
            self.settled.push(module);
        }
    }

    /// What has to be read now, and the modules for which nothing has.
    pub(super) fn finish(self) -> (Vec<Located>, Vec<MissingModule>) {
        let mut wanted = self.first;
        wanted.extend(self.files);
        (wanted, self.settled)
    }
}
