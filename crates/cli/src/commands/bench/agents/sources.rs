//! The files of code that agents look at, and their two plain tools: a search for a word, and reading lines.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use codecortex_engine::protocol::counts::counted;
use codecortex_text::numbered_whole;

use crate::commands::bench::tasks::is_test;

/// Lines that a search prints at most, in all and of a file.
const MAX_PRINTED: usize = 50;
const MAX_PRINTED_OF_FILE: usize = 10;

/// The texts of a checked-out state.
pub(super) struct Sources {
    files: Vec<SourceFile>,
    by_path: HashMap<String, usize>,
}

/// A file, its lines without their ends.
pub(super) struct SourceFile {
    pub(super) path: String,
    pub(super) is_test: bool,
    lines: Vec<String>,
    /// The same in lower case.
    lower: Vec<String>,
}

impl SourceFile {
    /// A line, from 1.
    pub(super) fn line(&self, number: u32) -> Option<&str> {
        let at = (number as usize).checked_sub(1)?;
        self.lines.get(at).map(String::as_str)
    }

    pub(super) fn is_blank(&self, number: u32) -> bool {
        self.line(number).is_none_or(|line| line.trim().is_empty())
    }

    /// Number of lines.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// Lines that contain a word in lower case.
    pub(super) fn matches(&self, word: &str) -> impl Iterator<Item = u32> {
        let having = self.lower.iter().enumerate();
        let having = having.filter(move |(_, line)| line.contains(word));
        having.filter_map(|(at, _)| u32::try_from(at + 1).ok())
    }

    /// Whether a line contains a word in lower case.
    pub(super) fn has(&self, number: u32, word: &str) -> bool {
        let at = (number as usize).checked_sub(1);
        at.and_then(|at| self.lower.get(at))
            .is_some_and(|line| line.contains(word))
    }
}

impl Sources {
    /// Reads files below a root; a file that is no UTF-8 is left out.
    pub(super) fn read<'p>(root: &Path, paths: impl Iterator<Item = &'p str>) -> Self {
        Self::from_texts(paths.filter_map(|path| {
            let text = fs::read_to_string(root.join(path)).ok()?;
            Some((path.to_owned(), text))
        }))
    }

    pub(super) fn from_texts(texts: impl Iterator<Item = (String, String)>) -> Self {
        let files = texts.map(|(path, text)| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            SourceFile {
                is_test: is_test(&path),
                path,
                lower: lines.iter().map(|line| line.to_lowercase()).collect(),
                lines,
            }
        });
        let files: Vec<SourceFile> = files.collect();
        let by_path = files.iter().enumerate();
        let by_path = by_path.map(|(at, file)| (file.path.clone(), at)).collect();
        Self { files, by_path }
    }

    pub(super) fn files(&self) -> &[SourceFile] {
        &self.files
    }

    pub(super) fn at(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    pub(super) fn file(&self, path: &str) -> Option<&SourceFile> {
        self.files.get(self.at(path)?)
    }

    /// Lines that contain a word in lower case.
    pub(super) fn count(&self, word: &str) -> usize {
        self.files
            .iter()
            .map(|file| file.matches(word).count())
            .sum()
    }

    /// What a search for a word prints: `path:line:text` of the first matches, by files in this order, and how many more
    /// there are.
    pub(super) fn grep(&self, word: &str, order: &[usize]) -> String {
        let word = word.to_lowercase();
        let mut out = String::new();
        let (mut printed, mut more) = (0, BTreeMap::new());
        for file in order.iter().filter_map(|at| self.files.get(*at)) {
            for (nth, number) in file.matches(&word).enumerate() {
                if printed < MAX_PRINTED && nth < MAX_PRINTED_OF_FILE {
                    let text = file.line(number).unwrap_or_default();
                    // Writing to a string cannot fail.
                    let _ = writeln!(out, "{}:{number}:{text}", file.path);
                    printed += 1;
                } else {
                    *more.entry(file.path.as_str()).or_insert(0usize) += 1;
                }
            }
        }
        if !more.is_empty() {
            let lines = counted(more.values().sum::<usize>(), "more line");
            let _ = writeln!(out, "… {lines} in {}", counted(more.len(), "file"));
        }
        out
    }

    /// What reading lines of a file prints.
    pub(super) fn lines(&self, path: &str, (from, to): (u32, u32)) -> String {
        let Some(file) = self.file(path) else {
            return String::new();
        };
        let lines = (from..=to).filter_map(|number| Some((number, file.line(number)?)));
        format!("{path}\n{}", numbered_whole(lines))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sources;

    #[test]
    fn a_search_prints_lines_by_the_order_of_files_and_counts_the_rest() {
        let many = "x = Total\n".repeat(12);
        let sources = sources(&[("a.py", &many), ("b.py", "\ttotal = 1\n"), ("c.py", "y\n")]);
        let found = sources.grep("Total", &[1, 0, 2]);
        assert!(
            found.starts_with("b.py:1:\ttotal = 1\na.py:1:x = Total\n"),
            "{found}"
        );
        assert!(
            found.ends_with("a.py:10:x = Total\n… 2 more lines in 1 file\n"),
            "{found}"
        );
        assert_eq!(sources.count("total"), 13);
    }

    #[test]
    fn reading_prints_lines_as_they_stand_after_their_numbers() {
        let sources = sources(&[("a.py", "a\n\n  b\nc\n")]);
        assert_eq!(sources.lines("a.py", (2, 3)), "a.py\n2:\n3:   b\n");
        assert_eq!(sources.lines("a.py", (4, 9)), "a.py\n4: c\n");
    }
}
