//! The archives that are part of the program.

use codecortex_syntax::Language;

/// The archive of a language.
pub(super) fn archive_bytes(language: Language) -> Option<&'static [u8]> {
    match language {
        Language::Java => Some(include_bytes!("../../data/java.stdlib")),
        Language::Python => Some(include_bytes!("../../data/python.stdlib")),
        Language::CSharp => Some(include_bytes!("../../data/csharp.stdlib")),
        Language::Go => Some(include_bytes!("../../data/go.stdlib")),
        Language::Rust => Some(include_bytes!("../../data/rust.stdlib")),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            Some(include_bytes!("../../data/typescript.stdlib"))
        }
        _ => None,
    }
}
