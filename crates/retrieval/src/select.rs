//! What is shown of a ranking within a budget: names, signatures and pieces of bodies, the most telling first.
//!
//! Every piece has a gain (how likely it is what the question needs) and a cost in characters; the best by gain for cost is
//! taken while it fits. A name costs little and is shown of many; a body of few.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::document::DeclarationClass;
use crate::index::{FileEntry, FileNo, Index, TermId};
use crate::lines::{LineRange, lines_of};
use crate::params::Params;
use crate::rank::{Ranked, Ranking};
use codecortex_text::gap_width;

/// Characters of text that are counted as a token.
pub const CHARACTERS_A_TOKEN: usize = 4;

/// How much of a declaration is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DetailTier {
    /// Its name.
    Name,
    /// The line that declares it.
    Signature,
    /// Some lines of it.
    Lines,
    /// All of it.
    Body,
}

impl DetailTier {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Signature => "signature",
            Self::Lines => "lines",
            Self::Body => "body",
        }
    }
}

/// A declaration that is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedSymbol {
    /// Its name; empty for what is outside of declarations.
    pub name: String,
    /// The name of what it is in; empty at the top level.
    pub container: String,
    /// The word for its kind.
    pub kind: &'static str,
    /// Its first line, counted from 1.
    pub line_start: u32,
    /// Its last line.
    pub line_end: u32,
    /// How much of it is shown.
    pub tier: DetailTier,
    /// The lines that are shown, each with its number; none for a name.
    pub lines: Vec<(u32, String)>,
    /// Whether the text has it in the row of its container.
    pub in_row: bool,
    /// How likely the question is about it, 0 to 1.
    pub share: f32,
    /// What speaks for it.
    pub why: Vec<&'static str>,
}

/// A file of which something is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedFile {
    /// Its path.
    pub path: String,
    /// What is shown, in source order.
    pub symbols: Vec<SelectedSymbol>,
}

/// What fits into a budget, the best file first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceSelection {
    /// The files.
    pub files: Vec<SelectedFile>,
    /// As text (SPEC D11).
    pub text: String,
    /// Tokens of the text, a quarter of its characters.
    pub tokens: usize,
    /// Declarations of the ranking that are not shown.
    pub left_out: usize,
}

/// How declarations are chosen (SPEC RM1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selector {
    /// By gain for cost, in tiers.
    #[default]
    Ranked,
    /// Signatures in the order of the ranking until the budget is full.
    SimpleLimit,
}

/// A piece that may be shown; lines are indices of the file's.
#[derive(Clone, Debug)]
struct SourcePiece {
    item: usize,
    gain: f32,
    /// Lines to show; none shows the name alone.
    lines: std::ops::Range<u32>,
    /// Characters that it adds at least while anything of it is not shown.
    least: usize,
}

/// A file while pieces are chosen.
struct OpenFile<'t> {
    text: &'t str,
    lines: &'t [LineRange],
    shown: BTreeSet<u32>,
    named: BTreeSet<usize>,
}

impl OpenFile<'_> {
    /// Characters between two shown lines: of the line that stands for those left out, or of these themselves where
    /// they cost no more. None before the first and behind the last.
    fn gap(&self, before: Option<u32>, after: Option<u32>) -> usize {
        let (Some(before), Some(after)) = (before, after) else {
            return 0;
        };
        match self.filling(before, after) {
            Some(width) => width,
            None => gap_width(after.saturating_sub(before + 1)),
        }
    }

    /// Characters of the lines between two, where they cost no more than the line that stands for them.
    fn filling(&self, before: u32, after: u32) -> Option<usize> {
        let most = gap_width(after.saturating_sub(before + 1));
        let between = self.lines.get(before as usize + 1..after as usize)?;
        let mut width = 0;
        for line in between {
            width += line.width as usize;
            if width > most {
                return None;
            }
        }
        Some(width)
    }

    /// The lines that are shown, with those between them that cost no more than the line that stands for them.
    fn filled(&self) -> BTreeSet<u32> {
        let mut filled = self.shown.clone();
        for (before, after) in self.shown.iter().zip(self.shown.iter().skip(1)) {
            if self.filling(*before, *after).is_some() {
                filled.extend(before + 1..*after);
            }
        }
        filled
    }
}

/// Files whose text is looked at.
const FILES: usize = 120;
/// Declarations of which bodies may be shown.
const BODIES: usize = 60;
/// Declarations that may be shown.
const NAMES: usize = 1500;
/// Lines of a piece of a body.
const PIECE: usize = 6;

