//! What the agents needed, losses first.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::{AGENTS, AgentRun, LoopTask, MAX_TURNS, Step};
use codecortex_engine::Tokenizer;

/// Letters of a question in the table.
const QUESTION: usize = 70;
/// Places that a loss names.
const NAMED: usize = 3;

/// Tasks with the ways of both agents.
pub(in super::super) struct LoopReport {
    /// Those that ours does worse in come first, the worst of them first.
    tasks: Vec<LoopTask>,
}

impl LoopReport {
    pub(in super::super) fn from_tasks(mut tasks: Vec<LoopTask>) -> Self {
        tasks.sort_by_key(|task| (!task.is_loss(), lead(task)));
        Self { tasks }
    }

    fn losses(&self) -> impl Iterator<Item = &LoopTask> {
        self.tasks.iter().filter(|task| task.is_loss())
    }

    /// One JSON object, without times: two runs print the same.
    pub(in super::super) fn json(&self) -> Value {
        let agents = AGENTS.iter().enumerate();
        let agents: serde_json::Map<String, Value> = agents
            .map(|(at, name)| ((*name).to_owned(), self.agent(at)))
            .collect();
        json!({
            "tasks": self.tasks.len(),
            "losses": self.losses().count(),
            "turnsAtMost": MAX_TURNS,
            "tokensAs": if Tokenizer::O200kBase.is_available() { "o200k_base" } else { "approx" },
            "agents": agents,
            "byTask": self.tasks.iter().map(of_task).collect::<Vec<_>>(),
        })
    }

    fn agent(&self, at: usize) -> Value {
        let runs = || self.tasks.iter().map(move |task| (task, &task.runs[at]));
        let places: usize = runs().map(|(task, _)| task.places.len()).sum();
        let missed: usize = runs().map(|(_, run)| run.missed.len()).sum();
        let done = || runs().filter(|(_, run)| run.missed.is_empty());
        let middle = |of: &dyn Fn(&AgentRun) -> u32| {
            let mut all: Vec<u32> = runs().map(|(_, run)| of(run)).collect();
            all.sort_unstable();
            let sum: u64 = all.iter().map(|value| u64::from(*value)).sum();
            let median = all
                .get(all.len().saturating_sub(1) / 2)
                .copied()
                .unwrap_or(0);
            let mean = sum as f64 / all.len().max(1) as f64;
            json!({ "median": median, "mean": (mean * 10.0).round() / 10.0 })
        };
        json!({
            "finished": done().count(),
            "finishedInOneTurn": done().filter(|(_, run)| run.turns == 1).count(),
            "places": places,
            "placesShown": places - missed,
            "turns": middle(&|run| run.turns),
            "calls": middle(&|run| u32::try_from(run.steps.len()).unwrap_or(u32::MAX)),
            "tokens": middle(&AgentRun::tokens),
            "byCall": by_call(runs().flat_map(|(_, run)| &run.steps)),
        })
    }

    /// A table for people.
    pub(in super::super) fn text(&self) -> String {
        let mut out = String::new();
        let losses: Vec<&LoopTask> = self.losses().collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "Behind {} in {} of {} tasks:",
            AGENTS[1],
            losses.len(),
            self.tasks.len()
        );
        for task in losses {
            let question: String = task.question.chars().take(QUESTION).collect();
            let commit = task.commit.get(..10).unwrap_or(&task.commit);
            let _ = writeln!(out, "  {commit} {question}");
            for (name, run) in AGENTS.iter().zip(&task.runs) {
                let _ = writeln!(out, "    {name:<14} {}", told(task, run));
            }
        }
        out += "\nmean / median   all places shown   in a turn   places      turns       calls          tokens\n";
        for (at, name) in AGENTS.iter().enumerate() {
            let agent = self.agent(at);
            let middle = |field: &str| {
                format!(
                    "{:.1} / {}",
                    agent[field]["mean"].as_f64().unwrap_or(0.0),
                    agent[field]["median"]
                )
            };
            let _ = writeln!(
                out,
                "{name:<15} {:>16}   {:>9}   {:>6}   {:>8}   {:>9}   {:>13}",
                format!("{} of {}", agent["finished"], self.tasks.len()),
                agent["finishedInOneTurn"].to_string(),
                format!("{} %", percent(&agent["placesShown"], &agent["places"])),
                middle("turns"),
                middle("calls"),
                middle("tokens"),
            );
        }
        out += "\nagent           call                      calls    tokens   places shown first\n";
        for (at, name) in AGENTS.iter().enumerate() {
            for row in self.agent(at)["byCall"].as_array().into_iter().flatten() {
                let call = row["call"].as_str().unwrap_or_default();
                let _ = writeln!(
                    out,
                    "{name:<15} {call:<22} {:>8} {:>9} {:>8}",
                    row["calls"].to_string(),
                    row["tokens"].to_string(),
                    row["places"].to_string()
                );
            }
        }
        out
    }
}

impl LoopTask {
    /// Whether ours was shown fewer places, or as many for more tokens.
    fn is_loss(&self) -> bool {
        let [ours, other] = &self.runs;
        let ours = (ours.missed.len(), ours.tokens());
        ours > (other.missed.len(), other.tokens())
    }
}

