//! How a name fits what is searched for: letter by letter, by its humps, or with letters wrong.

use crate::index::{lower, mask};
use crate::search::HitKind;

/// Humps of longer names are not looked at beyond this many characters.
const LONGEST_HUMPED: usize = 128;

/// The name that is searched for, with what speeds up refusals.
pub(crate) struct Wanted {
    text: String,
    lower: String,
    mask: u64,
    /// The mask of the first letter.
    first: u64,
    length: usize,
    /// Letters that may be wrong.
    allowed: usize,
    humps: Humps,
}

impl Wanted {
    pub(crate) fn new(text: &str) -> Self {
        let lower = lower(text);
        let length = lower.chars().count();
        Self {
            text: text.to_owned(),
            mask: mask(&lower),
            first: lower
                .chars()
                .next()
                .map_or(0, |c| mask(c.encode_utf8(&mut [0; 4]))),
            length,
            allowed: match length {
                0..4 => 0,
                4..6 => 1,
                _ => 2,
            },
            humps: Humps::new(&lower),
            lower,
        }
    }

    /// How a lower-case name fits, whose letters are in `mask`; humps are judged by
    /// [`Wanted::kind_as_written`].
    pub(crate) fn kind(&self, name: &str, mask: u64) -> Option<HitKind> {
        if self.mask & !mask == 0 {
            if name == self.lower {
                return Some(HitKind::ExactIgnoringCase);
            } else if name.starts_with(&self.lower) {
                return Some(HitKind::Prefix);
            } else if self.length >= 2 && name.contains(&self.lower) {
                return Some(HitKind::Substring);
            }
        }
        self.is_near(name, mask).then_some(HitKind::Fuzzy)
    }

    /// Whether a lower-case name can be meant by its humps: the first letter starts one, and all
    /// letters are there, in order.
    pub(crate) fn may_be_humps_of(&self, name: &str, letters: u64, humps: u64) -> bool {
        if self.length < 2 || self.mask & !letters != 0 || self.first & !humps != 0 {
            return false;
        }
        let mut rest = name.chars();
        self.humps
            .wanted
            .iter()
            .all(|wanted| rest.any(|letter| letter == *wanted))
    }

    /// How a name fits as it is written, when its lower case fits as `kind`.
    pub(crate) fn kind_as_written(
        &mut self,
        kind: Option<HitKind>,
        may_be_humps: bool,
        name: &str,
    ) -> Option<HitKind> {
        if kind == Some(HitKind::ExactIgnoringCase) && name == self.text {
            Some(HitKind::Exact)
        } else if may_be_humps && self.humps.fit(name) {
            Some(HitKind::Hump)
        } else {
            kind
        }
    }

    fn is_near(&self, name: &str, mask: u64) -> bool {
        let allowed = self.allowed as u32;
        // A wrong letter can take one of the letters away and bring another in.
        allowed > 0
            && (self.mask & !mask).count_ones() <= allowed
            && (mask & !self.mask).count_ones() <= allowed
            && name.len().abs_diff(self.lower.len()) <= self.allowed
            && strsim::osa_distance(&self.lower, name) <= self.allowed
    }
}

/// Looks for the wanted letters in the humps of names: in order, starts of humps or what follows
/// them. A set of places in a name is a number with a bit for each.
struct Humps {
    wanted: Vec<char>,
    /// The letters of the name looked at last, in lower case.
    letters: Vec<char>,
}

impl Humps {
    fn new(lower: &str) -> Self {
        Self {
            wanted: lower.chars().collect(),
            letters: Vec::new(),
        }
    }

    fn fit(&mut self, name: &str) -> bool {
        let starts = self.read(name);
        let Some((first, rest)) = self.wanted.split_first() else {
            return false;
        };
        if rest.is_empty() {
            return false;
        }
        // Every place where the letters so far can end.
        let mut ends = self.places(*first) & starts;
        for letter in rest {
            if ends == 0 {
                return false;
            }
            // The next letter follows directly, or starts any later hump.
            let after_first = (u128::MAX << ends.trailing_zeros()) << 1;
            ends = self.places(*letter) & (ends << 1 | starts & after_first);
        }
        ends != 0
    }

    /// Takes in a name; gives where its humps start.
    fn read(&mut self, name: &str) -> u128 {
        self.letters.clear();
        let mut starts = 0;
        let mut before = None;
        let mut characters = name.chars().take(LONGEST_HUMPED).peekable();
        while let Some(c) = characters.next() {
            if starts_hump(before, c, characters.peek().copied()) {
                starts |= 1u128 << self.letters.len();
            }
            self.letters.push(lower_char(c));
            before = Some(c);
        }
        starts
    }

    fn places(&self, wanted: char) -> u128 {
        let places = self.letters.iter().enumerate();
        places.fold(0, |places, (at, letter)| {
            places | u128::from(*letter == wanted) << at
        })
    }
}

pub(crate) fn starts_hump(before: Option<char>, c: char, after: Option<char>) -> bool {
    let Some(before) = before else {
        return true;
    };
    c.is_uppercase() && (!before.is_uppercase() || after.is_some_and(char::is_lowercase))
        || c.is_alphanumeric() && !before.is_alphanumeric()
        || c.is_numeric() && !before.is_numeric()
}

/// The letter in lower case; of the few that become several, the first.
fn lower_char(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        c.to_lowercase().next().unwrap_or(c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::hump_mask;

    fn is_humps(name: &str, wanted: &str) -> bool {
        let mut wanted = Wanted::new(wanted);
        let lower = lower(name);
        let may = wanted.may_be_humps_of(&lower, mask(&lower), hump_mask(name));
        let fits = wanted.kind_as_written(None, true, name).is_some();
        assert!(may || !fits, "{name} was refused too early");
        fits
    }

    #[test]
    fn humps() {
        for wanted in ["NS", "ns", "noSt", "NodeSt", "nodestore"] {
            assert!(is_humps("NodeStore", wanted), "{wanted}");
        }
        assert!(is_humps("parse_http_header", "phh") && is_humps("HTTPServer", "hs"));
        assert!(is_humps("XMLHttpRequest2", "xhr2") && !is_humps("NodeStore", "os"));
        assert!(!is_humps("Anode", "ns") && !is_humps("NodeStore", "n"));
        assert!(is_humps("ÄhreÖl", "äö") && !is_humps("NodeStore", ""));
    }

    #[test]
    fn humps_of_a_name_of_repetitions_are_found_at_once() {
        let name = "a_".repeat(60);
        assert!(is_humps(&name, &"a".repeat(60)));
        assert!(!is_humps(&name, &format!("{}b", "a".repeat(50))));
    }

    #[test]
    fn kinds() {
        let kind = |wanted: &str, name: &str| Wanted::new(wanted).kind(name, mask(name));
        assert_eq!(kind("Store", "store"), Some(HitKind::ExactIgnoringCase));
        assert_eq!(kind("Sto", "store"), Some(HitKind::Prefix));
        assert_eq!(kind("tor", "store"), Some(HitKind::Substring));
        assert_eq!(kind("Stroe", "store"), Some(HitKind::Fuzzy));
        assert_eq!(kind("NodeStrxe", "nodestore"), Some(HitKind::Fuzzy));
        assert_eq!(kind("NodeXtrxy", "nodestore"), None);
        assert_eq!(kind("Stx", "sto"), None);
    }
}
