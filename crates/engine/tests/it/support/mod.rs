//! A host whose disk is a map: carries out effects the way the real ones do.
#![allow(
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    reason = "a module of tests"
)]

pub mod chance;
pub mod damage;

use std::collections::{BTreeMap, VecDeque};

use codecortex_engine::Engine;
use codecortex_engine::protocol::Answer;
use codecortex_engine::protocol::ApplyOutcome;
use codecortex_engine::protocol::Bytes;
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::CommitOutcome;
use codecortex_engine::protocol::Config;
use codecortex_engine::protocol::DiffOutcome;
use codecortex_engine::protocol::Disagreement;
use codecortex_engine::protocol::DiskChange;
use codecortex_engine::protocol::Effect;
use codecortex_engine::protocol::EntryKind;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::FetchedFile;
use codecortex_engine::protocol::FileRef;
use codecortex_engine::protocol::GitDiff;
use codecortex_engine::protocol::IgnoreFile;
use codecortex_engine::protocol::Listing;
use codecortex_engine::protocol::ListingEntry;
use codecortex_engine::protocol::ModelOutcome;
use codecortex_engine::protocol::PersonalSettings;
use codecortex_engine::protocol::Phase;
use codecortex_engine::protocol::ProviderQuestion;
use codecortex_engine::protocol::ProviderReply;
use codecortex_engine::protocol::ReadLimits;
use codecortex_engine::protocol::Root;
use codecortex_engine::protocol::Stamped;
use codecortex_engine::protocol::State;
use codecortex_engine::protocol::{AppliedEdit, FileEdit};
use codecortex_engine::protocol::{MemoryReply, MemoryRequest, ModelRequest, Request, Response};
use codecortex_memory::{InMemory, Sealed, Store};
use codecortex_syntax::{Limits, Outcome, SkipReason, analyse};
use serde_json::Value;

/// What a path of the disk is.
#[derive(Clone, Debug)]
pub enum Node {
    File(Vec<u8>),
    Link(Option<String>),
    Pipe,
    Denied,
}

/// What language providers say to a question.
pub type Providers = Box<dyn FnMut(&ProviderQuestion) -> ProviderReply>;

/// An engine with its disk.
pub struct Host {
    pub engine: Engine,
    /// Absolute path to content.
    pub disk: BTreeMap<String, Node>,
    pub roots: Vec<Root>,
    pub config: Config,
    /// Lines of the log of telemetry.
    pub telemetry: Vec<String>,
    pub clock: f64,
    pub mtimes: BTreeMap<String, f64>,
    answers: BTreeMap<u32, Answer>,
    next_call: u32,
    /// The commits of every root, as `Response::Log` has them.
    pub log: Option<String>,
    /// What differs, whatever is asked; without it there is no git.
    pub diff: Option<GitDiff>,
    /// Observations, as a host keeps them that does not look into them.
    pub observations: InMemory,
    /// What becomes of the next requests to a store instead of being carried out.
    pub refuse_memory: Vec<MemoryReply>,
    /// What was asked of stores.
    pub asked_of_memory: Vec<MemoryRequest>,
    /// Every file that was read.
    pub reads: Vec<String>,
    pub saves: usize,
    pub last_state: Option<State>,
    /// How often it was told that the window may be another one.
    pub window_changes: usize,
    /// What people were told.
    pub notices: Vec<String>,
    /// The earliest tick that the engine asked for, in ms from then.
    pub tick_asked: Option<u32>,
    /// What becomes of the next commits instead of being carried out.
    pub refuse: Vec<CommitOutcome>,
    /// What becomes of the next edits instead of being carried out.
    pub refuse_edits: Vec<ApplyOutcome>,
    /// Edits wait here instead of being carried out.
    pub hold_edits: bool,
    pub held_edits: Vec<(u32, Vec<FileEdit>)>,
    /// What it says of edits that can be taken back.
    pub applied_edits: Vec<AppliedEdit>,
    /// Differences wait here instead of being read.
    pub hold_diffs: bool,
    pub held_diffs: Vec<u32>,
    /// Questions to a store wait here instead of being answered.
    pub hold_memory: bool,
    pub held_memory: Vec<(u32, MemoryRequest)>,
    /// Files that were written, moved or deleted by commits.
    pub committed: Vec<String>,
    /// A commit ends after this many of its steps, and the process with it.
    pub die_after: Option<usize>,
    /// Reads wait here instead of being carried out.
    pub hold_reads: bool,
    pub held: Vec<(FileRef, Option<ReadLimits>)>,
    /// The editor's language providers; without them every question fails.
    pub providers: Option<Providers>,
    /// What they were asked.
    pub questions: Vec<ProviderQuestion>,
    /// Files outside every root that were read.
    pub fetched_outside: Vec<String>,
    /// What the log was told.
    pub disagreements: Vec<Disagreement>,
    /// What the model was asked, and which questions were taken back.
    pub jobs: Vec<(u32, ModelRequest)>,
    pub withdrawn: Vec<u32>,
}

