//! Extension blocks (C# 14): `extension(Item item) { … }` in a static class. The grammar reads a class with a primary
//! constructor in its place, `class EXT(Item item) { … }`, and one that derives from the receiver's type where that is
//! not named, `class EXT:Item  { … }`. What declares them looks at the text itself.

use super::tokens::CSharpToken;

const WORD: &str = "extension";
const CLASS: &str = "class EXT";

/// Whether a text may have some.
pub(super) fn may_have(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), WORD).any(|at| {
        let rest = text[at + WORD.len()..].trim_start_matches([' ', '\t']);
        rest.starts_with(['(', '<'])
    })
}

/// Whether a word decides about them.
pub(super) fn decides(word: &str) -> bool {
    word == WORD
}

/// Where what replaces their heads.
pub(super) fn rewrites(text: &str, tokens: &[CSharpToken], found: &mut Vec<(usize, &'static str)>) {
    if !may_have(text) {
        return;
    }
    let word = |at: usize| {
        tokens
            .get(at)
            .map_or("", |token| &text[token.range.clone()])
    };
    for at in 1..tokens.len() {
        let begins = matches!(word(at - 1), "{" | "}" | ";" | "]");
        if !begins || word(at) != WORD {
            continue;
        }
        let Some((open, close)) = receiver(&word, at + 1) else {
            continue;
        };
        found.push((tokens[at].range.start, CLASS));
        if !is_named(&word, open, close) {
            found.push((tokens[open].range.start, ":"));
            found.push((tokens[close].range.start, " "));
        }
    }
}

/// The parentheses around a receiver, if a block follows them.
fn receiver<'t>(word: &impl Fn(usize) -> &'t str, start: usize) -> Option<(usize, usize)> {
    const LONGEST: usize = 400;
    let mut at = start;
    if word(at) == "<" {
        let mut depth = 0_usize;
        at = (start..start + LONGEST).find(|at| {
            match word(*at) {
                "<" => depth += 1,
                ">" => depth -= 1,
                _ => {}
            }
            depth == 0
        })? + 1;
    }
    let open = at;
    if word(open) != "(" {
        return None;
    }
    let mut depth = 0_usize;
    let close = (open..open + LONGEST).find(|at| {
        match word(*at) {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let mut next = close + 1;
    if word(next) == "where" {
        next = (next..next + LONGEST).find(|at| matches!(word(*at), "{" | ";" | "}" | ""))?;
    }
    (word(next) == "{").then_some((open, close))
}

/// Whether the receiver has a name: a word behind its type.
fn is_named<'t>(word: &impl Fn(usize) -> &'t str, open: usize, close: usize) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|char: char| char.is_alphabetic() || matches!(char, '_' | '@'))
    };
    let (last, before) = (word(close - 1), word(close - 2));
    let is_behind_type = is_word(before) && !matches!(before, "ref" | "in" | "scoped" | "readonly")
        || matches!(before, ">" | "]" | "?" | ")" | "*");
    close > open + 2 && is_word(last) && is_behind_type
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_between;

    /// What is read of a member of a static class.
    fn read(member: &str) -> String {
        read_between("static class A { ", member, " }")
    }

    #[test]
    fn a_block_is_a_class() {
        assert_eq!(
            read(
                "extension(IEnumerable<int> n) { public int S() => 1; public bool B => n.Any(); }"
            ),
            "class EXT(IEnumerable<int> n) { public int S() => 1; public bool B => n.Any(); }"
        );
        assert_eq!(
            read("extension<T>(ref Box<T>? b) where T : class { }"),
            "class EXT<T>(ref Box<T>? b) where T : class { }"
        );
    }

    #[test]
    fn a_receiver_without_a_name_is_a_base() {
        assert_eq!(
            read("extension(string) { public static int S() => 1; }"),
            "class EXT:string  { public static int S() => 1; }"
        );
        assert_eq!(
            read("extension<T>(Box<T>) where T : class { }"),
            "class EXT<T>:Box<T>  where T : class { }"
        );
    }

    #[test]
    fn what_is_called_so_stays() {
        for plain in [
            "void extension(int a) { }",
            "static void M() { extension(1); extension<int>(2); }",
            "int extension = 1;",
        ] {
            assert_eq!(read(plain), plain);
        }
    }
}
