//! What a review finds without a model: what rules report by themselves, and facts that the index has (SPEC RV3, `004` §5).

use codecortex_index::ChangeClass;
use codecortex_syntax::{Facts, Item, ItemIndex, content_hash};
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{ChangedFile, ReviewedChange};
use crate::decisions::{MovedDecisions, decide_the_same, decisions};
use crate::effect::{Token, do_the_same, have_same_body, tokens, within};
use crate::equivalence::does_the_same;
use crate::evidence::{Cause, Evidence, Gone, UsesOfChanged};
use crate::generics;
use crate::parameters::CallFit;
use crate::source::{VersionedFile, name_line, squashed};
use crate::touched_declarations::Touched;
use crate::unit::ReviewUnit;

/// Places that a finding names.
const MAX_PLACES: usize = 5;

/// How grave a finding is, gravest first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It does not work.
    Error,
    /// It may not work.
    Warning,
    /// Something to know.
    Info,
}

impl Severity {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }

    /// The severity of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "error" | "critical" | "high" => Some(Self::Error),
            "warning" | "medium" | "major" => Some(Self::Warning),
            "info" | "low" | "minor" | "note" | "information" | "suggestion" => Some(Self::Info),
            _ => None,
        }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Tells it from others by its file, the text of its line and what it says: it stays where lines move.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Its line of the new version, from 1; 0 for the whole file.
    pub line: u32,
    /// How grave it is.
    pub severity: Severity,
    /// What kind of problem: the id of a rule, or a word.
    pub category: String,
    /// What is wrong, as a sentence.
    pub message: String,
    /// Places and facts that show it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// What the index says to it, where that is another thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
}

/// Where a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingLocation<'t> {
    /// The file.
    pub file: &'t str,
    /// The line of the new version, from 1; 0 for the whole file.
    pub line: u32,
    /// What stands there.
    pub text: &'t str,
}

impl<'t> FindingLocation<'t> {
    /// A line of a file of a change.
    #[must_use]
    pub fn from_file(file: &'t ChangedFile, line: u32) -> Self {
        Self {
            file: &file.path,
            line,
            text: file.new.as_ref().map_or("", |new| new.line(line)),
        }
    }
}

impl Finding {
    /// A finding at a place.
    #[must_use]
    pub fn new(
        place: FindingLocation<'_>,
        severity: Severity,
        category: &str,
        message: impl Into<String>,
    ) -> Self {
        let (message, text) = (message.into(), squashed(place.text));
        let content = format!("{}\0{category}\0{message}\0{text}", place.file);
        let hash = content_hash(content.as_bytes());
        Self {
            id: hash[..6].iter().map(|byte| format!("{byte:02x}")).collect(),
            file: place.file.to_owned(),
            line: place.line,
            severity,
            category: category.to_owned(),
            message,
            evidence: Vec::new(),
            suggestion: None,
            checked: None,
        }
    }
}

/// Puts findings into the order of their places, each once; what is found of several lines alike gets a number.
pub fn arrange(found: &mut Vec<Finding>) {
    found.sort_by(|a, b| {
        (&a.file, a.line, a.severity, &a.id).cmp(&(&b.file, b.line, b.severity, &b.id))
    });
    found.dedup_by(|a, b| a.id == b.id && a.line == b.line);
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    for finding in found {
        let count = seen.entry(finding.id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            finding.id = format!("{}-{count}", finding.id);
        }
    }
}

/// What is found without a model, by file and line.
#[must_use]
pub fn facts(change: &ReviewedChange, units: &[ReviewUnit], evidence: &Evidence) -> Vec<Finding> {
    let mut found = Vec::new();
    for unit in units {
        for (rule, line, sentence) in &unit.verdict.findings {
            let severity = match unit.verdict.risk {
                crate::level::Risk::High => Severity::Warning,
                _ => Severity::Info,
            };
            let place = FindingLocation::from_file(unit.file_of(change), *line);
            found.push(Finding::new(place, severity, rule, sentence.clone()));
        }
    }
    documented(change, units, evidence, &mut found);
    broken(change, units, evidence, &mut found);
    signatures(change, units, evidence, &mut found);
    tests(change, units, evidence, &mut found);
    arrange(&mut found);
    found
}

/// The first of some places: where somebody has to change something.
fn first<'e>(all: &'e [(String, u32)], evidence: &'e Evidence) -> Option<FindingLocation<'e>> {
    let (file, line) = all.first()?;
    Some(FindingLocation {
        file,
        line: *line,
        text: evidence.lines.line(file, *line),
    })
}

