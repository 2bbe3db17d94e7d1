//! Does again what the disk does not have yet, on top of what was read from it (SPEC D37).

use crate::artifacts::packs::{drop_pack, keep_pack};
use crate::artifacts::persisted_effects::PersistedEffect;
use crate::artifacts::schedule::has_context;
use crate::artifacts::window::keep_window;
use crate::dismissals::dismiss;
use crate::semantics::jobs::accept_text;
use crate::semantics::operations::write_op;
use crate::session::Session;

/// Does again everything of a root that is not on the disk.
pub(crate) fn replay_unwritten(session: &mut Session, root: u32) {
    for kept in session.unwritten.kept_of(root) {
        replay(session, root, kept);
    }
}

fn replay(session: &mut Session, root: u32, kept: PersistedEffect) {
    match kept {
        PersistedEffect::Outline(type_id) => keep_outline(session, root, type_id),
        PersistedEffect::Window(change) => {
            let window = session.context.window.get_mut();
            if let Some(own) = window.roots.get_mut(root as usize) {
                change.apply(own);
            }
            keep_window(session, root);
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
            let folder = session.contexts.folders.get(root as usize);
            let is_known =
                folder.is_some_and(|folder| folder.semantic_jobs.accepted.contains(&accepted));
            if !is_known {
                accept_text(session, root, accepted);
            }
        }
        // The jobs keep them until they are on the disk.
        PersistedEffect::Wishes => {}
        PersistedEffect::Operation(op) => write_op(session, &op),
        PersistedEffect::Invalid(ids) => {
            if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
                folder.invalid.extend(ids);
            }
        }
    }
}

/// Has the outline of a type written where there is a folder for it.
pub(crate) fn keep_outline(session: &mut Session, root: u32, type_id: String) {
    if has_context(session, root)
        && let Some(folder) = session.contexts.folders.get_mut(root as usize)
    {
        folder.asked.insert(type_id);
    }
}
