//! Takes secrets out of what is recorded (SPEC X7).
//!
//! Four looks at a text, none of which needs a model or a network: formats that issuers gave their tokens
//! ([`rules`]), blocks of private keys, values assigned to names such as `password` or sent in headers and
//! addresses, and long runs that are too random to be words. What is found is replaced by `[secret:<rule>]`.

mod rules;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use rules::{ASSIGNED, FORMATS, Format};

/// Bytes of a run from which on its randomness is looked at.
const RANDOM_LEAST: usize = 32;
/// Bits a character; English in identifiers has less than 4, base64 of this length has more.
const RANDOM_BITS: f64 = 4.2;
/// Bytes that a value assigned to a telling name has at least.
const VALUE_LEAST: usize = 8;

/// Takes secrets out of texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Redactor {}

/// So often a text is looked through.
const MOST_ROUNDS: usize = 4;

/// Where a secret is, by which rule.
type Found = (Range<usize>, &'static str);

impl Redactor {
    /// The text without its secrets; how many there were is added to `counts`, by rule.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str, counts: &mut BTreeMap<String, u32>) -> Cow<'t, str> {
        let mut clean = self.redact_once(text, counts);
        // What stood beside a secret may be seen to be one only when that is gone.
        for _ in 1..MOST_ROUNDS {
            match self.redact_once(&clean, counts) {
                Cow::Borrowed(_) => break,
                Cow::Owned(cleaner) => clean = Cow::Owned(cleaner),
            }
        }
        clean
    }

    fn redact_once<'t>(&self, text: &'t str, counts: &mut BTreeMap<String, u32>) -> Cow<'t, str> {
        let found = find(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut end = 0;
        for (range, rule) in found {
            out.push_str(&text[end..range.start]);
            out.push_str("[secret:");
            out.push_str(rule);
            out.push(']');
            *counts.entry(rule.to_owned()).or_default() += 1;
            end = range.end;
        }
        out.push_str(&text[end..]);
        Cow::Owned(out)
    }

    /// The same in place; whether there was one.
    pub(crate) fn redact_in(&self, text: &mut String, counts: &mut BTreeMap<String, u32>) -> bool {
        let redacted = match self.redact(text, counts) {
            Cow::Borrowed(_) => None,
            Cow::Owned(redacted) => Some(redacted),
        };
        let has_any = redacted.is_some();
        if let Some(redacted) = redacted {
            *text = redacted;
        }
        has_any
    }
}

/// All secrets in order, none within another. Rules that know more about a place come first.
fn find(text: &str) -> Vec<Found> {
    let mut all = private_keys(text);
    for more in [
        formats(text),
        addresses(text),
        headers(text),
        assignments(text),
        random(text),
    ] {
        for found in more {
            if all.iter().all(|(other, _)| !overlaps(other, &found.0)) {
                all.push(found);
            }
        }
    }
    all.sort_by_key(|(range, _)| range.start);
    all
}

fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// From `-----BEGIN … PRIVATE KEY-----` to its end, or to that of the text.
fn private_keys(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("-----BEGIN ") {
        let start = from + at;
        from = start + "-----BEGIN ".len();
        let title = text[from..].split("-----").next().unwrap_or_default();
        if !title.contains("PRIVATE KEY") || title.len() > 60 {
            continue;
        }
        let end = text[from..].find("-----END ").map(|end| from + end);
        let end = end.map_or(text.len(), |end| {
            let after = end + "-----END ".len();
            text[after..]
                .find("-----")
                .map_or(text.len(), |last| after + last + 5)
        });
        found.push((start..end, "private-key"));
        from = end;
    }
    found
}

