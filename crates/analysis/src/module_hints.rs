//! What manifests say about where modules are, for resolving imports (SPEC P1, R1; docs/projects.md).
//!
//! A `paths` entry of a tsconfig, a package of the workspace, a crate's name, a module's path and a folder
//! for includes are all the same to a resolver: what is written in an import, and paths that it may stand for.

use codecortex_project::{
    CargoTargetKind, Detail, DotnetTarget, ManifestTarget, Npm, Project, Projects,
};
use codecortex_protocol::{Failure, Missing, Phase};
use codecortex_resolve::{Brought, Hints, Mapping, OwnImport, OwnImports, Using};
use codecortex_syntax::Language;

use crate::analysis::Analysis;
use crate::external::search_paths;

/// Where builds put what they make of sources, and where sources are instead.
const BUILT: [&str; 5] = ["dist/", "lib/", "build/", "out/", "esm/"];

/// The roots, by their index, whose manifests are to be read before the projects are told: none while files still are.
pub fn old_projects(code: &Analysis) -> impl Iterator<Item = u32> {
    let is_ready = code.phase() == Phase::Ready;
    let all = code.projects.iter().enumerate().filter(move |_| is_ready);
    let old = all.filter(|(_, projects)| projects.model().is_none() || projects.is_old());
    old.map(|(root, _)| root as u32)
}

/// Makes sure that manifests were read: what an import means depends on them.
fn need_projects(code: &Analysis) -> Result<(), Failure> {
    match old_projects(code).next() {
        Some(root) => Err(Failure::Missing(Missing::Projects(root))),
        None => {
            take_module_hints(code);
            Ok(())
        }
    }
}

/// Tells the resolver what the manifests say that were read, where it was not told before.
pub fn take_module_hints(code: &Analysis) {
    let mut names = code.names.borrow_mut();
    let roots = code.workspace.roots.iter().map(|root| root.name.as_str());
    let is_same = names.knows_roots(roots);
    // All of them are told, whatever the first one says.
    let untold = code.projects.iter().filter(|projects| !projects.tell());
    if untold.count() > 0 || !is_same {
        names.set_hints(module_hints(code));
    }
}

/// Tells the index what manifests call the crates of a folder (SPEC S1).
pub(crate) fn name_crates(code: &mut Analysis, root: u32) {
    let folder = code.projects.get(root as usize);
    let Some(model) = folder.and_then(|folder| folder.model()) else {
        return;
    };
    let crates = model.all().iter().filter_map(|project| {
        let name = match (library(project), &project.detail) {
            (Some((name, _)), _) => name.to_owned(),
            (None, Detail::Cargo(_)) => project.name.replace('-', "_"),
            _ => return None,
        };
        Some((project.root.trim_end_matches('/').to_owned(), name))
    });
    let crates: Vec<(String, String)> = crates.collect();
    code.index.set_crate_names(root, crates);
}

/// Makes sure that it is known what crates are called, where a path may begin with the name of one.
pub fn need_crate_names(code: &Analysis, path: &str) -> Result<(), Failure> {
    let has_crates = || {
        let mut files = code.index.files();
        files.any(|(_, file)| file.facts.language == Language::Rust)
    };
    match path.contains("::") && has_crates() {
        true => need_projects(code),
        false => Ok(()),
    }
}

/// Tells the resolver anew what is known of modules.
pub fn tell_modules(code: &Analysis) {
    code.names.borrow_mut().set_hints(module_hints(code));
}

/// What the manifests of all folders say, and where packages are that were read.
fn module_hints(code: &Analysis) -> Hints {
    let (mut mappings, mut dotnet, mut own_imports) = (Vec::new(), Vec::new(), Vec::new());
    for (root, projects) in code.projects.iter().enumerate() {
        let prefix = match code.workspace.roots.as_slice() {
            [_] => String::new(),
            roots => roots
                .get(root)
                .map_or_else(String::new, |root| format!("{}/", root.name)),
        };
        if let Some(model) = projects.model() {
            add_all(model, &prefix, &mut mappings);
            dotnet.extend(model.all().iter().filter_map(|one| brought(one, &prefix)));
            own_imports.extend(model.all().iter().filter_map(|one| imports(one, &prefix)));
        }
    }
    let search_paths = search_paths(code);
    Hints::new(mappings, dotnet)
        .with_search_paths(search_paths)
        .with_installed(code.external.mappings())
        .with_own_imports(own_imports)
}

