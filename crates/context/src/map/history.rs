//! Commits as a host reads them.

use std::borrow::Cow;

use codecortex_retrieval::{Commit, History, TouchedFile};

/// Reads what the effect `log` is answered with: of each commit a character 1, its message, a character 2, and a line for
/// each file: a status, a tab, its path, and where it was moved the new path after another tab.
#[must_use]
pub fn parse(log: &str) -> History {
    History::read(commits(log))
}

/// Reads the logs of several roots, whose paths begin with the name that they are given with.
pub(super) fn parse_each(logs: &[(String, Cow<'_, str>)]) -> History {
    let named: Vec<String> = logs.iter().map(|(name, log)| named(log, name)).collect();
    History::read_each(named.iter().map(|log| commits(log)))
}

fn commits(log: &str) -> impl Iterator<Item = Commit<'_>> {
    // Before the first mark there is no commit.
    log.split('\x01').skip(1).filter_map(commit)
}

/// A log with a folder before each path.
fn named(log: &str, folder: &str) -> String {
    let mut out = String::with_capacity(2 * log.len());
    for record in log.split_inclusive('\x01') {
        let (message, files) = record.split_once('\x02').unwrap_or((record, ""));
        out.push_str(message);
        if !files.is_empty() {
            out.push('\x02');
        }
        for line in files.split_inclusive('\n') {
            let mut parts = line.split('\t');
            out.push_str(parts.next().unwrap_or_default());
            for path in parts {
                out.push('\t');
                out.push_str(folder);
                out.push('/');
                out.push_str(path);
            }
        }
    }
    out
}

fn commit(record: &str) -> Option<Commit<'_>> {
    let (message, files) = record.split_once('\x02')?;
    Some(Commit {
        message,
        changes: files.lines().filter_map(change).collect(),
    })
}

fn change(line: &str) -> Option<TouchedFile<'_>> {
    let mut parts = line.split('\t');
    let status = parts.next().filter(|status| !status.is_empty())?;
    let first = parts.next()?;
    Some(match parts.next() {
        Some(second) => TouchedFile {
            path: second,
            moved_from: status.starts_with('R').then_some(first),
        },
        None => TouchedFile {
            path: first,
            moved_from: None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn commits_have_messages_and_files() {
        let log = "\x01Fix the cart\n\nMore.\n\x02\nM\tsrc/cart.py\nR087\told.py\tnew.py\n\x01Begin\n\x02\nA\told.py\n";
        assert_eq!(parse(log).len(), 2);
        let moved = change("R087\told.py\tnew.py").unwrap();
        assert_eq!((moved.path, moved.moved_from), ("new.py", Some("old.py")));
        assert_eq!(change(""), None);
    }

    #[test]
    fn each_root_has_its_commits_under_its_name() {
        let web = "\x01Fix the cart\n\x02\nM\tcart.py\n\x01Begin\n\x02\nR087\told.py\tcart.py\n";
        let core = "\x01Begin\n\x02\nA\tcart.py\n";
        let named = named(web, "web");
        assert_eq!(
            named,
            "\x01Fix the cart\n\x02\nM\tweb/cart.py\n\x01Begin\n\x02\nR087\tweb/old.py\tweb/cart.py\n"
        );
        let logs = [
            ("web".to_owned(), Cow::Borrowed(web)),
            ("core".to_owned(), Cow::Borrowed(core)),
        ];
        assert_eq!(parse_each(&logs).len(), 3);
    }

    proptest! {
        #[test]
        fn any_text_is_read(log in "[\x01\x02\t\n a-zR0-9/]{0,200}") {
            let _ = parse(&log);
        }
    }
}
