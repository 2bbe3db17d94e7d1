//! What showing a piece costs: characters that the text grows by.

use std::collections::BTreeSet;
use std::ops::Range;

use codecortex_text::gap_width;

use super::choose::DetailChoice;
use super::pieces::{PieceKind, SourcePiece};
use super::selection::{AnswerForm, EntryCosts};
use crate::document::DeclarationClass;
use crate::index::FileEntry;
use crate::lines::LineRange;

/// A file while pieces are chosen.
pub(super) struct OpenFile<'t> {
    pub(super) text: &'t str,
    pub(super) lines: &'t [LineRange],
    pub(super) shown: BTreeSet<u32>,
    pub(super) named: BTreeSet<usize>,
    /// Lines between two that are shown are shown where they cost so many times the line that stands for them.
    pub(super) fill: f32,
    pub(super) form: AnswerForm,
}

impl OpenFile<'_> {
    /// Characters between two shown lines: of the line that stands for those left out, or of these themselves where
    /// they cost no more. None before the first and behind the last.
    pub(super) fn gap(&self, before: Option<u32>, after: Option<u32>) -> usize {
        let (Some(before), Some(after)) = (before, after) else {
            return 0;
        };
        match self.filling(before, after) {
            Some(width) => width,
            None => gap_width(after.saturating_sub(before + 1)),
        }
    }

    /// Characters of a line as it is shown.
    fn width(&self, line: &LineRange) -> usize {
        match self.form {
            AnswerForm::Text => line.width as usize,
            // The line's end takes two.
            AnswerForm::Json(_) => (line.width + line.escapes + 1) as usize,
        }
    }

    /// Characters of the lines between two, where they cost no more than the line that stands for them.
    pub(super) fn filling(&self, before: u32, after: u32) -> Option<usize> {
        let most = gap_width(after.saturating_sub(before + 1)) as f32 * self.fill;
        let most = most as usize;
        let between = self.lines.get(before as usize + 1..after as usize)?;
        let mut width = 0;
        for line in between {
            width += self.width(line);
            if width > most {
                return None;
            }
        }
        Some(width)
    }

    /// The lines that are shown, with those between them that cost no more than the line that stands for them.
    pub(super) fn filled(&self) -> BTreeSet<u32> {
        let mut filled = self.shown.clone();
        for (before, after) in self.shown.iter().zip(self.shown.iter().skip(1)) {
            if self.filling(*before, *after).is_some() {
                filled.extend(before + 1..*after);
            }
        }
        filled
    }
}

impl<'a> DetailChoice<'a> {
    /// Characters that a piece adds now; 0 for what is shown already.
    pub(super) fn cost(&self, piece: &SourcePiece) -> usize {
        let (ranked, Some(entry)) = self.item(piece.item) else {
            return 0;
        };
        let Some(open) = self.files.get(&ranked.file) else {
            return 0;
        };
        let mut cost = self.lines_cost(piece, open);
        let is_new = (piece.lines.is_empty() || cost > 0) && !open.named.contains(&piece.item);
        if let AnswerForm::Json(costs) = self.form {
            let is_first = open.named.is_empty() && open.shown.is_empty();
            return cost + self.entries_cost(piece, entry, &costs, is_new, is_first);
        }
        let is_shown = || {
            self.name_line(piece.item)
                .is_some_and(|line| open.shown.contains(&line))
        };
        if is_new && self.needs_row(piece, entry, is_shown()) {
            cost += entry.name(ranked.declaration).chars().count() + 2;
            let container = entry.container(ranked.declaration);
            if !self.containers.contains(&(ranked.file, container)) {
                cost += container.chars().count() + 2;
            }
        }
        if cost > 0 && open.named.is_empty() && open.shown.is_empty() {
            cost += entry.path.chars().count() + 1;
        }
        cost
    }

