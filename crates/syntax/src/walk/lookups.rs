//! What is noted where a walk says or asks something about another place.

use std::ops::Range;

use super::Walk;
use super::effects::{Among, Lookup};
use crate::facts::ItemIndex;

impl Walk<'_> {
    /// Something at a place is about the file, or about a declaration that the walk is in.
    pub(super) fn affects(&mut self, place: usize) {
        self.effects.note(place, None);
        self.effects.is_doubtful |= !self.effects.is_whole();
    }

    /// Declarations before the current place are searched for the name at `name`.
    pub(crate) fn looks_up(&mut self, name: Range<usize>) {
        self.looks_up_among(name, Among::Any);
    }

    fn looks_up_among(&mut self, name: Range<usize>, among: Among) {
        self.effects.look_up(Lookup {
            start: name.start as u32,
            end: name.end as u32,
            among,
        });
    }

    /// Whether the name at `name` is declared already in `parent`, or outside of everything.
    pub(crate) fn is_declared_in(&mut self, parent: Option<ItemIndex>, name: Range<usize>) -> bool {
        let holder = parent.and_then(|parent| self.facts.items.get(parent as usize));
        let among = Among::In(holder.map(|holder| holder.start_byte));
        let text = self.text.get(name.clone()).unwrap_or("");
        self.looks_up_among(name, among);
        self.declared.has(&self.facts, parent, text)
    }
}
