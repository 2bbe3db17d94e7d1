//! Unions and closed classes (C# 15): `union Pet(Cat, Dog) { … }`, `closed class Shape`. The grammar reads a class with
//! bases in a union's place, `class Pet:Cat, Dog  { … }`, and no modifier. What declares unions looks at the text itself.

use std::ops::Range;

use super::tokens::{CSharpToken, is_value};

const WORD: &str = "union";
const CLASS: &str = "class";
const CLOSED: &str = "closed";

/// What stands behind `closed` before a type.
const HEADS: [&str; 15] = [
    "class",
    "record",
    "interface",
    "enum",
    "struct",
    "abstract",
    "partial",
    "public",
    "internal",
    "private",
    "protected",
    "static",
    "unsafe",
    "new",
    "file",
];

/// Whether a text may have some.
pub(super) fn may_have(text: &str) -> bool {
    let behind = |word: &str, at: usize| text[at + word.len()..].trim_start_matches([' ', '\t']);
    let finds = |word: &'static str, is: &dyn Fn(&str) -> bool| {
        memchr::memmem::find_iter(text.as_bytes(), word).any(|at| is(behind(word, at)))
    };
    finds(WORD, &|rest| {
        rest.starts_with(|sign: char| sign.is_alphabetic() || matches!(sign, '_' | '@'))
    }) || finds(CLOSED, &|rest| {
        HEADS.iter().any(|head| rest.starts_with(head))
    })
}

/// Whether a word decides about them.
pub(super) fn decides(word: &str) -> bool {
    matches!(word, WORD | CLOSED) || HEADS.contains(&word)
}

/// What of their heads is blanked, and where what replaces it.
pub(super) fn rewrites(
    text: &str,
    tokens: &[CSharpToken],
    signs: &mut Vec<Range<usize>>,
    words: &mut Vec<(usize, &'static str)>,
) {
    if !may_have(text) {
        return;
    }
    let word = |at: usize| {
        tokens
            .get(at)
            .map_or("", |token| &text[token.range.clone()])
    };
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map_or("", word);
        let begins = matches!(before, "" | "{" | "}" | ";" | "]")
            || HEADS.contains(&before)
            || before == "readonly";
        if begins && word(at) == CLOSED && HEADS.contains(&word(at + 1)) {
            signs.push(tokens[at].range.clone());
        } else if begins
            && word(at) == WORD
            && let Some((open, close)) = cases(&word, at + 2)
        {
            words.push((tokens[at].range.start, CLASS));
            words.push((tokens[open].range.start, ":"));
            words.push((tokens[close].range.start, " "));
            if word(close + 1) == ":" {
                words.push((tokens[close + 1].range.start, ","));
            }
        }
    }
}

/// The parentheses around the cases of a union whose name ends before a token.
fn cases<'t>(word: &impl Fn(usize) -> &'t str, behind_name: usize) -> Option<(usize, usize)> {
    let mut open = behind_name;
    if word(open) == "<" {
        open = closed(word, open, "<", ">")? + 1;
    }
    if word(open) != "(" || word(open + 1) == ")" {
        return None;
    }
    let close = closed(word, open, "(", ")")?;
    let is_union =
        matches!(word(close + 1), "{" | ";" | ":" | "where") && !has_names(word, open, close);
    is_union.then_some((open, close))
}

/// Whether one of what is between parentheses has a name behind its type: parameters of a method, not cases.
fn has_names<'t>(word: &impl Fn(usize) -> &'t str, open: usize, close: usize) -> bool {
    let mut depth = 0_usize;
    (open..close).any(|at| {
        match word(at) {
            "(" | "[" | "<" => depth += 1,
            ")" | "]" | ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends_type = is_value(word(at)) || matches!(word(at), ">" | "]" | "?" | ")");
        depth == 1 && ends_type && is_value(word(at + 1))
    })
}

fn closed<'t>(
    word: &impl Fn(usize) -> &'t str,
    from: usize,
    open: &str,
    close: &str,
) -> Option<usize> {
    const LONGEST: usize = 400;
    let mut depth = 0_usize;
    (from..from + LONGEST).find(|at| {
        match word(*at) {
            sign if sign == open => depth += 1,
            sign if sign == close => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_between;

    fn read(text: &str) -> String {
        read_between("", text, "")
    }

    #[test]
    fn a_union_is_a_class_with_bases() {
        assert_eq!(
            read("public union Maybe<T>(T, None) { bool B => true; } union Pet(Cat, Dog);"),
            "public class Maybe<T>:T, None  { bool B => true; } class Pet:Cat, Dog ;"
        );
        assert_eq!(
            read("union A<T>(List<T>, B) : IC where T : class { }"),
            "class A<T>:List<T>, B  , IC where T : class { }"
        );
    }

    #[test]
    fn closed_types_are_types() {
        assert_eq!(
            read("public closed class A { } closed abstract record B;"),
            "public        class A { }        abstract record B;"
        );
    }

    #[test]
    fn what_is_called_so_stays() {
        for plain in [
            "class A { union F(int a) { return union.G(a); } bool closed; union x; }",
            "class A { void M() { closed = union; union(1); } closed P { get; } }",
        ] {
            assert_eq!(read(plain), plain);
        }
    }
}