/// Chooses what to show. `text` gives a file's text by path, or nothing where it cannot be read.
#[must_use]
pub fn select<'t>(
    index: &Index,
    ranking: &Ranking,
    budget: usize,
    selector: Selector,
    params: &Params,
    text: impl Fn(&str) -> Option<Cow<'t, str>>,
) -> SourceSelection {
    let prepared = prepare(index, ranking, params, &text);
    prepared.select(index, ranking, budget, selector, params, text)
}

/// What is the same for every budget: the lines of the files, and the pieces with what each is worth at first.
#[derive(Debug, Default)]
pub struct Prepared {
    lines: FxHashMap<FileNo, Vec<LineRange>>,
    /// The line that has the name of each item.
    name_lines: Vec<Option<u32>>,
    /// Names that several containers of a file have.
    rivals: FxHashSet<(FileNo, TermId)>,
    /// How likely each file is one that the question needs.
    file_gains: FxHashMap<FileNo, f32>,
    /// What files are put in order by.
    file_order: FxHashMap<FileNo, f32>,
    pieces: Vec<SourcePiece>,
    weighed: Vec<Weighed>,
}

/// Prepares choosing, for who may choose for several budgets.
#[must_use]
pub fn prepare<'t>(
    index: &Index,
    ranking: &Ranking,
    params: &Params,
    text: impl Fn(&str) -> Option<Cow<'t, str>>,
) -> Prepared {
    let texts = texts_of(index, ranking, text);
    let lines: FxHashMap<FileNo, Vec<LineRange>> = texts
        .iter()
        .map(|(file, text)| (*file, lines_of(text)))
        .collect();
    let items = ranking.items.iter().take(NAMES);
    let mut prepared = Prepared {
        name_lines: items.map(|item| name_line(index, &lines, item)).collect(),
        rivals: rivals(index, lines.keys()),
        file_gains: file_gains(ranking, params),
        file_order: file_order(ranking, params),
        lines,
        ..Prepared::default()
    };
    let choice = DetailChoice::new(index, ranking, 0, params, &prepared, &texts);
    let pieces = choice.pieces();
    let weighed = pieces.iter().enumerate();
    let weighed = weighed.map(|(at, piece)| choice.weigh(piece, at)).collect();
    drop(choice);
    (prepared.pieces, prepared.weighed) = (pieces, weighed);
    prepared
}

impl Prepared {
    /// Chooses what to show within a budget. `text` gives the same texts as before.
    #[must_use]
    pub fn select<'t>(
        &self,
        index: &Index,
        ranking: &Ranking,
        budget: usize,
        selector: Selector,
        params: &Params,
        text: impl Fn(&str) -> Option<Cow<'t, str>>,
    ) -> SourceSelection {
        let texts = texts_of(index, ranking, text);
        let mut choice = DetailChoice::new(index, ranking, budget, params, self, &texts);
        match selector {
            Selector::Ranked => choice.by_gain(),
            Selector::SimpleLimit => choice.by_order(),
        }
        choice.finish()
    }
}

/// The files whose texts [`select`] looks at, by their paths, those of the best declarations first.
#[must_use]
pub fn files_to_read<'i>(index: &'i Index, ranking: &Ranking) -> Vec<&'i str> {
    let files = best_files(index, ranking);
    files.map(|(_, entry)| &*entry.path).collect()
}

fn best_files<'i>(
    index: &'i Index,
    ranking: &Ranking,
) -> impl Iterator<Item = (FileNo, &'i FileEntry)> {
    let mut seen = FxHashSet::default();
    let best = ranking.items.iter().take(NAMES).map(|item| item.file);
    let distinct = best.filter(move |file| seen.insert(*file)).take(FILES);
    distinct.filter_map(|file| Some((file, index.file(file)?)))
}

/// The texts of the files that the best declarations are in.
fn texts_of<'t>(
    index: &Index,
    ranking: &Ranking,
    text: impl Fn(&str) -> Option<Cow<'t, str>>,
) -> FxHashMap<FileNo, Cow<'t, str>> {
    let texts = best_files(index, ranking).map(|(file, entry)| Some((file, text(&entry.path)?)));
    texts.flatten().collect()
}

