//! What follows from changes: states of semantic texts, drift, groups, the queue.

use codecortex_hashes::{ChangeClass, ChangeKinds};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

use super::{Update, text_of_type};
use crate::config::DependencyStaleness;
use crate::graph::{GraphEdit, GraphSlot};
use crate::ids;
use crate::model::{
    ChangedApi, Dependent, Move, Regrouped, StaleReason, TypeChange, TypeFate, UpdateReport,
};
use crate::record::Drift;
use crate::semantic::{Event, OutlineEffect, SemanticEffect, TextState, effect_of};

impl Update<'_> {
    pub(super) fn link(&mut self, gone: &[GraphSlot]) {
        let mut to_link = self.told_anew.clone();
        for short in &self.moved_ids {
            to_link.extend(self.ledger.users.get(short.as_str()).into_iter().flatten());
        }
        let mut edits = Vec::new();
        for node in to_link {
            let told = self.ledger.records[&node].depends_on.iter().flatten();
            let targets: BTreeSet<GraphSlot> =
                told.flat_map(|id| self.ledger.nodes_of(id)).collect();
            let targets: Vec<GraphSlot> = targets
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
            edits.push(GraphEdit { node, targets });
        }
        self.touched = self.ledger.graph.apply(gone, edits);
    }

    /// Marks the direct dependents of what has another structure.
    pub(super) fn spread(&mut self) {
        let structure = self.changes.iter().filter(|(node, changes)| {
            let quiet = self.renamed.get(node).copied().unwrap_or(false);
            changes.class() == Some(ChangeClass::Structure) && !quiet
        });
        let loud: Vec<GraphSlot> = structure.map(|(node, _)| *node).collect();
        for node in loud {
            let unknown = ChangedApi {
                bases: true,
                ..ChangedApi::default()
            };
            let seen = self.seen.get(&node).cloned().unwrap_or(unknown);
            let id = self.ledger.records[&node].id.clone();
            for dependent in self.ledger.graph.dependents(node) {
                self.downstream.insert(dependent);
                let on = self.depends.entry(dependent).or_default();
                on.push((id.clone(), seen.clone()));
            }
        }
        for node in std::mem::take(&mut self.downstream) {
            let own = self.changes.get(&node).copied().unwrap_or_default();
            let graver = own
                .class()
                .is_some_and(|class| class < ChangeClass::StructureDependency);
            if graver || self.new.contains(&node) {
                continue;
            }
            self.note(node, TypeFate::Changed);
            self.changes
                .entry(node)
                .or_default()
                .insert(ChangeClass::StructureDependency);
        }
    }

    /// Writes the changes down and sees which semantic texts they make untrue.
    pub(super) fn ledger_of_changes(&mut self) {
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
                let own = changes
                    .classes()
                    .filter(|class| *class != ChangeClass::StructureDependency);
                let is_own = own
                    .map(|class| self.ledger.semantic_effect(class))
                    .any(|effect| effect == SemanticEffect::Stale);
                let reason = match is_own {
                    true => StaleReason::Own,
                    false => StaleReason::Dependency,
                };
                self.stale.insert(node, reason);
                self.invalid.insert(node);
            } else if effects.contains(&SemanticEffect::Drift) {
                drift.saw(self.count);
                self.ledger.set_drift(node, drift);
            }
        }
    }

    /// Groups that have other members have no text that describes them: what their members had is its past.
    pub(super) fn regroup(&mut self) {
        let mut nodes = self.touched.regrouped.clone();
        nodes.extend(self.what.keys());
        if std::mem::take(&mut self.ledger.is_just_loaded) {
            nodes.extend(self.ledger.records.keys());
        }
        let mut seen = FxHashSet::default();
        let mut regrouped: BTreeSet<Regrouped> = BTreeSet::new();
        let mut moved: BTreeSet<Move> = BTreeSet::new();
        for node in nodes {
            if !seen.insert(self.ledger.graph.first(node)) {
                continue;
            }
            let unit = self.ledger.graph.unit(node);
            let ids: BTreeSet<&str> = unit
                .iter()
                .map(|member| self.ledger.records[member].id.as_str())
                .collect();
            let group = (unit.len() > 1).then(|| ids::group_id(&ids));
            let other = |member: &GraphSlot| self.ledger.records[member].group != group;
            let uniform = unit.windows(2).all(|two| {
                let state = |node: &GraphSlot| self.ledger.records[node].semantic.state;
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
            let mut from: BTreeSet<String> = BTreeSet::new();
            for member in &unit {
                let record = self.ledger.record(*member);
                let is_described = record.has_text()
                    || matches!(record.semantic.state, TextState::Cached | TextState::Stale);
                let old = std::mem::replace(&mut record.group, group.clone());
                if old == group {
                    continue;
                }
                match (old, &group) {
                    (Some(old), Some(group)) if renamed_only => {
                        moved.insert(Move {
                            from: format!("semantic/{old}.md"),
                            to: format!("semantic/{group}.md"),
                        });
                    }
                    // A text that somebody wrote into a group's file by hand is known to nobody.
                    (Some(old), _) => drop(from.insert(format!("semantic/{old}.md"))),
                    (None, _) if is_described => drop(from.insert(self.text_until_now(*member))),
                    (None, _) => {}
                }
            }
            if !from.is_empty() {
                regrouped.insert(Regrouped {
                    from: from.into_iter().collect(),
                    to: match &group {
                        Some(group) => format!("semantic/{group}.md"),
                        None => text_of_type(&self.ledger.records[&unit[0]].id),
                    },
                });
            }
            if !renamed_only {
                self.unify(&unit);
            }
        }
        self.report.moves.extend(moved);
        self.report.regrouped.extend(regrouped);
    }

    /// Where the text of a type that is in no group is on the disk: what moves with this update has not moved yet.
    fn text_until_now(&self, node: GraphSlot) -> String {
        let path = text_of_type(&self.ledger.records[&node].id);
        let mut moves = self.report.moves.iter();
        let moved = moves.find(|moved| moved.to == path);
        moved.map_or(path, |moved| moved.from.clone())
    }

    /// One state for types that are a unit now. A text of the old unit is stale, a job on it is void.
    pub(super) fn unify(&mut self, unit: &[GraphSlot]) {
        let semantic = |node: &GraphSlot| &self.ledger.records[node].semantic;
        let waits = |node: &&GraphSlot| {
            matches!(
                semantic(node).state,
                TextState::Pending | TextState::Generating
            )
        };
        let has_text = |node: &GraphSlot| {
            self.ledger.records[node].has_text()
                || matches!(semantic(node).state, TextState::Cached | TextState::Stale)
        };
        let tickets = unit.iter().filter(waits).map(|node| semantic(node).ticket);
        let ticket = tickets.min();
        let state = match ticket {
            Some(_) => TextState::Pending,
            None if unit.iter().any(has_text) => TextState::Stale,
            None => TextState::None,
        };
        for node in unit {
            self.note(*node, TypeFate::Group);
            let drift = self.ledger.records[node].drift;
            if state == TextState::Stale && !drift.is_empty() {
                self.ledger.set_drift(*node, Drift::default());
            }
            let semantic = &mut self.ledger.record(*node).semantic;
            semantic.state = state;
            semantic.outdated = false;
            semantic.leased_until = 0;
            semantic.since_dispatch = ChangeKinds::default();
            semantic.forget_attempts();
            semantic.ticket = ticket.unwrap_or(0);
        }
    }

    /// Makes whole units stale; their drift begins anew.
    pub(super) fn invalidate(&mut self) {
        let mut seen = FxHashSet::default();
        for node in std::mem::take(&mut self.invalid) {
            if !seen.insert(self.ledger.graph.first(node)) {
                continue;
            }
            let unit = self.ledger.graph.unit(node);
            for member in &unit {
                self.note(*member, TypeFate::Group);
                self.ledger.set_drift(*member, Drift::default());
            }
            // The table lets every state be invalidated.
            drop(self.ledger.apply(node, Event::Invalidate));
        }
    }

    pub(super) fn finish(mut self) -> UpdateReport {
        let mut units: BTreeSet<GraphSlot> = self.what.keys().copied().collect();
        units.extend(&self.touched.ranked);
        units.extend(&self.touched.regrouped);
        for node in &self.touched.regrouped {
            self.ledger.queue.remove(*node);
        }
        let firsts: BTreeSet<GraphSlot> = units
            .into_iter()
            .map(|node| self.ledger.graph.first(node))
            .collect();
        for node in firsts {
            self.ledger.requeue(node);
        }
        for (node, what) in std::mem::take(&mut self.what) {
            let changes = self.changes.get(&node).copied().unwrap_or_default();
            let record = &self.ledger.records[&node];
            let before = self.before[&node];
            if what == TypeFate::Group && before == record.semantic.state && changes.is_empty() {
                continue;
            }
            let outline = changes
                .classes()
                .map(|class| effect_of(class).outline)
                .max();
            let outline = match what {
                TypeFate::Renamed => Some(OutlineEffect::Body),
                _ => outline,
            };
            self.report.changes.push(TypeChange {
                id: record.id.clone(),
                fqn: record.identity.fqn.clone(),
                what,
                classes: changes.classes().collect(),
                outline: outline.unwrap_or(OutlineEffect::Keep),
                before,
                state: record.semantic.state,
                stale: self.stale.get(&node).copied(),
            });
            let is_open = self.ledger.config.dependency_staleness == DependencyStaleness::Named
                && changes
                    .classes()
                    .any(|class| class == ChangeClass::StructureDependency)
                && !self.stale.contains_key(&node);
            if is_open {
                let mut on = self.depends.remove(&node).unwrap_or_default();
                if on.is_empty() {
                    // What it depends on has another meaning now.
                    on.push((
                        String::new(),
                        ChangedApi {
                            bases: true,
                            ..ChangedApi::default()
                        },
                    ));
                }
                let id = record.id.clone();
                on.sort_unstable_by(|a, b| a.0.cmp(&b.0));
                self.report.dependents.push(Dependent { id, on });
            }
        }
        self.report
            .changes
            .sort_by(|a, b| (&a.id, a.what).cmp(&(&b.id, b.what)));
        self.report.dependents.sort_by(|a, b| a.id.cmp(&b.id));
        self.report.moves.sort_unstable();
        self.report
            .log
            .sort_by(|a, b| (&a.subject, &a.text).cmp(&(&b.subject, &b.text)));
        self.report
    }
}
