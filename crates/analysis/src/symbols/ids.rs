//! Ids of types and members, and the way back from an id to its symbol (SPEC H2, TC4).

use codecortex_index::{
    File, Match, Resolution, Resolved, SegmentKind, Symbol, SymbolPath, member_id, type_id,
};
use codecortex_syntax::{Flags, Item, ItemKind};
use rustc_hash::FxHashMap;

use crate::analysis::{Analysis, Ids};
use crate::generated::{is_unread_id, note_generated_id};
use crate::place::ResolvedSymbol;
use crate::view::View;

/// More ids than this are not kept from answers.
const MAX_KNOWN_IDS: usize = 100_000;

/// What a member's id is made of (SPEC H2, `000` §4.4): accessibility, modifiers sorted, the type it
/// gives, its full name, the types of its parameters, how many of its own type parameters it has. Neither
/// names nor default values of parameters count.
fn canonical_signature(file: &File, item: &Item, path: &str) -> String {
    let mut words = vec![item.visibility.as_str()];
    words.extend(item.flags.modifiers());
    let text = |string| file.facts.str(string);
    let (result, params) = (text(item.result), text(item.params));
    let words = words.join(" ");
    // A language without types tells a method from a field by its kind.
    let kind = item.kind.as_str();
    format!("{words} {kind} {result} {path}({params}) {}", item.arity)
}

/// The ids of a symbol (SPEC H2, TC4), which are kept: the caller may come back with them.
pub fn resolved_symbol(view: &View<'_>, symbol: Symbol) -> Option<ResolvedSymbol> {
    let mut resolved = ids_of(view, symbol)?;
    if let Some(redirect) = view.redirect_to(&resolved) {
        resolved.redirected_from = Some(redirect.asked);
        resolved.found_by = Some(redirect.by);
    }
    let mut ids = view.ids.borrow_mut();
    if ids.known.len() >= MAX_KNOWN_IDS && ids.all_of != Some(view.revision) {
        *ids = Ids::default();
    }
    ids.known.insert(resolved.id().to_owned(), symbol);
    note_generated_id(view, resolved.id(), symbol.file);
    Some(resolved)
}

/// The ids of everything that one path means: several overloads have no single member id (SPEC TC4).
pub fn resolved_set(view: &View<'_>, symbols: &[Symbol]) -> Option<ResolvedSymbol> {
    let (first, rest) = symbols.split_first()?;
    let mut resolved = resolved_symbol(view, *first)?;
    let is_other = |symbol: &Symbol| {
        ids_of(view, *symbol).is_some_and(|ids| ids.member_id != resolved.member_id)
    };
    if rest.iter().any(is_other) {
        resolved.member_id = None;
    }
    Some(resolved)
}

fn ids_of(code: &Analysis, symbol: Symbol) -> Option<ResolvedSymbol> {
    let (file, item) = code.index.get(symbol)?;
    let path = code.index.path_of(symbol);
    if item.kind.is_type() || item.kind.is_namespace() {
        let type_id = type_id(&path, item.kind.as_str(), item.arity);
        return Some(ResolvedSymbol {
            path,
            redirected_from: None,
            found_by: None,
            type_id,
            member_id: None,
        });
    }
    let owner = owner_id(code, symbol, file, item);
    let signature = canonical_signature(file, item, &path);
    Some(ResolvedSymbol {
        member_id: Some(member_id(&owner, &signature)),
        redirected_from: None,
        found_by: None,
        path,
        type_id: owner,
    })
}

/// The id of what a member is in: the type around it, the type that it is written outside of,
/// or the module.
fn owner_id(code: &Analysis, symbol: Symbol, file: &File, item: &Item) -> String {
    let mut parent = item.parent;
    while let Some(index) = parent {
        let around = &file.facts.items[index as usize];
        if around.kind.is_type() {
            let owner = Symbol {
                file: symbol.file,
                item: index,
            };
            return type_id(
                &code.index.path_of(owner),
                around.kind.as_str(),
                around.arity,
            );
        }
        parent = around.parent;
    }
    let segments = code.index.segments(symbol);
    let owner: Vec<&str> = segments[..segments.len().saturating_sub(1)]
        .iter()
        .map(|s| s.text)
        .collect();
    let in_type = segments
        .iter()
        .rev()
        .nth(1)
        .is_some_and(|segment| segment.kind == SegmentKind::Type);
    if in_type
        && let Some(path) = SymbolPath::parse(&owner.join("."))
        && let Resolution::One(found) = code.index.resolve(&path)
        && let Some((_, item)) = code.index.get(found.symbols[0])
        && item.kind.is_type()
    {
        return type_id(&found.path, item.kind.as_str(), item.arity);
    }
    type_id(&owner.join("."), "module", 0)
}

/// The symbol that an id stands for.
pub fn by_id(code: &Analysis, id: &str) -> Option<Resolved> {
    if !id.starts_with("T_") {
        return None;
    }
    let id = id.to_ascii_lowercase().replacen("t_", "T_", 1);
    if is_unread_id(code, &id) {
        return None;
    }
    let symbol = known_id(code, &id).or_else(|| {
        let is_complete = code.ids.borrow().all_of == Some(code.revision);
        if is_complete {
            return None;
        }
        let ids = all_ids(code);
        let symbol = ids.known.get(&id).copied();
        *code.ids.borrow_mut() = ids;
        symbol
    })?;
    Some(Resolved {
        path: code.index.path_of(symbol),
        symbols: vec![symbol],
        matched: Match::Exact,
    })
}

/// The symbol of an id that was given out, if it is still somewhere in the same file.
pub fn known_id(code: &Analysis, id: &str) -> Option<Symbol> {
    let before = *code.ids.borrow().known.get(id)?;
    let is_it = |symbol: &Symbol| ids_of(code, *symbol).is_some_and(|now| now.id() == id);
    if is_it(&before) {
        return Some(before);
    }
    let file = code.index.file(before.file)?;
    (0..file.facts.items.len() as u32)
        .map(|item| Symbol { item, ..before })
        .filter(|symbol| has_id(code, *symbol))
        .find(is_it)
}

fn has_id(code: &Analysis, symbol: Symbol) -> bool {
    let item = code.index.get(symbol).map(|(_, item)| item);
    item.is_some_and(|item| item.kind != ItemKind::Extension && !item.flags.contains(Flags::LOCAL))
}

/// Every id; half a second on a million lines.
fn all_ids(code: &Analysis) -> Ids {
    let mut known = FxHashMap::default();
    for (file_id, file) in code.index.files() {
        for item in 0..file.facts.items.len() as u32 {
            let symbol = Symbol {
                file: file_id,
                item,
            };
            if has_id(code, symbol)
                && let Some(resolved) = ids_of(code, symbol)
            {
                let id = resolved.id().to_owned();
                known.entry(id).or_insert(symbol);
            }
        }
    }
    Ids {
        known,
        all_of: Some(code.revision),
    }
}
