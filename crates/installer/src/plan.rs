//! A plan: for each agent the files to change, what becomes of them, and why others stay as they are.

mod content;
mod places;
mod view;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agents::{Agent, InstructionKind, Scope};
use crate::disk::Files;
use crate::entry::{self, Invocation};
use crate::paths::Surroundings;
use crate::record::{FileRecord, RecordKey, RecordStore, Undo, hash_of};
use content::Content;
use places::TargetFile;
use view::View;

pub use places::detected;
pub(crate) use places::places;

/// The name of our entry in every configuration.
pub(crate) const SERVER_NAME: &str = "codecortex";

/// What an instruction block says.
const INSTRUCTIONS: &str = include_str!("../data/instructions.md");
/// The skill, the same as the extension's.
const SKILL: &str = include_str!("../data/SKILL.md");

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Whose configuration is changed.
    pub scope: Scope,
    /// How agents start the server.
    pub invocation: Invocation,
    /// Whether instructions and the skill are written beside the server.
    pub with_texts: bool,
    /// Whether a hook is written, for agents that have hooks.
    pub with_hooks: bool,
}

/// What is written into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentPart {
    /// The MCP server.
    Server,
    /// The text that the agent reads with every task.
    Instructions,
    /// The skill.
    Skill,
    /// A command that the agent runs after a search.
    Hook,
}

impl AgentPart {
    /// What people call it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Server => "MCP server",
            Self::Instructions => "instructions",
            Self::Skill => "skill",
            Self::Hook => "hook",
        }
    }
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The part is written.
    Added,
    /// A part of an earlier install is written anew.
    Updated,
    /// It is there already.
    AlreadyThere,
    /// It is there and differs from what install writes: a person's own, which stays.
    Kept(String),
    /// The file cannot be changed, so nothing of the agent is.
    LeftAlone(String),
    /// Where the agent reads it is not certain, so it is written only for an agent that was named.
    NotSure,
    /// The part is taken out.
    Removed,
    /// Nothing is there to take out.
    NotThere,
    /// Other agents need it.
    Shared(Vec<String>),
}

/// One file of a plan.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is written.
    pub part: AgentPart,
    /// The file, as its agent calls it.
    pub path: PathBuf,
    /// What becomes of it.
    pub outcome: Outcome,
    /// The change; none where the file stays as it is.
    pub change: Option<FileChange>,
    /// What becomes of the record.
    pub(crate) record: Option<RecordChange>,
}

/// A change of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file behind links.
    pub path: PathBuf,
    /// Its text before; none where it does not exist.
    pub before: Option<String>,
    /// Its text after; none where it is removed.
    pub after: Option<String>,
    /// Folders that go away with the file if nothing else is in them, outermost first.
    pub folders: Vec<PathBuf>,
    /// Whether a new file is for the person alone: agents put keys beside servers.
    pub is_private: bool,
}

/// What becomes of a file's record.
#[derive(Clone, Debug)]
pub(crate) enum RecordChange {
    Put(Box<FileRecord>),
    Forget(RecordKey),
}

/// The plan of one agent.
#[derive(Clone, Debug)]
pub struct AgentPlan {
    /// The agent.
    pub agent: &'static Agent,
    /// Its files.
    pub steps: Vec<Step>,
}

impl AgentPlan {
    /// Whether a file cannot be changed: then none of the agent's is.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        let is_left = |step: &Step| matches!(step.outcome, Outcome::LeftAlone(_));
        self.steps.iter().any(is_left)
    }

    /// Whether applying it changes a file.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        let has_change = |step: &Step| step.change.is_some();
        !self.is_blocked() && self.steps.iter().any(has_change)
    }

    /// Whether applying it writes something, be it a record alone.
    #[must_use]
    pub fn has_work(&self) -> bool {
        let has_work = |step: &Step| step.change.is_some() || step.record.is_some();
        !self.is_blocked() && self.steps.iter().any(has_work)
    }
}

fn content_of(
    agent: &'static Agent,
    part: AgentPart,
    scope: Scope,
    invocation: &Invocation,
) -> Content {
    match part {
        AgentPart::Server => Content::Entry {
            shape: &agent.mcp,
            entry: entry::fill(&agent.mcp.entry, invocation),
        },
        AgentPart::Skill => Content::File(SKILL.to_owned()),
        AgentPart::Hook => hook_of(agent, scope, invocation),
        AgentPart::Instructions => match &agent.files(scope).instructions {
            Some(place) if place.kind == InstructionKind::File => {
                Content::File(format!("{}{INSTRUCTIONS}", place.head))
            }
            _ => Content::Block(INSTRUCTIONS.to_owned()),
        },
    }
}

