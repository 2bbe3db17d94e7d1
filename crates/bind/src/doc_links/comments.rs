//! Finds the documentation before a declaration.

use std::ops::Range;

/// A comment that is longer is not read.
const LONGEST: usize = 32 * 1024;
/// How far behind the start of its line something is that has documentation.
const FARTHEST: usize = 256;

/// The bytes of the documentation that ends right before `start`: a block, or lines that begin with `///`.
pub(super) fn comment_before(text: &str, start: usize) -> Option<Range<usize>> {
    let before = text.get(..start)?.trim_end();
    let floor = before.floor_char_boundary(before.len().saturating_sub(LONGEST));
    if let Some(block) = before[floor..].strip_suffix("*/") {
        let at = floor + block.rfind("/*")?;
        // `/**/` is none.
        let is_documentation = before[at..before.len() - 2].starts_with("/**");
        return is_documentation.then(|| at + 3..before.len() - 2);
    }
    let mut first = None;
    let mut end = before.len();
    loop {
        let line = before[floor..end]
            .rfind('\n')
            .map_or(floor, |at| floor + at + 1);
        if !before[line..end].trim_start().starts_with("///") {
            break;
        }
        first = Some(line);
        end = line.saturating_sub(1);
        if line <= floor {
            break;
        }
    }
    first.map(|first| first..before.len())
}

/// The bytes of the documentation before `start`. Words may stand between: `export default abstract`.
pub(super) fn comment_before_modifiers(text: &str, start: usize) -> Option<Range<usize>> {
    let before = text.get(..start)?;
    let floor = before.floor_char_boundary(start.saturating_sub(FARTHEST));
    let modifiers = |c: char| c.is_ascii_lowercase() || matches!(c, ' ' | '\t');
    let rest = before[floor..].trim_end_matches(modifiers).len();
    let end = floor + rest;
    // What is left of a line that has something else on it is no documentation of this.
    let is_right_before = before[..end].trim_end().ends_with("*/");
    is_right_before.then(|| comment_before(text, end))?
}
