//! A text to a syntax tree.

use tree_sitter::Tree;

use crate::Language;
use crate::ambiguity::ambiguous_spans;
use crate::parser::parse_unambiguous;

/// Parses `text`, reusing `old` where it was edited to fit. `None` where this build has no grammar
/// for the language or it does not parse the text in bounded time.
#[must_use]
pub fn parse(language: Language, text: &str, old: Option<&Tree>) -> Option<Tree> {
    if ambiguous_spans(language, text).is_empty() {
        parse_unambiguous(language, text, old)
    } else {
        None
    }
}
