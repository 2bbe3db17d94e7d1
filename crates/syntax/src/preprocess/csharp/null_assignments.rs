//! Assignments to members of what may be null (C# 14): `a?.B = c`. The grammar reads them without the question mark, as
//! it reads `a.B = c`; what is a member of what stays the same.

use std::ops::Range;

use super::tokens::CSharpToken;

/// Whether a text may have some: an assignment behind such an access on its line.
pub(super) fn may_have(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'?', bytes).any(|at| {
        let line = &bytes[at + 1..];
        let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
        matches!(line.first(), Some(b'.' | b'[')) && memchr::memchr(b'=', line).is_some()
    })
}

/// The question marks of what is assigned to.
pub(super) fn marks(text: &str, tokens: &[CSharpToken], found: &mut Vec<Range<usize>>) {
    if !may_have(text) {
        return;
    }
    let word = |at: usize| {
        tokens
            .get(at)
            .map_or("", |token| &text[token.range.clone()])
    };
    let mut at = 0;
    while at < tokens.len() {
        let is_access = word(at) == "?" && matches!(word(at + 1), "." | "[");
        let Some(end) = is_access.then(|| chain_end(&word, at)).flatten() else {
            at += 1;
            continue;
        };
        if assigns(&word, end) {
            let marks = tokens[at..end]
                .iter()
                .filter(|token| &text[token.range.clone()] == "?");
            found.extend(marks.map(|token| token.range.clone()));
        }
        at = end;
    }
}

/// Where a chain of members ends that begins with a question mark; nothing where a bracket of it does not.
fn chain_end<'t>(word: &impl Fn(usize) -> &'t str, start: usize) -> Option<usize> {
    const LONGEST: usize = 400;
    let mut at = start;
    while at < start + LONGEST {
        match word(at) {
            "?" if matches!(word(at + 1), "." | "[") => at += 1,
            "." | "!" => at += 1,
            "[" | "(" => at = closed(word, at)? + 1,
            "<" => match arguments_end(word, at) {
                Some(end) => at = end,
                None => return Some(at),
            },
            name if is_name(name) && word(at.checked_sub(1)?) == "." => at += 1,
            _ => return Some(at),
        }
    }
    None
}

fn is_name(word: &str) -> bool {
    word.starts_with(|char: char| char.is_alphabetic() || matches!(char, '_' | '@'))
}

/// The bracket that closes the one at a place.
fn closed<'t>(word: &impl Fn(usize) -> &'t str, open: usize) -> Option<usize> {
    const LONGEST: usize = 2000;
    let mut depth = 0_usize;
    for at in open..open + LONGEST {
        match word(at) {
            "" | ";" => return None,
            "[" | "(" | "{" => depth += 1,
            "]" | ")" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Behind type arguments, if that is what begins here.
fn arguments_end<'t>(word: &impl Fn(usize) -> &'t str, open: usize) -> Option<usize> {
    const LONGEST: usize = 100;
    let mut depth = 0_usize;
    for at in open..open + LONGEST {
        match word(at) {
            "<" => depth += 1,
            ">" => depth = depth.checked_sub(1)?,
            "." | "," | "?" | "[" | "]" => {}
            name if is_name(name) => {}
            _ => return None,
        }
        if depth == 0 {
            return matches!(word(at + 1), "(" | ".").then_some(at + 1);
        }
    }
    None
}

/// Whether an assignment follows, simple or compound.
fn assigns<'t>(word: &impl Fn(usize) -> &'t str, at: usize) -> bool {
    let is_simple = word(at) == "=" && !matches!(word(at + 1), "=");
    let is_compound = matches!(
        word(at),
        "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "??"
    ) && word(at + 1) == "="
        && word(at + 2) != "=";
    let is_shift = matches!(word(at), "<" | ">")
        && (1..4).any(|count| word(at + count) == "=" && count > 1)
        && word(at + 1) == word(at);
    is_simple || is_compound || is_shift
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_between;

    /// What is read of a statement.
    fn read(statement: &str) -> String {
        read_between("class A { void M() { ", statement, " } }")
    }

    #[test]
    fn what_is_assigned_to_is_read_without_question_marks() {
        assert_eq!(read("o?.N = s;"), "o .N = s;");
        assert_eq!(read("o?.N?.Get<B>(a)!.C += 2;"), "o .N .Get<B>(a)!.C += 2;");
        assert_eq!(read("o?.S?[0] = 3;"), "o .S [0] = 3;");
        assert_eq!(
            read("o?.N ??= \"a\"; p?.N <<= 1;"),
            "o .N ??= \"a\"; p .N <<= 1;"
        );
    }

    #[test]
    fn what_is_only_read_keeps_them() {
        for plain in [
            "if (o?.N == s) { }",
            "var a = o?.N;",
            "b = c ? [1] : d; e = f;",
            "F(x => x?.N, a = 1);",
            "o?.E(a => a.B = 1);",
        ] {
            assert_eq!(read(plain), plain);
        }
    }
}
