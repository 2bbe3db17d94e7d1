//! How tests compare what is parsed with what is written.

use crate::Language;
use crate::parse::parse;
use crate::preprocess::preprocess;

/// What is read of a text with white space collapsed; the grammar knows all of it.
pub(super) fn check(text: &str, expected: &str) {
    let out = preprocess(Language::CSharp, text);
    assert_eq!(out.len(), text.len());
    assert_eq!(
        out.split_whitespace().collect::<Vec<_>>().join(" "),
        expected
    );
    let tree = parse(Language::CSharp, &out, None).expect("a tree");
    assert!(!tree.root_node().has_error(), "{expected}");
}
