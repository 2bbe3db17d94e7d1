//! What answers cost, by tool (SPEC X8). Nothing of it leaves the process.

use std::collections::BTreeMap;

use crate::budget::tokens_approx;
use crate::protocol::Answer;

/// What answers of a tool have cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OfTool {
    pub(crate) calls: u32,
    pub(crate) tokens: u64,
}

/// What answers have cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spend {
    pub(crate) by_tool: BTreeMap<String, OfTool>,
    /// Tokens of the last answer.
    pub(crate) last: u32,
}

impl Spend {
    /// Notes an answer: the dearer of its forms, which is what most callers read.
    pub(crate) fn note(&mut self, tool: &str, answer: &Answer) {
        let forms = [&answer.json, &answer.text].into_iter().flatten();
        let tokens = forms.map(|form| tokens_approx(form)).max().unwrap_or(0);
        // Whoever makes up names must not make the table grow.
        let name = crate::tools::find_tool(tool).map_or("other", |tool| tool.name);
        let of_tool = self.by_tool.entry(name.to_owned()).or_default();
        of_tool.calls = of_tool.calls.saturating_add(1);
        of_tool.tokens += u64::from(tokens);
        self.last = tokens;
    }

    /// Tokens of all answers.
    pub(crate) fn total(&self) -> u64 {
        self.by_tool.values().map(|of_tool| of_tool.tokens).sum()
    }
}
