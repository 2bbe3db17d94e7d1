//! The bundle: the diff, and as much of what it cannot be understood without as a budget holds (SPEC RV2, BU1, `004` §4).
//!
//! The diff comes first and is never displaced. Context is chosen line by line, part by part: heads, meanings and callers
//! before bodies, so that a small budget says a little of everything; what is left over goes on in the same order and
//! stops where the rest is noise.

mod choose;
mod cost;
mod diffs;
mod notes;
mod shares;

use codecortex_retrieval::code_lines;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;

pub use choose::Room;

use crate::change::ReviewedChange;
use crate::evidence::{Evidence, EvidenceReason};
use crate::fusion::Fused;
use crate::level::{EvidenceLevel, EvidenceRequest, RequestKind};
use crate::unit::ReviewUnit;
use choose::{SelectedLines, choose};
use diffs::shown_diffs;

/// Lines of the version before that are shown of a unit.
const MAX_PREVIOUS: u32 = 80;
/// Lines on each side of a change that are shown of the version before of a longer function.
const AROUND_PREVIOUS: u32 = 10;

/// A unit with what it is understood by.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct BundleUnit {
    /// The unit's id.
    pub unit_id: String,
    /// Where it is and what it is.
    pub meta: Meta,
    /// How much of it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_context_level: Option<EvidenceLevel>,
    /// What was looked up for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra_requests: Vec<EvidenceRequest>,
    /// Its hunks.
    pub diff: String,
    /// Further lines of its file, each with its number; `… 12 lines` stands for those left out. Lines of the diff are not
    /// repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_context: Option<String>,
    /// The same, where more than its functions is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_context: Option<String>,
    /// The same, where all of the file is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_file: Option<String>,
    /// What it was, where that is looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_version: Option<String>,
    /// Code that uses what changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<Snippet>,
    /// What names on added lines mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<Snippet>,
    /// Tests that name what changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<Snippet>,
    /// What implements or overrides it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub implementations: Vec<Snippet>,
    /// Uses of words that a plan asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub search: Vec<Snippet>,
    /// Code like it that did not change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<Snippet>,
    /// Lines with the name of what changed that are no uses of it: imports, exports, prototypes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Snippet>,
    /// Declarations of names on changed lines that the names are not known to mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub namesakes: Vec<Snippet>,
    /// What tools report of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scanner_issues: Vec<String>,
    /// What was looked for and is not there, or not all shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Where a unit is and what it is.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Meta {
    /// Its file.
    pub file_path: String,
    /// What the rules call it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The lines it spans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hunk_range: Option<HunkRange>,
    /// Its changed lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_numbers: Option<LineNumbers>,
    /// Path and lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
}

/// First line and number of lines of both versions.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say it")]
pub struct HunkRange {
    pub old_start: u32,
    pub old_lines: u32,
    pub new_start: u32,
    pub new_lines: u32,
}

/// Changed lines as `L20-L35,L40`.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct LineNumbers {
    /// Of the version after.
    pub new_compact: String,
    /// Of the version before.
    pub old_compact: String,
}

/// Lines of another file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Snippet {
    /// Its path.
    pub file_path: String,
    /// Lines as they stand in the file, each with its number; `… 12 lines` stands for those left out.
    pub snippet: String,
}

/// Of what less is shown than was wanted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Downgrade {
    /// The unit.
    pub unit_id: String,
    /// What was wanted.
    pub from: EvidenceLevel,
    /// What is shown.
    pub to: EvidenceLevel,
}

/// What is not shown.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Missing {
    /// `diff`, `callers`, `definitions`, `noise` …
    #[serde(rename = "type")]
    pub kind: String,
    /// How many of how many.
    pub details: String,
    /// What it would cost.
    pub tokens: u32,
}

/// A bundle.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// Its units, the riskiest first.
    pub items: Vec<BundleUnit>,
    /// Of what less is shown than was wanted.
    pub downgrades: Vec<Downgrade>,
    /// What is not shown.
    pub omitted: Vec<Missing>,
}

