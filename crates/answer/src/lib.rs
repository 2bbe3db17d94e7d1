//! What every answer has in common: its arguments, its budget, its envelope and its pages. It knows no tool.

pub mod args;
pub mod budget;
mod call;
pub mod cursor;
pub mod reply;
pub mod words;

pub use call::{Call, Detour, Meaning, Redirect, WrittenPlace};
