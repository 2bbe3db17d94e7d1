//! `codecortex_investigate` and `codecortex_op`: questions about the system as operations (SPEC IN1).

use codecortex_answer::args::{check_text, parse};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_protocol::paths::places;
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_semantics::{
    OpState, Operation, SCHEMA_VERSION, clean_text, conclusion_of, is_op_id, read_conclusion,
};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::actions::Action;
use crate::artifacts::folders::check_keeps;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::semantics::investigate::task;
use crate::tool_use::ToolUse;
use crate::tools::boxed::reply;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_grounding::{finish, is_current, kept_conversation, kept_operation, scope_in_file};
use codecortex_semantics::Investigation;

/// Arguments of `codecortex_investigate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvestigateArgs {
    /// The question, such as "How are large batches processed?".
    question: String,
    /// Files and folders of the question, as `rootName/relative/path`; everything by default.
    #[serde(default)]
    scope_paths: Vec<String>,
    /// Investigates again even if a valid conclusion exists.
    again: Option<bool>,
    /// Leaves the conclusion to the caller, even if a model is available.
    by_hand: Option<bool>,
}

/// Arguments of `codecortex_op`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpArgs {
    /// The id that `codecortex_investigate` returned.
    op_id: String,
    /// The conclusion to check and store: `{conclusion, evidence, open}`, evidence as `{path, startLine, endLine,
    /// quote, why}` or `path:line`.
    #[schemars(with = "Option<ConclusionArg>")]
    conclusion: Option<Value>,
    /// Cancels the operation.
    cancel: Option<bool>,
}

/// A conclusion, as an object or as its text.
#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "the schema alone is used")]
enum ConclusionArg {
    Object(serde_json::Map<String, Value>),
    Text(String),
}

/// Answer of both.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpData {
    /// The operation, as in `.context/ops/<opId>.json`.
    operation: Operation,
    /// Whether the stored conclusion is still valid.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_cached: bool,
    /// Whether the code has changed since the conclusion.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_outdated: bool,
    /// If no model works on it: a prompt to answer with the other tools; submit the conclusion with
    /// `codecortex_op`.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
    #[serde(flatten)]
    common: Common,
}

/// The JSON Schema of `ops/<opId>.json`, draft 7.
#[must_use]
pub fn operation_schema() -> Value {
    let settings = SchemaSettings::draft07()
        .with(|settings| settings.inline_subschemas = true)
        .for_serialize();
    let generator = settings.into_generator();
    let mut schema = generator.into_root_schema_for::<Operation>().to_value();
    schema["title"] = json!("op.v1");
    schema["properties"]["schemaVersion"]["const"] = json!(SCHEMA_VERSION);
    schema
}

struct InvestigationReply {
    operation: Operation,
    is_cached: bool,
    is_outdated: bool,
    prompt: Option<String>,
}

async fn investigate(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: InvestigateArgs = parse(args)?;
    cx.look(|cx| investigated(cx, &args)).await
}

fn investigated(cx: &Invocation<'_>, args: &InvestigateArgs) -> ToolResult {
    check_text("question", &args.question)?;
    cx.memory().need_bodies()?;
    let root = root_of(cx, &args.scope_paths)?;
    // The id follows from the question as it is kept.
    let mut question = args.question.clone();
    let redacted = clean_text(&mut question);
    let scope = scope_in_file(&cx.view, root, args.scope_paths.clone());
    let mut operation = Operation::new(&question, scope);
    operation.redacted = redacted;
    if let Some(known) = known(cx, root, &operation.op_id)? {
        let is_open = matches!(known.state, OpState::Running);
        if is_open
            || known.state == OpState::Done
                && args.again != Some(true)
                && is_current(&cx.view, &known)
        {
            return reply(InvestigationReply {
                is_cached: !is_open,
                is_outdated: false,
                operation: known,
                prompt: None,
            });
        }
        // What was concluded stays until there is another conclusion.
        (operation.result, operation.read) = (known.result, known.read);
    }
    check_keeps(cx.session, root)?;
    let has_model = cx.session.model_name().is_some() && args.by_hand != Some(true);
    if has_model && args.again != Some(true) {
        // What a process began that ended goes on where it was.
        let said = kept_conversation(&cx.view, root, &operation.op_id)?;
        let begun = kept_operation(&cx.view, root, &operation.op_id)?;
        if let (Some(begun), Some(said)) = (begun, said)
            && begun.state == OpState::Running
        {
            let op = Investigation::restored(root, begun, Some(&said));
            let operation = op.operation.clone();
            cx.enqueue(Action::KeepOp(Box::new(op)));
            return reply(InvestigationReply {
                operation,
                is_cached: false,
                is_outdated: false,
                prompt: None,
            });
        }
    }
    let prompt = match has_model {
        true => None,
        false => Some(prompt(&operation)),
    };
    operation.state = match has_model {
        true => OpState::Running,
        false => OpState::Waiting,
    };
    let op = Investigation::new(root, operation.clone());
    cx.enqueue(Action::KeepOp(Box::new(op)));
    reply(InvestigationReply {
        is_cached: false,
        is_outdated: operation.result.is_some(),
        operation,
        prompt,
    })
}

