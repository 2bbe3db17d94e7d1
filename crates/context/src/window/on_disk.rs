//! The window on the disk: its contents for `prompt_window.md`, and the semantic texts that it shows (SPEC PW1, D17).

use codecortex_ledger::TextState;
use codecortex_protocol::FetchedFile;

use crate::packs::built::Built;
use crate::sources::{Context, Sources};
use crate::window::candidates::window_candidates;
use crate::window::change::WindowChange;
use crate::window::piece_levels::sections;
use crate::window::settings::{focus_ttl, window_grant};
use crate::window::state::{PackState, RootWindow};
use crate::window::{Window, build_window};

/// Semantic texts that are read for a window.
const MAX_TEXTS: usize = 64;
/// The end of a semantic text's file name.
const TEXT_ENDING: &str = ".semantic.md";

impl Context {
    /// Notes that an input of the window changed.
    pub fn note_change(&mut self) {
        self.window.get_mut().revision += 1;
    }

    /// Applies a change to a root's window.
    pub fn change_window(&mut self, root: u32, change: &WindowChange) {
        if let Some(own) = self.window.get_mut().roots.get_mut(root as usize) {
            change.apply(own);
        }
    }

    /// Forgets a semantic text, which the window reads again. Returns whether it was read.
    pub fn forget_text(&mut self, root: u32, id: &str) -> bool {
        let texts = self.texts.get_mut(&root);
        let was_read = texts.is_some_and(|texts| texts.remove(id).is_some());
        if was_read {
            self.memo.get_mut().forget_forms();
        }
        was_read
    }

    /// Forgets the semantic texts of a root, which were written: the window reads them again.
    pub fn forget_texts(&mut self, root: u32) {
        self.texts.remove(&root);
        self.memo.get_mut().forget_forms();
        self.note_change();
    }

    /// Loads semantic texts of a root, each with its path; a file that is not there has no sections.
    pub fn load_texts(&mut self, root: u32, paths: &[String], files: &[FetchedFile]) {
        let texts = self.texts.entry(root).or_default();
        for (path, file) in paths.iter().zip(files) {
            let name = path.rsplit('/').next().unwrap_or(path);
            let id = name.trim_end_matches(TEXT_ENDING).to_owned();
            let text = file
                .bytes
                .as_ref()
                .map(|bytes| String::from_utf8_lossy(&bytes.0));
            let found = text.map_or_else(Vec::new, |text| sections(&text));
            texts.insert(id, found);
        }
        self.memo.get_mut().forget_forms();
    }

    /// Keeps a pack that was built at a time in ms since 1970. Returns its text; none where the text is the same as
    /// before or the root is unknown.
    pub fn keep_pack(
        &mut self,
        root: u32,
        name: &str,
        filter: &str,
        max_tokens: u32,
        built: Built,
        now: u64,
    ) -> Option<String> {
        let window = self.window.get_mut().roots.get_mut(root as usize)?;
        let state = window.packs.entry(name.to_owned()).or_default();
        let is_reused = state.hash == built.hash;
        *state = PackState {
            filter: filter.to_owned(),
            active: state.active,
            max_tokens,
            type_ids: built.types.iter().map(|member| member.id.clone()).collect(),
            hash: built.hash,
            token_estimate: built.tokens,
            built_at: if is_reused { state.built_at } else { now },
        };
        (!is_reused).then_some(built.text)
    }

    /// Drops a pack.
    pub fn drop_pack(&mut self, root: u32, name: &str) {
        if let Some(window) = self.window.get_mut().roots.get_mut(root as usize) {
            window.packs.remove(name);
        }
    }
}

/// Drops entries whose time in focus is over.
pub fn expire_focus(sources: &Sources<'_>) {
    let (now, ttl) = (sources.code.clock().host(), focus_ttl(sources));
    let mut window = sources.context.window.borrow_mut();
    let mut ended = false;
    for root in &mut window.roots {
        ended |= root.expire(now, ttl);
    }
    window.revision += u32::from(ended);
}

/// Returns the text of `prompt_window.md`; none for a window that is empty and not `is_wanted`.
pub fn window_text(sources: &Sources<'_>, root: u32, is_wanted: bool) -> Option<String> {
    let is_used = {
        let window = sources.context.window.borrow();
        window.roots.get(root as usize)?.is_used()
    };
    if !(is_wanted || is_used) {
        return None;
    }
    let window = window_of_file(sources, root)?;
    Some(file_text(&window))
}

