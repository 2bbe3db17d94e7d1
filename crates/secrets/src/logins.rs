//! Names of users with their passwords: in addresses, headers, `.netrc`, `.pgpass`, and where somebody notes them.

use crate::Found;
use std::ops::Range;

use crate::rules::{ACCOUNTS, Alphabet};
use crate::scan::{after_blanks, is_word, lines, parts, quote_at, run, words_of};
use crate::values::{is_given, is_masked, is_mixed, is_placeholder, is_said, is_stand_in};

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
        // `user:pass` may be both; what is written in capitals or says `your` stands for something.
        let stands_for_one = is_stand_in(password)
            && (password.bytes().all(|byte| !byte.is_ascii_lowercase())
                || password.to_ascii_lowercase().starts_with("your"));
        let is_text =
            password.starts_with(['$', '<', '{', '[']) || is_code(password) || is_masked(password);
        if !password.is_empty() && !stands_for_one && !is_text {
            found.push((
                authority.start + colon + 1..authority.start + host,
                "url-password",
            ));
        }
    }
    found.extend(oracle(text));
    found
}

/// `jdbc:oracle:thin:user/password@host`.
fn oracle(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, prefix) in text.match_indices("jdbc:oracle:") {
        let driver = run(bytes, at + prefix.len(), |b| b.is_ascii_alphanumeric());
        let user = run(bytes, driver.end + 1, |b| {
            is_word(b) || matches!(b, b'.' | b'-')
        });
        let password = run(bytes, user.end + 1, |b| {
            b.is_ascii_graphic() && !matches!(b, b'@' | b'/' | b'"' | b'\'')
        });
        let are_parted = bytes.get(driver.end) == Some(&b':') && bytes.get(user.end) == Some(&b'/');
        let is_one = are_parted && bytes.get(password.end) == Some(&b'@');
        if is_one && is_given(&text[password.clone()]) {
            found.push((password, "url-password"));
        }
    }
    found
}

/// Code that puts a password into an address.
fn is_code(password: &str) -> bool {
    !is_stand_in(password) && is_placeholder(password, false)
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
            let inside = &text[value.clone()];
            let is_token = value.len() >= least && is_mixed(inside);
            let is_pair = word == "basic " && value.len() >= 8 && is_pair_in_base64(inside);
            if !is_inside && (is_token || is_pair) {
                found.push((value, "authorization"));
            }
        }
    }
    found.extend(schemes(text));
    found.extend(cookies(text));
    found
}

/// base64 of `user:password`.
fn is_pair_in_base64(text: &str) -> bool {
    let bare = text.trim_end_matches('=').as_bytes();
    let pair = data_encoding::BASE64_NOPAD.decode(bare).unwrap_or_default();
    pair.contains(&b':') && pair.iter().all(|byte| (b' '..0x7f).contains(byte))
}

/// `Authorization: <scheme> <credentials>`, whatever the scheme is called.
fn schemes(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for at in find_folded(text, "authorization") {
        let sign = run(bytes, at + "authorization".len(), |b| {
            matches!(
                b,
                b'"' | b'\'' | b'`' | b']' | b')' | b':' | b'=' | b'>' | b',' | b' ' | b'('
            )
        });
        let scheme = run(bytes, sign.end, |b| b.is_ascii_alphabetic() || b == b'-');
        let value = run(bytes, after_blanks(bytes, scheme.end), |b| {
            Alphabet::Base64.has(b) || matches!(b, b'.' | b'~')
        });
        let is_apart = !sign.is_empty() && !scheme.is_empty() && value.start > scheme.end;
        let inside = &text[value.clone()];
        if is_apart && inside.len() >= 12 && is_mixed(inside) && !is_placeholder(inside, false) {
            found.push((value, "authorization"));
        }
    }
    found
}

/// Letters of a cookie's value that says who somebody is, at least.
const COOKIE_LEAST: usize = 16;

/// What `Cookie:` and `Set-Cookie:` carry, where it is longer and odder than a setting.
fn cookies(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for at in find_folded(text, "cookie: ") {
        let line = run(bytes, at + "cookie: ".len(), |b| {
            !matches!(b, b'\n' | b'\r') && quote_at(&[b], 0).is_none()
        });
        let mut start = line.start;
        for pair in text[line].split(';') {
            if let Some((name, value)) = pair.split_once('=') {
                let from = start + name.len() + 1;
                let range: Range<usize> = from..from + value.trim_end().len();
                let inside = &text[range.clone()];
                let is_one =
                    !inside.contains([' ', ',']) && inside.bytes().any(|b| b.is_ascii_digit());
                if inside.len() >= COOKIE_LEAST
                    && is_one
                    && is_mixed(inside)
                    && !is_placeholder(inside, false)
                {
                    found.push((range, "session"));
                }
            }
            start += pair.len() + 1;
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
            if let Some((place, password)) = of_account(word, is_login) {
                let at = start + at + place;
                found.push((at..at + password.len(), "password"));
            }
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

/// `admin/…` where a line tells of a login, and `admin:…@host` anywhere: only of names that accounts have by habit, since
/// paths and images are written so too.
fn of_account(word: &str, is_login: bool) -> Option<(usize, &str)> {
    let (before, bare) = unquoted(word);
    let (user, rest) = bare.split_once(['/', ':'])?;
    let is_account = ACCOUNTS.contains(&user.to_ascii_lowercase().as_str());
    let is_slash = bare.as_bytes().get(user.len()) == Some(&b'/');
    let password = match is_slash {
        true => rest,
        false => rest.split_once('@').map(|(password, _)| password)?,
    };
    let is_one = !password.contains(['/', ':']) && (is_login || !is_slash);
    (is_account && is_one && is_said(password, false))
        .then_some((before + user.len() + 1, password))
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
