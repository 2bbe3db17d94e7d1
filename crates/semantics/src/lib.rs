//! What is described of types, and what the answers change (SPEC I3, I4). The model is an effect.

mod describers;

pub use describers::{Describers, Given};
