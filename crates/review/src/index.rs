//! The index of review units, for readers and for planners (SPEC RV1, RV2, `004` §1, §2).

use schemars::JsonSchema;
use serde::Serialize;

use crate::bundle::LineNumbers;
use crate::change::ReviewedChange;
use crate::fusion::Fused;
use crate::level::{EvidenceLevel, EvidenceRequest, Risk};
use crate::unit::ReviewUnit;

/// Files that a summary names.
const MAX_FILES: usize = 100;

/// A unit as the index has it (`004` §1).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UnitEntry {
    /// Its id; plans name it.
    pub unit_id: String,
    /// Its file.
    pub file_path: String,
    /// Where the file was before, if elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// Its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'static str>,
    /// `add`, `modify`, `delete`, `rename`, `copy`, `mode`.
    pub patch_type: &'static str,
    /// Of another repository, which commit of it was meant and which is: `old..new`; `none` where there was or is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submodule: Option<String>,
    /// The gravest class of change in it: `Structure` … `Cosmetic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_class: Option<&'static str>,
    /// What the rules call it.
    pub tags: Vec<String>,
    /// How large it is.
    pub metrics: Metrics,
    /// The declarations it touches; at most twelve.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<SymbolEntry>,
    /// How much may go wrong.
    pub risk: Risk,
    /// How much of it the rules would show.
    pub rule_context_level: EvidenceLevel,
    /// How sure they are, 0 to 1.
    pub rule_confidence: f64,
    /// Which rules match.
    pub rule_notes: Vec<String>,
    /// What they would look up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule_extra_requests: Vec<EvidenceRequest>,
    /// Its changed lines.
    pub line_numbers: LineNumbers,
    /// What was decided.
    pub agent_decision: Decision,
}

/// How large a unit is.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Metrics {
    pub added_lines: u32,
    pub removed_lines: u32,
    pub hunk_count: u32,
}

/// A declaration that a unit touches.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SymbolEntry {
    /// Its path in the file.
    pub path: String,
    /// What it is.
    pub kind: &'static str,
    /// What of it changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<&'static str>,
    /// What it was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
}

/// What was decided of a unit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Decision {
    /// How much of it is shown.
    pub context_level: EvidenceLevel,
    /// `high`, `medium`, `low`, or `skip`.
    pub priority: &'static str,
}

/// What a review is of.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Metadata {
    /// `staged`, `working`, `pr`, `patch`.
    pub mode: &'static str,
    /// What it is compared with.
    pub base_branch: String,
    /// Files that differ.
    pub total_files: u32,
    /// Lines that are added or removed.
    pub total_changes: u32,
    /// When it was made, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

/// A change in numbers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// Files by what happened to them.
    pub changes_by_type: ByType,
    /// Lines in all.
    pub total_lines: LineCounts,
    /// Paths, at most a hundred.
    pub files_changed: Vec<String>,
}

/// Files by what happened to them; moved and copied ones are modified.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ByType {
    pub add: u32,
    pub modify: u32,
    pub delete: u32,
}

/// Lines in all.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say it")]
pub struct LineCounts {
    pub added: u32,
    pub removed: u32,
}

/// What a review is of; `timestamp` comes from the caller, who has a clock.
#[must_use]
pub fn metadata(change: &ReviewedChange, timestamp: Option<String>) -> Metadata {
    let (added, removed) = change.counts();
    Metadata {
        mode: change.mode.as_str(),
        base_branch: change.base.clone(),
        total_files: change.files.len() as u32,
        total_changes: added + removed,
        timestamp,
    }
}

/// A change in numbers.
#[must_use]
pub fn summary(change: &ReviewedChange) -> Summary {
    let mut by_type = ByType::default();
    for file in &change.files {
        match file.diff.kind {
            crate::diff::PatchType::Add => by_type.add += 1,
            crate::diff::PatchType::Delete => by_type.delete += 1,
            _ => by_type.modify += 1,
        }
    }
    let (added, removed) = change.counts();
    Summary {
        changes_by_type: by_type,
        total_lines: LineCounts { added, removed },
        files_changed: change
            .files
            .iter()
            .take(MAX_FILES)
            .map(|file| file.path.clone())
            .collect(),
    }
}

/// A unit as the index has it.
#[must_use]
pub fn entry(change: &ReviewedChange, unit: &ReviewUnit, fused: &Fused) -> UnitEntry {
    let file = unit.file_of(change);
    let (new_compact, old_compact) = unit.line_numbers(change);
    let symbols = unit.touched.iter().take(12).map(|touched| SymbolEntry {
        path: touched.path.clone(),
        kind: touched.kind.as_str(),
        changes: touched.changes.iter().copied().collect(),
        old_name: touched.old_name.clone(),
    });
    let old_path = file.diff.old_path.clone().filter(|old| *old != file.path);
    UnitEntry {
        unit_id: unit.id.clone(),
        file_path: file.path.clone(),
        old_path,
        language: file.language.map(|language| language.info().id),
        patch_type: file.diff.kind.as_str(),
        submodule: file.diff.is_submodule().then(|| {
            let (old, new) = file.diff.submodule_commits();
            let word = |commit: Option<String>| commit.unwrap_or_else(|| "none".to_owned());
            format!("{}..{}", word(old), word(new))
        }),
        change_class: unit.class.map(codecortex_index::ChangeClass::as_str),
        tags: unit.verdict.tags.clone(),
        metrics: Metrics {
            added_lines: unit.counts.0,
            removed_lines: unit.counts.1,
            hunk_count: unit.hunks.len() as u32,
        },
        symbols: symbols.collect(),
        risk: unit.verdict.risk,
        rule_context_level: unit.verdict.level,
        rule_confidence: unit.verdict.confidence,
        rule_notes: unit.verdict.notes.clone(),
        rule_extra_requests: unit.verdict.requests.clone(),
        line_numbers: LineNumbers {
            new_compact,
            old_compact,
        },
        agent_decision: Decision {
            context_level: fused.level,
            priority: match (fused.is_skipped, unit.verdict.risk) {
                (true, _) => "skip",
                (false, Risk::High) => "high",
                (false, Risk::Medium) => "medium",
                (false, _) => "low",
            },
        },
    }
}

/// A unit as a planner sees it: without what was decided, and why (`004` §6).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "they are those of `UnitEntry`")]
pub struct PlannerUnit {
    pub unit_id: String,
    pub file_path: String,
    pub patch_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submodule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_class: Option<&'static str>,
    pub risk: Risk,
    pub tags: Vec<String>,
    pub metrics: Metrics,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<SymbolEntry>,
    pub rule_context_level: EvidenceLevel,
    pub rule_confidence: f64,
    pub line_numbers: LineNumbers,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule_extra_requests: Vec<EvidenceRequest>,
}

impl From<UnitEntry> for PlannerUnit {
    fn from(entry: UnitEntry) -> Self {
        Self {
            unit_id: entry.unit_id,
            file_path: entry.file_path,
            patch_type: entry.patch_type,
            submodule: entry.submodule,
            change_class: entry.change_class,
            risk: entry.risk,
            tags: entry.tags,
            metrics: entry.metrics,
            symbols: entry.symbols,
            rule_context_level: entry.rule_context_level,
            rule_confidence: entry.rule_confidence,
            line_numbers: entry.line_numbers,
            rule_extra_requests: entry.rule_extra_requests,
        }
    }
}
