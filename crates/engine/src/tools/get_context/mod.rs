//! `codecortex_getContext`: the prompt window, or the payload for a question (SPEC PW1, PW2, CP1, X8, D16).

mod payload;
pub(crate) mod payload_schema;
mod plan;
mod task;

use std::borrow::Cow;
use std::collections::BTreeMap;

use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply};
use codecortex_context::payload::{Payload, PayloadMode, SubagentType};
use codecortex_context::window::candidate::WindowSource;
use codecortex_context::window::settings::window_grant;
use codecortex_context::window::{Window, build_window};
use codecortex_index::FileId;
use codecortex_protocol::{Failure, Located, Missing, ToolError, characters, tokens_approx};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::actions::Action;
use crate::artifacts::folders::is_context_unread;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tool_use::ToolUse;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_context::window::on_disk::expire_focus;

/// Symbols whose cost a list names.
const MAX_SYMBOLS: usize = 8;

/// Arguments of `codecortex_getContext`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContextArgs {
    /// The task or question in words.
    query: Option<String>,
    /// The file you work in; related code ranks higher.
    focus: Option<String>,
    mode: Option<PayloadMode>,
    /// Observations to return in full.
    ids: Option<Vec<u64>>,
    /// The task whose observations are returned.
    task_id: Option<String>,
    /// A JSON file that describes the task.
    #[schemars(extend("x-profile" = "full"))]
    task_json_path: Option<String>,
    /// Limits the payload: `progress`, `summary`, `task`, `codebase` or folders.
    #[schemars(extend("x-profile" = "full"))]
    scope: Option<Vec<String>>,
    #[schemars(extend("x-profile" = "full"))]
    subagent_type: Option<SubagentType>,
    /// Budget profile: `small`, `default`, `large`, or one of `.context/config.json`.
    #[schemars(extend("x-profile" = "full"))]
    profile: Option<String>,
    /// The reading model's name; selects a budget rule.
    #[schemars(extend("x-profile" = "full"))]
    model: Option<String>,
    /// Gives for each declaration of the payload what speaks for it.
    #[schemars(extend("x-profile" = "full"))]
    why: Option<bool>,
    /// Returns the pieces of the window without their texts.
    #[schemars(extend("x-profile" = "full"))]
    list: Option<bool>,
}

/// Answer of `codecortex_getContext`: the window, or with `query`, `focus` or `mode` the payload.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ContextData {
    #[serde(flatten)]
    window: Option<WindowData>,
    #[serde(flatten)]
    payload: Option<Payload>,
    #[serde(flatten)]
    common: Common,
}

/// The prompt window.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WindowData {
    /// Token limit of the window.
    budget_tokens: u32,
    /// Tokens of the window.
    used_tokens: u32,
    /// Tokens by `pinned`, `focus` and `recent`.
    by_source: BTreeMap<&'static str, u32>,
    /// Pieces of the window, in order.
    pieces: Vec<PieceData>,
    /// Pieces without room, the most important first; at most fifty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cut: Vec<CutData>,
    /// Number of pieces without room.
    #[serde(skip_serializing_if = "is_zero")]
    cut_total: u32,
    /// Pieces in a shorter form.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    downgrades: Vec<String>,
    /// Notices for a person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    /// Cost of answers since the start.
    spent: SpentData,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A piece of the window.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PieceData {
    /// `pinned`, `focus` or `recent`.
    tier: &'static str,
    /// Its path.
    symbol: String,
    /// Its id, or `file:` and a path.
    id: String,
    /// The workspace folder that it is in, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// Why it is in.
    reason: String,
    /// What of it is said: `source`, `outline`, `names` …
    form: &'static str,
    /// Tokens that it takes.
    tokens: u32,
    /// Tokens that it would take as a pin, with all there is to say.
    pin_tokens: u32,
    /// What it weighs; absent for a pin, which weighs more than all.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// Minutes since somebody put it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    age_minutes: Option<u32>,
    /// What is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// What has no room.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CutData {
    /// `pinned`, `focus` or `recent`.
    tier: &'static str,
    /// Its path.
    symbol: String,
    /// Its id.
    id: String,
    /// The workspace folder that it is in, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// Why it has none.
    reason: &'static str,
    /// Tokens that it would take.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<u32>,
}

