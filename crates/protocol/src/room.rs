//! The interface of a room: the state of one capability, which a session drives without naming it.
//!
//! A room's crate implements it beside the room's state. `Code` is what rooms look at when an event was taken in; crates
//! below the index are generic over it.

use crate::{Event, Outbox};

/// How a workspace begins.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    /// The number of its roots.
    pub roots: usize,
    /// Whether the roots are those of before, so that only settings or the index are new.
    pub are_same_roots: bool,
}

/// Whether a room took an event.
#[derive(Debug)]
pub enum EventDisposition {
    /// The event concerns other rooms.
    Left(Event),
    /// The room took it.
    In,
}

/// A step of the memory ceiling: what is given up, in this order (SPEC X10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GivenUp {
    /// Syntax trees of open documents, and what documents were before: the next edit parses anew.
    Trees,
    /// Tables that make searches fast, and what answers keep for the next one: they are made again.
    Caches,
    /// Digests of bodies: hashes, kinds of change and `.context/` rest until the next reindexing.
    Bodies,
}

impl GivenUp {
    /// All steps in order.
    pub const ALL: [Self; 3] = [Self::Trees, Self::Caches, Self::Bodies];

    /// The word in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trees => "trees",
            Self::Caches => "caches",
            Self::Bodies => "bodies",
        }
    }
}

/// The state of one capability. The provided methods do nothing.
pub trait Room<Code> {
    /// Takes an event that concerns this room alone.
    fn take_in(&mut self, event: Event) -> EventDisposition {
        EventDisposition::Left(event)
    }

    /// Begins a workspace: results and open requests of the one before are void.
    fn begin(&mut self, _beginning: Beginning) {}

    /// Does what follows from an event that was taken, for this room alone.
    fn idle(&mut self, _code: &Code, _outbox: &mut Outbox) {}

    /// Takes the time until the room needs an `Event::Tick`, in ms from now; called after each event.
    fn take_tick(&mut self) -> Option<u32> {
        None
    }

    /// Estimates the bytes that the room holds.
    fn held_bytes(&self) -> usize {
        0
    }

    /// Gives up what a step of the memory ceiling asks for.
    fn shed(&mut self, _step: GivenUp) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_the_ceiling_are_in_the_order_of_their_cost() {
        assert!(GivenUp::ALL.is_sorted());
        assert_eq!(
            GivenUp::ALL.map(GivenUp::as_str),
            ["trees", "caches", "bodies"]
        );
    }
}
