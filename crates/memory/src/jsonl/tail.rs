//! The end of a log before something is appended: which id is next, and what a killed writer left behind.

use super::line::LogLine;

/// What has to be done to the end of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The highest id in the block; `None` if no whole line in it has one.
    pub last_id: Option<u64>,
    /// Bytes of the block that stay. What is behind was never acknowledged: a record without its end.
    pub keep: usize,
    /// Whether what stays needs the end of a line.
    pub needs_newline: bool,
}

impl Tail {
    /// Looks at the last bytes of a log. `None` if more of it is needed: no line begins in the block, or none in
    /// it has an id. `is_whole` says that the block is all there is.
    #[must_use]
    pub fn from_block(block: &[u8], is_whole: bool) -> Option<Self> {
        let first = if is_whole {
            0
        } else {
            memchr::memchr(b'\n', block)? + 1
        };
        let last = memchr::memrchr(b'\n', block).map_or(0, |at| at + 1);
        let fragment = &block[last..];
        let fragment_line = LogLine::read(fragment);
        let is_cut = matches!(fragment_line, LogLine::Cut);
        let ids = block[first..last]
            .split(|byte| *byte == b'\n')
            .map(LogLine::read);
        let last_id = ids
            .chain([fragment_line])
            .filter_map(|line| id_of(&line))
            .max();
        if last_id.is_none() && !is_whole {
            return None;
        }
        Some(Self {
            last_id,
            keep: if is_cut { last } else { block.len() },
            needs_newline: !is_cut && !fragment.is_empty(),
        })
    }
}

fn id_of(line: &LogLine<'_>) -> Option<u64> {
    match line {
        LogLine::Observation(view) => Some(view.id()),
        LogLine::OtherSchema(id) => *id,
        LogLine::Blank | LogLine::Cut | LogLine::Foreign => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{ObservationDraft, Redactor};

    fn log(count: u64) -> String {
        let line = |id| {
            let draft = ObservationDraft::new("2026-01-01 00:00:00", format!("it is \"{id}\" {{"));
            let sealed = draft.seal(&Redactor::default()).unwrap();
            sealed.into_record(id).to_line() + "\n"
        };
        (1..=count).map(line).collect()
    }

    proptest! {
        /// A log that was cut at any byte keeps every line that was written whole, and its next id is new.
        #[test]
        fn any_cut_is_mended(count in 1u64..5, cut in 0usize..1000, from in 0usize..1000) {
            let log = log(count);
            let cut = cut % (log.len() + 1);
            let left = &log.as_bytes()[..cut];
            let whole = left.iter().filter(|byte| **byte == b'\n').count() as u64;
            let tail = Tail::from_block(left, true).unwrap();
            // A line that lacks nothing but its end counts.
            let has_unended = tail.needs_newline;
            prop_assert_eq!(tail.last_id.unwrap_or(0), whole + u64::from(has_unended));
            let kept = &left[..tail.keep];
            prop_assert_eq!(has_unended, !kept.is_empty() && kept.last() != Some(&b'\n'));
            prop_assert!(kept.split(|b| *b == b'\n').all(|line| matches!(LogLine::read(line), LogLine::Observation(_) | LogLine::Blank)));
            // A block from the middle says the same, or that it has not seen enough.
            let from = from % (cut + 1);
            if let Some(tail_of_part) = Tail::from_block(&left[from..], false) {
                prop_assert_eq!(tail_of_part.last_id, tail.last_id);
                prop_assert_eq!(tail_of_part.keep + from, tail.keep);
            }
        }
    }

    #[test]
    fn what_is_not_ours_stays() {
        let tail = Tail::from_block(b"notes of a person", true).unwrap();
        assert_eq!(
            (tail.keep, tail.needs_newline, tail.last_id),
            (17, true, None)
        );
    }

    #[test]
    fn ids_of_later_schemas_count() {
        let tail = Tail::from_block(b"{\"schema_version\":\"obs.v9\",\"id\":41}\n", true).unwrap();
        assert_eq!(tail.last_id, Some(41));
    }
}
