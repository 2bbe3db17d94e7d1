//! What tools set in motion. A handler only looks; what it wants to happen is done after its answer.

use codecortex_protocol::Outbox;
use std::collections::BTreeMap;

use codecortex_context::packs::built::Built;
use codecortex_context::window::change::WindowChange;
use codecortex_live::FailedEdit;
use codecortex_protocol::paths::{WorkspacePath, absolute_path};
use codecortex_semantics::Accepted;

use crate::artifacts::folders::keep_outline;
use crate::artifacts::folders::want_folder;
use crate::artifacts::packs::{drop_pack, keep_pack};
use crate::artifacts::persisted_effects::PersistedEffect;
use crate::dismissals::dismiss;
use crate::live::edits::note_failed_edit;
use crate::live::record::record_payload;
use crate::semantics::jobs::{accept_text, lose_text, prepared, request_descriptions};
use crate::semantics::operations::{forget_op, keep_op};
use crate::session::Session;
use codecortex_semantics::Investigation;
use codecortex_semantics::Prepared;

/// Something that a tool wants to happen.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// The outline of this type was given out: write it to `.context/` and keep it fresh (SPEC D17).
    KeepOutline { root: u32, type_id: String },
    /// Something was put into the window of a root, or taken out. The handler has done it; what is read anew from the
    /// disk gets it again.
    KeepWindow(u32, WindowChange),
    /// Findings of reviews of a root are dismissed, others restored.
    Dismiss {
        root: u32,
        ids: Vec<String>,
        restored: Vec<String>,
    },
    /// A pack was built.
    KeepPack {
        root: u32,
        name: String,
        filter: String,
        tokens: u32,
        built: Box<Built>,
    },
    /// A pack is not wanted any more.
    DropPack(u32, String),
    /// Somebody reads the window: its file is wanted.
    WantWindow,
    /// An edit could not even be begun.
    EditFailed(Box<FailedEdit>),
    /// Live context was given out: of which document, and all of it.
    Payload(Option<String>, String),
    /// These files are read again, and what is known of the types in them is stale (SPEC D30).
    Invalidate {
        files: Vec<WorkspacePath>,
        /// Root and id.
        types: Vec<(u32, String)>,
    },
    /// Types of a root are to be described, or no longer.
    Want {
        root: u32,
        types: Vec<String>,
        is_wanted: bool,
    },
    /// The file with the text about a type is gone.
    TextLost { root: u32, id: String },
    /// Somebody brought a text (SPEC X12).
    AcceptText { root: u32, accepted: Accepted },
    /// An investigation is another than it was.
    KeepOp(Box<Investigation>),
    /// What is noted as an investigation at work is none.
    ForgetOp(String),
    /// The prompt of a job is there, or cannot be made.
    Prepared {
        job: u32,
        prepared: Result<Box<Prepared>, String>,
    },
}

/// Does what the last call wanted.
pub(crate) fn perform_actions(session: &mut Session, outbox: &mut Outbox, actions: Vec<Action>) {
    for action in actions {
        match action {
            Action::KeepOutline { root, type_id } => keep_outline(session, root, type_id),
            Action::KeepWindow(root, _) => {
                want_folder(session, root);
                session.keep_window(root);
            }
            Action::Dismiss {
                root,
                ids,
                restored,
            } => dismiss(session, root, &ids, &restored),
            Action::KeepPack {
                root,
                name,
                filter,
                tokens,
                built,
            } => keep_pack(session, root, &name, &filter, tokens, *built),
            Action::DropPack(root, name) => drop_pack(session, root, &name),
            Action::WantWindow => session.contexts.want_window_file(),
            Action::EditFailed(failed) => note_failed_edit(session, *failed),
            Action::Payload(path, text) => record_payload(session, path.as_deref(), text),
            Action::Invalidate { files, types } => invalidate(session, outbox, &files, types),
            Action::Want {
                root,
                types,
                is_wanted,
            } => request_descriptions(session, root, types, is_wanted),
            Action::TextLost { root, id } => lose_text(session, root, id),
            Action::AcceptText { root, accepted } => accept_text(session, root, accepted),
            Action::KeepOp(op) => keep_op(session, *op),
            Action::ForgetOp(id) => forget_op(session, id),
            Action::Prepared {
                job,
                prepared: made,
            } => prepared(session, outbox, job, made),
        }
    }
}

impl Action {
    /// What is to be found in `.context/` afterwards, each with its root.
    pub(crate) fn kept(&self) -> Vec<(u32, PersistedEffect)> {
        let one = match self {
            Self::KeepOutline { root, type_id } => {
                (*root, PersistedEffect::Outline(type_id.clone()))
            }
            Self::KeepWindow(root, change) => (*root, PersistedEffect::Window(change.clone())),
            Self::Dismiss {
                root,
                ids,
                restored,
            } => {
                let (ids, restored) = (ids.clone(), restored.clone());
                (*root, PersistedEffect::Dismissals { ids, restored })
            }
            Self::KeepPack {
                root,
                name,
                filter,
                tokens,
                built,
            } => {
                let (name, filter, built) = (name.clone(), filter.clone(), built.clone());
                let tokens = *tokens;
                let pack = PersistedEffect::Pack {
                    name,
                    filter,
                    tokens,
                    built,
                };
                (*root, pack)
            }
            Self::DropPack(root, name) => (*root, PersistedEffect::NoPack(name.clone())),
            Self::Want { root, .. } => (*root, PersistedEffect::Wishes),
            Self::AcceptText { root, accepted } => (*root, PersistedEffect::Text(accepted.clone())),
            Self::KeepOp(op) => (op.root, PersistedEffect::Operation(op.clone())),
            Self::Invalidate { types, .. } => {
                let mut by_root: BTreeMap<u32, Vec<String>> = BTreeMap::new();
                for (root, id) in types {
                    by_root.entry(*root).or_default().push(id.clone());
                }
                let invalid = by_root.into_iter();
                return invalid
                    .map(|(root, ids)| (root, PersistedEffect::Invalid(ids)))
                    .collect();
            }
            Self::WantWindow
            | Self::TextLost { .. }
            | Self::EditFailed(_)
            | Self::Payload(..)
            | Self::ForgetOp(_)
            | Self::Prepared { .. } => return Vec::new(),
        };
        vec![one]
    }
}

fn invalidate(
    session: &mut Session,
    outbox: &mut Outbox,
    files: &[WorkspacePath],
    types: Vec<(u32, String)>,
) {
    let paths: Vec<String> = files
        .iter()
        .filter_map(|place| {
            let root = session.code.workspace().roots.get(place.root as usize)?;
            Some(absolute_path(root, &place.path))
        })
        .collect();
    session.code.changed(outbox, &paths);
    for (root, id) in types {
        session.contexts.note_invalid(root, vec![id]);
    }
}