/// What answers have cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SpentData {
    /// Tokens of all answers.
    tokens: u64,
    /// Tokens of the answer before this one.
    last: u32,
    /// Tokens by tool.
    by_tool: BTreeMap<String, u64>,
    /// In a list: the symbols about which most was said, the dearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_symbol: Vec<SymbolSpend>,
}

/// What answers about a symbol have cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SymbolSpend {
    /// Its path.
    symbol: String,
    calls: u32,
    tokens: u64,
}

struct Context {
    window: Window,
    pieces: Vec<PieceData>,
    cut: Vec<CutData>,
    spent: SpentData,
    is_list: bool,
    unsaved: bool,
}

impl ContextArgs {
    /// Whether something is asked that the window does not tell.
    fn wants_payload(&self) -> bool {
        let texts = [
            &self.query,
            &self.focus,
            &self.task_id,
            &self.task_json_path,
        ];
        texts.into_iter().any(Option::is_some)
            || self.mode.is_some()
            || self.ids.is_some()
            || self.scope.is_some()
    }
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: ContextArgs = parse(args)?;
    cx.look(wait_for_folders).await?;
    Ok(match args.wants_payload() {
        true => Box::new(payload::handle(&cx, args).await?),
        false => Box::new(cx.look(|cx| window(cx, &args)).await?),
    })
}

/// The prompt window.
fn window(cx: &Invocation<'_>, args: &ContextArgs) -> Result<Context, Failure> {
    expire_focus(&cx.session.sources());
    let is_list = args.list == Some(true);
    let mut granted = window_grant(&cx.session.sources(), None, args.profile.as_deref())?;
    let limit = cx.call.limit;
    // Around the texts stands what they are; a list has nothing else.
    let most = [limit.tokens, limit.bytes.map(|bytes| bytes / 4)];
    if let Some(most) = most.into_iter().flatten().min().filter(|_| !is_list) {
        granted.budget_tokens = granted.budget_tokens.min(most - most / 4);
    }
    let window = build_window(&cx.session.sources(), None, &granted);
    need_lines(cx, &window.missing)?;
    cx.enqueue(Action::WantWindow);
    Ok(Context::new(cx, window, is_list))
}

/// Makes sure that the lines of the window's pieces are here.
pub(crate) fn need_lines(cx: &Invocation<'_>, missing: &[FileId]) -> Result<(), Failure> {
    let missing = missing.iter().filter_map(|file| cx.located_file(*file));
    let missing: Vec<Located> = missing.collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Failure::Missing(Missing::Texts(missing))),
    }
}

/// What is pinned and in focus is known when every `.context/` was read.
pub(crate) fn wait_for_folders(cx: &Invocation<'_>) -> Result<(), Failure> {
    let roots = 0..cx.workspace.roots.len() as u32;
    match roots
        .into_iter()
        .find(|root| is_context_unread(cx.session, *root))
    {
        Some(root) => Err(Failure::Missing(Missing::Context(root))),
        None => Ok(()),
    }
}

impl Context {
    fn new(cx: &Invocation<'_>, window: Window, is_list: bool) -> Self {
        let now = cx.clock().host();
        let minutes = |since: u64| {
            let is_known = since > 0 && now >= since;
            is_known.then(|| ((now - since) / 60_000) as u32)
        };
        let roots = &cx.workspace.roots;
        let folder = |root: u32| {
            let root = roots.get(root as usize).filter(|_| roots.len() > 1);
            root.map(|root| root.name.clone())
        };
        let pieces = window.pieces.iter().map(|piece| PieceData {
            tier: piece.tier.as_str(),
            symbol: piece.entry.path.clone(),
            id: piece.entry.id.clone(),
            folder: folder(piece.root),
            reason: piece.reason.to_string(),
            form: piece.form,
            tokens: tokens_approx(&piece.text),
            pin_tokens: piece.pin_tokens,
            score: piece
                .score
                .is_finite()
                .then(|| (piece.score * 1000.0).round() / 1000.0),
            age_minutes: minutes(piece.entry.since),
            text: None,
        });
        let cut = window.cut.iter().map(|cut| CutData {
            tier: cut.tier.as_str(),
            symbol: cut.entry.path.clone(),
            id: cut.entry.id.clone(),
            folder: folder(cut.root),
            reason: cut.reason,
            tokens: cut.tokens,
        });
        let by_tool = cx.session.telemetry.usage.by_tool.iter();
        let dearest = cx
            .session
            .telemetry
            .usage
            .dearest(if is_list { MAX_SYMBOLS } else { 0 });
        let unsaved = window
            .pieces
            .iter()
            .any(|piece| piece.files.iter().any(|file| cx.is_unsaved(*file)));
        Self {
            pieces: pieces.collect(),
            cut: cut.collect(),
            spent: SpentData {
                tokens: cx.session.telemetry.usage.total(),
                last: cx.session.telemetry.usage.last,
                by_tool: by_tool
                    .map(|(tool, of)| (tool.clone(), of.tokens))
                    .collect(),
                by_symbol: dearest
                    .into_iter()
                    .map(|(symbol, of)| SymbolSpend {
                        symbol: symbol.to_owned(),
                        calls: of.calls,
                        tokens: of.tokens,
                    })
                    .collect(),
            },
            window,
            is_list,
            unsaved,
        }
    }
}

