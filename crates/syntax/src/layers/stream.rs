//! A layer's text without its layout.
//!
//! White space between two tokens counts only where they would be another token without it. That can be
//! told from the bytes beside it, so most of a file's text is read as it stands and not token by token:
//! visiting every leaf of the tree costs as much as half of parsing it.

use super::layer_digest::SEPARATOR;

/// The text of a layer.
#[derive(Debug, Default)]
pub(super) struct Stream {
    bytes: Vec<u8>,
}

/// Around a literal, in which white space is text.
const LITERAL: u8 = 0x1e;

/// Before a token, with how deep that is nested.
const NESTED: u8 = 0x1c;

/// Before a statement that layout parts from what precedes it.
const STATEMENT: u8 = 0x1d;

impl Stream {
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Adds text that is one token; whether anything stood before it.
    pub(super) fn token(&mut self, token: &[u8], gap: bool) {
        if gap && let (Some(before), Some(after)) = (self.bytes.last(), token.first()) {
            self.separate(*before, *after);
        }
        self.bytes.extend_from_slice(token);
    }

    /// A statement begins here, nested so deep.
    pub(super) fn statement(&mut self, depth: usize) {
        self.bytes.push(STATEMENT);
        self.bytes.extend_from_slice(&(depth as u32).to_le_bytes());
    }

    /// Another token begins here, nested so deep where that counts.
    pub(super) fn part(&mut self, depth: Option<i32>) {
        if let Some(depth) = depth {
            self.bytes.push(NESTED);
            self.bytes.extend_from_slice(&depth.to_le_bytes());
        } else {
            self.break_off();
        }
    }

    /// Adds a token in which white space is text.
    pub(super) fn literal(&mut self, token: &[u8]) {
        self.bytes.push(LITERAL);
        self.bytes.extend_from_slice(token);
        self.bytes.push(LITERAL);
    }

    /// What follows is no continuation of what is there.
    pub(super) fn break_off(&mut self) {
        if !self.bytes.is_empty() {
            self.bytes.push(SEPARATOR);
        }
    }

    fn separate(&mut self, before: u8, after: u8) {
        if is_word(before) && is_word(after) || joins(before, after) {
            self.bytes.push(SEPARATOR);
        }
    }

    /// Adds text with white space in it, but neither literals nor comments. `layout` is told of the
    /// white space, and of commas and semicolons that say nothing.
    pub(super) fn text(
        &mut self,
        text: &[u8],
        mut gap: bool,
        drops_semicolons: bool,
        mut layout: impl FnMut(&[u8]),
    ) {
        let mut brackets = Vec::new();
        let mut at = 0;
        while let Some(byte) = text.get(at).copied() {
            if byte.is_ascii_whitespace() {
                let end = skip_space(text, at);
                layout(&text[at..end]);
                (at, gap) = (end, true);
                continue;
            }
            match byte {
                b'(' | b'[' | b'{' => brackets.push(byte),
                b')' | b']' | b'}' => drop(brackets.pop()),
                // The semicolons of a loop's head are in its parentheses.
                b';' if drops_semicolons && brackets.last() != Some(&b'(') => {
                    layout(b";");
                    // What it ended has still ended.
                    (at, gap) = (at + 1, true);
                    continue;
                }
                b',' if closes(text, at + 1) => {
                    layout(b",");
                    at += 1;
                    continue;
                }
                _ => {}
            }
            if gap && let Some(before) = self.bytes.last() {
                self.separate(*before, byte);
            }
            gap = false;
            self.bytes.push(byte);
            at += 1;
        }
    }
}

fn skip_space(text: &[u8], from: usize) -> usize {
    let space = text[from..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    from + space.count()
}

/// Whether the next thing is the end of a list.
fn closes(text: &[u8], from: usize) -> bool {
    matches!(
        text.get(skip_space(text, from)),
        Some(b'}' | b']' | b')' | b'>')
    )
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'#') || byte >= 0x80
}

/// Whether two bytes side by side are, or begin, an operator of some language.
fn joins(before: u8, after: u8) -> bool {
    match after {
        b'=' => matches!(
            before,
            b'+' | b'-'
                | b'*'
                | b'/'
                | b'%'
                | b'&'
                | b'|'
                | b'^'
                | b'='
                | b'<'
                | b'>'
                | b'!'
                | b'~'
                | b':'
                | b'?'
        ),
        b'>' => matches!(before, b'-' | b'=' | b'>' | b'~'),
        b'-' => matches!(before, b'-' | b'<'),
        b'.' => matches!(before, b'.' | b'?') || before.is_ascii_digit(),
        b'+' | b'&' | b'|' | b'<' | b':' | b'?' | b'*' | b'/' => before == after,
        _ => before == b'.' && after.is_ascii_digit(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str, drops_semicolons: bool) -> (String, String) {
        let mut stream = Stream::default();
        let mut layout = String::new();
        stream.text(text.as_bytes(), false, drops_semicolons, |part| {
            layout.push_str(std::str::from_utf8(part).unwrap());
        });
        (String::from_utf8(stream.take()).unwrap(), layout)
    }

    fn same(a: &str, b: &str) -> bool {
        text(a, false).0 == text(b, false).0
    }

    #[test]
    fn layout_does_not_count() {
        assert!(
            same("f( a,b )", "f(a, b)") && same("a=-b", "a = -b") && same("x\n\t.y()", "x.y()")
        );
        assert!(same("return a;", "return  a ;") && same("[1, 2, ]", "[1,2]"));
        assert_eq!(text("f(a, b)", false).1, " ");
        assert_eq!(text("[1, ]", false), ("[1]".to_owned(), ", ".to_owned()));
    }

    #[test]
    fn white_space_between_tokens_that_would_join_counts() {
        assert!(
            !same("return a", "returna") && !same("a & &b", "a && b") && !same("a - -b", "a --b")
        );
        assert!(!same("a < -b", "a <-b") && !same("1 .f", "1.f") && !same("ä b", "äb"));
    }

    #[test]
    fn semicolons_at_the_end_of_a_statement_may_be_left_out() {
        let same = |a, b| text(a, true).0 == text(b, true).0;
        assert!(same("a();\nb();", "a()\nb()") && same("{ a; }", "{ a }"));
        assert!(!same("for (a; b; c) {}", "for (a b c) {}"));
        assert!(same("f(() => { a; })", "f(() => { a })"));
    }

    /// Token by token or as it stands: the same.
    #[test]
    fn both_ways_of_reading_agree() {
        let source = "if ( a . b <= c ) { return - d ; }";
        let mut stream = Stream::default();
        let mut gap = false;
        for token in source.split(' ') {
            stream.token(token.as_bytes(), gap);
            gap = true;
        }
        assert_eq!(
            String::from_utf8(stream.take()).unwrap(),
            text(source, false).0
        );
    }
}
