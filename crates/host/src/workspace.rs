//! An engine on a real disk: carries out what it asks for, and hands calls through.

use std::cell::Ref;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{
    Answer, Caller, CallerKind, CommitOutcome, Config, DirRef, DiskChange, Effect, Event,
    FetchedFile, FileRef, MemoryReply, MemoryRequest, ProviderReply, Request, Response, Root,
    Stamped, State, Unwatched,
};
use codecortex_engine::{
    Analysis, CacheBytes, ContextFailure, ContextReport, Engine, ErrorCode, ToolError,
};
use codecortex_scip::{ExportAccount, ExportedFile, ScipDocument};
use codecortex_syntax::{Limits, Outcome, SkipReason};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

mod calls;

pub use calls::OpenCall;

use crate::abandon::Afterwards;
use crate::cache_file::{CacheFile, cache_folder, state_folder};
use crate::clock::{now_ms, process_cpu, thread_cpu};
use crate::context_folder::Reservation;
use crate::context_trust::ContextTrust;
use crate::disk::{self, FileRead};
use crate::edit_files::EditRecord;
use crate::fault::FaultyStage;
use crate::folder_listings::{ListedFolders, News};
use crate::git_requests::{GitRequest, GitRequests};
use crate::model::{ModelAddress, ModelClient, Models};
use crate::observations::{Stores, no_such_root};
use crate::personal_settings::{personal_file, personal_of, stamp_of};
use crate::stats::Stats;
use crate::telemetry_log::TelemetryLog;
use crate::watcher::{Listener, QuietChanges};
use crate::watching::{Settled, Watching};
use crate::workers::{Done, Job, OnRest, Workers};
use crate::{abandon, context_folder, edit_files};

/// Results taken in before effects are carried out and callers looked after.
const AT_ONCE: usize = 64;
/// Making and writing a byte of cache takes about as long as reading and parsing this part of a
/// byte of source.
const WORTHWHILE: u64 = 20;
/// How often a long-lived workspace writes its cache at most.
const SAVE_EVERY: Duration = Duration::from_secs(60);
/// A process that writes `.context/` for longer than this is waited for no more: its lock is taken over
/// before.
const BUSY: Duration = Duration::from_secs(15);
/// A job that takes longer than this does not come back.
const PATIENCE: Duration = Duration::from_secs(600);

/// A process that makes `.context/` has noted that it is this user's long before.
const NEW_CONTEXT: Duration = Duration::from_secs(2);
/// How long a wait for a tick lasts before it is looked for an answer.
const TURN: Duration = Duration::from_millis(20);
/// How long a wait for a model lasts before other things are looked at.
const MODEL_TURN: Duration = Duration::from_millis(20);
/// What has to wait for longer than this is left to the next process.
const SOON: Duration = Duration::from_secs(60);

/// How a workspace is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folders, as [`crate::resolve_roots`] gives them.
    pub roots: Vec<Root>,
    /// The core's settings.
    pub config: Config,
    /// Threads that read files; as many as there are processors where it is `None`.
    pub threads: Option<usize>,
    /// Whether nothing is read from the cache and nothing written to it.
    pub no_cache: bool,
    /// Where caches are kept instead of the user's cache folder.
    pub cache_folder: Option<PathBuf>,
    /// Where marks and journals are kept instead of the user's state folder.
    pub state_folder: Option<PathBuf>,
    /// Whether a person vouches for every `.context/` that is there (SPEC D17).
    pub trust_contexts: bool,
    /// Whether to notice what changes later; without it, [`HostWorkspace::refresh`] looks anew.
    pub watch: bool,
    /// The model that may be asked.
    pub model: Option<ModelAddress>,
    /// Files that are not taken in because the engine failed at them: roots and paths.
    pub left_out: Arc<FxHashSet<(u32, String)>>,
    /// Is told what the engine is at before it is.
    #[cfg(test)]
    pub(crate) saboteur: Option<Saboteur>,
}

/// Fails in the engine's place, for tests of what comes of that.
#[cfg(test)]
#[derive(Clone)]
pub(crate) struct Saboteur(pub(crate) Arc<dyn Fn(&FaultyStage) + Send + Sync>);

#[cfg(test)]
impl std::fmt::Debug for Saboteur {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Saboteur")
    }
}

/// Is told what the engine does.
pub type StateListener = Box<dyn FnMut(&State) + Send>;

