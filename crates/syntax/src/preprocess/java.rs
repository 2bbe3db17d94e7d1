//! What Java says and its grammar cannot read. What stands in its place is as long and keeps every offset.
//!
//! - An annotation right before the dots of a parameter that takes any number (`T @NonNull ... rest`) is the type's. The
//!   grammar takes the first dot for one of the annotation's name and loses the parameters.
//! - Several patterns of one `case`: [`labels`].
//! - `value` before `class` and `record` (JEP 401), and `module` behind `import` (Java 25), are words that it does not
//!   know.

use std::ops::Range;

mod labels;

/// `text` without what its grammar stumbles over, if there is anything: as long, with the same offsets.
pub(super) fn preprocess(text: &str) -> Option<String> {
    let dots = memchr::memmem::find_iter(text.as_bytes(), "...");
    let blanked = dots.filter_map(|at| annotations(text, at));
    let blanked = blanked
        .chain(value_modifiers(text))
        .chain(module_words(text));
    let mut edits: Vec<labels::LabelEdit> = blanked.map(|range| (range, "")).collect();
    labels::edits(text, &mut edits);
    if edits.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for (range, read) in edits {
        let place = bytes.get_mut(range)?;
        place.fill(b' ');
        place
            .get_mut(..read.len())?
            .copy_from_slice(read.as_bytes());
    }
    // Only characters of one byte were replaced.
    String::from_utf8(bytes).ok()
}

/// Words that may stand between `value` and the word of the type that it is said of.
const MODIFIERS: [&str; 9] = [
    "abstract",
    "final",
    "sealed",
    "non-sealed",
    "static",
    "public",
    "protected",
    "private",
    "strictfp",
];

/// The words `value` that say that a class or record has no identity.
fn value_modifiers(text: &str) -> impl Iterator<Item = Range<usize>> {
    let all = memchr::memmem::find_iter(text.as_bytes(), "value");
    all.filter_map(|at| {
        let (before, rest) = (&text[..at], &text[at + "value".len()..]);
        let is_part = |next: char| next.is_alphanumeric() || "_$.".contains(next);
        let is_declared = rest.starts_with(char::is_whitespace) && says_type(rest);
        (is_declared && !before.ends_with(is_part)).then_some(at..at + "value".len())
    })
}

/// Whether `class` or `record` with a name follows, behind other modifiers or not.
fn says_type(rest: &str) -> bool {
    let mut words = rest.split_ascii_whitespace();
    let word = words
        .by_ref()
        .take(8)
        .find(|word| !MODIFIERS.contains(word));
    let is_type = matches!(word, Some("class" | "record"));
    let name = words.next().and_then(|name| name.chars().next());
    is_type && name.is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '$'))
}

/// The words `module` of imports.
fn module_words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let all = memchr::memmem::find_iter(text.as_bytes(), "import module ");
    all.filter_map(|at| {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let start = at + "import ".len();
        let name = text[start + "module ".len()..].trim_start();
        let is_named =
            name.starts_with(|first: char| first.is_alphabetic() || "_$".contains(first));
        let is_first = line.trim().is_empty() || line.trim_end().ends_with(';');
        (is_first && is_named).then_some(start..start + "module".len())
    })
}

/// Annotations without arguments that stand between a type and the dots at a place, if a parameter's name follows.
fn annotations(text: &str, dots: usize) -> Option<Range<usize>> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let (before, after) = (text.get(..dots)?, text.get(dots + 3..)?.trim_start());
    let name = after.trim_start_matches(|next: char| next.is_alphanumeric() || "_$".contains(next));
    if name.len() == after.len() || !name.trim_start().starts_with([')', ',']) || in_comment(before)
    {
        return None;
    }
    let mut start = dots;
    loop {
        let rest = text[..start].trim_end();
        let name = rest.trim_end_matches(|next: char| u8::try_from(next).is_ok_and(is_name));
        match name.strip_suffix('@') {
            Some(outer) if name.len() < rest.len() => start = outer.len(),
            _ => break,
        }
    }
    // Without a type before it, it is one of the parameter's own.
    let ends_type = |last: char| last.is_alphanumeric() || matches!(last, '_' | '$' | '>' | ']');
    let is_behind_type = text[..start].trim_end().ends_with(ends_type);
    (start < dots && is_behind_type).then_some(start..dots)
}

/// Whether a line so far is one of a comment.
fn in_comment(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or("").trim_start();
    line.starts_with('*') || line.contains("//") || line.contains("/*")
}

#[cfg(test)]
mod tests {
    use super::preprocess;

    #[test]
    fn an_annotation_before_the_dots_is_none_of_the_grammar_s() {
        for (text, shown) in [
            (
                "void f(List<T> @NonNull ... rest) {}",
                "void f(List<T>          ... rest) {}",
            ),
            (
                "void f(int[] @A @b.C... rest ) {}",
                "void f(int[]        ... rest ) {}",
            ),
        ] {
            assert_eq!(preprocess(text).as_deref(), Some(shown));
        }
    }

    #[test]
    fn several_patterns_are_parts_of_the_first() {
        for (text, shown) in [
            ("case A _, B _ -> 1;", "case A<   B>_ -> 1;"),
            (
                "case A<X> _, b.C<Y> _ when c -> 1;",
                "case A<X   , b.C<Y>>_ when c -> 1;",
            ),
            ("case A _, B _, C _: f();", "case A<   B  , C>_: f();"),
            (
                "case A(_, B _), C(var _) -> 1;",
                "case A(_, B _ , C(var _))-> 1;",
            ),
            ("case A _, B(_) -> 1;", "case A(   B(_))-> 1;"),
            ("case A(), B _ -> 1;", "case A(   B _)-> 1;"),
        ] {
            assert_eq!(preprocess(text).as_deref(), Some(shown));
        }
    }

    #[test]
    fn words_that_the_grammar_does_not_know() {
        for (text, shown) in [
            ("value record P(int x) {}", "      record P(int x) {}"),
            (
                "public value abstract class V {}",
                "public       abstract class V {}",
            ),
            ("import module java.base;", "import        java.base;"),
        ] {
            assert_eq!(preprocess(text).as_deref(), Some(shown));
        }
    }

    #[test]
    fn everything_else_is_left_alone() {
        for text in [
            "void f(@NonNull String... rest) {}",
            "/**\n * @param rest @see more ... rest)\n */",
            "// f(T @NonNull ... rest)",
            "f(\"mail me @home ... soon\")",
            "void f(@A(1) String @B(2) ... rest) {}",
            "int value = 1; value = classOf(value);",
            "case 1, 2 -> f(_a, b_);",
            "case A _ -> 1;",
            "case A, B -> 1;",
            "case A(var x), B -> 1;",
            "case \"a, _\", X _ -> 1;",
            "import module.base.A;",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }
}
