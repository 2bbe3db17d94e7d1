//! News of types, and what follows from them.
//!
//! The steps of an update, each on what the ones before it found: time that has passed; which types are
//! known, new, gone or renamed; what changed in them; ids; aliases; edges; who depends on what changed;
//! groups; semantic states, drift and the queue.

mod effects;
mod names;
mod plan;

use codecortex_hashes::ChangeKinds;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::graph::{GraphSlot, Touched};
use crate::ids;
use crate::ledger::Ledger;
use crate::model::{
    Batch, ChangedApi, LogKind, LongMemberId, Move, NameHash, StaleReason, TypeChange, TypeFate,
    TypeNow, UpdateReport,
};
use crate::partial_hashes::{HashKind, PartialHashes};
use crate::record::{Drift, TypeRecord, WindowVerdict};
use crate::semantic::{OutlineEffect, TextState};
use crate::time::Millis;

impl Ledger {
    /// Takes in news. The first update after an empty start, and after one without the cache, should be
    /// complete: what comes later counts as new to those that were there.
    pub fn update(&mut self, batch: Batch, now: Millis) -> UpdateReport {
        let count = self.clock.advance(now);
        let mut update = Update::new(self, now, count);
        update.pass_time();
        let plan = update.plan(batch);
        update.carry_out(plan);
        update.finish()
    }

    /// Lets time pass: ends of merge windows, and days of drift.
    pub fn tick(&mut self, now: Millis) -> UpdateReport {
        let count = self.clock.advance(now);
        let mut update = Update::new(self, now, count);
        update.pass_time();
        update.finish()
    }

    /// When [`Self::tick`] has something to do next, in milliseconds since 1970 by the host's clock.
    #[must_use]
    pub fn due(&self) -> Option<Millis> {
        let (deadline, _) = self.deadlines.first()?;
        Some(self.clock.host_time_of(*deadline))
    }
}

/// Who is who in a batch.
#[derive(Default)]
struct BatchPlan {
    known: Vec<(GraphSlot, TypeNow)>,
    renamed: Vec<(GraphSlot, TypeNow)>,
    new: Vec<TypeNow>,
    gone: Vec<GraphSlot>,
    rehashed: bool,
}

struct Update<'a> {
    ledger: &'a mut Ledger,
    now: Millis,
    count: Millis,
    report: UpdateReport,
    what: BTreeMap<GraphSlot, TypeFate>,
    changes: BTreeMap<GraphSlot, ChangeKinds>,
    before: FxHashMap<GraphSlot, TextState>,
    /// Types that were there before and whose texts are not new.
    new: FxHashSet<GraphSlot>,
    /// Short ids that may lead elsewhere now.
    moved_ids: BTreeSet<String>,
    /// Types whose own list of dependencies is another.
    told_anew: BTreeSet<GraphSlot>,
    /// Those of which it was not known before.
    untold: FxHashSet<GraphSlot>,
    /// Renamed types, with what is needed to see whether dependents can tell.
    renamed: FxHashMap<GraphSlot, bool>,
    /// Types of which a direct dependency is another.
    downstream: BTreeSet<GraphSlot>,
    /// What dependents can see of types that have another structure.
    seen: BTreeMap<GraphSlot, ChangedApi>,
    /// For types that depend on others, on which, by id.
    depends: BTreeMap<GraphSlot, Vec<(String, ChangedApi)>>,
    /// Why what is said of types is not true any more.
    stale: BTreeMap<GraphSlot, StaleReason>,
    /// Types whose semantic text is no longer true.
    invalid: BTreeSet<GraphSlot>,
    touched: Touched,
}

impl<'a> Update<'a> {
    fn new(ledger: &'a mut Ledger, now: Millis, count: Millis) -> Self {
        Self {
            ledger,
            now,
            count,
            report: UpdateReport::default(),
            what: BTreeMap::new(),
            changes: BTreeMap::new(),
            before: FxHashMap::default(),
            new: FxHashSet::default(),
            moved_ids: BTreeSet::new(),
            told_anew: BTreeSet::new(),
            untold: FxHashSet::default(),
            renamed: FxHashMap::default(),
            downstream: BTreeSet::new(),
            seen: BTreeMap::new(),
            depends: BTreeMap::new(),
            stale: BTreeMap::new(),
            invalid: BTreeSet::new(),
            touched: Touched::default(),
        }
    }

    fn note(&mut self, node: GraphSlot, what: TypeFate) {
        let state = self
            .ledger
            .records
            .get(&node)
            .map(|record| record.semantic.state);
        self.before.entry(node).or_insert(state.unwrap_or_default());
        let noted = self.what.entry(node).or_insert(what);
        // What happened to the type itself says more than what its group did.
        if matches!(noted, TypeFate::Group | TypeFate::Drifted) && what != TypeFate::Group {
            *noted = what;
        }
    }

