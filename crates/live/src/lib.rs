//! The past of a text: versions, differences, samples. It knows no file system and no clock.

mod clock;
mod diff;
mod editor;
mod history;
mod plan;

pub use clock::{Clock, Millis};
pub use diff::{Labels, Patch, unified};
pub use editor::EditorState;
pub use history::{EditOrigin, History, Moment, Snapshot, StepContent, Version, version_of};
pub use plan::{Hint, MAX_HINTS};
