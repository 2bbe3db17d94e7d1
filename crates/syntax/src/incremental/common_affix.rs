//! The common prefix and suffix of two runs of items, one from before and one from now.

use crate::facts::ItemIndex;

/// How many items at the beginning of two runs of these lengths are the same, at most so many, and how many at their
/// ends. `is_same` is asked of two places and how many of the first are the same for sure.
pub(super) fn common_affix(
    (old, new): (usize, usize),
    most: usize,
    is_same: impl Fn(usize, usize, usize) -> bool,
) -> (usize, usize) {
    let first = (0..most).take_while(|at| is_same(*at, *at, most)).count();
    let is_same_behind = |back: &usize| is_same(old - back, new - back, first);
    let behind = (1..=most - first).take_while(is_same_behind).count();
    (first, behind)
}

/// Whether what holds two items is the same: one of the items before `first`, which have the same number in both, or one
/// that stands as far before each of the two.
pub(super) fn have_same_holder(
    parents: (Option<ItemIndex>, Option<ItemIndex>),
    (old, new): (usize, usize),
    first: usize,
) -> bool {
    let (Some(a), Some(b)) = parents else {
        return parents.0 == parents.1;
    };
    let (a, b) = (a as usize, b as usize);
    let are_mirrored = a >= first && b >= first && old - a == new - b;
    a == b && a < first || are_mirrored
}
