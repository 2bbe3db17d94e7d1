//! Names in lower case, the masks of their letters, and where their camel-case words start.

/// A text without its case, ASCII quickly: what differs in case alone becomes the same in every script.
pub(crate) fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            // Lower case only: in upper case they are other letters.
            'ς' => folded.push('σ'),
            'ß' => folded.push_str("ss"),
            // The dot of `İ`, which an `i` has anyway.
            '\u{307}' if folded.ends_with('i') => {}
            c => folded.push(c),
        }
    }
    folded
}

/// The letter in lower case; of the few that become several, the first.
pub(crate) fn lower_char(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        c.to_lowercase().next().unwrap_or(c)
    }
}

/// The mask of the letters that start camel-case words of a name.
pub(crate) fn word_starts(name: &str) -> u64 {
    // Nearly all names are plain, and a start looks at all of them.
    match name.is_ascii() {
        true => starts_of(name.bytes().map(char::from)),
        false => starts_of(name.chars()),
    }
}

fn starts_of(letters: impl Iterator<Item = char>) -> u64 {
    let mut before = None;
    let mut letters = letters.peekable();
    let mut starts = 0;
    while let Some(c) = letters.next() {
        if starts_word(before, c, letters.peek().copied()) {
            starts |= if c.is_ascii() {
                bit(c.to_ascii_lowercase() as u8)
            } else {
                bit(0)
            };
        }
        before = Some(c);
    }
    starts
}

/// A bit for each letter and digit that occurs in a lower-case name, one for everything else.
pub(crate) fn mask(lower: &str) -> u64 {
    lower.bytes().fold(0, |mask, byte| mask | bit(byte))
}

fn bit(lower: u8) -> u64 {
    1 << match lower {
        b'a'..=b'z' => lower - b'a',
        b'0'..=b'9' => 26 + lower - b'0',
        b'_' => 36,
        _ => 37,
    }
}

/// Whether a letter starts a camel-case word, by the letters around it.
pub(crate) fn starts_word(before: Option<char>, c: char, after: Option<char>) -> bool {
    let Some(before) = before else {
        return true;
    };
    c.is_uppercase() && (!before.is_uppercase() || after.is_some_and(char::is_lowercase))
        || c.is_alphanumeric() && !before.is_alphanumeric()
        || c.is_numeric() && !before.is_numeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_in_case_alone_is_the_same() {
        for (a, b) in [
            ("PRÜFT", "prüft"),
            ("СЕССИЮ", "сессию"),
            ("ΟΔΟΣ", "οδός".replace('ό', "ο").as_str()),
            ("STRASSE", "Straße"),
            ("ẞ", "ß"),
            ("İSTANBUL", "istanbul"),
            ("ԲԱՐԵՎ", "բարեվ"),
            ("ႠႡ", "ⴀⴁ"),
            ("最短", "最短"),
        ] {
            assert_eq!(lower(a), lower(b), "{a} {b}");
        }
    }
}
