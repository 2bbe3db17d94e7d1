//! The room: what this process counted, and what of it is not in the log yet.

use std::collections::VecDeque;

use codecortex_protocol::{Answer, Effect, Event, EventDisposition, Outbox, Room, tokens_approx};

use crate::entry::TelemetryEntry;
use crate::metrics::Metrics;
use crate::receipt::Receipt;
use crate::token_usage::TokenUsage;

/// What was counted goes to the log after so many ms.
const WRITE_AFTER_MS: u32 = 90_000;
/// Answers of which the host has still to say how long they took; those before are taken to be of a host that does not.
const MAX_UNTIMED: usize = 64;
/// A line has so many answers at most; the counts have all.
const MAX_RECEIPTS: usize = 500;

/// An answer, for the account.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredCost<'a> {
    /// The call's number.
    pub id: u32,
    /// The tool's name in the table; `None` for a name that is no tool's.
    pub tool: Option<&'static str>,
    /// The path of the symbol that the call named first.
    pub subject: Option<&'a str>,
    /// The answer.
    pub answer: &'a Answer,
    /// The tokens that it might have, where the call or its surface said so.
    pub granted: Option<u32>,
    /// Files of the workspace that it names, and their bytes.
    pub files: (u32, u64),
}

/// What became of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditOutcome {
    /// It is made.
    Applied,
    /// It took another one back.
    Undone,
    /// Nothing was changed.
    Failed,
}

/// What is counted of one workspace.
#[derive(Debug, Default)]
pub struct Telemetry {
    /// What answers cost.
    pub usage: TokenUsage,
    /// Whether a log is kept.
    is_kept: bool,
    /// The host's time in ms since 1970, as it was told last.
    now_ms: f64,
    /// When the process began.
    began_ms: Option<f64>,
    /// What is not in the log.
    pending: TelemetryEntry,
    /// Answers whose duration is still to come, by number: the tool, and the receipt's place.
    untimed: VecDeque<UntimedAnswer>,
    /// A line is to be written now.
    is_due: bool,
    /// A tick is to be asked for.
    wants_tick: bool,
}

#[derive(Debug)]
struct UntimedAnswer {
    id: u32,
    tool: &'static str,
    receipt: Option<usize>,
}

impl Telemetry {
    /// Sets whether a log is kept. What was counted before is given to no log afterwards.
    pub fn keep(&mut self, is_kept: bool) {
        if !is_kept {
            self.forget_pending();
        }
        self.is_kept = is_kept;
    }

    /// Whether a log is kept.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Ms since the process began, as far as the host tells the time.
    #[must_use]
    pub fn uptime_ms(&self) -> f64 {
        self.began_ms.map_or(0.0, |began| self.now_ms - began)
    }

    /// What is not in the log yet.
    #[must_use]
    pub fn pending(&self) -> &TelemetryEntry {
        &self.pending
    }

    /// Counts an answer.
    pub fn note_answer(&mut self, cost: AnsweredCost<'_>) {
        let subject = cost.subject.map(str::to_owned);
        self.usage.note(cost.tool, subject, cost.answer);
        let name = cost.tool.unwrap_or("other");
        let tokens = self.usage.last;
        let tool = self.metrics().tools.entry(name.to_owned()).or_default();
        tool.calls = tool.calls.saturating_add(1);
        tool.failures = tool.failures.saturating_add(u32::from(!cost.answer.ok));
        tool.tokens = tool.tokens.saturating_add(u64::from(tokens));
        if let Some(granted) = cost.granted {
            // The limit holds for each form.
            let forms = [&cost.answer.json, &cost.answer.text];
            let used = forms.into_iter().flatten().map(|form| tokens_approx(form));
            let used = used.max().unwrap_or(0);
            self.metrics().budget.record(used, granted);
        }
        let receipt = self.push_receipt(&cost, name, tokens);
        self.untimed.push_back(UntimedAnswer {
            id: cost.id,
            tool: name_of(cost.tool),
            receipt,
        });
        if self.untimed.len() > MAX_UNTIMED {
            self.untimed.pop_front();
        }
    }

    fn push_receipt(&mut self, cost: &AnsweredCost<'_>, tool: &str, tokens: u32) -> Option<usize> {
        let (files, bytes) = cost.files;
        let receipt = Receipt {
            at_ms: self.now_ms,
            tool: tool.to_owned(),
            subject: cost.subject.map(str::to_owned),
            tokens,
            took_us: None,
            files,
            file_tokens: bytes.div_ceil(4),
        };
        let receipts = &mut self.pending.receipts;
        (receipts.len() < MAX_RECEIPTS).then(|| {
            receipts.push(receipt);
            receipts.len() - 1
        })
    }

    /// Counts what became of an edit.
    pub fn note_edit(&mut self, outcome: EditOutcome) {
        let edits = &mut self.metrics().edits;
        let count = match outcome {
            EditOutcome::Applied => &mut edits.applied,
            EditOutcome::Undone => &mut edits.undone,
            EditOutcome::Failed => &mut edits.failed,
        };
        *count = count.saturating_add(1);
    }

    /// Counts files of a start: those that a cache had, and those that were read.
    pub fn note_files(&mut self, hits: u64, misses: u64) {
        let files = &mut self.metrics().files;
        files.hits += hits;
        files.misses += misses;
    }

    fn note_duration(&mut self, id: u32, micros: u64) {
        let Some(at) = self.untimed.iter().position(|answer| answer.id == id) else {
            return; // it costs nobody anything, or is long ago
        };
        let Some(answer) = self.untimed.remove(at) else {
            return;
        };
        let receipt = answer
            .receipt
            .and_then(|at| self.pending.receipts.get_mut(at));
        if let Some(receipt) = receipt {
            receipt.took_us = Some(micros);
        }
        let tools = &mut self.metrics().tools;
        tools
            .entry(answer.tool.to_owned())
            .or_default()
            .took
            .record(micros);
    }

