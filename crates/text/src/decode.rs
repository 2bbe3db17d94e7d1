//! Foreign bytes to UTF-8 text, the way an editor would show them (SPEC P5).

use std::borrow::Cow;

use crate::windows_1252;

/// How a file's bytes were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, valid throughout.
    Utf8,
    /// Meant as UTF-8, with invalid sequences shown as U+FFFD.
    Utf8Lossy,
    /// Windows-1252, which is Latin-1 with signs in the place of control characters.
    Windows1252,
    /// UTF-16, little endian.
    Utf16Le,
    /// UTF-16, big endian.
    Utf16Be,
}

impl Encoding {
    /// What it is called where names of encodings are.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf8Lossy => "utf-8 (damaged)",
            Self::Windows1252 => "windows-1252",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
        }
    }
}

/// A file's text.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text without its byte order mark.
    pub text: Cow<'a, str>,
    /// How it was encoded.
    pub encoding: Encoding,
}

/// The bytes are not text.
#[derive(Debug, PartialEq, Eq)]
pub struct Undecodable;

/// How many bytes are looked at to tell text from binary.
const SNIFF: usize = 8 * 1024;

/// Decodes a file's bytes.
///
/// Byte order marks decide; without one, the regular NULs of UTF-16 text do. Anything else that
/// holds a NUL in its first 8 KiB is binary, as git sees it. What is UTF-8 nowhere and has letters of
/// Windows-1252 in its words is that.
///
/// # Errors
/// [`Undecodable`] for binary content.
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, Undecodable> {
    if let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return decode_utf8(rest);
    }
    match bytes {
        [0xFF, 0xFE, rest @ ..] => return Ok(decode_utf16(rest, Encoding::Utf16Le)),
        [0xFE, 0xFF, rest @ ..] => return Ok(decode_utf16(rest, Encoding::Utf16Be)),
        _ => {}
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return Ok(decode_utf16(bytes, encoding));
    }
    let decoded = decode_utf8(bytes)?;
    if decoded.encoding == Encoding::Utf8Lossy && windows_1252::is_likely(bytes) {
        return Ok(Decoded {
            text: Cow::Owned(windows_1252::decode(bytes)),
            encoding: Encoding::Windows1252,
        });
    }
    Ok(decoded)
}

/// A text as bytes in the encoding of the bytes that it takes the place of, their byte order mark included.
/// `None` where those were no valid text: writing them back would lose what nobody saw.
#[must_use]
pub fn encode_like(text: &str, before: &[u8]) -> Option<Vec<u8>> {
    let utf16 = |mark: &[u8], to_bytes: fn(u16) -> [u8; 2]| {
        let mut out = mark.to_vec();
        out.extend(text.encode_utf16().flat_map(to_bytes));
        out
    };
    let is_lossless = |units: Encoding| {
        let decoded = decode_utf16(&before[before.len() % 2..], units);
        before.len().is_multiple_of(2) && !decoded.text.contains(char::REPLACEMENT_CHARACTER)
    };
    if let Some(rest) = before.strip_prefix(b"\xEF\xBB\xBF") {
        std::str::from_utf8(rest).ok()?;
        return Some([b"\xEF\xBB\xBF", text.as_bytes()].concat());
    }
    match decode(before).ok()?.encoding {
        Encoding::Utf8 => Some(text.as_bytes().to_vec()),
        Encoding::Utf8Lossy => None,
        Encoding::Windows1252 => windows_1252::encode(text),
        units if !is_lossless(units) => None,
        Encoding::Utf16Le if before.starts_with(&[0xFF, 0xFE]) => {
            Some(utf16(&[0xFF, 0xFE], u16::to_le_bytes))
        }
        Encoding::Utf16Le => Some(utf16(&[], u16::to_le_bytes)),
        Encoding::Utf16Be if before.starts_with(&[0xFE, 0xFF]) => {
            Some(utf16(&[0xFE, 0xFF], u16::to_be_bytes))
        }
        Encoding::Utf16Be => Some(utf16(&[], u16::to_be_bytes)),
    }
}

fn decode_utf8(bytes: &[u8]) -> Result<Decoded<'_>, Undecodable> {
    if memchr::memchr(0, &bytes[..bytes.len().min(SNIFF)]).is_some() {
        return Err(Undecodable);
    }
    // Nearly every file is valid: that is seen much faster than how much of one is.
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => Decoded {
            text: Cow::Borrowed(text),
            encoding: Encoding::Utf8,
        },
        Err(_) => Decoded {
            text: String::from_utf8_lossy(bytes),
            encoding: Encoding::Utf8Lossy,
        },
    })
}

