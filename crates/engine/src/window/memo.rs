//! What the window asked for in one state of the index. Status bar, view, file and tools ask for the window one
//! after the other, and most of its cost is what types need and how their outlines read.

use std::sync::Arc;

use codecortex_analysis::artefacts::needs::{Need, needs};
use codecortex_index::Symbol;
use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::window::candidates::Candidate;
use crate::window::forms::Ladder;
use crate::window::state::Entry;

/// Forms of more pieces than this are not kept: a window has some hundreds.
const MOST_LADDERS: usize = 2_048;

/// What is known for one revision of the index.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    revision: u32,
    ladders: FxHashMap<(u32, Arc<Entry>), Arc<Ladder>>,
    needs: FxHashMap<Symbol, Arc<[Need]>>,
    /// Types by their ids, a map for each root; hashing paths to compare ids is dear.
    types: Vec<FxHashMap<String, (Symbol, Arc<Entry>)>>,
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
        let key = (candidate.root, Arc::clone(&candidate.entry));
        let mut memo = self.window_memo.borrow_mut();
        if let Some(known) = memo.at(self.code.revision).ladders.get(&key) {
            return Arc::clone(known);
        }
        drop(memo);
        let ladder = Arc::new(self.ladder(candidate));
        let mut memo = self.window_memo.borrow_mut();
        if memo.ladders.len() >= MOST_LADDERS {
            memo.ladders.clear();
        }
        memo.ladders.insert(key, Arc::clone(&ladder));
        ladder
    }

    /// A type by its id, with what the window calls it.
    pub(super) fn known_type(&self, root: u32, id: &str) -> Option<(Symbol, Arc<Entry>)> {
        let mut memo = self.window_memo.borrow_mut();
        let known = memo.at(self.code.revision).types.get(root as usize);
        if let Some((symbol, entry)) = known.and_then(|known| known.get(id)) {
            return Some((*symbol, Arc::clone(entry)));
        }
        drop(memo);
        let symbol = self.type_by_id(root, id)?;
        let entry = Arc::new(Entry {
            id: id.to_owned(),
            path: self.code.index.path_of(symbol),
            since: 0,
        });
        let mut memo = self.window_memo.borrow_mut();
        let roots = memo.types.len().max(root as usize + 1);
        memo.types.resize_with(roots, FxHashMap::default);
        memo.types[root as usize].insert(id.to_owned(), (symbol, Arc::clone(&entry)));
        Some((symbol, entry))
    }

    /// What a type needs, itself left out.
    pub(super) fn known_needs(&self, symbol: Symbol) -> Arc<[Need]> {
        let mut memo = self.window_memo.borrow_mut();
        if let Some(known) = memo.at(self.code.revision).needs.get(&symbol) {
            return Arc::clone(known);
        }
        drop(memo);
        let needs: Arc<[Need]> = needs(&self.code, symbol).into();
        let mut memo = self.window_memo.borrow_mut();
        memo.needs.insert(symbol, Arc::clone(&needs));
        needs
    }
}
