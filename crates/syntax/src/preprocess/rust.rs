//! Words of Rust that its grammar does not know, blanked: `safe` of functions in `unsafe extern` blocks (1.82), and of what
//! is not stable yet `gen fn`, `auto trait`, `const` of traits and their bounds, `async` of bounds, `for await`. `become`
//! is read as `return`. Each stands with what tells it on one line.

use std::ops::Range;

use super::blank::lines_around;

/// A word, what follows it behind blanks, and what is read in its place.
const WORDS: [(&str, &[&str], &str); 9] = [
    ("safe", &["fn", "static", "extern"], ""),
    ("gen", &["fn"], ""),
    ("auto", &["trait"], ""),
    ("~const", &[""], ""),
    ("[const]", &[""], ""),
    ("impl const", &[""], "impl"),
    ("async", &["Fn", "FnMut", "FnOnce"], ""),
    ("for await", &[""], "for"),
    ("become", &[""], "return"),
];

/// `text` as its grammar reads it, if that is not as it is: as long, with the same offsets.
pub(super) fn preprocess(text: &str) -> Option<String> {
    let found = words(text, 0..text.len());
    if found.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for (range, read) in found {
        let place = bytes.get_mut(range)?;
        place.fill(b' ');
        place
            .get_mut(..read.len())?
            .copy_from_slice(read.as_bytes());
    }
    // Only characters of one byte were replaced.
    String::from_utf8(bytes).ok()
}

/// Whether a text needs nothing, as it did before an edit brought some bytes.
pub(super) fn stays_as_written(text: &str, new: Range<usize>) -> bool {
    words(text, lines_around(text, new)).is_empty()
}

/// The words in some lines.
fn words(text: &str, within: Range<usize>) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    let lines = &text[within.clone()];
    for (word, behind, read) in WORDS {
        for at in memchr::memmem::find_iter(lines.as_bytes(), word) {
            let (before, rest) = (&lines[..at], &lines[at + word.len()..]);
            if stands_alone(before, word, rest) && goes_on(rest, behind) {
                let start = within.start + at;
                found.push((start..start + word.len(), read));
            }
        }
    }
    found
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '#' | '"' | '.' | '$')
}

/// Whether it is a word of its own, of a kind that may stand there: behind a bound's sign, or where an item or statement
/// begins.
fn stands_alone(before: &str, word: &str, rest: &str) -> bool {
    let is_bound = matches!(word, "~const" | "[const]" | "async");
    let line = before.rsplit('\n').next().unwrap_or_default();
    let last = line.trim_end().chars().next_back();
    let is_place = if is_bound {
        matches!(last, Some(':' | '+' | '<' | ',' | '('))
            || line.trim_end().ends_with("impl")
            || line.trim_end().ends_with("dyn")
    } else {
        !matches!(last, Some('=' | ':' | ',' | '(' | '<' | '&' | '|'))
    };
    let is_comment = line.contains("//") || line.trim_start().starts_with('*');
    is_place && !is_comment && !before.ends_with(is_part) && !rest.starts_with(is_part)
}

/// Whether one of some words follows on the line, or any name where none is asked for.
fn goes_on(rest: &str, words: &[&str]) -> bool {
    let next = rest.trim_start_matches([' ', '\t']);
    next.len() < rest.len()
        && words.iter().any(|word| match *word {
            "" => next
                .starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '<'),
            word => next
                .strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(is_part)),
        })
}

#[cfg(test)]
mod tests {
    use super::preprocess;

    #[test]
    fn words_that_the_grammar_does_not_know() {
        for (text, shown) in [
            (
                "unsafe extern \"C\" { pub safe fn f(); }",
                "unsafe extern \"C\" { pub      fn f(); }",
            ),
            ("gen fn f() {}", "    fn f() {}"),
            ("pub auto trait A {}", "pub      trait A {}"),
            (
                "fn f<T: ~const A + [const] B>() {}",
                "fn f<T:        A +         B>() {}",
            ),
            ("impl const A for B {}", "impl       A for B {}"),
            (
                "fn f(a: impl async Fn(u8)) {}",
                "fn f(a: impl       Fn(u8)) {}",
            ),
            ("for await a in b {}", "for       a in b {}"),
            ("become f();", "return f();"),
        ] {
            assert_eq!(preprocess(text).as_deref(), Some(shown));
        }
    }

    #[test]
    fn everything_else_is_left_alone() {
        for text in [
            "unsafe fn f() {}",
            "let safe = gen; become = 1;",
            "// a safe fn f",
            "async fn f() {}",
            "let a = async move { become_b() };",
            "impl const_A for B {}",
            "let a = \"safe fn\";",
            "let gen: u8 = 1; let auto = gen;",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }
}
