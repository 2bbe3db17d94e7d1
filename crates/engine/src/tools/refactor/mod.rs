//! `codecortex_refactor`: edits that keep the meaning of code, planned first and applied by a second call (SPEC ED1, D39).

mod aftermath;
mod answer;
mod args;
mod by_position;
mod checked;
mod declaration;
mod extract;
mod inline;
mod moving;
mod planned;
mod refused;
mod rename;
mod safe_delete;
mod signature;
mod structure;
mod subject;
mod text_change;
mod undo;

use codecortex_answer::args::parse;
use codecortex_protocol::{CallerKind, ErrorCode, ToolError};
use serde_json::Value;

use crate::calls::{CallContext, boxed};
use crate::tools::needs::RequiredInput;
use crate::tools::refactor::answer::{RefactorData, Refactored};
use crate::tools::refactor::args::{RefactorAction, RefactorArgs};
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

async fn handle(cx: CallContext, args: Value) -> Result<Refactored, ToolError> {
    let args: RefactorArgs = parse(args)?;
    if args.list == Some(true) {
        return history(&cx, &args).await;
    }
    let planned = match args.action {
        RefactorAction::Rename => cx.look(|cx| rename::plan(cx, &args)).await?,
        RefactorAction::Undo => undo::plan(&cx).await?,
        RefactorAction::SafeDelete => cx.look(|cx| safe_delete::plan(cx, &args)).await?,
        RefactorAction::ReplaceBody | RefactorAction::ReplaceSymbol | RefactorAction::Insert => {
            cx.look(|cx| structure::plan(cx, &args)).await?
        }
        RefactorAction::ChangeSignature => cx.look(|cx| signature::plan(cx, &args)).await?,
        RefactorAction::Move => cx.look(|cx| moving::plan(cx, &args)).await?,
        RefactorAction::Inline => cx.look(|cx| inline::plan(cx, &args)).await?,
        RefactorAction::ExtractVariable | RefactorAction::ExtractMethod => {
            cx.look(|cx| extract::plan(cx, &args)).await?
        }
    };
    let Some(id) = &args.plan_id else {
        return Ok(match cx.caller().kind {
            CallerKind::Editor => Refactored::planned_for_editor(&planned),
            _ => Refactored::planned(&planned),
        });
    };
    if *id != planned.id {
        let error = ToolError::new(
            ErrorCode::VersionConflict,
            "The plan is another one now: the code or the arguments have changed. Nothing was changed.",
        );
        return Err(error
            .hint("Call without `planId`, show the new plan, then apply it.")
            .detail("planId", planned.id));
    }
    let edit = cx.apply(planned.edit.clone()).await?;
    Ok(Refactored::applied(&planned, &edit))
}

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
    description: "Rename, move, replace, insert, inline or delete a symbol, change a signature, extract code, by what names \
        mean; undo an edit. Returns a plan with the diff and the places that stay; a second call with its `planId` applies it, all \
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
    aliases: &[
        ("name", "symbol"),
        ("to", "newName"),
        ("path", "filePath"),
        ("text", "code"),
    ],
    schema: schema_of::<RefactorArgs>,
    output: schema_of::<RefactorData>,
    needs: &[
        RequiredInput::Projects,
        RequiredInput::External,
        RequiredInput::Text,
    ],
    handler: |cx, args| boxed(handle(cx, args)),
};
