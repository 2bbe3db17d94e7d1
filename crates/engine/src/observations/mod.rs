//! Observations: requests to the stores in `.context/memory/` (SPEC OB1).

pub(crate) mod store;
pub(crate) mod successors;
