//! A file's bindings beside its facts: made of the same tree, in the same pass over the files.

use codecortex_bind::{Bindings, Dialect, bind_masked};
use tree_sitter::Tree;

use crate::Language;
use crate::facts::Facts;
use crate::spec::Spec;
use crate::uses::named;

/// The rules of names that a language follows.
#[must_use]
pub fn dialect(language: Language) -> Dialect {
    match language {
        Language::CSharp => Dialect::CSharp,
        Language::TypeScript | Language::Tsx => Dialect::TypeScript,
        Language::JavaScript => Dialect::JavaScript,
        Language::Python => Dialect::Python,
        Language::Rust => Dialect::Rust,
        Language::Go => Dialect::Go,
        Language::Java => Dialect::Java,
        Language::C => Dialect::C,
        Language::Cpp => Dialect::Cpp,
        Language::AngelScript => Dialect::AngelScript,
        other => Dialect::Named(other as u8),
    }
}

/// The bindings of a text whose tree is at hand, of which `facts` are made; `readable` is the
/// preprocessed text.
pub(crate) fn bound(
    spec: &Spec,
    text: &str,
    readable: &str,
    tree: &Tree,
    facts: &Facts,
) -> Bindings {
    let dialect = dialect(spec.language);
    match dialect.is_resolved() {
        true => bind_masked(dialect, text, readable, tree),
        false => named(spec, text, tree, facts),
    }
}
