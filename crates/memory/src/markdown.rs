//! The log for people: a line an observation, its summary alone (`003` §4.2, SPEC D26).
//!
//! Nothing reads it, unless Markdown is the chosen back end for an emergency; lines of other forms are prose then.

use crate::record::{Actor, Observation, Phase, SCHEMA_VERSION};
use crate::time;

/// What stands at the top of a new file.
#[cfg(feature = "native")]
pub(crate) const HEAD: &str = "# Observations\n\n";

/// The line of an observation, without its end.
#[cfg(feature = "native")]
#[must_use]
pub(crate) fn line(record: &Observation) -> String {
    let task = match record.task() {
        Some(task) => format!("[{}] ", encode(task)),
        None if record.summary.starts_with('[') => "[] ".to_owned(), // or it would be read as a task
        None => String::new(),
    };
    let summary: String = record
        .summary
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let (actor, phase) = (record.actor.as_str(), record.phase.as_str());
    let forgets = record.tombstone().map_or(String::new(), |tombstone| {
        let ids: Vec<String> = tombstone.ids.iter().map(|id| format!("#{id}")).collect();
        format!(" ({FORGETS}{})", ids.join(" "))
    });
    format!(
        "- #{} {} {actor}/{phase} {task}{summary}{forgets}",
        record.id, record.ts
    )
}

const FORGETS: &str = "forgets ";

/// The id of a line, if it is one of an observation.
#[cfg(feature = "native")]
pub(crate) fn id_of(line: &str) -> Option<u64> {
    line.strip_prefix("- #")?.split(' ').next()?.parse().ok()
}

/// What a line says of an observation.
#[must_use]
pub(crate) fn read(line: &str) -> Option<Observation> {
    let rest = line.strip_prefix("- #")?;
    let (id, rest) = rest.split_once(' ')?;
    let (ts, rest) = rest.split_at_checked(19)?;
    let (actor, rest) = rest.strip_prefix(' ')?.split_once('/')?;
    let (phase, rest) = rest.split_once(' ')?;
    let (task, summary) = match rest
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] "))
    {
        Some((task, summary)) => (Some(decode(task)).filter(|task| !task.is_empty()), summary),
        None => (None, rest),
    };
    let mut record = Observation {
        schema_version: SCHEMA_VERSION.to_owned(),
        id: id.parse().ok()?,
        ts: Some(ts).filter(|ts| time::is_valid(ts))?.to_owned(),
        task_id: task,
        actor: Actor::from(actor),
        phase: Phase::from(phase),
        summary: summary.to_owned(),
        detail: None,
        refs: None,
        ext: None,
        unknown: serde_json::Map::new(),
    };
    read_tombstone(&mut record);
    Some(record)
}

fn read_tombstone(record: &mut Observation) {
    let is_own = record.actor == Actor::System;
    let end = record.summary.strip_suffix(')').filter(|_| is_own);
    let Some((summary, ids)) = end.and_then(|text| text.rsplit_once(&format!(" ({FORGETS}")))
    else {
        return;
    };
    let ids = ids.split(' ').map(|id| id.strip_prefix('#')?.parse().ok());
    if let Some(ids) = ids.collect::<Option<Vec<u64>>>() {
        let purged = summary.starts_with("Purged");
        let ext = record.ext.get_or_insert_default();
        ext.tombstone = Some(crate::record::Tombstone { ids, purged });
        record.summary = summary.to_owned();
    }
}

/// A task without what ends it in a line.
#[cfg(feature = "native")]
fn encode(task: &str) -> String {
    task.replace('%', "%25").replace(']', "%5D")
}

fn decode(task: &str) -> String {
    task.replace("%5D", "]").replace("%25", "%")
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{ObservationDraft, Redactor, Sealed};

    proptest! {
        #[test]
        fn a_line_says_what_was_written(summary in "[a-z#*\\[\\]()/ é]{0,20}x", task in "[a-z%5D\\] ]{0,8}") {
            let mut draft = ObservationDraft::new("2026-01-01 00:00:00", summary);
            draft.actor = Actor::Planner;
            draft.task_id = Some(task);
            let record = draft.seal(&Redactor::default()).unwrap().into_record(7);
            prop_assert_eq!(read(&line(&record)), Some(record));
        }
    }

    #[test]
    fn tombstones_are_read_and_prose_is_not() {
        let record = Sealed::tombstone(&[3, 4], true, "2026-01-01 00:00:00")
            .unwrap()
            .into_record(9);
        assert_eq!(read(&line(&record)), Some(record));
        for prose in [
            "",
            "# Observations",
            "- #x",
            "- #1 today",
            "- #1 2026-99-01 00:00:00 a/b c",
            "- a",
        ] {
            assert_eq!(read(prose), None, "{prose}");
        }
    }
}
