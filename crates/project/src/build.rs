//! What the ecosystems build on: projects in the making, and what they share.

use std::collections::BTreeMap;

use crate::files::RootFiles;
use crate::glob::{GlobPattern, Globs, NoPattern, Syntax};
use crate::manifest::{Manifest, ManifestFormat, Manifests};
use crate::model::{Detail, ManifestKind, Project, Reference};
use crate::path::{self, ManifestTarget};
use crate::source::{ManifestProblem, ProblemKind, SourcePosition};

/// Whose source files a file is one of, told by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Ecosystem {
    Dotnet,
    Node,
    Python,
    Rust,
    Go,
    Jvm,
    Native,
}

/// Endings of files that a manifest of the ecosystem must claim. What is not here (`.razor`, `.xaml`,
/// documents) just belongs to the nearest folder with a manifest.
const ENDINGS: &[(Ecosystem, &[&str])] = &[
    (Ecosystem::Dotnet, &["cs"]),
    (
        Ecosystem::Node,
        &[
            "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte",
        ],
    ),
    (Ecosystem::Python, &["py", "pyi", "pyx"]),
    (Ecosystem::Rust, &["rs"]),
    (Ecosystem::Go, &["go"]),
    (Ecosystem::Jvm, &["java", "kt", "groovy", "scala"]),
    (
        Ecosystem::Native,
        &[
            "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "inl", "ipp", "m", "mm", "cu", "cuh",
        ],
    ),
];

/// The ecosystem of a source file; none for other files.
pub(crate) fn ecosystem_of(path: &str) -> Option<Ecosystem> {
    let ending = path::extension(path);
    let found = |(_, endings): &&(Ecosystem, &[&str])| {
        endings
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    };
    ENDINGS.iter().find(found).map(|(ecosystem, _)| *ecosystem)
}

impl ManifestKind {
    pub(crate) fn ecosystem(self) -> Option<Ecosystem> {
        Some(match self {
            ManifestKind::CSharp
            | ManifestKind::Shared
            | ManifestKind::VisualBasic
            | ManifestKind::FSharp => Ecosystem::Dotnet,
            ManifestKind::TypeScript | ManifestKind::Npm => Ecosystem::Node,
            ManifestKind::Python => Ecosystem::Python,
            ManifestKind::Cargo => Ecosystem::Rust,
            ManifestKind::Go => Ecosystem::Go,
            ManifestKind::Maven | ManifestKind::Gradle => Ecosystem::Jvm,
            ManifestKind::Native => Ecosystem::Native,
            ManifestKind::Implicit => return None,
        })
    }
}

/// How a project comes to its files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Owns {
    /// By its manifest: these files.
    Files(Vec<u32>),
    /// By its folder: its ecosystem's files that are in no deeper project of the kind.
    Folder,
}

/// A project in the making.
#[derive(Clone, Debug)]
pub(crate) struct ProjectDraft {
    pub(crate) project: Project,
    pub(crate) owns: Owns,
}

impl ProjectDraft {
    pub(crate) fn new(kind: ManifestKind, name: &str, manifest: &str, detail: Detail) -> Self {
        let root = path::folder(manifest).to_owned();
        let name = match (name, path::file_name(&root)) {
            ("", "") => "root",
            ("", folder) => folder,
            (name, _) => name,
        };
        let project = Project {
            id: String::new(),
            name: name.to_owned(),
            path: manifest.to_owned(),
            kind,
            tfm: None,
            root,
            references: Vec::new(),
            include: Vec::new(),
            exclude: Vec::new(),
            source_roots: Vec::new(),
            detail,
            hash: String::new(),
        };
        Self {
            project,
            owns: Owns::Folder,
        }
    }
}

/// A reference to a manifest.
pub(crate) fn reference(
    name: &str,
    target: ManifestTarget,
    at: SourcePosition,
    dev: bool,
) -> Reference {
    Reference {
        name: name.to_owned(),
        target: Some(target),
        project: None,
        dev,
        at,
        required: true,
    }
}

/// A workspace in the making; members are manifests.
#[derive(Clone, Debug)]
pub(crate) struct DraftWorkspace {
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) members: Vec<WorkspaceMember>,
}

