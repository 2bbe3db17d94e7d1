//! What C#'s grammar reads only if it is spelled otherwise: braces that stand for themselves right before a value in an
//! interpolated text (`$"{{{a}"`, `$$"""{{{a}}}"""`), quotes of a verbatim one right where it begins or behind a value
//! (`$@"{a}"""`), `partial` behind `ref` (`ref partial struct A`), and contextual keywords that are names; with what is
//! newer than the grammar: slices of list patterns, assignments to members of what may be null, extension blocks, unions,
//! labelled jumps, compound assignments as operators.
//!
//! The signs become blanks, which are text as well; the two words change places; names get another letter. What is in
//! holes of interpolated texts is read like what is around them.

use std::borrow::Cow;
use std::ops::Range;

use super::literals::{Literal, Wasted, literal};
use super::tokens::{CSharpToken, tokens};
use super::{
    compound_operators, contextual_names, extension_blocks, labeled_jumps, list_patterns,
    null_assignments, union_types,
};
use crate::preprocess::blank::blank;

/// One of them stands in interpolated texts that are read wrong.
const SIGNS: [&str; 2] = ["{{{", "\"\"\""];
const REF_PARTIAL: &str = "ref partial ";
const PARTIAL_REF: &str = "partial ref ";

/// Whether a text may have something to spell otherwise.
pub(super) fn may_have(text: &str) -> bool {
    let bytes = text.as_bytes();
    let opens = |at: usize| matches!(bytes.get(at + 1), Some(b'"' | b'@' | b'$'));
    let is_interpolated = || memchr::memchr_iter(b'$', bytes).any(opens);
    is_interpolated() && has_sign(text) || has_words(text) || has_newer(text)
}

/// Whether a text may have syntax that is newer than the grammar.
fn has_newer(text: &str) -> bool {
    list_patterns::may_have(text)
        || null_assignments::may_have(text)
        || extension_blocks::may_have(text)
        || union_types::may_have(text)
        || labeled_jumps::may_have(text)
        || compound_operators::may_have(text)
}

/// Whether a text may have something to spell otherwise for what some of its lines say.
pub(super) fn may_bring(lines: &str) -> bool {
    memchr::memchr(b'$', lines.as_bytes()).is_some()
        || has_sign(lines)
        || has_words(lines)
        || has_newer(lines)
}

fn has_sign(text: &str) -> bool {
    let finds = |sign: &str| memchr::memmem::find(text.as_bytes(), sign.as_bytes()).is_some();
    SIGNS.iter().any(|sign| finds(sign))
}

fn has_words(text: &str) -> bool {
    let has_partial = || memchr::memmem::find(text.as_bytes(), REF_PARTIAL.as_bytes()).is_some();
    contextual_names::may_have(text) || has_partial()
}

/// Whether a word is one of those that are spelled otherwise, or decides about them.
pub(super) fn decides(word: &str) -> bool {
    word == "ref"
        || contextual_names::decides(word)
        || extension_blocks::decides(word)
        || union_types::decides(word)
        || labeled_jumps::decides(word)
        || compound_operators::decides(word)
}

