//! Bytes blanked out of a text, and the lines around them.

use std::borrow::Cow;
use std::ops::Range;

/// The lines that some bytes are in, without the last one's end.
pub(super) fn lines_around(text: &str, bytes: Range<usize>) -> Range<usize> {
    let (before, behind) = (
        &text.as_bytes()[..bytes.start],
        &text.as_bytes()[bytes.end..],
    );
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', behind).map_or(text.len(), |at| bytes.end + at);
    start..end
}

/// `text` with the bytes of `ranges` as spaces; line breaks stay.
pub(crate) fn blank<'a>(text: &'a str, ranges: &[Range<usize>]) -> Cow<'a, str> {
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        for byte in bytes.get_mut(range.clone()).unwrap_or_default() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    // Whole characters were replaced, so it is still UTF-8; if not, the text is left as it was.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}
