//! The declarations that a change touches, whole: what the diff does not show of them.

use codecortex_syntax::{Facts, Item, ItemFlags, ItemKind};

use super::evidence_lines::{EvidenceLines, EvidenceReason};
use super::facts::Evidence;
use super::search::EvidenceSearch;
use crate::diff::Run;
use crate::source::{name_line, span};
use crate::touched_declarations::Touched;

/// A declaration of so many lines that say something is shown whole, of a longer one its head and the lines around the change.
const WHOLE: u32 = 60;
/// Lines on each side of a change that are shown of a longer one.
const AROUND: u32 = 20;
/// A longer one is shown whole where there is much room.
const LONG: u32 = 150;
/// A longer one is never shown whole.
const LONGEST: u32 = 400;
/// What the rest of a type comes later by than that of a function.
const OF_TYPE: f64 = 60.0;
/// Lines of a head at most.
const MAX_HEAD: u32 = 4;

pub(super) fn add(search: &EvidenceSearch<'_>, found: &mut Evidence) {
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
                let own = own_runs(facts, item, touched, &unit.touched);
                declaration(search, at, &file.path, (facts, item, &own), found);
                let is_added = touched.changes.contains("added");
                around(search, at, &file.path, (facts, item, &own), is_added, found);
            }
        }
        let is_undeclared = |run: &Run| !unit.touched.iter().any(|of| of.runs.contains(run));
        let runs = unit.runs(search.change);
        for run in runs.into_iter().filter(is_undeclared) {
            block(search, at, &file.path, (facts, &run), found);
        }
    }
}

/// What changed in a declaration and in no closure of it, which is shown by itself.
fn own_runs(facts: &Facts, item: &Item, of: &Touched, all: &[Touched]) -> Vec<Run> {
    let is_inner = |touched: &&Touched| {
        let inner = touched.new.filter(|_| touched.is_closure);
        let inner = inner.and_then(|index| facts.items.get(index as usize));
        inner.is_some_and(|inner| {
            item.start_byte < inner.start_byte && inner.end_byte <= item.end_byte
        })
    };
    let inner: Vec<&Touched> = all.iter().filter(is_inner).collect();
    let is_own = |run: &&Run| !inner.iter().any(|touched| touched.runs.contains(run));
    of.runs.iter().filter(is_own).copied().collect()
}

/// A short block of members that holds a change which is in none of them, such as the call of a macro.
fn block(
    search: &EvidenceSearch<'_>,
    unit: usize,
    path: &str,
    (facts, run): (&Facts, &Run),
    found: &mut Evidence,
) {
    let (lo, hi) = run.new_span();
    let holds = |item: &&Item| {
        let (start, end) = span(item);
        start <= lo && hi <= end && !item.kind.is_namespace()
    };
    let Some(block) = facts.items.iter().rfind(holds) else {
        return;
    };
    let (start, end) = span(block);
    let lines = match telling(found, path, start..=end) <= WHOLE {
        true => visible(search, found, path, start..=end),
        false => visible(search, found, path, start..=start),
    };
    put_nearest(found, (unit, path), lines, std::slice::from_ref(run));
}

