//! `codecortex mcp`: the tools for MCP clients, over stdin and stdout.
//!
//! The handshake is answered at once; the index is built on a thread of its own meanwhile. The
//! process ends when the client closes stdin or stdout, or stops it; what was read before is answered then, and what
//! the engine has to write is written.

mod agreement;
mod operations;
mod progress;
mod prompts;
mod resources;
pub(crate) mod roots;
mod sampling;
mod server;
mod session;
mod subscriptions;
mod tools;
mod wire;

use std::time::{Duration, Instant};

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use server::Server;

use crate::args::McpArgs;
use crate::ends::{self, Ends};
use crate::failure::Failure;

/// A client that does not read its last answers is waited for so long.
const LAST_READ: Duration = Duration::from_secs(2);
/// The engine may have files to write when everything was answered: they are worth waiting for.
const FAREWELL: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &McpArgs) -> Result<i32, Failure> {
    let server = Server::new(args)?;
    let session = |problem: &dyn std::fmt::Display| Failure::Session(problem.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| session(&error))?;
    let ended = runtime.block_on(async {
        let ends = Ends::new();
        tokio::spawn(ends::follow_signals(ends.clone()));
        tokio::spawn(ends::follow_stdout(ends.clone()));
        let (client, to_client) = stdio_pipes();
        let (wire, written) = wire::connect(client, to_client, &ends);
        let ended = tokio::select! {
            ended = hold(server.clone(), wire) => ended.map_err(|error| session(&error)),
            // Whatever is at work is at work for nobody.
            () = ends.finished() => Ok(()),
        };
        // The last answers are still on their way to the client.
        let _ = tokio::time::timeout(LAST_READ, written).await;
        ended
    });
    // A thread may still wait in a read of stdin; it is not waited for.
    runtime.shutdown_background();
    if !server.stop(Instant::now() + FAREWELL) {
        tracing::info!("the engine was still at work at the end");
    }
    ended.map(|()| 0)
}

/// Holds a session until the client ends it.
async fn hold(
    server: Server,
    wire: impl rmcp::transport::Transport<rmcp::RoleServer> + 'static,
) -> Result<(), Box<dyn std::error::Error>> {
    match server.serve(wire).await {
        Ok(running) => {
            running.waiting().await?;
            Ok(())
        }
        // The client went away before it said anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
