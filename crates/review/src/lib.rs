//! A change to code as review units, a plan, a bundle of context, and findings (SPEC RV1 to RV3).
//!
//! A diff is read by itself (`diff`), joined with both versions of its files (`change`), cut into units with the
//! declarations they touch (`unit`, `touched_declarations`), judged by rules that are data (`rules`), fused with a plan that somebody
//! may give (`plan`, `fusion`), and shown with what it cannot be understood without (`evidence`, `bundle`). Text of a
//! change is data everywhere: nothing in it decides what is done.

mod apply;
pub mod bundle;
mod call_text;
pub mod change;
mod changed_lines;
pub mod check;
mod claims;
mod decisions;
pub mod diff;
pub mod dismissals;
mod effect;
mod equivalence;
pub mod evidence;
pub mod finding;
pub mod fusion;
mod generics;
mod git_paths;
pub mod index;
mod layout;
pub mod level;
mod literals;
pub mod parameters;
mod patch_text;
pub mod pipeline;
pub mod plan;
pub mod prompt;
pub mod report;
mod requests;
pub mod results;
mod reviews;
pub mod rules;
pub mod source;
pub mod touched_declarations;
pub mod unit;

pub use change::{ChangeOrigin, ReviewedChange};
pub use diff::Patch;
pub use pipeline::{Issue, PipelineInput, Review, review};
pub use reviews::Reviews;
