//! What Java says and its grammar cannot read.
//!
//! An annotation right before the dots of a parameter that takes any number (`T @NonNull ... rest`) is the type's. The
//! grammar takes the first dot for one of the annotation's name and loses the parameters. Blanks in its place keep every
//! offset.

use std::ops::Range;

/// `text` without what its grammar stumbles over, if there is anything: as long, with the same offsets.
pub(super) fn preprocess(text: &str) -> Option<String> {
    let dots = memchr::memmem::find_iter(text.as_bytes(), "...");
    let blanked: Vec<Range<usize>> = dots.filter_map(|at| annotations(text, at)).collect();
    if blanked.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for range in blanked {
        bytes.get_mut(range)?.fill(b' ');
    }
    // Only characters of one byte were replaced.
    String::from_utf8(bytes).ok()
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
    fn everything_else_is_left_alone() {
        for text in [
            "void f(@NonNull String... rest) {}",
            "/**\n * @param rest @see more ... rest)\n */",
            "// f(T @NonNull ... rest)",
            "f(\"mail me @home ... soon\")",
            "void f(@A(1) String @B(2) ... rest) {}",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }
}
