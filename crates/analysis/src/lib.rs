//! Which files there are, what is known of each, and one consistent view of it. It answers in plain values and knows
//! no tool.

pub mod access;
pub mod analysis;
pub mod artefacts;
pub mod asks;
pub mod cache;
pub mod changes;
pub mod disk_text;
pub mod documents;
pub mod external;
pub mod folder_config;
pub mod found_file;
pub mod generated;
pub mod ingest;
pub mod joined_names;
pub mod memory_limit;
pub mod module_hints;
pub mod other_states;
pub mod outside;
pub mod place;
pub mod preview;
pub mod projects;
pub mod read_outside;
pub mod reference_index;
pub mod subject;
pub mod symbols;
pub mod texts;
pub mod view;
pub mod warm_start;
pub mod words;
pub mod workspace;

pub use analysis::Analysis;
pub use view::View;
