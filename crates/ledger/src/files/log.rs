//! `hash_conflicts.log` and `alias_conflicts.log`: a line an event, for people. They are only appended to.

use super::{ContextFile, ContextFileProblem};
use crate::model::{LogEntry, LogKind};
use crate::time::{parse_rfc3339, rfc3339};

impl LogKind {
    const ALL: [Self; 5] = [
        Self::Id,
        Self::Hash,
        Self::Unclassified,
        Self::Twice,
        Self::Alias,
    ];

    /// The word in the log.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Hash => "hash",
            Self::Unclassified => "unclassified",
            Self::Twice => "twice",
            Self::Alias => "alias",
        }
    }

    /// The log that it goes to.
    #[must_use]
    pub fn file(self) -> ContextFile {
        match self {
            Self::Alias => ContextFile::AliasConflicts,
            _ => ContextFile::HashConflicts,
        }
    }
}

/// A line of a log: time, kind, type and text, apart by tabs.
#[must_use]
pub fn render_log_entry(entry: &LogEntry) -> String {
    let plain = |text: &str| text.replace(|letter: char| letter.is_control(), " ");
    format!(
        "{}\t{}\t{}\t{}\n",
        rfc3339(entry.at),
        entry.kind.as_str(),
        plain(&entry.subject),
        plain(&entry.text)
    )
}

/// Reads a log. Lines that are none are left where they are and reported.
#[must_use]
pub fn parse_log(file: ContextFile, text: &str) -> (Vec<LogEntry>, Vec<ContextFileProblem>) {
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    for (at, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        match parse_line(line) {
            Some(entry) => entries.push(entry),
            None => problems.push(ContextFileProblem {
                file,
                place: format!("line {}", at + 1),
                what: "not an entry of this log".to_owned(),
                next: "the line stays and is passed over",
            }),
        }
    }
    (entries, problems)
}

fn parse_line(line: &str) -> Option<LogEntry> {
    let mut parts = line.splitn(4, '\t');
    let (at, kind) = (parse_rfc3339(parts.next()?)?, parts.next()?);
    Some(LogEntry {
        at,
        kind: LogKind::ALL.into_iter().find(|one| one.as_str() == kind)?,
        subject: parts.next()?.to_owned(),
        text: parts.next()?.to_owned(),
    })
}