/// Returns the paths of the files of a root whose lines `prompt_window.md` would show and whose texts are not loaded; none
/// where nobody uses the window or wants it.
pub fn missing_file_texts(sources: &Sources<'_>, root: u32, is_wanted: bool) -> Vec<String> {
    let is_used = {
        let window = sources.context.window.borrow();
        let window = window.roots.get(root as usize);
        window.is_some_and(RootWindow::is_used)
    };
    let window = match is_wanted || is_used {
        true => window_of_file(sources, root),
        false => None,
    };
    let missing = window.into_iter().flat_map(|window| window.missing);
    let files = missing.filter_map(|file| sources.code.index().file(file));
    let own = files.filter(|file| file.root == root);
    own.map(|file| file.path.to_string()).collect()
}

fn window_of_file(sources: &Sources<'_>, root: u32) -> Option<Window> {
    let sources = sources.saved();
    let granted = window_grant(&sources, Some(root), None).ok()?;
    Some(build_window(&sources, Some(root), &granted))
}

/// Returns the paths of the semantic texts that a root's window may show and that are not loaded, with their ids.
pub fn missing_texts(sources: &Sources<'_>, root: u32) -> Vec<(String, String)> {
    let Some(ledger) = sources
        .folders
        .folder(root)
        .and_then(|folder| folder.ledger)
    else {
        return Vec::new();
    };
    let candidates = window_candidates(sources, Some(root))
        .into_iter()
        .take(MAX_TEXTS);
    let ids = candidates.map(|candidate| candidate.entry.id.clone());
    let loaded = sources.context.texts.get(&root);
    let is_missing = |id: &String| {
        let state = ledger.get(id).map(|known| known.state);
        matches!(state, Some(TextState::Cached | TextState::Stale))
            && loaded.is_none_or(|loaded| !loaded.contains_key(id))
    };
    ids.filter(is_missing)
        .map(|id| (format!(".context/types/{id}{TEXT_ENDING}"), id))
        .collect()
}

/// The file: the window, and the number of pieces without room.
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

#[cfg(test)]
mod tests {
    use codecortex_protocol::Bytes;

    use super::*;

    fn context() -> Context {
        let mut context = Context::default();
        context.window.get_mut().roots.push(RootWindow::default());
        context
    }

    fn built(hash: &str) -> Built {
        Built {
            text: format!("text of {hash}"),
            hash: hash.to_owned(),
            ..Built::default()
        }
    }

    fn fetched(text: Option<&str>) -> FetchedFile {
        FetchedFile {
            bytes: text.map(|text| Bytes(text.as_bytes().to_vec())),
            stamp: None,
            error: None,
        }
    }

    #[test]
    fn a_pack_with_the_same_text_keeps_its_time_and_is_not_written() {
        let mut context = context();
        let text = context.keep_pack(0, "api", "kind:class", 500, built("h1"), 10);
        assert_eq!(text.as_deref(), Some("text of h1"));
        assert_eq!(
            context.keep_pack(0, "api", "kind:any", 600, built("h1"), 20),
            None
        );
        let pack = context.window.borrow().roots[0].packs["api"].clone();
        assert_eq!((pack.built_at, pack.max_tokens), (10, 600));
        assert!(
            context
                .keep_pack(0, "api", "kind:any", 600, built("h2"), 30)
                .is_some()
        );
        assert_eq!(context.window.borrow().roots[0].packs["api"].built_at, 30);
        context.drop_pack(0, "api");
        assert!(context.window.borrow().roots[0].packs.is_empty());
    }

    #[test]
    fn a_pack_of_an_unknown_root_is_left_out() {
        let mut context = context();
        assert_eq!(context.keep_pack(3, "api", "", 1, built("h"), 1), None);
        context.drop_pack(3, "api");
    }

    #[test]
    fn a_forgotten_text_is_loaded_again() {
        let mut context = context();
        let paths = [".context/types/abc.semantic.md".to_owned()];
        context.load_texts(0, &paths, &[fetched(Some("# Role\nKeeps orders.\n"))]);
        assert!(context.texts[&0].contains_key("abc"));
        assert!(!context.forget_text(1, "abc"), "another root");
        assert!(context.forget_text(0, "abc"));
        assert!(!context.forget_text(0, "abc"));
        context.load_texts(0, &paths, &[fetched(None)]);
        assert!(context.texts[&0]["abc"].is_empty());
        let before = context.window.borrow().revision;
        context.forget_texts(0);
        assert!(context.texts.is_empty() && context.window.borrow().revision > before);
    }
}
