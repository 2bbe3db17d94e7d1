//! The workspace of a session: an engine on a thread of its own, replaced when the editor has other folders.

use std::sync::Arc;
use std::time::Instant;

use codecortex_engine::protocol::{Event, Root, State};
use codecortex_host::{Options, Service};
use tokio::sync::watch;

/// An indexed workspace and what it is doing. The thread that has the last one waits for its engine to end.
#[derive(Clone)]
pub(super) struct Workspace {
    pub(super) service: Arc<Service>,
    pub(super) states: watch::Receiver<State>,
}

impl Workspace {
    /// Opens folders, and tells the documents that are open.
    pub(super) fn open(
        options: &Options,
        roots: Vec<Root>,
        documents: impl Iterator<Item = Event>,
    ) -> std::io::Result<Self> {
        let (sender, states) = watch::channel(codecortex_host::no_state());
        let options = Options {
            roots,
            ..options.clone()
        };
        let on_state = move |state: &State| {
            // Nobody may be interested at the moment.
            sender.send_replace(state.clone());
        };
        let service = Service::start(options, on_state, codecortex_host::allocator::give_back)?;
        documents.for_each(|event| service.tell(event));
        Ok(Self {
            service: Arc::new(service),
            states,
        })
    }

    /// Ends the engine. Whether it ended in time.
    pub(super) fn stop(self, deadline: Instant) -> bool {
        Arc::try_unwrap(self.service).is_ok_and(|service| service.stop(deadline))
    }

    /// Ends the engine on a thread of its own.
    pub(super) fn retire(self) {
        std::thread::spawn(move || drop(self));
    }
}
