//! Recordings of live context, for a later look at what a model was given (SPEC D27, LC6).
//!
//! A recording has the inputs of live context: the texts of open documents and every edit, cursors, problems, edits by
//! tools with their outcomes, and the digest of each payload. A core that takes the same in again gives the same payloads,
//! which `codecortex replay` verifies. It has no text of files that look like secrets or are outside of the workspace.
//!
//! A recording begins with the documents as they are: their past is forgotten, so that a replay knows as much.

use std::collections::BTreeMap;

use codecortex_protocol::paths::{absolute_path, place_of};
use codecortex_protocol::{ApplyOutcome, Config, DiskChange, Event, Root, tokens_approx};
use codecortex_secrets::holds_private_key;
use codecortex_text::base32;
use xxhash_rust::xxh3::xxh3_64;

use crate::recorder::{
    Recorded, RecordedLine, RecordedText, Recorder, VERSION, is_secret, path_of, recorded_path,
    recorded_root,
};
use crate::state::Live;

/// The workspace when a recording begins.
#[derive(Debug)]
pub struct RecordingStart<'a> {
    /// The host's time, in ms since 1970.
    pub at: u64,
    /// The settings.
    pub config: &'a Config,
    /// The roots.
    pub roots: &'a [Root],
    /// The open documents, an `Event::Opened` each.
    pub opened: Vec<Event>,
}

impl Live {
    /// Whether a recording is being made.
    pub fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }

    /// Whether a recording in memory is being made.
    pub fn is_recorded_in_memory(&self) -> bool {
        self.recorder.as_ref().is_some_and(Recorder::is_in_memory)
    }

    /// Whether the recording takes another line; true where there is none.
    pub fn has_room_to_record(&self) -> bool {
        self.recorder.as_ref().is_none_or(Recorder::has_room)
    }

    /// Starts recording in memory, for [`Self::take_recording`]; `edits` were asked for before.
    pub fn record_in_memory(&mut self, edits: u32) {
        self.begin_edits(edits);
        self.recorder = Some(Recorder::new(None, String::new()));
    }

    /// Takes the lines in memory since the last time, and the payload that was given out last, whole.
    pub fn take_recording(&mut self) -> (Vec<RecordedLine>, String) {
        match &mut self.recorder {
            Some(recorder) => (
                std::mem::take(&mut recorder.lines),
                std::mem::take(&mut recorder.payload),
            ),
            None => (Vec::new(), String::new()),
        }
    }

    /// Ends the recording.
    pub fn end_recording(&mut self) {
        self.recorder = None;
    }

    /// Ends a recording on the disk: another workspace is another recording. One in memory has one workspace.
    pub fn end_recording_on_disk(&mut self) {
        self.recorder.take_if(|recorder| !recorder.is_in_memory());
    }

    /// Starts recording into a file of a root, by its path relative to the root.
    pub fn begin_recording(&mut self, root: u32, path: String, start: RecordingStart<'_>) {
        let RecordingStart {
            at,
            config,
            roots,
            mut opened,
        } = start;
        self.forget_past();
        opened.sort_by(|a, b| path_of(a).cmp(&path_of(b)));
        opened.push(Event::Editor {
            active: self.editor.active.clone(),
            selections: self.editor.selections.clone(),
            visible: self.editor.visible.clone(),
        });
        opened.extend(
            self.editor
                .all()
                .map(|(path, diagnostics)| Event::Diagnosed {
                    path: path.to_owned(),
                    diagnostics: diagnostics.to_vec(),
                }),
        );
        let mut recorder = Recorder::new(Some(root), path);
        let begin = Recorded::Begin {
            version: VERSION,
            core: env!("CARGO_PKG_VERSION").to_owned(),
            // Paths of this machine stay on it.
            config: Config {
                personal: BTreeMap::new(),
                untrusted_contexts: Vec::new(),
                ..config.clone()
            },
            roots: roots.iter().map(recorded_root).collect(),
            edits: self.edits_asked(),
        };
        recorder.note(at, begin);
        for event in opened {
            let event = recorder.told(&event, roots);
            recorder.note(at, Recorded::Event { event });
        }
        self.recorder = Some(recorder);
    }

    /// Records an event that is about to be taken in.
    pub fn record_event(&mut self, event: &Event, roots: &[Root], at: u64) {
        if let Some(recorder) = &mut self.recorder {
            let event = recorder.told(event, roots);
            recorder.note(at, Recorded::Event { event });
        }
    }

    /// Records texts of files on the disk: root, path relative to it, and text; none for a file without text.
    pub fn record_texts<'a>(
        &mut self,
        files: impl Iterator<Item = (&'a Root, &'a str, Option<String>)>,
        at: u64,
    ) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let files = files.map(|(root, path, text)| RecordedText {
            path: absolute_path(&recorded_root(root), path),
            text: text.filter(|text| !is_secret(path) && !holds_private_key(text)),
        });
        let files = files.collect();
        recorder.note(at, Recorded::Texts { files });
    }

    /// Records the outcome of an edit.
    pub fn record_applied(&mut self, outcome: &ApplyOutcome, roots: &[Root], at: u64) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let mut outcome = outcome.clone();
        let (path, others) = match &mut outcome {
            ApplyOutcome::Conflict { path, not_restored } => {
                (Some(path), not_restored.as_mut_slice())
            }
            ApplyOutcome::Failed { not_restored, .. } => (None, not_restored.as_mut_slice()),
            ApplyOutcome::Done | ApplyOutcome::Rejected => (None, [].as_mut_slice()),
        };
        for path in path.into_iter().chain(others) {
            *path = recorded_path(path, roots);
        }
        recorder.note(at, Recorded::Applied { outcome });
    }

    /// Records a payload; `path` is the document that it is about.
    pub fn record_payload(&mut self, path: Option<&str>, text: String, roots: &[Root], at: u64) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let is_hidden =
            |path: &str| recorder.hides(path) || is_secret(path) || place_of(path, roots).is_none();
        if path.is_some_and(is_hidden) {
            return recorder.note(at, Recorded::Hidden);
        }
        let id = base32(&xxh3_64(text.as_bytes()).to_be_bytes(), 12).to_ascii_lowercase();
        let tokens = tokens_approx(&text);
        recorder.payload = text;
        recorder.note(at, Recorded::Payload { id, tokens });
    }

    /// The lines to write, and the root to which; none while a commit is on its way.
    pub fn unwritten_recording(&self) -> Option<(u32, DiskChange)> {
        self.recorder.as_ref()?.unwritten()
    }

    /// The lines of [`Self::unwritten_recording`] are on their way with this commit.
    pub fn recording_sent(&mut self, commit: u32) {
        if let Some(recorder) = &mut self.recorder {
            recorder.sent(commit);
        }
    }

    /// A commit of lines ended. Lines that were not written are written again.
    pub fn recording_written(&mut self, commit: u32, is_done: bool) {
        if let Some(recorder) = &mut self.recorder {
            recorder.written(commit, is_done);
        }
    }

    /// Takes the tick that the recording needs, in ms from now.
    pub(crate) fn take_recording_tick(&mut self) -> Option<u32> {
        self.recorder.as_mut()?.take_tick()
    }
}
