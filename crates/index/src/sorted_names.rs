//! Names in their order, to find those that begin alike without looking at all of them.

use std::ops::Range;

use crate::names::NameTable;

/// So many names may come before all are sorted again; until then they are looked at one by one.
const MAX_NEW: usize = 4096;

/// Places of names in the table of names, in the order of the names. Names never leave that table, so
/// that what is sorted stays right.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortedNames {
    places: Vec<u32>,
}

impl SortedNames {
    /// The places of all names that begin with a prefix, and of names that came since, whatever they are.
    pub(crate) fn starting_with(
        &mut self,
        names: &NameTable,
        prefix: &str,
    ) -> (&[u32], Range<usize>) {
        if names.len() - self.places.len() > MAX_NEW || self.places.is_empty() {
            self.places = (0..names.len() as u32).collect();
            self.places
                .sort_unstable_by_key(|place| name(names, *place));
        }
        let start = self
            .places
            .partition_point(|place| name(names, *place) < prefix);
        let length =
            self.places[start..].partition_point(|place| name(names, *place).starts_with(prefix));
        let new = self.places.len()..names.len();
        (&self.places[start..start + length], new)
    }
}

fn name(names: &NameTable, place: u32) -> &str {
    names.text(place as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_that_begin_so_are_found(
            first in prop::collection::vec("[abä]{0,4}", 0..30),
            more in prop::collection::vec("[abä]{0,4}", 0..30),
            prefix in "[abä]{0,3}",
        ) {
            let mut names = NameTable::default();
            let mut sorted = SortedNames::default();
            for batch in [first, more] {
                for name in batch {
                    names.place_of(&name);
                }
                let (places, new) = sorted.starting_with(&names, &prefix);
                let places = places.iter().map(|place| *place as usize);
                let mut found: Vec<usize> = places
                    .chain(new)
                    .filter(|place| names.text(*place).starts_with(&*prefix))
                    .collect();
                found.sort_unstable();
                let wanted: Vec<usize> = (0..names.len())
                    .filter(|place| names.text(*place).starts_with(&*prefix))
                    .collect();
                prop_assert_eq!(found, wanted);
            }
        }
    }
}
