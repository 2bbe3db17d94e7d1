//! `codecortex lsp`: the index for an editor, by the Language Server Protocol over stdin and stdout (SPEC RPC1, UX1).
//!
//! One task reads messages and takes notifications in, in their order. Each request is a task of its own that sees the
//! documents as they were when it came.

mod calls;
mod documents;
mod lifecycle;
mod peer;
mod progress;
mod session;
mod workspace;

use std::time::{Duration, Instant};

use tokio::task::LocalSet;

use crate::args::LspArgs;
use crate::ends::{self, Ends};
use crate::failure::Failure;

/// The engine may have files to write when everything was answered: they are worth waiting for.
const FAREWELL: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &LspArgs) -> Result<i32, Failure> {
    let failed = |problem: &dyn std::fmt::Display| Failure::Session(problem.to_string());
    let session = session::EditorSession::new(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| failed(&error))?;
    let local = LocalSet::new();
    let (code, workspace) = local.block_on(&runtime, async {
        let ends = Ends::new();
        tokio::spawn(ends::follow_signals(ends.clone()));
        tokio::spawn(ends::follow_stdout(ends.clone()));
        peer::hold(tokio::io::stdin(), tokio::io::stdout(), session, &ends).await
    });
    drop(local);
    // A thread may still wait in a read of stdin; it is not waited for.
    runtime.shutdown_background();
    let has_stopped = workspace.is_none_or(|workspace| workspace.stop(Instant::now() + FAREWELL));
    if !has_stopped {
        tracing::info!("the engine was still at work at the end");
    }
    Ok(code)
}