impl Host {
    /// Does what a store is asked to.
    fn remember(&mut self, _root: u32, request: MemoryRequest) -> MemoryReply {
        self.asked_of_memory.push(request.clone());
        if !self.refuse_memory.is_empty() {
            return self.refuse_memory.remove(0);
        }
        let recorded = |ids: Vec<u64>| MemoryReply::Recorded {
            ids,
            warnings: Vec::new(),
        };
        match request {
            MemoryRequest::Place => MemoryReply::Place {
                branch: Some("main".to_owned()),
                worktree: None,
            },
            MemoryRequest::Append { records, .. } => {
                let sealed = records
                    .into_iter()
                    .map(|record| Sealed::from_json(record).unwrap());
                recorded(self.observations.append(sealed.collect()).unwrap().ids)
            }
            MemoryRequest::Recall { .. } => MemoryReply::Log {
                bytes: Some(Bytes(self.observations.text().to_vec())),
                backend: "jsonl".to_owned(),
            },
            MemoryRequest::Purge { ids, ts, .. } => {
                recorded(vec![self.observations.purge(&ids, &ts).unwrap()])
            }
        }
    }

    /// `files` is written as a fixture: `//- /path` starts a file.
    pub fn new(fixture: &str) -> Self {
        let mut host = Self::empty(&[("app", "/w/app")]);
        for (path, text) in parse_fixture(fixture) {
            host.write(&format!("/w{path}"), &text);
        }
        host.configure();
        host
    }

    pub fn empty(roots: &[(&str, &str)]) -> Self {
        Self {
            engine: Engine::new(),
            disk: BTreeMap::new(),
            roots: roots
                .iter()
                .map(|(name, path)| Root {
                    name: (*name).into(),
                    path: (*path).into(),
                    link: None,
                })
                .collect(),
            // Its ticks are no other test's.
            config: Config {
                telemetry: false,
                ..Config::default()
            },
            telemetry: Vec::new(),
            clock: 1e12,
            mtimes: BTreeMap::new(),
            answers: BTreeMap::new(),
            next_call: 1,
            log: None,
            diff: None,
            observations: InMemory::default(),
            refuse_memory: Vec::new(),
            asked_of_memory: Vec::new(),
            reads: Vec::new(),
            saves: 0,
            last_state: None,
            window_changes: 0,
            notices: Vec::new(),
            tick_asked: None,
            refuse: Vec::new(),
            refuse_edits: Vec::new(),
            hold_edits: false,
            held_edits: Vec::new(),
            applied_edits: Vec::new(),
            hold_diffs: false,
            held_diffs: Vec::new(),
            hold_memory: false,
            held_memory: Vec::new(),
            committed: Vec::new(),
            die_after: None,
            hold_reads: false,
            held: Vec::new(),
            providers: None,
            questions: Vec::new(),
            fetched_outside: Vec::new(),
            disagreements: Vec::new(),
            jobs: Vec::new(),
            withdrawn: Vec::new(),
        }
    }

    pub fn write(&mut self, path: &str, text: &str) {
        self.put(path, Node::File(text.as_bytes().to_vec()));
    }

    pub fn put(&mut self, path: &str, node: Node) {
        self.clock += 10_000.0;
        self.mtimes.insert(path.into(), self.clock);
        self.disk.insert(path.into(), node);
    }

    /// The person sets something for every root.
    pub fn person_sets(&mut self, change: impl Fn(&mut PersonalSettings)) {
        for root in &self.roots {
            change(self.config.personal.entry(root.path.clone()).or_default());
        }
        self.configure();
        self.settle();
    }

    pub fn configure(&mut self) {
        let event = Event::Configure {
            roots: self.roots.clone(),
            config: self.config.clone(),
        };
        self.send(event);
    }

    /// A new process on the same disk.
    pub fn restart(&mut self, cache: impl codecortex_engine::CacheBytes + 'static) {
        self.engine = Engine::new();
        self.reads.clear();
        self.saves = 0;
        assert!(self.engine.import_cache(cache));
        self.configure();
    }