/// What the text form calls a piece: with its folder, where there are several.
fn in_folder<'s>(symbol: &'s str, folder: Option<&str>) -> Cow<'s, str> {
    match folder {
        Some(folder) => format!("{symbol} ({folder})").into(),
        None => symbol.into(),
    }
}

impl Reply for Context {
    fn levels(&self) -> &'static [&'static str] {
        &["window", "window→no cut list"]
    }

    fn pieces(&self) -> usize {
        self.pieces.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let mut shown = self.pieces[..pieces].to_vec();
        if !self.is_list {
            for (piece, known) in shown.iter_mut().zip(&self.window.pieces) {
                piece.text = Some(known.text.clone());
            }
        }
        let mut by_source: BTreeMap<&'static str, u32> = WindowSource::ALL
            .iter()
            .map(|tier| (tier.as_str(), 0))
            .collect();
        for tier in WindowSource::ALL {
            let own = self.window.pieces[..pieces]
                .iter()
                .filter(|piece| piece.tier == tier);
            let letters: usize = own.map(|piece| characters(&piece.text)).sum();
            by_source.insert(tier.as_str(), letters.div_ceil(4) as u32);
        }
        let window = WindowData {
            budget_tokens: self.window.budget_tokens,
            used_tokens: tokens_approx(&self.window.text(pieces)),
            by_source,
            pieces: shown,
            cut: if level == 0 {
                self.cut.clone()
            } else {
                Vec::new()
            },
            cut_total: self.window.cut_total as u32,
            downgrades: if level == 0 {
                self.window.downgrades.clone()
            } else {
                Vec::new()
            },
            notices: self.window.notices.clone(),
            spent: self.spent.clone(),
        };
        let data = ContextData {
            window: Some(window),
            payload: None,
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let mut out = match self.is_list {
            false => self.window.text(pieces),
            true => self.pieces[..pieces]
                .iter()
                .map(|piece| {
                    let PieceData {
                        tier,
                        reason,
                        form,
                        tokens,
                        ..
                    } = piece;
                    let name = in_folder(&piece.symbol, piece.folder.as_deref());
                    format!("{tier} {name}: {form}, {tokens} tokens, {reason}\n")
                })
                .collect(),
        };
        let used = tokens_approx(&self.window.text(pieces));
        out += &format!("// window {used}/{} tokens\n", self.window.budget_tokens);
        for notice in &self.window.notices {
            out += &format!("// {notice}\n");
        }
        if self.window.cut_total > 0 {
            out += &format!("// {} without room\n", self.window.cut_total);
        }
        for cut in self.cut.iter().filter(|_| level == 0 && self.is_list) {
            let tokens = cut
                .tokens
                .map_or_else(String::new, |tokens| format!(", {tokens} tokens"));
            let name = in_folder(&cut.symbol, cut.folder.as_deref());
            out += &format!("// cut {} {name}: {}{tokens}\n", cut.tier, cut.reason);
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

/// The row of `codecortex_getContext`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_getContext",
    reference_name: "cortexWindow",
    title: "Context",
    description: "Find the code for a task: `query` in words returns the functions and classes that \
        the task will touch, with code and lines. Without `query`: pinned, focused and recently used code.",
    icon: "$(layers)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[ToolUse::Window],
    aliases: &[
        ("question", "query"),
        ("task", "query"),
        ("focusFile", "focus"),
        ("task_id", "taskId"),
        ("subagent_type", "subagentType"),
    ],
    schema: schema_of::<ContextArgs>,
    output: schema_of::<ContextData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