/// A text as the grammar reads it.
pub(super) fn without(text: Cow<'_, str>) -> Cow<'_, str> {
    if !may_have(&text) {
        return text;
    }
    let (mut signs, mut words) = (Vec::new(), Vec::new());
    // Deeper than this nobody nests texts.
    const DEEPEST: usize = 8;
    let whole: Range<usize> = 0..text.len();
    let mut parts = Vec::from([whole]);
    let mut declared = None;
    for _ in 0..DEEPEST {
        let mut holes = Vec::new();
        for part in parts.drain(..) {
            let Some(inner) = text.get(part.clone()) else {
                continue;
            };
            let mut found = Rewrites::default();
            let tokens = tokens(inner);
            let declared =
                declared.get_or_insert_with(|| contextual_names::declared(inner, &tokens));
            found.find(inner, &tokens, declared);
            let from = part.start;
            let moved = |range: Range<usize>| range.start + from..range.end + from;
            signs.extend(found.signs.into_iter().map(moved));
            holes.extend(found.holes.into_iter().map(moved));
            words.extend(found.words.into_iter().map(|(at, word)| (at + from, word)));
        }
        if holes.is_empty() {
            break;
        }
        parts = holes;
    }
    if signs.is_empty() && words.is_empty() {
        return text;
    }
    let mut out = blank(&text, &signs).into_owned();
    for (at, word) in words {
        out.replace_range(at..at + word.len(), word);
    }
    Cow::Owned(out)
}

/// What to spell otherwise in a part of a text: the whole, or a hole.
#[derive(Default)]
struct Rewrites {
    /// What becomes blank.
    signs: Vec<Range<usize>>,
    /// What is put where.
    words: Vec<(usize, &'static str)>,
    /// Holes that may have more.
    holes: Vec<Range<usize>>,
}

impl Rewrites {
    fn find(&mut self, text: &str, tokens: &[CSharpToken], declared: &[&str]) {
        let mut wasted = Wasted::default();
        for token in tokens {
            let (written, at) = (&text[token.range.clone()], token.range.start);
            if written.starts_with(['$', '@']) {
                let literal = literal(text.as_bytes(), at, &mut wasted);
                let literal = literal.filter(|literal| !literal.holes.is_empty());
                if let Some(literal) = literal {
                    signs_in(text, at, &literal, &mut self.signs);
                    self.holes.extend(literal.holes);
                }
            } else if written == "ref" && text[at..].starts_with(REF_PARTIAL) {
                self.words.push((at, PARTIAL_REF));
            }
        }
        self.holes.retain(|hole| may_have(&text[hole.clone()]));
        contextual_names::rewrites(text, tokens, declared, &mut self.words);
        null_assignments::marks(text, tokens, &mut self.signs);
        list_patterns::rewrites(text, tokens, &mut self.words);
        extension_blocks::rewrites(text, tokens, &mut self.words);
        union_types::rewrites(text, tokens, &mut self.signs, &mut self.words);
        labeled_jumps::rewrites(text, tokens, &mut self.words);
        compound_operators::signs(text, tokens, &mut self.signs);
    }
}

/// The signs in an interpolated text that the grammar takes for others: braces before those of a hole, and doubled quotes of
/// a verbatim one at its beginning or behind a hole.
fn signs_in(text: &str, start: usize, literal: &Literal, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let quotes = bytes[start..]
        .iter()
        .take_while(|byte| matches!(byte, b'$' | b'@'));
    let signs = quotes.count();
    let is_verbatim = bytes[start..start + signs].contains(&b'@');
    let is_raw = !is_verbatim && text[start + signs..].starts_with("\"\"\"");
    let braces = if is_raw { signs } else { 1 };
    let mut doubled = |from: usize| {
        let rest = bytes.get(from..literal.end - 1).unwrap_or_default();
        let quotes = rest.iter().take_while(|byte| **byte == b'"').count() / 2 * 2;
        if is_verbatim && quotes > 0 {
            found.push(from..from + quotes);
        }
    };
    doubled(start + signs + 1);
    for hole in &literal.holes {
        let end = memchr::memchr(b'}', &bytes[hole.end..]).map_or(hole.end, |end| hole.end + end);
        doubled(end + braces);
    }
    for hole in &literal.holes {
        let before = bytes[..hole.start].iter().rev();
        let open = before.take_while(|byte| **byte == b'{').count();
        if open > braces {
            found.push(hole.start - open..hole.start - braces);
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
        assert_eq!(read(r#"F($"{G($"{{{a}")}");"#), r#"F($"{G($"  {a}")}");"#);
        assert_eq!(
            read("F($$\"\"\"{{{a}}} {{b}}\"\"\");"),
            "F($$\"\"\" {{a}}} {{b}}\"\"\");"
        );
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
