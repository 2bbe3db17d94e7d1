//! The folder `.context/` of each root, and the requests on their way.

use std::collections::BTreeSet;

use crate::folder::ContextState;

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
    /// The earliest tick that was asked for, in ms from then.
    pub tick_asked: Option<u32>,
    /// Roots of which projects are needed, besides those with a folder.
    pub projects_wanted: BTreeSet<u32>,
}

impl std::fmt::Debug for Contexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contexts").finish_non_exhaustive()
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
        self.tick_asked = None;
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
}
