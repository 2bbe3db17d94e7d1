//! The model that the host has, and what it is asked (SPEC SE2, SE3). Anybody in the engine may ask; the core knows no
//! model, only that there is one.

use codecortex_analysis::asks::Asker;
use codecortex_protocol::{ModelFailure, ModelOutcome, ModelRequest, Outbox, Request};
use codecortex_semantics::{PendingModelRequest, clean_request};

use crate::semantics::accounts::{note_redacted, note_usage};
use crate::session::Session;

/// What is said where there is no model.
pub(crate) fn no_model() -> ModelOutcome {
    ModelOutcome::failed(
        ModelFailure::Absent,
        "No model was chosen. Everything else works; agents can submit texts.",
    )
}

/// What is said where a host gives no answer of a model.
pub(crate) fn no_answer() -> ModelOutcome {
    ModelOutcome::failed(
        ModelFailure::Unreachable,
        "The host gave no answer of the model.",
    )
}

/// Asks the model; the number of the question, and the question as it leaves: without secrets.
pub(crate) fn ask(
    session: &mut Session,
    outbox: &mut Outbox,
    asker: Asker,
    mut request: ModelRequest,
) -> (u32, Request) {
    let pending = PendingModelRequest {
        job: match asker {
            Asker::Job(job) => Some(job),
            _ => None,
        },
        request: request.clone(),
        since: session.code.clock().host(),
    };
    let redacted = clean_request(&mut request);
    if redacted > 0 {
        note_redacted(session, redacted);
    }
    let request = Request::Model { request };
    let id = session.code.ask(outbox, asker, request.clone());
    session.models.note(id, pending);
    (id, request)
}

/// The model answered a question. What it costs counts, whoever hears it.
pub(crate) fn answered(session: &mut Session, id: u32, outcome: &ModelOutcome) {
    if let Some(PendingModelRequest { request, since, .. }) = session.models.take(id) {
        note_usage(session, &request, outcome, since);
    }
}

/// A model is there, or is no longer; so many texts may be made at a time.
pub(crate) fn choose(session: &mut Session, name: Option<String>, slots: u32) {
    session.models.choose(name, slots);
}

/// The model is gone, as its answer says: no more texts are sent for.
pub(crate) fn close(session: &mut Session) {
    session.models.close();
}

/// How many types of a root may be described at a time.
pub(crate) fn slots(session: &Session) -> u32 {
    session.models.slots()
}

/// Takes the question of a job back, if it is with the model.
pub(crate) fn withdraw(session: &mut Session, outbox: &mut Outbox, job: u32) {
    if let Some(id) = session.models.question_of(job) {
        session.models.take(id);
        session.code.cancel_ask(outbox, id);
    }
}
