//! What is known of projects, as `index.json` keeps it (SPEC P1, P3). Paths are relative to the
//! root; what lies outside is [`ManifestTarget::External`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::path::ManifestTarget;
use crate::source::SourcePosition;

/// A project's number in one [`crate::Projects`]; [`Project::id`] is what lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectId(pub u32);

/// What kind of manifest makes the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ManifestKind {
    /// `.csproj`
    CSharp,
    /// `.shproj`: its files are compiled into the projects that import it.
    Shared,
    /// `.vbproj`: known by name and references only.
    VisualBasic,
    /// `.fsproj`: known by name and references only.
    FSharp,
    /// `tsconfig.json`, `jsconfig.json`
    TypeScript,
    /// `package.json`
    Npm,
    /// `pyproject.toml`, `setup.cfg`, `setup.py`
    Python,
    /// `Cargo.toml` with a package
    Cargo,
    /// `go.mod`
    Go,
    /// `pom.xml`
    Maven,
    /// Gradle's build files
    Gradle,
    /// `compile_commands.json`
    Native,
    /// What no manifest claims.
    Implicit,
}

impl ManifestKind {
    /// The word in files and answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CSharp => "cSharp",
            Self::Shared => "shared",
            Self::VisualBasic => "visualBasic",
            Self::FSharp => "fSharp",
            Self::TypeScript => "typeScript",
            Self::Npm => "npm",
            Self::Python => "python",
            Self::Cargo => "cargo",
            Self::Go => "go",
            Self::Maven => "maven",
            Self::Gradle => "gradle",
            Self::Native => "native",
            Self::Implicit => "implicit",
        }
    }
}

/// One project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// `P_` and eight characters of a hash of path and kind (twelve where two would be equal).
    pub id: String,
    /// The name that people and other projects use.
    pub name: String,
    /// The manifest; the folder where there is none.
    pub path: String,
    /// What kind of project.
    pub kind: ManifestKind,
    /// The target frameworks of a .NET project, `;` between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tfm: Option<String>,
    /// The folder of the manifest.
    pub root: String,
    /// What it refers to, in the manifest's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// Patterns of the files that belong to it; none where the folder decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// Patterns of files that do not belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Folders from which names of modules and packages are counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_roots: Vec<SourceRoot>,
    /// What only its ecosystem knows.
    #[serde(flatten)]
    pub detail: Detail,
    /// Eight characters of a hash of everything above: what it is, not what its files hold.
    pub hash: String,
}

/// A reference from one project to another, or to what should be one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reference {
    /// The name by which code or the manifest knows it.
    pub name: String,
    /// The manifest or folder that is meant, where the manifest tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<ManifestTarget>,
    /// The id of the project; none when it is missing or outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Only for tests, benchmarks or build scripts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dev: bool,
    /// Where the manifest says so.
    #[serde(skip)]
    pub(crate) at: SourcePosition,
    /// Whether it is a mistake when there is no such project.
    #[serde(skip)]
    pub(crate) required: bool,
}

/// A folder from which names are counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceRoot {
    /// The folder.
    pub path: String,
    /// The package that the folder stands for; empty for the outermost.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// Whether it holds tests.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// Whether a manifest says so, or the layout of the files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declared: bool,
}

/// What only a project's ecosystem knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Detail {
    /// .NET
    Dotnet(Box<Dotnet>),
    /// tsconfig
    TypeScript(Box<TypeScriptConfig>),
    /// package.json
    Npm(Box<Npm>),
    /// Python
    Python(PythonProject),
    /// Cargo
    Cargo(Cargo),
    /// Go
    Go(GoModule),
    /// Maven and Gradle
    Jvm(Jvm),
    /// C and C++
    Native(Native),
    /// No manifest.
    None {},
}

/// .NET
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dotnet {
    /// The SDK; none for projects of the old style.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sdk: Option<String>,
    /// Name of the assembly.
    pub assembly_name: String,
    /// Namespace of new files.
    pub root_namespace: String,
    /// The version that is published, where the manifest tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// One for each target framework; one without a name when there is none.
    pub targets: Vec<DotnetTarget>,
    /// Files outside the project's folder that are compiled into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linked: Vec<String>,
    /// Other MSBuild files that were read for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
    /// Assemblies and packages of them that are no projects.
    #[serde(skip)]
    pub assemblies: Vec<AssemblyReference>,
}

/// An assembly that a project refers to, or a package with some.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssemblyReference {
    /// The assembly's name, or the package's.
    pub name: String,
    /// The assembly's file, where the manifest tells (`HintPath`).
    pub place: Option<ManifestTarget>,
}

