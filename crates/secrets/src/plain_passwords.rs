//! Passwords that are plain words, in lines that can only mean one: variables of an environment, options of programs,
//! connection strings, SQL, and what is piped into a program that reads a password.

use std::ops::Range;

use crate::commands::words;
use crate::rules::{MESSAGES, PLACEHOLDERS, SYSTEMS};
use crate::scan::{after_blanks, is_name, lines, parts, quote_at, run, value_at, words_of};
use crate::secret_range::SecretRange;
use crate::values::{is_given, is_plain, rule_of};

/// Longer lines are no commands and no settings that somebody wrote.
const MAX_LINE: usize = 4 << 10;

/// All of them.
pub(crate) fn plain(text: &str) -> Vec<SecretRange> {
    let mut found = Vec::new();
    for (start, line) in lines(text) {
        if line.len() > MAX_LINE {
            continue;
        }
        let lower = line.to_ascii_lowercase();
        let mut own: Vec<Range<usize>> = Vec::new();
        if line.contains(['=', ':']) {
            own.extend(variables(line));
        }
        if lower.contains("pass") || lower.contains("pwd") {
            own.extend(options(line));
            own.extend(connection(line, &lower));
        }
        if line.contains("htpasswd") || line.contains("net user") {
            own.extend(positional(line));
        }
        if lower.contains("identified") || lower.contains("password") {
            own.extend(sql(line, &lower));
        }
        if line.contains('|') || line.contains("<<<") {
            own.extend(piped(line));
        }
        found.extend(
            own.into_iter()
                .map(|at| (start + at.start..start + at.end, "password")),
        );
    }
    found
}

/// `DB_PASSWORD=…` in shells and files of variables, `DB_PASSWORD: …` in YAML.
fn variables(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let all: Vec<(usize, &str)> = parts(line).collect();
    for (index, (at, word)) in all.iter().enumerate() {
        let quotes = word.len() - word.trim_start_matches(['"', '\'', '`']).len();
        let bare = &word[quotes..];
        let place = at + quotes;
        if let Some((name, value)) = bare.split_once('=') {
            let value = value.trim_end_matches(['"', '\'', '`', '\\', ';']);
            if is_variable(name) && is_plain(value) {
                let from = place + name.len() + 1;
                found.push(unquoted(line, from..from + value.len()));
            }
        } else if let (Some(name), Some((from, value)), true) = (
            bare.strip_suffix(':'),
            all.get(index + 1),
            index + 2 == all.len(),
        ) {
            let is_first = index == 0 || index == 1 && all[0].1 == "-";
            if is_first && name.contains('_') && is_variable(name) && is_plain(value) {
                found.push(unquoted(line, *from..from + value.len()));
            }
        }
    }
    found
}

/// A name in capitals that is one of a password.
fn is_variable(name: &str) -> bool {
    let is_upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if name.is_empty() || !name.bytes().all(is_upper) || rule_of(name) != Some("password") {
        return false;
    }
    let words = words_of(name);
    let is_short = words
        .last()
        .is_some_and(|last| matches!(last.as_str(), "pass" | "pw" | "pwd"));
    !is_short || words.iter().any(|word| SYSTEMS.contains(&word.as_str()))
}

/// Words before an option that are of a sentence about it.
const BEFORE_OPTIONS: &[&str] = &[
    "by", "flag", "flags", "give", "given", "its", "like", "option", "options", "pass", "passing",
    "set", "see", "supply", "use", "uses", "using", "via", "when", "add", "without",
];

/// `--password …`, `--password=…`, `"--password", "…"`.
fn options(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let words = words(line);
    for (index, word) in words.iter().enumerate() {
        let inside = &line[word.clone()];
        let quotes = inside.len() - inside.trim_start_matches(['"', '\'', '`', '[', '(']).len();
        let bare = &inside[quotes..];
        if !bare.starts_with("--") {
            continue;
        }
        let name = &bare[..run(bare.as_bytes(), 0, is_name).end];
        let rest = &bare[name.len()..];
        if rule_of(name) != Some("password") {
            continue;
        }
        let value = match (rest.strip_prefix('='), quotes > 0 && !rest.is_empty()) {
            (Some(attached), _) => Some(unquoted(line, word.end - attached.len()..word.end)),
            (None, true) => listed(line, words.get(index + 1)),
            (None, false) if rest.is_empty() => given(line, &words, index),
            _ => None,
        };
        found.extend(value.filter(|value| is_plain(&line[value.clone()])));
    }
    found
}

