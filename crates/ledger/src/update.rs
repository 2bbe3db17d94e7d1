//! News of types, and what follows from them.
//!
//! The steps of an update, each on what the ones before it found: time that has passed; which types are
//! known, new, gone or renamed; what changed in them; ids; aliases; edges; who depends on what changed;
//! groups; semantic states, drift and the queue.

use codecortex_index::{ChangeClass, Changes, Hashes};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

use crate::aliases::{Alias, Candidate, Reason, pairs};
use crate::graph::{Edit, Node, Touched};
use crate::ids;
use crate::ledger::Ledger;
use crate::model::{Batch, Change, Identity, LogKind, Move, Report, TypeNow, What};
use crate::prints::{HashKind, Prints};
use crate::record::{Drift, Record, Verdict};
use crate::semantic::{Event, OutlineEffect, SemanticEffect, State, effect_of};
use crate::time::Millis;

impl Ledger {
    /// Takes in news. The first update after an empty start, and after one without the cache, should be
    /// complete: what comes later counts as new to those that were there.
    pub fn update(&mut self, batch: Batch, now: Millis) -> Report {
        let count = self.clock.advance(now);
        let mut update = Update::new(self, now, count);
        update.pass_time();
        let plan = update.plan(batch);
        update.carry_out(plan);
        update.finish()
    }

    /// Lets time pass: ends of merge windows, and days of drift.
    pub fn tick(&mut self, now: Millis) -> Report {
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
struct Plan {
    known: Vec<(Node, TypeNow)>,
    renamed: Vec<(Node, TypeNow)>,
    new: Vec<TypeNow>,
    gone: Vec<Node>,
    rehashed: bool,
}

struct Update<'a> {
    ledger: &'a mut Ledger,
    now: Millis,
    count: Millis,
    report: Report,
    what: BTreeMap<Node, What>,
    changes: BTreeMap<Node, Changes>,
    before: FxHashMap<Node, State>,
    /// Types that were there before and whose texts are not new.
    new: FxHashSet<Node>,
    /// Short ids that may lead elsewhere now.
    moved_ids: BTreeSet<String>,
    /// Types whose own list of dependencies is another.
    told_anew: BTreeSet<Node>,
    /// Those of which it was not known before.
    untold: FxHashSet<Node>,
    /// Renamed types, with what is needed to see whether dependents can tell.
    renamed: FxHashMap<Node, bool>,
    /// Types of which a direct dependency is another.
    downstream: BTreeSet<Node>,
    /// Types whose semantic text is no longer true.
    invalid: BTreeSet<Node>,
    touched: Touched,
}

impl<'a> Update<'a> {
    fn new(ledger: &'a mut Ledger, now: Millis, count: Millis) -> Self {
        Self {
            ledger,
            now,
            count,
            report: Report::default(),
            what: BTreeMap::new(),
            changes: BTreeMap::new(),
            before: FxHashMap::default(),
            new: FxHashSet::default(),
            moved_ids: BTreeSet::new(),
            told_anew: BTreeSet::new(),
            untold: FxHashSet::default(),
            renamed: FxHashMap::default(),
            downstream: BTreeSet::new(),
            invalid: BTreeSet::new(),
            touched: Touched::default(),
        }
    }

    fn note(&mut self, node: Node, what: What) {
        let state = self
            .ledger
            .records
            .get(&node)
            .map(|record| record.semantic.state);
        self.before.entry(node).or_insert(state.unwrap_or_default());
        let noted = self.what.entry(node).or_insert(what);
        // What happened to the type itself says more than what its group did.
        if matches!(noted, What::Group | What::Drifted) && what != What::Group {
            *noted = what;
        }
    }

    // --- time

    fn pass_time(&mut self) {
        while let Some((deadline, node)) = self.ledger.deadlines.first().copied() {
            if deadline > self.count {
                break;
            }
            let record = &self.ledger.records[&node];
            let (mut drift, back) = (record.drift, record.is_back_at_base());
            let verdict = drift.evaluate(self.count);
            if verdict == Verdict::Stale && !back {
                self.note(node, What::Drifted);
                self.invalid.insert(node);
            }
            // What is again as the text describes it has not drifted.
            let over = verdict == Verdict::Stale || back;
            self.ledger
                .set_drift(node, if over { Drift::default() } else { drift });
        }
        self.invalidate();
    }

