//! Wildcards in names: `*` stands for any characters, `?` for one (SPEC S1, PK1).

/// Whether `pattern` covers all of `text`. Both are compared as they are; callers who ignore case pass both in lower case.
///
/// `*` stands for any number of characters, none as well, and `?` for exactly one; nothing escapes them. The time is at
/// most the product of the two lengths.
#[must_use]
pub fn wildcard_matches(pattern: &str, text: &str) -> bool {
    if pattern.is_ascii() && text.is_ascii() {
        return covers(pattern.as_bytes(), text.as_bytes(), b'*', b'?');
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    covers(&pattern, &text, '*', '?')
}

/// Where a character does not fit, the last `*` takes one character more. Earlier ones need no second try: what they
/// could take, the last one can take as well.
fn covers<T: Copy + PartialEq>(pattern: &[T], text: &[T], any: T, one: T) -> bool {
    let (mut p, mut t) = (0, 0);
    // The place behind the last `*`, and the first character that it does not take yet.
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match (pattern.get(p), retry) {
            (Some(c), _) if *c == any => {
                p += 1;
                retry = Some((p, t));
            }
            (Some(c), _) if *c == one || *c == text[t] => {
                p += 1;
                t += 1;
            }
            (_, Some((behind, from))) => {
                retry = Some((behind, from + 1));
                (p, t) = (behind, from + 1);
            }
            (_, None) => return false,
        }
    }
    pattern[p..].iter().all(|c| *c == any)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, in the worst case exponential.
    fn matches_naively(pattern: &[char], text: &[char]) -> bool {
        match (pattern, text) {
            ([], text) => text.is_empty(),
            (['*', rest @ ..], text) => {
                (0..=text.len()).any(|taken| matches_naively(rest, &text[taken..]))
            }
            (['?', rest @ ..], [_, text @ ..]) => matches_naively(rest, text),
            ([c, rest @ ..], [first, text @ ..]) => c == first && matches_naively(rest, text),
            (_, []) => false,
        }
    }

    #[test]
    fn stars_and_question_marks_stand_for_characters() {
        for (pattern, text, is_match) in [
            ("get*", "getname", true),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("?", "", false),
            ("g?t*a?e", "getname", true),
            ("get", "getname", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("ä?*", "äöü", true),
            ("ä?", "äöü", false),
            ("?", "ü", true),
            ("**?", "a", true),
            ("*a", "aab", false),
        ] {
            assert_eq!(
                wildcard_matches(pattern, text),
                is_match,
                "{pattern} {text}"
            );
        }
    }

    #[test]
    fn many_stars_stay_cheap() {
        // A search that tries every `*` again takes 2^2000 steps.
        let (pattern, text) = ("*a".repeat(2_000) + "b", "a".repeat(4_000));
        assert!(!wildcard_matches(&pattern, &text));
        assert!(!wildcard_matches(&format!("{pattern}ä"), &text));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn it_agrees_with_the_definition(pattern in "[ab*?]{0,8}", text in "[abä]{0,10}") {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            let wanted = matches_naively(&letters(&pattern), &letters(&text));
            prop_assert_eq!(wildcard_matches(&pattern, &text), wanted);
        }
    }
}
