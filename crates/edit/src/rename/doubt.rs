//! Sentences about names that may be tied to something which no edit can reach.

use codecortex_bind::Dialect;
use codecortex_resolve::{DefRef, RenameDoubt, RenameDoubtReason, RenameFamily, Resolver};

use crate::refusal::{Refusal, RefusalKind};

/// The most notes about one name.
const MAX_NOTES: usize = 3;

/// What a reader is to know of declarations that a change is about, a sentence each; or why they are not changed. With
/// `notes_doubts`, what is only possible is no reason.
pub(crate) fn weigh(
    resolver: &Resolver<'_>,
    old: &str,
    family: &RenameFamily,
    notes_doubts: bool,
) -> Result<Vec<String>, Refusal> {
    let is_reason = |doubt: &&RenameDoubt| !(notes_doubts && is_possible(resolver, doubt));
    if let Some(first) = family.doubts.iter().find(is_reason) {
        let places = family.doubts.iter().filter(is_reason);
        let places = places.flat_map(|doubt| doubt.places(resolver));
        let message = message(resolver, old, &first.reason);
        return Err(Refusal::new(RefusalKind::Unsure, message).at(places));
    }
    let mut notes: Vec<String> = Vec::new();
    for doubt in family.doubts.iter().chain(&family.possible) {
        let note = message(resolver, old, &doubt.reason);
        if !notes.contains(&note) && notes.len() < MAX_NOTES {
            notes.push(note);
        }
    }
    Ok(notes)
}

/// Whether a name is tied to something unknown perhaps, and not surely.
fn is_possible(resolver: &Resolver<'_>, doubt: &RenameDoubt) -> bool {
    match &doubt.reason {
        // The block says which trait it implements.
        RenameDoubtReason::BaseOutside(_) => {
            resolver.dialect(doubt.def.file) != Some(Dialect::Rust)
        }
        RenameDoubtReason::MaybeReplacedBy(_)
        | RenameDoubtReason::SameMembers(_)
        | RenameDoubtReason::GivenOutside(_) => true,
        _ => false,
    }
}

fn message(resolver: &Resolver<'_>, old: &str, reason: &RenameDoubtReason) -> String {
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
        RenameDoubtReason::GivenOutside(given) => {
            let by = &given.by;
            format!(
                "`{by}` is declared outside of the workspace and may ask for a method `{old}`: a value with it is given to `{by}`."
            )
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
