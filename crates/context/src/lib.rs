//! Selects the context of a model and fits it into one budget: the prompt window, packs, the repository map and
//! the payload made of it; keeps what somebody put into the window.

pub mod map;
pub mod observations;
pub mod packs;
pub mod payload;
mod room;
mod sources;
pub mod window;

pub use sources::{Context, Sources};
