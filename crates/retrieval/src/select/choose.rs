//! Choosing pieces within a budget: the best by gain for cost is taken while it fits.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};

use super::cost::OpenFile;
use super::gains::gains;
use super::pieces::{PieceKind, SourcePiece};
use super::selection::{AnswerForm, CHARACTERS_A_TOKEN, SelectionRequest};
use super::{NAMES, Prepared};
use crate::index::{FileEntry, FileNo, Index, TermId};
use crate::params::Params;
use crate::rank::{Ranked, Ranking};
use crate::shares::Shares;

pub(super) struct DetailChoice<'a> {
    pub(super) index: &'a Index,
    pub(super) ranking: &'a Ranking,
    pub(super) shares: Shares,
    pub(super) form: AnswerForm,
    /// Characters that are left.
    pub(super) room: usize,
    pub(super) files: BTreeMap<FileNo, OpenFile<'a>>,
    /// Containers that are named in the line of names, by file.
    pub(super) containers: FxHashSet<(FileNo, &'a str)>,
    pub(super) prepared: &'a Prepared,
    /// Items of which something is taken, and how many of a name in a file.
    pub(super) taken_items: FxHashSet<usize>,
    pub(super) taken_keys: FxHashMap<(FileNo, TermId), u32>,
    /// Items that stand in a row.
    pub(super) rows: FxHashSet<usize>,
    /// The terms of the question by their texts.
    pub(super) asked: FxHashMap<&'a str, (TermId, f32)>,
    pub(super) order: Vec<FileNo>,
}

impl<'a> DetailChoice<'a> {
    pub(super) fn new(
        index: &'a Index,
        ranking: &'a Ranking,
        request: SelectionRequest,
        params: &'a Params,
        prepared: &'a Prepared,
        texts: &'a FxHashMap<FileNo, Cow<'_, str>>,
    ) -> Self {
        let shares = params.shares.at(request.tokens);
        let fill = shares.fill;
        let files = texts.iter().filter_map(|(file, text)| {
            let open = OpenFile {
                text,
                lines: prepared.lines.get(file)?,
                fill,
                form: request.form,
                shown: BTreeSet::new(),
                named: BTreeSet::new(),
            };
            Some((*file, open))
        });
        let files: BTreeMap<FileNo, OpenFile<'a>> = files.collect();
        let asked = ranking.asked.terms.iter().map(|term| {
            let text = &*index.terms[term.term as usize].text;
            (text, (term.term, term.weight))
        });
        Self {
            prepared,
            asked: asked.collect(),
            index,
            ranking,
            shares,
            form: request.form,
            room: request.tokens.saturating_mul(CHARACTERS_A_TOKEN),
            files,
            containers: FxHashSet::default(),
            rows: FxHashSet::default(),
            taken_items: FxHashSet::default(),
            taken_keys: FxHashMap::default(),
            order: Vec::new(),
        }
    }

    pub(super) fn item(&self, item: usize) -> (&'a Ranked, Option<&'a FileEntry>) {
        let ranked = &self.ranking.items[item];
        (ranked, self.index.file(ranked.file))
    }

    /// Takes pieces by gain for cost; a piece whose cost has changed since it was weighed is weighed again.
    pub(super) fn by_gain(&mut self) {
        let pieces = &self.prepared.pieces;
        let gains = gains(self.prepared, self.ranking, &self.shares);
        let worth = pieces.iter().zip(&gains).enumerate();
        let worth = worth.filter(|(_, (_, gain))| **gain > 0.0);
        let weighed =
            worth.map(|(at, (piece, gain))| self.weigh(piece, at, *gain, piece.first_cost));
        let mut heap: BinaryHeap<Weighed> = weighed.collect();
        while let Some(top) = heap.pop() {
            let piece = &pieces[top.piece];
            // Most come when there is hardly any room left.
            if piece.least > self.room {
                continue;
            }
            let now = self.weigh(piece, top.piece, gains[top.piece], self.cost(piece));
            if now.cost == 0 {
                continue;
            }
            if now.worth < top.worth && heap.peek().is_some_and(|next| *next > now) {
                heap.push(now);
            } else if now.cost <= self.room {
                self.take(piece, now.cost);
            }
        }
    }

