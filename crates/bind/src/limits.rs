//! How far a walk goes.

/// Deeper than this nothing is looked at: no person nests so deep, and stacks end.
pub(crate) const DEEPEST: u32 = 250;
