//! A block between marks, in a text that a person writes too.

use std::ops::Range;

use super::{DocumentError, line_end};

/// The line that a block begins with.
pub const MARK_BEGIN: &str = "<!-- codecortex:begin -->";
/// The line that a block ends with.
pub const MARK_END: &str = "<!-- codecortex:end -->";

/// A block with its marks, as lines that end as those of `like`.
pub(crate) fn wrapped(body: &str, like: &str) -> String {
    let block = format!("{MARK_BEGIN}\n{}\n{MARK_END}", body.trim_end());
    block.replace('\n', line_end(like))
}

/// The block of a text with its marks; none where there is none.
pub(crate) fn block_of(text: &str) -> Result<Option<&str>, DocumentError> {
    Ok(place(text)?.map(|range| &text[range]))
}

fn place(text: &str) -> Result<Option<Range<usize>>, DocumentError> {
    let places = |mark: &str| {
        text.match_indices(mark)
            .map(|(at, _)| at)
            .collect::<Vec<_>>()
    };
    match (places(MARK_BEGIN).as_slice(), places(MARK_END).as_slice()) {
        ([], []) => Ok(None),
        ([begin], [end]) if begin < end => Ok(Some(*begin..end + MARK_END.len())),
        _ => Err(DocumentError::shape(
            "the marks of the CodeCortex block are not one pair",
        )),
    }
}

/// The text with a block behind it, an empty line between.
pub(crate) fn insert_block(text: &str, block: &str) -> String {
    let end = line_end(text);
    let gap = match text {
        "" => String::new(),
        _ if text.ends_with("\n\n") || text.ends_with("\n\r\n") => String::new(),
        _ if text.ends_with('\n') => end.to_owned(),
        _ => end.repeat(2),
    };
    format!("{text}{gap}{block}{end}")
}

/// The text without its block, its line end and the empty line before it.
pub(crate) fn remove_block(text: &str) -> Result<String, DocumentError> {
    let Some(range) = place(text)? else {
        return Ok(text.to_owned());
    };
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let after = after.strip_prefix('\r').unwrap_or(after);
    let after = after.strip_prefix('\n').unwrap_or(after);
    let before = match before {
        _ if before.ends_with("\n\r\n") => &before[..before.len() - 2],
        _ if before.ends_with("\n\n") => &before[..before.len() - 1],
        _ => before,
    };
    Ok(format!("{before}{after}"))
}