    /// What a watcher would tell.
    pub fn touched(&mut self, paths: &[&str]) {
        self.send(Event::Changed {
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        });
    }

    pub fn send(&mut self, event: Event) {
        let effects = self.engine.handle(event);
        self.perform(effects);
    }

    pub fn release(&mut self) {
        self.hold_reads = false;
        for (file, limits) in std::mem::take(&mut self.held) {
            let effects = self.read(&file, limits);
            self.perform(effects);
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        let mut queue = VecDeque::from(effects);
        while let Some(effect) = queue.pop_front() {
            match effect {
                Effect::List { dirs } => {
                    let listings = dirs
                        .iter()
                        .map(|dir| self.list(dir.root, &dir.dir))
                        .collect();
                    queue.extend(self.engine.handle(Event::Listed { listings }));
                }
                Effect::Read { files, limits } if self.hold_reads => {
                    self.held
                        .extend(files.into_iter().map(|file| (file, limits)));
                }
                Effect::Read { files, limits } => {
                    for file in files {
                        queue.extend(self.read(&file, limits));
                    }
                }
                Effect::State { state } => self.last_state = Some(state),
                Effect::SaveCache => self.saves += 1,
                Effect::Ask { id, request, .. } => {
                    if let Some(reply) = self.reply_to(id, request, &mut queue) {
                        queue.extend(self.reply(id, reply));
                    }
                }
                Effect::Cancel { id } => self.withdrawn.push(id),
                Effect::Disagreed { disagreements } => self.disagreements.extend(disagreements),
                Effect::Tick { after_ms } => {
                    let asked = self
                        .tick_asked
                        .map_or(after_ms, |asked| asked.min(after_ms));
                    self.tick_asked = Some(asked);
                }
                Effect::KeepTelemetry { line } => self.telemetry.push(line),
                Effect::WindowChanged => self.window_changes += 1,
                Effect::Notice { text } => self.notices.push(text),
                Effect::Answer { id, answer } => {
                    self.answers.insert(id, answer);
                }
            }
        }
    }

    /// What a host replies to a question; none while it is thought about.
    fn reply_to(
        &mut self,
        id: u32,
        request: Request,
        queue: &mut VecDeque<Effect>,
    ) -> Option<Response> {
        Some(match request {
            Request::Texts { files, .. } => Response::Texts {
                files: files.iter().map(|file| self.fetch(file)).collect(),
            },
            Request::OutsideTexts { paths } => {
                let files = paths.iter().map(|path| self.fetch_path(path)).collect();
                self.fetched_outside.extend(paths);
                Response::Texts { files }
            }
            Request::Log { .. } => Response::Log {
                log: self.log.clone(),
            },
            Request::Diff { .. } if self.hold_diffs => {
                self.held_diffs.push(id);
                return None;
            }
            Request::Diff { .. } => self.diff_reply(),
            Request::Memory { request, .. } if self.hold_memory => {
                self.held_memory.push((id, request));
                return None;
            }
            Request::Memory { root, request } => Response::Memory {
                reply: self.remember(root, request),
            },
            Request::Commit {
                root,
                expect,
                changes,
            } => {
                let outcome = match self.refuse.pop() {
                    Some(outcome) => outcome,
                    None => self.commit(root, &expect, &changes),
                };
                if self.die_after == Some(0) {
                    return None;
                }
                Response::Commit { outcome }
            }
            Request::Apply { files, .. } if self.hold_edits => {
                self.held_edits.push((id, files));
                return None;
            }
            Request::Apply { files, .. } => {
                queue.extend(self.apply(id, &files));
                return None;
            }
            Request::AppliedEdits { .. } => Response::AppliedEdits {
                edits: self.applied_edits.clone(),
                error: None,
            },
            Request::Telemetry => Response::Telemetry {
                files: vec![self.telemetry.join("\n")],
                error: None,
            },
            Request::Providers { question } => {
                let providers = self.providers.as_mut();
                let reply = providers.map_or_else(ProviderReply::default, |ask| ask(&question));
                self.questions.push(question);
                Response::Providers { reply }
            }
            Request::Model { request } => {
                self.jobs.push((id, request));
                return None;
            }
        })
    }

    fn diff_reply(&self) -> Response {
        let diff = self.diff.clone();
        Response::Diff {
            outcome: diff.map_or_else(no_git, |diff| DiffOutcome::Done { diff }),
        }
    }

    fn reply(&mut self, id: u32, reply: Response) -> Vec<Effect> {
        let now_ms = self.clock;
        self.engine.handle(Event::Replied { id, reply, now_ms })
    }

    /// Replies to a question that was held.
    pub fn send_reply(&mut self, id: u32, reply: Response) {
        let effects = self.reply(id, reply);
        self.perform(effects);
    }

    /// Gives the differences that were held.
    pub fn release_diffs(&mut self) {
        self.hold_diffs = false;
        for id in std::mem::take(&mut self.held_diffs) {
            let reply = self.diff_reply();
            self.send_reply(id, reply);
        }
    }

    /// Has the store do what was held.
    pub fn release_memory(&mut self) {
        self.hold_memory = false;
        for (id, request) in std::mem::take(&mut self.held_memory) {
            let reply = self.remember(0, request);
            self.send_reply(id, Response::Memory { reply });
        }
    }

    /// Carries an edit out, in the editor or on the disk.
    pub fn apply(&mut self, id: u32, files: &[FileEdit]) -> Vec<Effect> {
        let mut effects = Vec::new();
        let outcome = self.refuse_edits.pop().unwrap_or_else(|| {
            let is_as_expected = |file: &&FileEdit| {
                let stamp = self.mtimes.get(&file.path).map(ToString::to_string);
                file.version.is_some() || stamp == file.stamp
            };
            match files.iter().find(|file| !is_as_expected(file)) {
                Some(file) => ApplyOutcome::Conflict {
                    path: file.path.clone(),
                    not_restored: Vec::new(),
                },
                None => ApplyOutcome::Done,
            }
        });
        for file in files.iter().filter(|_| outcome == ApplyOutcome::Done) {
            if file.deleted || file.moved_to.is_some() {
                self.disk.remove(&file.path);
                self.mtimes.remove(&file.path);
            }
            let path = file.moved_to.as_ref().unwrap_or(&file.path);
            match (&file.bytes, file.version) {
                (None, _) if file.deleted => {}
                (Some(bytes), _) => self.put(path, Node::File(bytes.0.clone())),
                (None, version) => effects.extend(self.engine.handle(Event::Edited {
                    path: file.path.clone(),
                    version: version.unwrap() + 1,
                    // As VS Code tells them: from the end to the start.
                    changes: file.changes.iter().rev().cloned().collect(),
                    dirty: true,
                })),
            }
        }
        effects.extend(self.reply(id, Response::Apply { outcome }));
        effects
    }

    /// Carries out the edits that were held.
    pub fn release_edits(&mut self) {
        self.hold_edits = false;
        for (id, files) in std::mem::take(&mut self.held_edits) {
            let effects = self.apply(id, &files);
            self.perform(effects);
        }
    }

    /// Lets the time pass that the engine wants to wait, but for hours, until it wants nothing more.
    pub fn settle(&mut self) {
        while let Some(wait) = self.tick_asked.filter(|wait| *wait < 900_000) {
            self.tick_asked = None;
            self.clock += f64::from(wait);
            let now_ms = self.clock;
            self.send(Event::Tick { now_ms });
        }
    }

    fn absolute(&self, root: u32, path: &str) -> String {
        format!("{}/{path}", self.roots[root as usize].path)
    }

    fn fetch(&self, file: &FileRef) -> FetchedFile {
        self.fetch_path(&self.absolute(file.root, &file.path))
    }

    fn fetch_path(&self, path: &str) -> FetchedFile {
        match self.disk.get(path) {
            Some(Node::File(bytes)) => FetchedFile {
                bytes: Some(Bytes(bytes.clone())),
                stamp: Some(self.mtimes[path].to_string()),
                error: None,
            },
            Some(_) => FetchedFile {
                error: Some("It is no file.".into()),
                ..FetchedFile::default()
            },
            None => FetchedFile::default(),
        }
    }

    fn commit(&mut self, root: u32, expect: &[Stamped], changes: &[DiskChange]) -> CommitOutcome {
        let stamp = |host: &Self, path: &str| {
            let path = host.absolute(root, path);
            host.mtimes.get(&path).map(ToString::to_string)
        };
        if expect
            .iter()
            .any(|file| stamp(self, &file.path) != file.stamp)
        {
            return CommitOutcome::Conflict;
        }
        for change in changes {
            match &mut self.die_after {
                Some(0) => break,
                Some(left) => *left -= 1,
                None => {}
            }
            let at = |path: &str| format!("{}/{path}", self.roots[root as usize].path);
            match change {
                DiskChange::Write { path, bytes } => {
                    self.committed.push(path.clone());
                    self.put(&at(path), Node::File(bytes.0.clone()));
                }
                DiskChange::Append { path, text } => {
                    let path = at(path);
                    let mut bytes = match self.disk.get(&path) {
                        Some(Node::File(bytes)) => bytes.clone(),
                        _ => Vec::new(),
                    };
                    bytes.extend_from_slice(text.as_bytes());
                    self.put(&path, Node::File(bytes));
                }
                DiskChange::Move { from, to } => {
                    let (from, to) = (at(from), at(to));
                    if let Some(node) = self.disk.remove(&from) {
                        self.mtimes.remove(&from);
                        self.put(&to, node);
                    }
                }
                DiskChange::Delete { path } => {
                    let path = at(path);
                    self.disk.remove(&path);
                    self.mtimes.remove(&path);
                }
            }
        }
        CommitOutcome::Done {
            stamps: expect.iter().map(|file| stamp(self, &file.path)).collect(),
        }
    }

    /// The text of a file of the disk.
    pub fn text(&self, path: &str) -> Option<String> {
        match self.disk.get(path)? {
            Node::File(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        }
    }

    fn list(&self, root: u32, dir: &str) -> Listing {
        let base = &self.roots[root as usize].path;
        let folder = if dir.is_empty() {
            base.clone()
        } else {
            format!("{base}/{dir}")
        };
        let prefix = format!("{folder}/");
        let mut entries: BTreeMap<String, ListingEntry> = BTreeMap::new();
        let mut error = None;
        for (path, node) in &self.disk {
            if *path == folder && matches!(node, Node::Denied) {
                error = Some("permission denied".to_owned());
            }
            let Some(rest) = path.strip_prefix(&prefix) else {
                continue;
            };
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, EntryKind::Dir),
                None => (
                    rest,
                    match node {
                        Node::File(_) => EntryKind::File,
                        Node::Link(_) => EntryKind::Symlink,
                        Node::Pipe => EntryKind::Other,
                        Node::Denied => EntryKind::Dir,
                    },
                ),
            };
            let is_leaf = kind != EntryKind::Dir;
            entries.insert(
                name.to_owned(),
                ListingEntry {
                    name: name.to_owned(),
                    kind,
                    size: match node {
                        Node::File(bytes) if is_leaf => bytes.len() as f64,
                        _ => 0.0,
                    },
                    mtime_ms: if is_leaf { self.mtimes[path] } else { 0.0 },
                    changed_ms: 0.0,
                    target: match node {
                        Node::Link(target) => target.clone(),
                        _ => None,
                    },
                },
            );
        }
        let names = [
            ".gitignore",
            ".ignore",
            ".git/info/exclude",
            ".context/config.json",
        ];
        let ignore_files = names
            .into_iter()
            .filter(|name| dir.is_empty() || !name.contains('/'))
            .filter_map(|name| match self.disk.get(&format!("{prefix}{name}")) {
                Some(Node::File(bytes)) => Some(IgnoreFile {
                    name: name.into(),
                    text: String::from_utf8_lossy(bytes).into_owned(),
                    above: String::new(),
                }),
                _ => None,
            })
            .collect();
        Listing {
            root,
            dir: dir.into(),
            entries: entries.into_values().collect(),
            ignore_files,
            error,
        }
    }

