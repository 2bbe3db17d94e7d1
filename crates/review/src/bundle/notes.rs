//! What was looked for and is not there, or not all shown: a name that is not said could as well not have been looked for.

use rustc_hash::FxHashMap;

use super::choose::SelectedLines;
use super::{BundleInput, BundleUnit};
use crate::evidence::Looked;
use crate::level::RequestKind;

/// Sentences of an item about what nobody planned.
const MAX_NOTES: usize = 4;

/// Says it in the items; where there is little room only of what a plan asks for.
pub(super) fn put(
    wanted: &BundleInput<'_>,
    chosen: &SelectedLines,
    places: &FxHashMap<usize, usize>,
    is_tight: bool,
    items: &mut [BundleUnit],
) {
    for looked in &wanted.evidence.looked {
        if let Some(note) = note_of(chosen, looked) {
            let is_kept = looked.is_planned || !is_tight;
            add(
                places,
                looked.unit,
                (is_kept, looked.is_planned),
                note,
                items,
            );
        }
    }
    if is_tight {
        return;
    }
    for (unit, note) in uses(wanted)
        .into_iter()
        .chain(without_names(wanted, chosen))
    {
        add(places, unit, (true, false), note, items);
    }
}

fn add(
    places: &FxHashMap<usize, usize>,
    unit: usize,
    (is_kept, is_planned): (bool, bool),
    note: String,
    items: &mut [BundleUnit],
) {
    let item = places.get(&unit).and_then(|place| items.get_mut(*place));
    let Some(item) = item.filter(|_| is_kept) else {
        return;
    };
    if (is_planned || item.notes.len() < MAX_NOTES) && !item.notes.contains(&note) {
        item.notes.push(note);
    }
}

/// Of what was asked for, what is not there or not all shown.
fn note_of(chosen: &SelectedLines, looked: &Looked) -> Option<String> {
    let is_shown = |(path, line): &&(String, u32)| chosen.shows(path, *line);
    let all = looked.found.len();
    let shown = looked.found.iter().filter(is_shown).count();
    let asked = format!(
        "{} `{}`",
        looked.request.kind.as_str(),
        looked.request.details.as_deref().unwrap_or("")
    );
    match (shown, all) {
        (_, 0) => Some(format!("{asked}: {}", nothing(looked.request.kind))),
        _ if shown < all => Some(format!("{asked}: {shown} of {all} shown")),
        _ => None,
    }
}

/// What is said where nothing was found: no more than was looked at.
fn nothing(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::SearchConfigUsage => {
            "no name and no string outside of the diff, in the files that were looked at"
        }
        RequestKind::Search => "no use by this name outside of the diff",
        _ => "nothing outside of the diff",
    }
}

/// Of declarations with another signature, those that nothing outside of the diff uses.
fn uses(wanted: &BundleInput<'_>) -> Vec<(usize, String)> {
    let known = wanted.evidence.known.iter();
    let unused = known.filter(|known| known.is_followed && known.callers.is_empty());
    let of_unused = unused.filter_map(|known| {
        let touched = &wanted.units[known.of.0].touched[known.of.1];
        let is_said = wanted.evidence.looked.iter().any(|looked| {
            looked.unit == known.of.0 && looked.request.details.as_ref() == Some(&touched.path)
        });
        let note = || format!("no use of `{}` outside of the diff", touched.path);
        (touched.is_signature_changed() && !is_said).then(|| (known.of.0, note()))
    });
    of_unused.collect()
}

/// Of requests that need no name.
fn without_names(wanted: &BundleInput<'_>, chosen: &SelectedLines) -> Vec<(usize, String)> {
    let mut notes = Vec::new();
    for (at, fused) in wanted.fused.iter().enumerate() {
        for request in &fused.requests {
            let said = match request.kind {
                RequestKind::ScannerIssues if !wanted.issues.contains_key(&at) => {
                    "no tool reported any of this file"
                }
                RequestKind::PreviousVersion => match previous(wanted, chosen, at) {
                    Some(said) => said,
                    None => continue,
                },
                _ => continue,
            };
            notes.push((at, format!("{}: {said}", request.kind.as_str())));
        }
    }
    notes
}

/// Why the version before is not shown.
fn previous(wanted: &BundleInput<'_>, chosen: &SelectedLines, at: usize) -> Option<&'static str> {
    let file = wanted.units[at].file_of(wanted.change);
    let is_shown = chosen.previous.iter().any(|(unit, _)| *unit == at);
    match &file.old {
        _ if is_shown => None,
        None if file.diff.kind == crate::diff::PatchType::Add => Some("the file is new"),
        None => Some("it was not read"),
        Some(_) if super::previous_version(wanted, at).is_none() => {
            Some("the diff shows all of it")
        }
        Some(_) => None, // it has no room, which `left_out` says
    }
}
