//! The agent that has these tools beside a search for words and reading of lines.

use std::collections::HashSet;

use serde_json::json;

use super::searcher::SearchingAgent;
use super::shown_lines::ShownLines;
use super::sources::Sources;
use super::{Agent, AgentCall, CALLS_OF_TURN};

/// Tokens that each call of a tool may answer with.
const BUDGET: u32 = 4_000;
/// Names whose code is asked for at once.
const MAX_NAMES: usize = 8;
/// Turns in which code of listed names is asked for.
const TURNS_OF_NAMES: u32 = 2;

/// Asks for the code for the question, then for the code of names that were listed without it, reads around the best
/// matches of what was shown, and then does as the other agent.
pub(super) struct EquippedAgent<'s> {
    question: String,
    turns: u32,
    /// Names that an answer listed without their code, best first, as a call takes them.
    names: Vec<String>,
    asked: HashSet<String>,
    other: SearchingAgent<'s>,
}

impl<'s> EquippedAgent<'s> {
    pub(super) fn new(question: &str, sources: &'s Sources) -> Self {
        Self {
            question: question.to_owned(),
            turns: 0,
            names: Vec::new(),
            asked: HashSet::new(),
            other: SearchingAgent::new(question, sources),
        }
    }

    fn code_of_names(&mut self) -> Option<AgentCall> {
        let mut names = std::mem::take(&mut self.names);
        names.retain(|name| self.asked.insert(name.clone()));
        self.names = names.split_off(names.len().min(MAX_NAMES));
        (!names.is_empty()).then(|| AgentCall::Tool {
            name: "codecortex_getOutline",
            arguments: json!({
                "symbol": names, "form": "source", "maxTokens": BUDGET, "format": "text",
            }),
        })
    }
}

impl Agent for EquippedAgent<'_> {
    fn turn(&mut self, shown: &ShownLines) -> Vec<AgentCall> {
        self.turns += 1;
        if self.turns == 1 {
            return vec![AgentCall::Tool {
                name: "codecortex_getContext",
                arguments: json!({
                    "mode": "map", "query": self.question, "maxTokens": BUDGET, "format": "text",
                }),
            }];
        }
        if self.turns <= 1 + TURNS_OF_NAMES {
            let mut calls: Vec<AgentCall> = self.code_of_names().into_iter().collect();
            let reads = self.other.read(shown).into_iter();
            calls.extend(reads.take(CALLS_OF_TURN - calls.len()));
            if !calls.is_empty() {
                return calls;
            }
        }
        self.other.turn(shown)
    }

    fn told(&mut self, call: &AgentCall, answer: &str) {
        if let AgentCall::Tool {
            name: "codecortex_getContext",
            ..
        } = call
        {
            self.names = listed_names(answer);
        }
    }
}

/// Names of an answer without their code: `a, b` and `Type: a, b` below the path of a file.
fn listed_names(answer: &str) -> Vec<String> {
    let mut names = Vec::new();
    let is_name = |name: &&str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '.'))
    };
    for line in answer.lines() {
        if line.starts_with(|c: char| c.is_ascii_digit()) || line.contains('/') {
            continue;
        }
        let (container, listed) = match line.split_once(": ") {
            Some((container, listed)) if is_name(&container) => (Some(container), listed),
            Some(_) => continue,
            None => (None, line),
        };
        let listed: Vec<&str> = listed.split(", ").collect();
        if !listed.iter().all(is_name) {
            continue;
        }
        names.extend(listed.iter().map(|name| match container {
            Some(container) => format!("{container}.{name}"),
            None => (*name).to_owned(),
        }));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_code_are_those_of_rows_without_a_number() {
        let answer = "src/click/core.py\nContext, Group\nOption: __init__, _pick_type\n12: x, y\n… 12 lines\n20: z\nREADME\n";
        assert_eq!(
            listed_names(answer),
            [
                "Context",
                "Group",
                "Option.__init__",
                "Option._pick_type",
                "README"
            ]
        );
    }
}
