//! Edits against computing everything anew, by definition.

use super::*;
use proptest::prelude::*;

/// Groups and depths from nothing, by definition: a node's group is who it reaches and is reached by.
fn from_scratch(edges: &[Vec<usize>]) -> (Vec<BTreeSet<usize>>, Vec<u32>) {
    let count = edges.len();
    let mut reach = vec![vec![false; count]; count];
    for from in 0..count {
        let mut open = edges[from].clone();
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut reach[from][next], true) {
                open.extend(&edges[next]);
            }
        }
    }
    let group = |of: usize| -> BTreeSet<usize> {
        let around = (0..count).filter(|to| *to == of || (reach[of][*to] && reach[*to][of]));
        around.collect()
    };
    let groups: Vec<BTreeSet<usize>> = (0..count).map(group).collect();
    let mut depth = vec![u32::MAX; count];
    let leaf = |of: usize| {
        let out = |member: &usize| edges[*member].iter().any(|to| !groups[of].contains(to));
        !groups[of].iter().any(out)
    };
    for _ in 0..=count {
        for node in 0..count {
            let below = edges[node]
                .iter()
                .map(|to| depth[*to].saturating_add(1))
                .min();
            depth[node] = if leaf(node) { 0 } else { below.unwrap() };
        }
    }
    (groups, depth)
}

fn check(graph: &Graph, nodes: &[GraphSlot], edges: &[Vec<usize>]) {
    let (groups, depths) = from_scratch(edges);
    let place = |node: GraphSlot| nodes.iter().position(|other| *other == node).unwrap();
    for (at, node) in nodes.iter().enumerate() {
        let group: BTreeSet<usize> = graph.unit(*node).into_iter().map(place).collect();
        assert_eq!(group, groups[at], "group of {at} in {edges:?}");
        assert_eq!(graph.depth(*node), depths[at], "depth of {at} in {edges:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn edits_give_what_computing_anew_gives(
        steps in prop::collection::vec(
            prop::collection::vec((0usize..14, prop::collection::vec(0usize..14, 0..4)), 1..4),
            1..20,
        ),
    ) {
        let mut graph = Graph::default();
        let nodes: Vec<GraphSlot> = (0..14).map(|_| graph.add()).collect();
        let mut edges = vec![Vec::new(); 14];
        for step in steps {
            let before: Vec<(Vec<GraphSlot>, u32, usize)> = nodes.iter()
                .map(|node| (graph.unit(*node), graph.depth(*node), graph.references(*node)))
                .collect();
            let mut edits = Vec::new();
            for (from, mut to) in step {
                to.sort_unstable();
                to.dedup();
                to.retain(|other| *other != from);
                edits.retain(|edit: &GraphEdit| edit.node != nodes[from]);
                edits.push(GraphEdit { node: nodes[from], targets: to.iter().map(|at| nodes[*at]).collect() });
                edges[from] = to;
            }
            let touched = graph.apply(&[], edits);
            check(&graph, &nodes, &edges);
            for (at, node) in nodes.iter().enumerate() {
                if graph.unit(*node) != before[at].0 {
                    prop_assert!(touched.regrouped.contains(node));
                }
                if (graph.depth(*node), graph.references(*node)) != (before[at].1, before[at].2) {
                    prop_assert!(touched.ranked.contains(node));
                }
            }
        }
    }

    #[test]
    fn nodes_come_and_go(
        steps in prop::collection::vec((0usize..8, prop::collection::vec(0usize..8, 0..4), any::<bool>()), 1..30),
    ) {
        let mut graph = Graph::default();
        let mut nodes: Vec<GraphSlot> = (0..8).map(|_| graph.add()).collect();
        let mut edges = vec![Vec::new(); 8];
        for (at, mut to, replace) in steps {
            to.sort_unstable();
            to.dedup();
            to.retain(|other| *other != at);
            let mut gone = Vec::new();
            if replace {
                gone.push(nodes[at]);
                nodes[at] = graph.add();
                edges.iter_mut().for_each(|targets: &mut Vec<usize>| targets.retain(|other| *other != at));
            }
            let targets = to.iter().map(|other| nodes[*other]);
            let mut targets: Vec<GraphSlot> = targets.collect();
            targets.sort_unstable();
            edges[at] = to;
            graph.apply(&gone, vec![GraphEdit { node: nodes[at], targets }]);
            check(&graph, &nodes, &edges);
        }
    }
}

#[test]
fn many_edits_at_once() {
    let mut graph = Graph::default();
    let count = MANY + 50;
    let nodes: Vec<GraphSlot> = (0..count).map(|_| graph.add()).collect();
    let mut edges: Vec<Vec<usize>> = (0..count).map(|at| vec![(at * 7 + 1) % count]).collect();
    for (at, targets) in edges.iter_mut().enumerate() {
        targets.retain(|to| *to != at && at % 5 != 0);
    }
    let edit = |at: usize, to: &[usize]| GraphEdit {
        node: nodes[at],
        targets: to.iter().map(|to| nodes[*to]).collect(),
    };
    let edits = edges
        .iter()
        .enumerate()
        .map(|(at, to)| edit(at, to))
        .collect();
    graph.apply(&[], edits);
    check(&graph, &nodes, &edges);
}
