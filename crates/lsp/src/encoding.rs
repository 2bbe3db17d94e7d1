//! Position encodings: how the characters of a line are counted (LSP 3.17).

/// The unit in which a client counts characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionEncoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16, which every client knows.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

impl PositionEncoding {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Utf8, "utf-8"),
        (Self::Utf16, "utf-16"),
        (Self::Utf32, "utf-32"),
    ];

    /// The first that a client offers and that is known here; UTF-16 where it offers none.
    #[must_use]
    pub fn negotiate<'a>(offered: impl IntoIterator<Item = &'a str>) -> Self {
        let known = |name: &str| Self::ALL.iter().find(|(_, known)| *known == name);
        let mut offered = offered.into_iter();
        offered
            .find_map(known)
            .map_or_else(Self::default, |(encoding, _)| *encoding)
    }

    /// Its name in the protocol.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let mut all = Self::ALL.iter();
        all.find(|(encoding, _)| *encoding == self)
            .map_or("utf-16", |(_, name)| name)
    }

    fn units(self, letter: char) -> u32 {
        match self {
            Self::Utf8 => letter.len_utf8() as u32,
            Self::Utf16 => letter.len_utf16() as u32,
            Self::Utf32 => 1,
        }
    }

    /// UTF-16 units before a place in a line. A place inside a character means its start, one behind the line its end.
    #[must_use]
    pub fn to_utf16(self, line: &str, character: u32) -> u32 {
        self.convert(line, character, Self::Utf16)
    }

    /// The same in the other direction.
    #[must_use]
    pub fn from_utf16(self, line: &str, units: u32) -> u32 {
        Self::Utf16.convert(line, units, self)
    }

    fn convert(self, line: &str, place: u32, to: Self) -> u32 {
        let (mut here, mut there) = (0, 0);
        for letter in without_break(line).chars() {
            here += self.units(letter);
            if here > place {
                break;
            }
            there += to.units(letter);
        }
        there
    }
}

/// A line without what ends it.
fn without_break(line: &str) -> &str {
    line.trim_end_matches(['\r', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use PositionEncoding::{Utf8, Utf16, Utf32};

    #[test]
    fn the_first_known_offer_is_taken() {
        let negotiate = |offered: &[&str]| PositionEncoding::negotiate(offered.iter().copied());
        assert_eq!(negotiate(&[]), Utf16);
        assert_eq!(negotiate(&["utf-8", "utf-16"]), Utf8);
        assert_eq!(negotiate(&["utf-7", "utf-32", "utf-8"]), Utf32);
        assert_eq!(negotiate(&["utf-7"]), Utf16);
    }

    #[test]
    fn a_place_is_counted_in_the_units_of_the_client() {
        let line = "é𝕏x\r\n";
        assert_eq!(Utf8.to_utf16(line, 6), 3);
        assert_eq!(Utf32.to_utf16(line, 2), 3);
        assert_eq!(Utf8.from_utf16(line, 3), 6);
        // Inside a character, and behind the line.
        assert_eq!(Utf8.to_utf16(line, 4), 1);
        assert_eq!(Utf16.from_utf16(line, 2), 1);
        assert_eq!(Utf8.to_utf16(line, 99), 4);
    }
}
