//! `codecortex man`: the manual pages of the command line (SPEC UX1).

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &ManArgs) -> Result<i32, Failure> {
    let mut program = Cli::command();
    program.build();
    if args.list {
        let mut names = Vec::new();
        list(&program, "", &mut names);
        output::print(&names.join("\n"))?;
        return Ok(0);
    }
    let command = find(program, &args.command)?;
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|source| Failure::Io {
            what: "the page cannot be made",
            source,
        })?;
    output::print_exact(&String::from_utf8_lossy(&page))?;
    Ok(0)
}

/// The command of these words.
fn find(program: Command, words: &[String]) -> Result<Command, Failure> {
    words.iter().try_fold(program, |command, word| {
        let found = command.find_subcommand(word).cloned();
        found.ok_or_else(|| Failure::NoPage(words.join(" ")))
    })
}

/// The words of every command below this one, each with a page of its own.
fn list(command: &Command, above: &str, names: &mut Vec<String>) {
    let commands = command.get_subcommands();
    for below in commands.filter(|command| !command.is_hide_set() && command.get_name() != "help") {
        let name = format!("{above}{}", below.get_name());
        list(below, &format!("{name} "), names);
        names.push(name);
    }
}
