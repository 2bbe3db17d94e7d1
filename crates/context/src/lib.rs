//! Chooses what a model is told and fits it into one budget: the prompt window, packs. It stores nothing.

pub mod packs;
mod sources;
pub mod window;

pub use sources::{Context, Sources};