    fn read(&mut self, file: &FileRef, own: Option<ReadLimits>) -> Vec<Effect> {
        let path = format!("{}/{}", self.roots[file.root as usize].path, file.path);
        self.reads.push(path.clone());
        let limits = Limits {
            max_file_size: own.map_or(self.config.max_file_size, |own| own.max_file_size),
            exclude_generated: own
                .map_or(self.config.exclude_generated, |own| own.exclude_generated),
        };
        let (size, outcome) = match self.disk.get(&path) {
            Some(Node::File(bytes)) => (bytes.len(), analyse(&file.path, bytes, limits)),
            _ => (
                0,
                Outcome::Skipped(SkipReason::Unreadable("no such file".into())),
            ),
        };
        let mtime = self.mtimes.get(&path).copied().unwrap_or_default();
        self.engine
            .ingest(file.root, &file.path, size as u64, mtime, outcome)
    }

    /// The model answers what it was asked under this number.
    pub fn model_says(&mut self, id: u32, text: &str) {
        let outcome = ModelOutcome::Answered {
            text: text.to_owned(),
            calls: Vec::new(),
            usage: None,
        };
        self.model_ends(id, outcome);
    }

    pub fn model_ends(&mut self, id: u32, outcome: ModelOutcome) {
        self.send_reply(id, Response::Model { outcome });
        self.settle();
    }