/// A member of a workspace.
#[derive(Clone, Debug)]
pub(crate) struct WorkspaceMember {
    pub(crate) manifest: ManifestTarget,
    pub(crate) at: SourcePosition,
    /// Whether it is a mistake when there is no such file.
    pub(crate) required: bool,
}

/// Everything that a build reads and makes.
pub(crate) struct ProjectBuilder<'a> {
    pub(crate) manifests: &'a Manifests,
    pub(crate) files: &'a RootFiles,
    pub(crate) globs: Globs,
    pub(crate) drafts: Vec<ProjectDraft>,
    pub(crate) workspaces: Vec<DraftWorkspace>,
    pub(crate) problems: Vec<ManifestProblem>,
    /// Files that manifests lead to and that were not given.
    pub(crate) wanted: BTreeMap<String, ManifestFormat>,
    /// The manifest whose patterns are being made, and how many with wildcards it has had.
    wildcards: (String, usize),
}

/// Each pattern with a wildcard looks at many files; manifests with more are not meant for people.
const MAX_WILDCARDS: usize = 2_000;

impl<'a> ProjectBuilder<'a> {
    pub(crate) fn new(manifests: &'a Manifests, files: &'a RootFiles) -> Self {
        Self {
            manifests,
            files,
            globs: Globs::default(),
            drafts: Vec::new(),
            workspaces: Vec::new(),
            problems: Vec::new(),
            wanted: BTreeMap::new(),
            wildcards: (String::new(), 0),
        }
    }

    /// Manifests of some formats, by path.
    pub(crate) fn manifests_of(
        &self,
        formats: &'static [ManifestFormat],
    ) -> impl Iterator<Item = &'a Manifest> + use<'a> {
        self.manifests
            .iter()
            .filter(move |manifest| formats.contains(&manifest.format()))
    }

    pub(crate) fn problem(
        &mut self,
        path: &str,
        at: SourcePosition,
        kind: ProblemKind,
        message: impl Into<String>,
    ) {
        self.problems.push(ManifestProblem {
            path: path.to_owned(),
            at,
            kind,
            message: message.into(),
        });
    }

    /// A manifest of that path, letters of any case; asks for it when only the file is there.
    pub(crate) fn manifest(&mut self, path: &str, format: ManifestFormat) -> Option<&'a Manifest> {
        if let Some(manifest) = self.manifests.get(path) {
            return Some(manifest);
        }
        let found = self.files.find(path)?;
        let manifest = self.manifests.get(found);
        if manifest.is_none() {
            self.wanted.insert(found.to_owned(), format);
        }
        manifest
    }

    /// A pattern; what is wrong with it becomes a problem of the manifest.
    pub(crate) fn pattern(
        &mut self,
        manifest: &str,
        folder: &str,
        text: &str,
        at: SourcePosition,
        syntax: Syntax,
    ) -> Option<GlobPattern> {
        match self.globs.pattern(self.files, folder, text, syntax) {
            Ok(pattern) if pattern.is_exact() => Some(pattern),
            Ok(pattern) => self.count_wildcard(manifest, at).then_some(pattern),
            // Files outside are nobody's mistake; they are just not here.
            Err(NoPattern::Outside) => None,
            Err(NoPattern::Invalid) => {
                let message = format!("The pattern “{text}” cannot be used.");
                self.problem(manifest, at, ProblemKind::Pattern, message);
                None
            }
        }
    }

    /// False when the manifest has had enough patterns.
    fn count_wildcard(&mut self, manifest: &str, at: SourcePosition) -> bool {
        let (last, count) = &mut self.wildcards;
        if last != manifest {
            (*last, *count) = (manifest.to_owned(), 0);
        }
        *count += 1;
        let count = *count;
        if count == MAX_WILDCARDS + 1 {
            let message = format!("Only the first {MAX_WILDCARDS} patterns are used.");
            self.problem(manifest, at, ProblemKind::Pattern, message);
        }
        count <= MAX_WILDCARDS
    }

    /// A file as a manifest names it, under its real name when only letters' case differs.
    pub(crate) fn real(&self, place: ManifestTarget) -> ManifestTarget {
        match place {
            ManifestTarget::Inside(path) => match self.files.find(&path) {
                Some(found) => ManifestTarget::Inside(found.to_owned()),
                None => ManifestTarget::Inside(path),
            },
            external => external,
        }
    }
}
