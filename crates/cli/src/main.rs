//! The `codecortex` binary: arguments, printing, exit codes. All work is done elsewhere.
//!
//! stdout carries results only; what a person should know besides goes to stderr. Exit codes: 0 for
//! success, 1 where a tool failed, 2 where the command line was wrong, 3 where `review --fail-on`
//! found something. A reader that closes its end early is no failure.

mod args;
mod commands;
mod failure;
mod machine;
mod mcp;
mod out_file;
mod output;
mod progress;

use std::io::Write;

use clap::Parser;
use codecortex_host::{allocator, log_panics};

use crate::args::{Cli, Command};
use crate::failure::Failure;

fn main() {
    allocator::share_allocator();
    #[cfg(debug_assertions)]
    if let Ok(words) = std::env::var("CODECORTEX_TEST_HANGING")
        && !codecortex_host::break_as_told(&words)
    {
        // A test that waits for what does not hang would prove nothing.
        end(2);
    }
    let form = machine::form_of(std::env::args_os().skip(1));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(wrong) => end(machine::refuse(&wrong, form)),
    };
    if !gives_one_answer(&cli.command) {
        allocator::take_small_pages();
    }
    start_log(cli.verbose);
    let code = match run(cli.command) {
        Ok(code) => code,
        Err(failure) => report(&failure, form),
    };
    end(code)
}

#[allow(clippy::exit, reason = "the one place that ends the process")]
fn end(code: i32) -> ! {
    std::process::exit(code)
}

/// Whether a command is one question: its process ends before memory could be given back, and has it sooner in huge
/// pages.
fn gives_one_answer(command: &Command) -> bool {
    use Command::{
        Alias, Call, Callees, Callers, Hashes, Implementations, Outline, Overrides, References,
        Review, Search, Status,
    };
    matches!(
        command,
        Alias(_)
            | Call(_)
            | Callees(_)
            | Callers(_)
            | Hashes(_)
            | Implementations(_)
            | Outline(_)
            | Overrides(_)
            | References(_)
            | Review(_)
            | Search(_)
            | Status(_)
    )
}

fn run(command: Command) -> Result<i32, Failure> {
    match command {
        Command::Index(args) => commands::index::run(&args),
        Command::Call(args) => commands::call::run(args),
        Command::Batch(args) => commands::batch::run(&args),
        Command::Outline(args) => commands::outline::run(&args),
        Command::Search(args) => commands::search::run(&args),
        Command::References(args) => commands::names::run(&args, None),
        Command::Callers(args) => commands::names::run(&args, Some("callers")),
        Command::Callees(args) => commands::names::run(&args, Some("callees")),
        Command::Implementations(args) => commands::names::run(&args, Some("implementations")),
        Command::Overrides(args) => commands::names::run(&args, Some("overrides")),
        Command::Scip(args) => commands::scip::run(&args),
        Command::Graph(args) => commands::graph::run(&args),
        Command::Init(args) => commands::context::init(&args),
        Command::Context(args) => commands::payload::run(&args),
        Command::Review(args) => commands::review::run(&args),
        Command::Memory(args) => commands::memory::run(&args),
        Command::Map(args) => commands::map::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Window(args) => commands::window::run(&args),
        Command::Pack(args) => commands::pack::run(&args),
        Command::Changes(args) => commands::context::changes(&args),
        Command::Status(args) => commands::inspect::status(&args),
        Command::Settings(args) => commands::settings::run(&args),
        Command::Hashes(args) => commands::inspect::hashes(&args),
        Command::Alias(args) => commands::inspect::alias(&args),
        Command::Invalidate(args) => commands::inspect::invalidate(&args),
        Command::Describe(args) => commands::describe::run(&args),
        Command::Investigate(args) => commands::investigate::run(&args),
        Command::Op(args) => commands::investigate::op(&args),
        Command::Semantic(args) => commands::semantic::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Mcp(args) => mcp::run(&args),
        Command::Tools(args) => commands::tools::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
    }
}

fn start_log(verbose: u8) {
    let level = match verbose {
        0 => "error",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = tracing_subscriber::EnvFilter::try_from_env("CODECORTEX_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(format!("{level},rmcp=error")));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .without_time()
        .init();
    log_panics();
}

fn report(failure: &Failure, form: Option<machine::Form>) -> i32 {
    if failure.is_broken_pipe() {
        return 0;
    }
    let mut out = std::io::stderr().lock();
    // Without stderr there is nobody to tell.
    let _ = writeln!(out, "codecortex: {}", output::shown(&failure.to_string()));
    if let Some(hint) = failure.hint() {
        let _ = writeln!(out, "hint: {hint}");
    }
    if let Some(form) = form {
        machine::print_failure(&failure.as_tool_error(), form);
    }
    failure.exit_code()
}
