//! The part of the graph of all types that is shown.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use codecortex_analysis::artefacts::needs::{id_of_type, needs_of_all};
use codecortex_analysis::artefacts::types::type_units;
use codecortex_index::Symbol;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::invocation::Invocation;
use crate::tools::graph::args::Direction;
use crate::tools::graph::scope::GraphScope;

/// A type by the root it is in and its id.
type GraphKey = (u32, String);

/// A type within reach, or all of a module.
pub(super) struct ReachedNode {
    /// The types that it stands for.
    pub(super) symbols: Vec<Symbol>,
    /// Its id; with the number of its root where another root has the same.
    pub(super) id: String,
    pub(super) path: String,
    pub(super) kind: &'static str,
    /// Number of type parameters.
    pub(super) arity: u8,
    /// A file that it is in.
    pub(super) file: String,
    /// Steps from where the graph begins.
    pub(super) distance: usize,
    /// The number of its cycle, from 1.
    pub(super) cycle: Option<u32>,
}

/// A dependency between two nodes, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) is_base: bool,
    /// Dependencies of types that it stands for.
    pub(super) count: u32,
}

/// Everything within reach.
pub(super) struct ReachedGraph {
    /// The nearest first, of equally near ones the best connected, then by path.
    pub(super) nodes: Vec<ReachedNode>,
    pub(super) edges: Vec<Edge>,
    pub(super) cycles: usize,
}

/// What of it is shown.
pub(super) struct ShownSubgraph<'a> {
    /// In the order of their paths.
    pub(super) nodes: Vec<&'a ReachedNode>,
    /// In the order of their paths.
    pub(super) edges: Vec<ShownEdge<'a>>,
}

/// A dependency that is shown.
pub(super) struct ShownEdge<'a> {
    pub(super) from: &'a ReachedNode,
    pub(super) to: &'a ReachedNode,
    pub(super) is_base: bool,
    pub(super) count: u32,
}

impl ReachedGraph {
    /// The first nodes and what is between them.
    pub(super) fn part<'a>(&'a self, pieces: usize) -> ShownSubgraph<'a> {
        let mut nodes: Vec<&ReachedNode> = self.nodes.iter().take(pieces).collect();
        nodes.sort_by(|a, b| (&a.path, &a.id).cmp(&(&b.path, &b.id)));
        let mut edges: Vec<ShownEdge<'_>> = self
            .edges
            .iter()
            .filter(|edge| edge.from < pieces && edge.to < pieces)
            .map(|edge| ShownEdge {
                from: &self.nodes[edge.from],
                to: &self.nodes[edge.to],
                is_base: edge.is_base,
                count: edge.count,
            })
            .collect();
        let order =
            |edge: &ShownEdge<'a>| (&edge.from.path, &edge.from.id, &edge.to.path, &edge.to.id);
        edges.sort_by(|a, b| order(a).cmp(&order(b)));
        ShownSubgraph { nodes, edges }
    }
}

/// A type on the way.
struct Reached {
    symbol: Symbol,
    distance: usize,
}

/// What types need, each looked up once.
struct Needs<'a> {
    cx: &'a Invocation<'a>,
    known: BTreeMap<GraphKey, Vec<(GraphKey, Symbol, bool)>>,
}

impl Needs<'_> {
    /// Looks up what these types need.
    fn learn(&mut self, types: impl Iterator<Item = (GraphKey, Symbol)>) {
        let mut types: Vec<(GraphKey, Symbol)> = types.collect();
        types.retain(|(key, _)| !self.known.contains_key(key));
        let symbols: Vec<Symbol> = types.iter().map(|(_, symbol)| *symbol).collect();
        let needs = needs_of_all(self.cx, &symbols);
        for ((key, _), needs) in types.into_iter().zip(needs) {
            let needs = needs.into_iter();
            let needs = needs.map(|need| ((key.0, need.id), need.symbol, need.is_base));
            let needs = needs.collect();
            self.known.insert(key, needs);
        }
    }

    /// What a type needs that was learned.
    fn neighbours(&self, key: &GraphKey) -> &[(GraphKey, Symbol, bool)] {
        self.known.get(key).map_or(&[], Vec::as_slice)
    }
}

/// Follows dependencies from where the graph begins.
pub(super) fn select(
    cx: &Invocation<'_>,
    scope: &GraphScope,
    depth: usize,
    direction: Direction,
) -> ReachedGraph {
    let mut needs = Needs {
        cx,
        known: BTreeMap::new(),
    };
    let needed_by = match direction {
        Direction::Out => BTreeMap::new(),
        // Nothing says who needs a type but the others.
        Direction::In | Direction::Both if depth > 0 => needed_by(cx, &mut needs),
        Direction::In | Direction::Both => BTreeMap::new(),
    };
    let mut reached: BTreeMap<GraphKey, Reached> = BTreeMap::new();
    let begin = scope.types.iter().copied();
    let mut layer: Vec<(GraphKey, Symbol)> = begin
        .filter_map(|symbol| Some((key(cx, symbol)?, symbol)))
        .collect();
    for distance in 0..=depth {
        layer.retain(|(key, symbol)| {
            let is_new = !reached.contains_key(key);
            if is_new {
                let symbol = *symbol;
                reached.insert(key.clone(), Reached { symbol, distance });
            }
            is_new
        });
        if distance == depth || layer.is_empty() {
            break;
        }
        if direction != Direction::In {
            needs.learn(layer.iter().cloned());
        }
        let mut next: Vec<(GraphKey, Symbol)> = Vec::new();
        for (from, _) in &layer {
            if direction != Direction::In {
                let needed = needs.neighbours(from).iter();
                next.extend(needed.map(|(key, symbol, _)| (key.clone(), *symbol)));
            }
            next.extend(needed_by.get(from).into_iter().flatten().cloned());
        }
        layer = next;
    }
    needs.learn(reached.iter().map(|(key, node)| (key.clone(), node.symbol)));
    put_in_order(cx, &reached, &needs)
}

