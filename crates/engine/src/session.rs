//! What one workspace is: the state of each room. No room names another's.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};

use codecortex_analysis::analysis::Analysis;
use codecortex_analysis::cache::bytes::CacheBytes;
use codecortex_analysis::view::AnalysisView;
use codecortex_answer::Call;
use codecortex_artifacts::{Contexts, Unwritten};
use codecortex_context::window::version::window_version;
use codecortex_context::{Context, Sources};
use codecortex_ide::{Providers, Question};
use codecortex_ledger::{FolderPart, Ledger};
use codecortex_live::Live;
use codecortex_protocol::{
    Answer, ApplyOutcome, Beginning, Config, Disagreement, Effect, Event, EventDisposition,
    GivenUp, Outbox, PersonalSettings, ProviderQuestion, ProviderReply, Room, Root,
};
use codecortex_review::Reviews;
use codecortex_semantics::{Investigation, Models, Semantics};
use codecortex_telemetry::{AnsweredCost, EditOutcome, Telemetry, TelemetryEntry};
use serde_json::Value;

use crate::answered_files::answered_files;
use crate::artifacts::persisted_effects::PersistedEffect;
use crate::called::{AnsweredCall, Called};
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
    /// What answers cost, how long they took and what they replaced.
    pub(crate) telemetry: Telemetry,
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
    pub(crate) unwritten: Unwritten<PersistedEffect, AnsweredCall>,
    /// Investigations that nobody wants any more, by id: what they wait for is given up.
    pub(crate) given_up: Vec<String>,
    /// What calls may wait for.
    pub(crate) signals: Signals,
    /// The tick that is on its way, in ms from when it was asked for.
    tick_asked: Option<u32>,
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
            $($by)+ $session.telemetry,
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
    pub(crate) fn begin(&mut self, outbox: &mut Outbox, roots: Vec<Root>, config: Config) {
        let beginning = Beginning {
            roots: roots.len(),
            are_same_roots: self.code.workspace().roots == roots,
        };
        let personal = roots.iter().map(|root| config.personal.get(&root.path));
        let is_refused = |own: &PersonalSettings| own.telemetry == Some(false);
        let keeps_telemetry = config.telemetry && !personal.flatten().any(is_refused);
        self.telemetry.keep(keeps_telemetry);
        self.code.begin(outbox, roots, config);
        for room in self.rooms() {
            room.begin(beginning);
        }
        self.tick_asked = None;
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
    pub(crate) fn idle(&mut self, outbox: &mut Outbox) {
        self.code.idle(outbox);
        let rooms: [&mut dyn Room<Analysis>; 9] = rooms!(self, [&mut]);
        for room in rooms {
            room.idle(&self.code, outbox);
        }
    }

    /// Bytes that the workspace holds, roughly.
    pub(crate) fn held_bytes(&self) -> usize {
        let rooms: [&dyn Room<Analysis>; 9] = rooms!(self, [&]);
        let held = rooms.iter().map(|room| room.held_bytes());
        self.code.held_bytes() + held.sum::<usize>()
    }

    /// Gives memory up.
    pub(crate) fn shed(&mut self, outbox: &mut Outbox, step: GivenUp) {
        self.code.shed(outbox, step);
        for room in self.rooms() {
            room.shed(step);
        }
    }

    /// Asks the host for a tick where a room wants one before that which is on its way.
    pub(crate) fn ask_tick(&mut self, outbox: &mut Outbox) {
        let wanted = self.rooms().into_iter().filter_map(|room| room.take_tick());
        let Some(after_ms) = wanted.min() else {
            return;
        };
        if self.tick_asked.is_none_or(|asked| after_ms < asked) {
            self.tick_asked = Some(after_ms);
            outbox.push(Effect::Tick { after_ms });
        }
    }

    /// The tick that was asked for has come.
    pub(crate) fn ticked(&mut self) {
        self.tick_asked = None;
    }

    fn rooms(&mut self) -> [&mut dyn Room<Analysis>; 9] {
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
            folders: &self.contexts,
            context: &self.context,
            saved_only: false,
        }
    }

    /// The view of the code with what language providers say, for a call.
    pub(crate) fn question<'a>(&'a self, call: &'a Call) -> Question<'a> {
        Question {
            view: self.view(call),
            providers: &self.providers,
        }
    }
}

/// What of one room is another's business. Rooms know nothing of each other: it passes through here.
impl Session {
    /// What a root's `state.json` says goes to the rooms that keep something in it.
    pub(crate) fn load_parts(&mut self, root: u32) {
        let parts: [&mut dyn FolderPart; 2] = [&mut self.context, &mut self.review];
        let Some(folder) = self.contexts.folders.get_mut(root as usize) else {
            return;
        };
        for part in parts {
            let ledger = folder.ledger.as_mut();
            let problem = ledger.and_then(|ledger| part.load(root, ledger));
            folder.account.problems.extend(problem);
        }
    }