    // --- who is who

    fn plan(&mut self, batch: Batch) -> Plan {
        let mut plan = Plan {
            rehashed: batch.rehashed,
            ..Plan::default()
        };
        let mut named = FxHashSet::default();
        for (identity, now) in self.distinct(batch.changed) {
            match self.find(&identity, &now) {
                Some(node) => {
                    named.insert(node);
                    plan.known.push((node, now));
                }
                None => plan.new.push(now),
            }
        }
        let mut gone: BTreeSet<Node> = BTreeSet::new();
        for id in batch.removed {
            match self.ledger.living(&id).as_slice() {
                [node] => {
                    gone.insert(*node);
                }
                [] => {}
                [first, ..] => {
                    let text = format!("{id} was removed, but several types share it: none was");
                    let first = *first;
                    self.ledger
                        .log(&mut self.report.log, LogKind::Id, first, text);
                }
            }
        }
        if batch.complete {
            gone.extend(self.ledger.records.keys());
        }
        gone.retain(|node| !named.contains(node));
        plan.gone = gone.into_iter().collect();
        self.find_renamed(&mut plan);
        plan
    }

    /// Each type once, in the order of identity.
    fn distinct(&mut self, changed: Vec<TypeNow>) -> BTreeMap<Identity, TypeNow> {
        let key = |now: &TypeNow| {
            let Hashes {
                structure,
                public_impl,
                internal_impl,
                doc,
                cosmetic,
            } = now.hashes;
            let lists = (now.files.clone(), now.api.clone(), now.depends_on.clone());
            let hashes = (structure, public_impl, internal_impl, doc, cosmetic);
            (hashes, lists, now.project_id.clone(), now.id.clone())
        };
        let mut distinct: BTreeMap<Identity, TypeNow> = BTreeMap::new();
        for now in changed {
            let now = now.normalise();
            let Some(other) = distinct.get(&now.identity) else {
                distinct.insert(now.identity.clone(), now);
                continue;
            };
            if *other == now {
                continue;
            }
            self.report.log.push(crate::model::LogEntry {
                at: self.now,
                kind: LogKind::Twice,
                subject: now.id.clone(),
                text: format!(
                    "{} came twice in one batch: one of them counts",
                    now.identity.fqn
                ),
            });
            if key(other) < key(&now) {
                distinct.insert(now.identity.clone(), now);
            }
        }
        distinct
    }

    /// The record of a type, also where a file did not tell its number of type parameters.
    fn find(&mut self, identity: &Identity, now: &TypeNow) -> Option<Node> {
        if let Some(node) = self.ledger.by_identity.get(identity) {
            self.ledger.records.get_mut(node)?.is_guess = false;
            return Some(*node);
        }
        let candidates = self.ledger.by_short.get(&now.id)?;
        let is_it = |node: &&Node| {
            let record = &self.ledger.records[*node];
            record.is_guess
                && (&record.identity.fqn, &record.identity.kind) == (&identity.fqn, &identity.kind)
        };
        let node = *candidates.iter().find(is_it)?;
        let record = self.ledger.record(node);
        record.is_guess = false;
        let guess = std::mem::replace(&mut record.identity, identity.clone());
        self.ledger.by_identity.remove(&guess);
        self.ledger.by_identity.insert(identity.clone(), node);
        Some(node)
    }

