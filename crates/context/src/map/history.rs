//! Commits as a host reads them.

use codecortex_retrieval::{Change, Commit, History};

/// Reads what the effect `log` is answered with: of each commit a character 1, its message, a character 2, and a line for
/// each file: a status, a tab, its path, and where it was moved the new path after another tab.
#[must_use]
pub fn parse(log: &str) -> History {
    // Before the first mark there is no commit.
    History::read(log.split('\x01').skip(1).filter_map(commit))
}

fn commit(record: &str) -> Option<Commit<'_>> {
    let (message, files) = record.split_once('\x02')?;
    Some(Commit {
        message,
        changes: files.lines().filter_map(change).collect(),
    })
}

fn change(line: &str) -> Option<Change<'_>> {
    let mut parts = line.split('\t');
    let status = parts.next().filter(|status| !status.is_empty())?;
    let first = parts.next()?;
    Some(match parts.next() {
        Some(second) => Change {
            path: second,
            moved_from: status.starts_with('R').then_some(first),
        },
        None => Change {
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

    proptest! {
        #[test]
        fn any_text_is_read(log in "[\x01\x02\t\n a-zR0-9/]{0,200}") {
            let _ = parse(&log);
        }
    }
}
