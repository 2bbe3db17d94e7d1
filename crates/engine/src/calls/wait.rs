//! Waits until what a look-up lacks is here, or as far as it will come.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use codecortex_analysis::asks::Asker;
use codecortex_analysis::external::{is_library_here, request_external, request_libraries};
use codecortex_analysis::generated::{are_here, open_generated};
use codecortex_analysis::workspace::Status;
use codecortex_context::map::MAX_COMMITS;
use codecortex_protocol::paths::WorkspacePath;
use codecortex_protocol::{FileRef, Missing, Outbox, Request};

use crate::artifacts::folders::{request_context, request_projects};
use crate::calls::CallContext;
use crate::session::Session;
use crate::signals::Signal;

/// Something that is missing, and how often its signal had come when it was asked for.
struct AwaitedPart {
    missing: Missing,
    since: u32,
    is_here: bool,
}

/// Waits for several things. Texts are kept until all of it is here: some alone are of no use to a look-up.
pub(super) struct Wait {
    cx: CallContext,
    parts: Vec<AwaitedPart>,
    /// The beginning of the workspace after which all was asked for; none before that.
    asked_at: Option<u32>,
    /// Whether somebody else has asked for it already.
    is_asked: bool,
}

impl Wait {
    /// Asks for what is missing, and waits for it.
    pub(super) fn new(cx: &CallContext, missing: Vec<Missing>) -> Self {
        let part = |missing| AwaitedPart {
            missing,
            since: 0,
            is_here: false,
        };
        Self {
            cx: cx.clone(),
            parts: missing.into_iter().map(part).collect(),
            asked_at: None,
            is_asked: false,
        }
    }

    /// Waits for files that are on their way into the index.
    pub(super) fn for_files(cx: &CallContext, files: Vec<WorkspacePath>) -> Self {
        Self {
            is_asked: true,
            ..Self::new(cx, vec![Missing::Files(files)])
        }
    }

    /// Asks for all that is not here. What was asked for before the workspace began anew will not come.
    fn ask(&mut self, session: &mut Session, outbox: &mut Outbox) {
        let beginning = session.signals.count(Signal::Beginning);
        if self.asked_at == Some(beginning) {
            return;
        }
        let is_first = self.asked_at.replace(beginning).is_none();
        for part in self.parts.iter_mut().filter(|part| !part.is_here) {
            part.since = session.signals.count(signal_of(&part.missing));
            if !is_first || !self.is_asked {
                request(session, outbox, &part.missing);
            }
        }
    }
}

impl Future for Wait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let cx = this.cx.clone();
        cx.change(|session, outbox| this.ask(session, outbox));
        let session = &mut *cx.session_mut();
        for part in this.parts.iter_mut().filter(|part| !part.is_here) {
            part.is_here = has_come(session, part);
        }
        if this.parts.iter().all(|part| part.is_here) && has_texts(session, &this.parts) {
            for part in &this.parts {
                if let Missing::Declarations(files) = &part.missing {
                    open_generated(&mut session.code, files);
                }
            }
            return Poll::Ready(());
        }
        let task = cx.task();
        task.wait_for(Signal::Beginning);
        for AwaitedPart { missing, .. } in &this.parts {
            task.wait_for(signal_of(missing));
            if let Missing::Texts(files) | Missing::Declarations(files) = missing {
                task.wait_for_texts(files);
            }
        }
        Poll::Pending
    }
}

/// The signal that it may have come.
fn signal_of(missing: &Missing) -> Signal {
    match missing {
        Missing::Files(_) => Signal::Files,
        Missing::Projects(root) | Missing::Context(root) => Signal::Root(*root),
        Missing::Texts(_) | Missing::Declarations(_) => Signal::Texts,
        Missing::External => Signal::External,
        Missing::Libraries(_) => Signal::Libraries,
        Missing::History(root) => Signal::History(*root),
    }
}

/// Whether it is here, or as far as it will come. Texts are looked for at the end, see [`has_texts`].
fn has_come(session: &Session, part: &AwaitedPart) -> bool {
    match &part.missing {
        Missing::Files(places) => places.iter().all(|place| {
            let file = session.code.workspace().file(place.root, &place.path);
            file.is_none_or(|file| file.status != Status::Pending)
        }),
        Missing::Libraries(files) => {
            let mut files = files.iter();
            files.all(|file| is_library_here(&session.code, file))
        }
        Missing::Texts(_) | Missing::Declarations(_) => true,
        other => session.signals.count(signal_of(other)) != part.since,
    }
}

fn has_texts(session: &Session, parts: &[AwaitedPart]) -> bool {
    parts.iter().all(|part| match &part.missing {
        Missing::Texts(files) | Missing::Declarations(files) => are_here(&session.code, files),
        _ => true,
    })
}

/// Has something read that is missing.
fn request(session: &mut Session, outbox: &mut Outbox, missing: &Missing) {
    match missing {
        Missing::Files(places) => {
            let file = |place: &WorkspacePath| FileRef {
                root: place.root,
                path: place.path.clone(),
            };
            session.code.read(outbox, places.iter().map(file).collect());
        }
        Missing::Projects(root) => {
            if request_projects(session, outbox, *root) {
                session.signals.raise(Signal::Root(*root));
            }
        }
        Missing::Context(root) => request_context(session, outbox, *root),
        Missing::External => {
            if request_external(&mut session.code, outbox) {
                session.signals.raise(Signal::External);
            }
        }
        Missing::Libraries(files) => request_libraries(&mut session.code, outbox, files),
        Missing::Declarations(files) if are_here(&session.code, files) => {}
        Missing::Texts(files) | Missing::Declarations(files) => {
            session.code.fetch_texts(outbox, files)
        }
        Missing::History(root) => {
            let asker = Asker::History(*root);
            if !session.code.is_asked_by(asker) {
                let (root, most) = (*root, MAX_COMMITS);
                session.code.ask(outbox, asker, Request::Log { root, most });
            }
        }
    }
}
