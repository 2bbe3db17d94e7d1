//! Tokens by the marks of their issuers.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::Found;
use crate::chance::{is_chance, oddness};
use crate::rules::{FORMATS, Format, INFIXES, PARTED};
use crate::scan::{is_word, run};
use crate::view::View;

/// What a piece of a token on a further line is at least, and how odd.
const PIECE_LEAST: usize = 8;
const PIECE_ODD: f64 = 0.25;

/// All tokens of issuers in a view.
pub(crate) fn formats(view: &View<'_>) -> Vec<Found> {
    let mut found = prefixed(view);
    found.extend(infixed(&view.text));
    found.extend(parted(&view.text));
    found
}

/// Tokens that begin with a mark.
fn prefixed(view: &View<'_>) -> Vec<Found> {
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
    let text: &str = &view.text;
    let bytes = text.as_bytes();
    let mut found: Vec<Found> = Vec::new();
    for hit in prefixes.find_iter(text) {
        let is_inside = hit.start() > 0 && is_word(bytes[hit.start() - 1]);
        let is_taken = found.last().is_some_and(|(last, _)| hit.start() < last.end);
        if is_inside || is_taken {
            continue;
        }
        let format = formats[hit.pattern().as_usize()];
        let body = run(bytes, hit.end(), |byte| format.alphabet.has(byte));
        let body = body.start..whole_pieces(view, hit.start(), body, format.least);
        let is_exact = !format.is_exact || body.len() == format.least;
        if body.len() >= format.least && is_exact && has_mark(format, &text[body.clone()]) {
            found.push((hit.start()..trimmed(bytes, body), format.name));
        }
    }
    found
}

/// Where a token ends that goes over several lines: on the line where it is long enough, or on a later one as long as what
/// stands there is no word.
fn whole_pieces(view: &View<'_>, start: usize, body: Range<usize>, least: usize) -> usize {
    let bytes = view.text.as_bytes();
    let first = view.joins.partition_point(|&join| join <= start);
    let joins = view.joins[first..].iter().copied();
    let joins: Vec<usize> = joins.take_while(|&join| join < body.end).collect();
    for (at, &join) in joins.iter().enumerate() {
        let next = joins.get(at + 1).copied().unwrap_or(body.end);
        let piece = &bytes[join.min(next)..next];
        let is_token = piece.len() >= PIECE_LEAST && oddness(piece) >= PIECE_ODD;
        if join >= body.start + least && !is_token {
            return join;
        }
    }
    body.end
}

/// What a prefix that is a common word needs beside its length.
fn has_mark(format: &Format, body: &str) -> bool {
    match format.name {
        "jwt" => body.split('.').filter(|part| part.len() >= 10).count() >= 2,
        "airtable-token" => body.as_bytes().get(14) == Some(&b'.'),
        // Some have no digit, and their length is known.
        "aws-access-key" | "huggingface-token" => !body.contains('_'),
        // The key's number, then the key.
        "resend-key" => body.as_bytes().get(8) == Some(&b'_') && is_chance(&body.as_bytes()[9..]),
        "voyage-key" | "infisical-token" | "harness-key" => is_chance(body.as_bytes()),
        _ => body.bytes().any(|byte| byte.is_ascii_digit()) || body.len() >= 40,
    }
}

/// Tokens with a mark in their midst.
fn infixed(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found: Vec<Found> = Vec::new();
    for infix in INFIXES {
        for (at, _) in text.match_indices(infix.mark) {
            let room = at.saturating_sub(*infix.before.end());
            let head = bytes[room..at].iter().rev();
            let head = head.take_while(|byte| infix.head.has(**byte)).count();
            let body = run(bytes, at + infix.mark.len(), |byte| infix.tail.has(byte));
            let start = at - head;
            // Addresses of Telegram have `bot` before the token.
            let is_bot = infix.name == "telegram-token" && text[..start].ends_with("bot");
            let is_inside = start > 0 && is_word(bytes[start - 1]) && !is_bot;
            if infix.before.contains(&head) && !is_inside && infix.after.contains(&body.len()) {
                found.push((start..body.end, infix.name));
            }
        }
    }
    found
}

/// Tokens of three parts with points between them.
fn parted(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let dotted = run(bytes, at, |byte| {
            is_word(byte) || matches!(byte, b'-' | b'.')
        });
        if dotted.is_empty() {
            at += 1;
            continue;
        }
        at = dotted.end;
        let end = trimmed(bytes, dotted.clone());
        let parts: Vec<&str> = text[dotted.start..end].split('.').collect();
        for (name, lengths) in PARTED {
            let is_it = parts.len() == lengths.len()
                && parts
                    .iter()
                    .zip(lengths.iter())
                    .all(|(part, length)| length.contains(&part.len()));
            if is_it && is_chance(&text.as_bytes()[dotted.start..end]) {
                found.push((dotted.start..end, *name));
            }
        }
    }
    found
}

/// Where a run ends without the point of the sentence that it is in.
fn trimmed(bytes: &[u8], run: Range<usize>) -> usize {
    let last = bytes[run.clone()]
        .iter()
        .rposition(|byte| !matches!(byte, b'.' | b'-'));
    last.map_or(run.end, |last| run.start + last + 1)
}

/// None only if the table were too large for one.
fn automaton(patterns: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(patterns)
        .ok()
}
