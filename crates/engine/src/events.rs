//! Events that are about the code, or about more than one room.

use std::collections::BTreeSet;

use codecortex_analysis::workspace::scan::ScanRequests;
use codecortex_protocol::paths::normal;
use codecortex_protocol::{Event, FileRef, Listing};

use crate::artifacts::external_writes::context_changed;
use crate::artifacts::schedule::keep_context;
use crate::artifacts::tick;
use crate::live::record::write_recording;
use crate::live::{edited, opened};
use crate::semantics::jobs::{request_descriptions, set_model};
use crate::session::Session;
use crate::signals::Signal;

/// Takes in an event that is about the code, or about more than one room.
pub(crate) fn take_in(session: &mut Session, event: Event) {
    match event {
        Event::Listed { listings } => listed(session, &listings),
        Event::Changed { paths } => {
            session.code.changed(&paths);
            context_changed(session, &paths);
        }
        Event::Watching { unwatched } => session.code.unwatched = unwatched,
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
            if let Some(document) = session.code.documents.get_mut(&normal(&path)) {
                document.dirty = false;
            }
        }
        Event::Closed { path } => closed(session, &normal(&path)),
        Event::CancelIndexing => cancel(session),
        Event::Tick { now_ms } => {
            write_recording(session);
            tick(session, now_ms as u64);
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
        | Event::CancelCall { .. } => {}
    }
}

fn listed(session: &mut Session, listings: &[Listing]) {
    let mut list = Vec::new();
    let mut read: Vec<FileRef> = Vec::new();
    for listing in listings {
        session.code.workspace.listing = session.code.workspace.listing.saturating_sub(1);
        let nothing = BTreeSet::new();
        let force = session.code.force.get(&listing.root).unwrap_or(&nothing);
        let ScanRequests {
            list: dirs,
            read: files,
            gone,
        } = session.code.workspace.listed(listing, force);
        if let Some(projects) = session.code.projects.get_mut(listing.root as usize) {
            projects.note(listing, &session.code.workspace);
            gone.iter().for_each(|file| projects.gone(&file.path));
        }
        for file in &gone {
            let known = session.code.index.file_id(file.root, &file.path);
            if known.is_some() {
                session.code.replace(file.root, &file.path, None);
            }
        }
        list.extend(dirs);
        read.extend(files);
    }
    session.code.list(list);
    // Some are gone, others are what an earlier run kept.
    session.signals.raise(Signal::Files);
    read.retain(|file| !session.code.take_from_cache(file));
    if !read.is_empty() && !session.code.cancelled {
        session.code.read(read);
    }
    if session.code.workspace.listing == 0 {
        session.code.force.clear();
    }
}

/// An editor let go of a document.
fn closed(session: &mut Session, path: &str) {
    let Some(document) = session.code.documents.remove(path) else {
        return;
    };
    let (history, last) = document.into_past();
    session.live.keep(path.to_owned(), history, last);
    session.code.outside.open.remove(path);
    // Back to what the disk has.
    session.code.changed(&[path.to_owned()]);
}

fn cancel(session: &mut Session) {
    if session.code.workspace.pending() > 0 || session.code.workspace.listing > 0 {
        session.code.cancelled = true;
    }
}
