//! Every type as the ledger wants to know it.

use std::collections::BTreeSet;

use codecortex_index::{
    HashRules, IndexUnit, IndexedFile, Symbol, UnitLocation, canonical_signature,
};
use codecortex_ledger::{Identity, NameHash, RecordedSignature, TypeNow};
use codecortex_syntax::{Item, ItemIndex, ItemKind};
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::artefacts::needs::{Need, is_seen, needs_of_all};
use crate::symbols::ids::long_member_ids;

/// Every type of a workspace folder as it is now, by its id. Modules are not among them: the
/// ledger is about what has an outline of its own.
#[must_use]
pub fn types(code: &Analysis, root: u32, rules: HashRules) -> Vec<TypeNow> {
    let mut types = types_now(code, type_units(code, root).into_iter().collect(), rules);
    types.sort_unstable_by(|a, b| (&a.identity, &a.id).cmp(&(&b.identity, &b.id)));
    types
}

/// Every type of a workspace folder, each by one of its parts, in no order that means anything.
pub fn type_units(code: &Analysis, root: u32) -> FxHashMap<IndexUnit, Symbol> {
    let mut units: FxHashMap<IndexUnit, Symbol> = FxHashMap::default();
    for (id, file) in code.index.files() {
        if file.root == root {
            for (unit, place) in code.index.units_of(id) {
                if let UnitLocation::Type(symbol) = place {
                    let known = units.entry(unit).or_insert(symbol);
                    if place_key(code, symbol) < place_key(code, *known) {
                        *known = symbol;
                    }
                }
            }
        }
    }
    units
}

/// A type of a workspace folder by what makes it the one it is.
#[must_use]
pub fn find_type(code: &Analysis, root: u32, identity: &Identity) -> Option<Symbol> {
    let unit = IndexUnit {
        root,
        path: identity.fqn.clone(),
        kind: ItemKind::from_word(&identity.kind)?.as_str(),
        arity: identity.arity,
    };
    find_type_unit(code, &unit)
}

/// The declaration that stands for a type. Of several, which are parts of it or its like by mistake,
/// it is the first by path, in whatever order they came.
pub fn find_type_unit(code: &Analysis, unit: &IndexUnit) -> Option<Symbol> {
    let mut name = unit.path.as_str();
    for separator in ["::", ".", "+", "/", "#"] {
        name = name.rsplit(separator).next().unwrap_or(name);
    }
    let is_it = |symbol: &Symbol| {
        code.index.get(*symbol).is_some_and(|(file, item)| {
            file.root == unit.root
                && item.kind.as_str() == unit.kind
                && item.arity == unit.arity
                && code.index.path_of(*symbol) == unit.path
        })
    };
    let found = code.index.types_named(name).filter(is_it);
    found.min_by_key(|symbol| place_key(code, *symbol))
}

fn place_key(code: &Analysis, symbol: Symbol) -> (&str, ItemIndex) {
    let file = code.index.file(symbol.file);
    (file.map_or("", |file| &*file.path), symbol.item)
}

/// Types as they are now, in their order.
pub fn types_now(
    code: &Analysis,
    units: Vec<(IndexUnit, Symbol)>,
    rules: HashRules,
) -> Vec<TypeNow> {
    let symbols: Vec<Symbol> = units.iter().map(|(_, symbol)| *symbol).collect();
    let needs = needs_of_all(code, &symbols);
    let types = units.into_iter().zip(needs);
    types
        .map(|((unit, symbol), needs)| type_now(code, unit, symbol, needs, rules))
        .collect()
}

fn type_now(
    code: &Analysis,
    unit: IndexUnit,
    symbol: Symbol,
    needs: Vec<Need>,
    rules: HashRules,
) -> TypeNow {
    let members = code.index.members(symbol).into_iter();
    let declared = code.index.get(symbol);
    let name = declared.map_or("", |(file, item)| file.facts.str(item.name));
    let heads = members
        .filter_map(|member| code.index.get(member))
        .filter(|(_, item)| is_seen(item))
        .map(|(file, item)| {
            let head = RecordedSignature::of_member(&signature(file, item), name);
            (head, NameHash::from_name(file.facts.str(item.name)))
        });
    let (api, names) = heads.unzip();
    TypeNow {
        id: unit.id(),
        hashes: code.index.type_hashes(symbol, rules),
        project_id: String::new(),
        files: files_of_type(code, symbol),
        api,
        names,
        bases: bases(code, symbol),
        long_member_ids: long_member_ids(code, symbol),
        depends_on: needs.into_iter().map(|need| need.id).collect(),
        identity: Identity {
            fqn: unit.path,
            kind: unit.kind.to_owned(),
            arity: unit.arity,
        },
    }
}

/// The bases of a type as all its parts write them.
fn bases(code: &Analysis, symbol: Symbol) -> RecordedSignature {
    let mut written = BTreeSet::new();
    for part in code.index.parts(symbol) {
        if let Some((file, _)) = code.index.get(part.symbol) {
            let bases = file.facts.bases_of(part.symbol.item);
            written.extend(bases.map(|(_, base)| base.to_owned()));
        }
    }
    RecordedSignature::from_text(&Vec::from_iter(written).join("\n"))
}

/// The files that a type is written in, relative to their folder, sorted.
pub fn files_of_type(code: &Analysis, symbol: Symbol) -> Vec<String> {
    let parts = code.index.parts(symbol).into_iter();
    let files: BTreeSet<&str> = parts
        .filter_map(|part| code.index.file(part.symbol.file))
        .map(|file| &*file.path)
        .collect();
    files.into_iter().map(str::to_owned).collect()
}

/// A member's canonical signature without the type that declares it.
fn signature(file: &IndexedFile, item: &Item) -> String {
    // A constructor is called as its type, which may just have got another name.
    let name = match item.kind {
        ItemKind::Constructor | ItemKind::Destructor => "",
        _ => file.facts.str(item.name),
    };
    canonical_signature(&file.facts, item, name)
}
