//! `codecortex_refactor`: edits that keep the meaning of code, planned first and applied by a second call (SPEC ED1, D39).

mod aftermath;
mod answer;
mod answer_parts;
mod args;
mod batch;
mod by_position;
mod checked;
mod current_texts;
mod declaration;
mod diff_page;
mod documents;
mod extract;
mod inline;
mod moving;
mod organise;
mod planned;
mod refactored_file;
mod refused;
mod rename;
mod resolved_change;
mod safe_delete;
mod signature;
mod structure;
mod subject;
mod text_change;
mod undo;

use codecortex_answer::args::parse;
use codecortex_protocol::{CallerKind, Failure, ToolError};
use serde_json::Value;

use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::tools::apply_edit::check_plan;
use crate::tools::needs::RequiredInput;
use crate::tools::refactor::answer::{RefactorData, Refactored};
use crate::tools::refactor::args::{RefactorAction, RefactorArgs};
use crate::tools::refactor::diff_page::DiffPage;
use crate::tools::refactor::planned::PlannedEdit;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

async fn handle(cx: CallContext, args: Value) -> Result<Refactored, ToolError> {
    let args: RefactorArgs = parse(args)?;
    if args.list == Some(true) {
        return history(&cx, &args).await;
    }
    let planned = match args.action {
        RefactorAction::Undo => undo::plan(&cx).await?,
        RefactorAction::Batch => batch::plan(&cx, &args).await?,
        _ => cx.look(|cx| plan_verb(cx, &args)).await?,
    };
    let Some(id) = &args.plan_id else {
        if cx.caller().kind == CallerKind::Editor {
            return Ok(Refactored::planned_for_editor(&planned));
        }
        let revision = cx.view(|cx| cx.code.revision()).await;
        return Refactored::planned(&planned, DiffPage::asked(&args, revision)?);
    };
    check_plan(id, &planned.id).map_err(|error| match planned.files_now() {
        Some(diff) => error.detail("diff", diff),
        None => error,
    })?;
    let edit = cx.apply(planned.edit.clone()).await?;
    Ok(Refactored::applied(&planned, &edit))
}

/// Plans an action that looks at the code alone.
fn plan_verb(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    match args.action {
        RefactorAction::Rename => rename::plan(cx, args),
        RefactorAction::SafeDelete => safe_delete::plan(cx, args),
        RefactorAction::ReplaceBody | RefactorAction::ReplaceSymbol | RefactorAction::Insert => {
            structure::plan(cx, args)
        }
        RefactorAction::ChangeSignature => signature::plan(cx, args),
        RefactorAction::Move => moving::plan(cx, args),
        RefactorAction::Inline => inline::plan(cx, args),
        RefactorAction::OrganiseImports => organise::plan(cx, args),
        RefactorAction::ExtractVariable | RefactorAction::ExtractMethod => extract::plan(cx, args),
        RefactorAction::Undo | RefactorAction::Batch => {
            Err(ToolError::invalid("The action is none of a step.").into())
        }
    }
}

/// The names of the tool's arguments.
fn argument_names() -> Vec<String> {
    let schema = TOOL.input_schema();
    let properties = schema["properties"].as_object();
    properties.map_or_else(Vec::new, |properties| properties.keys().cloned().collect())
}

/// Other names that callers use for arguments.
const ALIASES: &[(&str, &str)] = &[
    ("name", "symbol"),
    ("to", "newName"),
    ("path", "filePath"),
    ("text", "code"),
];

/// The edits that `undo` can take back.
async fn history(cx: &CallContext, args: &RefactorArgs) -> Result<Refactored, ToolError> {
    if args.action != RefactorAction::Undo {
        return Err(ToolError::invalid("`list` is an argument of `undo`."));
    }
    let edits = cx.applied_edits(false).await?;
    cx.view(|cx| Ok(Refactored::history(cx, &edits))).await
}

/// The row of `codecortex_refactor`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_refactor",
    reference_name: "refactor",
    title: "Refactor",
    description: "Rename, move, replace, insert, inline or delete a symbol, change a signature, extract code, organise imports, \
        by what names mean; several as one batch; undo an edit. Returns a plan with the diff and the places that stay; a second call with its `planId` applies it, all \
        files or none. What cannot be resolved for sure is refused with the place.",
    icon: "$(replace-all)",
    profile: Profile::Full,
    is_read_only: false,
    is_destructive: true,
    is_idempotent: false,
    needs_confirmation: true,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: ALIASES,
    schema: schema_of::<RefactorArgs>,
    output: schema_of::<RefactorData>,
    needs: &[
        RequiredInput::Projects,
        RequiredInput::External,
        RequiredInput::Text,
    ],
    handler: |cx, args| boxed(handle(cx, args)),
};
