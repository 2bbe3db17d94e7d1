//! Gives memory up to stay below the ceiling (SPEC X10).

use codecortex_analysis::memory_limit::{EVERY, GivenUp, ceiling_bytes};
use codecortex_protocol::Phase;

use crate::session::Session;

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
        if session.held_bytes() <= ceiling {
            return;
        }
        session.shed(step);
    }
    let held = session.held_bytes();
    if held > ceiling {
        session.code.notice(format!(
            "The index needs more than the memory ceiling of {} MB. Raise it, or leave more out of the index.",
            ceiling >> 20
        ));
    }
}
