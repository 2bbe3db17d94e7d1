//! Rename: one name for a declaration and everything that must share it, at every place that means one of them.

mod aliases;
mod forms;
mod joined;
pub(crate) mod plan;
mod rules;
pub(crate) mod subject;
mod unsure;
pub(crate) mod uses;

use std::ops::Range;

use codecortex_resolve::{DefRef, FileNo, RenameDoubtReason, Resolver};
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
        if let Some(doubt) = family.doubts.first() {
            let doubts = family.doubts.iter().map(|doubt| doubt.def);
            let others = family
                .doubts
                .iter()
                .filter_map(|doubt| doubt.reason.other());
            let places = others.chain(doubts);
            let places = places.filter_map(|def| Some((def.file, resolver.place(def)?)));
            let message = doubt_message(resolver, &old, &doubt.reason);
            return Err(Refusal::new(RefusalKind::Unsure, message).at(places));
        }
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
        plan::plan(self, resolver, texts)
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

pub(crate) fn doubt_message(
    resolver: &Resolver<'_>,
    old: &str,
    reason: &RenameDoubtReason,
) -> String {
    match reason {
        RenameDoubtReason::Outside => {
            format!("`{old}` is declared outside of the workspace.")
        }
        RenameDoubtReason::ReplacesOutside => {
            format!("`{old}` replaces a member that is declared outside of the workspace.")
        }
        RenameDoubtReason::BaseOutside(base) => format!(
            "`{old}` may implement a member of `{base}`, which is declared outside of the workspace."
        ),
        RenameDoubtReason::MaybeReplacedBy(other) => {
            let place = place_shown(resolver, *other);
            format!("`{old}` may be replaced by a member in {place} whose base is not known.")
        }
        RenameDoubtReason::LibraryInterface => {
            format!("Interfaces of the standard library ask for a method `{old}` of this form.")
        }
        RenameDoubtReason::SameMembers(other) => {
            let place = place_shown(resolver, *other);
            format!("A type with the same members may be given for its type: `{old}` in {place}.")
        }
        RenameDoubtReason::KnownName => {
            format!("`{old}` is found by its name: the language or its runtime uses it.")
        }
        RenameDoubtReason::TooMany => format!("Too many declarations share the name `{old}`."),
    }
}

/// The file of a declaration.
fn place_shown<'r>(resolver: &'r Resolver<'_>, def: DefRef) -> &'r str {
    resolver.workspace().path(def.file).unwrap_or_default()
}
