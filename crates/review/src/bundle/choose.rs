//! Which lines of context are shown.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::diffs::{Diffs, whole};
use super::shares::Shares;
use super::{BundleInput, Missing, cost, previous_version};
use crate::evidence::{DiffLines, EvidenceLines, EvidenceReason};
use crate::level::EvidenceLevel;

/// How much may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Characters of the items as JSON.
    pub characters: usize,
    /// Whether somebody named the budget; else context is at most as much as the diff.
    pub is_named: bool,
}

/// The lines that are shown, by file and number, with the reason and the unit.
#[derive(Debug, Default)]
pub(super) struct SelectedLines {
    pub(super) files: BTreeMap<String, BTreeMap<u32, (EvidenceReason, usize)>>,
    /// Lines that the diff shows.
    diff: DiffLines,
    pub(super) previous: Vec<(usize, String)>,
    /// Units of which less is shown than was wanted.
    pub(super) lowered: Vec<usize>,
    /// Characters that nothing took.
    pub(super) left: usize,
    pub(super) missing: Vec<Missing>,
}

impl SelectedLines {
    /// Whether a line is shown, in the diff or beside it.
    pub(super) fn shows(&self, path: &str, line: u32) -> bool {
        let beside = || {
            self.files
                .get(path)
                .is_some_and(|lines| lines.contains_key(&line))
        };
        self.diff.has(path, line) || beside()
    }

    /// Whether a unit's file has lines beside its diff.
    pub(super) fn has_lines(&self, wanted: &BundleInput<'_>, unit: usize) -> bool {
        self.files
            .contains_key(&wanted.units[unit].file_of(wanted.change).path)
    }
}

struct Chooser<'c> {
    wanted: &'c BundleInput<'c>,
    chosen: SelectedLines,
    /// Pieces that are wholly shown, by part and place.
    spent: FxHashSet<(EvidenceReason, usize)>,
    /// Paths with an item of their own.
    own: FxHashSet<&'c str>,
    /// Units that are shown.
    units: FxHashSet<usize>,
}

pub(super) fn choose(wanted: &BundleInput<'_>, room: Room, diffs: &Diffs) -> SelectedLines {
    let shares = Shares::tuned();
    let mut left = room.characters.saturating_sub(diffs.used);
    if !room.is_named {
        left = left.min(shares.default_characters(whole(wanted)));
    }
    let mut chooser = Chooser {
        wanted,
        chosen: SelectedLines {
            diff: match diffs.is_narrow {
                true => DiffLines::least(wanted.change),
                false => DiffLines::for_change(wanted.change),
            },
            ..SelectedLines::default()
        },
        spent: FxHashSet::default(),
        own: diffs
            .shown
            .iter()
            .map(|(unit, _)| wanted.units[*unit].file_of(wanted.change).path.as_str())
            .collect(),
        units: diffs.shown.iter().map(|(unit, _)| *unit).collect(),
    };
    let total = left;
    for row in &shares.first {
        let most = left.min(row.characters(total));
        left -= chooser.put(row.part, most, f64::INFINITY);
    }
    for row in &shares.rest {
        left -= chooser.put(row.part, left, row.score_limit());
    }
    for row in &shares.optional {
        let most = left.min(row.characters(room.characters));
        left -= chooser.put(row.part, most, f64::INFINITY);
    }
    left -= chooser.put_levels(left);
    left -= chooser.put_previous(left);
    chooser.chosen.left = left;
    chooser.account();
    chooser.chosen
}

