//! Does again what the disk does not have yet, on top of what was read from it (SPEC D37).

use crate::artifacts::awaited::kept_of;
use crate::artifacts::folders::keep_outline;
use crate::artifacts::packs::{drop_pack, keep_pack};
use crate::artifacts::persisted_effects::PersistedEffect;
use crate::artifacts::window::change_window;
use crate::dismissals::dismiss;
use crate::semantics::jobs::accept_text;
use crate::semantics::operation_files::write_op;
use crate::session::Session;

/// Does again everything of a root that is not on the disk.
pub(crate) fn replay_unwritten(session: &mut Session, root: u32) {
    for kept in kept_of(session, root) {
        replay(session, root, kept);
    }
}

fn replay(session: &mut Session, root: u32, kept: PersistedEffect) {
    match kept {
        PersistedEffect::Outline(type_id) => keep_outline(session, root, type_id),
        PersistedEffect::Window(change) => {
            change_window(session, root, &change);
            session.keep_window(root);
        }
        PersistedEffect::Dismissals { ids, restored } => dismiss(session, root, &ids, &restored),
        PersistedEffect::Pack {
            name,
            filter,
            tokens,
            built,
        } => keep_pack(session, root, &name, &filter, tokens, *built),
        PersistedEffect::NoPack(name) => drop_pack(session, root, &name),
        PersistedEffect::Text(accepted) => {
            if !session.contexts.is_accepted(root, &accepted) {
                accept_text(session, root, accepted);
            }
        }
        // The jobs keep them until they are on the disk.
        PersistedEffect::Wishes => {}
        PersistedEffect::Operation(op) => write_op(session, &op),
        PersistedEffect::Invalid(ids) => session.contexts.note_invalid(root, ids),
    }
}
