//! Differences of two texts as unified diffs (SPEC LC3).

use std::ops::Range;

use codecortex_text::{TextDocument, each_line};
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// Lines around a change that are shown.
const CONTEXT: usize = 3;
/// More lines than this are not compared one by one: it is said how many there are.
const MAX_COMPARED: usize = 20_000;

/// A difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// Hunks, or a header and hunks; empty where nothing differs.
    pub text: String,
    /// First and last line of the new text that are concerned, from 1.
    pub lines: Option<(usize, usize)>,
    /// Lines that came.
    pub added: usize,
    /// Lines that went.
    pub removed: usize,
}

/// What the header calls the two texts.
#[derive(Clone, Copy, Debug)]
pub struct Labels<'a> {
    /// The file's name in the headers.
    pub path: &'a str,
    /// What the text before is called.
    pub old: &'a str,
    /// What the text after is called.
    pub new: &'a str,
}

/// The difference between two texts. `same` are bytes at the start and the end that are known to be equal;
/// they are looked for where they are not given. At most `most` lines are written.
pub fn unified(
    old: &TextDocument,
    new: &TextDocument,
    same: Option<(usize, usize)>,
    labels: Option<Labels<'_>>,
    most: usize,
) -> Patch {
    let (prefix, suffix) = same.unwrap_or_else(|| {
        let prefix = old.common_prefix(new);
        (prefix, old.common_suffix(new, prefix))
    });
    // What comes before and behind is the same in both, so they have the same number of lines of it.
    let behind = |text: &TextDocument| text.line_count() - text.line_of(text.len() - suffix);
    let first = old.line_of(prefix).min(new.line_of(prefix));
    let first = first.saturating_sub(CONTEXT + 1);
    let behind = behind(old).max(behind(new)).saturating_sub(CONTEXT + 2);
    let count = |text: &TextDocument| text.line_count().saturating_sub(behind + first);
    if count(old) + count(new) > MAX_COMPARED {
        return uncompared((count(old), count(new)), first, labels);
    }
    let region = |text: &TextDocument| text.lines(first..text.line_count().saturating_sub(behind));
    let (old, new) = (region(old), region(new));
    let old_lines: Vec<&str> = each_line(&old).collect();
    let new_lines: Vec<&str> = each_line(&new).collect();
    if old_lines == new_lines {
        return Patch::default();
    }
    let ops = capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines);
    let mut writer = DiffWriter {
        patch: Patch::default(),
        left: most,
        cut: 0,
    };
    writer.patch.text = header(labels);
    for hunk in group_diff_ops(ops, CONTEXT) {
        writer.hunk(&hunk, (&old_lines, first), (&new_lines, first));
    }
    if writer.cut > 0 {
        writer.patch.text += &format!("… {} more lines\n", writer.cut);
    }
    writer.patch
}

fn header(labels: Option<Labels<'_>>) -> String {
    let Some(Labels { path, old, new }) = labels else {
        return String::new();
    };
    format!("--- a/{path} {old}\n+++ b/{path} {new}\n")
}

/// What is said of changes so far apart that nobody would read the lines between them.
fn uncompared(lines: (usize, usize), first: usize, labels: Option<Labels<'_>>) -> Patch {
    let (old, new) = lines;
    let ranges = (numbers(&(0..old), first), numbers(&(0..new), first));
    let (old_range, new_range) = ranges;
    let text = format!(
        "@@ -{old_range} +{new_range} @@\n… changes in {new} lines, too far apart to show\n"
    );
    Patch {
        text: header(labels) + &text,
        lines: Some((first + 1, first + new.max(1))),
        added: new,
        removed: old,
    }
}

struct DiffWriter {
    patch: Patch,
    left: usize,
    cut: usize,
}

impl DiffWriter {
    fn hunk(&mut self, ops: &[DiffOp], old: (&[&str], usize), new: (&[&str], usize)) {
        let (Some(first), Some(last)) = (ops.first(), ops.last()) else {
            return;
        };
        let old_range = first.old_range().start..last.old_range().end;
        let new_range = first.new_range().start..last.new_range().end;
        if self.left > 0 {
            let header = format!(
                "@@ -{} +{} @@\n",
                numbers(&old_range, old.1),
                numbers(&new_range, new.1)
            );
            self.patch.text += &header;
        }
        for op in ops {
            if op.tag() != DiffTag::Equal {
                let range = op.new_range();
                self.patch.removed += op.old_range().len();
                self.patch.added += range.len();
                let from = new.1 + range.start + 1;
                let to = (new.1 + range.end).max(from);
                self.patch.lines = Some(match self.patch.lines {
                    Some((first, _)) => (first, to),
                    None => (from, to),
                });
            }
            match op.tag() {
                DiffTag::Equal => self.lines(' ', &old.0[op.old_range()]),
                _ => {
                    self.lines('-', &old.0[op.old_range()]);
                    self.lines('+', &new.0[op.new_range()]);
                }
            }
        }
    }

