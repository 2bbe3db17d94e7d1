//! Events that are about the code, or about more than one room.

use codecortex_protocol::paths::normal;
use codecortex_protocol::{Event, Outbox};

use crate::artifacts::external_writes::context_changed;
use crate::artifacts::folders::keep_context;
use crate::artifacts::tick;
use crate::live::record::write_recording;
use crate::live::{edited, opened};
use crate::semantics::jobs::{request_descriptions, set_model};
use crate::session::Session;
use crate::signals::Signal;

/// Takes in an event that is about the code, or about more than one room.
pub(crate) fn take_in(session: &mut Session, outbox: &mut Outbox, event: Event) {
    match event {
        Event::Listed { listings } => {
            session.code.listed(outbox, &listings);
            // Some are gone, others are what an earlier run kept.
            session.signals.raise(Signal::Files);
        }
        Event::Changed { paths } => {
            session.code.changed(outbox, &paths);
            context_changed(session, outbox, &paths);
        }
        Event::Watching { unwatched } => session.code.watching(unwatched),
        Event::Opened {
            path,
            version,
            text,
            dirty,
        } => opened(session, normal(&path), &text, version, dirty),
        Event::Edited {
            path,
            version,
            changes,
            dirty,
        } => edited(session, normal(&path), version, changes, dirty),
        Event::Saved { path } => {
            if let Some(document) = session.code.document_mut(&normal(&path)) {
                document.dirty = false;
            }
        }
        Event::Closed { path } => closed(session, outbox, &normal(&path)),
        Event::CancelIndexing => session.code.cancel_indexing(),
        Event::Tick { now_ms } => {
            session.ticked();
            write_recording(session, outbox);
            tick(session, outbox, now_ms as u64);
        }
        Event::KeepContext { root } => keep_context(session, root),
        Event::Model { name, slots } => set_model(session, name, slots),
        Event::Wanted {
            root,
            types,
            wanted,
        } => request_descriptions(session, root, types, wanted),
        // The clock, a room or the engine took it in.
        Event::Time { .. }
        | Event::Editor { .. }
        | Event::Diagnosed { .. }
        | Event::Selected { .. }
        | Event::Configure { .. }
        | Event::Reindex
        | Event::Replied { .. }
        | Event::Call { .. }
        | Event::CancelCall { .. }
        | Event::Answered { .. }
        | Event::Ending => {}
    }
}

/// An editor let go of a document.
fn closed(session: &mut Session, outbox: &mut Outbox, path: &str) {
    let Some(document) = session.code.take_document(path) else {
        return;
    };
    let (history, last) = document.into_past();
    session.live.keep(path.to_owned(), history, last);
    session.code.forget_outside_document(path);
    // Back to what the disk has.
    session.code.changed(outbox, &[path.to_owned()]);
}
