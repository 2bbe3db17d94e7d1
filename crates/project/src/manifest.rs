//! Which files are manifests, and what each of them says for itself.

use std::collections::BTreeMap;

use codecortex_text::decode;
use serde::{Deserialize, Serialize};

use crate::path;
use crate::read::{read_json, read_toml, read_xml, read_yaml};
use crate::source::{Problem, ProblemKind, Source};
use crate::{cargo, dotnet, go, jvm, native, node, python};

/// How a manifest is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
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
const NAMES: &[(&str, &str, Format)] = &[
    ("", ".sln", Format::Solution),
    ("", ".slnx", Format::SolutionXml),
    ("", ".csproj", Format::MsBuild),
    ("", ".vbproj", Format::MsBuild),
    ("", ".fsproj", Format::MsBuild),
    ("", ".shproj", Format::MsBuild),
    ("", ".projitems", Format::MsBuild),
    ("", ".props", Format::MsBuild),
    ("", ".targets", Format::MsBuild),
    ("package.json", "package.json", Format::Package),
    ("tsconfig", ".json", Format::TsConfig),
    ("jsconfig", ".json", Format::TsConfig),
    ("", ".tsconfig.json", Format::TsConfig),
    (
        "pnpm-workspace.yaml",
        "pnpm-workspace.yaml",
        Format::PnpmWorkspace,
    ),
    ("pyproject.toml", "pyproject.toml", Format::PyProject),
    ("setup.cfg", "setup.cfg", Format::SetupCfg),
    ("setup.py", "setup.py", Format::SetupPy),
    ("cargo.toml", "cargo.toml", Format::Cargo),
    ("go.mod", "go.mod", Format::GoMod),
    ("go.work", "go.work", Format::GoWork),
    ("pom.xml", "pom.xml", Format::Pom),
    ("settings.gradle", "settings.gradle", Format::GradleSettings),
    (
        "settings.gradle.kts",
        "settings.gradle.kts",
        Format::GradleSettings,
    ),
    ("build.gradle", "build.gradle", Format::GradleBuild),
    ("build.gradle.kts", "build.gradle.kts", Format::GradleBuild),
    (
        "compile_commands.json",
        "compile_commands.json",
        Format::CompileCommands,
    ),
];

/// Larger manifests are not read.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Compile commands list every file with all its flags.
const MAX_COMPILE_COMMANDS_BYTES: usize = 64 * 1024 * 1024;

/// How the file of that path is read; none when it is no manifest.
#[must_use]
pub fn format_of(path: &str) -> Option<Format> {
    // Every file of a workspace is asked about, so nothing is made to compare.
    let name = path::file_name(path).as_bytes();
    let is_part = |part: Option<&[u8]>, of: &str| {
        part.is_some_and(|part| part.eq_ignore_ascii_case(of.as_bytes()))
    };
    let matches = |(start, end, _): &&(&str, &str, Format)| {
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
    format: Format,
    problems: Vec<Problem>,
    pub(crate) facts: Facts,
}

/// What was read, by format.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Facts {
    /// Nothing could be read.
    Absent,
    Solution(dotnet::Solution),
    MsBuild(dotnet::MsBuild),
    Package(Box<node::Package>),
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
    pub fn format(&self) -> Format {
        self.format
    }

    /// What is wrong with it, seen for itself.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
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
    parse_as(path, format_of(path).unwrap_or(Format::Unknown), bytes)
}

/// Reads a manifest whose name does not tell its format: see [`crate::Projects::wanted`].
#[must_use]
pub fn parse_as(path: &str, format: Format, bytes: &[u8]) -> Manifest {
    let normal = path::normalise(path).unwrap_or_else(|| path.to_owned());
    let failed = |kind, message: String| Manifest {
        path: normal.clone(),
        format,
        problems: vec![Problem {
            path: normal.clone(),
            at: crate::At::default(),
            kind,
            message,
        }],
        facts: Facts::Absent,
    };
    let limit = match format {
        Format::CompileCommands => MAX_COMPILE_COMMANDS_BYTES,
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
    let mut source = Source::new(&normal, &decoded.text);
    let facts = read(&mut source, format);
    let problems = source.problems;
    Manifest {
        path: normal,
        format,
        problems,
        facts,
    }
}

fn read(source: &mut Source<'_>, format: Format) -> Facts {
    let facts = match format {
        Format::Solution => Some(Facts::Solution(dotnet::read_sln(source))),
        Format::SolutionXml => {
            read_xml(source).map(|root| Facts::Solution(dotnet::read_slnx(source, &root)))
        }
        Format::MsBuild => {
            read_xml(source).map(|root| Facts::MsBuild(dotnet::read_msbuild(source, &root)))
        }
        Format::Package => read_json(source)
            .map(|root| Facts::Package(Box::new(node::read_package(source, &root)))),
        Format::TsConfig => read_json(source)
            .map(|root| Facts::TsConfig(Box::new(node::read_tsconfig(source, &root)))),
        Format::PnpmWorkspace => {
            let root = read_yaml(source);
            Some(Facts::PnpmWorkspace(node::read_pnpm(source, &root)))
        }
        Format::PyProject => {
            let root = read_toml(source);
            let setup = python::read_pyproject(source, &root);
            Some(Facts::Python(Box::new(setup)))
        }
        Format::SetupCfg => Some(Facts::Python(Box::new(python::read_setup_cfg(source)))),
        Format::SetupPy => Some(Facts::Python(Box::new(python::read_setup_py(source)))),
        Format::Cargo => {
            let root = read_toml(source);
            Some(Facts::Cargo(Box::new(cargo::read_cargo(source, &root))))
        }
        Format::GoMod | Format::GoWork => Some(Facts::Go(go::read_go(source))),
        Format::Pom => {
            read_xml(source).map(|root| Facts::Pom(Box::new(jvm::read_pom(source, &root))))
        }
        Format::GradleSettings => Some(Facts::GradleSettings(jvm::read_settings(source))),
        Format::GradleBuild => Some(Facts::GradleBuild(jvm::read_script(source))),
        Format::CompileCommands => Some(Facts::CompileCommands(native::read_commands(source))),
        Format::Unknown => None,
    };
    facts.unwrap_or(Facts::Absent)
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
