//! Calls a tool by its name, and makes an answer of what its handler gives (SPEC TC5).

use codecortex_analysis::generated::generated_to_read;
use codecortex_answer::budget::{Limit, fit};
use codecortex_answer::cursor::Question;
use codecortex_answer::reply::{Freshness, JsonForm, Reply, TextForm, ToolResult};
use codecortex_answer::{Call, args};
use codecortex_protocol::{
    Answer, Caller, CallerKind, ErrorCode, Failure, Format, ModelTool, Need, Phase, ToolError,
    tokens_approx,
};
use serde_json::{Map, Value};

use crate::actions::Action;
use crate::artifacts::due::is_context_unread;
use crate::invocation::{Invocation, ToolCalls};
use crate::semantics::investigate::{self, Tools};
use crate::semantics::{job_prompt, jobs, operations};
use crate::session::Session;
use crate::tools::step::{Next, Step, StepResult};
use crate::tools::table::arguments;
use crate::tools::{TOOLS, find_tool, needs, written_places};

/// What became of a call.
pub(crate) enum CallOutcome {
    Answer(Answer),
    /// What is missing, all of it; without a rest the call begins when it is here.
    NeedsInput(Vec<Need>, Option<Box<Suspended>>),
}

/// A call between two stages of its handler.
pub(crate) struct Suspended {
    call: Call,
    wanted: args::Wanted,
    next: Next,
}

/// What came of a call.
pub(crate) struct Dispatched {
    pub(crate) called: CallOutcome,
    /// What the answer sets in motion.
    pub(crate) actions: Vec<Action>,
    /// The path of the symbol on whose account the answer goes.
    pub(crate) subject: Option<String>,
}

/// Calls a tool by name with unchecked arguments. Whatever they are, there is an answer (SPEC TC5).
pub(crate) fn call(
    session: &Session,
    id: u32,
    name: &str,
    args: &Value,
    caller: Caller,
) -> Dispatched {
    let (format, tokenizer) = (session.code.config.format, session.code.config.tokenizer);
    match name {
        jobs::JOB => return own(session, (id, caller), |cx| job_prompt::run(cx, args)),
        operations::INVESTIGATION => return investigation(session, (id, caller), args),
        _ => {}
    }
    let read = match find_tool(name) {
        None => Err(unknown_tool(name)),
        Some(tool) => args::Request::read(&arguments(tool), args, (format, tokenizer), caller)
            .map(|request| (tool, request)),
    };
    let (tool, args::Request { wanted, rest }) = match read {
        Ok(read) => read,
        Err(error) => {
            let limit = args::limit_asked(args, tokenizer, caller);
            return Dispatched {
                called: CallOutcome::Answer(error_answer(error, (format, caller), limit)),
                actions: Vec::new(),
                subject: None,
            };
        }
    };
    let call = Call::new(id, caller, wanted.limit, tool.sees_generated);
    let missing = needs::missing(
        &Invocation::new(session, &call, TOOL_CALLS),
        tool.needs,
        &rest,
    );
    if !missing.is_empty() {
        return waits(missing, None, Vec::new());
    }
    run(session, (call, wanted), caller, |cx| {
        written_places::begin(cx, tool, rest)
    })
}

/// Goes on with a call where it was when something was missing. The index must be as it was then: what the stages before
/// found out names files, declarations and definitions by their numbers.
pub(crate) fn resume(
    session: &Session,
    Suspended { call, wanted, next }: Suspended,
    caller: Caller,
) -> Dispatched {
    run(session, (call, wanted), caller, next)
}

