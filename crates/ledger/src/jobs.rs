//! Semantic texts in the making: what waits, what runs, what became of it (SPEC I3, I4).
//!
//! A group is made in one job and all its members share a state, so everything here moves whole units: a
//! group, or a type that is in none.

use codecortex_hashes::{ChangeClass, ChangeKinds};
use rustc_hash::FxHashSet;

use crate::config::DependencyStaleness;
use crate::graph::GraphSlot;
use crate::ledger::Ledger;
use crate::model::{StaleReason, UpdateReport};
use crate::partial_hashes::{HashKind, PartialHash};
use crate::queue::priority;
use crate::record::{Drift, TextBase, TypeRecord};
use crate::semantic::{Event, LEASE, Refused, SemanticEffect, TextState, effect_of};
use crate::time::Millis;

/// Weight of a text that was never made: nothing has changed yet.
const FIRST_WEIGHT: f64 = 1.0;

/// Work for a model: one type, or a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Its number; a late answer to an earlier job is told by it.
    pub ticket: u64,
    /// The group, whose text goes to `semantic/<group>.md`.
    pub group: Option<String>,
    /// Ids of the types to describe, sorted.
    pub types: Vec<String>,
    /// What has changed since the text was made, the gravest first.
    pub classes: Vec<ChangeClass>,
    /// `references / (1 + depth) × weight` when it was given out.
    pub priority: f64,
    /// Milliseconds since 1970 by the host's clock: afterwards it is given out again.
    pub until: Millis,
    /// What each type is at this moment, in the order of `types`.
    pub(crate) bases: Vec<TextBase>,
}

/// What somebody saw of a type who wrote about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Its id.
    pub id: String,
    /// Its hashes as files show them: structure, public and internal implementation; empty where they are not known.
    pub hashes: [String; 3],
}

/// Types that are described together: a group, or one type that is in none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitView {
    /// The group.
    pub group: Option<String>,
    /// What each type is now, in the order of ids.
    pub types: Vec<Seen>,
    /// `implHash` of each, in the same order.
    pub implementations: Vec<String>,
    /// All classes of change since the text was made, the gravest first.
    pub classes: Vec<ChangeClass>,
    /// Where its text stands.
    pub state: TextState,
    /// What every type is now is what its text was made from.
    pub is_described: bool,
}

impl UnitView {
    /// The id of the group, or of the type.
    #[must_use]
    pub fn id(&self) -> &str {
        let first = self.types.first().map_or("", |of| of.id.as_str());
        self.group.as_deref().unwrap_or(first)
    }

    /// Where its text is, relative to `.context/`.
    #[must_use]
    pub fn path(&self) -> String {
        match &self.group {
            Some(group) => format!("semantic/{group}.md"),
            None => format!("types/{}.semantic.md", self.id()),
        }
    }
}

/// A unit that waits.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingUnit {
    /// The group, or the type.
    pub id: String,
    /// `references / (1 + depth) × weight`.
    pub priority: f64,
    /// Milliseconds from now on until it may be tried (again).
    pub wait: Millis,
}

/// Why a text's state could not be moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// No type has this id.
    #[error("{0}: no such type")]
    Unknown(String),
    /// The table of transitions says no.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The job was cancelled, or its types are grouped otherwise now; its text is of no use.
    #[error("job {0} is no longer running")]
    Outlived(u64),
}

impl Ledger {
    /// Asks for the text of a type and its group: by hand, so also where three attempts have failed.
    ///
    /// # Errors
    /// When there is no such type.
    pub fn enqueue(&mut self, id: &str, now: Millis) -> Result<(), JobError> {
        self.clock.advance(now);
        let node = self.known(id)?;
        self.enqueue_unit(node)
    }

    /// Asks for every text that is in `state`, in the order of ids. Gives how many units.
    pub fn enqueue_all(&mut self, state: TextState, now: Millis) -> usize {
        self.clock.advance(now);
        if matches!(state, TextState::Pending | TextState::Generating) {
            return 0;
        }
        let in_state = |(_, record): &(&GraphSlot, &TypeRecord)| record.semantic.state == state;
        let found = self.records.iter().filter(in_state);
        let mut found: Vec<(String, GraphSlot)> = found
            .map(|(node, record)| (record.id.clone(), *node))
            .collect();
        found.sort_unstable();
        let mut units = 0;
        for (_, node) in found {
            if self.records[&node].semantic.state == state && self.enqueue_unit(node).is_ok() {
                units += 1;
            }
        }
        units
    }

