//! `break outer;` and `continue outer;` (C# 15) as the jumps to a label that the grammar knows: `goto  outer;`.

use super::tokens::CSharpToken;

/// The words as they are written and as the grammar is shown them.
const JUMPS: [(&str, &str); 2] = [("break", "goto "), ("continue", "goto    ")];

/// Whether a text may have some: a word with another one behind it.
pub(super) fn may_have(text: &str) -> bool {
    JUMPS.iter().any(|(word, _)| {
        memchr::memmem::find_iter(text.as_bytes(), word.as_bytes()).any(|at| {
            let behind = &text[at + word.len()..];
            let label = behind.trim_start_matches([' ', '\t']);
            label.len() < behind.len() && label.starts_with(is_first)
        })
    })
}

/// Whether a word is such a jump.
pub(super) fn decides(word: &str) -> bool {
    JUMPS.iter().any(|(known, _)| *known == word)
}

fn is_first(sign: char) -> bool {
    sign.is_alphabetic() || matches!(sign, '_' | '@')
}

/// Where what replaces them.
pub(super) fn rewrites(text: &str, tokens: &[CSharpToken], found: &mut Vec<(usize, &'static str)>) {
    if !may_have(text) {
        return;
    }
    let word = |at: usize| {
        tokens
            .get(at)
            .map_or("", |token| &text[token.range.clone()])
    };
    for (at, token) in tokens.iter().enumerate() {
        let Some((_, shown)) = JUMPS.iter().find(|(known, _)| *known == word(at)) else {
            continue;
        };
        let label = if word(at + 1) == "@" { at + 2 } else { at + 1 };
        if word(label).starts_with(is_first) && word(label + 1) == ";" {
            found.push((token.range.start, shown));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_between;

    #[test]
    fn a_jump_out_of_a_labelled_loop_is_one_to_its_label() {
        let read = |text| read_between("class A { void M() { ", text, " } }");
        assert_eq!(
            read("outer: for (;;) { while (a) { break outer; continue outer; } break; continue; }"),
            "outer: for (;;) { while (a) { goto  outer; goto     outer; } break; continue; }"
        );
    }
}
