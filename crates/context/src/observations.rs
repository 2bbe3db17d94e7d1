//! Observations as answers tell them (`003` §5.1, SPEC OB1, X7).

use codecortex_memory::{AnchorVerdict, RecallItem};
use schemars::JsonSchema;
use serde::Serialize;

/// An observation: of an index or timeline one line, of details everything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ObservationItem {
    /// Its id.
    pub id: u64,
    /// When, UTC: `YYYY-MM-DD HH:mm:ss`.
    pub ts: String,
    /// The task, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// `orchestrator`, `planner`, `implementers`, `verifier`, `skill` or `system`.
    pub actor: String,
    /// `plan`, `implement`, `verify`, `fix`, `other` or `task`.
    pub phase: String,
    /// One line.
    pub summary: String,
    /// Its kind, such as `decision`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Whether it still holds for the symbols that it is about: `fresh`, `drifted` or `orphaned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// The rest of it, in details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What it refers to, in details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refs: Option<References>,
    /// The symbols that it is about, in details.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<String>,
    /// The branch it was made on, in details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// What an observation refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct References {
    /// Paths relative to the root.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Command lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
    /// Addresses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<String>,
}

impl From<RecallItem> for ObservationItem {
    fn from(item: RecallItem) -> Self {
        Self {
            id: item.id,
            ts: item.ts,
            task_id: item.task_id,
            actor: item.actor,
            phase: item.phase,
            summary: item.summary,
            kind: item.kind,
            verdict: item.verdict.map(word),
            detail: item.detail,
            refs: item.refs.map(|refs| References {
                files: refs.files,
                commands: refs.commands,
                urls: refs.urls,
            }),
            symbols: item.symbols,
            branch: item.branch,
        }
    }
}

/// The word for a verdict.
fn word(verdict: AnchorVerdict) -> &'static str {
    match verdict {
        AnchorVerdict::Fresh => "fresh",
        AnchorVerdict::Drifted => "drifted",
        AnchorVerdict::Orphaned => "orphaned",
    }
}

impl ObservationItem {
    /// It as an index tells it.
    #[must_use]
    pub fn brief(&self) -> Self {
        Self {
            detail: None,
            refs: None,
            symbols: Vec::new(),
            branch: None,
            ..self.clone()
        }
    }

    /// The same as text: one line, and in details what follows it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut words = vec![
            format!("#{}", self.id),
            self.ts.clone(),
            format!("{}/{}", self.actor, self.phase),
        ];
        words.extend(self.kind.clone());
        words.extend(self.task_id.as_ref().map(|task| format!("[{task}]")));
        words.extend(self.verdict.map(|verdict| format!("({verdict})")));
        words.push(self.summary.clone());
        let mut out = words.join(" ") + "\n";
        if !self.symbols.is_empty() {
            out += &format!("  about {}\n", self.symbols.join(", "));
        }
        let lists = self.refs.iter().flat_map(|refs| {
            [
                ("files", &refs.files),
                ("commands", &refs.commands),
                ("urls", &refs.urls),
            ]
        });
        for (name, entries) in lists.filter(|(_, entries)| !entries.is_empty()) {
            out += &format!("  {name}: {}\n", entries.join(", "));
        }
        for line in self.detail.iter().flat_map(|detail| detail.lines()) {
            out += &format!("  {line}\n");
        }
        out
    }
}
