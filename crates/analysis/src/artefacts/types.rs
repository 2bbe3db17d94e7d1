//! Every type as the ledger wants to know it.

use std::collections::BTreeSet;

use codecortex_index::{File, HashRules, Place, Symbol, Unit};
use codecortex_ledger::{Identity, Signature, TypeNow};
use codecortex_syntax::{Item, ItemIndex, ItemKind};
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::artefacts::needs::{Need, is_seen};

impl Analysis {
    /// Every type of a workspace folder as it is now, by its id. Modules are not among them: the
    /// ledger is about what has an outline of its own.
    #[must_use]
    pub fn types(&self, root: u32, rules: HashRules) -> Vec<TypeNow> {
        let mut types = self.types_now(self.type_units(root).into_iter().collect(), rules);
        types.sort_unstable_by(|a, b| (&a.identity, &a.id).cmp(&(&b.identity, &b.id)));
        types
    }

    /// Every type of a workspace folder, each by one of its parts, in no order that means anything.
    pub fn type_units(&self, root: u32) -> FxHashMap<Unit, Symbol> {
        let mut units: FxHashMap<Unit, Symbol> = FxHashMap::default();
        for (id, file) in self.index.files() {
            if file.root == root {
                for (unit, place) in self.index.units_of(id) {
                    if let Place::Type(symbol) = place {
                        let known = units.entry(unit).or_insert(symbol);
                        if self.place_key(symbol) < self.place_key(*known) {
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
    pub fn find_type(&self, root: u32, identity: &Identity) -> Option<Symbol> {
        let unit = Unit {
            root,
            path: identity.fqn.clone(),
            kind: ItemKind::from_word(&identity.kind)?.as_str(),
            arity: identity.arity,
        };
        self.find_type_unit(&unit)
    }

    /// The declaration that stands for a type. Of several, which are parts of it or its like by mistake,
    /// it is the first by path, in whatever order they came.
    pub fn find_type_unit(&self, unit: &Unit) -> Option<Symbol> {
        let mut name = unit.path.as_str();
        for separator in ["::", ".", "+", "/", "#"] {
            name = name.rsplit(separator).next().unwrap_or(name);
        }
        let is_it = |symbol: &Symbol| {
            self.index.get(*symbol).is_some_and(|(file, item)| {
                file.root == unit.root
                    && item.kind.as_str() == unit.kind
                    && item.arity == unit.arity
                    && self.index.path_of(*symbol) == unit.path
            })
        };
        let found = self.index.types_named(name).filter(is_it);
        found.min_by_key(|symbol| self.place_key(*symbol))
    }

    fn place_key(&self, symbol: Symbol) -> (&str, ItemIndex) {
        let file = self.index.file(symbol.file);
        (file.map_or("", |file| &*file.path), symbol.item)
    }

    /// Types as they are now, in their order.
    pub fn types_now(&self, units: Vec<(Unit, Symbol)>, rules: HashRules) -> Vec<TypeNow> {
        let symbols: Vec<Symbol> = units.iter().map(|(_, symbol)| *symbol).collect();
        let needs = self.needs_of_all(&symbols);
        let types = units.into_iter().zip(needs);
        types
            .map(|((unit, symbol), needs)| self.type_now(unit, symbol, needs, rules))
            .collect()
    }

    fn type_now(&self, unit: Unit, symbol: Symbol, needs: Vec<Need>, rules: HashRules) -> TypeNow {
        let members = self.index.members(symbol).into_iter();
        let api = members
            .filter_map(|member| self.index.get(member))
            .filter(|(_, item)| is_seen(item))
            .map(|(file, item)| Signature::of(&signature(file, item)));
        TypeNow {
            id: unit.id(),
            hashes: self.index.type_hashes(symbol, rules),
            project_id: String::new(),
            files: self.files_of_type(symbol),
            api: api.collect(),
            depends_on: needs.into_iter().map(|need| need.id).collect(),
            identity: Identity {
                fqn: unit.path,
                kind: unit.kind.to_owned(),
                arity: unit.arity,
            },
        }
    }

    /// The files that a type is written in, relative to their folder, sorted.
    pub fn files_of_type(&self, symbol: Symbol) -> Vec<String> {
        let parts = self.index.parts(symbol).into_iter();
        let files: BTreeSet<&str> = parts
            .filter_map(|part| self.index.file(part.symbol.file))
            .map(|file| &*file.path)
            .collect();
        files.into_iter().map(str::to_owned).collect()
    }
}

/// A member's canonical signature without the type that declares it.
fn signature(file: &File, item: &Item) -> String {
    let text = |string| file.facts.str(string);
    let mut words = vec![item.visibility.as_str()];
    words.extend(item.flags.modifiers());
    // A constructor is called as its type, which may just have got another name.
    let name = match item.kind {
        ItemKind::Constructor | ItemKind::Destructor => "",
        _ => text(item.name),
    };
    let kind = item.kind.as_str();
    let (result, params) = (text(item.result), text(item.params));
    format!(
        "{} {kind} {result} {name}({params}) {}",
        words.join(" "),
        item.arity
    )
}
