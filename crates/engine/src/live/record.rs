//! Recordings of live context, for who wants to see later what a model was told (SPEC D27, LC6).
//!
//! Off unless a person's own settings say otherwise. What is recorded is what live context is made
//! of: the texts of open documents and every edit, cursors, problems, edits by tools and what became of them, and
//! the digest of each payload. A core that takes in the same again gives the same payloads, which `codecortex
//! replay` verifies. Of files that look like secrets and of files outside of the workspace no text is recorded.
//!
//! A recording begins with the documents as they are: their past is forgotten, so that whoever plays it back knows
//! as much.

use std::collections::BTreeMap;

use codecortex_analysis::asks::Asker;
use codecortex_analysis::disk_text::DiskText;
use codecortex_protocol::paths::{absolute_path, place_of};
use codecortex_protocol::{
    ApplyOutcome, CommitOutcome, Config, DiskChange, Event, Located, Request,
};
use codecortex_secrets::holds_private_key;
use codecortex_text::base32;
use xxhash_rust::xxh3::xxh3_64;

use crate::artifacts::schedule::{ask_tick, has_context, is_context_trusted};
use crate::live::recorder::{
    Recorded, RecordedLine, RecordedText, Recorder, VERSION, is_live, is_secret, path_of,
    recorded_path, recorded_root,
};
use crate::session::Session;

/// Where recordings are, relative to a root.
const FOLDER: &str = ".context/replay";
/// Lines are written when nothing more came for so many ms.
const WRITE_AFTER: u32 = 1_000;
/// The most bytes of a recording; then it ends.
const MAX_BYTES: usize = 64 << 20;
/// The most bytes that wait to be written; a disk that does not take them ends the recording.
const MAX_WAITING: usize = 8 << 20;

/// Starts recording in memory, for [`take_recording`], instead of on the disk.
pub(crate) fn record_in_memory(session: &mut Session, edits: u32) {
    session.live.begin_edits(edits);
    session.live.recorder = Some(Recorder::new(None, String::new()));
}

/// What was recorded in memory since the last time, and the payload that was given out last, whole.
pub(crate) fn take_recording(session: &mut Session) -> (Vec<RecordedLine>, String) {
    match &mut session.live.recorder {
        Some(recorder) => (
            std::mem::take(&mut recorder.lines),
            std::mem::take(&mut recorder.payload),
        ),
        None => (Vec::new(), String::new()),
    }
}

/// Takes note of an event that is about to be taken in.
pub(crate) fn record_event(session: &mut Session, event: &Event) {
    if let Event::Configure { .. } = event {
        // Another workspace is another recording; one in memory is of one workspace.
        session
            .live
            .recorder
            .take_if(|recorder| recorder.root.is_some());
        return;
    }
    if !is_live(event) || !is_recording(session) {
        return;
    }
    let roots = &session.code.workspace.roots;
    let Some(recorder) = &mut session.live.recorder else {
        return;
    };
    let event = recorder.told(event, roots);
    note(session, Recorded::Event { event });
}

/// Whether something is recorded; begins where that is wanted, and ends where it is not any more.
fn is_recording(session: &mut Session) -> bool {
    if session
        .live
        .recorder
        .as_ref()
        .is_some_and(|recorder| recorder.root.is_none())
    {
        return true;
    }
    let roots = 0..session.code.workspace.roots.len() as u32;
    let mut wanting = roots.filter(|root| {
        let own = session.contexts.folders.get(*root as usize);
        let wants = session.code.config.record || own.is_some_and(|folder| folder.config.record);
        wants && has_context(session, *root) && is_context_trusted(session, *root)
    });
    match (wanting.next(), &session.live.recorder) {
        (None, None) => false,
        (None, Some(_)) => {
            write_recording(session);
            session.live.recorder = None;
            false
        }
        (Some(_), Some(recorder)) => recorder.bytes <= MAX_BYTES,
        (Some(root), None) => {
            begin_recording(session, root);
            true
        }
    }
}

