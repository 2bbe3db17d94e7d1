//! The payload for a question: code, and what was observed before (SPEC CP1, RM1, OB1, D13).

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use codecortex_answer::reply::{Common, Reply};
use codecortex_context::map::{self, Answers};
use codecortex_context::observations::ObservationItem;
use codecortex_context::payload::{
    Map, MapItem, Observations, Payload, SubagentType, Task, VERSION, entry_costs, map_items,
};
use codecortex_ledger::rfc3339;
use codecortex_memory as memory;
use codecortex_memory::{BackEnd, ObservationFilter, RecallRequest, StoreMatches};
use codecortex_protocol::{ErrorCode, Failure, ToolError, tokens_approx};
use codecortex_retrieval::{AnswerForm, SelectionRequest, Selector, SourceSelection};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::calls::CallContext;
use crate::invocation::Invocation;
use crate::observations::store;
use crate::tools::get_context::plan::PayloadPlan;
use crate::tools::get_context::task;
use crate::tools::get_context::{ContextArgs, ContextData};
use crate::tools::recall::{by_importance, in_order, judged, mode_word};
use crate::tools::search_api::CODE_ALONE;
use codecortex_observations::Settings;

/// Sizes that are tried between nothing and all that is allowed.
const STEPS: usize = 256;
/// Up to this part of the sizes all observations are told: the code gives way first.
const OBSERVED: usize = 4;
/// What is recorded where observations have no room and no smaller form is recorded.
const FEWER: &str = "observations→fewer";
/// Words of the question that are named in a note.
const MAX_WORDS: usize = 12;

/// A form of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PayloadForm {
    Json,
    Text,
}

/// A payload before the budget. Where there is a map, its pieces are sizes of it; else they are observations.
pub(super) struct RenderedPayload {
    answers: Option<Answers>,
    selector: Selector,
    /// Whether the answer says what speaks for each declaration.
    with_reasons: bool,
    /// Tokens that the map may have; in the JSON form with all that is around its code.
    room: usize,
    /// The largest size of the map that keeps to that, in the JSON form and as text.
    largest: [OnceCell<usize>; 2],
    /// Whether more room would show more of the map.
    is_map_cut: [OnceCell<bool>; 2],
    payload: Payload,
    /// What was observed, the most important first, in the forms that are tried.
    observed: Vec<ObservationItem>,
    /// How observations are told at each level.
    forms: Vec<memory::RecallMode>,
    budget: u32,
    /// What was exchanged before the budget was looked at.
    forced: Vec<String>,
    /// Observations that the cap of their source leaves out.
    beyond_cap: usize,
    /// What fits, by the form and the step of its size.
    chosen: RefCell<FxHashMap<(PayloadForm, usize), Rc<SourceSelection>>>,
    unsaved: bool,
}

/// What is asked, and what was found out for it so far.
struct PayloadInput {
    args: ContextArgs,
    settings: Settings,
    plan: PayloadPlan,
    task: Task,
    answers: Option<Answers>,
    /// What a reader has to know.
    notes: Vec<String>,
}

/// The answer to a question, or what was noted where there is none.
pub(super) async fn handle(
    cx: &CallContext,
    args: ContextArgs,
) -> Result<RenderedPayload, ToolError> {
    let begun = |cx: &Invocation<'_>| {
        let settings = Settings::new(cx)?;
        let plan = PayloadPlan::new(cx, &args, &settings)?;
        Ok::<_, ToolError>((settings, plan))
    };
    let (settings, mut plan) = cx.view(begun).await?;
    let mut asked = PayloadInput {
        task: Task::default(),
        answers: None,
        notes: std::mem::take(&mut plan.notes),
        args,
        settings,
        plan,
    };
    let (task, about_it) = cx.look(|cx| task(cx, &asked)).await?;
    asked.task = task;
    asked.notes.extend(about_it);
    asked.answers = cx.look(|cx| answers(cx, &asked)).await?;
    let observed = observations(cx, &asked).await?;
    Ok(cx
        .view(|cx| RenderedPayload::new(cx, asked, observed))
        .await)
}

