//! `codecortex mcp`: the tools for MCP clients, over stdin and stdout.
//!
//! The handshake is answered at once; the index is built on a thread of its own meanwhile. The
//! process ends when the client closes stdin.

mod operations;
mod progress;
mod prompts;
mod resources;
mod roots;
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
use crate::failure::Failure;

/// Nobody reads answers any more: what is still at work after this long is abandoned.
const FAREWELL: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &McpArgs) -> Result<i32, Failure> {
    let server = Server::new(args)?;
    let session = |problem: &dyn std::fmt::Display| Failure::Session(problem.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| session(&error))?;
    let ended = runtime.block_on(async {
        let (client, to_client) = stdio_pipes();
        let wire = wire::connect(client, to_client);
        let ended = match server.clone().serve((wire.input, wire.output)).await {
            Ok(running) => running
                .waiting()
                .await
                .map(drop)
                .map_err(|error| session(&error)),
            // The client went away before it said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(session(&error)),
        };
        // The last answers are still on their way to the client.
        let _ = tokio::time::timeout(FAREWELL, wire.written).await;
        ended
    });
    // A thread may still wait in a read of stdin; it is not waited for.
    runtime.shutdown_background();
    if !server.stop(Instant::now() + FAREWELL) {
        tracing::info!("the engine was still at work at the end");
    }
    ended.map(|()| 0)
}
