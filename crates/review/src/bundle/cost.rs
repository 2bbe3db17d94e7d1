//! What lines cost in characters of the JSON that is finally sent.

use codecortex_text::{gap_width, numbered};

use super::{BundleInput, Room};
use crate::evidence::Evidence;

/// Seldom are more lines left out at one place.
const LONG_GAP: u32 = 9_999;
/// What stands around the texts of an item, slim and whole.
const SLIM: usize = 62;
const WHOLE: usize = 360;

/// Characters of a text as JSON has it, without quotes.
pub(super) fn json(text: &str) -> usize {
    text.chars()
        .map(|c| match c {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
            c if (c as u32) < 0x20 => 6,
            _ => 1,
        })
        .sum()
}

/// A line as it stands in its file.
pub(super) fn source_line(evidence: &Evidence, path: &str, number: u32) -> String {
    evidence.lines.line(path, number).to_owned()
}

/// Whether there is nothing in a line.
pub(super) fn is_blank(evidence: &Evidence, path: &str, line: u32) -> bool {
    evidence.lines.line(path, line).trim().is_empty()
}

/// A line as [`numbered`] shows it, with its number and its end.
pub(super) fn line(evidence: &Evidence, path: &str, line: u32) -> usize {
    let text = evidence.lines.line(path, line);
    json(&numbered([(line, text)]))
}

/// The line that stands for those left out in front of a shown one: nothing where the one before is shown, the blank
/// line itself where one stands alone between them.
pub(super) fn gap_before(
    line: u32,
    is_shown: impl Fn(u32) -> bool,
    is_blank: impl Fn(u32) -> bool,
) -> usize {
    if line > 1 && is_shown(line - 1) {
        0
    } else if line > 2 && is_blank(line - 1) && is_shown(line - 2) {
        json(&numbered([(line - 1, "")]))
    } else {
        gap()
    }
}

/// A line that stands for those left out, with its end as JSON has it.
pub(super) fn gap() -> usize {
    gap_width(LONG_GAP) + 1
}

/// What the first line of a file costs beside itself: its own entry, or a key in the item of its unit.
pub(super) fn file(path: &str, is_own: bool) -> usize {
    match is_own {
        true => 23,
        false => json(path) + 44,
    }
}

/// What an item costs beside its texts.
pub(super) fn item(wanted: &BundleInput<'_>, unit: usize, is_tight: bool) -> usize {
    let path = json(&wanted.units[unit].file_of(wanted.change).path);
    match is_tight {
        true => SLIM + path,
        false => {
            let unit_tags: usize = wanted.units[unit]
                .verdict
                .tags
                .iter()
                .map(|tag| tag.len() + 3)
                .sum();
            let (new, old) = wanted.units[unit].line_numbers(wanted.change);
            let requests = wanted.fused[unit].requests.iter();
            let requests: usize = requests
                .map(|request| 45 + request.details.as_deref().map_or(0, json))
                .sum();
            WHOLE + 2 * path + unit_tags + 2 * new.len() + old.len() + requests
        }
    }
}

/// Whether there is no room for more of each unit than its path and diff.
pub(super) fn is_tight(wanted: &BundleInput<'_>, order: &[usize], room: Room) -> bool {
    let around: usize = order.iter().map(|unit| item(wanted, *unit, false)).sum();
    around * 16 > room.characters
}
