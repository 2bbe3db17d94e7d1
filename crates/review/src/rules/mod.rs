//! Rules as data: what tags, risk and level the properties of a unit speak for (SPEC RV1, `004` §1).
//!
//! The highest level that a matching rule votes for wins; its confidence is that of all who vote for it together. A rule
//! that is `exclusive` wins alone where nothing of medium or high risk matches; one that also skips wins unless a rule
//! that overrides noise matches: a lock file is full of hashes and is no cryptography.

mod condition;
mod secrets;
mod traits;

use schemars::JsonSchema;
use serde::Deserialize;

pub use condition::When;
pub use traits::Traits;

use crate::level::{EvidenceLevel, EvidenceRequest, Risk};
use condition::Ready;

/// Rules as a file has them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleFile {
    /// 1.
    #[serde(default = "one")]
    pub version: u32,
    /// Where editors find the schema of the file.
    #[serde(default, rename = "$schema")]
    pub schema: Option<String>,
    /// Rules; they come after those that are built in. The same id replaces.
    pub rules: Vec<ReviewRule>,
}

fn one() -> u32 {
    1
}

/// A rule.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRule {
    /// Its name.
    pub id: String,
    /// When it matches: every key has to; lists inside of a key are alternatives.
    #[serde(default)]
    pub when: When,
    /// Tags for the unit.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The level that it votes for.
    #[serde(default)]
    pub level: Option<EvidenceLevel>,
    /// How sure it is, 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
    /// How much may go wrong.
    #[serde(default)]
    pub risk: Risk,
    /// What to look up. `details` may be `$symbol`, `$container`, `$old_name`, `$keys`, `$route`, `$rare_words`,
    /// `$public_names` or `$file`.
    #[serde(default)]
    pub requests: Vec<EvidenceRequest>,
    /// Whether it wins alone where no other speaks of risk.
    #[serde(default)]
    pub exclusive: bool,
    /// Whether such a unit is not reviewed.
    #[serde(default)]
    pub skip: bool,
    /// Whether it counts also in what another rule skips.
    #[serde(default)]
    pub overrides_noise: bool,
    /// Whether it applies only where no other did.
    #[serde(default)]
    pub fallback: bool,
    /// A sentence that it reports by itself at the line that fired it.
    #[serde(default)]
    pub finding: Option<String>,
    /// For readers of the file.
    #[serde(default)]
    pub note: Option<String>,
    /// Takes the built-in rule of this id away.
    #[serde(default)]
    pub off: bool,
}

/// Tags that make a unit less worth looking at.
const NOISE: [&str; 3] = ["todo_added", "debug_leftover", "only_logging"];
/// Nothing is surer.
const MAX_SURE: f64 = 0.97;

/// Rules of a file that are used: each is asked of every unit, and has patterns to compile.
const MAX_RULES: usize = 1_000;

/// The rules that are built in, as a file.
const BUILT_IN: &str = include_str!("../../data/rules.json");

/// Rules that can be asked.
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<(ReviewRule, Ready)>,
}

impl Rules {
    /// The rules that are built in, and those of a file after them; what is wrong with it is said.
    #[must_use]
    pub fn with_user(file: Option<&str>) -> (Self, Vec<String>) {
        let mut notes = Vec::new();
        let mut all = read(BUILT_IN).unwrap_or_default();
        match file.map(read).transpose() {
            Ok(Some(mut user)) => {
                if user.len() > MAX_RULES {
                    let count = user.len();
                    notes.push(format!(
                        ".context/review-rules.json has {count} rules: the first {MAX_RULES} are used."
                    ));
                    user.truncate(MAX_RULES);
                }
                user.into_iter().for_each(|rule| put(&mut all, rule));
            }
            Ok(None) => {}
            Err(error) => notes.push(format!(".context/review-rules.json is not used: {error}.")),
        }
        let mut rules = Vec::new();
        for rule in all {
            match Ready::new(&rule.when) {
                Ok(ready) => rules.push((rule, ready)),
                Err(error) => notes.push(format!("The rule `{}` is not used: {error}.", rule.id)),
            }
        }
        (Self { rules }, notes)
    }

