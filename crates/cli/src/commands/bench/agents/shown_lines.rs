//! Which lines answers have shown as they stand in their files.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Sources;

/// Lines that were shown verbatim, by the number of their file.
#[derive(Debug, Default)]
pub(super) struct ShownLines {
    /// All of them.
    all: BTreeMap<usize, BTreeSet<u32>>,
    /// Those of answers that show code, not matches alone.
    code: BTreeMap<usize, BTreeSet<u32>>,
}

impl ShownLines {
    /// Takes the lines of an answer. A line counts under the path that was named before it, or that it begins with, if it has
    /// a number and the text of that line, white space included. `root` is the name with which answers may begin paths.
    pub(super) fn read(&mut self, sources: &Sources, root: &str, answer: &str, is_code: bool) {
        let mut section = None;
        for line in answer.lines() {
            if let Some((number, text)) = numbered(line) {
                if let Some(file) = section {
                    self.note(sources, file, (number, text), is_code);
                }
            } else if let Some((file, number, text)) = matched(sources, line) {
                self.note(sources, file, (number, text), false);
            } else if let Some(file) = named(sources, root, line) {
                section = Some(file);
            }
        }
    }

    fn note(&mut self, sources: &Sources, file: usize, (number, text): (u32, &str), is_code: bool) {
        let known = sources.files().get(file);
        if known.and_then(|file| file.line(number)) != Some(text) {
            return;
        }
        self.all.entry(file).or_default().insert(number);
        if is_code {
            self.code.entry(file).or_default().insert(number);
        }
    }

    /// Whether a line was shown.
    pub(super) fn has(&self, file: usize, line: u32) -> bool {
        self.all
            .get(&file)
            .is_some_and(|lines| lines.contains(&line))
    }

    /// Whether a line was shown among the code around it.
    pub(super) fn has_code(&self, file: usize, line: u32) -> bool {
        self.code
            .get(&file)
            .is_some_and(|lines| lines.contains(&line))
    }

    /// All lines that were shown.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, u32)> {
        let files = self.all.iter();
        files.flat_map(|(file, lines)| lines.iter().map(|line| (*file, *line)))
    }
}

/// `12: text`, and `12:` for an empty line.
fn numbered(line: &str) -> Option<(u32, &str)> {
    let (number, text) = line.split_once(':')?;
    let number = number.parse().ok()?;
    match text.strip_prefix(' ') {
        Some(text) => Some((number, text)),
        None => text.is_empty().then_some((number, "")),
    }
}

/// `path:12:text`.
fn matched<'l>(sources: &Sources, line: &'l str) -> Option<(usize, u32, &'l str)> {
    let mut parts = line.splitn(3, ':');
    let file = sources.at(parts.next()?)?;
    Some((file, parts.next()?.parse().ok()?, parts.next()?))
}

/// The file that a heading names.
fn named(sources: &Sources, root: &str, line: &str) -> Option<usize> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, ':' | ',' | '(' | ')' | '`');
    line.split(is_end).find_map(|word| {
        let below = word
            .strip_prefix(root)
            .and_then(|word| word.strip_prefix('/'));
        sources.at(word).or_else(|| sources.at(below?))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::sources;
    use super::*;

    #[test]
    fn only_lines_as_they_stand_in_their_file_are_shown() {
        let sources = sources(&[
            ("src/a.py", "def f():\n    return 1\n\nx = 2\n"),
            ("b.py", "x = 2\n"),
        ]);
        let mut shown = ShownLines::default();
        let answer = "src/a.py\nf, g\n1: def f():\n2:   return 1\n… 1 line\n4: x = 2\n";
        shown.read(&sources, "shop", answer, true);
        let lines = |shown: &ShownLines| shown.lines().collect::<Vec<_>>();
        assert_eq!(
            lines(&shown),
            [(0, 1), (0, 4)],
            "the second lost its indentation"
        );
        shown.read(
            &sources,
            "shop",
            "// a.f · shop/src/a.py:1-2 · python\n2:     return 1\n3:\n",
            true,
        );
        assert_eq!(lines(&shown), [(0, 1), (0, 2), (0, 3), (0, 4)]);
        shown.read(&sources, "shop", "b.py:1:x = 2\nb.py:2:x\n", false);
        assert!(
            shown.has(1, 1) && !shown.has(1, 2) && !shown.has_code(1, 1) && shown.has_code(0, 4)
        );
    }
}
