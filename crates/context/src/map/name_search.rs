//! Declarations whose names, or else whose texts, have words that somebody searched for (SPEC S4).

use std::cell::RefCell;

use codecortex_analysis::AnalysisView;
use codecortex_index::Symbol;
use codecortex_protocol::Failure;

use super::{PARAMS, RepoMap, file_at, read_words};

/// At most so many declarations for some words, the best first: by how much of their names is said, then by what else
/// is written in them. The call waits until the words of all files were read.
///
/// # Errors
/// `Failure::Waits` for texts.
pub fn named(
    view: &AnalysisView<'_>,
    map: &RefCell<RepoMap>,
    words: &str,
    most: usize,
) -> Result<Vec<Symbol>, Failure> {
    read_words(view, map)?;
    let found = map.borrow().index.search(words, most, &PARAMS);
    let symbols = found.iter().filter_map(|named| {
        let file = file_at(view, &named.path)?;
        let mut items = view.index.file(file)?.facts.items.iter();
        let item = items.position(|item| item.name_byte == named.name_at)?;
        Some(Symbol {
            file,
            item: item as u32,
        })
    });
    Ok(symbols.collect())
}
