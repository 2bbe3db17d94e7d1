//! What C#'s grammar reads only if it is spelled otherwise: braces that stand for themselves right before a value in an
//! interpolated text (`$"{{{a}"`), quotes of a verbatim one right where it begins or behind a value (`$@"{a}"""`),
//! `partial` behind `ref` (`ref partial struct A`), and a variable that is called so (`partial.Add(1)`); with what is newer
//! than the grammar: slices of list patterns, assignments to members of what may be null, extension blocks.
//!
//! The signs become blanks, which are text as well; the two words change places; the variable gets another letter.

use std::borrow::Cow;
use std::ops::Range;

use super::tokens::tokens;
use super::{extension_blocks, list_patterns, null_assignments};
use crate::preprocess::blank::blank;

/// One of them stands in interpolated texts that are read wrong.
const SIGNS: [&str; 2] = ["{{{", "\"\"\""];
const PARTIAL: &str = "partial";
/// What a variable of this name is called to the grammar.
const VARIABLE: &str = "partiaL";
const REF_PARTIAL: &str = "ref partial ";
const PARTIAL_REF: &str = "partial ref ";

/// Whether a text may have something to spell otherwise.
pub(super) fn may_have(text: &str) -> bool {
    let bytes = text.as_bytes();
    let opens = |at: usize| matches!(bytes.get(at + 1), Some(b'"' | b'@'));
    let is_interpolated = || memchr::memchr_iter(b'$', bytes).any(opens);
    is_interpolated() && has_sign(text) || has_partial(text) || has_newer(text)
}

/// Whether a text may have syntax that is newer than the grammar.
fn has_newer(text: &str) -> bool {
    list_patterns::may_have(text)
        || null_assignments::may_have(text)
        || extension_blocks::may_have(text)
}

/// Whether a text may have something to spell otherwise for what some of its lines say.
pub(super) fn may_bring(lines: &str) -> bool {
    memchr::memchr(b'$', lines.as_bytes()).is_some()
        || has_sign(lines)
        || has_partial(lines)
        || has_newer(lines)
}

fn has_sign(text: &str) -> bool {
    let finds = |sign: &str| memchr::memmem::find(text.as_bytes(), sign.as_bytes()).is_some();
    SIGNS.iter().any(|sign| finds(sign))
}

fn has_partial(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), PARTIAL.as_bytes()).any(|at| {
        let (before, behind) = (&text[..at], &text[at + PARTIAL.len()..]);
        behind.starts_with(['.', '[', '=']) || behind.starts_with(" =") || before.ends_with("ref ")
    })
}

/// Whether a word is one of those that are spelled otherwise.
pub(super) fn decides(word: &str) -> bool {
    matches!(word, "ref" | PARTIAL) || extension_blocks::decides(word)
}

/// Whether a statement may begin behind a token.
fn begins_statement(before: &str) -> bool {
    matches!(before, ";" | "{" | "}" | ")" | ":" | "else" | "do")
}

