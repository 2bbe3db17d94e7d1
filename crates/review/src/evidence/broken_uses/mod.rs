//! Uses that a change breaks: they led somewhere before it, stand as they were, and lead there no more (SPEC RV3).
//!
//! Names are resolved in the state before the change ([`states`]), where what is gone still is, and each use that is left
//! is resolved again in the state after it ([`present`]). So another declaration of the same name, a library's or a key of
//! an object, is no use, and what is exported again under its name is not gone. Languages of which only names are known
//! have no such states: there a name counts that nothing else has.

mod by_name;
mod calls;
mod former_uses;
mod present_uses;
mod reexports;
mod states;

use std::collections::BTreeSet;

use codecortex_analysis::AnalysisView;
use codecortex_resolve::{ConfidenceTier, FileNo};
use rustc_hash::FxHashMap;

use super::facts::{Broken, Cause, Evidence, Misfits};
use super::search::EvidenceSearch;
use crate::call_text::CallText;
use crate::change::ReviewedChange;
use crate::unit::ReviewUnit;

/// A use by its place in the state after the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct UseLocation {
    /// Its file.
    pub(super) file: Holder,
    /// First byte.
    pub(super) at: u32,
}

/// The file of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Holder {
    /// One that the change leaves alone, by its number in the index.
    Other(FileNo),
    /// One of the change, by its place there.
    Changed(usize),
}

/// A use as it was before the change.
#[derive(Clone, Copy, Debug)]
struct FormerUse {
    place: UseLocation,
    tier: ConfidenceTier,
    /// Whether it was a call that what it led to accepted.
    is_accepted_call: bool,
    /// Whether an import brought its name.
    had_import: bool,
    /// Whether it is one.
    is_import: bool,
}

/// Something whose former uses may be broken.
#[derive(Debug)]
struct Suspect {
    unit: usize,
    name: String,
    cause: Cause,
    uses: Vec<FormerUse>,
}

/// What was found of uses before texts are read.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    broken: Vec<(Suspect, Vec<UseLocation>)>,
    /// Calls that may not fit what they call any more, by unit and place among its declarations.
    misfits: FxHashMap<(usize, usize), Vec<calls::Misfit>>,
}

/// Looks for broken uses. The joined names must not be in use.
pub(super) fn find(
    view: &AnalysisView<'_>,
    root: u32,
    change: &ReviewedChange,
    units: &[ReviewUnit],
) -> Breaks {
    let states = states::States::new(view, root, change);
    let Some((mut suspects, called)) = former_uses::suspects(view, &states, units) else {
        return Breaks::default();
    };
    suspects.retain(|suspect| !suspect.uses.is_empty());
    let present = present_uses::Present::new(view, &states, change);
    let (broken, misfits) = present.ask(|present| {
        let broken = suspects.into_iter().filter_map(|suspect| {
            let left = present.broken(&suspect);
            (!left.is_empty()).then_some((suspect, left))
        });
        let broken: Vec<(Suspect, Vec<UseLocation>)> = broken.collect();
        (broken, calls::misfits(present, units, &called))
    });
    Breaks {
        broken: without_repeats(broken),
        misfits,
    }
}

/// Where an import leads nowhere, what it would have brought is not told again.
fn without_repeats(mut all: Vec<(Suspect, Vec<UseLocation>)>) -> Vec<(Suspect, Vec<UseLocation>)> {
    let mut told: BTreeSet<(usize, Holder)> = BTreeSet::new();
    for (suspect, left) in &all {
        if matches!(suspect.cause, Cause::File { .. }) {
            told.extend(left.iter().map(|place| (suspect.unit, place.file)));
        }
    }
    for (suspect, left) in &mut all {
        if !matches!(suspect.cause, Cause::File { .. }) {
            left.retain(|place| !told.contains(&(suspect.unit, place.file)));
        }
    }
    all.retain(|(_, left)| !left.is_empty());
    all
}

