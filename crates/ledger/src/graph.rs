//! Who depends on whom: reverse edges, strongly connected groups, depths (SPEC I3, D19).
//!
//! Groups and depths are kept up to date by what an edit of the edges can touch, and are always what
//! computing them anew would give. A lost edge can only split the group it lay in: that group alone is
//! searched again. A new edge `u → v` can only join what lies on a way from `v` to `u`: both ends are
//! searched in turns, so that the smaller side decides, and only where there is a way all that `v`
//! reaches is walked. After many edits at once everything is computed anew, which is linear.

use petgraph::Direction::{Incoming, Outgoing};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use petgraph::stable_graph::{NodeIndex, StableDiGraph};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A type's place in the graph; reused after the type is gone.
pub(crate) type GraphSlot = NodeIndex;

/// New edges between groups, or edited nodes, above which everything is computed anew.
const MANY: usize = 512;
/// A depth that is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// New targets of a node.
pub(crate) struct GraphEdit {
    pub(crate) node: GraphSlot,
    /// Sorted, without the node itself.
    pub(crate) targets: Vec<GraphSlot>,
}

/// What edits have changed.
#[derive(Default)]
pub(crate) struct Touched {
    /// Nodes that are in another group than before, or in none.
    pub(crate) regrouped: BTreeSet<GraphSlot>,
    /// Nodes with another depth or another number of dependents.
    pub(crate) ranked: BTreeSet<GraphSlot>,
}

#[derive(Default)]
pub(crate) struct Graph {
    edges: StableDiGraph<(), ()>,
    /// The group of each node that is in one.
    group: FxHashMap<GraphSlot, u32>,
    /// Members of each group, sorted; at least two.
    members: FxHashMap<u32, Vec<GraphSlot>>,
    next_group: u32,
    /// By the node's number.
    depth: Vec<u32>,
    /// Nodes that were made and linked to nothing yet.
    fresh: Vec<GraphSlot>,
    /// Nodes and edges walked since the beginning, for measuring.
    pub(crate) walked: u64,
}

impl Graph {
    pub(crate) fn add(&mut self) -> GraphSlot {
        let node = self.edges.add_node(());
        if self.depth.len() <= node.index() {
            self.depth.resize(node.index() + 1, UNKNOWN);
        }
        self.depth[node.index()] = UNKNOWN;
        self.fresh.push(node);
        node
    }

    pub(crate) fn successors(&self, node: GraphSlot) -> Vec<GraphSlot> {
        let mut found: Vec<GraphSlot> = self.edges.neighbors_directed(node, Outgoing).collect();
        found.sort_unstable();
        found
    }

    pub(crate) fn dependents(&self, node: GraphSlot) -> impl Iterator<Item = GraphSlot> {
        self.edges.neighbors_directed(node, Incoming)
    }

    pub(crate) fn references(&self, node: GraphSlot) -> usize {
        self.dependents(node).count()
    }

    /// The shortest way to a type that depends on nothing, or to a group that depends on nothing else.
    pub(crate) fn depth(&self, node: GraphSlot) -> u32 {
        self.depth.get(node.index()).copied().unwrap_or(0)
    }

    /// The members of the group that a node is in, sorted by number.
    pub(crate) fn group(&self, node: GraphSlot) -> Option<&[GraphSlot]> {
        let group = self.group.get(&node)?;
        self.members.get(group).map(Vec::as_slice)
    }

    /// The group of a node, or the node alone.
    pub(crate) fn unit(&self, node: GraphSlot) -> Vec<GraphSlot> {
        self.group(node)
            .map_or_else(|| vec![node], <[GraphSlot]>::to_vec)
    }

    /// What stands for a unit: the first of its group, or the node itself.
    pub(crate) fn first(&self, node: GraphSlot) -> GraphSlot {
        self.group(node).map_or(node, |members| members[0])
    }

