//! One thing that somebody put into a root's window or took out (SPEC PW2, D17): done at once, and again on top of
//! what another process wrote meanwhile.

use std::sync::Arc;

use crate::window::state::{PinEntry, RootWindow};

/// A change of what is in a root's window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WindowChange {
    /// Pins something.
    Pin(Arc<PinEntry>),
    /// Takes a pin out, by its id.
    Unpin(String),
    /// Puts something into focus until a time in ms since 1970.
    Focus(Arc<PinEntry>, u64),
    /// Leaves something out until it is used again, by its id.
    Dismiss(String),
    /// Takes everything out of focus.
    Clear,
    /// Lets the types of a pack weigh more, or no longer, by its name.
    Activate(String, bool),
}

impl WindowChange {
    /// Does it. Whether anything is other than it was.
    pub fn apply(&self, window: &mut RootWindow) -> bool {
        match self {
            Self::Pin(entry) => window.pin(Arc::clone(entry)),
            Self::Unpin(id) => window.pins.remove(id),
            Self::Focus(entry, until) => {
                window.add(Arc::clone(entry), *until);
                true
            }
            Self::Dismiss(id) => window.dismiss(id),
            Self::Clear => {
                let had_focus = !window.focus.is_empty();
                window.focus.clear();
                had_focus
            }
            Self::Activate(name, active) => match window.packs.get_mut(name) {
                Some(pack) if pack.active != *active => {
                    pack.active = *active;
                    true
                }
                _ => false,
            },
        }
    }
}
