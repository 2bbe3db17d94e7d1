//! The tokens of C and C++, as far as finding macros and conditions needs them.

use std::ops::Range;

/// Names, numbers and single characters, without comments, strings and directives.
pub(super) struct CTokens<'a> {
    text: &'a str,
    pub(super) at: usize,
    /// Whether a directive is a token too, the whole of it.
    directives: bool,
}

impl<'a> CTokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self::at(text, 0)
    }

    pub(super) fn with_directives(text: &'a str) -> Self {
        Self {
            directives: true,
            ..Self::new(text)
        }
    }

    pub(super) fn at(text: &'a str, at: usize) -> Self {
        Self {
            text,
            at,
            directives: false,
        }
    }

    /// Past white space, comments, strings and directives.
    fn skip(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            match rest {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.at += 1,
                [b'/', b'/', ..] => self.at = self.line_end(),
                [b'/', b'*', ..] => self.at = self.past(self.at + 2, b"*/"),
                [b'#', ..] if !self.directives => self.at = self.line_end(),
                [b'"', ..] => self.literal(b'"'),
                [b'\'', ..] => self.literal(b'\''),
                _ => return,
            }
        }
    }

    /// The end of a line, and of those that a backslash joins to it.
    fn line_end(&self) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        loop {
            let Some(end) = memchr::memchr(b'\n', &bytes[at..]).map(|end| at + end) else {
                return bytes.len();
            };
            // A comment that begins on the line belongs to it to the comment's end.
            if let Some(comment) = memchr::memmem::rfind(&bytes[at..end], b"/*")
                && memchr::memmem::find(&bytes[at + comment..end], b"*/").is_none()
                && memchr::memmem::find(&bytes[at..at + comment], b"//").is_none()
            {
                at = self.past(end, b"*/");
                continue;
            }
            let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
            if !line.ends_with(b"\\") {
                return end;
            }
            at = end + 1;
        }
    }

    pub(super) fn past(&self, from: usize, end: &[u8]) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        memchr::memmem::find(rest, end).map_or(self.text.len(), |at| from + at + end.len())
    }

    fn literal(&mut self, quote: u8) {
        let bytes = self.text.as_bytes();
        if quote == b'"' && self.at > 0 && bytes[self.at - 1] == b'R' {
            return self.raw_literal();
        }
        let mut at = self.at + 1;
        while let Some(byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'\\' => at += 1,
                b'\n' => break, // no string: an apostrophe in a number or in broken code
                byte if *byte == quote => break,
                _ => {}
            }
        }
        self.at = at.min(bytes.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    /// `R"delimiter(…)delimiter"`.
    fn raw_literal(&mut self) {
        let rest = &self.text[self.at + 1..];
        let delimiter = rest.split('(').next().unwrap_or("");
        if delimiter.len() > 16 {
            self.at += 1;
            return;
        }
        let end = format!("){delimiter}\"");
        self.at = self.past(self.at + 1, end.as_bytes());
    }
}

impl Iterator for CTokens<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        self.skip();
        let rest = self.text.get(self.at..)?;
        let first = rest.chars().next()?;
        let length = if first == '#' {
            self.line_end() - self.at
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let start = self.at;
        self.at += length;
        Some(start..self.at)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
