//! What rules and a plan say together: a table, of which the first row that matches decides (SPEC RV2, `004` §3).

use std::sync::LazyLock;

use serde::Deserialize;

use crate::level::{EvidenceLevel, EvidenceRequest, RequestKind, Risk};
use crate::plan::PlannedUnit;

/// The table.
const TABLE: &str = include_str!("../data/fusion.json");
/// A longer file is not shown whole.
pub const MAX_LINES: u32 = 600;

static ROWS: LazyLock<Vec<FusionRow>> =
    LazyLock::new(|| serde_json::from_str(TABLE).unwrap_or_default());

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FusionRow {
    when: Cell,
    level: FusionChoice,
    skip: bool,
    reason: String,
    requests: Whose,
}

/// What a row is about; a key that is not there is about all.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Cell {
    patch_type: Option<Vec<String>>,
    diff_is_whole_file: Option<bool>,
    rule_skip: Option<bool>,
    exclusive: Option<bool>,
    risk: Option<Vec<Risk>>,
    band: Option<Vec<Band>>,
    llm: Option<Vec<PlanOpinion>>,
    model: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FusionChoice {
    DiffOnly,
    Rule,
    Llm,
    /// What the plan says, at most `function`.
    LlmAtMostFunction,
    /// What the rules say, at least `function` of code and `file_context` of other files.
    RuleAtLeastFunction,
    /// What the plan says, at least the level below that of the rules.
    LlmAtLeastOneBelowRule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Whose {
    None,
    Rule,
    Llm,
    LlmOrRule,
}

/// How sure the rules are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Band {
    /// Below 0.5.
    Low,
    /// Below 0.8.
    Medium,
    /// 0.8 and more.
    High,
}

impl Band {
    /// The band of a confidence.
    #[must_use]
    pub fn from_confidence(confidence: f64) -> Self {
        match confidence {
            c if c >= 0.8 => Self::High,
            c if c >= 0.5 => Self::Medium,
            _ => Self::Low,
        }
    }
}

/// What a plan says of a unit, beside the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanOpinion {
    /// Nothing that is valid.
    Missing,
    /// Not to look at it.
    Skip,
    /// Less than the rules.
    Lower,
    /// As much.
    Same,
    /// More.
    Higher,
}

/// What is fused for one unit.
#[derive(Clone, Debug)]
pub struct Case<'c> {
    /// What happened to the file.
    pub patch_type: &'c str,
    /// Whether the diff is all of it.
    pub is_whole_file: bool,
    /// Whether the rules skip it.
    pub rule_skip: bool,
    /// Whether one rule won alone.
    pub is_exclusive: bool,
    /// What may go wrong.
    pub risk: Risk,
    /// What the rules would show.
    pub rule_level: EvidenceLevel,
    /// How sure they are.
    pub confidence: f64,
    /// What they would look up.
    pub rule_requests: &'c [EvidenceRequest],
    /// What the plan says, where it says anything valid.
    pub entry: Option<&'c PlannedUnit>,
    /// Whether there is a plan at all.
    pub has_model: bool,
    /// Whether it is code.
    pub is_code: bool,
    /// Lines of the file.
    pub lines: u32,
}

/// What became of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fused {
    /// How much is shown.
    pub level: EvidenceLevel,
    /// How much the plan would show, where it says so.
    pub llm_level: Option<EvidenceLevel>,
    /// Whether it is not reviewed.
    pub is_skipped: bool,
    /// Whether it is not reviewed because rules say so: neither a plan nor who named units has decided.
    pub is_noise: bool,
    /// Why.
    pub reason: String,
    /// What is looked up.
    pub requests: Vec<EvidenceRequest>,
    /// The row that decided.
    pub row: usize,
}

