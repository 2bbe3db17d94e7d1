//! The folders `.context/` as a room of the session.

use codecortex_protocol::{Beginning, Room};

use crate::contexts::Contexts;

impl<Code> Room<Code> for Contexts {
    fn begin(&mut self, beginning: Beginning) {
        Self::begin(self, beginning.roots);
    }

    fn take_tick(&mut self) -> Option<u32> {
        Self::take_tick(self)
    }
}
