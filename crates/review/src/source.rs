//! A version of a file: its text by lines, and what it declares.

use codecortex_retrieval::Role;
use codecortex_syntax::{Facts, Item, ItemFlags, ItemIndex, ItemKind, Limits, Outcome, analyse};
use codecortex_text::decode;

/// A version of a file.
#[derive(Debug)]
pub struct VersionedFile {
    /// Its text without byte order mark.
    pub text: String,
    /// First byte of each line.
    starts: Vec<u32>,
    /// What it declares; absent where it is not read as code.
    pub facts: Option<Facts>,
    /// Whether a program wrote it.
    pub is_generated: bool,
}

impl VersionedFile {
    /// Reads bytes; none where they are no text. Without `limits` nothing of it is read as code.
    #[must_use]
    pub fn for_path(path: &str, bytes: &[u8], limits: Option<Limits>) -> Option<Self> {
        let text = decode(bytes).ok()?.text.into_owned();
        let (mut facts, mut is_generated) = (None, false);
        match limits.map(|limits| analyse(path, bytes, limits)) {
            Some(Outcome::Facts(found)) => facts = Some(found),
            Some(Outcome::Names(found)) => (facts, is_generated) = (Some(found), true),
            Some(Outcome::Skipped(
                codecortex_syntax::SkipReason::Generated | codecortex_syntax::SkipReason::Minified,
            )) => is_generated = true,
            _ => {}
        }
        Some(Self {
            starts: line_starts(&text),
            text,
            facts,
            is_generated,
        })
    }

    /// Number of lines.
    #[must_use]
    pub fn lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// A line by its number from 1, without its end; empty where there is none.
    #[must_use]
    pub fn line(&self, number: u32) -> &str {
        line_of(&self.text, &self.starts, number)
    }

    /// The line of a byte, from 1.
    #[must_use]
    pub fn line_at(&self, byte: u32) -> u32 {
        self.starts.partition_point(|start| *start <= byte) as u32
    }

    /// First byte of a line by its number from 1.
    #[must_use]
    pub fn start_of(&self, number: u32) -> u32 {
        let known = self.starts.get((number as usize).saturating_sub(1));
        known.copied().unwrap_or(self.text.len() as u32)
    }
}

/// First byte of each line of a text.
pub(crate) fn line_starts(text: &str) -> Vec<u32> {
    let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
    let mut starts: Vec<u32> = std::iter::once(0).chain(ends).collect();
    // What ends with a line end has no further line.
    if starts.len() > 1 && starts.last() == Some(&(text.len() as u32)) {
        starts.pop();
    }
    starts
}

/// A line by its number from 1.
pub(crate) fn line_of<'t>(text: &'t str, starts: &[u32], number: u32) -> &'t str {
    let at = (number as usize).saturating_sub(1);
    let Some(start) = starts.get(at).filter(|_| number > 0) else {
        return "";
    };
    let end = starts.get(at + 1).map_or(text.len(), |end| *end as usize);
    text.get(*start as usize..end).unwrap_or("").trim_end()
}

/// First and last line of a declaration, from 1.
#[must_use]
pub fn span(item: &Item) -> (u32, u32) {
    let end = match item.end.character {
        // It ends with a line end.
        0 if item.end.line > item.start.line => item.end.line,
        _ => item.end.line + 1,
    };
    (item.start.line + 1, end)
}

/// The line of a declaration's name, from 1.
#[must_use]
pub fn name_line(item: &Item) -> u32 {
    item.name_start.line + 1
}

/// Whether a declaration is in running code.
#[must_use]
pub fn is_local(item: &Item) -> bool {
    item.flags.contains(ItemFlags::LOCAL)
}

/// The path of a declaration in its file: what it is in, and its name, separated by `.`.
#[must_use]
pub fn path_in_file(facts: &Facts, index: ItemIndex) -> String {
    let mut parts = Vec::new();
    let mut at = Some(index);
    while let Some(item) = at.and_then(|at| facts.items.get(at as usize)) {
        let name = facts.str(item.name);
        let is_said = item.kind == ItemKind::Extension && parts.last() == Some(&name);
        if !name.is_empty() && !is_said {
            parts.push(name);
        }
        // A block of members stands for its type, `impl<'a> Reader<'a>` for `Reader`: what it is of is said once.
        let container = facts.str(item.container);
        let container = container.split('<').next().unwrap_or(container);
        if !container.is_empty() && parts.last() != Some(&container) {
            parts.push(container);
        }
        at = item.parent;
    }
    parts.reverse();
    parts.join(".")
}

/// Whether a declaration is a test in a file of other things: in a module of tests.
#[must_use]
pub fn is_in_test_module(facts: &Facts, index: ItemIndex) -> bool {
    let mut at = Some(index);
    while let Some(item) = at.and_then(|at| facts.items.get(at as usize)) {
        if item.kind.is_namespace() && matches!(facts.str(item.name), "test" | "tests") {
            return true;
        }
        at = item.parent;
    }
    false
}

/// Whether a file is one of tests, by its path.
#[must_use]
pub fn is_test_path(path: &str) -> bool {
    Role::of_path(path) == Role::Test
}

/// Whether a text has a word.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// White space squashed: what two lines are compared by.
pub(crate) fn squashed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_numbers_and_bytes() {
        let source = VersionedFile::for_path("a.txt", b"one\r\n\ntwo  \nthree", None).unwrap();
        assert_eq!(source.lines(), 4);
        let lines: Vec<&str> = (0..6).map(|number| source.line(number)).collect();
        assert_eq!(lines, ["", "one", "", "two", "three", ""]);
        assert_eq!(source.start_of(3), 6);
        assert_eq!(
            VersionedFile::for_path("a.txt", b"x\n", None)
                .unwrap()
                .lines(),
            1
        );
    }

    #[test]
    fn paths_have_containers() {
        let text = b"impl Cart {\n    fn add(&self) {}\n}\nimpl<'a> Bag<'a> {\n    fn put(&self) {}\n}\nmod tests {\n    fn adds() {}\n}\n";
        let limits = Limits {
            max_file_size: 1000,
            exclude_generated: true,
        };
        let source = VersionedFile::for_path("a.rs", text, Some(limits)).unwrap();
        let facts = source.facts.unwrap();
        let paths: Vec<String> = (0..facts.items.len() as u32)
            .map(|item| path_in_file(&facts, item))
            .collect();
        for path in ["Cart.add", "Bag.put"] {
            assert!(paths.contains(&path.to_owned()), "{paths:?}");
        }
        let test = paths.iter().position(|path| path == "tests.adds").unwrap();
        assert!(is_in_test_module(&facts, test as u32) && !is_in_test_module(&facts, 0));
    }
}