/// The line that has a declaration's name.
fn name_line(
    index: &Index,
    lines: &FxHashMap<FileNo, Vec<LineRange>>,
    item: &Ranked,
) -> Option<u32> {
    let declared = index
        .file(item.file)?
        .declared
        .get(item.declaration as usize)?;
    if declared.kind == DeclarationClass::File {
        return None;
    }
    let at = lines
        .get(&item.file)?
        .partition_point(|line| line.start <= declared.name_at)
        .checked_sub(1)?;
    Some(at as u32)
}

fn rivals<'k>(
    index: &Index,
    files: impl Iterator<Item = &'k FileNo>,
) -> FxHashSet<(FileNo, TermId)> {
    let mut rivals = FxHashSet::default();
    for file in files {
        let Some(entry) = index.file(*file) else {
            continue;
        };
        let mut first: FxHashMap<TermId, &str> = FxHashMap::default();
        // The first is the file itself, which has no name.
        for (at, of) in entry.declared.iter().enumerate().skip(1) {
            let container = entry.container(at as u32);
            if *first.entry(of.key).or_insert(container) != container {
                rivals.insert((*file, of.key));
            }
        }
    }
    rivals
}

fn file_gains(ranking: &Ranking, params: &Params) -> FxHashMap<FileNo, f32> {
    let mut shares: FxHashMap<FileNo, f32> = FxHashMap::default();
    for item in &ranking.items {
        *shares.entry(item.file).or_default() += item.share;
    }
    shares
        .values_mut()
        .for_each(|share| *share = 1.0 - (-params.expected * *share).exp());
    shares
}

/// Files that agree with themselves go before others.
fn file_order(ranking: &Ranking, params: &Params) -> FxHashMap<FileNo, f32> {
    let mut shares: FxHashMap<FileNo, f32> = FxHashMap::default();
    for item in &ranking.items {
        *shares.entry(item.file).or_default() += item.share.powf(params.order_power);
    }
    shares
}

struct DetailChoice<'a> {
    index: &'a Index,
    ranking: &'a Ranking,
    params: &'a Params,
    /// Characters that are left.
    room: usize,
    files: BTreeMap<FileNo, OpenFile<'a>>,
    /// Containers that are named in the line of names, by file.
    containers: FxHashSet<(FileNo, &'a str)>,
    prepared: &'a Prepared,
    /// Items of which something is taken, and how many of a name in a file.
    taken_items: FxHashSet<usize>,
    taken_keys: FxHashMap<(FileNo, TermId), u32>,
    /// Items that stand in a row.
    rows: FxHashSet<usize>,
    /// The terms of the question by their texts.
    asked: FxHashMap<&'a str, (TermId, f32)>,
    order: Vec<FileNo>,
}