/// Names that are gone and that documentation still has.
fn documented(
    change: &ReviewedChange,
    units: &[ReviewUnit],
    evidence: &Evidence,
    found: &mut Vec<Finding>,
) {
    for gone in &evidence.gone {
        let Gone {
            name, documented, ..
        } = gone;
        let by = &units[gone.unit].file_of(change).path;
        if let Some(place) = first(documented, evidence) {
            let message = format!("`{name}` is gone from {by}, and documentation names it.");
            let mut finding =
                Finding::new(place, Severity::Info, "removed_but_documented", message);
            finding.evidence = places(documented);
            found.push(finding);
        }
    }
}

/// Uses that the change breaks.
fn broken(
    change: &ReviewedChange,
    units: &[ReviewUnit],
    evidence: &Evidence,
    found: &mut Vec<Finding>,
) {
    for broken in &evidence.broken {
        let Some(place) = first(&broken.left, evidence) else {
            continue;
        };
        let file = units[broken.unit].file_of(change);
        let by = file.diff.old_path.as_ref().unwrap_or(&file.path);
        let (name, left) = (&broken.name, &broken.left);
        let uses = count(left.len(), "use is", "uses are");
        let (what, rest) = match &broken.cause {
            Cause::Gone => (
                format!("`{name}` is gone from {by}"),
                format!("{uses} left"),
            ),
            Cause::Moved { now } => (
                format!("`{name}` moved from {by} to {now}"),
                format!("{uses} left that lead to where it was"),
            ),
            Cause::Hidden => (
                format!("`{name}` of {by} can no longer be seen from outside"),
                format!("{uses} left"),
            ),
            Cause::File { now } => {
                let what = match now {
                    Some(now) => format!("{name} is {now} now"),
                    None => format!("{name} is gone"),
                };
                let imports = count(left.len(), "import is", "imports are");
                (what, format!("{imports} left that lead there"))
            }
        };
        let message = format!("{what}, and {rest} in {}.", files(left));
        let mut finding = Finding::new(place, Severity::Warning, "removed_but_used", message);
        finding.evidence = places(left);
        finding.suggestion = Some("Change these places too, or keep the name.".to_owned());
        found.push(finding);
    }
}

/// Signatures that changed while callers outside of the change did not.
fn signatures(
    change: &ReviewedChange,
    units: &[ReviewUnit],
    evidence: &Evidence,
    found: &mut Vec<Finding>,
) {
    let gone = names_gone(units);
    for known in evidence.known.iter().filter(|known| known.is_followed) {
        let unit = &units[known.of.0];
        let touched = &unit.touched[known.of.1];
        let file = unit.file_of(change);
        let facts = file.new.as_ref().and_then(|new| new.facts.as_ref());
        let item = facts
            .zip(touched.new)
            .and_then(|(facts, item)| facts.items.get(item as usize));
        let line = item.map_or(0, name_line);
        let words = touched.what_callers_miss();
        let misfits = evidence.misfits.get(&known.of);
        let (severity, left) = match misfits {
            Some(misfits) if !misfits.refused.is_empty() => {
                (Severity::Warning, misfits.refused.clone())
            }
            Some(misfits) => (Severity::Info, misfits.doubtful.clone()),
            // Where nobody knows what calls give, they do not fit if nothing that fitted does.
            None if touched.fit.as_ref().is_some_and(|fit| fit.is_never) => {
                (Severity::Warning, known.callers.clone())
            }
            None if touched.fit.as_ref().is_some_and(CallFit::may_refuse) => {
                (Severity::Info, known.callers.clone())
            }
            // Only a compiler can say whether uses of other types fit, but for those that write the arguments of a type.
            None => (
                Severity::Info,
                otherwise_generic(known, touched, item, evidence),
            ),
        };
        // A type that has another name is the same type.
        let is_same = severity == Severity::Info && has_same_signature(file, touched, &gone);
        if words.is_empty() || left.is_empty() || is_same {
            continue;
        }
        let message = format!(
            "The signature of `{}` changed ({}), and {} outside of the change.",
            touched.path,
            words.join(", "),
            count(left.len(), "use stands", "uses stand"),
        );
        let place = FindingLocation::from_file(file, line);
        let mut finding = Finding::new(place, severity, "callers_not_adapted", message);
        finding.evidence = places(&left);
        found.push(finding);
    }
}

/// Of uses of a type those that write another number of type arguments than it has.
fn otherwise_generic(
    known: &UsesOfChanged,
    touched: &Touched,
    item: Option<&Item>,
    evidence: &Evidence,
) -> Vec<(String, u32)> {
    let Some(item) = item.filter(|_| touched.what_callers_miss().contains(&"generics")) else {
        return Vec::new();
    };
    let is_other = |(path, line): &&(String, u32)| {
        let text = evidence.lines.line(path, *line);
        generics::arguments(text, &touched.name).is_some_and(|given| given != item.arity as usize)
    };
    known.callers.iter().filter(is_other).cloned().collect()
}