/// Tokens by the marks of their issuers.
fn formats(text: &str) -> Vec<Found> {
    static PREFIXES: LazyLock<Option<(AhoCorasick, Vec<&'static Format>)>> = LazyLock::new(|| {
        let pairs = FORMATS
            .iter()
            .flat_map(|format| format.prefixes.iter().map(move |p| (*p, format)));
        let (prefixes, formats): (Vec<_>, Vec<_>) = pairs.unzip();
        Some((automaton(&prefixes)?, formats))
    });
    let Some((prefixes, formats)) = PREFIXES.as_ref() else {
        return Vec::new();
    };
    let bytes = text.as_bytes();
    let mut found: Vec<Found> = Vec::new();
    for hit in prefixes.find_iter(text) {
        let is_inside = hit.start() > 0 && is_word(bytes[hit.start() - 1]);
        let is_taken = found.last().is_some_and(|(last, _)| hit.start() < last.end);
        let format = formats[hit.pattern().as_usize()];
        let body = run(bytes, hit.end(), |byte| format.alphabet.has(byte));
        if !is_inside
            && !is_taken
            && body.len() >= format.least
            && has_mark(format, &text[body.clone()])
        {
            found.push((hit.start()..trimmed(bytes, body.clone()), format.name));
        }
    }
    found
}

/// What a prefix that is a common word needs beside its length.
fn has_mark(format: &Format, body: &str) -> bool {
    match format.name {
        "jwt" => body.split('.').filter(|part| part.len() >= 10).count() >= 2,
        "airtable-token" => body.as_bytes().get(14) == Some(&b'.'),
        _ => body.bytes().any(|byte| byte.is_ascii_digit()) || body.len() >= 40,
    }
}

/// `scheme://user:password@host`.
fn addresses(text: &str) -> Vec<Found> {
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
        if !password.is_empty() && !is_placeholder(password) {
            found.push((
                authority.start + colon + 1..authority.start + host,
                "url-password",
            ));
        }
    }
    found
}

/// `Bearer …` and `Basic …`, as headers have them.
fn headers(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (word, least) in [("bearer ", 16), ("basic ", 12)] {
        for at in find_folded(text, word) {
            let is_inside = at > 0 && is_word(bytes[at - 1]);
            let value = run(bytes, at + word.len(), |b| {
                rules::Alphabet::Base64.has(b) || matches!(b, b'.' | b'~')
            });
            let is_token = value.len() >= least && is_mixed(&text[value.clone()]);
            if !is_inside && is_token {
                found.push((value, "authorization"));
            }
        }
    }
    found
}

/// `password = "…"`, `API_KEY: …`, `--token …`.
fn assignments(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !is_name(bytes[at]) {
            at += 1;
            continue;
        }
        let name = run(bytes, at, is_name);
        at = name.end;
        let Some(rule) = rule_of(&text[name.clone()]) else {
            continue;
        };
        let is_option = text[name.clone()].starts_with("--");
        if let Some(value) = assigned_value(text, name.end, is_option) {
            at = value.end;
            found.push((value, rule));
        }
    }
    found
}

/// The rule of a name that ends with, or is, the name of a secret: `DB_PASSWORD`, `githubToken`.
fn rule_of(name: &str) -> Option<&'static str> {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = name.to_ascii_lowercase();
    let rule = ASSIGNED.iter().find(|(end, _)| name.ends_with(end));
    rule.map(|(_, rule)| *rule)
}

/// What stands after `=` or `:`, if it can be a secret.
fn assigned_value(text: &str, from: usize, is_option: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let spaces = |from| run(bytes, from, |b| matches!(b, b' ' | b'\t')).end;
    let mut at = from;
    if matches!(bytes.get(at), Some(b'"' | b'\'')) {
        at += 1; // a key of JSON
    }
    let after = spaces(at);
    let sign = run(bytes, after, |b| matches!(b, b'=' | b':' | b'>'));
    match sign.len() {
        0 if is_option && after > at => at = after,
        1 | 2 => at = spaces(sign.end),
        _ => return None,
    }
    let quote = bytes
        .get(at)
        .copied()
        .filter(|b| matches!(b, b'"' | b'\'' | b'`'));
    let value = match quote {
        Some(quote) => run(bytes, at + 1, |b| b != quote && b != b'\n'),
        None => run(bytes, at, |b| {
            b.is_ascii_graphic() && !matches!(b, b'"' | b'\'' | b',' | b';' | b'&' | b')')
        }),
    };
    let inside = &text[value.clone()];
    let is_secret = value.len() >= VALUE_LEAST && !is_placeholder(inside) && is_mixed(inside);
    is_secret.then_some(value)
}

