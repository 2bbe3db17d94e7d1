//! Review units: parts of a change that are judged and shown together (SPEC RV1, `004` §1).
//!
//! A file is one unit, unless so much of it changed that its declarations are better judged one by one.

use codecortex_index::ChangeClass;
use codecortex_syntax::content_hash;

use crate::change::{ChangedFile, ReviewedChange};
use crate::changed_lines::{ChangedLines, MovedLines};
use crate::diff::{Hunk, PatchType, Run};
use crate::layout::is_only_layout;
use crate::rules::RuleVerdict;
use crate::touched_declarations::{Touched, touched};

/// A file with fewer changed lines is one unit.
const SPLIT_ABOVE: u32 = 120;
/// Units of a change; what is beyond is counted.
pub(crate) const MAX_UNITS: usize = 3_000;

/// A unit.
#[derive(Debug)]
pub struct ReviewUnit {
    /// Tells it from others, also when something else of the change is another.
    pub id: String,
    /// Its file's place in the change.
    pub file: usize,
    /// Its hunks' places in the file.
    pub hunks: Vec<usize>,
    /// The declarations that it touches.
    pub touched: Vec<Touched>,
    /// How gravely it changes what there is; absent where nobody can tell.
    pub class: Option<ChangeClass>,
    /// Lines added and removed.
    pub counts: (u32, u32),
    /// Share of its lines that stand elsewhere in the change.
    pub moved_ratio: Option<f64>,
    /// The name that stands for another in it, and nothing else changed: old and new.
    pub rename: Option<(String, String)>,
    /// What the rules say.
    pub verdict: RuleVerdict,
}

impl ReviewUnit {
    /// Its file.
    #[must_use]
    pub fn file_of<'c>(&self, change: &'c ReviewedChange) -> &'c ChangedFile {
        &change.files[self.file]
    }

    /// The declarations that it touches and that others may see: closures are their function's own.
    pub fn declared(&self) -> impl Iterator<Item = &Touched> {
        self.touched.iter().filter(|touched| !touched.is_closure)
    }

    /// Its hunks.
    pub fn hunks_of<'c>(
        &'c self,
        change: &'c ReviewedChange,
    ) -> impl Iterator<Item = &'c Hunk> + 'c {
        let hunks = &change.files[self.file].diff.hunks;
        self.hunks.iter().filter_map(|at| hunks.get(*at))
    }

    /// What changed in it.
    #[must_use]
    pub fn runs(&self, change: &ReviewedChange) -> Vec<Run> {
        self.hunks_of(change).flat_map(Hunk::runs).collect()
    }

    /// `L20-L35,L40` of the new version, and of the old one.
    #[must_use]
    pub fn line_numbers(&self, change: &ReviewedChange) -> (String, String) {
        let runs = self.runs(change);
        let compact = |of: &dyn Fn(&Run) -> (u32, u32)| {
            let ranges = runs.iter().map(of).filter(|(_, count)| *count > 0);
            let words: Vec<String> = ranges
                .map(|(start, count)| match count {
                    1 => format!("L{start}"),
                    _ => format!("L{start}-L{}", start + count - 1),
                })
                .collect();
            words.join(",")
        };
        (
            compact(&|run| (run.new, run.new_count)),
            compact(&|run| (run.old, run.old_count)),
        )
    }

    /// Whether the diff is the whole file.
    #[must_use]
    pub fn is_whole_file(&self, change: &ReviewedChange) -> bool {
        let file = self.file_of(change);
        file.diff.kind == PatchType::Add && self.hunks.len() == file.diff.hunks.len()
    }
}

/// The units of a change.
#[must_use]
pub fn units(change: &ReviewedChange) -> Vec<ReviewUnit> {
    let moved = MovedLines::from_hunks(change.files.iter().flat_map(|file| &file.diff.hunks));
    let mut all: Vec<ReviewUnit> = Vec::new();
    for (at, file) in change.files.iter().enumerate() {
        let runs: Vec<Run> = file.diff.hunks.iter().flat_map(Hunk::runs).collect();
        let mut known = touched(file, &runs);
        for hunks in parts(file, &known) {
            if all.len() >= MAX_UNITS {
                return all;
            }
            let unit = unit(at, file, hunks, &mut known, &moved);
            all.push(unit);
        }
    }
    tell_apart(&mut all);
    all
}

