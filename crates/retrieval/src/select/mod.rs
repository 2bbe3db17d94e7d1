//! What is shown of a ranking within a budget: names, signatures and pieces of bodies, the most telling first.
//!
//! Every piece has a gain (how likely it is what the question needs) and a cost in characters; the best by gain for cost is
//! taken while it fits. A name costs little and is shown of many; a body of few.

mod choose;
mod cost;
mod finish;
mod gains;
mod pieces;
mod selection;

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use choose::DetailChoice;
use pieces::SourcePiece;
pub use selection::{
    AnswerForm, CHARACTERS_A_TOKEN, DetailTier, EntryCosts, SelectedFile, SelectedSymbol,
    SelectionRequest, Selector, SourceSelection,
};

use crate::document::DeclarationClass;
use crate::index::{FileEntry, FileNo, Index, TermId};
use crate::lines::{LineRange, lines_of};
use crate::params::Params;
use crate::rank::{Ranked, Ranking};

/// Files whose text is looked at.
const FILES: usize = 120;
/// Declarations that may be shown.
const NAMES: usize = 1500;

/// Chooses what to show. `text` gives a file's text by path, or nothing where it cannot be read.
#[must_use]
pub fn select<'t>(
    index: &Index,
    ranking: &Ranking,
    request: SelectionRequest,
    params: &Params,
    text: impl Fn(&str) -> Option<Cow<'t, str>>,
) -> SourceSelection {
    let prepared = prepare(index, ranking, params, &text);
    prepared.select(index, ranking, request, params, text)
}

/// What is the same for every budget: the lines of the files, and the pieces.
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
    /// How likely each item is meant, 0 to 1.
    item_gains: Vec<f32>,
    pieces: Vec<SourcePiece>,
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
        item_gains: ranking
            .items
            .iter()
            .take(NAMES)
            .map(|item| gain(item.share, params))
            .collect(),
        file_gains: file_gains(ranking, params),
        file_order: file_order(ranking, params),
        lines,
        ..Prepared::default()
    };
    let choice = DetailChoice::new(
        index,
        ranking,
        SelectionRequest::default(),
        params,
        &prepared,
        &texts,
    );
    prepared.pieces = choice.pieces();
    prepared
}

impl Prepared {
    /// Chooses what to show within a budget. `text` gives the same texts as before.
    #[must_use]
    pub fn select<'t>(
        &self,
        index: &Index,
        ranking: &Ranking,
        request: SelectionRequest,
        params: &Params,
        text: impl Fn(&str) -> Option<Cow<'t, str>>,
    ) -> SourceSelection {
        let texts = texts_of(index, ranking, text);
        let mut choice = DetailChoice::new(index, ranking, request, params, self, &texts);
        match request.selector {
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

/// How likely something with a share of the whole is meant.
fn gain(share: f32, params: &Params) -> f32 {
    1.0 - (-params.expected * share).exp()
}

fn file_gains(ranking: &Ranking, params: &Params) -> FxHashMap<FileNo, f32> {
    let mut shares: FxHashMap<FileNo, f32> = FxHashMap::default();
    for item in &ranking.items {
        *shares.entry(item.file).or_default() += item.share;
    }
    shares
        .values_mut()
        .for_each(|share| *share = gain(*share, params));
    shares
}

/// More than the declarations of any file sum to.
const FIRST: f32 = 1e6;

/// Files of places that the question names go first, then files that agree with themselves.
fn file_order(ranking: &Ranking, params: &Params) -> FxHashMap<FileNo, f32> {
    let power = params.order_power[usize::from(ranking.has_focus)];
    let mut shares: FxHashMap<FileNo, f32> = FxHashMap::default();
    for item in &ranking.items {
        let of_place = if item.is_named {
            FIRST * item.share
        } else {
            0.0
        };
        *shares.entry(item.file).or_default() += item.share.powf(power) + of_place;
    }
    shares
}
