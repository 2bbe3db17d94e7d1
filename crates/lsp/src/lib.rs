//! The Language Server Protocol (SPEC RPC1, UX1): requests of an editor in, calls of tools out, and their answers back.
//!
//! It holds no workspace, reads no disk and knows no stream: [`Tools`] calls the engine and reads a file's text for the
//! conversion of positions, and who holds a stream hands messages in. A [`World`] is what the client told: its folders,
//! its open documents, what it can do.

mod actions;
mod answers;
mod call_hierarchy;
mod capabilities;
mod client;
mod completion;
mod diagnostics;
mod documents;
mod edits;
mod encoding;
mod error;
mod folders;
mod hover;
mod kinds;
mod languages;
mod navigation;
mod question;
mod rename;
mod requests;
mod symbols;
mod tokens;
mod type_hierarchy;
mod uri;
mod world;

pub use capabilities::{registrations, server_capabilities};
pub use client::Client;
pub use documents::{DocumentChange, Documents};
pub use encoding::PositionEncoding;
pub use error::{LspError, ToolFailure};
pub use folders::Folders;
pub use languages::{Languages, UnknownLanguage};
pub use question::Tools;
pub use requests::answer;
pub use uri::{file_path_of, path_of_uri};
pub use world::World;
