//! Symbols that observations are about: their hashes then, and what became of them (SPEC X7).
//!
//! A type or module has the layers of [`codecortex_index::Hashes`]. Of a member, `structure` is what users of it see and
//! `publicImpl` its own body: that is what an observation about it is about, whoever may call it.

use std::collections::BTreeMap;

use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_index::{HashRules, Hashes, Symbol, render_long};
use codecortex_memory::{Anchor, Since};
use codecortex_protocol::{Phase, ToolError};
use codecortex_syntax::{Digest, Layer};
use xxhash_rust::xxh3::xxh3_128;

use crate::invocation::Invocation;
use crate::observations::successors::successor;
use crate::tools::hashes::unit_around;

/// A symbol as it is now.
///
/// # Errors
/// As for any tool that is given a symbol; `Unavailable` where hashes were given up.
pub(crate) fn anchor(cx: &Invocation<'_>, name: &str) -> Result<Anchor, ToolError> {
    cx.memory.need_bodies()?;
    let found = cx.find_symbol(name)?;
    let id = found.symbols.first().and_then(|first| {
        let resolved = resolved_symbol(cx, *first)?;
        Some(resolved.member_id.unwrap_or(resolved.type_id))
    });
    Ok(Anchor {
        hashes: layers(cx, &found.symbols),
        symbol: found.path,
        id,
        unknown: serde_json::Map::new(),
    })
}

/// What became of a symbol; nothing where the index is not far enough to say.
pub(crate) fn since(cx: &Invocation<'_>, anchor: &Anchor) -> Option<Since> {
    if cx.memory.need_bodies().is_err() {
        return None;
    }
    let by_id = anchor.id.as_deref().and_then(|id| cx.peek_symbol(id));
    let found = by_id.or_else(|| cx.peek_symbol(&anchor.symbol));
    match found {
        Some(found) if !found.symbols.is_empty() => Some(Since::Hashes(layers(cx, &found.symbols))),
        _ if cx.phase() != Phase::Ready => None,
        _ => Some(match successor(cx, anchor) {
            Some(symbols) => Since::Hashes(layers(cx, &symbols)),
            None => Since::Gone,
        }),
    }
}

/// What a symbol was called before: its type, or the one that it is in, by the aliases that lead to that.
pub(crate) fn former_names(cx: &Invocation<'_>, path: &str) -> Vec<String> {
    let mut names = Vec::new();
    for ledger in cx.view.ledgers.iter().flatten() {
        for alias in ledger.aliases().filter(|alias| !alias.old_path.is_empty()) {
            let Some(now) = ledger.get(&alias.new_type_id) else {
                continue;
            };
            let rest = path.strip_prefix(now.identity.fqn.as_str());
            if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('.')) {
                names.push(format!("{}{rest}", alias.old_path));
            }
        }
    }
    names
}

/// The hashes by layer of declarations of one path.
pub(crate) fn layers(cx: &Invocation<'_>, symbols: &[Symbol]) -> BTreeMap<String, String> {
    let is_unit = |symbol: &Symbol| {
        let item = cx.index.get(*symbol).map(|(_, item)| item.kind);
        item.is_some_and(|kind| kind.is_type() || kind.is_namespace())
    };
    let unit = symbols.first().filter(|symbol| is_unit(symbol));
    let of_unit = unit.and_then(|symbol| {
        let (unit, place) = unit_around(cx, *symbol)?;
        cx.index
            .hashes_without(&unit, place, HashRules::default(), None)
    });
    match of_unit {
        Some(hashed) => of_hashes(&hashed.hashes),
        None => of_declarations(cx, symbols),
    }
}

fn of_hashes(hashes: &Hashes) -> BTreeMap<String, String> {
    [
        ("structure", &hashes.structure),
        ("publicImpl", &hashes.public_impl),
        ("internalImpl", &hashes.internal_impl),
        ("xmlDoc", &hashes.doc),
        ("cosmetic", &hashes.cosmetic),
    ]
    .map(|(layer, hash)| (layer.to_owned(), render_long(hash)))
    .into()
}

fn of_declarations(cx: &Invocation<'_>, symbols: &[Symbol]) -> BTreeMap<String, String> {
    let of = |layer: Layer| {
        let digests = layer_digests(cx, symbols, layer);
        render_long(&xxh3_128(&digests.concat()).to_be_bytes())
    };
    [
        ("structure", Layer::Header),
        ("publicImpl", Layer::Body),
        ("internalImpl", Layer::Inner),
        ("xmlDoc", Layer::Doc),
        ("cosmetic", Layer::Cosmetic),
    ]
    .map(|(name, layer)| (name.to_owned(), of(layer)))
    .into()
}

/// The digests of a layer of declarations. The order in which overloads stand means nothing.
pub(crate) fn layer_digests(cx: &Invocation<'_>, symbols: &[Symbol], layer: Layer) -> Vec<Digest> {
    let mut digests: Vec<Digest> = symbols
        .iter()
        .filter_map(|symbol| Some((symbol.item, cx.index.file(symbol.file)?)))
        .flat_map(|(item, file)| file.facts.layer(item, layer).copied())
        .collect();
    digests.sort_unstable();
    digests
}
