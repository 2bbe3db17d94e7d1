//! What the window asked for in one state of the index. Status bar, view, file and tools ask for the window one
//! after the other, and most of its cost is what types need and how their outlines read.

use std::sync::Arc;

use codecortex_index::Symbol;
use rustc_hash::FxHashMap;

use super::{Candidate, Ladder};
use crate::Engine;
use crate::artefacts::Need;

/// Forms of more pieces than this are not kept: a window has some hundreds.
const MOST_LADDERS: usize = 2_048;

/// What is known for one revision of the index.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    revision: u32,
    ladders: FxHashMap<(u32, String, String), Arc<Ladder>>,
    needs: FxHashMap<Symbol, Arc<[Need]>>,
}

impl Memo {
    /// The memory of this revision; what it knows of another one is forgotten.
    fn at(&mut self, revision: u32) -> &mut Self {
        if self.revision != revision {
            *self = Self {
                revision,
                ..Self::default()
            };
        }
        self
    }

    /// Semantic texts changed, which are part of forms.
    pub(crate) fn forget_forms(&mut self) {
        self.ladders.clear();
    }
}

impl Engine {
    /// The forms of a piece.
    pub(super) fn known_ladder(&self, candidate: &Candidate) -> Arc<Ladder> {
        let entry = &candidate.entry;
        let key = (candidate.root, entry.id.clone(), entry.path.clone());
        let mut memo = self.memo.window.borrow_mut();
        if let Some(known) = memo.at(self.revision).ladders.get(&key) {
            return Arc::clone(known);
        }
        drop(memo);
        let ladder = Arc::new(self.ladder(candidate));
        let mut memo = self.memo.window.borrow_mut();
        if memo.ladders.len() >= MOST_LADDERS {
            memo.ladders.clear();
        }
        memo.ladders.insert(key, Arc::clone(&ladder));
        ladder
    }

    /// What a type needs, itself left out.
    pub(super) fn known_needs(&self, symbol: Symbol) -> Arc<[Need]> {
        let mut memo = self.memo.window.borrow_mut();
        if let Some(known) = memo.at(self.revision).needs.get(&symbol) {
            return Arc::clone(known);
        }
        drop(memo);
        let needs: Arc<[Need]> = self.needs(symbol).into();
        let mut memo = self.memo.window.borrow_mut();
        memo.needs.insert(symbol, Arc::clone(&needs));
        needs
    }
}
