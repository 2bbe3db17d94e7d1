//! The engine: what happens on each event.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use codecortex_analysis::Analysis;
use codecortex_analysis::cache::bytes::CacheBytes;
use codecortex_analysis::external::{
    is_library_here, request_external, request_libraries, take_external, take_libraries,
};
use codecortex_analysis::generated::{are_here, close_generated, open_generated};
use codecortex_analysis::workspace::Stat;
use codecortex_analysis::workspace::scan::Wanted;
use codecortex_artifacts::{ContextFailure, ContextReport};
use codecortex_context::map::MOST_COMMITS;
use codecortex_protocol::paths::{Place, normal};
use codecortex_protocol::{
    Answer, Caller, CallerKind, Config, Effect, Event, Failure, FileRef, Listing, Located, Need,
    Phase, Root, State, ToolError,
};
use codecortex_semantics::OpState;
use codecortex_syntax::{Outcome, SkipReason, decode_outcome};
use serde_json::Value;

use crate::actions::{Action, perform_actions};
use crate::arrival::Arrival;
use crate::artifacts::due::{ask_tick_if_due, keep_context, keeps_context};
use crate::artifacts::kept::Kept;
use crate::artifacts::reread::context_changed;
use crate::artifacts::seen::window_seen;
use crate::artifacts::unwritten::HeldCall;
use crate::artifacts::{
    committed, context_failure, fetched, request_context, request_projects, take_context_report,
    tick, write_awaited,
};
use crate::live::edit::Edit;
use crate::live::edits::applied;
use crate::live::record::{
    record_event, record_in_memory, recording_written, take_recording, write_recording,
};
use crate::live::recorder::Line;
use crate::live::{edited, opened, texts_fetched};
use crate::memory_limit::stay_below_ceiling;
use crate::semantics::jobs::{self, request_descriptions, set_model};
use crate::semantics::{models, operations};
use crate::session::{InternalCall, Session};
use crate::tools::dispatch::{CallOutcome, Suspended};
use crate::tools::{apply_edit, dispatch, find_tool};
use crate::waiting::{Waiting, WaitingCall};

/// Every so many files the state is reported while indexing.
const REPORT_EVERY: u32 = 64;

/// The roots whose `.context/` has to be written before a call is answered.
fn unwritten_roots(session: &Session, call: u32) -> BTreeMap<u32, u64> {
    let mut roots = session.unwritten.roots_of_call(call);
    roots.retain(|root, _| keeps_context(session, *root));
    roots
}

/// One workspace: events in, answers and effects out.
#[derive(Debug, Default)]
pub struct Engine {
    session: Session,
    waiting: Waiting,
    ingested: u32,
    reported: Option<Phase>,
}

