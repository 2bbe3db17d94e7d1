//! Long runs of comments, most of which the parser is not shown.
//!
//! At every line's end Python's scanner looks for the next token, to know what ends or begins there, and passes over
//! comments on its way. It does so again behind each of them, so that a run of comments is read in a time that grows
//! with the square of its length: ten thousand lines took more than the parser's budget, and the file was left out.
//! No other scanner does that: measured with ten thousand comments and ten thousand empty lines.
//!
//! What the scanner decides depends on what follows a run, and on how far its comments are indented: a block ends at
//! the first one that is indented less. So of a long run the parser is shown the first two comments, each that is
//! indented less than all before it with the one in front of that, and the last one; in the place of the others it
//! reads blanks. The tree is the same without those comments, and who reads comments finds them in the text
//! ([`hidden`]).

use std::ops::Range;

use crate::Language;

/// Shorter runs are parsed as they are: that takes less than three times as long as without comments.
const SHORTEST: usize = 64;

/// Whether the parser is not shown all comments of a language.
fn is_hiding(language: Language) -> bool {
    language == Language::Python
}

#[cfg(not(test))]
fn shortest() -> usize {
    SHORTEST
}

#[cfg(test)]
use tests::shortest;

/// `text` as the parser's lexer reads it, where that is another: as long, with the same line ends.
pub(crate) fn without_long_runs(language: Language, text: &str) -> Option<String> {
    let runs = runs(language, text);
    if runs.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for run in runs {
        for line in between_kept(text, &run) {
            let line = bytes.get_mut(line).unwrap_or_default();
            line.fill(b' ');
        }
    }
    // Whole comments were replaced, so it is still UTF-8.
    String::from_utf8(bytes).ok()
}

/// Whether the parser is not shown all comments of a text.
pub(crate) fn has_long_run(language: Language, text: &str) -> bool {
    !runs(language, text).is_empty()
}

/// The comments in `gap`, in order: what stands between a comment of the tree and the next one. None where anything
/// else is there.
pub(crate) fn hidden(language: Language, text: &str, gap: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !is_hiding(language) {
        return found;
    }
    let bytes = text.as_bytes().get(..gap.end).unwrap_or_default();
    let mut at = gap.start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' => at += 1,
            b'#' => {
                let end = line_end(bytes, at);
                found.push(at..end);
                at = end;
            }
            _ => return Vec::new(),
        }
    }
    found
}

/// Where the line of a comment ends. A carriage return alone ends one, in front of a line feed it is the comment's.
fn line_end(bytes: &[u8], from: usize) -> usize {
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes.get(from..).unwrap_or_default());
    let mut ends = ends.map(|end| from + end);
    let end = ends.find(|end| bytes[*end] == b'\n' || bytes.get(end + 1) != Some(&b'\n'));
    end.unwrap_or(bytes.len())
}

/// A line that holds a comment and nothing else.
struct Comment {
    bytes: Range<usize>,
    /// As the scanner counts it.
    indent: u16,
}

/// What a line is to a run of comments.
enum LineClass {
    Blank,
    Comment(Comment),
    Code,
}

impl LineClass {
    /// The line that begins at a byte and ends at another one, where its line feed is.
    fn at(bytes: &[u8], start: usize, end: usize) -> Self {
        let mut indent = 0_u16;
        for (at, byte) in bytes[start..end].iter().enumerate() {
            match byte {
                b' ' => indent = indent.wrapping_add(1),
                b'\t' => indent = indent.wrapping_add(8),
                b'\r' | b'\x0c' => indent = 0,
                b'#' => {
                    let comment = start + at..end;
                    // There the scanner takes a comment for ended.
                    if memchr::memchr(0, &bytes[comment.clone()]).is_some() {
                        return Self::Code;
                    }
                    return Self::Comment(Comment {
                        bytes: comment,
                        indent,
                    });
                }
                _ => return Self::Code,
            }
        }
        Self::Blank
    }
}

/// The lines of a text from a byte on, up to another one: where they begin and where their line feeds are.
fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = (usize, usize)> + '_ {
    let bytes = text.as_bytes().get(range.clone()).unwrap_or_default();
    let ends = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
    ends.scan(range.start, move |next, end| {
        let start = *next;
        *next = range.start + end + 1;
        Some((start, range.start + end))
    })
}

