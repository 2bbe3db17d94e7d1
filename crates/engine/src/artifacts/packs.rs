//! Packs on the disk (SPEC PW2).

use codecortex_context::packs::built::Built;
use codecortex_context::window::state::PackState;

use crate::artifacts::schedule::want_folder;
use crate::artifacts::window::keep_window;
use crate::session::Session;

/// Has a pack kept as it was built now. Whether its text is another one than before.
pub(crate) fn keep_pack(
    session: &mut Session,
    root: u32,
    name: &str,
    filter: &str,
    max_tokens: u32,
    built: Built,
) {
    let built_at = session.code.clock.host();
    let window = &mut session.context.window.get_mut().roots[root as usize];
    let state = window.packs.entry(name.to_owned()).or_default();
    let is_reused = state.hash == built.hash;
    *state = PackState {
        filter: filter.to_owned(),
        active: state.active,
        max_tokens,
        type_ids: built.types.iter().map(|member| member.id.clone()).collect(),
        hash: built.hash,
        token_estimate: built.tokens,
        built_at: if is_reused { state.built_at } else { built_at },
    };
    want_folder(session, root);
    if !is_reused && let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        folder.write_pack(name, Some(built.text));
    }
    keep_window(session, root);
}

/// Forgets a pack.
pub(crate) fn drop_pack(session: &mut Session, root: u32, name: &str) {
    session.context.window.get_mut().roots[root as usize]
        .packs
        .remove(name);
    if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        folder.write_pack(name, None);
    }
    keep_window(session, root);
}