/// Long runs that are too random to be words. Digests have one case only and stay.
fn random(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| rules::Alphabet::Word.has(byte) || matches!(byte, b'+' | b'=');
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let part = run(bytes, at, is_part);
        if part.is_empty() {
            at += 1;
            continue;
        }
        at = part.end;
        let is_digest = ["sha1-", "sha256-", "sha384-", "sha512-"]
            .iter()
            .any(|digest| text[part.clone()].starts_with(digest));
        if part.len() >= RANDOM_LEAST && !is_digest && is_random(&bytes[part.clone()]) {
            found.push((part, "high-entropy"));
        }
    }
    found
}

fn is_random(part: &[u8]) -> bool {
    let count = |has: fn(&u8) -> bool| part.iter().filter(|byte| has(byte)).count();
    let digits = count(u8::is_ascii_digit);
    let classes = [
        digits,
        count(u8::is_ascii_lowercase),
        count(u8::is_ascii_uppercase),
    ];
    // Numbers at the end of an identifier are one group, in base64 they are everywhere.
    let groups = part
        .windows(2)
        .filter(|pair| pair[1].is_ascii_digit() && !pair[0].is_ascii_digit())
        .count();
    classes.iter().all(|&count| count >= 3) && groups >= 3 && entropy(part) >= RANDOM_BITS
}

/// Shannon's entropy in bits a byte.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let all = bytes.len() as f64;
    let of = |count: u32| {
        let share = f64::from(count) / all;
        -share * share.log2()
    };
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| of(count))
        .sum()
}

/// Whether it is more than a word: it has letters and something else.
fn is_mixed(value: &str) -> bool {
    let has_letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let has_other = value
        .bytes()
        .any(|byte| byte.is_ascii_digit() || b"!@#%^&*+/=?~".contains(&byte));
    has_letter && has_other && entropy(value.as_bytes()) >= 2.5
}

/// Whether a value is none: text that stands for one (`<your key>`, `xxxx`), or code that gets it. Taking these out would
/// hide what somebody noted and protect nothing.
fn is_placeholder(value: &str) -> bool {
    let is_code = value.contains(['(', ')', '$', '<', '>', '{', '}', '[', ']']);
    let is_masked = value
        .bytes()
        .all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.' | b'-'));
    is_code || is_masked || value.contains("process.env") || value.contains("::")
}

/// The bytes from a place on that are all of a kind.
fn run(bytes: &[u8], from: usize, is_part: impl Fn(u8) -> bool) -> Range<usize> {
    let rest = bytes.get(from..).unwrap_or_default();
    let len = rest.iter().position(|&byte| !is_part(byte));
    from..from + len.unwrap_or(rest.len())
}

/// Where a run ends without the point of the sentence that it is in.
fn trimmed(bytes: &[u8], run: Range<usize>) -> usize {
    let last = bytes[run.clone()]
        .iter()
        .rposition(|byte| !matches!(byte, b'.' | b'-'));
    last.map_or(run.end, |last| run.start + last + 1)
}

