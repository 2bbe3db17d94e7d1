//! Declarations of compound assignments (C# 14): `public void operator +=(int x)`. The grammar reads them without the `=`;
//! what names them looks at the text itself.

use std::ops::Range;

use super::tokens::CSharpToken;

const WORD: &str = "operator";
/// Operators that assign with a `=` behind them, longer ones first.
const OPERATORS: [&str; 11] = [">>>", ">>", "<<", "+", "-", "*", "/", "%", "&", "|", "^"];

/// The place of the `=` in what follows `operator`, if a compound assignment is declared.
fn sign(behind: &str) -> Option<usize> {
    let rest = behind.trim_start();
    let rest = rest.strip_prefix("checked").map_or(rest, str::trim_start);
    let operator = OPERATORS
        .iter()
        .find(|operator| rest.starts_with(**operator))?;
    let at = behind.len() - rest.len() + operator.len();
    let next = behind[at..].strip_prefix('=')?.trim_start();
    next.starts_with('(').then_some(at)
}

/// Whether a text may have some.
pub(super) fn may_have(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), WORD).any(|at| {
        let line = &text[at + WORD.len()..];
        let line = &line[..memchr::memchr(b'\n', line.as_bytes()).unwrap_or(line.len())];
        sign(line).is_some()
    })
}

/// Whether a word decides about them.
pub(super) fn decides(word: &str) -> bool {
    matches!(word, WORD | "checked")
}

/// The signs that the grammar is not shown.
pub(super) fn signs(text: &str, tokens: &[CSharpToken], found: &mut Vec<Range<usize>>) {
    for token in tokens {
        if &text[token.range.clone()] == WORD
            && let Some(at) = sign(&text[token.range.end..])
        {
            let at = token.range.end + at;
            found.push(at..at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_between;

    #[test]
    fn compound_assignments_are_operators() {
        let read = |text| read_between("struct A { ", text, " }");
        assert_eq!(
            read(
                "public void operator +=(int x) { } public void operator checked -=(A x) { } void operator >>>= (int x) { }"
            ),
            "public void operator + (int x) { } public void operator checked - (A x) { } void operator >>>  (int x) { }"
        );
        let plain = "public static bool operator <=(A a, A b) => a.operators <= b; public static bool operator ==(A a, A b) => true;";
        assert_eq!(read(plain), plain);
    }
}
