//! Windows-1252: what old sources in languages of western Europe are written in, Latin-1 included.

/// The characters of the bytes 0x80 to 0x9F; those that stand for none are as in Latin-1.
const SIGNS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Whether bytes that are no valid UTF-8 are likely of it: nothing in them is UTF-8 beyond ASCII, and a letter stands in
/// a word of ASCII letters.
pub(crate) fn is_likely(bytes: &[u8]) -> bool {
    let has_utf8 = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let is_in_word = |at: usize| {
        let is_letter = |at: Option<usize>| {
            let byte = at.and_then(|at| bytes.get(at));
            byte.is_some_and(u8::is_ascii_alphabetic)
        };
        of_byte(bytes[at]).is_alphabetic()
            && (is_letter(at.checked_sub(1)) || is_letter(Some(at + 1)))
    };
    let mut high = (0..bytes.len()).filter(|at| !bytes[*at].is_ascii());
    !has_utf8 && high.any(is_in_word)
}

fn of_byte(byte: u8) -> char {
    match byte {
        0x80..=0x9F => SIGNS[usize::from(byte - 0x80)],
        byte => char::from(byte),
    }
}

/// The text of bytes, each of which is a character.
pub(crate) fn decode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| of_byte(*byte)).collect()
}

/// The bytes of a text; `None` where a character has none.
pub(crate) fn encode(text: &str) -> Option<Vec<u8>> {
    text.chars().map(to_byte).collect()
}

fn to_byte(char: char) -> Option<u8> {
    if let Some(sign) = SIGNS.iter().position(|sign| *sign == char) {
        return Some(0x80 + sign as u8);
    }
    // The control characters of Latin-1 have no bytes here but for those among the signs.
    let byte = u8::try_from(u32::from(char)).ok();
    byte.filter(|byte| !(0x80..=0x9F).contains(byte))
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn every_byte_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(encode(&decode(&all)), Some(all));
        assert_eq!(encode("\u{85}"), None);
    }
}
