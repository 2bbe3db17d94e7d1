//! Steps of the folders `.context/` that change the window (SPEC PW1, D17).

use codecortex_context::packs::built::Built;
use codecortex_context::window::change::WindowChange;
use codecortex_protocol::FetchedFile;

use crate::session::Session;

/// What is asked for may make another window.
pub(crate) fn window_is_other(session: &mut Session) {
    session.context.note_change();
}

/// Puts something into a root's window, or takes it out.
pub(crate) fn change_window(session: &mut Session, root: u32, change: &WindowChange) {
    session.context.change_window(root, change);
}

/// A semantic text is read again when the window shows it. Whether it was read.
pub(crate) fn forget_text(session: &mut Session, root: u32, id: &str) -> bool {
    session.context.forget_text(root, id)
}

/// Semantic texts of a root were written: the window reads them again.
pub(crate) fn forget_texts(session: &mut Session, root: u32) {
    session.context.forget_texts(root);
}

/// Takes in semantic texts.
pub(crate) fn texts_of_types(
    session: &mut Session,
    root: u32,
    paths: &[String],
    files: &[FetchedFile],
) {
    session.context.load_texts(root, paths, files);
    session.keep_window(root);
}

/// Takes in texts of files of which the window shows lines.
pub(crate) fn texts_of_files(
    session: &mut Session,
    root: u32,
    paths: &[String],
    files: &[FetchedFile],
) {
    let code = &session.code;
    session.context.load_file_texts(code, root, paths, files);
}

/// Keeps a pack that was built now; its text where that is another than before.
pub(crate) fn keep_built(
    session: &mut Session,
    root: u32,
    name: &str,
    filter: &str,
    max_tokens: u32,
    built: Built,
) -> Option<String> {
    let now = session.code.clock().host();
    session
        .context
        .keep_pack(root, name, filter, max_tokens, built, now)
}

/// Takes a pack out of the window.
pub(crate) fn drop_built(session: &mut Session, root: u32, name: &str) {
    session.context.drop_pack(root, name);
}
