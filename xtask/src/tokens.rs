//! Rust source as the tokens that say which names a file uses: no comments, no texts, no tests.

/// A token; what says nothing about names is a [`Token::Sign`] or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// An identifier or a keyword.
    Word(&'a str),
    /// `::`
    PathSeparator,
    /// Any other sign; a text counts as `"`.
    Sign(char),
}

/// Keywords that begin an item, modifiers among them.
const ITEMS: &[&str] = &[
    "async",
    "const",
    "enum",
    "extern",
    "fn",
    "impl",
    "macro_rules",
    "mod",
    "pub",
    "static",
    "struct",
    "trait",
    "type",
    "union",
    "unsafe",
    "use",
];

/// A token with the text of literals, which [`Token`] leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lexeme<'a> {
    Token(Token<'a>),
    /// A text literal of any kind: what stands between its quotes, with its escapes.
    Text(&'a str),
}

/// The tokens of a file without those of items that are only there for tests.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    for lexeme in lexemes(text) {
        match lexeme {
            Lexeme::Token(token) => all.push(token),
            // Attributes name functions in texts: `#[serde(with = "crate::time")]`.
            Lexeme::Text(literal) if is_path(literal) => {
                all.extend(lexemes(literal).into_iter().map(|inner| match inner {
                    Lexeme::Token(token) => token,
                    Lexeme::Text(_) => Token::Sign('"'),
                }));
            }
            Lexeme::Text(_) => all.push(Token::Sign('"')),
        }
    }
    without_tests(&all)
}

/// Whether a text is a path of the crate.
pub(crate) fn is_path(literal: &str) -> bool {
    ["crate::", "self::", "super::"]
        .iter()
        .any(|start| literal.starts_with(start))
}

/// The tokens and literals of a file, tests among them, without comments.
pub(crate) fn lexemes(text: &str) -> Vec<Lexeme<'_>> {
    let mut lexemes = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        rest = if rest.starts_with("//") {
            rest.find('\n').map_or("", |end| &rest[end..])
        } else if rest.starts_with("/*") {
            behind_comment(rest)
        } else if let Some(behind) = rest.strip_prefix("::") {
            lexemes.push(Lexeme::Token(Token::PathSeparator));
            behind
        } else if let Some((literal, behind)) = literal(rest) {
            lexemes.push(Lexeme::Text(literal));
            behind
        } else if let Some(raw) = rest
            .strip_prefix("r#")
            .filter(|raw| raw.starts_with(is_word))
        {
            let (word, behind) = word(raw);
            lexemes.push(Lexeme::Token(Token::Word(word)));
            behind
        } else if let Some(byte) = rest.strip_prefix("b'") {
            behind_quote(byte)
        } else if is_word(first) {
            let (word, behind) = word(rest);
            if !first.is_ascii_digit() {
                lexemes.push(Lexeme::Token(Token::Word(word)));
            }
            behind
        } else if first == '\'' {
            behind_quote(after)
        } else {
            if !first.is_whitespace() {
                lexemes.push(Lexeme::Token(Token::Sign(first)));
            }
            after
        };
    }
    lexemes
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|letter| !is_word(letter)).unwrap_or(text.len()))
}

/// What is behind a comment of blocks, which may hold others.
fn behind_comment(text: &str) -> &str {
    let mut depth = 0;
    let mut at = 0;
    while let Some(next) = text[at..].find(['/', '*']).map(|found| at + found) {
        if text[next..].starts_with("/*") {
            depth += 1;
            at = next + 2;
        } else if text[next..].starts_with("*/") {
            depth -= 1;
            at = next + 2;
            if depth == 0 {
                return &text[at..];
            }
        } else {
            at = next + 1;
        }
    }
    ""
}

/// A text literal of any kind at the start: what is in it, and what is behind it.
fn literal(text: &str) -> Option<(&str, &str)> {
    let body = text.trim_start_matches(['b', 'c']);
    // A prefix has one letter, before the `r` of a raw text.
    if text.len() - body.len() > 1 {
        return None;
    }
    if let Some(raw) = body.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", &raw[..hashes]);
        let end = inner.find(&close).unwrap_or(inner.len());
        return Some((&inner[..end], inner.get(end + close.len()..).unwrap_or("")));
    }
    let inner = body.strip_prefix('"')?;
    let mut is_escaped = false;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some((&inner[..at], &inner[at + 1..])),
            _ => {}
        }
    }
    Some((inner, ""))
}

