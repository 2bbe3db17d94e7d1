//! What an editor's language providers know, merged into our own answers (docs/resolution.md).
//!
//! A tool that is called through a surface with providers asks them by an effect and is answered when
//! they have answered, or when the host's time is over. Everything that is decided here depends on what
//! they said alone, never on when or in which order they said it.

mod agreement;
mod merge;
mod order;
mod provider_questions;
mod question;
mod reliability;
mod room;
mod sites;
mod state;

pub use agreement::{Agreement, MAX_DISPUTED, Sums, Why};
pub use merge::{MergedUse, MergedUses, ReferenceSubject, merge, unmerged};
pub use order::sort_uses;
pub use question::Question;
pub use reliability::PlaceClass;
pub use sites::{NameSite, Outside, Sites, sites};
pub use state::Providers;
