//! An engine over files in memory: a host without a disk.

use std::collections::BTreeMap;

use codecortex_engine::Engine;
use codecortex_engine::protocol::{
    Answer, Bytes, Caller, Config, Effect, Entry, EntryKind, Event, FetchedFile, FileRef, Listing,
    Request, Response, Root,
};
use codecortex_syntax::{Outcome, analyse};
use serde_json::Value;

use crate::clock::{Spent, timed};
use crate::corpus::{LIMITS, SourceFile};

/// Long before the export of a cache, which does not trust files of the last moments.
const MTIME_MS: f64 = 1e12;
/// Where the tree is said to be.
pub(crate) const ROOT: &str = "/bench";

/// What an engine over a tree was asked for, and what that took.
pub(crate) struct Workspace<'a> {
    pub(crate) engine: Engine,
    answers: BTreeMap<u32, Answer>,
    next_call: u32,
    /// What the engine itself took: listings and outcomes taken in.
    pub(crate) engine_time: Spent,
    /// What reading declarations out of the files took.
    pub(crate) analysis_time: Spent,
    /// Files that were analysed; the others came from a cache.
    pub(crate) analysed: usize,
    /// What files hold, for answers that show source.
    sources: BTreeMap<&'a str, &'a [u8]>,
}

impl<'a> Workspace<'a> {
    /// Indexes every file.
    pub(crate) fn open(files: &'a [SourceFile]) -> Self {
        Self::open_with(Engine::new(), files)
    }

    /// Indexes every file that the engine does not know.
    pub(crate) fn open_with(engine: Engine, files: &'a [SourceFile]) -> Self {
        let mut workspace = Self {
            engine,
            answers: BTreeMap::new(),
            next_call: 0,
            engine_time: Spent::default(),
            analysis_time: Spent::default(),
            analysed: 0,
            sources: files
                .iter()
                .map(|file| (file.path.as_str(), file.bytes.as_slice()))
                .collect(),
        };
        let folders = Folders::of(files);
        let effects = workspace.send(Event::Configure {
            roots: vec![Root {
                name: "bench".into(),
                path: ROOT.into(),
                link: None,
            }],
            config: Config::default(),
        });
        workspace.carry_out(effects, &folders);
        workspace
    }

    fn carry_out(&mut self, effects: Vec<Effect>, folders: &Folders<'_>) {
        let mut effects = std::collections::VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::List { dirs } => {
                    let listings = dirs.iter().map(|dir| folders.listing(&dir.dir)).collect();
                    effects.extend(self.send(Event::Listed { listings }));
                }
                Effect::Read { files, .. } => {
                    for file in files {
                        effects.extend(self.read(&file, folders));
                    }
                }
                Effect::Answer { id, answer } => {
                    self.answers.insert(id, answer);
                }
                // What has no disk to go to is nothing that is measured here.
                _ => {}
            }
        }
    }

    fn send(&mut self, event: Event) -> Vec<Effect> {
        let (effects, spent) = timed(|| self.engine.handle(event));
        self.engine_time += spent;
        effects
    }

    fn read(&mut self, file: &FileRef, folders: &Folders<'_>) -> Vec<Effect> {
        let Some(source) = folders.files.get(file.path.as_str()) else {
            return Vec::new();
        };
        let (outcome, spent) = timed(|| analyse(&source.path, &source.bytes, LIMITS));
        self.analysis_time += spent;
        self.analysed += 1;
        self.ingest(source, outcome)
    }

    fn ingest(&mut self, source: &SourceFile, outcome: Outcome) -> Vec<Effect> {
        let size = source.bytes.len() as u64;
        let (effects, spent) =
            timed(|| self.engine.ingest(0, &source.path, size, MTIME_MS, outcome));
        self.engine_time += spent;
        effects
    }

    /// Calls a tool: the answer, if there is one without listing folders, and what the engine took. Texts
    /// that it asks for come from memory.
    pub(crate) fn call(&mut self, tool: &str, args: &Value) -> (Option<Answer>, Spent) {
        self.next_call += 1;
        let event = Event::Call {
            id: self.next_call,
            tool: tool.to_owned(),
            args: args.clone(),
            caller: Caller::default(),
        };
        let (effects, mut total) = timed(|| self.engine.handle(event));
        let mut effects = std::collections::VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Answer { answer, .. } => return (Some(answer), total),
                Effect::Ask { id, request, .. } => {
                    let (reply, is_counted) = match request {
                        Request::Texts { files, .. } => {
                            let files = files.iter().map(|file| self.fetched(file)).collect();
                            (Response::Texts { files }, true)
                        }
                        // Nobody has committed anything here.
                        Request::Log { .. } => (Response::Log { log: None }, false),
                        _ => continue,
                    };
                    let now_ms = MTIME_MS;
                    let event = Event::Replied { id, reply, now_ms };
                    let (more, spent) = timed(|| self.engine.handle(event));
                    if is_counted {
                        total += spent;
                    }
                    effects.extend(more);
                }
                _ => {}
            }
        }
        (None, total)
    }

    fn fetched(&self, file: &FileRef) -> FetchedFile {
        let source = self.sources.get(file.path.as_str());
        FetchedFile {
            bytes: source.map(|bytes| Bytes(bytes.to_vec())),
            ..FetchedFile::default()
        }
    }

    /// `data` of a call that succeeds.
    pub(crate) fn data(&mut self, tool: &str, args: &Value) -> Option<Value> {
        let json = self.call(tool, args).0?.json?;
        let mut envelope: Value = serde_json::from_str(&json).ok()?;
        (envelope["ok"] == true).then(|| envelope["data"].take())
    }
}

/// What each folder of the tree holds.
struct Folders<'a> {
    files: BTreeMap<&'a str, &'a SourceFile>,
    entries: BTreeMap<&'a str, BTreeMap<&'a str, Entry>>,
}

impl<'a> Folders<'a> {
    fn of(files: &'a [SourceFile]) -> Self {
        let mut entries: BTreeMap<&str, BTreeMap<&str, Entry>> = BTreeMap::new();
        for file in files {
            let mut path = file.path.as_str();
            let mut kind = EntryKind::File;
            loop {
                let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
                let is_file = kind == EntryKind::File;
                let entry = Entry {
                    name: name.to_owned(),
                    kind,
                    size: if is_file {
                        file.bytes.len() as f64
                    } else {
                        0.0
                    },
                    mtime_ms: if is_file { MTIME_MS } else { 0.0 },
                    changed_ms: 0.0,
                    target: None,
                };
                entries.entry(folder).or_default().insert(name, entry);
                if folder.is_empty() {
                    break;
                }
                (path, kind) = (folder, EntryKind::Dir);
            }
        }
        let files = files
            .iter()
            .map(|file| (file.path.as_str(), file))
            .collect();
        Self { files, entries }
    }

    fn listing(&self, dir: &str) -> Listing {
        let entries = self.entries.get(dir).into_iter().flat_map(BTreeMap::values);
        Listing {
            root: 0,
            dir: dir.to_owned(),
            entries: entries.cloned().collect(),
            ignore_files: Vec::new(),
            error: None,
        }
    }
}
