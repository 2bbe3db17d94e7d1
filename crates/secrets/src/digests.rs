//! Which runs of chance are digests, and so no secrets.
//!
//! A run is a digest where what stands before it says so: a word such as `commit`, `sha256` or `integrity` among the last
//! words of its line, with no word such as `key` or `password` nearer; the part of an address that such a word leads; `@` or
//! `#` behind the name of a repository; two blanks and a file's name behind it, as lists of sums have them; or another
//! digest, with nothing but signs, `and`, `or` and `to` between.

use std::ops::Range;

use crate::scan::words_of;

/// Words that digests are called by, in any writing.
const DIGESTS: &[&str] = &[
    "sha",
    "shas",
    "sha1",
    "sha2",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "md5",
    "crc",
    "crc32",
    "blake2",
    "blake2b",
    "blake3",
    "xxh3",
    "xxhash",
    "hash",
    "hashes",
    "checksum",
    "checksums",
    "shasum",
    "digest",
    "digests",
    "integrity",
    "fingerprint",
    "fingerprints",
    "thumbprint",
    "etag",
    "sum",
    "h1",
];
/// Words that objects of version control and other public numbers are called by, which are hexadecimal digits.
const OBJECTS: &[&str] = &[
    "commit",
    "commits",
    "changeset",
    "rev",
    "revision",
    "revisions",
    "ref",
    "refs",
    "reference",
    "oid",
    "tree",
    "blob",
    "parent",
    "merge",
    "head",
    "fixes",
    "revert",
    "reverts",
    "cherry",
    "pick",
    "fixup",
    "squash",
    "bisect",
    "rebase",
    "checkout",
    "uuid",
    "guid",
    "traceparent",
];
/// Words that say the contrary.
const SECRETS: &[&str] = &[
    "key",
    "keys",
    "secret",
    "secrets",
    "token",
    "tokens",
    "password",
    "passwd",
    "pwd",
    "credential",
    "credentials",
    "auth",
    "apikey",
    "passphrase",
    "bearer",
    "session",
];
/// Bytes before a run that are looked at, and how many of the last words.
const NEAR: usize = 64;
const WORDS: usize = 5;

/// Decides of runs one after the other.
#[derive(Default)]
pub(crate) struct Digests {
    /// Where the last digest ended.
    last: Option<usize>,
}

impl Digests {
    /// Whether a run is a digest by what stands around it.
    pub(crate) fn is_digest(&mut self, text: &str, run: &Range<usize>) -> bool {
        let near = text.floor_char_boundary(run.start.saturating_sub(NEAR));
        let before = &text[near..run.start];
        let is_one = self.follows(text, run)
            || is_called(before, &text[run.clone()])
            || is_pinned(before)
            || is_listed(text, run);
        if is_one {
            self.last = Some(run.end);
        }
        is_one
    }

    fn follows(&self, text: &str, run: &Range<usize>) -> bool {
        let between = self.last.and_then(|last| text.get(last..run.start));
        between.is_some_and(|between| {
            let mut words = words_of(between).into_iter();
            between.len() < NEAR && words.all(|word| matches!(word.as_str(), "and" | "or" | "to"))
        })
    }
}

/// Whether a run says itself that it is a digest: `sha512-…`.
pub(crate) fn is_marked(run: &str) -> bool {
    let lead = run.split_once('-').map_or("", |(lead, _)| lead);
    lead.starts_with("sha") && DIGESTS.contains(&lead)
}

/// A word that digests are called by is nearer than one of secrets; also within the run, as `sha512-…` has it.
fn is_called(before: &str, run: &str) -> bool {
    // Of a line that holds nothing else the line before says what it is.
    let line = before.rsplit(['\n', '\r']);
    let line = line
        .take(2)
        .find(|line| line.bytes().any(|byte| byte.is_ascii_alphanumeric()));
    let mut words = words_of(line.unwrap_or_default());
    let lead = run
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .next();
    words.extend(
        lead.map(str::to_ascii_lowercase)
            .filter(|lead| lead.len() <= 8),
    );
    let is_hex = run.bytes().all(|byte| byte.is_ascii_hexdigit());
    for word in words.iter().rev().take(WORDS) {
        let is_object = is_hex && OBJECTS.contains(&word.as_str());
        if is_object || DIGESTS.contains(&word.as_str()) {
            return true;
        }
        if SECRETS.contains(&word.as_str()) {
            return false;
        }
    }
    false
}

/// `actions/checkout@…`, `owner/name.git#…`, `image@sha256:…`.
fn is_pinned(before: &str) -> bool {
    let Some(name) = before.strip_suffix(['@', '#']) else {
        return false;
    };
    let start = name.rfind(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\''));
    let name = &name[start.map_or(0, |start| start + 1)..];
    name.contains('/') && !name.contains('@')
}

/// A line of a list of sums.
fn is_listed(text: &str, run: &Range<usize>) -> bool {
    let begins_line = text[..run.start].ends_with(['\n', '\r']) || run.start == 0;
    let after = &text[run.end..];
    let name = after
        .strip_prefix("  ")
        .or_else(|| after.strip_prefix(" *"));
    begins_line && name.is_some_and(|name| name.starts_with(|letter: char| !letter.is_whitespace()))
}
