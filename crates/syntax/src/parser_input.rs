//! A text as it is parsed: preprocessed, and without what its grammar cannot decide about.

use std::borrow::Cow;

use crate::Language;
use crate::ambiguity::ambiguous_spans;
use crate::preprocess::{blank, preprocess};

/// `text` as its parser sees it, with blanks for what the grammar cannot know or not decide: same
/// length, same offsets.
#[must_use]
pub fn as_parsed(language: Language, text: &str) -> Cow<'_, str> {
    without_ambiguities(language, text).0
}

/// [`as_parsed`], and how many stretches of it the grammar could not decide about.
pub(crate) fn without_ambiguities(language: Language, text: &str) -> (Cow<'_, str>, u16) {
    let readable = preprocess(language, text);
    let spans = ambiguous_spans(language, &readable);
    if spans.is_empty() {
        return (readable, 0);
    }
    let blanked = blank(&readable, &spans).into_owned();
    (Cow::Owned(blanked), spans.len().min(u16::MAX.into()) as u16)
}
