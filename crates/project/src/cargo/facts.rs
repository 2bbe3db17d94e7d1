//! A `Cargo.toml` for itself.

use crate::model::CargoTargetKind;
use crate::read::{ManifestNode, ManifestValue};
use crate::source::{ManifestSource, ProblemKind, SourcePosition, SpannedText};

/// A `Cargo.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CargoToml {
    pub(crate) package: Option<CargoPackage>,
    /// Targets that are written down.
    pub(crate) targets: Vec<WrittenTarget>,
    pub(crate) workspace: Option<CargoWorkspace>,
    pub(crate) dependencies: Vec<CargoDependency>,
    pub(crate) patches: Vec<CargoDependency>,
}

/// `[package]`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CargoPackage {
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
    pub(crate) fn inherited(&self, shared: Option<&Option<String>>) -> Option<String> {
        match self {
            Self::Own(own) => Some(own.clone()),
            Self::Workspace => shared.cloned().flatten(),
            Self::None => None,
        }
    }
}

/// A target as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrittenTarget {
    pub(crate) kind: CargoTargetKind,
    pub(crate) name: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) at: SourcePosition,
}

/// `[workspace]`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CargoWorkspace {
    pub(crate) members: Vec<SpannedText>,
    pub(crate) exclude: Vec<SpannedText>,
    pub(crate) version: Option<String>,
    pub(crate) edition: Option<String>,
    pub(crate) dependencies: Vec<CargoDependency>,
}

/// Where a dependency is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DependencySection {
    #[default]
    Normal,
    Dev,
    Build,
}

/// A dependency as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CargoDependency {
    /// The name that code uses.
    pub(crate) name: String,
    /// `package = "…"`
    pub(crate) package: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) workspace: bool,
    pub(crate) section: DependencySection,
    pub(crate) at: SourcePosition,
}

const SECTIONS: &[(&str, DependencySection)] = &[
    ("dependencies", DependencySection::Normal),
    ("dev-dependencies", DependencySection::Dev),
    ("dev_dependencies", DependencySection::Dev),
    ("build-dependencies", DependencySection::Build),
    ("build_dependencies", DependencySection::Build),
];

const TARGETS: &[(&str, &str, CargoTargetKind)] = &[
    ("bin", "autobins", CargoTargetKind::Bin),
    ("example", "autoexamples", CargoTargetKind::Example),
    ("test", "autotests", CargoTargetKind::Test),
    ("bench", "autobenches", CargoTargetKind::Bench),
];

pub(crate) fn read_cargo(source: &mut ManifestSource<'_>, root: &ManifestNode) -> CargoToml {
    let package = root.get("package").or_else(|| root.get("project"));
    let mut facts = CargoToml {
        package: package.map(read_package),
        targets: targets(source, root),
        workspace: root.get("workspace").map(|node| workspace(source, node)),
        ..CargoToml::default()
    };
    if let (Some(node), Some(CargoPackage { name: None, .. })) = (package, &facts.package) {
        source.problem(node.offset, ProblemKind::Value, "The package has no name.");
    }
    sections(&mut facts.dependencies, source, root);
    for (_, target) in root.get("target").map_or(&[][..], ManifestNode::entries) {
        sections(&mut facts.dependencies, source, target);
    }
    for (_, registry) in root.get("patch").map_or(&[][..], ManifestNode::entries) {
        dependencies(
            &mut facts.patches,
            source,
            Some(registry),
            DependencySection::Normal,
        );
    }
    facts
}

fn read_package(node: &ManifestNode) -> CargoPackage {
    let inherited = |name: &str| match node.get(name).map(|found| &found.value) {
        Some(ManifestValue::Text(text)) => Inherited::Own(text.clone()),
        Some(ManifestValue::Map(_)) => Inherited::Workspace,
        _ => Inherited::None,
    };
    let off = |name: &str| node.get(name).and_then(ManifestNode::bool) == Some(false);
    CargoPackage {
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

fn targets(source: &ManifestSource<'_>, root: &ManifestNode) -> Vec<WrittenTarget> {
    let mut found = Vec::new();
    let target = |node: &ManifestNode, kind| WrittenTarget {
        kind,
        name: node.string(&["name"]),
        path: node.string(&["path"]),
        at: source.at(node.offset),
    };
    if let Some(lib) = root.get("lib") {
        let flag = |name: &str| lib.get(name).and_then(ManifestNode::bool) == Some(true);
        let is_macro = flag("proc-macro") || flag("proc_macro");
        let kind = if is_macro {
            CargoTargetKind::ProcMacro
        } else {
            CargoTargetKind::Lib
        };
        found.push(target(lib, kind));
    }
    for (name, _, kind) in TARGETS {
        let list = root.get(name).and_then(ManifestNode::list).unwrap_or(&[]);
        found.extend(list.iter().map(|node| target(node, *kind)));
    }
    found
}

fn workspace(source: &mut ManifestSource<'_>, node: &ManifestNode) -> CargoWorkspace {
    let mut workspace = CargoWorkspace {
        members: source.words(node.get("members")),
        exclude: source.words(node.get("exclude")),
        version: node.string(&["package", "version"]),
        edition: node.string(&["package", "edition"]),
        dependencies: Vec::new(),
    };
    let table = node.get("dependencies");
    dependencies(
        &mut workspace.dependencies,
        source,
        table,
        DependencySection::Normal,
    );
    workspace
}

fn sections(found: &mut Vec<CargoDependency>, source: &ManifestSource<'_>, node: &ManifestNode) {
    for (name, section) in SECTIONS {
        dependencies(found, source, node.get(name), *section);
    }
}

fn dependencies(
    found: &mut Vec<CargoDependency>,
    source: &ManifestSource<'_>,
    table: Option<&ManifestNode>,
    section: DependencySection,
) {
    for (key, value) in table.map_or(&[][..], ManifestNode::entries) {
        found.push(CargoDependency {
            name: key.name.clone(),
            package: value.string(&["package"]),
            path: value.string(&["path"]),
            workspace: value.get("workspace").and_then(ManifestNode::bool) == Some(true),
            section,
            at: source.at(key.offset),
        });
    }
}
