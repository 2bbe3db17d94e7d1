//! Sets of a grammar's node kinds.

/// A set of node kinds: one look-up a node, by the grammar's number of a kind.
#[derive(Debug, Default)]
pub(crate) struct KindSet(Vec<bool>);

impl KindSet {
    /// No kinds yet, of a grammar that has so many.
    pub(super) fn of_count(kinds: usize) -> Self {
        Self(vec![false; kinds])
    }

    /// Adds a kind.
    pub(super) fn insert(&mut self, kind: u16) {
        if let Some(place) = self.0.get_mut(kind as usize) {
            *place = true;
        }
    }

    /// Whether a kind is in it.
    pub(crate) fn has(&self, kind: u16) -> bool {
        self.0.get(kind as usize).copied().unwrap_or(false)
    }

    /// Whether no kind is.
    pub(crate) fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }
}