/// By how much ours is ahead: in places, then in tokens. Ties are broken by the commit's place in the history, as sorting
/// is stable.
fn lead(task: &LoopTask) -> (i64, i64) {
    let [ours, other] = &task.runs;
    let difference = |ours: usize, other: usize| other as i64 - ours as i64;
    (
        difference(ours.missed.len(), other.missed.len()),
        difference(ours.tokens() as usize, other.tokens() as usize),
    )
}

fn percent(part: &Value, of: &Value) -> u64 {
    let (part, of) = (part.as_u64().unwrap_or(0), of.as_u64().unwrap_or(0));
    (part * 100 + of / 2) / of.max(1)
}

/// An agent's way in a line.
fn told(task: &LoopTask, run: &AgentRun) -> String {
    let all = task.places.len();
    let mut out = format!(
        "{} of {all} places, {} turns, {} calls, {} tokens",
        all - run.missed.len(),
        run.turns,
        run.steps.len(),
        run.tokens()
    );
    if !run.missed.is_empty() {
        let places = run.missed.iter().take(NAMED);
        let places: Vec<&str> = places.map(|place| task.places[*place].as_str()).collect();
        let _ = write!(out, "; not shown: {}", places.join(", "));
        let more = run.missed.len().saturating_sub(NAMED);
        if more > 0 {
            let _ = write!(out, " and {more} more");
        }
    }
    out
}

/// Calls, tokens and places by the first word of a call.
fn by_call<'s>(steps: impl Iterator<Item = &'s Step>) -> Vec<Value> {
    let mut rows: BTreeMap<&str, (u32, u64, usize)> = BTreeMap::new();
    for step in steps {
        let name = step.call.split(' ').next().unwrap_or_default();
        let row = rows.entry(name).or_default();
        *row = (
            row.0 + 1,
            row.1 + u64::from(step.tokens),
            row.2 + step.places,
        );
    }
    let rows = rows.into_iter();
    rows.map(|(call, (calls, tokens, places))| {
        json!({ "call": call, "calls": calls, "tokens": tokens, "places": places })
    })
    .collect()
}

fn of_task(task: &LoopTask) -> Value {
    let runs = AGENTS.iter().zip(&task.runs);
    let runs: serde_json::Map<String, Value> = runs
        .map(|(name, run)| {
            let missed: Vec<&str> = run.missed.iter().map(|place| task.places[*place].as_str()).collect();
            let steps = run.steps.iter().map(|step| {
                json!({ "turn": step.turn, "call": step.call, "tokens": step.tokens, "places": step.places })
            });
            let value = json!({
                "turns": run.turns,
                "calls": run.steps.len(),
                "tokens": run.tokens(),
                "notShown": missed,
                "steps": steps.collect::<Vec<_>>(),
            });
            ((*name).to_owned(), value)
        })
        .collect();
    json!({
        "commit": task.commit,
        "question": task.question,
        "isLoss": task.is_loss(),
        "places": task.places,
        "agents": runs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(tokens: u32, missed: Vec<usize>) -> AgentRun {
        let step = Step {
            turn: 1,
            call: "read a.py 1-2".to_owned(),
            tokens,
            places: 2 - missed.len(),
        };
        AgentRun {
            steps: vec![step],
            turns: 1,
            missed,
        }
    }

    fn task(commit: &str, ours: AgentRun, other: AgentRun) -> LoopTask {
        LoopTask {
            commit: commit.to_owned(),
            question: "Keep the port".to_owned(),
            places: vec!["a.py:1".to_owned(), "a.py:7-9".to_owned()],
            runs: [ours, other],
        }
    }

    #[test]
    fn losses_come_first_fewer_places_before_more_tokens() {
        let report = LoopReport::from_tasks(vec![
            task("won", run(10, vec![]), run(90, vec![])),
            task("dear", run(90, vec![]), run(10, vec![])),
            task("less", run(10, vec![1]), run(90, vec![])),
            task("even", run(10, vec![0]), run(10, vec![0])),
        ]);
        let json = report.json();
        let order: Vec<&str> = json["byTask"]
            .as_array()
            .unwrap()
            .iter()
            .map(|task| task["commit"].as_str().unwrap())
            .collect();
        assert_eq!(order, ["less", "dear", "even", "won"]);
        assert_eq!((&json["losses"], &json["tasks"]), (&json!(2), &json!(4)));
        let ours = &json["agents"]["codecortex"];
        assert_eq!(
            (
                &ours["finished"],
                &ours["placesShown"],
                &ours["tokens"]["median"],
                &ours["tokens"]["mean"]
            ),
            (&json!(2), &json!(6), &json!(10), &json!(30.0))
        );
        assert_eq!(
            ours["byCall"],
            json!([{ "call": "read", "calls": 4, "tokens": 120, "places": 6 }])
        );
        let text = report.text();
        assert!(
            text.starts_with("Behind grep and read in 2 of 4 tasks:\n  less Keep the port\n"),
            "{text}"
        );
        assert!(
            text.contains("1 of 2 places, 1 turns, 1 calls, 10 tokens; not shown: a.py:7-9\n"),
            "{text}"
        );
    }
}