    fn pass_time(&mut self) {
        while let Some((deadline, node)) = self.ledger.deadlines.first().copied() {
            if deadline > self.count {
                break;
            }
            let record = &self.ledger.records[&node];
            let (mut drift, back) = (record.drift, record.is_back_at_base());
            let verdict = drift.evaluate(self.count);
            if verdict == WindowVerdict::Stale && !back {
                self.note(node, TypeFate::Drifted);
                self.stale.insert(node, StaleReason::Drift);
                self.invalid.insert(node);
            }
            // What is again as the text describes it has not drifted.
            let over = verdict == WindowVerdict::Stale || back;
            self.ledger
                .set_drift(node, if over { Drift::default() } else { drift });
        }
        self.invalidate();
    }

    fn carry_out(&mut self, plan: BatchPlan) {
        let old_ids = self.part_with(&plan);
        for (node, now) in &plan.renamed {
            self.note(*node, TypeFate::Renamed);
            self.rekey(*node, now);
        }
        let rehashed = plan.rehashed;
        for (node, now) in plan.known.into_iter().chain(plan.renamed) {
            if self.ledger.records[&node].short != now.id {
                self.move_id(node, &now);
            }
            self.classify(node, &now, rehashed);
            self.take_over(node, now);
        }
        for now in plan.new {
            let node = self.ledger.graph.add();
            self.ledger.records.insert(node, TypeRecord::new(&now));
            self.adopt(node, &now);
            self.new.insert(node);
            self.note(node, TypeFate::New);
            self.take_over(node, now);
        }
        self.assign_ids();
        self.settle_aliases(&old_ids);
        self.link(&plan.gone);
        self.spread();
        self.ledger_of_changes();
        self.regroup();
        self.invalidate();
    }

    /// Takes away what is gone; gives the ids that renamed types had.
    fn part_with(&mut self, plan: &BatchPlan) -> Vec<(GraphSlot, String, String)> {
        for node in &plan.gone {
            let dependents = self.ledger.graph.dependents(*node);
            for dependent in dependents {
                self.downstream.insert(dependent);
                let gone = ChangedApi {
                    bases: true,
                    ..ChangedApi::default()
                };
                let id = self.ledger.records[node].id.clone();
                self.depends.entry(dependent).or_default().push((id, gone));
            }
            self.note(*node, TypeFate::Removed);
            self.ledger.set_drift(*node, Drift::default());
            self.ledger.queue.remove(*node);
            self.tell(*node, None);
            self.lose(*node);
            if let Some(record) = self.ledger.records.remove(node) {
                self.report.changes.push(TypeChange {
                    id: record.id,
                    fqn: record.identity.fqn.clone(),
                    what: TypeFate::Removed,
                    classes: Vec::new(),
                    outline: OutlineEffect::Keep,
                    before: record.semantic.state,
                    state: TextState::None,
                    stale: None,
                });
            }
            self.what.remove(node);
            self.before.remove(node);
        }
        let gone: FxHashSet<&GraphSlot> = plan.gone.iter().collect();
        self.downstream.retain(|node| !gone.contains(node));
        self.depends.retain(|node, _| !gone.contains(node));
        let ids = plan.renamed.iter().map(|(node, _)| {
            let record = &self.ledger.records[node];
            (*node, record.id.clone(), record.identity.fqn.clone())
        });
        ids.collect()
    }

    /// Takes a type out of the tables that find it.
    fn lose(&mut self, node: GraphSlot) {
        let record = &self.ledger.records[&node];
        self.ledger.by_identity.remove(&record.identity.key());
        let short = record.short.clone();
        if let Some(sharing) = self.ledger.by_short.get_mut(&short) {
            sharing.retain(|other| *other != node);
            if sharing.is_empty() {
                self.ledger.by_short.remove(&short);
            }
        }
        self.moved_ids.insert(short);
    }

    fn adopt(&mut self, node: GraphSlot, now: &TypeNow) {
        self.ledger.by_identity.insert(now.identity.key(), node);
        self.ledger
            .by_short
            .entry(now.id.clone())
            .or_default()
            .push(node);
        self.moved_ids.insert(now.id.clone());
    }

    fn rekey(&mut self, node: GraphSlot, now: &TypeNow) {
        // Dependents see another type only where more than its name is different.
        let same_api = self.ledger.records[&node].api.as_deref() == Some(&now.api[..]);
        self.renamed.insert(node, same_api);
        self.move_id(node, now);
    }

    /// Finds a type under another identity or id from now on.
    fn move_id(&mut self, node: GraphSlot, now: &TypeNow) {
        self.lose(node);
        let record = self.ledger.record(node);
        record.identity = Arc::new(now.identity.clone());
        record.short.clone_from(&now.id);
        self.adopt(node, now);
    }

