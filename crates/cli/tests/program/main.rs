//! Drives the real program: a fresh folder, the real binary, what it prints and how it ends.

mod batch;
mod commands;
mod contract;
mod disk;
mod matching;
mod mcp;
mod support;
