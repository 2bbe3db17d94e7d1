//! Names of users with their passwords: in addresses, headers, `.netrc`, `.pgpass`, and where somebody notes them.

use crate::Found;
use crate::rules::Alphabet;
use crate::scan::{is_word, lines, parts, run, words_of};
use crate::values::{is_given, is_mixed, is_placeholder, is_said};

/// `scheme://user:password@host`.
pub(crate) fn addresses(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, _) in text.match_indices("://") {
        let authority = run(bytes, at + 3, |b| {
            !b.is_ascii_whitespace() && !matches!(b, b'/' | b'"' | b'\'' | b'<' | b'>')
        });
        let inside = &text[authority.clone()];
        let Some(host) = inside.rfind('@') else {
            continue;
        };
        let Some(colon) = inside[..host].find(':') else {
            continue;
        };
        let password = &inside[colon + 1..host];
        if !password.is_empty() && !is_placeholder(password, false) {
            found.push((
                authority.start + colon + 1..authority.start + host,
                "url-password",
            ));
        }
    }
    found
}

/// `Bearer …` and `Basic …`, as headers have them.
pub(crate) fn headers(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (word, least) in [("bearer ", 16), ("basic ", 12), ("apikey ", 16)] {
        for at in find_folded(text, word) {
            let is_inside = at > 0 && is_word(bytes[at - 1]);
            let value = run(bytes, at + word.len(), |b| {
                Alphabet::Base64.has(b) || matches!(b, b'.' | b'~')
            });
            let is_token = value.len() >= least && is_mixed(&text[value.clone()]);
            if !is_inside && is_token {
                found.push((value, "authorization"));
            }
        }
    }
    found
}

fn find_folded(text: &str, word: &str) -> Vec<usize> {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let windows = text.windows(word.len()).enumerate();
    windows
        .filter(|(_, window)| window.eq_ignore_ascii_case(word))
        .map(|(at, _)| at)
        .collect()
}

/// `machine host login user password …`, also over several lines.
pub(crate) fn netrc(text: &str) -> Vec<Found> {
    let mut words =
        lines(text).flat_map(|(start, line)| parts(line).map(move |(at, word)| (start + at, word)));
    let mut found = Vec::new();
    let mut has_login = None;
    while let Some((_, word)) = words.next() {
        match (word, has_login) {
            ("machine", _) => {
                words.next();
                has_login = Some(false);
            }
            ("default", _) => has_login = Some(false),
            ("login" | "account" | "user", Some(_)) => {
                words.next();
                has_login = Some(true);
            }
            ("password" | "passwd", Some(true)) => {
                if let Some((at, value)) = words.next().filter(|(_, value)| is_given(value)) {
                    found.push((at..at + value.len(), "password"));
                }
            }
            _ => has_login = None,
        }
    }
    found
}

/// `host:5432:database:user:password`, a line of `.pgpass`.
pub(crate) fn pgpass(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for (start, line) in lines(text) {
        let fields: Vec<&str> = line.splitn(6, ':').collect();
        let [host, port, database, user, password] = fields[..] else {
            continue;
        };
        let is_number = port.len() >= 4 && port.bytes().all(|byte| byte.is_ascii_digit());
        let is_name = |field: &str| !field.is_empty() && !field.contains(char::is_whitespace);
        let are_names = [host, database, user, password].into_iter().all(is_name);
        let is_line_of_code = database.bytes().all(|byte| byte.is_ascii_digit());
        if (is_number || port == "*") && are_names && !is_line_of_code && is_given(password) {
            let at = start + line.len() - password.len();
            found.push((at..start + line.len(), "password"));
        }
    }
    found
}

/// Words with which a line tells how somebody logs in.
const LOGIN: &[&str] = &[
    "account",
    "accounts",
    "cred",
    "creds",
    "credential",
    "credentials",
    "login",
    "logins",
    "password",
    "passwd",
    "user",
    "username",
    "users",
];

/// `login: admin / …`, `credentials admin:…`
pub(crate) fn pairs(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for (start, line) in lines(text) {
        if !line.contains(['/', ':'])
            || !line
                .bytes()
                .any(|byte| byte.is_ascii_digit() || b"!#$%^&*?~".contains(&byte))
        {
            continue;
        }
        let words: Vec<(usize, &str)> = parts(line).collect();
        let tells = |word: &str| {
            words_of(word)
                .iter()
                .any(|word| LOGIN.contains(&word.as_str()))
        };
        let mut is_login = false;
        for (index, (at, word)) in words.iter().enumerate() {
            if is_login && let Some((user, password)) = word.split_once(':') {
                let bare = unquoted(password);
                let at = start + at + user.len() + 1 + bare.0;
                if is_user(user) && !tells(user) && is_said(bare.1, false) {
                    found.push((at..at + bare.1.len(), "password"));
                }
            }
            is_login |= tells(word);
            let is_slash = matches!(*word, "/" | "|");
            if is_slash
                && is_login
                && index > 0
                && let Some((at, next)) = words.get(index + 1)
            {
                let bare = unquoted(next);
                let at = start + at + bare.0;
                if is_user(unquoted(words[index - 1].1).1) && is_said(bare.1, false) {
                    found.push((at..at + bare.1.len(), "password"));
                }
            }
        }
    }
    found
}

/// A word without quotes and the signs of its sentence, and how many bytes of it were before.
fn unquoted(word: &str) -> (usize, &str) {
    let inside = word.trim_start_matches(['"', '\'', '`', '(', '*']);
    let before = word.len() - inside.len();
    (
        before,
        inside.trim_end_matches(['"', '\'', '`', ')', '.', ',', ';', ':', '*']),
    )
}

fn is_user(word: &str) -> bool {
    let is_part = |byte: u8| is_word(byte) || matches!(byte, b'.' | b'-' | b'@' | b'+' | b'\\');
    word.len() >= 2 && word.bytes().all(is_part)
}