    pub(super) fn by_order(&mut self) {
        for item in 0..self.ranking.items.len().min(NAMES) {
            let Some(line) = self.name_line(item) else {
                continue;
            };
            let piece = SourcePiece::new(item, PieceKind::Signature, line..line + 1);
            let cost = self.cost(&piece);
            if cost > self.room {
                break;
            }
            // A line that is empty by now says nothing, and must not open its file.
            if cost > 0 {
                self.take(&piece, cost);
            }
        }
    }

    /// The line that has a declaration's name.
    pub(super) fn name_line(&self, item: usize) -> Option<u32> {
        self.prepared.name_lines.get(item).copied().flatten()
    }

    /// What a piece is worth now for what it costs now.
    fn weigh(&self, piece: &SourcePiece, at: usize, gain: f32, cost: usize) -> Weighed {
        let (ranked, _) = self.item(piece.item);
        let key = self.key(piece.item);
        let same = self
            .taken_keys
            .get(&(ranked.file, key))
            .copied()
            .unwrap_or(0);
        let is_first = self.taken_items.contains(&piece.item);
        let again = if is_first {
            1.0
        } else {
            self.shares.again.powi(same as i32)
        };
        let is_open = self
            .files
            .get(&ranked.file)
            .is_some_and(|open| !open.named.is_empty() || !open.shown.is_empty());
        let opening = if is_open {
            0.0
        } else {
            self.shares.file_gain
                * self
                    .prepared
                    .file_gains
                    .get(&ranked.file)
                    .copied()
                    .unwrap_or(0.0)
        };
        let worth = (gain * again + opening) / (cost.max(1) as f32).powf(self.shares.cost_power);
        Weighed {
            worth,
            cost,
            piece: at,
        }
    }

    /// The name of an item as a term; overloads and parts have the same.
    pub(super) fn key(&self, item: usize) -> TermId {
        let (ranked, entry) = self.item(item);
        entry.map_or(0, |entry| entry.declared[ranked.declaration as usize].key)
    }

    pub(super) fn take(&mut self, piece: &SourcePiece, cost: usize) {
        let (ranked, Some(entry)) = self.item(piece.item) else {
            return;
        };
        let lines = self.lines_of_piece(piece);
        let is_shown = self.files.get(&ranked.file).is_some_and(|open| {
            self.name_line(piece.item)
                .is_some_and(|line| open.shown.contains(&line))
        });
        let needs_row = self.needs_row(piece, entry, is_shown);
        let Some(open) = self.files.get_mut(&ranked.file) else {
            return;
        };
        if open.named.is_empty() && open.shown.is_empty() {
            self.order.push(ranked.file);
        }
        open.shown.extend(lines);
        if needs_row && open.named.insert(piece.item) {
            self.containers
                .insert((ranked.file, entry.container(ranked.declaration)));
            self.rows.insert(piece.item);
        }
        open.named.insert(piece.item);
        self.room -= cost;
        self.leave_out_of_row(piece.item, entry, needs_row);
        if self.taken_items.insert(piece.item) {
            *self
                .taken_keys
                .entry((ranked.file, self.key(piece.item)))
                .or_default() += 1;
        }
    }

    /// Takes a name out of its row again where its line says it by now.
    pub(super) fn leave_out_of_row(&mut self, item: usize, entry: &FileEntry, needs_row: bool) {
        let ranked = &self.ranking.items[item];
        let open = self.files.get(&ranked.file);
        let line = self.name_line(item).zip(open);
        let is_shown = line.is_some_and(|(line, open)| open.shown.contains(&line));
        if is_shown && !needs_row && self.rows.remove(&item) && self.form == AnswerForm::Text {
            self.room += entry.name(ranked.declaration).chars().count() + 2;
        }
    }
}

/// A piece with what it is worth now; the order is total, so that a heap's is too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weighed {
    pub(super) worth: f32,
    pub(super) cost: usize,
    pub(super) piece: usize,
}

impl Eq for Weighed {}

impl PartialOrd for Weighed {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Weighed {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.worth
            .total_cmp(&other.worth)
            .then(other.piece.cmp(&self.piece))
    }
}
