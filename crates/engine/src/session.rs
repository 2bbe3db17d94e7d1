//! What one workspace is: the state of each room. No room names another's.

use std::collections::VecDeque;

use codecortex_analysis::analysis::Analysis;
use codecortex_analysis::memory_limit::GivenUp;
use codecortex_analysis::view::AnalysisView;
use codecortex_answer::Call;
use codecortex_artifacts::Contexts;
use codecortex_context::{Context, Sources};
use codecortex_ide::Providers;
use codecortex_protocol::{Config, Event, Root};
use codecortex_telemetry::TokenUsage;
use serde_json::Value;

use crate::artifacts::pending_writes::Unwritten;
use crate::live::state::Live;
use crate::reviews::Reviews;
use crate::room::{Beginning, EventDisposition, Room};
use crate::semantics::Semantics;
use crate::semantics::models::Models;
use crate::signals::{Signal, Signals};

/// One workspace.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Which files there are and what is known of each.
    pub(crate) code: Analysis,
    /// The `.context/` of each root.
    pub(crate) contexts: Contexts,
    /// The past of documents, and what the editor shows.
    pub(crate) live: Live,
    /// What a model is told.
    pub(crate) context: Context,
    /// What answers cost.
    pub(crate) usage: TokenUsage,
    /// What the editor's language providers know.
    pub(crate) providers: Providers,
    /// What is reviewed.
    pub(crate) review: Reviews,
    /// The model that the host has.
    pub(crate) models: Models,
    /// Texts that are being described.
    pub(crate) semantics: Semantics,
    /// Calls of the engine's own that are to be made.
    pub(crate) internal: VecDeque<InternalCall>,
    /// What calls want kept and the disk does not have yet.
    pub(crate) unwritten: Unwritten,
    /// Investigations that nobody wants any more, by id: what they wait for is given up.
    pub(crate) given_up: Vec<String>,
    /// What calls may wait for.
    pub(crate) signals: Signals,
    /// What the host leaves out because an engine before this one failed at it, as sentences.
    pub(crate) faults: Vec<String>,
}

/// A call that the engine makes itself; its answer is for nobody outside.
#[derive(Debug)]
pub(crate) struct InternalCall {
    /// Its number; calls of others have other ones.
    pub(crate) id: u32,
    /// What is called.
    pub(crate) name: &'static str,
    /// The arguments.
    pub(crate) args: Value,
}

/// The rooms beside the code, on which all of them stand. A capability that comes adds its field and its row.
macro_rules! rooms {
    ($session:expr, [$($by:tt)+]) => {
        [
            $($by)+ $session.contexts,
            $($by)+ $session.live,
            $($by)+ $session.context,
            $($by)+ $session.usage,
            $($by)+ $session.providers,
            $($by)+ $session.review,
            $($by)+ $session.models,
            $($by)+ $session.semantics,
            $($by)+ $session.unwritten,
        ]
    };
}

impl Session {
    /// The workspace begins anew with these settings.
    pub(crate) fn begin(&mut self, roots: Vec<Root>, config: Config) {
        let beginning = Beginning {
            roots: roots.len(),
            are_same_roots: self.code.workspace.roots == roots,
        };
        self.code.begin(roots, config);
        for room in self.rooms() {
            room.begin(beginning);
        }
        self.signals.raise(Signal::Beginning);
    }

    /// Shows an event to each room, until one takes it in; gives it back where it is about more than one of them.
    pub(crate) fn take_in(&mut self, event: Event) -> Option<Event> {
        let mut taken = EventDisposition::Left(event);
        for room in self.rooms() {
            taken = match taken {
                EventDisposition::Left(event) => room.take_in(event),
                EventDisposition::In => break,
            };
        }
        match taken {
            EventDisposition::Left(event) => Some(event),
            EventDisposition::In => None,
        }
    }

    /// Gives each room its part of the time behind an event.
    pub(crate) fn idle(&mut self) {
        self.code.idle();
        let rooms: [&mut dyn Room; 9] = rooms!(self, [&mut]);
        for room in rooms {
            room.idle(&mut self.code);
        }
    }

    /// Bytes that the workspace holds, roughly.
    pub(crate) fn held_bytes(&self) -> usize {
        let rooms: [&dyn Room; 9] = rooms!(self, [&]);
        let held = rooms.iter().map(|room| room.held_bytes());
        self.code.held_bytes() + held.sum::<usize>()
    }

    /// Gives memory up.
    pub(crate) fn shed(&mut self, step: GivenUp) {
        self.code.shed(step);
        for room in self.rooms() {
            room.shed(step);
        }
    }

    fn rooms(&mut self) -> [&mut dyn Room; 9] {
        rooms!(self, [&mut])
    }

    /// The view of the code that a call has.
    pub(crate) fn view<'a>(&'a self, call: &'a Call) -> AnalysisView<'a> {
        let folders = self.contexts.folders.iter();
        AnalysisView::new(
            &self.code,
            call,
            folders.map(|folder| folder.ledger.as_ref()).collect(),
        )
    }

    /// What the prompt window and packs are chosen from.
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources {
            code: &self.code,
            folders: &self.contexts.folders,
            context: &self.context,
        }
    }
}
