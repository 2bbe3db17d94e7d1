//! The diff of a bundle: all of it where it fits, else as many whole hunks as fit.

use super::{BundleInput, Missing, Room, cost};
use crate::diff::{Hunk, LineKind};
use crate::evidence::LEAST_CONTEXT;

/// The hunks that are shown.
#[derive(Debug, Default)]
pub(super) struct Diffs {
    /// Units with their text, in the order of the bundle.
    pub(super) shown: Vec<(usize, String)>,
    /// What has no room.
    pub(super) missing: Vec<Missing>,
    /// Characters that items take with these.
    pub(super) used: usize,
    pub(super) is_tight: bool,
    /// Whether there are fewer lines around what changed than the change came with.
    pub(super) is_narrow: bool,
}

/// A hunk and what it costs.
struct CostedHunk {
    unit: usize,
    text: String,
    cost: usize,
}

/// The share of the room beyond which a diff is shown with fewer lines around what changed.
const MAX_WIDE: f64 = 0.5;
/// Noise takes at most the room divided by this.
const NOISE_PART: usize = 8;

pub(super) fn shown_diffs(
    wanted: &BundleInput<'_>,
    order: &[usize],
    room: Room,
    is_tight: bool,
) -> Diffs {
    let items: usize = order
        .iter()
        .map(|unit| cost::item(wanted, *unit, is_tight))
        .sum();
    let sum =
        |entries: &[CostedHunk]| entries.iter().map(|entry| entry.cost).sum::<usize>() + items;
    let mut entries = entries(wanted, order, false);
    let is_narrow = sum(&entries) as f64 > room.characters as f64 * MAX_WIDE;
    if is_narrow {
        entries = self::entries(wanted, order, true);
    }
    let mut diffs = Diffs {
        is_tight,
        is_narrow,
        ..Diffs::default()
    };
    let keeps: Vec<bool> = match sum(&entries) <= room.characters {
        true => vec![true; entries.len()],
        false => smallest_first(wanted, &entries, room, is_tight),
    };
    let is_whole = keeps.iter().all(|keep| *keep);
    let mut left_out = (0usize, 0usize);
    for unit in order {
        let own = || {
            entries
                .iter()
                .zip(&keeps)
                .filter(|(entry, _)| entry.unit == *unit)
        };
        let mut text: String = own()
            .filter(|(_, keep)| **keep)
            .map(|(entry, _)| entry.text.as_str())
            .collect();
        let missing: usize = own()
            .filter(|(_, keep)| !**keep)
            .map(|(entry, _)| entry.cost)
            .sum();
        let count = own().filter(|(_, keep)| !**keep).count();
        let has_none = own().next().is_none();
        left_out = (left_out.0 + count, left_out.1 + missing);
        if text.is_empty() && count > 0 {
            continue;
        }
        if has_none {
            if !is_whole {
                continue;
            }
            text = without_hunks(wanted, *unit);
        }
        diffs.used += cost::item(wanted, *unit, is_tight) + cost::json(&text);
        diffs.shown.push((*unit, text));
    }
    if left_out.0 > 0 {
        cut_one(&mut diffs, &entries, &keeps, wanted, room);
        diffs.missing.push(Missing {
            kind: "diff".to_owned(),
            details: format!(
                "{} of {} hunks are not shown whole",
                left_out.0,
                entries.len()
            ),
            tokens: left_out.1.div_ceil(4) as u32,
        });
    }
    diffs
}

