//! Text in, text without secrets out (SPEC X7). It sees nothing but text.
//!
//! A text is looked at as it is, with its escapes read and without invisible characters, and with its lines joined
//! ([`view`]), by rules none of which needs a model or a network:
//!
//! - tokens by the marks of their issuers ([`formats`], [`rules`]) and blocks of private keys ([`keys`]);
//! - passwords in addresses, headers, `.netrc`, `.pgpass`, on command lines and beside the names of users ([`logins`],
//!   [`commands`]);
//! - passwords that are plain words, where a line can only mean one: variables of an environment, options, SQL ([`plain_passwords`]);
//! - values of names that tell, such as `password`, in code, configuration and prose ([`assignments`], [`values`]);
//! - long runs that are chance and no words ([`random`], [`chance`]), but digests ([`digests`]).
//!
//! What is found is replaced by `[secret:<rule>]`. Every rule takes time that is linear in the text. [`look_of`] says which
//! files are secret as a whole.

mod assignments;
mod chance;
mod commands;
mod digests;
mod files;
mod formats;
mod keys;
mod languages;
mod logins;
mod plain_passwords;
mod random;
mod rules;
mod scan;
mod secret_range;
mod values;
mod view;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use secret_range::SecretRange;

pub use files::{Look, look_of};
pub use keys::holds_private_key;
use view::RedactionView;

/// How many secrets were taken out, by rule.
pub type Counts = BTreeMap<String, u32>;

/// Takes secrets out of texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Redactor {}

/// So often a text is looked through.
const MAX_ROUNDS: usize = 4;

impl Redactor {
    /// The text without its secrets; how many there were is added to `counts`, by rule.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str, counts: &mut Counts) -> Cow<'t, str> {
        let mut clean = self.redact_once(text, counts);
        // What stood beside a secret may be seen to be one only when that is gone.
        for _ in 1..MAX_ROUNDS {
            if matches!(clean, Cow::Borrowed(_)) {
                break;
            }
            match self.redact_once(&clean, counts) {
                Cow::Borrowed(_) => break,
                Cow::Owned(cleaner) => clean = Cow::Owned(cleaner),
            }
        }
        clean
    }

    fn redact_once<'t>(&self, text: &'t str, counts: &mut Counts) -> Cow<'t, str> {
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
    pub fn redact_in(&self, text: &mut String, counts: &mut Counts) -> bool {
        let redacted = match self.redact(text, counts) {
            Cow::Borrowed(_) => return false,
            Cow::Owned(redacted) => redacted,
        };
        *text = redacted;
        true
    }
}

/// Where the secrets of a text are, in order, none within another, with the names of their rules.
#[must_use]
pub fn find(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let plain = RedactionView::plain(text);
    let read = RedactionView::read(text);
    let mut all = Spans::default();
    for view in std::iter::once(&plain).chain(&read) {
        // A token that goes on is found whole before its first line is found alone.
        let joined = view.joined();
        if let Some(joined) = &joined {
            let over_lines = joined_secrets(joined);
            all.extend(joined, over_lines, |place| view.origin(place));
        }
        all.extend(view, secrets_of(view), |place| place);
    }
    all.into_found()
}

/// The secrets of a view. Rules that know more about a place come first.
fn secrets_of(view: &RedactionView<'_>) -> Vec<SecretRange> {
    let text: &str = &view.text;
    [
        keys::private_keys(text),
        formats::formats(view),
        logins::addresses(text),
        logins::headers(text),
        logins::netrc(text),
        logins::pgpass(text),
        commands::commands(text),
        plain_passwords::plain(text),
        assignments::assignments(text),
        languages::passwords(text),
        logins::pairs(text),
        random::random(view),
    ]
    .concat()
}

/// Those that go over several lines or strings.
fn joined_secrets(view: &RedactionView<'_>) -> Vec<SecretRange> {
    let mut found = formats::formats(view);
    found.extend(random::random_over_lines(view));
    found.retain(|(range, _)| view.is_joined(range));
    found
}

/// Secrets of one text that do not overlap, by where they begin; what came first stays.
#[derive(Default)]
struct Spans {
    by_start: BTreeMap<usize, (usize, &'static str)>,
}

impl Spans {
    fn extend(
        &mut self,
        view: &RedactionView<'_>,
        found: Vec<SecretRange>,
        origin: impl Fn(Range<usize>) -> Range<usize>,
    ) {
        for (range, rule) in found {
            let range = origin(view.origin(range));
            let before = self.by_start.range(..range.end).next_back();
            let is_free = before.is_none_or(|(_, (end, _))| *end <= range.start);
            if is_free && !range.is_empty() {
                self.by_start.insert(range.start, (range.end, rule));
            }
        }
    }

    fn into_found(self) -> Vec<SecretRange> {
        let spans = self.by_start.into_iter();
        spans
            .map(|(start, (end, rule))| (start..end, rule))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::FORMATS;

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
                rules::Alphabet::Uuid => "0123456789abcdef",
                rules::Alphabet::Upper => "ABCDEFGHIJ234567",
                _ => "abcdefghijABCDEFGHIJ0123456789",
            };
            for prefix in format.prefixes {
                let least = if format.is_exact {
                    format.least
                } else {
                    format.least.max(24)
                };
                let mut body = noise(least, letters);
                match format.name {
                    "jwt" => body.insert(20, '.'),
                    "resend-key" => body.replace_range(8..9, "_"),
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
