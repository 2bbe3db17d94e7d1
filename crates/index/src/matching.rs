//! How a name fits what is searched for: letter by letter, by its camel-case words, or with letters wrong.

use codecortex_text::are_forms;

use crate::fold::{lower, lower_char, mask, starts_word};

/// How a symbol was found, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HitKind {
    /// The name, letter by letter.
    Exact,
    /// The name in another case.
    ExactIgnoringCase,
    /// The words of the name, all of them in their order, however they are written.
    AllWords,
    /// Words of the name, of several that were asked for.
    Words,
    /// The name's start.
    Prefix,
    /// The starts of the name's camel-case words: `NS` or `nodSt` for `NodeStore`.
    CamelCase,
    /// A part of the name.
    Substring,
    /// The name with at most two letters wrong.
    Fuzzy,
    /// Other forms of the name's words: cut short, or with another ending.
    Form,
    /// Some of the words of the name, or else of the text, of several that were asked for.
    SomeWords,
    /// The documentation.
    Documentation,
}

impl HitKind {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact | Self::ExactIgnoringCase => "exact",
            Self::AllWords | Self::Words => "words",
            Self::Prefix => "prefix",
            Self::CamelCase => "camelHump",
            Self::Substring => "substring",
            Self::Fuzzy => "fuzzy",
            Self::Form => "form",
            Self::SomeWords => "someWords",
            Self::Documentation => "documentation",
        }
    }
}

/// Camel-case words of longer names are not looked at beyond this many characters.
const MAX_CAMEL_LENGTH: usize = 128;

/// The name that is searched for, with what speeds up refusals.
pub(crate) struct NameQuery {
    text: String,
    lower: String,
    mask: u64,
    /// The mask of the first letter.
    first: u64,
    length: usize,
    /// Letters that may be wrong.
    allowed: usize,
    camel: CamelMatcher,
}