    /// Characters of the entries that a piece adds: of its declaration where it has none yet, of its file where it is the
    /// first of it.
    fn entries_cost(
        &self,
        piece: &SourcePiece,
        entry: &FileEntry,
        costs: &EntryCosts,
        is_new: bool,
        is_first: bool,
    ) -> usize {
        if !is_new {
            return 0;
        }
        let declaration = self.ranking.items[piece.item].declaration;
        let symbol = costs.symbol + entry.name(declaration).chars().count();
        let code = if piece.lines.is_empty() {
            0
        } else {
            costs.code
        };
        let file = costs.file + entry.path.chars().count();
        symbol + code + if is_first { file } else { 0 }
    }

    /// Characters that the lines of a piece add to what is shown of its file: those that are not shown yet, and what
    /// changes of the lines that stand for those left out.
    pub(super) fn lines_cost(&self, piece: &SourcePiece, open: &OpenFile<'_>) -> usize {
        let mut new = self
            .lines_of_piece(piece)
            .filter(|line| !open.shown.contains(line))
            .peekable();
        let mut cost: isize = 0;
        while let Some(first) = new.next() {
            let mut widths = open.width(&open.lines[first as usize]);
            let before = open.shown.range(..first).next_back().copied();
            let after = open.shown.range(first..).next().copied();
            // New ones up to the next that is shown, in one stretch: the gaps around them are counted once.
            let (mut gaps, mut last) = (open.gap(before, Some(first)), first);
            while let Some(next) =
                new.next_if(|next| *next > last && after.is_none_or(|after| *next < after))
            {
                gaps += open.gap(Some(last), Some(next));
                widths += open.width(&open.lines[next as usize]);
                last = next;
            }
            gaps += open.gap(Some(last), after);
            cost += (widths + gaps) as isize - open.gap(before, after) as isize;
        }
        cost.max(0) as usize
    }

    /// Whether a declaration is said in the row of its container: when only its name is, or others in the file are called
    /// the same.
    pub(super) fn needs_row(&self, piece: &SourcePiece, entry: &FileEntry, is_shown: bool) -> bool {
        let declaration = self.ranking.items[piece.item].declaration;
        let of = &entry.declared[declaration as usize];
        if of.kind == DeclarationClass::File || entry.name(declaration).is_empty() {
            return false;
        }
        (piece.lines.is_empty() && !is_shown)
            || self
                .prepared
                .rivals
                .contains(&(self.ranking.items[piece.item].file, of.key))
    }

    /// The lines of a piece of code and those around it.
    fn with_around(&self, piece: &SourcePiece) -> Range<u32> {
        let around = self.shares.around as u32;
        let open = self.files.get(&self.ranking.items[piece.item].file);
        let lines = open.map_or(0, |open| open.lines.len()) as u32;
        let end = piece.lines.end + around;
        piece.lines.start.saturating_sub(around)..end.min(lines).max(piece.lines.end)
    }

    /// The lines of a piece, with the line that declares what they are part of; none of a name.
    pub(super) fn lines_of_piece(
        &self,
        piece: &SourcePiece,
    ) -> impl Iterator<Item = u32> + use<'a> {
        let own = match piece.kind {
            PieceKind::Whole | PieceKind::Part(_) => self.with_around(piece),
            PieceKind::Name | PieceKind::Signature => piece.lines.clone(),
        };
        let head = self
            .name_line(piece.item)
            .filter(|line| !piece.lines.is_empty() && !own.contains(line));
        let lines = self
            .files
            .get(&self.ranking.items[piece.item].file)
            .map(|open| open.lines);
        let is_said = move |line: &u32| {
            lines
                .and_then(|lines| lines.get(*line as usize))
                .is_some_and(|line| !line.is_empty)
        };
        // Ascending: the declaring line stands behind a comment above it.
        let above = head.filter(|line| *line < own.start);
        let below = head.filter(|line| *line >= own.end);
        above.into_iter().chain(own).chain(below).filter(is_said)
    }
}
