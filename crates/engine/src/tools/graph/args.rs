//! What a graph is asked with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Arguments of `codecortex_exportGraph`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GraphArgs {
    /// Starts at this type, or at all types of this namespace: a name, path, id or `file:line`.
    pub(super) symbol: Option<String>,
    /// Starts at these types, up to 2000; names that are not found are in `missing`.
    #[schemars(length(min = 1, max = 2000))]
    pub(super) symbols: Option<Vec<String>>,
    /// Starts at the types in this folder or file.
    pub(super) folder: Option<String>,
    /// Starts at the types of this project, by name, id or manifest. Without any start: all types.
    pub(super) project: Option<String>,
    /// Steps from the start; by default 2 from a symbol and 0 from others.
    #[schemars(range(min = 0, max = 20))]
    pub(super) depth: Option<u64>,
    /// `out` (default): dependencies, `in`: dependents, or `both`.
    pub(super) direction: Option<Direction>,
    /// Number of types or modules to show, the nearest and best connected first; 50 by default.
    #[schemars(range(min = 1, max = 2000))]
    pub(super) limit: Option<u64>,
    /// `type` (default), or `module`: the types of a folder are one node.
    pub(super) level: Option<GraphLevel>,
    /// Format of the graph; `mermaid` by default.
    pub(super) notation: Option<Notation>,
}

/// Which way dependencies are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Direction {
    /// To what is needed.
    Out,
    /// To what needs it.
    In,
    /// Both.
    Both,
}

/// What a node stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum GraphLevel {
    /// A type.
    #[default]
    Type,
    /// The types that a folder's own files declare.
    Module,
}

impl GraphLevel {
    /// One node and several, in words.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Type => ("type", "types"),
            Self::Module => ("module", "modules"),
        }
    }
}

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Notation {
    /// A Mermaid flow chart.
    Mermaid,
    /// Graphviz.
    Dot,
    /// Lists of types and dependencies.
    Json,
}
