//! The declarations that a change touches, whole: what the diff does not show of them.

use codecortex_syntax::{Facts, Item};

use super::{Evidence, Part, Piece, Search};
use crate::diff::Run;
use crate::source::{name_line, span};
use crate::touched::Touched;

/// A declaration of so many lines is shown whole, of a longer one its head and the lines around the change.
const WHOLE: u32 = 60;
/// Lines on each side of a change that are shown of a longer one.
const AROUND: u32 = 20;
/// A longer one is shown whole where there is much room.
const LONG: u32 = 150;
/// A longer one is never shown whole.
const LONGEST: u32 = 400;
/// Lines of a head at most.
const MOST_HEAD: u32 = 4;

pub(super) fn add(search: &Search<'_>, found: &mut Evidence) {
    for (at, unit) in search.units.iter().enumerate() {
        let file = unit.file_of(search.change);
        let Some(facts) = file.new.as_ref().and_then(|new| new.facts.as_ref()) else {
            continue;
        };
        if unit.is_whole_file(search.change) {
            continue;
        }
        for touched in &unit.touched {
            let item = touched
                .new
                .and_then(|index| facts.items.get(index as usize));
            if let Some(item) = item {
                declaration(search, at, &file.path, (facts, item, touched), found);
            }
        }
    }
}

fn declaration(
    search: &Search<'_>,
    unit: usize,
    path: &str,
    (facts, item, touched): (&Facts, &Item, &Touched),
    found: &mut Evidence,
) {
    let (start, end) = span(item);
    let is_callable = item.kind.is_callable();
    let length = end.saturating_sub(start);
    if !is_callable && length > WHOLE {
        // Of a long type the head tells what its members are in.
        let head = visible(
            search,
            found,
            path,
            start.max(name_line(item))..=name_line(item),
        );
        put(found, Part::Head, 1.0, unit, path, head);
        return;
    }
    let is_test = search.change.files[search.units[unit].file].is_test;
    let head_end = head_end(found, path, item);
    let wanted: Vec<u32> = match length <= WHOLE {
        true => visible(search, found, path, start..=end),
        false => {
            let near = |line: &u32| {
                *line <= head_end
                    || touched
                        .runs
                        .iter()
                        .any(|run| distance(run, *line) <= AROUND)
            };
            visible(search, found, path, start..=end)
                .into_iter()
                .filter(near)
                .collect()
        }
    };
    let head: Vec<u32> = wanted
        .iter()
        .copied()
        .filter(|line| *line <= head_end)
        .collect();
    put(found, Part::Head, 0.0, unit, path, head);
    if is_callable && length > WHOLE && length <= LONGEST && !is_test {
        let all = visible(search, found, path, start..=end);
        let part = if length <= LONG {
            Part::Whole
        } else {
            Part::Long
        };
        put(found, part, f64::from(length), unit, path, all);
    }
    let mut nearest = wanted;
    nearest.sort_by_key(|line| touched.runs.iter().map(|run| distance(run, *line)).min());
    let score = f64::from(nearest.len() as u32) + if is_test { 10_000.0 } else { 0.0 };
    put(found, Part::Enclosing, score, unit, path, nearest);
    // A member is read with the head of its type.
    let parent = item
        .parent
        .and_then(|parent| facts.items.get(parent as usize));
    if let Some(parent) = parent.filter(|parent| parent.kind.is_type() || parent.name.is_empty()) {
        let line = if parent.name.is_empty() {
            span(parent).0
        } else {
            name_line(parent)
        };
        let head = visible(search, found, path, line..=line);
        put(found, Part::Head, 2.0, unit, path, head);
    }
}

/// The last line of a declaration's head: where its body begins, or what fits into some lines.
fn head_end(found: &Evidence, path: &str, item: &Item) -> u32 {
    let (name, (_, end)) = (name_line(item), span(item));
    let begins_body = |line: &u32| {
        let text = found.lines.line(path, *line).trim_end();
        text.ends_with(['{', ':', ';']) || text.ends_with("=>")
    };
    let lines = name..=end.min(name + MOST_HEAD - 1);
    lines.clone().find(begins_body).unwrap_or(name)
}

/// Lines that say something and that the diff does not show.
fn visible(
    search: &Search<'_>,
    found: &Evidence,
    path: &str,
    lines: std::ops::RangeInclusive<u32>,
) -> Vec<u32> {
    let count = found.lines.count(path);
    let is_new = |line: &u32| {
        *line > 0
            && *line <= count
            && !search.shown.has(path, *line)
            && !found.lines.line(path, *line).trim().is_empty()
    };
    lines.filter(is_new).collect()
}

fn distance(run: &Run, line: u32) -> u32 {
    let (lo, hi) = run.new_span();
    match line {
        line if line < lo => lo - line,
        line if line > hi => line - hi,
        _ => 0,
    }
}

fn put(found: &mut Evidence, part: Part, score: f64, unit: usize, path: &str, lines: Vec<u32>) {
    found.add(Piece {
        part,
        score,
        unit,
        path: path.to_owned(),
        lines,
    });
}
