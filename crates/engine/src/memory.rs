//! Gives memory up to stay below the ceiling (SPEC X10).

use codecortex_analysis::memory_limit::{EVERY, GivenUp, ceiling_bytes};
use codecortex_protocol::Phase;

use crate::session::Session;

/// Bytes that the workspace holds, roughly.
pub(crate) fn held_bytes(session: &Session) -> usize {
    let documents = session.code.documents.values();
    let documents: usize = documents
        .map(codecortex_analysis::documents::OpenDocument::memory)
        .sum();
    let shelf = session
        .code
        .shelf
        .as_ref()
        .map_or(0, |shelf| shelf.memory());
    let names = session.code.names.borrow().memory();
    let map = session.context.map.borrow().memory();
    session.code.index.memory() + shelf + documents + names + map + session.live.memory()
}

/// Gives up what is needed to stay below the ceiling, if it is time to look.
pub(crate) fn stay_below_ceiling(session: &mut Session) {
    let Some(ceiling) = ceiling_bytes(&session.code.config) else {
        return;
    };
    let is_ready = session.code.phase() == Phase::Ready;
    let is_news = is_ready && !session.code.memory.is_settled;
    let is_due = session
        .code
        .revision
        .wrapping_sub(session.code.memory.looked)
        >= EVERY;
    session.code.memory.is_settled = is_ready;
    if !is_news && !is_due {
        return;
    }
    session.code.memory.looked = session.code.revision;
    for step in GivenUp::ALL {
        if held_bytes(session) <= ceiling {
            return;
        }
        give_up(session, step);
    }
    let held = held_bytes(session);
    if held > ceiling {
        session.code.notice(format!(
            "The index needs more than the memory ceiling of {} MB. Raise it, or leave more out of the index.",
            ceiling >> 20
        ));
    }
}

fn give_up(session: &mut Session, step: GivenUp) {
    match step {
        GivenUp::Trees => {
            let documents = session.code.documents.values_mut();
            documents.for_each(codecortex_analysis::documents::OpenDocument::drop_tree);
            session.live.forget_closed();
        }
        GivenUp::Caches => {
            session.context.memo.take();
            session.context.map.take();
            session.code.ids.take();
            session.code.search.take();
            session.code.index.drop_search_tables();
            session.code.names.take();
        }
        GivenUp::Bodies => {
            if !session.code.memory.is_without_bodies() {
                session.code.notice(
                    "The memory ceiling is reached: hashes and kinds of change rest until the workspace is \
                     reindexed."
                        .to_owned(),
                );
            }
            session.code.index.drop_layers();
            session.code.recent.get_mut().end();
        }
    }
    if !session.code.memory.given_up.contains(&step) {
        session.code.memory.given_up.push(step);
    }
}
