//! Makes the prompt of a job: a call of the engine's own that waits for the texts it needs (SPEC SE1, I4).

use codecortex_grounding::{Gatherer, declarations};
use codecortex_protocol::{Failure, ToolError};
use codecortex_semantics::Prepared;
use serde_json::Value;

use crate::actions::Action;
use crate::calls::CallContext;
use crate::invocation::Invocation;

/// Makes the prompt of a job.
///
/// # Errors
/// None: why there is no prompt is what the job is told.
pub(crate) async fn run(cx: &CallContext, args: &Value) -> Result<(), ToolError> {
    let number = |name: &str| args[name].as_u64().and_then(|it| u32::try_from(it).ok());
    let (Some(root), Some(job)) = (number("root"), number("job")) else {
        return Ok(());
    };
    let prepared = cx.look(|cx| prepare(cx, root, job)).await;
    let prepared = prepared.map(Box::new).map_err(|error| error.message);
    cx.view(|cx| cx.enqueue(Action::Prepared { job, prepared }))
        .await;
    Ok(())
}

fn prepare(cx: &Invocation<'_>, root: u32, job: u32) -> Result<Prepared, Failure> {
    let gone = || ToolError::invalid("The job is not wanted any more.");
    let folder = cx.session.contexts.folders.get(root as usize);
    let folder = folder.ok_or_else(gone)?;
    let running = folder.semantic_jobs.running(job).ok_or_else(gone)?;
    let ledger = folder.ledger.as_ref().ok_or_else(gone)?;
    let id = running.group.as_ref().unwrap_or(&running.types[0]);
    let mut unit = ledger.unit(id).ok_or_else(gone)?;
    unit.classes.clone_from(&running.classes);
    let types = declarations(&cx.view, root, &unit)?;
    let rules = folder.config.switches().hash_rules();
    let gathered =
        Gatherer::new(&cx.view, root, Some(&folder.semantic_jobs), rules).gather(&unit, &types)?;
    Ok(Prepared::new(root, &unit, gathered))
}
