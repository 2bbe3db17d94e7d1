//! A review from end to end: units, evidence, rules, fusion.

use codecortex_analysis::AnalysisView;
use codecortex_protocol::Failure;
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::bundle::{Bundle, BundleInput, Room, bundle};
use crate::change::ReviewedChange;
use crate::changed_lines::{ChangedLines, ChangedTokens};
use crate::evidence::{Evidence, MAX_ASKED, gather, look_up};
use crate::finding::{Finding, facts};
use crate::fusion::{Case, Fused};
use crate::level::{EvidenceRequest, RequestKind};
use crate::plan::ReviewPlan;
use crate::requests::{resolved, wishes};
use crate::rules::{Rules, Traits};
use crate::unit::{MAX_UNITS, ReviewUnit, units};

/// What is shown of what tools report of a unit.
const MAX_ISSUES: usize = 10;

/// Something that a tool reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Path as the change names files.
    pub path: String,
    /// Line from 1.
    pub line: u32,
    /// What it says, with who says it.
    pub message: String,
}

/// What is asked of a review.
#[derive(Clone, Debug, Default)]
pub struct PipelineInput<'a> {
    /// The text of the user's rules.
    pub rules: Option<&'a str>,
    /// A plan as somebody made it.
    pub plan: Option<&'a Value>,
    /// What tools report.
    pub issues: &'a [Issue],
    /// Only these units are shown; all where there are none.
    pub units: &'a [String],
}

/// A review.
#[derive(Debug)]
pub struct Review {
    /// Its units, in the order of their files.
    pub units: Vec<ReviewUnit>,
    /// What became of each of them.
    pub fused: Vec<Fused>,
    /// What was found beside the diff.
    pub evidence: Evidence,
    /// What is found without a model.
    pub findings: Vec<Finding>,
    /// What a reader should know, a sentence each.
    pub notes: Vec<String>,
    /// What tools report, by unit.
    issues: FxHashMap<usize, Vec<String>>,
}

/// Reviews a change of a root. The call waits for the texts of files.
///
/// # Errors
/// `Failure::Missing` for texts.
pub fn review(
    view: &AnalysisView<'_>,
    root: u32,
    change: &ReviewedChange,
    asked: &PipelineInput<'_>,
) -> Result<Review, Failure> {
    let mut units = units(change);
    let mut evidence = gather(view, root, change, &units)?;
    let (rules, rule_notes) = Rules::with_user(asked.rules);
    let mut notes = change.notes.clone();
    notes.extend(rule_notes);
    if units.len() >= MAX_UNITS {
        notes.push(format!("Only the first {MAX_UNITS} units are looked at."));
    }
    let mut issues = issues_of(change, &units, asked.issues, false);
    let is_all_tests = !change.files.is_empty() && change.files.iter().all(|file| file.is_test);
    for (at, unit) in units.iter_mut().enumerate() {
        let traits = traits(change, unit, at, &evidence, is_all_tests, issues.get(&at));
        unit.verdict = rules.judge(&traits);
        unit.verdict.requests = resolved(change, unit, at, &evidence);
    }
    let plan = asked
        .plan
        .map(|written| ReviewPlan::read(written, |id| units.iter().any(|unit| unit.id == id)));
    let fused = fuse(change, &units, plan.as_ref(), asked.units);
    for (at, all) in issues_of(change, &units, asked.issues, true) {
        let asks = |request: &EvidenceRequest| request.kind == RequestKind::ScannerIssues;
        if fused[at].requests.iter().any(asks) {
            let near = issues.entry(at).or_default();
            let rest = all.into_iter().filter(|said| !near.contains(said));
            let rest: Vec<String> = rest.take(MAX_ISSUES - near.len()).collect();
            near.extend(rest);
        }
    }
    let wishes = wishes(&units, &fused, plan.as_ref());
    if wishes.len() > MAX_ASKED {
        notes.push(format!(
            "Of {} requests the first {MAX_ASKED} are looked up.",
            wishes.len()
        ));
    }
    look_up(view, root, (change, &units), &wishes, &mut evidence)?;
    notes.append(&mut evidence.notes);
    notes.extend(plan.into_iter().flat_map(|plan| plan.notes));
    let findings = facts(change, &units, &evidence);
    Ok(Review {
        units,
        fused,
        evidence,
        findings,
        notes,
        issues,
    })
}

