//! `codecortex_getSemantic`: what a type is for, and where nobody has said so yet the prompt that asks (SPEC SE1, X12).

use codecortex_analysis::place::ResolvedSymbol;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_ledger::TextState;
use codecortex_protocol::{ModelMode, ToolError, tokens_approx};
use codecortex_semantics::{TextSections, Ticket};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::actions::Action;
use crate::artifacts::folders::check_keeps;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tool_use::ToolUse;
use crate::tools::boxed::reply;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_grounding::SemanticUnit;
use codecortex_semantics::Prepared;

/// Arguments of `codecortex_getSemantic`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetSemanticArgs {
    /// A type's name, path, id or `file:line`; a member selects its type.
    symbol: String,
    /// Whether to return the prompt: `needed` (default) if the text is stale or missing, `always` or `never`.
    prompt: Option<PromptWanted>,
}

/// When the prompt is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum PromptWanted {
    #[default]
    Needed,
    Always,
    Never,
}

/// Answer of `codecortex_getSemantic`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetSemanticData {
    /// The resolved symbol.
    resolved: ResolvedSymbol,
    /// State of the text: `none`, `pending`, `generating`, `cached` (matches the code) or `stale` (matches earlier
    /// code).
    semantic_state: &'static str,
    /// The type's group, if types that depend on each other share a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    group_id: Option<String>,
    /// The types of the group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    type_ids: Vec<String>,
    /// Sections of the text, as data from its author.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<SectionData>,
    /// Why the text is missing or stale, and the next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Error of the last attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_error: Option<String>,
    /// Classes of change since the text was made, the gravest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    classes: Vec<String>,
    /// Prompt to answer with `codecortex_submitSemantic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
    /// Cost of the prompt, as characters / 4, even if the prompt has no room in this answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_tokens: Option<u32>,
    /// Ticket for `codecortex_submitSemantic`; valid after restarts and in other processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticket: Option<String>,
    #[serde(flatten)]
    common: Common,
}

/// One section of a text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct SectionData {
    /// `ROLE`, `LIFECYCLE`, `EDGE_CASES`, `LIMITATIONS` or `RECOMMENDATIONS`.
    name: &'static str,
    /// What it says.
    text: String,
}

struct SemanticReply {
    resolved: ResolvedSymbol,
    state: TextState,
    group: Option<String>,
    types: Vec<String>,
    sections: Vec<SectionData>,
    why: Option<String>,
    last_error: Option<String>,
    classes: Vec<String>,
    prompt: Option<(String, String)>,
    is_unsaved: bool,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: GetSemanticArgs = parse(args)?;
    cx.look(|cx| text_of_symbol(cx, &args)).await
}

fn text_of_symbol(cx: &Invocation<'_>, args: &GetSemanticArgs) -> ToolResult {
    let found = cx.find_symbol(&args.symbol)?;
    let symbol = found.symbols[0];
    let mut unit = SemanticUnit::resolve(&cx.view, cx.session, symbol, &args.symbol)?;
    let gathered = unit.gather(&cx.view, cx.session)?;
    let ticket = Ticket::new(unit.view.id(), &unit.view.types).to_string();
    let is_lost =
        gathered.is_absent && matches!(unit.view.state, TextState::Cached | TextState::Stale);
    if is_lost {
        // Whoever deleted the file did so behind the ledger's back.
        unit.view.state = TextState::None;
        unit.view.classes.clear();
        if check_keeps(cx.session, unit.root).is_ok() {
            cx.enqueue(Action::TextLost {
                root: unit.root,
                id: unit.view.types[0].id.clone(),
            });
        }
    }
    let state = unit.view.state;
    let is_needed = !matches!(state, TextState::Cached) || gathered.text.is_empty();
    let (last_error, _) = unit.last_error(&cx.view);
    let said = gathered.text.said().into_iter();
    let sections = said.map(|(section, text)| SectionData {
        name: TextSections::as_str(section),
        text,
    });
    let sections: Vec<SectionData> = sections.collect();
    let is_unsaved = gathered.is_unsaved;
    let prepared = Prepared::new(unit.root, &unit.view, gathered);
    let is_wanted = match args.prompt.unwrap_or_default() {
        PromptWanted::Needed => is_needed,
        PromptWanted::Always => true,
        PromptWanted::Never => false,
    };
    request_in_automatic_mode(cx, &unit);
    let gone = || ToolError::invalid("The symbol has no place in the index.");
    let types = unit.view.types.iter().map(|of| of.id.clone());
    reply(SemanticReply {
        resolved: resolved_symbol(&cx.view, symbol).ok_or_else(gone)?,
        why: is_needed.then(|| why(cx, state, sections.is_empty())),
        state,
        types: match unit.view.group {
            Some(_) => types.collect(),
            None => Vec::new(),
        },
        group: unit.view.group.clone(),
        sections,
        last_error,
        classes: unit
            .view
            .classes
            .iter()
            .map(|class| class.as_str().to_owned())
            .collect(),
        prompt: is_wanted.then_some((prepared.prompt.text, ticket)),
        is_unsaved,
    })
}

