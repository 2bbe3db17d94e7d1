//! The interface of what a room keeps in the `state.json` of a root's folder `.context/`.

use crate::ledger::Ledger;

/// A room's part of the folders `.context/`, by root.
pub trait FolderPart {
    /// Loads a root's part from a ledger that was read; returns a sentence where the part is damaged. Changes that the
    /// disk does not have are repeated after this.
    fn load(&mut self, root: u32, ledger: &mut Ledger) -> Option<String>;

    /// Puts a root's part into the ledger that is written next.
    fn save(&self, root: u32, ledger: &mut Ledger);

    /// Forgets what was read of a root: another process wrote its folder. With `has_news`, changes that the disk does not
    /// have are kept.
    fn forget(&mut self, root: u32, has_news: bool);
}
