//! Gives jobs to describers and takes in what became of them (SPEC I3, I4).

use codecortex_ledger::Millis;
use codecortex_protocol::{DescribedType, Description, Effect};

use crate::context::due::ask_tick_if_due;
use crate::session::Session;

/// A describer of this root's types is there, for so many jobs at a time; none is none.
pub(crate) fn set_describer(session: &mut Session, root: u32, places: u32) {
    if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        folder.describers.places = places;
        folder.describers.has_news = true;
        ask_tick_if_due(session);
    }
}

/// Somebody wants types described, or no longer.
pub(crate) fn want_described(
    session: &mut Session,
    root: u32,
    types: Vec<String>,
    is_wanted: bool,
) {
    if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        let wishes = types.into_iter().map(|id| (id, is_wanted));
        folder.describers.wishes.extend(wishes);
        folder.describers.has_news = true;
        ask_tick_if_due(session);
    }
}

/// What became of a job.
pub(crate) fn described(session: &mut Session, id: u32, outcome: Description) {
    for folder in &mut session.contexts.folders {
        let describers = &mut folder.describers;
        let mut given = describers.given.iter_mut();
        if let Some(given) = given.find(|given| given.id == id && given.has_begun) {
            given.outcome = Some(outcome);
            describers.has_news = true;
            break;
        }
    }
    ask_tick_if_due(session);
}

/// With an update of a root's ledger: tells it what became of jobs, and takes new ones from it.
pub(crate) fn update_jobs(session: &mut Session, root: u32, now: Millis) {
    let mut next = session.code.last_request;
    let folder = &mut session.contexts.folders[root as usize];
    let Some(ledger) = &mut folder.ledger else {
        return;
    };
    let void = folder.describers.tell(ledger, now);
    folder.describers.take(ledger, now, || {
        next = next.wrapping_add(1);
        next
    });
    session.code.last_request = next;
    let void = void.into_iter().map(|id| Effect::Withdraw { id });
    session.code.effects.extend(void);
}

/// What was taken from the ledger is on the disk: the jobs begin.
pub(crate) fn begin_jobs(session: &mut Session, root: u32) {
    let folder = &mut session.contexts.folders[root as usize];
    let Some(ledger) = &folder.ledger else {
        return;
    };
    folder.describers.unwritten = Default::default();
    for given in &mut folder.describers.given {
        if std::mem::replace(&mut given.has_begun, true) {
            continue;
        }
        let job = &given.job;
        let types = job.types.iter().map(|id| DescribedType {
            path: ledger
                .get(id)
                .map_or_else(String::new, |of| of.identity.fqn),
            id: id.clone(),
        });
        session.code.effects.push(Effect::Describe {
            id: given.id,
            root,
            group: job.group.clone(),
            types: types.collect(),
            classes: job
                .classes
                .iter()
                .map(|class| class.as_str().to_owned())
                .collect(),
            priority: job.priority,
            until_ms: job.until as f64,
        });
    }
}
