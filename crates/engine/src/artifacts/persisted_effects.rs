//! What a call wants kept in the `.context/` of one root (SPEC D37): enough to do it again on top of what another process
//! wrote first.

use codecortex_context::packs::built::Built;
use codecortex_context::window::change::WindowChange;
use codecortex_semantics::Accepted;

use codecortex_semantics::Investigation;

/// Something that is to be found in a root's `.context/` afterwards.
#[derive(Clone, Debug)]
pub(crate) enum PersistedEffect {
    /// The outline of a type, by its id.
    Outline(String),
    /// What is in the window.
    Window(WindowChange),
    /// Findings of reviews that are dismissed, and others that are shown again.
    Dismissals {
        ids: Vec<String>,
        restored: Vec<String>,
    },
    /// A pack that was built.
    Pack {
        name: String,
        filter: String,
        tokens: u32,
        built: Box<Built>,
    },
    /// A pack that is not wanted any more, by its name.
    NoPack(String),
    /// A text about a type.
    Text(Accepted),
    /// Types that are to be described, or no longer; the jobs keep which.
    Wishes,
    /// An investigation.
    Operation(Box<Investigation>),
    /// Types that were invalidated by hand, by their ids.
    Invalid(Vec<String>),
}

impl PersistedEffect {
    /// Whether the answer says that it was done, so that it fails where the disk takes nothing; `is_look` where the tool
    /// only asks.
    pub(crate) fn must_be_kept(&self, is_look: bool) -> bool {
        match self {
            Self::Outline(_) => false,
            Self::Wishes => !is_look,
            _ => true,
        }
    }
}