/// Many comments with nothing but empty lines between them, in no string.
struct Run {
    bytes: Range<usize>,
    /// Whether a string before it does not end on its line: the parser may take more than that for the string, and a
    /// quote in a comment for its end.
    is_doubtful: bool,
}

fn runs(language: Language, text: &str) -> Vec<Run> {
    if !is_hiding(language) {
        return Vec::new();
    }
    let found = long_runs(text);
    if found.is_empty() {
        return Vec::new();
    }
    let mut strings = Strings { text, at: 0 }.peekable();
    let mut is_doubtful = false;
    let mut runs = Vec::new();
    for bytes in found {
        while let Some(string) = strings.next_if(|string| string.bytes.end <= bytes.start) {
            is_doubtful |= !string.is_closed;
        }
        let next = strings.peek();
        if next.is_none_or(|string| string.bytes.start > bytes.start) {
            runs.push(Run { bytes, is_doubtful });
        }
    }
    runs
}

/// Lines that are comments if they are in no string.
fn long_runs(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut run, mut count) = (0..0, 0);
    for (start, end) in lines(text, 0..text.len()) {
        match LineClass::at(bytes, start, end) {
            LineClass::Blank => {}
            LineClass::Comment(comment) => {
                if count == 0 {
                    run.start = start;
                }
                run.end = comment.bytes.end;
                count += 1;
            }
            LineClass::Code => {
                if count >= shortest() {
                    found.push(run.clone());
                }
                count = 0;
            }
        }
    }
    if count >= shortest() {
        found.push(run);
    }
    found
}

/// The comments of a run that decide nothing.
fn between_kept(text: &str, run: &Run) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut hidden = Vec::new();
    let comments = lines(text, run.bytes.clone());
    let comments = comments.filter_map(|(start, end)| match LineClass::at(bytes, start, end) {
        LineClass::Comment(comment) => Some(comment),
        LineClass::Blank | LineClass::Code => None,
    });
    let mut least = None;
    // The comment before, if it may be hidden.
    let mut before = None;
    // Behind a line that goes on the first comment is one at that line's end, and the second one decides.
    for comment in comments.skip(1) {
        if least.is_none_or(|least| comment.indent < least) {
            least = Some(comment.indent);
            before = None;
        } else {
            hidden.extend(before.replace(comment.bytes));
        }
    }
    if run.is_doubtful {
        hidden.retain(|comment| {
            !bytes[comment.clone()]
                .iter()
                .any(|byte| is_of_strings(*byte))
        });
    }
    hidden
}

/// Whether a byte means something in a string.
fn is_of_strings(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'{' | b'}')
}

/// The strings of a Python text: where each begins and ends. What is in the braces of a formatted one is taken for
/// text, which finds the ends of those over several lines unless the code in them has an odd number of quotes of
/// their kind.
struct Strings<'a> {
    text: &'a str,
    at: usize,
}

/// A string, or a part of one.
struct StringSpan {
    bytes: Range<usize>,
    /// Whether it ends with a quote.
    is_closed: bool,
}

impl Iterator for Strings<'_> {
    type Item = StringSpan;

    fn next(&mut self) -> Option<StringSpan> {
        let bytes = self.text.as_bytes();
        loop {
            let rest = bytes.get(self.at..)?;
            let start = self.at + memchr::memchr3(b'"', b'\'', b'#', rest)?;
            if bytes[start] == b'#' {
                self.at = start + memchr::memchr(b'\n', &bytes[start..])?;
                continue;
            }
            let end = string_end(bytes, start);
            self.at = end.unwrap_or_else(|open| open);
            return Some(StringSpan {
                bytes: start..self.at,
                is_closed: end.is_ok(),
            });
        }
    }
}

/// Where a string ends that begins with a quote, one or three; or where its line or the text ends before it does.
fn string_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let quote = bytes[start];
    let is_tripled = |at: usize| bytes.get(at..at + 3) == Some(&[quote; 3]);
    let is_triple = is_tripled(start);
    let mut at = start + if is_triple { 3 } else { 1 };
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if bytes[at..].starts_with(b"\\\r\n") => at += 3,
            b'\\' => at += 2,
            b'\n' if !is_triple => return Err(at),
            _ if *byte != quote => at += 1,
            _ if !is_triple => return Ok(at + 1),
            _ if is_tripled(at) => return Ok(at + 3),
            _ => at += 1,
        }
    }
    Err(bytes.len())
}

#[cfg(test)]
#[path = "comment_runs/tests.rs"]
mod tests;
