//! Work that ends when nobody waits for it any more: what is wanted, and connections that are closed then, so that a
//! server notices and stops working.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ureq::Error;
use ureq::unversioned::transport::time::Duration as Wait;
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, NextTimeout, Transport};

/// How often a wait looks whether it is still wanted.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// Says whether somebody still waits.
#[derive(Clone)]
pub(crate) struct StillNeeded(Arc<dyn Fn() -> bool + Send + Sync>);

impl StillNeeded {
    /// By a question that is asked again and again.
    pub(crate) fn new(is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_wanted))
    }

    /// By somebody who waits to the end.
    pub(crate) fn always() -> Self {
        Self::new(|| true)
    }

    /// Whether somebody still waits.
    pub(crate) fn is_wanted(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for StillNeeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Wanted").field(&self.is_wanted()).finish()
    }
}

/// The last of a chain of connectors.
#[derive(Debug)]
pub(crate) struct GiveUp(pub(crate) StillNeeded);

impl<In: Transport> Connector<In> for GiveUp {
    type Out = Watched<In>;

    fn connect(
        &self,
        _: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, Error> {
        let wanted = self.0.clone();
        Ok(chained.map(|inner| Watched { inner, wanted }))
    }
}

/// A connection whose waits are short and come one after the other.
#[derive(Debug)]
pub(crate) struct Watched<In> {
    inner: In,
    wanted: StillNeeded,
}

impl<In: Transport> Transport for Watched<In> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.inner.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let until = Instant::now().checked_add(*timeout.after);
        loop {
            if !self.wanted.is_wanted() {
                let gone = io::Error::new(io::ErrorKind::ConnectionAborted, "no call waits for it");
                return Err(Error::Io(gone));
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let is_last = left.is_some_and(|left| left <= LOOK);
            let turn = NextTimeout {
                after: Wait::Exact(left.map_or(LOOK, |left| left.min(LOOK))),
                ..timeout
            };
            match self.inner.await_input(turn) {
                Err(Error::Timeout(_)) if !is_last => {}
                outcome => return outcome,
            }
        }
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}
