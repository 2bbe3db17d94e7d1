//! `codecortex_aliases`: what types were called before (SPEC A1, `000` §4.5).

use codecortex_answer::args::{check_range, parse};
use codecortex_answer::cursor::{DEFAULT_LIMIT, MAX_LIMIT, Paging, read_cursor};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_ledger::rfc3339;
use codecortex_protocol::{ErrorCode, Failure, Missing, Phase, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_artifacts::has_context;

/// Arguments of `codecortex_aliases`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AliasesArgs {
    /// Only entries from or to this id.
    id: Option<String>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// Results a page; 30 by default.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u64>,
}

/// Answer of `codecortex_aliases`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AliasesData {
    /// Exact number on all pages.
    total: u32,
    /// Entries, by old id.
    aliases: Vec<AliasData>,
    #[serde(flatten)]
    common: Common,
}

/// An id that a type had before.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AliasData {
    /// The id that is no more.
    old_type_id: String,
    /// The id that stands for it.
    new_type_id: String,
    /// The path of the type now.
    path: String,
    /// When that was seen.
    detected_at: String,
    /// `rename`, `namespaceMove` or `nesting`.
    reason: &'static str,
    /// The folder it was seen in.
    root_name: String,
}

struct AliasesReply {
    page: Vec<AliasData>,
    paging: Paging,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: AliasesArgs = parse(args)?;
    cx.look(|cx| aliases(cx, &args)).await
}

fn aliases(cx: &Invocation<'_>, args: &AliasesArgs) -> ToolResult {
    let limit = check_range("limit", args.limit.unwrap_or(DEFAULT_LIMIT), 1, MAX_LIMIT)?;
    let start = read_cursor(args.cursor.as_deref())?;
    need_contexts(cx)?;
    let mut all = Vec::new();
    for (root, folder) in cx.workspace.roots.iter().zip(&cx.session.contexts.folders) {
        let Some(ledger) = &folder.ledger else {
            continue;
        };
        for alias in ledger.aliases() {
            let ids = [&alias.old_type_id, &alias.new_type_id];
            let is_meant = |id: &String| ids.iter().any(|known| known.eq_ignore_ascii_case(id));
            if args.id.as_ref().is_none_or(is_meant) {
                let now = ledger.get(&alias.new_type_id);
                all.push(AliasData {
                    old_type_id: alias.old_type_id.clone(),
                    new_type_id: alias.new_type_id.clone(),
                    path: now.map_or_else(String::new, |now| now.identity.fqn),
                    detected_at: rfc3339(alias.detected_at),
                    reason: alias.reason.as_str(),
                    root_name: root.name.clone(),
                });
            }
        }
    }
    let paging = Paging {
        total: all.len(),
        start: start.min(all.len()),
        revision: cx.revision,
    };
    Ok(Box::new(AliasesReply {
        page: all.into_iter().skip(start).take(limit).collect(),
        paging,
    }))
}

/// Has the `.context/` of every root read that has one; without any, there is nothing to tell.
pub(crate) fn need_contexts(cx: &Invocation<'_>) -> Result<(), Failure> {
    let roots = 0..cx.session.contexts.folders.len() as u32;
    let mut found = false;
    for root in roots.filter(|root| has_context(cx.code, *root)) {
        found = true;
        let folder = &cx.session.contexts.folders[root as usize];
        if folder.ledger.is_none() && cx.phase() == Phase::Ready {
            return Err(Failure::Missing(Missing::Context(root)));
        }
    }
    match found {
        true => Ok(()),
        false => Err(ToolError::new(
            ErrorCode::Unavailable,
            "The workspace has no `.context/` folder, so nothing was remembered.",
        )
        .hint("Make one with `codecortex init` or the command `Keep a .context Folder`.")
        .into()),
    }
}

impl Reply for AliasesReply {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.page.len()
    }

    fn data(&self, _level: usize, pieces: usize, common: Common) -> Value {
        let data = AliasesData {
            total: self.paging.total as u32,
            aliases: self.page[..pieces].to_vec(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _level: usize, pieces: usize) -> String {
        let mut out = format!("// {} aliases\n", self.paging.total);
        for alias in &self.page[..pieces] {
            out.push_str(&format!(
                "{} -> {} {} // {} {}\n",
                alias.old_type_id, alias.new_type_id, alias.path, alias.reason, alias.detected_at
            ));
        }
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        self.paging.next_cursor(shown)
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

/// The row of `codecortex_aliases`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_aliases",
    reference_name: "aliases",
    title: "Aliases",
    description: "Show the former names of renamed, moved or nested types: old ids with their current ids.",
    icon: "$(arrow-swap)",
    profile: Profile::Full,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[("typeId", "id"), ("symbol", "id")],
    schema: schema_of::<AliasesArgs>,
    output: schema_of::<AliasesData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
