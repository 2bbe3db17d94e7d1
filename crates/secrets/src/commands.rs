//! Passwords on command lines, where an option is all that tells: `mysql -p…`, `curl -u user:…`, `sshpass -p …`.

use std::ops::Range;

use crate::Found;
use crate::scan::{is_name, lines, quote_at, value_at};
use crate::values::is_given;

/// Which part of an option's value is secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    /// Behind a sign, such as `user:password`.
    Behind(char),
}

/// Where the value of an option stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// With it: `-ppassword`.
    Attached,
    /// Behind it.
    Next,
    Both,
}

/// Options of programs that take a password.
struct Command {
    programs: &'static [&'static str],
    options: &'static [&'static str],
    place: Place,
    part: Part,
    /// A word that has to stand before the option, where it means something else without that.
    after: Option<&'static str>,
}

/// An option that means a password for one of a program's commands alone.
const fn of_command(
    programs: &'static [&'static str],
    after: &'static str,
    options: &'static [&'static str],
    place: Place,
) -> Command {
    Command {
        after: Some(after),
        ..command(programs, options, place, Part::Whole)
    }
}

const fn command(
    programs: &'static [&'static str],
    options: &'static [&'static str],
    place: Place,
    part: Part,
) -> Command {
    Command {
        programs,
        options,
        place,
        part,
        after: None,
    }
}

use Part::{Behind, Whole};
use Place::{Attached, Both, Next};

/// Long options with a telling name (`--password`) need no entry.
const COMMANDS: &[Command] = &[
    command(
        &[
            "mysql",
            "mysqldump",
            "mysqladmin",
            "mysqlimport",
            "mysqlcheck",
            "mysqlsh",
            "mariadb",
            "mariadb-dump",
            "7z",
            "7za",
        ],
        &["-p"],
        Attached,
        Whole,
    ),
    command(&["sshpass"], &["-p"], Both, Whole),
    command(&["plink", "pscp", "psftp"], &["-pw"], Next, Whole),
    command(
        &["curl", "wget", "http", "https"],
        &["-u", "--user", "-U", "--proxy-user", "-a", "--auth"],
        Both,
        Behind(':'),
    ),
    of_command(
        &["docker", "podman", "helm", "buildah", "nerdctl", "az", "oc"],
        "login",
        &["-p"],
        Next,
    ),
    command(
        &[
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "rdesktop",
        ],
        &["-p"],
        Next,
        Whole,
    ),
    command(&["redis-cli"], &["-a", "--pass"], Next, Whole),
    command(
        &[
            "ldapsearch",
            "ldapmodify",
            "ldapadd",
            "ldapwhoami",
            "ldapdelete",
        ],
        &["-w"],
        Both,
        Whole,
    ),
    command(
        &["smbclient", "rpcclient", "net"],
        &["-U", "--user"],
        Both,
        Behind('%'),
    ),
    command(&["zip", "unzip"], &["-P"], Both, Whole),
    command(
        &["openssl"],
        &["-passin", "-passout", "-pass"],
        Next,
        Behind(':'),
    ),
    of_command(&["openssl"], "enc", &["-k"], Next),
    command(
        &["keytool", "jarsigner", "apksigner"],
        &["-storepass", "-keypass", "-srcstorepass", "-deststorepass"],
        Next,
        Whole,
    ),
    command(&["sqlcmd", "bcp", "isql"], &["-P"], Both, Whole),
    command(&["xfreerdp"], &["/p:"], Attached, Whole),
    command(
        &["ansible-vault", "vault", "svn", "hg"],
        &["--password"],
        Both,
        Whole,
    ),
];

/// All of them.
pub(crate) fn commands(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for (start, line) in lines(text) {
        if !line.contains(" -") && !line.contains(" /p:") {
            continue;
        }
        let words = words(line);
        let mut known: Option<&str> = None;
        let mut named: Vec<&str> = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let inside = &line[word.clone()];
            if matches!(inside, "|" | "||" | "&&" | ";") {
                known = None;
            }
            if let Some(program) = program(inside) {
                known = Some(program);
            }
            let Some(program) = known else { continue };
            let mut afters = COMMANDS.iter().filter_map(|command| command.after);
            named.extend(afters.find(|after| *after == inside && !named.contains(after)));
            let next = words.get(index + 1);
            let own = COMMANDS
                .iter()
                .filter(|command| command.programs.contains(&program));
            let secret = own
                .filter(|command| {
                    let after = command.after;
                    after.is_none_or(|after| named.contains(&after))
                })
                .filter_map(|command| secret(line, command, word, next))
                .next();
            found.extend(secret.map(|range| (start + range.start..start + range.end, "password")));
        }
    }
    found
}

/// The program that a word names, without its folder.
fn program(word: &str) -> Option<&'static str> {
    let name = word.trim_start_matches(['"', '\'', '`', '$', '(']);
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let mut programs = COMMANDS.iter().flat_map(|command| command.programs);
    programs.find(|program| **program == name).copied()
}

fn secret(
    line: &str,
    command: &Command,
    word: &Range<usize>,
    next: Option<&Range<usize>>,
) -> Option<Range<usize>> {
    let inside = &line[word.clone()];
    for option in command.options {
        let Some(rest) = inside.strip_prefix(option) else {
            continue;
        };
        let attached = word.end - rest.len()..word.end;
        let is_long = option.starts_with("--");
        let value = match (rest.is_empty(), command.place) {
            (true, Next | Both) => next.cloned(),
            (false, Attached | Both) if !is_long || rest.starts_with('=') => Some(attached),
            _ => None,
        };
        let value = value
            .map(|value| bare(line, value))
            .and_then(|value| part(line, value, command.part));
        if let Some(value) = value {
            return Some(value);
        }
    }
    None
}

/// A value without `=` before it and quotes around it.
fn bare(line: &str, value: Range<usize>) -> Range<usize> {
    let start = value.start + usize::from(line[value.clone()].starts_with('='));
    let inside = &line[start..value.end];
    match quote_at(inside.as_bytes(), 0) {
        Some(_) => {
            let (quoted, _) = value_at(inside.as_bytes(), 0);
            start + quoted.start..start + quoted.end
        }
        None => start..start + inside.trim_end_matches(['"', '\'', '`', ')']).len(),
    }
}

fn part(line: &str, value: Range<usize>, part: Part) -> Option<Range<usize>> {
    let inside = &line[value.clone()];
    let at = match part {
        Whole => 0,
        Behind(sign) => inside.find(sign)? + sign.len_utf8(),
    };
    let is_option = inside.starts_with('-') && at == 0;
    (!is_option && is_given(&inside[at..])).then_some(value.start + at..value.end)
}

/// The words of a command line; quotes hold blanks together.
pub(crate) fn words(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b' ' || bytes[at] == b'\t' {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && bytes[at] != b' ' && bytes[at] != b'\t' {
            // A quote within a word of prose opens nothing.
            let opens = at == start || !is_name(bytes[at - 1]) || bytes[start] == b'-';
            at = match quote_at(bytes, at) {
                Some(quote) if opens => match line[at + 1..].find(char::from(quote)) {
                    Some(length) => at + length + 2,
                    None => at + 1,
                },
                _ => at + 1,
            };
        }
        words.push(start..at);
    }
    words
}
