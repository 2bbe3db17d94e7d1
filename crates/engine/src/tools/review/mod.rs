//! `codecortex_reviewChanges`: a change as review units, a plan, a bundle of context, and findings (SPEC RV1–RV3, D29).

mod dismissal;
mod input;
mod model;
mod reply;
mod reviewer;

use codecortex_answer::args::{entries, parse};
use codecortex_answer::cursor::read_cursor;
use codecortex_answer::reply::Common;
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_review::bundle::{BundleUnit, Downgrade, Missing};
use codecortex_review::check::{Dropped, check, known_name};
use codecortex_review::finding::{Finding, arrange};
use codecortex_review::index::{Metadata, PlannerUnit, Summary, UnitEntry};
use codecortex_review::level::{EvidenceLevel, EvidenceRequest};
use codecortex_review::prompt::Prompt;
use codecortex_review::unit::units;
use codecortex_review::{PipelineInput, ReviewedChange, review};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::artifacts::folders::is_context_unread;
use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::tools::needs::RequiredInput;
use crate::tools::review::dismissal::Dismissal;
use crate::tools::review::model::{JudgedReview, by_model};
use crate::tools::schema::{AnyObject, schema_of};
use crate::tools::tool::{Profile, Tool};

/// Arguments of `codecortex_reviewChanges`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReviewArgs {
    /// Local changes, without `base`.
    mode: Option<ModeArg>,
    /// Old commit or branch; without `head`, its merge base.
    base: Option<String>,
    /// New commit or branch.
    head: Option<String>,
    /// A unified diff instead.
    patch: Option<String>,
    /// The result; `bundle`, the diff with context, by default.
    step: Option<ReviewStep>,
    /// A plan, as step `plan` asks for it.
    #[schemars(with = "Option<AnyObject>")]
    plan: Option<Value>,
    /// Findings to check, as step `prompt` asks.
    #[schemars(with = "Option<AnyObject>")]
    findings: Option<Value>,
    /// Ids of findings to dismiss; only a person may.
    #[schemars(with = "Option<Vec<String>>", extend("x-profile" = "full"))]
    dismiss: Option<Value>,
    /// Ids of dismissed findings to restore; only a person may.
    #[schemars(with = "Option<Vec<String>>", extend("x-profile" = "full"))]
    restore: Option<Value>,
    /// Only the units with these ids.
    #[schemars(with = "Option<Vec<String>>", extend("x-profile" = "full"))]
    units: Option<Value>,
    /// Focus of the review.
    wish: Option<String>,
    /// Findings of other tools, as SARIF.
    #[schemars(extend("x-profile" = "full"))]
    sarif: Option<String>,
    /// Workspace folder.
    folder: Option<String>,
    /// `nextCursor` of a page.
    cursor: Option<String>,
}

// Every client pays for the schema of a default tool, so docs/review.md describes these values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum ModeArg {
    // What is in git's index.
    Staged,
    // What is not in it yet.
    Working,
    // Both.
    Uncommitted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum ReviewStep {
    // The units.
    Index,
    // The units as a planner needs them.
    Plan,
    // The diff with what it cannot be understood without.
    Bundle,
    // What is found without a model; with `findings`, these checked.
    Findings,
    // What a model is told to review it: the answer goes back as `findings`.
    Prompt,
    // The host's model plans and reviews it; its findings, checked.
    Review,
}

/// Answer of `codecortex_reviewChanges`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct ReviewFields {
    /// The reviewed change.
    #[serde(skip_serializing_if = "Option::is_none")]
    review_metadata: Option<Metadata>,
    /// Counts of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<Summary>,
    /// With `index`: the units, by file.
    #[serde(skip_serializing_if = "Option::is_none")]
    review_index: Option<Vec<UnitEntry>>,
    /// With `plan`: the units for a planner.
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<Vec<PlannerUnit>>,
    /// With `index`: the decision about each unit, with its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Vec<PlanEntry>>,
    /// With `bundle`: the units with their context, the riskiest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    bundle: Option<Vec<BundleUnit>>,
    /// With `bundle`: parts in a shorter form.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    downgrades: Vec<Downgrade>,
    /// With `bundle`: parts without room, and their cost.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<Missing>,
    /// With `findings`: the findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<Finding>>,
    /// With `findings`: findings that a person dismissed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dismissed: Vec<Finding>,
    /// With `findings`: rejected findings, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dropped: Vec<Dropped>,
    /// With `prompt`: the prompt for a reviewing model.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<Prompt>,
    /// Number of secrets removed from the prompt.
    #[serde(skip_serializing_if = "is_zero")]
    redacted: u32,
    /// With `plan`: the instructions for a planner.
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'static str>,
    /// Notes for the reader.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The same with what every answer has.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReviewData {
    #[serde(flatten)]
    fields: ReviewFields,
    #[serde(flatten)]
    common: Common,
}

