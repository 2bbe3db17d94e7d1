//! Reviews as a room of the session: the dismissed findings of each root.

use codecortex_ledger::{FolderPart, Ledger};
use codecortex_protocol::{Beginning, Room};
use rustc_hash::FxHashMap;

use crate::dismissals::Dismissals;

/// Dismissed findings by root.
#[derive(Debug, Default)]
pub struct Reviews {
    dismissed: FxHashMap<u32, Dismissals>,
}

impl Reviews {
    /// The dismissed findings of a root.
    #[must_use]
    pub fn dismissed(&self, root: u32) -> Dismissals {
        self.dismissed.get(&root).cloned().unwrap_or_default()
    }

    /// Dismisses findings of a root and restores others, at a time in ms since 1970.
    pub fn dismiss(&mut self, root: u32, ids: &[String], restored: &[String], now: u64) {
        let dismissed = self.dismissed.entry(root).or_default();
        ids.iter().for_each(|id| dismissed.note(id, Some(now)));
        restored.iter().for_each(|id| dismissed.note(id, None));
    }
}

impl<Code> Room<Code> for Reviews {
    fn begin(&mut self, beginning: Beginning) {
        if !beginning.are_same_roots {
            self.dismissed.clear();
        }
    }
}

impl FolderPart for Reviews {
    fn load(&mut self, root: u32, ledger: &mut Ledger) -> Option<String> {
        let dismissed = self.dismissed.entry(root).or_default();
        *dismissed = Dismissals::default();
        dismissed.load(ledger.foreign_state())
    }

    fn save(&self, root: u32, ledger: &mut Ledger) {
        if let Some(dismissed) = self.dismissed.get(&root) {
            dismissed.save(ledger.foreign_state_mut());
        }
    }

    fn forget(&mut self, root: u32, has_news: bool) {
        if !has_news {
            self.dismissed.remove(&root);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn begin(reviews: &mut Reviews, are_same_roots: bool) {
        let beginning = Beginning {
            roots: 1,
            are_same_roots,
        };
        Room::<()>::begin(reviews, beginning);
    }

    #[test]
    fn dismissed_findings_pass_through_the_folder_of_their_root() {
        let mut reviews = Reviews::default();
        reviews.dismiss(1, &ids(&["aaaaaaaaaaaa", "bbbbbbbbbbbb"]), &[], 7);
        reviews.dismiss(1, &[], &ids(&["bbbbbbbbbbbb"]), 8);
        let mut ledger = Ledger::default();
        reviews.save(1, &mut ledger);
        let mut other = Reviews::default();
        assert_eq!(other.load(1, &mut ledger), None);
        assert!(other.dismissed(1).has("aaaaaaaaaaaa") && !other.dismissed(1).has("bbbbbbbbbbbb"));
        assert!(!other.dismissed(0).has("aaaaaaaaaaaa"), "another root");
    }

    #[test]
    fn another_process_replaces_what_was_read_but_no_news() {
        let mut reviews = Reviews::default();
        reviews.dismiss(0, &ids(&["aaaaaaaaaaaa"]), &[], 7);
        reviews.forget(0, true);
        assert!(reviews.dismissed(0).has("aaaaaaaaaaaa"));
        reviews.forget(0, false);
        assert!(!reviews.dismissed(0).has("aaaaaaaaaaaa"));
    }

    #[test]
    fn new_settings_keep_dismissed_findings_and_other_roots_do_not() {
        let mut reviews = Reviews::default();
        reviews.dismiss(0, &ids(&["aaaaaaaaaaaa"]), &[], 7);
        begin(&mut reviews, true);
        assert!(reviews.dismissed(0).has("aaaaaaaaaaaa"));
        begin(&mut reviews, false);
        assert!(!reviews.dismissed(0).has("aaaaaaaaaaaa"));
    }
}