/// The diffs of units that rules leave out as noise, such as lock files: whole, the smallest first, where nothing else takes
/// the room and they are a small part of it. With what is said of the others.
pub(super) fn noise(
    wanted: &BundleInput<'_>,
    room: Room,
    left: usize,
    is_tight: bool,
) -> (Vec<(usize, String)>, Option<Missing>) {
    let most = match room.is_named {
        true => left.min(room.characters / NOISE_PART),
        false => 0,
    };
    let hunks = |unit: usize| wanted.units[unit].hunks_of(wanted.change);
    let text = |unit: usize| hunks(unit).map(Hunk::text).collect::<String>();
    // Generated files may be huge: what cannot fit is measured and not written.
    let cost = |unit: usize| {
        let lines = hunks(unit).flat_map(|hunk| &hunk.lines);
        match lines.map(|line| line.text.len() + 2).sum() {
            length if length > most => length,
            _ => cost::item(wanted, unit, is_tight) + cost::json(&text(unit)),
        }
    };
    let is_noise = |at: &usize| wanted.fused[*at].is_noise && hunks(*at).next().is_some();
    let units = (0..wanted.units.len()).filter(is_noise);
    let mut units: Vec<(usize, usize)> = units.map(|unit| (cost(unit), unit)).collect();
    units.sort_unstable();
    let mut left = most;
    let fits = |(cost, _): &&(usize, usize)| {
        let rest = left.checked_sub(*cost);
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let count = units.iter().take_while(fits).count();
    let (shown, others) = units.split_at(count);
    let missing = (!others.is_empty()).then(|| Missing {
        kind: "noise".to_owned(),
        details: format!("{count} of {} units shown", units.len()),
        tokens: others
            .iter()
            .map(|(cost, _)| cost)
            .sum::<usize>()
            .div_ceil(4) as u32,
    });
    let shown = shown.iter().map(|(_, unit)| (*unit, text(*unit)));
    (shown.collect(), missing)
}

/// The hunks of units, as they came or with few lines around what changed.
fn entries(wanted: &BundleInput<'_>, order: &[usize], is_narrow: bool) -> Vec<CostedHunk> {
    let mut entries = Vec::new();
    for unit in order {
        let mut add = |hunk: &Hunk| {
            let text = hunk.text();
            entries.push(CostedHunk {
                unit: *unit,
                cost: cost::json(&text),
                text,
            });
        };
        for hunk in wanted.units[*unit].hunks_of(wanted.change) {
            match is_narrow {
                true => hunk.narrowed(LEAST_CONTEXT).iter().for_each(&mut add),
                false => add(hunk),
            }
        }
    }
    entries
}

/// Which hunks are kept where not all fit: code before the rest, small ones before large ones.
fn smallest_first(
    wanted: &BundleInput<'_>,
    entries: &[CostedHunk],
    room: Room,
    is_tight: bool,
) -> Vec<bool> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|at| {
        let entry = &entries[*at];
        let file = wanted.units[entry.unit].file_of(wanted.change);
        (file.language.is_none(), entry.cost, *at)
    });
    let mut keeps = vec![false; entries.len()];
    let mut has_item = vec![false; wanted.units.len()];
    let mut used = 0;
    for at in order {
        let entry = &entries[at];
        let around = if has_item[entry.unit] {
            0
        } else {
            cost::item(wanted, entry.unit, is_tight)
        };
        if used + around + entry.cost <= room.characters {
            used += around + entry.cost;
            has_item[entry.unit] = true;
            keeps[at] = true;
        }
    }
    keeps
}

/// The riskiest hunk that is too large is begun, as far as there is room.
fn cut_one(
    diffs: &mut Diffs,
    entries: &[CostedHunk],
    keeps: &[bool],
    wanted: &BundleInput<'_>,
    room: Room,
) {
    const MARK: &str = "… cut\n";
    let Some((entry, _)) = entries.iter().zip(keeps).find(|(_, keep)| !**keep) else {
        return;
    };
    let known = diffs.shown.iter().position(|(unit, _)| *unit == entry.unit);
    let around = if known.is_some() {
        0
    } else {
        cost::item(wanted, entry.unit, diffs.is_tight)
    };
    let mut left = room
        .characters
        .saturating_sub(diffs.used + around + cost::json(MARK));
    let mut text = String::new();
    for line in entry.text.split_inclusive('\n') {
        let cost = cost::json(line);
        if cost > left {
            break;
        }
        left -= cost;
        text.push_str(line);
    }
    if text.lines().count() < 4 {
        return; // a head without lines tells nothing
    }
    text.push_str(MARK);
    diffs.used += around + cost::json(&text);
    match known {
        Some(at) => diffs.shown[at].1.push_str(&text),
        None => diffs.shown.insert(0, (entry.unit, text)),
    }
}

/// What is said of a unit without hunks.
fn without_hunks(wanted: &BundleInput<'_>, unit: usize) -> String {
    let diff = &wanted.units[unit].file_of(wanted.change).diff;
    let mut said = vec![diff.kind.as_str().to_owned()];
    if diff.is_binary {
        said.push("binary".to_owned());
    }
    if diff.old_path != diff.new_path
        && let (Some(old), Some(new)) = (&diff.old_path, &diff.new_path)
    {
        said.push(format!("{old} -> {new}"));
    }
    if diff.old_mode != diff.new_mode
        && let (Some(old), Some(new)) = (&diff.old_mode, &diff.new_mode)
    {
        said.push(format!("mode {old} -> {new}"));
    }
    said.join(", ")
}

/// Characters of the whole diff as JSON.
pub(super) fn whole(wanted: &BundleInput<'_>) -> usize {
    let hunks = wanted
        .units
        .iter()
        .flat_map(|unit| unit.hunks_of(wanted.change));
    let lines = hunks.flat_map(|hunk| &hunk.lines);
    let text = |line: &crate::diff::HunkLine| cost::json(&line.text) + 3;
    lines
        .filter(|line| line.kind != LineKind::Context || !line.text.is_empty())
        .map(text)
        .sum()
}
