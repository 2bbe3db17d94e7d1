//! `codecortex bench --loop`: how many turns, calls and tokens an agent needs until the places that a commit edited have been
//! shown as they stand in their files, once with a search for words and reading of lines, once with these tools as well
//! (docs/benchmarks.md#an-agents-loop).
//!
//! The agents follow fixed rules instead of a model, so two runs print the same.

mod equipped;
mod places;
mod report;
mod searcher;
mod shown_lines;
mod sources;
mod words;

use codecortex_engine::protocol::Caller;
use codecortex_engine::{Tokenizer, tokens_approx};
use codecortex_host::HostWorkspace;
use serde_json::Value;

use self::equipped::EquippedAgent;
use self::places::EditedPlace;
pub(super) use self::report::LoopReport;
use self::searcher::SearchingAgent;
use self::shown_lines::ShownLines;
use self::sources::Sources;
use super::OpenTask;

/// Turns that an agent has.
const MAX_TURNS: u32 = 20;
/// Calls of a turn.
const CALLS_OF_TURN: usize = 3;
/// The agents, ours first.
const AGENTS: [&str; 2] = ["codecortex", "grep and read"];

/// An agent with fixed rules.
trait Agent {
    /// The calls of the next turn, by what was shown before; none where it gives up.
    fn turn(&mut self, shown: &ShownLines) -> Vec<AgentCall>;

    /// Reads the answer to a call.
    fn told(&mut self, _call: &AgentCall, _answer: &str) {}
}

/// A call of an agent.
#[derive(Clone, Debug, PartialEq)]
enum AgentCall {
    /// Lines that contain a word, by files in this order.
    Search { word: String, order: Vec<usize> },
    /// Lines of a file, both inclusive.
    Read { path: String, lines: (u32, u32) },
    /// One of these tools.
    Tool {
        name: &'static str,
        arguments: Value,
    },
}

impl AgentCall {
    /// The call as a model writes it.
    fn text(&self) -> String {
        match self {
            Self::Search { word, .. } => format!("grep -n -i {word}"),
            Self::Read { path, lines } => format!("read {path} {}-{}", lines.0, lines.1),
            Self::Tool { name, arguments } => format!("{name} {arguments}"),
        }
    }
}

/// What a call cost, and what it led to.
struct Step {
    turn: u32,
    call: String,
    tokens: u32,
    /// Places that were shown first by its answer.
    places: usize,
}

/// The way of an agent through a task.
struct AgentRun {
    steps: Vec<Step>,
    turns: u32,
    /// Places that were never shown, by their numbers.
    missed: Vec<usize>,
}

impl AgentRun {
    fn tokens(&self) -> u32 {
        self.steps.iter().map(|step| step.tokens).sum()
    }
}

/// A task with the ways of both agents.
pub(super) struct LoopTask {
    commit: String,
    question: String,
    /// Where the places are that were edited.
    places: Vec<String>,
    runs: [AgentRun; AGENTS.len()],
}

/// Has both agents look for the places that a task's commit edited; none where these are in no file that is read.
pub(super) fn run(open: &mut OpenTask<'_>) -> Option<LoopTask> {
    let sources = Sources::read(open.clone.folder(), open.paths());
    let places = places::edited(open.clone, open.task, &sources);
    if places.is_empty() {
        return None;
    }
    let folder = open.clone.folder().file_name();
    let root = folder.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let question = &open.task.question;
    let mut field = Field {
        sources: &sources,
        root,
        places: &places,
        workspace: &mut open.workspace,
    };
    let runs = [
        field.follow(&mut EquippedAgent::new(question, &sources)),
        field.follow(&mut SearchingAgent::new(question, &sources)),
    ];
    Some(LoopTask {
        commit: open.task.commit.clone(),
        question: question.clone(),
        places: places
            .iter()
            .map(|place| place.location(&sources))
            .collect(),
        runs,
    })
}

/// What answers the calls of agents.
struct Field<'f> {
    sources: &'f Sources,
    /// The name with which answers begin paths.
    root: String,
    places: &'f [EditedPlace],
    workspace: &'f mut HostWorkspace,
}

impl Field<'_> {
    /// Lets an agent go on until it was shown every place, gives up or has no more turns.
    fn follow(&mut self, agent: &mut dyn Agent) -> AgentRun {
        let mut shown = ShownLines::default();
        let mut missed: Vec<usize> = (0..self.places.len()).collect();
        let (mut steps, mut turns) = (Vec::new(), 0);
        while turns < MAX_TURNS && !missed.is_empty() {
            let calls = agent.turn(&shown);
            if calls.is_empty() {
                break;
            }
            turns += 1;
            for call in calls {
                let answer = self.answer(&call);
                let is_code = !matches!(call, AgentCall::Search { .. });
                shown.read(self.sources, &self.root, &answer, is_code);
                agent.told(&call, &answer);
                let before = missed.len();
                missed.retain(|place| !self.places[*place].is_shown(&shown));
                let call = call.text();
                steps.push(Step {
                    turn: turns,
                    tokens: tokens(&call) + tokens(&answer),
                    call,
                    places: before - missed.len(),
                });
            }
        }
        AgentRun {
            steps,
            turns,
            missed,
        }
    }

    fn answer(&mut self, call: &AgentCall) -> String {
        match call {
            AgentCall::Search { word, order } => self.sources.grep(word, order),
            AgentCall::Read { path, lines } => self.sources.lines(path, *lines),
            AgentCall::Tool { name, arguments } => {
                let arguments = arguments.clone();
                let answer = self.workspace.call(name, arguments, Caller::default());
                answer.text.unwrap_or_default()
            }
        }
    }
}

/// Tokens of a text as models count them, where the build can; else characters / 4.
fn tokens(text: &str) -> u32 {
    let exact = Tokenizer::O200kBase.exact(text);
    exact.unwrap_or_else(|| tokens_approx(text))
}

#[cfg(test)]
mod tests;
