//! Slices of list patterns: `[.., Token { Kind: K } last]`. The grammar takes the two dots for a range, and what follows
//! for a list of values; a discard in their place is a pattern (`[_ , …]`), and one with a pattern of its own is that.

use super::tokens::CSharpToken;

/// Words behind which a pattern stands.
const BEFORE: [&str; 5] = ["is", "not", "and", "or", "case"];

/// Whether a text may have some.
pub(super) fn may_have(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), b"..").any(|at| may_be_slice(text, at))
}

/// Whether two dots may be a slice: it stands behind a bracket or a comma, between which may be a comment. Most dots in a
/// row are an ellipsis in prose or a range.
fn may_be_slice(text: &str, at: usize) -> bool {
    let (before, behind) = (&text[..at], &text[at + 2..]);
    let last = before.trim_end();
    let is_behind_line = before[last.len()..].contains('\n') || last.is_empty();
    let is_behind = is_behind_line || last.ends_with(['[', ',']) || last.ends_with("*/");
    is_behind && !behind.starts_with('.')
}

/// What an open bracket holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Pattern,
    /// Arms of a `switch` that has a value.
    Arms,
    Code,
}

/// Where what replaces the two dots.
pub(super) fn rewrites(text: &str, tokens: &[CSharpToken], found: &mut Vec<(usize, &'static str)>) {
    if !may_have(text) {
        return;
    }
    let word = |at: usize| {
        tokens
            .get(at)
            .map_or("", |token| &text[token.range.clone()])
    };
    let before = |at: usize, back: usize| at.checked_sub(back).map_or("", word);
    let mut open: Vec<Inside> = Vec::new();
    for at in 0..tokens.len() {
        let around = open.last().copied().unwrap_or(Inside::Code);
        match word(at) {
            "[" | "(" | "{" => {
                let previous = before(at, 1);
                let begins_arm = around == Inside::Arms && matches!(previous, "{" | ",");
                let is_pattern = around == Inside::Pattern
                    || begins_arm
                    || BEFORE.contains(&previous)
                    || word(at) != "[" && BEFORE.contains(&before(at, 2));
                open.push(match word(at) {
                    _ if is_pattern => Inside::Pattern,
                    "{" if previous == "switch" => Inside::Arms,
                    _ => Inside::Code,
                });
            }
            "]" | ")" | "}" => {
                open.pop();
            }
            "." if around == Inside::Pattern && matches!(before(at, 1), "[" | ",") => {
                let start = tokens[at].range.start;
                let is_slice = word(at + 1) == "." && tokens[at + 1].range.start == start + 1;
                let is_alone = matches!(word(at + 2), "," | "]");
                if is_slice {
                    found.push((start, if is_alone { "_ " } else { "  " }));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_between;

    /// What is read of an expression that follows `return`.
    fn read(value: &str) -> String {
        read_between("class A { bool M() { return ", value, "; } }")
    }

    #[test]
    fn slices_are_discards_or_the_patterns_they_have() {
        assert_eq!(
            read("m is [.., T { K: K.S } last]"),
            "m is [_ , T { K: K.S } last]"
        );
        assert_eq!(
            read("m is not [T { K: 1 } a, .. var rest]"),
            "m is not [T { K: 1 } a,    var rest]"
        );
        assert_eq!(
            read("m is { A: [1, ..] } or [.. [1, ..], 2]"),
            "m is { A: [1, _ ] } or [   [1, _ ], 2]"
        );
        assert_eq!(
            read("m switch { [..] => 1, [.., A { K: 1 }] => 2, _ => 3 }"),
            "m switch { [_ ] => 1, [_ , A { K: 1 }] => 2, _ => 3 }"
        );
    }

    #[test]
    fn comments_before_slices_are_nothing() {
        assert_eq!(
            read("m is [1, /* a */ .., T { K: 1 } a]"),
            "m is [1, /* a */ _ , T { K: 1 } a]"
        );
        assert_eq!(
            read("m is [T { K: 1 } a, // first\n  .. // rest\n]"),
            "m is [T { K: 1 } a, // first\n  _  // rest\n]"
        );
        for prose in ["Waits ...", "a, b, ...", "[...]", "1..2"] {
            assert!(!super::may_have(prose), "{prose}");
        }
    }

    #[test]
    fn ranges_and_spreads_stay() {
        for plain in ["a[..]", "a[1..]", "F([.. b, 1], c[..^1])", "a[..2] is [1]"] {
            assert_eq!(read(plain), plain);
        }
    }
}