impl NameQuery {
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
            camel: CamelMatcher::new(&lower),
            lower,
        }
    }

    /// How a lower-case name fits, whose letters are in `mask`; camel-case words are
    /// judged by [`NameQuery::kind_as_written`].
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

    /// Whether a lower-case name can be meant by its camel-case words: the first letter starts
    /// one, and all letters are there, in order.
    pub(crate) fn may_match_word_starts(&self, name: &str, letters: u64, starts: u64) -> bool {
        if self.length < 2 || self.mask & !letters != 0 || self.first & !starts != 0 {
            return false;
        }
        let mut rest = name.chars();
        self.camel
            .wanted
            .iter()
            .all(|wanted| rest.any(|letter| letter == *wanted))
    }

    /// How a name fits as it is written, when its lower case fits as `kind`.
    pub(crate) fn kind_as_written(
        &mut self,
        kind: Option<HitKind>,
        may_be_camel: bool,
        name: &str,
    ) -> Option<HitKind> {
        if kind == Some(HitKind::ExactIgnoringCase) && name == self.text {
            Some(HitKind::Exact)
        } else if may_be_camel && self.camel.fit(name) {
            Some(HitKind::CamelCase)
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

/// Words that a name is to be made of.
pub(crate) struct WantedWords {
    words: Vec<String>,
    mask: u64,
    /// Whether they are a name as somebody writes names: the words of it stand together and are whole.
    is_name: bool,
}

impl WantedWords {
    /// Of words as somebody wrote them, each of which starts a word of the name, in any order; none where there is one
    /// alone, or one that is no word.
    pub(crate) fn of_words(words: &[&str]) -> Option<Self> {
        let is_word = |word: &&str| word.chars().all(|c| c.is_alphanumeric());
        if words.len() < 2 || !words.iter().all(is_word) {
            return None;
        }
        Some(Self::new(
            words.iter().map(|word| lower(word)).collect(),
            false,
        ))
    }

    /// Of a name in any of the ways in which names are written: `url_for`, `url-for`, `urlFor`, `URL_FOR`. None where it is
    /// one word.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let words = split_name(name);
        (words.len() > 1).then(|| Self::new(words, true))
    }

    fn new(words: Vec<String>, is_name: bool) -> Self {
        let mask = words.iter().fold(0, |all, word| all | mask(word));
        Self {
            words,
            mask,
            is_name,
        }
    }

    /// Whether a lower-case name has all of them, whose letters are in `mask`.
    pub(crate) fn may_be_in(&self, name: &str, mask: u64) -> bool {
        self.mask & !mask == 0 && self.words.iter().all(|word| name.contains(word.as_str()))
    }

    /// How a name as it is written has all of them, if it does.
    pub(crate) fn kind(&self, name: &str) -> Option<HitKind> {
        let parts = split_name(name);
        if parts.concat() == self.words.concat() {
            return Some(HitKind::AllWords);
        }
        let are_in = match self.is_name {
            true => parts.windows(self.words.len()).any(|run| run == self.words),
            false => {
                let tails = words_of(name);
                let starts =
                    |word: &String| tails.iter().any(|part| part.starts_with(word.as_str()));
                self.words.iter().all(starts)
            }
        };
        are_in.then_some(HitKind::Words)
    }
}

/// Whether a name has a form of each of these words, which are in lower case.
pub(crate) fn has_forms(name: &str, words: &[String]) -> bool {
    let parts = split_name(name);
    words
        .iter()
        .all(|word| parts.iter().any(|part| are_forms(part, word)))
}

/// The words of a name in lower case: `url_for` has `url` and `for`, `HTTPServer2` has `http`, `server` and `2`.
pub(crate) fn split_name(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    let mut letters = name.chars().take(MAX_CAMEL_LENGTH).peekable();
    while let Some(c) = letters.next() {
        if c.is_alphanumeric() {
            let starts = starts_word(before, c, letters.peek().copied());
            match words.last_mut().filter(|_| !starts) {
                Some(word) => word.push(c),
                None => words.push(c.to_string()),
            }
        }
        before = Some(c);
    }
    words.iter().map(|word| lower(word)).collect()
}

/// The words of a name in lower case, each with what follows it up to the next sign that is no letter: `url_for` has `url`
/// and `for`, `HTTPServer` has `httpserver` and `server`.
fn words_of(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().take(MAX_CAMEL_LENGTH).collect();
    let starts = (0..letters.len()).filter(|at| {
        let before = at.checked_sub(1).map(|at| letters[at]);
        letters[*at].is_alphanumeric()
            && starts_word(before, letters[*at], letters.get(at + 1).copied())
    });
    starts
        .map(|at| {
            let rest = letters[at..].iter().take_while(|c| c.is_alphanumeric());
            rest.flat_map(|c| c.to_lowercase()).collect()
        })
        .collect()
}

/// Looks for the wanted letters in the camel-case words of names: in order, starts of words or what
/// follows them. A set of places in a name is a number with a bit for each.
struct CamelMatcher {
    wanted: Vec<char>,
    /// The letters of the name looked at last, in lower case.
    letters: Vec<char>,
}

impl CamelMatcher {
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
            // The next letter follows directly, or starts any later word.
            let after_first = (u128::MAX << ends.trailing_zeros()) << 1;
            ends = self.places(*letter) & (ends << 1 | starts & after_first);
        }
        ends != 0
    }

    /// Takes in a name; gives where its camel-case words start.
    fn read(&mut self, name: &str) -> u128 {
        self.letters.clear();
        let mut starts = 0;
        let mut before = None;
        let mut characters = name.chars().take(MAX_CAMEL_LENGTH).peekable();
        while let Some(c) = characters.next() {
            if starts_word(before, c, characters.peek().copied()) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::word_starts;

    fn matches_camel(name: &str, wanted: &str) -> bool {
        let mut wanted = NameQuery::new(wanted);
        let lower = lower(name);
        let may = wanted.may_match_word_starts(&lower, mask(&lower), word_starts(name));
        let fits = wanted.kind_as_written(None, true, name).is_some();
        assert!(may || !fits, "{name} was refused too early");
        fits
    }

    #[test]
    fn camel_case_words() {
        for wanted in ["NS", "ns", "noSt", "NodeSt", "nodestore"] {
            assert!(matches_camel("NodeStore", wanted), "{wanted}");
        }
        assert!(matches_camel("parse_http_header", "phh") && matches_camel("HTTPServer", "hs"));
        assert!(matches_camel("XMLHttpRequest2", "xhr2") && !matches_camel("NodeStore", "os"));
        assert!(!matches_camel("Anode", "ns") && !matches_camel("NodeStore", "n"));
        assert!(matches_camel("ÄhreÖl", "äö") && !matches_camel("NodeStore", ""));
    }

    #[test]
    fn camel_case_words_of_a_name_of_repetitions_are_found_at_once() {
        let name = "a_".repeat(60);
        assert!(matches_camel(&name, &"a".repeat(60)));
        assert!(!matches_camel(&name, &format!("{}b", "a".repeat(50))));
    }

    #[test]
    fn a_name_is_found_in_every_way_in_which_names_are_written() {
        let ways = [
            "get_profile_info",
            "get-profile-info",
            "getProfileInfo",
            "GetProfileInfo",
            "GET_PROFILE_INFO",
        ];
        for wanted in ways {
            let words = WantedWords::of_name(wanted).unwrap();
            for name in [
                "getProfileInfo",
                "get_profile_info",
                "GET_PROFILE_INFO",
                "GetProfileInfo",
            ] {
                assert!(words.may_be_in(&lower(name), mask(&lower(name))));
                assert_eq!(words.kind(name), Some(HitKind::AllWords), "{wanted} {name}");
            }
            for name in [
                "getProfileInfoV2",
                "do_get_profile_info",
                "TestGetProfileInfo",
            ] {
                assert_eq!(words.kind(name), Some(HitKind::Words), "{wanted} {name}");
            }
            for name in ["getInfoProfile", "getProfilesInfo", "getProfile"] {
                assert_eq!(words.kind(name), None, "{wanted} {name}");
            }
        }
        assert!(WantedWords::of_name("profile").is_none() && WantedWords::of_name("NS").is_none());
        let joined = WantedWords::of_name("file_name").unwrap();
        assert_eq!(joined.kind("filename"), Some(HitKind::AllWords));
    }

    #[test]
    fn names_have_forms_of_words() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        for (name, wanted) in [
            ("rmTmpDir", "remove temporary directory"),
            ("initDb", "initialize database"),
            ("BasicAuth", "authentication"),
            ("database_connection", "db connect"),
        ] {
            assert!(has_forms(name, &words(wanted)), "{name} {wanted}");
        }
        assert!(!has_forms("rmTmpDir", &words("remove temporary file")));
    }

    #[test]
    fn kinds() {
        let kind = |wanted: &str, name: &str| NameQuery::new(wanted).kind(name, mask(name));
        assert_eq!(kind("Store", "store"), Some(HitKind::ExactIgnoringCase));
        assert_eq!(kind("Sto", "store"), Some(HitKind::Prefix));
        assert_eq!(kind("tor", "store"), Some(HitKind::Substring));
        assert_eq!(kind("Stroe", "store"), Some(HitKind::Fuzzy));
        assert_eq!(kind("NodeStrxe", "nodestore"), Some(HitKind::Fuzzy));
        assert_eq!(kind("NodeXtrxy", "nodestore"), None);
        assert_eq!(kind("Stx", "sto"), None);
    }
}