async fn op(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: OpArgs = parse(args)?;
    cx.look(|cx| operation(cx, &args)).await
}

fn operation(cx: &Invocation<'_>, args: &OpArgs) -> ToolResult {
    if !is_op_id(&args.op_id) {
        let error = ToolError::invalid("`opId` is not the id of an operation.");
        return Err(error.hint("`codecortex_investigate` gives one.").into());
    }
    let (root, operation) = find(cx, &args.op_id)?;
    let mut op = match cx.session.semantics.ops.get(&args.op_id) {
        Some(running) => running.clone(),
        None => Investigation::new(root, operation),
    };
    if let Some(conclusion) = &args.conclusion {
        check_keeps(cx.session, root)?;
        let conclusion = match conclusion {
            Value::String(text) => read_conclusion(text),
            object => conclusion_of(object),
        };
        let conclusion = conclusion.map_err(|why| {
            ToolError::invalid(why).hint(
                "Give {\"conclusion\": \"…\", \"evidence\": [\"root/file:12\"], \"open\": []}.",
            )
        })?;
        finish(&cx.view, &mut op, conclusion)?;
        op.operation.clean();
        cx.enqueue(Action::KeepOp(Box::new(op.clone())));
    } else if args.cancel == Some(true) && op.operation.state != OpState::Done {
        check_keeps(cx.session, root)?;
        op.operation.state = OpState::Cancelled;
        cx.enqueue(Action::KeepOp(Box::new(op.clone())));
    }
    let has_result = op.operation.result.is_some();
    let is_done = op.operation.state == OpState::Done;
    let prompt = match op.operation.state {
        OpState::Waiting => Some(prompt(&op.operation)),
        _ => None,
    };
    reply(InvestigationReply {
        is_cached: false,
        is_outdated: has_result && !(is_done && is_current(&cx.view, &op.operation)),
        operation: op.operation,
        prompt,
    })
}

fn prompt(operation: &Operation) -> String {
    format!(
        "{}Start with codecortex_getContext and the question as query, read further code with the other tools, then call codecortex_op with opId {} and \
         {{\"conclusion\": \"…\", \"evidence\": [{{\"path\", \"startLine\", \"endLine\", \"quote\", \"why\"}}], \"open\": [\"…\"]}}. \
         Quotes are checked against the text.\n",
        task(operation),
        operation.op_id
    )
}

/// The root of the first path, which has to be somewhere.
fn root_of(cx: &Invocation<'_>, paths: &[String]) -> Result<u32, Failure> {
    let mut first = None;
    for path in paths {
        let found = places(path, &cx.workspace.roots)?;
        let place = found.first().ok_or_else(|| {
            ToolError::new(
                ErrorCode::NotFound,
                format!("`{path}` is in no folder of the workspace."),
            )
        })?;
        first.get_or_insert(place.root);
    }
    match (first, cx.workspace.roots.is_empty()) {
        (Some(root), _) => Ok(root),
        (None, false) => Ok(0),
        (None, true) => Err(ToolError::new(ErrorCode::Unavailable, "No folder is open.").into()),
    }
}

