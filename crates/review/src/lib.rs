//! A change to code as review units, a plan, a bundle of context, and findings (SPEC RV1 to RV3).
//!
//! A diff is read by itself (`diff`), joined with both versions of its files (`change`), cut into units with the
//! declarations they touch (`unit`, `touched`), judged by rules that are data (`rules`), fused with a plan that somebody
//! may give (`plan`, `fusion`), and shown with what it cannot be understood without (`evidence`, `bundle`). Text of a
//! change is data everywhere: nothing in it decides what is done.

mod apply;
pub mod bundle;
mod call_text;
pub mod change;
pub mod check;
mod claims;
pub mod diff;
pub mod dismissals;
mod effect;
pub mod evidence;
pub mod finding;
pub mod fusion;
mod generics;
pub mod index;
mod layout;
pub mod level;
mod literals;
pub mod parameters;
pub mod pipeline;
mod plain;
pub mod plan;
pub mod prompt;
mod quoted;
pub mod report;
mod requests;
pub mod results;
pub mod rules;
mod same_doing;
mod shape;
pub mod source;
pub mod touched;
pub mod unit;

pub use change::{ChangeOrigin, ReviewedChange};
pub use diff::Patch;
pub use pipeline::{Issue, PipelineInput, Review, review};
