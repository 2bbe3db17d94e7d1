//! Code that is like that which changed, and did not: where later fixes land most often.
//!
//! Functions of the changed files, of files that changed together with them before, and of the same folders are ranked by
//! the rare names that they share with the changed lines.

use std::collections::BTreeSet;

use codecortex_index::FileId;
use codecortex_syntax::{Item, ItemFlags};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence_lines::{EvidenceLines, EvidenceReason, distinct};
use super::facts::Evidence;
use super::names::names_of;
use super::search::EvidenceSearch;
use crate::changed_lines::ChangedLines;
use crate::source::{is_local, is_test_path, name_line, span};

/// Files that are looked through.
const MAX_FILES: usize = 150;
/// Longer functions are alike to everything.
const LONGEST: u32 = 400;
/// Lines that are shown of one, beside its head.
const MAX_LINES: usize = 5;
/// One of so many lines is shown whole.
const SMALL: usize = 8;
/// One of more lines never is.
const LONGEST_BODY: u32 = 80;
/// Functions that are kept.
const MAX_KEPT: usize = 40;
/// Lines of one outside of the files of the change, beside its head.
const LINES_FAR: usize = 3;

/// The names of the changed lines, with how rare they are.
#[derive(Debug, Default)]
pub(super) struct Words {
    rarity: FxHashMap<String, f64>,
    by_unit: Vec<BTreeSet<String>>,
    /// The units that have a name, in their order.
    units: FxHashMap<String, Vec<usize>>,
}

impl Words {
    pub(super) fn new(search: &EvidenceSearch<'_>) -> Self {
        let names = search.view.names();
        let workspace = names.workspace();
        let all = search.view.index.file_count() as f64;
        let mut words = Self::default();
        for (at, unit) in search.units.iter().enumerate() {
            let mut own = BTreeSet::new();
            if unit.file_of(search.change).language.is_some() {
                let lines = ChangedLines::from_hunks(unit.hunks_of(search.change));
                own.extend(lines.texts().flat_map(names_of).map(str::to_owned));
            }
            for word in &own {
                words.units.entry(word.clone()).or_default().push(at);
                words.rarity.entry(word.clone()).or_insert_with(|| {
                    let having = workspace
                        .name(word)
                        .map_or(0, |name| workspace.files_with(name).len());
                    ((all + 1.0) / (1.0 + having as f64)).ln().max(0.0)
                });
            }
            words.by_unit.push(own);
        }
        words
    }
}

/// The files whose functions are looked at: of the change, changed together with them before, in the same folders.
pub(super) fn candidates(search: &EvidenceSearch<'_>) -> Vec<FileId> {
    let own: FxHashSet<&str> = search
        .change
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned()
    };
    let product = search
        .change
        .files
        .iter()
        .filter(|file| file.language.is_some() && !file.is_test);
    let folders: BTreeSet<String> = product.map(|file| folder(&file.path)).collect();
    let mut ranked: Vec<(u8, f64, &str, FileId)> = Vec::new();
    for (id, file) in search.view.code.shown_files() {
        if file.root != search.root || is_test_path(&file.path) {
            continue;
        }
        let together = search
            .change
            .past
            .together
            .get(&*file.path)
            .copied()
            .unwrap_or(0.0);
        let rank = if own.contains(&*file.path) {
            0
        } else if together > 0.0 {
            1
        } else if folders.contains(&folder(&file.path)) {
            2
        } else {
            continue;
        };
        ranked.push((rank, -together, &*file.path, id));
    }
    ranked.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(b.2)));
    ranked
        .into_iter()
        .take(MAX_FILES)
        .map(|(.., id)| id)
        .collect()
}

/// A function and what it shares.
struct Like {
    score: f64,
    unit: usize,
    path: String,
    lines: Vec<u32>,
    /// All its lines that the diff does not show, where they may be shown.
    body: Vec<u32>,
    /// Whether its file is one of the change.
    is_near: bool,
}

pub(super) fn add(
    search: &EvidenceSearch<'_>,
    words: &Words,
    files: &[FileId],
    found: &mut Evidence,
) {
    let mut all: Vec<Like> = Vec::new();
    for id in files {
        let Some(file) = search.view.index.file(*id) else {
            continue;
        };
        let changed = search.changed.get(&id.0).copied();
        // Of a file of the change what it is after it counts.
        let new = changed.and_then(|at| search.change.files[at].new.as_ref()?.facts.as_ref());
        if changed.is_some() && new.is_none() {
            continue;
        }
        let items = new.map_or(&file.facts.items, |facts| &facts.items);
        for (index, item) in items.iter().enumerate() {
            let is_touched = changed.is_some_and(|at| is_touched(search, at, index as u32));
            if item.kind.is_callable()
                && !is_local(item)
                && !item.flags.contains(ItemFlags::DECLARATION)
                && !is_touched
            {
                let name =
                    new.map_or_else(|| file.facts.str(item.name), |facts| facts.str(item.name));
                all.extend(like(
                    search,
                    words,
                    (&file.path, changed, item, name),
                    found,
                ));
            }
        }
    }
    all.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| a.lines.cmp(&b.lines))
    });
    all.truncate(MAX_KEPT);
    note(search, words, &all, found);
    for mut like in all {
        // What is like it in a file of the change is worth more than what is elsewhere.
        let part = if like.is_near {
            EvidenceReason::Sibling
        } else {
            EvidenceReason::Similar
        };
        if part == EvidenceReason::Similar {
            like.lines.truncate(1 + LINES_FAR);
        } else {
            found.add(EvidenceLines {
                part: EvidenceReason::Body,
                score: -like.score,
                unit: like.unit,
                path: like.path.clone(),
                lines: like.body,
            });
        }
        found.add(EvidenceLines {
            part,
            score: -like.score,
            unit: like.unit,
            path: like.path,
            lines: like.lines,
        });
    }
}

