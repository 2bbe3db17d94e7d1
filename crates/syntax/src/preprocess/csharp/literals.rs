//! Where literals end, and the holes of interpolated ones.
//!
//! What is in a hole is code: quotes and braces in it are its own, and it may go on in the next line. Where a hole is never
//! closed, as while somebody types, the literal ends as if it had none.

use std::ops::Range;

/// A literal text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) end: usize,
    /// Code in it, without the braces around that and what nested literals have.
    pub(super) holes: Vec<Range<usize>>,
}

/// How many bytes of a text were read in vain for the end of a hole: nobody looks for holes any more beyond as many as the
/// text has.
#[derive(Debug, Default)]
pub(super) struct Wasted(usize);

/// The literal that begins at a quote or the signs before one (`"`, `@"`, `$"`, `$@"`, `"""`, `$$"""`).
pub(super) fn literal(bytes: &[u8], from: usize, wasted: &mut Wasted) -> Option<Literal> {
    let head = LiteralHead::at(bytes, from)?;
    if head.dollars > 0 && wasted.0 <= bytes.len() {
        match interpolated(bytes, head) {
            Ok(literal) => return Some(literal),
            Err(read) => wasted.0 += read,
        }
    }
    let end = head.plain_end(bytes);
    Some(Literal {
        end,
        holes: Vec::new(),
    })
}

/// The end of a text in one line.
pub(super) fn quoted_end(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// How a literal begins.
#[derive(Clone, Copy, Debug)]
struct LiteralHead {
    /// The first quote.
    quote: usize,
    dollars: usize,
    /// Quotes at its beginning and end: three or more of a raw one.
    quotes: usize,
    is_verbatim: bool,
}

impl LiteralHead {
    fn at(bytes: &[u8], from: usize) -> Option<Self> {
        let signs = bytes.get(from..)?.iter();
        let signs = signs.take_while(|byte| matches!(byte, b'@' | b'$')).count();
        let quote = from + signs;
        if bytes.get(quote) != Some(&b'"') {
            return None;
        }
        let signs = &bytes[from..quote];
        let is_verbatim = signs.contains(&b'@');
        let quotes = run(bytes, quote, b'"');
        Some(Self {
            quote,
            dollars: signs.iter().filter(|sign| **sign == b'$').count(),
            quotes: if quotes >= 3 && !is_verbatim {
                quotes
            } else {
                1
            },
            is_verbatim,
        })
    }

    fn is_raw(self) -> bool {
        self.quotes >= 3
    }

    fn start(self) -> usize {
        self.quote + self.quotes
    }

    /// The end of a literal of which nothing is code.
    fn plain_end(self, bytes: &[u8]) -> usize {
        if !self.is_raw() && !self.is_verbatim {
            return quoted_end(bytes, self.quote, b'"');
        }
        let mut at = self.start();
        while let Some(next) = memchr::memchr(b'"', bytes.get(at..).unwrap_or_default()) {
            at += next;
            match self.closes(bytes, at) {
                Some(end) => return end,
                None => at += run(bytes, at, b'"'),
            }
        }
        bytes.len()
    }

    /// The end of the literal, if these quotes close it.
    fn closes(self, bytes: &[u8], at: usize) -> Option<usize> {
        let quotes = run(bytes, at, b'"');
        if self.is_raw() {
            return (quotes >= self.quotes).then_some(at + quotes);
        }
        let doubled = if self.is_verbatim { quotes / 2 * 2 } else { 0 };
        (doubled < quotes).then_some(at + doubled + 1)
    }
}

fn run(bytes: &[u8], at: usize, sign: u8) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().take_while(|byte| **byte == sign).count()
}

/// What is around a place in an interpolated literal.
enum LiteralFrame {
    Text(LiteralHead),
    /// Code, with the brackets that are open in it and where it began.
    Hole {
        braces: usize,
        depth: usize,
        start: usize,
    },
}

/// An interpolated literal; where it or a hole in it does not end, how much was read.
fn interpolated(bytes: &[u8], head: LiteralHead) -> Result<Literal, usize> {
    let mut scan = LiteralScan {
        bytes,
        at: head.start(),
        frames: vec![LiteralFrame::Text(head)],
        holes: Vec::new(),
    };
    while scan.at < bytes.len() {
        match scan.frames.last() {
            Some(LiteralFrame::Text(head)) => {
                let head = *head;
                if !scan.text(head) {
                    break;
                }
            }
            Some(LiteralFrame::Hole { .. }) => {
                if !scan.code() {
                    break;
                }
            }
            None => break,
        }
    }
    match scan.frames.is_empty() {
        true => Ok(Literal {
            end: scan.at,
            holes: scan.holes,
        }),
        false => Err(scan.at - head.quote),
    }
}

struct LiteralScan<'t> {
    bytes: &'t [u8],
    at: usize,
    frames: Vec<LiteralFrame>,
    holes: Vec<Range<usize>>,
}