fn key(cx: &Invocation<'_>, symbol: Symbol) -> Option<GraphKey> {
    Some((cx.index.file(symbol.file)?.root, id_of_type(cx, symbol)?))
}

/// Who needs each type.
fn needed_by(
    cx: &Invocation<'_>,
    needs: &mut Needs<'_>,
) -> BTreeMap<GraphKey, Vec<(GraphKey, Symbol)>> {
    let mut needed_by: BTreeMap<GraphKey, Vec<(GraphKey, Symbol)>> = BTreeMap::new();
    for root in 0..cx.workspace.roots.len() as u32 {
        let units = type_units(cx, root).into_iter();
        let types: Vec<(GraphKey, Symbol)> = units
            .map(|(unit, symbol)| ((root, unit.id()), symbol))
            .collect();
        needs.learn(types.iter().cloned());
        for (from, symbol) in types {
            for (to, _, _) in needs.neighbours(&from) {
                let list = needed_by.entry(to.clone()).or_default();
                list.push((from.clone(), symbol));
            }
        }
    }
    needed_by
}

/// Everything reached, in the order in which it is cut, with the dependencies in between and cycles.
fn put_in_order(
    cx: &Invocation<'_>,
    reached: &BTreeMap<GraphKey, Reached>,
    needs: &Needs<'_>,
) -> ReachedGraph {
    let mut between: BTreeSet<(&GraphKey, &GraphKey, bool)> = BTreeSet::new();
    let mut degrees: BTreeMap<&GraphKey, usize> = BTreeMap::new();
    for from in reached.keys() {
        for (to, _, is_base) in needs.neighbours(from) {
            if let Some((to, _)) = reached.get_key_value(to) {
                between.insert((from, to, *is_base));
                *degrees.entry(from).or_default() += 1;
                *degrees.entry(to).or_default() += 1;
            }
        }
    }
    let mut ranked: Vec<_> = reached
        .iter()
        .map(|(key, node)| {
            let degree = degrees.get(key).copied().unwrap_or(0);
            let path = cx.index.path_of(node.symbol);
            (node.distance, Reverse(degree), path, key, node.symbol)
        })
        .collect();
    ranked.sort();
    let places: BTreeMap<&GraphKey, usize> = ranked
        .iter()
        .enumerate()
        .map(|(place, node)| (node.3, place))
        .collect();
    let edges: Vec<Edge> = between
        .into_iter()
        .map(|(from, to, is_base)| Edge {
            from: places[from],
            to: places[to],
            is_base,
            count: 1,
        })
        .collect();
    let shared = |key: &GraphKey| {
        (0..cx.workspace.roots.len() as u32)
            .any(|root| root != key.0 && reached.contains_key(&(root, key.1.clone())))
    };
    let mut nodes: Vec<ReachedNode> = ranked
        .iter()
        .filter_map(|(distance, _, path, key, symbol)| {
            let (file, item) = cx.index.get(*symbol)?;
            Some(ReachedNode {
                symbols: vec![*symbol],
                id: if shared(key) {
                    format!("{}_{}", key.1, key.0)
                } else {
                    key.1.clone()
                },
                path: path.clone(),
                kind: item.kind.as_str(),
                arity: item.arity,
                file: cx.display_path(file),
                distance: *distance,
                cycle: None,
            })
        })
        .collect();
    let cycles = mark_cycles(&mut nodes, &edges);
    ReachedGraph {
        nodes,
        edges,
        cycles,
    }
}

/// Numbers the cycles by the first path in each. How many there are.
pub(super) fn mark_cycles(nodes: &mut [ReachedNode], edges: &[Edge]) -> usize {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(nodes.len(), edges.len());
    nodes.iter().for_each(|_| {
        graph.add_node(());
    });
    for edge in edges {
        graph.add_edge(NodeIndex::new(edge.from), NodeIndex::new(edge.to), ());
    }
    let mut cycles: Vec<Vec<usize>> = kosaraju_scc(&graph)
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|group| group.into_iter().map(NodeIndex::index).collect())
        .collect();
    cycles.sort_by_cached_key(|group: &Vec<usize>| {
        let paths = group
            .iter()
            .map(|place| (nodes[*place].path.clone(), nodes[*place].id.clone()));
        paths.min()
    });
    for (number, group) in cycles.iter().enumerate() {
        for place in group {
            nodes[*place].cycle = Some(number as u32 + 1);
        }
    }
    cycles.len()
}
