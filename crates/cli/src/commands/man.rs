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

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Command {
        let hidden = Command::new("secret").hide(true);
        let mut program = Command::new("codecortex")
            .subcommand(Command::new("memory").subcommand(Command::new("recall")))
            .subcommand(Command::new("search").alias("find"))
            .subcommand(hidden);
        program.build();
        program
    }

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn commands_are_listed_below_the_ones_that_they_are_of() {
        let mut names = Vec::new();
        list(&program(), "", &mut names);
        assert_eq!(names, ["memory recall", "memory", "search"]);
    }

    #[test]
    fn a_command_is_found_by_its_words() {
        let named =
            |line: &str| find(program(), &words(line)).map(|found| found.get_name().to_owned());
        assert_eq!(named("").unwrap(), "codecortex");
        assert_eq!(named("memory recall").unwrap(), "recall");
        assert_eq!(named("find").unwrap(), "search");
        for line in ["recall", "memory search", "--help", "memory recall more"] {
            let failure = named(line).unwrap_err();
            assert_eq!(failure.exit_code(), 2, "{line}");
            assert!(failure.to_string().contains(line), "{failure}");
        }
    }
}