/// A text as the grammar reads it.
pub(super) fn without(text: Cow<'_, str>) -> Cow<'_, str> {
    if !may_have(&text) {
        return text;
    }
    let (mut signs, mut words) = (Vec::new(), Vec::new());
    let tokens = tokens(&text);
    let word = |at: usize| {
        tokens
            .get(at)
            .map_or("", |token| &text[token.range.clone()])
    };
    for (at, token) in tokens.iter().enumerate() {
        let (written, start) = (word(at), token.range.start);
        let before = at.checked_sub(1).map_or("", word);
        if let Some(inside) = inside_interpolated(written) {
            signs_in(written, inside, start, &mut signs);
        } else if written == "ref" && text[start..].starts_with(REF_PARTIAL) {
            words.push((start, PARTIAL_REF));
        } else if written == PARTIAL
            && matches!(word(at + 1), "." | "[" | "=")
            && begins_statement(before)
        {
            words.push((start, VARIABLE));
        }
    }
    null_assignments::marks(&text, &tokens, &mut signs);
    signs.sort_by_key(|sign| sign.start);
    list_patterns::rewrites(&text, &tokens, &mut words);
    extension_blocks::rewrites(&text, &tokens, &mut words);
    if signs.is_empty() && words.is_empty() {
        return text;
    }
    let mut out = blank(&text, &signs).into_owned();
    for (at, word) in words {
        out.replace_range(at..at + word.len(), word);
    }
    Cow::Owned(out)
}

/// What is between the quotes of an interpolated text in which braces and quotes are doubled.
fn inside_interpolated(token: &str) -> Option<Range<usize>> {
    let quote = token.find('"')?;
    let prefix = &token[..quote];
    let is_raw = prefix == "$" && token[quote..].starts_with("\"\"\"");
    let is_one = matches!(prefix, "$" | "$@" | "@$") && !is_raw && token.len() > quote + 1;
    is_one.then(|| quote + 1..token.len() - 1)
}

/// The signs in an interpolated text that the grammar takes for others.
fn signs_in(token: &str, inside: Range<usize>, start: usize, found: &mut Vec<Range<usize>>) {
    let bytes = token.as_bytes();
    let run = |at: usize, sign: u8| {
        let rest = bytes.get(at..inside.end).unwrap_or_default();
        rest.iter().take_while(|byte| **byte == sign).count()
    };
    let is_verbatim = token[..inside.start].contains('@');
    let quotes_at = |at: usize| {
        if is_verbatim {
            run(at, b'"') / 2 * 2
        } else {
            0
        }
    };
    let mut take = |at: usize, count: usize| {
        if count > 0 {
            found.push(start + at..start + at + count);
        }
        at + count
    };
    let mut at = take(inside.start, quotes_at(inside.start));
    let mut depth = 0_usize;
    while at < inside.end {
        match (bytes[at], depth) {
            (b'{', 0) => {
                let braces = run(at, b'{');
                let is_held = braces % 2 == 1;
                at = match is_held && braces > 1 {
                    true => take(at, braces - 1),
                    false => at + braces - usize::from(is_held),
                };
                depth = usize::from(is_held);
                at += depth;
            }
            (b'{', _) => (at, depth) = (at + 1, depth + 1),
            (b'}', 1) => {
                depth = 0;
                at = take(at + 1, quotes_at(at + 1));
            }
            (b'}', 2..) => (at, depth) = (at + 1, depth - 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_between;
    use crate::Language;
    use crate::preprocess::preprocess;

    /// What is read of a statement.
    fn read(statement: &str) -> String {
        read_between("class A { void M() { ", statement, " } }")
    }

    #[test]
    fn values_behind_doubled_braces_are_read() {
        assert_eq!(read(r#"F($"{{{a}}}");"#), r#"F($"  {a}}}");"#);
        assert_eq!(read(r#"F($"{{{{{a:x}");"#), r#"F($"    {a:x}");"#);
        let plain = r#"F($"{{ {a} }}", new int[,,] {{{1}}});"#;
        assert_eq!(read(plain), plain);
    }

    #[test]
    fn doubled_quotes_do_not_begin_a_raw_text() {
        assert_eq!(read(r#"F($@"{a}""", "b");"#), r#"F($@"{a}  ", "b");"#);
        assert_eq!(
            read(r#"F(@$"""{a}"" -", "b");"#),
            r#"F(@$"  {a}   -", "b");"#
        );
        let plain = r#"F(@"a""", "b", $@"a ""b""");"#;
        assert_eq!(read(plain), plain);
    }

    #[test]
    fn a_variable_called_like_a_modifier_is_read() {
        let seen = read("partial.Add(1); partial = b;");
        assert_eq!(seen, "partiaL.Add(1); partiaL = b;");
    }

    #[test]
    fn partial_stands_before_ref() {
        let seen = preprocess(Language::CSharp, "public ref partial struct A { }");
        assert_eq!(seen, "public partial ref struct A { }");
    }
}
