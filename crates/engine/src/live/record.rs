//! Recordings of live context, for who wants to see later what a model was told (SPEC D27, LC6).
//!
//! Off unless a setting or `.context/config.json` says otherwise. What is recorded is what live context is made
//! of: the texts of open documents and every edit, cursors, problems, edits by tools and what became of them, and
//! the digest of each payload. A core that takes in the same again gives the same payloads, which `codecortex
//! replay` verifies. Of files that look like secrets and of files outside of the workspace no text is recorded.
//!
//! A recording begins with the documents as they are: their past is forgotten, so that whoever plays it back knows
//! as much.

use std::collections::BTreeSet;

use codecortex_analysis::disk_text::DiskText;
use codecortex_protocol::paths::{absolute_path, place_of};
use codecortex_protocol::{
    ApplyOutcome, CommitOutcome, Config, DiskChange, Effect, Event, Located, Root,
};
use codecortex_text::base32;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::engine::Engine;

/// Where recordings are, relative to a root.
const FOLDER: &str = ".context/replay";
/// The form of the lines.
pub(super) const VERSION: u32 = 1;
/// Lines are written when nothing more came for so many ms.
const WRITE_AFTER: u32 = 1_000;
/// The most bytes of a recording; then it ends.
const MOST_BYTES: usize = 64 << 20;
/// The most bytes that wait to be written; a disk that does not take them ends the recording.
const MOST_WAITING: usize = 8 << 20;
/// Tools whose calls are recorded.
const TOOLS: [&str; 2] = ["codecortex_getLiveContext", "codecortex_applyEdit"];

/// A line of a recording.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Ms since 1970.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: Recorded,
}

/// What happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Recorded {
    /// The recording begins.
    Begin {
        /// The form of the lines.
        version: u32,
        /// The core that recorded.
        core: String,
        /// The settings.
        config: Config,
        /// The roots: their names, and paths that say no more.
        roots: Vec<Root>,
        /// Edits that tools asked for before.
        edits: u32,
    },
    /// The host told of something. Paths begin with the name of the root.
    Event {
        /// What it told.
        event: Event,
    },
    /// What the disk had of files that a tool asked for.
    Texts {
        /// The files, in the order of the request.
        files: Vec<RecordedText>,
    },
    /// An edit ended.
    Applied {
        /// What became of it.
        outcome: ApplyOutcome,
    },
    /// Live context was given out.
    Payload {
        /// The digest of all of it, before any budget.
        id: String,
        /// Tokens of it.
        tokens: u32,
    },
    /// Live context of a document was given out whose text is not recorded.
    Hidden,
}

/// A file's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedText {
    /// Its path in the recording.
    pub path: String,
    /// What it held; absent where it was not there or no text.
    pub text: Option<String>,
}

/// A recording that is being made.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// The root whose `.context/` has it; none where it stays in memory.
    root: Option<u32>,
    path: String,
    /// Lines that are not on the disk, and how many bytes of them are on their way.
    waiting: String,
    sent: Option<(u32, usize)>,
    bytes: usize,
    /// Documents whose text is not recorded.
    hidden: BTreeSet<String>,
    /// In memory: the lines, and the payload that was given out last.
    lines: Vec<Line>,
    payload: String,
}

impl Engine {
    /// Records from now on, for [`Engine::take_recording`] instead of the disk.
    pub fn record_in_memory(&mut self, edits: u32) {
        self.live.begin_edits(edits);
        self.live.recorder = Some(Recorder::new(None, String::new()));
    }

    /// What was recorded in memory since the last time, and the payload that was given out last, whole.
    pub fn take_recording(&mut self) -> (Vec<Line>, String) {
        match &mut self.live.recorder {
            Some(recorder) => (
                std::mem::take(&mut recorder.lines),
                std::mem::take(&mut recorder.payload),
            ),
            None => (Vec::new(), String::new()),
        }
    }

    /// Takes note of an event that is about to be taken in.
    pub(crate) fn record_event(&mut self, event: &Event) {
        if let Event::Configure { .. } = event {
            // Another workspace is another recording; one in memory is of one workspace.
            self.live
                .recorder
                .take_if(|recorder| recorder.root.is_some());
            return;
        }
        if !is_live(event) || !self.is_recording() {
            return;
        }
        let roots = &self.code.workspace.roots;
        let Some(recorder) = &mut self.live.recorder else {
            return;
        };
        let event = recorder.told(event, roots);
        self.note(Recorded::Event { event });
    }

    /// Whether something is recorded; begins where that is wanted, and ends where it is not any more.
    fn is_recording(&mut self) -> bool {
        if self
            .live
            .recorder
            .as_ref()
            .is_some_and(|recorder| recorder.root.is_none())
        {
            return true;
        }
        let roots = 0..self.code.workspace.roots.len() as u32;
        let mut wanting = roots.filter(|root| {
            let own = self.contexts.folders.get(*root as usize);
            let wants = self.code.config.record || own.is_some_and(|folder| folder.config.record);
            wants && self.has_context(*root)
        });
        match (wanting.next(), &self.live.recorder) {
            (None, None) => false,
            (None, Some(_)) => {
                self.write_recording();
                self.live.recorder = None;
                false
            }
            (Some(_), Some(recorder)) => recorder.bytes <= MOST_BYTES,
            (Some(root), None) => {
                self.begin_recording(root);
                true
            }
        }
    }

