//! A change as a unified diff for people. Changes are made at one place of a file, so one hunk shows them.

use std::fmt::Write as _;

use codecortex_secrets::{Counts, Redactor};

/// Lines that are shown around a change.
const CONTEXT: usize = 2;
/// Characters of a line that are shown.
const MAX_LINE: usize = 160;

/// The diff of a file, without secrets: what stands beside a change may be a key of another server.
#[must_use]
pub fn unified_diff(path: &str, before: Option<&str>, after: Option<&str>) -> String {
    let name = |text: Option<&str>| text.map_or("/dev/null", |_| path).to_owned();
    let mut out = format!("--- {}\n+++ {}\n", name(before), name(after));
    let old: Vec<&str> = before.unwrap_or_default().split_inclusive('\n').collect();
    let new: Vec<&str> = after.unwrap_or_default().split_inclusive('\n').collect();
    let pairs = old.iter().zip(&new);
    let head = pairs.take_while(|(left, right)| left == right).count();
    let pairs = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = pairs.take_while(|(left, right)| left == right).count();
    let from = head.saturating_sub(CONTEXT);
    let behind = tail.min(CONTEXT);
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let range = |end: usize| {
        let count = end + behind - from;
        format!("{},{count}", from + usize::from(count > 0))
    };
    let _ = writeln!(out, "@@ -{} +{} @@", range(old_end), range(new_end));
    let mut lines = String::new();
    let mut show = |mark: char, some: &[&str]| {
        for line in some {
            push_line(&mut lines, mark, line);
        }
    };
    show(' ', &old[from..head]);
    show('-', &old[head..old_end]);
    show('+', &new[head..new_end]);
    show(' ', &old[old_end..old_end + behind]);
    out.push_str(&Redactor::default().redact(&lines, &mut Counts::new()));
    out
}

fn push_line(out: &mut String, mark: char, line: &str) {
    let text = line.trim_end_matches(['\n', '\r']);
    out.push(mark);
    match text.char_indices().nth(MAX_LINE) {
        // A whole document may stand on one line; both ends of it are shown.
        Some((at, _)) => {
            let end = text
                .char_indices()
                .rev()
                .nth(MAX_LINE / 2)
                .map_or(at, |(end, _)| end);
            out.push_str(&text[..at]);
            if end > at {
                out.push('…');
            }
            out.push_str(&text[end.max(at)..]);
        }
        None => out.push_str(text),
    }
    out.push('\n');
    if !line.ends_with('\n') {
        out.push_str("\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_its_surroundings() {
        let before = "{\n  \"a\": 1,\n  \"b\": 2\n}\n";
        let after = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n";
        expect_test::expect![[r#"
            --- x.json
            +++ x.json
            @@ -1,4 +1,5 @@
             {
               "a": 1,
            -  "b": 2
            +  "b": 2,
            +  "c": 3
             }
        "#]]
        .assert_eq(&unified_diff("x.json", Some(before), Some(after)));
    }

    #[test]
    fn new_and_removed_files_are_whole() {
        let made = unified_diff("x", None, Some("a\n"));
        assert_eq!(made, "--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+a\n");
        let gone = unified_diff("x", Some("a"), None);
        assert!(gone.ends_with("@@ -1,1 +0,0 @@\n-a\n\\ No newline at end of file\n"));
    }

    #[test]
    fn keys_of_neighbours_are_not_shown() {
        let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let before = format!("{{\n  \"env\": {{ \"GITHUB_TOKEN\": \"{key}\" }}\n}}\n");
        let after = before.replace("}\n}", "},\n  \"codecortex\": 1\n}");
        let diff = unified_diff("x", Some(&before), Some(&after));
        assert!(
            !diff.contains(&key) && diff.contains("codecortex"),
            "{diff}"
        );
    }
}
