//! What each room of a session does when the workspace begins, when a call ends, behind an event and below a ceiling.

use codecortex_analysis::analysis::Analysis;
use codecortex_analysis::memory_limit::GivenUp;
use codecortex_artifacts::Contexts;
use codecortex_context::Context;
use codecortex_context::window::state::RootWindow;
use codecortex_ide::Providers;
use codecortex_protocol::Effect;
use codecortex_telemetry::TokenUsage;

use crate::arrival::Arrival;
use crate::artifacts::seen::window_seen;
use crate::live::edits::forgotten_edits;
use crate::live::state::Live;
use crate::observations::asked::Asked;
use crate::reviews::Reviews;
use crate::room::{Beginning, Room};
use crate::semantics::Semantics;
use crate::semantics::models::Models;

impl Room for Contexts {
    fn begin(&mut self, beginning: Beginning) -> Vec<Arrival> {
        Self::begin(self, beginning.roots);
        Vec::new()
    }
}

impl Room for Context {
    fn begin(&mut self, beginning: Beginning) -> Vec<Arrival> {
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
        Vec::new()
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
    fn begin(&mut self, _: Beginning) -> Vec<Arrival> {
        forgotten_edits(self)
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

impl Room for Providers {
    fn end_call(&mut self, call: u32, _: bool) {
        self.end(call);
    }
}

impl Room for Reviews {
    fn begin(&mut self, beginning: Beginning) -> Vec<Arrival> {
        if !beginning.are_same_roots {
            Self::begin(self);
        }
        Vec::new()
    }

    fn end_call(&mut self, call: u32, _: bool) {
        self.end(call);
    }
}

impl Room for Asked {
    fn end_call(&mut self, call: u32, _: bool) {
        self.end(call);
    }
}

impl Room for Models {
    fn end_call(&mut self, _: u32, is_last: bool) {
        if is_last {
            self.forget_replies();
        }
    }
}

/// What answers cost counts on, whatever begins.
impl Room for TokenUsage {}

/// Jobs and operations are those of the folders `.context/`, which begin with these.
impl Room for Semantics {}
