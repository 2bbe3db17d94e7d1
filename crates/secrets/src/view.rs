//! Texts as a reader means them: without characters that nobody sees, with escapes read, and with lines joined.
//!
//! A token that is cut by one of these is a token all the same. A view remembers where each of its bytes comes from.

use std::borrow::Cow;
use std::ops::Range;

use crate::scan::{is_name, quote_at, run};

/// A text made of another one.
pub(crate) struct RedactionView<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Where the bytes of the view come from, begin and end in the other text; empty where it is that text.
    from: Vec<(u32, u32)>,
    /// Places in the view at which something was left out between two lines or quotes.
    pub(crate) joins: Vec<usize>,
}

impl<'t> RedactionView<'t> {
    /// The text itself.
    pub(crate) fn plain(text: &'t str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            from: Vec::new(),
            joins: Vec::new(),
        }
    }

    /// The text with its escapes read and without invisible characters; none where there are no such.
    pub(crate) fn read(text: &str) -> Option<RedactionView<'static>> {
        let may_differ = |byte: u8| matches!(byte, b'%' | b'\\' | b'&') || byte >= 0x80;
        if !text.bytes().any(may_differ) {
            return None;
        }
        let mut made = Maker::default();
        let mut at = 0;
        let mut differs = false;
        while let Some(letter) = text[at..].chars().next() {
            let end = at + letter.len_utf8();
            if is_invisible(letter) {
                differs = true;
                at = end;
            } else if let Some((byte, end)) = escape(text.as_bytes(), at) {
                made.push(char::from(byte), at..end);
                differs = true;
                at = end;
            } else {
                made.push(letter, at..end);
                at = end;
            }
        }
        differs.then(|| made.into_view())
    }

    /// This view with its lines joined where a token may go on, and quotes within tokens left out; none where there is
    /// nothing to join.
    pub(crate) fn joined(&self) -> Option<RedactionView<'static>> {
        let text: &str = &self.text;
        let bytes = text.as_bytes();
        let mut made = Maker::default();
        let mut joins = Vec::new();
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            let end = at + letter.len_utf8();
            let is_inside = at > 0 && is_token(bytes[at - 1]);
            let gap = match is_inside {
                true => gap(bytes, at),
                false => None,
            };
            if let Some(after) = gap {
                joins.push(made.text.len());
                at = after;
                continue;
            }
            made.push(letter, at..end);
            at = end;
        }
        if joins.is_empty() {
            return None;
        }
        let mut view = made.into_view();
        view.joins = joins;
        Some(view)
    }

    /// Where a range of the view is in the text that it was made of.
    pub(crate) fn origin(&self, range: Range<usize>) -> Range<usize> {
        if self.from.is_empty() || range.is_empty() {
            return range;
        }
        self.from[range.start].0 as usize..self.from[range.end - 1].1 as usize
    }

    /// Whether something was left out within a range.
    pub(crate) fn is_joined(&self, range: &Range<usize>) -> bool {
        let first = self.joins.partition_point(|&join| join <= range.start);
        self.joins.get(first).is_some_and(|&join| join < range.end)
    }
}

#[derive(Default)]
struct Maker {
    text: String,
    from: Vec<(u32, u32)>,
}

impl Maker {
    fn push(&mut self, letter: char, from: Range<usize>) {
        self.text.push(letter);
        let place = (from.start as u32, from.end as u32);
        let bytes = std::iter::repeat_n(place, letter.len_utf8());
        self.from.extend(bytes);
    }

    fn into_view(self) -> RedactionView<'static> {
        RedactionView {
            text: Cow::Owned(self.text),
            from: self.from,
            joins: Vec::new(),
        }
    }
}

