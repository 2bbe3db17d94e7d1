//! Gives memory up to stay below the ceiling (SPEC X10).

use codecortex_analysis::memory_limit::ceiling_bytes;
use codecortex_protocol::{GivenUp, Outbox};

use crate::session::Session;

/// Gives up what is needed to stay below the ceiling, if it is time to look.
pub(crate) fn stay_below_ceiling(session: &mut Session, outbox: &mut Outbox) {
    let Some(ceiling) = ceiling_bytes(session.code.config()) else {
        return;
    };
    if !session.code.is_memory_look_due() {
        return;
    }
    for step in GivenUp::ALL {
        if session.held_bytes() <= ceiling {
            return;
        }
        session.shed(outbox, step);
    }
    let held = session.held_bytes();
    if held > ceiling {
        session.code.notice(outbox, format!(
            "The index needs more than the memory ceiling of {} MB. Raise it, or leave more out of the index.",
            ceiling >> 20
        ));
    }
}