/// One workspace, its engine and its surroundings.
pub struct HostWorkspace {
    engine: Engine,
    roots: Vec<Root>,
    workers: Workers,
    cache: Option<CacheFile>,
    pub(crate) watching: Watching,
    /// What the engine was told of that last.
    told_unwatched: Option<Unwatched>,
    /// Whether the cache is older than the index.
    is_unsaved: bool,
    /// When the cache was written last.
    saved: Option<Instant>,
    /// Bytes that had been read then.
    read_at_save: u64,
    /// Every folder listed.
    listed: ListedFolders,
    answers: FxHashMap<u32, Answer>,
    next_call: u32,
    on_state: Option<StateListener>,
    /// Somebody wanted a `.context/`, which may be new.
    keeps_context: bool,
    cache_folder: Option<PathBuf>,
    trust: ContextTrust,
    /// The settings that the engine has.
    config: Config,
    /// The state of the person's own settings then.
    personal_stamp: Option<String>,
    /// Roots whose `.context/` is known to be this user's.
    trusted: Vec<bool>,
    state_folder: Option<PathBuf>,
    /// Stores of observations that were asked.
    stores: Stores,
    /// The log of telemetry, where there is one.
    telemetry: Option<TelemetryLog>,
    /// Locks of `.context/` that are kept after a conflict.
    reserved: Reservation,
    /// When the engine wants a tick.
    tick_at: Option<Instant>,
    models: Models,
    git: GitRequests,
    stats: Stats,
    started: Instant,
    cpu_at_start: Duration,
    /// What the engine is at, or was at when it failed.
    part: FaultyStage,
    /// What a call failed at.
    broken_at: Option<FaultyStage>,
    left_out: Arc<FxHashSet<(u32, String)>>,
    #[cfg(test)]
    saboteur: Option<Saboteur>,
}

impl HostWorkspace {
    /// Opens a workspace and begins to index it; [`HostWorkspace::run_until_ready`] goes on with it.
    #[must_use]
    pub fn open(options: Options) -> Self {
        let started = Instant::now();
        let cpu_at_start = process_cpu();
        abandon::bound_parses();
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.unwrap_or_else(cores).max(1);
        let limits = Limits {
            max_file_size: options.config.max_file_size,
            exclude_generated: options.config.exclude_generated,
        };
        let folder = options.cache_folder.clone().or_else(cache_folder);
        let state_folder = options.state_folder.clone().or_else(state_folder);
        // Before anything is read of what a killed process left half done.
        edit_files::recover(state_folder.as_deref(), &options.roots);
        let trust = ContextTrust::new(state_folder.as_deref());
        let trusted = trusted_roots(&trust, &options);
        let config = Config {
            untrusted_contexts: untrusted_paths(&options.roots, &trusted),
            personal: personal_of(&options.roots, personal_file().as_deref()),
            ..options.config
        };
        let cache = (!options.no_cache)
            .then(|| CacheFile::locate(&options.roots, folder.as_deref(), all(&trusted)))
            .flatten();
        let watching = Watching::start(&options.roots, folder.clone(), options.watch);
        let telemetry = TelemetryLog::locate(state_folder.as_deref(), &options.roots);
        let mut workspace = Self {
            engine: Engine::new(),
            workers: Workers::new(options.roots.clone(), limits, threads),
            roots: options.roots.clone(),
            cache,
            watching,
            told_unwatched: None,
            is_unsaved: false,
            saved: None,
            read_at_save: 0,
            listed: ListedFolders::default(),
            answers: FxHashMap::default(),
            next_call: 0,
            on_state: None,
            keeps_context: false,
            cache_folder: folder,
            trust,
            config: config.clone(),
            personal_stamp: stamp_of(personal_file().as_deref()),
            trusted,
            state_folder,
            stores: Stores::default(),
            telemetry,
            reserved: Reservation::default(),
            tick_at: None,
            models: Models::new(options.model.clone()),
            git: GitRequests::default(),
            stats: Stats {
                threads: threads as u32,
                ..Stats::default()
            },
            started,
            cpu_at_start,
            part: FaultyStage::Start,
            broken_at: None,
            left_out: options.left_out,
            #[cfg(test)]
            saboteur: options.saboteur,
        };
        workspace.import_cache();
        workspace.handle(Event::Configure {
            roots: options.roots,
            config,
        });
        if let Some(model) = options.model {
            workspace.handle(Event::Model {
                name: Some(model.model),
                slots: model.slots,
            });
        }
        workspace
    }

    /// What the engine is at, or was at when it failed.
    pub(crate) fn part(&self) -> &FaultyStage {
        self.broken_at.as_ref().unwrap_or(&self.part)
    }

