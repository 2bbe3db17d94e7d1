//! Which files there are and what is known of each.

use std::cell::{Ref, RefCell, RefMut};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use codecortex_index::{FileId, Index, SearchQuery, SearchResult, SharedIds, Symbol};
use codecortex_live::Clock;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{
    Config, DirRef, Effect, FileRef, GivenUp, Located, Outbox, PersonalSettings, Phase, Request,
    Root, State, Unwatched,
};
use codecortex_syntax::Limits;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::access::Access;
use crate::asks::{Asker, Asks};
use crate::cache::{Cache, Import};
use crate::changes::Recent;
use crate::disk_text::DiskText;
use crate::documents::OpenDocument;
use crate::external::ExternalTypes;
use crate::folder_config::{FolderConfig, settings_of};
use crate::memory_limit::{EVERY, Memory};
use crate::outside::OutsideFiles;
use crate::projects::FolderProjects;
use crate::reference_index::ReferenceIndex;
use crate::workspace::{Status, WorkspaceFolders};

/// Revision, query and hits of a search; only as many as were shown are in their order.
pub type KeptSearch = (u32, SearchQuery, SearchResult);

/// The ids that are known.
#[derive(Debug, Default)]
pub struct Ids {
    /// Type and member ids to symbols, as they were when that was found out.
    pub known: FxHashMap<String, Symbol>,
    /// The revision of which every id is known.
    pub all_of: Option<u32>,
}

/// What a member is in: a type, or outside of types a file.
type MemberOwner = (Option<Symbol>, Option<FileId>);

/// Which short ids members of one type share, as far as that was asked.
#[derive(Debug, Default)]
pub struct KnownSharedIds {
    /// The revision that it is of.
    pub revision: u32,
    /// By type, or by file for what is declared outside of types.
    pub by_owner: FxHashMap<MemberOwner, Rc<SharedIds>>,
}

/// One workspace: its files, their facts, and what follows from them. It answers in plain values.
#[derive(Debug, Default)]
pub struct Analysis {
    /// The settings of the workspace.
    pub(crate) config: Config,
    /// Which files there are.
    pub(crate) workspace: WorkspaceFolders,
    /// What is known of each.
    pub(crate) index: Index,
    /// What changed lately.
    pub(crate) recent: RefCell<Recent>,
    /// Open documents by absolute path.
    pub(crate) documents: FxHashMap<String, OpenDocument>,
    /// Files that are not in the index and may be read (SPEC D12).
    pub(crate) outside: OutsideFiles,
    /// Declarations that are not in the workspace (SPEC AS3).
    pub(crate) external: ExternalTypes,
    /// Declarations of generated code that somebody named.
    pub(crate) generated: Generated,
    /// Grows with every change of the index.
    pub(crate) revision: u32,
    /// Whether somebody cancelled indexing.
    pub(crate) cancelled: bool,
    /// What was kept of an earlier run, until every file is here.
    pub(crate) import: Option<Import>,
    /// What keeps facts and bindings of files that nobody looked into.
    pub(crate) cache: Option<Arc<Cache>>,
    /// Whether all of it was looked at.
    pub(crate) is_cache_verified: bool,
    /// Outcomes that the last export or import does not have.
    pub(crate) unsaved_outcomes: u32,
    /// Whether the host was already asked to save them.
    pub(crate) save_asked: bool,
    /// Files to read though their size and time may look the same, by root.
    pub(crate) force: FxHashMap<u32, BTreeSet<String>>,
    /// The projects of each root.
    pub(crate) projects: Vec<FolderProjects>,
    /// Types that callers named lately (SPEC S2).
    pub(crate) access: RefCell<Access>,
    /// What was given up to stay below the memory ceiling.
    pub(crate) memory: Memory,
    /// The names of all files, for questions about uses.
    pub(crate) names: RefCell<ReferenceIndex>,
    /// Callers come back with the ids they were given.
    pub(crate) ids: RefCell<Ids>,
    /// Ids that are longer than usual, which every id has to know of.
    pub(crate) shared_ids: RefCell<KnownSharedIds>,
    /// The last search: pages of one search come one after the other.
    pub(crate) search: RefCell<Option<KeptSearch>>,
    /// The time as the host told it last.
    pub(crate) clock: Clock,
    /// Texts of files that a call waits for, as they are on the disk, by absolute path.
    pub(crate) disk: FxHashMap<String, DiskText>,
    /// Requests for texts on their way, with the files in their order.
    pub(crate) asked: FxHashMap<u32, Vec<Located>>,
    /// Root and path of files whose facts are others than when this was emptied last.
    pub(crate) touched: Vec<(u32, Box<str>)>,
    /// Questions to the host that are on their way.
    pub(crate) asks: Asks,
    /// The number of the last request to the host.
    pub(crate) last_request: u32,
    /// Why the host lists folders to find changes; none where it is told of them.
    pub(crate) unwatched: Option<Unwatched>,
    /// What people were told already.
    pub(crate) notices_shown: BTreeSet<String>,
}

