//! What others write into a folder `.context/` that was read: another window of the editor, the command line, a change of
//! branches (SPEC D17; docs/context-folder.md).
//!
//! A watcher tells of our own files as of those of others. Which it was the file's stamp says, and so the file that was
//! told of is fetched, and nothing else. What somebody else wrote is read as at the start: the folder as a whole.

use std::collections::BTreeMap;

use codecortex_artifacts::{ContextState, FOLDER, FolderPhase, Purpose};
use codecortex_protocol::FetchedFile;
use codecortex_protocol::paths::place_of;

use crate::artifacts::fetch;
use crate::artifacts::window::keep_window;
use crate::session::Session;

/// What begins and ends the name of a semantic text, below the folder.
const TEXT: (&str, &str) = ("types/", ".semantic.md");

/// Takes note of paths that may be of folders `.context/`; absolute ones.
pub(crate) fn context_changed(session: &mut Session, paths: &[String]) {
    let mut written: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for path in paths {
        let Some(place) = place_of(path, &session.code.workspace.roots) else {
            continue;
        };
        let below = place.path.strip_prefix(FOLDER);
        let Some(name) = below.and_then(|rest| rest.strip_prefix('/')) else {
            continue;
        };
        let name = name.to_owned();
        let folder = session.contexts.folders.get(place.root as usize);
        if folder.is_none_or(|folder| folder.ledger.is_none()) {
            continue; // it is read when somebody needs it
        }
        if ContextState::watched().any(|path| path == place.path) {
            written.entry(place.root).or_default().push(place.path);
        } else if let Some(id) = text_of(&name) {
            forget_text(session, place.root, id);
        }
    }
    for (root, paths) in written {
        fetch(session, root, Purpose::Written, paths);
    }
}

/// The type that a semantic text is about, by its path below the folder.
fn text_of(name: &str) -> Option<&str> {
    name.strip_prefix(TEXT.0)?.strip_suffix(TEXT.1)
}

/// A semantic text is read again when the window shows it.
fn forget_text(session: &mut Session, root: u32, id: &str) {
    let known = session.context.texts.get_mut(&root);
    if known.is_some_and(|known| known.remove(id).is_some()) {
        session.context.memo.get_mut().forget_forms();
        keep_window(session, root);
    }
}

/// Files that were told of are here: the folder is read anew where one of them is not what we wrote or read.
pub(crate) fn written(session: &mut Session, root: u32, paths: &[String], files: &[FetchedFile]) {
    let is_writing = session.contexts.commits.iter().any(|(_, of)| *of == root);
    let folder = &mut session.contexts.folders[root as usize];
    if matches!(folder.step, FolderPhase::Reading | FolderPhase::Outlines) {
        // What is on its way may have been read before that was written, and has to arrive first.
        return fetch(session, root, Purpose::Written, paths.to_vec());
    }
    // What is being written is compared with the disk before; what nobody read is read anyway.
    if is_writing || folder.ledger.is_none() {
        return;
    }
    let mut found = paths.iter().zip(files);
    if found.all(|(path, file)| folder.is_known(path, file.stamp.as_deref())) {
        return;
    }
    read_anew(session, root);
}

/// Forgets what was read of a folder, and what was in its window because it said so.
fn read_anew(session: &mut Session, root: u32) {
    let folder = &mut session.contexts.folders[root as usize];
    // What is new here is not lost for that: it is put in besides when the folder is read.
    let has_news = folder.window_changed || folder.is_unwritten();
    folder.unload();
    session.context.texts.remove(&root);
    if !has_news {
        folder.window_changed = false;
        if let Some(window) = session
            .context
            .window
            .get_mut()
            .roots
            .get_mut(root as usize)
        {
            *window = Default::default();
        }
        session.review.dismissed.remove(&root);
    }
}
