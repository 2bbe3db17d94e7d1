//! Plans that are applied to a home folder.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bytes;
mod fixtures;
mod homes;
mod hooks;
#[cfg(unix)]
mod links;
mod support;
