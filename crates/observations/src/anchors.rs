//! Symbols that observations are about: their hashes then, and what became of them (SPEC X7).
//!
//! A type or module has the layers of [`codecortex_index::Hashes`]. Of a member, `structure` is what users of it see and
//! `publicImpl` its own body: that is what an observation about it is about, whoever may call it.

use std::collections::BTreeMap;

use codecortex_analysis::artefacts::unit::unit_around;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_analysis::view::AnalysisView;
use codecortex_index::{HashRules, Hashes, Symbol, render_long};
use codecortex_memory::{Anchor, Since};
use codecortex_protocol::{Phase, ToolError};
use codecortex_syntax::{Digest, Layer};
use xxhash_rust::xxh3::xxh3_128;

use crate::successors::successor;

/// A symbol as it is now.
///
/// # Errors
/// As for any tool that is given a symbol; `Unavailable` where hashes were given up.
pub fn anchor(view: &AnalysisView<'_>, name: &str) -> Result<Anchor, ToolError> {
    view.memory().need_bodies()?;
    let found = view.find_symbol(name)?;
    let id = found.symbols.first().and_then(|first| {
        let resolved = resolved_symbol(view, *first)?;
        Some(resolved.member_id.unwrap_or(resolved.type_id))
    });
    Ok(Anchor {
        hashes: layers(view, &found.symbols),
        symbol: found.path,
        id,
        unknown: serde_json::Map::new(),
    })
}

/// What became of a symbol; nothing where the index is not far enough to say.
pub fn since(view: &AnalysisView<'_>, anchor: &Anchor) -> Option<Since> {
    if view.memory().need_bodies().is_err() {
        return None;
    }
    let by_id = anchor.id.as_deref().and_then(|id| view.peek_symbol(id));
    let found = by_id.or_else(|| view.peek_symbol(&anchor.symbol));
    match found {
        Some(found) if !found.symbols.is_empty() => {
            Some(Since::Hashes(layers(view, &found.symbols)))
        }
        _ if view.phase() != Phase::Ready => None,
        _ => Some(match successor(view, anchor) {
            Some(symbols) => Since::Hashes(layers(view, &symbols)),
            None => Since::Gone,
        }),
    }
}

/// What a symbol was called before: its type, or the one that it is in, by the aliases that lead to that.
pub fn former_names(view: &AnalysisView<'_>, path: &str) -> Vec<String> {
    let mut names = Vec::new();
    for ledger in view.ledgers.iter().flatten() {
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
pub(crate) fn layers(view: &AnalysisView<'_>, symbols: &[Symbol]) -> BTreeMap<String, String> {
    let is_unit = |symbol: &Symbol| {
        let item = view.index.get(*symbol).map(|(_, item)| item.kind);
        item.is_some_and(|kind| kind.is_type() || kind.is_namespace())
    };
    let unit = symbols.first().filter(|symbol| is_unit(symbol));
    let of_unit = unit.and_then(|symbol| {
        let (unit, place) = unit_around(view.index, *symbol)?;
        view.index
            .hashes_without(&unit, place, HashRules::default(), None)
    });
    match of_unit {
        Some(hashed) => of_hashes(&hashed.hashes),
        None => of_declarations(view, symbols),
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

fn of_declarations(view: &AnalysisView<'_>, symbols: &[Symbol]) -> BTreeMap<String, String> {
    let of = |layer: Layer| {
        let digests = layer_digests(view, symbols, layer);
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
pub(crate) fn layer_digests(
    view: &AnalysisView<'_>,
    symbols: &[Symbol],
    layer: Layer,
) -> Vec<Digest> {
    let mut digests: Vec<Digest> = symbols
        .iter()
        .filter_map(|symbol| Some((symbol.item, view.index.file(symbol.file)?)))
        .flat_map(|(item, file)| file.facts.layer(item, layer).copied())
        .collect();
    digests.sort_unstable();
    digests
}