/// What a bundle is made of.
pub struct BundleInput<'w> {
    /// The change.
    pub change: &'w ReviewedChange,
    /// Its units.
    pub units: &'w [ReviewUnit],
    /// What became of each of them.
    pub fused: &'w [Fused],
    /// What was found.
    pub evidence: &'w Evidence,
    /// What tools report, by unit.
    pub issues: &'w FxHashMap<usize, Vec<String>>,
}

/// Makes the bundle that fits into so much room.
#[must_use]
pub fn bundle(wanted: &BundleInput<'_>, room: Room) -> Bundle {
    let order = order(wanted);
    let is_tight = cost::is_tight(wanted, &order, room);
    let diffs = shown_diffs(wanted, &order, room, is_tight);
    let chosen = choose(wanted, room, &diffs);
    let mut bundle = Bundle::default();
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    for (unit, diff) in &diffs.shown {
        places.insert(*unit, bundle.items.len());
        bundle
            .items
            .push(item(wanted, *unit, diff.clone(), is_tight));
    }
    bundle.omitted = diffs.missing;
    if !bundle.items.is_empty() {
        put_context(wanted, &chosen, &places, is_tight, &mut bundle);
        bundle.omitted.extend(chosen.missing);
    }
    let (noise, left_out) = diffs::noise(wanted, room, chosen.left, is_tight);
    for (unit, diff) in noise {
        bundle.items.push(item(wanted, unit, diff, is_tight));
    }
    bundle.omitted.extend(left_out);
    bundle
}

/// Puts what was chosen into the items, and says of which units less is shown than was wanted.
fn put_context(
    wanted: &BundleInput<'_>,
    chosen: &SelectedLines,
    places: &FxHashMap<usize, usize>,
    is_tight: bool,
    bundle: &mut Bundle,
) {
    place_lines(wanted, chosen, places, &mut bundle.items);
    for (unit, text) in &chosen.previous {
        if let Some(place) = places.get(unit) {
            bundle.items[*place].previous_version = Some(text.clone());
        }
    }
    notes::put(wanted, chosen, places, is_tight, &mut bundle.items);
    for unit in &chosen.lowered {
        let to = if chosen.has_lines(wanted, *unit) {
            EvidenceLevel::Function
        } else {
            EvidenceLevel::DiffOnly
        };
        let from = wanted.fused[*unit].level;
        if to < from {
            let unit_id = wanted.units[*unit].id.clone();
            bundle.downgrades.push(Downgrade { unit_id, from, to });
        }
    }
}

/// The units that are shown, the riskiest first, code before tests before the rest.
fn order(wanted: &BundleInput<'_>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..wanted.units.len())
        .filter(|at| !wanted.fused[*at].is_skipped)
        .collect();
    order.sort_by_key(|at| {
        let unit = &wanted.units[*at];
        let file = unit.file_of(wanted.change);
        let is_code = file.language.is_some() && !file.is_test;
        (
            !is_code,
            std::cmp::Reverse(unit.verdict.risk),
            file.language.is_none(),
            *at,
        )
    });
    order
}

fn item(wanted: &BundleInput<'_>, at: usize, diff: String, is_tight: bool) -> BundleUnit {
    let unit = &wanted.units[at];
    let path = unit.file_of(wanted.change).path.clone();
    let mut item = BundleUnit {
        unit_id: unit.id.clone(),
        diff,
        meta: Meta {
            file_path: path.clone(),
            tags: unit.verdict.tags.clone(),
            ..Meta::default()
        },
        scanner_issues: wanted.issues.get(&at).cloned().unwrap_or_default(),
        ..BundleUnit::default()
    };
    if is_tight {
        item.meta.tags.clear();
        return item;
    }
    let (new_compact, old_compact) = unit.line_numbers(wanted.change);
    let lines = if new_compact.is_empty() {
        &old_compact
    } else {
        &new_compact
    };
    item.meta.location = Some(format!("{path}:{lines}"));
    item.meta.hunk_range = hunk_range(unit, wanted.change);
    item.meta.line_numbers = Some(LineNumbers {
        new_compact,
        old_compact,
    });
    item.final_context_level = Some(wanted.fused[at].level);
    item.extra_requests = wanted.fused[at].requests.clone();
    item
}