/// What holds for one target framework.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DotnetTarget {
    /// `net8.0`
    pub framework: String,
    /// `LangVersion`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang_version: Option<String>,
    /// `Nullable`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nullable: Option<String>,
    /// Whether the SDK adds usings; they are among `usings`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub implicit_usings: bool,
    /// Preprocessor symbols, those of the framework included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub define_constants: Vec<String>,
    /// Whether a build may set other symbols: the project computes them from what is not in its files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub constants_are_open: bool,
    /// Global usings of the project file and the SDK.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub usings: Vec<Using>,
}

/// A global using.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Using {
    /// Namespace or type.
    pub name: String,
    /// `using static`
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_static: bool,
    /// `using Alias = Name`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

/// A tsconfig with everything that it extends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeScriptConfig {
    /// Where names that are not relative are looked for first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<ManifestTarget>,
    /// Patterns of imports and where they lead, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathMapping>,
    /// `rootDir`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_dir: Option<ManifestTarget>,
    /// `rootDirs`
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub root_dirs: Vec<ManifestTarget>,
    /// `outDir`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_dir: Option<ManifestTarget>,
    /// Whether JavaScript files belong to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_js: bool,
    /// Other options that decide how names are resolved, as written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// What it extends, the nearest first; packages that are not here are external.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extends: Vec<ManifestTarget>,
}

/// One entry of `paths`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PathMapping {
    /// The import, with at most one `*`.
    pub pattern: String,
    /// Where to look, in order.
    pub targets: Vec<ManifestTarget>,
}

/// A package of npm, yarn or pnpm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Npm {
    /// `version`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `main`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<ManifestTarget>,
    /// `module`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<ManifestTarget>,
    /// `types` or `typings`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub types: Option<ManifestTarget>,
    /// Whether `.js` files are modules (`"type": "module"`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub es_modules: bool,
    /// Commands and their files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bin: Vec<NamedPlace>,
    /// `exports`, flattened in order: the first whose conditions all hold is taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exports: Vec<Export>,
    /// `imports`, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<Export>,
    /// What a framework that it depends on calls its folders in imports: SvelteKit's `$lib`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<PathMapping>,
}

/// A name with a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamedPlace {
    /// The name.
    pub name: String,
    /// The file.
    pub path: ManifestTarget,
}

/// One way through a package's `exports` or `imports`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// `.`, `./feature`, `./features/*`, `#internal`
    pub subpath: String,
    /// Conditions that must hold, outermost first; `default` always holds and is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Where it leads; none when the subpath is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<ManifestTarget>,
}

/// Python
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PythonProject {
    /// The version that is published, where the manifest tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Packages and modules that the manifest names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
}

/// Cargo
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cargo {
    /// The version that is published, where the manifest tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `edition`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// What is compiled from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<CargoTarget>,
}

/// Something that Cargo compiles.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CargoTarget {
    /// What it is.
    pub kind: CargoTargetKind,
    /// The crate's name, as code writes it.
    pub name: String,
    /// The crate's root file.
    pub path: ManifestTarget,
}

/// What a target of Cargo is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CargoTargetKind {
    /// A library.
    Lib,
    /// A procedural macro.
    ProcMacro,
    /// A program.
    Bin,
    /// An example.
    Example,
    /// A test of its own.
    Test,
    /// A benchmark.
    Bench,
    /// The build script.
    Build,
}

/// Go
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoModule {
    /// The module's path; imports begin with it.
    pub module: String,
    /// The language version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Modules that are taken from elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replace: Vec<GoReplace>,
}

/// A `replace` line, of the module or of the workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoReplace {
    /// The module that is replaced.
    pub module: String,
    /// Only this version of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Another module, or a folder.
    pub with: ManifestTarget,
}

/// Maven and Gradle
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Jvm {
    /// The group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The version that is published, where the manifest tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Maven's artifact, Gradle's path (`:app:core`).
    pub artifact: String,
}

/// C and C++
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Native {
    /// The different sets of flags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<CompileFlags>,
    /// Each file and the number of its set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, u32>,
}

/// How a file is compiled, as far as names depend on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompileFlags {
    /// Folders for `#include`, in the order of search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<IncludeFolder>,
    /// `NAME` or `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
}

/// A folder in which headers are looked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IncludeFolder {
    /// The folder.
    pub path: ManifestTarget,
    /// For which includes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<IncludeKind>,
}

/// A folder for some includes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IncludeKind {
    /// `#include "…"` (`-iquote`)
    Quote,
    /// Headers of a system (`-isystem`)
    System,
}

/// Projects that belong together: a solution, a workspace, a multi-module build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectGroup {
    /// The manifest.
    pub path: String,
    /// The name that people use.
    pub name: String,
    /// Its members' ids: in the manifest's order where it lists them, else by path.
    pub projects: Vec<String>,
    /// Members that the manifest names and that are missing, outside, or of an unknown kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<ManifestTarget>,
}
