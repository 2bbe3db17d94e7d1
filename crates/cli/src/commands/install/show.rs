//! A plan and what became of it, for people and programs.

use std::fmt::Write as _;

use codecortex_engine::{ErrorCode, ToolError};
use codecortex_installer::{AgentPlan, ApplyError, Outcome, Step, unified_diff};
use serde_json::{Value, json};

use super::code_of;

/// A plan of an agent, and why it was not applied.
pub(super) struct ShownPlan {
    pub(super) plan: AgentPlan,
    pub(super) error: Option<ApplyError>,
}

/// The plans of a command.
pub(super) struct Report {
    verb: &'static str,
    pub(super) plans: Vec<ShownPlan>,
    hints: Vec<String>,
    pub(super) is_applied: bool,
}

impl Report {
    pub(super) fn new(verb: &'static str, plans: Vec<AgentPlan>, hints: Vec<String>) -> Self {
        let shown = |plan| ShownPlan { plan, error: None };
        Self {
            verb,
            plans: plans.into_iter().map(shown).collect(),
            hints,
            is_applied: false,
        }
    }

    /// What was agreed to and could not be written.
    pub(super) fn errors(&self) -> Vec<ToolError> {
        let plans = self.plans.iter().filter(|_| self.is_applied);
        plans.filter_map(ShownPlan::told).collect()
    }

    fn has_changes(&self) -> bool {
        self.plans.iter().any(|shown| shown.plan.has_changes())
    }

    /// The plan: what is done with each file, and the changes as diffs.
    pub(super) fn plan_text(&self) -> String {
        let mut out = String::new();
        for ShownPlan { plan, .. } in &self.plans {
            let _ = writeln!(out, "{} ({})", plan.agent.name, plan.agent.id);
            for step in &plan.steps {
                let _ = writeln!(out, "  {}", sentence(step, self.verb));
            }
            if plan.is_blocked() {
                let _ = writeln!(out, "  so nothing of {} is changed", plan.agent.name);
            } else if let Some(note) = plan.agent.note.as_ref().filter(|_| self.verb == "install") {
                let _ = writeln!(out, "  note: {note}");
            }
            for step in plan.steps.iter().filter(|_| !plan.is_blocked()) {
                push_short(&mut out, &diff(step).unwrap_or_default());
            }
            out.push('\n');
        }
        for hint in &self.hints {
            let _ = writeln!(out, "hint: {hint}");
        }
        out.trim_end().to_owned() + "\n"
    }

    /// What became of the plan.
    pub(super) fn end_text(&self) -> String {
        let is_done = |shown: &&ShownPlan| shown.plan.has_changes() && shown.error.is_none();
        let done = self.plans.iter().filter(is_done).count();
        match (self.verb, self.is_applied) {
            ("install", _) if self.plans.is_empty() => {
                "No agent was found; name one, such as `codecortex install claude-code`.".to_owned()
            }
            (_, _) if self.plans.is_empty() || !self.has_changes() => {
                "Nothing is to be written.".to_owned()
            }
            (_, false) => "Nothing was written; run it again with --yes to write it.".to_owned(),
            (_, true) if done == 1 => "Written for 1 agent.".to_owned(),
            (_, true) => format!("Written for {done} agents."),
        }
    }

    /// The same for programs: an envelope with an error where something could not be written.
    pub(super) fn json(&self) -> Value {
        let mut out = match self.errors().first() {
            None => json!({ "ok": true }),
            Some(error) => error.envelope(),
        };
        out["applied"] = json!(self.is_applied);
        out["agents"] = self.plans.iter().map(ShownPlan::json).collect();
        out["hints"] = json!(self.hints);
        out
    }
}

impl ShownPlan {
    /// Why nothing of the agent was written.
    fn told(&self) -> Option<ToolError> {
        let name = &self.plan.agent.name;
        if let Some(error) = &self.error {
            let told = ToolError::new(code_of(error), format!("{name}: {error}."));
            return Some(told.hint(format!("{}.", error.hint())));
        }
        let step = self.plan.steps.iter().find_map(|step| match &step.outcome {
            Outcome::LeftAlone(why) => Some((step.path.display(), why)),
            _ => None,
        });
        let (path, why) = step?;
        let told = format!("{name}: {path} is left alone: {why}.");
        let hint = format!("Mend the file and run it again; nothing of {name} was changed.");
        Some(ToolError::new(ErrorCode::Unavailable, told).hint(hint))
    }

    fn json(&self) -> Value {
        let agent = self.plan.agent;
        let error = self.told();
        let files: Vec<Value> = self.plan.steps.iter().map(step_json).collect();
        json!({
            "id": agent.id,
            "name": agent.name,
            "blocked": self.plan.is_blocked(),
            "changes": self.plan.has_changes(),
            "error": error,
            "note": agent.note,
            "files": files,
        })
    }
}

fn step_json(step: &Step) -> Value {
    let (outcome, reason) = words(&step.outcome);
    json!({
        "part": step.part.as_str(),
        "path": step.path.display().to_string(),
        "outcome": outcome,
        "reason": reason,
        "diff": diff(step),
    })
}

fn words(outcome: &Outcome) -> (&'static str, Option<String>) {
    match outcome {
        Outcome::Added => ("added", None),
        Outcome::Updated => ("updated", None),
        Outcome::AlreadyThere => ("there", None),
        Outcome::Kept(why) => ("kept", Some(why.clone())),
        Outcome::LeftAlone(why) => ("left alone", Some(why.clone())),
        Outcome::NotSure => {
            let why =
                "it is not certain that the agent reads this file; name the agent to write it";
            ("not sure", Some(why.to_owned()))
        }
        Outcome::Removed => ("removed", None),
        Outcome::NotThere => ("not there", None),
        Outcome::Shared(others) => ("shared", Some(format!("needed by {}", others.join(", ")))),
    }
}

fn sentence(step: &Step, verb: &str) -> String {
    let (outcome, reason) = words(&step.outcome);
    let word = match (&step.outcome, verb) {
        (Outcome::Added, _) => "add",
        (Outcome::Updated, _) => "update",
        (Outcome::Removed, _) => "remove",
        _ => outcome,
    };
    let part = step.part.as_str();
    let path = step.path.display();
    match reason {
        Some(reason) => format!("{word}: {part} in {path}: {reason}"),
        None => format!("{word}: {part} in {path}"),
    }
}

fn diff(step: &Step) -> Option<String> {
    let change = step.change.as_ref()?;
    let path = step.path.display().to_string();
    Some(unified_diff(
        &path,
        change.before.as_deref(),
        change.after.as_deref(),
    ))
}

/// Lines of one text that is added or removed that a person is shown; programs are given all.
const MAX_SHOWN: usize = 16;

fn push_short(out: &mut String, diff: &str) {
    let mut run = 0;
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        let is_of_run =
            line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
        run = if is_of_run { run + 1 } else { 0 };
        if run <= MAX_SHOWN {
            let _ = writeln!(out, "{line}");
        } else if !lines
            .peek()
            .is_some_and(|next| next.starts_with(['+', '-']))
        {
            let _ = writeln!(out, "{}… {} more lines", &line[..1], run - MAX_SHOWN);
        }
    }
}
