//! What each room of a session does when the workspace begins, behind an event and below a ceiling.

use codecortex_analysis::analysis::Analysis;
use codecortex_analysis::memory_limit::GivenUp;
use codecortex_artifacts::Contexts;
use codecortex_context::Context;
use codecortex_context::window::state::RootWindow;
use codecortex_ide::Providers;
use codecortex_protocol::paths::normal;
use codecortex_protocol::{DocumentSpan, Effect, Event};
use codecortex_telemetry::TokenUsage;

use crate::artifacts::pending_writes::Unwritten;
use crate::artifacts::window_version::window_seen;
use crate::live::edits::forget_edits;
use crate::live::state::Live;
use crate::reviews::Reviews;
use crate::room::{Beginning, EventDisposition, Room};
use crate::semantics::Semantics;
use crate::semantics::models::Models;

impl Room for Contexts {
    fn begin(&mut self, beginning: Beginning) {
        Self::begin(self, beginning.roots);
    }
}

impl Room for Unwritten {
    fn begin(&mut self, beginning: Beginning) {
        Self::begin(self, beginning.are_same_roots);
    }
}

impl Room for Context {
    fn begin(&mut self, beginning: Beginning) {
        if !beginning.are_same_roots {
            let window = self.window.get_mut();
            window.roots.clear();
            window
                .roots
                .resize_with(beginning.roots, RootWindow::default);
        }
        self.texts.clear();
        self.map.take();
        self.memo.take();
    }

    /// Who shows the window hears that it is another one.
    fn idle(&mut self, code: &mut Analysis) {
        let seen = window_seen(self, code);
        if self.told != seen {
            self.told = seen;
            code.effects.push(Effect::WindowChanged);
        }
    }

    fn held_bytes(&self) -> usize {
        self.map.borrow().memory()
    }

    fn shed(&mut self, step: GivenUp) {
        if step == GivenUp::Caches {
            self.memo.take();
            self.map.take();
        }
    }
}

impl Room for Live {
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
        forget_edits(self);
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

impl Room for Reviews {
    fn begin(&mut self, beginning: Beginning) {
        if !beginning.are_same_roots {
            Self::begin(self);
        }
    }
}

/// What language providers taught counts on.
impl Room for Providers {}

/// So does what the model was asked: it is paid, whoever hears the answer.
impl Room for Models {}

/// What answers cost counts on, whatever begins.
impl Room for TokenUsage {}

/// Jobs and operations are those of the folders `.context/`, which begin with these.
impl Room for Semantics {}
