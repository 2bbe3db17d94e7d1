//! Drives the real program: a fresh folder, the real binary, what it prints and how it ends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod answered;
mod batch;
mod batch_editing;
mod bench_loop;
mod broken_lines;
mod client;
mod commands;
mod context;
mod context_trust;
mod contract;
mod declarations;
mod disk;
mod doors;
mod editing;
mod ends;
mod extracting;
mod forms;
mod hanging;
#[cfg(unix)]
mod hostile_git;
mod installing;
mod killing;
mod kills;
mod libraries;
mod links;
mod live;
mod matching;
mod mcp;
mod memory;
mod moving;
mod nowhere;
mod prompts;
mod protocol;
mod refusals;
mod renaming;
mod replay;
mod resources;
mod review;
mod review_input;
mod sampling;
mod schemas;
mod scip;
mod scip_rules;
mod scripted_model;
mod semantic;
mod serve;
mod serve_protocol;
mod soak;
mod standard_libraries;
mod support;
mod watching;
mod window;
mod writers;