    /// Whether a call failed in the middle: what the engine knows may be wrong.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken_at.is_some()
    }

    /// Has `codecortex_status` say what an engine before this one failed at.
    pub(crate) fn tell_faults(&mut self, faults: &[String]) {
        self.engine.tell_faults(faults.to_vec());
    }

    /// Asks to be told what the engine is doing, now and whenever that changes.
    pub fn on_state(&mut self, mut listener: StateListener) {
        listener(&self.engine.state());
        self.on_state = Some(listener);
    }

    /// Which files there are and what is known of each, for who asks without a call.
    #[must_use]
    pub fn analysis(&self) -> Ref<'_, Analysis> {
        self.engine.analysis()
    }

    /// What the engine is doing and how much it knows.
    #[must_use]
    pub fn state(&self) -> State {
        self.engine.state()
    }

    /// Bytes of text of the indexed files.
    #[must_use]
    pub fn indexed_bytes(&self) -> u64 {
        self.engine.indexed_bytes()
    }

    /// The folders.
    #[must_use]
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Whether nothing is left to list or read.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.workers.are_idle()
    }

    /// Has each of the threads that read files do something when it has no more to read.
    pub(crate) fn rest(&self, on_rest: OnRest) {
        abandon::end_idle();
        self.workers.rest(on_rest);
    }

    /// Lists, reads and indexes until nothing is left to do.
    pub fn run_until_ready(&mut self) {
        while self.step(PATIENCE) {}
    }

    /// Sends the engine the tick it asked for, if it is time. How long until it is, where it is not.
    pub fn tick_if_due(&mut self) -> Option<Duration> {
        let at = self.tick_at?;
        let wait = at.saturating_duration_since(Instant::now());
        if !wait.is_zero() {
            return Some(wait);
        }
        self.tick();
        self.tick_at
            .map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// Waits a moment for the tick that the engine asked for. False where it asked for none.
    fn wait_for_tick(&mut self) -> bool {
        if self.tick_at.is_none() {
            return false;
        }
        if let Some(wait) = self.tick_if_due() {
            std::thread::sleep(wait.min(TURN));
        }
        true
    }

    /// Sends the engine the ticks that it is time for, and those that follow at once.
    pub fn run_due_ticks(&mut self) {
        while self.tick_if_due().is_some_and(|wait| wait.is_zero()) {}
    }

    fn tick(&mut self) {
        self.tick_at = None;
        self.handle(Event::Tick { now_ms: now_ms() });
    }

    /// Makes the `.context/` of a root, or finds it.
    pub fn keep_context(&mut self, root: u32) {
        if let Some(root) = self.roots.get(root as usize) {
            context_folder::tidy(root);
        }
        self.handle(Event::KeepContext { root });
        self.keeps_context = true;
    }

    /// Whether a root's `.context/` came with the repository: it is not written.
    #[must_use]
    pub fn is_context_untrusted(&self, root: &Root) -> bool {
        let code = self.engine.analysis();
        code.config().untrusted_contexts.contains(&root.path)
    }

    /// Brings every `.context/` up to date now, after waiting for whoever writes there. What was found
    /// by root; none where a root has no such folder.
    pub fn update_contexts(&mut self) -> Vec<Option<ContextReport>> {
        let until = Instant::now() + BUSY;
        let roots = self.roots.len() as u32;
        loop {
            self.tick();
            self.run_due_ticks();
            let is_busy = |root| self.engine.context_failure(root) == Some(ContextFailure::Busy);
            if !(0..roots).any(is_busy) || Instant::now() > until {
                let reports = (0..roots).map(|root| self.engine.take_context_report(root));
                let reports = reports.collect();
                self.move_cache();
                return reports;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Makes now what later calls would have to wait for.
    pub fn prepare(&self) {
        self.engine.prepare();
    }

    /// Takes in what has come, after waiting for it at most this long. False when nothing came.
    pub fn step(&mut self, patience: Duration) -> bool {
        let waiting = Instant::now();
        let Some(first) = self.workers.next(patience) else {
            return false;
        };
        self.stats.waited += waiting.elapsed();
        let mut listings = Vec::new();
        let mut next = Some(first);
        let mut left = AT_ONCE;
        while let Some(done) = next {
            match done {
                Done::Listed(listing, cpu) => {
                    self.stats.scan_cpu += cpu;
                    self.listed.note(&listing);
                    listings.push(listing);
                }
                Done::Read(read, cpu) => {
                    self.stats.read_cpu += cpu;
                    self.ingest(*read);
                }
            }
            left -= 1;
            next = if left > 0 { self.workers.ready() } else { None };
        }
        if !listings.is_empty() {
            self.stats.scan_end = self.started.elapsed();
            self.handle(Event::Listed { listings });
        }
        true
    }

    fn ingest(&mut self, mut read: FileRead) {
        self.stats.read_end = self.started.elapsed();
        self.stats.files_read += 1;
        self.stats.bytes_read += read.size;
        let file = &read.file;
        if !self.left_out.is_empty()
            && (self.left_out.iter()).any(|(root, path)| (*root, path) == (file.root, &file.path))
        {
            let why = "The engine failed twice at it.".to_owned();
            read.outcome = Outcome::Skipped(SkipReason::Unreadable(why));
        }
        if !matches!(self.part, FaultyStage::Call(..)) {
            self.part = FaultyStage::File(file.root, file.path.clone());
        }
        #[cfg(test)]
        if !matches!(read.outcome, Outcome::Skipped(_)) {
            self.sabotage();
        }
        let before = thread_cpu();
        let effects = self.engine.ingest(
            file.root,
            &file.path,
            read.size,
            read.mtime_ms,
            read.outcome,
        );
        self.stats.index_cpu += thread_cpu().saturating_sub(before);
        self.carry_out(effects);
    }

    /// From now on somebody else's model is asked, one request at a time.
    pub fn open_model(&mut self, client: Arc<dyn ModelClient>) {
        let name = Some(client.name());
        self.models.use_client(client);
        self.handle(Event::Model { name, slots: 1 });
    }

    /// Takes in what models have answered, after waiting for it at most this long. Whether some is still awaited.
    pub fn take_model_answers(&mut self, patience: Duration) -> bool {
        let mut wait = patience;
        while let Some((id, outcome)) = self.models.next(wait) {
            let now_ms = now_ms();
            let reply = Response::Model { outcome };
            self.handle(Event::Replied { id, reply, now_ms });
            wait = Duration::ZERO;
        }
        self.models.is_busy()
    }

    /// Has the model do what waits for it, until nothing does that could be done within a minute. `on_step` is told how
    /// many texts are left, whenever that changes.
    pub fn run_model(&mut self, mut on_step: impl FnMut(usize)) {
        let mut told = None;
        loop {
            while self.step(Duration::ZERO) {}
            self.tick_if_due();
            self.take_git_replies(Duration::ZERO);
            let is_open = self.take_model_answers(MODEL_TURN) || self.git.is_busy();
            let left = self.engine.texts_in_the_making() + self.engine.operations_at_work();
            if told != Some(left) {
                told = Some(left);
                on_step(left);
            }
            let is_soon = self.tick_at.is_some_and(|at| at <= Instant::now() + SOON);
            if !is_open && (left == 0 || !is_soon) {
                return;
            }
        }
    }

    /// How many types another process is at, or was when it ended.
    #[must_use]
    pub fn texts_elsewhere(&self) -> usize {
        self.engine.texts_elsewhere()
    }

    /// How many texts wait that no more are sent for, with why.
    #[must_use]
    pub fn held_texts(&self) -> Option<(usize, String)> {
        self.engine.held_texts()
    }

    /// Paths of types whose texts wait after an attempt that failed, with why it did.
    #[must_use]
    pub fn failed_texts(&self) -> Vec<(String, String)> {
        self.engine.failed_texts()
    }

    /// Hands out every file of a root in the terms of SCIP, read from the disk as it is now.
    ///
    /// # Errors
    /// What `write` fails with.
    pub fn export_scip<E>(
        &mut self,
        root: u32,
        write: impl FnMut(ScipDocument) -> Result<(), E>,
    ) -> Result<ExportAccount, E> {
        // Manifests are read when a tool needs them.
        let args = json!({ "list": "projects" });
        drop(self.call("codecortex_status", args, Caller::default()));
        let effects = self.engine.verify();
        self.carry_out(effects);
        self.run_until_ready();
        let read = |file: ExportedFile<'_>| {
            let root = self.roots.get(file.root as usize)?;
            disk::bytes(root, file.path)
        };
        codecortex_scip::export_scip(&self.engine.analysis(), root, read, write)
    }

    /// Brings the index up to what the disk is now, changes of a moment ago included: by the
    /// watcher where there is one, by listing every folder where there is none.
    pub fn refresh(&mut self) {
        self.run_until_ready();
        self.follow_personal_settings();
        self.look_for_lost_roots();
        self.watch_again_if_due();
        match self.watching.settled_changes() {
            Settled::Paths(paths) => self.changed(paths),
            Settled::Check(paths) => {
                self.changed(paths);
                self.run_until_ready();
                self.check_watcher();
            }
            Settled::Unknown => drop(self.list_again()),
        }
        self.tell_watching();
        self.run_until_ready();
    }

    /// The person's own settings may have been changed by another program.
    fn follow_personal_settings(&mut self) {
        let path = personal_file();
        let stamp = stamp_of(path.as_deref());
        if self.personal_stamp == stamp {
            return;
        }
        self.personal_stamp = stamp;
        let personal = personal_of(&self.roots, path.as_deref());
        if personal != self.config.personal {
            self.config.personal = personal;
            self.handle(Event::Configure {
                roots: self.roots.clone(),
                config: self.config.clone(),
            });
            self.run_until_ready();
        }
    }

    /// Looks whether folders that could not be read can be now: no watcher tells when one that is gone comes back.
    fn look_for_lost_roots(&mut self) {
        let back = self.found_roots();
        self.changed(back);
        self.run_until_ready();
    }

    /// Paths of folders that could not be read and can be now.
    fn found_roots(&self) -> Vec<String> {
        let code = self.engine.analysis();
        let lost = code.workspace().unreadable_roots();
        // One whose disk does not answer would hold this thread.
        let lost = lost.filter(|root| {
            let dir = DirRef {
                root: *root,
                dir: String::new(),
            };
            !self.workers.hangs_at(&dir)
        });
        let lost = lost.filter_map(|root| self.roots.get(root as usize));
        let back = lost.filter(|root| std::fs::read_dir(&root.path).is_ok());
        back.map(|root| root.path.clone()).collect()
    }

    /// Lists everything; a watcher that did not tell of what changed is not asked for a while.
    pub(crate) fn check_watcher(&mut self) {
        let news = self.list_again();
        let told = self.watching.account_for(&news);
        self.changed(told);
    }

    /// Looks at every folder, for who cannot know what changed.
    pub(crate) fn look_anew(&mut self) {
        self.look_for_lost_roots();
        self.watch_again_if_due();
        self.list_again();
        self.tell_watching();
    }

    /// Has the disk tell of changes again, where it is time to try.
    fn watch_again_if_due(&mut self) {
        if self.watching.try_again_if_due(&self.listed.dirs()) {
            // Nobody told of what changed meanwhile.
            self.list_again();
            self.run_until_ready();
        }
    }

    /// Tells the engine how changes are found, where that is another way than before.
    fn tell_watching(&mut self) {
        let unwatched = self.watching.unwatched();
        if self.told_unwatched != unwatched {
            self.told_unwatched = unwatched;
            self.handle(Event::Watching { unwatched });
        }
    }

    /// Takes in what an editor does with a document: it opens, changes, saves or closes it (SPEC I1).
    pub fn tell(&mut self, event: Event) {
        self.handle(event);
    }

    /// Takes in what a watcher saw.
    pub fn changed(&mut self, paths: Vec<String>) {
        if !paths.is_empty() {
            self.watching.watch_contexts(&paths);
            self.handle(Event::Changed { paths });
        }
    }

    /// The next process looks for the cache in a `.context/` that was just made.
    fn move_cache(&mut self) {
        if std::mem::take(&mut self.keeps_context) && self.cache.is_some() {
            let cache = CacheFile::locate(
                &self.roots,
                self.cache_folder.as_deref(),
                all(&self.trusted),
            );
            if cache != self.cache {
                self.cache = cache;
                self.is_unsaved = true;
                self.read_at_save = 0;
                self.stats.cache_bytes = 0;
            }
        }
    }

    /// Is told, on another thread, whenever the disk tells of a change.
    pub(crate) fn on_disk_change(&mut self, listener: Listener) {
        self.watching.on_change(listener);
    }

    /// Is told, on another thread, whenever git has answered.
    pub(crate) fn on_git_reply(&mut self, listener: Listener) {
        self.git.on_reply(listener);
    }

    /// What changed, as [`crate::watcher::Watcher::quiet_changes`] says it.
    pub(crate) fn quiet_changes(&mut self, quiet: Duration, most: Duration) -> QuietChanges {
        self.watching.quiet_changes(quiet, most)
    }

    /// Lists every known folder anew and takes in those that changed. Those with changes of which a watcher tells.
    pub(crate) fn list_again(&mut self) -> Vec<DirRef> {
        self.watching.checks();
        let dirs = self.listed.dirs();
        self.workers.add(dirs.into_iter().map(Job::List), false);
        let mut changed = Vec::new();
        let mut told = Vec::new();
        while let Some(done) = self.workers.next(PATIENCE) {
            let Done::Listed(listing, _) = done else {
                continue;
            };
            let news = self.listed.note(&listing);
            if news == News::Told {
                told.push(DirRef {
                    root: listing.root,
                    dir: listing.dir.clone(),
                });
            }
            if news != News::Nothing {
                changed.push(listing);
            }
        }
        // A folder that is gone is no failure when the folder above says so first.
        changed.sort_by_key(|listing| listing.dir.len());
        if !changed.is_empty() {
            self.handle(Event::Listed { listings: changed });
        }
        told
    }

    /// What it took to get here.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut stats = self.stats.clone();
        stats.total = self.started.elapsed();
        stats.total_cpu = process_cpu().saturating_sub(self.cpu_at_start);
        stats
    }

    fn import_cache(&mut self) {
        let Some(cache) = &self.cache else { return };
        let begun = Instant::now();
        if let Some(bytes) = cache.load() {
            self.stats.cache_bytes = bytes.len();
            if !self.engine.import_cache(bytes) {
                tracing::info!("the cache is of another version; everything is read anew");
            }
        }
        self.stats.cache_load = begun.elapsed();
    }

    fn handle(&mut self, event: Event) {
        if let Some(part) = FaultyStage::from_event(&event) {
            self.part = part;
        }
        let before = thread_cpu();
        if matches!(event, Event::Call { .. }) {
            // It asks for nothing.
            self.engine.handle(Event::Time { now_ms: now_ms() });
        }
        let effects = self.tell_engine(event);
        self.stats.index_cpu += thread_cpu().saturating_sub(before);
        self.carry_out(effects);
    }

    fn tell_engine(&mut self, event: Event) -> Vec<Effect> {
        #[cfg(test)]
        self.sabotage();
        self.engine.handle(event)
    }

    #[cfg(test)]
    fn sabotage(&self) {
        if let Some(Saboteur(fail)) = &self.saboteur {
            fail(&self.part);
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::List { dirs } => {
                    self.watching.watch(&dirs);
                    self.workers.add(dirs.into_iter().map(Job::List), true);
                }
                Effect::Read { files, limits } => {
                    self.stats
                        .read_begin
                        .get_or_insert_with(|| self.started.elapsed());
                    // A single file is one that a caller waits for, or that was just saved.
                    let first = files.len() == 1;
                    let jobs = files.into_iter().map(|file| Job::Read(file, limits));
                    self.workers.add(jobs, first);
                }
                Effect::State { state } => {
                    if let Some(listener) = &mut self.on_state {
                        listener(&state);
                    }
                }
                Effect::SaveCache => self.is_unsaved = true,
                Effect::Ask { id, request, .. } => {
                    if let Some(reply) = self.reply_to(id, request) {
                        let now_ms = now_ms();
                        let event = Event::Replied { id, reply, now_ms };
                        effects.extend(self.tell_engine(event));
                    }
                }
                // Whatever else it was is done already.
                Effect::Cancel { id } => {
                    self.models.cancel(id);
                    self.git.cancel(id);
                }
                Effect::Disagreed { .. } => {}
                Effect::Tick { after_ms } => {
                    let at = Instant::now() + Duration::from_millis(u64::from(after_ms));
                    self.tick_at = Some(self.tick_at.map_or(at, |earlier| earlier.min(at)));
                }
                // Nobody looks at it here.
                Effect::WindowChanged => {}
                Effect::Notice { text } => {
                    tracing::error!("{text}");
                }
                Effect::KeepTelemetry { line } => self.keep_telemetry(&line),
                Effect::Answer { id, answer } => {
                    self.answers.insert(id, answer);
                }
            }
        }
    }

    /// Does what a question asks for; none where the reply comes later.
    fn reply_to(&mut self, id: u32, request: Request) -> Option<Response> {
        Some(match request {
            Request::Texts { files, confined } => Response::Texts {
                files: self.texts(files, confined),
            },
            Request::OutsideTexts { paths } => {
                let count = paths.len();
                let files = answered(count, move || {
                    let fetch = |path: &String| context_folder::fetch_path(path);
                    paths.iter().map(fetch).collect()
                });
                Response::Texts { files }
            }
            Request::Log { root, most } => {
                self.ask_git(id, root, GitRequest::Log { most });
                return None;
            }
            Request::Diff { root, of } => {
                self.ask_git(id, root, GitRequest::Diff { of });
                return None;
            }
            Request::Memory { root, request } => Response::Memory {
                reply: self.ask_store(root, request),
            },
            Request::Commit {
                root,
                expect,
                changes,
            } => Response::Commit {
                outcome: self.commit(root, &expect, &changes),
            },
            Request::Apply {
                summary,
                files,
                undoes,
            } => {
                let record = EditRecord {
                    summary,
                    undoes,
                    now_ms: now_ms(),
                };
                let state = self.state_folder.as_deref();
                let outcome = edit_files::apply(state, &self.roots, record, &files);
                Response::Apply { outcome }
            }
            Request::AppliedEdits { last_with_contents } => {
                let state = self.state_folder.as_deref();
                let found = edit_files::applied_edits(state, &self.roots, last_with_contents);
                let (edits, error) = match found {
                    Ok(edits) => (edits, None),
                    Err(error) => (Vec::new(), Some(format!("{error}."))),
                };
                Response::AppliedEdits { edits, error }
            }
            // No door of ours says that it can.
            Request::Providers { .. } => Response::Providers {
                reply: ProviderReply::default(),
            },
            Request::Telemetry => match &self.telemetry {
                Some(log) => log.read(),
                None => Response::Telemetry {
                    files: Vec::new(),
                    error: None,
                },
            },
            Request::Model { request } => {
                self.models.ask(id, request);
                return None;
            }
        })
    }

    /// Has what was counted since the last time kept, before the process ends (SPEC T1).
    pub fn end(&mut self) {
        if !self.is_broken() {
            self.handle(Event::Ending);
        }
    }

    /// Ends for a process that ends: the system takes the memory of the index back faster than dropping it would.
    pub fn leave(mut self) {
        self.end();
        std::mem::forget(self);
    }

    fn keep_telemetry(&self, line: &str) {
        let kept = self
            .telemetry
            .as_ref()
            .map(|log| log.append(line, now_ms()));
        if let Some(Err(error)) = kept {
            tracing::warn!(%error, "what answers cost is not kept");
        }
    }

    /// Has git asked about a root; nobody but who wants to know waits for it.
    fn ask_git(&mut self, id: u32, root: u32, request: GitRequest) {
        let root = self.roots.get(root as usize);
        let folder = root.map(|root| Path::new(&root.path));
        self.git.begin(id, folder, request, self.part.clone());
    }

    /// Texts of files of the roots.
    fn texts(&self, files: Vec<FileRef>, confined: bool) -> Vec<FetchedFile> {
        let roots = self.roots.clone();
        let count = files.len();
        answered(count, move || {
            let fetch = |file: &FileRef| {
                let root = roots.get(file.root as usize);
                root.map_or_else(FetchedFile::default, |root| {
                    context_folder::fetch(root, file, confined)
                })
            };
            files.iter().map(fetch).collect()
        })
    }

    /// Asks the store of a root, whose `.context/` is this user's where it is made for that.
    fn ask_store(&mut self, number: u32, request: MemoryRequest) -> MemoryReply {
        let Some(root) = self.roots.get(number as usize) else {
            return no_such_root();
        };
        let existed = has_context(root);
        let reply = self.stores.answer(Path::new(&root.path), request);
        if !existed && has_context(root) && self.trust.trust(root).is_ok() {
            self.trusted[number as usize] = true;
        }
        reply
    }

    /// Writes to the `.context/` of a root, which is this user's from then on where it is made now.
    fn commit(&mut self, number: u32, expect: &[Stamped], changes: &[DiskChange]) -> CommitOutcome {
        let Some(root) = self.roots.get(number as usize) else {
            return CommitOutcome::Conflict;
        };
        let is_known = self.trusted[number as usize];
        let existed = has_context(root);
        // It may have come meanwhile, with a checkout; or another process of this user is just making it.
        if !is_known && existed && !self.trust.is_trusted(root) {
            if is_context_new(root) {
                return CommitOutcome::Conflict;
            }
            return CommitOutcome::Failed {
                reason: format!(
                    "{}/.context: it came with the repository; `codecortex init` takes it over.",
                    root.path
                ),
            };
        }
        let outcome = context_folder::commit(root, expect, changes, &mut self.reserved);
        if !is_known && matches!(outcome, CommitOutcome::Done { .. }) {
            if let Err(error) = self.trust.trust(root) {
                tracing::warn!(%error, "the next process does not know that .context was made here");
            }
            self.trusted[number as usize] = true;
        }
        outcome
    }

    /// Writes the cache if it differs from the index.
    pub fn save(&mut self) {
        let Some(cache) = self.cache.as_ref().filter(|_| self.is_unsaved) else {
            return;
        };
        let begun = Instant::now();
        self.part = FaultyStage::Cache;
        let engine = &mut self.engine;
        if let Some(length) = cache.save(|out| engine.write_cache(out, now_ms())) {
            self.stats.cache_bytes = length;
        }
        self.is_unsaved = false;
        self.read_at_save = self.stats.bytes_read;
        self.saved = Some(Instant::now());
        self.stats.cache_save += begun.elapsed();
        self.part = FaultyStage::Start;
    }

    /// Writes the cache if that saves the next start more than it costs now: it is written as a
    /// whole, and a few files are sooner read again.
    pub fn save_if_worthwhile(&mut self) {
        let read = self.stats.bytes_read - self.read_at_save;
        if read * WORTHWHILE >= self.stats.cache_bytes {
            self.save();
        }
    }

    /// For who runs for long: [`HostWorkspace::save_if_worthwhile`], but not all the time.
    pub fn save_now_and_then(&mut self) {
        if self.saved.is_none_or(|saved| saved.elapsed() > SAVE_EVERY) {
            self.save_if_worthwhile();
        }
    }
}

