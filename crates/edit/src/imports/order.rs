//! The order in which a file has its imports, found in the file itself.

use crate::imports::blocks::{ImportBlock, ImportStatement};

/// A way to compare imports.
type ImportKey = fn(&ImportStatement) -> (u8, String);

/// The orders that are in use. Of two that fit as well the first counts: whole modules before names of modules.
const ORDERS: [ImportKey; 6] = [
    |of| (u8::from(of.has_names), of.module.clone()),
    |of| (u8::from(of.has_names), of.module.to_lowercase()),
    |of| (0, of.module.clone()),
    |of| (0, of.module.to_lowercase()),
    |of| (nearness(&of.module), of.module.to_lowercase()),
    |of| (0, of.text.clone()),
];

/// A file with an order may have one of so many neighbours the other way round.
const MAX_EXCEPTIONS: usize = 4;

/// The order of a file.
pub(super) struct ImportOrder(ImportKey);

impl ImportOrder {
    /// The order that the blocks have with the fewest exceptions; none where none has few.
    pub(super) fn found_in(blocks: &[ImportBlock]) -> Option<Self> {
        let neighbours = || blocks.iter().flat_map(|block| block.statements.windows(2));
        let exceptions = |key: &ImportKey| {
            let is_wrong = |pair: &&[ImportStatement]| key(&pair[0]) > key(&pair[1]);
            neighbours().filter(is_wrong).count()
        };
        let count = neighbours().count();
        let best = ORDERS.into_iter().min_by_key(exceptions)?;
        (exceptions(&best) * MAX_EXCEPTIONS <= count).then_some(Self(best))
    }

    /// Sorts the statements of a block.
    pub(super) fn sort(&self, statements: &mut [ImportStatement]) {
        statements.sort_by_cached_key(self.0);
    }
}

/// Packages, then files above, then files beside and below.
fn nearness(module: &str) -> u8 {
    match module {
        of if of.starts_with("..") => 1,
        of if of.starts_with('.') => 2,
        _ => 0,
    }
}
