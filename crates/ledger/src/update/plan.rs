//! Who is who in a batch: known, new, gone or renamed.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codecortex_hashes::Hashes;

use super::{BatchPlan, Update};
use crate::aliases::{RenameCandidate, pairs};
use crate::graph::GraphSlot;
use crate::ids;
use crate::model::{Batch, Identity, LogKind, TypeNow};

impl Update<'_> {
    pub(super) fn plan(&mut self, batch: Batch) -> BatchPlan {
        let mut plan = BatchPlan {
            rehashed: batch.rehashed,
            ..BatchPlan::default()
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
        let mut gone: BTreeSet<GraphSlot> = BTreeSet::new();
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
    pub(super) fn distinct(&mut self, changed: Vec<TypeNow>) -> BTreeMap<Identity, TypeNow> {
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
            let now = normalised(now);
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
    pub(super) fn find(&mut self, identity: &Identity, now: &TypeNow) -> Option<GraphSlot> {
        if let Some(node) = self.ledger.by_identity.get(&identity.key()) {
            self.ledger.records.get_mut(node)?.is_guess = false;
            return Some(*node);
        }
        let candidates = self.ledger.by_short.get(&now.id)?;
        let is_it = |node: &&GraphSlot| {
            let record = &self.ledger.records[*node];
            record.is_guess
                && (&record.identity.fqn, &record.identity.kind) == (&identity.fqn, &identity.kind)
        };
        let node = *candidates.iter().find(is_it)?;
        let record = self.ledger.record(node);
        record.is_guess = false;
        let guess = std::mem::replace(&mut record.identity, Arc::new(identity.clone()));
        self.ledger.by_identity.remove(&guess.key());
        self.ledger.by_identity.insert(identity.key(), node);
        Some(node)
    }

    pub(super) fn find_renamed(&mut self, plan: &mut BatchPlan) {
        let with_api = |node: &GraphSlot| {
            let record = &self.ledger.records[node];
            let api = record.api.as_deref()?;
            Some((
                *node,
                RenameCandidate {
                    identity: &record.identity,
                    api,
                },
            ))
        };
        let gone: Vec<(GraphSlot, RenameCandidate<'_>)> =
            plan.gone.iter().filter_map(with_api).collect();
        let new = plan.new.iter().map(|now| RenameCandidate {
            identity: &now.identity,
            api: &now.api,
        });
        let new: Vec<RenameCandidate<'_>> = new.collect();
        let old: Vec<RenameCandidate<'_>> = gone.iter().map(|(_, candidate)| *candidate).collect();
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
        let to: FxHashMap<usize, GraphSlot> = found
            .iter()
            .map(|pair| (pair.new, gone[pair.old].0))
            .collect();
        let renamed: FxHashSet<GraphSlot> = to.values().copied().collect();
        plan.gone.retain(|node| !renamed.contains(node));
        for (at, now) in std::mem::take(&mut plan.new).into_iter().enumerate() {
            match to.get(&at) {
                Some(node) => plan.renamed.push((*node, now)),
                None => plan.new.push(now),
            }
        }
    }
}

/// Puts lists in the order that everything here relies on, and the id in its short form.
fn normalised(mut now: TypeNow) -> TypeNow {
    for list in [&mut now.files, &mut now.depends_on] {
        list.sort_unstable();
        list.dedup();
    }
    // Names go with their heads, or are not known.
    now.names
        .resize(now.api.len(), crate::model::NameHash::default());
    let names = std::mem::take(&mut now.names);
    let mut heads: Vec<_> = now.api.into_iter().zip(names).collect();
    heads.sort_unstable();
    heads.dedup();
    (now.api, now.names) = heads.into_iter().unzip();
    now.id = ids::short(&now.id).to_owned();
    now
}
