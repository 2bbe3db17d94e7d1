//! What the window needs, from its memory or made for it.

use std::sync::Arc;

use codecortex_analysis::artefacts::needs::{Need, needs};
use codecortex_index::Symbol;
use rustc_hash::FxHashMap;

use crate::sources::Sources;
use crate::window::candidate::WindowCandidate;
use crate::window::detail_levels::levels;
use crate::window::memo::MAX_LADDERS;
use crate::window::piece_levels::DetailLevels;
use crate::window::state::PinEntry;
use crate::window::symbols::type_by_id;

/// The forms of a piece.
pub fn known_levels(sources: &Sources<'_>, candidate: &WindowCandidate) -> Arc<DetailLevels> {
    let key = (candidate.root, Arc::clone(&candidate.entry));
    let mut memo = sources.context.memo.borrow_mut();
    let known = memo.at(sources.code.revision()).detail_levels.get(&key);
    if let Some(known) = known.filter(|known| !(known.is_unsaved && sources.saved_only)) {
        return Arc::clone(known);
    }
    drop(memo);
    let levels = Arc::new(levels(sources, candidate));
    if !levels.missing.is_empty() || levels.is_unsaved && sources.saved_only {
        return levels; // it is another one when the text is here, or for a call
    }
    let mut memo = sources.context.memo.borrow_mut();
    if memo.detail_levels.len() >= MAX_LADDERS {
        memo.detail_levels.clear();
    }
    memo.detail_levels.insert(key, Arc::clone(&levels));
    levels
}

/// A type by its id, with what the window calls it.
pub fn known_type(sources: &Sources<'_>, root: u32, id: &str) -> Option<(Symbol, Arc<PinEntry>)> {
    let mut memo = sources.context.memo.borrow_mut();
    let known = memo.at(sources.code.revision()).types.get(root as usize);
    if let Some((symbol, entry)) = known.and_then(|known| known.get(id)) {
        return Some((*symbol, Arc::clone(entry)));
    }
    drop(memo);
    let symbol = type_by_id(sources, root, id)?;
    let entry = Arc::new(PinEntry {
        id: id.to_owned(),
        path: sources.code.index().path_of(symbol),
        since: 0,
    });
    let mut memo = sources.context.memo.borrow_mut();
    let roots = memo.types.len().max(root as usize + 1);
    memo.types.resize_with(roots, FxHashMap::default);
    memo.types[root as usize].insert(id.to_owned(), (symbol, Arc::clone(&entry)));
    Some((symbol, entry))
}

/// What a type needs, itself left out.
pub fn known_needs(sources: &Sources<'_>, symbol: Symbol) -> Arc<[Need]> {
    let mut memo = sources.context.memo.borrow_mut();
    if let Some(known) = memo.at(sources.code.revision()).needs.get(&symbol) {
        return Arc::clone(known);
    }
    drop(memo);
    let needs: Arc<[Need]> = needs(sources.code, symbol).into();
    let mut memo = sources.context.memo.borrow_mut();
    memo.needs.insert(symbol, Arc::clone(&needs));
    needs
}