    /// Calls a tool; `None` while the answer is waited for.
    pub fn try_call(&mut self, tool: &str, args: Value, caller: Caller) -> Option<Answer> {
        let id = self.begin_call(tool, args, caller);
        self.answers.remove(&id)
    }

    /// Nobody wants the answer to a call any more.
    pub fn cancel(&mut self, id: u32) -> Option<Answer> {
        self.send(Event::CancelCall { id });
        self.answers.remove(&id)
    }

    /// Calls a tool; the number of the call.
    pub fn begin_call(&mut self, tool: &str, args: Value, caller: Caller) -> u32 {
        let id = self.next_call;
        self.next_call += 1;
        self.send(Event::Call {
            id,
            tool: tool.into(),
            args,
            caller,
        });
        id
    }

    pub fn take_answer(&mut self) -> Option<Answer> {
        self.answers.pop_first().map(|(_, answer)| answer)
    }

    pub fn call_at(&mut self, tool: &str, args: Value, caller: Caller) -> Answer {
        self.try_call(tool, args, caller).unwrap()
    }

    /// The envelope of a call.
    pub fn call(&mut self, tool: &str, args: Value) -> Value {
        let answer = self.call_at(&format!("codecortex_{tool}"), args, Caller::default());
        let envelope: Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
        assert_eq!(envelope["ok"], answer.ok);
        envelope
    }

