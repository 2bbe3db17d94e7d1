//! All files' bindings joined: names as numbers, where each name occurs, what namespaces hold.
//!
//! Everything here is kept per file by taking out what was and putting in what is; nothing is resolved
//! until somebody asks.

use codecortex_bind::facts::{DefId, DefKind, Expr, ExprId, NONE, ScopeId, ScopeKind};
use codecortex_bind::{Bindings, Dialect};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::file::File;
use crate::hints::Hints;

/// A name, the same number in every file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// A file's number; the caller's choice.
pub type FileNo = u32;

/// A definition in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefRef {
    /// The file.
    pub file: FileNo,
    /// Its place in the file's definitions.
    pub def: DefId,
}

/// An expression in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprRef {
    /// The file.
    pub file: FileNo,
    /// Its place in the file's expressions.
    pub expr: ExprId,
}

/// The joined bindings of all files.
#[derive(Debug, Default)]
pub struct Workspace {
    names: IndexSet<Box<str>, FxBuildHasher>,
    files: Vec<Option<File>>,
    by_path: FxHashMap<Box<str>, FileNo>,
    by_folder: FxHashMap<Box<str>, Vec<FileNo>>,
    by_file_name: FxHashMap<Box<str>, Vec<FileNo>>,
    /// Files in which a name occurs at all.
    postings: FxHashMap<Sym, Vec<FileNo>>,
    /// What an open namespace holds, by its whole path and the name.
    members: FxHashMap<(Sym, Sym), Vec<DefRef>>,
    /// Parts of open namespaces, by whole path.
    namespaces: FxHashMap<Sym, Vec<(FileNo, ScopeId)>>,
    /// Definitions in file scopes, by name: what is global in languages that have globals.
    globals: FxHashMap<Sym, Vec<DefRef>>,
    /// What is written outside of its type, by the last name of the type: `impl`s and loose members.
    outside: FxHashMap<Sym, Vec<DefRef>>,
    /// Functions that add themselves to a type, by name.
    extensions: FxHashMap<Sym, Vec<DefRef>>,
    /// Types (and `impl`s) that name a base, by the last name of the base.
    derived: FxHashMap<Sym, Vec<(FileNo, u32)>>,
    /// Aliases of another name than their target's, by the target's name: importing files rename it.
    renamed: FxHashMap<Sym, Vec<DefRef>>,
    /// What manifests say.
    hints: Hints,
    /// Counts changes.
    revision: u64,
}

