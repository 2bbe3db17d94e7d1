//! The words that an agent searches for.

use std::collections::HashSet;

use super::sources::Sources;

/// Words of a question that are searched for at most.
const MAX_WORDS: usize = 12;
/// The shortest word.
const LEAST_LETTERS: usize = 3;
/// Words that say nothing of code.
const STOP: [&str; 48] = [
    "the", "and", "for", "with", "not", "from", "that", "this", "when", "into", "are", "was",
    "has", "have", "should", "would", "can", "now", "its", "but", "use", "add", "fix", "make",
    "all", "any", "also", "been", "does", "due", "instead", "more", "only", "other", "some",
    "such", "than", "then", "there", "these", "they", "those", "where", "which", "while", "will",
    "you", "our",
];

/// A word, in the spelling in which it is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SearchWord {
    pub(super) text: String,
    /// Lines of the workspace that contain it, at least one.
    pub(super) lines: usize,
}

/// The words of a question that the workspace has, those spelled like identifiers first, then the rarest.
pub(super) fn of_question(question: &str, sources: &Sources) -> Vec<SearchWord> {
    let runs = question.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut seen = HashSet::new();
    let mut words: Vec<(bool, SearchWord)> = Vec::new();
    for run in runs.map(|run| run.trim_matches('_')) {
        let word = run.to_lowercase();
        let is_telling = word.chars().count() >= LEAST_LETTERS
            && !word.chars().all(|c| c.is_ascii_digit())
            && !STOP.contains(&word.as_str());
        if !is_telling || !seen.insert(word.clone()) {
            continue;
        }
        let known = spelling(&word, sources)
            .filter(|known| !words.iter().any(|(_, other)| other.text == known.text));
        words.extend(known.map(|known| (!is_identifier(run), known)));
    }
    words.sort_by(|a, b| (a.0, a.1.lines, &a.1.text).cmp(&(b.0, b.1.lines, &b.1.text)));
    words.truncate(MAX_WORDS);
    words.into_iter().map(|(_, word)| word).collect()
}

/// The word, or without an ending of English, whichever the workspace has.
fn spelling(word: &str, sources: &Sources) -> Option<SearchWord> {
    let without = ["s", "es", "ed", "ing", "d"].into_iter();
    let without = without.filter_map(|ending| word.strip_suffix(ending));
    let stems = without.filter(|stem| stem.chars().count() > LEAST_LETTERS);
    std::iter::once(word).chain(stems).find_map(|text| {
        let lines = sources.count(text);
        (lines > 0).then(|| SearchWord {
            text: text.to_owned(),
            lines,
        })
    })
}

/// Whether a word is written as only identifiers are: `url_for`, `urlFor`.
pub(super) fn is_identifier(word: &str) -> bool {
    word.contains('_')
        || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

/// Identifiers of a line.
pub(super) fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    let runs = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    runs.filter(|run| run.chars().count() > LEAST_LETTERS && is_identifier(run.trim_matches('_')))
}

#[cfg(test)]
mod tests {
    use super::super::tests::sources;
    use super::*;

    #[test]
    fn identifiers_come_first_then_rare_words_and_unknown_ones_not_at_all() {
        let sources = sources(&[(
            "a.py",
            "def url_for(port):\n  port = default\n  host = port\n",
        )]);
        let words = of_question(
            "Keep the ports and the default in url_for, 42 nowhere",
            &sources,
        );
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["url_for", "default", "port"]);
        assert_eq!(words[2].lines, 3);
        assert_eq!(
            identifiers("x = getPort(a_b, host)").collect::<Vec<_>>(),
            ["getPort"]
        );
    }
}