    /// What the rules say of a unit.
    #[must_use]
    pub fn judge(&self, traits: &Traits<'_>) -> RuleVerdict {
        let matching: Vec<(&ReviewRule, Vec<u32>)> = self
            .rules
            .iter()
            .filter(|(rule, _)| !rule.fallback)
            .filter_map(|(rule, ready)| Some((rule, ready.matches(traits)?)))
            .collect();
        let noise = noise(&matching);
        let rules = || matching.iter().map(|(rule, _)| *rule);
        let voters: Vec<&ReviewRule> = match (noise, matching.is_empty()) {
            (Some(noise), _) => vec![noise],
            (None, true) => self
                .rules
                .iter()
                .filter(|(rule, _)| rule.fallback)
                .map(|(rule, _)| rule)
                .collect(),
            (None, false) => rules().collect(),
        };
        let level = voters
            .iter()
            .filter_map(|rule| rule.level)
            .max()
            .unwrap_or_default();
        let mut verdict = RuleVerdict {
            level,
            confidence: confidence(&voters, level),
            risk: voters
                .iter()
                .map(|rule| rule.risk)
                .max()
                .unwrap_or_default(),
            is_exclusive: noise.is_some(),
            is_skipped: noise.is_some_and(|rule| rule.skip),
            ..RuleVerdict::default()
        };
        for (rule, lines) in &matching {
            verdict.take(
                rule,
                lines,
                noise.is_none() || noise.is_some_and(|noise| noise.id == rule.id),
            );
        }
        if matching.is_empty() {
            voters.iter().for_each(|rule| verdict.take(rule, &[], true));
        }
        let is_noise = |tag: &&String| NOISE.contains(&tag.as_str());
        let dampers = verdict.tags.iter().filter(is_noise).count() as i32;
        verdict.confidence = rounded(verdict.confidence * 0.9f64.powi(dampers));
        verdict
    }

    /// The ids of all rules, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|(rule, _)| rule.id.as_str())
    }
}

/// The rule that wins alone, if one does.
fn noise<'r>(matching: &[(&'r ReviewRule, Vec<u32>)]) -> Option<&'r ReviewRule> {
    let rules = || matching.iter().map(|(rule, _)| *rule);
    if rules().any(|rule| rule.overrides_noise) {
        return None;
    }
    let skips = rules().find(|rule| rule.exclusive && rule.skip);
    let is_risky = rules().any(|rule| rule.risk >= Risk::Medium);
    skips.or_else(|| rules().find(|rule| rule.exclusive && !is_risky))
}

fn confidence(voters: &[&ReviewRule], level: EvidenceLevel) -> f64 {
    let of_level = voters.iter().filter(|rule| rule.level == Some(level));
    let doubt: f64 = of_level
        .map(|rule| 1.0 - rule.confidence.clamp(0.0, 1.0))
        .product();
    (1.0 - doubt).min(MAX_SURE)
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn read(text: &str) -> Result<Vec<ReviewRule>, String> {
    let file: RuleFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match file.version {
        1 => Ok(file.rules),
        other => Err(format!("its version is {other}, and 1 is known")),
    }
}

fn put(all: &mut Vec<ReviewRule>, rule: ReviewRule) {
    let known = all.iter().position(|known| known.id == rule.id);
    match (known, rule.off) {
        (Some(at), true) => drop(all.remove(at)),
        (Some(at), false) => all[at] = rule,
        (None, true) => {}
        (None, false) => all.push(rule),
    }
}

/// What the rules say of a unit.
#[derive(Clone, Debug, Default)]
pub struct RuleVerdict {
    /// Of all rules that match.
    pub tags: Vec<String>,
    /// How much to show.
    pub level: EvidenceLevel,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
    /// How much may go wrong.
    pub risk: Risk,
    /// What to look up; variables are still there.
    pub requests: Vec<EvidenceRequest>,
    /// Which rules match, and why where they say so.
    pub notes: Vec<String>,
    /// Whether one rule won alone.
    pub is_exclusive: bool,
    /// Whether it says that the unit is not reviewed.
    pub is_skipped: bool,
    /// Rule, new line from 1 and sentence of what rules report by themselves.
    pub findings: Vec<(String, u32, String)>,
}

impl RuleVerdict {
    fn take(&mut self, rule: &ReviewRule, lines: &[u32], asks: bool) {
        for tag in &rule.tags {
            if !self.tags.contains(tag) {
                self.tags.push(tag.clone());
            }
        }
        self.notes.push(rule.id.clone());
        for request in rule.requests.iter().filter(|_| asks) {
            if !self.requests.contains(request) {
                self.requests.push(request.clone());
            }
        }
        if let Some(sentence) = &rule.finding {
            let lines = if lines.is_empty() { &[0] } else { lines };
            let of = |line: &u32| (rule.id.clone(), *line, sentence.clone());
            self.findings.extend(lines.iter().map(of));
        }
    }
}
