//! What AngelScript's grammar knows in one spelling alone: directions of references (`&InOut Value`), which the language
//! reads in any case.

use std::ops::Range;

const DIRECTIONS: [&str; 3] = ["in", "out", "inout"];

/// `text` with directions in small letters: as long, with the same offsets.
pub(super) fn preprocess(text: &str) -> Option<String> {
    let odd: Vec<Range<usize>> = odd_directions(text).collect();
    if odd.is_empty() {
        return None;
    }
    let mut out = text.to_owned();
    for range in odd {
        out.get_mut(range)?.make_ascii_lowercase();
    }
    Some(out)
}

/// Whether a text needs none of it, if it needed none before an edit, by what is around the bytes that came with that.
pub(super) fn stays_as_written(text: &str, new: Range<usize>) -> bool {
    // The sign, the direction and the name behind may each stand in a line of their own.
    let lines = super::blank::lines_around(text, new);
    let before = text[..lines.start].trim_end();
    let is_behind = |word: &str| {
        before.len() >= word.len()
            && before.is_char_boundary(before.len() - word.len())
            && before[before.len() - word.len()..].eq_ignore_ascii_case(word)
    };
    !before.ends_with('&')
        && !DIRECTIONS.iter().any(|word| is_behind(word))
        && memchr::memchr(b'&', &text.as_bytes()[lines]).is_none()
}

/// Directions with capitals: behind `&`, before a name. Without a name behind it such a word may be an operand.
fn odd_directions(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    memchr::memchr_iter(b'&', text.as_bytes()).filter_map(move |sign| {
        let rest = &text[sign + 1..];
        let start = sign + 1 + (rest.len() - rest.trim_start().len());
        let end = start + word_end(&text[start..]);
        let word = &text[start..end];
        let is_odd = !DIRECTIONS.contains(&word)
            && DIRECTIONS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(word));
        let behind = &text[end..];
        let name = behind.trim_start();
        let is_named = name.len() < behind.len()
            && name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
        (is_odd && is_named).then_some(start..end)
    })
}

fn word_end(text: &str) -> usize {
    let end = text.find(|sign: char| !sign.is_alphanumeric() && sign != '_');
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::preprocess;
    use crate::Language;
    use crate::parse::parse;

    #[test]
    fn directions_are_read_in_any_case() {
        let text = "void Next(int& InOut It, FVector&Out V, const FName&In N, int&inout K) const { ++It; }";
        let seen = preprocess(text).expect("capitals");
        assert_eq!(
            seen,
            "void Next(int& inout It, FVector&out V, const FName&in N, int&inout K) const { ++It; }"
        );
        let tree = parse(Language::AngelScript, &seen, None).expect("a tree");
        assert!(!tree.root_node().has_error());
    }

    #[test]
    fn operands_stay() {
        for plain in [
            "int X = Flags & In;",
            "F(A & Out, B && InOut);",
            "int&in X",
            "a &Inner b",
        ] {
            assert_eq!(preprocess(plain), None, "{plain}");
        }
    }
}