    /// `data` of a call that must succeed.
    pub fn ok(&mut self, tool: &str, args: Value) -> Value {
        let envelope = self.call(tool, args);
        assert_eq!(envelope["ok"], true, "{envelope}");
        envelope["data"].clone()
    }

    /// `error` of a call that must fail.
    pub fn fail(&mut self, tool: &str, args: Value) -> Value {
        let envelope = self.call(tool, args);
        assert_eq!(envelope["ok"], false, "{envelope}");
        envelope["error"].clone()
    }

    /// Names in an outline or search, in order.
    pub fn names(data: &Value) -> Vec<String> {
        let list = data["declarations"]
            .as_array()
            .or_else(|| data["items"].as_array())
            .unwrap();
        list.iter()
            .map(|entry| entry["name"].as_str().unwrap().to_owned())
            .collect()
    }

    pub fn is_ready(&self) -> bool {
        self.last_state
            .as_ref()
            .is_some_and(|state| state.phase == Phase::Ready)
    }
}

/// `//- /path` starts a file.
pub fn parse_fixture(fixture: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in fixture.lines() {
        if let Some(path) = line.trim_start().strip_prefix("//- ") {
            files.push((path.trim().to_owned(), String::new()));
        } else if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    files
}

/// A workspace with several languages, for tests that need variety.
pub const MIXED: &str = "
//- /app/src/Store.cs
namespace Memo.Core;
/// <summary>Keeps nodes by id.</summary>
public partial class NodeStore : Base, IStore {
    /// <summary>Adds a node.</summary>
    public void Add(int id) { }
    public void Add(string name, int id) { }
    private int count;
}
//- /app/src/Store.Part.cs
namespace Memo.Core;
public partial class NodeStore { public int Size => 1; }
//- /app/src/Base.cs
namespace Memo.Core;
public class Base { public virtual void Close() { } }
public interface IStore { void Close(); }
//- /app/pkg/__init__.py
//- /app/pkg/tools.py
class HttpClient:
    \"\"\"Fetches pages politely.\"\"\"
    def get_page(self, url: str) -> str:
        return url
def helper(): ...
//- /app/lib/main.go
package lib
// Server answers requests.
type Server struct { addr string }
func (s *Server) Listen(port int) error { return nil }
//- /app/README.md
text
//- /app/node_modules/x/index.js
function hidden() {}
";

/// A cursor for another place in the same list.
pub fn moved(cursor: &Value, offset: usize) -> Value {
    let cursor = cursor.as_str().expect("there is more");
    let (_, rest) = cursor.split_once('@').unwrap();
    format!("{offset}@{rest}").into()
}

fn no_git() -> DiffOutcome {
    DiffOutcome::Failed {
        reason: "There is no git.".to_owned(),
        hint: "Give `patch`.".to_owned(),
    }
}
