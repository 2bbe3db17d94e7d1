//! When a folder `.context/` has something to do, and whether a root has one.

use codecortex_analysis::Analysis;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{ErrorCode, Phase, ToolError};

use crate::contexts::Contexts;
use crate::folder::{FOLDER, FolderPhase};

/// Changes are taken in after this many ms. Watchers have waited for more of them already.
const SETTLE_MS: u32 = 50;

/// Whether a root has the folder, and the settings allow its use.
pub fn has_context(code: &Analysis, root: u32) -> bool {
    code.config().keep_context && code.workspace().has_dir(root, FOLDER)
}

/// Whether a person vouches for a root's folder `.context/`, or there is none yet (SPEC D17). A folder that came with a
/// repository is read, and nothing is written into it.
pub fn is_context_trusted(code: &Analysis, root: u32) -> bool {
    let root = code.workspace().roots.get(root as usize);
    let config = code.config();
    let is_foreign = root.is_some_and(|root| config.untrusted_contexts.contains(&root.path));
    config.keep_context && !is_foreign
}

/// Checks that `.context/` of a root may be written.
///
/// # Errors
/// `Unavailable`, or `AccessDenied` where the folder came with the repository.
pub fn check_keeps(code: &Analysis, root: u32) -> Result<(), ToolError> {
    if !code.config().keep_context {
        let message = "Nothing is written to `.context/` here.";
        return Err(ToolError::new(ErrorCode::Unavailable, message)
            .hint("Trust the workspace, or allow the folder in the settings."));
    }
    if is_context_trusted(code, root) {
        return Ok(());
    }
    let message = "The folder `.context/` came with the repository: nothing is written into it.";
    Err(ToolError::new(ErrorCode::AccessDenied, message)
        .hint("A person takes it over: `codecortex init`, or `--trust-context`."))
}

/// Whether an editor holds a file with unsaved text.
pub(crate) fn is_dirty(code: &Analysis, root: u32, path: &str) -> bool {
    let root = code.workspace().roots.get(root as usize);
    root.and_then(|root| code.documents().get(&absolute_path(root, path)))
        .is_some_and(|document| document.dirty)
}

impl Contexts {
    /// Whether a root's folder is written: a person vouches for it, and it is there or wanted.
    pub fn is_kept(&self, code: &Analysis, root: u32) -> bool {
        let folder = self.folders.get(root as usize);
        let is_wanted = folder.is_some_and(|folder| folder.is_wanted);
        is_context_trusted(code, root) && (is_wanted || has_context(code, root))
    }

    /// Whether the folder of a root is there and was not read yet.
    pub fn is_unread(&self, code: &Analysis, root: u32) -> bool {
        let folder = self.folders.get(root as usize);
        has_context(code, root) && folder.is_some_and(|folder| folder.ledger.is_none())
    }

    /// Has the folder of a root made, because a person asks for it.
    pub fn keep(&mut self, code: &Analysis, root: u32) {
        if !is_context_trusted(code, root) {
            return;
        }
        let exists = has_context(code, root);
        if let Some(folder) = self.folders.get_mut(root as usize) {
            folder.is_wanted |= !exists;
            folder.needs_all |= folder.ledger.is_some();
        }
        self.ask_tick(0);
    }

    /// Has the folder of a root made where there is none: a request for one of its files is one for the folder (SPEC
    /// D17).
    pub fn want(&mut self, code: &Analysis, root: u32) {
        if !has_context(code, root) {
            self.keep(code, root);
        }
    }

    /// Whether live context of a root is recorded: the settings ask for it, and there is a trusted folder.
    pub fn wants_recording(&self, code: &Analysis, root: u32) -> bool {
        let own = self.folders.get(root as usize);
        let wants = code.config().record || own.is_some_and(|folder| folder.config.record);
        wants && has_context(code, root) && is_context_trusted(code, root)
    }

    /// Whether the folder's settings differ from those in force.
    pub fn has_new_config(&self, code: &Analysis, root: u32) -> bool {
        let folder = self.folders.get(root as usize);
        folder.is_some_and(|folder| {
            folder.ledger.is_some()
                && folder.config_text.as_deref() != code.workspace().folder_config(root)
        })
    }

    /// Why a root's folder cannot be written, however long one waits; none where it can.
    pub fn why_never(&self, code: &Analysis, root: u32) -> Option<String> {
        if code.memory().is_without_bodies() {
            return Some("the memory limit leaves no room for its contents".to_owned());
        }
        (!self.is_kept(code, root)).then(|| "it is not kept up to date any more".to_owned())
    }

    /// Asks for a tick where a folder has something to do.
    pub fn look_for_tick(&mut self, code: &Analysis) {
        if code.phase() != Phase::Ready || code.memory().is_without_bodies() {
            return;
        }
        let roots = 0..self.folders.len() as u32;
        if roots.into_iter().any(|root| self.is_due(code, root)) {
            self.ask_tick(SETTLE_MS);
        }
    }

    fn is_due(&self, code: &Analysis, root: u32) -> bool {
        let folder = &self.folders[root as usize];
        let waits = !folder.is_unwritten() || !folder.touched.is_empty();
        let is_saved = |path: &str| !is_dirty(code, root, path);
        self.is_kept(code, root)
            && match folder.step {
                FolderPhase::Unread => waits,
                FolderPhase::Idle => {
                    folder.needs_all
                        || !folder.concerned.is_empty()
                        || folder.semantic_jobs.has_news
                        || folder.window_changed
                        || self.has_new_config(code, root)
                        || !folder.asked.is_empty()
                        || !folder.invalid.is_empty()
                        || folder.touched.iter().any(|path| is_saved(path))
                }
                _ => false,
            }
    }
}
