//! Which files belong to a module, package or crate by its last name, and which namespaces are written with their outer
//! ones (`namespace A.B`). Made by the first question for what is in one of them; from then on it takes in what changed.

use codecortex_syntax::{ItemFlags, Language};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::entry::simple_name;
use crate::fold::lower;
use crate::symbol::{FileId, Symbol};
use crate::{Index, IndexedFile};

/// What a file adds to the table.
#[derive(Clone, Debug, Default)]
struct OfFile {
    /// The last name of its module, in lower case.
    module: Option<Box<str>>,
    /// What its crate is called, in lower case.
    crate_name: Option<Box<str>>,
    /// Namespaces in it by the name right before their own.
    namespaces: Vec<(Box<str>, Symbol)>,
}

/// The table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modules {
    is_built: bool,
    /// Files to take in, or out, before the next question.
    changed: FxHashSet<FileId>,
    of_file: FxHashMap<FileId, OfFile>,
    files: FxHashMap<Box<str>, Vec<FileId>>,
    crates: FxHashMap<Box<str>, Vec<FileId>>,
    namespaces: FxHashMap<Box<str>, Vec<Symbol>>,
}

impl Modules {
    /// Notes that a file is new, different or gone.
    pub(crate) fn note(&mut self, id: FileId) {
        if self.is_built {
            self.changed.insert(id);
        }
    }

    /// Lets go of everything: what modules are called may be another for all files.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The files whose module or crate is called so, which is in lower case.
    pub(crate) fn files_of(&self, name: &str) -> impl Iterator<Item = FileId> + use<'_> {
        let files = self.files.get(name).into_iter();
        files.chain(self.crates.get(name)).flatten().copied()
    }

    /// Namespaces that are written behind this name.
    pub(crate) fn namespaces_in(&self, name: &str) -> impl Iterator<Item = Symbol> + use<'_> {
        self.namespaces.get(name).into_iter().flatten().copied()
    }

    /// What modules and crates are called.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.files.keys().chain(self.crates.keys());
        names.chain(self.namespaces.keys()).map(|name| &**name)
    }

    /// The files of every crate: `crate` is each one's own.
    pub(crate) fn all_of_crates(&self) -> impl Iterator<Item = FileId> + use<'_> {
        self.crates.values().flatten().copied()
    }

    fn take_out(&mut self, id: FileId) {
        let Some(of) = self.of_file.remove(&id) else {
            return;
        };
        for (table, name) in [
            (&mut self.files, of.module),
            (&mut self.crates, of.crate_name),
        ] {
            if let Some(files) = name.and_then(|name| table.get_mut(&name)) {
                files.retain(|file| *file != id);
            }
        }
        for (name, symbol) in of.namespaces {
            if let Some(symbols) = self.namespaces.get_mut(&name) {
                symbols.retain(|other| *other != symbol);
            }
        }
    }

    fn take_in(&mut self, id: FileId, of: OfFile) {
        for (table, name) in [
            (&mut self.files, &of.module),
            (&mut self.crates, &of.crate_name),
        ] {
            if let Some(name) = name {
                table.entry(name.clone()).or_default().push(id);
            }
        }
        for (name, symbol) in &of.namespaces {
            self.namespaces
                .entry(name.clone())
                .or_default()
                .push(*symbol);
        }
        self.of_file.insert(id, of);
    }
}

/// Brings the table of modules up to date.
pub(crate) fn update(index: &Index) {
    let mut modules = index.modules.borrow_mut();
    if !modules.is_built {
        modules.is_built = true;
        modules.changed = index.all_files().map(|(id, _)| id).collect();
    }
    for id in std::mem::take(&mut modules.changed) {
        modules.take_out(id);
        if let Some(file) = index.file_in(id, crate::Overlay::Hidden) {
            modules.take_in(id, of_file(index, id, file));
        }
    }
}

fn of_file(index: &Index, id: FileId, file: &IndexedFile) -> OfFile {
    let last = |name: &str| name.rsplit('.').find(|part| !part.is_empty()).map(lower);
    let module = index.module_segments(file).last().copied().and_then(last);
    let crate_name = match file.facts.summary().language {
        // One without a name is called `crate` alone.
        Language::Rust => Some(index.crate_name(file).unwrap_or_default()),
        _ => None,
    };
    OfFile {
        module: module.map(Into::into),
        crate_name: crate_name.map(|name| lower(&name).into()),
        namespaces: match has_long_namespaces(file.facts.summary().language) {
            true => long_namespaces(id, file),
            false => Vec::new(),
        },
    }
}

/// Whether a language writes namespaces with their outer ones.
fn has_long_namespaces(language: Language) -> bool {
    use Language as L;
    matches!(
        language,
        L::CSharp | L::C | L::Cpp | L::Php | L::Ruby | L::Elixir | L::TypeScript | L::Tsx
    )
}

/// The namespaces of a file whose name is a path, each under every name of the path that has one behind it.
fn long_namespaces(id: FileId, file: &IndexedFile) -> Vec<(Box<str>, Symbol)> {
    let mut found = Vec::new();
    for (at, item) in file.facts.items.iter().enumerate() {
        if !item.kind.is_namespace() || item.flags.contains(ItemFlags::LOCAL) {
            continue;
        }
        let name = file.facts.str(item.name);
        let own = simple_name(name);
        let before = name.len() - own.len();
        let outer = name[..before].trim_end_matches(['.', ':', '\\']);
        if !outer.is_empty() {
            let symbol = Symbol {
                file: id,
                item: at as u32,
            };
            found.push((lower(simple_name(outer)).into(), symbol));
        }
    }
    found
}
