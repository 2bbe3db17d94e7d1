//! What tools set in motion. A handler only looks; what it wants to happen is done after its answer.

use codecortex_ledger::Millis;
use codecortex_protocol::paths::{Place, absolute_path};

use crate::engine::Engine;
use crate::live::edits::{Edit, FailedEdit};
use crate::packs::Built;

/// Something that a tool wants to happen.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// The outline of this type was given out: write it to `.context/` and keep it fresh (SPEC D17).
    KeepOutline { root: u32, type_id: String },
    /// What is in the window of a root is other than it was.
    KeepWindow(u32),
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
    /// An edit is to be done.
    Apply(Box<Edit>),
    /// An edit could not even be begun.
    EditFailed(Box<FailedEdit>),
    /// Live context was given out: of which document, and all of it.
    Payload(Option<String>, String),
    /// These files are read again, and what is known of the types in them is stale (SPEC D30).
    Invalidate {
        files: Vec<Place>,
        /// Root and id.
        types: Vec<(u32, String)>,
    },
}

impl Engine {
    /// Does what the last call wanted.
    pub(crate) fn perform_actions(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::KeepOutline { root, type_id } => self.keep_outline(root, type_id),
                Action::KeepWindow(root) => self.keep_window(root),
                Action::KeepPack {
                    root,
                    name,
                    filter,
                    tokens,
                    built,
                } => self.keep_pack(root, &name, &filter, tokens, *built),
                Action::DropPack(root, name) => self.drop_pack(root, &name),
                Action::WantWindow => self.want_window_file(),
                Action::Apply(edit) => self.apply(*edit),
                Action::EditFailed(failed) => self.note_failed_edit(*failed),
                Action::Payload(path, text) => self.record_payload(path.as_deref(), text),
                Action::Invalidate { files, types } => self.invalidate(&files, types),
            }
        }
    }

    fn keep_outline(&mut self, root: u32, type_id: String) {
        if self.has_context(root)
            && let Some(folder) = self.contexts.folders.get_mut(root as usize)
        {
            folder.asked.insert(type_id);
        }
    }

    fn invalidate(&mut self, files: &[Place], types: Vec<(u32, String)>) {
        let paths: Vec<String> = files
            .iter()
            .filter_map(|place| {
                let root = self.code.workspace.roots.get(place.root as usize)?;
                Some(absolute_path(root, &place.path))
            })
            .collect();
        self.code.changed(&paths);
        for (root, id) in types {
            if let Some(folder) = self.contexts.folders.get_mut(root as usize) {
                folder.invalid.insert(id);
            }
        }
    }

    /// Tells the ledger of a root which types were invalidated by hand.
    pub(crate) fn invalidate_in_ledger(&mut self, root: u32, now: Millis) {
        let folder = &mut self.contexts.folders[root as usize];
        let Some(ledger) = &mut folder.ledger else {
            return;
        };
        for id in std::mem::take(&mut folder.invalid) {
            // A type that is gone has nothing that could be stale.
            let _ = ledger.invalidate(&id, now);
        }
    }
}