/// The value behind an option on a command line.
fn given(line: &str, words: &[Range<usize>], index: usize) -> Option<Range<usize>> {
    let value = words.get(index + 1)?.clone();
    let next = words.get(index + 2).map(|next| &line[next.clone()]);
    let before = index
        .checked_sub(1)
        .map(|before| line[words[before].clone()].to_ascii_lowercase());
    let is_prose = before
        .as_deref()
        .is_some_and(|word| MESSAGES.contains(&word) || BEFORE_OPTIONS.contains(&word));
    let goes_on = next.is_some_and(|next| {
        next.starts_with(['-', '|', '&', '>', '<', ';', '\\', '#', '$', '/'])
            || next.contains("://")
    });
    let is_end = next.is_none() && before.is_some();
    (!is_prose && (goes_on || is_end)).then(|| unquoted(line, value))
}

/// The value behind an option in a list of strings.
fn listed(line: &str, value: Option<&Range<usize>>) -> Option<Range<usize>> {
    let value = value?.clone();
    let inside = &line[value.clone()];
    quote_at(inside.as_bytes(), 0)?;
    let is_ended = inside.trim_end_matches([')', ']', ',', ';']).len() > 1;
    is_ended.then(|| unquoted(line, value))
}

fn unquoted(line: &str, value: Range<usize>) -> Range<usize> {
    let inside = &line[value.clone()];
    let signs = ['"', '\'', '`', ')', ']', ','];
    let start = value.start + inside.len() - inside.trim_start_matches(['"', '\'', '`']).len();
    start..start.max(value.start + inside.trim_end_matches(signs).len())
}

/// Other keys of connection strings.
const CONNECTION: &[&str] = &[
    "server=",
    "host=",
    "hostaddr=",
    "user id=",
    "userid=",
    "uid=",
    "user=",
    "username=",
    "data source=",
    "dbname=",
    "database=",
    "initial catalog=",
    "address=",
    "addr=",
];

/// `Server=…;Password=…`, `host=… password=…`.
fn connection(line: &str, lower: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !CONNECTION.iter().any(|key| lower.contains(key)) {
        return found;
    }
    for key in ["password=", "pwd=", "passwd=", "pass="] {
        for (at, _) in lower.match_indices(key) {
            let before = line[..at].bytes().next_back();
            let is_begun =
                before.is_none_or(|byte| matches!(byte, b';' | b' ' | b'"' | b'\'' | b'&' | b'?'));
            let value = run(line.as_bytes(), at + key.len(), |byte| {
                byte.is_ascii_graphic() && !matches!(byte, b';' | b'"' | b'\'' | b'&' | b',' | b'`')
            });
            // `connect(host=h, password=word)` is a call.
            let is_call =
                line[..at].trim_end().ends_with([',', '(']) || line[value.end..].starts_with(',');
            if is_begun
                && !is_call
                && !line[value.clone()].contains([')', '('])
                && is_plain(&line[value.clone()])
            {
                found.push(value);
            }
        }
    }
    found
}

