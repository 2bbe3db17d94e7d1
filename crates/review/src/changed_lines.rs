//! What the changed lines of a unit are, told from their text alone: comments, imports, moved or renamed code.

use rustc_hash::FxHashMap;

use crate::diff::{Hunk, LineKind};
use crate::source::squashed;

/// What all changed lines are, where they are all alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangedTokens {
    /// Comments.
    Comment,
    /// Imports and exports.
    Import,
}

impl ChangedTokens {
    /// The word in rules.
    #[must_use]
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::Import => "import",
        }
    }
}

/// The lines that hunks add and remove, with their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangedLines<'h> {
    /// Number in the new version, and text.
    pub(crate) added: Vec<(u32, &'h str)>,
    /// Number in the old version, and text.
    pub(crate) removed: Vec<(u32, &'h str)>,
}

impl<'h> ChangedLines<'h> {
    /// Those of hunks.
    #[must_use]
    pub(crate) fn from_hunks(hunks: impl IntoIterator<Item = &'h Hunk>) -> Self {
        let mut lines = Self::default();
        for line in hunks.into_iter().flat_map(|hunk| &hunk.lines) {
            match line.kind {
                LineKind::Added => lines.added.push((line.new, &line.text)),
                LineKind::Removed => lines.removed.push((line.old, &line.text)),
                LineKind::Context => {}
            }
        }
        lines
    }

    /// The texts of all of them, the added ones first.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'h str> + '_ {
        self.added
            .iter()
            .chain(&self.removed)
            .map(|(_, text)| *text)
    }

    /// Whether only white space differs: also where lines are broken in other places.
    #[must_use]
    pub(crate) fn are_alike_but_for_space(&self) -> bool {
        let marks = |lines: &[(u32, &str)]| -> String {
            let all = lines.iter().flat_map(|(_, text)| text.chars());
            all.filter(|c| !c.is_whitespace()).collect()
        };
        !(self.added.is_empty() && self.removed.is_empty())
            && marks(&self.added) == marks(&self.removed)
    }

    /// What all of them are.
    #[must_use]
    pub(crate) fn tokens(&self) -> Option<ChangedTokens> {
        let said = || self.texts().map(str::trim).filter(|text| !text.is_empty());
        said().next()?;
        if said().all(is_comment) {
            Some(ChangedTokens::Comment)
        } else if said().all(is_import) {
            Some(ChangedTokens::Import)
        } else {
            None
        }
    }

    /// The name that stands for another in all of them, and nothing else differs: old and new.
    #[must_use]
    pub(crate) fn consistent_rename(&self) -> Option<(String, String)> {
        let words = |lines: &[(u32, &'h str)]| -> Vec<&'h str> {
            lines.iter().flat_map(|(_, text)| lexed(text)).collect()
        };
        let (old, new) = (words(&self.removed), words(&self.added));
        if old.len() != new.len() {
            return None;
        }
        let mut pair = None;
        for (was, is) in old.into_iter().zip(new).filter(|(was, is)| was != is) {
            let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if !is_name(was) || !is_name(is) || *pair.get_or_insert((was, is)) != (was, is) {
                return None;
            }
        }
        pair.map(|(was, is)| (was.to_owned(), is.to_owned()))
    }
}

fn is_comment(line: &str) -> bool {
    const BEGINS: [&str; 9] = ["//", "#", "/*", "*", "--", "<!--", "\"\"\"", "'''", ";;"];
    // A directive is no comment, and `*p = 1` is none either.
    const NOT: [&str; 7] = ["#include", "#define", "#if", "#e", "#pragma", "#[", "#!"];
    let is_code_star = line
        .strip_prefix('*')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    BEGINS.iter().any(|begin| line.starts_with(begin))
        && !NOT.iter().any(|not| line.starts_with(not))
        && !is_code_star
}

/// Whether a line brings names in, or gives them out.
pub(crate) fn is_import(line: &str) -> bool {
    const WORDS: [&str; 8] = [
        "import ",
        "from ",
        "using ",
        "use ",
        "pub use ",
        "#include",
        "require ",
        "extern crate ",
    ];
    let is_list = line.starts_with('"') && line.ends_with('"');
    WORDS.iter().any(|word| line.starts_with(word))
        || line.starts_with("export {")
        || line.starts_with("export *")
        || (line.starts_with("const ") || line.starts_with("var ")) && line.contains("require(")
        || is_list && !line.contains(' ')
}

/// Names and single signs of a line.
fn lexed(line: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let len = match is_part(first) {
            true => rest.find(|c: char| !is_part(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(len);
        if !first.is_whitespace() {
            words.push(word);
        }
        rest = behind;
    }
    words
}

/// How many of a change's lines stand elsewhere in it with the other sign.
#[derive(Debug, Default)]
pub(crate) struct MovedLines {
    added: FxHashMap<String, u32>,
    removed: FxHashMap<String, u32>,
}

/// Shorter lines are everywhere.
const MIN_LINE: usize = 8;

impl MovedLines {
    /// Of all hunks of a change.
    #[must_use]
    pub(crate) fn from_hunks<'h>(hunks: impl IntoIterator<Item = &'h Hunk>) -> Self {
        let lines = ChangedLines::from_hunks(hunks);
        let count = |lines: &[(u32, &str)]| {
            let mut counts: FxHashMap<String, u32> = FxHashMap::default();
            for (_, text) in lines {
                let text = squashed(text);
                if text.len() >= MIN_LINE {
                    *counts.entry(text).or_default() += 1;
                }
            }
            counts
        };
        Self {
            added: count(&lines.added),
            removed: count(&lines.removed),
        }
    }

    /// Share of changed lines, 0 to 1, that have a counterpart with the other sign anywhere in the change; a line that is
    /// exchanged in place for itself with other white space has one too. None where there is too little to tell.
    #[must_use]
    pub(crate) fn ratio(&self, lines: &ChangedLines<'_>) -> Option<f64> {
        let share = |lines: &[(u32, &str)], others: &FxHashMap<String, u32>| {
            let long = lines
                .iter()
                .map(|(_, text)| squashed(text))
                .filter(|text| text.len() >= MIN_LINE);
            long.fold((0u32, 0u32), |(all, known), text| {
                (all + 1, known + u32::from(others.contains_key(&text)))
            })
        };
        let (added, removed) = (
            share(&lines.added, &self.removed),
            share(&lines.removed, &self.added),
        );
        let all = added.0 + removed.0;
        (all >= 3).then(|| f64::from(added.1 + removed.1) / f64::from(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Patch;

    fn hunks(body: &str) -> Vec<Hunk> {
        let count = |not: char| body.lines().filter(|line| !line.starts_with(not)).count();
        let text = format!(
            "--- a/x\n+++ b/x\n@@ -1,{} +1,{} @@\n{body}",
            count('+'),
            count('-')
        );
        Patch::parse(&text).files.remove(0).hunks
    }

    #[test]
    fn looks_comments_and_imports_are_told() {
        let of = |body: &str| {
            let hunks = hunks(body);
            let lines = ChangedLines::from_hunks(&hunks);
            (
                lines.are_alike_but_for_space(),
                lines.tokens().map(ChangedTokens::as_str),
            )
        };
        assert_eq!(of("-f(a, b)\n+f(a,\n+  b)\n"), (true, None));
        assert_eq!(of("-// a\n+// b\n"), (false, Some("comment")));
        assert_eq!(of("+import a\n+from b import c\n"), (false, Some("import")));
        assert_eq!(of("+#include <a.h>\n-*p = 1;\n"), (false, None));
    }

    #[test]
    fn a_consistent_rename_changes_one_name_alone() {
        let of = |body: &str| ChangedLines::from_hunks(&hunks(body)).consistent_rename();
        assert_eq!(
            of("-a = old(old)\n+a = new(new)\n"),
            Some(("old".into(), "new".into()))
        );
        assert_eq!(of("-a = old(1)\n+a = new(2)\n"), None);
        assert_eq!(of("-a = old(b)\n+a = new(c)\n"), None);
    }

    #[test]
    fn moved_lines_have_a_counterpart() {
        let body = "-let first = 1;\n-let second = 2;\n x\n+let first = 1;\n+let second = 2;\n";
        let all = hunks(body);
        let moved = MovedLines::from_hunks(&all);
        assert_eq!(moved.ratio(&ChangedLines::from_hunks(&all)), Some(1.0));
        let other = hunks("+let third = 3;\n+let fourth = 4;\n+let fifth = 5;\n");
        assert_eq!(moved.ratio(&ChangedLines::from_hunks(&other)), Some(0.0));
        assert_eq!(moved.ratio(&ChangedLines::from_hunks(&hunks("+x\n"))), None);
    }
}
