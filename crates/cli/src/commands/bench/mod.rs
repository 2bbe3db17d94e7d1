//! `codecortex bench`: how well questions are answered on the workspace's own history, beside a search for words and BM25
//! in the same run (SPEC X9). With `--loop`, what an agent needs until it was shown what a commit edited ([`agents`]).
//!
//! Of each commit that changed a few files of code, the message is the question and what it changed is the answer. The
//! state before it is checked out in a clone in the system's temporary folder; no answer sees a later commit.

mod agents;
mod baselines;
mod report;
mod score;
mod tasks;

use std::time::Instant;

use codecortex_context::map::file::MapFile;
use codecortex_engine::protocol::Caller;
use codecortex_host::{HostWorkspace, Options, resolve_roots};
use serde_json::{Value, json};

use crate::args::BenchArgs;
use crate::commands::bench::agents::LoopReport;
use crate::commands::bench::baselines::{Corpus, bm25, grep};
use crate::commands::bench::report::BenchReport;
use crate::commands::bench::score::{Score, score};
use crate::commands::bench::tasks::{Clone, Gold, Task};
use crate::failure::Failure;
use crate::output;

/// Tokens that answers may have.
const BUDGETS: [usize; 4] = [1000, 2000, 4000, 8000];
/// Who is measured, ours first.
const SYSTEMS: [&str; 3] = ["codecortex", "bm25", "grep"];

/// What a system did in a task.
struct TaskOutcome {
    /// By budget.
    scores: [Score; BUDGETS.len()],
    /// Ms that each answer took.
    millis: [f64; BUDGETS.len()],
    /// Answers that were larger than allowed.
    violations: u32,
}

/// A task with what each system did in it.
struct Measured {
    commit: String,
    question: String,
    outcomes: [TaskOutcome; SYSTEMS.len()],
}

/// The state before a task's commit, ready for questions.
struct OpenTask<'t> {
    task: &'t Task,
    clone: &'t Clone,
    workspace: HostWorkspace,
    map: MapFile,
}

impl<'t> OpenTask<'t> {
    fn open(clone: &'t Clone, options: &Options, task: &'t Task) -> Result<Self, Failure> {
        clone.check_out(&task.base).map_err(Failure::Bench)?;
        let mut workspace = HostWorkspace::open(Options {
            roots: resolve_roots(&[clone.folder().to_path_buf()])?,
            ..options.clone()
        });
        workspace.run_until_ready();
        let map = MapFile::build(&workspace.analysis(), |_| true);
        Ok(Self {
            task,
            clone,
            workspace,
            map,
        })
    }

    /// Files of code.
    fn paths(&self) -> impl Iterator<Item = &str> {
        self.map.items.iter().map(|item| item.path.as_str())
    }

    fn close(self) {
        std::mem::forget(self.workspace); // the system takes its memory back faster than we can
    }
}

pub(crate) fn run(command: &BenchArgs) -> Result<i32, Failure> {
    let (json, text) = if command.agents {
        let report = LoopReport::from_tasks(each_task(command, agents::run)?);
        (report.json(), report.text())
    } else {
        let report = BenchReport::from_tasks(each_task(command, measure)?);
        (report.json(), report.text())
    };
    output::print(&match command.json {
        true => json.to_string(),
        false => text,
    })?;
    Ok(0)
}

/// What each task led to; at least one.
fn each_task<T>(
    command: &BenchArgs,
    measure: impl Fn(&mut OpenTask<'_>) -> Option<T>,
) -> Result<Vec<T>, Failure> {
    let mut options = command.workspace.options()?;
    let [root] = options.roots.as_slice() else {
        return Err(Failure::OneRoot);
    };
    let found = tasks::find(root.path.as_ref(), command.tasks).map_err(Failure::Bench)?;
    let clone = Clone::from_root(root.path.as_ref()).map_err(Failure::Bench)?;
    options.no_cache = true;
    let mut measured = Vec::new();
    for (at, task) in found.iter().enumerate() {
        output::warn(&format!("{}/{} {}", at + 1, found.len(), task.commit));
        let mut open = OpenTask::open(&clone, &options, task)?;
        measured.extend(measure(&mut open));
        open.close();
    }
    if measured.is_empty() {
        let why = "no commit of it changed declarations of few files".to_owned();
        return Err(Failure::Bench(why));
    }
    Ok(measured)
}

/// Has every system answer a task; none where what it changed is in no file that is read.
fn measure(open: &mut OpenTask<'_>) -> Option<Measured> {
    let task = open.task;
    let gold = Gold::from_clone(open.clone, task, &open.map);
    if gold.files.is_empty() {
        return None;
    }
    let corpus = Corpus::read(open.clone.folder(), open.paths());
    let paths: Vec<&str> = corpus.paths().collect();
    let workspace = &mut open.workspace;
    // The first question has all words read; what is measured is the next one.
    drop(ours(workspace, &task.question, BUDGETS[0]));
    let judge = |answer: &mut dyn FnMut(usize) -> String| outcome(answer, &gold, &paths);
    let outcomes = [
        judge(&mut |budget| ours(workspace, &task.question, budget)),
        judge(&mut |budget| bm25(&corpus, &task.question, budget)),
        judge(&mut |budget| grep(&corpus, &task.question, budget)),
    ];
    Some(Measured {
        commit: task.commit.clone(),
        question: task.question.clone(),
        outcomes,
    })
}

/// What a model would be told.
fn ours(workspace: &mut HostWorkspace, question: &str, budget: usize) -> String {
    let args = json!({ "mode": "map", "query": question, "maxTokens": budget, "format": "text" });
    let answer = workspace.call(
        "codecortex_getContext",
        Value::clone(&args),
        Caller::default(),
    );
    answer.text.unwrap_or_default()
}

fn outcome(answer: &mut dyn FnMut(usize) -> String, gold: &Gold, paths: &[&str]) -> TaskOutcome {
    let mut outcome = TaskOutcome {
        scores: [Score::default(); BUDGETS.len()],
        millis: [0.0; BUDGETS.len()],
        violations: 0,
    };
    for (at, budget) in BUDGETS.into_iter().enumerate() {
        let begun = Instant::now();
        let text = answer(budget);
        outcome.millis[at] = begun.elapsed().as_secs_f64() * 1000.0;
        let letters = text.chars().count();
        outcome.violations += u32::from(letters.div_ceil(4) > budget);
        let seen: String = text.chars().take(budget * 4).collect();
        outcome.scores[at] = score(&seen, gold, paths);
    }
    outcome
}
