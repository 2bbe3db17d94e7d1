//! A `Cargo.toml` for itself.

use crate::model::CargoTargetKind;
use crate::read::{Node, Value};
use crate::source::{At, ProblemKind, Source, Word};

/// A `Cargo.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CargoToml {
    pub(crate) package: Option<Package>,
    /// Targets that are written down.
    pub(crate) targets: Vec<Target>,
    pub(crate) workspace: Option<Workspace>,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) patches: Vec<Dependency>,
}

/// `[package]`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Package {
    pub(crate) name: Option<String>,
    pub(crate) version: Inherited,
    pub(crate) edition: Inherited,
    /// `workspace = "…"`
    pub(crate) workspace: Option<String>,
    /// `build = "…"`; the empty text for `build = false`.
    pub(crate) build: Option<String>,
    /// Kinds of targets that are not looked for.
    pub(crate) not_automatic: Vec<CargoTargetKind>,
}

/// A value of the package or of its workspace.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Inherited {
    #[default]
    None,
    Own(String),
    Workspace,
}

impl Inherited {
    /// The value, with what the workspace says.
    pub(crate) fn of(&self, shared: Option<&Option<String>>) -> Option<String> {
        match self {
            Self::Own(own) => Some(own.clone()),
            Self::Workspace => shared.cloned().flatten(),
            Self::None => None,
        }
    }
}

/// A target as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    pub(crate) kind: CargoTargetKind,
    pub(crate) name: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) at: At,
}

/// `[workspace]`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Workspace {
    pub(crate) members: Vec<Word>,
    pub(crate) exclude: Vec<Word>,
    pub(crate) version: Option<String>,
    pub(crate) edition: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// Where a dependency is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Section {
    #[default]
    Normal,
    Dev,
    Build,
}

/// A dependency as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Dependency {
    /// The name that code uses.
    pub(crate) name: String,
    /// `package = "…"`
    pub(crate) package: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) workspace: bool,
    pub(crate) section: Section,
    pub(crate) at: At,
}

const SECTIONS: &[(&str, Section)] = &[
    ("dependencies", Section::Normal),
    ("dev-dependencies", Section::Dev),
    ("dev_dependencies", Section::Dev),
    ("build-dependencies", Section::Build),
    ("build_dependencies", Section::Build),
];

const TARGETS: &[(&str, &str, CargoTargetKind)] = &[
    ("bin", "autobins", CargoTargetKind::Bin),
    ("example", "autoexamples", CargoTargetKind::Example),
    ("test", "autotests", CargoTargetKind::Test),
    ("bench", "autobenches", CargoTargetKind::Bench),
];

pub(crate) fn read_cargo(source: &mut Source<'_>, root: &Node) -> CargoToml {
    let package = root.get("package").or_else(|| root.get("project"));
    let mut facts = CargoToml {
        package: package.map(read_package),
        targets: targets(source, root),
        workspace: root.get("workspace").map(|node| workspace(source, node)),
        ..CargoToml::default()
    };
    if let (Some(node), Some(Package { name: None, .. })) = (package, &facts.package) {
        source.problem(node.offset, ProblemKind::Value, "The package has no name.");
    }
    sections(&mut facts.dependencies, source, root);
    for (_, target) in root.get("target").map_or(&[][..], Node::entries) {
        sections(&mut facts.dependencies, source, target);
    }
    for (_, registry) in root.get("patch").map_or(&[][..], Node::entries) {
        dependencies(&mut facts.patches, source, Some(registry), Section::Normal);
    }
    facts
}

fn read_package(node: &Node) -> Package {
    let inherited = |name: &str| match node.get(name).map(|found| &found.value) {
        Some(Value::Text(text)) => Inherited::Own(text.clone()),
        Some(Value::Map(_)) => Inherited::Workspace,
        _ => Inherited::None,
    };
    let off = |name: &str| node.get(name).and_then(Node::bool) == Some(false);
    Package {
        name: node.string(&["name"]).filter(|name| !name.is_empty()),
        version: inherited("version"),
        edition: inherited("edition"),
        workspace: node.string(&["workspace"]),
        build: if off("build") {
            Some(String::new())
        } else {
            node.string(&["build"])
        },
        not_automatic: TARGETS
            .iter()
            .filter(|(_, switch, _)| off(switch))
            .map(|(_, _, kind)| *kind)
            .collect(),
    }
}

fn targets(source: &Source<'_>, root: &Node) -> Vec<Target> {
    let mut found = Vec::new();
    let target = |node: &Node, kind| Target {
        kind,
        name: node.string(&["name"]),
        path: node.string(&["path"]),
        at: source.at(node.offset),
    };
    if let Some(lib) = root.get("lib") {
        let flag = |name: &str| lib.get(name).and_then(Node::bool) == Some(true);
        let is_macro = flag("proc-macro") || flag("proc_macro");
        let kind = if is_macro {
            CargoTargetKind::ProcMacro
        } else {
            CargoTargetKind::Lib
        };
        found.push(target(lib, kind));
    }
    for (name, _, kind) in TARGETS {
        let list = root.get(name).and_then(Node::list).unwrap_or(&[]);
        found.extend(list.iter().map(|node| target(node, *kind)));
    }
    found
}

fn workspace(source: &mut Source<'_>, node: &Node) -> Workspace {
    let mut workspace = Workspace {
        members: source.words(node.get("members")),
        exclude: source.words(node.get("exclude")),
        version: node.string(&["package", "version"]),
        edition: node.string(&["package", "edition"]),
        dependencies: Vec::new(),
    };
    let table = node.get("dependencies");
    dependencies(&mut workspace.dependencies, source, table, Section::Normal);
    workspace
}

fn sections(found: &mut Vec<Dependency>, source: &Source<'_>, node: &Node) {
    for (name, section) in SECTIONS {
        dependencies(found, source, node.get(name), *section);
    }
}

fn dependencies(
    found: &mut Vec<Dependency>,
    source: &Source<'_>,
    table: Option<&Node>,
    section: Section,
) {
    for (key, value) in table.map_or(&[][..], Node::entries) {
        found.push(Dependency {
            name: key.name.clone(),
            package: value.string(&["package"]),
            path: value.string(&["path"]),
            workspace: value.get("workspace").and_then(Node::bool) == Some(true),
            section,
            at: source.at(key.offset),
        });
    }
}
