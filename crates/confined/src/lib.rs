//! Files below one folder, no link followed at any level, and the lock of processes that write there (SPEC D3, D17).
//!
//! What is in a workspace's `.context/` comes with a repository and may be made to lead elsewhere: a link, a pipe, a
//! device. So every file there is opened relative to a handle of its folder, level by level, and what is no regular
//! file is never opened. A path is text with `/` between its parts; `..` is no part.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "this crate is the part of a host that opens files"
)]

mod entry_info;
mod folder;
mod lock;
mod owner;
mod partial_files;

pub use entry_info::{EntryInfo, FolderEntryKind, Refused};
pub use folder::ConfinedFolder;
pub use lock::{Lock, LockError, LockGuard};
pub use partial_files::Whose;