impl Case<'_> {
    /// What the plan says beside the rules.
    #[must_use]
    pub fn said(&self) -> PlanOpinion {
        match self.entry {
            None => PlanOpinion::Missing,
            Some(entry) if entry.skip_review => PlanOpinion::Skip,
            Some(entry) => match entry.level {
                None => PlanOpinion::Missing,
                Some(level) if level < self.rule_level => PlanOpinion::Lower,
                Some(level) if level == self.rule_level => PlanOpinion::Same,
                Some(_) => PlanOpinion::Higher,
            },
        }
    }

    /// Decides.
    #[must_use]
    pub fn fuse(&self) -> Fused {
        let said = self.said();
        let found = ROWS.iter().position(|row| row.when.fits(self, said));
        let Some((number, row)) = found.and_then(|at| Some((at, ROWS.get(at)?))) else {
            // No combination is without a row (the tests try all); a unit that had none would be shown.
            return Fused {
                level: self.rule_level,
                llm_level: self.entry.and_then(|entry| entry.level),
                is_skipped: false,
                is_noise: false,
                reason: "no_row".to_owned(),
                requests: self.rule_requests.to_vec(),
                row: usize::MAX,
            };
        };
        let mut reason = match (row.reason.as_str(), self.entry) {
            ("llm_reason", Some(entry)) if !entry.reason.is_empty() => entry.reason.clone(),
            (reason, _) => reason.to_owned(),
        };
        let mut level = self.level(row.level);
        if level == EvidenceLevel::FullFile && self.lines > MAX_LINES {
            level = EvidenceLevel::FileContext;
            reason.push_str("+too_long");
        }
        Fused {
            level,
            llm_level: self.entry.and_then(|entry| entry.level),
            is_skipped: row.skip,
            is_noise: row.skip && !self.has_model,
            reason,
            requests: self.requests(row.requests),
            row: number,
        }
    }

    fn level(&self, choice: FusionChoice) -> EvidenceLevel {
        let rule = self.rule_level;
        let llm = self.entry.and_then(|entry| entry.level).unwrap_or(rule);
        match choice {
            FusionChoice::DiffOnly => EvidenceLevel::DiffOnly,
            FusionChoice::Rule => rule,
            FusionChoice::Llm => llm,
            FusionChoice::LlmAtMostFunction => llm.min(EvidenceLevel::Function),
            FusionChoice::RuleAtLeastFunction if self.is_code => rule.max(EvidenceLevel::Function),
            FusionChoice::RuleAtLeastFunction => rule.max(EvidenceLevel::FileContext),
            FusionChoice::LlmAtLeastOneBelowRule => llm.max(rule.below()),
        }
    }

    /// The plan's requests where it has valid ones, else those of the rules (`004` §3); the version before is looked at
    /// in either case where much may go wrong.
    fn requests(&self, whose: Whose) -> Vec<EvidenceRequest> {
        let of_plan = self
            .entry
            .map_or(&[][..], |entry| entry.requests.as_slice());
        let mut requests = match whose {
            Whose::None => return Vec::new(),
            Whose::Rule => self.rule_requests.to_vec(),
            Whose::Llm => of_plan.to_vec(),
            Whose::LlmOrRule if of_plan.is_empty() => self.rule_requests.to_vec(),
            Whose::LlmOrRule => of_plan.to_vec(),
        };
        let previous = self
            .rule_requests
            .iter()
            .find(|request| request.kind == RequestKind::PreviousVersion);
        if let Some(previous) = previous.filter(|_| self.risk == Risk::High)
            && !requests
                .iter()
                .any(|request| request.kind == RequestKind::PreviousVersion)
        {
            requests.push(previous.clone());
        }
        requests
    }
}

