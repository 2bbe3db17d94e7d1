//! The `codecortex` binary: arguments, printing, exit codes. All work is done elsewhere.
//!
//! stdout carries results only; what a person should know besides goes to stderr. Exit codes: 0 for
//! success, 1 where a tool failed, 2 where the command line was wrong, 3 where `review --fail-on`
//! found something. A reader that closes its end early is no failure.

mod args;
mod commands;
mod edit_gate;
mod ends;
mod failure;
mod lsp;
mod machine;
mod mcp;
mod out_file;
mod output;
mod progress;
mod serve;

use std::io::Write;

use clap::Parser;
use codecortex_host::{allocator, log_panics};

use crate::args::{Cli, CliCommand};
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
fn gives_one_answer(command: &CliCommand) -> bool {
    use CliCommand::{
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

fn run(command: CliCommand) -> Result<i32, Failure> {
    match command {
        CliCommand::Index(args) => commands::index::run(&args),
        CliCommand::Call(args) => commands::call::run(args),
        CliCommand::Batch(args) => commands::batch::run(&args),
        CliCommand::Outline(args) => commands::outline::run(&args),
        CliCommand::Search(args) => commands::search::run(&args),
        CliCommand::References(args) => commands::names::run(&args, None),
        CliCommand::Callers(args) => commands::names::run(&args, Some("callers")),
        CliCommand::Callees(args) => commands::names::run(&args, Some("callees")),
        CliCommand::Implementations(args) => commands::names::run(&args, Some("implementations")),
        CliCommand::Overrides(args) => commands::names::run(&args, Some("overrides")),
        CliCommand::Rename(args) => commands::refactor::rename(&args),
        CliCommand::Undo(args) => commands::refactor::undo(&args),
        CliCommand::ReplaceBody(args) => commands::refactor::replace("replaceBody", &args),
        CliCommand::ReplaceSymbol(args) => commands::refactor::replace("replaceSymbol", &args),
        CliCommand::Insert(args) => commands::refactor::insert(&args),
        CliCommand::SafeDelete(args) => commands::refactor::safe_delete(&args),
        CliCommand::ChangeSignature(args) => commands::refactor::change_signature(&args),
        CliCommand::Move(args) => commands::refactor::move_declaration(&args),
        CliCommand::ExtractVariable(args) => commands::refactor::extract("extractVariable", &args),
        CliCommand::ExtractMethod(args) => commands::refactor::extract("extractMethod", &args),
        CliCommand::Inline(args) => commands::refactor::inline(&args),
        CliCommand::OrganiseImports(args) => commands::refactor::organise_imports(&args),
        CliCommand::BatchEdit(args) => commands::refactor::batch(&args),
        CliCommand::Scip(args) => commands::scip::run(&args),
        CliCommand::Graph(args) => commands::graph::run(&args),
        CliCommand::Init(args) => commands::context::init(&args),
        CliCommand::Context(args) => commands::payload::run(&args),
        CliCommand::Review(args) => commands::review::run(&args),
        CliCommand::Memory(args) => commands::memory::run(&args),
        CliCommand::Map(args) => commands::map::run(&args),
        CliCommand::Bench(args) => commands::bench::run(&args),
        CliCommand::Window(args) => commands::window::run(&args),
        CliCommand::Pack(args) => commands::pack::run(&args),
        CliCommand::Changes(args) => commands::context::changes(&args),
        CliCommand::Status(args) => commands::inspect::status(&args),
        CliCommand::Settings(args) => commands::settings::run(&args),
        CliCommand::Hashes(args) => commands::inspect::hashes(&args),
        CliCommand::Alias(args) => commands::inspect::alias(&args),
        CliCommand::Invalidate(args) => commands::inspect::invalidate(&args),
        CliCommand::Describe(args) => commands::describe::run(&args),
        CliCommand::Investigate(args) => commands::investigate::run(&args),
        CliCommand::Op(args) => commands::investigate::op(&args),
        CliCommand::Semantic(args) => commands::semantic::run(&args),
        CliCommand::Replay(args) => commands::replay::run(&args),
        CliCommand::Mcp(args) => mcp::run(&args),
        CliCommand::Serve(args) => serve::run(&args),
        CliCommand::Lsp(args) => lsp::run(&args),
        CliCommand::Install(args) => commands::install::install(&args),
        CliCommand::Uninstall(args) => commands::install::uninstall(&args),
        CliCommand::Hook => commands::hook::run(),
        CliCommand::Doctor(args) => commands::doctor::run(&args),
        CliCommand::Tools(args) => commands::tools::run(&args),
        CliCommand::Completions(args) => commands::completions::run(&args),
        CliCommand::Man(args) => commands::man::run(&args),
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
