//! Values of names that tell: `password = "…"`, `API_KEY: …`, `--token …`, `<password>…`, `the password is …`.

use std::ops::Range;

use crate::rules::{KINDS_OF_KEYS, MESSAGES, PLACEHOLDERS};
use crate::scan::{after_blanks, is_name, parts, quote_at, run, value_at};
use crate::secret_range::SecretRange;
use crate::values::{is_assigned, is_mixed, is_placeholder, is_said, rule_of};

/// Letters of a type that stands between a name and its value, and of an element's attributes.
const MAX_TYPE: usize = 40;
const MAX_ATTRIBUTES: usize = 120;
/// Begins text in XML that is taken as it is.
const CDATA: &str = "<![CDATA[";
/// Words between a name and the verb of its sentence.
const MAX_WORDS: usize = 5;
/// Bytes of a sentence that are looked at.
const MAX_SENTENCE: usize = 160;

/// All values of names that tell.
pub(crate) fn assignments(text: &str) -> Vec<SecretRange> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let mut before = 0..0;
    while at < bytes.len() {
        if !is_name(bytes[at]) {
            at += 1;
            continue;
        }
        let name = run(bytes, at, is_name);
        at = name.end;
        let rule = rule_of(&text[name.clone()]).or_else(|| rule_of_words(text, &before, &name));
        let value = match rule {
            Some(rule) => value_of(text, &name, rule).map(|value| (value, rule)),
            None => docker_auth(text, &name).map(|value| (value, "authorization")),
        };
        if let Some((value, rule)) = value {
            at = value.end.max(at);
            found.push((value, rule));
        }
        before = name;
    }
    found
}

/// `API key`, in two words.
fn rule_of_words(text: &str, before: &Range<usize>, name: &Range<usize>) -> Option<&'static str> {
    let is_key = text[name.clone()].eq_ignore_ascii_case("key");
    let is_beside = before.end + 1 == name.start && text.as_bytes()[before.end] == b' ';
    let kind = text.get(before.clone())?.to_ascii_lowercase();
    (is_key && is_beside && KINDS_OF_KEYS.contains(&kind.as_str())).then_some("api-key")
}

fn value_of(text: &str, name: &Range<usize>, rule: &'static str) -> Option<Range<usize>> {
    let is_option = text[name.clone()].starts_with('-');
    element(text, name)
        .or_else(|| named_element(text, name))
        .or_else(|| assigned(text, name.end, rule, is_option))
        .or_else(|| beside(text, name.end, rule))
        .or_else(|| said(text, name.end, rule))
        .or_else(|| told_with(text, name).filter(|_| rule == "password"))
}

/// What stands after `=` or `:`, also behind a type.
fn assigned(text: &str, from: usize, rule: &str, is_option: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = after_quote(bytes, after_marks(bytes, from)); // a key of JSON
    at += usize::from(bytes.get(at) == Some(&b']'));
    let after = after_blanks(bytes, at);
    let sign = run(bytes, after, |b| matches!(b, b'=' | b':' | b'>'));
    if &text[sign.clone()] == "::" {
        return None; // a path of names
    }
    let value = match sign.len() {
        0 if is_option && after > at => after,
        1..=3 => after_blanks(bytes, after_marks(bytes, sign.end)),
        _ => return None,
    };
    if let Some(value) = secret_at(text, value, rule) {
        return Some(value);
    }
    if &text[sign.clone()] != ":" {
        return None;
    }
    let of_type = run(bytes, value, |b| {
        is_name(b)
            || matches!(
                b,
                b' ' | b'&' | b'<' | b'>' | b'[' | b']' | b'|' | b'?' | b'\''
            )
    });
    let is_typed = of_type.len() <= MAX_TYPE && bytes.get(of_type.end) == Some(&b'=');
    let value = after_blanks(bytes, of_type.end + 1);
    match is_typed && quote_at(bytes, value).is_some() {
        true => secret_at(text, value, rule),
        false => None,
    }
}

fn secret_at(text: &str, at: usize, rule: &str) -> Option<Range<usize>> {
    let (value, is_quoted) = value_at(text.as_bytes(), prefixed_string(text.as_bytes(), at));
    is_assigned(&text[value.clone()], rule, is_quoted).then_some(value)
}

/// Where the quote stands of `b"…"`, `r'…'`, `@"…"`.
fn prefixed_string(bytes: &[u8], at: usize) -> usize {
    let is_prefix = matches!(bytes.get(at), Some(b'b' | b'r' | b'u' | b'f' | b'@' | b'L'));
    at + usize::from(is_prefix && quote_at(bytes, at + 1).is_some())
}

/// After the marks with which Markdown prints a name bold: `**Password:** …`.
fn after_marks(bytes: &[u8], at: usize) -> usize {
    let marks = run(bytes, at, |byte| byte == b'*');
    match marks.len() {
        1 | 2 => marks.end,
        _ => at,
    }
}