impl<'a> DetailChoice<'a> {
    fn new(
        index: &'a Index,
        ranking: &'a Ranking,
        budget: usize,
        params: &'a Params,
        prepared: &'a Prepared,
        texts: &'a FxHashMap<FileNo, Cow<'_, str>>,
    ) -> Self {
        let files = texts.iter().filter_map(|(file, text)| {
            let open = OpenFile {
                text,
                lines: prepared.lines.get(file)?,
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
            params,
            room: budget.saturating_mul(CHARACTERS_A_TOKEN),
            files,
            containers: FxHashSet::default(),
            rows: FxHashSet::default(),
            taken_items: FxHashSet::default(),
            taken_keys: FxHashMap::default(),
            order: Vec::new(),
        }
    }

    fn item(&self, item: usize) -> (&'a Ranked, Option<&'a FileEntry>) {
        let ranked = &self.ranking.items[item];
        (ranked, self.index.file(ranked.file))
    }

    /// Takes pieces by gain for cost; a piece whose cost has changed since it was weighed is weighed again.
    fn by_gain(&mut self) {
        let pieces = &self.prepared.pieces;
        let mut heap = BinaryHeap::from(self.prepared.weighed.clone());
        while let Some(top) = heap.pop() {
            let piece = &pieces[top.piece];
            // Most come when there is hardly any room left.
            if piece.least > self.room {
                continue;
            }
            let now = self.weigh(piece, top.piece);
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

    fn by_order(&mut self) {
        for item in 0..self.ranking.items.len().min(NAMES) {
            let Some(line) = self.name_line(item) else {
                continue;
            };
            let piece = SourcePiece {
                item,
                gain: 1.0,
                lines: line..line + 1,
                least: 0,
            };
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

    fn pieces(&self) -> Vec<SourcePiece> {
        let mut pieces = Vec::new();
        for (item, ranked) in self.ranking.items.iter().enumerate().take(NAMES) {
            let Some(open) = self.files.get(&ranked.file) else {
                continue;
            };
            let (_, Some(entry)) = self.item(item) else {
                continue;
            };
            let gain = 1.0 - (-self.params.expected * ranked.share).exp();
            let declared = &entry.declared[ranked.declaration as usize];
            if declared.kind != DeclarationClass::File && !entry.name(ranked.declaration).is_empty()
            {
                pieces.push(SourcePiece {
                    item,
                    gain: gain.powf(self.params.name_power),
                    lines: 0..0,
                    least: entry.name(ranked.declaration).chars().count() + 2,
                });
            }
            if let Some(line) = self.name_line(item)
                && self.params.signature_share > 0.0
            {
                pieces.push(SourcePiece {
                    item,
                    gain: gain.powf(self.params.signature_power) * self.params.signature_share,
                    lines: line..line + 1,
                    least: 0,
                });
            }
            if item < BODIES {
                self.whole_piece(item, gain, entry, open, &mut pieces);
                self.body_pieces(item, gain, entry, open, &mut pieces);
            }
        }
        pieces
    }

    /// A small declaration whole: one that is seen from its head to its end can be edited.
    fn whole_piece(
        &self,
        item: usize,
        gain: f32,
        entry: &FileEntry,
        open: &OpenFile<'_>,
        pieces: &mut Vec<SourcePiece>,
    ) {
        let declared = &entry.declared[self.ranking.items[item].declaration as usize];
        if declared.kind != DeclarationClass::Callable {
            return;
        }
        let first = open
            .lines
            .partition_point(|line| line.start <= declared.start)
            .saturating_sub(1) as u32;
        let end = open.lines.partition_point(|line| line.start < declared.end) as u32;
        let lines = first..end.max(first);
        if lines.len() < 2 || lines.len() > self.params.whole_lines as usize {
            return;
        }
        pieces.push(SourcePiece {
            item,
            gain: gain.powf(self.params.whole_power) * self.params.whole_share,
            lines,
            least: 0,
        });
    }

    /// A declaration's own lines in pieces, each with its part of the gain.
    fn body_pieces(
        &self,
        item: usize,
        gain: f32,
        entry: &FileEntry,
        open: &OpenFile<'_>,
        pieces: &mut Vec<SourcePiece>,
    ) {
        let ranked = &self.ranking.items[item];
        let own = own_lines(entry, ranked.declaration, open.lines);
        let declared = &entry.declared[ranked.declaration as usize];
        let code = open
            .lines
            .partition_point(|line| line.start < declared.start) as u32;
        let parts = parts_of_body(&own, open.lines, code);
        let name_line = self.name_line(item);
        let weights: Vec<f32> = parts
            .iter()
            .map(|part| {
                let of_code = if part.start < code && declared.kind != DeclarationClass::File {
                    self.params.doc_share
                } else {
                    1.0
                };
                of_code * self.line_weight(part, open, name_line)
            })
            .collect();
        let total: f32 = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for (lines, weight) in parts.into_iter().zip(weights) {
            // An edit is in one piece, more often than not in the most telling one.
            let share = (weight / total).powf(self.params.spread);
            let of_kind = if declared.kind == DeclarationClass::File {
                self.params.file_share
            } else {
                1.0
            };
            let gain = gain * self.params.body_share * of_kind * share;
            let own = open.lines[lines.start as usize..lines.end as usize].iter();
            let head = name_line.and_then(|line| open.lines.get(line as usize));
            let said = own.chain(head).filter(|line| !line.is_empty);
            let least = said.map(|line| line.width as usize).min().unwrap_or(0);
            // A gap that it fills gives its characters back.
            let least = least.saturating_sub(gap_width(u32::MAX));
            pieces.push(SourcePiece {
                item,
                gain,
                lines,
                least,
            });
        }
    }

    fn line_weight(
        &self,
        part: &std::ops::Range<u32>,
        open: &OpenFile<'_>,
        name_line: Option<u32>,
    ) -> f32 {
        let mut seen = FxHashSet::default();
        let mut matched = 0.0;
        let mut splitter = crate::words::Splitter::default();
        for line in &open.lines[part.start as usize..part.end as usize] {
            splitter.visit(line.text(open.text), |term| {
                let (crate::words::Term::Part(text) | crate::words::Term::Joined(text)) = term;
                if let Some((term, weight)) = self.asked.get(text)
                    && seen.insert(*term)
                {
                    matched += weight;
                }
            });
        }
        let head = if name_line.is_some_and(|line| part.contains(&line)) {
            self.params.head
        } else {
            0.0
        };
        let size = (part.end - part.start) as f32 / PIECE as f32;
        (self.params.line_match * matched / self.ranking.asked.total() + head).exp() * size.sqrt()
    }

    /// The line that has a declaration's name.
    fn name_line(&self, item: usize) -> Option<u32> {
        self.prepared.name_lines.get(item).copied().flatten()
    }

    fn weigh(&self, piece: &SourcePiece, at: usize) -> Weighed {
        let cost = self.cost(piece);
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
            self.params.again.powi(same as i32)
        };
        let is_open = self
            .files
            .get(&ranked.file)
            .is_some_and(|open| !open.named.is_empty() || !open.shown.is_empty());
        let opening = if is_open {
            0.0
        } else {
            self.params.file_gain
                * self
                    .prepared
                    .file_gains
                    .get(&ranked.file)
                    .copied()
                    .unwrap_or(0.0)
        };
        let worth =
            (piece.gain * again + opening) / (cost.max(1) as f32).powf(self.params.cost_power);
        Weighed {
            worth,
            cost,
            piece: at,
        }
    }

    /// The name of an item as a term; overloads and parts have the same.
    fn key(&self, item: usize) -> TermId {
        let (ranked, entry) = self.item(item);
        entry.map_or(0, |entry| entry.declared[ranked.declaration as usize].key)
    }

    /// Characters that a piece adds now; 0 for what is shown already.
    fn cost(&self, piece: &SourcePiece) -> usize {
        let (ranked, Some(entry)) = self.item(piece.item) else {
            return 0;
        };
        let Some(open) = self.files.get(&ranked.file) else {
            return 0;
        };
        let mut cost = self.lines_cost(piece, open);
        let is_new = (piece.lines.is_empty() || cost > 0) && !open.named.contains(&piece.item);
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

    /// Characters that the lines of a piece add to what is shown of its file: those that are not shown yet, and what
    /// changes of the lines that stand for those left out.
    fn lines_cost(&self, piece: &SourcePiece, open: &OpenFile<'_>) -> usize {
        let mut new = self
            .lines_of_piece(piece)
            .filter(|line| !open.shown.contains(line))
            .peekable();
        let mut cost: isize = 0;
        while let Some(first) = new.next() {
            let mut widths = open.lines[first as usize].width as usize;
            let before = open.shown.range(..first).next_back().copied();
            let after = open.shown.range(first..).next().copied();
            // New ones up to the next that is shown, in one stretch: the gaps around them are counted once.
            let (mut gaps, mut last) = (open.gap(before, Some(first)), first);
            while let Some(next) =
                new.next_if(|next| *next > last && after.is_none_or(|after| *next < after))
            {
                gaps += open.gap(Some(last), Some(next));
                widths += open.lines[next as usize].width as usize;
                last = next;
            }
            gaps += open.gap(Some(last), after);
            cost += (widths + gaps) as isize - open.gap(before, after) as isize;
        }
        cost.max(0) as usize
    }

    /// Whether a declaration is said in the row of its container: when only its name is, or others in the file are called
    /// the same.
    fn needs_row(&self, piece: &SourcePiece, entry: &FileEntry, is_shown: bool) -> bool {
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

    /// The lines of a piece, with the line that declares what they are part of; none of a name.
    fn lines_of_piece(&self, piece: &SourcePiece) -> impl Iterator<Item = u32> + use<'a> {
        let head = self
            .name_line(piece.item)
            .filter(|line| !piece.lines.is_empty() && !piece.lines.contains(line));
        let own = piece.lines.clone();
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

    fn take(&mut self, piece: &SourcePiece, cost: usize) {
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
    fn leave_out_of_row(&mut self, item: usize, entry: &FileEntry, needs_row: bool) {
        let ranked = &self.ranking.items[item];
        let open = self.files.get(&ranked.file);
        let line = self.name_line(item).zip(open);
        let is_shown = line.is_some_and(|(line, open)| open.shown.contains(&line));
        if is_shown && !needs_row && self.rows.remove(&item) {
            self.room += entry.name(ranked.declaration).chars().count() + 2;
        }
    }

    fn finish(self) -> SourceSelection {
        let best_first = self.files_in_order();
        let files: Vec<SelectedFile> = best_first
            .iter()
            .filter_map(|file| self.selected(*file))
            .collect();
        let text = crate::render::text_of(&files);
        let shown: usize = files.iter().map(|file| file.symbols.len()).sum();
        SourceSelection {
            tokens: text.chars().count().div_ceil(CHARACTERS_A_TOKEN),
            left_out: self.ranking.items.len().saturating_sub(shown),
            text,
            files,
        }
    }

    /// Files that are shown by the best that they have, those that agree with themselves before others.
    fn files_in_order(&self) -> Vec<FileNo> {
        let shares = &self.prepared.file_order;
        let mut order = self.order.clone();
        order.sort_by(|a, b| shares[b].total_cmp(&shares[a]));
        order
    }

    fn selected(&self, file: FileNo) -> Option<SelectedFile> {
        let (open, entry) = (self.files.get(&file)?, self.index.file(file)?);
        let mut owners: BTreeMap<u32, Vec<(u32, String)>> = BTreeMap::new();
        let owner_of = match open.shown.is_empty() {
            true => Vec::new(),
            false => owners_of_lines(entry, open.lines),
        };
        for line in open.filled() {
            let owner = owner_of[line as usize];
            let text = open.lines[line as usize].text(open.text).to_owned();
            owners.entry(owner).or_default().push((line + 1, text));
        }
        let items: FxHashMap<u32, usize> = open
            .named
            .iter()
            .map(|item| (self.ranking.items[*item].declaration, *item))
            .collect();
        for declaration in items.keys() {
            owners.entry(*declaration).or_default();
        }
        let symbols = owners.into_iter().map(|(declaration, lines)| {
            self.symbol(
                entry,
                open,
                declaration,
                lines,
                items.get(&declaration).copied(),
            )
        });
        Some(SelectedFile {
            path: entry.path.to_string(),
            symbols: symbols.collect(),
        })
    }

    fn symbol(
        &self,
        entry: &FileEntry,
        open: &OpenFile<'_>,
        declaration: u32,
        lines: Vec<(u32, String)>,
        item: Option<usize>,
    ) -> SelectedSymbol {
        let declared = &entry.declared[declaration as usize];
        let said = || {
            let own = own_lines(entry, declaration, open.lines).into_iter();
            own.filter(|line| !open.lines[*line as usize].is_empty)
                .count()
        };
        let written = lines.iter().filter(|(_, line)| !line.trim().is_empty());
        let tier = match written.count() {
            0 => DetailTier::Name,
            shown if shown >= said() => DetailTier::Body,
            1 if declared.kind != DeclarationClass::File => DetailTier::Signature,
            _ => DetailTier::Lines,
        };
        let line_at = |at: u32| open.lines.partition_point(|line| line.start <= at).max(1) as u32;
        SelectedSymbol {
            name: entry.name(declaration).to_owned(),
            container: entry.container(declaration).to_owned(),
            kind: declared.kind_word,
            line_start: line_at(declared.start),
            line_end: line_at(declared.end.saturating_sub(1).max(declared.start)),
            tier,
            in_row: item.is_some_and(|item| self.rows.contains(&item)),
            lines,
            share: item.map_or(0.0, |item| self.ranking.items[item].share),
            why: item.map_or_else(Vec::new, |item| self.ranking.items[item].why.clone()),
        }
    }
}

/// A piece with what it is worth now; the order is total, so that a heap's is too.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Weighed {
    worth: f32,
    cost: usize,
    piece: usize,
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

/// The lines of a declaration that are no other declaration's, ascending.
fn own_lines(entry: &FileEntry, declaration: u32, lines: &[LineRange]) -> Vec<u32> {
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

/// The innermost declaration of each line.
fn owners_of_lines(entry: &FileEntry, lines: &[LineRange]) -> Vec<u32> {
    let mut owners = vec![0; lines.len()];
    for (at, of) in entry.declared.iter().enumerate().skip(1) {
        let first = lines
            .partition_point(|line| line.start <= of.doc_start)
            .saturating_sub(1);
        let end = lines.partition_point(|line| line.start < of.end);
        // Inner ones come later and take over; a line that two share is the outer one's.
        let first = if owners
            .get(first)
            .is_some_and(|owner| *owner != 0 && *owner != of.parent)
        {
            first + 1
        } else {
            first
        };
        owners
            .iter_mut()
            .take(end)
            .skip(first)
            .for_each(|owner| *owner = at as u32);
    }
    owners
}

/// Runs of lines, parted at empty lines and where they grow long.
fn parts_of_body(own: &[u32], lines: &[LineRange], code: u32) -> Vec<std::ops::Range<u32>> {
    let mut parts: Vec<std::ops::Range<u32>> = Vec::new();
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
