//! `codecortex_exportGraph`: which types need which, as a drawing or as data (SPEC UX1, `000` §18).

pub(crate) mod args;
pub(crate) mod draw;
pub(crate) mod modules;
pub(crate) mod scope;
pub(crate) mod select;

use codecortex_analysis::place::ResolvedSymbol;
use codecortex_answer::args::{check_range, parse};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_protocol::ToolError;
use codecortex_protocol::counts::counted;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::graph::args::{Direction, GraphArgs, GraphLevel, Notation};
use crate::tools::graph::select::ReachedGraph;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// Types shown unless asked, and the most that can be asked for.
const DEFAULT_TYPES: u64 = 50;
const MAX_TYPES: u64 = 2_000;
/// The most steps away from what was named.
const MAX_DEPTH: u64 = 20;
/// Steps away from a symbol unless asked; of a folder or project, only what is in it is shown.
const DEPTH_OF_SYMBOL: u64 = 2;

/// Answer of `codecortex_exportGraph`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GraphData {
    /// The start symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<ResolvedSymbol>,
    /// Names of `symbols` that were not found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
    /// Format of the graph.
    notation: Notation,
    /// Exact number of types (or modules) within reach, shown or not.
    total: u32,
    /// Exact number of dependencies between them.
    dependencies: u32,
    /// Number of cycles: groups of types (or modules) that depend on each other, directly or not.
    cycles: u32,
    /// Number of types (or modules) that are not shown.
    left_out: u32,
    /// The drawing; absent in `json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<String>,
    /// The types or modules, in the order of their paths; only in `json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    types: Option<Vec<NodeData>>,
    /// The dependencies between them; only in `json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<EdgeData>>,
    #[serde(flatten)]
    common: Common,
}

/// A type or module of the graph.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NodeData {
    /// Its id.
    id: String,
    /// Full path; of a module, its folder.
    path: String,
    /// `class`, `interface` …, or `module`.
    kind: &'static str,
    /// A file that it is in; absent of a module.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_path: Option<String>,
    /// The number of the cycle that it is in, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<u32>,
    /// Steps from the start; absent at the start.
    #[serde(skip_serializing_if = "is_start")]
    distance: usize,
    /// Number of types that a module stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    types: Option<u32>,
}

fn is_start(distance: &usize) -> bool {
    *distance == 0
}

/// A dependency.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EdgeData {
    /// Id of the type or module that needs the other.
    from: String,
    /// Id of the type or module that is needed.
    to: String,
    /// Whether the other is its base; of modules, whether it has a base.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    base: bool,
    /// Number of dependencies between the types of two modules.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
}

struct Graph {
    resolved: Option<ResolvedSymbol>,
    missing: Vec<String>,
    level: GraphLevel,
    notation: Notation,
    selection: ReachedGraph,
    limit: usize,
    unsaved: bool,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: GraphArgs = parse(args)?;
    cx.look(|cx| graph(cx, &args)).await
}

fn graph(cx: &Invocation<'_>, args: &GraphArgs) -> ToolResult {
    let limit = check_range("limit", args.limit.unwrap_or(DEFAULT_TYPES), 1, MAX_TYPES)?;
    let usual = if args.symbol.is_some() || args.symbols.is_some() {
        DEPTH_OF_SYMBOL
    } else {
        0
    };
    let depth = check_range("depth", args.depth.unwrap_or(usual), 0, MAX_DEPTH)?;
    let scope = scope::scope_of(cx, args)?;
    let direction = args.direction.unwrap_or(Direction::Out);
    let level = args.level.unwrap_or_default();
    let mut selection = select::select(cx, &scope, depth, direction);
    if level == GraphLevel::Module {
        selection = modules::joined(selection);
    }
    let shown = selection.nodes.iter().take(limit);
    let unsaved = shown
        .flat_map(|node| &node.symbols)
        .flat_map(|symbol| cx.index.parts(*symbol))
        .any(|part| cx.is_unsaved(part.symbol.file));
    Ok(Box::new(Graph {
        resolved: scope.resolved,
        missing: scope.missing,
        level,
        notation: args.notation.unwrap_or(Notation::Mermaid),
        selection,
        limit,
        unsaved,
    }))
}

