//! A recording of live context that is being made: its lines, and what is kept out of them.

use std::collections::BTreeSet;

use codecortex_protocol::paths::{absolute_path, place_of};
use codecortex_protocol::{ApplyOutcome, Config, DiskChange, Event, Root, TextChange};
use codecortex_secrets::{Look, holds_private_key, look_of};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The form of the lines.
pub const VERSION: u32 = 1;

/// Lines are written when nothing more came for so many ms.
const WRITE_AFTER: u32 = 1_000;
/// The most bytes of a recording; then it ends.
const MAX_BYTES: usize = 64 << 20;
/// The most bytes that wait to be written; a disk that does not take them ends the recording.
const MAX_WAITING: usize = 8 << 20;

/// A line of a recording.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordedLine {
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
    /// The root whose `.context/` has it; none for a recording in memory.
    root: Option<u32>,
    path: String,
    /// Lines that are not on the disk.
    waiting: String,
    /// The commit on its way, and how many bytes of the lines it has.
    sent: Option<(u32, usize)>,
    bytes: usize,
    /// Documents whose text is not recorded.
    hidden: BTreeSet<String>,
    /// In memory: the lines, and the payload that was given out last.
    pub(crate) lines: Vec<RecordedLine>,
    pub(crate) payload: String,
    /// The tick that it needs, in ms from now.
    tick: Option<u32>,
}

impl Recorder {
    /// A recording in the root of a workspace, at a path relative to it; in memory where there is no root.
    pub(crate) fn new(root: Option<u32>, path: String) -> Self {
        Self {
            root,
            path,
            waiting: String::new(),
            sent: None,
            bytes: 0,
            hidden: BTreeSet::new(),
            lines: Vec::new(),
            payload: String::new(),
            tick: None,
        }
    }

    /// Whether it stays in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.root.is_none()
    }

    /// Whether it may grow.
    pub(crate) fn has_room(&self) -> bool {
        self.bytes <= MAX_BYTES
    }

    /// Whether the text of a document is left out.
    pub(crate) fn hides(&self, path: &str) -> bool {
        self.hidden.contains(path)
    }

    /// Adds a line.
    pub(crate) fn note(&mut self, at: u64, what: Recorded) {
        let line = RecordedLine { at, what };
        if self.is_in_memory() {
            self.lines.push(line);
            return;
        }
        let Ok(json) = serde_json::to_string(&line) else {
            return; // what was read from JSON can be written as JSON
        };
        self.bytes += json.len() + 1;
        if self.bytes > MAX_BYTES || self.waiting.len() > MAX_WAITING {
            self.bytes = MAX_BYTES + 1;
            return;
        }
        self.waiting += &json;
        self.waiting.push('\n');
        self.tick = Some(WRITE_AFTER);
    }

    /// The lines to write, and the root to which; none while a commit is on its way.
    pub(crate) fn unwritten(&self) -> Option<(u32, DiskChange)> {
        let root = self.root.filter(|_| self.sent.is_none())?;
        let change = DiskChange::Append {
            path: self.path.clone(),
            text: self.waiting.clone(),
        };
        (!self.waiting.is_empty()).then_some((root, change))
    }

    /// The lines of [`Self::unwritten`] are on their way with this commit.
    pub(crate) fn sent(&mut self, commit: u32) {
        self.sent = Some((commit, self.waiting.len()));
    }

    /// A commit ended. Lines that were not written are written again.
    pub(crate) fn written(&mut self, commit: u32, is_done: bool) {
        let Some((_, length)) = self.sent.take_if(|(sent, _)| *sent == commit) else {
            return;
        };
        if is_done {
            self.waiting.drain(..length);
        }
        if !self.waiting.is_empty() {
            self.tick = Some(WRITE_AFTER);
        }
    }

    /// Takes the tick that it needs, in ms from now.
    pub(crate) fn take_tick(&mut self) -> Option<u32> {
        self.tick.take()
    }

    /// An event as it is recorded: with paths that say nothing of the machine, and without secrets.
    pub(crate) fn told(&mut self, event: &Event, roots: &[Root]) -> Event {
        let mut event = event.clone();
        if let Event::Edited { path, changes, .. } = &event
            && brings_key(changes)
        {
            self.hidden.insert(path.clone());
        }
        if let Event::Opened { path, text, .. } = &event {
            let is_outside = self.root.is_some() && place_of(path, roots).is_none();
            match is_outside || is_secret(path) || holds_private_key(text) {
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
        let is_hidden = edit["filePath"].as_str().is_some_and(is_secret);
        if (is_hidden || has_key(&edit["changes"]))
            && let Some(edit) = edit.as_object_mut()
        {
            edit.insert("changes".to_owned(), Value::Array(Vec::new()));
        }
    }
}

/// Whether texts of an edit hold a private key.
fn has_key(changes: &Value) -> bool {
    let changes = changes.as_array().into_iter().flatten();
    let mut texts = changes.filter_map(Value::as_object).flat_map(Map::values);
    texts.any(|text| text.as_str().is_some_and(holds_private_key))
}

/// Whether live context is made of an event; `is_recorded` says of which tools the calls count.
pub fn is_live(event: &Event, is_recorded: impl Fn(&str) -> bool) -> bool {
    match event {
        Event::Opened { .. }
        | Event::Edited { .. }
        | Event::Saved { .. }
        | Event::Closed { .. }
        | Event::Editor { .. }
        | Event::Diagnosed { .. }
        | Event::Selected { .. } => true,
        Event::Call { tool, .. } => is_recorded(tool),
        _ => false,
    }
}

pub(crate) fn path_of(event: &Event) -> Option<&String> {
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

pub(crate) fn map_path(event: &mut Event, map: impl Fn(&str) -> String) {
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
pub(crate) fn recorded_root(root: &Root) -> Root {
    Root {
        name: root.name.clone(),
        path: format!("/{}", root.name),
        link: None,
    }
}

/// A path as recordings have it.
pub(crate) fn recorded_path(path: &str, roots: &[Root]) -> String {
    match place_of(path, roots) {
        Some(place) => absolute_path(&recorded_root(&roots[place.root as usize]), &place.path),
        None => path.to_owned(),
    }
}

/// Whether a file's name says that nobody else should read it, or may say so: a recording is kept.
pub(crate) fn is_secret(path: &str) -> bool {
    look_of(path) != Look::Plain
}

/// Whether somebody typed or pasted a private key.
fn brings_key(changes: &[TextChange]) -> bool {
    changes.iter().any(|change| holds_private_key(&change.text))
}