/// What a package of npm calls its own modules. A path that leads out of the package is none, as for Node.
fn imports(project: &Project, prefix: &str) -> Option<OwnImports> {
    let Detail::Npm(package) = &project.detail else {
        return None;
    };
    let root = format!("{prefix}{}", project.root);
    let root = root.trim_end_matches('/');
    let folder = match root {
        "" => String::new(),
        root => format!("{root}/"),
    };
    let mut names: Vec<(String, Vec<OwnImport>)> = Vec::new();
    for way in package
        .imports
        .iter()
        .filter(|way| way.subpath.starts_with('#'))
    {
        let targets = match &way.target {
            Some(ManifestTarget::Inside(path)) => {
                let path = format!("{prefix}{path}");
                let paths = with_sources(root, vec![path]).into_iter();
                let inside = paths.filter(|path| path.starts_with(&folder));
                inside.map(OwnImport::Path).collect()
            }
            Some(ManifestTarget::External { external: path }) if !path.starts_with(['.', '/']) => {
                vec![OwnImport::Module(path.clone())]
            }
            // `null` says that there is none.
            _ => Vec::new(),
        };
        match names.iter_mut().find(|(name, _)| *name == way.subpath) {
            Some((_, known)) => known.extend(targets),
            None => names.push((way.subpath.clone(), targets)),
        }
    }
    Some(OwnImports { folder, names })
}

/// The folder of a project of .NET, and what its file brings into all of its files.
fn brought(project: &Project, prefix: &str) -> Option<(String, Brought)> {
    let Detail::Dotnet(dotnet) = &project.detail else {
        return None;
    };
    let folder = format!("{prefix}{}", project.root);
    let usings = dotnet.targets.iter().flat_map(|target| &target.usings);
    let usings = usings.map(|using| Using {
        name: using.name.clone(),
        is_static: using.is_static,
        alias: using.alias.clone(),
    });
    let linked = dotnet.linked.iter().map(|path| format!("{prefix}{path}"));
    let brought = Brought {
        usings: usings.collect(),
        linked: linked.collect(),
        targets: symbols_of_targets(&dotnet.targets),
    };
    Some((folder.trim_end_matches('/').to_owned(), brought))
}

/// The preprocessor symbols of each target of a project, sorted; none where a build may set others.
fn symbols_of_targets(targets: &[DotnetTarget]) -> Vec<Vec<String>> {
    if targets.iter().any(|target| target.constants_are_open) {
        return Vec::new();
    }
    let sorted = targets.iter().map(|target| {
        let mut symbols = target.define_constants.clone();
        symbols.sort();
        symbols
    });
    sorted.collect()
}

fn add_all(model: &Projects, prefix: &str, mappings: &mut Vec<Mapping>) {
    for project in model.all() {
        let hints = ProjectHints {
            project,
            prefix,
            mappings,
        };
        hints.add(model);
    }
}

/// The hints of one project.
struct ProjectHints<'a> {
    project: &'a Project,
    prefix: &'a str,
    mappings: &'a mut Vec<Mapping>,
}

