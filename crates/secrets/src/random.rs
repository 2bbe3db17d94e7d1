//! Long runs that are chance: keys and passwords without a mark (base64, hexadecimal digits, letters and digits).

use std::ops::Range;

use crate::chance::{RUN_LEAST, entropy, is_chance, is_wordy, oddness};
use crate::digests::{Digests, is_marked};
use crate::keys::public_blocks;
use crate::scan::{is_name, run};
use crate::secret_range::SecretRange;
use crate::view::RedactionView;

/// Hexadecimal digits that a key has at least: 128 bits.
const HEX_LEAST: usize = 32;
/// Bits a hexadecimal digit; the usual threshold.
const HEX_BITS: f64 = 3.0;
/// The digits of an address of Ethereum, which everybody may see.
const ADDRESS: usize = 40;

/// All such runs of a view.
pub(crate) fn random(view: &RedactionView<'_>) -> Vec<SecretRange> {
    let text: &str = &view.text;
    let bytes = text.as_bytes();
    let public = public_blocks(text);
    let mut next_public = public.iter().peekable();
    let mut digests = Digests::default();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let mut part = run(bytes, at, is_base64);
        if part.is_empty() {
            at += 1;
            continue;
        }
        at = part.end;
        part.end = run(bytes, part.end, |byte| byte == b'=').end;
        while next_public
            .next_if(|block| block.end <= part.start)
            .is_some()
        {}
        let is_public = next_public
            .peek()
            .is_some_and(|block| block.start <= part.start);
        if part.len() < RUN_LEAST
            || is_public
            || is_data(text, &part)
            || is_marked(&text[part.clone()])
        {
            continue;
        }
        for secret in secrets_in(bytes, part) {
            if !digests.is_digest(text, &secret) {
                found.push((secret, "high-entropy"));
            }
        }
    }
    found
}

/// What is chance in a run: all of it, or parts of what is a path or a name of words.
fn secrets_in(bytes: &[u8], run: Range<usize>) -> Vec<Range<usize>> {
    let run = trimmed(bytes, run);
    if run.len() < RUN_LEAST || is_uuid(&bytes[run.clone()]) {
        return Vec::new();
    }
    let inside = &bytes[run.clone()];
    let parts = || inside.split(|byte| !byte.is_ascii_alphanumeric());
    let words = parts().filter(|part| is_wordy(part)).count();
    if words < 2 && is_secret(inside) {
        return vec![run];
    }
    let mut found = Vec::new();
    let mut at = run.start;
    for part in parts() {
        let range = at..at + part.len();
        at = range.end + 1;
        if part.len() >= RUN_LEAST && part.len() < inside.len() && is_secret(part) {
            found.push(range);
        }
    }
    found
}

fn is_secret(part: &[u8]) -> bool {
    let digits = part.strip_prefix(b"0x").unwrap_or(part);
    if digits
        .iter()
        .all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'-' | b'_'))
    {
        let has_letter = digits.iter().any(u8::is_ascii_alphabetic);
        let is_address = digits.len() == ADDRESS && digits.len() < part.len();
        return digits.len() >= HEX_LEAST
            && has_letter
            && !is_address
            && entropy(digits) >= HEX_BITS;
    }
    is_chance(part) && !is_ulid(part) && !is_own_hash(part)
}

/// Pictures, fonts and archives as base64, data of `data:` addresses, and public keys of ssh.
fn is_data(text: &str, run: &Range<usize>) -> bool {
    const BEGINS: [&str; 20] = [
        "iVBORw0KGgo",
        "R0lGOD",
        "/9j/",
        "UklGR",
        "PHN2Zy",
        "PD94bW",
        "AAABAA",
        "d09GRg",
        "d09GMg",
        "AAEAAAA",
        "T1RUTw",
        "AGFzbQ",
        "JVBERi",
        "H4sI",
        "UEsDB",
        "PCFET0",
        "SUkq",
        "AAAAB3NzaC1",
        "AAAAC3NzaC1",
        "AAAAE2VjZHNh",
    ];
    let before = &text[text.floor_char_boundary(run.start.saturating_sub(8))..run.start];
    before.ends_with(";base64,")
        || BEGINS
            .iter()
            .any(|begin| text[run.clone()].starts_with(begin))
}

/// `550e8400-e29b-41d4-a716-446655440000`, also several of them joined to words.
fn is_uuid(run: &[u8]) -> bool {
    let lengths: Vec<usize> = run.split(|byte| *byte == b'-').map(<[u8]>::len).collect();
    let is_hex = |part: &[u8]| part.iter().all(u8::is_ascii_hexdigit);
    lengths.windows(5).any(|five| five == [8, 4, 4, 4, 12])
        && run
            .split(|byte| *byte == b'-')
            .all(|part| is_hex(part) || !is_chance(part))
}

/// Twenty-six letters of Crockford's alphabet that begin with a time of this century.
fn is_ulid(run: &[u8]) -> bool {
    let is_letter =
        |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_uppercase() && !b"ILOU".contains(byte);
    run.len() == 26 && run.starts_with(b"01") && run.iter().all(is_letter)
}

/// A whole hash of 128 bits as this program writes it: 26 letters of Crockford's alphabet in one case.
fn is_own_hash(run: &[u8]) -> bool {
    let of = |run: &[u8]| {
        run.iter().all(|byte| {
            byte.is_ascii_digit() || byte.is_ascii_lowercase() && !b"ilou".contains(byte)
        })
    };
    run.len() == 26 && of(run) && run.last().is_some_and(|last| b"048cgmrw".contains(last))
}

fn is_base64(byte: u8) -> bool {
    is_name(byte) || matches!(byte, b'+' | b'/')
}

/// A run without signs at its ends, which are those of what it stands in.
fn trimmed(bytes: &[u8], run: Range<usize>) -> Range<usize> {
    let inside = &bytes[run.clone()];
    let first = inside.iter().position(u8::is_ascii_alphanumeric);
    let last = inside
        .iter()
        .rposition(|byte| byte.is_ascii_alphanumeric() || *byte == b'=');
    match (first, last) {
        (Some(first), Some(last)) if first <= last => run.start + first..run.start + last + 1,
        _ => run.start..run.start,
    }
}

/// Runs that are chance only where lines are joined: every line has to have a part of it that is no word.
pub(crate) fn random_over_lines(view: &RedactionView<'_>) -> Vec<SecretRange> {
    let bytes = view.text.as_bytes();
    let mut found = random(view);
    found.retain(|(range, _)| {
        let inside = view.joins.iter().filter(|join| range.contains(join));
        let mut at = range.start;
        let mut pieces: Vec<&[u8]> = Vec::new();
        for &join in inside {
            pieces.push(&bytes[at..join]);
            at = join;
        }
        pieces.push(&bytes[at..range.end]);
        pieces
            .iter()
            .all(|piece| piece.len() <= 3 || !is_name_like(piece))
    });
    found
}

/// Whether a piece may be a name or words of its own.
fn is_name_like(piece: &[u8]) -> bool {
    oddness(piece) < 0.15 && !piece.iter().all(u8::is_ascii_hexdigit)
}
