//! The payload for a question (SPEC CP1, RM1, D13).

use std::cell::RefCell;
use std::rc::Rc;

use codecortex_answer::budget::{Mode as BudgetMode, grant, profile};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_context::map::{self, Answers};
use codecortex_context::payload::{
    Map, Mode, Observations, Payload, SubagentType, Task, VERSION, map_items,
};
use codecortex_context::window::settings::window_config;
use codecortex_ledger::rfc3339;
use codecortex_protocol::{Failure, ToolError};
use codecortex_retrieval::Selection;
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::invocation::Invocation;
use crate::tools::get_context::{ContextArgs, ContextData};

/// Sizes that are tried between nothing and all that is allowed.
const STEPS: usize = 256;
/// Tokens around the map's text.
const AROUND: usize = 24;
/// Words of the question that are named in a note.
const MOST_WORDS: usize = 12;

/// A payload before the budget. Its pieces are sizes of the map.
struct Told {
    answers: Option<Answers>,
    /// Tokens that the map may have.
    room: usize,
    payload: Payload,
    /// What fits, by the step of its size.
    chosen: RefCell<FxHashMap<usize, Rc<Selection>>>,
    unsaved: bool,
}

/// The answer to a question, or what was noted where there is none.
pub(super) fn handle(cx: &Invocation<'_>, args: &ContextArgs) -> ToolResult {
    let mode = args.mode.unwrap_or(match args.query {
        Some(_) => Mode::Mixed,
        None => Mode::Index,
    });
    Ok(Box::new(Told::of(cx, args, mode)?))
}

impl Told {
    fn of(cx: &Invocation<'_>, args: &ContextArgs, mode: Mode) -> Result<Self, Failure> {
        let query = args.query.as_deref().unwrap_or("").trim();
        if mode.has_map() && query.is_empty() && args.focus.is_none() {
            return Err(ToolError::invalid("The map needs a question.")
                .hint("Give `query`, the task in words, or `focus`, the file it is about.")
                .into());
        }
        let answers = match mode.has_map() {
            true => Some(map::ask(
                cx,
                &cx.session.context.map,
                query,
                args.focus.as_deref(),
            )?),
            false => None,
        };
        Ok(Self {
            room: room(cx, args)?,
            payload: Payload {
                version: VERSION,
                generated_at: generated_at(cx.clock.host()),
                subagent_type: args.subagent_type.unwrap_or(SubagentType::Orchestrator),
                mode,
                task: Task {
                    task_id: args.task_id.clone(),
                },
                observations: Observations {
                    source: "jsonl",
                    items: Vec::new(),
                },
                repo_map: Map {
                    source: "ranked",
                    items: Vec::new(),
                },
                notes: notes(cx, answers.as_ref(), mode),
            },
            answers,
            chosen: RefCell::default(),
            unsaved: cx.documents.values().any(|document| document.dirty),
        })
    }

    fn selection(&self, pieces: usize) -> Rc<Selection> {
        if let Some(known) = self.chosen.borrow().get(&pieces) {
            return Rc::clone(known);
        }
        let tokens = self.room * pieces / STEPS;
        let selection = self.answers.as_ref().map(|answers| answers.select(tokens));
        let selection = Rc::new(selection.unwrap_or_default());
        self.chosen
            .borrow_mut()
            .insert(pieces, Rc::clone(&selection));
        selection
    }
}

/// Tokens that the map may have: what the caller allows, else what the profile says.
fn room(cx: &Invocation<'_>, args: &ContextArgs) -> Result<usize, ToolError> {
    let config = window_config(&cx.session.sources(), None);
    let none = std::collections::BTreeMap::new();
    let profiles = config.map_or(&none, |config| &config.profiles);
    let named = args.profile.as_deref();
    let of_profile = grant(
        &profile(profiles, named.unwrap_or("default"))?,
        BudgetMode::Map,
        None,
    )
    .budget_tokens;
    let limit = cx.call.limit;
    let allowed = [limit.tokens, limit.bytes.map(|bytes| bytes / 4)];
    let room = match (allowed.into_iter().flatten().min(), named) {
        (Some(allowed), None) => allowed,
        (Some(allowed), Some(_)) => allowed.min(of_profile),
        (None, _) => of_profile,
    };
    Ok((room as usize).saturating_sub(AROUND))
}

/// `YYYY-MM-DD HH:mm:ss`, UTC (SPEC D25).
fn generated_at(now: u64) -> String {
    let time = rfc3339(now);
    time.get(..19).unwrap_or(&time).replace('T', " ")
}

/// What the reader should know.
fn notes(cx: &Invocation<'_>, answers: Option<&Answers>, mode: Mode) -> Vec<String> {
    let mut notes = Vec::new();
    if mode != Mode::Map {
        notes.push("No observations are kept of this workspace.".to_owned());
    }
    let Some(answers) = answers else {
        return notes;
    };
    if !answers.is_confident() {
        notes.push("No confident match: the code that comes nearest.".to_owned());
    }
    let words = |words: &[String]| words[..words.len().min(MOST_WORDS)].join(", ");
    if !answers.matched().is_empty() {
        notes.push(format!("Matched: {}.", words(answers.matched())));
    }
    if !answers.unmatched().is_empty() {
        notes.push(format!(
            "In no declaration: {}.",
            words(answers.unmatched())
        ));
    }
    if !cx.session.context.map.borrow().has_history() {
        notes.push("Without git history.".to_owned());
    }
    notes
}

impl Reply for Told {
    fn levels(&self) -> &'static [&'static str] {
        &["map"]
    }

    fn pieces(&self) -> usize {
        match self.answers {
            Some(_) => STEPS,
            None => 0,
        }
    }

    fn data(&self, _level: usize, pieces: usize, common: Common) -> Value {
        let selection = self.selection(pieces);
        let mut payload = self.payload.clone();
        if let Some(answers) = &self.answers {
            payload.repo_map.items = map_items(&selection, |path| answers.hash(path));
        }
        let data = ContextData {
            window: None,
            payload: Some(payload),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _level: usize, pieces: usize) -> String {
        let mut out = self.selection(pieces).text.clone();
        for note in &self.payload.notes {
            out += &format!("// {note}\n");
        }
        out
    }

    fn next_cursor(&self, _: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}
