//! Packs on the disk (SPEC PW2).

use codecortex_context::packs::built::Built;

use crate::artifacts::folders::want_folder;
use crate::artifacts::window::{drop_built, keep_built};
use crate::session::Session;

/// Has a pack kept as it was built now.
pub(crate) fn keep_pack(
    session: &mut Session,
    root: u32,
    name: &str,
    filter: &str,
    max_tokens: u32,
    built: Built,
) {
    let text = keep_built(session, root, name, filter, max_tokens, built);
    want_folder(session, root);
    if text.is_some() {
        session.contexts.write_pack(root, name, text);
    }
    session.keep_window(root);
}

/// Forgets a pack.
pub(crate) fn drop_pack(session: &mut Session, root: u32, name: &str) {
    drop_built(session, root, name);
    session.contexts.write_pack(root, name, None);
    session.keep_window(root);
}
