//! Whether changed lines differ in layout alone: in white space that no language reads (SPEC D41, RV1).
//!
//! Lines that are alike but for white space are compared by the tokens and the nesting that the file's grammar makes of
//! them, so what stands in a string, how far a line of Python is indented and where a statement ends all count. Of files
//! without a grammar little is known: there only ends of lines are layout, and white space between tokens of JSON.

use codecortex_syntax::{Layout, same_tokens};
use serde_json::Value;

use crate::apply::{PatchSide, other_side};
use crate::change::ChangedFile;
use crate::changed_lines::ChangedLines;
use crate::diff::Hunk;

/// Files in which white space at the end of a line says something.
const WITH_LINE_ENDS: [&str; 5] = [".md", ".mdx", ".markdown", ".diff", ".patch"];

/// Whether these hunks of a file change its layout alone.
pub(crate) fn is_only_layout(
    file: &ChangedFile,
    hunks: &[&Hunk],
    lines: &ChangedLines<'_>,
) -> bool {
    if !lines.are_alike_but_for_space() {
        return false;
    }
    let ends_only = || have_same_ends(file, lines);
    let Some((old, new)) = versions(file, hunks) else {
        return ends_only();
    };
    match file.language {
        Some(language) => match same_tokens(language, &old, &new) {
            Layout::SameTokens => true,
            Layout::OtherTokens => false,
            Layout::Unknown => ends_only(),
        },
        None if file.path.ends_with(".json") => is_same_json(&old, &new).unwrap_or_else(ends_only),
        None => ends_only(),
    }
}

/// The old version of a file, and the same with these hunks of the change alone.
fn versions(file: &ChangedFile, hunks: &[&Hunk]) -> Option<(String, String)> {
    let old = file.old.as_ref()?;
    let hunks: Vec<Hunk> = hunks.iter().map(|hunk| (*hunk).clone()).collect();
    let new = other_side(&old.text, &hunks, PatchSide::Old)?;
    Some((old.text.clone(), new))
}

/// Whether lines differ in white space at their ends alone, where that says nothing.
fn have_same_ends(file: &ChangedFile, lines: &ChangedLines<'_>) -> bool {
    let trimmed = |lines: &[(u32, &str)]| -> Vec<String> {
        lines
            .iter()
            .map(|(_, text)| text.trim_end().to_owned())
            .collect()
    };
    let says = WITH_LINE_ENDS
        .iter()
        .any(|ending| file.path.ends_with(ending));
    !says && trimmed(&lines.added) == trimmed(&lines.removed)
}

/// Whether two texts of JSON say the same; nothing where one is none.
fn is_same_json(old: &str, new: &str) -> Option<bool> {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    Some(read(old)? == read(new)?)
}

#[cfg(test)]
mod tests {
    use codecortex_protocol::{Bytes, FileVersions, GitDiff};
    use codecortex_syntax::Limits;

    use super::*;
    use crate::change::{ChangeOrigin, ReviewedChange};

    /// Whether a change of one line of a file is of layout alone.
    fn is_layout_only(path: &str, old: &str, new: &str) -> bool {
        let count = |text: &str| text.lines().count();
        let signed = |sign: char, text: &str| -> String {
            text.lines().map(|line| format!("{sign}{line}\n")).collect()
        };
        let patch = format!(
            "--- a/{path}\n+++ b/{path}\n@@ -1,{} +1,{} @@\n{}{}",
            count(old),
            count(new),
            signed('-', old),
            signed('+', new)
        );
        let bytes = |text: &str| Some(Bytes(text.as_bytes().to_vec()));
        let diff = GitDiff {
            patch,
            versions: vec![FileVersions {
                path: path.into(),
                old: bytes(old),
                new: bytes(new),
            }],
            ..GitDiff::default()
        };
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: true,
        };
        let change = ReviewedChange::of_git(ChangeOrigin::Pr, &diff, limits);
        let file = &change.files[0];
        let hunks: Vec<&Hunk> = file.diff.hunks.iter().collect();
        let lines = ChangedLines::from_hunks(hunks.iter().copied());
        is_only_layout(file, &hunks, &lines)
    }

    #[test]
    fn what_no_language_reads_is_layout() {
        for (path, old, new) in [
            ("a.ts", "f(a, b);\n", "f(a,\n  b);\n"),
            (
                "a.java",
                "class A { int f() { return 1; } }\n",
                "class A {\n  int f() {\n    return 1;\n  }\n}\n",
            ),
            ("a.py", "f(a,b)\n", "f(a, b)\n"),
            ("a.json", "{\"a\":1}\n", "{\n  \"a\": 1\n}\n"),
            ("c.yaml", "a: 1  \n", "a: 1\n"),
        ] {
            assert!(is_layout_only(path, old, new), "{path}: {old} -> {new}");
        }
    }

    #[test]
    fn what_a_language_reads_is_none() {
        for (path, old, new) in [
            ("a.ts", "f(\"a b\");\n", "f(\"ab\");\n"),
            ("a.ts", "x = - -b;\n", "x = --b;\n"),
            ("a.ts", "x = `a b`;\n", "x = `a  b`;\n"),
            (
                "a.ts",
                "function f() {\n  return 1 + 2;\n}\n",
                "function f() {\n  return\n  1 + 2;\n}\n",
            ),
            ("a.py", "if n:\n    a()\n    b()\n", "if n:\n    a()\nb()\n"),
            ("a.py", "x = \"\"\"a\nb\"\"\"\n", "x = \"\"\"a\n b\"\"\"\n"),
            (
                "a.go",
                "package a\n\nfunc f() {\n\tx := 1 - x\n}\n",
                "package a\n\nfunc f() {\n\tx := 1\n\t-x\n}\n",
            ),
            ("c.yaml", "a:\n  c: 2\n", "a:\nc: 2\n"),
            ("Makefile", "a:\n\tb\n", "a:\n    b\n"),
            ("a.json", "{\"a\": \"b c\"}\n", "{\"a\": \"bc\"}\n"),
            ("a.md", "one  \n", "one\n"),
            ("a.ts", "a();\nb();\n", "b();\na();\n"),
        ] {
            assert!(!is_layout_only(path, old, new), "{path}: {old} -> {new}");
        }
    }
}