    fn begin_recording(&mut self, root: u32) {
        let at = codecortex_ledger::rfc3339(self.code.clock.host());
        let name: String = at.chars().filter(char::is_ascii_alphanumeric).collect();
        let path = format!("{FOLDER}/{name}.jsonl");
        self.live.recorder = Some(Recorder::new(Some(root), path));
        self.live.forget_closed();
        self.live.hints.clear();
        self.live.latest = None;
        let moment = self.code.moment();
        let mut opened: Vec<Event> = Vec::new();
        for (path, document) in &mut self.code.documents {
            document.history.clear();
            document.history.begin(moment);
            opened.push(Event::Opened {
                path: path.clone(),
                version: document.version,
                text: document.now().text.text(),
                dirty: document.dirty,
            });
        }
        opened.sort_by(|a, b| path_of(a).cmp(&path_of(b)));
        let names = self.code.workspace.roots.iter().map(recorded_root);
        self.note(Recorded::Begin {
            version: VERSION,
            core: env!("CARGO_PKG_VERSION").to_owned(),
            config: self.code.config.clone(),
            roots: names.collect(),
            edits: self.live.edits_asked(),
        });
        let editor = &self.live.editor;
        opened.push(Event::Editor {
            active: editor.active.clone(),
            selections: editor.selections.clone(),
            visible: editor.visible.clone(),
        });
        opened.extend(editor.all().map(|(path, diagnostics)| Event::Diagnosed {
            path: path.to_owned(),
            diagnostics: diagnostics.to_vec(),
        }));
        let roots = self.code.workspace.roots.clone();
        for event in opened {
            if let Some(recorder) = &mut self.live.recorder {
                let event = recorder.told(&event, &roots);
                self.note(Recorded::Event { event });
            }
        }
    }

    /// Takes note of what the disk had of files.
    pub(crate) fn record_texts(&mut self, files: &[Located]) {
        if self.live.recorder.is_none() {
            return;
        }
        let files = files.iter().filter_map(|file| {
            let place = file.place.as_ref()?;
            let root = self.code.workspace.roots.get(place.root as usize)?;
            let text = match self.code.disk.get(&file.path) {
                Some(DiskText::Text { snapshot, .. }) if !is_secret(&place.path) => {
                    Some(snapshot.text.text())
                }
                _ => None,
            };
            let path = absolute_path(&recorded_root(root), &place.path);
            Some(RecordedText { path, text })
        });
        let files = files.collect();
        self.note(Recorded::Texts { files });
    }

    /// Takes note of how an edit ended.
    pub(crate) fn record_applied(&mut self, outcome: &ApplyOutcome) {
        if self.live.recorder.is_none() {
            return;
        }
        let mut outcome = outcome.clone();
        if let ApplyOutcome::Conflict { path } = &mut outcome {
            *path = recorded_path(path, &self.code.workspace.roots);
        }
        self.note(Recorded::Applied { outcome });
    }

    /// Takes note of a payload; `path` is the document that it is about.
    pub(crate) fn record_payload(&mut self, path: Option<&str>, text: String) {
        let Some(recorder) = &mut self.live.recorder else {
            return;
        };
        let roots = &self.code.workspace.roots;
        let is_hidden = |path: &str| {
            recorder.hidden.contains(path) || is_secret(path) || place_of(path, roots).is_none()
        };
        if path.is_some_and(is_hidden) {
            return self.note(Recorded::Hidden);
        }
        let id = base32(&xxh3_64(text.as_bytes()).to_be_bytes(), 12).to_ascii_lowercase();
        let tokens = codecortex_protocol::tokens_approx(&text);
        recorder.payload = text;
        self.note(Recorded::Payload { id, tokens });
    }

    fn note(&mut self, what: Recorded) {
        let at = self.code.clock.host();
        let Some(recorder) = &mut self.live.recorder else {
            return;
        };
        let line = Line { at, what };
        if recorder.root.is_none() {
            recorder.lines.push(line);
            return;
        }
        let Ok(json) = serde_json::to_string(&line) else {
            return; // what was read from JSON can be written as JSON
        };
        recorder.bytes += json.len() + 1;
        if recorder.bytes > MOST_BYTES || recorder.waiting.len() > MOST_WAITING {
            recorder.bytes = MOST_BYTES + 1;
            return;
        }
        recorder.waiting += &json;
        recorder.waiting.push('\n');
        self.ask_tick(WRITE_AFTER);
    }