    fn classify(&mut self, node: GraphSlot, now: &TypeNow, rehashed: bool) {
        let record = self.ledger.record(node);
        let mut hashes = PartialHashes::from(&now.hashes);
        let mut difference = record.hashes.compare(&mut hashes);
        if rehashed && !difference.unknown.is_empty() {
            difference = record.hashes.compare_known(&hashes);
        }
        for kind in difference
            .lookalikes
            .iter()
            .filter(|kind| **kind != HashKind::Impl)
        {
            let text = format!(
                "{} of {} changed but both begin with {}: shown as {}",
                kind.as_str(),
                now.identity.fqn,
                record.hashes.show(*kind).get(..8).unwrap_or_default(),
                hashes.show(*kind),
            );
            self.report.log.push(crate::model::LogEntry {
                at: self.now,
                kind: LogKind::Hash,
                subject: record.id.clone(),
                text,
            });
        }
        if !difference.unknown.is_empty() {
            let unknown: Vec<&str> = difference
                .unknown
                .iter()
                .map(|kind| kind.as_str())
                .collect();
            let text = format!(
                "{}: nothing to compare {} with: taken for PublicBehavior",
                now.identity.fqn,
                unknown.join(", ")
            );
            self.report.log.push(crate::model::LogEntry {
                at: self.now,
                kind: LogKind::Unclassified,
                subject: record.id.clone(),
                text,
            });
        }
        record.hashes = hashes;
        if !difference.changes.is_empty() {
            self.note(node, TypeFate::Changed);
            self.changes
                .entry(node)
                .or_default()
                .extend(difference.changes);
        }
    }

    /// Keeps which members have longer ids, and logs those that had none.
    fn log_long_ids(&mut self, node: GraphSlot, long: Vec<LongMemberId>) {
        let known = std::mem::replace(
            &mut self.ledger.record(node).long_member_ids,
            long.clone().into(),
        );
        for member in long.iter().filter(|member| !known.contains(member)) {
            let text = format!(
                "another member has the same short id: {} is {}",
                member.id, member.signature
            );
            self.ledger
                .log(&mut self.report.log, LogKind::Id, node, text);
        }
    }

    /// Keeps everything else that the caller told.
    fn take_over(&mut self, node: GraphSlot, now: TypeNow) {
        let project_id = self.ledger.interner.intern(&now.project_id);
        let files = self.ledger.interner.intern_all(&now.files);
        let record = self.ledger.record(node);
        record.project_id = project_id;
        record.files = files;
        let seen = changed_api(record, &now);
        record.api = Some(now.api.into());
        record.names = now.names.into();
        record.bases = now.bases;
        self.log_long_ids(node, now.long_member_ids);
        if let Some(seen) = seen {
            self.seen.insert(node, seen);
        }
        let record = self.ledger.record(node);
        if record.depends_on.is_none() && !self.new.contains(&node) {
            self.untold.insert(node);
        }
        let told = record.depends_on.as_deref();
        let is_same = told.is_some_and(|told| {
            let (told, now) = (told.iter(), now.depends_on.iter());
            told.map(|id| &**id).eq(now.map(String::as_str))
        });
        if !is_same {
            self.told_anew.insert(node);
            let told = self.ledger.interner.intern_all(&now.depends_on);
            self.tell(node, Some(told));
        }
    }

    /// Another list of dependencies, in the record and in the table of users.
    fn tell(&mut self, node: GraphSlot, told: Option<Box<[Arc<str>]>>) {
        let now: Vec<Arc<str>> = told.iter().flatten().cloned().collect();
        let record = self.ledger.records.entry(node).or_default();
        let before = std::mem::replace(&mut record.depends_on, told);
        for id in before.iter().flatten() {
            if let Some(users) = self.ledger.users.get_mut(ids::short(id)) {
                if let Ok(place) = users.binary_search(&node) {
                    users.remove(place);
                }
                if users.is_empty() {
                    self.ledger.users.remove(ids::short(id));
                }
            }
        }
        now.iter().for_each(|id| self.ledger.add_user(id, node));
    }
}

/// What dependents can see of a change: heads that are no more, by their names. What came is seen by nobody yet. None
/// where it is not known what was there.
fn changed_api(before: &TypeRecord, now: &TypeNow) -> Option<ChangedApi> {
    let api = before.api.as_deref()?;
    if api.len() != before.names.len() {
        return None;
    }
    let mut left: Vec<(NameHash, crate::model::RecordedSignature)> = now
        .names
        .iter()
        .copied()
        .zip(now.api.iter().copied())
        .collect();
    left.sort_unstable();
    let mut names = BTreeSet::new();
    for head in before.names.iter().copied().zip(api.iter().copied()) {
        match left.binary_search(&head) {
            Ok(place) => drop(left.remove(place)),
            Err(_) => drop(names.insert(head.0)),
        }
    }
    Some(ChangedApi {
        names,
        bases: before.bases != now.bases,
    })
}

/// The files that are a type's own.
fn artefacts(id: &str) -> [String; 2] {
    [format!("types/{id}.outline.md"), text_of_type(id)]
}

/// Where the text about a type in no group is, relative to `.context/`.
fn text_of_type(id: &str) -> String {
    format!("types/{id}.semantic.md")
}

fn moves(from: &str, to: &str) -> impl Iterator<Item = Move> {
    let pairs = artefacts(from).into_iter().zip(artefacts(to));
    pairs.map(|(from, to)| Move { from, to })
}
