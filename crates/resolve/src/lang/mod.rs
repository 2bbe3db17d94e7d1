//! Languages: the rules that each of them has, and which there are.

mod angelscript;
mod by_name;
mod cpp;
mod csharp;
mod go;
mod java;
mod python;
mod registry;
mod rules;
mod rust;
mod typescript;

pub use registry::LANGUAGES;
pub use rules::Languages;
pub(crate) use rules::{
    ClassScope, InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules, Relates,
};
