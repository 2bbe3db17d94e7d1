//! Which files are manifests, and what each of them says for itself.

use std::collections::BTreeMap;

use codecortex_text::decode;
use serde::{Deserialize, Serialize};

use crate::path;
use crate::read::{read_json, read_toml, read_xml, read_yaml};
use crate::source::{ManifestProblem, ManifestSource, ProblemKind};
use crate::{cargo, dotnet, go, jvm, native, node, python};

/// How a manifest is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ManifestFormat {
    /// `.sln`
    Solution,
    /// `.slnx`
    SolutionXml,
    /// Projects, properties, targets and shared items of MSBuild.
    MsBuild,
    /// `package.json`
    Package,
    /// `tsconfig.json`, `jsconfig.json` and what they extend.
    TsConfig,
    /// `pnpm-workspace.yaml`
    PnpmWorkspace,
    /// `pyproject.toml`
    PyProject,
    /// `setup.cfg`
    SetupCfg,
    /// `setup.py`
    SetupPy,
    /// `Cargo.toml`
    Cargo,
    /// `go.mod`
    GoMod,
    /// `go.work`
    GoWork,
    /// `pom.xml`
    Pom,
    /// `settings.gradle`, `settings.gradle.kts`
    GradleSettings,
    /// `build.gradle`, `build.gradle.kts`
    GradleBuild,
    /// `compile_commands.json`
    CompileCommands,
    /// The file is no manifest.
    Unknown,
}

/// Beginnings and endings of names in lower case; equal ones mean the whole name.
const NAMES: &[(&str, &str, ManifestFormat)] = &[
    ("", ".sln", ManifestFormat::Solution),
    ("", ".slnx", ManifestFormat::SolutionXml),
    ("", ".csproj", ManifestFormat::MsBuild),
    ("", ".vbproj", ManifestFormat::MsBuild),
    ("", ".fsproj", ManifestFormat::MsBuild),
    ("", ".shproj", ManifestFormat::MsBuild),
    ("", ".projitems", ManifestFormat::MsBuild),
    ("", ".props", ManifestFormat::MsBuild),
    ("", ".targets", ManifestFormat::MsBuild),
    ("package.json", "package.json", ManifestFormat::Package),
    ("tsconfig", ".json", ManifestFormat::TsConfig),
    ("jsconfig", ".json", ManifestFormat::TsConfig),
    ("", ".tsconfig.json", ManifestFormat::TsConfig),
    (
        "pnpm-workspace.yaml",
        "pnpm-workspace.yaml",
        ManifestFormat::PnpmWorkspace,
    ),
    (
        "pyproject.toml",
        "pyproject.toml",
        ManifestFormat::PyProject,
    ),
    ("setup.cfg", "setup.cfg", ManifestFormat::SetupCfg),
    ("setup.py", "setup.py", ManifestFormat::SetupPy),
    ("cargo.toml", "cargo.toml", ManifestFormat::Cargo),
    ("go.mod", "go.mod", ManifestFormat::GoMod),
    ("go.work", "go.work", ManifestFormat::GoWork),
    ("pom.xml", "pom.xml", ManifestFormat::Pom),
    (
        "settings.gradle",
        "settings.gradle",
        ManifestFormat::GradleSettings,
    ),
    (
        "settings.gradle.kts",
        "settings.gradle.kts",
        ManifestFormat::GradleSettings,
    ),
    ("build.gradle", "build.gradle", ManifestFormat::GradleBuild),
    (
        "build.gradle.kts",
        "build.gradle.kts",
        ManifestFormat::GradleBuild,
    ),
    (
        "compile_commands.json",
        "compile_commands.json",
        ManifestFormat::CompileCommands,
    ),
];

/// Larger manifests are not read.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Compile commands list every file with all its flags.
const MAX_COMPILE_COMMANDS_BYTES: usize = 64 * 1024 * 1024;

/// How the file of that path is read; none when it is no manifest.
#[must_use]
pub fn format_of(path: &str) -> Option<ManifestFormat> {
    // Every file of a workspace is asked about, so nothing is made to compare.
    let name = path::file_name(path).as_bytes();
    let is_part = |part: Option<&[u8]>, of: &str| {
        part.is_some_and(|part| part.eq_ignore_ascii_case(of.as_bytes()))
    };
    let matches = |(start, end, _): &&(&str, &str, ManifestFormat)| {
        if start == end {
            is_part(Some(name), start)
        } else {
            let behind = name.len().checked_sub(end.len());
            is_part(behind.and_then(|at| name.get(at..)), end)
                && is_part(name.get(..start.len()), start)
        }
    };
    let (_, _, format) = NAMES.iter().find(matches)?;
    // Installed packages are described by the package that needs them.
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_installed = folder.split('/').any(|name| name == "node_modules");
    (!is_installed).then_some(*format)
}

/// Whether the file of that path is a manifest.
#[must_use]
pub fn is_manifest(path: &str) -> bool {
    format_of(path).is_some()
}

/// What one manifest says for itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    path: String,
    format: ManifestFormat,
    problems: Vec<ManifestProblem>,
    pub(crate) facts: ManifestFacts,
}

/// What was read, by format.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ManifestFacts {
    /// Nothing could be read.
    Absent,
    Solution(dotnet::Solution),
    MsBuild(dotnet::MsBuild),
    Package(Box<node::NodePackage>),
    TsConfig(Box<node::TsConfig>),
    PnpmWorkspace(node::PnpmWorkspace),
    Python(Box<python::Setup>),
    Cargo(Box<cargo::CargoToml>),
    Go(go::GoFile),
    Pom(Box<jvm::Pom>),
    GradleSettings(jvm::Settings),
    GradleBuild(jvm::Script),
    CompileCommands(native::Commands),
}

