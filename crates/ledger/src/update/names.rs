//! Ids, and where old ones lead.

use std::collections::BTreeSet;

use super::{Update, moves};
use crate::graph::GraphSlot;
use crate::ids;
use crate::model::{Alias, Identity, LogKind, Reason, TypeFate};

impl Update<'_> {
    pub(super) fn assign_ids(&mut self) {
        let mut shorts = self.moved_ids.clone();
        if self.ledger.is_just_loaded {
            // What a file says is an id need not be what the rule makes of it.
            shorts.extend(self.ledger.by_short.keys().cloned());
        }
        for short in shorts {
            let mut sharing = self
                .ledger
                .by_short
                .get(&short)
                .cloned()
                .unwrap_or_default();
            sharing.sort_by(|a, b| {
                let identity = |node: &GraphSlot| &self.ledger.records[node].identity;
                identity(a).cmp(identity(b))
            });
            let identities: Vec<&Identity> = sharing
                .iter()
                .map(|node| &*self.ledger.records[node].identity)
                .collect();
            let assigned = ids::assign(&short, &identities);
            let all: Vec<String> = identities.iter().map(|one| one.fqn.clone()).collect();
            for (node, id) in sharing.into_iter().zip(assigned) {
                self.assign(node, id, &all);
            }
        }
    }

    pub(super) fn assign(&mut self, node: GraphSlot, id: String, sharing: &[String]) {
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
        self.note(node, TypeFate::Renamed);
        self.moved_ids.insert(ids::short(&id).to_owned());
        self.report.moves.extend(moves(&old, &id));
        self.ledger.aliases.retarget(&old, &id);
    }

    pub(super) fn settle_aliases(&mut self, old_ids: &[(GraphSlot, String, String)]) {
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
                    old_path: fqn.clone(),
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
}