/// After the quote, escaped or not, that stands at a place.
fn after_quote(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'"' | b'\'' | b'`') => at + 1,
        Some(b'\\') if quote_at(bytes, at + 1).is_some() => at + 2,
        _ => at,
    }
}

/// `<password>…</password>`
fn element(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_opened = text[..name.start].ends_with('<') || {
        // `<ns:password>`
        let prefix = text[..name.start].strip_suffix(':')?;
        let space = prefix
            .bytes()
            .rev()
            .take(MAX_TYPE)
            .take_while(|b| is_name(*b))
            .count();
        prefix[..prefix.len() - space].ends_with('<')
    };
    let rest = run(bytes, name.end, |b| !matches!(b, b'<' | b'>'));
    let is_closed = rest.len() <= MAX_ATTRIBUTES && bytes.get(rest.end) == Some(&b'>');
    // `<Token extends Key>` is a parameter of a type.
    let has_attributes = text[rest.clone()].trim().is_empty() || text[rest.clone()].contains('=');
    if !is_opened || !is_closed || !has_attributes || text[rest.clone()].ends_with('/') {
        return None;
    }
    let raw = text[rest.end + 1..].starts_with(CDATA);
    let from = rest.end + 1 + if raw { CDATA.len() } else { 0 };
    let end = if raw { b']' } else { b'<' };
    let value = run(bytes, from, |b| b != end);
    // `<token> and <key>` in prose are two of them.
    let is_ended = text[value.end..].starts_with(if raw { "]]>" } else { "</" });
    let value = trimmed(text, value);
    let inside = &text[value.clone()];
    let is_one = is_ended && !inside.contains('\n');
    let lower = inside.to_lowercase();
    // `<Password>Enter</Password>`
    let is_label = PLACEHOLDERS.contains(&lower.as_str()) || MESSAGES.contains(&lower.as_str());
    (is_one && inside.len() >= 4 && !is_label && !is_placeholder(inside, true)).then_some(value)
}

/// `<property name="password">…</property>`: the name of a setting in an attribute, its value between the tags.
fn named_element(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let quote = quote_at(bytes, name.end)?;
    let path = |byte: &u8| is_name(*byte) || matches!(byte, b'.' | b':');
    let before = bytes[..name.start]
        .iter()
        .rev()
        .take(MAX_ATTRIBUTES)
        .take_while(|byte| path(byte))
        .count();
    let head = text[..name.start - before].strip_suffix(char::from(quote))?;
    let is_name_of_setting = ["name=", "key=", "id="]
        .iter()
        .any(|attribute| head.ends_with(attribute));
    let rest = run(bytes, name.end + 1, |byte| !matches!(byte, b'<' | b'>'));
    let is_closed = rest.len() <= MAX_ATTRIBUTES && bytes.get(rest.end) == Some(&b'>');
    if !is_name_of_setting || !is_closed || text[rest.clone()].ends_with('/') {
        return None;
    }
    let value = run(bytes, rest.end + 1, |byte| !matches!(byte, b'<' | b'\n'));
    let is_ended = bytes.get(value.end) == Some(&b'<');
    let value = trimmed(text, value);
    // Labels stand so too: `<string name="password">Mot de passe</string>`.
    (is_ended && is_said(&text[value.clone()], false)).then_some(value)
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let start = range.start + inside.len() - inside.trim_start().len();
    start..start + inside.trim().len()
}

/// `name: DB_PASSWORD, value: …`, `key="password" value="…"`
fn beside(text: &str, from: usize, rule: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let between = run(bytes, after_quote(bytes, from), |b| {
        b.is_ascii_whitespace() || matches!(b, b',' | b'"' | b'\'')
    });
    let rest = text.get(between.end..)?;
    let is_value = rest.get(..5)?.eq_ignore_ascii_case("value") && !between.is_empty();
    let after = is_value.then_some(between.end + 5)?;
    let sign = bytes.get(after_blanks(bytes, after_quote(bytes, after)))?;
    matches!(sign, b'=' | b':').then(|| assigned(text, after, rule, false))?
}

/// `the password for admin is …`, `the token was changed to …`, `the password of the database: …`, `| password | … |`
fn said(text: &str, from: usize, rule: &str) -> Option<Range<usize>> {
    let most = text.floor_char_boundary(from.saturating_add(MAX_SENTENCE).min(text.len()));
    let line = text[from..most]
        .split(['\n', '\r'])
        .next()
        .unwrap_or_default();
    if !line.starts_with([' ', '"', '`', '\'', '*']) {
        return None;
    }
    let is_password = rule == "password";
    let mut changed = false;
    for (index, (at, word)) in parts(line).take(MAX_WORDS + 1).enumerate() {
        let bare = word
            .trim_matches(['"', '`', '\'', '*'])
            .to_ascii_lowercase();
        let is_verb = matches!(bare.as_str(), "is" | "was" | "equals" | "is:" | "=" | ":")
            || changed && bare == "to";
        // A sign in the place of a verb says less: what stands behind it has to look like a password.
        let is_sign = is_password
            && (index == 0 && SIGNS.contains(&bare.as_str()) || index > 0 && bare.ends_with(':'));
        changed |= matches!(
            bare.as_str(),
            "set" | "changed" | "reset" | "rotated" | "updated"
        );
        if (is_verb || is_sign)
            && let Some(value) = said_at(text, from + at + word.len(), !is_verb)
        {
            return Some(value);
        }
        if word.ends_with(['.', ';', '!', '?', '}', ')', '(']) {
            return None;
        }
    }
    None
}

