//! Declarations that are not in the workspace, read from files that describe them; bytes in, facts out.
//!
//! A [`ExternalReader`] takes files of any of the known formats. What is no source of a language already is described in one
//! ([`type_description`]) and analysed as if somebody had written it, so that everything above knows one kind of facts. A part
//! that cannot be read costs that part and is named in [`External::problems`].

mod binds_cache;
mod circles;
mod csharp;
mod debug_database;
mod doc_headers;
mod documentation_id;
mod files;
mod format;
mod reader;
mod script;
pub mod standard_library;
mod type_description;
mod xml_documentation;

pub use files::{DeclarationOrigin, DescriptionOrigin, ExternalFile};
pub use format::{DescriptionFormat, format_of};
pub use reader::{External, ExternalReader};