    fn enqueue_unit(&mut self, node: GraphSlot) -> Result<(), JobError> {
        let state = self.records[&node].semantic.state;
        self.apply(node, Event::Enqueue)?;
        if state == TextState::Generating {
            return Ok(());
        }
        let ticket = match state {
            TextState::Pending => self.records[&node].semantic.ticket,
            _ => self.take_ticket(),
        };
        for member in self.graph.unit(node) {
            let semantic = &mut self.record(member).semantic;
            semantic.forget_attempts();
            semantic.ticket = ticket;
        }
        self.requeue(node);
        Ok(())
    }

    /// What waits, in the order in which it will be given out; what failed three times is not in it.
    #[must_use]
    pub fn waiting(&self) -> Vec<WaitingUnit> {
        let count = self.clock.count();
        let waiting = self.queue.iter().map(|(node, priority)| {
            let record = &self.records[&node];
            WaitingUnit {
                id: record.group.clone().unwrap_or_else(|| record.id.clone()),
                priority,
                wait: record.semantic.ready_at.saturating_sub(count),
            }
        });
        waiting.collect()
    }

    /// How many units wait.
    #[must_use]
    pub fn waiting_count(&self) -> usize {
        self.queue.len()
    }

    /// Gives out the next job whose time has come.
    pub fn dispatch(&mut self, now: Millis) -> Option<Job> {
        let count = self.clock.advance(now);
        let ready = |node: &GraphSlot| self.records[node].semantic.ready_at <= count;
        let (node, priority) = self.queue.iter().find(|(node, _)| ready(node))?;
        self.apply(node, Event::Dispatch).ok()?;
        let until = count.saturating_add(LEASE);
        let ticket = self.take_ticket();
        self.requeue(node);
        let mut classes = ChangeKinds::default();
        let mut members: Vec<(String, TextBase)> = Vec::new();
        for member in self.graph.unit(node) {
            let record = self.record(member);
            record.semantic.ticket = ticket;
            record.semantic.leased_until = until;
            record.semantic.since_dispatch = ChangeKinds::default();
            classes.extend(record.semantic.unseen);
            members.push((record.id.clone(), base_of(record, now)));
        }
        members.sort_by(|a, b| a.0.cmp(&b.0));
        let (types, bases) = members.into_iter().unzip();
        Some(Job {
            ticket,
            group: self.records[&node].group.clone(),
            types,
            classes: classes.classes().collect(),
            priority,
            until: self.clock.host_time_of(until),
            bases,
        })
    }

    /// A job's text is written (or found to need no change).
    ///
    /// # Errors
    /// When the job is not the one that runs.
    pub fn succeed(&mut self, job: &Job, now: Millis) -> Result<TextState, JobError> {
        self.clock.advance(now);
        let members = self.running(job)?;
        self.apply(members[0].0, Event::Success)?;
        for (node, base) in members {
            let record = self.record(node);
            record.base = Some(TextBase {
                generated_at: now,
                ..base
            });
            record.semantic.unseen = std::mem::take(&mut record.semantic.since_dispatch);
            if record.is_back_at_base() {
                self.set_drift(node, Drift::default());
            }
        }
        let state = self
            .known(&job.types[0])
            .map(|node| self.records[&node].semantic.state);
        state.map_err(|_| JobError::Outlived(job.ticket))
    }

    /// The unit that a type is in, by any id that leads to the type, or by the id of the group.
    #[must_use]
    pub fn unit(&self, id: &str) -> Option<UnitView> {
        let node = self.node_of_unit(id)?;
        let mut classes = ChangeKinds::default();
        let mut types: Vec<(Seen, String)> = Vec::new();
        let mut is_described = true;
        for member in self.graph.unit(node) {
            let record = &self.records[&member];
            let now = base_of(record, 0);
            is_described &= record.base.is_some_and(|base| {
                let pairs = [
                    (base.structure, now.structure),
                    (base.public_impl, now.public_impl),
                    (base.internal_impl, now.internal_impl),
                ];
                pairs.iter().all(|(then, now)| then.same(now) == Some(true))
            });
            classes.extend(record.semantic.unseen);
            let show = |kind| record.hashes.show(kind);
            let hashes = [
                HashKind::Structure,
                HashKind::PublicImpl,
                HashKind::InternalImpl,
            ];
            let seen = Seen {
                id: record.id.clone(),
                hashes: hashes.map(show),
            };
            types.push((seen, show(HashKind::Impl)));
        }
        types.sort_by(|a, b| a.0.id.cmp(&b.0.id));
        let (types, implementations) = types.into_iter().unzip();
        Some(UnitView {
            group: self.records[&node].group.clone(),
            types,
            implementations,
            classes: classes.classes().collect(),
            state: self.records[&node].semantic.state,
            is_described,
        })
    }

