//! A change as a review gets it: two sets of files, their diff, and the findings about it.

use codecortex_engine::protocol::{FileVersions, GitDiff};
use serde_json::{Value, json};

use crate::review::{ask, bytes};
use crate::support::Host;

/// Files of a change: path and text.
pub(crate) type Files = &'static [(&'static str, &'static str)];

/// A unified diff of two texts with three lines around: one hunk, from the first line that differs to the last.
fn hunk(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let left = old.len().min(new.len()) - common;
    let pairs = old.iter().rev().zip(new.iter().rev());
    let behind = pairs.take(left).take_while(|(a, b)| a == b).count();
    let first = common.saturating_sub(3);
    let last = |lines: &[&str]| (lines.len() - behind + 3).min(lines.len());
    let head = |lines: &[&str]| {
        let count = last(lines) - first;
        format!("{},{count}", if count == 0 { first } else { first + 1 })
    };
    let mut text = format!("@@ -{} +{} @@\n", head(&old), head(&new));
    let mut put = |sign: char, lines: &[&str]| {
        lines
            .iter()
            .for_each(|line| text.push_str(&format!("{sign}{line}\n")));
    };
    put(' ', &old[first..common]);
    put('-', &old[common..old.len() - behind]);
    put('+', &new[common..new.len() - behind]);
    put(' ', &old[old.len() - behind..last(&old)]);
    text
}

fn text_of(files: Files, path: &str) -> Option<&'static str> {
    let found = files.iter().find(|(of, _)| *of == path);
    found.map(|(_, text)| *text)
}

/// The diff of two sets of files, with files that moved.
pub(crate) fn diff(before: Files, after: Files) -> GitDiff {
    let mut diff = GitDiff {
        base: Some("1111".into()),
        ..GitDiff::default()
    };
    let is_gone = |path: &str| text_of(after, path).is_none();
    let moved = |text: &str| {
        let mut gone = before.iter().filter(|(path, _)| is_gone(path));
        gone.find(|(_, old)| *old == text).map(|(path, _)| *path)
    };
    let mut was_moved = Vec::new();
    for (path, new) in after {
        let old = text_of(before, path);
        let from = old.is_none().then(|| moved(new)).flatten();
        was_moved.extend(from);
        let old_path = from.unwrap_or(path);
        let old = old.or_else(|| text_of(before, old_path));
        diff.patch += &format!("diff --git a/{old_path} b/{path}\n");
        match old {
            Some(_) if from.is_some() => {
                diff.patch +=
                    &format!("similarity index 100%\nrename from {old_path}\nrename to {path}\n");
            }
            Some(old) => diff.patch += &format!("--- a/{path}\n+++ b/{path}\n{}", hunk(old, new)),
            None => {
                diff.patch += &format!(
                    "new file mode 100644\n--- /dev/null\n+++ b/{path}\n{}",
                    hunk("", new)
                );
            }
        }
        diff.versions.push(FileVersions {
            path: (*path).into(),
            old: old.and_then(bytes),
            new: bytes(new),
        });
    }
    for (path, old) in before
        .iter()
        .filter(|(path, _)| is_gone(path) && !was_moved.contains(path))
    {
        diff.patch += &format!(
            "diff --git a/{path} b/{path}\ndeleted file mode 100644\n--- a/{path}\n+++ /dev/null\n{}",
            hunk(old, "")
        );
        diff.versions.push(FileVersions {
            path: (*path).into(),
            old: bytes(old),
            new: None,
        });
    }
    diff
}

/// The findings of a change.
pub(crate) fn findings(before: Files, after: Files, rest: Files) -> Vec<Value> {
    let files = after.iter().chain(rest);
    let fixture: String = files
        .map(|(path, text)| format!("//- /app/{path}\n{text}\n"))
        .collect();
    let mut host = Host::new(&fixture);
    for (path, text) in after.iter().chain(rest) {
        host.write(&format!("/w/app/{path}"), text);
    }
    let paths: Vec<String> = after
        .iter()
        .chain(rest)
        .map(|(path, _)| format!("/w/app/{path}"))
        .collect();
    host.touched(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    host.diff = Some(diff(before, after));
    let data = ask(
        &mut host,
        json!({ "base": "main", "head": "HEAD", "step": "findings" }),
    );
    data["findings"].as_array().unwrap().clone()
}

/// The places of a category, `path:line`, as evidence has them.
pub(crate) fn places(findings: &[Value], category: &str) -> Vec<String> {
    let of = findings
        .iter()
        .filter(|found| found["category"] == category);
    let places = of.flat_map(|found| found["evidence"].as_array().cloned().unwrap_or_default());
    let mut places: Vec<String> = places
        .filter_map(|place| place.as_str().map(str::to_owned))
        .collect();
    places.sort();
    places.dedup();
    places
}
