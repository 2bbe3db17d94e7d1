//! Which files of a crate import each other, and where the methods of a type are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path as FilePath;

use anyhow::{Context, Result};

use super::source::{Path, Source};

/// Re-exports of re-exports end here: they may lead in a circle.
const MAX_STEPS: usize = 8;

/// Files by number, what each imports from which, and the types with methods in them.
#[derive(Debug, Default)]
pub(super) struct CrateGraph {
    /// Paths below `src`, with `/`.
    pub(super) files: Vec<String>,
    /// The names that a file takes from another, by the two.
    pub(super) imports: BTreeMap<(usize, usize), BTreeSet<String>>,
    /// The files with inherent `impl` blocks of a type, by its module and name.
    pub(super) impls: BTreeMap<(Path, String), BTreeSet<usize>>,
}

impl CrateGraph {
    /// Reads the sources below a `src` folder; files that are only there for tests are left out.
    pub(super) fn read(src: &FilePath) -> Result<Self> {
        let mut files = Vec::new();
        list(src, "", &mut files)?;
        files.sort_unstable();
        let mut sources = Vec::new();
        for file in &files {
            let text = fs::read_to_string(src.join(file)).with_context(|| file.clone())?;
            sources.push(Source::read(&text, &module_of(file)));
        }
        let names = Names::of(&files, &sources);
        let mut graph = Self {
            files,
            ..Self::default()
        };
        for (file, source) in sources.iter().enumerate() {
            graph.add(file, source, &names);
        }
        Ok(graph)
    }

    fn add(&mut self, file: usize, source: &Source, names: &Names) {
        let imports = source.imports.iter().filter(|import| !import.is_public);
        let imports = imports.filter_map(|import| names.absolute(&import.path, &import.scope));
        let mentions = source.mentions.iter();
        let mentions =
            mentions.filter_map(|mention| names.absolute_in_code(&mention.path, &mention.scope));
        for path in imports.chain(mentions) {
            let Some((module, Some(name))) = names.end_of(&path, 0) else {
                continue;
            };
            let target = names.modules[&module];
            if target != file {
                self.imports.entry((file, target)).or_default().insert(name);
            }
        }
        for found in &source.impls {
            let at = names.definition_of(&found.path, &found.scope);
            self.impls.entry(at).or_default().insert(file);
        }
    }

    /// Files that import each other in a circle, the largest circle first.
    pub(super) fn circles(&self) -> Vec<Vec<usize>> {
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); self.files.len()];
        for (from, to) in self.imports.keys() {
            targets[*from].push(*to);
        }
        let mut components = Components {
            targets: &targets,
            order: vec![None; targets.len()],
            lowest: vec![0; targets.len()],
            open: Vec::new(),
            is_open: vec![false; targets.len()],
            next: 0,
            circles: Vec::new(),
        };
        for file in 0..targets.len() {
            if components.order[file].is_none() {
                components.visit(file);
            }
        }
        let mut circles = components.circles;
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        circles
    }
}

