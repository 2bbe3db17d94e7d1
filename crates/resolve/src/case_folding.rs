//! Names that differ in case alone, for languages in which the case of a type's name does not matter.

use std::hash::{Hash, Hasher};
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHasher;

use crate::ids::Name;
use crate::workspace::Workspace;

/// Names by a hash of their spelling in lower case. Names are never taken away: after the first question only those are
/// added that came since.
#[derive(Debug, Default)]
pub(crate) struct CaseFolding {
    by_hash: RwLock<Vec<(u32, Name)>>,
}

impl Workspace {
    /// The other names that differ from one in case alone (ASCII), in the order of their texts; some may be in no file any
    /// more.
    pub(crate) fn names_in_other_case(&self, name: Name) -> Vec<Name> {
        let folding = &self.case_folding().by_hash;
        let known = folding.read().unwrap_or_else(PoisonError::into_inner);
        if known.len() == self.name_count() {
            return self.others_of(&known, name);
        }
        drop(known);
        let mut known = folding.write().unwrap_or_else(PoisonError::into_inner);
        let new = (known.len()..self.name_count()).map(|number| Name(number as u32));
        let new = new.map(|name| (hash(self.text(name)), name));
        known.extend(new);
        // Nearly all of it is in order: a stable sort merges the rest in.
        known.sort();
        self.others_of(&known, name)
    }

    fn others_of(&self, known: &[(u32, Name)], name: Name) -> Vec<Name> {
        let text = self.text(name);
        let hash = hash(text);
        let from = known.partition_point(|(of, _)| *of < hash);
        let alike = known[from..].iter().take_while(|(of, _)| *of == hash);
        let is_other =
            |other: &Name| *other != name && self.text(*other).eq_ignore_ascii_case(text);
        let mut others: Vec<Name> = alike.map(|(_, other)| *other).filter(is_other).collect();
        others.sort_unstable_by_key(|other| self.text(*other));
        others
    }
}

fn hash(text: &str) -> u32 {
    let mut hasher = FxHasher::default();
    for byte in text.bytes() {
        byte.to_ascii_lowercase().hash(&mut hasher);
    }
    (hasher.finish() >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::LANGUAGES;

    #[test]
    fn names_that_come_later_are_found_too() {
        let mut workspace = Workspace::new(&LANGUAGES);
        let first = workspace.intern("AHazeActor");
        workspace.intern("AHazeActors");
        assert!(workspace.names_in_other_case(first).is_empty());
        let lower = workspace.intern("ahazeactor");
        let other = workspace.intern("AHazeactor");
        assert_eq!(workspace.names_in_other_case(first), [other, lower]);
        assert_eq!(workspace.names_in_other_case(lower), [first, other]);
        // As they are not ASCII, these differ.
        let umlaut = workspace.intern("Äpfel");
        workspace.intern("äpfel");
        assert!(workspace.names_in_other_case(umlaut).is_empty());
    }
}