impl Graph {
    fn lists(&self, level: usize, pieces: usize) -> (Vec<NodeData>, Vec<EdgeData>) {
        let part = self.selection.part(pieces);
        let has_modules = self.level == GraphLevel::Module;
        let node = |node: &&select::ReachedNode| NodeData {
            id: node.id.clone(),
            path: node.path.clone(),
            kind: node.kind,
            file_path: (level == 0 && !has_modules).then(|| node.file.clone()),
            cycle: node.cycle,
            distance: node.distance,
            types: has_modules.then_some(node.symbols.len() as u32),
        };
        let edge = |edge: &select::ShownEdge<'_>| EdgeData {
            from: edge.from.id.clone(),
            to: edge.to.id.clone(),
            base: edge.is_base,
            count: has_modules.then_some(edge.count),
        };
        (
            part.nodes.iter().map(node).collect(),
            part.edges.iter().map(edge).collect(),
        )
    }

    fn drawing(&self, level: usize, pieces: usize) -> Option<String> {
        let part = self.selection.part(pieces);
        let label = if level == 0 {
            draw::Label::Path
        } else {
            draw::Label::Name
        };
        match self.notation {
            Notation::Mermaid => Some(draw::mermaid(&part, &self.account(pieces), label)),
            Notation::Dot => Some(draw::dot(&part, &self.account(pieces), label)),
            Notation::Json => None,
        }
    }

    /// What is in the graph and what is not, as a sentence.
    fn account(&self, pieces: usize) -> String {
        let ReachedGraph {
            nodes,
            edges,
            cycles,
        } = &self.selection;
        let many = |number: usize, one: &str, more: &str| {
            format!("{number} {}", if number == 1 { one } else { more })
        };
        let (one, more) = self.level.words();
        let mut out = [
            many(nodes.len(), one, more),
            many(edges.len(), "dependency", "dependencies"),
            counted(*cycles, "cycle"),
        ]
        .join(", ");
        if pieces < nodes.len() {
            let left = many(nodes.len() - pieces, one, more);
            out.push_str(&format!(", {left} left out"));
        }
        out
    }
}

impl Reply for Graph {
    fn levels(&self) -> &'static [&'static str] {
        match self.notation {
            Notation::Json => &["full", "filePath:none"],
            Notation::Mermaid | Notation::Dot => &["full", "label:name"],
        }
    }

    fn pieces(&self) -> usize {
        self.selection.nodes.len().min(self.limit)
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let lists = (self.notation == Notation::Json).then(|| self.lists(level, pieces));
        let (types, edges) = lists.unzip();
        let data = GraphData {
            resolved: self.resolved.clone(),
            missing: self.missing.clone(),
            notation: self.notation,
            total: self.selection.nodes.len() as u32,
            dependencies: self.selection.edges.len() as u32,
            cycles: self.selection.cycles as u32,
            left_out: (self.selection.nodes.len() - pieces) as u32,
            graph: self.drawing(level, pieces),
            types,
            edges,
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        if let Some(drawing) = self.drawing(level, pieces) {
            return drawing;
        }
        let (types, edges) = self.lists(level, pieces);
        let mut out = format!("// {}\n", self.account(pieces));
        for node in types {
            let cycle = node.cycle.map(|cycle| format!(", cycle {cycle}"));
            out.push_str(&format!(
                "{} {} {}{}\n",
                node.id,
                node.kind,
                node.path,
                cycle.unwrap_or_default()
            ));
        }
        for edge in edges {
            let arrow = if edge.base { "=>" } else { "->" };
            out.push_str(&format!("{} {arrow} {}\n", edge.from, edge.to));
        }
        out
    }

    fn next_cursor(&self, _shown: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}

/// The row of `codecortex_exportGraph`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_exportGraph",
    reference_name: "exportGraph",
    title: "Dependency graph",
    description: "Draw the dependencies between types as Mermaid, Graphviz DOT or data: around types, within a \
        folder or project, or in the whole workspace, or between its folders, with cycles marked. Dependencies are bases and the types \
        in public signatures.",
    icon: "$(type-hierarchy)",
    profile: Profile::Full,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[
        ("path", "symbol"),
        ("name", "symbol"),
        ("id", "symbol"),
        ("typeId", "symbol"),
        ("filePath", "folder"),
        ("maxTypes", "limit"),
    ],
    schema: schema_of::<GraphArgs>,
    output: schema_of::<GraphData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