impl Manifest {
    /// The path, relative to the root.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How it was read.
    #[must_use]
    pub fn format(&self) -> ManifestFormat {
        self.format
    }

    /// What is wrong with it, seen for itself.
    #[must_use]
    pub fn problems(&self) -> &[ManifestProblem] {
        &self.problems
    }

    pub(crate) fn folder(&self) -> &str {
        path::folder(&self.path)
    }
}

/// Reads a manifest; a path that is none gives a manifest without facts.
///
/// The result depends on the arguments alone.
#[must_use]
pub fn parse(path: &str, bytes: &[u8]) -> Manifest {
    parse_as(
        path,
        format_of(path).unwrap_or(ManifestFormat::Unknown),
        bytes,
    )
}

/// Reads a manifest whose name does not tell its format: see [`crate::Projects::wanted`].
#[must_use]
pub fn parse_as(path: &str, format: ManifestFormat, bytes: &[u8]) -> Manifest {
    let normal = path::normalise(path).unwrap_or_else(|| path.to_owned());
    let failed = |kind, message: String| Manifest {
        path: normal.clone(),
        format,
        problems: vec![ManifestProblem {
            path: normal.clone(),
            at: crate::SourcePosition::default(),
            kind,
            message,
        }],
        facts: ManifestFacts::Absent,
    };
    let limit = match format {
        ManifestFormat::CompileCommands => MAX_COMPILE_COMMANDS_BYTES,
        _ => MAX_BYTES,
    };
    if bytes.len() > limit {
        let message = format!(
            "The file has {} bytes; manifests above {limit} are not read.",
            bytes.len()
        );
        return failed(ProblemKind::TooLarge, message);
    }
    let Ok(decoded) = decode(bytes) else {
        return failed(ProblemKind::NotText, "The file is not text.".to_owned());
    };
    let mut source = ManifestSource::new(&normal, &decoded.text);
    let facts = read(&mut source, format);
    let problems = source.problems;
    Manifest {
        path: normal,
        format,
        problems,
        facts,
    }
}

fn read(source: &mut ManifestSource<'_>, format: ManifestFormat) -> ManifestFacts {
    let facts = match format {
        ManifestFormat::Solution => Some(ManifestFacts::Solution(dotnet::read_sln(source))),
        ManifestFormat::SolutionXml => {
            read_xml(source).map(|root| ManifestFacts::Solution(dotnet::read_slnx(source, &root)))
        }
        ManifestFormat::MsBuild => {
            read_xml(source).map(|root| ManifestFacts::MsBuild(dotnet::read_msbuild(source, &root)))
        }
        ManifestFormat::Package => read_json(source)
            .map(|root| ManifestFacts::Package(Box::new(node::read_package(source, &root)))),
        ManifestFormat::TsConfig => read_json(source)
            .map(|root| ManifestFacts::TsConfig(Box::new(node::read_tsconfig(source, &root)))),
        ManifestFormat::PnpmWorkspace => {
            let root = read_yaml(source);
            Some(ManifestFacts::PnpmWorkspace(node::read_pnpm(source, &root)))
        }
        ManifestFormat::PyProject => {
            let root = read_toml(source);
            let setup = python::read_pyproject(source, &root);
            Some(ManifestFacts::Python(Box::new(setup)))
        }
        ManifestFormat::SetupCfg => Some(ManifestFacts::Python(Box::new(python::read_setup_cfg(
            source,
        )))),
        ManifestFormat::SetupPy => Some(ManifestFacts::Python(Box::new(python::read_setup_py(
            source,
        )))),
        ManifestFormat::Cargo => {
            let root = read_toml(source);
            Some(ManifestFacts::Cargo(Box::new(cargo::read_cargo(
                source, &root,
            ))))
        }
        ManifestFormat::GoMod | ManifestFormat::GoWork => {
            Some(ManifestFacts::Go(go::read_go(source)))
        }
        ManifestFormat::Pom => {
            read_xml(source).map(|root| ManifestFacts::Pom(Box::new(jvm::read_pom(source, &root))))
        }
        ManifestFormat::GradleSettings => {
            Some(ManifestFacts::GradleSettings(jvm::read_settings(source)))
        }
        ManifestFormat::GradleBuild => Some(ManifestFacts::GradleBuild(jvm::read_script(source))),
        ManifestFormat::CompileCommands => Some(ManifestFacts::CompileCommands(
            native::read_commands(source),
        )),
        ManifestFormat::Unknown => None,
    };
    facts.unwrap_or(ManifestFacts::Absent)
}

/// The manifests of a root, by path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifests {
    by_path: BTreeMap<String, Manifest>,
}

impl Manifests {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a manifest in, in the place of the one of the same path.
    pub fn insert(&mut self, manifest: Manifest) -> Option<Manifest> {
        self.by_path.insert(manifest.path.clone(), manifest)
    }

    /// Takes the manifest of that path out.
    pub fn remove(&mut self, path: &str) -> Option<Manifest> {
        self.by_path.remove(path)
    }

    /// The manifest of that path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Manifest> {
        self.by_path.get(path)
    }

    /// All of them, by path.
    pub fn iter(&self) -> impl Iterator<Item = &Manifest> {
        self.by_path.values()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_path.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }
}

impl FromIterator<Manifest> for Manifests {
    fn from_iter<I: IntoIterator<Item = Manifest>>(manifests: I) -> Self {
        let mut all = Self::new();
        for manifest in manifests {
            all.insert(manifest);
        }
        all
    }
}
