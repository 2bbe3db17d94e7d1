//! The languages' own libraries: types that no file of the workspace declares and that every program may use.
//!
//! They are files of declarations in the language itself ([`LibrarySource`]). A file is read when a lookup leads into
//! it, so that what a question finds is a function of the workspace's files and the library, and never of earlier
//! questions. Its declarations are external: their uses are not references, and no search lists them.
//!
//! Tables know some of these types, too ([`tables`]). A type that they know is the same type under both forms.

mod files;
pub(crate) mod results;
mod shared_names;
pub(crate) mod tables;

use std::sync::Arc;

use codecortex_bind::Dialect;

use crate::file::BoundFile;
use crate::ids::{DefRef, FileNo, Name};
use crate::lang::LanguageRules;
use crate::standard_library::files::Library;
use crate::standard_library::shared_names::SharedNames;
use crate::workspace::Workspace;

pub use files::LibrarySource;

/// The number of the first file; the workspace never has so many.
const FIRST_FILE: FileNo = 1 << 31;
/// A library's files are numbered from a multiple of this on.
const FILES_OF_LIBRARY: FileNo = 1 << 24;
/// So many libraries, at most.
const MAX_LIBRARIES: usize = 64;

/// The libraries of the languages that a workspace has.
#[derive(Debug, Default)]
pub(crate) struct StandardLibraries {
    libraries: Vec<Library>,
    pub(crate) names: SharedNames,
}

impl StandardLibraries {
    /// The library that has a file.
    fn of_file(&self, file: FileNo) -> Option<&Library> {
        let place = file.checked_sub(FIRST_FILE)? / FILES_OF_LIBRARY;
        self.libraries.get(place as usize)
    }

    /// The library of a family of languages.
    fn of_family(&self, family: u8) -> Option<&Library> {
        let mut libraries = self.libraries.iter();
        libraries.find(|library| library.rules.family() == family)
    }

    /// The language of a file, and its rules; nothing for files of the workspace.
    pub(crate) fn language(&self, file: FileNo) -> Option<(Dialect, &'static dyn LanguageRules)> {
        let library = self.of_file(file)?;
        Some((library.dialect, library.rules))
    }

    /// Where a file is.
    pub(crate) fn path(&self, file: FileNo) -> Option<&str> {
        self.of_file(file)?.path(file)
    }

    /// Bytes of memory they take, roughly.
    pub(crate) fn memory(&self) -> usize {
        let libraries = self.libraries.iter().map(|library| library.memory().0);
        libraries.sum::<usize>() + self.names.memory()
    }

    /// Gives back what was read.
    pub(crate) fn forget(&mut self) {
        self.libraries.iter_mut().for_each(Library::forget);
    }
}

/// Whether a file is of a language's own library.
pub(crate) fn is_library(file: FileNo) -> bool {
    file >= FIRST_FILE
}

impl Workspace {
    /// Says where a language's own library is; the first time counts.
    pub fn set_library(&mut self, dialect: Dialect, source: Arc<dyn LibrarySource>) {
        let rules = self.rules_of(dialect);
        let count = self.libraries.libraries.len();
        if count >= MAX_LIBRARIES || self.has_library(dialect) {
            return;
        }
        let first = FIRST_FILE + FILES_OF_LIBRARY * count as FileNo;
        let library = Library::new(dialect, rules, source, first);
        self.libraries.libraries.push(library);
        self.note_library();
    }

    /// Whether a language's own library is known.
    #[must_use]
    pub fn has_library(&self, dialect: Dialect) -> bool {
        let family = self.rules_of(dialect).family();
        self.libraries.of_family(family).is_some()
    }

    /// Whether any language's own library is known.
    pub(crate) fn has_libraries(&self) -> bool {
        !self.libraries.libraries.is_empty()
    }

    /// How many files of the languages' own libraries questions have read.
    #[must_use]
    pub fn library_files_read(&self) -> usize {
        let libraries = self.libraries.libraries.iter();
        libraries.map(|library| library.memory().1).sum()
    }

    /// A file of a library.
    pub(crate) fn library_file(&self, file: FileNo) -> Option<&BoundFile> {
        let library = self.libraries.of_file(file)?;
        let read = library.file(file, |name| self.shared_name(name))?;
        Some(&read.bound)
    }

    /// The number of a name, a new one where nobody has it.
    pub(crate) fn shared_name(&self, name: &str) -> Option<Name> {
        self.name(name).or_else(|| self.libraries.names.add(name))
    }

    /// What the library of a family has in an open namespace under a name.
    pub(crate) fn library_members(&self, family: u8, namespace: &str, name: Name) -> &[DefRef] {
        let Some(library) = self.libraries.of_family(family) else {
            return &[];
        };
        let folder = namespace.replace('.', "/");
        if !library.has_folder(&folder) {
            return &[];
        }
        let ending = library.rules.library_ending();
        let path = format!("{folder}/{}{ending}", self.text(name));
        let file = library.file_at(&path);
        let read = file.and_then(|file| library.file(file, |name| self.shared_name(name)));
        read.map_or(&[], |read| read.members(name))
    }

    /// Whether the library of a family has an open namespace of this path, or one below it.
    pub(crate) fn is_library_namespace(&self, family: u8, path: &str) -> bool {
        let library = self.libraries.of_family(family);
        library.is_some_and(|library| library.has_folder(&path.replace('.', "/")))
    }

    /// What a library's file writes outside of a type of this name.
    pub(crate) fn written_outside(&self, file: FileNo, name: Name) -> &[DefRef] {
        let library = self.libraries.of_file(file);
        let read = library.and_then(|library| library.file(file, |name| self.shared_name(name)));
        read.map_or(&[], |read| read.outside_of(name))
    }

    /// The file of a path in the library of a family.
    pub(crate) fn library_file_at(&self, family: u8, path: &str) -> Option<FileNo> {
        self.libraries.of_family(family)?.file_at(path)
    }

    /// The files of a family's library that are named after a type, with the namespaces that they are in.
    pub(crate) fn library_files_of(
        &self,
        family: u8,
        name: &str,
    ) -> impl Iterator<Item = (FileNo, &str)> {
        let library = self.libraries.of_family(family).into_iter();
        library.flat_map(move |library| library.files_of_stem(name))
    }
}
