//! A ranking as one list of declarations, for a search that shows no files (SPEC S4).

use rustc_hash::FxHashMap;

use crate::document::DeclarationClass;
use crate::index::{FileNo, Index};
use crate::query::NamedPlace;
use crate::rank::{Ranked, Ranking};

/// What is known of a file of the list.
#[derive(Default)]
struct FileShares {
    /// Sum of the shares of its declarations.
    all: f32,
    /// The largest share of those that can be listed.
    best: f32,
    /// Whether one of these has a word of the question.
    has_words: bool,
}

impl Ranking {
    /// The declarations that have words of the question, of a file that has them elsewhere its best one; at most so many.
    /// Files come in the order of the ranking: each is begun by its best declaration, the others follow as far behind as
    /// they are less likely.
    #[must_use]
    pub fn declarations(&self, index: &Index, most: usize) -> Vec<NamedPlace> {
        let mut files: FxHashMap<FileNo, FileShares> = FxHashMap::default();
        for item in &self.items {
            let shares = files.entry(item.file).or_default();
            shares.all += item.share;
            if is_listed(index, item) {
                shares.best = shares.best.max(item.share);
                shares.has_words |= item.has_words;
            }
        }
        let listed = self.items.iter().filter(|item| is_listed(index, item));
        let mut listed: Vec<(f32, &Ranked)> = listed
            .filter_map(|item| {
                let shares = files.get(&item.file)?;
                let is_best = item.share >= shares.best;
                let is_shown = item.has_words || !shares.has_words && is_best;
                let part = item.share / shares.best.max(f32::MIN_POSITIVE);
                is_shown.then_some((shares.all * part, item))
            })
            .collect();
        // Equal ones stay in the order of the ranking.
        listed.sort_by(|a, b| b.0.total_cmp(&a.0));
        listed.truncate(most);
        let places = listed.into_iter().filter_map(|(_, item)| {
            let entry = index.file(item.file)?;
            Some(NamedPlace {
                path: entry.path.to_string(),
                name_at: entry.declared.get(item.declaration as usize)?.name_at,
            })
        });
        places.collect()
    }
}

/// Whether a declaration has a name to be listed by.
fn is_listed(index: &Index, item: &Ranked) -> bool {
    let entry = index.file(item.file);
    entry.is_some_and(|entry| {
        let declared = entry.declared.get(item.declaration as usize);
        declared.is_some_and(|of| of.kind != DeclarationClass::File)
            && !entry.name(item.declaration).is_empty()
    })
}
