//! Ids of types and members, and the way back from an id to its symbol (SPEC H2, TC4).

use codecortex_index::{
    FileId, IndexedFile, Match, Resolution, Resolved, SegmentKind, SharedIds, Symbol, SymbolPath,
    canonical_signature, is_free, member_id, type_id,
};
use codecortex_ledger::LongMemberId;
use codecortex_syntax::{Item, ItemFlags, ItemKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

use crate::analysis::{Analysis, Ids, KnownSharedIds};
use crate::generated::{is_unread_id, note_generated_id};
use crate::place::ResolvedSymbol;
use crate::view::AnalysisView;

/// More ids than this are not kept from answers.
const MAX_KNOWN_IDS: usize = 100_000;

/// The ids of a symbol (SPEC H2, TC4), which are kept: the caller may come back with them.
pub fn resolved_symbol(view: &AnalysisView<'_>, symbol: Symbol) -> Option<ResolvedSymbol> {
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
pub fn resolved_set(view: &AnalysisView<'_>, symbols: &[Symbol]) -> Option<ResolvedSymbol> {
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
    let (owner, around) = (owner.id, owner.symbol);
    let signature = canonical_signature(&file.facts, item, &path);
    let shared = shared_ids(code, around, symbol);
    Some(ResolvedSymbol {
        member_id: Some(member_id(&owner, &signature, &shared)),
        redirected_from: None,
        found_by: None,
        path,
        type_id: owner,
    })
}

/// What a member is in.
struct MemberContainer {
    id: String,
    /// The type; `None` where it is a module.
    symbol: Option<Symbol>,
}

/// The short ids that several members of one type have, or several of what one file declares outside of types.
fn shared_ids(code: &Analysis, owner: Option<Symbol>, member: Symbol) -> Rc<SharedIds> {
    let key = (owner, owner.map_or(Some(member.file), |_| None));
    let mut known = code.shared_ids.borrow_mut();
    if known.revision != code.revision {
        *known = KnownSharedIds::default();
        known.revision = code.revision;
    }
    let found = known.by_owner.entry(key).or_insert_with(|| {
        let members = match owner {
            Some(owner) => code.index.member_declarations(owner),
            None => free_members(code, member.file),
        };
        let signatures = members
            .into_iter()
            .filter_map(|member| signature(code, member));
        Rc::new(SharedIds::among(signatures))
    });
    Rc::clone(found)
}

/// What a file declares outside of types.
fn free_members(code: &Analysis, file: FileId) -> Vec<Symbol> {
    let items = code.index.file(file).map(|file| &file.facts);
    let items = items.into_iter().flat_map(|facts| {
        let items = (0_u32..).zip(&facts.items);
        items.filter(move |(_, item)| is_free(facts, item))
    });
    items.map(|(item, _)| Symbol { file, item }).collect()
}

/// The canonical signature of a member; `None` for a type.
fn signature(code: &Analysis, member: Symbol) -> Option<String> {
    let (file, item) = code.index.get(member)?;
    let is_member = !item.kind.is_type() && !item.kind.is_namespace();
    let path = || code.index.path_of(member);
    is_member.then(|| canonical_signature(&file.facts, item, &path()))
}

/// Members of a type with ids that are longer than usual, with their signatures, sorted.
#[must_use]
pub fn long_member_ids(code: &Analysis, owner: Symbol) -> Vec<LongMemberId> {
    let declared = code.index.member_declarations(owner);
    let Some(first) = declared.first() else {
        return Vec::new();
    };
    if shared_ids(code, Some(owner), *first).is_empty() {
        return Vec::new();
    }
    let long = |member: Symbol| {
        let id = ids_of(code, member)?.member_id?;
        let signature = signature(code, member)?;
        SharedIds::is_long(&id).then_some(LongMemberId { id, signature })
    };
    let mut found: Vec<LongMemberId> = declared.into_iter().filter_map(long).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The id of what a member is in: the type around it, the type that it is written outside of,
/// or the module.
fn owner_id(code: &Analysis, symbol: Symbol, file: &IndexedFile, item: &Item) -> MemberContainer {
    let mut parent = item.parent;
    while let Some(index) = parent {
        let around = &file.facts.items[index as usize];
        if around.kind.is_type() {
            let owner = Symbol {
                file: symbol.file,
                item: index,
            };
            let path = code.index.path_of(owner);
            return MemberContainer {
                id: type_id(&path, around.kind.as_str(), around.arity),
                symbol: Some(owner),
            };
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
        return MemberContainer {
            id: type_id(&found.path, item.kind.as_str(), item.arity),
            symbol: Some(found.symbols[0]),
        };
    }
    MemberContainer {
        id: type_id(&owner.join("."), "module", 0),
        symbol: None,
    }
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
    item.is_some_and(|item| {
        item.kind != ItemKind::Extension && !item.flags.contains(ItemFlags::LOCAL)
    })
}

/// Every id; half a second on a million lines.
fn all_ids(code: &Analysis) -> Ids {
    let mut known = FxHashMap::default();
    for (file_id, file) in code.index.all_files() {
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
