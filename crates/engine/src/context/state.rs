//! The folder `.context/` of each root, and the requests on their way.

use std::collections::BTreeSet;

use crate::context::folder::Folder;

/// What a fetch was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Manifests,
    Files,
    Outlines,
    Semantics,
}

/// A request on its way.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) id: u32,
    pub(crate) root: u32,
    pub(crate) purpose: Purpose,
    pub(crate) paths: Vec<String>,
}

/// Every root's folder, and the requests on their way.
#[derive(Default)]
pub(crate) struct Contexts {
    pub(crate) folders: Vec<Folder>,
    pub(crate) requests: Vec<Request>,
    /// Commits on their way, by number, with their root.
    pub(crate) commits: Vec<(u32, u32)>,
    /// The earliest tick that was asked for, in ms from then.
    pub(crate) tick_asked: Option<u32>,
    /// Roots of which projects are needed, besides those with a folder.
    pub(crate) projects_wanted: BTreeSet<u32>,
}

impl std::fmt::Debug for Contexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contexts").finish_non_exhaustive()
    }
}

impl Contexts {
    /// A workspace of this many roots begins. Answers to what was asked before mean nothing any more.
    pub(crate) fn begin(&mut self, roots: usize) {
        self.folders.clear();
        self.folders.resize_with(roots, Folder::default);
        self.requests.clear();
        self.commits.clear();
        self.projects_wanted.clear();
        self.tick_asked = None;
    }

    /// A file's facts are others now.
    pub(crate) fn touch(&mut self, root: u32, path: &str) {
        if let Some(folder) = self.folders.get_mut(root as usize)
            && folder.ledger.is_some()
            && !folder.touched.contains(path)
        {
            folder.touched.insert(path.into());
        }
    }

    pub(crate) fn is_waiting(&self, root: u32) -> bool {
        self.requests.iter().any(|request| request.root == root)
            || self.commits.iter().any(|(_, of)| *of == root)
    }
}
