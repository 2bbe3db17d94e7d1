//! A question in words, taken apart: terms with weights, and what it names outright.

use codecortex_text::are_forms;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::foreign_words::ForeignStopWords;
use crate::index::{Index, TermId};
use crate::params::Params;
use crate::words::{Splitter, Term, identifiers, is_stop_word, joined};

/// A question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Its words: a sentence, a commit message, names, code.
    pub text: String,
    /// The file that the question is asked from; its own declarations are known and not shown.
    pub focus: Option<String>,
    /// Whether tests are wanted as much as what they test.
    pub wants_tests: bool,
    /// Whether tests are asked for rather than what they test.
    pub prefers_tests: bool,
    /// Paths of files that it names: what is in them comes before the rest.
    pub files: Vec<String>,
    /// Declarations that it gives the places of, such as the frames of a stack trace, the most telling first: they come
    /// before all that its words lead to.
    pub places: Vec<NamedPlace>,
}

/// A declaration by its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPlace {
    /// The path of its file.
    pub path: String,
    /// First byte of its name.
    pub name_at: u32,
}

/// More terms than this say no more; the rarest are kept.
const MAX_TERMS: usize = 48;
/// Bytes of a question that are read.
const MAX_TEXT: usize = 64 * 1024;

/// A term of a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) term: TermId,
    /// The word of the question that it comes from, as written.
    pub(crate) word: String,
    /// How much it counts: how often it is said and where, times its rarity.
    pub(crate) weight: f32,
}

/// A question taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParsedQuestion {
    pub(crate) terms: Vec<QueryTerm>,
    /// Identifiers that are written as such, joined and in lower case.
    pub(crate) mentions: FxHashSet<String>,
    /// Pairs of neighbours joined, for names that prose takes apart.
    pub(crate) compounds: FxHashSet<String>,
    /// The words that say something and are in no declaration.
    pub(crate) unknown: Vec<String>,
}

impl ParsedQuestion {
    /// Sum of the weights.
    pub(crate) fn total(&self) -> f32 {
        self.terms
            .iter()
            .map(|term| term.weight)
            .sum::<f32>()
            .max(f32::MIN_POSITIVE)
    }

    /// The weights by term.
    pub(crate) fn weights(&self) -> FxHashMap<TermId, f32> {
        self.terms
            .iter()
            .map(|term| (term.term, term.weight))
            .collect()
    }
}

/// How often the question says a term, by its text, in the order of first mention.
#[derive(Default)]
struct TermCounts {
    order: Vec<String>,
    of: FxHashMap<String, (f32, String)>,
}

impl TermCounts {
    fn say(&mut self, text: &str, word: &str, weight: f32) {
        if let Some(said) = self.of.get_mut(text) {
            said.0 += weight;
            return;
        }
        self.order.push(text.to_owned());
        self.of.insert(text.to_owned(), (weight, word.to_owned()));
    }
}

/// Takes a question apart.
pub(crate) fn ask(index: &Index, text: &str, params: &Params) -> ParsedQuestion {
    let text = &text[..text.floor_char_boundary(MAX_TEXT)];
    let foreign = ForeignStopWords::of_question(text);
    let mut asked = ParsedQuestion::default();
    let mut said = TermCounts::default();
    let mut splitter = Splitter::default();
    for (number, line) in text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .enumerate()
    {
        let of_line = if number == 0 { 1.0 } else { params.later_lines };
        if number == 0 {
            asked.compounds.extend(whole_name(line));
        }
        let mut before: Option<String> = None;
        for (word, is_code) in words_of_line(line) {
            let weight = if is_code {
                of_line * params.code_words
            } else {
                of_line
            };
            splitter.visit_identifier(word, &mut |term| match term {
                Term::Part(part) if !is_stop_word(part) && !foreign.has(word) => {
                    said.say(part, word, weight);
                }
                Term::Joined(joined) => said.say(joined, word, weight),
                Term::Part(_) => {}
            });
            let joined = joined(word);
            if let Some(before) = before.replace(joined.clone()) {
                asked.compounds.insert(before + &joined);
            }
            if is_code {
                asked.mentions.insert(joined);
            }
        }
    }
    let mut compounds: Vec<&String> = asked.compounds.iter().collect();
    compounds.sort();
    for compound in compounds {
        // A term that no declaration has any more is none: answers follow from the files alone.
        let is_there = index
            .term(compound)
            .is_some_and(|term| index.rarity(term) > 0.0);
        if is_there && !said.of.contains_key(compound) {
            said.say(compound, compound, params.compounds);
        }
    }
    weigh(index, said, &mut asked);
    asked
}

/// The words of a short line as one name, those too that every question leaves out: names are made of them (`for_each`).
fn whole_name(line: &str) -> Option<String> {
    const MAX_WORDS: usize = 6;
    let words: Vec<&str> = identifiers(line).take(MAX_WORDS + 1).collect();
    (3..=MAX_WORDS)
        .contains(&words.len())
        .then(|| words.iter().map(|word| joined(word)).collect())
}

