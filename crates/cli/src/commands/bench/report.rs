//! What a benchmark found, losses first.

use serde_json::{Value, json};

use super::score::Score;
use super::{BUDGETS, Measured, SYSTEMS, TaskOutcome};

/// The budget at which tasks are compared: 4,000 tokens.
const COMPARED: usize = 2;

/// Tasks with what each system did.
pub(super) struct BenchReport {
    /// Those that ours does worse than another come first, the worst of them first.
    tasks: Vec<Measured>,
}

impl BenchReport {
    pub(super) fn from_tasks(mut tasks: Vec<Measured>) -> Self {
        tasks.sort_by(|a, b| lead(a).total_cmp(&lead(b)));
        Self { tasks }
    }

    fn losses(&self) -> impl Iterator<Item = &Measured> {
        self.tasks.iter().filter(|task| lead(task) < 0.0)
    }

    /// One JSON object, parts of 1.
    pub(super) fn json(&self) -> Value {
        let systems: serde_json::Map<String, Value> = SYSTEMS
            .iter()
            .enumerate()
            .map(|(at, name)| ((*name).to_owned(), self.system(at)))
            .collect();
        let tasks: Vec<Value> = self
            .tasks
            .iter()
            .map(|task| {
                let scores = SYSTEMS.iter().zip(&task.outcomes);
                let scores = scores.map(|(name, outcome)| {
                    ((*name).to_owned(), of_score(&outcome.scores[COMPARED]))
                });
                json!({
                    "commit": task.commit,
                    "question": task.question,
                    "lead": rounded(lead(task)),
                    "at4000": scores.collect::<serde_json::Map<_, _>>(),
                })
            })
            .collect();
        json!({
            "tasks": self.tasks.len(),
            "losses": self.losses().count(),
            "budgets": BUDGETS,
            "systems": systems,
            "byTask": tasks,
        })
    }

    fn system(&self, at: usize) -> Value {
        let of_budget = |budget: usize| {
            let scores = || {
                self.tasks
                    .iter()
                    .map(move |task| task.outcomes[at].scores[budget])
            };
            json!({
                "budget": BUDGETS[budget],
                "file": rounded(mean(scores().map(|score| Some(score.file)))),
                "symbol": rounded(mean(scores().map(|score| score.symbol))),
                "hunk": rounded(mean(scores().map(|score| score.hunk))),
                "mrr": rounded(mean(scores().map(|score| Some(score.mrr)))),
            })
        };
        let outcomes = self.tasks.iter().map(|task| &task.outcomes[at]);
        let mut millis: Vec<f64> = outcomes
            .clone()
            .flat_map(|outcome| outcome.millis)
            .collect();
        millis.sort_by(f64::total_cmp);
        json!({
            "recall": (0..BUDGETS.len()).map(of_budget).collect::<Vec<_>>(),
            "p50Ms": rounded(percentile(&millis, 50)),
            "p95Ms": rounded(percentile(&millis, 95)),
            "violations": outcomes.map(|outcome| outcome.violations).sum::<u32>(),
        })
    }

    /// A table for people, percent.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        let losses: Vec<&Measured> = self.losses().collect();
        out += &format!(
            "Worse than another in {} of {} tasks:\n",
            losses.len(),
            self.tasks.len()
        );
        for task in losses {
            let question: String = task.question.chars().take(60).collect();
            let commit = task.commit.get(..10).unwrap_or(&task.commit);
            out += &format!("  {:+.0} {commit} {question}\n", lead(task) * 100.0);
        }
        out += "\nsystem      file             symbol           hunk             mrr  p50 ms  p95 ms  over budget\n";
        out += "            1k  2k  4k  8k   1k  2k  4k  8k   1k  2k  4k  8k   8k\n";
        for (at, name) in SYSTEMS.iter().enumerate() {
            let system = self.system(at);
            let percent = |field: &str| {
                let recall = system["recall"].as_array().into_iter().flatten();
                let parts =
                    recall.map(|of| format!("{:>3.0}", of[field].as_f64().unwrap_or(0.0) * 100.0));
                parts.collect::<Vec<_>>().join(" ")
            };
            let mrr = system["recall"][BUDGETS.len() - 1]["mrr"]
                .as_f64()
                .unwrap_or(0.0)
                * 100.0;
            let number = |field: &str| system[field].as_f64().unwrap_or(0.0);
            out += &format!(
                "{name:<11} {}  {}  {}  {mrr:>3.0}  {:>6.1}  {:>6.1}  {}\n",
                percent("file"),
                percent("symbol"),
                percent("hunk"),
                number("p50Ms"),
                number("p95Ms"),
                system["violations"],
            );
        }
        out
    }
}

/// By how much ours is better than the best of the others, or worse.
fn lead(task: &Measured) -> f64 {
    let value = |outcome: &TaskOutcome| {
        let score = outcome.scores[COMPARED];
        score
            .symbol
            .map_or(score.file, |symbol| (score.file + symbol) / 2.0)
    };
    let others = task.outcomes[1..].iter().map(value).fold(0.0, f64::max);
    value(&task.outcomes[0]) - others
}

fn of_score(score: &Score) -> Value {
    json!({
        "file": rounded(score.file),
        "symbol": score.symbol.map(rounded),
        "hunk": score.hunk.map(rounded),
        "mrr": rounded(score.mrr),
    })
}

/// The mean of what there is.
fn mean(parts: impl Iterator<Item = Option<f64>>) -> f64 {
    let (sum, count) = parts
        .flatten()
        .fold((0.0, 0u32), |(sum, count), part| (sum + part, count + 1));
    sum / f64::from(count.max(1))
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(0.0)
}

fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(file: f64) -> TaskOutcome {
        let score = Score {
            file,
            ..Score::default()
        };
        TaskOutcome {
            scores: [score; BUDGETS.len()],
            millis: [1.0; BUDGETS.len()],
            violations: 0,
        }
    }

    #[test]
    fn losses_come_first() {
        let task = |commit: &str, files: [f64; 3]| Measured {
            commit: commit.to_owned(),
            question: "Keep the port".to_owned(),
            outcomes: files.map(outcome),
        };
        let report = BenchReport::from_tasks(vec![
            task("won", [1.0, 0.5, 0.0]),
            task("lost", [0.0, 1.0, 0.5]),
            task("even", [0.5, 0.5, 0.5]),
        ]);
        let json = report.json();
        assert_eq!(
            (&json["losses"], &json["byTask"][0]["commit"]),
            (&json!(1), &json!("lost"))
        );
        assert_eq!(json["systems"]["codecortex"]["recall"][0]["file"], 0.5);
        assert!(
            report
                .text()
                .starts_with("Worse than another in 1 of 3 tasks:\n  -100 lost")
        );
    }
}
