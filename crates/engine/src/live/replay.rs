//! Plays recordings of live context back, and verifies that the same core gives the same payloads (SPEC D27, LC6).

use std::collections::{BTreeSet, VecDeque};

use codecortex_live::{Recorded, RecordedLine, RecordedText};
use codecortex_protocol::{
    ApplyOutcome, Bytes, Config, DirRef, Effect, EntryKind, Event, FetchedFile, FileRef, Listing,
    ListingEntry, Request, Response, Root,
};
use codecortex_syntax::{Outcome, SkipReason};

use crate::engine::Engine;

/// An engine that lives through a recording.
#[derive(Debug)]
pub struct Replay {
    engine: Engine,
    roots: Vec<Root>,
    /// Absolute paths of the files that the recording names.
    files: BTreeSet<String>,
    /// Requests for texts, and edits, that wait for the line that answers them.
    fetches: VecDeque<(u32, Vec<FileRef>)>,
    edits: VecDeque<u32>,
    /// Payloads of this engine that the recording has not come to yet: the id, and all of it.
    payloads: VecDeque<(Option<String>, String)>,
    /// The core that recorded.
    core: String,
}

/// What a line of a recording comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// Something happened that live context is made of.
    Happened,
    /// Live context was given out and is the same here; this is it.
    Same(String),
    /// Live context was given out and is another here; this is what it is here.
    Other(String),
    /// Live context was given out whose text is not recorded.
    Hidden,
}

impl Replay {
    /// Begins with the first line of a recording; `lines` are all of them.
    ///
    /// # Errors
    /// Why it cannot be played, as a sentence.
    pub fn begin(lines: &[RecordedLine]) -> Result<Self, String> {
        let Some(RecordedLine {
            at,
            what:
                Recorded::Begin {
                    version,
                    core,
                    config,
                    roots,
                    edits,
                },
        }) = lines.first()
        else {
            return Err("It does not begin as recordings do.".to_owned());
        };
        if *version != codecortex_live::VERSION {
            return Err(format!(
                "Its form is {version}, which this core does not know."
            ));
        }
        let mut replay = Self {
            engine: Engine::new(),
            roots: roots.clone(),
            files: lines.iter().flat_map(|line| paths_of(&line.what)).collect(),
            fetches: VecDeque::new(),
            edits: VecDeque::new(),
            payloads: VecDeque::new(),
            core: core.clone(),
        };
        replay.tell_time(*at);
        let config = Config {
            keep_context: false,
            record: false,
            ..config.clone()
        };
        let roots = roots.clone();
        replay.handle(Event::Configure { roots, config });
        replay.engine.record_in_memory(*edits);
        Ok(replay)
    }

    /// The version of the core that recorded.
    #[must_use]
    pub fn core(&self) -> &str {
        &self.core
    }

    /// Lives through a line.
    pub fn step(&mut self, line: &RecordedLine) -> Replayed {
        self.tell_time(line.at);
        match &line.what {
            Recorded::Begin { .. } => Replayed::Happened,
            Recorded::Event { event } => {
                self.handle(event.clone());
                Replayed::Happened
            }
            Recorded::Texts { files } => {
                self.texts(files);
                Replayed::Happened
            }
            Recorded::Applied { outcome } => {
                self.applied(outcome, line.at);
                Replayed::Happened
            }
            Recorded::Payload { id, .. } => match self.payloads.pop_front() {
                Some((here, text)) if here.as_ref() == Some(id) => Replayed::Same(text),
                Some((_, text)) => Replayed::Other(text),
                None => Replayed::Other(String::new()),
            },
            Recorded::Hidden => {
                self.payloads.pop_front();
                Replayed::Hidden
            }
        }
    }

    fn tell_time(&mut self, at: u64) {
        let now_ms = at as f64;
        self.handle(Event::Time { now_ms });
    }

