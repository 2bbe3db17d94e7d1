//! Calls a tool by its name, and makes an answer of what its handler gives (SPEC TC5).

use codecortex_analysis::generated::generated_to_read;
use codecortex_answer::args;
use codecortex_answer::budget::{Limit, fit};
use codecortex_answer::reply::{Freshness, JsonForm, Reply, TextForm};
use codecortex_protocol::{
    Answer, AnswerFormat, Caller, CallerKind, ErrorCode, Missing, ModelTool, Phase, ToolError,
    tokens_approx,
};
use serde_json::{Map, Value};

use crate::artifacts::folders::is_context_unread;
use crate::calls::CallContext;
use crate::calls::attempt::attempt;
use crate::calls::context::ToolCalls;
use crate::calls::executor::Answered;
use crate::invocation::Invocation;
use crate::semantics::{investigate, job_prompt, jobs, operations};
use crate::session::Session;
use crate::tools::table::arguments;
use crate::tools::tool::Tool;
use crate::tools::{TOOLS, find_tool, needs, several, tools_for, written_places};

/// What handlers may have other tools do.
pub(crate) const TOOL_CALLS: ToolCalls = ToolCalls {
    call: |cx, name, args| Box::pin(async move { call(cx, &name, &args).await }),
    describe: described,
    with_use: |wanted| tools_for(wanted).collect(),
};

/// Calls a tool by name with unchecked arguments. Whatever they are, there is an answer (SPEC TC5).
pub(crate) async fn call(cx: CallContext, name: &str, args: &Value) -> Answered {
    let caller = cx.caller();
    let settings = {
        let session = cx.session();
        let config = session.code.config();
        (config.format, config.tokenizer)
    };
    let read = match find_tool(name) {
        None => Err(unknown_tool(name)),
        Some(tool) => args::ToolArguments::read(&arguments(tool), args, settings, caller)
            .map(|request| (tool, request)),
    };
    let (tool, args::ToolArguments { wanted, rest }) = match read {
        Ok(read) => read,
        Err(error) => {
            let limit = args::limit_asked(args, settings.1, caller);
            return failed(error_answer(error, (settings.0, caller), limit));
        }
    };
    cx.set(wanted.limit, tool.sees_generated);
    let answer = match handled(&cx, tool, &rest).await {
        Ok(reply) => cx.view(|cx| answer(cx, &*reply, &wanted, caller)).await,
        Err(error) => {
            let error = with_unreadable_roots(error, &cx.session());
            error_answer(error, (wanted.format, caller), wanted.limit)
        }
    };
    Answered {
        answer,
        subject: cx.subject(),
    }
}

fn failed(answer: Answer) -> Answered {
    Answered {
        answer,
        subject: None,
    }
}

/// Runs the handler, which begins again where what may help was read meanwhile.
async fn handled(
    cx: &CallContext,
    tool: &'static Tool,
    args: &Map<String, Value>,
) -> Result<Box<dyn Reply>, ToolError> {
    loop {
        let handled = attempt(cx, || handle_once(cx.clone(), tool, args.clone())).await;
        let Err(error) = handled else {
            return handled;
        };
        let help = match cx.is_committed() {
            true => None,
            false => cx.view(|cx| what_may_help(&error, cx)).await,
        };
        match help {
            Some(missing) => cx.wait(vec![missing]).await,
            None => return Err(error),
        }
    }
}

/// What the row asks for in any case is here when the handler begins.
async fn handle_once(
    cx: CallContext,
    tool: &'static Tool,
    mut args: Map<String, Value>,
) -> Result<Box<dyn Reply>, ToolError> {
    loop {
        let missing = cx.view(|cx| needs::missing(cx, tool.needs, &args)).await;
        if missing.is_empty() {
            break;
        }
        cx.wait(missing).await;
    }
    written_places::look_up(&cx, tool, &mut args).await?;
    match (tool.handler)(cx.clone(), Value::Object(args)).await {
        Err(error) => Err(several::with_uses(&cx, error).await),
        handled => handled,
    }
}

/// Whether a name is that of a call which the engine makes itself.
pub(crate) fn is_own(name: &str) -> bool {
    [jobs::JOB, operations::INVESTIGATION].contains(&name)
}

