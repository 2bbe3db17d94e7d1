//! The agent that has a search for words and reading of lines. What it knows better than a person would is in its favour:
//! which words are rare, and which files have most of them.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::shown_lines::ShownLines;
use super::sources::Sources;
use super::words::{SearchWord, identifiers, of_question};
use super::{Agent, AgentCall, CALLS_OF_TURN};

/// Lines that are read at once, and how many of them stand above the line they are read for.
const READ: u32 = 120;
const ABOVE: u32 = 40;
/// Words this many lines apart belong together.
const NEAR: u32 = 30;
/// How much a match in a test counts.
const OF_TEST: f64 = 0.3;
/// Names from code that was read which are searched for at most, and the most lines that have such a name.
const MAX_NAMES: usize = 12;
const MAX_LINES_OF_NAME: usize = 30;

/// Searches for the words of the question and reads around what was found, in turns.
pub(super) struct SearchingAgent<'s> {
    sources: &'s Sources,
    /// Words of the question.
    words: Vec<SearchWord>,
    /// Those that were not searched for yet, and later the names to search for.
    left: VecDeque<String>,
    /// Files in the order in which a search prints them.
    order: Vec<usize>,
    asked: HashSet<String>,
    names: usize,
    searched_last: bool,
}

impl<'s> SearchingAgent<'s> {
    pub(super) fn new(question: &str, sources: &'s Sources) -> Self {
        let words = of_question(question, sources);
        let files = sources.files().iter().enumerate();
        let count = |at: usize| {
            let has = |word: &&SearchWord| sources.files()[at].matches(&word.text).next().is_some();
            words.iter().filter(has).count()
        };
        let mut order: Vec<(bool, usize, usize)> = files
            .map(|(at, file)| (file.is_test, usize::MAX - count(at), at))
            .collect();
        order.sort_unstable();
        Self {
            sources,
            left: words.iter().map(|word| word.text.clone()).collect(),
            words,
            order: order.into_iter().map(|(.., at)| at).collect(),
            asked: HashSet::new(),
            names: 0,
            searched_last: false,
        }
    }

    fn search(&mut self) -> Vec<AgentCall> {
        let mut calls = Vec::new();
        while calls.len() < CALLS_OF_TURN {
            let Some(word) = self.left.pop_front() else {
                break;
            };
            if self.asked.insert(word.clone()) {
                let order = self.order.clone();
                calls.push(AgentCall::Search { word, order });
            }
        }
        calls
    }

    /// Reads around the best matches that were shown without the code around them.
    pub(super) fn read(&self, shown: &ShownLines) -> Vec<AgentCall> {
        let mut matches = self.matches(shown);
        matches.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut taken: Vec<(usize, u32, u32)> = Vec::new();
        for (_, file, line) in matches {
            let is_taken =
                |(of, from, to): &(usize, u32, u32)| *of == file && (*from..=*to).contains(&line);
            if taken.len() == CALLS_OF_TURN {
                break;
            }
            if !taken.iter().any(is_taken) && !self.is_read_around(shown, file, line) {
                let from = line.saturating_sub(ABOVE).max(1);
                taken.extend(self.unread(shown, file, from));
            }
        }
        self.reads(&taken)
    }

    /// Reads on in the files with the best matches, then in the others, from the first line that was not read.
    fn read_on(&self, shown: &ShownLines) -> Vec<AgentCall> {
        let mut files: BTreeMap<usize, f64> = BTreeMap::new();
        for (value, file, _) in self.matches(shown) {
            *files.entry(file).or_default() += value;
        }
        let mut files: Vec<(usize, f64)> = files.into_iter().collect();
        files.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let next = files
            .iter()
            .filter_map(|(file, _)| self.unread(shown, *file, 1));
        let next: Vec<(usize, u32, u32)> = next.take(CALLS_OF_TURN).collect();
        self.reads(&next)
    }

    fn reads(&self, ranges: &[(usize, u32, u32)]) -> Vec<AgentCall> {
        let calls = ranges.iter().map(|(file, from, to)| AgentCall::Read {
            path: self.sources.files()[*file].path.clone(),
            lines: (*from, *to),
        });
        calls.collect()
    }

