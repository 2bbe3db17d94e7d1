//! What a change cannot be understood without, found with the resolver and ranked (SPEC RV2, R5).
//!
//! Every piece is lines of one file with the reason why they are shown. What a diff shows is in no piece. Pieces of a part
//! are in the order of their worth; how much room each part gets is the bundle's business.

mod broken_uses;
mod documents;
mod enclosing_declarations;
mod evidence_lines;
mod facts;
mod keys;
mod lines;
mod mentions;
mod names;
mod namesakes;
mod nearby_names;
mod remaining_meanings;
mod request_lookup;
mod search;
mod siblings;
mod test_coverage;
mod uses;

use std::cell::Ref;
use std::collections::BTreeSet;

use codecortex_analysis::AnalysisView;
use codecortex_analysis::reference_index::ReferenceIndex;
use codecortex_protocol::Failure;
use codecortex_resolve::{FileNo, Resolver};

pub use evidence_lines::{EvidenceLines, EvidenceReason};
pub use facts::{Broken, Cause, Evidence, Gone, Misfits, UsesOfChanged};
pub(crate) use lines::LEAST_CONTEXT;
pub use lines::{DiffLines, FileLines};
pub use request_lookup::Looked;
pub(crate) use request_lookup::{MAX_ASKED, Wish, look_up};
use search::EvidenceSearch;

use crate::change::ReviewedChange;
use crate::unit::ReviewUnit;

/// Looks for what a change cannot be understood without. The call waits for the texts of files.
///
/// # Errors
/// `Failure::Missing` for texts.
pub fn gather(
    view: &AnalysisView<'_>,
    root: u32,
    change: &ReviewedChange,
    units: &[ReviewUnit],
) -> Result<Evidence, Failure> {
    let breaks = broken_uses::find(view, root, change, units);
    let names: Ref<'_, ReferenceIndex> = view.names();
    let query = Resolver::new(names.workspace());
    let search = EvidenceSearch::new(view, root, (change, units), &query);
    let used = uses::find(&search);
    let changed = names::changed_names(&search);
    let mut meant = names::find(&search, &changed, &used.gone);
    meant.extend(namesakes::find(&search, &changed, &meant));
    meant.extend(nearby_names::find(&search, &meant));
    let mentions = mentions::find(&search, &used);
    let words = siblings::Words::new(&search);
    let near = siblings::candidates(&search);
    let mut files: BTreeSet<FileNo> = near.iter().map(|file| file.0).collect();
    files.extend(used.files());
    files.extend(breaks.files());
    files.extend(meant.iter().map(|meant| meant.symbol.file.0));
    files.extend(
        mentions
            .iter()
            .flat_map(|of| &of.uses)
            .map(|used| used.file),
    );
    let is_other = |file: &FileNo| {
        let changed = search.changed.get(file);
        changed.is_none_or(|at| search.change.files[*at].new.is_none())
    };
    let read = view.need_texts(files.iter().copied().filter(is_other));
    let mut documents = both(read, documents::find(&search, &used.sought))?;

    let mut found = Evidence {
        lines: FileLines::new(&search, &files),
        ..Evidence::default()
    };
    documents.add(&mut found);
    enclosing_declarations::add(&search, &mut found);
    names::add(&search, meant, &mut found);
    mentions::add(&search, mentions, &mut found);
    uses::add(&search, used, &documents, &mut found);
    breaks.add(&search, &mut found);
    siblings::add(&search, &words, &near, &mut found);
    found.sort();
    Ok(found)
}

/// What is there where nothing is waited for, else all that is.
fn both<T>(first: Result<(), Failure>, second: Result<T, Failure>) -> Result<T, Failure> {
    use codecortex_protocol::Missing::Texts;
    match (first, second) {
        (Ok(()), second) => second,
        (Err(Failure::Missing(Texts(mut a))), Err(Failure::Missing(Texts(b)))) => {
            a.extend(b);
            Err(Failure::Missing(Texts(a)))
        }
        (Err(first), _) => Err(first),
    }
}