impl Review {
    /// The bundle that fits into so much room.
    #[must_use]
    pub fn bundle(&self, change: &ReviewedChange, room: Room) -> Bundle {
        let wanted = BundleInput {
            change,
            units: &self.units,
            fused: &self.fused,
            evidence: &self.evidence,
            issues: &self.issues,
        };
        bundle(&wanted, room)
    }
}

fn fuse(
    change: &ReviewedChange,
    units: &[ReviewUnit],
    plan: Option<&ReviewPlan>,
    only: &[String],
) -> Vec<Fused> {
    let fused = units.iter().map(|unit| {
        let file = unit.file_of(change);
        let case = Case {
            patch_type: file.diff.kind.as_str(),
            is_whole_file: unit.is_whole_file(change),
            rule_skip: unit.verdict.is_skipped,
            is_exclusive: unit.verdict.is_exclusive,
            risk: unit.verdict.risk,
            rule_level: unit.verdict.level,
            confidence: unit.verdict.confidence,
            rule_requests: &unit.verdict.requests,
            entry: plan.and_then(|plan| plan.entries.get(&unit.id)),
            has_model: plan.is_some(),
            is_code: file.language.is_some(),
            lines: file
                .new
                .as_ref()
                .map_or(0, crate::source::VersionedFile::lines),
        };
        let mut fused = case.fuse();
        if !only.is_empty() {
            // Who names units has decided which.
            fused.is_skipped = !only.contains(&unit.id);
            fused.is_noise = false;
        }
        fused
    });
    fused.collect()
}

fn traits<'u>(
    change: &'u ReviewedChange,
    unit: &'u ReviewUnit,
    at: usize,
    evidence: &Evidence,
    is_all_tests: bool,
    issues: Option<&Vec<String>>,
) -> Traits<'u> {
    let file = unit.file_of(change);
    // Of another repository nothing is said but which commit of it is meant.
    let is_submodule = file.diff.is_submodule();
    let hunks = unit.hunks_of(change).filter(|_| !is_submodule);
    let lines = ChangedLines::from_hunks(hunks);
    let known = || evidence.known.iter().filter(|known| known.of.0 == at);
    let followed = || known().filter(|known| known.is_followed);
    Traits {
        path: &file.path,
        language: file.language.map_or("", |language| language.info().id),
        code: file
            .new
            .as_ref()
            .map(|new| new.text.as_str())
            .zip(file.language),
        patch_type: file.diff.kind.as_str(),
        change_class: unit.class.map(codecortex_index::ChangeClass::as_str),
        tokens: lines.tokens().map(ChangedTokens::as_str),
        added: lines.added,
        removed: lines.removed,
        moved_ratio: unit.moved_ratio,
        is_rename: unit.rename.is_some(),
        is_all_tests,
        is_generated: file.is_generated(),
        is_binary: file.diff.is_binary,
        is_submodule,
        symbol_changes: unit
            .declared()
            .flat_map(|touched| touched.changes.iter().copied())
            .collect(),
        symbol_kinds: unit.declared().map(|touched| touched.kind_word).collect(),
        callers: known()
            .map(|known| known.callers.len() as u32)
            .max()
            .unwrap_or(0),
        tests: followed().map(|known| known.tests.len() as u32).max(),
        similarity: evidence.similarity.get(&at).copied().unwrap_or(0.0),
        recent_fixes: change.past.fixes.get(&file.path).copied().unwrap_or(0),
        scanner_issues: issues.map_or(0, |issues| issues.len() as u32),
    }
}

/// What tools report of the lines that each unit shows, or of all lines of its file.
fn issues_of(
    change: &ReviewedChange,
    units: &[ReviewUnit],
    issues: &[Issue],
    is_of_file: bool,
) -> FxHashMap<usize, Vec<String>> {
    let mut by_unit: FxHashMap<usize, Vec<String>> = FxHashMap::default();
    for (at, unit) in units.iter().enumerate() {
        let path = &unit.file_of(change).path;
        for issue in issues.iter().filter(|issue| issue.path == *path) {
            let is_near = |hunk: &crate::diff::Hunk| {
                (hunk.new_start..=hunk.new_start + hunk.new_count).contains(&issue.line)
            };
            if is_of_file || unit.hunks_of(change).any(is_near) {
                let said = by_unit.entry(at).or_default();
                if said.len() < MAX_ISSUES {
                    said.push(format!("{}: {}", issue.line, issue.message));
                }
            }
        }
    }
    by_unit
}
