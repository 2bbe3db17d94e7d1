//! Rename: one name for a declaration and everything that must share it, at every place that means one of them.

mod aliases;
pub(crate) mod doubt;
mod forms;
mod joined;
pub(crate) mod plan;
mod rules;
pub(crate) mod subject;
mod unsure;
pub(crate) mod uses;

use std::ops::Range;

use codecortex_resolve::{DefRef, FileNo, Resolver};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::located_edit::LocatedEdit;
use crate::refusal::{Refusal, RefusalKind};
use crate::source_change::SourceChange;

/// Texts of files by number.
pub type RenameTexts = FxHashMap<FileNo, String>;

/// What a caller allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenameOptions {
    /// Whether uses whose receiver nobody can type are left and listed; they are a refusal otherwise.
    pub leaves_unsure: bool,
    /// Whether members that something from outside may have or ask for are noted; they are a refusal otherwise.
    pub notes_doubts: bool,
    /// Whether the words of comments that are spelled like the name change too.
    pub comments: bool,
    /// Whether those of strings do.
    pub strings: bool,
}

/// A rename whose places are known, before any text was looked at.
#[derive(Clone, Debug)]
pub struct Rename {
    /// The declarations that get the new name.
    family: Vec<DefRef>,
    old: String,
    new: String,
    options: RenameOptions,
    /// Places that mean one of the family, by file and byte.
    places: Vec<(FileNo, u32)>,
    /// Uses of the name whose receiver nobody can type.
    unsure: Vec<(FileNo, u32)>,
    /// Files in which the name is written.
    files: Vec<FileNo>,
    /// The only part of the only file in which a local name can be written.
    within: Option<(FileNo, Range<u32>)>,
    /// What a reader of the plan must know.
    notes: Vec<String>,
}

impl Rename {
    /// Finds the places of a rename of what is named at a byte.
    ///
    /// # Errors
    /// Why it is not renamed.
    pub fn at_place(
        resolver: &Resolver<'_>,
        (file, byte): (FileNo, u32),
        new: &str,
        options: RenameOptions,
    ) -> Result<Self, Refusal> {
        let defs = subject::definitions_at(resolver, file, byte)?;
        Self::of(resolver, &defs, new, options)
    }

    /// Finds the places of a rename of declarations of one name.
    ///
    /// # Errors
    /// Why they are not renamed.
    pub fn of(
        resolver: &Resolver<'_>,
        defs: &[DefRef],
        new: &str,
        options: RenameOptions,
    ) -> Result<Self, Refusal> {
        let first = *defs
            .first()
            .ok_or_else(|| Refusal::new(RefusalKind::Unsupported, "Nothing is named there."))?;
        let old = resolver.name(first).to_owned();
        rules::check_names(resolver, first, &old, new)?;
        let family = resolver.rename_family(defs);
        let notes = doubt::weigh(resolver, &old, &family, options.notes_doubts)?;
        let family = family.defs;
        rules::check_family(resolver, &family, new)?;
        let found = uses::collect(resolver, &family)?.sure_enough(&old, options)?;
        rules::check_clashes(resolver, &family, &found.places, new)?;
        let within = rules::only_part(resolver, &family);
        let files = match &within {
            Some((file, _)) => vec![*file],
            None => files_with(resolver, first, &old, &found.places),
        };
        Ok(Self {
            family,
            old,
            new: new.to_owned(),
            options,
            places: found.places,
            unsure: found.unsure,
            files,
            within,
            notes,
        })
    }

    /// The name before.
    #[must_use]
    pub fn old_name(&self) -> &str {
        &self.old
    }

    /// The name afterwards.
    #[must_use]
    pub fn new_name(&self) -> &str {
        &self.new
    }

    /// The declarations that get the new name, those that were asked for first.
    #[must_use]
    pub fn declarations(&self) -> &[DefRef] {
        &self.family
    }

    /// Places that mean one of the declarations, by file and byte.
    #[must_use]
    pub fn places(&self) -> &[(FileNo, u32)] {
        &self.places
    }

    /// Uses of the name whose receiver nobody can type.
    #[must_use]
    pub fn unsure(&self) -> &[(FileNo, u32)] {
        &self.unsure
    }

    /// The only part of the only file in which a local name can be written.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.within.is_some()
    }
}

impl LocatedEdit for Rename {
    fn files(&self) -> &[FileNo] {
        &self.files
    }

    fn names(&self) -> [&str; 2] {
        [&self.old, &self.new]
    }

    fn plan(&self, resolver: &Resolver<'_>, texts: &RenameTexts) -> Result<SourceChange, Refusal> {
        let change = plan::plan(self, resolver, texts)?;
        Ok(change.with_notes(&self.notes))
    }
}

/// Files of languages that see each other in which a name is written.
pub(crate) fn files_with(
    resolver: &Resolver<'_>,
    first: DefRef,
    old: &str,
    places: &[(FileNo, u32)],
) -> Vec<FileNo> {
    let workspace = resolver.workspace();
    let named = workspace.name(old);
    let named = named.map_or(&[][..], |name| workspace.files_with(name));
    let mut files: FxHashSet<FileNo> = named
        .iter()
        .copied()
        .filter(|file| resolver.may_mean(*file, first))
        .collect();
    files.extend(places.iter().map(|place| place.0));
    let mut files: Vec<FileNo> = files.into_iter().collect();
    files.sort_unstable();
    files
}
