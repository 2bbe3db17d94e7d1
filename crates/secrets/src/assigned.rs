//! Values of names that tell: `password = "…"`, `API_KEY: …`, `--token …`, `<password>…`, `the password is …`.

use std::ops::Range;

use crate::Found;
use crate::rules::KINDS_OF_KEYS;
use crate::scan::{after_blanks, is_name, parts, quote_at, run, value_at};
use crate::values::{is_assigned, is_mixed, is_placeholder, is_said, rule_of};

/// Letters of a type that stands between a name and its value, and of an element's attributes.
const MOST_TYPE: usize = 40;
const MOST_ATTRIBUTES: usize = 120;
/// Words between a name and the verb of its sentence.
const MOST_WORDS: usize = 5;
/// Bytes of a sentence that are looked at.
const MOST_SENTENCE: usize = 160;

/// All values of names that tell.
pub(crate) fn assignments(text: &str) -> Vec<Found> {
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
        .or_else(|| assigned(text, name.end, rule, is_option))
        .or_else(|| beside(text, name.end, rule))
        .or_else(|| said(text, name.end))
}

/// What stands after `=` or `:`, also behind a type.
fn assigned(text: &str, from: usize, rule: &str, is_option: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = after_quote(bytes, from); // a key of JSON
    at += usize::from(bytes.get(at) == Some(&b']'));
    let after = after_blanks(bytes, at);
    let sign = run(bytes, after, |b| matches!(b, b'=' | b':' | b'>'));
    if &text[sign.clone()] == "::" {
        return None; // a path of names
    }
    let value = match sign.len() {
        0 if is_option && after > at => after,
        1..=3 => after_blanks(bytes, sign.end),
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
    let is_typed = of_type.len() <= MOST_TYPE && bytes.get(of_type.end) == Some(&b'=');
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
            .take(MOST_TYPE)
            .take_while(|b| is_name(*b))
            .count();
        prefix[..prefix.len() - space].ends_with('<')
    };
    let rest = run(bytes, name.end, |b| !matches!(b, b'<' | b'>'));
    let is_closed = rest.len() <= MOST_ATTRIBUTES && bytes.get(rest.end) == Some(&b'>');
    // `<Token extends Key>` is a parameter of a type.
    let has_attributes = text[rest.clone()].trim().is_empty() || text[rest.clone()].contains('=');
    if !is_opened || !is_closed || !has_attributes || text[rest.clone()].ends_with('/') {
        return None;
    }
    let value = run(bytes, rest.end + 1, |b| b != b'<');
    let is_ended = bytes.get(value.end) == Some(&b'<');
    let value = trimmed(text, value);
    let inside = &text[value.clone()];
    let is_one = is_ended && !inside.contains('\n');
    (is_one && inside.len() >= 4 && !is_placeholder(inside, true)).then_some(value)
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

/// `the password for admin is …`, `the token was changed to …`
fn said(text: &str, from: usize) -> Option<Range<usize>> {
    let most = text.floor_char_boundary(from.saturating_add(MOST_SENTENCE).min(text.len()));
    let line = text[from..most]
        .split(['\n', '\r'])
        .next()
        .unwrap_or_default();
    if !line.starts_with([' ', '"', '`', '\'']) {
        return None;
    }
    let mut changed = false;
    for (at, word) in parts(line).take(MOST_WORDS + 1) {
        let bare = word
            .trim_matches(['"', '`', '\'', '*'])
            .to_ascii_lowercase();
        let is_verb = matches!(bare.as_str(), "is" | "was" | "equals" | "is:" | "=" | ":")
            || changed && bare == "to";
        changed |= matches!(
            bare.as_str(),
            "set" | "changed" | "reset" | "rotated" | "updated"
        );
        if is_verb && let Some(value) = said_at(text, from + at + word.len()) {
            return Some(value);
        }
        if word.ends_with(['.', ';', '!', '?', '}', ')', '(']) {
            return None;
        }
    }
    None
}

fn said_at(text: &str, from: usize) -> Option<Range<usize>> {
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
        false => {
            let inside = &text[value.clone()];
            value.start
                ..value.start
                    + inside
                        .trim_end_matches(['.', ',', ';', ':', '!', '?', '*'])
                        .len()
        }
    };
    is_said(&text[value.clone()], is_quoted).then_some(value)
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