impl Breaks {
    /// The files that have to be read to tell the lines of the uses.
    pub(super) fn files(&self) -> impl Iterator<Item = FileNo> {
        let broken = self.broken.iter().flat_map(|(_, left)| left);
        let misfits = self.misfits.values().flatten();
        let places = broken.chain(misfits.map(|misfit| &misfit.place));
        places.filter_map(|place| match place.file {
            Holder::Other(file) => Some(file),
            Holder::Changed(_) => None,
        })
    }

    /// Adds what was found, by lines, and what is left of names in languages of which no more is known.
    pub(super) fn add(self, search: &EvidenceSearch<'_>, found: &mut Evidence) {
        for (suspect, left) in self.broken {
            let left = lines_of(search, &left, found);
            if !left.is_empty() {
                found.broken.push(Broken {
                    unit: suspect.unit,
                    name: suspect.name,
                    cause: suspect.cause,
                    left,
                });
            }
        }
        by_name::add(search, found);
        for (of, misfits) in self.misfits {
            let touched = &search.units[of.0].touched[of.1];
            let with_text = |misfit: &calls::Misfit| {
                let place = misfit.place;
                let path = path_of(search, place);
                let text = path.and_then(|path| Some((path, found.lines.text(path)?)));
                let fitness = text.map(|(path, text)| {
                    let fitness = misfit.with_text(touched, text, place.at);
                    // Arguments that the change touches were written for what is called now.
                    let is_adapted = is_call_changed(search, found, path, place.at);
                    match fitness == calls::Fitness::Doubtful && is_adapted {
                        true => calls::Fitness::Fits,
                        false => fitness,
                    }
                });
                (place, fitness.unwrap_or(misfit.fitness))
            };
            let fitness: Vec<(UseLocation, calls::Fitness)> =
                misfits.iter().map(with_text).collect();
            let lines = |wanted: calls::Fitness| -> Vec<(String, u32)> {
                let those = fitness.iter().filter(|(_, fitness)| *fitness == wanted);
                let places: Vec<UseLocation> = those.map(|(place, _)| *place).collect();
                let mut lines = lines_of(search, &places, found);
                // Tests are told of by themselves.
                lines.retain(|(path, _)| !crate::source::is_test_path(path));
                lines
            };
            let misfits = Misfits {
                refused: lines(calls::Fitness::Refused),
                doubtful: lines(calls::Fitness::Doubtful),
            };
            found.misfits.insert(of, misfits);
        }
    }
}

/// Whether the change touches a line of the call at a byte of a file.
fn is_call_changed(search: &EvidenceSearch<'_>, found: &Evidence, path: &str, at: u32) -> bool {
    let end = found.lines.text(path).and_then(|text| {
        let call = CallText::at(text, at as usize)?;
        u32::try_from(call.end).ok()
    });
    let line_at = |byte: u32| found.lines.line_at(path, byte).unwrap_or(0);
    let (first, last) = (line_at(at), line_at(end.unwrap_or(at)));
    (first..=last).any(|line| search.shown.is_changed(path, line))
}

/// The path of the file of a place.
fn path_of<'s>(search: &'s EvidenceSearch<'_>, place: UseLocation) -> Option<&'s str> {
    match place.file {
        Holder::Other(file) => search.path(file),
        Holder::Changed(at) => search.change.files.get(at).map(|file| file.path.as_str()),
    }
}

/// Path and line of places, code before tests, the nearest first; each line once.
fn lines_of(
    search: &EvidenceSearch<'_>,
    places: &[UseLocation],
    found: &Evidence,
) -> Vec<(String, u32)> {
    let line_of = |place: &UseLocation| -> Option<(String, u32)> {
        match place.file {
            Holder::Other(file) => {
                let path = search.path(file)?;
                Some((path.to_owned(), found.lines.line_at(path, place.at)?))
            }
            Holder::Changed(at) => {
                let file = search.change.files.get(at)?;
                Some((file.path.clone(), file.new.as_ref()?.line_at(place.at)))
            }
        }
    };
    let mut lines: Vec<(String, u32)> = places.iter().filter_map(line_of).collect();
    lines.sort_by_cached_key(|(path, line)| {
        let is_test = crate::source::is_test_path(path);
        let nearness = std::cmp::Reverse(search.nearness(path));
        (is_test, nearness, path.clone(), *line)
    });
    lines.dedup();
    lines
}