impl RenderedPayload {
    fn new(cx: &Invocation<'_>, asked: PayloadInput, observed: Observed) -> Self {
        let PayloadInput {
            args,
            settings,
            plan,
            task,
            answers,
            mut notes,
        } = asked;
        let source = observed.source;
        notes.extend(observed.notes);
        let query = args.query.as_deref().unwrap_or_default();
        notes.extend(map_notes(cx, answers.as_ref(), query));
        let forms = plan.observations.map(|(mode, _)| mode).into_iter();
        let mut forms: Vec<memory::RecallMode> = forms.chain(plan.chain).collect();
        let mut forced = plan.forced;
        let cap = plan.caps.observations;
        // Where the cap is all there is, the levels of the answer step down.
        let is_capped = cap < plan.room;
        if let ([memory::RecallMode::Detail, next, ..], true) = (forms.as_slice(), is_capped)
            && observed.items.iter().map(cost).sum::<u32>() > cap
        {
            let (from, to) = (mode_word(memory::RecallMode::Detail), mode_word(*next));
            forced.push(codecortex_answer::budget::step(from, to));
            forms.remove(0);
        }
        let is_whole = is_capped && forms.first() == Some(&memory::RecallMode::Detail);
        let all = observed.items.len();
        let observed = within(observed.items, cap, is_whole);
        let cost: u32 = observed.iter().map(|item| cost(&item.brief())).sum();
        let room = plan.caps.repo_map.min(plan.room.saturating_sub(cost));
        Self {
            room: room as usize,
            largest: Default::default(),
            is_map_cut: Default::default(),
            beyond_cap: all - observed.len(),
            selector: settings.selector,
            with_reasons: args.why == Some(true),
            payload: Payload {
                version: VERSION,
                generated_at: generated_at(cx.clock().host()),
                subagent_type: args.subagent_type.unwrap_or(SubagentType::Orchestrator),
                mode: plan.mode,
                task,
                observations: Observations {
                    source: source.in_payload(),
                    items: Vec::new(),
                },
                repo_map: Map {
                    source: "codecortex",
                    items: Vec::new(),
                },
                notes,
            },
            answers,
            observed,
            forms,
            budget: plan.budget,
            forced,
            chosen: RefCell::default(),
            unsaved: cx.documents.values().any(|document| document.dirty),
        }
    }

    /// How so many tokens of the map are chosen for a form.
    fn request(&self, form: PayloadForm, tokens: usize) -> SelectionRequest {
        SelectionRequest {
            tokens,
            selector: self.selector,
            form: match form {
                PayloadForm::Text => AnswerForm::Text,
                PayloadForm::Json => AnswerForm::Json(entry_costs()),
            },
        }
    }

    fn selection(&self, form: PayloadForm, pieces: usize) -> Rc<SourceSelection> {
        if let Some(known) = self.chosen.borrow().get(&(form, pieces)) {
            return Rc::clone(known);
        }
        let tokens = self.room * pieces / STEPS;
        let selection = self
            .answers
            .as_ref()
            .map(|answers| answers.select(self.request(form, tokens)));
        let selection = Rc::new(selection.unwrap_or_default());
        self.chosen
            .borrow_mut()
            .insert((form, pieces), Rc::clone(&selection));
        selection
    }

    /// The size of the map of so many pieces that keeps to the cap of its source in a form.
    fn size(&self, form: PayloadForm, pieces: usize) -> usize {
        let largest = self.largest[form as usize].get_or_init(|| {
            let fits = |size: usize| self.map_cost(form, size) <= self.room as u32;
            if self.answers.is_none() || fits(STEPS) {
                return STEPS;
            }
            let (mut within, mut beyond) = (0, STEPS);
            while beyond - within > 1 {
                let middle = within + (beyond - within) / 2;
                match fits(middle) {
                    true => within = middle,
                    false => beyond = middle,
                }
            }
            within
        });
        pieces.min(*largest)
    }

    /// Tokens of the map of a size.
    fn map_cost(&self, form: PayloadForm, size: usize) -> u32 {
        let selection = self.selection(form, size);
        match form {
            PayloadForm::Json => {
                let items = self.map_items(&selection);
                tokens_approx(&serde_json::to_string(&items).unwrap_or_default())
            }
            PayloadForm::Text => tokens_approx(&selection.text),
        }
    }