/// A call of the engine's own: it looks like any other, and nobody hears of its answer.
pub(crate) async fn own_call(cx: CallContext, name: &str, args: &Value) -> Answered {
    let caller = cx.caller();
    let ended = match name {
        jobs::JOB => attempt(&cx, || job_prompt::run(&cx, args)).await,
        _ => attempt(&cx, || investigate::run(&cx, args)).await,
    };
    failed(match ended {
        Ok(()) => Answer {
            ok: true,
            json: None,
            text: None,
        },
        Err(error) => error_answer(error, (AnswerFormat::Json, caller), Limit::default()),
    })
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

/// What was not found may be in generated code, or be what something was called before: that is read, and asked again.
fn what_may_help(error: &ToolError, cx: &Invocation<'_>) -> Option<Missing> {
    if error.code != ErrorCode::SymbolNotFound {
        return None;
    }
    if let Some(need) = generated_to_read(cx) {
        return Some(need);
    }
    let roots = 0..cx.workspace.roots.len() as u32;
    let mut unread = roots.filter(|root| is_context_unread(cx.session, *root));
    let unread = unread.next().filter(|_| cx.phase() == Phase::Ready);
    unread.map(Missing::Context)
}

/// The answer to a call that failed after its handler has ended, or before.
pub(crate) fn failure_answer(
    session: &Session,
    (name, args, caller): (&str, &Value, Caller),
    error: ToolError,
) -> Answer {
    let settings = (
        session.code.config().format,
        session.code.config().tokenizer,
    );
    let request = find_tool(name)
        .map(|tool| args::ToolArguments::read(&arguments(tool), args, settings, caller));
    let (format, limit) = match request {
        Some(Ok(request)) => (request.wanted.format, request.wanted.limit),
        _ => (settings.0, Limit::of_door(caller, settings.1)),
    };
    error_answer(error, (format, caller), limit)
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
    let workspace = session.code.workspace();
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

fn answer(
    cx: &Invocation<'_>,
    reply: &dyn Reply,
    wanted: &args::AnswerOptions,
    caller: Caller,
) -> Answer {
    let own = reply.budget_tokens();
    let limit = Limit {
        tokens: own.into_iter().chain(wanted.limit.tokens).min(),
        ..wanted.limit
    };
    let format = format_at(wanted.format, caller);
    let freshness = freshness(cx, reply);
    let json = (format != AnswerFormat::Text).then(|| {
        let in_lines = caller.kind == CallerKind::Lm;
        let form = JsonForm::new(reply, freshness.clone(), &wanted.question, in_lines);
        fit(&form, limit)
    });
    let text = (format != AnswerFormat::Json).then(|| {
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
fn error_answer(
    error: ToolError,
    (format, caller): (AnswerFormat, Caller),
    limit: Limit,
) -> Answer {
    let format = format_at(format, caller);
    let fits_in = |most: Limit, error: &ToolError, is_accounted: bool| {
        (format == AnswerFormat::Text || most.allows(&envelope(error, limit, is_accounted)))
            && (format == AnswerFormat::Json || most.allows(&error.text()))
    };
    let fits = |error: &ToolError, is_accounted: bool| fits_in(limit, error, is_accounted);
    // What no number of tokens is enough for is said within the bytes at least.
    let in_bytes = Limit {
        tokens: None,
        ..limit
    };
    let is_transferable = |error: &ToolError| fits_in(in_bytes, error, true);
    let (shown, is_accounted) = match error.code {
        // How much would be enough is what a caller needs most.
        ErrorCode::BudgetExceeded => shortest(error, fits, is_transferable),
        _ => shrunk(&error, fits).unwrap_or_else(|| {
            let tokens = tokens_approx(&envelope(&error, limit, true));
            shortest(unsaid(tokens), fits, is_transferable)
        }),
    };
    Answer {
        ok: false,
        json: (format != AnswerFormat::Text).then(|| envelope(&shown, limit, is_accounted)),
        text: (format != AnswerFormat::Json).then(|| shown.text()),
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

/// A failure that is said whatever it costs: without its hint or its account where that helps. `is_transferable` says
/// whether the bytes are enough for it with its account.
fn shortest(
    mut error: ToolError,
    fits: impl Fn(&ToolError, bool) -> bool,
    is_transferable: impl Fn(&ToolError) -> bool,
) -> (ToolError, bool) {
    if !fits(&error, true) && !fits(&error, false) {
        error.hint = None;
    }
    // The account goes only where that helps.
    let is_accounted = fits(&error, true) || !fits(&error, false) && is_transferable(&error);
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
fn format_at(format: AnswerFormat, caller: Caller) -> AnswerFormat {
    if caller.kind == CallerKind::Mcp {
        AnswerFormat::Both
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
