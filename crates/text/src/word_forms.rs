//! Forms of one word: what it is cut to in names (`auth`, `tmp`), and what it becomes with another ending.
//!
//! A rule and no list of words: names of every trade cut words in the same two ways, at the end or at the vowels.

/// Endings that make one word of another in English, the empty one among them.
const ENDINGS: [&str; 38] = [
    "", "able", "al", "ally", "ance", "ant", "ation", "e", "ed", "ence", "ent", "er", "ers", "es",
    "ful", "ible", "ic", "ing", "ings", "ion", "ions", "isation", "ise", "iser", "ity", "ive",
    "ization", "ize", "izer", "less", "ly", "ment", "ness", "or", "ors", "ous", "s", "ure",
];

/// Letters of the part that two forms of a word have in common.
const LEAST_STEM: usize = 4;

/// Whether two words, both in lower case, are forms of one: the one cut short, or the same with another ending.
///
/// ```
/// # use codecortex_text::are_forms;
/// assert!(are_forms("auth", "authentication") && are_forms("temporary", "tmp"));
/// assert!(are_forms("deletion", "delete") && !are_forms("delta", "delete"));
/// ```
#[must_use]
pub fn are_forms(a: &str, b: &str) -> bool {
    let is_plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    if a == b || !is_plain(a) || !is_plain(b) {
        return a == b;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    is_cut(short, long) || has_other_ending(short, long)
}

/// Whether a word is of a script that writes none of its spaces: Chinese, Japanese, Korean.
#[must_use]
pub fn is_unspaced(word: &str) -> bool {
    word.chars()
        .any(|c| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'))
}

/// Whether a word is another one cut short: its beginning, or without its vowels and some of its consonants.
fn is_cut(short: &str, long: &str) -> bool {
    if short.len() < 2 || long.len() < short.len() + 2 {
        return false;
    }
    let is_beginning = short.len() > 2 && long.starts_with(short);
    is_beginning || is_without_vowels(short.as_bytes(), long.as_bytes())
}

/// `tmp` of `temporary`, `db` of `database`, `rm` of `remove`.
fn is_without_vowels(short: &[u8], long: &[u8]) -> bool {
    let ([first, rest @ ..], [other, behind @ ..]) = (short, long) else {
        return false;
    };
    let is_vowel = |byte: &u8| b"aeiou".contains(byte);
    let least = if short.len() == 2 { 4 } else { short.len() + 2 };
    if first != other || short.len() > 4 || long.len() < least || rest.iter().any(is_vowel) {
        return false;
    }
    // Two letters say little: `it` is a word, and the second is the next consonant, or the word is long.
    if let [second] = rest {
        let next = behind.iter().find(|byte| !is_vowel(byte));
        if is_vowel(first) || (long.len() < 7 && next != Some(second)) {
            return false;
        }
    }
    let mut left = behind.iter();
    rest.iter().all(|wanted| left.any(|byte| byte == wanted))
}

/// `delete` and `deletion`, `configure` and `configuration`.
fn has_other_ending(short: &str, long: &str) -> bool {
    let common = short
        .bytes()
        .zip(long.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let is_ending = |rest: &str| ENDINGS.binary_search(&rest).is_ok();
    (LEAST_STEM..=common).any(|stem| is_ending(&short[stem..]) && is_ending(&long[stem..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_known_both_ways() {
        for (a, b) in [
            ("auth", "authentication"),
            ("auth", "authorization"),
            ("authenticate", "authentication"),
            ("db", "database"),
            ("rm", "remove"),
            ("tmp", "temporary"),
            ("temp", "temporary"),
            ("init", "initialize"),
            ("initialise", "initialisation"),
            ("dir", "directory"),
            ("cfg", "config"),
            ("msg", "message"),
            ("btn", "button"),
            ("ctx", "context"),
            ("idx", "index"),
            ("repo", "repository"),
            ("delete", "deletion"),
            ("parse", "parser"),
            ("removal", "remove"),
            ("connect", "connection"),
        ] {
            assert!(are_forms(a, b) && are_forms(b, a), "{a} {b}");
        }
    }

    #[test]
    fn words_that_only_look_alike_are_none() {
        for (a, b) in [
            ("car", "care"),
            ("in", "insert"),
            ("rm", "random"),
            ("it", "initialize"),
            ("delta", "delete"),
            ("general", "generate"),
            ("cat", "tac"),
            ("tmp", "stamp"),
            ("a", "apple"),
            ("parse", "purse"),
            ("größe", "gr"),
        ] {
            assert!(!are_forms(a, b), "{a} {b}");
        }
        assert!(ENDINGS.is_sorted());
    }
}
