//! `codecortex serve`: the tools for programs, by JSON-RPC 2.0 over stdin and stdout or over a socket (SPEC RPC1).
//!
//! All peers share one index. A peer's requests are answered as they are ready; what it sent before it closed its end is
//! answered then.

mod listener;
mod notices;
mod peer;
mod requests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{Caller, CallerKind, State};
use codecortex_host::{Options, Service};
use tokio::sync::watch;

use crate::args::ServeArgs;
use crate::ends::{self, Ends};
use crate::failure::Failure;

/// The engine may have files to write when everything was answered: they are worth waiting for.
const FAREWELL: Duration = Duration::from_secs(10);

/// What the engine knows of who asks: both forms of an answer are wanted.
const CALLER: Caller = Caller {
    kind: CallerKind::Mcp,
    max_bytes: None,
    max_tokens: None,
    providers: false,
};

/// The index that all peers share.
struct Shared {
    service: Service,
    states: watch::Receiver<State>,
    /// Whether `codecortex_applyEdit` may edit.
    applies: bool,
}

pub(crate) fn run(args: &ServeArgs) -> Result<i32, Failure> {
    let session = |problem: &dyn std::fmt::Display| Failure::Session(problem.to_string());
    let options = Options {
        watch: true,
        model: args.model.address(),
        ..args.workspace.options_of_calls(&args.edits)?
    };
    let (sender, states) = watch::channel(codecortex_host::no_state());
    let tell = move |state: &State| {
        // Nobody listens any more when the process ends.
        let _ = sender.send(state.clone());
    };
    let service = Service::start(options, tell, || ()).map_err(|error| session(&error))?;
    let shared = Arc::new(Shared {
        service,
        states,
        applies: args.apply,
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| session(&error))?;
    let ended = runtime.block_on(async {
        let ends = Ends::new();
        tokio::spawn(ends::follow_signals(ends.clone()));
        match &args.pipe {
            Some(path) => listener::serve(path, &shared, &ends).await,
            None => {
                tokio::spawn(ends::follow_stdout(ends.clone()));
                peer::hold(tokio::io::stdin(), tokio::io::stdout(), &shared, &ends).await;
                Ok(())
            }
        }
    });
    // A thread may still wait in a read of stdin; it is not waited for.
    runtime.shutdown_background();
    let has_stopped =
        Arc::try_unwrap(shared).is_ok_and(|shared| shared.service.stop(Instant::now() + FAREWELL));
    if !has_stopped {
        tracing::info!("the engine was still at work at the end");
    }
    ended.map(|()| 0)
}