impl Analysis {
    /// The settings that count for a root (SPEC D17).
    pub fn settings_of(&self, root: u32) -> FolderConfig {
        settings_of(self.workspace.folder_config(root), &self.personal_of(root))
    }

    /// What the person set for a root.
    pub fn personal_of(&self, root: u32) -> PersonalSettings {
        let root = self.workspace.roots.get(root as usize);
        let personal = root.and_then(|root| self.config.personal.get(&root.path));
        personal.cloned().unwrap_or_default()
    }

    /// The workspace begins anew: nothing is known of it but what a cache kept.
    pub fn begin(&mut self, outbox: &mut Outbox, roots: Vec<Root>, config: Config) {
        self.workspace = WorkspaceFolders::new(roots, &config);
        if !config.tokenizer.is_available() {
            self.notice(outbox,
                "This build counts tokens as characters / 4 only: it was made without the exact tokenizer."
                    .to_owned(),
            );
        }
        self.config = config;
        self.asks.begin();
        self.asked.clear();
        self.disk.clear();
        self.index = Index::new();
        self.attach_cache();
        self.external = ExternalTypes::default();
        self.generated = Generated::default();
        self.recent.get_mut().end();
        self.projects.clear();
        let roots = self.workspace.roots.len();
        self.projects.resize_with(roots, FolderProjects::default);
        self.access.take();
        self.memory = Memory::default();
        self.force.clear();
        self.cancelled = false;
        self.unsaved_outcomes = 0;
        self.save_asked = false;
        self.revision += 1;
        for document in self.documents.values_mut() {
            document.stale = true;
        }
        let dirs = self.workspace.start();
        self.list(outbox, dirs);
    }

    /// Behind an event: lets go of names nobody asks for, and has damaged files read again.
    pub fn idle(&mut self, outbox: &mut Outbox) {
        self.names.get_mut().forget_old();
        self.mend(outbox);
    }

    /// Bytes that it holds, roughly.
    pub fn held_bytes(&self) -> usize {
        let documents: usize = self.documents.values().map(OpenDocument::memory).sum();
        let cache = self.cache.as_ref().map_or(0, |cache| cache.memory());
        self.index.memory()
            + cache
            + documents
            + self.names.borrow().memory()
            + self.external.memory()
    }

    /// Gives memory up.
    pub fn shed(&mut self, outbox: &mut Outbox, step: GivenUp) {
        match step {
            GivenUp::Trees => self
                .documents
                .values_mut()
                .for_each(OpenDocument::drop_tree),
            GivenUp::Caches => {
                self.ids.take();
                self.search.take();
                self.index.drop_search_tables();
                self.names.take();
            }
            GivenUp::Bodies => {
                if !self.memory.is_without_bodies() {
                    self.notice(outbox,
                        "The memory ceiling is reached: hashes and kinds of change rest until the workspace is \
                         reindexed."
                            .to_owned(),
                    );
                }
                self.index.drop_layers();
                self.recent.get_mut().end();
            }
        }
        if !self.memory.given_up.contains(&step) {
            self.memory.given_up.push(step);
        }
    }