    fn texts(&mut self, files: &[RecordedText]) {
        let Some((id, wanted)) = self.fetches.pop_front() else {
            return;
        };
        let found = wanted.iter().map(|file| {
            let root = self.roots.get(file.root as usize);
            let path = root.map(|root| format!("{}/{}", root.path, file.path));
            let known = files
                .iter()
                .find(|known| Some(&known.path) == path.as_ref());
            let text = known.and_then(|known| known.text.as_ref());
            FetchedFile {
                bytes: text.map(|text| Bytes(text.clone().into_bytes())),
                stamp: text.map(|_| "recorded".to_owned()),
                error: None,
            }
        });
        let files = found.collect();
        let now_ms = 0.0; // told already
        let reply = Response::Texts { files };
        self.handle(Event::Replied { id, reply, now_ms });
    }

    fn applied(&mut self, outcome: &ApplyOutcome, at: u64) {
        if let Some(id) = self.edits.pop_front() {
            let outcome = outcome.clone();
            self.handle(Event::Replied {
                id,
                reply: Response::Apply { outcome },
                now_ms: at as f64,
            });
        }
    }

    fn handle(&mut self, event: Event) {
        let effects = self.engine.handle(event);
        self.perform(effects);
        let (lines, text) = self.engine.take_recording();
        for line in lines {
            match line.what {
                Recorded::Payload { id, .. } => self.payloads.push_back((Some(id), text.clone())),
                Recorded::Hidden => self.payloads.push_back((None, String::new())),
                _ => {}
            }
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        let mut queue = VecDeque::from(effects);
        while let Some(effect) = queue.pop_front() {
            match effect {
                Effect::List { dirs } => {
                    let listings = dirs.iter().map(|dir| self.list(dir)).collect();
                    queue.extend(self.engine.handle(Event::Listed { listings }));
                }
                Effect::Read { files, .. } => {
                    for FileRef { root, path } in files {
                        // What is not open has no text here but what tools asked for.
                        let outcome = Outcome::Skipped(SkipReason::UnknownLanguage);
                        queue.extend(self.engine.ingest(root, &path, 0, 0.0, outcome));
                    }
                }
                Effect::Ask { id, request, .. } => match request {
                    Request::Texts { files, .. } => self.fetches.push_back((id, files)),
                    Request::Apply { .. } => self.edits.push_back(id),
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// A folder with what the recording names of it.
    fn list(&self, DirRef { root, dir }: &DirRef) -> Listing {
        let mut names: BTreeSet<(&str, bool)> = BTreeSet::new();
        let places = self
            .files
            .iter()
            .filter_map(|path| self.relative(path, *root));
        for path in places {
            let rest = match dir.as_str() {
                "" => Some(path),
                dir => path
                    .strip_prefix(dir)
                    .and_then(|rest| rest.strip_prefix('/')),
            };
            match rest.map(|rest| rest.split_once('/').ok_or(rest)) {
                Some(Ok((folder, _))) => names.insert((folder, true)),
                Some(Err(file)) => names.insert((file, false)),
                None => false,
            };
        }
        let entries = names.into_iter().map(|(name, is_dir)| ListingEntry {
            name: name.to_owned(),
            kind: if is_dir {
                EntryKind::Dir
            } else {
                EntryKind::File
            },
            size: 0.0,
            mtime_ms: 0.0,
            changed_ms: 0.0,
            target: None,
        });
        Listing {
            root: *root,
            dir: dir.clone(),
            entries: entries.collect(),
            ignore_files: Vec::new(),
            error: None,
        }
    }

    fn relative<'a>(&self, path: &'a str, root: u32) -> Option<&'a str> {
        let root = self.roots.get(root as usize)?;
        path.strip_prefix(root.path.as_str())?.strip_prefix('/')
    }
}

/// Files that a line names and that are in a root.
fn paths_of(what: &Recorded) -> Vec<String> {
    match what {
        Recorded::Event {
            event: Event::Opened { path, .. },
        } => vec![path.clone()],
        Recorded::Texts { files } => {
            let there = files.iter().filter(|file| file.text.is_some());
            there.map(|file| file.path.clone()).collect()
        }
        _ => Vec::new(),
    }
}