    fn node_of_unit(&self, id: &str) -> Option<GraphSlot> {
        if let Some(node) = self.node_of(id) {
            return Some(node);
        }
        let is_it = |members: &&[GraphSlot]| self.records[&members[0]].group.as_deref() == Some(id);
        self.graph.groups().find(is_it).map(|members| members[0])
    }

    /// Somebody brought a text without having been given the job; whoever is at it is relieved of it (SPEC X12). What
    /// was seen becomes the text's base: where the code is another by now, the text is stale or has begun to drift.
    ///
    /// # Errors
    /// When there is no such unit, or it consists of other types.
    pub fn accept(&mut self, id: &str, seen: &[Seen], now: Millis) -> Result<TextState, JobError> {
        let count = self.clock.advance(now);
        let unknown = || JobError::Unknown(id.to_owned());
        let node = self.node_of_unit(id).ok_or_else(unknown)?;
        let unit = self.graph.unit(node);
        let of = |member: &GraphSlot| {
            let own = &self.records[member].id;
            seen.iter().find(|seen| seen.id == *own)
        };
        let bases: Option<Vec<(GraphSlot, TextBase)>> = unit
            .iter()
            .map(|member| Some((*member, base_seen(of(member)?, now)?)))
            .collect();
        let bases = bases
            .filter(|bases| bases.len() == seen.len())
            .ok_or_else(unknown)?;
        if self.records[&node].semantic.state == TextState::Generating {
            self.apply(node, Event::Cancel)?;
        }
        for event in [Event::Enqueue, Event::Dispatch, Event::Success] {
            self.apply(node, event)?;
        }
        let mut is_outdated = false;
        for (member, base) in bases {
            is_outdated |= self.rest_on(member, base, count);
        }
        if is_outdated {
            self.apply(node, Event::Invalidate)?;
        }
        self.requeue(node);
        Ok(self.records[&node].semantic.state)
    }

    /// Gives a type's text its base; whether the text is not true of what the type is now.
    fn rest_on(&mut self, node: GraphSlot, base: TextBase, count: Millis) -> bool {
        let record = self.record(node);
        let hashes = record.hashes;
        let is_same = |known: &PartialHash, kind| known.same(hashes.get(kind)) == Some(true);
        let is_outdated = !is_same(&base.structure, HashKind::Structure)
            || !is_same(&base.public_impl, HashKind::PublicImpl);
        record.base = Some(base);
        let mut drift = Drift::default();
        if record.is_back_at_base() {
            record.semantic.since_dispatch = ChangeKinds::default();
        } else if !is_outdated {
            drift.saw(count);
        }
        if !is_outdated {
            record.semantic.unseen = ChangeKinds::default();
        }
        self.set_drift(node, drift);
        is_outdated
    }

    /// A job brought nothing. It waits longer after each failure; after the third, for a hand.
    ///
    /// # Errors
    /// When the job is not the one that runs.
    pub fn fail(&mut self, job: &Job, error: &str, now: Millis) -> Result<(), JobError> {
        let count = self.clock.advance(now);
        let members = self.running(job)?;
        let node = members[0].0;
        self.apply(node, Event::Failure)?;
        for (member, _) in members {
            let semantic = &mut self.record(member).semantic;
            semantic.failed(error, count);
            semantic.since_dispatch = ChangeKinds::default();
        }
        self.requeue(node);
        Ok(())
    }

    /// Waits at least so long before a job is tried again that just failed: who was asked said so.
    pub fn wait_for(&mut self, job: &Job, wait: Millis) {
        let ready_at = self.clock.count().saturating_add(wait);
        let nodes: Vec<GraphSlot> = job.types.iter().filter_map(|id| self.node_of(id)).collect();
        for node in nodes {
            let semantic = &mut self.record(node).semantic;
            semantic.ready_at = semantic.ready_at.max(ready_at);
        }
    }