    /// The files of the index that are not left out: of some that are, it has the names.
    pub fn shown_files(&self) -> impl Iterator<Item = (FileId, &codecortex_index::IndexedFile)> {
        self.index.files().filter(|(_, file)| self.is_shown(file))
    }

    /// Whether a file of the index is not left out.
    pub fn is_shown(&self, file: &codecortex_index::IndexedFile) -> bool {
        let state = self.workspace.file(file.root, &file.path);
        state.is_none_or(|state| state.status != Status::Names)
    }

    /// Files that are not left out and whose facts are in the index.
    pub fn file_count(&self) -> usize {
        self.index.file_count() - self.workspace.names_only()
    }

    /// Bytes of text of the indexed files.
    #[must_use]
    pub fn indexed_bytes(&self) -> u64 {
        let bytes =
            |(_, file): (_, &codecortex_index::IndexedFile)| u64::from(file.facts.summary().bytes);
        self.index.files().map(bytes).sum()
    }

    /// How far indexing is.
    pub fn phase(&self) -> Phase {
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

    /// What of a workspace folder is not read as code.
    pub fn limits_of(&self, root: u32) -> Limits {
        let limits = self.workspace.limits_of(root);
        Limits {
            max_file_size: limits.max_file_size,
            exclude_generated: limits.exclude_generated,
        }
    }

    /// Has files read, each by the limits of its folder.
    pub fn read(&mut self, outbox: &mut Outbox, files: Vec<FileRef>) {
        let mut rest = files.into_iter().peekable();
        while let Some(first) = rest.next() {
            let limits = self.workspace.folder_limits(first.root);
            let has_same = |file: &FileRef| self.workspace.folder_limits(file.root) == limits;
            let mut files = vec![first];
            while let Some(file) = rest.next_if(has_same) {
                files.push(file);
            }
            outbox.push(Effect::Read { files, limits });
        }
    }

    /// What is not read as code where no folder says otherwise.
    pub fn limits(&self) -> Limits {
        Limits {
            max_file_size: self.config.max_file_size,
            exclude_generated: self.config.exclude_generated,
        }
    }

    /// Whether the text of a file in the answer is not saved (SPEC X2).
    pub fn is_unsaved(&self, file: FileId) -> bool {
        self.index.file(file).is_some_and(|file| {
            let root = self.workspace.roots.get(file.root as usize);
            root.and_then(|root| self.documents.get(&absolute_path(root, &file.path)))
                .is_some_and(|document| document.dirty)
        })
    }

    /// Has folders listed.
    pub fn list(&mut self, outbox: &mut Outbox, dirs: Vec<DirRef>) {
        if !dirs.is_empty() {
            outbox.push(Effect::List { dirs });
        }
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

    /// A number for a request to the host.
    pub fn next_request(&mut self) -> u32 {
        self.last_request = self.last_request.wrapping_add(1);
        self.last_request
    }

    /// Asks the host; the number of the question.
    pub fn ask(&mut self, outbox: &mut Outbox, asker: Asker, request: Request) -> u32 {
        let id = self.next_request();
        let call = match asker {
            Asker::Call { call, .. } => call,
            _ => None,
        };
        self.asks.note(id, asker);
        outbox.push(Effect::Ask { id, call, request });
        id
    }

    /// Takes a question back: its reply counts for nothing from now on.
    pub fn cancel_ask(&mut self, outbox: &mut Outbox, id: u32) {
        if self.asks.take(id).is_some() {
            outbox.push(Effect::Cancel { id });
        }
    }

    /// Takes the question of this number out: who asked it. None where nobody waits for the reply any more.
    pub fn take_asker(&mut self, id: u32) -> Option<Asker> {
        self.asks.take(id)
    }

    /// Whether somebody has asked something and waits for it.
    #[must_use]
    pub fn is_asked_by(&self, asker: Asker) -> bool {
        self.asks.is_asked_by(asker)
    }

    /// Has people told something, once.
    pub fn notice(&mut self, outbox: &mut Outbox, text: String) {
        if self.notices_shown.insert(text.clone()) {
            outbox.push(Effect::Notice { text });
        }
    }

    /// Whether it is time to look at how much is held: when indexing has ended, and after a number of changes.
    pub fn is_memory_look_due(&mut self) -> bool {
        let is_ready = self.phase() == Phase::Ready;
        let is_news = is_ready && !self.memory.is_settled;
        let is_due = self.revision.wrapping_sub(self.memory.looked) >= EVERY;
        self.memory.is_settled = is_ready;
        if is_news || is_due {
            self.memory.looked = self.revision;
        }
        is_news || is_due
    }

    /// Notes changes from now on, where all files are here and hashes can be told apart.
    pub fn begin_recent(&mut self) {
        if self.phase() == Phase::Ready && !self.memory.is_without_bodies() {
            self.recent.get_mut().begin(self.revision);
        }
    }
}

/// What others see of it without a view.
impl Analysis {
    /// What is known of each file.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Which files there are.
    #[must_use]
    pub fn workspace(&self) -> &WorkspaceFolders {
        &self.workspace
    }

    /// The workspace folders.
    #[must_use]
    pub fn roots(&self) -> &[Root] {
        &self.workspace.roots
    }

    /// The settings of the workspace.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Open documents by absolute path.
    #[must_use]
    pub fn documents(&self) -> &FxHashMap<String, OpenDocument> {
        &self.documents
    }

    /// The projects of each root.
    #[must_use]
    pub fn projects(&self) -> &[FolderProjects] {
        &self.projects
    }

    /// Files that are not in the index and may be read (SPEC D12).
    #[must_use]
    pub fn outside(&self) -> &OutsideFiles {
        &self.outside
    }

    /// Declarations that are not in the workspace (SPEC AS3).
    #[must_use]
    pub fn external(&self) -> &ExternalTypes {
        &self.external
    }

    /// Texts of files as they are on the disk, by absolute path; those that a call waits for.
    #[must_use]
    pub fn disk(&self) -> &FxHashMap<String, DiskText> {
        &self.disk
    }

    /// Grows with every change of the index.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// The time as the host told it last.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Types that callers named lately (SPEC S2).
    #[must_use]
    pub fn access(&self) -> Ref<'_, Access> {
        self.access.borrow()
    }

    /// A caller named a type.
    pub fn note_use(&self, root: u32, id: &str) {
        self.access.borrow_mut().touch(root, id);
    }

    /// Takes in what a root's file says of types that were named; what is wrong with the file.
    pub fn load_access(&mut self, root: u32, text: &str) -> Option<String> {
        self.access.get_mut().load(root, text)
    }

    /// What was given up to stay below the memory ceiling.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// What changed lately.
    pub fn recent(&self) -> RefMut<'_, Recent> {
        self.recent.borrow_mut()
    }

