//! Chooses what a model is told and fits it into one budget: the prompt window, packs, the repository map and
//! the payload made of it. It stores nothing.

pub mod map;
pub mod observations;
pub mod packs;
pub mod payload;
mod sources;
pub mod window;

pub use sources::{Context, Sources};