impl ProjectHints<'_> {
    fn add(mut self, model: &Projects) {
        match &self.project.detail {
            Detail::TypeScript(config) => {
                for mapping in &config.paths {
                    let paths = self.inside(mapping.targets.iter());
                    self.here(&mapping.pattern, paths);
                }
                if let Some(base) = &config.base_url {
                    let paths = self.inside(std::iter::once(base));
                    let paths = paths.into_iter().map(|path| below(&path, "*")).collect();
                    self.here("*", paths);
                }
            }
            Detail::Npm(package) => self.package(package),
            Detail::Cargo(_) => self.crates(model),
            Detail::Go(module) => {
                let root = self.shown(&self.project.root);
                self.everywhere(&module.module, vec![root.clone()]);
                self.everywhere(&format!("{}/*", module.module), vec![below(&root, "*")]);
            }
            Detail::Native(native) => {
                let folders = native.flags.iter().flat_map(|flags| &flags.include);
                let mut paths = self.inside(folders.map(|folder| &folder.path));
                paths.dedup();
                let paths = paths.iter().map(|path| below(path, "*")).collect();
                self.here("*", paths);
            }
            _ => {}
        }
    }

    /// A package of the workspace is imported by its name; what it says is built, is made of sources.
    fn package(&mut self, package: &Npm) {
        for alias in &package.aliases {
            let paths = self.inside(alias.targets.iter());
            self.here(&alias.pattern, paths);
        }
        let name = self.project.name.clone();
        let root = self.shown(&self.project.root);
        let mains = [&package.types, &package.module, &package.main];
        let mut paths = self.inside(mains.into_iter().flatten());
        for export in &package.exports {
            let Some(target) = &export.target else {
                continue;
            };
            let targets = self.inside(std::iter::once(target));
            if export.subpath == "." {
                paths.extend(targets);
                continue;
            }
            let written = export.subpath.trim_start_matches('.');
            let targets = with_sources(&root, targets);
            self.everywhere(&format!("{name}{written}"), targets);
        }
        let mut paths = with_sources(&root, paths);
        paths.extend(["src/index", "index", "src/main"].map(|path| below(&root, path)));
        // By its folder too: `require("..")`.
        self.everywhere(&format!("./{root}"), paths.clone());
        self.everywhere(&name, paths);
        let inner = vec![below(&root, "*"), below(&root, "src/*")];
        self.everywhere(&format!("{name}/*"), inner);
    }

    /// A crate is known by its library's name everywhere, and by other names where a manifest says so.
    fn crates(&mut self, model: &Projects) {
        if let Some((name, path)) = library(self.project) {
            let path = self.shown(path);
            self.everywhere(name, vec![path]);
        }
        for reference in &self.project.references {
            let target = model
                .all()
                .iter()
                .find(|other| Some(&other.id) == reference.project.as_ref());
            if let Some((_, path)) = target.and_then(library) {
                let path = self.shown(path);
                self.here(&reference.name.replace('-', "_"), vec![path]);
            }
        }
    }

    fn inside<'p>(&self, places: impl Iterator<Item = &'p ManifestTarget>) -> Vec<String> {
        let inside = places.filter_map(|place| match place {
            ManifestTarget::Inside(path) => Some(self.shown(path)),
            ManifestTarget::External { .. } => None,
        });
        inside.collect()
    }

    fn shown(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
            .trim_end_matches('/')
            .to_owned()
    }

    /// What holds for the project's own files.
    fn here(&mut self, written: &str, paths: Vec<String>) {
        let folder = self.shown(&self.project.root);
        self.push(folder, written, paths, true);
    }

    /// What holds for whoever imports the project.
    fn everywhere(&mut self, written: &str, paths: Vec<String>) {
        self.push(String::new(), written, paths, false);
    }

    fn push(&mut self, folder: String, written: &str, paths: Vec<String>, is_own: bool) {
        if paths.is_empty() || written.is_empty() {
            return;
        }
        self.mappings.push(Mapping {
            folder: if folder.is_empty() {
                folder
            } else {
                format!("{folder}/")
            },
            written: written.to_owned(),
            paths,
            is_own,
        });
    }
}

/// The name and root file of a project's library.
fn library(project: &Project) -> Option<(&str, &str)> {
    let Detail::Cargo(cargo) = &project.detail else {
        return None;
    };
    let is_library =
        |kind: CargoTargetKind| matches!(kind, CargoTargetKind::Lib | CargoTargetKind::ProcMacro);
    let target = cargo
        .targets
        .iter()
        .find(|target| is_library(target.kind))?;
    match &target.path {
        ManifestTarget::Inside(path) => Some((&target.name, path)),
        ManifestTarget::External { .. } => None,
    }
}

/// Built files, and before them the sources that they are probably made of.
fn with_sources(root: &str, paths: Vec<String>) -> Vec<String> {
    let mut all = Vec::new();
    for path in paths {
        let rest = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .trim_start_matches('/');
        let made_of = BUILT.iter().find_map(|built| rest.strip_prefix(built));
        if let Some(rest) = made_of {
            all.push(below(root, &format!("src/{}", without_ending(rest))));
        }
        all.push(path);
    }
    all
}

fn without_ending(path: &str) -> &str {
    const ENDINGS: [&str; 7] = [".d.ts", ".d.mts", ".mjs", ".cjs", ".js", ".ts", ".mts"];
    let ending = ENDINGS.iter().find(|ending| path.ends_with(*ending));
    ending.map_or(path, |ending| &path[..path.len() - ending.len()])
}

fn below(folder: &str, path: &str) -> String {
    if folder.is_empty() {
        path.to_owned()
    } else {
        format!("{folder}/{path}")
    }
}
