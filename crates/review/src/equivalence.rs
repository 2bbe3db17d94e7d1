//! Whether a function does the same in two versions, whatever the things are called that it uses.

use std::sync::LazyLock;

use codecortex_syntax::Language;
use regex::Regex;
use rustc_hash::FxHashSet;

/// An annotation of a variable in Python: `total: int = 1`.
static ANNOTATION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^(\s*[\w.]+)\s*:\s*[^=\n(]+=").ok());

/// Whether two texts differ only in names that are `gone` after a change, in white space, and in types that nobody checks.
/// What takes the place of a name that is gone is that name's other one.
#[must_use]
pub(crate) fn does_the_same(
    before: &str,
    after: &str,
    gone: &FxHashSet<&str>,
    language: Option<Language>,
) -> bool {
    let is_python = language.is_some_and(|language| language.info().id == "python");
    let plain = |text: &str| match ANNOTATION.as_ref().filter(|_| is_python) {
        Some(annotation) => annotation.replace_all(text, "$1 =").into_owned(),
        None => text.to_owned(),
    };
    let (before, after) = (plain(before), plain(after));
    let (was, is) = (words(&before), words(&after));
    let is_same = |(was, is): (&&str, &&str)| was == is || gone.contains(was) && is_name(is);
    was.len() == is.len() && was.iter().zip(&is).all(is_same)
}

/// Words and signs of a text.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let is_part = c.is_alphanumeric() || c == '_' || c == '$';
        if is_part {
            start.get_or_insert(at);
            continue;
        }
        found.extend(start.take().and_then(|start| text.get(start..at)));
        if !c.is_whitespace() {
            found.extend(text.get(at..at + c.len_utf8()));
        }
    }
    found.extend(start.and_then(|start| text.get(start..)));
    found
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_syntax::language_of_path;

    #[test]
    fn other_names_of_what_is_gone_do_the_same() {
        let gone: FxHashSet<&str> = ["asList"].into_iter().collect();
        let same = |path: &str, before: &str, after: &str| {
            does_the_same(before, after, &gone, language_of_path(path))
        };
        assert!(same("a.go", "x(a.asList(), 1)", "x(a.AsList(),\n\t1)"));
        assert!(!same("a.go", "x(a.add(), 1)", "x(a.sub(), 1)"));
        assert!(!same("a.go", "x(a.asList(), 1)", "x(a.AsList(), 2)"));
        assert!(!same("a.go", "x(a.asList())", "x(1())"));
        assert!(same("a.py", "self.n: int = 1\n", "self.n = 1\n"));
        assert!(!same("a.py", "n: int = 1\n", "n = 2\n"));
    }
}
