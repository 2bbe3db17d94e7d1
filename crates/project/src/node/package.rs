//! `package.json` and `pnpm-workspace.yaml` for themselves.

use rustc_hash::FxHashMap;

use crate::read::{ManifestNode, ManifestValue};
use crate::source::{ManifestSource, ProblemKind, SourcePosition, SpannedText};

/// A `package.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NodePackage {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) main: Option<String>,
    pub(crate) module: Option<String>,
    pub(crate) types: Option<String>,
    /// The file to extend when a tsconfig extends the package.
    pub(crate) tsconfig: Option<String>,
    pub(crate) es_modules: bool,
    pub(crate) bin: Vec<(String, String)>,
    pub(crate) exports: Vec<ExportsPath>,
    pub(crate) imports: Vec<ExportsPath>,
    pub(crate) workspaces: Vec<SpannedText>,
    pub(crate) dependencies: Vec<NodeDependency>,
}

/// One way through `exports` or `imports`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExportsPath {
    pub(crate) subpath: String,
    pub(crate) conditions: Vec<String>,
    pub(crate) target: Option<String>,
}

/// A dependency as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodeDependency {
    pub(crate) name: String,
    pub(crate) spec: String,
    pub(crate) dev: bool,
    pub(crate) at: SourcePosition,
}

/// `pnpm-workspace.yaml`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PnpmWorkspace {
    pub(crate) packages: Vec<SpannedText>,
}

/// Package names and their `package.json`; of several with one name the first by path.
pub(super) type Packages<'a> = FxHashMap<&'a str, &'a str>;

const DEPENDENCIES: &[(&str, bool)] = &[
    ("dependencies", false),
    ("peerDependencies", false),
    ("optionalDependencies", false),
    ("devDependencies", true),
];

/// More ways than this through one package say nothing to a reader.
const MAX_WAYS: usize = 2_000;

pub(crate) fn read_package(source: &mut ManifestSource<'_>, root: &ManifestNode) -> NodePackage {
    if !matches!(root.value, ManifestValue::Map(_)) {
        source.problem(
            root.offset,
            ProblemKind::Value,
            "An object is expected here.",
        );
    }
    let text = |name: &str| root.string(&[name]).filter(|text| !text.is_empty());
    let name = text("name");
    let bin = bin(root.get("bin"), name.as_deref());
    let workspaces = match root.get("workspaces") {
        // yarn's old form: `{ "packages": […], "nohoist": […] }`.
        Some(node) if node.get("packages").is_some() => source.words(node.get("packages")),
        Some(node) if matches!(node.value, ManifestValue::Map(_)) => Vec::new(),
        node => source.words(node),
    };
    NodePackage {
        version: text("version"),
        main: text("main"),
        module: text("module"),
        types: text("types").or_else(|| text("typings")),
        tsconfig: text("tsconfig"),
        es_modules: text("type").as_deref() == Some("module"),
        bin,
        exports: ways(root.get("exports"), "."),
        imports: ways(root.get("imports"), "#"),
        workspaces,
        dependencies: dependencies(source, root),
        name,
    }
}

fn bin(node: Option<&ManifestNode>, name: Option<&str>) -> Vec<(String, String)> {
    let Some(node) = node else {
        return Vec::new();
    };
    if let Some(path) = node.text() {
        // The command is the package's name without its scope.
        let command = name.map_or("", |name| name.rsplit('/').next().unwrap_or(name));
        return vec![(command.to_owned(), path.to_owned())];
    }
    let entries = node.entries().iter();
    entries
        .filter_map(|(key, value)| Some((key.name.clone(), value.text()?.to_owned())))
        .collect()
}

/// Flattens conditions and subpaths in their order. Subpaths begin with `mark`.
fn ways(node: Option<&ManifestNode>, mark: &str) -> Vec<ExportsPath> {
    let mut found = Vec::new();
    let Some(node) = node else {
        return found;
    };
    let has_subpaths = node
        .entries()
        .iter()
        .any(|(key, _)| key.name.starts_with(mark));
    if has_subpaths {
        for (key, value) in node.entries() {
            walk(&mut found, &key.name, &mut Vec::new(), value);
        }
    } else {
        walk(&mut found, ".", &mut Vec::new(), node);
    }
    found
}

fn walk(
    found: &mut Vec<ExportsPath>,
    subpath: &str,
    conditions: &mut Vec<String>,
    node: &ManifestNode,
) {
    if found.len() >= MAX_WAYS {
        return;
    }
    match &node.value {
        ManifestValue::Map(entries) => {
            for (key, value) in entries {
                let always = key.name == "default";
                if !always {
                    conditions.push(key.name.clone());
                }
                walk(found, subpath, conditions, value);
                if !always {
                    conditions.pop();
                }
            }
        }
        // The first that works is taken, so that all of them are worth a look.
        ManifestValue::List(items) => {
            for item in items {
                walk(found, subpath, conditions, item);
            }
        }
        ManifestValue::Text(_) | ManifestValue::Null => found.push(ExportsPath {
            subpath: subpath.to_owned(),
            conditions: conditions.clone(),
            target: node.text().map(str::to_owned),
        }),
        ManifestValue::Bool(_) | ManifestValue::Other(_) => {}
    }
}

fn dependencies(source: &ManifestSource<'_>, root: &ManifestNode) -> Vec<NodeDependency> {
    let mut found: Vec<NodeDependency> = Vec::new();
    for (section, dev) in DEPENDENCIES {
        let entries = root.get(section).map_or(&[][..], ManifestNode::entries);
        for (key, value) in entries {
            let Some(spec) = value.text() else {
                continue;
            };
            found.push(NodeDependency {
                name: key.name.clone(),
                spec: spec.to_owned(),
                dev: *dev,
                at: source.at(key.offset),
            });
        }
    }
    found
}

pub(crate) fn read_pnpm(source: &mut ManifestSource<'_>, root: &ManifestNode) -> PnpmWorkspace {
    PnpmWorkspace {
        packages: source.words(root.get("packages")),
    }
}
