//! Types that are called otherwise now (SPEC A1, D21, `000` §4.5).
//!
//! A type that is gone and a new one with (nearly) the same public members are one type renamed. Among
//! several the most similar wins, then one that kept its name, then one of the same kind, then the first
//! by path. Where similarity alone does not decide, that is logged for people, unless the others are by
//! their names what other types have become. A type stands for one other only.
//!
//! Pairs are found as in a similarity join: a set that is at least 85 % another's shares one of its rarest
//! members with it, so only types with a rare member in common are compared.

use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Alias, Identity, RecordedSignature, simple_name};

/// Similarity from which on two types are one, as a fraction.
const SIMILAR: (usize, usize) = (85, 100);
/// How many members more or less the new one may have.
const COUNT_DIFFERENCE: usize = 2;

/// All aliases. No target is a key: chains are collapsed as they come up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Aliases {
    by_old: BTreeMap<String, Alias>,
    by_new: FxHashMap<String, BTreeSet<String>>,
}

impl Aliases {
    pub(crate) fn get(&self, id: &str) -> Option<&Alias> {
        self.by_old.get(id)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Alias> {
        self.by_old.values()
    }

    /// The ids that `new` stands for.
    pub(crate) fn standing_for(&self, new: &str) -> Vec<String> {
        let olds = self.by_new.get(new);
        olds.map(|olds| olds.iter().cloned().collect())
            .unwrap_or_default()
    }

    /// Takes an id out of the keys, because a type has it (again).
    pub(crate) fn remove(&mut self, old: &str) -> Option<Alias> {
        let alias = self.by_old.remove(old)?;
        if let Some(olds) = self.by_new.get_mut(&alias.new_type_id) {
            olds.remove(old);
            if olds.is_empty() {
                self.by_new.remove(&alias.new_type_id);
            }
        }
        Some(alias)
    }

    /// Adds one; what led to the old id leads to the new one from now on.
    pub(crate) fn insert(&mut self, alias: Alias) {
        self.remove(&alias.new_type_id);
        self.retarget(&alias.old_type_id, &alias.new_type_id);
        self.put(alias);
    }

    /// What led to `from` leads to `to`.
    pub(crate) fn retarget(&mut self, from: &str, to: &str) {
        if from == to {
            return;
        }
        for old in self.standing_for(from) {
            if let Some(mut alias) = self.remove(&old)
                && old != to
            {
                to.clone_into(&mut alias.new_type_id);
                self.put(alias);
            }
        }
    }

    fn put(&mut self, alias: Alias) {
        if alias.old_type_id == alias.new_type_id {
            return;
        }
        self.remove(&alias.old_type_id);
        let olds = self.by_new.entry(alias.new_type_id.clone()).or_default();
        olds.insert(alias.old_type_id.clone());
        self.by_old.insert(alias.old_type_id.clone(), alias);
    }
}

/// A type that went or came.
#[derive(Clone, Copy)]
pub(crate) struct RenameCandidate<'a> {
    pub(crate) identity: &'a Identity,
    /// Sorted, each once.
    pub(crate) api: &'a [RecordedSignature],
}

/// A pair found: positions among the types gone and the types new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) old: usize,
    pub(crate) new: usize,
    /// Others that were just as similar, by position among the new.
    pub(crate) rivals: Vec<usize>,
}

/// One possible pair.
struct Match {
    old: usize,
    new: usize,
    shared: usize,
    union: usize,
    same_name: bool,
    same_kind: bool,
}

impl Match {
    fn similarity(&self, other: &Self) -> Ordering {
        // Two types without members are the same.
        let (a, b) = (self.union.max(1), other.union.max(1));
        let shared = |of: &Self| if of.union == 0 { 1 } else { of.shared };
        (shared(self) * b).cmp(&(shared(other) * a))
    }
}

/// Which of the types gone live on as which of the new ones.
pub(crate) fn pairs(gone: &[RenameCandidate<'_>], new: &[RenameCandidate<'_>]) -> Vec<Pair> {
    let mut matches = matches(gone, new);
    matches.sort_by(|a, b| {
        let identities = |m: &Match| (new[m.new].identity, gone[m.old].identity);
        b.similarity(a)
            .then(b.same_name.cmp(&a.same_name))
            .then(b.same_kind.cmp(&a.same_kind))
            .then_with(|| identities(a).cmp(&identities(b)))
    });
    let (mut old_taken, mut new_taken) = (FxHashSet::default(), FxHashSet::default());
    let mut chosen = Vec::new();
    let mut by_old: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, one) in matches.iter().enumerate() {
        by_old.entry(one.old).or_default().push(at);
    }
    let mut kept_name = FxHashSet::default();
    for one in &matches {
        if old_taken.contains(&one.old) || new_taken.contains(&one.new) {
            continue;
        }
        let rivals = by_old[&one.old].iter().map(|at| &matches[*at]);
        let open = rivals.filter(|rival| {
            rival.new != one.new && !new_taken.contains(&rival.new) && rival.similarity(one).is_eq()
        });
        chosen.push(Pair {
            old: one.old,
            new: one.new,
            rivals: open.map(|rival| rival.new).collect(),
        });
        old_taken.insert(one.old);
        new_taken.insert(one.new);
        kept_name.extend(one.same_name.then_some(one.new));
    }
    // What is another type under the name it had was never meant.
    for pair in &mut chosen {
        pair.rivals.retain(|rival| !kept_name.contains(rival));
    }
    chosen
}

