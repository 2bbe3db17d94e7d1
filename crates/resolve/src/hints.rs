//! What manifests say about modules: path mappings, packages of the workspace, what projects bring in everywhere.

use rustc_hash::FxHashMap;

/// Manifests' word on where modules are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    mappings: Vec<Mapping>,
    /// What projects bring in, by their folder.
    projects: FxHashMap<String, Brought>,
    /// Folders of installed packages, those of the nearest folder first.
    search_paths: Vec<SearchPath>,
    /// What packages call their own modules, the nearest folder first.
    own_imports: Vec<OwnImports>,
    /// Modules of installed packages by what is written, those of the nearest folder first.
    installed: FxHashMap<String, Vec<Mapping>>,
}

/// What a package calls modules for itself alone: `imports` of a `package.json`, of which all names begin with `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnImports {
    /// The package's folder, with `/` at its end unless it is the workspace.
    pub folder: String,
    /// Names with at most one `*`, and what they stand for, best first: paths in the package, or names of packages.
    pub names: Vec<(String, Vec<OwnImport>)>,
}

/// What a package's own name for a module stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnImport {
    /// A path of the workspace.
    Path(String),
    /// Another package's module.
    Module(String),
}

/// A folder of installed packages, in which absolute imports are looked for (Python).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchPath {
    /// The folder whose files import from it, with `/` at its end unless it is the workspace.
    pub folder: String,
    /// Its path, without `/` at its end.
    pub path: String,
}

/// What a project brings into every file in its folder (C#).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brought {
    /// What its project file says.
    pub usings: Vec<Using>,
    /// Files elsewhere that belong to it: what they bring in everywhere, they bring in here.
    pub linked: Vec<String>,
    /// Preprocessor symbols of each target, sorted; none where somebody else may set some.
    pub targets: Vec<Vec<String>>,
}

/// A module name, or names with one `*`, and the paths it may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The folder in which it holds, with `/` at its end unless it is the workspace.
    pub folder: String,
    /// What is written in an import; at most one `*`.
    pub written: String,
    /// Paths, a `*` in them replaced by what the one in `written` stands for.
    pub paths: Vec<String>,
    /// Whether the folder's own manifest says it, before what packages are called.
    pub is_own: bool,
}

/// What a project file brings into every file of its project: C#'s `<Using Include="…"/>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Using {
    /// A namespace or type by its whole path.
    pub name: String,
    /// Whether it is the members of a type that it brings.
    pub is_static: bool,
    /// The name that it gets.
    pub alias: Option<String>,
}

impl Brought {
    /// Whether a file elsewhere belongs to the project.
    pub(crate) fn links(&self, path: &str) -> bool {
        let found = self
            .linked
            .binary_search_by(|known| known.as_str().cmp(path));
        found.is_ok()
    }
}

impl Hints {
    /// These mappings, the nearest folder first, and what projects bring in: each folder of a project in which
    /// files see what others of the same project bring in (C#), without `/` at its end.
    #[must_use]
    pub fn new(mut mappings: Vec<Mapping>, brought: Vec<(String, Brought)>) -> Self {
        mappings.sort_by_key(|mapping| {
            std::cmp::Reverse((mapping.folder.len(), mapping.is_own, mapping.written.len()))
        });
        let mut projects: FxHashMap<String, Brought> = FxHashMap::default();
        for (folder, brought) in brought {
            let known = projects.entry(folder).or_default();
            known.usings.extend(brought.usings);
            known.usings.sort();
            known.usings.dedup();
            known.linked.extend(brought.linked);
            known.linked.sort();
            known.linked.dedup();
            known.targets.extend(brought.targets);
        }
        Self {
            mappings,
            projects,
            search_paths: Vec::new(),
            own_imports: Vec::new(),
            installed: FxHashMap::default(),
        }
    }

    /// The same, with what packages call their own modules: all packages, since the nearest decides.
    #[must_use]
    pub fn with_own_imports(mut self, mut packages: Vec<OwnImports>) -> Self {
        packages.sort_by_key(|package| std::cmp::Reverse(package.folder.len()));
        self.own_imports = packages;
        self
    }

    /// The same, with modules of installed packages, which count after all that manifests say.
    #[must_use]
    pub fn with_installed(mut self, modules: &[Mapping]) -> Self {
        for module in modules {
            let known = self.installed.entry(module.written.clone()).or_default();
            known.push(module.clone());
        }
        for known in self.installed.values_mut() {
            known.sort_by_key(|module| std::cmp::Reverse(module.folder.len()));
        }
        self
    }

