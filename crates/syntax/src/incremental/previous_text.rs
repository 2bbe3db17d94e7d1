//! A stretch of text as it was before an edit.

use std::ops::Range;

use super::edges::Stretch;
use super::reason::Reason;
use crate::change::TextReplacement;
use crate::facts::{Facts, Item};
use crate::layers::TriviaSpan;
use crate::walk::Trace;

/// A stretch of text as it was before.
#[derive(Clone, Debug)]
pub(super) struct PreviousText {
    /// What it declared.
    pub(super) items: Range<usize>,
    pub(super) bytes: Range<u32>,
}

impl PreviousText {
    /// What is known of a stretch; or what ties it to what is around.
    pub(super) fn find(
        facts: &Facts,
        trace: &Trace,
        stretch: &Stretch<'_>,
        change: TextReplacement,
    ) -> Result<Self, Reason> {
        let end = (stretch.end as i64 - change.shift().by) as u32;
        let start = stretch.start as u32;
        let items = &facts.items;
        let first = items.partition_point(|item| item.start_byte < start);
        let last = items.partition_point(|item| item.start_byte < end);
        let (outer, inner) = (&items[..first], &items[first..last]);
        let reaches_in = |item: &Item| item.end_byte > start && item.end_byte < end;
        let is_within = |item: &Item| {
            let parent = item.parent.map(|parent| parent as usize);
            parent.is_some_and(|parent| (first..last).contains(&parent))
        };
        let is_tied = outer.iter().any(reaches_in)
            || inner.iter().any(|item| item.end_byte > end)
            || items[last..].iter().any(is_within);
        if is_tied {
            return Err(Reason::Tied);
        }
        let bytes = stretch.unread as u32..end;
        if trace.effects.iter().any(|effect| effect.leaves(&bytes)) {
            return Err(Reason::Effects);
        }
        let is_tie = |place: &TriviaSpan| {
            let is_here = place.start < end && place.last >= start;
            is_here && !bytes.contains(&place.whole)
        };
        if trace.member_trivia.iter().any(is_tie) {
            return Err(Reason::MemberTrivia);
        }
        Ok(Self {
            items: first..last,
            bytes,
        })
    }
}
