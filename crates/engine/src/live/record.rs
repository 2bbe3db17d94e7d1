//! The recording of live context: when it begins, and its way to the disk (SPEC D27, LC6).
//!
//! Off unless a person's own settings say otherwise. The recording itself is in `codecortex_live`.

use codecortex_analysis::asks::Asker;
use codecortex_analysis::disk_text::DiskText;
use codecortex_live::{RecordedLine, RecordingStart, is_live};
use codecortex_protocol::{CommitOutcome, Event, Located, Outbox, Request};

use crate::artifacts::folders::wants_recording;
use crate::session::Session;

/// Where recordings are, relative to a root.
const FOLDER: &str = ".context/replay";

/// Starts recording in memory, for [`take_recording`], instead of on the disk.
pub(crate) fn record_in_memory(session: &mut Session, edits: u32) {
    session.live.record_in_memory(edits);
}

/// What was recorded in memory since the last time, and the payload that was given out last, whole.
pub(crate) fn take_recording(session: &mut Session) -> (Vec<RecordedLine>, String) {
    session.live.take_recording()
}

/// Takes note of an event that is about to be taken in; `is_recorded` says which tools' calls are recorded.
pub(crate) fn record_event(
    session: &mut Session,
    outbox: &mut Outbox,
    event: &Event,
    is_recorded: impl Fn(&str) -> bool,
) {
    if let Event::Configure { .. } = event {
        return session.live.end_recording_on_disk();
    }
    if !is_live(event, is_recorded) || !is_recording(session, outbox) {
        return;
    }
    let at = session.code.clock().host();
    let roots = &session.code.workspace().roots;
    session.live.record_event(event, roots, at);
}

/// Whether something is recorded; begins where that is wanted, and ends where it is not any more.
fn is_recording(session: &mut Session, outbox: &mut Outbox) -> bool {
    if session.live.is_recorded_in_memory() {
        return true;
    }
    let roots = 0..session.code.workspace().roots.len() as u32;
    let mut wanting = roots.filter(|root| wants_recording(session, *root));
    match (wanting.next(), session.live.is_recorded()) {
        (None, false) => false,
        (None, true) => {
            write_recording(session, outbox);
            session.live.end_recording();
            false
        }
        (Some(_), true) => session.live.has_room_to_record(),
        (Some(root), false) => {
            begin_recording(session, root);
            true
        }
    }
}

fn begin_recording(session: &mut Session, root: u32) {
    let at = session.code.clock().host();
    let name = codecortex_ledger::rfc3339(at);
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let moment = session.code.moment();
    let mut opened: Vec<Event> = Vec::new();
    for (path, document) in session.code.documents_mut() {
        document.history.clear();
        document.history.begin(moment);
        opened.push(Event::Opened {
            path: path.to_owned(),
            version: document.version,
            text: document.now().text.text(),
            dirty: document.dirty,
        });
    }
    let start = RecordingStart {
        at,
        config: session.code.config(),
        roots: &session.code.workspace().roots,
        opened,
    };
    let path = format!("{FOLDER}/{name}.jsonl");
    session.live.begin_recording(root, path, start);
}

/// Takes note of what the disk had of files.
pub(crate) fn record_texts(session: &mut Session, files: &[Located]) {
    let at = session.code.clock().host();
    let code = &session.code;
    let texts = files.iter().filter_map(|file| {
        let place = file.place.as_ref()?;
        let root = code.workspace().roots.get(place.root as usize)?;
        let text = match code.disk().get(&file.path) {
            Some(DiskText::Text { snapshot, .. }) => Some(snapshot.text.text()),
            _ => None,
        };
        Some((root, place.path.as_str(), text))
    });
    session.live.record_texts(texts, at);
}

/// Takes note of a payload; `path` is the document that it is about.
pub(crate) fn record_payload(session: &mut Session, path: Option<&str>, text: String) {
    let at = session.code.clock().host();
    let roots = &session.code.workspace().roots;
    session.live.record_payload(path, text, roots, at);
}

/// Hands over what waits to be written.
pub(crate) fn write_recording(session: &mut Session, outbox: &mut Outbox) {
    let Some((root, change)) = session.live.unwritten_recording() else {
        return;
    };
    let request = Request::Commit {
        root,
        expect: Vec::new(),
        changes: vec![change],
    };
    let id = session.code.ask(outbox, Asker::Recording, request);
    session.live.recording_sent(id);
}

/// Lines were written, or not.
pub(crate) fn recording_written(session: &mut Session, id: u32, outcome: &CommitOutcome) {
    let is_done = matches!(outcome, CommitOutcome::Done { .. });
    session.live.recording_written(id, is_done);
}