    /// Hands over what waits to be written.
    pub(crate) fn write_recording(&mut self) {
        let Some(recorder) = &mut self.live.recorder else {
            return;
        };
        let (Some(root), None) = (recorder.root, recorder.sent) else {
            return;
        };
        if recorder.waiting.is_empty() {
            return;
        }
        let id = self.code.next_request();
        recorder.sent = Some((id, recorder.waiting.len()));
        let changes = vec![DiskChange::Append {
            path: recorder.path.clone(),
            text: recorder.waiting.clone(),
        }];
        self.code.effects.push(Effect::Commit {
            id,
            root,
            expect: Vec::new(),
            changes,
        });
    }

    /// Lines were written, or not; false where the number is of something else.
    pub(crate) fn recording_written(&mut self, id: u32, outcome: &CommitOutcome) -> bool {
        let Some(recorder) = &mut self.live.recorder else {
            return false;
        };
        let Some((_, length)) = recorder.sent.take_if(|(sent, _)| *sent == id) else {
            return false;
        };
        if matches!(outcome, CommitOutcome::Done { .. }) {
            recorder.waiting.drain(..length);
        }
        if !recorder.waiting.is_empty() {
            self.ask_tick(WRITE_AFTER);
        }
        true
    }
}

impl Recorder {
    fn new(root: Option<u32>, path: String) -> Self {
        Self {
            root,
            path,
            waiting: String::new(),
            sent: None,
            bytes: 0,
            hidden: BTreeSet::new(),
            lines: Vec::new(),
            payload: String::new(),
        }
    }

    /// An event as it is recorded: with paths that say nothing of the machine, and without secrets.
    fn told(&mut self, event: &Event, roots: &[Root]) -> Event {
        let mut event = event.clone();
        if let Event::Opened { path, .. } = &event {
            let is_outside = self.root.is_some() && place_of(path, roots).is_none();
            match is_outside || is_secret(path) {
                true => self.hidden.insert(path.clone()),
                false => self.hidden.remove(path),
            };
        }
        let is_hidden = path_of(&event).is_some_and(|path| self.hidden.contains(path));
        match &mut event {
            Event::Opened { text, .. } if is_hidden => text.clear(),
            Event::Edited { changes, .. } if is_hidden => changes.clear(),
            Event::Diagnosed { diagnostics, .. } if is_hidden => diagnostics.clear(),
            Event::Editor {
                selections,
                visible,
                ..
            } if is_hidden => {
                selections.clear();
                visible.clear();
            }
            Event::Call { args, .. } => hide_secrets(args),
            _ => {}
        }
        // In memory the paths are those of a recording already.
        if self.root.is_some() {
            map_path(&mut event, |path| recorded_path(path, roots));
        }
        event
    }
}

/// Takes what an edit does to secret files out of a call.
fn hide_secrets(args: &mut Value) {
    let edits = args.get_mut("edits").and_then(Value::as_array_mut);
    for edit in edits.into_iter().flatten() {
        if edit["filePath"].as_str().is_some_and(is_secret)
            && let Some(edit) = edit.as_object_mut()
        {
            edit.insert("changes".to_owned(), Value::Array(Vec::new()));
        }
    }
}

/// Whether live context is made of it.
fn is_live(event: &Event) -> bool {
    match event {
        Event::Opened { .. }
        | Event::Edited { .. }
        | Event::Saved { .. }
        | Event::Closed { .. }
        | Event::Editor { .. }
        | Event::Diagnosed { .. }
        | Event::Selected { .. } => true,
        Event::Call { tool, .. } => TOOLS.contains(&tool.as_str()),
        _ => false,
    }
}

fn path_of(event: &Event) -> Option<&String> {
    match event {
        Event::Opened { path, .. }
        | Event::Edited { path, .. }
        | Event::Saved { path }
        | Event::Closed { path }
        | Event::Diagnosed { path, .. }
        | Event::Selected { path, .. }
        | Event::Editor {
            active: Some(path), ..
        } => Some(path),
        _ => None,
    }
}

fn map_path(event: &mut Event, map: impl Fn(&str) -> String) {
    match event {
        Event::Opened { path, .. }
        | Event::Edited { path, .. }
        | Event::Saved { path }
        | Event::Closed { path }
        | Event::Diagnosed { path, .. }
        | Event::Selected { path, .. }
        | Event::Editor {
            active: Some(path), ..
        } => *path = map(path),
        _ => {}
    }
}

/// A root as recordings have it.
fn recorded_root(root: &Root) -> Root {
    Root {
        name: root.name.clone(),
        path: format!("/{}", root.name),
    }
}

/// A path as recordings have it.
fn recorded_path(path: &str, roots: &[Root]) -> String {
    match place_of(path, roots) {
        Some(place) => absolute_path(&recorded_root(&roots[place.root as usize]), &place.path),
        None => path.to_owned(),
    }
}

/// Whether a file's name says that nobody else should read it.
fn is_secret(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let ends = [".pem", ".key", ".pfx", ".p12", ".jks", ".keystore"];
    let parts = ["secret", "credential", "password", "id_rsa", "id_ed25519"];
    name.starts_with(".env")
        || name == ".netrc"
        || ends.iter().any(|end| name.ends_with(end))
        || parts.iter().any(|part| name.contains(part))
}
