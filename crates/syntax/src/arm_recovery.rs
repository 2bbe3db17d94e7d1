//! Error recovery in the arms of `#if`: brackets that an arm leaves open are closed where it ends, those that it closes
//! without having opened them are left out (SPEC AS1, P5).
//!
//! Both arms are read as if they stood one behind the other. An arm that is half-typed, and two arms that begin the same
//! declaration, would have the rest of the file in them. Closing brackets take the place of the directive that ends the
//! arm, so that offsets stay. It is a guess and kept only where the parser then finds less to complain about.

use std::ops::Range;

use crate::Language;
use crate::error_recovery::{Errors, MAX_ERRORS_MENDED, Recovered};
use crate::parser::parse_unambiguous;

/// The text with balanced arms and its tree, if that has fewer errors than `tree`, which has these.
pub(crate) fn balanced(language: Language, text: &str, errors: &Errors) -> Recovered {
    if language != Language::AngelScript || errors.count == 0 || errors.count > MAX_ERRORS_MENDED {
        return None;
    }
    let text = balanced_text(text)?;
    let tree = parse_unambiguous(language, &text, None)?;
    (Errors::scan(&text, &tree).count < errors.count).then_some((text, tree))
}

/// An arm that was read.
#[derive(Debug, Default)]
struct Arm {
    /// Brackets that it leaves open.
    open: Vec<u8>,
    /// Where it closes some that it did not open, and which.
    surplus: Vec<(usize, u8)>,
    /// The directive that ends it.
    end: Range<usize>,
}

impl Arm {
    fn bracket(&mut self, at: usize, byte: u8) {
        match byte {
            b'(' | b'[' | b'{' => self.open.push(byte),
            _ if self.open.last() == Some(&opening(byte)) => drop(self.open.pop()),
            _ => self.surplus.push((at, byte)),
        }
    }

    fn is_balanced(&self) -> bool {
        self.open.is_empty() && self.surplus.is_empty()
    }

    fn is_like(&self, other: &Self) -> bool {
        let closed = self.surplus.iter().map(|(_, byte)| byte);
        self.open == other.open && closed.eq(other.surplus.iter().map(|(_, byte)| byte))
    }

    /// What closes its brackets, a statement or declaration with them.
    fn closing(&self) -> String {
        let mut out = String::new();
        for (index, bracket) in self.open.iter().enumerate().rev() {
            let around = index.checked_sub(1).and_then(|outer| self.open.get(outer));
            let ends_line = around.is_none_or(|around| *around == b'{');
            out.push_str(match bracket {
                b'{' => "}",
                b'[' if ends_line => "];",
                b'[' => "]",
                _ if ends_line => ");",
                _ => ")",
            });
        }
        out
    }

    fn apply(&self, text: &mut [u8]) {
        for (at, _) in &self.surplus {
            text[*at] = b' ';
        }
        let closing = self.closing();
        let room = &mut text[self.end.clone()];
        if !closing.is_empty() && closing.len() <= room.len() {
            room.fill(b' ');
            room[..closing.len()].copy_from_slice(closing.as_bytes());
        }
    }
}

/// What stands between an `#if` and its `#endif`.
#[derive(Debug, Default)]
struct ConditionalBlock {
    done: Vec<Arm>,
    arm: Arm,
    has_else: bool,
}

/// The text with balanced arms; `None` where they are.
fn balanced_text(text: &str) -> Option<String> {
    let mut bytes = None;
    let mut open: Vec<ConditionalBlock> = Vec::new();
    for piece in BracketsAndDirectives::new(text) {
        let (word, range) = match piece {
            BracketOrDirective::Bracket(at, byte) => {
                if let Some(last) = open.last_mut() {
                    last.arm.bracket(at, byte);
                }
                continue;
            }
            BracketOrDirective::Directive(word, range) => (word, range),
        };
        match word {
            "if" | "ifdef" | "ifndef" => open.push(ConditionalBlock::default()),
            "elif" | "else" => {
                if let Some(last) = open.last_mut() {
                    last.end_arm(range);
                    last.has_else |= word == "else";
                }
            }
            "endif" => {
                let Some(mut last) = open.pop() else { continue };
                last.end_arm(range);
                let out = bytes.get_or_insert_with(|| text.as_bytes().to_vec());
                let rest = last.balance(out);
                if let (Some(around), Some(rest)) = (open.last_mut(), rest) {
                    for (at, byte) in rest.surplus {
                        around.arm.bracket(at, byte);
                    }
                    around.arm.open.extend(rest.open);
                }
            }
            _ => {}
        }
    }
    // Only ASCII was put in the place of ASCII and of whole lines.
    let changed = bytes.filter(|bytes| bytes != text.as_bytes())?;
    String::from_utf8(changed).ok()
}

