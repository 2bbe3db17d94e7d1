//! Live context as a room of the session.

use codecortex_protocol::paths::normal;
use codecortex_protocol::{Beginning, DocumentSpan, Event, EventDisposition, GivenUp, Room};

use crate::state::Live;

impl<Code> Room<Code> for Live {
    fn take_in(&mut self, event: Event) -> EventDisposition {
        match event {
            Event::Diagnosed { path, diagnostics } => {
                self.editor.diagnosed(normal(&path), diagnostics);
            }
            Event::Editor {
                active,
                selections,
                visible,
            } => {
                let active = active.map(|path| normal(&path));
                self.editor.shows(active, selections, visible);
            }
            Event::Selected { path, position } => {
                let cursor = DocumentSpan {
                    start: position,
                    end: position,
                };
                let active = Some(normal(&path));
                self.editor.shows(active, vec![cursor], Vec::new());
            }
            other => return EventDisposition::Left(other),
        }
        EventDisposition::In
    }

    fn begin(&mut self, _: Beginning) {
        self.abandon_edits();
    }

    fn take_tick(&mut self) -> Option<u32> {
        self.take_recording_tick()
    }

    fn held_bytes(&self) -> usize {
        self.memory()
    }

    fn shed(&mut self, step: GivenUp) {
        if step == GivenUp::Trees {
            self.forget_closed();
        }
    }
}
