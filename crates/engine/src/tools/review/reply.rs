//! The answer: the index by pages, or the bundle that fits, or findings by pages.

use codecortex_protocol::counts::counted;
use std::cell::RefCell;
use std::rc::Rc;

use codecortex_answer::cursor::Paging;
use codecortex_answer::reply::{Common, Reply};
use codecortex_ledger::rfc3339;
use codecortex_review::bundle::{Bundle, Room};
use codecortex_review::check::Dropped;
use codecortex_review::finding::Finding;
use codecortex_review::index::{UnitEntry, entry, metadata, summary};
use codecortex_review::prompt::{PLANNER, Prompt, reviewer};
use codecortex_review::report::{bundle_text, findings_markdown, index_markdown};
use codecortex_review::{Review, ReviewedChange};
use codecortex_semantics::clean_text;
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::{PlanEntry, ReviewData, ReviewFields, ReviewStep};
use crate::invocation::Invocation;

/// Sizes that are tried between nothing and all that is allowed.
const STEPS: usize = 256;
/// Characters around the items of a bundle.
const AROUND: usize = 190;
/// Characters of what is said of what is not shown, where there is room for it.
const ACCOUNT: usize = 350;
/// Of a smaller budget nothing is given to that.
const ACCOUNT_FROM: usize = 14_000;
/// Characters of a bundle that nobody bounds.
const UNBOUNDED: usize = 400_000;

/// What is asked of a review.
pub(super) struct ReviewOptions {
    pub(super) step: ReviewStep,
    pub(super) wish: Option<String>,
    /// Findings that a person dismissed.
    pub(super) dismissed: Vec<Finding>,
    /// Findings that do not stand.
    pub(super) dropped: Vec<Dropped>,
    pub(super) start: usize,
}

/// A review before the budget.
pub(super) struct ReviewReply {
    change: Rc<ReviewedChange>,
    found: Review,
    entries: Vec<UnitEntry>,
    asked: ReviewOptions,
    paging: Paging,
    /// Characters that a bundle may have.
    room: Room,
    bundles: RefCell<FxHashMap<usize, Rc<Bundle>>>,
    timestamp: String,
    unsaved: bool,
}

impl ReviewReply {
    pub(super) fn new(
        cx: &Invocation<'_>,
        change: Rc<ReviewedChange>,
        found: Review,
        asked: ReviewOptions,
    ) -> Self {
        let entries: Vec<UnitEntry> = found
            .units
            .iter()
            .zip(&found.fused)
            .map(|(unit, fused)| entry(&change, unit, fused))
            .collect();
        let total = match asked.step {
            ReviewStep::Index | ReviewStep::Plan => entries.len(),
            ReviewStep::Findings | ReviewStep::Review => found.findings.len(),
            ReviewStep::Bundle | ReviewStep::Prompt => STEPS,
        };
        let limit = cx.call.limit;
        let characters = [
            limit.tokens.map(|tokens| tokens as usize * 4),
            limit.bytes.map(|bytes| bytes as usize),
        ];
        let allowed = characters.into_iter().flatten().min();
        // A prompt is more than its bundle: what it is told to do, its index, and the quotes of quotes.
        let allowed = allowed.map(|all| {
            if asked.step == ReviewStep::Prompt {
                all * 3 / 4
            } else {
                all
            }
        });
        let account = if allowed.is_some_and(|all| all < ACCOUNT_FROM) {
            0
        } else {
            ACCOUNT
        };
        Self {
            room: Room {
                characters: allowed
                    .unwrap_or(UNBOUNDED)
                    .saturating_sub(AROUND + account),
                is_named: limit.tokens.is_some(),
            },
            paging: Paging {
                total,
                start: asked.start.min(total),
                revision: cx.revision,
            },
            timestamp: rfc3339(cx.clock().host()),
            unsaved: cx.documents.values().any(|document| document.dirty),
            change,
            found,
            entries,
            asked,
            bundles: RefCell::default(),
        }
    }

    fn bundle(&self, pieces: usize) -> Rc<Bundle> {
        if let Some(known) = self.bundles.borrow().get(&pieces) {
            return Rc::clone(known);
        }
        let room = Room {
            characters: self.room.characters * pieces / STEPS,
            ..self.room
        };
        let bundle = Rc::new(self.found.bundle(&self.change, room));
        self.bundles.borrow_mut().insert(pieces, Rc::clone(&bundle));
        bundle
    }

