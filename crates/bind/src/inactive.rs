//! What stands in arms of conditions that are left out: it comes after the rest.

use crate::facts::{Def, flag};

/// Marks what is defined in stretches of a file, given by their first byte and end, each behind or around others.
pub(crate) fn mark(stretches: &mut Vec<(u32, u32)>, defs: &mut [Def]) {
    if stretches.is_empty() {
        return;
    }
    stretches.sort_unstable();
    let mut outer: Vec<(u32, u32)> = Vec::new();
    for (start, end) in stretches.drain(..) {
        if outer.last().is_none_or(|(_, last)| *last <= start) {
            outer.push((start, end));
        }
    }
    for def in defs {
        let before = outer.partition_point(|(start, _)| *start <= def.start);
        let within = before.checked_sub(1).and_then(|arm| outer.get(arm));
        if within.is_some_and(|(_, end)| def.start < *end) {
            def.flags |= flag::INACTIVE;
        }
    }
}
