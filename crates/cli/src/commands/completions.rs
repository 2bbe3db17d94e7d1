//! `codecortex completions`: what a shell needs to complete our arguments.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &CompletionsArgs) -> Result<i32, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "codecortex", &mut script);
    output::print_exact(&String::from_utf8_lossy(&script))?;
    Ok(0)
}
