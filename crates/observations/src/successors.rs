//! What a declaration became that is no longer under its name: the one that does the same (SPEC X7).
//!
//! Types that the ledger knows leave aliases. Of everything else, and of what moved before the ledger knew of it, nobody notes
//! another name; a note's anchor has hashes of what it was about, and one declaration alone that has them is that. It is
//! looked for where a rename or a move would put it: in the same type, in the same module, and under the same name elsewhere.

use codecortex_analysis::view::AnalysisView;
use codecortex_index::Symbol;
use codecortex_memory::Anchor;
use codecortex_syntax::Layer;

use crate::anchors::{layer_digests, layers};

/// What became of the declaration of an anchor; none where no declaration, or more than one, does the same.
pub(crate) fn successor(view: &AnalysisView<'_>, anchor: &Anchor) -> Option<Vec<Symbol>> {
    only(view, anchor, in_owner(view, anchor))
        .or_else(|| only(view, anchor, in_module(view, anchor)))
        .or_else(|| only(view, anchor, elsewhere(view, anchor)))
}

/// The one of some declarations that does what an anchor's did.
fn only(view: &AnalysisView<'_>, anchor: &Anchor, candidates: Vec<Symbol>) -> Option<Vec<Symbol>> {
    let mut same = candidates
        .into_iter()
        .filter(|symbol| is_same(view, anchor, *symbol));
    let found = same.next()?;
    same.next().is_none().then(|| vec![found])
}

fn is_same(view: &AnalysisView<'_>, anchor: &Anchor, symbol: Symbol) -> bool {
    let item = view.index.get(symbol).map(|(_, item)| item.kind);
    let is_unit = item.is_some_and(|kind| kind.is_type() || kind.is_namespace());
    // A declaration without a body does what every other one without a body does.
    if !is_unit && layer_digests(view, &[symbol], Layer::Body).is_empty() {
        return false;
    }
    let now = layers(view, &[symbol]);
    ["publicImpl", "internalImpl"]
        .iter()
        .all(|layer| now.contains_key(*layer) && now.get(*layer) == anchor.hashes.get(*layer))
}

/// The members of the type that a member was in.
fn in_owner(view: &AnalysisView<'_>, anchor: &Anchor) -> Vec<Symbol> {
    let Some((owner, _)) = owner_and_name(&anchor.symbol) else {
        return Vec::new();
    };
    // The id of a member begins with that of its type, which leads on where that has another name too.
    let id = anchor.id.as_deref().and_then(|id| id.rsplit_once('_'));
    let owner = id
        .filter(|(owner, _)| owner.contains('_'))
        .and_then(|(owner, _)| view.peek_symbol(owner))
        .or_else(|| view.peek_symbol(owner));
    let owner = owner.and_then(|owner| owner.symbols.first().copied());
    owner.map_or_else(Vec::new, |owner| view.index.member_declarations(owner))
}

/// What stands in the module that a declaration was in, beside its types' members.
fn in_module(view: &AnalysisView<'_>, anchor: &Anchor) -> Vec<Symbol> {
    let Some((owner, _)) = owner_and_name(&anchor.symbol) else {
        return Vec::new();
    };
    let names = segments(owner);
    let mut found = Vec::new();
    for (id, file) in view.index.files() {
        let own = view.index.module_segments(file);
        if own.is_empty()
            || own
                .iter()
                .flat_map(|name| segments(name))
                .ne(names.iter().copied())
        {
            continue;
        }
        let items = file.facts.items.iter().zip(0..);
        let outer = items.filter(|(item, _)| item.parent.is_none());
        found.extend(outer.map(|(_, item)| Symbol { file: id, item }));
    }
    found
}

/// What has the same name elsewhere; a member, in a type of the same name.
fn elsewhere(view: &AnalysisView<'_>, anchor: &Anchor) -> Vec<Symbol> {
    let Some((owner, name)) = owner_and_name(&anchor.symbol) else {
        return Vec::new();
    };
    let owner = segments(owner).last().copied();
    let is_member = anchor
        .id
        .as_deref()
        .is_some_and(|id| id.matches('_').count() > 1);
    let named = view.index.named(name).iter().copied();
    let is_it = |symbol: &Symbol| {
        let path = view.index.segments(*symbol);
        let around = path.len().checked_sub(2).and_then(|at| path.get(at));
        let own = path.last().is_some_and(|own| own.text == name);
        own && (!is_member || around.map(|segment| segment.text) == owner)
    };
    named.filter(is_it).collect()
}

/// What a path names, and what that is in.
fn owner_and_name(path: &str) -> Option<(&str, &str)> {
    let at = path.rfind(is_separator)?;
    Some((path[..at].trim_end_matches(is_separator), &path[at + 1..]))
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '.' | ':' | '#' | '/' | '\\')
}

/// The names of a path, outermost first.
fn segments(path: &str) -> Vec<&str> {
    path.split(is_separator)
        .filter(|name| !name.is_empty())
        .collect()
}

/// Whether an anchor's own name leads nowhere, and its hashes to the declaration that is called so now.
pub fn leads_to(view: &AnalysisView<'_>, anchor: &Anchor, path: &str) -> bool {
    let by_id = anchor.id.as_deref().and_then(|id| view.peek_symbol(id));
    let own = by_id.or_else(|| view.peek_symbol(&anchor.symbol));
    let found = match own {
        // The type was renamed: its id leads on.
        Some(own) if own.path != anchor.symbol => own.symbols,
        Some(_) => return false,
        None => successor(view, anchor).unwrap_or_default(),
    };
    found
        .first()
        .is_some_and(|symbol| view.index.path_of(*symbol) == path)
}

/// Returns the words under which the notes of a declaration are found: a rename keeps its container, a move its name.
pub fn search_words(path: &str) -> Vec<&str> {
    let Some((owner, name)) = owner_and_name(path) else {
        return Vec::new();
    };
    let owner = segments(owner).last().copied();
    // A name without letters is in no text.
    let words = owner.into_iter().chain([name]);
    words
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .collect()
}
