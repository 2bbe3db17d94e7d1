//! The account of requests to models: kept by the first root that has a ledger, limited by the settings of each (SPEC SE3).

use codecortex_ledger::Ledger;
use codecortex_protocol::{ModelOutcome, ModelRequest};

use crate::session::Session;

/// Counts a request, whatever its outcome, for the first root that keeps accounts.
pub(crate) fn note_usage(
    session: &mut Session,
    request: &ModelRequest,
    outcome: &ModelOutcome,
    since: u64,
) {
    let now = session.code.clock().host();
    if let Some(ledger) = first_ledger(session) {
        codecortex_semantics::note_usage(ledger, request, outcome, since, now);
    }
}

/// Counts secrets that were taken out, where accounts are kept.
pub(crate) fn note_redacted(session: &mut Session, redacted: u32) {
    if let Some(ledger) = first_ledger(session) {
        codecortex_semantics::note_redacted(ledger, redacted);
    }
}

/// Why so many tokens may not be sent to a model now, by the limits of a root's settings.
pub(crate) fn refusal(session: &Session, root: u32, tokens: u32) -> Option<String> {
    let folder = session.contexts.folders.get(root as usize)?;
    let ledger = folder.ledger.as_ref()?;
    let now = session.code.clock().host();
    codecortex_semantics::refusal(ledger, &folder.config.model, tokens, now)
}

/// Why not all of so many texts of a root can be made now, by the limits of the person's settings.
pub(crate) fn shortage(session: &Session, root: u32, texts: usize) -> Option<String> {
    let folder = session.contexts.folders.get(root as usize)?;
    let now = session.code.clock().host();
    codecortex_semantics::shortage(folder.ledger.as_ref(), &folder.config.model, texts, now)
}

fn first_ledger(session: &mut Session) -> Option<&mut Ledger> {
    let mut folders = session.contexts.folders.iter_mut();
    folders.find_map(|folder| folder.ledger.as_mut())
}