/// The hook of an agent; it has one where a place of it is planned.
fn hook_of(agent: &'static Agent, scope: Scope, invocation: &Invocation) -> Content {
    match &agent.files(scope).hook {
        Some(hook) => Content::Element {
            keys: &hook.keys,
            element: entry::fill_hook(&hook.entry, invocation),
        },
        None => Content::Element {
            keys: &[],
            element: Value::Null,
        },
    }
}

/// Plans to write the server, instructions, the skill and a hook for agents; the flag says whether a person named the agent.
#[must_use]
pub fn install(
    agents: &[(&'static Agent, bool)],
    goal: &Goal,
    surroundings: &Surroundings,
    files: &dyn Files,
    records: &RecordStore,
) -> Vec<AgentPlan> {
    let mut view = View::new(files, records);
    let mut plans = Vec::new();
    for (agent, is_named) in agents {
        let mut ahead = view.clone();
        if !agent.files(goal.scope).has_server() {
            let steps = Vec::new(); // its note says so
            plans.push(AgentPlan { agent, steps });
            continue;
        }
        let places = places(agent, goal.scope, surroundings, files);
        let is_unsure = |place: &TargetFile| !place.is_sure && !is_named;
        // Texts about a server that is not there would mislead.
        let has_server = places
            .iter()
            .any(|place| place.part == AgentPart::Server && place.is_wanted && !is_unsure(place));
        let mut steps = Vec::new();
        for place in places.iter().filter(|place| place.is_wanted) {
            let is_asked = match place.part {
                AgentPart::Server => true,
                AgentPart::Instructions | AgentPart::Skill => goal.with_texts,
                AgentPart::Hook => goal.with_hooks,
            };
            if !is_asked {
                continue;
            }
            let Some(path) = place.chosen(files) else {
                continue;
            };
            if is_unsure(place) || !has_server {
                steps.push(unchanged(place.part, path, Outcome::NotSure));
                continue;
            }
            let content = content_of(agent, place.part, goal.scope, &goal.invocation);
            let step = Planner {
                agent,
                scope: goal.scope,
                surroundings,
            }
            .install(&ahead, place.part, path, &content);
            ahead.take(&step);
            steps.push(step);
        }
        let plan = AgentPlan { agent, steps };
        if !plan.is_blocked() {
            view = ahead;
        }
        plans.push(plan);
    }
    plans
}

/// Plans to take back what install wrote for agents.
#[must_use]
pub fn uninstall(
    agents: &[&'static Agent],
    goal: &Goal,
    surroundings: &Surroundings,
    files: &dyn Files,
    records: &RecordStore,
) -> Vec<AgentPlan> {
    let mut view = View::new(files, records);
    let recorded = records.all();
    let mut plans = Vec::new();
    for agent in agents {
        let mut ahead = view.clone();
        let mut seen = BTreeSet::new();
        let mut steps = Vec::new();
        let mut paths: Vec<(AgentPart, PathBuf)> = Vec::new();
        for place in places(agent, goal.scope, surroundings, files) {
            let candidates = place.candidates.into_iter();
            paths.extend(candidates.map(|path| (place.part, path)));
        }
        // Also what was written while a variable named another folder.
        let of_agent = recorded.iter().filter(|record| {
            record.owners.contains(&agent.id) && goal.scope == Scope::User && !record.is_of_project
        });
        paths.extend(of_agent.map(|record| (record.part, record.path.clone())));
        // A file that has two parts is given its bytes back in the opposite order of install: the hook came last.
        paths.sort_by_key(|(part, _)| *part != AgentPart::Hook);
        for (part, path) in paths {
            let real = files.real(&path).unwrap_or_else(|_| path.clone());
            if !seen.insert(RecordKey::new(&real, part)) {
                continue;
            }
            let content = content_of(agent, part, goal.scope, &goal.invocation);
            let step = Planner {
                agent,
                scope: goal.scope,
                surroundings,
            }
            .uninstall(&ahead, part, &path, &content);
            if step.outcome == Outcome::NotThere && step.record.is_none() {
                continue;
            }
            ahead.take(&step);
            steps.push(step);
        }
        steps.sort_by_key(|step| step.part == AgentPart::Hook);
        let plan = AgentPlan { agent, steps };
        if !plan.is_blocked() {
            view = ahead;
        }
        plans.push(plan);
    }
    plans
}

fn unchanged(part: AgentPart, path: &Path, outcome: Outcome) -> Step {
    Step {
        part,
        path: path.to_path_buf(),
        outcome,
        change: None,
        record: None,
    }
}

/// Plans the files of one agent.
struct Planner<'a> {
    agent: &'static Agent,
    scope: Scope,
    surroundings: &'a Surroundings,
}

impl Planner<'_> {
    fn install(&self, view: &View<'_>, part: AgentPart, path: &Path, content: &Content) -> Step {
        self.try_install(view, part, path, content)
            .unwrap_or_else(|why| unchanged(part, path, Outcome::LeftAlone(why)))
    }

    fn uninstall(&self, view: &View<'_>, part: AgentPart, path: &Path, content: &Content) -> Step {
        self.try_uninstall(view, part, path, content)
            .unwrap_or_else(|why| unchanged(part, path, Outcome::LeftAlone(why)))
    }

    /// The file behind links. A project came from somewhere: its links must not lead out of it.
    fn real(&self, view: &View<'_>, path: &Path) -> Result<PathBuf, String> {
        let real = view.files.real(path).map_err(|error| error.to_string())?;
        if self.scope == Scope::Project {
            let project = self.surroundings.project.as_deref().unwrap_or(path);
            let project = view
                .files
                .real(project)
                .map_err(|error| error.to_string())?;
            if !real.starts_with(project) {
                return Err("a link leads out of the project".to_owned());
            }
        }
        Ok(real)
    }

    fn try_install(
        &self,
        view: &View<'_>,
        part: AgentPart,
        path: &Path,
        content: &Content,
    ) -> Result<Step, String> {
        let real = self.real(view, path)?;
        let text = view.text(&real)?;
        let record = view.record(&real, part);
        let found = match &text {
            Some(text) => content.find(text).map_err(|error| error.to_string())?,
            None => None,
        };
        let Some(found) = found else {
            return self.write(view, part, path, (real, text.clone(), text, None), content);
        };
        let outcome = match content.is_wanted(&found) {
            true => Outcome::AlreadyThere,
            false => Outcome::Kept(content.difference().to_owned()),
        };
        let mut step = unchanged(part, path, outcome);
        let Some(mut record) = record else {
            let record = self.record_of_other(part, real, found);
            step.record = Some(RecordChange::Put(Box::new(record)));
            return Ok(step);
        };
        let is_ours = !record.is_of_other && record.written == found;
        if let Some(text) = text.filter(|_| is_ours && step.outcome != Outcome::AlreadyThere) {
            let base = unwound(content, &text, &record)?;
            return self.write(
                view,
                part,
                path,
                (real, Some(text), base, Some(record)),
                content,
            );
        }
        if record.owners.insert(self.agent.id.clone()) {
            step.record = Some(RecordChange::Put(Box::new(record)));
        }
        Ok(step)
    }

    /// The record of a part that was there before install: it is not taken out.
    fn record_of_other(&self, part: AgentPart, path: PathBuf, found: Value) -> FileRecord {
        FileRecord {
            path,
            part,
            is_of_project: self.scope == Scope::Project,
            owners: BTreeSet::from([self.agent.id.clone()]),
            is_of_other: true,
            is_new_file: false,
            new_folders: Vec::new(),
            is_new_key: false,
            written: found,
            after: String::new(),
            undo: Undo::default(),
        }
    }

    /// Writes a part into a text that has none (`base`), which may be what an earlier install left.
    fn write(
        &self,
        view: &View<'_>,
        part: AgentPart,
        path: &Path,
        (real, before, base, earlier): (
            PathBuf,
            Option<String>,
            Option<String>,
            Option<FileRecord>,
        ),
        content: &Content,
    ) -> Result<Step, String> {
        let from = base.as_deref().unwrap_or_default();
        let after = content.insert(from).map_err(|error| error.to_string())?;
        let outcome = match earlier {
            Some(_) => Outcome::Updated,
            None => Outcome::Added,
        };
        let earlier = earlier.as_ref();
        let mut owners = earlier
            .map(|record| record.owners.clone())
            .unwrap_or_default();
        owners.insert(self.agent.id.clone());
        let written = content.find(&after).map_err(|error| error.to_string())?;
        let record = FileRecord {
            path: real.clone(),
            part,
            is_of_project: self.scope == Scope::Project,
            owners,
            is_of_other: false,
            is_new_file: base.is_none(),
            new_folders: match earlier {
                Some(record) => record.new_folders.clone(),
                None => view.missing_folders(&real),
            },
            is_new_key: match earlier {
                Some(record) => record.is_new_key,
                None => !content.has_key(from),
            },
            written: written.unwrap_or_default(),
            after: hash_of(&after),
            undo: Undo::between(from, &after),
        };
        Ok(Step {
            part,
            path: path.to_path_buf(),
            outcome,
            change: Some(FileChange {
                path: real,
                before,
                after: Some(after),
                folders: Vec::new(),
                is_private: matches!(part, AgentPart::Server | AgentPart::Hook)
                    && self.scope == Scope::User,
            }),
            record: Some(RecordChange::Put(Box::new(record))),
        })
    }

    fn try_uninstall(
        &self,
        view: &View<'_>,
        part: AgentPart,
        path: &Path,
        content: &Content,
    ) -> Result<Step, String> {
        let real = self.real(view, path)?;
        let record = view.record(&real, part);
        let key = RecordKey::new(&real, part);
        let forget = record.as_ref().map(|_| RecordChange::Forget(key));
        if let Some(record) = &record {
            let mut others = record.owners.clone();
            others.remove(&self.agent.id);
            if !others.is_empty() {
                return Ok(self.leave(part, path, record, others));
            }
        }
        let Some(text) = view.text(&real)? else {
            let mut step = unchanged(part, path, Outcome::NotThere);
            step.record = forget;
            return Ok(step);
        };
        let found = content.find(&text).map_err(|error| error.to_string())?;
        let Some(found) = found else {
            let mut step = unchanged(part, path, Outcome::NotThere);
            step.record = forget;
            return Ok(step);
        };
        let is_of_other = record.as_ref().is_some_and(|record| record.is_of_other);
        let is_as_written = record
            .as_ref()
            .is_some_and(|record| record.written == found);
        let is_ours = is_as_written || content.is_ours(&found, record.is_some());
        if is_of_other || !is_ours {
            let why = match is_of_other {
                true => "it was there before install",
                false => content.difference(),
            };
            let mut step = unchanged(part, path, Outcome::Kept(why.to_owned()));
            step.record = forget; // from now on it is the person's
            return Ok(step);
        }
        let after = match &record {
            Some(record) => unwound(content, &text, record)?,
            None => content
                .remove(&text, false)
                .map_err(|error| error.to_string())?,
        };
        let folders = match (&after, record) {
            (None, Some(record)) => record.new_folders,
            _ => Vec::new(),
        };
        Ok(Step {
            part,
            path: path.to_path_buf(),
            outcome: Outcome::Removed,
            change: Some(FileChange {
                path: real,
                before: Some(text),
                after,
                folders,
                is_private: false, // no file is new
            }),
            record: forget,
        })
    }

    /// Leaves a part to the other agents that need it.
    fn leave(
        &self,
        part: AgentPart,
        path: &Path,
        record: &FileRecord,
        others: BTreeSet<String>,
    ) -> Step {
        let names = others.iter().cloned().collect();
        let mut step = unchanged(part, path, Outcome::Shared(names));
        if record.owners.contains(&self.agent.id) {
            let mut record = record.clone();
            record.owners = others;
            step.record = Some(RecordChange::Put(Box::new(record)));
        } else {
            step.outcome = Outcome::NotThere;
        }
        step
    }
}

/// The text without our part: exactly as before where nothing else was changed since, none where there was no file.
fn unwound(content: &Content, text: &str, record: &FileRecord) -> Result<Option<String>, String> {
    if hash_of(text) == record.after {
        if record.is_new_file {
            return Ok(None);
        }
        if let Some(before) = record.undo.apply(text) {
            return Ok(Some(before));
        }
    }
    let rest = content.remove(text, record.is_new_key);
    let rest = rest.map_err(|error| error.to_string())?;
    Ok(rest.filter(|rest| !(record.is_new_file && content.is_empty(rest))))
}

#[cfg(test)]
mod tests;