fn matches(gone: &[RenameCandidate<'_>], new: &[RenameCandidate<'_>]) -> Vec<Match> {
    let mut frequency: FxHashMap<RecordedSignature, usize> = FxHashMap::default();
    for signature in new.iter().chain(gone).flat_map(|one| one.api) {
        *frequency.entry(*signature).or_default() += 1;
    }
    let rarest = |one: &RenameCandidate<'_>| -> Vec<RecordedSignature> {
        let mut api = one.api.to_vec();
        api.sort_by_key(|signature| (frequency[signature], *signature));
        let needed = (api.len() * SIMILAR.0).div_ceil(SIMILAR.1);
        api.truncate(api.len() - needed + 1);
        api
    };
    let mut by_member: FxHashMap<RecordedSignature, Vec<usize>> = FxHashMap::default();
    let mut without: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, one) in new.iter().enumerate() {
        if one.api.is_empty() {
            without
                .entry(simple_name(&one.identity.fqn))
                .or_default()
                .push(at);
        }
        for signature in rarest(one).into_iter().filter(|_| !one.api.is_empty()) {
            by_member.entry(signature).or_default().push(at);
        }
    }
    let mut found = Vec::new();
    for (old, one) in gone.iter().enumerate() {
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        if one.api.is_empty() {
            seen.extend(
                without
                    .get(simple_name(&one.identity.fqn))
                    .into_iter()
                    .flatten(),
            );
        } else {
            for signature in rarest(one) {
                seen.extend(by_member.get(&signature).into_iter().flatten());
            }
        }
        found.extend(
            seen.into_iter()
                .filter_map(|at| compare(old, one, at, &new[at])),
        );
    }
    found
}

/// The pair, if it is similar enough.
fn compare(
    old: usize,
    gone: &RenameCandidate<'_>,
    new: usize,
    come: &RenameCandidate<'_>,
) -> Option<Match> {
    if gone.api.len().abs_diff(come.api.len()) > COUNT_DIFFERENCE {
        return None;
    }
    let shared = gone
        .api
        .iter()
        .filter(|one| come.api.binary_search(one).is_ok())
        .count();
    let union = gone.api.len() + come.api.len() - shared;
    (shared * SIMILAR.1 >= union * SIMILAR.0).then(|| Match {
        old,
        new,
        shared,
        union,
        same_name: simple_name(&gone.identity.fqn) == simple_name(&come.identity.fqn),
        same_kind: (&gone.identity.kind, gone.identity.arity)
            == (&come.identity.kind, come.identity.arity),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Reason;
    use proptest::prelude::*;

    fn identity(fqn: &str) -> Identity {
        Identity {
            fqn: fqn.to_owned(),
            kind: "class".to_owned(),
            arity: 0,
        }
    }

    fn alias(old: &str, new: &str) -> Alias {
        Alias {
            old_type_id: old.to_owned(),
            new_type_id: new.to_owned(),
            old_path: String::new(),
            detected_at: 0,
            reason: Reason::Rename,
        }
    }

    proptest! {
        #[test]
        fn aliases_are_never_chains(steps in prop::collection::vec((0u8..6, 0u8..6, any::<bool>()), 0..40)) {
            let mut aliases = Aliases::default();
            for (old, new, remove) in steps {
                if remove {
                    aliases.remove(&old.to_string());
                } else if old != new {
                    aliases.insert(alias(&old.to_string(), &new.to_string()));
                    prop_assert_eq!(&aliases.get(&old.to_string()).unwrap().new_type_id, &new.to_string());
                }
                for alias in aliases.all() {
                    prop_assert!(aliases.get(&alias.new_type_id).is_none());
                    prop_assert!(aliases.standing_for(&alias.new_type_id).contains(&alias.old_type_id));
                }
                let behind: usize = aliases.by_new.values().map(BTreeSet::len).sum();
                prop_assert_eq!(behind, aliases.by_old.len());
            }
        }

        /// The join finds exactly the pairs that comparing each with each finds.
        #[test]
        fn no_pair_is_missed(
            gone in prop::collection::vec(prop::collection::btree_set("[a-j]", 0..9), 0..6),
            new in prop::collection::vec(prop::collection::btree_set("[a-j]", 0..9), 0..6),
        ) {
            let all = |sets: &[BTreeSet<String>], prefix: &str| -> Vec<(Identity, Vec<RecordedSignature>)> {
                let name = |at: usize| identity(&format!("{prefix}.T{}", at % 3));
                let api = |set: &BTreeSet<String>| {
                    let api: BTreeSet<RecordedSignature> = set.iter().map(|one| RecordedSignature::from_text(one)).collect();
                    api.into_iter().collect()
                };
                sets.iter().enumerate().map(|(at, set)| (name(at), api(set))).collect()
            };
            let (gone, new) = (all(&gone, "A"), all(&new, "B"));
            fn candidates(all: &[(Identity, Vec<RecordedSignature>)]) -> Vec<RenameCandidate<'_>> {
                all.iter().map(|(identity, api)| RenameCandidate { identity, api }).collect()
            }
            let (gone, new) = (candidates(&gone), candidates(&new));
            let found: BTreeSet<(usize, usize)> = matches(&gone, &new).iter().map(|m| (m.old, m.new)).collect();
            let mut expected = BTreeSet::new();
            for (old, a) in gone.iter().enumerate() {
                for (at, b) in new.iter().enumerate() {
                    let same_name = simple_name(&a.identity.fqn) == simple_name(&b.identity.fqn);
                    let shares = a.api.iter().any(|one| b.api.contains(one));
                    if compare(old, a, at, b).is_some() && (shares || same_name) {
                        expected.insert((old, at));
                    }
                }
            }
            prop_assert_eq!(found, expected);
        }
    }
}
