//! The engine: what happens on each event.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use codecortex_index::{FileId, Found, Index, SearchQuery, Symbol};
use codecortex_syntax::{Facts, Limits, Outcome, SkipReason, decode_outcome};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::access::Access;
use crate::actions::Action;
use crate::budget::Limit;
use crate::cache::{Cache, Import};
use crate::changes::Recent;
use crate::context::Contexts;
use crate::documents::OpenDocument;
use crate::generated::Generated;
use crate::live::Live;
use crate::memory::Memory;
use crate::names::Names;
use crate::outside::OutsideFiles;
use crate::paths::{Place, absolute_path, place_of};
use crate::projects::FolderProjects;
use crate::protocol::{
    Answer, Config, DirRef, Door, DoorKind, Effect, Event, FileRef, Listing, Phase, Root, Span,
    State,
};
use crate::providers::Providers;
use crate::providers::messages::ProviderQuestion;
use crate::spend::Spend;
use crate::tools::{self, Awaited};
use crate::window::{RootWindow, Sections, WindowState};
use crate::workspace::{FileState, Stat, Status, Wanted, Workspace};

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

/// Revision, query and hits of a search; only as many as were shown are in their order.
pub(crate) type KeptSearch = (u32, SearchQuery, Found);

/// The ids that are known.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    /// Type and member ids to symbols, as they were when that was found out.
    pub(crate) known: FxHashMap<String, Symbol>,
    /// The revision of which every id is known.
    pub(crate) all_of: Option<u32>,
}

/// Answers worth keeping.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// What the call that is being answered may cost.
    pub(crate) limit: Cell<Limit>,
    /// Whether it is a person's editor that asks.
    pub(crate) for_editor: Cell<bool>,
    /// Callers come back with the ids they were given.
    pub(crate) ids: RefCell<Ids>,
    /// The last search: pages of one search come one after the other.
    pub(crate) search: RefCell<Option<KeptSearch>>,
    /// What the window asked for.
    pub(crate) window: RefCell<crate::window::Memo>,
    /// During a call: the path of the symbol that it named first, on whose account the answer goes.
    pub(crate) subject: RefCell<Option<String>>,
    /// During a call: the id of a type, and what it was asked for as, where that is an alias.
    pub(crate) redirect: RefCell<Option<(String, String)>>,
}

