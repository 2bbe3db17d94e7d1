//! What a word of documentation may still mean after a change took a declaration of that name away (SPEC RV3, `004` §5).

use codecortex_bind::facts::DefKind;
use codecortex_syntax::{Facts, Item};

use super::search::EvidenceSearch;
use super::uses::{MAX_SUPERTYPES, types_named};
use crate::source::is_test_path;

/// Whether anything outside of tests that documentation may speak of has a name: a declaration, a member of a type that has
/// no name of its own, an option, a parameter.
pub(super) fn is_anything(search: &EvidenceSearch<'_>, name: &str) -> bool {
    if search.is_declared(name) {
        return true;
    }
    let names = search.view.names();
    let workspace = names.workspace();
    let Some(of) = workspace.name(name) else {
        return false;
    };
    workspace.files_with(of).iter().any(|file| {
        let is_of_root = search.path(*file).is_some_and(|path| !is_test_path(path));
        let bound = workspace.file(*file).filter(|_| is_of_root);
        bound.is_some_and(|bound| {
            let local = bound.names().iter().position(|known| *known == of);
            let local = local.and_then(|local| u32::try_from(local).ok());
            let mut defs = local.into_iter().flat_map(|local| bound.defs_of(local));
            defs.any(|def| {
                !matches!(
                    bound.def(def).kind,
                    DefKind::Alias | DefKind::Variable | DefKind::Label
                )
            })
        })
    })
}

/// Whether a type that `container` may be the name of has a member of a name: a type of that name or whose name ends with it,
/// for `options` is what values of `RequestOptions` are called, and what such a type derives from. What it derives from may
/// be outside; then nobody knows.
pub(super) fn is_member(search: &EvidenceSearch<'_>, name: &str, container: &str) -> bool {
    let container_word = container.to_lowercase();
    let mut above: Vec<String> = Vec::new();
    for of in types_named(search, container) {
        let (types, outside) = search.query.all_supertypes(of, MAX_SUPERTYPES);
        if !outside.is_empty() {
            return true;
        }
        above.extend(types.iter().map(|of| search.query.name(*of).to_owned()));
    }
    let mut named = search.view.index.named(name).iter();
    named.any(|symbol| {
        let Some((file, item)) = search.view.index.get(*symbol) else {
            return false;
        };
        let is_it = file.root == search.root
            && file.facts.str(item.name) == name
            && !is_test_path(&file.path);
        is_it && {
            let around = container_of(&file.facts, item);
            let is_alike = around.to_lowercase().ends_with(&container_word);
            !around.is_empty() && (is_alike || above.iter().any(|of| of == around))
        }
    })
}

/// The name of what a declaration is in; empty at the top level.
fn container_of<'f>(facts: &'f Facts, item: &Item) -> &'f str {
    if !item.container.is_empty() {
        return facts.str(item.container);
    }
    let parent = item
        .parent
        .and_then(|parent| facts.items.get(parent as usize));
    parent.map_or("", |parent| match parent.name.is_empty() {
        true => facts.str(parent.container),
        false => facts.str(parent.name),
    })
}