impl Workspace {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts changes: what was resolved before the last one may be different now.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Bytes of memory it holds, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        let files: usize = self.files().map(|(_, file)| file.memory()).sum();
        let postings: usize = self
            .postings
            .values()
            .map(|files| 4 * files.capacity() + 40)
            .sum();
        let members: usize = self
            .members
            .values()
            .map(|defs| 8 * defs.capacity() + 48)
            .sum();
        let globals: usize = self
            .globals
            .values()
            .map(|defs| 8 * defs.capacity() + 40)
            .sum();
        let names: usize = self.names.iter().map(|name| name.len() + 32).sum();
        files + postings + members + globals + names
    }

    /// What manifests say about modules.
    #[must_use]
    pub fn hints(&self) -> &Hints {
        &self.hints
    }

    /// Says what manifests say about modules.
    pub fn set_hints(&mut self, hints: Hints) {
        if self.hints != hints {
            self.hints = hints;
            self.revision += 1;
        }
    }

    /// The number of a name, if it occurs anywhere.
    #[must_use]
    pub fn sym(&self, name: &str) -> Option<Sym> {
        self.names.get_index_of(name).map(|index| Sym(index as u32))
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, sym: Sym) -> &str {
        self.names.get_index(sym.0 as usize).map_or("", |name| name)
    }

    /// The file.
    #[must_use]
    pub fn file(&self, file: FileNo) -> Option<&File> {
        self.files.get(file as usize).and_then(Option::as_ref)
    }

    /// Every file.
    pub fn files(&self) -> impl Iterator<Item = (FileNo, &File)> {
        let files = self.files.iter().enumerate();
        files.filter_map(|(file, bound)| Some((file as FileNo, bound.as_ref()?)))
    }

    /// The file at this path.
    #[must_use]
    pub fn file_at(&self, path: &str) -> Option<FileNo> {
        self.by_path.get(path).copied()
    }

    /// The files right in a folder.
    #[must_use]
    pub fn files_in(&self, folder: &str) -> &[FileNo] {
        self.by_folder.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Folders with files whose path begins like this, in no order.
    pub(crate) fn folders_below<'w>(&'w self, start: &'w str) -> impl Iterator<Item = &'w str> {
        let folders = self.by_folder.keys();
        folders
            .map(|folder| &**folder)
            .filter(move |folder| folder.starts_with(start))
    }

    /// The files of this name, wherever they are.
    #[must_use]
    pub fn files_named(&self, name: &str) -> &[FileNo] {
        self.by_file_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Files in which a name occurs.
    #[must_use]
    pub fn files_with(&self, name: Sym) -> &[FileNo] {
        self.postings.get(&name).map_or(&[], Vec::as_slice)
    }

    /// What an open namespace holds under a name.
    #[must_use]
    pub fn in_namespace(&self, namespace: Sym, name: Sym) -> &[DefRef] {
        self.members
            .get(&(namespace, name))
            .map_or(&[], Vec::as_slice)
    }

    /// The parts of an open namespace.
    #[must_use]
    pub fn parts_of_namespace(&self, namespace: Sym) -> &[(FileNo, ScopeId)] {
        self.namespaces.get(&namespace).map_or(&[], Vec::as_slice)
    }

    /// Whether there is an open namespace of this path, or one below it.
    #[must_use]
    pub fn is_namespace(&self, path: Sym) -> bool {
        self.namespaces.contains_key(&path)
    }

    /// Definitions in the outermost scope of files, by name.
    #[must_use]
    pub fn globals(&self, name: Sym) -> &[DefRef] {
        self.globals.get(&name).map_or(&[], Vec::as_slice)
    }

    /// What is written outside of a type of this name.
    #[must_use]
    pub fn outside_of(&self, name: Sym) -> &[DefRef] {
        self.outside.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Extension methods of this name.
    #[must_use]
    pub fn extensions(&self, name: Sym) -> &[DefRef] {
        self.extensions.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Places in files' bases that name a base of this name.
    #[must_use]
    pub fn derived_from(&self, name: Sym) -> &[(FileNo, u32)] {
        self.derived.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Aliases that give another name to something of this name.
    #[must_use]
    pub fn renamings(&self, name: Sym) -> &[DefRef] {
        self.renamed.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Puts a file in, or in the place of what it was before.
    pub fn insert(&mut self, file: FileNo, path: &str, dialect: Dialect, bindings: &Bindings) {
        if self.names.is_empty() {
            crate::lang::words().for_each(|word| {
                self.intern(word);
            });
        }
        self.remove(file);
        self.revision += 1;
        let syms: Vec<Sym> = bindings
            .names
            .iter()
            .map(|name| self.intern(name))
            .collect();
        let bound = File::new(path, dialect, bindings, &syms);
        self.list(file, &bound);
        if self.files.len() <= file as usize {
            self.files.resize_with(file as usize + 1, || None);
        }
        self.files[file as usize] = Some(bound);
    }

    /// Takes a file out.
    pub fn remove(&mut self, file: FileNo) {
        let Some(bound) = self.files.get_mut(file as usize).and_then(Option::take) else {
            return;
        };
        self.revision += 1;
        self.by_path.remove(bound.path());
        let (folder, name) = split_path(bound.path());
        take(&mut self.by_folder, folder, |entry| *entry == file);
        take(&mut self.by_file_name, name, |entry| *entry == file);
        for sym in bound.syms() {
            take(&mut self.postings, sym, |entry| *entry == file);
        }
        for (key, _) in namespace_members(&bound) {
            take(&mut self.members, &key, |entry| entry.file == file);
        }
        let paths: Vec<Sym> = namespace_paths(self, &bound);
        for path in paths {
            take(&mut self.namespaces, &path, |entry| entry.0 == file);
        }
        for (name, _) in global_defs(&bound) {
            take(&mut self.globals, &name, |entry| entry.file == file);
        }
        for (name, _) in outside_defs(&bound) {
            take(&mut self.outside, &name, |entry| entry.file == file);
        }
        for (name, _) in extension_defs(&bound) {
            take(&mut self.extensions, &name, |entry| entry.file == file);
        }
        for (name, _) in base_names(&bound) {
            take(&mut self.derived, &name, |entry| entry.0 == file);
        }
        for (name, _) in renaming_defs(&bound) {
            take(&mut self.renamed, &name, |entry| entry.file == file);
        }
    }

    fn list(&mut self, file: FileNo, bound: &File) {
        self.by_path.insert(bound.path().into(), file);
        let (folder, name) = split_path(bound.path());
        put(&mut self.by_folder, folder.into(), file);
        put(&mut self.by_file_name, name.into(), file);
        for sym in bound.syms() {
            put(&mut self.postings, *sym, file);
        }
        let at = |def| DefRef { file, def };
        for (key, def) in namespace_members(bound) {
            put(&mut self.members, key, at(def));
        }
        for (scope, path) in namespace_scopes(bound) {
            put(&mut self.namespaces, path, (file, scope));
            for outer in outer_paths(self.text(path)) {
                let outer = self.intern(&outer);
                self.namespaces.entry(outer).or_default().push((file, NONE));
            }
        }
        for (name, def) in global_defs(bound) {
            put(&mut self.globals, name, at(def));
        }
        for (name, def) in outside_defs(bound) {
            put(&mut self.outside, name, at(def));
        }
        for (name, def) in extension_defs(bound) {
            put(&mut self.extensions, name, at(def));
        }
        for (name, base) in base_names(bound) {
            put(&mut self.derived, name, (file, base));
        }
        for (name, def) in renaming_defs(bound) {
            put(&mut self.renamed, name, at(def));
        }
    }

    fn intern(&mut self, name: &str) -> Sym {
        if let Some(index) = self.names.get_index_of(name) {
            return Sym(index as u32);
        }
        Sym(self.names.insert_full(name.into()).0 as u32)
    }
}

/// Folder and name of a path.
pub(crate) fn split_path(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// `a.b` and `a` of `a.b.c`.
fn outer_paths(path: &str) -> Vec<String> {
    let ends = path.match_indices('.').map(|(at, _)| path[..at].to_owned());
    ends.collect()
}

fn namespace_paths(workspace: &Workspace, bound: &File) -> Vec<Sym> {
    let mut paths = Vec::new();
    for (_, path) in namespace_scopes(bound) {
        paths.push(path);
        let outer = outer_paths(workspace.text(path));
        paths.extend(outer.iter().filter_map(|path| workspace.sym(path)));
    }
    paths
}

/// Open namespaces with their whole paths.
fn namespace_scopes(bound: &File) -> impl Iterator<Item = (ScopeId, Sym)> {
    let scopes = bound.scopes().iter().enumerate();
    scopes.filter_map(|(index, scope)| {
        let is_open = scope.kind == ScopeKind::Namespace && scope.owner != NONE;
        is_open.then(|| (index as ScopeId, bound.sym(bound.def(scope.owner).name)))
    })
}

/// Everything that is in an open namespace, with the namespace's path and its name.
fn namespace_members(bound: &File) -> impl Iterator<Item = ((Sym, Sym), DefId)> {
    bound.named_defs().filter_map(|def| {
        let scope = bound.scope(bound.def(def).scope);
        let is_open = scope.kind == ScopeKind::Namespace && scope.owner != NONE;
        is_open.then(|| {
            let namespace = bound.sym(bound.def(scope.owner).name);
            ((namespace, bound.sym(bound.def(def).name)), def)
        })
    })
}

fn global_defs(bound: &File) -> impl Iterator<Item = (Sym, DefId)> {
    bound.named_defs().filter_map(|def| {
        let is_global = bound.def(def).scope == 0;
        is_global.then(|| (bound.sym(bound.def(def).name), def))
    })
}

fn outside_defs(bound: &File) -> impl Iterator<Item = (Sym, DefId)> {
    bound.defs().iter().enumerate().filter_map(|(index, def)| {
        let of = match def.kind {
            DefKind::Impl => def.ty,
            _ => def.container,
        };
        Some((bound.head_name(of)?, index as DefId))
    })
}

fn extension_defs(bound: &File) -> impl Iterator<Item = (Sym, DefId)> {
    let defs = bound.defs().iter().enumerate();
    defs.filter_map(|(index, def)| {
        let is_extension = def.flags & codecortex_bind::facts::flag::EXTENSION != 0;
        is_extension.then(|| (bound.sym(def.name), index as DefId))
    })
}

fn base_names(bound: &File) -> impl Iterator<Item = (Sym, u32)> {
    let bases = bound.bases().iter().enumerate();
    bases.filter_map(|(index, base)| Some((bound.head_name(base.of)?, index as u32)))
}

/// Aliases whose name differs from what they stand for.
fn renaming_defs(bound: &File) -> impl Iterator<Item = (Sym, DefId)> {
    let defs = bound.defs().iter().enumerate();
    defs.filter_map(|(index, def)| {
        if def.kind != DefKind::Alias {
            return None;
        }
        let (Expr::Name { name, .. } | Expr::Member { name, .. }) = bound.expr(def.value) else {
            return None;
        };
        (name != def.name).then(|| (bound.sym(name), index as DefId))
    })
}

fn put<K: std::hash::Hash + Eq, V: PartialEq>(table: &mut FxHashMap<K, Vec<V>>, key: K, value: V) {
    let entries = table.entry(key).or_default();
    if entries.last() != Some(&value) {
        entries.push(value);
    }
}

fn take<K, Q, V>(table: &mut FxHashMap<K, Vec<V>>, key: &Q, is_gone: impl Fn(&V) -> bool)
where
    K: std::hash::Hash + Eq + std::borrow::Borrow<Q>,
    Q: std::hash::Hash + Eq + ?Sized,
{
    if let Some(entries) = table.get_mut(key) {
        entries.retain(|entry| !is_gone(entry));
        if entries.is_empty() {
            table.remove(key);
        }
    }
}