impl ConditionalBlock {
    fn end_arm(&mut self, end: Range<usize>) {
        let mut arm = std::mem::take(&mut self.arm);
        arm.end = end;
        self.done.push(arm);
    }

    /// Balances the arms. Those that all open or close the same do it together with what follows: the last of them is
    /// left as it is, and given.
    fn balance(mut self, text: &mut [u8]) -> Option<Arm> {
        let last = self.done.pop()?;
        let is_one_of_many = self.has_else && self.done.iter().all(|arm| arm.is_like(&last));
        self.done.iter().for_each(|arm| arm.apply(text));
        if is_one_of_many || last.is_balanced() {
            return Some(last);
        }
        last.apply(text);
        None
    }
}

fn opening(closing: u8) -> u8 {
    match closing {
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    }
}

enum BracketOrDirective<'a> {
    Bracket(usize, u8),
    /// Its first word, and where it is up to the end of its line.
    Directive(&'a str, Range<usize>),
}

/// Brackets and directives of a text, without those in comments and strings.
struct BracketsAndDirectives<'a> {
    text: &'a str,
    at: usize,
    /// Whether only white space stands before it on its line.
    is_first: bool,
}

impl<'a> BracketsAndDirectives<'a> {
    fn new(text: &'a str) -> Self {
        let has_any = memchr::memmem::find(text.as_bytes(), b"#").is_some();
        Self {
            text,
            at: if has_any { 0 } else { text.len() },
            is_first: true,
        }
    }

    fn line_end(&self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        memchr::memchr(b'\n', rest).map_or(self.text.len(), |end| self.at + end)
    }

    /// Passes over what ends with some bytes; up to `else_to` where it does not.
    fn pass(&mut self, skip: usize, end: &str, else_to: usize) {
        let from = (self.at + skip).min(self.text.len());
        let rest = &self.text.as_bytes()[from..];
        let found = memchr::memmem::find(rest, end.as_bytes());
        self.at = found.map_or(else_to, |found| from + found + end.len());
    }

    /// Passes over a string in quotes, which ends with its line at the latest.
    fn literal(&mut self, quote: u8) {
        let line_end = self.line_end();
        let bytes = self.text.as_bytes();
        self.at += 1;
        while self.at < line_end && bytes[self.at] != quote {
            self.at += if bytes[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at = (self.at + 1).min(line_end);
    }
}

impl<'a> Iterator for BracketsAndDirectives<'a> {
    type Item = BracketOrDirective<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at).copied() {
            let at = self.at;
            let is_first = std::mem::replace(&mut self.is_first, false);
            match byte {
                b'#' if is_first => {
                    self.at = self.line_end();
                    let line = self.text.get(at..self.at).unwrap_or("").trim_end();
                    let word = line[1..].trim_start();
                    let end = word.find(|c: char| !c.is_ascii_alphabetic());
                    let word = &word[..end.unwrap_or(word.len())];
                    return Some(BracketOrDirective::Directive(word, at..at + line.len()));
                }
                b'/' if bytes.get(at + 1) == Some(&b'/') => self.at = self.line_end(),
                b'/' if bytes.get(at + 1) == Some(&b'*') => self.pass(2, "*/", bytes.len()),
                b'"' if bytes[at..].starts_with(b"\"\"\"") => self.pass(3, "\"\"\"", bytes.len()),
                b'"' | b'\'' => self.literal(byte),
                b'(' | b'[' | b'{' | b')' | b']' | b'}' => {
                    self.at += 1;
                    return Some(BracketOrDirective::Bracket(at, byte));
                }
                _ => {
                    self.is_first = byte == b'\n' || is_first && byte.is_ascii_whitespace();
                    self.at += 1;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_balanced_where_they_end() {
        for (text, expected) in [
            ("#if A\nvoid f(\n#endif\nx", "#if A\nvoid f(\n);    \nx"),
            (
                "#if A\nvoid f() { g(a[\n#endif",
                "#if A\nvoid f() { g(a[\n]);}  ",
            ),
            ("#if A\n}\n#endif\n}", "#if A\n \n#endif\n}"),
            (
                "#if A\nf {\n#else\ng {\n#endif\n}",
                "#if A\nf {\n}    \ng {\n#endif\n}",
            ),
            (
                "#if A\n{\n#if B\n(\n#endif\n#endif\n",
                "#if A\n{\n#if B\n(\n);    \n}     \n",
            ),
            (
                "#if A\n\"(\" // (\n'{' /* [ */\n{\n  #endif // ü",
                "#if A\n\"(\" // (\n'{' /* [ */\n{\n  }           ",
            ),
        ] {
            assert_eq!(balanced_text(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "#if A\n{ }\n#endif",
            "{",
            "#if A\n{",
            "#endif }",
            "x # if\n{\n",
        ] {
            assert_eq!(balanced_text(text), None, "{text}");
        }
    }
}
