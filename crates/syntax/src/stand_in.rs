//! A grammar that does not come to an end, in the place of a language's, for tests of what ends it.
//!
//! `crates/grammars/tree-sitter-hanging` says at which marks its scanner loops, and how. It is the scanner of a grammar
//! as any other: called through [`crate::scanner_bounds`], which ends what asks the lexer, and run by
//! [`crate::parse_host`], for what asks nobody.

use std::sync::OnceLock;

use crate::Language;

static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// Has every text of a language parsed by the grammar that does not come to an end. Only before its first text is
/// parsed, and once; false where it stands in for another one, and where this build does not have it.
pub fn stand_in_for(language: Language) -> bool {
    cfg!(feature = "hanging") && *LANGUAGE.get_or_init(|| language) == language
}

#[cfg(feature = "hanging")]
fn stands_in_for(language: Language) -> bool {
    LANGUAGE.get() == Some(&language)
}

#[cfg(feature = "hanging")]
pub(crate) fn grammar_of(language: Language) -> Option<tree_sitter::Language> {
    stands_in_for(language).then(|| tree_sitter_hanging::LANGUAGE.into())
}

#[cfg(feature = "hanging")]
pub(crate) fn rules_of(language: Language) -> Option<&'static str> {
    stands_in_for(language).then_some(tree_sitter_hanging::RULES)
}
