//! The ledger: a record for each type, and everything that joins them.

use codecortex_hashes::ChangeClass;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::aliases::Aliases;
use crate::config::Config;
use crate::graph::{Graph, GraphSlot};
use crate::ids;
use crate::interner::Interner;
use crate::model::{Alias, Identity, IdentityKey, LogEntry, Pack, Project};
use crate::queue::Queue;
use crate::record::{Drift, TypeRecord};
use crate::semantic::TextState;
use crate::time::{Clock, Millis};

/// What the types of a workspace have been through (SPEC P3, H4, H6, I3, A1).
///
/// Costs: an update is proportional to the types in it, their dependencies and the dependents of those
/// whose structure changed, times a logarithm. What waits in the queue costs its dependents when their
/// number changes, and those of its whole group. A new dependency that may close a circle walks what
/// both ends reach, in turns, until one side is exhausted. Linear in the ledger are complete updates,
/// the first update after a start, updates of more than some hundred lists of dependencies,
/// [`Self::configure`], [`Self::enqueue_all`], and writing or reading the files.
#[derive(Default)]
pub struct Ledger {
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) records: FxHashMap<GraphSlot, TypeRecord>,
    pub(crate) by_identity: FxHashMap<IdentityKey, GraphSlot>,
    pub(crate) by_short: FxHashMap<String, Vec<GraphSlot>>,
    /// Who says that it depends on a type, in order, by the short id that it says.
    pub(crate) users: FxHashMap<Arc<str>, Vec<GraphSlot>>,
    pub(crate) interner: Interner,
    pub(crate) graph: Graph,
    pub(crate) aliases: Aliases,
    pub(crate) queue: Queue<GraphSlot>,
    pub(crate) deadlines: BTreeSet<(Millis, GraphSlot)>,
    pub(crate) next_ticket: u64,
    /// What files say of groups has not been compared with dependencies yet.
    pub(crate) is_just_loaded: bool,
    pub(crate) projects: Vec<Project>,
    pub(crate) packs: Vec<Pack>,
    /// Fields of `index.json`, of `state.json` and of `aliases.json` that are not the ledger's.
    pub(crate) foreign_index: Map<String, Value>,
    pub(crate) foreign_state: Map<String, Value>,
    pub(crate) foreign_aliases: Map<String, Value>,
}

/// What an id leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The id that the type has now.
    pub id: String,
    /// The id that was asked for, where it is another.
    pub redirected_from: Option<String>,
}

/// What there is to know of a type, for answers.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeView {
    /// Its id.
    pub id: String,
    /// Path, kind and number of type parameters.
    pub identity: Identity,
    /// Where its semantic text stands.
    pub state: TextState,
    /// Classes of its last change, the gravest first.
    pub classes: Vec<ChangeClass>,
    /// Milliseconds since 1970.
    pub changed_at: Option<Millis>,
    /// Internal changes are waiting.
    pub internal_changed: bool,
    /// How many, merged by window.
    pub internal_changes: u32,
    /// Its group.
    pub group: Option<String>,
    /// The shortest way to a type that depends on nothing.
    pub depth: u32,
    /// How many types depend on it.
    pub references: usize,
    /// Ids of the types it depends on, as they are now.
    pub depends_on: Vec<String>,
    /// Failures since the last success or manual retry.
    pub retries: u8,
    /// What went wrong last.
    pub last_error: Option<String>,
}