    /// What rooms keep goes into what a root's folder is written with next.
    pub(crate) fn save_parts(&mut self, root: u32) {
        let parts: [&dyn FolderPart; 2] = [&self.context, &self.review];
        let folder = self.contexts.folders.get_mut(root as usize);
        if let Some(ledger) = folder.and_then(|folder| folder.ledger.as_mut()) {
            parts.into_iter().for_each(|part| part.save(root, ledger));
        }
    }

    /// Somebody else wrote a root's folder: what rooms have of it counts no more.
    pub(crate) fn forget_parts(&mut self, root: u32, has_news: bool) {
        let parts: [&mut dyn FolderPart; 2] = [&mut self.context, &mut self.review];
        parts
            .into_iter()
            .for_each(|part| part.forget(root, has_news));
    }

    /// What is kept of a root's window, or beside it, is other than it was.
    pub(crate) fn keep_window(&mut self, root: u32) {
        self.context.window.get_mut().revision += 1;
        if let Some(folder) = self.contexts.folders.get_mut(root as usize) {
            folder.window_changed = true;
        }
    }

    /// Changes a root's ledger by what its operations found out.
    pub(crate) fn with_operations(
        &mut self,
        root: u32,
        change: impl FnOnce(&mut Ledger, &BTreeMap<String, Investigation>),
    ) {
        let folder = self.contexts.folders.get_mut(root as usize);
        if let Some(ledger) = folder.and_then(|folder| folder.ledger.as_mut()) {
            change(ledger, &self.semantics.ops);
        }
    }

    /// Tells the folders `.context/` which files' facts are others.
    pub(crate) fn pass_touched_on(&mut self) {
        for (root, path) in self.code.take_touched() {
            self.contexts.touch(root, &path);
        }
    }

    /// Takes questions of a call back. What becomes of an edit is noted all the same.
    pub(crate) fn take_back(&mut self, outbox: &mut Outbox, questions: &[u32]) {
        for id in questions {
            if self.live.is_edit(*id) {
                outbox.push(Effect::Cancel { id: *id });
            } else {
                self.models.take(*id);
                self.code.cancel_ask(outbox, *id);
            }
        }
    }

    /// Takes in an earlier export; false for bytes that are none.
    pub(crate) fn import_cache(&mut self, bytes: impl CacheBytes + 'static) -> bool {
        let is_taken = self.code.import_cache(bytes);
        self.providers.restore(self.code.imported_lessons());
        is_taken
    }

    /// Writes the cache with what language providers taught. Fails where `out` does.
    pub(crate) fn write_cache(&mut self, out: &mut dyn Write, now_ms: f64) -> io::Result<()> {
        let learned = self.providers.learned();
        self.code.write_cache(out, learned, now_ms)
    }

    /// Who shows the window has it as it is now.
    pub(crate) fn window_is_shown(&mut self) {
        self.context.told = window_version(&self.context, &self.code);
    }
}

/// What the engine's loop has of single rooms.
impl Session {
    /// What people call the model; none where there is none.
    pub(crate) fn model_name(&self) -> Option<&str> {
        self.models.name()
    }

    /// Takes in what language providers replied.
    pub(crate) fn take_in_reply(&mut self, question: ProviderQuestion, reply: ProviderReply) {
        self.providers.take_in(question, reply);
    }

    /// Disagreements that the host was not told of.
    pub(crate) fn take_disagreements(&mut self) -> Vec<Disagreement> {
        self.providers.take_disagreements()
    }

    /// Takes in the commits of a root.
    pub(crate) fn learn_history(&mut self, root: u32, log: Option<String>) {
        self.context.map.borrow_mut().learn_history(root, log);
    }

    /// Texts that the map has read, by absolute path: they need not be kept for it.
    pub(crate) fn take_read_texts(&mut self) -> Vec<String> {
        self.context.map.borrow_mut().take_read()
    }

    /// Counts an answer that costs its caller tokens.
    pub(crate) fn note_answer(
        &mut self,
        called: &Called,
        tool: Option<&'static str>,
        subject: Option<&str>,
        answer: &Answer,
    ) {
        let files = answered_files(&self.code, answer);
        self.telemetry.note_answer(AnsweredCost {
            id: called.id,
            tool,
            subject,
            answer,
            granted: called.granted_tokens(),
            files,
        });
    }

    /// Counts the files of a start: those that were read, of all.
    pub(crate) fn note_start(&mut self, read: u64) {
        let files = self.code.file_count() as u64;
        self.telemetry.note_files(files.saturating_sub(read), read);
    }

    /// What is counted of the process and not in the log, with the time of now.
    pub(crate) fn uncollected(&self) -> TelemetryEntry {
        let mut pending = self.telemetry.pending().clone();
        pending.at_ms = self.code.clock().host() as f64;
        pending
    }

    /// Counts what became of an edit that a call asked for.
    pub(crate) fn note_edit(&mut self, is_undo: bool, outcome: &ApplyOutcome) {
        let outcome = match outcome {
            ApplyOutcome::Done if is_undo => EditOutcome::Undone,
            ApplyOutcome::Done => EditOutcome::Applied,
            _ => EditOutcome::Failed,
        };
        self.telemetry.note_edit(outcome);
    }
}
