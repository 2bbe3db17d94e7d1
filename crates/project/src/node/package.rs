//! `package.json` and `pnpm-workspace.yaml` for themselves.

use rustc_hash::FxHashMap;

use crate::read::{Node, Value};
use crate::source::{At, ProblemKind, Source, Word};

/// A `package.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Package {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) main: Option<String>,
    pub(crate) module: Option<String>,
    pub(crate) types: Option<String>,
    /// The file to extend when a tsconfig extends the package.
    pub(crate) tsconfig: Option<String>,
    pub(crate) es_modules: bool,
    pub(crate) bin: Vec<(String, String)>,
    pub(crate) exports: Vec<Way>,
    pub(crate) imports: Vec<Way>,
    pub(crate) workspaces: Vec<Word>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One way through `exports` or `imports`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Way {
    pub(crate) subpath: String,
    pub(crate) conditions: Vec<String>,
    pub(crate) target: Option<String>,
}

/// A dependency as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) spec: String,
    pub(crate) dev: bool,
    pub(crate) at: At,
}

/// `pnpm-workspace.yaml`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PnpmWorkspace {
    pub(crate) packages: Vec<Word>,
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

pub(crate) fn read_package(source: &mut Source<'_>, root: &Node) -> Package {
    if !matches!(root.value, Value::Map(_)) {
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
        Some(node) if matches!(node.value, Value::Map(_)) => Vec::new(),
        node => source.words(node),
    };
    Package {
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

fn bin(node: Option<&Node>, name: Option<&str>) -> Vec<(String, String)> {
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
fn ways(node: Option<&Node>, mark: &str) -> Vec<Way> {
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

fn walk(found: &mut Vec<Way>, subpath: &str, conditions: &mut Vec<String>, node: &Node) {
    if found.len() >= MAX_WAYS {
        return;
    }
    match &node.value {
        Value::Map(entries) => {
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
        Value::List(items) => {
            for item in items {
                walk(found, subpath, conditions, item);
            }
        }
        Value::Text(_) | Value::Null => found.push(Way {
            subpath: subpath.to_owned(),
            conditions: conditions.clone(),
            target: node.text().map(str::to_owned),
        }),
        Value::Bool(_) | Value::Other(_) => {}
    }
}

fn dependencies(source: &Source<'_>, root: &Node) -> Vec<Dependency> {
    let mut found: Vec<Dependency> = Vec::new();
    for (section, dev) in DEPENDENCIES {
        let entries = root.get(section).map_or(&[][..], Node::entries);
        for (key, value) in entries {
            let Some(spec) = value.text() else {
                continue;
            };
            found.push(Dependency {
                name: key.name.clone(),
                spec: spec.to_owned(),
                dev: *dev,
                at: source.at(key.offset),
            });
        }
    }
    found
}

pub(crate) fn read_pnpm(source: &mut Source<'_>, root: &Node) -> PnpmWorkspace {
    PnpmWorkspace {
        packages: source.words(root.get("packages")),
    }
}
