//! `codecortex_remember`: records an observation (SPEC OB1, X7, D16).

use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply};
use codecortex_memory::{
    Actor, Anchor, Ext, ObservationDraft, Phase, Redactor, Refs, Sealed, from_unix,
};
use codecortex_protocol::{Failure, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::artifacts::folders::check_keeps;
use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::observations::store;
use crate::tools::schema::{AnyObject, schema_of};
use crate::tools::tool::{Profile, Tool};
use codecortex_observations::Settings;
use codecortex_observations::anchor;

/// The most symbols of one observation.
const MAX_SYMBOLS: usize = 32;

/// Arguments of `codecortex_remember`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RememberArgs {
    /// The observation; its first line is the summary.
    text: String,
    /// Symbols that it concerns.
    symbols: Option<Vec<String>>,
    /// Task that it belongs to.
    task_id: Option<String>,
    /// Further fields: `actor`, `phase`, `type`, `files`, `commands`, `urls`.
    #[schemars(with = "Option<AnyObject>", extend("x-profile" = "full"))]
    more: Option<RareOptions>,
}

/// What few callers say.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RareOptions {
    actor: Option<String>,
    phase: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    files: Vec<String>,
    commands: Vec<String>,
    urls: Vec<String>,
}

/// Answer of `codecortex_remember`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RememberData {
    /// Its id.
    id: u64,
    /// Its line in an index.
    summary: String,
    /// Full paths of its symbols.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    symbols: Vec<String>,
    /// Number of secrets removed before recording.
    #[serde(skip_serializing_if = "is_zero")]
    redacted: u32,
    /// Problems that did not prevent the recording.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(flatten)]
    common: Common,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

struct Remembered {
    id: u64,
    summary: String,
    symbols: Vec<String>,
    redacted: u32,
    warnings: Vec<String>,
}

async fn handle(cx: CallContext, args: Value) -> Result<Remembered, ToolError> {
    let args: RememberArgs = parse(args)?;
    let (settings, anchors) = cx.look(|cx| about(cx, &args)).await?;
    let symbols = anchors.iter().map(|anchor| anchor.symbol.clone()).collect();
    let (branch, worktree) = store::place(&cx, &settings).await?;
    let ext = Ext {
        anchors,
        branch,
        worktree,
        ..Ext::default()
    };
    let sealed = cx.view(|cx| sealed(cx, args, ext)).await?;
    let summary = sealed.to_json()["summary"]
        .as_str()
        .unwrap_or("")
        .to_owned();
    let redacted = sealed.redacted();
    let (ids, warnings) = store::append(&cx, &settings, &[sealed]).await?;
    Ok(Remembered {
        id: ids.first().copied().unwrap_or_default(),
        summary,
        symbols,
        redacted,
        warnings,
    })
}

/// Where it is recorded, and the symbols that it is about.
fn about(cx: &Invocation<'_>, args: &RememberArgs) -> Result<(Settings, Vec<Anchor>), Failure> {
    let settings = Settings::new(cx)?;
    settings.need_observations()?;
    check_keeps(cx.session, settings.root)?;
    let named = args.symbols.as_deref().unwrap_or_default();
    if named.len() > MAX_SYMBOLS {
        let message = format!("`symbols` has more than {MAX_SYMBOLS} entries.");
        return Err(ToolError::invalid(message).into());
    }
    let anchors: Result<Vec<_>, ToolError> =
        named.iter().map(|name| anchor(&cx.view, name)).collect();
    Ok((settings, anchors?))
}

/// The observation as it may be recorded: within its limits, without secrets.
fn sealed(cx: &Invocation<'_>, args: RememberArgs, ext: Ext) -> Result<Sealed, ToolError> {
    let redactor = Redactor::default();
    let more = args.more.unwrap_or_default();
    let mut draft =
        ObservationDraft::of_text(from_unix(cx.clock().host() / 1000), &args.text, &redactor);
    draft.task_id = args.task_id;
    draft.actor = more.actor.map_or(Actor::Implementers, Actor::from);
    draft.phase = more.phase.map_or(Phase::Unphased, Phase::from);
    draft.refs = Refs {
        files: more.files,
        commands: more.commands,
        urls: more.urls,
        unknown: Map::new(),
    };
    draft.ext = Ext {
        kind: more.kind,
        redacted: draft.ext.redacted,
        ..ext
    };
    draft
        .seal(&redactor)
        .map_err(|error| store::tool_error(&error))
}

impl Reply for Remembered {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.symbols.len()
    }

    fn data(&self, _level: usize, pieces: usize, common: Common) -> Value {
        let data = RememberData {
            id: self.id,
            summary: self.summary.clone(),
            symbols: self.symbols[..pieces].to_vec(),
            redacted: self.redacted,
            warnings: self.warnings.clone(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _level: usize, pieces: usize) -> String {
        let mut out = format!("Recorded #{}: {}\n", self.id, self.summary);
        if pieces > 0 {
            out += &format!("// about {}\n", self.symbols[..pieces].join(", "));
        }
        if self.redacted > 0 {
            out += &format!("// {} secrets were taken out\n", self.redacted);
        }
        for warning in &self.warnings {
            out += &format!("// {warning}\n");
        }
        out
    }

    fn next_cursor(&self, _shown: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

/// The row of `codecortex_remember`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_remember",
    reference_name: "cortexRemember",
    title: "Remember",
    description: "Record a finding or decision for later sessions.",
    icon: "$(note)",
    profile: Profile::Default,
    is_read_only: false,
    is_destructive: false,
    is_idempotent: false,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[
        ("summary", "text"),
        ("note", "text"),
        ("observation", "text"),
        ("task_id", "taskId"),
    ],
    schema: schema_of::<RememberArgs>,
    output: schema_of::<RememberData>,
    needs: &[],
    handler: |cx, args| boxed(handle(cx, args)),
};