/// What others see changed, while the tests that name it did not.
fn tests(
    change: &ReviewedChange,
    units: &[ReviewUnit],
    evidence: &Evidence,
    found: &mut Vec<Finding>,
) {
    let is_changed = |path: &str| change.files.iter().any(|file| file.path == path);
    let mut told: FxHashSet<(&str, &str)> = FxHashSet::default();
    let mut bodies = BodyTokens::new(units);
    for known in evidence.known.iter().filter(|known| known.is_followed) {
        let unit = &units[known.of.0];
        let touched = &unit.touched[known.of.1];
        let is_seen = touched
            .class
            .is_some_and(|class| class <= ChangeClass::PublicBehavior);
        let is_any_changed = known.tests.iter().any(|(path, _)| is_changed(path));
        let is_tested_anew = known.is_tested_anew || is_any_changed;
        if !is_seen || known.tests.is_empty() || is_tested_anew {
            continue;
        }
        // What does the same under other names, or is the same to who calls it, needs no other tests.
        let is_same = unit.rename.is_some()
            || !touched.is_other_to_tests()
            || bodies.is_same(unit.file, unit.file_of(change), touched)
            || !touched.is_called_otherwise()
                && touched.results.is_none()
                && bodies.decides_the_same(change, units, known.of);
        if is_same {
            continue;
        }
        let file = unit.file_of(change);
        // Overloads have their tests together.
        if !told.insert((&file.path, &touched.path)) {
            continue;
        }
        let facts = file.new.as_ref().and_then(|new| new.facts.as_ref());
        let item = facts
            .zip(touched.new)
            .and_then(|(facts, item)| facts.items.get(item as usize));
        let message = format!(
            "`{}` changed, and no test that names it is part of the change.",
            touched.path
        );
        let place = FindingLocation::from_file(file, item.map_or(0, name_line));
        let mut finding = Finding::new(place, Severity::Info, "tests_untouched", message);
        finding.evidence = places(&known.tests);
        found.push(finding);
    }
}

/// Names that a change takes away or gives another one for.
fn names_gone(units: &[ReviewUnit]) -> FxHashSet<&str> {
    let touched = units.iter().flat_map(|unit| &unit.touched);
    let gone = touched.filter_map(|touched| match &touched.old_name {
        Some(old) => Some(old.as_str()),
        None => touched.new.is_none().then_some(touched.name.as_str()),
    });
    gone.collect()
}

/// Whether a signature is what it was but for names that are gone.
fn has_same_signature(file: &ChangedFile, touched: &Touched, gone: &FxHashSet<&str>) -> bool {
    let signature = |source: &Option<VersionedFile>, index: Option<ItemIndex>| -> Option<String> {
        let facts = source.as_ref()?.facts.as_ref()?;
        let item = facts.items.get(index? as usize)?;
        Some(facts.str(item.signature).to_owned())
    };
    let before = signature(&file.old, touched.old);
    let after = signature(&file.new, touched.new);
    before
        .zip(after)
        .is_some_and(|(before, after)| does_the_same(&before, &after, gone, file.language))
}

/// What of the files of a change says what runs, before it and after it.
struct BodyTokens<'c> {
    gone: FxHashSet<&'c str>,
    /// By the place of a file in the change; nothing of what is not parsed.
    files: FxHashMap<usize, Option<[Vec<Token<'c>>; 2]>>,
    /// None before somebody asks.
    moved: Option<MovedDecisions<'c>>,
}

impl<'c> BodyTokens<'c> {
    fn new(units: &'c [ReviewUnit]) -> Self {
        Self {
            gone: names_gone(units),
            files: FxHashMap::default(),
            moved: None,
        }
    }