/// What a disk gives of so many files, or that it does not answer.
fn answered(
    count: usize,
    fetch: impl FnOnce() -> Vec<FetchedFile> + Send + 'static,
) -> Vec<FetchedFile> {
    let files = abandon::within(abandon::limit(), Afterwards::Leave, fetch);
    files.unwrap_or_else(|| {
        let silent = FetchedFile {
            error: Some(format!(
                "The disk did not give it within {} s.",
                abandon::limit().as_secs()
            )),
            ..FetchedFile::default()
        };
        vec![silent; count]
    })
}

/// Which roots have a `.context/` of this user. What a person vouches for is noted.
fn trusted_roots(trust: &ContextTrust, options: &Options) -> Vec<bool> {
    let is_trusted = |root: &Root| {
        let is_there = has_context(root);
        if is_there && options.trust_contexts && !trust.is_trusted(root) {
            if let Err(error) = trust.trust(root) {
                tracing::warn!(%error, "the next process asks again whose .context this is");
            }
            return true;
        }
        is_there && trust.is_trusted(root)
    };
    options.roots.iter().map(is_trusted).collect()
}

/// The paths of roots that have a `.context/` for which nobody vouches.
fn untrusted_paths(roots: &[Root], trusted: &[bool]) -> Vec<String> {
    let untrusted = roots
        .iter()
        .zip(trusted)
        .filter(|(root, is_trusted)| !**is_trusted && has_context(root));
    untrusted.map(|(root, _)| root.path.clone()).collect()
}

