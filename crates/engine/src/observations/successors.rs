//! What a declaration became that is no longer under its name: the one that does the same (SPEC X7).
//!
//! Types that the ledger knows leave aliases. Of everything else, and of what moved before the ledger knew of it, nobody notes
//! another name; a note's anchor has hashes of what it was about, and one declaration alone that has them is that. It is
//! looked for where a rename or a move would put it: in the same type, in the same module, and under the same name elsewhere.

use codecortex_analysis::view::View;
use codecortex_index::Symbol;
use codecortex_memory::{Anchor, RecallRequest};
use codecortex_protocol::ToolError;
use codecortex_syntax::Layer;

use crate::calls::CallContext;
use crate::invocation::Invocation;
use crate::observations::anchors::{layer_digests, layers};
use crate::observations::settings::Settings;
use crate::observations::store;

/// Observations of a name that are looked through for former names, the newest first.
const MOST_LOOKED_AT: usize = 500;

/// What became of the declaration of an anchor; none where no declaration, or more than one, does the same.
pub(crate) fn successor(cx: &Invocation<'_>, anchor: &Anchor) -> Option<Vec<Symbol>> {
    only(cx, anchor, in_owner(cx, anchor))
        .or_else(|| only(cx, anchor, in_module(cx, anchor)))
        .or_else(|| only(cx, anchor, elsewhere(cx, anchor)))
}

/// The one of some declarations that does what an anchor's did.
fn only(cx: &Invocation<'_>, anchor: &Anchor, candidates: Vec<Symbol>) -> Option<Vec<Symbol>> {
    let mut same = candidates
        .into_iter()
        .filter(|symbol| is_same(cx, anchor, *symbol));
    let found = same.next()?;
    same.next().is_none().then(|| vec![found])
}

fn is_same(cx: &Invocation<'_>, anchor: &Anchor, symbol: Symbol) -> bool {
    let item = cx.index.get(symbol).map(|(_, item)| item.kind);
    let is_unit = item.is_some_and(|kind| kind.is_type() || kind.is_namespace());
    // A declaration without a body does what every other one without a body does.
    if !is_unit && layer_digests(cx, &[symbol], Layer::Body).is_empty() {
        return false;
    }
    let now = layers(cx, &[symbol]);
    ["publicImpl", "internalImpl"]
        .iter()
        .all(|layer| now.contains_key(*layer) && now.get(*layer) == anchor.hashes.get(*layer))
}

/// The members of the type that a member was in.
fn in_owner(cx: &Invocation<'_>, anchor: &Anchor) -> Vec<Symbol> {
    let Some((owner, _)) = owner_and_name(&anchor.symbol) else {
        return Vec::new();
    };
    // The id of a member begins with that of its type, which leads on where that has another name too.
    let id = anchor.id.as_deref().and_then(|id| id.rsplit_once('_'));
    let owner = id
        .filter(|(owner, _)| owner.contains('_'))
        .and_then(|(owner, _)| cx.peek_symbol(owner))
        .or_else(|| cx.peek_symbol(owner));
    let owner = owner.and_then(|owner| owner.symbols.first().copied());
    owner.map_or_else(Vec::new, |owner| cx.index.member_declarations(owner))
}

/// What stands in the module that a declaration was in, beside its types' members.
fn in_module(cx: &Invocation<'_>, anchor: &Anchor) -> Vec<Symbol> {
    let Some((owner, _)) = owner_and_name(&anchor.symbol) else {
        return Vec::new();
    };
    let names = segments(owner);
    let mut found = Vec::new();
    for (id, file) in cx.index.files() {
        let own = cx.index.module_segments(file);
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
fn elsewhere(cx: &Invocation<'_>, anchor: &Anchor) -> Vec<Symbol> {
    let Some((owner, name)) = owner_and_name(&anchor.symbol) else {
        return Vec::new();
    };
    let owner = segments(owner).last().copied();
    let is_member = anchor
        .id
        .as_deref()
        .is_some_and(|id| id.matches('_').count() > 1);
    let named = cx.index.named(name).iter().copied();
    let is_it = |symbol: &Symbol| {
        let path = cx.index.segments(*symbol);
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

/// What notes call a declaration that is called so now: names of anchors that lead nowhere but to it.
///
/// # Errors
/// The store cannot be read.
pub(crate) async fn names_in_notes(
    cx: &CallContext,
    settings: &Settings,
    path: &str,
) -> Result<Vec<String>, ToolError> {
    let mut names: Vec<String> = Vec::new();
    if cx.session().code.memory.need_bodies().is_err() {
        return Ok(names);
    }
    let Some((owner, name)) = owner_and_name(path) else {
        return Ok(names);
    };
    // A rename keeps what it is in, a move keeps its name; anchors are among the texts that words are looked for in.
    let owner = segments(owner).last().copied();
    for word in owner.into_iter().chain([name]) {
        let question = RecallRequest {
            query: Some(word.to_owned()),
            limit: Some(MOST_LOOKED_AT),
            ..RecallRequest::default()
        };
        // A name without letters is in no text.
        if !word.chars().any(char::is_alphanumeric) {
            continue;
        }
        let found = store::recall(cx, settings, &question).await?;
        let anchors = found.records.iter().flat_map(|record| &record.ext);
        let anchors: Vec<&Anchor> = anchors.flat_map(|ext| &ext.anchors).collect();
        cx.view(|cx| {
            for anchor in anchors {
                let is_known = anchor.symbol == path || names.contains(&anchor.symbol);
                if !is_known && leads_to(cx, anchor, path) {
                    names.push(anchor.symbol.clone());
                }
            }
        })
        .await;
    }
    Ok(names)
}

/// Whether an anchor's own name leads nowhere, and its hashes to the declaration that is called so now.
fn leads_to(cx: &Invocation<'_>, anchor: &Anchor, path: &str) -> bool {
    let by_id = anchor.id.as_deref().and_then(|id| cx.peek_symbol(id));
    let own = by_id.or_else(|| cx.peek_symbol(&anchor.symbol));
    let found = match own {
        // The type was renamed: its id leads on.
        Some(own) if own.path != anchor.symbol => own.symbols,
        Some(_) => return false,
        None => successor(cx, anchor).unwrap_or_default(),
    };
    let view: &View<'_> = &cx.view;
    found
        .first()
        .is_some_and(|symbol| view.index.path_of(*symbol) == path)
}
