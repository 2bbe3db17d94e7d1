//! The window on the disk: what is put into it in `state.json`, what it says in `prompt_window.md`, and the
//! semantic texts that it shows (SPEC PW1, D17).

use codecortex_analysis::folder_config::{FOCUS_MINUTES, FolderConfig, MAX_CHARS, PINNED_SHARE};
use codecortex_answer::budget::profile;
use codecortex_answer::budget::profile::{Grant, Mode, grant};
use codecortex_ledger::State;
use codecortex_protocol::{Effect, FetchedFile, ToolError};

use crate::engine::Engine;
use crate::window::Window;
use crate::window::forms::sections;

/// Semantic texts that are read for a window.
const MOST_TEXTS: usize = 64;

impl Engine {
    /// The settings of a root; of several, those of the first that has any.
    pub(crate) fn window_config(&self, only: Option<u32>) -> Option<&FolderConfig> {
        let folders = self.contexts.folders.iter().enumerate();
        let mut own = folders.filter(|(root, _)| only.is_none_or(|only| only as usize == *root));
        own.find(|(_, folder)| folder.config_text.is_some())
            .map(|(_, folder)| &folder.config)
    }

    pub(crate) fn pinned_share(&self, only: Option<u32>) -> u32 {
        let share = self
            .window_config(only)
            .map(|config| config.prompt_window.pinned_share);
        share.unwrap_or(PINNED_SHARE).min(100)
    }

    /// Ms that something stays in focus.
    pub(crate) fn focus_ttl(&self) -> u64 {
        let minutes = self
            .window_config(None)
            .map(|config| config.prompt_window.focus_minutes);
        u64::from(minutes.unwrap_or(FOCUS_MINUTES)) * 60_000
    }

    /// What a window may cost: as the settings say, by a profile where one is named.
    pub(crate) fn window_grant(
        &self,
        only: Option<u32>,
        named: Option<&str>,
    ) -> Result<Grant, ToolError> {
        let config = self.window_config(only);
        let none = std::collections::BTreeMap::new();
        let profiles = config.map_or(&none, |config| &config.profiles);
        let mut granted = grant(
            &profile(profiles, named.unwrap_or("default"))?,
            Mode::Map,
            None,
        );
        if named.is_none() {
            let letters = config.map_or(MAX_CHARS, |config| config.prompt_window.max_chars);
            granted.budget_tokens = letters / 4;
        }
        Ok(granted)
    }

    /// Drops what was in focus long enough.
    pub(crate) fn expire_focus(&self) {
        let (now, ttl) = (self.code.clock.host(), self.focus_ttl());
        let mut window = self.window.borrow_mut();
        let mut ended = false;
        for root in &mut window.roots {
            ended |= root.expire(now, ttl);
        }
        window.revision += u32::from(ended);
    }

    /// Takes in what a root's `state.json` says of the window.
    pub(crate) fn load_window(&mut self, root: u32) {
        let folder = &mut self.contexts.folders[root as usize];
        let Some(ledger) = &mut folder.ledger else {
            return;
        };
        let state = self.window.get_mut();
        state.revision += 1;
        let window = &mut state.roots[root as usize];
        let was_empty = window.is_empty();
        let problem = window.load(ledger.foreign_state_mut());
        folder.account.problems.extend(problem);
        // What was put in before the folder was there is news to it.
        folder.window_changed |= !was_empty;
    }

    /// What is in a root's window is other than it was.
    pub(crate) fn keep_window(&mut self, root: u32) {
        self.window.get_mut().revision += 1;
        if let Some(folder) = self.contexts.folders.get_mut(root as usize) {
            folder.window_changed = true;
        }
    }

    /// Somebody wants the file of every root that has a folder for it.
    pub(crate) fn want_window_file(&mut self) {
        for folder in &mut self.contexts.folders {
            folder.wants_window = true;
        }
    }

    /// Puts what a root's window is into what is written next.
    pub(crate) fn write_window(&mut self, root: u32) {
        self.expire_focus();
        let window = self.window.get_mut().roots[root as usize].clone();
        let folder = &mut self.contexts.folders[root as usize];
        folder.window_changed = false;
        let Some(ledger) = &mut folder.ledger else {
            return;
        };
        window.save(ledger.foreign_state_mut());
        ledger.set_packs(crate::packs::of_index(&window.packs));
        if !(folder.wants_window || window.is_used()) {
            return;
        }
        if let Ok(granted) = self.window_grant(Some(root), None) {
            let window = self.build_window(Some(root), &granted);
            self.contexts.folders[root as usize].write_window(file_text(&window));
        }
    }

    /// Tells who shows the window that it is another one.
    pub(crate) fn tell_window(&mut self) {
        let seen = self.window_seen();
        if self.window_told != seen {
            self.window_told = seen;
            self.code.effects.push(Effect::WindowChanged);
        }
    }

    /// What the window is made of: another value, perhaps another window.
    pub(crate) fn window_seen(&self) -> (u32, u32, u32) {
        (
            self.window.borrow().revision,
            self.code.revision,
            self.code.access.borrow().count(),
        )
    }

    /// Paths of the semantic texts of a root that its window may show and that were not read since they
    /// were made, with their ids.
    pub(crate) fn missing_texts(&self, root: u32) -> Vec<(String, String)> {
        let folder = &self.contexts.folders[root as usize];
        let Some(ledger) = &folder.ledger else {
            return Vec::new();
        };
        let candidates = self
            .window_candidates(Some(root))
            .into_iter()
            .take(MOST_TEXTS);
        let ids = candidates.map(|candidate| candidate.entry.id.clone());
        let known = self.window_texts.get(&root);
        let is_missing = |id: &String| {
            let state = ledger.get(id).map(|known| known.state);
            matches!(state, Some(State::Cached | State::Stale))
                && known.is_none_or(|known| !known.contains_key(id))
        };
        ids.filter(is_missing)
            .map(|id| (format!(".context/types/{id}.semantic.md"), id))
            .collect()
    }

    /// Takes in semantic texts.
    pub(crate) fn texts_of_types(&mut self, root: u32, paths: &[String], files: &[FetchedFile]) {
        let known = self.window_texts.entry(root).or_default();
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
        self.window_memo.get_mut().forget_forms();
        self.keep_window(root);
    }
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
