//! The pieces that may be shown, and how likely each is what the question needs: names, declaring lines, small functions
//! whole, parts of bodies.

use std::ops::Range;

use rustc_hash::FxHashSet;

use codecortex_text::gap_width;

use super::NAMES;
use super::choose::DetailChoice;
use super::cost::OpenFile;
use crate::document::DeclarationClass;
use crate::index::FileEntry;
use crate::lines::LineRange;

/// What a piece shows of its declaration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PieceKind {
    /// Its name.
    Name,
    /// Its declaring line.
    Signature,
    /// All of a small function.
    Whole,
    /// A part of its own lines.
    Part(PartFacts),
}

/// What speaks for a part of a declaration beside its other parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PartFacts {
    /// Share of the question's words that it has, by rarity.
    pub(super) matched: f32,
    /// Whether it has the name.
    pub(super) has_name: bool,
    /// Whether it is a comment above the declaration.
    pub(super) is_doc: bool,
    /// Whether it is outside of declarations.
    pub(super) is_outside: bool,
    /// Lines of it, as a share of those of the longest part.
    pub(super) size: f32,
}

/// A piece that may be shown; lines are indices of the file's.
#[derive(Clone, Debug)]
pub(super) struct SourcePiece {
    pub(super) item: usize,
    pub(super) kind: PieceKind,
    /// Lines to show; none shows the name alone.
    pub(super) lines: Range<u32>,
    /// Characters that it adds at least while anything of it is not shown.
    pub(super) least: usize,
    /// Characters that it adds while nothing of its file is shown.
    pub(super) first_cost: usize,
}

impl SourcePiece {
    /// A piece of an item whose costs are not known yet.
    pub(super) fn new(item: usize, kind: PieceKind, lines: Range<u32>) -> Self {
        Self {
            item,
            kind,
            lines,
            least: 0,
            first_cost: 0,
        }
    }
}

/// Declarations of which bodies may be shown.
const BODIES: usize = 60;
/// Lines of a piece of a body.
const PIECE: usize = 6;

