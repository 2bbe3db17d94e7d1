//! Change signature: a parameter more, a parameter less, or another order, in a declaration with its overrides and at every
//! call.

mod arguments;
mod calls;
mod construction;
mod constructor_calls;
mod list_step;
mod parameters;
mod plan;
mod rules;
mod sites;
mod wish;

pub use wish::SignatureWish;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Role};
use codecortex_resolve::{ConfidenceTier, DefRef, FileNo, Resolver};
use rustc_hash::FxHashSet;

use crate::located_edit::LocatedEdit;
use crate::refusal::{Refusal, RefusalKind};
use crate::rename::uses::{RenamePlaces, collect, collect_from};
use crate::rename::{RenameOptions, RenameTexts, doubt, files_with, subject};
use crate::signature::construction::ConstructorUses;
use crate::source_change::SourceChange;

/// A change of a signature whose places are known, before any text was looked at.
#[derive(Clone, Debug)]
pub struct ChangeSignature {
    wish: SignatureWish,
    /// The functions that get the same parameters.
    family: Vec<DefRef>,
    /// The name that calls use.
    name: String,
    /// Places that mean one of the family, by file and byte.
    places: Vec<(FileNo, u32)>,
    /// Of a constructor: the types whose construction calls it.
    construction: Option<ConstructorUses>,
    /// Uses of the name whose receiver nobody can type.
    unsure: Vec<(FileNo, u32)>,
    /// Files whose texts the plan needs.
    files: Vec<FileNo>,
    /// What a reader of the plan must know.
    notes: Vec<String>,
}

impl ChangeSignature {
    /// Finds the places of a change of the signature of what is named at a byte.
    ///
    /// # Errors
    /// Why it is not changed.
    pub fn at_place(
        resolver: &Resolver<'_>,
        (file, byte): (FileNo, u32),
        wish: SignatureWish,
        options: RenameOptions,
    ) -> Result<Self, Refusal> {
        let defs = subject::definitions_at(resolver, file, byte)?;
        Self::of(resolver, &defs, wish, options)
    }

    /// Finds the places of a change of the signature of declarations of one function.
    ///
    /// # Errors
    /// Why it is not changed.
    pub fn of(
        resolver: &Resolver<'_>,
        defs: &[DefRef],
        wish: SignatureWish,
        options: RenameOptions,
    ) -> Result<Self, Refusal> {
        let first = *defs
            .first()
            .ok_or_else(|| Refusal::new(RefusalKind::Unsupported, "Nothing is named there."))?;
        rules::check_subject(resolver, first, &wish)?;
        let is_constructor = rules::is_constructor(resolver, first);
        let (family, found, construction, notes) = match is_constructor {
            true => {
                let construction = ConstructorUses::new(resolver, first)?;
                let mut found = constructor_places(resolver, first)?;
                found.unsure.extend(construction.unsure.iter().copied());
                (
                    resolver.symbol(first),
                    found,
                    Some(construction),
                    Vec::new(),
                )
            }
            false => {
                let (family, notes) = family_of(resolver, defs, options)?;
                let found = collect(resolver, &family)?;
                (family, found, None, notes)
            }
        };
        let family = distinct(resolver, family, first);
        let name = match &construction {
            Some(construction) => construction.name.clone(),
            None => resolver.name(first).to_owned(),
        };
        let found = found.sure_enough(&name, options)?;
        let mut files = files_with(resolver, first, &name, &found.places);
        files.extend(family.iter().map(|def| def.file));
        if let Some(construction) = &construction {
            files.extend(construction.files());
        }
        files.sort_unstable();
        files.dedup();
        files.retain(|file| !resolver.workspace().is_external(*file));
        Ok(Self {
            wish,
            family,
            name,
            places: found.places,
            construction,
            unsure: found.unsure,
            files,
            notes,
        })
    }

    /// The name of the function.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is wanted.
    #[must_use]
    pub fn wish(&self) -> &SignatureWish {
        &self.wish
    }
}

impl LocatedEdit for ChangeSignature {
    fn files(&self) -> &[FileNo] {
        &self.files
    }

    fn names(&self) -> [&str; 2] {
        match &self.wish {
            SignatureWish::Add { name, .. } => [&self.name, name],
            _ => [&self.name, &self.name],
        }
    }

    fn plan(&self, resolver: &Resolver<'_>, texts: &RenameTexts) -> Result<SourceChange, Refusal> {
        let change = plan::plan(self, resolver, texts)?;
        Ok(change.with_notes(&self.notes))
    }
}

/// The functions that must have the same parameters, with what a reader is to know of them; or why nobody knows them.
fn family_of(
    resolver: &Resolver<'_>,
    defs: &[DefRef],
    options: RenameOptions,
) -> Result<(Vec<DefRef>, Vec<String>), Refusal> {
    let family = resolver.rename_family(defs);
    let name = defs.first().map_or("", |def| resolver.name(*def));
    let notes = doubt::weigh(resolver, name, &family, options.notes_doubts)?;
    Ok((family.defs, notes))
}

/// The places that name a constructor itself. Those of the constructors that derived types have in its place are not.
fn constructor_places(resolver: &Resolver<'_>, first: DefRef) -> Result<RenamePlaces, Refusal> {
    let mut references = resolver.references_of(&[first]);
    let is_python = resolver.dialect(first.file) == Some(Dialect::Python);
    references.retain(|reference| {
        let is_call = reference.role.0 == Role::Call as u8;
        // `__init__` is called by its name in a base's place alone, which the resolver knows.
        !is_python || is_call && reference.tier != ConfidenceTier::Name
    });
    collect_from(resolver, &[first], references)
}

/// Each declaration once, the one that was asked for first; without the types of constructors.
fn distinct(resolver: &Resolver<'_>, family: Vec<DefRef>, first: DefRef) -> Vec<DefRef> {
    let mut known = FxHashSet::default();
    let all = std::iter::once(first).chain(family);
    let is_function = |def: &DefRef| {
        let kind = resolver.kind(*def);
        !kind.is_some_and(|kind| kind.is_type() || kind == DefKind::Alias)
    };
    all.filter(is_function)
        .filter(|def| known.insert(*def))
        .collect()
}
