//! Former names of a declaration, as notes have them (SPEC X7).

use codecortex_memory::{Anchor, RecallRequest};
use codecortex_observations::{leads_to, search_words};
use codecortex_protocol::ToolError;

use crate::calls::CallContext;
use crate::observations::store;
use codecortex_observations::Settings;

/// Observations of a name that are looked through for former names, the newest first.
const MAX_LOOKED_AT: usize = 500;

/// What notes call a declaration that is called so now: names of anchors that lead nowhere but to it.
///
/// # Errors
/// The store cannot be read.
pub(crate) async fn names_in_notes(
    cx: &CallContext,
    settings: &Settings,
    path: &str,
) -> Result<Vec<String>, ToolError> {
    let mut names: Vec<String> = Vec::new();
    if cx.session().code.memory().need_bodies().is_err() {
        return Ok(names);
    }
    // Anchors are among the texts that words are looked for in.
    for word in search_words(path) {
        let question = RecallRequest {
            query: Some(word.to_owned()),
            limit: Some(MAX_LOOKED_AT),
            ..RecallRequest::default()
        };
        let found = store::recall(cx, settings, &question).await?;
        let anchors = found.records.iter().flat_map(|record| &record.ext);
        let anchors: Vec<&Anchor> = anchors.flat_map(|ext| &ext.anchors).collect();
        cx.view(|cx| {
            for anchor in anchors {
                let is_known = anchor.symbol == path || names.contains(&anchor.symbol);
                if !is_known && leads_to(&cx.view, anchor, path) {
                    names.push(anchor.symbol.clone());
                }
            }
        })
        .await;
    }
    Ok(names)
}