/// `CREATE USER … IDENTIFIED BY '…'`, `ALTER ROLE … PASSWORD '…'`, `SET PASSWORD FOR … = PASSWORD('…')`.
fn sql(line: &str, lower: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let has = |word: &str| lower.contains(word);
    let is_statement = (has("create ") || has("alter ") || has("grant "))
        && (has("user ") || has("role ") || has("login ") || has("grant "))
        || has("set password");
    for (key, needs_statement) in [
        ("identified by ", false),
        (" by ", true),
        ("password", true),
    ] {
        for (at, _) in lower.match_indices(key) {
            // Prose says `identified by "handle"` too.
            let is_keyword = line[at..].starts_with("IDENTIFIED");
            if !is_statement && (needs_statement || !is_keyword) {
                continue;
            }
            let sign = run(bytes, at + key.len(), |byte| {
                matches!(byte, b' ' | b'=' | b'(')
            });
            let mut from = sign.end;
            if lower[from..].starts_with("password ") {
                from = after_blanks(bytes, from + "password ".len());
            }
            from +=
                usize::from(bytes.get(from) == Some(&b'N') && quote_at(bytes, from + 1).is_some());
            let (value, is_quoted) = value_at(bytes, from);
            let inside = &line[value.clone()];
            let is_ended = !is_quoted || quote_at(bytes, value.end).is_some();
            let is_it = match is_quoted {
                true => {
                    is_given(inside) && !PLACEHOLDERS.contains(&inside) && !inside.contains(' ')
                }
                // Oracle's passwords are names.
                false => key == "identified by " && is_statement && is_plain(inside),
            };
            if is_it && is_ended {
                found.push(value);
            }
        }
    }
    found
}

/// Programs that read a password from what is piped into them, and whether it stands behind the name of its user.
const READERS: &[(&str, bool)] = &[
    ("--password-stdin", false),
    ("sudo -s", false),
    ("sudo --stdin", false),
    ("passwd --stdin", false),
    ("--with-token", false),
    ("chpasswd", true),
];

/// `echo … | docker login --password-stdin`, `chpasswd <<< "root:…"`.
fn piped(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let pieces: Vec<(usize, &str)> = line
        .split('|')
        .map(|piece| {
            let start = at;
            at += piece.len() + 1;
            (start, piece)
        })
        .collect();
    let reader = |piece: &str| {
        let piece = piece.to_ascii_lowercase();
        let mut readers = READERS.iter();
        readers
            .find(|(sign, _)| piece.contains(sign))
            .map(|(_, is_behind)| *is_behind)
    };
    for two in pieces.windows(2) {
        let (start, piece) = two[0];
        let Some(is_behind) = reader(two[1].1) else {
            continue;
        };
        let words = words(piece);
        let echo = words
            .iter()
            .position(|word| matches!(&piece[word.clone()], "echo" | "printf"));
        let last = words
            .last()
            .filter(|_| echo.is_some_and(|echo| echo + 1 < words.len()));
        if let Some(last) = last {
            let value = unquoted(line, start + last.start..start + last.end);
            found.extend(behind(line, value, is_behind));
        }
    }
    if let Some((command, _)) = line.split_once("<<<")
        && let Some(is_behind) = reader(command)
    {
        let (value, _) = value_at(
            line.as_bytes(),
            after_blanks(line.as_bytes(), command.len() + 3),
        );
        found.extend(behind(line, value, is_behind));
    }
    found
}

fn behind(line: &str, value: Range<usize>, is_behind: bool) -> Option<Range<usize>> {
    let start = match is_behind {
        true => value.start + line[value.clone()].find(':')? + 1,
        false => value.start,
    };
    let value = start..value.end;
    is_plain(&line[value.clone()]).then_some(value)
}

/// `htpasswd -b file user …`, `net user name … /add`.
fn positional(line: &str) -> Vec<Range<usize>> {
    let words: Vec<(usize, &str)> = parts(line).collect();
    let is = |at: usize, word: &str| words.get(at).is_some_and(|(_, own)| *own == word);
    let mut found = Vec::new();
    for at in 0..words.len() {
        let index = if is(at, "htpasswd") {
            let flags = words[at + 1..]
                .iter()
                .take_while(|(_, word)| word.starts_with('-'));
            let flags: Vec<&str> = flags.map(|(_, word)| *word).collect();
            let has = |flag: char| {
                flags
                    .iter()
                    .any(|word| !word.starts_with("--") && word.contains(flag))
            };
            let file = usize::from(!has('n'));
            has('b').then_some(at + 1 + flags.len() + file + 1)
        } else if is(at, "net") && is(at + 1, "user") && line.contains("/add") {
            Some(at + 3)
        } else {
            None
        };
        if let Some((from, word)) = index.and_then(|index| words.get(index)) {
            let value = unquoted(line, *from..from + word.len());
            found.extend(Some(value).filter(|value| is_plain(&line[value.clone()])));
        }
    }
    found
}