fn hunk_range(unit: &ReviewUnit, change: &ReviewedChange) -> Option<HunkRange> {
    let first = unit.hunks_of(change).next()?;
    let last = unit.hunks_of(change).last()?;
    Some(HunkRange {
        old_start: first.old_start,
        old_lines: (last.old_start + last.old_count).saturating_sub(first.old_start),
        new_start: first.new_start,
        new_lines: (last.new_start + last.new_count).saturating_sub(first.new_start),
    })
}

/// Puts the chosen lines of files of the change into its first unit, those of others into lists.
fn place_lines(
    wanted: &BundleInput<'_>,
    chosen: &SelectedLines,
    places: &FxHashMap<usize, usize>,
    items: &mut [BundleUnit],
) {
    let first = items.iter().enumerate().rev();
    let own: FxHashMap<String, usize> = first
        .map(|(at, item)| (item.meta.file_path.clone(), at))
        .collect();
    for (path, lines) in &chosen.files {
        let text = text_of(wanted.evidence, path, lines.keys().copied());
        let Some((part, unit)) = lines.values().min().copied() else {
            continue;
        };
        if let Some(at) = own.get(path) {
            let level = items[*at].final_context_level;
            let slot = match level {
                Some(EvidenceLevel::FileContext) => &mut items[*at].file_context,
                Some(EvidenceLevel::FullFile) => &mut items[*at].full_file,
                _ => &mut items[*at].function_context,
            };
            *slot = Some(text);
            continue;
        }
        let item = &mut items[places.get(&unit).copied().unwrap_or(0)];
        let snippet = Snippet {
            file_path: path.clone(),
            snippet: text,
        };
        match part {
            EvidenceReason::Caller => item.callers.push(snippet),
            EvidenceReason::Definition | EvidenceReason::Member | EvidenceReason::Nearby => {
                item.definitions.push(snippet)
            }
            EvidenceReason::Test => item.tests.push(snippet),
            EvidenceReason::Implementation => item.implementations.push(snippet),
            EvidenceReason::Search => item.search.push(snippet),
            EvidenceReason::Mention => item.mentions.push(snippet),
            EvidenceReason::Namesake => item.namesakes.push(snippet),
            _ => item.similar.push(snippet),
        }
    }
}

/// Lines as they are shown, with a single blank one that stands between two of them.
fn text_of(evidence: &Evidence, path: &str, lines: impl Iterator<Item = u32>) -> String {
    let mut texts: Vec<(u32, String)> = Vec::new();
    for line in lines {
        let last = texts.last().map_or(0, |(last, _)| *last);
        if last > 0 && line == last + 2 && cost::is_blank(evidence, path, last + 1) {
            texts.push((last + 1, String::new()));
        }
        texts.push((line, cost::source_line(evidence, path, line)));
    }
    code_lines(&texts)
}

/// What a unit's declarations were, as far as it is looked at and the diff does not say all of it.
fn previous_version(wanted: &BundleInput<'_>, at: usize) -> Option<String> {
    let asks = wanted.fused[at]
        .requests
        .iter()
        .any(|request| request.kind == RequestKind::PreviousVersion);
    let unit = &wanted.units[at];
    let old = unit.file_of(wanted.change).old.as_ref().filter(|_| asks)?;
    let facts = old.facts.as_ref()?;
    let mut lines: Vec<(u32, String)> = Vec::new();
    for touched in &unit.touched {
        let item = touched.old.and_then(|item| facts.items.get(item as usize));
        let Some(item) = item.filter(|item| item.kind.is_callable()) else {
            continue;
        };
        let (start, end) = crate::source::span(item);
        let is_whole = end - start < MAX_PREVIOUS;
        let is_near = |line: u32| {
            touched.runs.iter().any(|run| {
                let (lo, hi) = run.old_span();
                lo.saturating_sub(AROUND_PREVIOUS) <= line && line <= hi + AROUND_PREVIOUS
            })
        };
        let head = crate::source::name_line(item);
        let shown = (start..=end).filter(|line| is_whole || *line == head || is_near(*line));
        lines.extend(shown.map(|line| (line, old.line(line).to_owned())));
    }
    lines.sort();
    lines.dedup();
    lines.truncate(MAX_PREVIOUS as usize);
    (!lines.is_empty()).then(|| code_lines(&lines))
}
