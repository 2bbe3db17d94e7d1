//! Bytes and a language in, facts out.

pub mod language;

pub use language::{LANGUAGES, Language, LanguageInfo, language_of_path};
