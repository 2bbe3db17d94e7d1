//! What others do without an index: a search for words, and BM25 over files. Both print matched lines.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

/// BM25's saturation and length, as everybody has them.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Words that a search for words is not made for.
const STOP: [&str; 24] = [
    "the", "and", "for", "with", "not", "from", "that", "this", "when", "into", "are", "was",
    "has", "have", "should", "would", "can", "now", "its", "but", "use", "add", "fix", "make",
];

/// The texts of the files that are searched.
pub(super) struct Corpus {
    files: Vec<BaselineText>,
    /// Files that have each word.
    having: HashMap<String, u32>,
    /// Words of a file on average.
    average: f64,
}

struct BaselineText {
    path: String,
    text: String,
    words: HashMap<String, u32>,
    length: u32,
}

impl Corpus {
    pub(super) fn read<'p>(root: &Path, paths: impl Iterator<Item = &'p str>) -> Self {
        let read = |path: &str| {
            let text = fs::read_to_string(root.join(path)).ok()?;
            let mut words = HashMap::new();
            let mut length = 0;
            for word in split(&text).chain(split(path)) {
                *words.entry(word).or_default() += 1;
                length += 1;
            }
            Some(BaselineText {
                path: path.to_owned(),
                text,
                words,
                length,
            })
        };
        let files: Vec<BaselineText> = paths.filter_map(read).collect();
        let mut having = HashMap::new();
        for word in files.iter().flat_map(|file| file.words.keys()) {
            *having.entry(word.clone()).or_default() += 1;
        }
        let all: f64 = files.iter().map(|file| f64::from(file.length)).sum();
        Self {
            average: (all / files.len().max(1) as f64).max(1.0),
            files,
            having,
        }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_str())
    }
}

/// BM25 over files, identifiers split at humps.
pub(super) fn bm25(corpus: &Corpus, question: &str, budget: usize) -> String {
    let wanted: HashSet<String> = split(question).collect();
    let count = corpus.files.len() as f64;
    let value = |file: &BaselineText| {
        let each = wanted.iter().filter_map(|word| {
            let often = f64::from(*file.words.get(word)?);
            let having = f64::from(*corpus.having.get(word)?);
            let rarity = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
            let length = 1.0 - B + B * f64::from(file.length) / corpus.average;
            Some(rarity * often * (K1 + 1.0) / (often + K1 * length))
        });
        each.sum::<f64>()
    };
    let matches = |line: &str| split(line).any(|word| wanted.contains(&word));
    printed(corpus, value, matches, budget)
}

/// Files with the most different words of the question, as `grep -i` finds them.
pub(super) fn grep(corpus: &Corpus, question: &str, budget: usize) -> String {
    let mut wanted: Vec<String> = question
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 2 && !STOP.contains(&word.as_str()))
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let value = |file: &BaselineText| {
        let text = file.text.to_lowercase();
        let found = wanted.iter().filter(|word| text.contains(word.as_str()));
        found.count() as f64
    };
    let matches = |line: &str| {
        let line = line.to_lowercase();
        wanted.iter().any(|word| line.contains(word.as_str()))
    };
    printed(corpus, value, matches, budget)
}

/// Files by their value, each with the lines that match, until the budget is full.
fn printed(
    corpus: &Corpus,
    value: impl Fn(&BaselineText) -> f64,
    matches: impl Fn(&str) -> bool,
    budget: usize,
) -> String {
    let valued = corpus.files.iter().map(|file| (value(file), file));
    let mut valued: Vec<(f64, &BaselineText)> = valued.filter(|(value, _)| *value > 0.0).collect();
    valued.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    let (mut out, mut left) = (String::new(), budget * 4);
    for (_, file) in valued {
        let lines = file
            .text
            .lines()
            .enumerate()
            .filter(|(_, line)| matches(line));
        let lines = lines.map(|(at, line)| format!("{}:{line}\n", at + 1));
        for line in std::iter::once(format!("{}\n", file.path)).chain(lines) {
            let letters = line.chars().count();
            if letters > left {
                return out;
            }
            left -= letters;
            out += &line;
        }
    }
    out
}

/// Words in lower case, identifiers split where a hump or `_` begins another.
fn split(text: &str) -> impl Iterator<Item = String> {
    let runs = text.split(|c: char| !c.is_alphanumeric());
    runs.flat_map(|run| {
        let mut words: Vec<String> = Vec::new();
        let mut was_lower = false;
        for c in run.chars() {
            match words.last_mut() {
                Some(word) if !(c.is_uppercase() && was_lower) => word.extend(c.to_lowercase()),
                _ => words.push(c.to_lowercase().collect()),
            }
            was_lower = c.is_lowercase() || c.is_ascii_digit();
        }
        words
    })
    .filter(|word| word.chars().count() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_print_matched_lines_of_the_best_file_within_the_budget() {
        let place = tempfile::tempdir().unwrap();
        fs::write(
            place.path().join("a.py"),
            "def urlFor(name):\n    return name\n",
        )
        .unwrap();
        fs::write(place.path().join("b.py"), "x = 1\n# for\n").unwrap();
        let corpus = Corpus::read(place.path(), ["a.py", "b.py"].into_iter());
        assert!(bm25(&corpus, "url for", 100).starts_with("a.py\n1:def urlFor(name):\n"));
        assert!(grep(&corpus, "the name", 100).starts_with("a.py\n1:def urlFor(name):\n2:"));
        assert!(bm25(&corpus, "url for", 2).chars().count() <= 8);
        assert_eq!(
            split("parseHTTPFile2go").collect::<Vec<_>>(),
            ["parse", "httpfile2go"]
        );
    }
}