fn decode_utf16(bytes: &[u8], encoding: Encoding) -> Decoded<'static> {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| match encoding {
        Encoding::Utf16Be => u16::from_be_bytes(*pair),
        _ => u16::from_le_bytes(*pair),
    });
    let text: String = char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    Decoded {
        text: Cow::Owned(text),
        encoding,
    }
}

/// Source code in UTF-16 is mostly ASCII: every second byte is NUL, and only every second.
fn utf16_without_mark(bytes: &[u8]) -> Option<Encoding> {
    let sample = &bytes[..bytes.len().min(1024) & !1];
    let pairs = sample.len() / 2;
    if pairs < 4 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let nuls = |offset: usize| {
        sample
            .iter()
            .skip(offset)
            .step_by(2)
            .filter(|b| **b == 0)
            .count()
    };
    match (nuls(0), nuls(1)) {
        (0, high) if high * 10 >= pairs * 7 => Some(Encoding::Utf16Le),
        (low, 0) if low * 10 >= pairs * 7 => Some(Encoding::Utf16Be),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| {
                if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect()
    }

    #[test]
    fn marks_are_dropped_and_decide() {
        assert_eq!(decode(b"\xEF\xBB\xBFclass A;").unwrap().text, "class A;");
        let mut little = vec![0xFF, 0xFE];
        little.extend(utf16("class Ä;", false));
        assert_eq!(decode(&little).unwrap().text, "class Ä;");
        let mut big = vec![0xFE, 0xFF];
        big.extend(utf16("class Ä;", true));
        assert_eq!(decode(&big).unwrap().encoding, Encoding::Utf16Be);
    }

    #[test]
    fn utf16_is_recognised_without_a_mark() {
        for big in [false, true] {
            let bytes = utf16("public class Ärger { }\r\n", big);
            let decoded = decode(&bytes).unwrap();
            assert_eq!(decoded.text, "public class Ärger { }\r\n");
        }
    }

    #[test]
    fn a_text_is_written_back_as_it_was_read() {
        let mut little = vec![0xFF, 0xFE];
        little.extend(utf16("class Ä;\r\n", false));
        let mut big = vec![0xFE, 0xFF];
        big.extend(utf16("class Ä;\r\n", true));
        let plain = [
            utf16("class Ärger {}", false),
            utf16("class Ärger {}", true),
        ];
        let utf8 = [b"\xEF\xBB\xBFclass A;".to_vec(), "é".into(), Vec::new()];
        for bytes in [little, big].into_iter().chain(plain).chain(utf8) {
            let text = decode(&bytes).unwrap().text.into_owned();
            assert_eq!(encode_like(&text, &bytes), Some(bytes));
        }
        let latin = b"int \xE9t\xE9; // na\xEFve \x80";
        assert_eq!(encode_like("\u{e9} €", latin), Some(b"\xE9 \x80".to_vec()));
        assert_eq!(encode_like("ł", latin), None);
        assert_eq!(encode_like("x", b"int \xFF x;"), None);
        assert_eq!(encode_like("x", b"\x00\x01"), None);
        assert_eq!(encode_like("x", &[0xFF, 0xFE, 0x00, 0xD8]), None);
    }

    #[test]
    fn binary_is_refused_and_bad_utf8_shown() {
        assert_eq!(decode(b"\x7fELF\0\0\0\x01abc").unwrap_err(), Undecodable);
        let decoded = decode(b"int \xFF x;").unwrap();
        assert_eq!(decoded.text, "int \u{FFFD} x;");
        assert_eq!(decoded.encoding, Encoding::Utf8Lossy);
        assert_eq!(decode(b"").unwrap().text, "");
    }

    #[test]
    fn words_of_latin_1_are_words() {
        let decoded = decode(b"int \xE9t\xE9; // na\xEFve \x80").unwrap();
        assert_eq!(decoded.text, "int été; // naïve €");
        assert_eq!(decoded.encoding.as_str(), "windows-1252");
        // What is UTF-8 anywhere is damaged UTF-8.
        let decoded = decode("é caf\u{e9}".as_bytes()).unwrap();
        assert_eq!(decoded.encoding, Encoding::Utf8);
        let mixed = [b"caf\xE9 ".as_slice(), "é".as_bytes()].concat();
        assert_eq!(decode(&mixed).unwrap().encoding, Encoding::Utf8Lossy);
    }

    #[test]
    fn a_lone_surrogate_becomes_one_replacement() {
        let mut bytes = vec![0xFF, 0xFE];
        bytes.extend(0xD800u16.to_le_bytes());
        bytes.extend(utf16("x", false));
        assert_eq!(decode(&bytes).unwrap().text, "\u{FFFD}x");
    }
}