impl DetailChoice<'_> {
    /// Every piece that may be shown, with what it costs at first; the parts of a declaration stand together.
    pub(super) fn pieces(&self) -> Vec<SourcePiece> {
        let mut pieces = Vec::new();
        for (item, ranked) in self.ranking.items.iter().enumerate().take(NAMES) {
            let Some(open) = self.files.get(&ranked.file) else {
                continue;
            };
            let (_, Some(entry)) = self.item(item) else {
                continue;
            };
            let declared = &entry.declared[ranked.declaration as usize];
            let name = entry.name(ranked.declaration);
            if declared.kind != DeclarationClass::File && !name.is_empty() {
                pieces.push(SourcePiece {
                    least: name.chars().count() + 2,
                    ..SourcePiece::new(item, PieceKind::Name, 0..0)
                });
            }
            if let Some(line) = self.name_line(item) {
                let lines = line..line + 1;
                pieces.push(SourcePiece::new(item, PieceKind::Signature, lines));
            }
            if item < BODIES {
                pieces.extend(self.whole_piece(item, entry, open));
                self.parts(item, entry, open, &mut pieces);
            }
        }
        for piece in &mut pieces {
            piece.first_cost = self.cost(piece);
        }
        pieces
    }

    /// A small function whole: one that is seen from its head to its end can be edited.
    fn whole_piece(
        &self,
        item: usize,
        entry: &FileEntry,
        open: &OpenFile<'_>,
    ) -> Option<SourcePiece> {
        let declared = &entry.declared[self.ranking.items[item].declaration as usize];
        if declared.kind != DeclarationClass::Callable {
            return None;
        }
        let first = open
            .lines
            .partition_point(|line| line.start <= declared.start)
            .saturating_sub(1) as u32;
        let end = open.lines.partition_point(|line| line.start < declared.end) as u32;
        let lines = first..end.max(first);
        (lines.len() >= 2).then(|| SourcePiece::new(item, PieceKind::Whole, lines))
    }

    /// A declaration's own lines in parts.
    fn parts(
        &self,
        item: usize,
        entry: &FileEntry,
        open: &OpenFile<'_>,
        pieces: &mut Vec<SourcePiece>,
    ) {
        let ranked = &self.ranking.items[item];
        let own = own_lines(entry, ranked.declaration, open.lines);
        let declared = &entry.declared[ranked.declaration as usize];
        let is_outside = declared.kind == DeclarationClass::File;
        let code = open
            .lines
            .partition_point(|line| line.start < declared.start) as u32;
        let name_line = self.name_line(item);
        for lines in parts_of_body(&own, open.lines, code) {
            let facts = PartFacts {
                matched: self.matched(&lines, open),
                has_name: name_line.is_some_and(|line| lines.contains(&line)),
                is_doc: lines.start < code && !is_outside,
                is_outside,
                size: lines.len() as f32 / PIECE as f32,
            };
            let own = open.lines[lines.start as usize..lines.end as usize].iter();
            let head = name_line.and_then(|line| open.lines.get(line as usize));
            let said = own.chain(head).filter(|line| !line.is_empty);
            let least = said.map(|line| line.width as usize).min().unwrap_or(0);
            pieces.push(SourcePiece {
                // A gap that it fills gives its characters back.
                least: least.saturating_sub(gap_width(u32::MAX)),
                ..SourcePiece::new(item, PieceKind::Part(facts), lines)
            });
        }
    }

    /// Share of the question's words that lines have, by rarity.
    fn matched(&self, lines: &Range<u32>, open: &OpenFile<'_>) -> f32 {
        let mut seen = FxHashSet::default();
        let mut matched = 0.0;
        let mut splitter = crate::words::Splitter::default();
        for line in &open.lines[lines.start as usize..lines.end as usize] {
            splitter.visit(line.text(open.text), |term| {
                let (crate::words::Term::Part(text) | crate::words::Term::Joined(text)) = term;
                if let Some((term, weight)) = self.asked.get(text)
                    && seen.insert(*term)
                {
                    matched += weight;
                }
            });
        }
        matched / self.ranking.asked.total()
    }
}

/// The lines of a declaration that are no other declaration's, ascending.
pub(super) fn own_lines(entry: &FileEntry, declaration: u32, lines: &[LineRange]) -> Vec<u32> {
    let of = &entry.declared[declaration as usize];
    let mut first = lines
        .partition_point(|line| line.start <= of.doc_start)
        .saturating_sub(1) as u32;
    let end = lines.partition_point(|line| line.start < of.end.max(of.start + 1)) as u32;
    let mut own = Vec::new();
    let mut inner: Vec<(u32, u32)> = entry
        .declared
        .iter()
        .enumerate()
        .filter(|(at, inner)| {
            *at as u32 != declaration
                && *at != 0
                && inner.parent == declaration
                && inner.start >= of.start
                && inner.end <= of.end
        })
        .map(|(_, inner)| {
            let start = lines
                .partition_point(|line| line.start <= inner.doc_start)
                .saturating_sub(1) as u32;
            let end = lines.partition_point(|line| line.start < inner.end) as u32;
            (start, end)
        })
        .collect();
    inner.sort_unstable();
    for (start, until) in inner {
        own.extend(first..start.min(end));
        first = first.max(until);
    }
    own.extend(first..end);
    own
}

/// Runs of lines, parted at empty lines and where they grow long.
fn parts_of_body(own: &[u32], lines: &[LineRange], code: u32) -> Vec<Range<u32>> {
    let mut parts: Vec<Range<u32>> = Vec::new();
    for line in own {
        let is_empty = lines[*line as usize].is_empty;
        match parts.last_mut() {
            Some(last) if last.end == *line && !is_empty && last.len() < PIECE && *line != code => {
                last.end += 1
            }
            _ if is_empty => {}
            _ => parts.push(*line..*line + 1),
        }
    }
    parts
}
