//! How tests compare what is parsed with what is written.

use crate::Language;
use crate::parse::parse;
use crate::preprocess::preprocess;

/// What is read of a part of a text that parses without errors afterwards; everything stays in its place.
pub(super) fn read_between(before: &str, part: &str, after: &str) -> String {
    let text = format!("{before}{part}{after}");
    let seen = preprocess(Language::CSharp, &text);
    assert_eq!(seen.len(), text.len());
    let tree = parse(Language::CSharp, &seen, None).unwrap();
    assert!(!tree.root_node().has_error(), "{seen}");
    seen[before.len()..seen.len() - after.len()].to_owned()
}

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