/// What is behind a character literal, or behind the quote of a lifetime and its name.
fn behind_quote(text: &str) -> &str {
    let mut letters = text.char_indices();
    let Some((_, first)) = letters.next() else {
        return "";
    };
    if first == '\\' {
        letters.next();
        let close = letters.find(|(_, letter)| *letter == '\'');
        return close.map_or("", |(at, _)| &text[at + 1..]);
    }
    match letters.next() {
        Some((at, '\'')) => &text[at + 1..],
        _ => word(text).1,
    }
}

/// Leaves out every item under `#[cfg(test)]`.
fn without_tests<'a>(all: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut kept = Vec::with_capacity(all.len());
    let mut at = 0;
    while at < all.len() {
        let Some((end, is_test)) = attribute(all, at) else {
            kept.push(all[at]);
            at += 1;
            continue;
        };
        if !is_test {
            kept.extend_from_slice(&all[at..end]);
            at = end;
        } else if all.get(at + 1) == Some(&Token::Sign('!')) {
            // The whole file, or what is left of its module.
            return kept;
        } else {
            at = end;
            while let Some((end, _)) = attribute(all, at) {
                at = end;
            }
            at = behind_item(all, at);
        }
    }
    kept
}

/// Where the attribute that begins here ends, and whether it wants a test build.
fn attribute(all: &[Token<'_>], at: usize) -> Option<(usize, bool)> {
    if all.get(at)? != &Token::Sign('#') {
        return None;
    }
    let open = at + 1 + usize::from(all.get(at + 1)? == &Token::Sign('!'));
    if all.get(open)? != &Token::Sign('[') {
        return None;
    }
    let end = behind_brackets(all, open);
    let words = all[open..end].iter().filter_map(|token| match token {
        Token::Word(word) => Some(*word),
        _ => None,
    });
    let words: Vec<&str> = words.take(3).collect();
    Some((
        end,
        matches!(words[..], ["cfg", "test", ..] | ["cfg", "all", "test"]),
    ))
}

/// What is behind the bracket that opens here and its partner.
pub(crate) fn behind_brackets(all: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in all.iter().enumerate().skip(open) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    all.len()
}

/// What is behind the item, field, arm or statement that begins here.
fn behind_item(all: &[Token<'_>], start: usize) -> usize {
    let is_item = matches!(all.get(start), Some(Token::Word(word)) if ITEMS.contains(word));
    let mut at = start;
    while let Some(token) = all.get(at) {
        match token {
            Token::Sign('{') if is_item => return behind_brackets(all, at),
            Token::Sign('(' | '[' | '{') => at = behind_brackets(all, at),
            Token::Sign(';') => return at + 1,
            Token::Sign(',') if !is_item => return at + 1,
            Token::Sign(')' | ']' | '}') => return at,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let words = tokens(text).into_iter().filter_map(|token| match token {
            Token::Word(word) => Some(word),
            _ => None,
        });
        words.collect()
    }

    #[test]
    fn comments_and_texts_say_nothing() {
        assert_eq!(words("a /* b /* c */ d */ e // f\n g"), ["a", "e", "g"]);
        assert_eq!(words(r##"a "b \" c" r#"d " e"# b"f" br"g" h"##), ["a", "h"]);
        assert_eq!(
            words(r"a 'b' '\'' '\u{1}' &'c d b'e' r#type 1u32"),
            ["a", "d", "type"]
        );
    }

    #[test]
    fn a_text_that_is_a_path_counts() {
        assert_eq!(
            words(r#"#[serde(with = "crate::a::b")]"#),
            ["serde", "with", "crate", "a", "b"]
        );
    }

    #[test]
    fn what_is_for_tests_is_left_out() {
        for (text, left) in [
            (
                "use a; #[cfg(test)] mod tests { use b; } use c;",
                vec!["use", "a", "use", "c"],
            ),
            ("#[cfg(test)] #[rustfmt::skip] use a::{b, c}; d", vec!["d"]),
            (
                "#[cfg(test)] pub(crate) fn a<B, C>(d: E) -> F { g } h",
                vec!["h"],
            ),
            ("S { #[cfg(test)] a: B<C>, d: E }", vec!["S", "d", "E"]),
            ("#[cfg(all(test, unix))] mod a; b", vec!["b"]),
            ("#![cfg(test)] use a;", vec![]),
            ("#[cfg(unix)] use a;", vec!["cfg", "unix", "use", "a"]),
        ] {
            assert_eq!(words(text), left, "{text}");
        }
    }
}