    fn page<'p, T>(&self, all: &'p [T], pieces: usize) -> &'p [T] {
        let start = self.paging.start.min(all.len());
        &all[start..(start + pieces).min(all.len())]
    }

    fn plan(&self, pieces: usize) -> Vec<PlanEntry> {
        let all: Vec<usize> = (0..self.entries.len()).collect();
        let entries = self.page(&all, pieces).iter().map(|at| {
            let (unit, fused) = (&self.found.units[*at], &self.found.fused[*at]);
            PlanEntry {
                unit_id: unit.id.clone(),
                rule_context_level: unit.verdict.level,
                rule_confidence: unit.verdict.confidence,
                llm_context_level: fused.llm_level,
                final_context_level: fused.level,
                extra_requests: fused.requests.clone(),
                skip_review: fused.is_skipped,
                reason: fused.reason.clone(),
            }
        });
        entries.collect()
    }

    /// What a model is told, without secrets, and how many these were: it is made to be sent elsewhere.
    fn prompt(&self, pieces: usize) -> (Prompt, u32) {
        let metadata = metadata(&self.change, None);
        let items = &self.bundle(pieces).items;
        let mut prompt = reviewer(self.asked.wish.as_deref(), &metadata, &self.entries, items);
        let redacted = clean_text(&mut prompt.user);
        (prompt, redacted)
    }

    fn fields(&self, level: usize, pieces: usize) -> ReviewFields {
        let mut fields = ReviewFields::default();
        let is_first = self.paging.start == 0;
        if self.asked.step != ReviewStep::Bundle && is_first {
            fields.review_metadata = Some(metadata(&self.change, Some(self.timestamp.clone())));
        }
        if is_first && (level == 0 || self.asked.step != ReviewStep::Bundle) {
            fields.notes = self.found.notes.clone();
        }
        match self.asked.step {
            ReviewStep::Index => {
                fields.summary = is_first.then(|| summary(&self.change));
                fields.review_index = Some(self.page(&self.entries, pieces).to_vec());
                fields.plan = Some(self.plan(pieces));
            }
            ReviewStep::Plan => {
                fields.summary = is_first.then(|| summary(&self.change));
                fields.instructions = is_first.then_some(PLANNER);
                fields.units = Some(
                    self.page(&self.entries, pieces)
                        .iter()
                        .cloned()
                        .map(Into::into)
                        .collect(),
                );
            }
            ReviewStep::Findings | ReviewStep::Review => {
                fields.findings = Some(self.page(&self.found.findings, pieces).to_vec());
                if is_first && level == 0 {
                    fields.dismissed = self.asked.dismissed.clone();
                    fields.dropped = self.asked.dropped.clone();
                    let is_planned = self.asked.step == ReviewStep::Review;
                    fields.plan = is_planned.then(|| self.plan(self.entries.len()));
                }
            }
            ReviewStep::Prompt => {
                let (prompt, redacted) = self.prompt(pieces);
                fields.prompt = Some(prompt);
                fields.redacted = redacted;
            }
            ReviewStep::Bundle => {
                let bundle = self.bundle(pieces);
                fields.bundle = Some(bundle.items.clone());
                if level == 0 {
                    fields.downgrades = bundle.downgrades.clone();
                    fields.left_out = bundle.omitted.clone();
                }
            }
        }
        fields
    }
}

impl Reply for ReviewReply {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "account:none"]
    }

    fn pieces(&self) -> usize {
        match self.asked.step {
            ReviewStep::Bundle | ReviewStep::Prompt => STEPS,
            _ => self.paging.total - self.paging.start,
        }
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let fields = self.fields(level, pieces);
        serde_json::to_value(ReviewData { fields, common }).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let (added, removed) = self.change.counts();
        let mut out = format!(
            "// {}, +{added} -{removed}, {}\n",
            counted(self.change.files.len(), "file"),
            self.change.mode.as_str()
        );
        match self.asked.step {
            ReviewStep::Index | ReviewStep::Plan => {
                out += &index_markdown(self.page(&self.entries, pieces))
            }
            ReviewStep::Findings | ReviewStep::Review => {
                out += &findings_markdown(self.page(&self.found.findings, pieces));
                if !self.asked.dismissed.is_empty() {
                    out += &format!("// dismissed: {}\n", ids(&self.asked.dismissed));
                }
            }
            ReviewStep::Prompt => {
                let (prompt, _) = self.prompt(pieces);
                out = format!("{}\n\n{}", prompt.system, prompt.user);
            }
            ReviewStep::Bundle => out += &bundle_text(&self.bundle(pieces).items),
        }
        let notes = self.found.notes.iter().filter(|_| level == 0);
        notes.for_each(|note| out += &format!("// {note}\n"));
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        match self.asked.step {
            ReviewStep::Bundle | ReviewStep::Prompt => None,
            _ => self.paging.next_cursor(shown),
        }
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}

/// The ids of findings.
fn ids(findings: &[Finding]) -> String {
    let ids = findings.iter().map(|finding| finding.id.as_str());
    ids.collect::<Vec<_>>().join(", ")
}