    /// The same, with folders of installed packages; of those of one folder the first is asked first.
    #[must_use]
    pub fn with_search_paths(mut self, mut search_paths: Vec<SearchPath>) -> Self {
        search_paths.sort_by_key(|search| std::cmp::Reverse(search.folder.len()));
        self.search_paths = search_paths;
        self
    }

    /// Where a file's imports are looked for among installed packages: the folders that the nearest folder has.
    pub(crate) fn search_paths(&self, from: &str) -> impl Iterator<Item = &str> {
        let holds = |search: &&SearchPath| from.starts_with(&search.folder);
        let nearest = self.search_paths.iter().find(holds);
        let of_nearest = move |search: &&SearchPath| {
            nearest.is_some_and(|nearest| nearest.folder == search.folder)
        };
        let found = self.search_paths.iter().filter(of_nearest);
        found.map(|search| search.path.as_str())
    }

    /// The folder of installed packages that a path is in, and the rest of the path.
    #[must_use]
    pub fn installed<'p>(&self, path: &'p str) -> Option<(&str, &'p str)> {
        self.search_paths.iter().find_map(|search| {
            let rest = path.strip_prefix(&search.path)?;
            let inside = rest.strip_prefix('/').or(rest.is_empty().then_some(""))?;
            Some((search.path.as_str(), inside))
        })
    }

    /// What a module's name may stand for in a file, best first.
    #[must_use]
    pub fn mapped(&self, from: &str, written: &str) -> Vec<String> {
        let mut paths = Vec::new();
        for mapping in &self.mappings {
            if !from.starts_with(&mapping.folder) {
                continue;
            }
            let Some(rest) = matched(&mapping.written, written) else {
                continue;
            };
            paths.extend(mapping.paths.iter().map(|path| path.replacen('*', rest, 1)));
        }
        if written.starts_with('#') {
            paths.extend(self.own_imported(from, written));
        }
        let installed = self.installed.get(written).into_iter().flatten();
        let mut installed = installed.filter(|module| from.starts_with(&module.folder));
        if let Some(nearest) = installed.next() {
            paths.extend_from_slice(&nearest.paths);
        }
        paths
    }

    /// What a file's package calls so itself. Of several names that fit the most specific one counts; no package around
    /// the nearest is asked.
    fn own_imported(&self, from: &str, written: &str) -> Vec<String> {
        let holds = |package: &&OwnImports| from.starts_with(&package.folder);
        let Some(package) = self.own_imports.iter().find(holds) else {
            return Vec::new();
        };
        let fitting = package.names.iter().filter_map(|(name, targets)| {
            let rest = matched(name, written)?;
            let before = name.find('*').unwrap_or(usize::MAX);
            Some((before, rest, targets))
        });
        let Some((_, rest, targets)) = fitting.max_by_key(|(before, ..)| *before) else {
            return Vec::new();
        };
        let meant = targets.iter().flat_map(|target| match target {
            OwnImport::Path(path) => vec![path.replacen('*', rest, 1)],
            OwnImport::Module(name) if name.starts_with('#') => Vec::new(),
            OwnImport::Module(name) => self.mapped(from, &name.replacen('*', rest, 1)),
        });
        meant.collect()
    }

    /// Whether a module's name leads to a path, in any folder.
    pub(crate) fn leads_to(&self, path: &str) -> bool {
        let mut paths = self.mappings.iter().flat_map(|mapping| &mapping.paths);
        paths.any(|known| known == path)
    }

    /// The project that a file belongs to: the nearest folder around it that is one's, and what it brings in.
    #[must_use]
    pub fn project_of(&self, path: &str) -> Option<(&str, &Brought)> {
        if self.projects.is_empty() {
            return None;
        }
        let mut folder = path;
        loop {
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some((folder, brought)) = self.projects.get_key_value(folder) {
                return Some((folder, brought));
            }
            if folder.is_empty() {
                return None;
            }
        }
    }

    /// Names that projects give to something of this name.
    pub(crate) fn aliases_of<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h str> {
        let usings = self.projects.values().flat_map(|of| &of.usings);
        let renamed = usings.filter(move |using| {
            let last = using.name.rsplit('.').next();
            last.is_some_and(|last| last.split('<').next() == Some(name))
        });
        renamed.filter_map(|using| using.alias.as_deref())
    }

    /// Whether a project gives another name to anything.
    pub(crate) fn has_aliases(&self) -> bool {
        let mut usings = self.projects.values().flat_map(|of| &of.usings);
        usings.any(|using| using.alias.is_some())
    }
}

fn matched<'a>(pattern: &str, written: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        Some((before, after)) => written.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == written).then_some(""),
    }
}