fn declaration(
    search: &EvidenceSearch<'_>,
    unit: usize,
    path: &str,
    (facts, item, runs): (&Facts, &Item, &[Run]),
    found: &mut Evidence,
) {
    let (start, end) = span(item);
    let is_callable = item.kind.is_callable();
    let length = telling(found, path, start..=end);
    if !is_callable && length > WHOLE {
        // Of a long type the head tells what its members are in.
        let head = visible(
            search,
            found,
            path,
            start.max(name_line(item))..=name_line(item),
        );
        put(found, EvidenceReason::Head, 1.0, unit, path, head);
        return;
    }
    let is_test = search.change.files[search.units[unit].file].is_test;
    let head_end = head_end(found, path, item);
    let wanted: Vec<u32> = match length <= WHOLE {
        true => visible(search, found, path, start..=end),
        false => {
            let inner = inner(found, path, (facts, item, runs));
            let near = |line: &u32| {
                *line <= head_end
                    || inner.iter().any(|(lo, hi)| lo <= line && line <= hi)
                    || runs.iter().any(|run| distance(run, *line) <= AROUND)
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
    put(found, EvidenceReason::Head, 0.0, unit, path, head);
    if is_callable && length > WHOLE && length <= LONGEST && !is_test {
        let all = visible(search, found, path, start..=end);
        let part = if length <= LONG {
            EvidenceReason::Whole
        } else {
            EvidenceReason::Long
        };
        put(found, part, f64::from(length), unit, path, all);
    }
    let mut nearest = wanted;
    nearest.sort_by_key(|line| runs.iter().map(|run| distance(run, *line)).min());
    let later = match (is_test, is_callable) {
        (true, _) => 10_000.0,
        (_, false) => OF_TYPE,
        _ => 0.0,
    };
    let score = f64::from(nearest.len() as u32) + later;
    put(found, EvidenceReason::Enclosing, score, unit, path, nearest);
}

/// A member is read with the head of its type; what has no body, and what is new, with all of a short one.
fn around(
    search: &EvidenceSearch<'_>,
    unit: usize,
    path: &str,
    (facts, item, runs): (&Facts, &Item, &[Run]),
    is_added: bool,
    found: &mut Evidence,
) {
    let parent = item
        .parent
        .and_then(|parent| facts.items.get(parent as usize));
    let is_type = |parent: &&Item| parent.kind.is_type() || parent.name.is_empty();
    let Some(parent) = parent.filter(is_type) else {
        return;
    };
    let line = if parent.name.is_empty() {
        span(parent).0
    } else {
        name_line(parent)
    };
    let head = visible(search, found, path, line..=line);
    put(found, EvidenceReason::Head, 2.0, unit, path, head);
    let (start, end) = span(parent);
    let has_body = item.kind.is_callable()
        && !matches!(parent.kind, ItemKind::Interface | ItemKind::Trait)
        && !item.flags.contains(ItemFlags::ABSTRACT)
        && !item.flags.contains(ItemFlags::DECLARATION);
    if (!has_body || is_added) && telling(found, path, start..=end) <= WHOLE {
        let rest = visible(search, found, path, start..=end);
        put_nearest(found, (unit, path), rest, runs);
    }
}

/// Lines of what encloses a change, the nearest to it first.
fn put_nearest(
    found: &mut Evidence,
    (unit, path): (usize, &str),
    mut lines: Vec<u32>,
    runs: &[Run],
) {
    lines.sort_by_key(|line| runs.iter().map(|run| distance(run, *line)).min());
    let score = f64::from(lines.len() as u32) + OF_TYPE;
    put(found, EvidenceReason::Enclosing, score, unit, path, lines);
}

/// The last line of a declaration's head: where its body begins, or what fits into some lines.
fn head_end(found: &Evidence, path: &str, item: &Item) -> u32 {
    let (name, (_, end)) = (name_line(item), span(item));
    let begins_body = |line: &u32| {
        let text = found.lines.line(path, *line).trim_end();
        text.ends_with(['{', ':', ';']) || text.ends_with("=>")
    };
    let lines = name..=end.min(name + MAX_HEAD - 1);
    let last = *lines.end();
    lines.clone().find(begins_body).unwrap_or(last)
}

/// How many lines say something: not blank, and no mere bracket.
fn telling(found: &Evidence, path: &str, lines: std::ops::RangeInclusive<u32>) -> u32 {
    let says = |line: &u32| {
        let text = found.lines.line(path, *line).trim();
        let mut letters = text.chars().filter(|c| c.is_alphanumeric());
        text.len() >= 6 && letters.nth(2).is_some()
    };
    lines.filter(says).count() as u32
}

/// First and last lines of the functions in a long one that hold what changed and are short enough to be shown whole.
fn inner(
    found: &Evidence,
    path: &str,
    (facts, item, runs): (&Facts, &Item, &[Run]),
) -> Vec<(u32, u32)> {
    let is_in = |inner: &&Item| {
        inner.start_byte > item.start_byte
            && inner.end_byte <= item.end_byte
            && inner.kind.is_callable()
    };
    let all: Vec<(u32, u32)> = facts.items.iter().filter(is_in).map(span).collect();
    let of_run = runs.iter().filter_map(|run| {
        let (lo, hi) = run.new_span();
        let around = all.iter().filter(|(start, end)| *start <= lo && hi <= *end);
        let mut short = around.filter(|(start, end)| telling(found, path, *start..=*end) <= WHOLE);
        short.next().copied()
    });
    of_run.collect()
}

/// Lines that say something and that the diff does not show.
fn visible(
    search: &EvidenceSearch<'_>,
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

/// Lines between a line and a changed one; 0 of a changed one.
pub(super) fn distance(run: &Run, line: u32) -> u32 {
    let (lo, hi) = run.new_span();
    match line {
        line if line < lo => lo - line,
        line if line > hi => line - hi,
        _ => 0,
    }
}

fn put(
    found: &mut Evidence,
    part: EvidenceReason,
    score: f64,
    unit: usize,
    path: &str,
    lines: Vec<u32>,
) {
    found.add(EvidenceLines {
        part,
        score,
        unit,
        path: path.to_owned(),
        lines,
    });
}