/// Rust files below a folder, relative to it.
pub(super) fn list(folder: &FilePath, prefix: &str, files: &mut Vec<String>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            if name != "tests" {
                list(&entry.path(), &format!("{prefix}{name}/"), files)?;
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            files.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

/// The module that a file is.
fn module_of(file: &str) -> Path {
    let mut parts: Path = file
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    let is_root = parts.len() == 1 && matches!(parts[0].as_str(), "lib" | "main");
    if is_root || parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// What names of a crate mean.
struct Names {
    /// Every module with the file it is written in.
    modules: HashMap<Path, usize>,
    definitions: HashMap<Path, HashSet<String>>,
    /// Where names that a module re-exports lead.
    reexports: HashMap<Path, HashMap<String, Path>>,
    /// Where the names that a module imports lead.
    imports: HashMap<Path, HashMap<String, Path>>,
    /// The modules of which a module re-exports everything, and those of which it imports everything.
    globs: HashMap<Path, Vec<Path>>,
    imported_globs: HashMap<Path, Vec<Path>>,
}

impl Names {
    fn of(files: &[String], sources: &[Source]) -> Self {
        let mut names = Self {
            modules: HashMap::new(),
            definitions: HashMap::new(),
            reexports: HashMap::new(),
            imports: HashMap::new(),
            globs: HashMap::new(),
            imported_globs: HashMap::new(),
        };
        for (number, (file, source)) in files.iter().zip(sources).enumerate() {
            names.modules.insert(module_of(file), number);
            let inline = source.inline_modules.iter();
            names
                .modules
                .extend(inline.map(|module| (module.clone(), number)));
            for (scope, name) in &source.definitions {
                names
                    .definitions
                    .entry(scope.clone())
                    .or_default()
                    .insert(name.clone());
            }
        }
        for import in sources.iter().flat_map(|source| &source.imports) {
            let Some(mut path) = names.absolute(&import.path, &import.scope) else {
                continue;
            };
            let scope = import.scope.clone();
            if import.name == "*" {
                path.pop();
                if import.is_public {
                    names
                        .globs
                        .entry(scope.clone())
                        .or_default()
                        .push(path.clone());
                }
                names.imported_globs.entry(scope).or_default().push(path);
            } else {
                if import.is_public {
                    let reexports = names.reexports.entry(scope.clone()).or_default();
                    reexports.insert(import.name.clone(), path.clone());
                }
                names
                    .imports
                    .entry(scope)
                    .or_default()
                    .insert(import.name.clone(), path);
            }
        }
        names
    }

    /// A path of an import from the crate's root on; none where it leads out of the crate.
    fn absolute(&self, path: &[String], scope: &Path) -> Option<Path> {
        let up = path.iter().take_while(|name| *name == "super").count();
        if up > 0 {
            let above = &scope[..scope.len().checked_sub(up)?];
            return Some([above, &path[up..]].concat());
        }
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([scope, &path[1..]].concat()),
            first => {
                let child = [scope, std::slice::from_ref(&first.to_owned())].concat();
                self.modules
                    .contains_key(&child)
                    .then(|| [scope, path].concat())
            }
        }
    }

    /// The same of a path in code, which may begin with a module that is imported.
    fn absolute_in_code(&self, path: &[String], scope: &Path) -> Option<Path> {
        let imported = self
            .imports
            .get(scope)
            .and_then(|imports| imports.get(&path[0]));
        let module = imported.filter(|module| self.modules.contains_key(*module));
        match module {
            Some(module) => Some([module, &path[1..]].concat()),
            None => self.absolute(path, scope),
        }
    }

    /// The module where a path ends, and the name in it; re-exports are followed.
    fn end_of(&self, path: &[String], steps: usize) -> Option<(Path, Option<String>)> {
        if steps > MAX_STEPS {
            return None;
        }
        let length = (0..=path.len())
            .rev()
            .find(|length| self.modules.contains_key(&path[..*length]))?;
        let (module, rest) = path.split_at(length);
        let Some(name) = rest.first() else {
            return Some((module.to_vec(), None));
        };
        if let Some(target) = self.reexports.get(module).and_then(|all| all.get(name)) {
            return self.end_of(&[target, &rest[1..]].concat(), steps + 1);
        }
        if name != "*" && !self.defines(module, name) {
            for glob in self.globs.get(module).into_iter().flatten() {
                let end = self.end_of(&[glob, rest].concat(), steps + 1);
                if let Some((at, Some(name))) = &end
                    && self.defines(at, name)
                {
                    return end;
                }
            }
        }
        Some((module.to_vec(), Some(name.clone())))
    }

    fn defines(&self, module: &[String], name: &str) -> bool {
        self.definitions
            .get(module)
            .is_some_and(|all| all.contains(name))
    }

    /// The module and name of a type that code in `scope` names.
    fn definition_of(&self, path: &[String], scope: &Path) -> (Path, String) {
        let here = || (scope.clone(), path.last().cloned().unwrap_or_default());
        let whole = match path {
            [name] if self.defines(scope, name) => return here(),
            [name] => self
                .imports
                .get(scope)
                .and_then(|all| all.get(name))
                .cloned(),
            _ => self.absolute_in_code(path, scope),
        };
        let globs = self.imported_globs.get(scope).into_iter().flatten();
        let globs = globs.map(|glob| [glob, path].concat());
        let ends = whole
            .into_iter()
            .chain(globs)
            .filter_map(|whole| self.end_of(&whole, 0));
        let mut named = ends.filter_map(|(module, name)| Some((module, name?)));
        named
            .find(|(module, name)| self.defines(module, name))
            .unwrap_or_else(here)
    }
}

/// Tarjan's strongly connected components.
struct Components<'a> {
    targets: &'a [Vec<usize>],
    order: Vec<Option<usize>>,
    lowest: Vec<usize>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    next: usize,
    circles: Vec<Vec<usize>>,
}

impl Components<'_> {
    fn visit(&mut self, file: usize) {
        let own = self.next;
        self.next += 1;
        self.order[file] = Some(own);
        self.lowest[file] = own;
        self.open.push(file);
        self.is_open[file] = true;
        let targets = self.targets;
        for target in &targets[file] {
            match self.order[*target] {
                None => {
                    self.visit(*target);
                    self.lowest[file] = self.lowest[file].min(self.lowest[*target]);
                }
                Some(order) if self.is_open[*target] => {
                    self.lowest[file] = self.lowest[file].min(order);
                }
                Some(_) => {}
            }
        }
        if self.lowest[file] == own {
            let start = self
                .open
                .iter()
                .position(|open| *open == file)
                .unwrap_or_default();
            let mut circle = self.open.split_off(start);
            circle.iter().for_each(|file| self.is_open[*file] = false);
            if circle.len() > 1 {
                circle.sort_unstable();
                self.circles.push(circle);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: &[(&str, &str)]) -> CrateGraph {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        CrateGraph::read(folder.path()).unwrap()
    }

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let graph = graph(files);
        let circles = graph.circles().into_iter();
        circles
            .map(|circle| {
                circle
                    .into_iter()
                    .map(|file| graph.files[file].clone())
                    .collect()
            })
            .collect()
    }

    #[test]
    fn files_that_import_each_other_are_a_circle() {
        let found = circles(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "pub struct B; fn f() { super::c::c(); }"),
            ("c.rs", "use super::a; pub fn c() { a::A; }"),
        ]);
        assert_eq!(found, [["a.rs", "b.rs", "c.rs"]]);
    }

    #[test]
    fn what_is_named_in_tests_and_comments_ties_nothing() {
        let found = circles(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            (
                "b.rs",
                "// use crate::a::A;\npub struct B; #[cfg(test)] mod tests { use crate::a::A; }",
            ),
            ("b/tests.rs", "use crate::a::A;"),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_reexport_leads_to_where_the_name_is() {
        let found = circles(&[
            ("lib.rs", "mod a;"),
            (
                "a/mod.rs",
                "mod b; mod c; pub use b::B; pub use c::*; fn f() { c::g() }",
            ),
            ("a/b.rs", "use super::C; pub struct B;"),
            ("a/c.rs", "use crate::a::B; pub struct C; pub fn g() {}"),
        ]);
        assert_eq!(found, [["a/b.rs", "a/c.rs"]]);
    }

    #[test]
    fn a_module_within_a_file_is_no_file() {
        let found = circles(&[
            ("lib.rs", "mod a; mod b;"),
            (
                "a.rs",
                "pub struct A; pub mod inner { use super::A; pub fn f() { super::super::b::g() } }",
            ),
            ("b.rs", "pub fn g() { crate::a::inner::f() }"),
        ]);
        assert_eq!(found, [["a.rs", "b.rs"]]);
    }

    #[test]
    fn methods_are_counted_by_type_and_not_by_name() {
        let graph = graph(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "pub struct A; impl A {} pub use self::A as Other;"),
            ("b.rs", "use crate::a::A; impl A {} mod m { use super::*; }"),
            (
                "c.rs",
                "use crate::a::Other; struct A; impl A {} impl crate::a::A {} impl Clone for Other {}",
            ),
        ]);
        let found: Vec<(String, usize)> = graph
            .impls
            .iter()
            .map(|((module, name), files)| (format!("{}::{name}", module.join("::")), files.len()))
            .collect();
        assert_eq!(found, [("a::A".to_owned(), 3), ("c::A".to_owned(), 1)]);
    }
}