    fn lines(&mut self, sign: char, lines: &[&str]) {
        let shown = lines.len().min(self.left);
        self.left -= shown;
        self.cut += lines.len() - shown;
        for line in &lines[..shown] {
            let body = line.trim_end_matches(['\n', '\r']);
            self.patch.text.push(sign);
            self.patch.text.push_str(body);
            self.patch.text.push('\n');
            if body.len() == line.len() {
                self.patch.text.push_str("\\ No newline at end of file\n");
            }
        }
    }
}

/// `12,3`, or `12` for one line; for none, the line before it.
fn numbers(range: &Range<usize>, first: usize) -> String {
    let start = first + range.start + 1;
    match range.len() {
        0 => format!("{},0", start - 1),
        1 => start.to_string(),
        length => format!("{start},{length}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn patch(old: &str, new: &str) -> String {
        unified(
            &TextDocument::new(old),
            &TextDocument::new(new),
            None,
            None,
            1000,
        )
        .text
    }

    #[test]
    fn hunks_have_the_numbers_of_the_whole_text() {
        let old: String = (1..=40).map(|line| format!("line {line}\n")).collect();
        let new = old.replace("line 20\n", "line twenty\nand more\n");
        assert_eq!(
            patch(&old, &new),
            "@@ -17,7 +17,8 @@\n line 17\n line 18\n line 19\n-line 20\n+line twenty\n+and more\n line 21\n line 22\n line 23\n"
        );
        assert_eq!(patch("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(patch("a\n", ""), "@@ -1 +0,0 @@\n-a\n");
        assert_eq!(patch("a\n", "a\n"), "");
        assert_eq!(
            patch("a", "b"),
            "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn headers_are_stable_and_long_patches_end() {
        let labels = Labels {
            path: "app/a.rs",
            old: "v1",
            new: "v2",
        };
        let (old, new) = (
            TextDocument::new("a\n"),
            TextDocument::new(&"b\n".repeat(50)),
        );
        let patch = unified(&old, &new, None, Some(labels), 5);
        let head = "--- a/app/a.rs v1\n+++ b/app/a.rs v2\n@@ -1 +1,50 @@\n-a\n+b\n";
        assert!(patch.text.starts_with(head), "{}", patch.text);
        assert!(patch.text.ends_with("… 46 more lines\n"), "{}", patch.text);
        assert_eq!(
            (patch.lines, patch.added, patch.removed),
            (Some((1, 50)), 50, 1)
        );
    }

    #[test]
    fn changes_far_apart_are_counted() {
        let old = TextDocument::new(&"a\n".repeat(30_000));
        let mut new = old.clone();
        new.replace(0..1, "b");
        let last = new.len() - 2;
        new.replace(last..last + 1, "c");
        let patch = unified(&old, &new, None, None, 100);
        assert!(patch.text.contains("too far apart"), "{}", patch.text);
        // Where nothing but one place changed it does not matter how long the text is.
        new.replace(0..1, "a");
        let patch = unified(&old, &new, None, None, 100);
        assert!(patch.text.ends_with("-a\n+c\n"), "{}", patch.text);
    }

    /// Applies a patch the way a program does that knows nothing but its lines.
    fn applied(old: &str, patch: &str) -> String {
        let lines: Vec<&str> = old.split_inclusive('\n').collect();
        let (mut out, mut next) = (Vec::<String>::new(), 0);
        for line in patch.lines() {
            if let Some(header) = line.strip_prefix("@@ -") {
                let numbers = header.split(' ').next().unwrap();
                let (start, count) = numbers.split_once(',').unwrap_or((numbers, "1"));
                let start: usize = start.parse().unwrap();
                let start = if count == "0" { start } else { start - 1 };
                out.extend(lines[next..start].iter().map(|line| (*line).to_owned()));
                next = start;
            } else if let Some(added) = line.strip_prefix('+') {
                out.push(format!("{added}\n"));
            } else if line.starts_with('\\') {
                let last = out.last_mut().unwrap();
                if last.ends_with('\n') && lines.get(next - 1).is_none_or(|l| l.ends_with('\n')) {
                    last.pop();
                }
            } else {
                if line.starts_with(' ') {
                    out.push(lines[next].to_owned());
                }
                next += 1;
            }
        }
        out.extend(lines[next..].iter().map(|line| (*line).to_owned()));
        out.concat()
    }

    proptest! {
        /// Whoever applies the patch to the old text has the new one.
        #[test]
        fn a_patch_leads_from_one_to_the_other(
            old in prop::collection::vec("[ab]{0,2}", 0..30),
            new in prop::collection::vec("[ab]{0,2}", 0..30),
        ) {
            let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            let (old, new) = (text(&old), text(&new));
            prop_assert_eq!(applied(&old, &patch(&old, &new)), new);
        }
    }
}
