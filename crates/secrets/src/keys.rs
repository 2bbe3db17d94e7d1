//! Blocks of keys: private ones go, public ones are no secrets.

use std::ops::Range;

use crate::scan::run;
use crate::secret_range::SecretRange;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";
/// Letters of a block's title.
const MAX_TITLE: usize = 60;
/// Characters of base64 that stand together in a file's key at least.
const BODY_LEAST: usize = 24;

/// Where blocks begin, where their first line ends, and whether their title is that of a private key.
fn begins(text: &str) -> impl Iterator<Item = (usize, usize, bool)> {
    text.match_indices(BEGIN).filter_map(|(start, _)| {
        let from = start + BEGIN.len();
        let most = text.floor_char_boundary(from + MAX_TITLE + DASHES.len());
        let title = text[from..most].find(DASHES)?;
        let is_private = text[from..from + title].contains("PRIVATE KEY");
        Some((start, from + title + DASHES.len(), is_private))
    })
}

/// From `-----BEGIN … PRIVATE KEY-----` to the end of the block, also where that is missing. Code that only names the first
/// line of such blocks holds none.
pub(crate) fn private_keys(text: &str) -> Vec<SecretRange> {
    let mut found: Vec<SecretRange> = Vec::new();
    for (start, body, is_private) in begins(text) {
        let is_inside = found.last().is_some_and(|(last, _)| start < last.end);
        let end = match is_private && !is_inside {
            true => block_end(text, body),
            false => continue,
        };
        let has_body = text[body..end]
            .bytes()
            .any(|byte| byte.is_ascii_alphanumeric());
        if has_body {
            found.push((start..end, "private-key"));
        }
    }
    found
}

/// Certificates, public keys and signatures.
pub(crate) fn public_blocks(text: &str) -> Vec<Range<usize>> {
    let public = begins(text).filter(|(_, _, is_private)| !is_private);
    public
        .map(|(start, body, _)| start..block_end(text, body))
        .collect()
}

/// Where a block ends: after its last line, or before what no block has.
fn block_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        if text[at..].starts_with(END) {
            let title = at + END.len();
            let most = text.floor_char_boundary(title + MAX_TITLE + DASHES.len());
            let closed = text[title..most].find(DASHES);
            return closed.map_or(title, |closed| title + closed + DASHES.len());
        }
        // `Proc-Type: 4,ENCRYPTED`
        let name = run(bytes, at, |byte| byte.is_ascii_alphabetic() || byte == b'-');
        let is_header = !name.is_empty() && text[name.end..].starts_with(": ");
        let part = match is_header {
            true => run(bytes, at, |byte| byte != b'\n' && byte != b'\\'),
            false => run(bytes, at, is_of_block),
        };
        if part.is_empty() {
            return trimmed(bytes, from, at);
        }
        at = part.end;
    }
}

/// The end without blanks and quotes behind the last letter.
fn trimmed(bytes: &[u8], from: usize, end: usize) -> usize {
    let last = bytes[from..end]
        .iter()
        .rposition(|byte| byte.is_ascii_alphanumeric() || *byte == b'=');
    last.map_or(from, |last| from + last + 1)
}

/// base64, and what stands between its lines in files, strings and comments.
fn is_of_block(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'+' | b'/' | b'=' | b'\\' | b'"' | b'\'' | b'`' | b'*' | b'#' | b'>' | b'|'
        )
}

/// Whether a text holds a private key: a block with base64 in it, as a file or a string has it. Code that only looks for
/// such blocks does not.
#[must_use]
pub fn holds_private_key(text: &str) -> bool {
    let mut private = begins(text).filter(|(_, _, is_private)| *is_private);
    private.any(|(_, body, _)| has_base64(&text[body..block_end(text, body)]))
}

fn has_base64(body: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let mut parts = body.as_bytes().split(|byte| !is_digit(*byte));
    // `n` of `\n` is the first letter of the first line.
    parts.any(|part| part.len() > BODY_LEAST)
}