/// Whether a root's folder was made a moment ago: whoever made it notes that it is theirs right after.
fn is_context_new(root: &Root) -> bool {
    let found = std::fs::symlink_metadata(Path::new(&root.path).join(".context"));
    let made = found.and_then(|found| found.created().or_else(|_| found.modified()));
    let age = made.ok().and_then(|made| made.elapsed().ok());
    age.is_none_or(|age| age < NEW_CONTEXT)
}

/// Whether a root has something of that name, whatever it is.
fn has_context(root: &Root) -> bool {
    std::fs::symlink_metadata(Path::new(&root.path).join(".context")).is_ok()
}

fn all(trusted: &[bool]) -> bool {
    trusted.iter().all(|is_trusted| *is_trusted)
}

/// A failure of ours as an answer in the forms that the door takes.
#[must_use]
pub fn internal_error(caller: Caller, message: &str) -> Answer {
    error_answer(
        caller,
        &ToolError::new(ErrorCode::InternalError, message)
            .hint("Call again; if it fails again, please report it with the log (`-v`)."),
    )
}

/// A failure as an answer in the forms that the door takes.
#[must_use]
pub fn error_answer(caller: Caller, error: &ToolError) -> Answer {
    Answer {
        ok: false,
        json: Some(error.accounted_envelope(caller.max_tokens)),
        text: (caller.kind == CallerKind::Mcp).then(|| error.text()),
    }
}
