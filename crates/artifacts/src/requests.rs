//! Files of a root that its folder `.context/` needs: requests to the host (SPEC D17, P3).

use codecortex_analysis::Analysis;
use codecortex_analysis::asks::Asker;
use codecortex_analysis::manifests::build_projects;
use codecortex_protocol::{FileRef, Outbox, Phase, Request};

use crate::contexts::{Contexts, PendingRequest, Purpose};
use crate::folder::{ContextState, FolderPhase};

impl Contexts {
    /// Requests files of a root, by their paths relative to it.
    pub fn fetch(
        &mut self,
        code: &mut Analysis,
        outbox: &mut Outbox,
        root: u32,
        purpose: Purpose,
        paths: Vec<String>,
    ) {
        let files = paths.iter().map(|path| FileRef {
            root,
            path: path.clone(),
        });
        let request = Request::Texts {
            files: files.collect(),
            confined: false,
        };
        let id = code.ask(outbox, Asker::Folder, request);
        self.requests.push(PendingRequest {
            id,
            root,
            purpose,
            paths,
        });
    }

    /// Takes the request that a reply belongs to; none for a request of an earlier workspace.
    pub fn take_request(&mut self, id: u32) -> Option<PendingRequest> {
        let at = self.requests.iter().position(|request| request.id == id)?;
        Some(self.requests.swap_remove(at))
    }

    /// Requests a root's folder where it was not read, for a call that waits for it. Nothing is compared or written.
    pub fn request_folder(&mut self, code: &mut Analysis, outbox: &mut Outbox, root: u32) {
        let Some(folder) = self.folders.get_mut(root as usize) else {
            return;
        };
        if folder.step == FolderPhase::Unread {
            folder.step = FolderPhase::Reading;
            self.fetch(code, outbox, root, Purpose::Files, ContextState::paths());
        }
    }

    /// Goes back to what the disk has of a root's folder.
    pub fn reload(&mut self, code: &mut Analysis, outbox: &mut Outbox, root: u32) {
        if let Some(folder) = self.folders.get_mut(root as usize) {
            folder.unload();
            folder.semantic_jobs.accepted.clear();
        }
        self.request_folder(code, outbox, root);
    }

    /// Whether the projects of a root are known; requests the missing manifests.
    pub fn has_projects(&mut self, code: &mut Analysis, outbox: &mut Outbox, root: u32) -> bool {
        match build_projects(code, root) {
            Ok(()) => true,
            Err(missing) => {
                self.fetch(code, outbox, root, Purpose::Manifests, missing);
                false
            }
        }
    }

    /// Requests the projects of a root. Returns whether they are known.
    pub fn request_projects(
        &mut self,
        code: &mut Analysis,
        outbox: &mut Outbox,
        root: u32,
    ) -> bool {
        self.projects_wanted.insert(root);
        !self.is_waiting(root)
            && code.phase() == Phase::Ready
            && self.has_projects(code, outbox, root)
    }

    /// Requests the files that were written while others were on their way, once these are here.
    pub fn fetch_noticed(&mut self, code: &mut Analysis, outbox: &mut Outbox, root: u32) {
        let is_writing = self.is_writing(root);
        let Some(folder) = self.folders.get_mut(root as usize) else {
            return;
        };
        if folder.noticed.is_empty() || is_writing || folder.is_reading() {
            return;
        }
        let paths = std::mem::take(&mut folder.noticed).into_iter().collect();
        self.fetch(code, outbox, root, Purpose::Written, paths);
    }

    /// Whether a commit of a root's folder is on its way.
    pub(crate) fn is_writing(&self, root: u32) -> bool {
        self.commits.iter().any(|(_, of)| *of == root)
    }
}
