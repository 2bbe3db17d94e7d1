//! The disk: listing, reading, watching, cache files. The only library that does I/O.
//!
//! [`HostWorkspace`] drives an engine on the caller's thread, for a command that asks once or a batch
//! that asks in turn. [`Service`] drives one on a thread of its own, for servers.

mod abandon;
pub mod allocator;
mod cache_file;
mod cancellation;
mod clock;
mod context_folder;
mod context_trust;
mod disk;
mod edit_files;
mod fault;
mod folder_listings;
pub mod git;
mod git_diff;
mod git_ignores;
mod git_log;
mod git_requests;
#[cfg(debug_assertions)]
mod hanging_grammar;
mod model;
mod observations;
mod open_documents;
mod personal_settings;
mod roots;
mod service;
mod stats;
mod supervisor;
mod telemetry_log;
mod watcher;
mod watching;
mod workers;
mod workspace;

pub use cache_file::{cache_folder, state_folder};
pub use clock::peak_memory;
pub use fault::log_panics;
#[cfg(debug_assertions)]
pub use hanging_grammar::break_as_told;
pub use model::{ModelAddress, ModelClient, default_slots};
pub use personal_settings::{PersonalError, change_personal, personal_file, read_personal};
pub use roots::{RootError, RootProblem, resolve_roots};
pub use service::{CallHandle, Service, no_state};
pub use stats::{Stats, ms};
pub use workspace::{
    HostWorkspace, OpenCall, Options, StateListener, error_answer, internal_error,
};