/// What was decided of a unit (`004` §3).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PlanEntry {
    unit_id: String,
    rule_context_level: EvidenceLevel,
    rule_confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    llm_context_level: Option<EvidenceLevel>,
    final_context_level: EvidenceLevel,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extra_requests: Vec<EvidenceRequest>,
    skip_review: bool,
    reason: String,
}

async fn handle(cx: CallContext, args: Value) -> Result<reply::ReviewReply, ToolError> {
    let args: ReviewArgs = parse(args)?;
    let start = read_cursor(args.cursor.as_deref())?;
    let said = cx.look(|cx| Dismissal::read(cx, &args)).await?;
    let input = input::ReviewInput::read(&cx, &args).await?;
    let usual = match said.is_none() && args.findings.is_none() {
        true => ReviewStep::Bundle,
        false => ReviewStep::Findings,
    };
    let step = args.step.unwrap_or(usual);
    if matches!(step, ReviewStep::Findings | ReviewStep::Review) {
        cx.look(|cx| dismissed_before(cx, input.root)).await?;
    }
    let reviewed = reviewed(&cx, &args, &input).await?;
    let mut found = reviewed.found;
    found.findings.extend(reviewed.checked.findings);
    arrange(&mut found.findings);
    let dismissed = cx.view(|cx| said.apply(cx, input.root, &mut found.findings));
    let asked = reply::ReviewOptions {
        step,
        dismissed: dismissed.await?,
        wish: args.wish,
        dropped: reviewed.checked.dropped,
        start,
    };
    let replied = cx.view(|cx| reply::ReviewReply::new(cx, input.change, found, asked));
    Ok(replied.await)
}

/// Waits until it is known which findings people dismissed.
fn dismissed_before(cx: &Invocation<'_>, root: u32) -> Result<(), Failure> {
    match is_context_unread(cx.session, root) {
        true => Err(Failure::Missing(codecortex_protocol::Missing::Context(
            root,
        ))),
        false => Ok(()),
    }
}

/// Reviews it, without a model or with one.
async fn reviewed(
    cx: &CallContext,
    args: &ReviewArgs,
    input: &input::ReviewInput,
) -> Result<JudgedReview, ToolError> {
    let units = entries(args.units.as_ref()).iter();
    let units = units.filter_map(|unit| unit.as_str().map(str::to_owned));
    let units: Vec<String> = units.collect();
    let issues = cx.view(|cx| input.issues(cx, args.sarif.as_deref())).await;
    let asked = PipelineInput {
        rules: input.rules.as_deref(),
        plan: args.plan.as_ref(),
        issues: &issues,
        units: &units,
    };
    let of = (input.root, &*input.change);
    check_units(&input.change, &units)?;
    match args.step {
        Some(ReviewStep::Review) => by_model(cx, of, &asked, args.wish.as_deref()).await,
        _ => {
            let findings = args.findings.as_ref();
            cx.look(|cx| by_caller(cx, of, &asked, findings)).await
        }
    }
}

/// Refuses ids that no unit of a change has: what is shown would be nothing, as if there were nothing to show.
fn check_units(change: &ReviewedChange, asked: &[String]) -> Result<(), ToolError> {
    if asked.is_empty() {
        return Ok(());
    }
    let known = units(change);
    let is_known = |id: &&String| known.iter().any(|unit| unit.id == **id);
    match asked.iter().find(|id| !is_known(id)) {
        None => Ok(()),
        Some(id) => {
            let shown: String = id.chars().filter(|c| !c.is_control()).take(40).collect();
            Err(ToolError::new(
                ErrorCode::NotFound,
                format!("The change has no unit `{shown}`."),
            )
            .hint(
                "`step: \"index\"` (`codecortex review --index`) gives the units of this change.",
            ))
        }
    }
}

/// What is found without a model, and what stands of the findings that the caller hands in.
fn by_caller(
    cx: &Invocation<'_>,
    (root, change): (u32, &ReviewedChange),
    asked: &PipelineInput<'_>,
    findings: Option<&Value>,
) -> Result<JudgedReview, Failure> {
    let view = &cx.question.view;
    let found = review(view, root, change, asked)?;
    let known = |name: &str| known_name(view, root, name);
    let checked = findings.map(|written| check(written, change, &known));
    Ok(JudgedReview {
        found,
        checked: checked.unwrap_or_default(),
    })
}

/// The tool's row.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_reviewChanges",
    reference_name: "reviewChanges",
    title: "Review changes",
    description: "Review a change: its diff with the functions, callers, definitions and tests that explain it, and risks.",
    icon: "$(git-pull-request)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[
        ("from", "base"),
        ("to", "head"),
        ("diff", "patch"),
        ("query", "wish"),
    ],
    schema: schema_of::<ReviewArgs>,
    output: schema_of::<ReviewData>,
    needs: &[RequiredInput::Projects],
    handler: |cx, args| boxed(handle(cx, args)),
};
