//! Counts of what answers cost (SPEC X8). It is told, it never asks, and nothing of it leaves the process.

mod room;
mod token_usage;

pub use token_usage::{TokenAccount, TokenUsage};
