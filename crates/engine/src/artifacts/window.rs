//! The window on the disk: what is put into it in `state.json`, what it says in `prompt_window.md`, and the
//! semantic texts that it shows (SPEC PW1, D17).

use codecortex_context::window::candidates::window_candidates;
use codecortex_context::window::piece_levels::sections;
use codecortex_context::window::settings::{focus_ttl, window_grant};
use codecortex_context::window::state::RootWindow;
use codecortex_context::window::{Window, build_window};
use codecortex_ledger::TextState;
use codecortex_protocol::FetchedFile;

use crate::session::Session;

/// Semantic texts that are read for a window.
const MAX_TEXTS: usize = 64;

/// Drops what was in focus long enough.
pub(crate) fn expire_focus(session: &Session) {
    let (now, ttl) = (session.code.clock.host(), focus_ttl(&session.sources()));
    let mut window = session.context.window.borrow_mut();
    let mut ended = false;
    for root in &mut window.roots {
        ended |= root.expire(now, ttl);
    }
    window.revision += u32::from(ended);
}

/// Takes in what a root's `state.json` says of the window.
pub(crate) fn load_window(session: &mut Session, root: u32) {
    let folder = &mut session.contexts.folders[root as usize];
    let Some(ledger) = &mut folder.ledger else {
        return;
    };
    let state = session.context.window.get_mut();
    state.revision += 1;
    let window = &mut state.roots[root as usize];
    // What is not on the disk yet is put in again after this.
    *window = RootWindow::default();
    let problem = window.load(ledger.foreign_state_mut());
    folder.account.problems.extend(problem);
}

/// What is in a root's window is other than it was.
pub(crate) fn keep_window(session: &mut Session, root: u32) {
    session.context.window.get_mut().revision += 1;
    if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        folder.window_changed = true;
    }
}

/// Somebody wants the file of every root that has a folder for it.
pub(crate) fn request_window_file(session: &mut Session) {
    for folder in &mut session.contexts.folders {
        folder.window_changed |= !folder.wants_window && folder.ledger.is_some();
        folder.wants_window = true;
    }
}

/// Puts what a root's window is into what is written next.
pub(crate) fn write_window(session: &mut Session, root: u32) {
    expire_focus(session);
    let window = session.context.window.get_mut().roots[root as usize].clone();
    let folder = &mut session.contexts.folders[root as usize];
    folder.window_changed = false;
    let Some(ledger) = &mut folder.ledger else {
        return;
    };
    window.save(ledger.foreign_state_mut());
    ledger.set_packs(codecortex_context::window::state::of_index(&window.packs));
    if !(folder.wants_window || window.is_used()) {
        return;
    }
    if let Ok(granted) = window_grant(&session.sources(), Some(root), None) {
        let window = build_window(&session.sources(), Some(root), &granted);
        session.contexts.folders[root as usize].write_window(file_text(&window));
    }
}

/// Paths of the semantic texts of a root that its window may show and that were not read since they
/// were made, with their ids.
pub(crate) fn missing_texts(session: &Session, root: u32) -> Vec<(String, String)> {
    let folder = &session.contexts.folders[root as usize];
    let Some(ledger) = &folder.ledger else {
        return Vec::new();
    };
    let candidates = window_candidates(&session.sources(), Some(root))
        .into_iter()
        .take(MAX_TEXTS);
    let ids = candidates.map(|candidate| candidate.entry.id.clone());
    let known = session.context.texts.get(&root);
    let is_missing = |id: &String| {
        let state = ledger.get(id).map(|known| known.state);
        matches!(state, Some(TextState::Cached | TextState::Stale))
            && known.is_none_or(|known| !known.contains_key(id))
    };
    ids.filter(is_missing)
        .map(|id| (format!(".context/types/{id}.semantic.md"), id))
        .collect()
}

/// Takes in semantic texts.
pub(crate) fn texts_of_types(
    session: &mut Session,
    root: u32,
    paths: &[String],
    files: &[FetchedFile],
) {
    let known = session.context.texts.entry(root).or_default();
    for (path, file) in paths.iter().zip(files) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let id = name.trim_end_matches(".semantic.md").to_owned();
        let text = file
            .bytes
            .as_ref()
            .map(|bytes| String::from_utf8_lossy(&bytes.0));
        let found = text.map_or_else(Vec::new, |text| sections(&text));
        known.insert(id, found);
    }
    session.context.memo.get_mut().forget_forms();
    keep_window(session, root);
}

/// The file: the window, and what had no room.
fn file_text(window: &Window) -> String {
    let mut text = window.text(window.pieces.len());
    for notice in &window.notices {
        text += &format!("<!-- {notice} -->\n");
    }
    if window.cut_total > 0 {
        text += &format!("<!-- {} without room -->\n", window.cut_total);
    }
    text
}
