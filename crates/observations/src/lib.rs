//! Observations and the code: the hashes of the symbols that an observation is about, what became of these symbols, and a
//! folder's settings for observations (SPEC OB1, X7). The store is `codecortex_memory`, which knows no code.

mod anchors;
mod settings;
mod successors;

pub use anchors::{anchor, former_names, since};
pub use settings::Settings;
pub use successors::{leads_to, search_words};
