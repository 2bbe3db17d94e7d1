//! What a text was a moment ago, an hour ago, and what the editor shows of it (SPEC LC1–LC6; docs/live-context.md).
//!
//! A keystroke costs the edit of a rope and a few numbers: a snapshot is a clone of the rope, which shares
//! all that did not change. Everything that takes longer (ids of versions, differences, windows) is made
//! when somebody asks.

pub(crate) mod edits;
pub(crate) mod record;
pub(crate) mod replay;

use codecortex_analysis::disk_text::DiskText;
use codecortex_analysis::documents::OpenDocument;
use codecortex_live::{EditOrigin, History, version_of};
use codecortex_protocol::{FetchedFile, Located, TextChange};

use crate::artifacts::window::window_is_other;
use crate::live::record::record_texts;
use crate::session::Session;
use crate::signals::Signal;

/// An editor holds a document now.
pub(crate) fn opened(session: &mut Session, path: String, text: &str, version: i64, dirty: bool) {
    let moment = session.code.moment();
    let before = match session.code.take_document(&path) {
        Some(document) => Some(document.into_past()),
        None => session.live.take(&path),
    };
    let mut document = OpenDocument::new(text, version, dirty, History::default());
    // An editor opens what it is to change for a tool; of large changes it tells with the whole text.
    let edited = session.live.edited_to(&path);
    let is_tool = edited.is_some_and(|after| *after == version_of(&document.now().text));
    match before {
        Some((mut history, last)) => {
            let origin = if is_tool {
                EditOrigin::Tool
            } else {
                EditOrigin::Disk
            };
            history.replaced(&last, &document.now().text, origin, moment);
            document.history = history;
        }
        None => document.history.begin(moment),
    }
    document.history.expects_tool = edited.is_some() && !is_tool;
    session.code.open_document(path, document);
}

/// An open document changed.
pub(crate) fn edited(
    session: &mut Session,
    path: String,
    version: i64,
    changes: Vec<TextChange>,
    dirty: bool,
) {
    let moment = session.code.moment();
    let Some(document) = session.code.document_mut(&path) else {
        return;
    };
    let is_change = !changes.is_empty();
    if document.edit(version, changes, dirty, moment) && is_change {
        if session.live.latest() != Some(&path) {
            session.live.set_latest(Some(path));
        }
        // It is read when somebody asks; who shows the window has to know that asking is worth it.
        window_is_other(session);
    }
}

/// The history of a document, open or not.
pub(crate) fn history<'a>(session: &'a Session, path: &str) -> Option<&'a History> {
    match session.code.documents().get(path) {
        Some(document) => Some(&document.history),
        None => session.live.closed(path),
    }
}

/// Takes in texts that were asked for.
pub(crate) fn texts_fetched(session: &mut Session, id: u32, fetched: &[FetchedFile]) {
    let Some(files) = session.code.take_asked_texts(id) else {
        return;
    };
    for (at, file) in files.iter().enumerate() {
        let text = fetched
            .get(at)
            .map_or(DiskText::Absent, DiskText::from_file);
        note_disk_text(session, file, &text);
        session.code.keep_text(file.path.clone(), text);
    }
    record_texts(session, &files);
    session.signals.raise(Signal::Texts);
}

/// What was written by others since a tool edited a file is a step of its own.
fn note_disk_text(session: &mut Session, file: &Located, text: &DiskText) {
    let moment = session.code.moment();
    // Nobody here edits what is outside: of that nothing is kept.
    if let (DiskText::Text { snapshot, .. }, Some(_)) = (text, &file.place) {
        session.live.seen_on_disk(&file.path, snapshot, moment);
    }
}
