//! What the window asked for in one state of the index. Status bar, view, file and tools ask for the window one
//! after the other, and most of its cost is what types need and how their outlines read.

use std::sync::Arc;

use codecortex_analysis::artefacts::needs::Need;
use codecortex_index::Symbol;
use rustc_hash::FxHashMap;

use crate::window::piece_levels::DetailLevels;
use crate::window::state::PinEntry;

/// Forms of more pieces than this are not kept: a window has some hundreds.
pub const MAX_LADDERS: usize = 2_048;

/// What is known for one revision of the index.
#[derive(Debug, Default)]
pub struct Memo {
    /// Of the index.
    pub revision: u32,
    /// Forms of pieces, by root and entry.
    pub detail_levels: FxHashMap<(u32, Arc<PinEntry>), Arc<DetailLevels>>,
    /// What types need.
    pub needs: FxHashMap<Symbol, Arc<[Need]>>,
    /// Types by their ids, a map for each root; hashing paths to compare ids is dear.
    pub types: Vec<FxHashMap<String, (Symbol, Arc<PinEntry>)>>,
}

impl Memo {
    /// The memory of this revision; what it knows of another one is forgotten.
    pub fn at(&mut self, revision: u32) -> &mut Self {
        if self.revision != revision {
            *self = Self {
                revision,
                ..Self::default()
            };
        }
        self
    }

    /// Semantic texts changed, which are part of forms.
    pub fn forget_forms(&mut self) {
        self.detail_levels.clear();
    }
}