/// The hunks of a file by the units they make.
fn parts(file: &ChangedFile, touched: &[Touched]) -> Vec<Vec<usize>> {
    let hunks = &file.diff.hunks;
    let (added, removed) = file.counts();
    if hunks.len() < 2 || added + removed <= SPLIT_ABOVE || file.diff.kind != PatchType::Modify {
        return vec![(0..hunks.len()).collect()];
    }
    let outer = |hunk: &Hunk| {
        let run = hunk.runs().first().copied()?;
        let touched = touched.iter().find(|touched| touched.runs.contains(&run))?;
        // A member goes with those of its type.
        Some(touched.path.split('.').next().unwrap_or("").to_owned())
    };
    let mut parts: Vec<(Option<String>, Vec<usize>)> = Vec::new();
    for (at, hunk) in hunks.iter().enumerate() {
        let of = outer(hunk);
        match parts.last_mut() {
            Some((last, hunks)) if *last == of => hunks.push(at),
            _ => parts.push((of, vec![at])),
        }
    }
    parts.into_iter().map(|(_, hunks)| hunks).collect()
}

fn unit(
    at: usize,
    file: &ChangedFile,
    hunks: Vec<usize>,
    known: &mut Vec<Touched>,
    moved: &MovedLines,
) -> ReviewUnit {
    let own = || hunks.iter().filter_map(|hunk| file.diff.hunks.get(*hunk));
    let runs: Vec<Run> = own().flat_map(Hunk::runs).collect();
    let is_own = |touched: &Touched| touched.runs.iter().any(|run| runs.contains(run));
    let (touched, rest) = std::mem::take(known).into_iter().partition(is_own);
    *known = rest;
    let lines = ChangedLines::from_hunks(own());
    let counts = (lines.added.len() as u32, lines.removed.len() as u32);
    let text: String = own().map(Hunk::text).collect();
    let class = class(file, &touched, &own().collect::<Vec<_>>(), &lines);
    // What stands in its place with other white space, and means something else, has not moved.
    let is_exchanged = lines.are_alike_but_for_space() && class != Some(ChangeClass::Cosmetic);
    ReviewUnit {
        id: id_of(&file.path, &text),
        file: at,
        class,
        touched,
        counts,
        moved_ratio: moved.ratio(&lines).filter(|_| !is_exchanged),
        // The id of a commit is no name.
        rename: lines
            .consistent_rename()
            .filter(|_| !file.diff.is_submodule()),
        hunks,
        verdict: RuleVerdict::default(),
    }
}

/// The gravest class of what is touched; what is in no declaration is told from its lines.
fn class(
    file: &ChangedFile,
    touched: &[Touched],
    hunks: &[&Hunk],
    lines: &ChangedLines<'_>,
) -> Option<ChangeClass> {
    if is_only_layout(file, hunks, lines) {
        return Some(ChangeClass::Cosmetic);
    }
    let gravest = touched.iter().filter_map(|touched| touched.class).min();
    if lines.are_alike_but_for_space() {
        // Their white space says something: what they do may be another thing.
        let grave = gravest.filter(|class| *class < ChangeClass::Docs);
        return grave.or(file.language.map(|_| ChangeClass::Internal));
    }
    if gravest.is_some_and(|class| class < ChangeClass::Docs) {
        return gravest;
    }
    match lines.tokens() {
        Some(crate::changed_lines::ChangedTokens::Comment) => Some(ChangeClass::Docs),
        Some(crate::changed_lines::ChangedTokens::Import) => Some(ChangeClass::Internal),
        None if gravest.is_some() => gravest,
        None if file.language.is_some() && !lines.added.is_empty() | !lines.removed.is_empty() => {
            Some(ChangeClass::Internal)
        }
        None => None,
    }
}

fn id_of(path: &str, text: &str) -> String {
    let hash = content_hash(format!("{path}\0{text}").as_bytes());
    hash[..3]
        .iter()
        .fold("u".to_owned(), |id, byte| id + &format!("{byte:02x}"))
}

/// Units that happen to have the same id get a number.
fn tell_apart(all: &mut [ReviewUnit]) {
    let mut seen: rustc_hash::FxHashMap<String, u32> = rustc_hash::FxHashMap::default();
    for unit in all {
        let count = seen.entry(unit.id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            unit.id = format!("{}-{count}", unit.id);
        }
    }
}