impl Chooser<'_> {
    /// Shows pieces of a part up to a score while there is room; of the rest of a function also a part of its lines, the
    /// nearest first. Gives what that costs.
    fn put(&mut self, part: EvidenceReason, room: usize, most: f64) -> usize {
        let wanted = self.wanted;
        let Some(pieces) = wanted.evidence.pieces.get(&part) else {
            return 0;
        };
        let mut used = 0;
        let near = pieces.iter().take_while(|piece| piece.score < most);
        for (at, piece) in near.enumerate() {
            if self.spent.contains(&(part, at)) || !self.is_wanted(piece) {
                continue;
            }
            let cost = self.cost(piece, &piece.lines);
            if used + cost <= room {
                used += cost;
                self.take(piece, piece.lines.iter().copied());
                self.spent.insert((part, at));
            } else if part == EvidenceReason::Enclosing {
                used += self.begin(piece, room - used);
                break;
            }
        }
        used
    }

    /// Whether a piece is of what is shown: bodies only where more than the diff is.
    fn is_wanted(&self, piece: &EvidenceLines) -> bool {
        let is_body = matches!(
            piece.part,
            EvidenceReason::Enclosing | EvidenceReason::Whole | EvidenceReason::Long
        );
        let level = self
            .wanted
            .fused
            .get(piece.unit)
            .map_or(EvidenceLevel::DiffOnly, |fused| fused.level);
        self.units.contains(&piece.unit) && !(is_body && level == EvidenceLevel::DiffOnly)
    }

    /// Takes as many of a piece's first lines as fit.
    fn begin(&mut self, piece: &EvidenceLines, room: usize) -> usize {
        let mut used = 0;
        for line in &piece.lines {
            let cost = self.cost(piece, &[*line]);
            if used + cost > room {
                break;
            }
            used += cost;
            self.take(piece, [*line]);
        }
        used
    }

    fn cost(&self, piece: &EvidenceLines, lines: &[u32]) -> usize {
        let known = self.chosen.files.get(&piece.path);
        let is_known = |line: u32| known.is_some_and(|known| known.contains_key(&line));
        let is_new = |line: &u32| !self.chosen.shows(&piece.path, *line);
        let mut new: Vec<u32> = lines.iter().copied().filter(is_new).collect();
        if new.is_empty() {
            return 0;
        }
        new.sort_unstable();
        let mut cost = match known {
            Some(_) => 0,
            None => cost::file(&piece.path, self.own.contains(piece.path.as_str())),
        };
        let is_blank = |line| cost::is_blank(self.wanted.evidence, &piece.path, line);
        let mut before = None;
        for line in new {
            let is_shown = |other| before == Some(other) || is_known(other);
            cost += cost::line(self.wanted.evidence, &piece.path, line);
            cost += cost::gap_before(line, is_shown, is_blank);
            // What began by itself goes on now.
            let next = [line + 1, line + 2]
                .into_iter()
                .find(|next| is_known(*next));
            if let Some(next) = next {
                let now =
                    cost::gap_before(next, |other| other == line || is_known(other), is_blank);
                cost = cost.saturating_sub(cost::gap_before(next, is_known, is_blank) - now);
            }
            before = Some(line);
        }
        // No line stands for what is in front of the first one shown.
        match known {
            Some(_) => cost,
            None => cost.saturating_sub(cost::gap()),
        }
    }

    fn take(&mut self, piece: &EvidenceLines, lines: impl IntoIterator<Item = u32>) {
        let SelectedLines { files, diff, .. } = &mut self.chosen;
        let mut new = lines
            .into_iter()
            .filter(|line| !diff.has(&piece.path, *line));
        let Some(first) = new.next() else { return };
        let known = files.entry(piece.path.clone()).or_default();
        for line in std::iter::once(first).chain(new) {
            known.entry(line).or_insert((piece.part, piece.unit));
        }
    }

    /// What higher levels show beside functions: lines around the hunks, or all.
    fn put_levels(&mut self, room: usize) -> usize {
        const AROUND: u32 = 30;
        let wanted = self.wanted;
        let mut used = 0;
        let is_more = |at: &usize| {
            wanted.fused[*at].level >= EvidenceLevel::FileContext && self.units.contains(at)
        };
        let more: Vec<usize> = (0..wanted.fused.len()).filter(is_more).collect();
        if more.is_empty() {
            return 0;
        }
        for at in more {
            let fused = &wanted.fused[at];
            let unit = &wanted.units[at];
            let path = &unit.file_of(wanted.change).path;
            let runs = unit.runs(wanted.change);
            let is_near = |line: &u32| {
                let near = |run: &crate::diff::Run| {
                    let (lo, hi) = run.new_span();
                    lo.saturating_sub(AROUND) <= *line && *line <= hi.saturating_add(AROUND)
                };
                fused.level == EvidenceLevel::FullFile || runs.iter().any(near)
            };
            let lines = 1..=wanted.evidence.lines.count(path);
            let lines = lines.filter(|line| {
                is_near(line)
                    && !self.chosen.diff.has(path, *line)
                    && !wanted.evidence.lines.line(path, *line).trim().is_empty()
            });
            let piece = EvidenceLines {
                part: EvidenceReason::Enclosing,
                score: 0.0,
                unit: at,
                path: path.clone(),
                lines: lines.collect(),
            };
            let cost = self.cost(&piece, &piece.lines);
            if used + cost <= room {
                used += cost;
                let lines = piece.lines.clone();
                self.take(&piece, lines);
            } else {
                self.chosen.lowered.push(at);
            }
        }
        used
    }

    /// What units were, where that is looked at and there is room. Gives what that costs.
    fn put_previous(&mut self, room: usize) -> usize {
        let mut used = 0;
        for at in 0..self.wanted.units.len() {
            if !self.units.contains(&at) {
                continue;
            }
            let Some(text) = previous_version(self.wanted, at) else {
                continue;
            };
            let cost = cost::json(&text) + 22;
            if used + cost <= room {
                used += cost;
                self.chosen.previous.push((at, text));
            } else {
                self.miss("previous_version", 1, 1, cost);
            }
        }
        used
    }

    fn miss(&mut self, kind: &str, shown: usize, all: usize, characters: usize) {
        let tokens = characters.div_ceil(4) as u32;
        let known = self
            .chosen
            .missing
            .iter_mut()
            .find(|missing| missing.kind == kind);
        match known {
            Some(missing) => missing.tokens += tokens,
            None => self.chosen.missing.push(Missing {
                kind: kind.to_owned(),
                details: format!("{shown} of {all} shown"),
                tokens,
            }),
        }
    }

    /// Says what of each part is not shown.
    fn account(&mut self) {
        let wanted = self.wanted;
        let mut left_out: Vec<(&'static str, usize, usize, usize)> = Vec::new();
        for (part, word) in [
            (EvidenceReason::Enclosing, "function_context"),
            (EvidenceReason::Definition, "definitions"),
            (EvidenceReason::Caller, "callers"),
            (EvidenceReason::Test, "tests"),
        ] {
            let pieces = wanted
                .evidence
                .pieces
                .get(&part)
                .map_or(&[][..], Vec::as_slice);
            let costs: Vec<usize> = pieces
                .iter()
                .map(|piece| self.cost(piece, &piece.lines))
                .collect();
            let missing = costs.iter().filter(|cost| **cost > 0).count();
            if missing > 0 {
                left_out.push((
                    word,
                    pieces.len() - missing,
                    pieces.len(),
                    costs.iter().sum(),
                ));
            }
        }
        for (word, shown, all, characters) in left_out {
            self.miss(word, shown, all, characters);
        }
    }
}