fn weigh(index: &Index, said: TermCounts, asked: &mut ParsedQuestion) {
    for text in &said.order {
        let (count, word) = &said.of[text];
        let known = index.term(text).filter(|term| index.rarity(*term) > 0.0);
        let (terms, share) = match known {
            Some(term) => (vec![term], 1.0),
            None => match near(index, text) {
                near if near.is_empty() => (forms(index, text), 0.5),
                near => (near, 0.5),
            },
        };
        if terms.is_empty() && !asked.unknown.contains(word) {
            asked.unknown.push(word.clone());
        }
        for term in terms {
            let weight = share * count.min(3.0).sqrt() * index.rarity(term);
            asked.terms.push(QueryTerm {
                term,
                word: word.clone(),
                weight,
            });
        }
    }
    asked.terms.sort_by(|a, b| {
        b.weight.total_cmp(&a.weight).then_with(|| {
            index.terms[a.term as usize]
                .text
                .cmp(&index.terms[b.term as usize].text)
        })
    });
    asked.terms.dedup_by_key(|term| term.term);
    asked.terms.truncate(MAX_TERMS);
}

/// The words of a line, and whether each is written as code: between backticks, called, or with capitals or
/// underscores inside.
fn words_of_line(line: &str) -> impl Iterator<Item = (&str, bool)> {
    let start = line.as_ptr() as usize;
    identifiers(line).map(move |word| {
        let at = word.as_ptr() as usize - start;
        let is_quoted = line[..at].bytes().filter(|byte| *byte == b'`').count() % 2 == 1;
        let is_called = line[at + word.len()..].starts_with('(')
            && line.as_bytes().get(at.wrapping_sub(1)) != Some(&b' ');
        (word, is_quoted || is_called || has_hump(word))
    })
}

/// Whether a word is an identifier by its look: `aB`, `a_b`; neither `Word` nor `ABC`.
fn has_hump(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let mut characters = inner.chars();
    characters.next();
    inner.contains('_')
        || (characters.any(char::is_uppercase) && inner.chars().any(char::is_lowercase))
}

/// Names one typing error away from a word that nothing has.
fn near(index: &Index, word: &str) -> Vec<TermId> {
    const LEAST: usize = 5;
    if word.len() < LEAST || !word.is_ascii() {
        return Vec::new();
    }
    let first = word.as_bytes()[0];
    let mut found: Vec<TermId> = (word.len() - 1..=word.len() + 1)
        .flat_map(|length| index.shaped(first, length))
        .copied()
        .filter(|term| {
            let known = &index.terms[*term as usize];
            !known.definers.is_empty() && is_one_edit(known.text.as_bytes(), word.as_bytes())
        })
        .collect();
    found.sort_by(|a, b| {
        index.terms[*a as usize]
            .text
            .cmp(&index.terms[*b as usize].text)
    });
    found.truncate(4);
    found
}

/// Parts of names that are forms of a word that nothing has: `auth` for `authentication`, `tmp` for `temporary`. The
/// longest first.
fn forms(index: &Index, word: &str) -> Vec<TermId> {
    /// A word in lower case is another's form within so many letters more.
    const LONGEST: usize = 18;
    const MAX: usize = 4;
    let Some(first) = word.bytes().next().filter(u8::is_ascii_lowercase) else {
        return Vec::new();
    };
    let lengths = (2..=word.len().max(LONGEST)).rev();
    let alike = lengths.flat_map(|length| index.shaped(first, length));
    let forms = alike.copied().filter(|term| {
        let text = &index.terms[*term as usize].text;
        !is_stop_word(text) && are_forms(text, word) && index.is_in_names(*term)
    });
    let mut forms: Vec<TermId> = forms.collect();
    let text = |term: TermId| &index.terms[term as usize].text;
    forms.sort_by(|a, b| {
        text(*b)
            .len()
            .cmp(&text(*a).len())
            .then(text(*a).cmp(text(*b)))
    });
    forms.truncate(MAX);
    forms
}

/// Whether one insertion, deletion, exchange or swap of neighbours makes one of the other.
fn is_one_edit(a: &[u8], b: &[u8]) -> bool {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    if long.len() > short.len() + 1 || long.first() != short.first() {
        return false;
    }
    let same = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    let (long, short) = (&long[same..], &short[same..]);
    if long.len() > short.len() {
        return long[1..] == *short;
    }
    match (long, short) {
        ([_, rest @ ..], [_, other @ ..]) if rest == other => true,
        ([a, b, rest @ ..], [c, d, other @ ..]) => a == d && b == c && rest == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit() {
        for (a, b) in [
            ("parser", "praser"),
            ("parser", "parsers"),
            ("parser", "parxer"),
            ("parse", "prse"),
        ] {
            assert!(is_one_edit(a.as_bytes(), b.as_bytes()), "{a} {b}");
        }
        assert!(!is_one_edit(b"parser", b"pasrex") && !is_one_edit(b"parser", b"arser"));
    }

    #[test]
    fn code_is_told_from_prose() {
        let words: Vec<_> =
            words_of_line("Fix `name` in url_for and getName, not URL (Name)").collect();
        let code: Vec<&str> = words
            .iter()
            .filter(|(_, is_code)| *is_code)
            .map(|(word, _)| *word)
            .collect();
        assert_eq!(code, ["name", "url_for", "getName"]);
    }
}