    fn find_renamed(&mut self, plan: &mut Plan) {
        let with_api = |node: &Node| {
            let record = &self.ledger.records[node];
            let api = record.api.as_deref()?;
            Some((
                *node,
                Candidate {
                    identity: &record.identity,
                    api,
                },
            ))
        };
        let gone: Vec<(Node, Candidate<'_>)> = plan.gone.iter().filter_map(with_api).collect();
        let new = plan.new.iter().map(|now| Candidate {
            identity: &now.identity,
            api: &now.api,
        });
        let new: Vec<Candidate<'_>> = new.collect();
        let old: Vec<Candidate<'_>> = gone.iter().map(|(_, candidate)| *candidate).collect();
        let found = pairs(&old, &new);
        let mut log = Vec::new();
        for pair in found.iter().filter(|pair| !pair.rivals.is_empty()) {
            let rivals: Vec<&str> = pair
                .rivals
                .iter()
                .map(|at| new[*at].identity.fqn.as_str())
                .collect();
            let (was, is) = (&old[pair.old].identity.fqn, &new[pair.new].identity.fqn);
            let text = format!("{was} is taken for {is}; as similar: {}", rivals.join(", "));
            self.ledger
                .log(&mut log, LogKind::Alias, gone[pair.old].0, text);
        }
        self.report.log.append(&mut log);
        let to: FxHashMap<usize, Node> = found
            .iter()
            .map(|pair| (pair.new, gone[pair.old].0))
            .collect();
        let renamed: FxHashSet<Node> = to.values().copied().collect();
        plan.gone.retain(|node| !renamed.contains(node));
        for (at, now) in std::mem::take(&mut plan.new).into_iter().enumerate() {
            match to.get(&at) {
                Some(node) => plan.renamed.push((*node, now)),
                None => plan.new.push(now),
            }
        }
    }

    // --- what changed

    fn carry_out(&mut self, plan: Plan) {
        let old_ids = self.part_with(&plan);
        for (node, now) in &plan.renamed {
            self.note(*node, What::Renamed);
            self.rekey(*node, now);
        }
        let rehashed = plan.rehashed;
        for (node, now) in plan.known.into_iter().chain(plan.renamed) {
            self.classify(node, &now, rehashed);
            self.take_over(node, now);
        }
        for now in plan.new {
            let node = self.ledger.graph.add();
            self.ledger.records.insert(node, Record::new(&now));
            self.adopt(node, &now);
            self.new.insert(node);
            self.note(node, What::New);
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
    fn part_with(&mut self, plan: &Plan) -> Vec<(Node, String, String)> {
        for node in &plan.gone {
            self.downstream.extend(self.ledger.graph.dependents(*node));
            self.note(*node, What::Removed);
            self.ledger.set_drift(*node, Drift::default());
            self.ledger.queue.remove(*node);
            self.tell(*node, None);
            self.lose(*node);
            if let Some(record) = self.ledger.records.remove(node) {
                self.report.obsolete.extend(artefacts(&record.id));
                self.report.changes.push(Change {
                    id: record.id,
                    fqn: record.identity.fqn,
                    what: What::Removed,
                    classes: Vec::new(),
                    outline: OutlineEffect::Keep,
                    before: record.semantic.state,
                    state: State::None,
                });
            }
            self.what.remove(node);
            self.before.remove(node);
        }
        let gone: FxHashSet<&Node> = plan.gone.iter().collect();
        self.downstream.retain(|node| !gone.contains(node));
        let ids = plan.renamed.iter().map(|(node, _)| {
            let record = &self.ledger.records[node];
            (*node, record.id.clone(), record.identity.fqn.clone())
        });
        ids.collect()
    }

    /// Takes a type out of the tables that find it.
    fn lose(&mut self, node: Node) {
        let record = &self.ledger.records[&node];
        self.ledger.by_identity.remove(&record.identity);
        let short = record.short.clone();
        if let Some(sharing) = self.ledger.by_short.get_mut(&short) {
            sharing.retain(|other| *other != node);
            if sharing.is_empty() {
                self.ledger.by_short.remove(&short);
            }
        }
        self.moved_ids.insert(short);
    }

    fn adopt(&mut self, node: Node, now: &TypeNow) {
        self.ledger.by_identity.insert(now.identity.clone(), node);
        self.ledger
            .by_short
            .entry(now.id.clone())
            .or_default()
            .push(node);
        self.moved_ids.insert(now.id.clone());
    }

    fn rekey(&mut self, node: Node, now: &TypeNow) {
        self.lose(node);
        let record = self.ledger.record(node);
        record.identity = now.identity.clone();
        record.short.clone_from(&now.id);
        // Dependents see another type only where more than its name is different.
        let same_api = record.api.as_deref() == Some(&now.api);
        self.renamed.insert(node, same_api);
        self.adopt(node, now);
    }

    fn classify(&mut self, node: Node, now: &TypeNow, rehashed: bool) {
        let record = self.ledger.record(node);
        let mut prints = Prints::from(&now.hashes);
        let mut difference = record.prints.compare(&mut prints);
        if rehashed && !difference.unknown.is_empty() {
            difference = record.prints.compare_known(&prints);
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
                record.prints.show(*kind).get(..8).unwrap_or_default(),
                prints.show(*kind),
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
        record.prints = prints;
        if !difference.changes.is_empty() {
            self.note(node, What::Changed);
            self.changes
                .entry(node)
                .or_default()
                .extend(difference.changes);
        }
    }

    /// Keeps everything else that the caller told.
    fn take_over(&mut self, node: Node, now: TypeNow) {
        let record = self.ledger.record(node);
        record.project_id = now.project_id;
        record.files = now.files;
        record.api = Some(now.api);
        if record.depends_on.is_none() && !self.new.contains(&node) {
            self.untold.insert(node);
        }
        if record.depends_on.as_ref() != Some(&now.depends_on) {
            self.told_anew.insert(node);
            self.tell(node, Some(now.depends_on));
        }
    }

    /// Another list of dependencies, in the record and in the table of users.
    fn tell(&mut self, node: Node, told: Option<Vec<String>>) {
        let record = self.ledger.records.entry(node).or_default();
        let before = std::mem::replace(&mut record.depends_on, told);
        for id in before.iter().flatten() {
            if let Some(users) = self.ledger.users.get_mut(ids::short(id)) {
                users.remove(&node);
                if users.is_empty() {
                    self.ledger.users.remove(ids::short(id));
                }
            }
        }
        for id in self.ledger.records[&node].depends_on.iter().flatten() {
            let users = self
                .ledger
                .users
                .entry(ids::short(id).to_owned())
                .or_default();
            users.insert(node);
        }
    }

    // --- ids and aliases

    fn assign_ids(&mut self) {
        for short in self.moved_ids.clone() {
            let mut sharing = self
                .ledger
                .by_short
                .get(&short)
                .cloned()
                .unwrap_or_default();
            sharing.sort_by(|a, b| {
                let identity = |node: &Node| &self.ledger.records[node].identity;
                identity(a).cmp(identity(b))
            });
            let identities: Vec<&Identity> = sharing
                .iter()
                .map(|node| &self.ledger.records[node].identity)
                .collect();
            let assigned = ids::assign(&short, &identities);
            let all: Vec<String> = identities.iter().map(|one| one.fqn.clone()).collect();
            for (node, id) in sharing.into_iter().zip(assigned) {
                self.assign(node, id, &all);
            }
        }
    }

    fn assign(&mut self, node: Node, id: String, sharing: &[String]) {
        let record = self.ledger.record(node);
        let old = std::mem::replace(&mut record.id, id);
        let (id, is_long) = (record.id.clone(), record.id != record.short);
        if is_long && (old != id || self.new.contains(&node)) {
            let text = format!(
                "the short id is shared by {}: this is {}",
                sharing.join(", "),
                record.identity.fqn
            );
            self.ledger
                .log(&mut self.report.log, LogKind::Id, node, text);
        }
        if old == id || self.new.contains(&node) {
            return;
        }
        self.note(node, What::Renamed);
        self.report.moves.extend(moves(&old, &id));
        self.ledger.aliases.retarget(&old, &id);
    }

    fn settle_aliases(&mut self, old_ids: &[(Node, String, String)]) {
        let mut moved: BTreeSet<String> = BTreeSet::new();
        for short in &self.moved_ids {
            let living = self.ledger.by_short.get(short).into_iter().flatten();
            let ids = living.map(|node| self.ledger.records[node].id.clone());
            for id in ids.chain([short.clone()]).collect::<Vec<_>>() {
                // An id that a type has again leads to this type.
                if !self.ledger.living(&id).is_empty() {
                    self.ledger.aliases.remove(&id);
                }
                moved.extend(self.ledger.aliases.standing_for(&id));
            }
        }
        let mut renamed: Vec<Alias> = Vec::new();
        for (node, old, fqn) in old_ids {
            let record = &self.ledger.records[node];
            if *old != record.id && self.ledger.living(old).is_empty() {
                renamed.push(Alias {
                    old_type_id: old.clone(),
                    new_type_id: record.id.clone(),
                    detected_at: self.now,
                    reason: Reason::between(fqn, &record.identity.fqn),
                });
            }
        }
        renamed.sort_by(|a, b| a.old_type_id.cmp(&b.old_type_id));
        for alias in &renamed {
            moved.insert(alias.old_type_id.clone());
            self.ledger.aliases.insert(alias.clone());
            moved.extend(self.ledger.aliases.standing_for(&alias.new_type_id));
        }
        self.report.aliases = renamed;
        self.moved_ids
            .extend(moved.iter().map(|id| ids::short(id).to_owned()));
    }

    // --- edges

    fn link(&mut self, gone: &[Node]) {
        let mut to_link = self.told_anew.clone();
        for short in &self.moved_ids {
            to_link.extend(self.ledger.users.get(short).into_iter().flatten());
        }
        let mut edits = Vec::new();
        for node in to_link {
            let told = self.ledger.records[&node].depends_on.iter().flatten();
            let targets: BTreeSet<Node> = told.flat_map(|id| self.ledger.nodes_of(id)).collect();
            let targets: Vec<Node> = targets
                .into_iter()
                .filter(|target| *target != node)
                .collect();
            let before = self.ledger.graph.successors(node);
            if targets == before {
                continue;
            }
            if let Some(quiet) = self.renamed.get_mut(&node) {
                *quiet = false;
            }
            let own_doing = self.told_anew.contains(&node) && self.changes.contains_key(&node);
            if !own_doing && !self.new.contains(&node) && !self.untold.contains(&node) {
                self.downstream.insert(node);
            }
            edits.push(Edit { node, targets });
        }
        self.touched = self.ledger.graph.apply(gone, edits);
    }

    /// Marks the direct dependents of what has another structure.
    fn spread(&mut self) {
        let structure = self.changes.iter().filter(|(node, changes)| {
            let quiet = self.renamed.get(node).copied().unwrap_or(false);
            changes.class() == Some(ChangeClass::Structure) && !quiet
        });
        let loud: Vec<Node> = structure.map(|(node, _)| *node).collect();
        for node in loud {
            self.downstream.extend(self.ledger.graph.dependents(node));
        }
        for node in std::mem::take(&mut self.downstream) {
            let own = self.changes.get(&node).copied().unwrap_or_default();
            let graver = own
                .class()
                .is_some_and(|class| class < ChangeClass::StructureDependency);
            if graver || self.new.contains(&node) {
                continue;
            }
            self.note(node, What::Changed);
            self.changes
                .entry(node)
                .or_default()
                .insert(ChangeClass::StructureDependency);
        }
    }

    // --- what follows

    /// Writes the changes down and sees which semantic texts they make untrue.
    fn ledger_of_changes(&mut self) {
        for (node, changes) in self.changes.clone() {
            let record = self.ledger.record(node);
            record.changes = changes;
            record.changed_at = Some(self.now);
            record.semantic.saw(changes);
            let mut drift = record.drift;
            let effects = changes
                .classes()
                .map(|class| self.ledger.semantic_effect(class));
            let effects: Vec<SemanticEffect> = effects.collect();
            if effects.contains(&SemanticEffect::Stale) {
                self.invalid.insert(node);
            } else if effects.contains(&SemanticEffect::Drift) {
                drift.saw(self.count);
                self.ledger.set_drift(node, drift);
            }
        }
    }

    /// Groups that have other members have no text that describes them.
    fn regroup(&mut self) {
        let mut nodes = self.touched.regrouped.clone();
        nodes.extend(self.what.keys());
        let mut seen = FxHashSet::default();
        let mut gone: BTreeSet<String> = BTreeSet::new();
        let mut made: BTreeSet<String> = BTreeSet::new();
        let mut moved: BTreeSet<Move> = BTreeSet::new();
        for node in nodes {
            let unit = self.ledger.graph.unit(node);
            if !seen.insert(unit[0]) {
                continue;
            }
            let ids: BTreeSet<&str> = unit
                .iter()
                .map(|member| self.ledger.records[member].id.as_str())
                .collect();
            let group = (unit.len() > 1).then(|| ids::group_id(&ids));
            made.extend(group.clone());
            let other = |member: &Node| self.ledger.records[member].group != group;
            let uniform = unit.windows(2).all(|two| {
                let state = |node: &Node| self.ledger.records[node].semantic.state;
                state(&two[0]) == state(&two[1])
            });
            let others = unit.iter().any(other);
            if !others && uniform {
                continue;
            }
            let renamed_only = uniform
                && unit
                    .iter()
                    .all(|member| !self.touched.regrouped.contains(member));
            for member in &unit {
                let old = std::mem::replace(&mut self.ledger.record(*member).group, group.clone());
                let Some(old) = old.filter(|old| Some(old) != group.as_ref()) else {
                    continue;
                };
                match &group {
                    Some(group) if renamed_only => {
                        moved.insert(Move {
                            from: format!("semantic/{old}.md"),
                            to: format!("semantic/{group}.md"),
                        });
                    }
                    _ => {
                        gone.insert(old);
                    }
                }
            }
            if !renamed_only {
                self.unify(&unit);
            }
        }
        self.report.moves.extend(moved);
        let lost = gone.difference(&made);
        self.report
            .obsolete
            .extend(lost.map(|group| format!("semantic/{group}.md")));
    }

    /// One state for types that are a unit now. A text of the old unit is stale, a job on it is void.
    fn unify(&mut self, unit: &[Node]) {
        let semantic = |node: &Node| &self.ledger.records[node].semantic;
        let waits =
            |node: &&Node| matches!(semantic(node).state, State::Pending | State::Generating);
        let has_text = |node: &Node| {
            self.ledger.records[node].has_text()
                || matches!(semantic(node).state, State::Cached | State::Stale)
        };
        let tickets = unit.iter().filter(waits).map(|node| semantic(node).ticket);
        let ticket = tickets.min();
        let state = match ticket {
            Some(_) => State::Pending,
            None if unit.iter().any(has_text) => State::Stale,
            None => State::None,
        };
        for node in unit {
            self.note(*node, What::Group);
            let drift = self.ledger.records[node].drift;
            if state == State::Stale && !drift.is_empty() {
                self.ledger.set_drift(*node, Drift::default());
            }
            let semantic = &mut self.ledger.record(*node).semantic;
            semantic.state = state;
            semantic.outdated = false;
            semantic.since_dispatch = Changes::default();
            semantic.forget_attempts();
            semantic.ticket = ticket.unwrap_or(0);
        }
    }

    /// Makes whole units stale; their drift begins anew.
    fn invalidate(&mut self) {
        let mut seen = FxHashSet::default();
        for node in std::mem::take(&mut self.invalid) {
            let unit = self.ledger.graph.unit(node);
            if !seen.insert(unit[0]) {
                continue;
            }
            for member in &unit {
                self.note(*member, What::Group);
                self.ledger.set_drift(*member, Drift::default());
            }
            // The table lets every state be invalidated.
            drop(self.ledger.apply(node, Event::Invalidate));
        }
    }

    fn finish(mut self) -> Report {
        let mut units: BTreeSet<Node> = self.what.keys().copied().collect();
        units.extend(&self.touched.ranked);
        units.extend(&self.touched.regrouped);
        for node in &self.touched.regrouped {
            self.ledger.queue.remove(*node);
        }
        for node in units {
            self.ledger.requeue(node);
        }
        for (node, what) in std::mem::take(&mut self.what) {
            let changes = self.changes.get(&node).copied().unwrap_or_default();
            let record = &self.ledger.records[&node];
            let before = self.before[&node];
            if what == What::Group && before == record.semantic.state && changes.is_empty() {
                continue;
            }
            let outline = changes
                .classes()
                .map(|class| effect_of(class).outline)
                .max();
            let outline = match what {
                What::Renamed => Some(OutlineEffect::Body),
                _ => outline,
            };
            self.report.changes.push(Change {
                id: record.id.clone(),
                fqn: record.identity.fqn.clone(),
                what,
                classes: changes.classes().collect(),
                outline: outline.unwrap_or(OutlineEffect::Keep),
                before,
                state: record.semantic.state,
            });
        }
        self.report
            .changes
            .sort_by(|a, b| (&a.id, a.what).cmp(&(&b.id, b.what)));
        self.report.moves.sort_unstable();
        self.report.obsolete.sort_unstable();
        self.report
            .log
            .sort_by(|a, b| (&a.subject, &a.text).cmp(&(&b.subject, &b.text)));
        self.report
    }
}

/// The files that are a type's own.
fn artefacts(id: &str) -> [String; 2] {
    [
        format!("types/{id}.outline.md"),
        format!("types/{id}.semantic.md"),
    ]
}

fn moves(from: &str, to: &str) -> impl Iterator<Item = Move> {
    let pairs = artefacts(from).into_iter().zip(artefacts(to));
    pairs.map(|(from, to)| Move { from, to })
}
