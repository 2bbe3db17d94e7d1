//! What a session asks of each of its rooms, so that none is called by its name.

use codecortex_analysis::analysis::Analysis;
use codecortex_analysis::memory_limit::GivenUp;
use codecortex_protocol::Event;

/// How a workspace begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning {
    /// How many roots it has.
    pub(crate) roots: usize,
    /// Whether they are those that it had: then only settings or the index are new.
    pub(crate) are_same_roots: bool,
}

/// What a room makes of an event.
pub(crate) enum Taken {
    /// It is about something else.
    Left(Event),
    /// It took it in.
    In,
}

/// The state of one capability. What it does not need it leaves as it is here.
pub(crate) trait Room {
    /// Takes in an event that is about this room alone.
    fn take_in(&mut self, event: Event) -> Taken {
        Taken::Left(event)
    }

    /// The workspace begins anew: what was known of it, or is on its way, means nothing any more.
    fn begin(&mut self, _beginning: Beginning) {}

    /// An event was taken in: what follows from it for this room alone.
    fn idle(&mut self, _code: &mut Analysis) {}

    /// Bytes that it holds, roughly.
    fn held_bytes(&self) -> usize {
        0
    }

    /// Gives up what a step of the memory ceiling asks for.
    fn shed(&mut self, _step: GivenUp) {}
}
