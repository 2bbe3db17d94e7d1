//! What lines cost in characters of the JSON that is finally sent.

use super::{BundleInput, Room};
use crate::evidence::Evidence;

/// Longer lines are cut.
const MAX_LINE: usize = 240;
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

/// A line as a bundle shows it: a space for each level of indentation, cut where it is very long.
pub(super) fn shown_line(evidence: &Evidence, path: &str, number: u32) -> String {
    compact(evidence.lines.line(path, number))
}

pub(super) fn compact(line: &str) -> String {
    let body = line.trim_start();
    let indent = &line[..line.len() - body.len()];
    let tabs = indent.matches('\t').count();
    let spaces = indent.len() - tabs;
    let levels = tabs + spaces.div_ceil(4);
    let mut shown = " ".repeat(levels.min(40));
    match body.char_indices().nth(MAX_LINE) {
        Some((cut, _)) => {
            shown.push_str(&body[..cut]);
            shown.push('…');
        }
        None => shown.push_str(body),
    }
    shown
}

/// Whether there is nothing in a line.
pub(super) fn is_blank(evidence: &Evidence, path: &str, line: u32) -> bool {
    evidence.lines.line(path, line).trim().is_empty()
}

/// A line with its end.
pub(super) fn line(evidence: &Evidence, path: &str, line: u32) -> usize {
    json(&shown_line(evidence, path, line)) + 2
}

/// What stands in front of a line: nothing where the one before is shown, a blank line that stands alone between them, else
/// its number.
pub(super) fn beginning(
    line: u32,
    is_shown: impl Fn(u32) -> bool,
    is_blank: impl Fn(u32) -> bool,
) -> usize {
    const BLANK: usize = 2;
    if line > 1 && is_shown(line - 1) {
        0
    } else if line > 2 && is_blank(line - 1) && is_shown(line - 2) {
        BLANK
    } else {
        line.checked_ilog10().unwrap_or(0) as usize + 3
    }
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