impl Cell {
    fn fits(&self, case: &Case<'_>, said: PlanOpinion) -> bool {
        fn among<T: PartialEq>(list: &Option<Vec<T>>, value: &T) -> bool {
            list.as_ref().is_none_or(|list| list.contains(value))
        }
        let is = |wanted: Option<bool>, found: bool| wanted.is_none_or(|wanted| wanted == found);
        among(&self.patch_type, &case.patch_type.to_owned())
            && is(self.diff_is_whole_file, case.is_whole_file)
            && is(self.rule_skip, case.rule_skip)
            && is(self.exclusive, case.is_exclusive)
            && among(&self.risk, &case.risk)
            && among(&self.band, &Band::from_confidence(case.confidence))
            && among(&self.llm, &said)
            && is(self.model, case.has_model)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn request(kind: RequestKind) -> EvidenceRequest {
        EvidenceRequest {
            kind,
            details: None,
        }
    }

    fn entry(level: Option<EvidenceLevel>, skip: bool) -> PlannedUnit {
        PlannedUnit {
            level,
            skip_review: skip,
            reason: "because".to_owned(),
            requests: vec![request(RequestKind::Search)],
        }
    }

    /// A case in the middle of everything.
    fn case<'c>(rule_requests: &'c [EvidenceRequest], entry: Option<&'c PlannedUnit>) -> Case<'c> {
        Case {
            patch_type: "modify",
            is_whole_file: false,
            rule_skip: false,
            is_exclusive: false,
            risk: Risk::Low,
            rule_level: EvidenceLevel::Function,
            confidence: 0.6,
            rule_requests,
            entry,
            has_model: entry.is_some(),
            is_code: true,
            lines: 100,
        }
    }

    /// One test a row: a case that the row is for, and what it decides.
    #[test]
    fn every_row_decides_what_it_is_for() {
        use EvidenceLevel::{DiffOnly, FileContext, Function};
        let rule = [
            request(RequestKind::SearchCallers),
            request(RequestKind::PreviousVersion),
        ];
        let (skip, lower, same, higher) = (
            entry(Some(Function), true),
            entry(Some(DiffOnly), false),
            entry(Some(Function), false),
            entry(Some(FileContext), false),
        );
        let none = || case(&rule, None);
        let with = |entry| case(&rule, Some(entry));
        let risk = |risk, case| Case { risk, ..case };
        let sure = |confidence, case| Case { confidence, ..case };
        let noise = |case| Case {
            rule_skip: true,
            is_exclusive: true,
            risk: Risk::None,
            ..case
        };
        let alone = |case| Case {
            is_exclusive: true,
            risk: Risk::None,
            ..case
        };
        let rows: Vec<(Case<'_>, EvidenceLevel, bool, &str)> = vec![
            (noise(none()), DiffOnly, true, "dropped_by_rule_noise"),
            (noise(with(&higher)), DiffOnly, false, "llm_kept_noise"),
            (
                Case {
                    patch_type: "delete",
                    ..none()
                },
                DiffOnly,
                false,
                "deleted_file",
            ),
            (
                Case {
                    patch_type: "add",
                    is_whole_file: true,
                    ..none()
                },
                DiffOnly,
                false,
                "new_file_diff_is_whole",
            ),
            (alone(none()), DiffOnly, false, "no_model_diff_only"),
            (alone(with(&skip)), DiffOnly, true, "dropped_by_rule_noise"),
            (alone(with(&higher)), Function, false, "because"),
            (
                risk(
                    Risk::High,
                    Case {
                        rule_level: DiffOnly,
                        ..none()
                    },
                ),
                Function,
                false,
                "rule_high_confidence_fallback",
            ),
            (
                risk(Risk::High, with(&skip)),
                Function,
                false,
                "rule_high_risk_overrides_skip",
            ),
            (
                risk(Risk::High, with(&lower)),
                Function,
                false,
                "rule_high_risk_floor",
            ),
            (
                risk(Risk::High, with(&higher)),
                FileContext,
                false,
                "because",
            ),
            (
                sure(0.8, none()),
                Function,
                false,
                "rule_high_confidence_fallback",
            ),
            (
                sure(0.8, risk(Risk::Medium, with(&skip))),
                Function,
                false,
                "rule_high_confidence_overrides_skip",
            ),
            (sure(0.8, with(&skip)), DiffOnly, true, "llm_skip_low_risk"),
            (
                sure(0.8, with(&lower)),
                Function,
                false,
                "rule_high_confidence_floor",
            ),
            (sure(0.8, with(&same)), Function, false, "because"),
            (none(), Function, false, "rule_medium_confidence_fallback"),
            (
                risk(Risk::Medium, with(&skip)),
                DiffOnly,
                false,
                "rule_medium_confidence_kept_diff_only",
            ),
            (with(&skip), DiffOnly, true, "llm_skip_low_risk"),
            (
                Case {
                    rule_level: FileContext,
                    ..with(&lower)
                },
                Function,
                false,
                "llm_lowered_one_level",
            ),
            (with(&higher), FileContext, false, "because"),
            (
                sure(0.4, risk(Risk::Medium, none())),
                DiffOnly,
                false,
                "rule_medium_confidence_kept_diff_only",
            ),
            (
                sure(
                    0.4,
                    Case {
                        has_model: true,
                        ..none()
                    },
                ),
                DiffOnly,
                true,
                "dropped_by_fusion_low_confidence",
            ),
            (sure(0.4, none()), DiffOnly, false, "no_model_diff_only"),
            (
                sure(0.4, risk(Risk::Medium, with(&skip))),
                DiffOnly,
                false,
                "rule_medium_confidence_kept_diff_only",
            ),
            (sure(0.4, with(&skip)), DiffOnly, true, "because"),
            (sure(0.4, with(&higher)), FileContext, false, "because"),
        ];
        assert_eq!(rows.len(), ROWS.len());
        for (number, (case, level, is_skipped, reason)) in rows.iter().enumerate() {
            let fused = case.fuse();
            assert_eq!(fused.row, number, "{case:?}");
            assert_eq!(
                (fused.level, fused.is_skipped, fused.reason.as_str()),
                (*level, *is_skipped, *reason),
                "row {number}"
            );
        }
    }

    /// Every combination has a row, no row is for nothing, and what is risky is never skipped but as noise.
    #[test]
    fn every_combination_is_decided_and_risk_is_looked_at() {
        let entries = [
            entry(None, false),
            entry(Some(EvidenceLevel::Function), true),
            entry(Some(EvidenceLevel::DiffOnly), false),
            entry(Some(EvidenceLevel::Function), false),
            entry(Some(EvidenceLevel::FullFile), false),
        ];
        let mut reached = BTreeSet::new();
        let flags = [false, true];
        for kind in ["add", "modify", "delete", "rename", "copy", "mode"] {
            for risk in Risk::ALL {
                for bits in 0..32u32 {
                    let flag = |bit: u32| flags[(bits >> bit & 1) as usize];
                    for confidence in [0.2, 0.6, 0.9] {
                        for entry in std::iter::once(None).chain(entries.iter().map(Some)) {
                            let case = Case {
                                patch_type: kind,
                                is_whole_file: flag(0),
                                rule_skip: flag(1),
                                is_exclusive: flag(2),
                                risk,
                                has_model: flag(3) || entry.is_some(),
                                is_code: flag(4),
                                confidence,
                                ..case(&[], entry)
                            };
                            let fused = case.fuse();
                            assert_ne!(fused.row, usize::MAX, "{case:?}");
                            reached.insert(fused.row);
                            let is_noise = case.rule_skip || case.is_exclusive;
                            assert!(
                                !fused.is_skipped || risk < Risk::Medium || is_noise,
                                "{case:?}"
                            );
                        }
                    }
                }
            }
        }
        assert_eq!(reached.len(), ROWS.len());
    }

    #[test]
    fn a_long_file_is_not_shown_whole_and_high_risk_keeps_the_version_before() {
        let rule = [request(RequestKind::PreviousVersion)];
        let whole = entry(Some(EvidenceLevel::FullFile), false);
        let fused = Case {
            risk: Risk::High,
            lines: MAX_LINES + 1,
            ..case(&rule, Some(&whole))
        }
        .fuse();
        assert_eq!(
            (fused.level, fused.reason.as_str()),
            (EvidenceLevel::FileContext, "because+too_long")
        );
        let kinds: Vec<RequestKind> = fused.requests.iter().map(|request| request.kind).collect();
        assert_eq!(kinds, [RequestKind::Search, RequestKind::PreviousVersion]);
    }
}