impl Ledger {
    /// An empty one.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self {
            config,
            ..Self::default()
        }
    }

    /// The switches in force.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Other switches. Where hashes mean something else under them, those known cannot be compared any
    /// more: give all types hashed anew, in a batch with `rehashed` when their texts are the same. What
    /// is hashed anew without that counts as `PublicBehavior`.
    pub fn configure(&mut self, config: Config) {
        for record in self.records.values_mut() {
            record.hashes.forget(&self.config, &config);
        }
        self.config = config;
    }

    /// The projects of `index.json`, kept in the order of their ids.
    pub fn set_projects(&mut self, mut projects: Vec<Project>) {
        projects.sort_by(|a, b| a.id.cmp(&b.id));
        self.projects = projects;
    }

    /// The packs of `index.json`, kept in the order of their names.
    pub fn set_packs(&mut self, mut packs: Vec<Pack>) {
        packs.sort_by(|a, b| a.name.cmp(&b.name));
        self.packs = packs;
    }

    /// What others keep in `state.json` (pins, focus, quotas); `types`, `clock` and the like are the
    /// ledger's and are not taken from here.
    pub fn foreign_state_mut(&mut self) -> &mut Map<String, Value> {
        &mut self.foreign_state
    }

    /// The same for who only looks.
    #[must_use]
    pub fn foreign_state(&self) -> &Map<String, Value> {
        &self.foreign_state
    }

    /// How many types there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether the next update has to be complete: after a start without the cache, dependencies and
    /// members are not known.
    #[must_use]
    pub fn needs_complete_update(&self) -> bool {
        self.records
            .values()
            .any(|record| record.depends_on.is_none())
    }

    /// The type that an id leads to: its own, a longer or shorter form of it, or one it had before. None
    /// where it leads nowhere, or to several types that share it.
    #[must_use]
    pub fn resolve(&self, id: &str) -> Option<Resolved> {
        let node = self.node_of(id)?;
        let now = self.records.get(&node)?.id.clone();
        let redirected_from = (now != id).then(|| id.to_owned());
        Some(Resolved {
            id: now,
            redirected_from,
        })
    }

    /// The ids of all types that an id may mean: several where it is a short id that they share.
    #[must_use]
    pub fn candidates(&self, id: &str) -> Vec<String> {
        let nodes = self.nodes_of(id).into_iter();
        let mut ids: Vec<String> = nodes.map(|node| self.records[&node].id.clone()).collect();
        ids.sort_unstable();
        ids
    }

    /// The id of a type.
    #[must_use]
    pub fn id_of(&self, identity: &Identity) -> Option<&str> {
        let node = self.by_identity.get(&identity.key())?;
        self.records.get(node).map(|record| record.id.as_str())
    }

    /// The ledger's own copy of an identity, for whoever keeps many of them.
    #[must_use]
    pub fn shared_identity(&self, identity: &Identity) -> Option<Arc<Identity>> {
        let node = self.by_identity.get(&identity.key())?;
        self.records.get(node).map(|record| record.identity.clone())
    }

    /// What is known of a type, by any id that leads to it.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<TypeView> {
        let node = self.node_of(id)?;
        let record = self.records.get(&node)?;
        let targets = self.graph.successors(node).into_iter();
        let mut depends_on: Vec<String> = targets
            .map(|target| self.records[&target].id.clone())
            .collect();
        depends_on.sort_unstable();
        Some(TypeView {
            id: record.id.clone(),
            identity: (*record.identity).clone(),
            state: record.semantic.state,
            classes: record.changes.classes().collect(),
            changed_at: record.changed_at,
            internal_changed: !record.drift.is_empty(),
            internal_changes: record.drift.count,
            group: record.group.clone(),
            depth: self.graph.depth(node),
            references: self.graph.references(node),
            depends_on,
            retries: record.semantic.retries,
            last_error: record.semantic.last_error.clone(),
        })
    }

    /// Ids and paths of the types whose semantic text is in a state, in no order that means anything.
    pub fn in_state(&self, state: TextState) -> impl Iterator<Item = (&str, &str)> {
        let records = self.records.values();
        let found = records.filter(move |record| record.semantic.state == state);
        found.map(|record| (record.id.as_str(), record.identity.fqn.as_str()))
    }

    /// Every id, in order.
    #[must_use]
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self
            .records
            .values()
            .map(|record| record.id.as_str())
            .collect();
        ids.sort_unstable();
        ids
    }

    /// The members of a group, by id.
    #[must_use]
    pub fn group_members(&self, group: &str) -> Vec<String> {
        let is_it =
            |members: &&[GraphSlot]| self.records[&members[0]].group.as_deref() == Some(group);
        let members = self.graph.groups().find(is_it).unwrap_or_default();
        let mut ids: Vec<String> = members
            .iter()
            .map(|node| self.records[node].id.clone())
            .collect();
        ids.sort_unstable();
        ids
    }

    /// Every alias, by old id.
    pub fn aliases(&self) -> impl Iterator<Item = &Alias> {
        self.aliases.all()
    }

    /// Nodes and edges of the graph that were walked so far: what keeping groups and depths has cost.
    #[must_use]
    pub fn walked(&self) -> u64 {
        self.graph.walked
    }

    /// Notes that a type says it depends on what has this id.
    pub(crate) fn add_user(&mut self, id: &str, node: GraphSlot) {
        let short = self.interner.intern(ids::short(id));
        let users = self.users.entry(short).or_default();
        if let Err(place) = users.binary_search(&node) {
            users.insert(place, node);
        }
    }

    pub(crate) fn record(&mut self, node: GraphSlot) -> &mut TypeRecord {
        self.records.entry(node).or_default()
    }

    pub(crate) fn node_of(&self, id: &str) -> Option<GraphSlot> {
        let found = self.nodes_of(id);
        (found.len() == 1).then(|| found[0])
    }

    /// Living types that an id means, by itself or by an alias.
    pub(crate) fn nodes_of(&self, id: &str) -> Vec<GraphSlot> {
        let found = self.living(id);
        match self.aliases.get(id) {
            Some(alias) if found.is_empty() => self.living(&alias.new_type_id),
            _ => found,
        }
    }

    pub(crate) fn living(&self, id: &str) -> Vec<GraphSlot> {
        let Some(nodes) = self.by_short.get(ids::short(id)) else {
            return Vec::new();
        };
        let is_meant = |node: &&GraphSlot| {
            let record = &self.records[*node];
            record.id == id || ids::means(id, &record.short, &record.identity)
        };
        nodes.iter().filter(is_meant).copied().collect()
    }

    /// Gives a type another drift, and the ledger its deadline.
    pub(crate) fn set_drift(&mut self, node: GraphSlot, drift: Drift) {
        let record = self.records.entry(node).or_default();
        if let Some(deadline) = record.drift.deadline() {
            self.deadlines.remove(&(deadline, node));
        }
        record.drift = drift;
        if let Some(deadline) = drift.deadline() {
            self.deadlines.insert((deadline, node));
        }
    }

    pub(crate) fn log(
        &self,
        log: &mut Vec<LogEntry>,
        kind: crate::model::LogKind,
        node: GraphSlot,
        text: String,
    ) {
        log.push(LogEntry {
            at: self.clock.host(),
            kind,
            subject: self
                .records
                .get(&node)
                .map_or_else(String::new, |record| record.id.clone()),
            text,
        });
    }
}
