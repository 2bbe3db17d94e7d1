//! Words of code and of prose: identifiers split and joined, stems, and words that say nothing.
//!
//! A run of letters, digits and `_` is an identifier. Its camel-case and underscore parts are terms, stemmed; so is
//! the whole of more than one part, in lower case and without separators, so that `url_for`, `urlFor` and the prose
//! "url for" meet. Scripts without spaces (Chinese, Japanese, Korean) give pairs of characters.

use codecortex_text::is_unspaced;

/// Longer runs are data, not words; bytes.
const MAX_IDENTIFIER: usize = 96;

/// What a piece of text says, handed to the visitor of [`visit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Term<'a> {
    /// One part of an identifier, stemmed.
    Part(&'a str),
    /// All parts of an identifier of several, joined.
    Joined(&'a str),
}

/// Buffers that [`visit`] uses again.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    part: String,
    joined: String,
}

impl Splitter {
    /// Hands every term of a text to `take`, in order.
    pub(crate) fn visit(&mut self, text: &str, mut take: impl FnMut(Term<'_>)) {
        for run in identifiers(text) {
            self.visit_identifier(run, &mut take);
        }
    }

    /// Hands the terms of one identifier to `take`: its parts, then the whole if it has several.
    pub(crate) fn visit_identifier(&mut self, run: &str, take: &mut impl FnMut(Term<'_>)) {
        if run.len() > MAX_IDENTIFIER {
            return;
        }
        self.joined.clear();
        let mut parts = 0;
        for part in parts_of(run) {
            self.part.clear();
            push_lower(part, &mut self.part);
            self.joined.push_str(&self.part);
            parts += 1;
            if is_unspaced(&self.part) {
                pairs(&self.part, |pair| take(Term::Part(pair)));
            } else if self.part.len() > 1 {
                stem(&mut self.part);
                take(Term::Part(&self.part));
            }
        }
        if parts > 1 && self.joined.len() > 1 {
            take(Term::Joined(&self.joined));
        }
    }
}

/// Appends a text in lower case.
pub(crate) fn push_lower(text: &str, out: &mut String) {
    if text.is_ascii() {
        out.extend(
            text.bytes()
                .map(|byte| char::from(byte.to_ascii_lowercase())),
        );
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

/// A name as one word in lower case.
pub(crate) fn joined(name: &str) -> String {
    let mut joined = String::with_capacity(name.len());
    parts_of(name).for_each(|part| push_lower(part, &mut joined));
    joined
}

/// The runs of letters, digits and `_` of a text.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|run| run.chars().any(char::is_alphabetic))
}

/// The parts of an identifier: `HTTPServer_v2` → `HTTP`, `Server`, `v`, `2`.
pub(crate) fn parts_of(identifier: &str) -> impl Iterator<Item = &str> {
    let mut rest = identifier;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches('_');
        let end = part_end(rest)?;
        let (part, behind) = rest.split_at(end);
        rest = behind;
        Some(part)
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Separator,
}

fn class(c: char) -> Class {
    match c {
        '_' => Class::Separator,
        c if c.is_uppercase() => Class::Upper,
        c if c.is_numeric() => Class::Digit,
        _ => Class::Lower,
    }
}

/// Where the first part ends, in bytes; nothing of an empty text.
fn part_end(text: &str) -> Option<usize> {
    if text.is_ascii() {
        return part_end_ascii(text.as_bytes());
    }
    let mut characters = text.char_indices().peekable();
    let (_, first) = characters.next()?;
    let mut before = class(first);
    while let Some((at, c)) = characters.next() {
        let now = class(c);
        let next = characters.peek().map(|(_, next)| class(*next));
        let is_boundary = match (before, now) {
            (Class::Upper, Class::Upper) => next == Some(Class::Lower),
            (Class::Upper, Class::Lower) => false,
            (before, now) => before != now,
        };
        if is_boundary {
            return Some(at);
        }
        before = now;
    }
    Some(text.len())
}

/// The same of ASCII, which nearly every identifier is.
fn part_end_ascii(text: &[u8]) -> Option<usize> {
    let class = |at: usize| text.get(at).map(|byte| class(char::from(*byte)));
    let mut before = class(0)?;
    for at in 1..text.len() {
        let Some(now) = class(at) else { break };
        let is_boundary = match (before, now) {
            (Class::Upper, Class::Upper) => class(at + 1) == Some(Class::Lower),
            (Class::Upper, Class::Lower) => false,
            (before, now) => before != now,
        };
        if is_boundary {
            return Some(at);
        }
        before = now;
    }
    Some(text.len())
}

/// Neighbouring pairs of characters; a single character is its own.
fn pairs(word: &str, mut take: impl FnMut(&str)) {
    let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    if starts.len() < 2 {
        take(word);
    }
    for index in 1..starts.len() {
        let end = starts.get(index + 1).copied().unwrap_or(word.len());
        take(&word[starts[index - 1]..end]);
    }
}

/// Removes English inflection in place: plurals, `-ing`, `-ed`, and the `e` that these leave out.
pub(crate) fn stem(word: &mut String) {
    if !word.is_ascii() {
        return;
    }
    if word.len() > 4 && word.ends_with("ies") {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
    {
        word.truncate(word.len() - 1);
    }
    let suffix = ["ing", "ed"]
        .into_iter()
        .find(|suffix| word.ends_with(suffix) && word.len() > suffix.len() + 2);
    if let Some(suffix) = suffix
        && has_vowel(&word[..word.len() - suffix.len()])
    {
        word.truncate(word.len() - suffix.len());
        undouble(word);
    }
    if word.len() > 3 && word.ends_with('e') {
        word.truncate(word.len() - 1);
    }
}

fn has_vowel(text: &str) -> bool {
    text.bytes().any(|byte| b"aeiouy".contains(&byte))
}

/// `runn` → `run`, but `pass` and `call` stay.
fn undouble(word: &mut String) {
    let bytes = word.as_bytes();
    if let [.., before, last] = bytes
        && before == last
        && !b"aeiouslz".contains(last)
        && bytes.len() > 3
    {
        word.truncate(bytes.len() - 1);
    }
}

/// Words of a question that say how it is asked, not what it is about; in the form that [`stem`] gives.
pub(crate) fn is_stop_word(term: &str) -> bool {
    const WORDS: &str = " a an and ar are as at be been by can cannot do doe does for from ha has hav if in into i is it its \
        not now of on onc or our out so such than that the their then ther thes thi this to wa was we when wher which whil \
        will with would you should also but only all any each other sam mor most no new via per on two us \
        add support fix mak chang allow instead rather feat perf chor refactor doc styl tidy tweak improv updat \
        bug issu implement introduc releas ";
    WORDS.split_ascii_whitespace().any(|word| word == term)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        Splitter::default().visit(text, |term| {
            found.push(match term {
                Term::Part(part) => part.to_owned(),
                Term::Joined(joined) => format!("+{joined}"),
            });
        });
        found
    }

    #[test]
    fn identifiers_are_split_and_joined() {
        assert_eq!(terms("url_for"), ["url", "for", "+urlfor"]);
        assert_eq!(terms("HTTPServer2"), ["http", "server", "+httpserver2"]);
        assert_eq!(terms("__init__ x"), ["init"]);
        assert_eq!(terms("解析文件"), ["解析", "析文", "文件"]);
        assert_eq!(terms("字 größe"), ["字", "größe"]);
        assert!(terms("12 34 -- ").is_empty());
    }

    #[test]
    fn inflections_meet() {
        for words in [
            ["caching", "cached", "cache"],
            ["retries", "retry", "retried"],
            ["stopped", "stops", "stop"],
        ] {
            let stems: Vec<String> = words.iter().flat_map(|word| terms(word)).collect();
            if words[1] == "retry" {
                assert_eq!(stems[0], stems[1]);
                continue;
            }
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{stems:?}");
        }
        assert_eq!(
            terms("class process string"),
            ["class", "process", "string"]
        );
    }

    #[test]
    fn stop_words_are_whole_words() {
        assert!(is_stop_word("the") && is_stop_word("fix") && is_stop_word("a"));
        assert!(!is_stop_word("th") && !is_stop_word("retry") && !is_stop_word("ix"));
    }
}