/// One workspace.
#[derive(Debug)]
pub struct Engine {
    pub(crate) config: Config,
    pub(crate) workspace: Workspace,
    pub(crate) index: Index,
    pub(crate) recent: RefCell<Recent>,
    /// Open documents by absolute path.
    pub(crate) documents: FxHashMap<String, OpenDocument>,
    /// Files that are not in the index and may be read (SPEC D12).
    pub(crate) outside: OutsideFiles,
    /// Declarations of generated code that somebody named.
    pub(crate) generated: Generated,
    /// Grows with every change of the index.
    pub(crate) revision: u32,
    pub(crate) cancelled: bool,
    /// What was kept of an earlier run, until every file is here.
    pub(crate) import: Option<Import>,
    /// What keeps facts and bindings of files that nobody looked into.
    pub(crate) shelf: Option<Arc<Cache>>,
    /// Whether all of it was looked at.
    pub(crate) is_shelf_verified: bool,
    /// Outcomes that the last export or import does not have.
    pub(crate) unsaved_outcomes: u32,
    /// Whether the host was already asked to save them.
    pub(crate) save_asked: bool,
    pub(crate) memo: Memo,
    /// Files to read though their size and time may look the same, by root.
    pub(crate) force: FxHashMap<u32, BTreeSet<String>>,
    waiting: Vec<WaitingCall>,
    pub(crate) effects: Vec<Effect>,
    /// The projects of each root.
    pub(crate) projects: Vec<FolderProjects>,
    /// The `.context/` of each root.
    pub(crate) contexts: Contexts,
    /// Types that callers named lately (SPEC S2).
    pub(crate) access: RefCell<Access>,
    /// What the call that is being answered sets in motion.
    pub(crate) actions: RefCell<Vec<Action>>,
    /// What was given up to stay below the memory ceiling.
    pub(crate) memory: Memory,
    /// What people were told already.
    pub(crate) told: BTreeSet<String>,
    /// The past of documents, and what the editor shows.
    pub(crate) live: Live,
    /// The names of all files, for questions about uses.
    pub(crate) names: RefCell<Names>,
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

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            config: Config::default(),
            workspace: Workspace::default(),
            index: Index::new(),
            recent: RefCell::default(),
            documents: FxHashMap::default(),
            outside: OutsideFiles::default(),
            generated: Generated::default(),
            revision: 0,
            cancelled: false,
            import: None,
            shelf: None,
            is_shelf_verified: false,
            unsaved_outcomes: 0,
            save_asked: false,
            memo: Memo::default(),
            force: FxHashMap::default(),
            waiting: Vec::new(),
            effects: Vec::new(),
            projects: Vec::new(),
            contexts: Contexts::default(),
            access: RefCell::default(),
            actions: RefCell::default(),
            memory: Memory::default(),
            told: BTreeSet::new(),
            live: Live::default(),
            names: RefCell::default(),
            window: RefCell::default(),
            window_texts: FxHashMap::default(),
            window_told: (0, 0, 0),
            spend: Spend::default(),
            providers: Providers::default(),
            ingested: 0,
            reported: None,
        }
    }

    /// Takes in an event; gives what it makes necessary.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        self.record_event(&event);
        match event {
            Event::Configure { roots, config } => self.configure(roots, config),
            Event::Listed { listings } => self.listed(&listings),
            Event::Changed { paths } => self.changed(&paths),
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
                if let Some(document) = self.documents.get_mut(&normal(&path)) {
                    document.dirty = false;
                }
            }
            Event::Closed { path } => self.closed(&normal(&path)),
            Event::Time { now_ms } => self.live.clock.tell(now_ms),
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
                self.import = None;
                let (roots, config) = (self.workspace.roots.clone(), self.config.clone());
                self.configure(roots, config);
            }
            Event::CancelIndexing => self.cancel(),
            Event::Fetched { id, files, now_ms } => {
                self.live.clock.tell(now_ms);
                if !self.texts_fetched(id, &files) {
                    self.fetched(id, &files, now_ms as u64);
                }
            }
            Event::Committed {
                id,
                outcome,
                now_ms,
            } => {
                self.live.clock.tell(now_ms);
                if !self.recording_written(id, &outcome) {
                    self.committed(id, outcome, now_ms as u64);
                }
            }
            Event::Applied {
                id,
                outcome,
                now_ms,
            } => {
                self.live.clock.tell(now_ms);
                self.applied(id, &outcome);
            }
            Event::Consulted { id, reply } => self.consulted(id, reply),
            Event::Tick { now_ms } => {
                self.live.clock.tell(now_ms);
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
        std::mem::take(&mut self.effects)
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
        if self.workspace.file(root, path).is_some() {
            self.store(root, path, Stat { size, mtime_ms }, outcome);
            self.ingested += 1;
            self.unsaved_outcomes += 1;
            self.save_asked = false;
            self.answer_waiting(root, path);
            self.after_event();
        }
        std::mem::take(&mut self.effects)
    }

    /// Makes now what the second search would have to wait for: for hosts that serve many calls.
    pub fn prepare(&self) {
        self.index.prepare_search();
    }

    /// What the engine is doing and how much it knows.
    #[must_use]
    pub fn state(&self) -> State {
        State {
            phase: self.phase(),
            files: self.file_count() as u32,
            pending: self.workspace.pending() as u32,
            skipped: self.workspace.left_out_count() as u32,
            symbols: self.index.symbol_count() as u32,
            lines: u32::try_from(self.index.line_count()).unwrap_or(u32::MAX),
            revision: self.revision,
        }
    }

    /// The files of the index that are not left out: of some that are, it has the names.
    pub(crate) fn shown_files(&self) -> impl Iterator<Item = (FileId, &codecortex_index::File)> {
        self.index.files().filter(|(_, file)| self.is_shown(file))
    }

    /// Whether a file of the index is not left out.
    pub(crate) fn is_shown(&self, file: &codecortex_index::File) -> bool {
        let state = self.workspace.file(file.root, &file.path);
        state.is_none_or(|state| state.status != Status::Names)
    }

    /// Files that are not left out and whose facts are in the index.
    pub(crate) fn file_count(&self) -> usize {
        self.index.file_count() - self.workspace.names_only()
    }

    /// Bytes of text of the indexed files.
    #[must_use]
    pub fn indexed_bytes(&self) -> u64 {
        let bytes = |(_, file): (_, &codecortex_index::File)| u64::from(file.facts.brief().bytes);
        self.index.files().map(bytes).sum()
    }

    pub(crate) fn phase(&self) -> Phase {
        if self.workspace.roots.is_empty() {
            Phase::Empty
        } else if self.cancelled {
            Phase::Cancelled
        } else if self.workspace.listing > 0 {
            Phase::Scanning
        } else if self.workspace.pending() > 0 {
            Phase::Indexing
        } else {
            Phase::Ready
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits {
            max_file_size: self.config.max_file_size,
            exclude_generated: self.config.exclude_generated,
        }
    }

    /// Whether the text of a file in the answer is not saved (SPEC X2).
    pub(crate) fn is_unsaved(&self, file: FileId) -> bool {
        self.index.file(file).is_some_and(|file| {
            let root = self.workspace.roots.get(file.root as usize);
            root.and_then(|root| self.documents.get(&absolute_path(root, &file.path)))
                .is_some_and(|document| document.dirty)
        })
    }

    fn configure(&mut self, roots: Vec<Root>, config: Config) {
        let same_roots = self.workspace.roots == roots;
        self.workspace = Workspace::new(roots, &config);
        if !config.tokenizer.is_available() {
            self.notice(
                "This build counts tokens as characters / 4 only: it was made without the exact tokenizer."
                    .to_owned(),
            );
        }
        self.config = config;
        self.live.asked.clear();
        self.live.disk.clear();
        self.index = Index::new();
        self.begin_shelf();
        self.generated = Generated::default();
        self.recent.get_mut().end();
        self.projects.clear();
        self.projects
            .resize_with(self.workspace.roots.len(), FolderProjects::default);
        self.contexts.begin(self.workspace.roots.len());
        if !same_roots {
            let window = self.window.get_mut();
            window.roots.clear();
            let roots = self.workspace.roots.len();
            window.roots.resize_with(roots, RootWindow::default);
        }
        self.window_texts.clear();
        self.memo.window.take();
        self.access.take();
        self.memory = Memory::default();
        self.force.clear();
        self.cancelled = false;
        self.unsaved_outcomes = 0;
        self.save_asked = false;
        self.reported = None;
        self.revision += 1;
        for document in self.documents.values_mut() {
            document.stale = true;
        }
        let dirs = self.workspace.start();
        self.list(dirs);
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
            self.workspace.listing = self.workspace.listing.saturating_sub(1);
            let nothing = BTreeSet::new();
            let force = self.force.get(&listing.root).unwrap_or(&nothing);
            let Wanted {
                list: dirs,
                read: files,
                gone,
            } = self.workspace.listed(listing, force);
            if let Some(projects) = self.projects.get_mut(listing.root as usize) {
                projects.note(listing, &self.workspace);
                gone.iter().for_each(|file| projects.gone(&file.path));
            }
            for file in &gone {
                if self.index.file_id(file.root, &file.path).is_some() {
                    self.replace(file.root, &file.path, None);
                }
            }
            all_gone.extend(gone);
            list.extend(dirs);
            read.extend(files);
        }
        self.list(list);
        for file in all_gone {
            self.answer_waiting(file.root, &file.path);
        }
        let read: Vec<FileRef> = read
            .into_iter()
            .filter(|file| !self.take_from_cache(file))
            .collect();
        if !read.is_empty() && !self.cancelled {
            self.effects.push(Effect::Read { files: read });
        }
        if self.workspace.listing == 0 {
            self.force.clear();
        }
    }

    fn list(&mut self, dirs: Vec<DirRef>) {
        if !dirs.is_empty() {
            self.effects.push(Effect::List { dirs });
        }
    }

    fn store(&mut self, root: u32, path: &str, stat: Stat, outcome: Outcome) {
        let (facts, status) = taken_in(outcome);
        self.replace(root, path, facts);
        self.settle((root, path), FileState { stat, status });
    }

    /// Notes what became of a file.
    pub(crate) fn settle(&mut self, (root, path): (u32, &str), state: FileState) {
        self.workspace.set(root, path, state);
        // The editor's text wins: its facts are made again when somebody asks.
        let absolute = self
            .workspace
            .roots
            .get(root as usize)
            .map(|root| absolute_path(root, path));
        if let Some(document) = absolute.and_then(|path| self.documents.get_mut(&path)) {
            document.stale = true;
        }
    }

    /// Puts a file's facts into the index, or takes them out, and notes what that concerns.
    pub(crate) fn replace(&mut self, root: u32, path: &str, mut facts: Option<Facts>) {
        if let Some(facts) = facts.as_mut().filter(|_| self.memory.is_without_bodies()) {
            facts.layers = Default::default();
        }
        self.revision += 1;
        self.recent
            .get_mut()
            .replace(&mut self.index, (root, path), facts, self.revision);
        self.contexts.touch(root, path);
    }

    pub(crate) fn changed(&mut self, paths: &[String]) {
        let mut dirs = Vec::new();
        for path in paths {
            let Some(place) = place_of(path, &self.workspace.roots) else {
                continue;
            };
            for dir in self.workspace.changed(place.root, &place.path) {
                if !dirs.contains(&dir) {
                    dirs.push(dir);
                }
            }
            self.projects[place.root as usize].changed(&place.path);
            self.force.entry(place.root).or_default().insert(place.path);
        }
        self.workspace.listing += dirs.len();
        self.list(dirs);
    }

    fn closed(&mut self, path: &str) {
        let Some(document) = self.documents.remove(path) else {
            return;
        };
        let (history, last) = document.into_past();
        self.live.keep(path.to_owned(), history, last);
        self.outside.open.remove(path);
        // Back to what the disk has.
        self.changed(&[path.to_owned()]);
    }

    fn cancel(&mut self) {
        if self.workspace.pending() > 0 || self.workspace.listing > 0 {
            self.cancelled = true;
        }
    }

    /// Brings the facts of edited documents up to date (SPEC X2).
    fn refresh_documents(&mut self) {
        let limits = self.limits();
        for (path, document) in &mut self.documents {
            if !document.stale {
                continue;
            }
            let Some(place) = place_of(path, &self.workspace.roots) else {
                let before = self.outside.open.get(path);
                if let (Outcome::Facts(facts), _) = document.outcome(path, limits, before) {
                    self.outside.open.insert(path.clone(), facts);
                }
                continue;
            };
            // What is left out of the index stays out while it is open.
            let Some(state) = self.workspace.file(place.root, &place.path) else {
                continue;
            };
            let by_listing = matches!(
                &state.status,
                Status::Skipped(
                    SkipReason::Ignored
                        | SkipReason::Excluded
                        | SkipReason::Symlink
                        | SkipReason::NotAFile
                        | SkipReason::UnknownLanguage
                )
            );
            if by_listing {
                continue;
            }
            let stat = state.stat;
            let known = self.index.file_id(place.root, &place.path);
            let before = known.and_then(|id| self.index.file(id));
            let before = before.map(|file| &*file.facts);
            let status = match document.outcome(&place.path, limits, before) {
                (Outcome::Facts(mut facts), reuse) => {
                    // It will be saved in the encoding that it has on the disk.
                    if let Some(before) = before {
                        facts.looks = before.looks;
                    }
                    self.recent.get_mut().edit(
                        &mut self.index,
                        (place.root, &place.path),
                        facts,
                        reuse.as_ref(),
                        self.revision + 1,
                    );
                    Status::Indexed
                }
                (outcome, _) => {
                    let (facts, status) = taken_in(outcome);
                    self.recent.get_mut().replace(
                        &mut self.index,
                        (place.root, &place.path),
                        facts,
                        self.revision + 1,
                    );
                    status
                }
            };
            self.workspace
                .set(place.root, &place.path, FileState { stat, status });
            self.contexts.touch(place.root, &place.path);
            self.revision += 1;
        }
    }

    fn call(&mut self, id: u32, tool: String, args: Value, door: Door) {
        self.refresh_documents();
        *self.memo.redirect.get_mut() = None;
        *self.memo.subject.get_mut() = None;
        self.providers.begin(id, door.providers);
        self.memo.for_editor.set(door.kind == DoorKind::Editor);
        let mut called = self.call_tool(&tool, &args, door);
        let damaged = self.mend();
        if !damaged.is_empty() {
            // What it made of a file that is not as it was is not what it says.
            self.actions.get_mut().clear();
            called = tools::Called::Waits(Awaited::Files(damaged));
        }
        self.perform_actions();
        match called {
            tools::Called::Answer(answer) => self.answer(id, &tool, door, answer),
            tools::Called::Waits(awaited) => {
                let mut is_here = None;
                match &awaited {
                    Awaited::File(place) => self.effects.push(Effect::Read {
                        files: vec![FileRef {
                            root: place.root,
                            path: place.path.clone(),
                        }],
                    }),
                    Awaited::Projects(root) => {
                        is_here = self.want_projects(*root).then_some(*root);
                    }
                    Awaited::Context(root) => self.want_context(*root),
                    Awaited::Texts(files) => self.fetch_texts(files),
                    Awaited::Declarations(files) => self.fetch_texts(files),
                    Awaited::Providers(id, question) => self.effects.push(Effect::Consult {
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
        let disk = &self.live.disk;
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
    pub(crate) fn conclude_edit(&mut self, edit: u32, handled: tools::Handled) {
        let is_it = |call: &WaitingCall| call.awaited == Awaited::Applied(edit);
        let Some(place) = self.waiting.iter().position(is_it) else {
            return;
        };
        let call = self.waiting.remove(place);
        let answer = tools::conclude(self, &call.tool, &call.args, call.door, handled);
        self.answer(call.id, &call.tool, call.door, answer);
    }

    fn answer(&mut self, id: u32, tool: &str, door: Door, answer: Answer) {
        if door.kind != DoorKind::Editor {
            let subject = self.memo.subject.get_mut().take();
            self.spend.note(tool, subject, &answer);
        } else if tool == "codecortex_getContext" {
            // Who shows the window has it.
            self.window_told = self.window_seen();
        }
        self.providers.end(id);
        self.effects.push(Effect::Answer { id, answer });
        self.tell_disagreements();
    }

    fn after_event(&mut self) {
        self.names.get_mut().forget_old();
        self.mend();
        self.stay_below_ceiling();
        self.tell_window();
        self.ask_tick_if_due();
        let phase = self.phase();
        let settled = matches!(phase, Phase::Ready | Phase::Empty);
        if phase == Phase::Ready && !self.memory.is_without_bodies() {
            self.recent.get_mut().begin(self.revision);
        }
        if phase == Phase::Ready && self.waiting.is_empty() {
            self.import = None;
            // Without digests it would be no cache of the files.
            let is_whole = !self.memory.is_without_bodies();
            if self.unsaved_outcomes > 0 && !self.save_asked && is_whole {
                self.save_asked = true;
                self.effects.push(Effect::SaveCache);
            }
        }
        let due = self.ingested >= REPORT_EVERY;
        if self.reported != Some(phase) || due || settled && self.ingested > 0 {
            self.ingested = 0;
            self.reported = Some(phase);
            let state = self.state();
            self.effects.push(Effect::State { state });
        }
    }
}

/// What the index has of a file, and what it is then.
fn taken_in(outcome: Outcome) -> (Option<Facts>, Status) {
    match outcome {
        Outcome::Facts(facts) => (Some(facts), Status::Indexed),
        Outcome::Names(facts) => (Some(facts), Status::Names),
        Outcome::Skipped(reason) => (None, Status::Skipped(reason)),
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

pub(crate) fn normal(path: &str) -> String {
    path.replace('\\', "/")
}
