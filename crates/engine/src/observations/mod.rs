//! Observations: what stores in `.context/memory/` were asked, and how what they say is judged by the code (SPEC OB1, X7).

pub(crate) mod anchors;
pub(crate) mod settings;
pub(crate) mod store;
pub(crate) mod successors;