fn find_folded(text: &str, word: &str) -> Vec<usize> {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let windows = text.windows(word.len()).enumerate();
    windows
        .filter(|(_, window)| window.eq_ignore_ascii_case(word))
        .map(|(at, _)| at)
        .collect()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_name(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// None only if the table were too large for one.
fn automaton(patterns: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(patterns)
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redact(text: &str) -> String {
        Redactor::default()
            .redact(text, &mut BTreeMap::new())
            .into_owned()
    }

    /// Letters and digits as a token has them, of any length.
    fn noise(len: usize, alphabet: &str) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let next = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            letters[(state >> 33) as usize % letters.len()]
        };
        (0..len).map(next).collect()
    }

    proptest::proptest! {
        /// Any text comes through, and what was cleaned once is clean.
        #[test]
        fn cleaned_texts_are_clean(text in "([a-zé检 .:=\"'/@-]|password|token|Bearer |eyJ|sk-|://|-----BEGIN |[A-Za-z0-9]{20}){0,12}") {
            let once = redact(&text);
            proptest::prop_assert_eq!(redact(&once), once);
        }
    }

    #[test]
    fn what_stood_beside_a_secret_goes_too() {
        let text = "a00A0a0A0a0AaaaabBbBA1CDbCEFebGHIJfKBc1cpassword=A00aaA0AAaaA0aA2bBc1";
        let once = redact(text);
        assert_eq!(redact(&once), once);
        assert!(
            !once.contains("A00aaA0AAaaA0aA2bBc1") && !once.contains("bBbBA1CDbCEF"),
            "{once}"
        );
    }

    #[test]
    fn every_format_is_found_and_named() {
        for format in FORMATS {
            let letters = match format.alphabet {
                rules::Alphabet::Hex => "0123456789abcdef",
                rules::Alphabet::Upper => "ABCDEFGHIJ234567",
                _ => "abcdefghijABCDEFGHIJ0123456789",
            };
            for prefix in format.prefixes {
                let mut body = noise(format.least.max(24), letters);
                match format.name {
                    "jwt" => body.insert(20, '.'),
                    "airtable-token" => body.replace_range(14..15, "."),
                    _ => {}
                }
                let text = format!("see {prefix}{body}. Then");
                let wanted = format!("see [secret:{}]. Then", format.name);
                assert_eq!(redact(&text), wanted, "{text}");
            }
        }
    }

    #[test]
    fn assigned_values_go_and_their_names_stay() {
        for (text, wanted) in [
            ("password=hunter2hunter2", "password=[secret:password]"),
            (
                "DB_PASSWORD: \"pa55word!x\"",
                "DB_PASSWORD: \"[secret:password]\"",
            ),
            (
                "{\"apiKey\": \"abc123def456\"}",
                "{\"apiKey\": \"[secret:api-key]\"}",
            ),
            (
                "run --token abc123def456 now",
                "run --token [secret:token] now",
            ),
            (
                "Authorization: Bearer abcdef1234567890abcdef",
                "Authorization: Bearer [secret:authorization]",
            ),
            (
                "postgres://me:s3cret@db/x",
                "postgres://me:[secret:url-password]@db/x",
            ),
        ] {
            assert_eq!(redact(text), wanted);
        }
    }

    #[test]
    fn keys_in_blocks_go_whole_even_without_an_end() {
        let block = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----";
        assert_eq!(redact(&format!("a {block} b")), "a [secret:private-key] b");
        assert_eq!(
            redact("-----BEGIN PRIVATE KEY-----\nabc"),
            "[secret:private-key]"
        );
        let public = "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----";
        assert_eq!(redact(public), public);
    }

    #[test]
    fn random_runs_go() {
        let run = noise(
            44,
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        );
        assert_eq!(redact(&format!("key {run}")), "key [secret:high-entropy]");
    }

    #[test]
    fn code_and_prose_stay() {
        for text in [
            "the token: string argument is parsed by getToken()",
            "password = read_password()",
            "secret=${SECRET}",
            "const apiKey = process.env.API_KEY_1",
            "commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it",
            "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "id 550e8400-e29b-41d4-a716-446655440000",
            "integrity sha512-9NET910DNaIPngYnLLPeg+Ogzqsi9uM4mSboU5y6p8S5DzMTVEsJOrawi+BoDNUVBa2DhJqQYUFvMDfgU062LQ==",
            "AbstractSingletonProxyFactoryBeanConfigurationTest2",
            "crates/engine/src/tools/getContext2/mod.rs and https://example.com/a@b",
            "src/main/java/com/Example/Very/Long/Path/ToSome/Class1Name2Test3.java",
            "skills-and-tasks-of-a-very-long-branch-name-that-goes-on",
            "检索 observations 的预算",
        ] {
            assert_eq!(redact(text), text);
        }
    }
}
