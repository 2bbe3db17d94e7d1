//! As much of C#'s tokens as finding its directives needs.

use std::ops::Range;

use super::literals::{Wasted, literal, quoted_end};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CSharpWord {
    Code,
    If,
    Elif,
    Else,
    Endif,
    /// Another directive.
    Directive,
    /// Another directive, in a form that the grammar does not know.
    Unreadable,
}

#[derive(Clone, Debug)]
pub(super) struct CSharpToken {
    pub(super) word: CSharpWord,
    pub(super) range: Range<usize>,
}

/// The tokens of a text without comments; a directive is one with the rest of its line.
pub(super) fn tokens(text: &str) -> Vec<CSharpToken> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut wasted = Wasted::default();
    let mut at = 0;
    let mut starts_line = true;
    while at < bytes.len() {
        let from = at;
        at = match bytes[at] {
            b'\n' | b'\r' => {
                starts_line = true;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' if starts_line => {
                let end = line_end(bytes, at);
                let word = directive(text, from..end);
                tokens.push(CSharpToken {
                    word,
                    range: from..end,
                });
                at = end;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = line_end(bytes, at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..].find("*/");
                at = end.map_or(bytes.len(), |end| at + 2 + end + 2);
                continue;
            }
            b'"' | b'@' | b'$' => {
                let literal = literal(bytes, at, &mut wasted);
                literal.map_or(at + 1, |literal| literal.end)
            }
            b'\'' => quoted_end(bytes, at, b'\''),
            b'=' if bytes.get(at + 1) == Some(&b'>') => at + 2,
            b'?' if bytes.get(at + 1) == Some(&b'?') => at + 2,
            byte if is_of_word(byte) => {
                let rest = bytes[at..].iter();
                at + rest.take_while(|byte| is_of_word(**byte)).count()
            }
            _ => at + 1,
        };
        starts_line = false;
        tokens.push(CSharpToken {
            word: CSharpWord::Code,
            range: from..at,
        });
    }
    tokens
}

/// Whatever is not ASCII counts as a letter.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let end = memchr::memchr2(b'\n', b'\r', &bytes[at..]);
    end.map_or(bytes.len(), |end| at + end)
}

fn directive(text: &str, range: Range<usize>) -> CSharpWord {
    let rest = text[range.start + 1..range.end].trim_start();
    let name_end = rest.find(|letter: char| !letter.is_ascii_alphabetic());
    match &rest[..name_end.unwrap_or(rest.len())] {
        "if" => CSharpWord::If,
        "elif" => CSharpWord::Elif,
        "else" => CSharpWord::Else,
        "endif" => CSharpWord::Endif,
        // The grammar wants a line's end behind each, and no comment behind a warning's number.
        "pragma" if rest.contains("//") || range.end == text.len() => CSharpWord::Unreadable,
        "region" | "endregion" | "nullable" | "line" | "warning" | "error" | "define" | "undef"
            if range.end == text.len() =>
        {
            CSharpWord::Unreadable
        }
        // `#:package` of files that are programs by themselves.
        "" if rest.starts_with(':') => CSharpWord::Unreadable,
        _ => CSharpWord::Directive,
    }
}

/// Whether a token is a name or a literal.
pub(super) fn is_value(word: &str) -> bool {
    let first = word.bytes().next();
    first.is_some_and(|byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'"' | b'\'' | b'@' | b'$')
            || !byte.is_ascii()
    })
}