    /// Takes a text back: from the queue to what it was, from a worker to the queue.
    ///
    /// # Errors
    /// When there is no such type, or it neither waits nor is being made.
    pub fn cancel(&mut self, id: &str, now: Millis) -> Result<TextState, JobError> {
        self.clock.advance(now);
        let node = self.known(id)?;
        self.apply(node, Event::Cancel)?;
        for member in self.graph.unit(node) {
            self.record(member).semantic.since_dispatch = ChangeKinds::default();
        }
        self.requeue(node);
        Ok(self.records[&node].semantic.state)
    }

    /// Makes a text stale by hand.
    ///
    /// # Errors
    /// When there is no such type.
    pub fn invalidate(&mut self, id: &str, now: Millis) -> Result<TextState, JobError> {
        self.clock.advance(now);
        let node = self.known(id)?;
        self.apply(node, Event::Invalidate)?;
        for member in self.graph.unit(node) {
            self.set_drift(member, Drift::default());
        }
        Ok(self.records[&node].semantic.state)
    }

    /// The text of a type and its group is not there any more, whoever deleted it: nobody has described them.
    pub fn lose_text(&mut self, id: &str, now: Millis) {
        self.clock.advance(now);
        let Ok(node) = self.known(id) else {
            return;
        };
        for member in self.graph.unit(node) {
            let record = self.record(member);
            record.base = None;
            record.semantic.unseen = ChangeKinds::default();
            if matches!(record.semantic.state, TextState::Cached | TextState::Stale) {
                record.semantic.state = TextState::None;
            }
            self.set_drift(member, Drift::default());
        }
        self.requeue(node);
    }

    /// Makes the text of a dependent stale that names what changed of a type it depends on (SPEC D31), and notes why
    /// in the report of the update.
    pub fn depend(
        &mut self,
        id: &str,
        reason: StaleReason,
        report: &mut UpdateReport,
        now: Millis,
    ) {
        // A type that is gone names nothing.
        let Ok(state) = self.invalidate(id, now) else {
            return;
        };
        let ids: Vec<String> = self.unit(id).map_or_else(Vec::new, |unit| {
            unit.types.into_iter().map(|of| of.id).collect()
        });
        for change in &mut report.changes {
            if ids.contains(&change.id) {
                change.state = state;
            }
            if change.id == id {
                change.stale = Some(reason);
            }
        }
        if let Ok(node) = self.known(id) {
            self.requeue(node);
        }
    }

    /// What nobody can be at any more waits again: the time of its worker is over. What another process
    /// was given stays with it until then. Gives how many types.
    pub fn recover(&mut self, now: Millis) -> usize {
        let count = self.clock.advance(now);
        let is_over = |(_, record): &(&GraphSlot, &TypeRecord)| {
            record.semantic.state == TextState::Generating && record.semantic.leased_until <= count
        };
        let found = self.records.iter().filter(is_over).map(|(node, _)| *node);
        let found: FxHashSet<GraphSlot> = found.collect();
        for node in &found {
            let semantic = &mut self.record(*node).semantic;
            semantic.apply(Event::Cancel, true);
            semantic.since_dispatch = ChangeKinds::default();
        }
        let firsts: FxHashSet<GraphSlot> =
            found.iter().map(|node| self.graph.first(*node)).collect();
        firsts.into_iter().for_each(|node| self.requeue(node));
        found.len()
    }

    /// When [`Self::recover`] has something to do next, in milliseconds since 1970 by the host's clock.
    #[must_use]
    pub fn lease_ends(&self) -> Option<Millis> {
        let running = self.records.values().map(|record| &record.semantic);
        let running = running.filter(|semantic| semantic.state == TextState::Generating);
        let first = running.map(|semantic| semantic.leased_until).min()?;
        Some(self.clock.host_time_of(first))
    }

    /// Whether a job is the one that runs: its types are not cancelled, not gone and not grouped otherwise.
    #[must_use]
    pub fn is_running(&self, job: &Job) -> bool {
        self.running(job).is_ok()
    }

    fn known(&self, id: &str) -> Result<GraphSlot, JobError> {
        self.node_of(id)
            .ok_or_else(|| JobError::Unknown(id.to_owned()))
    }

    pub(crate) fn take_ticket(&mut self) -> u64 {
        self.next_ticket += 1;
        self.next_ticket
    }