    /// What of a file runs, before the change and after it.
    fn parsed(&mut self, at: usize, file: &'c ChangedFile) -> Option<&[Vec<Token<'c>>; 2]> {
        let parsed = self.files.entry(at).or_insert_with(|| {
            let language = file.language?;
            let text = |source: &'c Option<VersionedFile>| match source {
                Some(source) => tokens(language, &source.text),
                None => Some(Vec::new()),
            };
            Some([text(&file.old)?, text(&file.new)?])
        });
        parsed.as_ref()
    }

    /// Whether a declaration decides what it did, with those that the change adds and removes.
    fn decides_the_same(
        &mut self,
        change: &'c ReviewedChange,
        units: &'c [ReviewUnit],
        of: (usize, usize),
    ) -> bool {
        let (at, touched) = (units[of.0].file, &units[of.0].touched[of.1]);
        let file = units[of.0].file_of(change);
        if self.moved.is_none() {
            self.moved = Some(self.moved_decisions(change, units));
        }
        let was = self.part(at, file, touched, 0);
        let pair = was.zip(self.part(at, file, touched, 1));
        let moved = self.moved.as_ref();
        pair.zip(moved)
            .is_some_and(|((was, is), moved)| decide_the_same(was, is, moved))
    }

    /// The decisions of the declarations that the change adds and removes.
    fn moved_decisions(
        &mut self,
        change: &'c ReviewedChange,
        units: &'c [ReviewUnit],
    ) -> MovedDecisions<'c> {
        let mut moved = MovedDecisions::default();
        for unit in units {
            let file = unit.file_of(change);
            if self.parsed(unit.file, file).is_none() {
                continue;
            }
            for touched in &unit.touched {
                let (side, of) = match (touched.old, touched.new) {
                    (None, Some(_)) => (1, &mut moved.added),
                    (Some(_), None) => (0, &mut moved.removed),
                    _ => continue,
                };
                if let Some(part) = self.part(unit.file, file, touched, side) {
                    of.entry(&touched.name).or_default().extend(decisions(part));
                }
            }
        }
        moved
    }

    /// What of a declaration runs, before the change (0) or after it (1); nothing of a file that is not parsed.
    fn part(
        &self,
        at: usize,
        file: &ChangedFile,
        touched: &Touched,
        side: usize,
    ) -> Option<&[Token<'c>]> {
        let (source, index) = match side {
            0 => (&file.old, touched.old),
            _ => (&file.new, touched.new),
        };
        let (_, extent) = extent(source, index)?;
        let all = self.files.get(&at)?.as_ref()?;
        Some(within(&all[side], extent))
    }

    /// Whether a declaration does what it did.
    fn is_same(&mut self, at: usize, file: &'c ChangedFile, touched: &Touched) -> bool {
        let pair = extent(&file.old, touched.old).zip(extent(&file.new, touched.new));
        let Some(((old, was), (new, is))) = pair else {
            return false;
        };
        self.parsed(at, file);
        match self.files.get(&at).and_then(Option::as_ref) {
            Some([before, after]) => {
                let (before, after) = (within(before, was), within(after, is));
                let keeps_head = !touched.is_called_otherwise();
                do_the_same(before, after, &self.gone)
                    || keeps_head && have_same_body(before, after, file.language, &self.gone)
            }
            None => {
                let (before, after) = (old.text.get(was), new.text.get(is));
                before.zip(after).is_some_and(|(before, after)| {
                    does_the_same(before, after, &self.gone, file.language)
                })
            }
        }
    }
}

/// Where a declaration stands in a version of a file: the overload that runs.
fn extent(
    source: &Option<VersionedFile>,
    index: Option<ItemIndex>,
) -> Option<(&VersionedFile, std::ops::Range<usize>)> {
    let source = source.as_ref()?;
    let facts = source.facts.as_ref()?;
    let item = facts.items.get(last_overload(facts, index?) as usize)?;
    Some((source, item.start_byte as usize..item.end_byte as usize))
}

/// Of overloads of which one alone has a body, that one: it stands last in Python and TypeScript.
fn last_overload(facts: &Facts, index: ItemIndex) -> ItemIndex {
    let is_last = matches!(
        facts.language.info().id,
        "python" | "typescript" | "typescriptreact"
    );
    let Some(item) = facts.items.get(index as usize).filter(|_| is_last) else {
        return index;
    };
    let is_it = |other: &Item| {
        other.parent == item.parent && other.kind == item.kind && {
            facts.str(other.name) == facts.str(item.name)
        }
    };
    let last = facts.items.iter().rposition(is_it);
    let last = last.and_then(|last| ItemIndex::try_from(last).ok());
    last.unwrap_or(index)
}

fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

fn files(places: &[(String, u32)]) -> String {
    let mut paths: Vec<&str> = places.iter().map(|(path, _)| path.as_str()).collect();
    paths.dedup();
    match paths[..] {
        [one] => one.to_owned(),
        _ => format!("{} files", paths.len()),
    }
}

fn places(all: &[(String, u32)]) -> Vec<String> {
    let mut said: Vec<String> = all
        .iter()
        .take(MAX_PLACES)
        .map(|(path, line)| format!("{path}:{line}"))
        .collect();
    if all.len() > MAX_PLACES {
        said.push(format!("{} more", all.len() - MAX_PLACES));
    }
    said
}