    fn map_items(&self, selection: &SourceSelection) -> Vec<MapItem> {
        let answers = self.answers.as_ref();
        answers.map_or_else(Vec::new, |answers| {
            map_items(selection, self.with_reasons, |path| answers.hash(path))
        })
    }

    /// What is told shorter than there is to tell, beside the levels of the answer (SPEC BU1).
    fn shortened(&self, form: PayloadForm, pieces: usize, observed: usize) -> Vec<String> {
        let mut shortened = Vec::new();
        if let Some(answers) = &self.answers {
            let is_cut = self.size(form, STEPS.min(pieces)) < STEPS
                || *self.is_map_cut[form as usize].get_or_init(|| {
                    let more = answers.select(self.request(form, self.room.saturating_mul(4)));
                    more.text != self.selection(form, STEPS).text
                });
            shortened.extend(is_cut.then(|| "repo_map→shorter".to_owned()));
        }
        if self.beyond_cap > 0 || observed < self.observed.len() {
            shortened.push(FEWER.to_owned());
        }
        shortened
    }

    /// The observations that are told at a level, of so many pieces.
    fn items(&self, level: usize, pieces: usize) -> Vec<ObservationItem> {
        let all = self.observed.len();
        let count = match self.answers {
            Some(_) => (all * pieces * OBSERVED).div_ceil(STEPS).min(all),
            None => pieces,
        };
        let asked = self
            .forms
            .first()
            .copied()
            .unwrap_or(memory::RecallMode::Index);
        let form = self.forms.get(level).copied().unwrap_or(asked);
        let mut items = in_order(asked, &self.observed[..count]);
        match form {
            memory::RecallMode::Detail => {}
            memory::RecallMode::Timeline => {
                items.iter_mut().for_each(|item| *item = item.brief());
                items.sort_by_key(|item| item.id);
            }
            memory::RecallMode::Index => items.iter_mut().for_each(|item| *item = item.brief()),
        }
        items
    }

    /// Whether observations alone are told, in a form that a smaller one can stand for.
    fn has_levels(&self) -> bool {
        self.answers.is_none() && self.forms.len() > 1
    }
}

/// The code that a question is about, where it is to be told.
fn answers(cx: &Invocation<'_>, asked: &PayloadInput) -> Result<Option<Answers>, Failure> {
    let PayloadInput { args, plan, .. } = asked;
    if !plan.has_map {
        return Ok(None);
    }
    let query = args.query.as_deref().unwrap_or("").trim();
    let known = &cx.session.context.map;
    let mut answers = match (query.is_empty(), &args.focus) {
        (true, None) => map::overview(cx, known)?,
        (_, focus) => map::ask(cx, known, query, focus.as_deref())?,
    };
    answers.keep_folders(&plan.folders);
    Ok(Some(answers))
}

/// Where observations are, those that are told, the most important first, and what a reader has to know of that.
struct Observed {
    source: BackEnd,
    items: Vec<ObservationItem>,
    notes: Vec<String>,
}

async fn observations(cx: &CallContext, asked: &PayloadInput) -> Result<Observed, ToolError> {
    let PayloadInput {
        args,
        settings,
        plan,
        task,
        ..
    } = asked;
    let none = |notes: Vec<String>| Observed {
        source: settings.backend.unwrap_or(BackEnd::Jsonl),
        items: Vec::new(),
        notes,
    };
    let Some((mode, most)) = plan.observations else {
        return Ok(none(Vec::new()));
    };
    if !settings.keeps_observations() {
        let note = "No observations are kept of this workspace.";
        return Ok(none(vec![note.to_owned()]));
    }
    let ids = args.ids.clone().unwrap_or_default();
    if mode == memory::RecallMode::Detail && ids.is_empty() {
        return Ok(none(vec![
            "Details need `ids`; mode `index` lists them.".to_owned(),
        ]));
    }
    let found = match found(cx, args, settings, (mode, most), task).await {
        Ok(found) => found,
        Err(error) if is_absent(&error) => return Ok(none(vec![error.message])),
        Err(error) => return Err(error),
    };
    let mut notes = Vec::new();
    note_found(&found, &mut notes);
    let items = cx.view(|cx| judged(cx, &found)).await;
    Ok(Observed {
        source: found.source,
        items: by_importance(&found, items, None),
        notes,
    })
}