/// Signs between a name and its value in lists and tables.
const SIGNS: &[&str] = &["|", "-", "–", "—", "->", "→", "=>", "⇒", "↦"];

fn said_at(text: &str, from: usize, is_weak: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = after_blanks(bytes, from);
    for word in ["now ", "still ", "set to ", "just ", "always ", ": "] {
        if text[at..].starts_with(word) {
            at = after_blanks(bytes, at + word.len());
        }
    }
    let (value, is_quoted) = value_at(bytes, at);
    let value = match is_quoted {
        true => value,
        false => word_at(text, at),
    };
    let inside = &text[value.clone()];
    let is_enough = !is_weak || !is_measure_or_version(inside);
    (is_enough && is_said(inside, is_quoted)).then_some(value)
}

/// A word of a sentence, without the signs that end it.
fn word_at(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let word = run(bytes, at, |byte| {
        !byte.is_ascii_whitespace() && !byte.is_ascii_control() && quote_at(&[byte], 0).is_none()
    });
    let inside = &text[word.clone()];
    let signs = ['.', ',', ';', ':', '!', '?', '*', ')', '|'];
    word.start..word.start + inside.trim_end_matches(signs).len()
}

/// `8chars`, `v1.2.3`
fn is_measure_or_version(value: &str) -> bool {
    let rest = value.strip_prefix('v').unwrap_or(value);
    let unit = rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    unit.len() < rest.len()
        && unit
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// Words before `password` with which a value follows at once: `with the password …`.
const WITH: &[&str] = &[
    "a", "and", "my", "our", "the", "their", "using", "with", "your",
];
/// Words before the name of a user whose password follows: `user admin password …`.
const USERS: &[&str] = &["account", "login", "user", "username"];
/// Letters before a name that are looked at.
const MAX_BEFORE: usize = 60;

/// `log in with the password …`, `user admin password …`, `use … as the password`.
fn told_with(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let least = text.ceil_char_boundary(name.start.saturating_sub(MAX_BEFORE));
    let head = text[least..name.start].rsplit(['\n', '\r']).next()?;
    let words: Vec<(usize, &str)> = parts(head).collect();
    let place = name.start - head.len();
    let word = |back: usize| {
        let at = words.len().checked_sub(back)?;
        words.get(at).map(|(_, word)| word.to_ascii_lowercase())
    };
    let is =
        |back: usize, list: &[&str]| word(back).is_some_and(|word| list.contains(&word.as_str()));
    // `use … as the password`
    let back = if is(1, &["as"]) { 2 } else { 3 };
    if is(back - 1, &["as"]) && (back == 2 || is(1, WITH)) {
        let (at, inside) = words.len().checked_sub(back).and_then(|at| words.get(at))?;
        let start = inside.len() - inside.trim_start_matches(['"', '\'', '`']).len();
        let bare = inside.trim_matches(['"', '\'', '`', ',']);
        let from = place + at + start;
        let is_it = !is_measure_or_version(bare) && is_said(bare, false);
        return is_it.then_some(from..from + bare.len());
    }
    if !is(1, WITH) && !is(2, USERS) {
        return None;
    }
    let at = after_blanks(bytes, name.end);
    if at == name.end {
        return None;
    }
    let (value, is_quoted) = value_at(bytes, at);
    let value = if is_quoted { value } else { word_at(text, at) };
    let inside = &text[value.clone()];
    (!is_measure_or_version(inside) && is_said(inside, false)).then_some(value)
}

/// `"auth": "<base64 of user:password>"`, as Docker and npm keep it.
fn docker_auth(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let word = text[name.clone()].trim_matches(['_', '-']);
    if !word.eq_ignore_ascii_case("auth") {
        return None;
    }
    let bytes = text.as_bytes();
    let at = after_blanks(bytes, after_quote(bytes, name.end));
    let sign = run(bytes, at, |b| matches!(b, b'=' | b':'));
    let (value, _) = value_at(bytes, after_blanks(bytes, sign.end));
    let inside = &text[value.clone()];
    let is_base64 = !sign.is_empty() && inside.len() >= 8;
    let decoded = is_base64.then(|| base64(inside))??;
    let is_pair = decoded.iter().all(|byte| (b' '..0x7f).contains(byte)) && decoded.contains(&b':');
    (is_pair || is_mixed(inside) && inside.len() >= 24).then_some(value)
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let bare = text.trim_end_matches('=').as_bytes();
    data_encoding::BASE64_NOPAD.decode(bare).ok()
}