impl Engine {
    /// An engine that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in an event; gives what it makes necessary.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        record_event(&mut self.session, &event);
        if let Some(now_ms) = event.now_ms() {
            self.session.code.clock.tell(now_ms);
        }
        if let Some(event) = self.session.take_in(event) {
            self.take_in(event);
        }
        self.answer_arrivals();
        self.make_internal_calls();
        self.answer_written();
        self.after_event();
        std::mem::take(&mut self.session.code.effects)
    }

    /// Takes in an event that is about the code, or about more than one room.
    fn take_in(&mut self, event: Event) {
        match event {
            Event::Configure { roots, config } => self.configure(roots, config),
            Event::Listed { listings } => self.listed(&listings),
            Event::Changed { paths } => {
                self.session.code.changed(&paths);
                context_changed(&mut self.session, &paths);
            }
            Event::Watching { unwatched } => self.session.code.unwatched = unwatched,
            Event::Opened {
                path,
                version,
                text,
                dirty,
            } => opened(&mut self.session, normal(&path), &text, version, dirty),
            Event::Edited {
                path,
                version,
                changes,
                dirty,
            } => edited(&mut self.session, normal(&path), version, changes, dirty),
            Event::Saved { path } => {
                if let Some(document) = self.session.code.documents.get_mut(&normal(&path)) {
                    document.dirty = false;
                }
            }
            Event::Closed { path } => self.closed(&normal(&path)),
            Event::Reindex => {
                self.session.code.import = None;
                let (roots, config) = (
                    self.session.code.workspace.roots.clone(),
                    self.session.code.config.clone(),
                );
                self.configure(roots, config);
            }
            Event::CancelIndexing => self.cancel(),
            Event::Fetched { id, files, now_ms } => {
                if take_libraries(&mut self.session.code, id, &files) {
                    self.session.arrivals.push(Arrival::Libraries);
                } else if let Some(is_all) = take_external(&mut self.session.code, id, &files) {
                    let arrival = is_all.then_some(Arrival::External);
                    self.session.arrivals.extend(arrival);
                } else if !texts_fetched(&mut self.session, id, &files) {
                    fetched(&mut self.session, id, &files, now_ms as u64);
                }
            }
            Event::Committed {
                id,
                outcome,
                now_ms,
            } => {
                if !recording_written(&mut self.session, id, &outcome) {
                    committed(&mut self.session, id, outcome, now_ms as u64);
                }
            }
            Event::Applied { id, outcome, .. } => applied(&mut self.session, id, &outcome),
            Event::Tick { now_ms } => {
                write_recording(&mut self.session);
                tick(&mut self.session, now_ms as u64);
            }
            Event::KeepContext { root } => keep_context(&mut self.session, root),
            Event::Model { name, slots } => set_model(&mut self.session, name, slots),
            Event::Wanted {
                root,
                types,
                wanted,
            } => request_descriptions(&mut self.session, root, types, wanted),
            Event::ModelAnswered { id, outcome, .. } => {
                if let Some((job, outcome)) = models::answered(&mut self.session, id, outcome) {
                    jobs::answered(&mut self.session, job, outcome);
                }
            }
            Event::Call {
                id,
                tool,
                args,
                caller,
            } => {
                // What the engine calls itself is no tool for others.
                let tool = if dispatch::is_own(&tool) {
                    String::new()
                } else {
                    tool
                };
                self.call(id, tool, args, caller);
            }
            // The clock or a room took it in.
            Event::Time { .. }
            | Event::Editor { .. }
            | Event::Diagnosed { .. }
            | Event::Selected { .. }
            | Event::Logged { .. }
            | Event::Diffed { .. }
            | Event::Remembered { .. }
            | Event::Consulted { .. } => {}
        }
    }

    /// Gives the engine an earlier export, before `configure`. False for bytes it cannot use.
    pub fn import_cache(&mut self, bytes: impl CacheBytes + 'static) -> bool {
        let is_taken = self.session.code.import_cache(bytes);
        if let Some(import) = &self.session.code.import {
            self.session.providers.restore(import.cache.learned());
        }
        is_taken
    }

    /// Has `codecortex_status` say what the host leaves out because an engine before this one failed at it.
    pub fn tell_faults(&mut self, faults: Vec<String>) {
        self.session.faults = faults;
    }

    /// Makes sure that every file's facts can be read; gives what that makes necessary.
    pub fn verify(&mut self) -> Vec<Effect> {
        self.session.code.is_cache_whole();
        std::mem::take(&mut self.session.code.effects)
    }

    /// The cache's bytes. `now_ms` is the time in ms since 1970.
    pub fn export_cache(&mut self, now_ms: f64) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Into memory it cannot fail.
        let _ = self.write_cache(&mut bytes, now_ms);
        bytes
    }

    /// Writes the same as it is made, so that it is nowhere whole. Fails where `out` does; what was written then is no
    /// cache.
    pub fn write_cache(&mut self, out: &mut dyn Write, now_ms: f64) -> io::Result<()> {
        let learned = self.session.providers.learned();
        self.session.code.write_cache(out, learned, now_ms)
    }

    /// Which files there are and what is known of each, for who asks without a call.
    #[must_use]
    pub fn analysis(&self) -> &Analysis {
        &self.session.code
    }

    /// What the engine is doing and how much it knows.
    #[must_use]
    pub fn state(&self) -> State {
        self.session.code.state()
    }

    /// Bytes of text of the indexed files.
    #[must_use]
    pub fn indexed_bytes(&self) -> u64 {
        self.session.code.indexed_bytes()
    }

    /// Hands in what reading a file gave, as bytes of `codecortex_syntax::encode_outcome`.
    pub fn ingest_bytes(
        &mut self,
        root: u32,
        path: &str,
        size: f64,
        mtime_ms: f64,
        outcome: &[u8],
    ) -> Vec<Effect> {
        let outcome = decode_outcome(outcome).unwrap_or_else(|| {
            Outcome::Skipped(SkipReason::Unreadable(
                "The analysis of this file gave nothing.".to_owned(),
            ))
        });
        self.ingest(root, path, size as u64, mtime_ms, outcome)
    }

    /// Hands in what reading a file gave; `size` in bytes and `mtime_ms` are those it had when it was read.
    pub fn ingest(
        &mut self,
        root: u32,
        path: &str,
        size: u64,
        mtime_ms: f64,
        outcome: Outcome,
    ) -> Vec<Effect> {
        // A file that is gone, or no longer wanted, since it was asked for stays gone.
        if let Some(known) = self.session.code.workspace.file(root, path) {
            let stat = Stat {
                size,
                mtime_ms,
                changed_ms: known.stat.changed_ms,
            };
            self.session.code.store(root, path, stat, outcome);
            self.ingested += 1;
            self.session.code.unsaved_outcomes += 1;
            self.session.code.save_asked = false;
            self.session.arrivals.push(Arrival::File(Place {
                root,
                path: path.to_owned(),
            }));
            self.answer_arrivals();
            self.make_internal_calls();
            self.answer_written();
            self.after_event();
        }
        std::mem::take(&mut self.session.code.effects)
    }

    /// Records live context from now on, for [`Self::take_recording`] instead of the disk; `edits` were asked for so far.
    pub fn record_in_memory(&mut self, edits: u32) {
        record_in_memory(&mut self.session, edits);
    }

    /// What was recorded in memory since the last time, and the payload that was given out last, whole.
    pub fn take_recording(&mut self) -> (Vec<Line>, String) {
        take_recording(&mut self.session)
    }

    /// What the last update of a root's `.context/` found. Nothing is left of it afterwards.
    pub fn take_context_report(&mut self, root: u32) -> Option<ContextReport> {
        take_context_report(&mut self.session, root)
    }

    /// Why what is new in a root's `.context/` is not on the disk.
    #[must_use]
    pub fn context_failure(&self, root: u32) -> Option<&ContextFailure> {
        context_failure(&self.session, root)
    }

    /// How many texts about types are being made, or wait for it and could be: what failed too often, or is held by a
    /// quota, is not among them.
    #[must_use]
    pub fn texts_in_the_making(&self) -> usize {
        jobs::in_the_making(&self.session)
    }

    /// How many types another process is at, or was when it ended.
    #[must_use]
    pub fn texts_elsewhere(&self) -> usize {
        jobs::elsewhere(&self.session)
    }

    /// How many investigations are at work.
    #[must_use]
    pub fn operations_at_work(&self) -> usize {
        let ops = self.session.semantics.ops.values();
        ops.filter(|op| op.operation.state == OpState::Running)
            .count()
    }

    /// Paths of types whose texts wait after an attempt that failed, with why it did.
    #[must_use]
    pub fn failed_texts(&self) -> Vec<(String, String)> {
        jobs::failed(&self.session)
    }

    /// Makes now what the second search would have to wait for: for hosts that serve many calls.
    pub fn prepare(&self) {
        self.session.code.index.prepare_search();
    }

    fn configure(&mut self, roots: Vec<Root>, config: Config) {
        self.session.begin(roots, config);
        self.reported = None;
        self.answer_arrivals();
        // What these calls waited for is not on its way any more: they are answered as things stand.
        for call in self.waiting.take_all() {
            self.call(call.id, call.tool, call.args, call.caller);
        }
    }

    fn listed(&mut self, listings: &[Listing]) {
        let mut list = Vec::new();
        let mut read = Vec::new();
        let mut all_gone = Vec::new();
        for listing in listings {
            self.session.code.workspace.listing =
                self.session.code.workspace.listing.saturating_sub(1);
            let nothing = BTreeSet::new();
            let force = self
                .session
                .code
                .force
                .get(&listing.root)
                .unwrap_or(&nothing);
            let Wanted {
                list: dirs,
                read: files,
                gone,
            } = self.session.code.workspace.listed(listing, force);
            if let Some(projects) = self.session.code.projects.get_mut(listing.root as usize) {
                projects.note(listing, &self.session.code.workspace);
                gone.iter().for_each(|file| projects.gone(&file.path));
            }
            for file in &gone {
                if self
                    .session
                    .code
                    .index
                    .file_id(file.root, &file.path)
                    .is_some()
                {
                    self.session.code.replace(file.root, &file.path, None);
                }
            }
            all_gone.extend(gone);
            list.extend(dirs);
            read.extend(files);
        }
        self.session.code.list(list);
        for file in all_gone {
            self.session.arrivals.push(Arrival::File(Place {
                root: file.root,
                path: file.path,
            }));
        }
        let read: Vec<FileRef> = read
            .into_iter()
            .filter(|file| !self.session.code.take_from_cache(file))
            .collect();
        if !read.is_empty() && !self.session.code.cancelled {
            self.session.code.read(read);
        }
        if self.session.code.workspace.listing == 0 {
            self.session.code.force.clear();
        }
    }

    fn closed(&mut self, path: &str) {
        let Some(document) = self.session.code.documents.remove(path) else {
            return;
        };
        let (history, last) = document.into_past();
        self.session.live.keep(path.to_owned(), history, last);
        self.session.code.outside.open.remove(path);
        // Back to what the disk has.
        self.session.code.changed(&[path.to_owned()]);
    }

    fn cancel(&mut self) {
        if self.session.code.workspace.pending() > 0 || self.session.code.workspace.listing > 0 {
            self.session.code.cancelled = true;
        }
    }

    fn call(&mut self, id: u32, tool: String, args: Value, caller: Caller) {
        self.session.code.refresh_documents();
        self.pass_touched_on();
        self.go_on(id, tool, args, caller, None);
    }

    /// Begins a call, or goes on with it where it waited.
    fn go_on(
        &mut self,
        id: u32,
        tool: String,
        args: Value,
        caller: Caller,
        rest: Option<Box<Suspended>>,
    ) {
        let dispatch::Dispatched {
            mut called,
            mut actions,
            subject,
        } = match rest {
            Some(rest) => dispatch::resume(&self.session, *rest, caller),
            None => dispatch::call(&self.session, id, &tool, &args, caller),
        };
        let damaged = self.session.code.mend();
        if !damaged.is_empty() {
            // What it made of a file that is not as it was is not what it says.
            actions.clear();
            called = CallOutcome::NeedsInput(vec![Need::Files(damaged)], None);
        }
        let is_own = dispatch::is_own(&tool);
        let kept: Vec<(u32, Kept)> = match is_own {
            true => Vec::new(),
            false => actions.iter().flat_map(Action::kept).collect(),
        };
        let is_look = find_tool(&tool).is_some_and(|tool| tool.is_read_only);
        let must_be_kept = kept.iter().any(|(_, kept)| kept.must_be_kept(is_look));
        self.session.unwritten.note(id, kept);
        perform_actions(&mut self.session, actions);
        match called {
            CallOutcome::Answer(answer) => {
                let roots = match answer.ok && !is_own {
                    true => unwritten_roots(&self.session, id),
                    false => BTreeMap::new(),
                };
                if roots.is_empty() {
                    return self.answer(id, (&tool, subject), caller, answer);
                }
                let held = HeldCall::new((id, tool, args), caller, subject, answer, must_be_kept);
                let now = self.session.code.clock.host();
                self.session.unwritten.hold(held, roots, now);
            }
            CallOutcome::NeedsInput(needs, rest) => {
                needs.iter().for_each(|need| self.ask_for(need));
                let revision = self.session.code.revision;
                self.waiting.push(WaitingCall {
                    id,
                    tool,
                    args,
                    caller,
                    needs,
                    rest: rest.map(|rest| (revision, rest)),
                });
                self.answer_arrivals();
            }
        }
    }

    /// Has what a call needs read, or done.
    fn ask_for(&mut self, need: &Need) {
        let session = &mut self.session;
        let effect = match need {
            Need::File(place) => Effect::Read {
                limits: session.code.workspace.folder_limits(place.root),
                files: vec![FileRef {
                    root: place.root,
                    path: place.path.clone(),
                }],
            },
            Need::Projects(root) => {
                if request_projects(session, *root) {
                    session.arrivals.push(Arrival::Root(*root));
                }
                return;
            }
            Need::Libraries(files) => return request_libraries(&mut session.code, files),
            Need::External => {
                if request_external(&mut session.code) {
                    session.arrivals.push(Arrival::External);
                }
                return;
            }
            Need::Context(root) => return request_context(session, *root),
            Need::History(_) if self.waiting.is_needed(need) => return,
            Need::History(root) => Effect::Log {
                root: *root,
                most: MOST_COMMITS,
            },
            Need::Diff(id, root, of) => Effect::Diff {
                id: *id,
                root: *root,
                of: of.clone(),
            },
            Need::Memory(id, root, request) => {
                if !session.observations.begin(*id, *root, request) {
                    return;
                }
                Effect::Memory {
                    id: *id,
                    root: *root,
                    request: (**request).clone(),
                }
            }
            Need::Declarations(files) if are_here(&session.code, files) => {
                return session.arrivals.push(Arrival::Texts);
            }
            Need::Texts(files) | Need::Declarations(files) => {
                return session.code.fetch_texts(files);
            }
            Need::Providers(id, question) => {
                session.providers.ask(*id, question.clone());
                Effect::Consult {
                    id: *id,
                    question: question.clone(),
                }
            }
            Need::Model(request) => return models::ask_for_call(session, request),
            // What sets it in motion was asked for already.
            Need::Applied(_) | Need::Files(_) => return,
        };
        self.session.code.effects.push(effect);
    }

    /// Makes the calls that the engine wants answered itself.
    fn make_internal_calls(&mut self) {
        while let Some(InternalCall { id, name, args }) = self.session.internal.pop_front() {
            self.call(id, name.to_owned(), args, Caller::default());
        }
    }

    /// Goes on with the calls that waited for what is here now.
    fn answer_arrivals(&mut self) {
        for arrival in std::mem::take(&mut self.session.arrivals) {
            match arrival {
                Arrival::File(place) => self.waiting.file_arrived(&place),
                Arrival::Texts => {}
                Arrival::Libraries => {
                    let code = &self.session.code;
                    self.waiting.arrived(|need| match need {
                        Need::Libraries(files) => {
                            files.iter().all(|file| is_library_here(code, file))
                        }
                        _ => false,
                    });
                }
                Arrival::External => self.waiting.arrived(|need| *need == Need::External),
                // They are here, or as far as they will come.
                Arrival::Root(root) => self.waiting.arrived(|need| match need {
                    Need::Projects(of) | Need::Context(of) => *of == root,
                    _ => false,
                }),
                Arrival::Providers(call) => self
                    .waiting
                    .arrived(|need| matches!(need, Need::Providers(of, _) if *of == call)),
                Arrival::Memory(call) => self
                    .waiting
                    .arrived(|need| matches!(need, Need::Memory(of, ..) if *of == call)),
                Arrival::History(root) => self
                    .waiting
                    .arrived(|need| matches!(need, Need::History(of) if *of == root)),
                Arrival::Diff(call) => self
                    .waiting
                    .arrived(|need| matches!(need, Need::Diff(of, ..) if *of == call)),
                Arrival::Model(request) => self
                    .waiting
                    .arrived(|need| matches!(need, Need::Model(of) if **of == request)),
                Arrival::Edit(edit, outcome) => {
                    self.finish_edit(edit, outcome);
                    continue;
                }
            }
            self.call_ready();
            self.let_go_of_texts();
        }
    }

    /// Goes on with the calls that lack nothing any more.
    fn call_ready(&mut self) {
        let code = &self.session.code;
        let has_text = |file: &Located| are_here(code, std::slice::from_ref(file));
        let ready = self.waiting.take_ready(has_text);
        for need in ready.iter().flat_map(|call| &call.needs) {
            if let Need::Declarations(files) = need {
                open_generated(&mut self.session.code, files);
            }
        }
        for call in ready {
            self.session.code.refresh_documents();
            self.pass_touched_on();
            // Of another index, what it found out is of other files and declarations: it begins again.
            let revision = self.session.code.revision;
            let rest = call.rest.filter(|(of, _)| *of == revision);
            let rest = rest.map(|(_, rest)| rest);
            self.go_on(call.id, call.tool, call.args, call.caller, rest);
        }
    }

    /// The next call looks at the disk anew.
    fn let_go_of_texts(&mut self) {
        // A question has the words of all files read, some at a time: what was read makes room.
        for path in self.session.context.map.borrow_mut().take_read() {
            if !self.waiting.needs_text(&path) {
                self.session.code.disk.remove(&path);
            }
        }
        // Somebody may still wait for another file.
        if self.session.code.asked.is_empty() && !self.waiting.needs_texts() {
            self.session.code.disk.clear();
        }
    }

    /// Gives the answers whose words are on the disk, and says of those whose words cannot be why (SPEC D37).
    fn answer_written(&mut self) {
        loop {
            write_awaited(&mut self.session);
            let ready = self.session.unwritten.take_ready();
            if ready.is_empty() {
                return;
            }
            for (call, why) in ready {
                let answer = match why.filter(|_| call.must_be_kept) {
                    None => call.answer,
                    Some(why) => {
                        let asked = (call.tool.as_str(), &call.args, call.caller);
                        let failed = Err(Failure::Error(why.into_error()));
                        dispatch::finish_call(&self.session, call.id, asked, failed)
                    }
                };
                self.answer(call.id, (&call.tool, call.subject), call.caller, answer);
            }
        }
    }

    /// Answers the call that waits for an edit.
    fn finish_edit(&mut self, edit: u32, outcome: Result<Box<Edit>, ToolError>) {
        let Some(call) = self.waiting.take_edit(edit) else {
            return;
        };
        let handled = outcome
            .map(|edit| apply_edit::edited(&edit, false))
            .map_err(Failure::Error);
        let asked = (call.tool.as_str(), &call.args, call.caller);
        let answer = dispatch::finish_call(&self.session, call.id, asked, handled);
        self.answer(call.id, (&call.tool, None), call.caller, answer);
    }

    fn answer(
        &mut self,
        id: u32,
        (tool, subject): (&str, Option<String>),
        caller: Caller,
        answer: Answer,
    ) {
        if tool == jobs::JOB || tool == operations::INVESTIGATION {
            return; // it was its actions
        }
        if caller.kind != CallerKind::Editor {
            let name = find_tool(tool).map(|tool| tool.name);
            self.session.usage.note(name, subject, &answer);
        } else if tool == "codecortex_getContext" {
            // Who shows the window has it.
            self.session.context.told = window_seen(&self.session.context, &self.session.code);
        }
        self.session.end_call(id, self.waiting.is_empty());
        self.session
            .code
            .effects
            .push(Effect::Answer { id, answer });
        let disagreements = self.session.providers.take_disagreements();
        if !disagreements.is_empty() {
            let effect = Effect::Disagreed { disagreements };
            self.session.code.effects.push(effect);
        }
    }

    /// Tells the folders `.context/` which files' facts are others.
    fn pass_touched_on(&mut self) {
        for (root, path) in std::mem::take(&mut self.session.code.touched) {
            self.session.contexts.touch(root, &path);
        }
    }

    fn after_event(&mut self) {
        if self.waiting.is_empty() {
            close_generated(&mut self.session.code);
        }
        self.pass_touched_on();
        self.session.idle();
        stay_below_ceiling(&mut self.session);
        ask_tick_if_due(&mut self.session);
        let phase = self.session.code.phase();
        let settled = matches!(phase, Phase::Ready | Phase::Empty);
        if phase == Phase::Ready && !self.session.code.memory.is_without_bodies() {
            self.session
                .code
                .recent
                .get_mut()
                .begin(self.session.code.revision);
        }
        if phase == Phase::Ready && self.waiting.is_empty() {
            self.session.code.import = None;
            // Without digests it would be no cache of the files.
            let is_whole = !self.session.code.memory.is_without_bodies();
            if self.session.code.unsaved_outcomes > 0 && !self.session.code.save_asked && is_whole {
                self.session.code.save_asked = true;
                self.session.code.effects.push(Effect::SaveCache);
            }
        }
        let due = self.ingested >= REPORT_EVERY;
        if self.reported != Some(phase) || due || settled && self.ingested > 0 {
            self.ingested = 0;
            self.reported = Some(phase);
            let state = self.state();
            self.session.code.effects.push(Effect::State { state });
        }
    }
}