impl LiteralScan<'_> {
    /// Goes on in a literal's text; false where it does not end.
    fn text(&mut self, head: LiteralHead) -> bool {
        let has_escapes = !head.is_raw() && !head.is_verbatim;
        match self.bytes[self.at] {
            b'\\' if has_escapes => self.at += 2,
            b'\n' if has_escapes => return false,
            b'"' => match head.closes(self.bytes, self.at) {
                Some(end) => {
                    self.frames.pop();
                    self.at = end;
                }
                None => self.at += run(self.bytes, self.at, b'"'),
            },
            b'{' if head.dollars > 0 => self.braces(head),
            _ => self.at += 1,
        }
        true
    }

    /// Braces in a text: doubled ones stand for themselves, and so do those of a raw literal before the last ones.
    fn braces(&mut self, head: LiteralHead) {
        let braces = run(self.bytes, self.at, b'{');
        let opens = match head.is_raw() {
            true => braces >= head.dollars,
            false => braces % 2 == 1,
        };
        self.at += braces;
        if opens {
            self.frames.push(LiteralFrame::Hole {
                braces: if head.is_raw() { head.dollars } else { 1 },
                depth: 0,
                start: self.at,
            });
        }
    }

    /// Goes on in a hole; false where it does not end.
    fn code(&mut self) -> bool {
        let Some(LiteralFrame::Hole { depth, .. }) = self.frames.last_mut() else {
            return false;
        };
        match self.bytes[self.at] {
            b'"' | b'$' | b'@' => {
                if let Some(head) = LiteralHead::at(self.bytes, self.at) {
                    self.at = head.start();
                    self.frames.push(LiteralFrame::Text(head));
                    return true;
                }
            }
            b'\'' => {
                self.at = quoted_end(self.bytes, self.at, b'\'');
                return true;
            }
            b'/' => {
                self.at = comment_end(self.bytes, self.at);
                return true;
            }
            b'(' | b'[' | b'{' => *depth += 1,
            b')' | b']' => *depth = depth.saturating_sub(1),
            b'}' if *depth > 0 => *depth -= 1,
            b'}' => {
                self.close(self.at);
                return true;
            }
            // What follows is a format.
            b':' if *depth == 0 => {
                let code_end = self.at;
                let end = memchr::memchr2(b'}', b'"', &self.bytes[self.at..]);
                self.at = end.map_or(self.bytes.len(), |end| self.at + end);
                let is_closed = self.bytes.get(self.at) == Some(&b'}');
                if is_closed {
                    self.close(code_end);
                }
                return is_closed;
            }
            _ => {}
        }
        self.at += 1;
        true
    }

    /// Goes out of a hole of which the code ended, at its closing braces.
    fn close(&mut self, code_end: usize) {
        let is_outermost = self.frames.len() == 2;
        if let Some(LiteralFrame::Hole { braces, start, .. }) = self.frames.pop() {
            if is_outermost {
                self.holes.push(start..code_end);
            }
            self.at += run(self.bytes, self.at, b'}').min(braces);
        }
    }
}

/// Behind a comment that begins here, or a sign.
fn comment_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at + 1..];
    let end = match rest.first() {
        Some(b'/') => memchr::memchr(b'\n', rest).map(|end| at + 1 + end),
        Some(b'*') => memchr::memmem::find(&rest[1..], b"*/").map(|end| at + 4 + end),
        _ => Some(at + 1),
    };
    end.unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The holes of a literal that ends before ` |`.
    fn holes(text: &str) -> Vec<&str> {
        let found = literal(text.as_bytes(), 0, &mut Wasted::default()).expect("a literal");
        assert_eq!(Some(found.end), text.find(" |"), "{text}");
        found.holes.into_iter().map(|hole| &text[hole]).collect()
    }

    #[test]
    fn holes_are_code_with_literals_of_its_own() {
        assert_eq!(holes(r#"$"a{b}c{d["}"]}" |"#), ["b", r#"d["}"]"#]);
        assert_eq!(
            holes(r#"$"{(a ? "b" : $"{c}{{")}{{{d}" |"#),
            [r#"(a ? "b" : $"{c}{{")"#, "d"]
        );
        assert_eq!(holes(r#"$"{a:X}{b,3:F'}" |"#), ["a", "b,3"]);
        assert_eq!(holes("$\"{a\n  .B()\n  :X}\" |"), ["a\n  .B()\n  "]);
        assert_eq!(
            holes(r#"$"{new { A = '}' /* } */ }}" |"#),
            ["new { A = '}' /* } */ }"]
        );
        assert_eq!(holes(r#"$@"a""{b}""" |"#), ["b"]);
    }

    #[test]
    fn of_raw_texts_the_last_braces_open() {
        assert_eq!(holes("$\"\"\"{a} \"\" {b}\"\"\" |"), ["a", "b"]);
        assert_eq!(holes("$$\"\"\"{{{a}}} {b} {{c}}\"\"\" |"), ["a", "c"]);
        assert_eq!(holes("\"\"\"{a}\"\"\" |"), [""; 0]);
    }

    #[test]
    fn a_hole_that_is_not_closed_ends_with_the_line() {
        let text = "$\"{a\nint b;";
        let found = literal(text.as_bytes(), 0, &mut Wasted::default()).expect("a literal");
        assert_eq!((found.end, found.holes.len()), (4, 0));
    }

    /// Each of many literals that do not end is read once.
    #[test]
    fn unclosed_holes_are_given_up() {
        let text = "$@\"{\" ".repeat(20_000);
        let mut wasted = Wasted::default();
        let mut at = 0;
        while let Some(found) = literal(text.as_bytes(), at, &mut wasted) {
            at = found.end + 1;
        }
        assert!(wasted.0 < 2 * text.len() + 10, "{}", wasted.0);
    }
}