/// In automatic mode, what is asked for and not there or out of date is made (SPEC SE3).
fn request_in_automatic_mode(cx: &Invocation<'_>, unit: &SemanticUnit) {
    let folder = cx.session.contexts.folders.get(unit.root as usize);
    let is_automatic = folder.is_some_and(|folder| {
        folder.ledger.is_some() && folder.config.model.mode == ModelMode::Automatic
    });
    let is_open = matches!(unit.view.state, TextState::None | TextState::Stale);
    let is_kept = check_keeps(cx.session, unit.root).is_ok();
    if is_automatic && is_open && is_kept && cx.session.model_name().is_some() {
        cx.enqueue(Action::Want {
            root: unit.root,
            types: vec![unit.view.types[0].id.clone()],
            is_wanted: true,
        });
    }
}

fn why(cx: &Invocation<'_>, state: TextState, is_missing: bool) -> String {
    let what = match (state, is_missing) {
        (TextState::Generating, _) => "A model is at it.",
        (TextState::Pending, _) => "It waits for a model.",
        (_, true) => "Nobody has described it yet.",
        (_, false) => "The code has changed since it was described.",
    };
    let next = match cx.session.model_name() {
        Some(_) => {
            "Answer `prompt` yourself, or call `codecortex_describe` to have the model do it."
        }
        None => "No model is available: answer `prompt` and call `codecortex_submitSemantic`.",
    };
    format!("{what} {next}")
}

impl Reply for SemanticReply {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "prompt:none", "text:none"]
    }

    fn pieces(&self) -> usize {
        0
    }

    fn data(&self, level: usize, _: usize, common: Common) -> Value {
        let prompt = self.prompt.as_ref();
        let data = GetSemanticData {
            resolved: self.resolved.clone(),
            semantic_state: self.state.as_str(),
            group_id: self.group.clone(),
            type_ids: self.types.clone(),
            sections: match level {
                2 => Vec::new(),
                _ => self.sections.clone(),
            },
            why: self.why.clone(),
            last_error: self.last_error.clone(),
            classes: self.classes.clone(),
            prompt: prompt
                .filter(|_| level == 0)
                .map(|(prompt, _)| prompt.clone()),
            prompt_tokens: prompt.map(|(prompt, _)| tokens_approx(prompt)),
            ticket: prompt.map(|(_, ticket)| ticket.clone()),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, _: usize) -> String {
        let mut out = format!("// {} {}\n", self.resolved.path, self.state.as_str());
        for section in self.sections.iter().filter(|_| level < 2) {
            out.push_str(&format!("{}:\n{}\n\n", section.name, section.text));
        }
        for line in self.why.iter().chain(&self.last_error) {
            out.push_str(&format!("// {line}\n"));
        }
        if let Some((prompt, ticket)) = &self.prompt {
            out.push_str(&format!(
                "// ticket {ticket}, prompt of {} tokens\n",
                tokens_approx(prompt)
            ));
            if level == 0 {
                out.push_str(prompt);
            }
        }
        out
    }

    fn next_cursor(&self, _: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.is_unsaved
    }
}

/// The row of `codecortex_getSemantic`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_getSemantic",
    reference_name: "semantic",
    title: "Purpose of a type",
    description: "Return the purpose of a type: its role, life cycle, edge cases, limitations and recommendations, and \
        whether they still match the code. If the text is missing or stale, the answer has a prompt and a ticket: \
        answer the prompt and store the answer for all users with codecortex_submitSemantic.",
    icon: "$(book)",
    profile: Profile::Full,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[ToolUse::Investigation],
    aliases: &[("type", "symbol"), ("name", "symbol"), ("typeId", "symbol")],
    schema: schema_of::<GetSemanticArgs>,
    output: schema_of::<GetSemanticData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
