//! A graph of modules: the types of each folder as one node.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use codecortex_index::type_id;

use crate::tools::graph::select::{Edge, ReachedGraph, ReachedNode, mark_cycles};

/// The kind of a module, as answers and ids have it.
const MODULE: &str = "module";

/// Joins the types of each folder. Dependencies within a folder are no part of the result.
pub(super) fn joined(types: ReachedGraph) -> ReachedGraph {
    let folders: Vec<String> = types.nodes.iter().map(folder_of).collect();
    let mut modules: BTreeMap<&str, ReachedNode> = BTreeMap::new();
    for (node, folder) in types.nodes.iter().zip(&folders) {
        let module = modules
            .entry(folder)
            .or_insert_with(|| module(folder, node.distance));
        module.distance = module.distance.min(node.distance);
        module.symbols.extend(&node.symbols);
    }
    let mut between: BTreeMap<(&str, &str), (bool, u32)> = BTreeMap::new();
    let mut degrees: BTreeMap<&str, u32> = BTreeMap::new();
    for edge in &types.edges {
        let (from, to) = (folders[edge.from].as_str(), folders[edge.to].as_str());
        if from != to {
            let joined = between.entry((from, to)).or_default();
            joined.0 |= edge.is_base;
            joined.1 += edge.count;
            *degrees.entry(from).or_default() += edge.count;
            *degrees.entry(to).or_default() += edge.count;
        }
    }
    let mut ranked: Vec<(&str, ReachedNode)> = modules.into_iter().collect();
    let degree = |folder: &str| degrees.get(folder).copied().unwrap_or(0);
    ranked.sort_by_key(|(folder, module)| (module.distance, Reverse(degree(folder)), *folder));
    let folders = ranked.iter().enumerate();
    let places: BTreeMap<&str, usize> = folders
        .map(|(place, (folder, _))| (*folder, place))
        .collect();
    let edges: Vec<Edge> = between
        .into_iter()
        .map(|((from, to), (is_base, count))| Edge {
            from: places[from],
            to: places[to],
            is_base,
            count,
        })
        .collect();
    let mut nodes: Vec<ReachedNode> = ranked.into_iter().map(|(_, module)| module).collect();
    let cycles = mark_cycles(&mut nodes, &edges);
    ReachedGraph {
        nodes,
        edges,
        cycles,
    }
}

fn module(folder: &str, distance: usize) -> ReachedNode {
    let id = type_id(folder, MODULE, 0);
    ReachedNode {
        symbols: Vec::new(),
        id: id.replacen('T', "M", 1),
        path: folder.to_owned(),
        kind: MODULE,
        arity: 0,
        file: folder.to_owned(),
        distance,
        cycle: None,
    }
}

/// The folder of a type's file, with the name of its root.
fn folder_of(node: &ReachedNode) -> String {
    let folder = node.file.rsplit_once('/').map(|(folder, _)| folder);
    folder.unwrap_or(&node.file).to_owned()
}
