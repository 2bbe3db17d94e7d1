//! The one place that names every language: which rules a file's dialect has.

use codecortex_bind::Dialect;

use super::rules::{InferRules, LanguageRules, Languages, MemberRules, ModuleRules, OverloadRules};
use super::{angelscript, by_name, cpp, csharp, go, java, python, rust, typescript};
use crate::workspace::Workspace;

/// All languages that there are.
pub static LANGUAGES: Languages = Languages {
    rules_of,
    with_words: &[
        &python::PythonRules,
        &go::GoRules,
        &rust::Rust,
        &java::Java,
        &csharp::CSharp,
        &typescript::TypeScriptRules,
        &angelscript::AngelScript,
    ],
};

impl Default for Workspace {
    /// An empty workspace for files of all languages.
    fn default() -> Self {
        Self::new(&LANGUAGES)
    }
}

/// A file that is not there.
#[derive(Debug)]
struct NoLanguage;

impl LanguageRules for NoLanguage {
    fn family(&self) -> u8 {
        u8::MAX
    }
}

impl ModuleRules for NoLanguage {}

impl MemberRules for NoLanguage {}

impl OverloadRules for NoLanguage {}

impl InferRules for NoLanguage {}

fn rules_of(dialect: Option<Dialect>) -> &'static dyn LanguageRules {
    match dialect {
        Some(Dialect::TypeScript | Dialect::JavaScript) => &typescript::TypeScriptRules,
        Some(Dialect::C | Dialect::Cpp) => &cpp::Cpp,
        Some(Dialect::Go) => &go::GoRules,
        Some(Dialect::Python) => &python::PythonRules,
        Some(Dialect::CSharp) => &csharp::CSharp,
        Some(Dialect::Java) => &java::Java,
        Some(Dialect::Rust) => &rust::Rust,
        Some(Dialect::AngelScript) => &angelscript::AngelScript,
        Some(Dialect::Named(language)) => by_name::rules_of_number(language),
        None => &NoLanguage,
    }
}