/// The task that the caller is at, and what a reader has to know of its file.
fn task(cx: &Invocation<'_>, asked: &PayloadInput) -> Result<(Task, Option<String>), Failure> {
    let PayloadInput { args, plan, .. } = asked;
    let tokens = plan.has_task.then_some(plan.caps.task_json);
    task::task(cx, args, tokens)
}

/// Whether a store says that it has nothing to tell here, which is no failure of a payload.
fn is_absent(error: &ToolError) -> bool {
    matches!(
        error.code,
        ErrorCode::Unavailable | ErrorCode::Busy | ErrorCode::AccessDenied
    )
}

/// What the store has: of an index all words of the question, else what is newest.
async fn found(
    cx: &CallContext,
    args: &ContextArgs,
    settings: &Settings,
    (mode, most): (memory::RecallMode, usize),
    task: &Task,
) -> Result<StoreMatches, ToolError> {
    let is_detail = mode == memory::RecallMode::Detail;
    let query = args.query.as_deref().map(str::trim);
    let words = query.filter(|query| !is_detail && ObservationFilter::of_query(query).is_ok());
    let mut request = RecallRequest {
        query: words.map(str::to_owned),
        filter: ObservationFilter {
            task_id: task.task_id.clone().filter(|_| !is_detail),
            ..ObservationFilter::default()
        },
        ids: args.ids.clone().unwrap_or_default(),
        limit: Some(most.min(500)),
        mode: Some(mode),
        ..RecallRequest::default()
    };
    let found = store::recall(cx, settings, &request).await?;
    if !found.records.is_empty() || request.query.take().is_none() {
        return Ok(found);
    }
    store::recall(cx, settings, &request).await
}

fn note_found(found: &StoreMatches, notes: &mut Vec<String>) {
    for (ids, what) in [
        (&found.unknown, "There is no observation"),
        (&found.forgotten, "Forgotten:"),
    ] {
        if !ids.is_empty() {
            let ids: Vec<String> = ids.iter().take(20).map(u64::to_string).collect();
            notes.push(format!("{what} {}.", ids.join(", ")));
        }
    }
    let more = found.total.count.saturating_sub(found.records.len() as u64);
    if more > 0 {
        notes.push(format!(
            "{more} more observations; `codecortex_recall` pages through them."
        ));
    }
    if found.mode != memory::RecallMode::Detail && !found.records.is_empty() {
        notes.push("For details give `ids`.".to_owned());
    }
}

/// The first of them that fit into so many tokens, as they are or in their shortest form.
fn within(mut items: Vec<ObservationItem>, tokens: u32, is_whole: bool) -> Vec<ObservationItem> {
    let mut spent = 0;
    let fits = items.iter().take_while(|item| {
        spent += match is_whole {
            true => cost(item),
            false => cost(&item.brief()),
        };
        spent <= tokens
    });
    let count = fits.count();
    items.truncate(count);
    items
}

fn cost(item: &ObservationItem) -> u32 {
    let json = serde_json::to_string(item).unwrap_or_default();
    tokens_approx(&json) + 1
}

/// `YYYY-MM-DD HH:mm:ss`, UTC (SPEC D25).
fn generated_at(now: u64) -> String {
    let time = rfc3339(now);
    time.get(..19).unwrap_or(&time).replace('T', " ")
}

/// Whether a question speaks of files that are no code, or is written in the language of one.
fn is_of_documents(query: &str) -> bool {
    const FILES: [&str; 17] = [
        "changelog",
        "contributing",
        "dockerfile",
        "docs",
        "documentation",
        "ini",
        "license",
        "makefile",
        "markdown",
        "md",
        "pyproject",
        "readme",
        "rst",
        "sql",
        "toml",
        "yaml",
        "yml",
    ];
    const VERBS: [&str; 6] = ["alter", "create", "delete", "drop", "insert", "select"];
    const OBJECTS: [&str; 5] = ["database", "from", "index", "into", "table"];
    let words = query.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_sql = words.iter().enumerate().any(|(at, verb)| {
        let is = |word: &str, of: &[&str]| of.contains(&word.to_lowercase().as_str());
        let mut behind = words[at + 1..].iter().take(4);
        is_upper(verb)
            && is(verb, &VERBS)
            && behind.any(|word| is_upper(word) && is(word, &OBJECTS))
    });
    is_sql
        || words
            .iter()
            .any(|word| FILES.contains(&word.to_lowercase().as_str()))
}