    /// A part of a file from its first unread line at or after `from`, without read lines at its end.
    fn unread(&self, shown: &ShownLines, file: usize, from: u32) -> Option<(usize, u32, u32)> {
        let source = &self.sources.files()[file];
        let is_unread = |line: &u32| !shown.has_code(file, *line) && !source.is_blank(*line);
        let from = (from..=source.len()).find(is_unread)?;
        let to = from.saturating_add(READ - 1).min(source.len());
        let to = (from..=to).rev().find(is_unread).unwrap_or(from);
        Some((file, from, to))
    }

    /// Whether the code beside a line was shown.
    fn is_read_around(&self, shown: &ShownLines, file: usize, line: u32) -> bool {
        let source = &self.sources.files()[file];
        let (from, to) = (line.saturating_sub(2).max(1), (line + 2).min(source.len()));
        (from..=to).all(|line| source.is_blank(line) || shown.has_code(file, line))
    }

    /// Lines that were shown and have words of the question, with their value: how rare the words around them are.
    fn matches(&self, shown: &ShownLines) -> Vec<(f64, usize, u32)> {
        let mut found: BTreeMap<usize, Vec<(u32, Vec<usize>)>> = BTreeMap::new();
        for (file, line) in shown.lines() {
            let source = &self.sources.files()[file];
            let words = self.words.iter().enumerate();
            let words = words.filter(|(_, word)| source.has(line, &word.text));
            let words: Vec<usize> = words.map(|(at, _)| at).collect();
            let is_name = || self.asked.iter().any(|name| source.has(line, name));
            if !words.is_empty() || is_name() {
                found.entry(file).or_default().push((line, words));
            }
        }
        let mut matches = Vec::new();
        for (file, lines) in found {
            let part = if self.sources.files()[file].is_test {
                OF_TEST
            } else {
                1.0
            };
            let (mut first, mut end) = (0, 0);
            for (line, _) in &lines {
                while lines[first].0 + NEAR < *line {
                    first += 1;
                }
                while end < lines.len() && lines[end].0 <= line + NEAR {
                    end += 1;
                }
                let mut around: Vec<usize> = lines[first..end]
                    .iter()
                    .flat_map(|(_, words)| words.iter().copied())
                    .collect();
                around.sort_unstable();
                around.dedup();
                let value: f64 = around.iter().map(|word| self.rarity(*word)).sum();
                matches.push(((value + 0.1) * part, file, *line));
            }
        }
        matches
    }

    fn rarity(&self, word: usize) -> f64 {
        let lines = self.words.get(word).map_or(1, |word| word.lines);
        1.0 / (1.0 + lines as f64).ln().max(0.5)
    }

    /// Names in the code that was read which have a word of the question as a part and are rare.
    fn add_names(&mut self, shown: &ShownLines) {
        let mut names: Vec<(usize, String)> = Vec::new();
        let mut seen = HashSet::new();
        for (file, line) in shown
            .lines()
            .filter(|(file, line)| shown.has_code(*file, *line))
        {
            let text = self.sources.files()[file].line(line).unwrap_or_default();
            for name in identifiers(text).map(str::to_lowercase) {
                let has_word = self.words.iter().any(|word| name.contains(&word.text));
                if has_word && !self.asked.contains(&name) && seen.insert(name.clone()) {
                    names.push((self.sources.count(&name), name));
                }
            }
        }
        names.retain(|(lines, _)| *lines <= MAX_LINES_OF_NAME);
        names.sort_unstable();
        names.truncate(MAX_NAMES.saturating_sub(self.names));
        self.names += names.len();
        self.left.extend(names.into_iter().map(|(_, name)| name));
    }
}

impl Agent for SearchingAgent<'_> {
    fn turn(&mut self, shown: &ShownLines) -> Vec<AgentCall> {
        if !self.searched_last {
            if self.left.is_empty() {
                self.add_names(shown);
            }
            let calls = self.search();
            self.searched_last = true;
            if !calls.is_empty() {
                return calls;
            }
        }
        self.searched_last = false;
        let calls = self.read(shown);
        if !calls.is_empty() {
            return calls;
        }
        let calls = self.search();
        match calls.is_empty() {
            true => self.read_on(shown),
            false => calls,
        }
    }
}
