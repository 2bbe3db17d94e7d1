//! How far language providers and the index agree, in one answer and in all.

use std::collections::BTreeMap;

use codecortex_bind::facts::{Expr, ExprId};
use codecortex_protocol::{Disagreement, ProviderOutcome};
use codecortex_resolve::{BoundFile, FileNo, Workspace};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;

/// Places that an answer lists as disputed.
pub const MAX_DISPUTED: usize = 10;
/// Kinds of disagreement that are counted apart.
const MAX_KINDS: usize = 200;

/// What VS Code's language providers say to this answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Agreement {
    /// What both have.
    pub both: u32,
    /// What only they have; it is in the answer.
    pub provider_only: u32,
    /// What only the index has.
    pub ours_only: u32,
    /// Of these, what they should have found too: `filePath:line` or a type's path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<String>,
}

impl Agreement {
    /// The same as a comment.
    pub fn text(&self) -> String {
        let mut out = format!(
            "// providers: {} agreed, {} only theirs, {} only ours\n",
            self.both, self.provider_only, self.ours_only
        );
        if !self.disputed.is_empty() {
            out.push_str(&format!("// disputed: {}\n", self.disputed.join(", ")));
        }
        out
    }

    /// Without the list of what is disputed.
    pub fn counts(&self) -> Self {
        Self {
            disputed: Vec::new(),
            ..self.clone()
        }
    }
}

/// Why something is in an answer as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// Only a language provider has it.
    ProviderOnly,
    /// The language provider should have it too.
    Disputed,
    /// A provider agreed with what was inferred.
    Inferred,
    /// A provider agreed with what is related.
    Related,
    /// A provider agreed with what has the same name.
    Name,
    /// A use under the name that an import gives it (SPEC D34).
    Renamed,
}

impl Why {
    /// The word in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ProviderOnly => "provider-only",
            Self::Disputed => "disputed",
            Self::Inferred => "inferred",
            Self::Related => "related",
            Self::Name => "name",
            Self::Renamed => "renamed",
        }
    }
}

/// What came of all questions to language providers.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// Questions.
    pub asked: u32,
    /// Those without an answer in time.
    pub timed_out: u32,
    /// Those that failed.
    pub failed: u32,
    /// Places that both name.
    pub both: u32,
    /// Places that providers alone name.
    pub provider_only: u32,
    /// Places that the index alone names.
    pub ours_only: u32,
    /// Disagreements by what they have in common.
    kinds: BTreeMap<AgreementKey, u32>,
}

/// Language, kind of symbol, shape and tier.
type AgreementKey = (String, String, String, String);

impl Sums {
    /// Counts a question by how it ended.
    pub fn count(&mut self, outcome: ProviderOutcome) {
        self.asked = self.asked.saturating_add(1);
        match outcome {
            ProviderOutcome::Answered => {}
            ProviderOutcome::TimedOut => self.timed_out = self.timed_out.saturating_add(1),
            ProviderOutcome::Failed => self.failed = self.failed.saturating_add(1),
        }
    }

    /// Adds what an answer said.
    pub fn add(&mut self, agreement: &Agreement, disagreements: &[Disagreement]) {
        self.both = self.both.saturating_add(agreement.both);
        self.provider_only = self.provider_only.saturating_add(agreement.provider_only);
        self.ours_only = self.ours_only.saturating_add(agreement.ours_only);
        for one in disagreements {
            let kind = (
                one.language.clone(),
                one.kind.clone(),
                one.shape.clone(),
                one.tier.clone(),
            );
            if self.kinds.len() < MAX_KINDS || self.kinds.contains_key(&kind) {
                let count = self.kinds.entry(kind).or_default();
                *count = count.saturating_add(one.count);
            }
        }
    }

    /// The disagreements that came up most often, at most `most` of them.
    pub fn disagreements(&self, most: usize) -> Vec<Disagreement> {
        let mut kinds: Vec<(&AgreementKey, u32)> =
            self.kinds.iter().map(|(kind, n)| (kind, *n)).collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let kinds = kinds.into_iter().take(most);
        kinds
            .map(|((language, kind, shape, tier), count)| Disagreement {
                language: language.clone(),
                kind: kind.clone(),
                shape: shape.clone(),
                tier: tier.clone(),
                count,
            })
            .collect()
    }
}

/// What may stand before a name, in words: all that [`shape_of`] gives, and `unknown`. What is learned about others
/// does not outlive the process.
pub(crate) const WORDS: [&str; 11] = [
    "none", "name", "member", "this", "super", "module", "call", "new", "index", "other", "unknown",
];

/// What stands before the name that is used at a byte, in a word. It says nothing of the source.
pub(crate) fn shape(workspace: &Workspace, file: FileNo, at: u32) -> &'static str {
    let Some(bound) = workspace.file(file) else {
        return "unknown";
    };
    let Some((used, ..)) = bound.uses().find(|(_, _, place, _)| *place == at) else {
        return "unknown";
    };
    shape_of(bound, used)
}

/// The same for every name that is used in a file, by its first byte.
pub(crate) fn shapes(workspace: &Workspace, file: FileNo) -> FxHashMap<u32, &'static str> {
    let Some(bound) = workspace.file(file) else {
        return FxHashMap::default();
    };
    let mut shapes = FxHashMap::default();
    for (used, _, at, _) in bound.uses() {
        // Of several uses at one place the first one counts.
        shapes.entry(at).or_insert_with(|| shape_of(bound, used));
    }
    shapes
}

fn shape_of(bound: &BoundFile, used: ExprId) -> &'static str {
    let Expr::Member { of, .. } = bound.expr(used) else {
        return "none";
    };
    match bound.expr(of) {
        Expr::Name { .. } => "name",
        Expr::Member { .. } => "member",
        Expr::This { .. } | Expr::SelfType { .. } => "this",
        Expr::Super { .. } => "super",
        Expr::Module { .. } => "module",
        Expr::Call { .. } => "call",
        Expr::New { .. } => "new",
        Expr::Index { .. } => "index",
        _ => "other",
    }
}
