//! `codecortex_forget`: has observations told to nobody any more (SPEC D26).

use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply};
use codecortex_memory::{RecallMode, RecallRequest, Sealed, from_unix};
use codecortex_protocol::{ErrorCode, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::artifacts::folders::check_keeps;
use crate::calls::{CallContext, boxed};
use crate::observations::store;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_observations::Settings;

/// The most that are forgotten at once; as many as one question may name.
const MAX: usize = 500;

/// Arguments of `codecortex_forget`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ForgetArgs {
    /// Ids of observations.
    ids: Vec<u64>,
    /// Also deletes them from the files, which cannot be undone.
    purge: Option<bool>,
}

/// Answer of `codecortex_forget`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ForgetData {
    /// The forgotten ids.
    forgotten: Vec<u64>,
    /// Whether they were deleted from the files.
    purged: bool,
    /// Id of the tombstone record.
    tombstone: u64,
    #[serde(flatten)]
    common: Common,
}

struct Forgotten {
    ids: Vec<u64>,
    purged: bool,
    tombstone: u64,
}

async fn handle(cx: CallContext, args: Value) -> Result<Forgotten, ToolError> {
    let args: ForgetArgs = parse(args)?;
    let settings = cx.look(|cx| {
        let settings = Settings::new(cx)?;
        settings.need_observations()?;
        check_keeps(cx.session, settings.root)?;
        Ok(settings)
    });
    let settings = settings.await?;
    let mut ids = args.ids;
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() || ids.len() > MAX {
        let message = format!("`ids` has {} entries.", ids.len());
        return Err(ToolError::invalid(message).hint(format!("Give 1 to {MAX} of them.")));
    }
    need_known(&cx, &settings, &ids).await?;
    let ts = from_unix(cx.session().code.clock().host() / 1000);
    let purged = args.purge == Some(true);
    let (recorded, _) = if purged {
        store::purge(&cx, &settings, &ids, &ts).await?
    } else {
        let tombstone = Sealed::tombstone(&ids, false, &ts);
        let tombstone = tombstone.map_err(|error| store::tool_error(&error))?;
        store::append(&cx, &settings, &[tombstone]).await?
    };
    Ok(Forgotten {
        ids,
        purged,
        tombstone: recorded.first().copied().unwrap_or_default(),
    })
}

/// Fails where an id was never given; nothing is forgotten then. What is forgotten already may be purged.
async fn need_known(cx: &CallContext, settings: &Settings, ids: &[u64]) -> Result<(), ToolError> {
    let request = RecallRequest {
        ids: ids.to_vec(),
        mode: Some(RecallMode::Detail),
        ..RecallRequest::default()
    };
    let found = store::recall(cx, settings, &request).await?;
    if found.unknown.is_empty() {
        return Ok(());
    }
    let unknown: Vec<String> = found.unknown.iter().map(u64::to_string).collect();
    let message = format!("No observation has the id {}.", unknown.join(", "));
    Err(ToolError::new(ErrorCode::NotFound, message).hint("`codecortex_recall` lists the ids."))
}

impl Reply for Forgotten {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.ids.len()
    }

    fn data(&self, _level: usize, pieces: usize, common: Common) -> Value {
        let data = ForgetData {
            forgotten: self.ids[..pieces].to_vec(),
            purged: self.purged,
            tombstone: self.tombstone,
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _level: usize, pieces: usize) -> String {
        let ids: Vec<String> = self.ids[..pieces].iter().map(u64::to_string).collect();
        let what = if self.purged { "Purged" } else { "Forgot" };
        format!("{what} {}\n", ids.join(", "))
    }

    fn next_cursor(&self, _shown: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

/// The row of `codecortex_forget`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_forget",
    reference_name: "cortexForget",
    title: "Forget",
    description: "Hide observations from all answers; with `purge`, also delete them from the files.",
    icon: "$(trash)",
    profile: Profile::Full,
    is_read_only: false,
    is_destructive: true,
    is_idempotent: true,
    needs_confirmation: true,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[("id", "ids")],
    schema: schema_of::<ForgetArgs>,
    output: schema_of::<ForgetData>,
    needs: &[],
    handler: |cx, args| boxed(handle(cx, args)),
};
