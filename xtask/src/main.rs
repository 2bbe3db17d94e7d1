//! What cargo cannot say; run as `cargo xtask <command>`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing what was built is what these commands are for"
)]

mod bindgen;
#[cfg(feature = "engine")]
mod circles;
#[cfg(feature = "engine")]
mod codegen;
mod dist;
#[cfg(feature = "engine")]
mod figures;
#[cfg(feature = "generate")]
mod grammar;
#[cfg(feature = "engine")]
mod grammar_report;
mod libc;
#[cfg(feature = "engine")]
mod names;
mod passive_data;
mod process;
#[cfg(feature = "stdlib")]
mod standard_libraries;
#[cfg(feature = "engine")]
mod strings;
#[cfg(feature = "engine")]
mod test_share;
#[cfg(feature = "engine")]
mod tokens;
mod toolchain;
mod wasm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

use crate::toolchain::{Choice, Toolchain};

#[derive(Parser)]
#[command(name = "cargo xtask", about, version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds the WASM module and its JavaScript into dist/wasm.
    Wasm(wasm::Options),
    /// Writes what is made from the Rust types: tools in package.json, message and answer types, tool reference.
    #[cfg(feature = "engine")]
    Codegen(codegen::Options),
    /// Makes every package that needs no compiler below dist/packages, with their SHA-256 sums.
    Dist(dist::Options),
    /// Checks that files, types and crates stay apart: import circles, spread methods, order of crates.
    #[cfg(feature = "engine")]
    Circles(circles::Options),
    /// Checks that each figure of README and CHANGELOG is in the row of docs/benchmarks.md that it names.
    #[cfg(feature = "engine")]
    Figures,
    /// Checks that types, limits, constructors and files are named as the field names them.
    #[cfg(feature = "engine")]
    Names,
    /// Writes the descriptions of the languages' own libraries, from their sources or an installed copy of them.
    #[cfg(feature = "stdlib")]
    Stdlib(standard_libraries::Options),
    /// Checks that no string literal was renamed with an identifier since the commit before.
    #[cfg(feature = "engine")]
    Strings(strings::Options),
    /// Checks that no crate's share of tests falls: lines of tests in its own folder for each line of code.
    #[cfg(feature = "engine")]
    Tests(test_share::Options),
    /// Generates a parser from its `grammar.js`, with Node: `cargo run -p xtask --features generate -- grammar`.
    #[cfg(feature = "generate")]
    Grammar {
        /// The grammar's folder.
        #[arg(default_value = "crates/grammars/tree-sitter-angelscript")]
        folder: PathBuf,
    },
    /// Says how well a grammar reads the files of a folder, what it costs, and what a lost token costs.
    #[cfg(feature = "engine")]
    GrammarReport(grammar_report::Options),
    /// Says which compilers `wasm` would use, or what is missing.
    Toolchain {
        /// Also look for `rustup` and let it add the WASM target where that is all that is missing.
        #[arg(long)]
        add_target: bool,
        /// Print only what is missing, one word a line: `rust`, `linker`, `clang`.
        #[arg(long)]
        missing: bool,
        /// Where the Rust compiler for WASM comes from.
        #[arg(long, value_enum, default_value_t)]
        toolchain: Choice,
    },
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // not Rust's own way of reporting: with RUST_BACKTRACE set it buries what to type under a backtrace
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let root = root()?;
    match Arguments::parse().command {
        Command::Wasm(options) => wasm::build(&root, &options),
        #[cfg(feature = "engine")]
        Command::Codegen(options) => codegen::run(&root, &options),
        Command::Dist(options) => dist::make(&root, &options),
        #[cfg(feature = "engine")]
        Command::Circles(options) => circles::check(&root, &options),
        #[cfg(feature = "engine")]
        Command::Figures => figures::check(&root),
        #[cfg(feature = "engine")]
        Command::Names => names::check(&root),
        #[cfg(feature = "stdlib")]
        Command::Stdlib(options) => standard_libraries::run(&root, &options),
        #[cfg(feature = "engine")]
        Command::Strings(options) => strings::check(&root, &options),
        #[cfg(feature = "engine")]
        Command::Tests(options) => test_share::check(&root, &options),
        #[cfg(feature = "generate")]
        Command::Grammar { folder } => grammar::generate(&root.join(folder)),
        #[cfg(feature = "engine")]
        Command::GrammarReport(options) => grammar_report::report(&root, &options),
        Command::Toolchain {
            add_target,
            missing,
            toolchain,
        } => {
            if missing {
                for part in toolchain::missing(toolchain, add_target) {
                    println!("{part}");
                }
            } else {
                println!("{}", Toolchain::find(toolchain, add_target)?);
            }
            Ok(())
        }
    }
}

/// The repository's folder.
fn root() -> Result<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_path_buf)
        .context("xtask lies in a folder of the repository")
}