/// An operation of this session, or that a root keeps. What was at work when its process ended waits for somebody, or is
/// taken up again.
fn known(cx: &Invocation<'_>, root: u32, id: &str) -> Result<Option<Operation>, Failure> {
    if let Some(known) = cx.session.semantics.ops.get(id) {
        return Ok(Some(known.operation.clone()));
    }
    let known = kept_operation(&cx.view, root, id)?;
    let is_taken_up = cx.session.semantics.resumed.contains(id);
    Ok(known.map(|mut known| {
        if known.state == OpState::Running && !is_taken_up {
            known.state = OpState::Waiting;
        }
        known
    }))
}

fn find(cx: &Invocation<'_>, id: &str) -> Result<(u32, Operation), Failure> {
    for root in 0..cx.workspace.roots.len() as u32 {
        if let Some(found) = known(cx, root, id)? {
            return Ok((root, found));
        }
    }
    let error = ToolError::new(
        ErrorCode::NotFound,
        format!("There is no operation `{id}`."),
    );
    Err(error.hint("`codecortex_investigate` begins one.").into())
}

impl Reply for InvestigationReply {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "steps:none", "prompt:none"]
    }

    fn pieces(&self) -> usize {
        0
    }

    fn data(&self, level: usize, _: usize, common: Common) -> Value {
        let mut operation = self.operation.clone();
        if level > 0 {
            operation.steps.clear();
        }
        let data = OpData {
            operation,
            is_cached: self.is_cached,
            is_outdated: self.is_outdated,
            prompt: self.prompt.clone().filter(|_| level < 2),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, _: usize) -> String {
        let op = &self.operation;
        let mut out = format!("// {} {}: {}\n", op.op_id, op.state.as_str(), op.question);
        for step in op.steps.iter().filter(|_| level == 0) {
            out.push_str(&format!("// {} {}\n", step.tool, step.args));
        }
        if let Some(result) = &op.result {
            out.push_str(&format!("{}\n", result.conclusion));
            for evidence in &result.evidence {
                let mark = if evidence.verified {
                    ""
                } else {
                    " (unverified)"
                };
                out.push_str(&format!(
                    "- {}:{}-{}{mark} {}\n",
                    evidence.path, evidence.start_line, evidence.end_line, evidence.why
                ));
            }
            for open in &result.open {
                out.push_str(&format!("? {open}\n"));
            }
        }
        if op.redacted > 0 {
            out.push_str(&format!("// {} secrets were taken out\n", op.redacted));
        }
        if let Some(error) = &op.error {
            out.push_str(&format!("// {error}\n"));
        }
        if let Some(prompt) = self.prompt.as_ref().filter(|_| level < 2) {
            out.push_str(prompt);
        }
        out
    }

    fn next_cursor(&self, _: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

/// The row of `codecortex_investigate`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_investigate",
    reference_name: "investigate",
    title: "Investigate",
    description: "Start an investigation of a question about the system, or return its conclusion if it is known and \
        still valid. With a model it runs by itself: codecortex_op returns its progress. Without a model the answer \
        has a prompt: answer it and submit your conclusion with codecortex_op.",
    icon: "$(search-fuzzy)",
    profile: Profile::Full,
    is_read_only: false,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[ToolUse::BeginOperation],
    aliases: &[("query", "question"), ("scope", "scopePaths")],
    schema: schema_of::<InvestigateArgs>,
    output: schema_of::<OpData>,
    needs: &[],
    handler: |cx, args| boxed_reply(investigate(cx, args)),
};

/// The row of `codecortex_op`.
pub(crate) const OP_TOOL: Tool = Tool {
    name: "codecortex_op",
    reference_name: "op",
    title: "Operation",
    description: "Return the progress and result of an investigation, submit your conclusion, whose evidence is \
        checked against the text, or cancel the investigation.",
    icon: "$(pulse)",
    profile: Profile::Full,
    is_read_only: false,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[ToolUse::WatchOperation],
    aliases: &[("id", "opId")],
    schema: schema_of::<OpArgs>,
    output: schema_of::<OpData>,
    needs: &[],
    handler: |cx, args| boxed_reply(op(cx, args)),
};
