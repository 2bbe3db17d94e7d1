//! The engine: what happens on each event.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Write};

use codecortex_analysis::analysis::{Analysis, Generated};
use codecortex_analysis::cache::bytes::CacheBytes;
use codecortex_analysis::generated::{are_here, close_generated, open_generated};
use codecortex_analysis::memory_limit::Memory;
use codecortex_analysis::projects::FolderProjects;
use codecortex_analysis::view::View;
use codecortex_analysis::workspace::scan::Wanted;
use codecortex_analysis::workspace::{Stat, Workspace};
use codecortex_answer::Call;
use codecortex_answer::reply::ToolResult;
use codecortex_index::Index;
use codecortex_protocol::paths::{Place, normal};
use codecortex_protocol::{
    Answer, Awaited, Config, Door, DoorKind, Effect, Event, FileRef, Listing, Phase,
    ProviderQuestion, Root, Span, State,
};
use codecortex_syntax::{Outcome, SkipReason, decode_outcome};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::context::Contexts;
use crate::live::Live;
use crate::providers::Providers;
use crate::spend::Spend;
use crate::tools::dispatch;
use crate::window::WindowState;
use crate::window::forms::Sections;
use crate::window::state::RootWindow;

/// Every so many files the state is reported while indexing.
const REPORT_EVERY: u32 = 64;

/// A call that waits for something that is being read.
#[derive(Debug)]
struct WaitingCall {
    id: u32,
    tool: String,
    args: Value,
    door: Door,
    awaited: Awaited,
}