/// Characters without a width: joiners, marks of direction, the soft hyphen, variation selectors, tags.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// The ASCII character that an escape at a place stands for, and where the escape ends: `%41`, also encoded again, `\x41`,
/// `\u0041`, `\u{41}`, `&#65;`, `&#x41;`.
fn escape(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let shown = |byte: u32| u8::try_from(byte).ok().filter(u8::is_ascii_graphic);
    let hex = |from: usize, len: usize| {
        let digits = std::str::from_utf8(bytes.get(from..from + len)?).ok()?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let closed = |from: usize, close: u8, radix: u32| {
        let digits = run(bytes, from, |byte| byte.is_ascii_hexdigit());
        let is_one = (1..=6).contains(&digits.len()) && bytes.get(digits.end) == Some(&close);
        let number = std::str::from_utf8(bytes.get(digits.clone())?).ok()?;
        let number = is_one.then(|| u32::from_str_radix(number, radix).ok())??;
        Some((shown(number)?, digits.end + 1))
    };
    let rest = bytes.get(at..)?;
    match rest {
        [b'%', ..] => {
            let mut from = at + 1;
            while bytes.get(from..from + 2) == Some(b"25") && hex(from + 2, 2).is_some() {
                from += 2;
            }
            Some((shown(hex(from, 2)?)?, from + 2))
        }
        [b'\\', b'x', ..] => Some((shown(hex(at + 2, 2)?)?, at + 4)),
        [b'\\', b'u', b'{', ..] => closed(at + 3, b'}', 16),
        [b'\\', b'u', ..] => Some((shown(hex(at + 2, 4)?)?, at + 6)),
        [b'&', b'#', b'x' | b'X', ..] => closed(at + 3, b';', 16),
        [b'&', b'#', ..] => closed(at + 2, b';', 10),
        _ => None,
    }
}

/// What a token is made of.
fn is_token(byte: u8) -> bool {
    is_name(byte) || matches!(byte, b'+' | b'/' | b'=' | b'.')
}

/// Where a token goes on that is cut at a place: after a line's end, after the end of one string and the begin of the
/// next, or after a quote that stands within it.
fn gap(bytes: &[u8], at: usize) -> Option<usize> {
    let blank = |from| run(bytes, from, |byte| matches!(byte, b' ' | b'\t')).end;
    let mut end = at;
    let is_quoted = quote_at(bytes, end).is_some();
    end += usize::from(is_quoted);
    let closed = end;
    end = blank(end);
    // `"abc" + "def"`, `"abc" \`, `abc\`
    while matches!(bytes.get(end), Some(b'+' | b'\\' | b'.' | b'&'))
        && (is_quoted || bytes.get(end) == Some(&b'\\'))
        && escaped_line(bytes, end).is_none()
    {
        end = blank(end + 1);
    }
    let mut lines = 0;
    while let Some(after) = line_end(bytes, end) {
        lines += 1;
        end = after_margin(bytes, after);
    }
    if lines == 0 && !is_quoted || lines > 2 {
        return None;
    }
    if is_quoted {
        while matches!(bytes.get(end), Some(b'+' | b'.' | b'&')) {
            end = blank(end + 1);
        }
    }
    let opens = quote_at(bytes, end).is_some();
    let next = end + usize::from(opens);
    let is_apart = lines == 0 && !opens && end > closed; // `"a" b`
    let goes_on = bytes.get(next).is_some_and(|&byte| is_token(byte));
    (goes_on && !is_apart).then_some(next)
}

/// Where a line ends at a place: after its end, also one that is written as an escape.
fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at..)? {
        [b'\r', b'\n', ..] => Some(at + 2),
        [b'\n' | b'\r', ..] => Some(at + 1),
        _ => escaped_line(bytes, at),
    }
}

fn escaped_line(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at..)? {
        [b'\\', b'r', b'\\', b'n', ..] => Some(at + 4),
        [b'\\', b'n' | b'r', ..] => Some(at + 2),
        _ => None,
    }
}

/// Where a line's text begins: after blanks and marks of comments and quotations.
fn after_margin(bytes: &[u8], from: usize) -> usize {
    let blank = |from| run(bytes, from, |byte| matches!(byte, b' ' | b'\t')).end;
    let start = blank(from);
    let marks = run(bytes, start, |byte| {
        matches!(byte, b'/' | b'#' | b'*' | b'>' | b'|')
    });
    match marks.len() {
        1..=3 if blank(marks.end) > marks.end => blank(marks.end),
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        RedactionView::read(text).map_or_else(|| text.to_owned(), |view| view.text.into_owned())
    }

    fn joined(text: &str) -> String {
        let plain = RedactionView::plain(text);
        let joined = plain.joined();
        joined.map_or_else(|| text.to_owned(), |view| view.text.into_owned())
    }

    #[test]
    fn escapes_are_read() {
        assert_eq!(read("a%2Fb%252fc"), "a/b/c");
        assert_eq!(read(r"\x41\u0042\u{43}&#68;&#x45;"), "ABCDE");
        for text in ["100%", "%zz", r"\u00", "&#;", "%0a", "&#x110000;", "检索"] {
            assert_eq!(read(text), text);
        }
        assert_eq!(read("g\u{200b}h\u{ad}p\u{feff}"), "ghp");
    }

    #[test]
    fn a_view_knows_where_it_comes_from() {
        let text = "检%41\u{200b}b";
        let view = RedactionView::read(text).unwrap();
        assert_eq!(view.text, "检Ab");
        assert_eq!(&text[view.origin(3..4)], "%41");
        assert_eq!(&text[view.origin(3..5)], "%41\u{200b}b");
    }

    #[test]
    fn tokens_go_on_after_line_ends_and_quotes() {
        for text in [
            "ab\ncd",
            "ab\r\n  cd",
            "ab\\\ncd",
            "\"ab\" + \"cd\"",
            "\"ab\"\n  + \"cd\"",
            "// ab\n// cd",
            "ab''cd",
            "ab\\ncd",
            "> ab\n> cd",
        ] {
            assert!(joined(text).contains("abcd"), "{text:?}: {}", joined(text));
        }
        for text in [
            "ab cd",
            "\"ab\", \"cd\"",
            "\"ab\" cd",
            "ab\n\n\ncd",
            "ab\n",
            "a: b\n- c",
        ] {
            assert!(!joined(text).contains("abcd"), "{text:?}");
        }
    }
}
