//! The folder `.context/` of a root, for calls and for steps of other rooms.

use codecortex_artifacts::{ContextFailure, ContextReport};
use codecortex_grounding::DescribedFolders;
use codecortex_index::HashRules;
use codecortex_protocol::{Outbox, ToolError};
use codecortex_semantics::SemanticJobs;

use crate::session::Session;

/// What the last update of a root's folder found. Nothing is left of it afterwards.
pub(crate) fn take_context_report(session: &mut Session, root: u32) -> Option<ContextReport> {
    session.contexts.take_report(root)
}

/// Why what is new in a root's folder is not on the disk.
#[must_use]
pub(crate) fn context_failure(session: &Session, root: u32) -> Option<&ContextFailure> {
    session.contexts.failure(root)
}

/// Whether a root's folder is written: somebody vouches for it, and it is there or wanted.
pub(crate) fn keeps_context(session: &Session, root: u32) -> bool {
    session.contexts.is_kept(&session.code, root)
}

/// Whether the folder of a root is there and was not read yet.
pub(crate) fn is_context_unread(session: &Session, root: u32) -> bool {
    session.contexts.is_unread(&session.code, root)
}

/// Whether live context of a root is recorded.
pub(crate) fn wants_recording(session: &Session, root: u32) -> bool {
    session.contexts.wants_recording(&session.code, root)
}

/// Refuses to keep something in `.context/` where nothing is written to it.
///
/// # Errors
/// `Unavailable`, or `AccessDenied` where the folder came with the repository.
pub(crate) fn check_keeps(session: &Session, root: u32) -> Result<(), ToolError> {
    codecortex_artifacts::check_keeps(&session.code, root)
}

/// A person wants the folder of a root.
pub(crate) fn keep_context(session: &mut Session, root: u32) {
    session.contexts.keep(&session.code, root);
}

/// What is to last has to be written somewhere: who asks for a file asks for its folder (SPEC D17).
pub(crate) fn want_folder(session: &mut Session, root: u32) {
    session.contexts.want(&session.code, root);
}

/// Asks for a tick where a folder has something to do.
pub(crate) fn look_for_tick(session: &mut Session) {
    session.contexts.look_for_tick(&session.code);
}

/// Reads a root's folder, for a call that waits for it. Nothing is compared or written for that.
pub(crate) fn request_context(session: &mut Session, outbox: &mut Outbox, root: u32) {
    session
        .contexts
        .request_folder(&mut session.code, outbox, root);
}

/// Asks for the projects of a root. Whether they are known already.
pub(crate) fn request_projects(session: &mut Session, outbox: &mut Outbox, root: u32) -> bool {
    session
        .contexts
        .request_projects(&mut session.code, outbox, root)
}

/// Has the outline of a type written where there is a folder for it.
pub(crate) fn keep_outline(session: &mut Session, root: u32, type_id: String) {
    session.contexts.keep_outline(&session.code, root, type_id);
}

impl DescribedFolders for Session {
    fn is_unread(&self, root: u32) -> bool {
        is_context_unread(self, root)
    }

    fn hash_rules(&self, root: u32) -> HashRules {
        let folder = self.contexts.folders.get(root as usize);
        folder.map_or_else(HashRules::default, |folder| {
            folder.config.switches().hash_rules()
        })
    }

    fn semantic_jobs(&self, root: u32) -> Option<&SemanticJobs> {
        let folder = self.contexts.folders.get(root as usize)?;
        Some(&folder.semantic_jobs)
    }
}
