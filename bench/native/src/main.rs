//! The native half of the benchmarks: each command measures one thing and prints one JSON object.
//!
//! `bench/run.mjs` calls it, chooses corpora, and sets the figures beside each other. Times are of
//! this thread's processor, so that what else the machine does hardly shows.

mod clock;
mod cold;
mod corpus;
mod keystroke;
mod latency;
mod live;
mod queries;
mod reading;
mod samples;
mod warm;
mod workspace;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use codecortex_host::allocator;
use serde_json::Value;

#[derive(Debug, Parser)]
#[command(name = "codecortex-bench")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Indexing against parsing the same bytes with the same grammars
    Cold {
        root: PathBuf,
        #[arg(long, default_value_t = 3)]
        rounds: u32,
    },
    /// The half of `cold` that only parses, with tree-sitter's own allocator: ms of processor time by language
    Parse { root: PathBuf },
    /// Loading an export of the engine against making everything anew
    Warm {
        root: PathBuf,
        #[arg(long, default_value_t = 3)]
        rounds: u32,
    },
    /// Calls on the index of a tree, from a file of `queries`
    Latency {
        root: PathBuf,
        #[arg(long)]
        queries: PathBuf,
    },
    /// Writes calls about what a tree declares, one JSON object a line
    Queries {
        root: PathBuf,
        #[arg(long, default_value_t = 100)]
        each: usize,
    },
    /// An edit and the outline after it against tree-sitter's own incremental parse
    Keystroke {
        root: PathBuf,
        #[arg(long, default_value_t = 40)]
        edits: u32,
        /// Whether to tell where the letters are typed
        #[arg(long)]
        strokes: bool,
    },
    /// Live context, the prompt window, a day of edits, and the tokens they save
    Live {
        root: PathBuf,
        #[arg(long, default_value_t = 1_000_000)]
        edits: u32,
    },
}

fn main() -> io::Result<()> {
    let command = Cli::parse().command;
    // As the `codecortex` binary does, but where tree-sitter is measured as it comes.
    if !matches!(command, Command::Parse { .. }) {
        allocator::share_allocator();
    }
    allocator::take_small_pages();
    let value: Value = match command {
        Command::Cold { root, rounds } => cold::run(&root, rounds)?,
        Command::Parse { root } => cold::parse(&root)?,
        Command::Warm { root, rounds } => warm::run(&root, rounds)?,
        Command::Latency { root, queries } => latency::run(&root, &queries)?,
        Command::Queries { root, each } => return print(&queries::lines(&root, each)?),
        Command::Keystroke {
            root,
            edits,
            strokes,
        } => keystroke::run(&root, edits, strokes)?,
        Command::Live { root, edits } => live::run(&root, edits)?,
    };
    print(&format!("{value}\n"))
}

fn print(text: &str) -> io::Result<()> {
    io::stdout().lock().write_all(text.as_bytes())
}
