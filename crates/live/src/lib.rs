//! The past of a text: versions, differences, samples; edits by tools, what the editor shows, and the recording of all of it.
//! It knows no file system and no clock.

mod clock;
mod diff;
mod edit;
mod edit_outcome;
mod editor;
mod history;
mod plan;
mod recorder;
mod recording;
mod room;
mod state;

pub use clock::{Clock, Millis};
pub use diff::{Labels, Patch, unified};
pub use edit::{EditedFile, FailedEdit, FailedFile, LiveEdit};
pub use edit_outcome::error_of;
pub use editor::EditorState;
pub use history::{EditOrigin, History, Moment, Snapshot, StepContent, Version, version_of};
pub use plan::{Hint, MAX_HINTS};
pub use recorder::{Recorded, RecordedLine, RecordedText, VERSION, is_live};
pub use recording::RecordingStart;
pub use state::Live;