fn begin_recording(session: &mut Session, root: u32) {
    let at = codecortex_ledger::rfc3339(session.code.clock.host());
    let name: String = at.chars().filter(char::is_ascii_alphanumeric).collect();
    let path = format!("{FOLDER}/{name}.jsonl");
    session.live.recorder = Some(Recorder::new(Some(root), path));
    session.live.forget_closed();
    session.live.hints.clear();
    session.live.latest = None;
    let moment = session.code.moment();
    let mut opened: Vec<Event> = Vec::new();
    for (path, document) in &mut session.code.documents {
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
    let names = session.code.workspace.roots.iter().map(recorded_root);
    note(
        session,
        Recorded::Begin {
            version: VERSION,
            core: env!("CARGO_PKG_VERSION").to_owned(),
            // Paths of this machine are nobody's business.
            config: Config {
                personal: BTreeMap::new(),
                untrusted_contexts: Vec::new(),
                ..session.code.config.clone()
            },
            roots: names.collect(),
            edits: session.live.edits_asked(),
        },
    );
    let editor = &session.live.editor;
    opened.push(Event::Editor {
        active: editor.active.clone(),
        selections: editor.selections.clone(),
        visible: editor.visible.clone(),
    });
    opened.extend(editor.all().map(|(path, diagnostics)| Event::Diagnosed {
        path: path.to_owned(),
        diagnostics: diagnostics.to_vec(),
    }));
    let roots = session.code.workspace.roots.clone();
    for event in opened {
        if let Some(recorder) = &mut session.live.recorder {
            let event = recorder.told(&event, &roots);
            note(session, Recorded::Event { event });
        }
    }
}

/// Takes note of what the disk had of files.
pub(crate) fn record_texts(session: &mut Session, files: &[Located]) {
    if session.live.recorder.is_none() {
        return;
    }
    let files = files.iter().filter_map(|file| {
        let place = file.place.as_ref()?;
        let root = session.code.workspace.roots.get(place.root as usize)?;
        let text = match session.code.disk.get(&file.path) {
            Some(DiskText::Text { snapshot, .. }) if !is_secret(&place.path) => {
                Some(snapshot.text.text()).filter(|text| !holds_private_key(text))
            }
            _ => None,
        };
        let path = absolute_path(&recorded_root(root), &place.path);
        Some(RecordedText { path, text })
    });
    let files = files.collect();
    note(session, Recorded::Texts { files });
}

/// Takes note of how an edit ended.
pub(crate) fn record_applied(session: &mut Session, outcome: &ApplyOutcome) {
    if session.live.recorder.is_none() {
        return;
    }
    let mut outcome = outcome.clone();
    let roots = &session.code.workspace.roots;
    let (path, others) = match &mut outcome {
        ApplyOutcome::Conflict { path, not_restored } => (Some(path), not_restored.as_mut_slice()),
        ApplyOutcome::Failed { not_restored, .. } => (None, not_restored.as_mut_slice()),
        ApplyOutcome::Done | ApplyOutcome::Rejected => (None, [].as_mut_slice()),
    };
    for path in path.into_iter().chain(others) {
        *path = recorded_path(path, roots);
    }
    note(session, Recorded::Applied { outcome });
}

/// Takes note of a payload; `path` is the document that it is about.
pub(crate) fn record_payload(session: &mut Session, path: Option<&str>, text: String) {
    let Some(recorder) = &mut session.live.recorder else {
        return;
    };
    let roots = &session.code.workspace.roots;
    let is_hidden = |path: &str| {
        recorder.hidden.contains(path) || is_secret(path) || place_of(path, roots).is_none()
    };
    if path.is_some_and(is_hidden) {
        return note(session, Recorded::Hidden);
    }
    let id = base32(&xxh3_64(text.as_bytes()).to_be_bytes(), 12).to_ascii_lowercase();
    let tokens = codecortex_protocol::tokens_approx(&text);
    recorder.payload = text;
    note(session, Recorded::Payload { id, tokens });
}

fn note(session: &mut Session, what: Recorded) {
    let at = session.code.clock.host();
    let Some(recorder) = &mut session.live.recorder else {
        return;
    };
    let line = RecordedLine { at, what };
    if recorder.root.is_none() {
        recorder.lines.push(line);
        return;
    }
    let Ok(json) = serde_json::to_string(&line) else {
        return; // what was read from JSON can be written as JSON
    };
    recorder.bytes += json.len() + 1;
    if recorder.bytes > MAX_BYTES || recorder.waiting.len() > MAX_WAITING {
        recorder.bytes = MAX_BYTES + 1;
        return;
    }
    recorder.waiting += &json;
    recorder.waiting.push('\n');
    ask_tick(session, WRITE_AFTER);
}

/// Hands over what waits to be written.
pub(crate) fn write_recording(session: &mut Session) {
    let Some(recorder) = &mut session.live.recorder else {
        return;
    };
    let (Some(root), None) = (recorder.root, recorder.sent) else {
        return;
    };
    if recorder.waiting.is_empty() {
        return;
    }
    let changes = vec![DiskChange::Append {
        path: recorder.path.clone(),
        text: recorder.waiting.clone(),
    }];
    let length = recorder.waiting.len();
    let request = Request::Commit {
        root,
        expect: Vec::new(),
        changes,
    };
    let id = session.code.ask(Asker::Recording, request);
    recorder.sent = Some((id, length));
}

/// Lines were written, or not.
pub(crate) fn recording_written(session: &mut Session, id: u32, outcome: &CommitOutcome) {
    let Some(recorder) = &mut session.live.recorder else {
        return;
    };
    let Some((_, length)) = recorder.sent.take_if(|(sent, _)| *sent == id) else {
        return;
    };
    if matches!(outcome, CommitOutcome::Done { .. }) {
        recorder.waiting.drain(..length);
    }
    if !recorder.waiting.is_empty() {
        ask_tick(session, WRITE_AFTER);
    }
}