/// One workspace.
#[derive(Debug, Default)]
pub struct Engine {
    /// Which files there are and what is known of each.
    pub(crate) code: Analysis,
    /// What the window asked for.
    pub(crate) window_memo: RefCell<crate::window::memo::Memo>,
    waiting: Vec<WaitingCall>,
    /// The `.context/` of each root.
    pub(crate) contexts: Contexts,
    /// The past of documents, and what the editor shows.
    pub(crate) live: Live,
    /// What is put into the prompt window.
    pub(crate) window: RefCell<WindowState>,
    /// Parts of semantic texts that the window may show, by root and id.
    pub(crate) window_texts: FxHashMap<u32, FxHashMap<String, Sections>>,
    /// What the window was made of when a change was told last.
    pub(crate) window_told: (u32, u32, u32),
    /// What answers cost.
    pub(crate) spend: Spend,
    /// What the editor's language providers know.
    pub(crate) providers: Providers,
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
        self.record_event(&event);
        match event {
            Event::Configure { roots, config } => self.configure(roots, config),
            Event::Listed { listings } => self.listed(&listings),
            Event::Changed { paths } => self.code.changed(&paths),
            Event::Opened {
                path,
                version,
                text,
                dirty,
            } => self.opened(normal(&path), &text, version, dirty),
            Event::Edited {
                path,
                version,
                changes,
                dirty,
            } => self.edited(normal(&path), version, changes, dirty),
            Event::Saved { path } => {
                if let Some(document) = self.code.documents.get_mut(&normal(&path)) {
                    document.dirty = false;
                }
            }
            Event::Closed { path } => self.closed(&normal(&path)),
            Event::Time { now_ms } => self.code.clock.tell(now_ms),
            Event::Editor {
                active,
                selections,
                visible,
            } => self.editor_shows(active, selections, visible),
            Event::Diagnosed { path, diagnostics } => {
                self.live.editor.diagnosed(normal(&path), diagnostics);
            }
            Event::Selected { path, position } => {
                let cursor = Span {
                    start: position,
                    end: position,
                };
                self.editor_shows(Some(path), vec![cursor], Vec::new());
            }
            Event::Reindex => {
                self.code.import = None;
                let (roots, config) = (self.code.workspace.roots.clone(), self.code.config.clone());
                self.configure(roots, config);
            }
            Event::CancelIndexing => self.cancel(),
            Event::Fetched { id, files, now_ms } => {
                self.code.clock.tell(now_ms);
                if !self.texts_fetched(id, &files) {
                    self.fetched(id, &files, now_ms as u64);
                }
            }
            Event::Committed {
                id,
                outcome,
                now_ms,
            } => {
                self.code.clock.tell(now_ms);
                if !self.recording_written(id, &outcome) {
                    self.committed(id, outcome, now_ms as u64);
                }
            }
            Event::Applied {
                id,
                outcome,
                now_ms,
            } => {
                self.code.clock.tell(now_ms);
                self.applied(id, &outcome);
            }
            Event::Consulted { id, reply } => self.consulted(id, reply),
            Event::Tick { now_ms } => {
                self.code.clock.tell(now_ms);
                self.write_recording();
                self.tick(now_ms as u64);
            }
            Event::KeepContext { root } => self.keep_context(root),
            Event::Describer { root, places } => self.set_describer(root, places),
            Event::Wanted {
                root,
                types,
                wanted,
            } => self.want_described(root, types, wanted),
            Event::Described { id, outcome } => self.described(id, outcome),
            Event::Call {
                id,
                tool,
                args,
                door,
            } => self.call(id, tool, args, door),
        }
        self.after_event();
        std::mem::take(&mut self.code.effects)
    }

    /// Gives the engine an earlier export, before `configure`. False for bytes it cannot use.
    pub fn import_cache(&mut self, bytes: impl CacheBytes + 'static) -> bool {
        let is_taken = self.code.import_cache(bytes);
        if let Some(import) = &self.code.import {
            self.providers.restore(import.cache.learned());
        }
        is_taken
    }

    /// Makes sure that every file's facts can be read; gives what that makes necessary.
    pub fn verify(&mut self) -> Vec<Effect> {
        self.code.is_shelf_whole();
        std::mem::take(&mut self.code.effects)
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
        let learned = self.providers.learned();
        self.code.write_cache(out, learned, now_ms)
    }

    /// What the engine is doing and how much it knows.
    #[must_use]
    pub fn state(&self) -> State {
        self.code.state()
    }

    /// Bytes of text of the indexed files.
    #[must_use]
    pub fn indexed_bytes(&self) -> u64 {
        self.code.indexed_bytes()
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
        if self.code.workspace.file(root, path).is_some() {
            self.code
                .store(root, path, Stat { size, mtime_ms }, outcome);
            self.ingested += 1;
            self.code.unsaved_outcomes += 1;
            self.code.save_asked = false;
            self.answer_waiting(root, path);
            self.after_event();
        }
        std::mem::take(&mut self.code.effects)
    }

    /// Makes now what the second search would have to wait for: for hosts that serve many calls.
    pub fn prepare(&self) {
        self.code.index.prepare_search();
    }

    fn configure(&mut self, roots: Vec<Root>, config: Config) {
        let same_roots = self.code.workspace.roots == roots;
        self.code.workspace = Workspace::new(roots, &config);
        if !config.tokenizer.is_available() {
            self.code.notice(
                "This build counts tokens as characters / 4 only: it was made without the exact tokenizer."
                    .to_owned(),
            );
        }
        self.code.config = config;
        self.code.asked.clear();
        self.code.disk.clear();
        self.code.index = Index::new();
        self.code.begin_shelf();
        self.code.generated = Generated::default();
        self.code.recent.get_mut().end();
        self.code.projects.clear();
        self.code
            .projects
            .resize_with(self.code.workspace.roots.len(), FolderProjects::default);
        self.contexts.begin(self.code.workspace.roots.len());
        if !same_roots {
            let window = self.window.get_mut();
            window.roots.clear();
            let roots = self.code.workspace.roots.len();
            window.roots.resize_with(roots, RootWindow::default);
        }
        self.window_texts.clear();
        self.window_memo.take();
        self.code.access.take();
        self.code.memory = Memory::default();
        self.code.force.clear();
        self.code.cancelled = false;
        self.code.unsaved_outcomes = 0;
        self.code.save_asked = false;
        self.reported = None;
        self.code.revision += 1;
        for document in self.code.documents.values_mut() {
            document.stale = true;
        }
        let dirs = self.code.workspace.start();
        self.code.list(dirs);
        self.forget_edits();
        // What these calls waited for is not on its way any more: they are answered as things stand.
        for call in std::mem::take(&mut self.waiting) {
            self.call(call.id, call.tool, call.args, call.door);
        }
    }

    fn listed(&mut self, listings: &[Listing]) {
        let mut list = Vec::new();
        let mut read = Vec::new();
        let mut all_gone = Vec::new();
        for listing in listings {
            self.code.workspace.listing = self.code.workspace.listing.saturating_sub(1);
            let nothing = BTreeSet::new();
            let force = self.code.force.get(&listing.root).unwrap_or(&nothing);
            let Wanted {
                list: dirs,
                read: files,
                gone,
            } = self.code.workspace.listed(listing, force);
            if let Some(projects) = self.code.projects.get_mut(listing.root as usize) {
                projects.note(listing, &self.code.workspace);
                gone.iter().for_each(|file| projects.gone(&file.path));
            }
            for file in &gone {
                if self.code.index.file_id(file.root, &file.path).is_some() {
                    self.code.replace(file.root, &file.path, None);
                }
            }
            all_gone.extend(gone);
            list.extend(dirs);
            read.extend(files);
        }
        self.code.list(list);
        for file in all_gone {
            self.answer_waiting(file.root, &file.path);
        }
        let read: Vec<FileRef> = read
            .into_iter()
            .filter(|file| !self.code.take_from_cache(file))
            .collect();
        if !read.is_empty() && !self.code.cancelled {
            self.code.effects.push(Effect::Read { files: read });
        }
        if self.code.workspace.listing == 0 {
            self.code.force.clear();
        }
    }

    fn closed(&mut self, path: &str) {
        let Some(document) = self.code.documents.remove(path) else {
            return;
        };
        let (history, last) = document.into_past();
        self.live.keep(path.to_owned(), history, last);
        self.code.outside.open.remove(path);
        // Back to what the disk has.
        self.code.changed(&[path.to_owned()]);
    }

    fn cancel(&mut self) {
        if self.code.workspace.pending() > 0 || self.code.workspace.listing > 0 {
            self.code.cancelled = true;
        }
    }

    fn call(&mut self, id: u32, tool: String, args: Value, door: Door) {
        self.code.refresh_documents();
        self.pass_touched_on();
        let dispatch::Dispatched {
            mut called,
            mut actions,
            subject,
        } = self.call_tool(id, &tool, &args, door);
        let damaged = self.code.mend();
        if !damaged.is_empty() {
            // What it made of a file that is not as it was is not what it says.
            actions.clear();
            called = dispatch::Called::Waits(Awaited::Files(damaged));
        }
        self.perform_actions(actions);
        match called {
            dispatch::Called::Answer(answer) => self.answer(id, (&tool, subject), door, answer),
            dispatch::Called::Waits(awaited) => {
                let mut is_here = None;
                match &awaited {
                    Awaited::File(place) => self.code.effects.push(Effect::Read {
                        files: vec![FileRef {
                            root: place.root,
                            path: place.path.clone(),
                        }],
                    }),
                    Awaited::Projects(root) => {
                        is_here = self.want_projects(*root).then_some(*root);
                    }
                    Awaited::Context(root) => self.want_context(*root),
                    Awaited::Texts(files) => self.code.fetch_texts(files),
                    Awaited::Declarations(files) => self.code.fetch_texts(files),
                    Awaited::Providers(id, question) => self.code.effects.push(Effect::Consult {
                        id: *id,
                        question: question.clone(),
                    }),
                    // What sets it in motion was asked for already.
                    Awaited::Applied(_) | Awaited::Files(_) => {}
                }
                self.waiting.push(WaitingCall {
                    id,
                    tool,
                    args,
                    door,
                    awaited,
                });
                if let Some(root) = is_here {
                    self.answer_those_who_wait_for(root);
                }
            }
        }
    }

    /// Calls a tool. What it lacks of generated code is in the index for as long as that takes.
    fn call_tool(&mut self, id: u32, tool: &str, args: &Value, door: Door) -> dispatch::Dispatched {
        // What a call left behind that failed in the close_generated(&mut middle.self.code);
        loop {
            let dispatched = dispatch::call(self, id, tool, args, door);
            match &dispatched.called {
                dispatch::Called::Waits(Awaited::Declarations(files))
                    if are_here(&self.code, files) =>
                {
                    open_generated(&mut self.code, files);
                }
                _ => {
                    close_generated(&mut self.code);
                    return dispatched;
                }
            }
        }
    }

    /// The view of the code that a call has.
    pub(crate) fn view<'a>(&'a self, call: &'a Call) -> View<'a> {
        let folders = self.contexts.folders.iter();
        View::new(
            &self.code,
            call,
            folders.map(|folder| folder.ledger.as_ref()).collect(),
        )
    }

    fn answer_waiting(&mut self, root: u32, path: &str) {
        let is_it = |place: &Place| place.root == root && place.path == path;
        for call in &mut self.waiting {
            if let Awaited::Files(places) = &mut call.awaited {
                places.retain(|place| !is_it(place));
            }
        }
        let is_here = |awaited: &Awaited| match awaited {
            Awaited::File(place) => is_it(place),
            Awaited::Files(places) => places.is_empty(),
            _ => false,
        };
        self.answer_those(is_here);
    }

    /// Answers the calls that waited for projects or the `.context/` of a root: they are here, or as far
    /// as they will come.
    pub(crate) fn answer_those_who_wait_for(&mut self, root: u32) {
        self.answer_those(|awaited| match awaited {
            Awaited::Projects(of) | Awaited::Context(of) => *of == root,
            _ => false,
        });
    }

    pub(crate) fn answer_those(&mut self, is_here: impl Fn(&Awaited) -> bool) {
        let here = take_those(&mut self.waiting, is_here);
        self.call_again(here);
    }

    /// Answers the calls that waited for texts alone, all of which are here.
    pub(crate) fn answer_those_with_texts(&mut self) {
        let disk = &self.code.disk;
        let here = take_those(&mut self.waiting, |awaited| match awaited {
            Awaited::Texts(wanted) | Awaited::Declarations(wanted) => {
                wanted.iter().all(|file| disk.contains_key(&file.path))
            }
            _ => false,
        });
        self.call_again(here);
    }

    fn call_again(&mut self, calls: Vec<WaitingCall>) {
        for call in calls {
            self.call(call.id, call.tool, call.args, call.door);
        }
    }

    /// What the call of this number waits to hear from language providers.
    pub(crate) fn question_awaited(&self, id: u32) -> Option<ProviderQuestion> {
        self.waiting.iter().find_map(|call| match &call.awaited {
            Awaited::Providers(asked, question) if *asked == id => Some(question.clone()),
            _ => None,
        })
    }

    /// Answers the call that waits for an edit.
    pub(crate) fn conclude_edit(&mut self, edit: u32, handled: ToolResult) {
        let is_it = |call: &WaitingCall| call.awaited == Awaited::Applied(edit);
        let Some(place) = self.waiting.iter().position(is_it) else {
            return;
        };
        let call = self.waiting.remove(place);
        let answer = dispatch::conclude(self, call.id, &call.tool, &call.args, call.door, handled);
        self.answer(call.id, (&call.tool, None), call.door, answer);
    }

    fn answer(
        &mut self,
        id: u32,
        (tool, subject): (&str, Option<String>),
        door: Door,
        answer: Answer,
    ) {
        if door.kind != DoorKind::Editor {
            self.spend.note(tool, subject, &answer);
        } else if tool == "codecortex_getContext" {
            // Who shows the window has it.
            self.window_told = self.window_seen();
        }
        self.providers.end(id);
        self.code.effects.push(Effect::Answer { id, answer });
        self.tell_disagreements();
    }

    /// Tells the folders `.context/` which files' facts are others.
    fn pass_touched_on(&mut self) {
        for (root, path) in std::mem::take(&mut self.code.touched) {
            self.contexts.touch(root, &path);
        }
    }

    fn after_event(&mut self) {
        self.pass_touched_on();
        self.code.names.get_mut().forget_old();
        self.code.mend();
        self.stay_below_ceiling();
        self.tell_window();
        self.ask_tick_if_due();
        let phase = self.code.phase();
        let settled = matches!(phase, Phase::Ready | Phase::Empty);
        if phase == Phase::Ready && !self.code.memory.is_without_bodies() {
            self.code.recent.get_mut().begin(self.code.revision);
        }
        if phase == Phase::Ready && self.waiting.is_empty() {
            self.code.import = None;
            // Without digests it would be no cache of the files.
            let is_whole = !self.code.memory.is_without_bodies();
            if self.code.unsaved_outcomes > 0 && !self.code.save_asked && is_whole {
                self.code.save_asked = true;
                self.code.effects.push(Effect::SaveCache);
            }
        }
        let due = self.ingested >= REPORT_EVERY;
        if self.reported != Some(phase) || due || settled && self.ingested > 0 {
            self.ingested = 0;
            self.reported = Some(phase);
            let state = self.state();
            self.code.effects.push(Effect::State { state });
        }
    }
}

/// Takes the calls out whose wait is over.
fn take_those(
    waiting: &mut Vec<WaitingCall>,
    is_here: impl Fn(&Awaited) -> bool,
) -> Vec<WaitingCall> {
    let (here, left) = std::mem::take(waiting)
        .into_iter()
        .partition(|call| is_here(&call.awaited));
    *waiting = left;
    here
}