/// Runs stages of a handler until one gives the answer, fails or lacks something.
fn run(
    session: &Session,
    (call, wanted): (Call, args::Wanted),
    caller: Caller,
    stages: impl FnOnce(&Invocation<'_>) -> StepResult,
) -> Dispatched {
    let cx = Invocation::new(session, &call, TOOL_CALLS);
    let step = stages(&cx);
    cx.note_uses();
    let answered = match step {
        Ok(Step::Done(reply)) => answer(&cx, &*reply, &wanted, caller),
        Ok(Step::Then(need, next)) => {
            let actions = cx.into_actions();
            let rest = Box::new(Suspended { call, wanted, next });
            return waits(vec![need], Some(rest), actions);
        }
        Err(error) => match what_may_help(&error, &cx) {
            Some(need) => return waits(vec![need], None, cx.into_actions()),
            None => {
                let error = with_unreadable_roots(error, session);
                error_answer(error, (wanted.format, caller), wanted.limit)
            }
        },
    };
    let actions = cx.into_actions();
    Dispatched {
        called: CallOutcome::Answer(answered),
        actions,
        subject: call.subject.into_inner(),
    }
}

fn waits(needs: Vec<Need>, rest: Option<Box<Suspended>>, actions: Vec<Action>) -> Dispatched {
    Dispatched {
        called: CallOutcome::NeedsInput(needs, rest),
        actions,
        subject: None,
    }
}

/// Whether a name is that of a call which the engine makes itself.
pub(crate) fn is_own(name: &str) -> bool {
    [jobs::JOB, operations::INVESTIGATION].contains(&name)
}

/// The next step of an investigation, which calls tools as anybody does.
fn investigation(session: &Session, own_call: (u32, Caller), args: &Value) -> Dispatched {
    let call_tool = |name: &str, args: Value| match call(session, 0, name, &args, own_call.1).called
    {
        CallOutcome::Answer(answer) => {
            let text = answer.text.or(answer.json).unwrap_or_default();
            Ok((text, answer.ok))
        }
        // It is the investigation that waits: one thing at a time, and it calls the tool again then.
        CallOutcome::NeedsInput(needs, _) => Err(match needs.into_iter().next() {
            Some(need) => Failure::NeedsInput(need),
            None => ToolError::new(ErrorCode::InternalError, "A call waits for nothing.").into(),
        }),
    };
    let tools = Tools {
        call: &call_tool,
        describe: described,
    };
    own(session, own_call, |cx| investigate::run(cx, args, &tools))
}

/// What handlers may have other tools do.
const TOOL_CALLS: ToolCalls = ToolCalls {
    call: called_for_model,
    describe: described,
};

/// What a tool answers to a model.
fn called_for_model(session: &Session, name: &str, args: Value) -> Result<String, Failure> {
    let caller = Caller {
        kind: CallerKind::Lm,
        ..Caller::default()
    };
    match call(session, 0, name, &args, caller).called {
        CallOutcome::Answer(answer) => Ok(answer.text.or(answer.json).unwrap_or_default()),
        // The caller waits, and it calls the tool again then.
        CallOutcome::NeedsInput(needs, _) => match needs.into_iter().next() {
            Some(need) => Err(Failure::NeedsInput(need)),
            None => Ok("The tool waits for nothing.".to_owned()),
        },
    }
}

/// What a model is told of some tools.
fn described(names: &[&str]) -> Vec<ModelTool> {
    let tools = names.iter().filter_map(|name| find_tool(name));
    let described = tools.map(|tool| ModelTool {
        name: tool.name.to_owned(),
        description: tool.description.to_owned(),
        input_schema: tool.input_schema(),
    });
    described.collect()
}

/// A call of the engine's own: it looks like any other, and nobody hears of it.
fn own(
    session: &Session,
    (id, caller): (u32, Caller),
    run: impl FnOnce(&Invocation<'_>) -> Result<Answer, Failure>,
) -> Dispatched {
    let call = Call::new(id, caller, Limit::default(), false);
    let cx = Invocation::new(session, &call, TOOL_CALLS);
    let called = match run(&cx) {
        Ok(answer) => CallOutcome::Answer(answer),
        // What it did so far is kept in its job or operation: beginning is going on.
        Err(Failure::NeedsInput(need)) => CallOutcome::NeedsInput(vec![need], None),
        Err(Failure::Error(error)) => CallOutcome::Answer(error_answer(
            error,
            (Format::Json, caller),
            Limit::default(),
        )),
    };
    Dispatched {
        called,
        actions: cx.into_actions(),
        subject: None,
    }
}

/// What was not found may be in generated code, or be what something was called before: that is read, and asked again.
fn what_may_help(error: &ToolError, cx: &Invocation<'_>) -> Option<Need> {
    if error.code != ErrorCode::SymbolNotFound {
        return None;
    }
    if let Some(need) = generated_to_read(cx) {
        return Some(need);
    }
    let roots = 0..cx.workspace.roots.len() as u32;
    let mut unread = roots.filter(|root| is_context_unread(cx.session, *root));
    let unread = unread.next().filter(|_| cx.phase() == Phase::Ready);
    unread.map(Need::Context)
}

/// The answer of a call that waited for something to be done.
pub(crate) fn finish_call(
    session: &Session,
    id: u32,
    (name, args, caller): (&str, &Value, Caller),
    handled: ToolResult,
) -> Answer {
    let settings = (session.code.config.format, session.code.config.tokenizer);
    let request =
        find_tool(name).map(|tool| args::Request::read(&arguments(tool), args, settings, caller));
    let wanted = match request {
        Some(Ok(request)) => request.wanted,
        // What was done is told all the same.
        _ => args::Wanted {
            limit: Limit::of_door(caller, settings.1),
            format: settings.0,
            question: Question::of(name, &Map::new()),
        },
    };
    let call = Call::new(id, caller, wanted.limit, false);
    let cx = Invocation::new(session, &call, TOOL_CALLS);
    match handled {
        Ok(reply) => answer(&cx, &*reply, &wanted, caller),
        Err(Failure::Error(error)) => error_answer(error, (wanted.format, caller), wanted.limit),
        Err(Failure::NeedsInput(_)) => {
            let error = ToolError::new(ErrorCode::InternalError, "The call waits twice.");
            error_answer(error, (wanted.format, caller), wanted.limit)
        }
    }
}

/// How fresh and complete the index is for this answer (SPEC X2).
fn freshness(cx: &Invocation<'_>, reply: &dyn Reply) -> Freshness {
    let phase = cx.phase();
    Freshness {
        revision: cx.revision,
        phase: (!matches!(phase, Phase::Ready | Phase::Empty)).then_some(phase),
        pending: cx.workspace.pending() as u32,
        unsaved: reply.is_unsaved(),
        unreadable_roots: unreadable_roots(cx.session),
    }
}

/// The names of the workspace folders that cannot be read now.
fn unreadable_roots(session: &Session) -> Vec<String> {
    let workspace = &session.code.workspace;
    let roots = workspace.unreadable_roots();
    let named = roots.filter_map(|root| workspace.roots.get(root as usize));
    named.map(|root| root.name.clone()).collect()
}

/// What fails may do so because a workspace folder is gone, so it is said as answers say it.
fn with_unreadable_roots(error: ToolError, session: &Session) -> ToolError {
    match unreadable_roots(session) {
        roots if roots.is_empty() => error,
        roots => error.detail("unreadableRoots", roots),
    }
}

fn answer(cx: &Invocation<'_>, reply: &dyn Reply, wanted: &args::Wanted, caller: Caller) -> Answer {
    let own = reply.budget_tokens();
    let limit = Limit {
        tokens: own.into_iter().chain(wanted.limit.tokens).min(),
        ..wanted.limit
    };
    let format = format_at(wanted.format, caller);
    let freshness = freshness(cx, reply);
    let json = (format != Format::Text).then(|| {
        let in_lines = caller.kind == CallerKind::Lm;
        let form = JsonForm::new(reply, freshness.clone(), &wanted.question, in_lines);
        fit(&form, limit)
    });
    let text = (format != Format::Json).then(|| {
        let form = TextForm {
            reply,
            freshness: freshness.clone(),
            question: &wanted.question,
        };
        fit(&form, limit)
    });
    match (json.transpose(), text.transpose()) {
        (Ok(json), Ok(text)) => Answer {
            ok: true,
            json,
            text,
        },
        (Err(error), _) | (_, Err(error)) => error_answer(error, (format, caller), limit),
    }
}

/// A failure within the budget: candidates go before the hint, the hint before the account, and the sentence last. Less
/// than 40 tokens are left then; where even these are too many, what would be enough is said all the same.
fn error_answer(error: ToolError, (format, caller): (Format, Caller), limit: Limit) -> Answer {
    let format = format_at(format, caller);
    let fits = |error: &ToolError, is_accounted: bool| {
        (format == Format::Text || limit.allows(&envelope(error, limit, is_accounted)))
            && (format == Format::Json || limit.allows(&error.text()))
    };
    let (shown, is_accounted) = match error.code {
        // How much would be enough is what a caller needs most.
        ErrorCode::BudgetExceeded => shortest(error, fits),
        _ => shrunk(&error, fits).unwrap_or_else(|| {
            let tokens = tokens_approx(&envelope(&error, limit, true));
            shortest(unsaid(tokens), fits)
        }),
    };
    Answer {
        ok: false,
        json: (format != Format::Text).then(|| envelope(&shown, limit, is_accounted)),
        text: (format != Format::Json).then(|| shown.text()),
    }
}

/// A failure that fits with the most that can be said of it, and whether its account fits too.
fn shrunk(error: &ToolError, fits: impl Fn(&ToolError, bool) -> bool) -> Option<(ToolError, bool)> {
    [true, false].into_iter().find_map(|is_accounted| {
        let mut error = error.clone();
        while !fits(&error, is_accounted) {
            if !error.shrink() {
                return None;
            }
        }
        Some((error, is_accounted))
    })
}

/// A failure that is said whatever it costs: without its hint or its account where that helps.
fn shortest(mut error: ToolError, fits: impl Fn(&ToolError, bool) -> bool) -> (ToolError, bool) {
    if !fits(&error, true) && !fits(&error, false) {
        error.hint = None;
    }
    // The account goes only where that helps.
    let is_accounted = fits(&error, true) || !fits(&error, false);
    (error, is_accounted)
}

/// What is said in place of a failure that costs too much.
fn unsaid(tokens: u32) -> ToolError {
    ToolError::new(
        ErrorCode::BudgetExceeded,
        format!("The call failed; saying how costs {tokens} tokens."),
    )
    .hint("Call again with at least that many in `maxTokens`.")
    .detail("minimumTokens", tokens)
}

/// The envelope of a failure, with what it costs as long as there is room for that.
fn envelope(error: &ToolError, limit: Limit, is_accounted: bool) -> String {
    match is_accounted {
        true => error.accounted_envelope(limit.in_tokens()),
        false => error.envelope().to_string(),
    }
}

/// MCP always carries both forms (SPEC TC8).
fn format_at(format: Format, caller: Caller) -> Format {
    if caller.kind == CallerKind::Mcp {
        Format::Both
    } else {
        format
    }
}

fn unknown_tool(name: &str) -> ToolError {
    let near = TOOLS
        .iter()
        .map(|tool| tool.name)
        .min_by_key(|known| strsim::levenshtein(known, name))
        .unwrap_or("");
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let shown: String = name.chars().take(80).collect();
    ToolError::new(
        ErrorCode::InvalidParams,
        format!("There is no tool `{shown}`."),
    )
    .hint(format!("Did you mean `{near}`?"))
    .detail("tools", names)
}
