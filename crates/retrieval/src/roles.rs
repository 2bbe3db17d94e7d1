//! What files are for, seen beside all the others: in a framework for tests the word in a path says nothing (SPEC RM1).
//!
//! Nobody uses a test. Where sources use several files that are called tests, these are the product, and so are the others
//! of their folders.

use rustc_hash::FxHashSet;

use crate::document::{DeclarationClass, Role};
use crate::file_place::common_folders;
use crate::hits::Field;
use crate::index::{FileEntry, FileNo, Index};
use crate::links::is_telling;
use crate::words::parts_of;

/// Files called tests that sources use, from which on the product is taken for a framework for tests.
const USED: usize = 3;
/// Sources that use such a file: fewer may have the same word for another reason.
const USERS: usize = 3;
/// Of so many sources one has to use it.
const SHARE: usize = 20;

/// The folders of a framework for tests.
#[derive(Debug, Default)]
pub(crate) struct TestedProduct {
    /// Folders with files that are called tests and are the product.
    folders: FxHashSet<Box<str>>,
}

impl TestedProduct {
    /// Looks for them; none where the product is no framework for tests.
    pub(crate) fn of(index: &Index) -> Self {
        let sources = index.files.iter().flatten();
        let sources = sources.filter(|entry| entry.role == Role::Source).count();
        let least = USERS.max(sources / SHARE);
        let called_tests = index.by_path.values().filter_map(|file| {
            let entry = index.file(*file)?;
            (entry.role == Role::Test).then_some((*file, entry))
        });
        let used: Vec<&FileEntry> = called_tests
            .filter(|(file, entry)| has_users(index, (*file, entry), least))
            .map(|(_, entry)| entry)
            .collect();
        if used.len() < USED {
            return Self::default();
        }
        let folders = used.iter().map(|entry| folder_of(&entry.path).into());
        Self {
            folders: folders.collect(),
        }
    }

    /// What a file is for.
    pub(crate) fn role_of(&self, index: &Index, entry: &FileEntry) -> Role {
        if entry.role == Role::Source {
            return Role::Source;
        }
        // What all have in their paths says nothing.
        let below = entry.path.get(common_path(index).len()..).unwrap_or("");
        match Role::of_path(below) {
            Role::Test if self.folders.contains(folder_of(&entry.path)) => Role::Source,
            role => role,
        }
    }
}

/// The folders that all files of an index are in.
pub(crate) fn common_path(index: &Index) -> &str {
    let first = index.by_path.first_key_value();
    let last = index.by_path.last_key_value();
    match (first, last) {
        (Some((first, _)), Some((last, _))) => common_folders(first, last),
        _ => "",
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether so many sources mention types and functions of several words that a file declares at its top level and no
/// source does.
fn has_users(index: &Index, (file, entry): (FileNo, &FileEntry), least: usize) -> bool {
    let is_source = |of: FileNo| index.file(of).is_some_and(|of| of.role == Role::Source);
    let mut users: FxHashSet<FileNo> = FxHashSet::default();
    for declared in entry.declared.iter().skip(1) {
        let is_top = declared.parent == 0
            || entry.declared[declared.parent as usize].kind == DeclarationClass::Namespace;
        let is_used = matches!(
            declared.kind,
            DeclarationClass::Type | DeclarationClass::Callable
        );
        // A name of one word is in comments too.
        let is_telling_name = parts_of(entry.text(&declared.name)).nth(1).is_some();
        let definers = &index.terms[declared.key as usize].definers;
        if !is_top
            || !is_used
            || !is_telling_name
            || !is_telling(index, declared.key)
            || definers.iter().any(|of| is_source(*of))
        {
            continue;
        }
        for (other, using, mut hits) in index.postings(declared.key, |other| other != file) {
            let is_use = using.role == Role::Source
                && hits.any(|hit| {
                    let of = using.declared.get(hit.declaration as usize);
                    hit.count(Field::Body) > 0 && of.is_some_and(|of| !of.is_test)
                });
            if is_use {
                users.insert(other);
            }
        }
        if users.len() >= least {
            return true;
        }
    }
    false
}