    /// The last search, to be continued or replaced.
    pub fn last_search(&self) -> RefMut<'_, Option<KeptSearch>> {
        self.search.borrow_mut()
    }

    /// The host told the time, in ms since 1970.
    pub fn tell_time(&mut self, now_ms: f64) {
        self.clock.tell(now_ms);
    }

    /// Takes the files whose facts are others than when this was called last, by root and path.
    pub fn take_touched(&mut self) -> Vec<(u32, Box<str>)> {
        std::mem::take(&mut self.touched)
    }

    /// Whether a watcher tells of changes, or why the host lists folders instead.
    pub fn watching(&mut self, unwatched: Option<Unwatched>) {
        self.unwatched = unwatched;
    }

    /// Why the host lists folders to find changes; none where it is told of them.
    #[must_use]
    pub fn unwatched(&self) -> Option<Unwatched> {
        self.unwatched
    }

    /// A folder was made, and no listing shows it yet.
    pub fn note_made(&mut self, root: u32, path: &str) {
        self.workspace.note_made(root, path);
    }
}

/// What is known of generated code besides its names.
#[derive(Debug, Default)]
pub struct Generated {
    /// Files that were read for calls that are not answered yet, whatever came of it.
    pub tried: FxHashSet<FileId>,
    /// Ids that answers gave, and the files of what they are of.
    pub ids: RefCell<FxHashMap<String, FileId>>,
}