    /// The counts that are not in the log, which are to get there.
    fn metrics(&mut self) -> &mut Metrics {
        if self.is_kept && self.pending.metrics.is_empty() {
            self.wants_tick = true;
        }
        &mut self.pending.metrics
    }

    fn forget_pending(&mut self) -> TelemetryEntry {
        for answer in &mut self.untimed {
            answer.receipt = None;
        }
        std::mem::take(&mut self.pending)
    }
}

fn name_of(tool: Option<&'static str>) -> &'static str {
    tool.unwrap_or("other")
}

impl<Code> Room<Code> for Telemetry {
    fn take_in(&mut self, event: Event) -> EventDisposition {
        if let Some(now_ms) = event.now_ms() {
            self.began_ms.get_or_insert(now_ms);
            self.now_ms = now_ms;
        }
        match event {
            Event::Answered { id, took_us } => {
                self.note_duration(id, took_us as u64);
                EventDisposition::In
            }
            Event::Ending => {
                self.is_due = true;
                EventDisposition::In
            }
            other => {
                self.is_due |= matches!(other, Event::Tick { .. });
                EventDisposition::Left(other)
            }
        }
    }

    fn idle(&mut self, _code: &Code, outbox: &mut Outbox) {
        if !std::mem::take(&mut self.is_due) || self.pending.metrics.is_empty() {
            return;
        }
        let mut entry = self.forget_pending();
        if self.is_kept {
            entry.at_ms = self.now_ms;
            outbox.push(Effect::KeepTelemetry {
                line: entry.encode(),
            });
        }
    }

    fn take_tick(&mut self) -> Option<u32> {
        std::mem::take(&mut self.wants_tick).then_some(WRITE_AFTER_MS)
    }

    fn held_bytes(&self) -> usize {
        self.pending.receipts.len() * 200
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room_at(now_ms: f64) -> Telemetry {
        let mut room = Telemetry::default();
        room.keep(true);
        let _ = Room::<()>::take_in(&mut room, Event::Time { now_ms });
        room
    }

    fn answer(letters: usize) -> Answer {
        Answer {
            ok: true,
            json: Some("x".repeat(letters)),
            text: None,
        }
    }

    fn cost(id: u32, answer: &Answer) -> AnsweredCost<'_> {
        AnsweredCost {
            id,
            tool: Some("codecortex_getOutline"),
            subject: Some("A.b"),
            answer,
            granted: Some(20),
            files: (2, 4_000),
        }
    }

    fn written(room: &mut Telemetry, event: Event) -> Vec<TelemetryEntry> {
        let mut outbox = Outbox::default();
        let _ = Room::<()>::take_in(room, event);
        room.idle(&(), &mut outbox);
        let effects = outbox.into_effects().into_iter();
        let lines = effects.filter_map(|effect| match effect {
            Effect::KeepTelemetry { line } => Some(line),
            _ => None,
        });
        let text: Vec<String> = lines.collect();
        TelemetryEntry::decode_lines(&text.join("\n")).0
    }

    #[test]
    fn an_answer_is_counted_once_and_written_with_its_duration() {
        let mut room = room_at(1_000.0);
        room.note_answer(cost(7, &answer(40)));
        room.note_answer(cost(8, &answer(84)));
        assert_eq!(Room::<()>::take_tick(&mut room), Some(WRITE_AFTER_MS));
        assert_eq!(Room::<()>::take_tick(&mut room), None);
        let answered = |id, took_us| Event::Answered { id, took_us };
        assert!(written(&mut room, answered(8, 2_500.0)).is_empty());
        assert!(written(&mut room, answered(99, 1.0)).is_empty());
        let tick = Event::Tick { now_ms: 91_000.0 };
        let lines = written(&mut room, tick.clone());
        let [entry] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        let tool = &entry.metrics.tools["codecortex_getOutline"];
        assert_eq!((tool.calls, tool.tokens, tool.took.count()), (2, 31, 1));
        assert_eq!(entry.metrics.budget.exceeded, 1, "21 tokens of 20");
        assert_eq!(entry.receipts[1].took_us, Some(2_500));
        assert_eq!(
            (entry.receipts[0].files, entry.receipts[0].file_tokens),
            (2, 1_000)
        );
        assert!(written(&mut room, tick).is_empty());
        // A duration that comes after the line is in the next one.
        assert!(written(&mut room, answered(7, 9_000.0)).is_empty());
        let last = written(&mut room, Event::Ending);
        assert_eq!(
            last[0].metrics.tools["codecortex_getOutline"].took.count(),
            1
        );
        assert!(last[0].receipts.is_empty());
    }

    #[test]
    fn without_a_log_nothing_is_written() {
        let mut room = room_at(1_000.0);
        room.note_answer(cost(1, &answer(4)));
        room.keep(false);
        room.note_answer(cost(2, &answer(4)));
        assert!(written(&mut room, Event::Ending).is_empty());
        room.keep(true);
        assert!(written(&mut room, Event::Ending).is_empty());
    }

    #[test]
    fn receipts_end_and_counts_go_on() {
        let mut room = room_at(1_000.0);
        for id in 0..2_000 {
            room.note_answer(cost(id, &answer(4)));
        }
        let lines = written(&mut room, Event::Ending);
        let tool = &lines[0].metrics.tools["codecortex_getOutline"];
        assert_eq!((tool.calls, lines[0].receipts.len()), (2_000, MAX_RECEIPTS));
        assert!(room.untimed.len() <= MAX_UNTIMED);
    }
}