    /// Moves a unit on by the table.
    pub(crate) fn apply(&mut self, node: GraphSlot, event: Event) -> Result<(), Refused> {
        let unit = self.graph.unit(node);
        let has_text = unit.iter().any(|member| self.records[member].has_text());
        for member in unit {
            let record = self.record(member);
            if !record.semantic.apply(event, has_text) {
                return Err(Refused {
                    id: record.group.clone().unwrap_or_else(|| record.id.clone()),
                    state: record.semantic.state,
                    event,
                });
            }
        }
        Ok(())
    }

    /// The types of a job with their bases, if it is what runs.
    fn running(&self, job: &Job) -> Result<Vec<(GraphSlot, TextBase)>, JobError> {
        let outlived = || JobError::Outlived(job.ticket);
        let nodes: Option<Vec<GraphSlot>> = job.types.iter().map(|id| self.node_of(id)).collect();
        let nodes = nodes.ok_or_else(outlived)?;
        let unit = self.graph.unit(*nodes.first().ok_or_else(outlived)?);
        let mut sorted = nodes.clone();
        sorted.sort_unstable();
        let runs = |node: &GraphSlot| {
            let semantic = &self.records[node].semantic;
            semantic.state == TextState::Generating && semantic.ticket == job.ticket
        };
        if sorted != unit || !unit.iter().all(runs) {
            return Err(outlived());
        }
        Ok(nodes.into_iter().zip(job.bases.iter().copied()).collect())
    }

    /// Puts a unit where it belongs in the queue, or out of it.
    pub(crate) fn requeue(&mut self, node: GraphSlot) {
        let first = self.graph.first(node);
        let semantic = &self.records[&first].semantic;
        if semantic.state == TextState::Pending && !semantic.is_parked() {
            let unit = self.graph.unit(node);
            let ticket = semantic.ticket;
            let ids = unit.iter().map(|member| self.records[member].id.as_str());
            let id = ids.min().unwrap_or_default();
            self.queue.put(first, id, self.priority(&unit), ticket);
        } else {
            self.queue.remove(first);
        }
    }

    fn priority(&self, unit: &[GraphSlot]) -> f64 {
        let dependents = unit
            .iter()
            .flat_map(|member| self.graph.dependents(*member));
        let outside: FxHashSet<GraphSlot> = dependents
            .filter(|node| unit.binary_search(node).is_err())
            .collect();
        let depth = unit.iter().map(|member| self.graph.depth(*member)).min();
        priority(outside.len(), depth.unwrap_or(0), self.weight(unit))
    }

    /// The weight of the gravest change since the text was made, of those that count for texts.
    fn weight(&self, unit: &[GraphSlot]) -> f64 {
        let mut unseen = ChangeKinds::default();
        for member in unit {
            unseen.extend(self.records[member].semantic.unseen);
        }
        let counts = |class: &ChangeClass| {
            *class == ChangeClass::StructureDependency
                || self.semantic_effect(*class) != SemanticEffect::Keep
        };
        let gravest = unseen.classes().find(counts);
        gravest.map_or(FIRST_WEIGHT, |class| effect_of(class).weight)
    }

    /// What a class does to semantic texts under the switches in force.
    pub(crate) fn semantic_effect(&self, class: ChangeClass) -> SemanticEffect {
        match class {
            ChangeClass::Internal if self.config.internal_impl_affects_semantic => {
                SemanticEffect::Stale
            }
            ChangeClass::Docs if self.config.semantic_doc_affects => SemanticEffect::Stale,
            // Who names what changed is seen by whoever has the sources.
            ChangeClass::StructureDependency
                if self.config.dependency_staleness == DependencyStaleness::Named =>
            {
                SemanticEffect::Keep
            }
            class => effect_of(class).semantic,
        }
    }
}

/// None for hashes that are none.
fn base_seen(seen: &Seen, now: Millis) -> Option<TextBase> {
    let [structure, public_impl, internal_impl] = &seen.hashes;
    Some(TextBase {
        structure: PartialHash::parse(structure)?,
        public_impl: PartialHash::parse(public_impl)?,
        internal_impl: PartialHash::parse(internal_impl)?,
        generated_at: now,
    })
}

fn base_of(record: &TypeRecord, now: Millis) -> TextBase {
    TextBase {
        structure: *record.hashes.get(HashKind::Structure),
        public_impl: *record.hashes.get(HashKind::PublicImpl),
        internal_impl: *record.hashes.get(HashKind::InternalImpl),
        generated_at: now,
    }
}
