//! Declarations that a search in words is about, as one list (SPEC S4).

use std::cell::RefCell;
use std::rc::Rc;

use codecortex_analysis::AnalysisView;
use codecortex_index::Symbol;
use codecortex_protocol::Failure;

use super::{RepoMap, ask, file_at};

/// At most so many declarations for some words, in the order in which a question's answer shows them. The call waits as
/// for a question.
///
/// # Errors
/// `Failure::Missing` for texts or the past.
pub fn declarations(
    view: &AnalysisView<'_>,
    map: &Rc<RefCell<RepoMap>>,
    words: &str,
    most: usize,
) -> Result<Vec<Symbol>, Failure> {
    let answers = ask(view, map, words, None)?;
    let places = answers.ranking.declarations(&map.borrow().index, most);
    let symbols = places.iter().filter_map(|place| {
        let file = file_at(view, &place.path)?;
        let mut items = view.index.file(file)?.facts.items.iter();
        let item = items.position(|item| item.name_byte == place.name_at)?;
        Some(Symbol {
            file,
            item: item as u32,
        })
    });
    Ok(symbols.collect())
}
