//! Writes of other processes to a folder `.context/`: which files are fetched, and what is forgotten (SPEC D17).

use codecortex_artifacts::Purpose;
use codecortex_protocol::{FetchedFile, Outbox};

use crate::artifacts::window::forget_text;
use crate::session::Session;

/// Takes note of paths that may be of folders `.context/`; absolute ones.
pub(crate) fn context_changed(session: &mut Session, outbox: &mut Outbox, paths: &[String]) {
    let roots = &session.code.workspace().roots;
    let writes = session.contexts.reported_writes(roots, paths);
    for (root, id) in writes.texts {
        if forget_text(session, root, &id) {
            session.keep_window(root);
        }
    }
    for (root, paths) in writes.files {
        let paths = paths.into_iter().collect();
        let code = &mut session.code;
        session
            .contexts
            .fetch(code, outbox, root, Purpose::Written, paths);
    }
}

/// Files that were told of are here: the folder is read anew where one of them is not what we wrote or read.
pub(crate) fn written(session: &mut Session, root: u32, paths: &[String], files: &[FetchedFile]) {
    if session.contexts.is_written_by_others(root, paths, files) {
        let has_news = session.contexts.read_anew(root);
        session.forget_parts(root, has_news);
    }
}
