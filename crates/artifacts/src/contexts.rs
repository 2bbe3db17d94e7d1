//! The folder `.context/` of each root, and the requests on their way.

use std::collections::BTreeSet;

use codecortex_analysis::Analysis;
use codecortex_analysis::folder_facts::{FolderFacts, FolderLookup};
use codecortex_ledger::Millis;
use codecortex_semantics::Accepted;

use crate::folder::{ContextFailure, ContextReport, ContextState};
use crate::schedule::has_context;

/// What a fetch was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Of projects.
    Manifests,
    /// Of the folder itself.
    Files,
    /// Of the folder, of which somebody was told that they were written.
    Written,
    /// That get another header.
    Outlines,
    /// Semantic texts for the window.
    Semantics,
    /// Files of which the window shows lines.
    Lines,
}

/// A request on its way.
#[derive(Debug)]
pub struct PendingRequest {
    /// Its number.
    pub id: u32,
    /// Index of the root.
    pub root: u32,
    /// What for.
    pub purpose: Purpose,
    /// Relative to the root.
    pub paths: Vec<String>,
}

/// Every root's folder, and the requests on their way.
#[derive(Default)]
pub struct Contexts {
    /// By root.
    pub folders: Vec<ContextState>,
    /// On their way.
    pub requests: Vec<PendingRequest>,
    /// Commits on their way, by number, with their root.
    pub commits: Vec<(u32, u32)>,
    /// The earliest tick that is wanted, in ms from now.
    tick: Option<u32>,
    /// Roots of which projects are needed, besides those with a folder.
    pub projects_wanted: BTreeSet<u32>,
}

impl std::fmt::Debug for Contexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contexts").finish_non_exhaustive()
    }
}

impl FolderLookup for Contexts {
    fn folder(&self, root: u32) -> Option<FolderFacts<'_>> {
        let folder = self.folders.get(root as usize)?;
        Some(FolderFacts {
            ledger: folder.ledger.as_ref(),
            config: &folder.config,
            has_config_file: folder.config_text.is_some(),
        })
    }

    fn root_count(&self) -> u32 {
        self.folders.len() as u32
    }
}

impl Contexts {
    /// A workspace of this many roots begins. Answers to what was asked before mean nothing any more.
    pub fn begin(&mut self, roots: usize) {
        self.folders.clear();
        self.folders.resize_with(roots, ContextState::default);
        self.requests.clear();
        self.commits.clear();
        self.projects_wanted.clear();
        self.tick = None;
    }

    /// It has something to do after so many ms.
    pub fn ask_tick(&mut self, after_ms: u32) {
        let earliest = self.tick.map_or(after_ms, |known| known.min(after_ms));
        self.tick = Some(earliest);
    }

    /// The tick that is wanted, in ms from now; wanted no more afterwards.
    pub fn take_tick(&mut self) -> Option<u32> {
        self.tick.take()
    }

    /// A file's facts are others now.
    pub fn touch(&mut self, root: u32, path: &str) {
        if let Some(folder) = self.folders.get_mut(root as usize)
            && folder.ledger.is_some()
            && !folder.touched.contains(path)
        {
            folder.touched.insert(path.into());
        }
    }

    /// Whether something of a root is on its way.
    pub fn is_waiting(&self, root: u32) -> bool {
        self.requests.iter().any(|request| request.root == root)
            || self.commits.iter().any(|(_, of)| *of == root)
    }

    /// Has the outline of a type written where there is a folder for it.
    pub fn keep_outline(&mut self, code: &Analysis, root: u32, type_id: String) {
        if has_context(code, root)
            && let Some(folder) = self.folders.get_mut(root as usize)
        {
            folder.asked.insert(type_id);
        }
    }

    /// Has the window's file written in every root that has a folder for it.
    pub fn want_window_file(&mut self) {
        for folder in &mut self.folders {
            folder.window_changed |= !folder.wants_window && folder.ledger.is_some();
            folder.wants_window = true;
        }
    }

    /// Has a pack's text written, or deleted where there is none.
    pub fn write_pack(&mut self, root: u32, name: &str, text: Option<String>) {
        if let Some(folder) = self.folders.get_mut(root as usize) {
            folder.write_pack(name, text);
        }
    }

    /// Has types of a root invalidated with the next update, by their ids.
    pub fn note_invalid(&mut self, root: u32, ids: Vec<String>) {
        if let Some(folder) = self.folders.get_mut(root as usize) {
            folder.invalid.extend(ids);
        }
    }

    /// Whether a text that was handed in waits for the next update.
    pub fn is_accepted(&self, root: u32, accepted: &Accepted) -> bool {
        let folder = self.folders.get(root as usize);
        folder.is_some_and(|folder| folder.semantic_jobs.accepted.contains(accepted))
    }

    /// Takes the results of the last update of a root's folder.
    pub fn take_report(&mut self, root: u32) -> Option<ContextReport> {
        let folder = self.folders.get_mut(root as usize)?;
        let failure = folder.failure.clone();
        folder.ledger.as_ref()?;
        Some(ContextReport {
            failure,
            ..std::mem::take(&mut folder.account)
        })
    }

    /// Why the news of a root's folder is not on the disk.
    pub fn failure(&self, root: u32) -> Option<&ContextFailure> {
        self.folders.get(root as usize)?.failure.as_ref()
    }

    /// Whether another process wrote a root's folder a moment ago.
    pub fn is_busy(&self, root: u32, now: Millis) -> bool {
        let folder = self.folders.get(root as usize);
        folder.is_some_and(|folder| {
            folder.failure == Some(ContextFailure::Busy) && now < folder.retry_at
        })
    }
}
