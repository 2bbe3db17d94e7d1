//! `codecortex_submitSemantic`: takes in what somebody wrote about a type (SPEC X12).

use codecortex_answer::args::{check_text, parse};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_ledger::TextState;
use codecortex_protocol::{ErrorCode, ToolError};
use codecortex_semantics::{Accepted, Ticket};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::actions::Action;
use crate::artifacts::folders::check_keeps;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::boxed::reply;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_grounding::SemanticUnit;
use codecortex_semantics::Prepared;

/// Arguments of `codecortex_submitSemantic`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubmitSemanticArgs {
    /// The ticket of the prompt.
    ticket: String,
    /// The answer to the prompt: sections as `ROLE:` and text, or `NO SEMANTIC CHANGE`.
    text: String,
}

/// Answer of `codecortex_submitSemantic`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubmitSemanticData {
    /// The type or group of the text.
    id: String,
    /// State of the text: `cached`, or `stale` if the code changed after the prompt.
    semantic_state: &'static str,
    /// Whether the answer confirmed the present text.
    is_unchanged: bool,
    /// The file of the text, relative to the root.
    file: String,
    /// Number of secrets removed before writing.
    #[serde(skip_serializing_if = "is_zero")]
    redacted: u32,
    #[serde(flatten)]
    common: Common,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

struct Submitted {
    id: String,
    redacted: u32,
    state: TextState,
    is_unchanged: bool,
    file: String,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: SubmitSemanticArgs = parse(args)?;
    cx.look(|cx| submitted(cx, &args)).await
}

fn submitted(cx: &Invocation<'_>, args: &SubmitSemanticArgs) -> ToolResult {
    check_text("ticket", &args.ticket)?;
    let ticket = Ticket::parse(&args.ticket).ok_or_else(|| {
        ToolError::invalid("`ticket` is none that a prompt came with.")
            .hint("Call `codecortex_getSemantic` and give its `ticket` as it is.")
    })?;
    let mut unit = SemanticUnit::of_id(&cx.view, cx.session, &ticket.id)?;
    check_keeps(cx.session, unit.root)?;
    let seen = ticket.seen(&unit.view.types);
    let keeps_members = seen == unit.view.types;
    if !keeps_members && unit.view.state == TextState::Cached {
        let error = ToolError::new(
            ErrorCode::VersionConflict,
            "The text that is there is true of the code as it is; `ticket` is of other code.",
        );
        return Err(error
            .hint("Nothing was changed. Call `codecortex_getSemantic` with `prompt: always` for a ticket of now.")
            .into());
    }
    if !keeps_members {
        // The head says what the text is of.
        unit.view.types.clone_from(&seen);
        unit.view.implementations.iter_mut().for_each(String::clear);
    }
    let prepared = Prepared::new(unit.root, &unit.view, unit.gather(&cx.view, cx.session)?);
    let taken = prepared.take(&args.text, keeps_members).map_err(|problem| {
        ToolError::invalid(format!("The text is not taken: {problem}."))
            .hint("Nothing was changed. Answer the prompt again; each section begins with its name and a colon.")
    })?;
    let (id, file) = (unit.view.id().to_owned(), unit.view.path());
    let is_behind = seen
        .iter()
        .zip(&unit.view.types)
        .any(|(then, _)| then.hashes[0].is_empty());
    cx.enqueue(Action::AcceptText {
        root: unit.root,
        accepted: Accepted {
            id: id.clone(),
            seen,
            files: taken.files,
        },
    });
    reply(Submitted {
        id,
        state: match keeps_members && !is_behind {
            true => TextState::Cached,
            false => TextState::Stale,
        },
        is_unchanged: taken.is_unchanged,
        redacted: taken.redacted,
        file: format!(".context/{file}"),
    })
}

impl Reply for Submitted {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        0
    }

    fn data(&self, _: usize, _: usize, common: Common) -> Value {
        let data = SubmitSemanticData {
            id: self.id.clone(),
            semantic_state: self.state.as_str(),
            is_unchanged: self.is_unchanged,
            file: self.file.clone(),
            redacted: self.redacted,
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _: usize, _: usize) -> String {
        let how = match self.is_unchanged {
            true => "holds as it was",
            false => "taken",
        };
        let mut out = format!(
            "// {} {how}: {}, {}\n",
            self.id,
            self.state.as_str(),
            self.file
        );
        if self.redacted > 0 {
            out += &format!("// {} secrets were taken out\n", self.redacted);
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

/// The row of `codecortex_submitSemantic`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_submitSemantic",
    reference_name: "submitSemantic",
    title: "Submit a type's purpose",
    description: "Store your answer to a prompt of codecortex_getSemantic with its ticket. Sections that you omit stay \
        unchanged; `NO SEMANTIC CHANGE` confirms the present text.",
    icon: "$(check)",
    profile: Profile::Full,
    is_read_only: false,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[("answer", "text")],
    schema: schema_of::<SubmitSemanticArgs>,
    output: schema_of::<SubmitSemanticData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