fn is_touched(search: &EvidenceSearch<'_>, file: usize, item: u32) -> bool {
    let units = search.units.iter().filter(|unit| unit.file == file);
    units
        .flat_map(|unit| &unit.touched)
        .any(|touched| touched.new == Some(item))
}

fn like(
    search: &EvidenceSearch<'_>,
    words: &Words,
    (path, changed, item, name): (&str, Option<usize>, &Item, &str),
    found: &Evidence,
) -> Option<Like> {
    let (start, end) = span(item);
    if end.saturating_sub(start) > LONGEST {
        return None;
    }
    let mut lines: Vec<(f64, u32)> = Vec::new();
    let mut shared: BTreeSet<&str> = BTreeSet::new();
    for number in (start..=end).filter(|line| !search.shown.has(path, *line)) {
        let known: BTreeSet<&str> = names_of(found.lines.line(path, number))
            .filter(|name| words.rarity.contains_key(*name))
            .collect();
        if !known.is_empty() {
            lines.push((known.iter().map(|word| words.rarity[*word]).sum(), number));
            shared.extend(known);
        }
    }
    if shared.len() < 2 {
        return None;
    }
    let together = search
        .change
        .past
        .together
        .get(path)
        .copied()
        .unwrap_or(0.0);
    let rarity: f64 = shared.iter().map(|word| words.rarity[*word]).sum();
    let is_named = words.rarity.contains_key(name);
    let score = rarity / f64::from(8 + end - start).sqrt()
        * if changed.is_some() { 1.6 } else { 1.0 }
        * (1.0 + together.min(1.5))
        * if is_named { 1.5 } else { 1.0 };
    lines.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    let best = lines.iter().take(MAX_LINES).map(|(_, line)| *line);
    let head = Some(name_line(item)).filter(|line| !search.shown.has(path, *line));
    let says = |line: &u32| !found.lines.line(path, *line).trim().is_empty();
    let body =
        (start..=end.min(start + LONGEST_BODY)).filter(|line| !search.shown.has(path, *line));
    let body: Vec<u32> = body.filter(says).collect();
    let lines = match body.len() <= SMALL && changed.is_some() {
        true => body.clone(),
        false => distinct(head.into_iter().chain(best)),
    };
    let own_unit = |at: usize| search.units.iter().position(|unit| unit.file == at);
    let unit = changed
        .and_then(own_unit)
        .unwrap_or_else(|| unit_of(words, &shared));
    Some(Like {
        score,
        unit,
        path: path.to_owned(),
        lines,
        body,
        is_near: changed.is_some(),
    })
}

/// The unit that shares most; of several the first.
fn unit_of(words: &Words, shared: &BTreeSet<&str>) -> usize {
    let mut common: FxHashMap<usize, u32> = FxHashMap::default();
    for word in shared {
        for unit in words.units.get(*word).into_iter().flatten() {
            *common.entry(*unit).or_default() += 1;
        }
    }
    let best = common
        .into_iter()
        .max_by_key(|(at, count)| (*count, std::cmp::Reverse(*at)));
    best.map_or(0, |(at, _)| at)
}

/// Of each unit how alike the best of its likes is, and its rarest words.
fn note(search: &EvidenceSearch<'_>, words: &Words, all: &[Like], found: &mut Evidence) {
    for (at, own) in words.by_unit.iter().enumerate().take(search.units.len()) {
        let mut rare: Vec<&String> = own
            .iter()
            .filter(|word| words.rarity[*word] > 0.0)
            .collect();
        rare.sort_by(|a, b| words.rarity[*b].total_cmp(&words.rarity[*a]).then(a.cmp(b)));
        rare.truncate(8);
        let weight = |words_of: &mut dyn Iterator<Item = &String>| -> f64 {
            words_of.map(|word| words.rarity[word]).sum()
        };
        let whole = weight(&mut rare.iter().copied());
        let best = all
            .iter()
            .filter(|like| like.unit == at)
            .map(|like| {
                let text: FxHashSet<&str> = like
                    .lines
                    .iter()
                    .flat_map(|line| names_of(found.lines.line(&like.path, *line)))
                    .collect();
                weight(
                    &mut rare
                        .iter()
                        .copied()
                        .filter(|word| text.contains(word.as_str())),
                )
            })
            .fold(0.0, f64::max);
        if whole > 0.0 && rare.len() >= 4 {
            found.similarity.insert(at, best / whole);
        }
        found
            .rare_words
            .insert(at, rare.into_iter().take(4).cloned().collect());
    }
}
