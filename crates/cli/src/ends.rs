//! How a session ends: when the client closes a pipe, or somebody stops the process. What was read is answered first.

use tokio::sync::watch;

/// How far a session is at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    #[default]
    Running,
    /// Nothing more is read; what was read is answered.
    Ending,
    /// Nobody waits for answers any more.
    Over,
}

/// Tells the parts of a session that it ends. Clones are of the same session.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    stage: watch::Sender<Stage>,
}

impl Ends {
    pub(crate) fn new() -> Self {
        Self {
            stage: watch::Sender::new(Stage::Running),
        }
    }

    /// From now on nothing more is read.
    pub(crate) fn begin(&self) {
        self.raise(Stage::Ending);
    }

    /// From now on nobody waits for answers.
    pub(crate) fn finish(&self) {
        self.raise(Stage::Over);
    }

    fn raise(&self, to: Stage) {
        self.stage.send_if_modified(|stage| {
            let is_later = to > *stage;
            *stage = to.max(*stage);
            is_later
        });
    }

    /// Whether nothing more is to be read.
    pub(crate) fn has_begun(&self) -> bool {
        *self.stage.borrow() >= Stage::Ending
    }

    /// Waits until nothing more is to be read.
    pub(crate) async fn begun(&self) {
        self.reached(Stage::Ending).await;
    }

    /// Waits until nobody waits for answers any more.
    pub(crate) async fn finished(&self) {
        self.reached(Stage::Over).await;
    }

    async fn reached(&self, wanted: Stage) {
        // The sender is here, so it is not closed.
        let _ = self
            .stage
            .subscribe()
            .wait_for(|stage| *stage >= wanted)
            .await;
    }
}

/// Ends the session at the first signal to stop, and at the second without waiting for answers.
pub(crate) async fn follow_signals(ends: Ends) {
    let mut signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(error) => {
            tracing::warn!(%error, "signals to stop end the process at once");
            return;
        }
    };
    signals.next().await;
    tracing::info!("told to stop");
    ends.begin();
    signals.next().await;
    ends.finish();
}

/// What people and clients stop a process by: SIGTERM and SIGINT, on Windows Ctrl-C.
struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl Signals {
    #[cfg(unix)]
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    #[cfg(windows)]
    fn listen() -> std::io::Result<Self> {
        let interrupt = tokio::signal::windows::ctrl_c()?;
        Ok(Self { interrupt })
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(windows)]
    async fn next(&mut self) {
        self.interrupt.recv().await;
    }
}

/// Ends the session when the client closes its end of stdout, also where nothing is written to it. Where the system does
/// not tell, the next line that is written does.
#[cfg(unix)]
pub(crate) async fn follow_stdout(ends: Ends) {
    use std::os::fd::AsFd;
    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;

    // Nothing is read or written by it, so it may block. A file cannot be waited for, and has no reader to go away.
    let Ok(stdout) = std::io::stdout().as_fd().try_clone_to_owned() else {
        return;
    };
    #[allow(
        unsafe_code,
        reason = "the runtime cannot tell by a type that a descriptor stays open"
    )]
    // SAFETY: it is a descriptor of our own, which is moved into what watches it and closed with that.
    let watched = unsafe { AsyncFd::register_with_interest(stdout, Interest::WRITABLE) };
    let Ok(stdout) = watched else {
        return;
    };
    while let Ok(mut guard) = stdout.ready(Interest::WRITABLE).await {
        if guard.ready().is_write_closed() {
            tracing::info!("the client has closed stdout");
            ends.finish();
            return;
        }
        guard.clear_ready();
    }
}

/// The system does not tell; the next line that is written does.
#[cfg(not(unix))]
pub(crate) async fn follow_stdout(_: Ends) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_does_not_go_back() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.build().unwrap().block_on(async {
            let ends = Ends::new();
            let other = ends.clone();
            other.begin();
            ends.begun().await;
            other.finish();
            other.begin();
            ends.begun().await;
            ends.finished().await;
        });
    }
}