    /// Every group.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[GraphSlot]> {
        self.members.values().map(Vec::as_slice)
    }

    /// Takes nodes away and gives others new targets.
    pub(crate) fn apply(&mut self, gone: &[GraphSlot], edits: Vec<GraphEdit>) -> Touched {
        let mut touched = Touched::default();
        let mut torn = FxHashSet::default();
        let mut added = Vec::new();
        let mut seeds: BTreeSet<GraphSlot> = self.fresh.drain(..).collect();
        touched.ranked.extend(&seeds);
        for node in gone {
            seeds.extend(self.dependents(*node));
            touched
                .ranked
                .extend(self.edges.neighbors_directed(*node, Outgoing));
            self.take(*node, &mut torn, &mut touched);
            touched.ranked.insert(*node);
        }
        for edit in edits {
            seeds.insert(edit.node);
            self.relink(edit, &mut torn, &mut added, &mut touched);
        }
        for node in gone {
            seeds.remove(node);
            touched.ranked.remove(node);
        }
        let all = added.len() > MANY || seeds.len() > MANY;
        if all {
            self.regroup_all(&mut touched);
        } else {
            self.regroup(torn, &added, &mut touched);
        }
        let bases = self.with_members(&seeds, &touched);
        if all {
            self.rank_all(&mut touched);
        } else {
            self.rank(bases, &mut touched);
        }
        for node in gone {
            touched.regrouped.remove(node);
        }
        touched
    }

    fn take(&mut self, node: GraphSlot, torn: &mut FxHashSet<u32>, touched: &mut Touched) {
        if let Some(group) = self.group.remove(&node) {
            torn.insert(group);
            let members = self.members.entry(group).or_default();
            members.retain(|member| *member != node);
            touched.regrouped.extend(members.iter());
        }
        self.edges.remove_node(node);
        self.depth[node.index()] = UNKNOWN;
    }

    fn relink(
        &mut self,
        edit: GraphEdit,
        torn: &mut FxHashSet<u32>,
        added: &mut Vec<(GraphSlot, GraphSlot)>,
        touched: &mut Touched,
    ) {
        let GraphEdit { node, targets } = edit;
        let before = self.successors(node);
        for target in before
            .iter()
            .filter(|old| targets.binary_search(old).is_err())
        {
            if let Some(edge) = self.edges.find_edge(node, *target) {
                self.edges.remove_edge(edge);
            }
            touched.ranked.insert(*target);
            let group = self.group.get(&node);
            if group.is_some() && group == self.group.get(target) {
                torn.extend(group.copied());
            }
        }
        for target in targets
            .iter()
            .filter(|new| before.binary_search(new).is_err())
        {
            self.edges.add_edge(node, *target, ());
            touched.ranked.insert(*target);
            added.push((node, *target));
        }
    }

    // --- groups

    fn regroup(
        &mut self,
        torn: FxHashSet<u32>,
        added: &[(GraphSlot, GraphSlot)],
        touched: &mut Touched,
    ) {
        let mut torn: Vec<u32> = torn.into_iter().collect();
        torn.sort_unstable();
        for group in torn {
            let members = self.members.get(&group).cloned().unwrap_or_default();
            let parts = self.components_among(&members);
            if parts.len() == 1 && parts[0].len() > 1 {
                continue;
            }
            self.dissolve(group);
            for part in parts {
                touched.regrouped.extend(&part);
                self.unite(part);
            }
        }
        for (from, to) in added {
            let (a, b) = (self.group.get(from), self.group.get(to));
            if (a.is_some() && a == b) || !self.reaches(*to, *from) {
                continue;
            }
            let union = self.between(*to, *from);
            touched.regrouped.extend(&union);
            self.unite(union);
        }
    }

    fn regroup_all(&mut self, touched: &mut Touched) {
        self.walked += self.edges.node_count() as u64 + self.edges.edge_count() as u64;
        let before: FxHashMap<u32, Vec<GraphSlot>> = std::mem::take(&mut self.members);
        let group_before = std::mem::take(&mut self.group);
        for mut part in tarjan_scc(&self.edges) {
            part.sort_unstable();
            let was = part.first().and_then(|node| group_before.get(node));
            let was = was.and_then(|group| before.get(group));
            let same = match was {
                Some(members) => *members == part,
                None => part.len() == 1,
            };
            if !same {
                touched.regrouped.extend(&part);
            }
            self.unite(part);
        }
    }

    fn dissolve(&mut self, group: u32) {
        for member in self.members.remove(&group).unwrap_or_default() {
            self.group.remove(&member);
        }
    }

    /// Makes a group of nodes, out of all the groups they were in.
    fn unite(&mut self, mut nodes: Vec<GraphSlot>) {
        let old: FxHashSet<u32> = nodes
            .iter()
            .filter_map(|node| self.group.get(node).copied())
            .collect();
        for group in old {
            self.dissolve(group);
        }
        if nodes.len() < 2 {
            return;
        }
        nodes.sort_unstable();
        let group = self.next_group;
        self.next_group = self.next_group.wrapping_add(1);
        for node in &nodes {
            self.group.insert(*node, group);
        }
        self.members.insert(group, nodes);
    }

    /// The strongly connected components of some nodes, ways through others left out.
    fn components_among(&mut self, nodes: &[GraphSlot]) -> Vec<Vec<GraphSlot>> {
        let mut small = DiGraph::<GraphSlot, ()>::with_capacity(nodes.len(), nodes.len());
        let places: FxHashMap<GraphSlot, _> = nodes
            .iter()
            .map(|node| (*node, small.add_node(*node)))
            .collect();
        for node in nodes {
            for target in self.edges.neighbors_directed(*node, Outgoing) {
                if let Some(place) = places.get(&target) {
                    small.add_edge(places[node], *place, ());
                }
            }
        }
        self.walked += (small.node_count() + small.edge_count()) as u64;
        let parts = tarjan_scc(&small).into_iter();
        parts
            .map(|part| part.into_iter().map(|place| small[place]).collect())
            .collect()
    }

    /// Whether there is a way, searched from both ends in turns.
    fn reaches(&mut self, from: GraphSlot, to: GraphSlot) -> bool {
        let mut ends = [(vec![from], Outgoing), (vec![to], Incoming)];
        let mut seen: [FxHashSet<GraphSlot>; 2] =
            [FxHashSet::from_iter([from]), FxHashSet::from_iter([to])];
        loop {
            for side in 0..2 {
                let (open, direction) = &mut ends[side];
                let Some(node) = open.pop() else {
                    return false;
                };
                self.walked += 1;
                for next in self.edges.neighbors_directed(node, *direction) {
                    if seen[1 - side].contains(&next) {
                        return true;
                    }
                    if seen[side].insert(next) {
                        open.push(next);
                    }
                }
            }
        }
    }

    /// Everything on ways between two nodes of which the first reaches the second, both included.
    fn between(&mut self, from: GraphSlot, to: GraphSlot) -> Vec<GraphSlot> {
        let forward = self.closure(from, Outgoing, |_| true);
        let back = self.closure(to, Incoming, |node| forward.contains(&node));
        back.into_iter().collect()
    }

    fn closure(
        &mut self,
        from: GraphSlot,
        direction: petgraph::Direction,
        within: impl Fn(GraphSlot) -> bool,
    ) -> FxHashSet<GraphSlot> {
        let mut seen = FxHashSet::from_iter([from]);
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            self.walked += 1;
            for next in self.edges.neighbors_directed(node, direction) {
                if within(next) && seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    }

    // --- depths

    /// Edited nodes, and all members of groups that were made or lost or of which one was edited: a
    /// group that depends on nothing else has depth 0, so each edge of a member concerns all.
    fn with_members(&self, seeds: &BTreeSet<GraphSlot>, touched: &Touched) -> BTreeSet<GraphSlot> {
        let mut all = BTreeSet::new();
        let mut groups = FxHashSet::default();
        let living = |node: &&GraphSlot| self.edges.contains_node(**node);
        for node in seeds.iter().chain(&touched.regrouped).filter(living) {
            all.insert(*node);
            if let Some(group) = self.group.get(node)
                && groups.insert(*group)
            {
                all.extend(&self.members[group]);
            }
        }
        all
    }

    fn is_leaf(&self, node: GraphSlot, groups: &mut FxHashMap<u32, bool>) -> bool {
        let Some(group) = self.group.get(&node) else {
            return self
                .edges
                .neighbors_directed(node, Outgoing)
                .next()
                .is_none();
        };
        if let Some(known) = groups.get(group) {
            return *known;
        }
        let leads_out = |member: &GraphSlot| {
            let mut targets = self.edges.neighbors_directed(*member, Outgoing);
            targets.any(|target| self.group.get(&target) != Some(group))
        };
        let leaf = !self.members[group].iter().any(leads_out);
        groups.insert(*group, leaf);
        leaf
    }

    fn rank_all(&mut self, touched: &mut Touched) {
        let before = std::mem::take(&mut self.depth);
        self.depth = vec![UNKNOWN; before.len()];
        let mut groups = FxHashMap::default();
        let nodes: Vec<GraphSlot> = self.edges.node_indices().collect();
        self.walked += (nodes.len() + self.edges.edge_count()) as u64;
        let leaves = nodes
            .iter()
            .copied()
            .filter(|node| self.is_leaf(*node, &mut groups));
        let mut layer: Vec<GraphSlot> = leaves.collect();
        let mut depth = 0;
        while !layer.is_empty() {
            let mut next = Vec::new();
            for node in layer.drain(..) {
                if self.depth[node.index()] == UNKNOWN {
                    self.depth[node.index()] = depth;
                    next.extend(self.edges.neighbors_directed(node, Incoming));
                }
            }
            next.retain(|node| self.depth[node.index()] == UNKNOWN);
            layer = next;
            depth += 1;
        }
        let changed = |node: &GraphSlot| self.depth[node.index()] != before[node.index()];
        touched.ranked.extend(nodes.into_iter().filter(changed));
    }

    /// Depths after edits of `seeds`: first those that have lost what gave them their depth, in the
    /// order of depth; then all of these anew, nearest first.
    fn rank(&mut self, seeds: BTreeSet<GraphSlot>, touched: &mut Touched) {
        let mut groups = FxHashMap::default();
        let mut before: FxHashMap<GraphSlot, u32> = FxHashMap::default();
        let mut open: BTreeSet<(u32, GraphSlot)> = seeds
            .iter()
            .map(|node| (self.depth(*node), *node))
            .collect();
        let mut nearest = BinaryHeap::new();
        let mut lost: Vec<GraphSlot> = Vec::new();
        while let Some((depth, node)) = open.pop_first() {
            self.walked += 1;
            let wanted = self.depth_by_targets(node, &mut groups);
            if wanted < depth {
                nearest.push(Reverse((wanted, node)));
            }
            if wanted <= depth && depth != UNKNOWN {
                continue;
            }
            before.entry(node).or_insert(depth);
            self.depth[node.index()] = UNKNOWN;
            lost.push(node);
            let above = self.edges.neighbors_directed(node, Incoming);
            open.extend(
                above
                    .filter(|up| depth != UNKNOWN && self.depth(*up) == depth + 1)
                    .map(|up| (depth + 1, up)),
            );
        }
        for node in lost {
            let wanted = self.depth_by_targets(node, &mut groups);
            if wanted != UNKNOWN {
                nearest.push(Reverse((wanted, node)));
            }
        }
        while let Some(Reverse((depth, node))) = nearest.pop() {
            self.walked += 1;
            let old = self.depth(node);
            if depth >= old {
                continue;
            }
            before.entry(node).or_insert(old);
            self.depth[node.index()] = depth;
            let above = self.edges.neighbors_directed(node, Incoming);
            let shorter = above.filter(|up| depth + 1 < self.depth(*up));
            nearest.extend(shorter.map(|up| Reverse((depth + 1, up))));
        }
        let changed = before
            .into_iter()
            .filter(|(node, old)| self.depth(*node) != *old);
        touched.ranked.extend(changed.map(|(node, _)| node));
    }

    fn depth_by_targets(&self, node: GraphSlot, groups: &mut FxHashMap<u32, bool>) -> u32 {
        if self.is_leaf(node, groups) {
            return 0;
        }
        let targets = self.edges.neighbors_directed(node, Outgoing);
        let least = targets.map(|target| self.depth(target)).min();
        least.unwrap_or(UNKNOWN).saturating_add(1)
    }
}

#[cfg(test)]
mod tests;
