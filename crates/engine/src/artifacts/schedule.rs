//! When a folder `.context/` has something to do, and whether a root has one.

use codecortex_artifacts::{FOLDER, FolderPhase};
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{Effect, ErrorCode, Phase, ToolError};

use crate::session::Session;

/// Changes are taken in when this many ms have passed. Watchers have waited for more of them already.
pub(crate) const SETTLE_MS: u32 = 50;

/// Whether a root has the folder, and it is to be used.
pub(crate) fn has_context(session: &Session, root: u32) -> bool {
    session.code.config.keep_context && session.code.workspace.has_dir(root, FOLDER)
}

/// Whether a root's folder is written: somebody vouches for it, and it is there or wanted.
pub(crate) fn keeps_context(session: &Session, root: u32) -> bool {
    let folder = session.contexts.folders.get(root as usize);
    let is_wanted = folder.is_some_and(|folder| folder.is_wanted);
    is_context_trusted(session, root) && (is_wanted || has_context(session, root))
}

/// Whether a person vouches for what is in a root's folder `.context/`, or nothing is there yet (SPEC D17). A folder that
/// came with a repository is read, and nothing is written into it.
pub(crate) fn is_context_trusted(session: &Session, root: u32) -> bool {
    let root = session.code.workspace.roots.get(root as usize);
    let config = &session.code.config;
    let is_foreign = root.is_some_and(|root| config.untrusted_contexts.contains(&root.path));
    config.keep_context && !is_foreign
}

/// Refuses to keep something in `.context/` where nothing is written to it.
///
/// # Errors
/// `Unavailable`, or `AccessDenied` where the folder came with the repository.
pub(crate) fn check_keeps(session: &Session, root: u32) -> Result<(), ToolError> {
    if !session.code.config.keep_context {
        let message = "Nothing is written to `.context/` here.";
        return Err(ToolError::new(ErrorCode::Unavailable, message)
            .hint("Trust the workspace, or allow the folder in the settings."));
    }
    if is_context_trusted(session, root) {
        return Ok(());
    }
    let message = "The folder `.context/` came with the repository: nothing is written into it.";
    Err(ToolError::new(ErrorCode::AccessDenied, message)
        .hint("A person takes it over: `codecortex init`, or `--trust-context`."))
}

/// What is to last has to be written somewhere: who asks for a file asks for its folder (SPEC D17).
pub(crate) fn want_folder(session: &mut Session, root: u32) {
    if !has_context(session, root) {
        keep_context(session, root);
    }
}

/// Whether the folder of a root is there and was not read yet.
pub(crate) fn is_context_unread(session: &Session, root: u32) -> bool {
    let folder = session.contexts.folders.get(root as usize);
    has_context(session, root) && folder.is_some_and(|folder| folder.ledger.is_none())
}

/// Asks for a tick, unless an earlier one is on its way.
pub(crate) fn ask_tick(session: &mut Session, after_ms: u32) {
    if session
        .contexts
        .tick_asked
        .is_none_or(|asked| after_ms < asked)
    {
        session.contexts.tick_asked = Some(after_ms);
        session.code.effects.push(Effect::Tick { after_ms });
    }
}

/// Asks for a tick where a folder has something to do.
pub(crate) fn ask_tick_if_due(session: &mut Session) {
    if session.code.phase() != Phase::Ready || session.code.memory.is_without_bodies() {
        return;
    }
    let is_due = (0..session.contexts.folders.len() as u32).any(|root| {
        let folder = &session.contexts.folders[root as usize];
        let waits = !folder.is_unwritten() || !folder.touched.is_empty();
        keeps_context(session, root)
            && match folder.step {
                FolderPhase::Unread => waits,
                FolderPhase::Idle => {
                    folder.needs_all
                        || !folder.concerned.is_empty()
                        || folder.semantic_jobs.has_news
                        || folder.window_changed
                        || has_new_config(session, root)
                        || !folder.asked.is_empty()
                        || !folder.invalid.is_empty()
                        || folder
                            .touched
                            .iter()
                            .any(|path| !is_dirty(session, root, path))
                }
                _ => false,
            }
    });
    if is_due {
        ask_tick(session, SETTLE_MS);
    }
}

pub(crate) fn is_dirty(session: &Session, root: u32, path: &str) -> bool {
    let root = session.code.workspace.roots.get(root as usize);
    root.and_then(|root| session.code.documents.get(&absolute_path(root, path)))
        .is_some_and(|document| document.dirty)
}

/// Whether the folder's settings are others than those in force.
pub(crate) fn has_new_config(session: &Session, root: u32) -> bool {
    let folder = &session.contexts.folders[root as usize];
    folder.ledger.is_some()
        && folder.config_text.as_deref() != session.code.workspace.folder_config(root)
}

/// A person wants the folder of a root.
pub(crate) fn keep_context(session: &mut Session, root: u32) {
    if !is_context_trusted(session, root) {
        return;
    }
    let exists = has_context(session, root);
    if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        folder.is_wanted |= !exists;
        folder.needs_all |= folder.ledger.is_some();
    }
    ask_tick(session, 0);
}