fn is_upper(word: &str) -> bool {
    word.chars().all(char::is_uppercase)
}

/// What the reader should know of the code.
fn map_notes(cx: &Invocation<'_>, answers: Option<&Answers>, query: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let Some(answers) = answers else {
        return notes;
    };
    if answers.is_overview() {
        notes.push("No question: the declarations that most of the others use.".to_owned());
    } else if !answers.is_confident() {
        notes.push("No confident match: the code that comes nearest.".to_owned());
    }
    let words = |words: &[String]| words[..words.len().min(MAX_WORDS)].join(", ");
    if !answers.matched().is_empty() {
        notes.push(format!("Matched: {}.", words(answers.matched())));
    }
    if !answers.unmatched().is_empty() {
        notes.push(format!(
            "In no declaration: {}.",
            words(answers.unmatched())
        ));
    }
    let is_of_code = answers.is_confident() && answers.unmatched().is_empty();
    if !answers.is_overview() && (!is_of_code || is_of_documents(query)) {
        notes.push(CODE_ALONE.to_owned());
    }
    if !cx.session.context.map.borrow().has_history() {
        notes.push("Without git history.".to_owned());
    }
    notes
}

impl Reply for RenderedPayload {
    fn levels(&self) -> &'static [&'static str] {
        if !self.has_levels() {
            return &["payload"];
        }
        use memory::RecallMode::{Detail, Index, Timeline};
        match self.forms.as_slice() {
            [Detail, Timeline, Index, ..] => &["detail", "detail→timeline", "timeline→index"],
            [Detail, Timeline, ..] => &["detail", "detail→timeline"],
            [Detail, Index, ..] => &["detail", "detail→index"],
            [Timeline, Index, ..] => &["timeline", "timeline→index"],
            _ => &["payload"],
        }
    }

    fn pieces(&self) -> usize {
        match self.answers {
            Some(_) => STEPS,
            None => self.observed.len(),
        }
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let selection = self.selection(PayloadForm::Json, self.size(PayloadForm::Json, pieces));
        let mut payload = self.payload.clone();
        payload.repo_map.items = self.map_items(&selection);
        payload.observations.items = self.items(level, pieces);
        let observed = payload.observations.items.len();
        let data = ContextData {
            window: None,
            payload: Some(payload),
            common,
        };
        let mut data = serde_json::to_value(data).unwrap_or_default();
        // Every field is there in every mode (`003` §4.1).
        let mut applied: Vec<Value> = self.forced.iter().cloned().map(Value::from).collect();
        if let Some(Value::Array(more)) = data["budget"].get("downgrade_applied") {
            applied.extend(more.iter().cloned());
        }
        let is_stepped = !applied.is_empty();
        let shortened = self.shortened(PayloadForm::Json, pieces, observed);
        // A step down says already that there is less of them.
        let shortened = shortened
            .into_iter()
            .filter(|step| !is_stepped || step != FEWER);
        applied.extend(shortened.map(Value::from));
        if !applied.is_empty() {
            data["budget"]["truncated"] = json!(true);
        }
        data["budget"]["downgrade_applied"] = json!(applied);
        // Sizes of the map are no entries.
        if self.answers.is_some() && data.get("omitted").is_some() {
            let fewer = self.observed.len() - observed + selection.left_out;
            data["omitted"]["count"] = json!(fewer);
        }
        data
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let mut out: String = self
            .items(level, pieces)
            .iter()
            .map(ObservationItem::text)
            .collect();
        out += &self
            .selection(PayloadForm::Text, self.size(PayloadForm::Text, pieces))
            .text;
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

    fn budget_tokens(&self) -> Option<u32> {
        Some(self.budget)
    }
}
