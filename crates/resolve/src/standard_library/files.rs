//! The files of a language's own library: which there are, and what is read of them when a question leads there.

use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

use codecortex_bind::facts::{DefId, NameId};
use codecortex_bind::{Dialect, decode_body, decode_head};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::exprs::Packing;
use crate::file::BoundFile;
use crate::ids::{DefRef, FileNo, Name};
use crate::lang::LanguageRules;
use crate::paths::split_path;

/// What has the declarations of a language's own library, as files of that language.
pub trait LibrarySource: Debug + Send + Sync {
    /// The paths of all files in one order that never changes, as the language looks for them: `java/util/List.java`.
    fn paths(&self) -> Vec<String>;

    /// The bytes of `codecortex_bind::encode` of a file; `None` where it cannot be read.
    fn bindings(&self, path: &str) -> Option<Arc<[u8]>>;
}

/// One language's own library.
#[derive(Debug)]
pub(super) struct Library {
    pub(super) dialect: Dialect,
    pub(super) rules: &'static dyn LanguageRules,
    source: Arc<dyn LibrarySource>,
    /// The number of its first file.
    first: FileNo,
    index: OnceLock<LibraryIndex>,
}

/// The files of a library by what is looked for.
#[derive(Debug, Default)]
struct LibraryIndex {
    paths: Box<[Box<str>]>,
    files: Box<[OnceLock<Option<Box<LibraryFile>>>]>,
    by_path: FxHashMap<Box<str>, u32>,
    /// Folders, and those around them.
    folders: FxHashSet<Box<str>>,
    /// Files by their name without its ending, in the order of paths.
    by_stem: FxHashMap<Box<str>, Vec<u32>>,
}

/// A file that was read.
#[derive(Debug)]
pub(super) struct LibraryFile {
    pub(super) bound: BoundFile,
    /// What it has in open namespaces, by name.
    members: FxHashMap<Name, Vec<DefRef>>,
    /// What is written outside of its type, by the last name of the type.
    outside: FxHashMap<Name, Vec<DefRef>>,
}

impl Library {
    pub(super) fn new(
        dialect: Dialect,
        rules: &'static dyn LanguageRules,
        source: Arc<dyn LibrarySource>,
        first: FileNo,
    ) -> Self {
        Self {
            dialect,
            rules,
            source,
            first,
            index: OnceLock::new(),
        }
    }

    fn index(&self) -> &LibraryIndex {
        self.index
            .get_or_init(|| LibraryIndex::of_paths(self.source.paths()))
    }

    /// The path of a file.
    pub(super) fn path(&self, file: FileNo) -> Option<&str> {
        let place = file.checked_sub(self.first)? as usize;
        self.index().paths.get(place).map(|path| &**path)
    }

    /// The file of a path.
    pub(super) fn file_at(&self, path: &str) -> Option<FileNo> {
        let place = self.index().by_path.get(path)?;
        Some(self.first + place)
    }

    /// Whether files lie in a folder or below it.
    pub(super) fn has_folder(&self, folder: &str) -> bool {
        self.index().folders.contains(folder)
    }

    /// The files of a name without its ending, with their paths.
    pub(super) fn files_of_stem(&self, stem: &str) -> impl Iterator<Item = (FileNo, &str)> {
        let index = self.index();
        let places = index.by_stem.get(stem).into_iter().flatten();
        places.filter_map(|place| {
            let path = index.paths.get(*place as usize)?;
            Some((self.first + place, &**path))
        })
    }

    /// A file, read the first time; `number` gives the number of a name. Nothing where it cannot be read.
    pub(super) fn file(
        &self,
        file: FileNo,
        number: impl Fn(&str) -> Option<Name>,
    ) -> Option<&LibraryFile> {
        let place = file.checked_sub(self.first)? as usize;
        let index = self.index();
        let slot = index.files.get(place)?;
        let read = slot.get_or_init(|| {
            let path = index.paths.get(place)?;
            let bytes = self.source.bindings(path)?;
            read(file, (path, self.dialect), &bytes, number).map(Box::new)
        });
        read.as_deref()
    }

    /// Bytes that it holds of files, roughly, and how many files these are.
    pub(super) fn memory(&self) -> (usize, usize) {
        let Some(index) = self.index.get() else {
            return (0, 0);
        };
        let read = index.files.iter().filter_map(|file| file.get()?.as_ref());
        let (bytes, count) = read.fold((0, 0), |(bytes, count), file| {
            (bytes + file.bound.memory(), count + 1)
        });
        let paths = index.paths.iter().map(|path| 3 * path.len() + 160);
        (bytes + paths.sum::<usize>(), count)
    }

    /// Gives back what was read.
    pub(super) fn forget(&mut self) {
        if let Some(index) = self.index.get_mut() {
            for file in &mut index.files {
                file.take();
            }
        }
    }
}

impl LibraryFile {
    /// What it has in open namespaces under a name.
    pub(super) fn members(&self, name: Name) -> &[DefRef] {
        self.members.get(&name).map_or(&[], Vec::as_slice)
    }

    /// What it writes outside of a type of this name.
    pub(super) fn outside_of(&self, name: Name) -> &[DefRef] {
        self.outside.get(&name).map_or(&[], Vec::as_slice)
    }
}

impl LibraryIndex {
    fn of_paths(paths: Vec<String>) -> Self {
        let mut index = Self::default();
        for (place, path) in (0..).zip(&paths) {
            let (folder, name) = split_path(path);
            let stem = name.split('.').next().unwrap_or(name);
            index.by_stem.entry(stem.into()).or_default().push(place);
            index.by_path.insert(path.as_str().into(), place);
            let mut folder = folder;
            while !folder.is_empty() && !index.folders.contains(folder) {
                index.folders.insert(folder.into());
                folder = split_path(folder).0;
            }
        }
        index.files = paths.iter().map(|_| OnceLock::new()).collect();
        index.paths = paths.into_iter().map(String::into_boxed_str).collect();
        index
    }
}

fn read(
    file: FileNo,
    of: (&str, Dialect),
    bytes: &[u8],
    number: impl Fn(&str) -> Option<Name>,
) -> Option<LibraryFile> {
    let head = decode_head(bytes)?;
    let names = head.names.iter().map(|name| number(name));
    let names: Arc<[Name]> = names.collect::<Option<Vec<Name>>>()?.into();
    let by_name = |entries: &mut dyn Iterator<Item = (NameId, DefId)>| {
        let mut all: FxHashMap<Name, Vec<DefRef>> = FxHashMap::default();
        for (name, def) in entries {
            if let Some(name) = names.get(name as usize) {
                all.entry(*name).or_default().push(DefRef { file, def });
            }
        }
        all
    };
    let members = head.entries.members.iter();
    let members = by_name(&mut members.map(|(_, name, def)| (*name, *def)));
    let outside = by_name(&mut head.entries.outside.iter().copied());
    let mut exprs = Packing::default();
    let take = |of: usize, expr: &_| exprs.push(of, expr);
    let bindings = decode_body(bytes, names.len(), take)?;
    let (path, dialect) = of;
    let bound = BoundFile::new((path, dialect, &names), bindings, exprs.finish());
    Some(LibraryFile {
        bound,
        members,
        outside,
    })
}
