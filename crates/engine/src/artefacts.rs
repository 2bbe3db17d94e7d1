//! What the files of `.context/` are made of: every type with its hashes, interface and dependencies
//! (SPEC P3, H1).

use std::collections::BTreeSet;

use codecortex_index::{File, HashRules, Place, Symbol, Unit, type_id};
use codecortex_ledger::{Identity, TypeNow};
use codecortex_syntax::{Item, ItemKind, Visibility};
use rustc_hash::FxHashMap;

use crate::Engine;

impl Engine {
    /// Every type of a workspace folder as it is now, by its id. Modules are not among them: the
    /// ledger is about what has an outline of its own.
    #[must_use]
    pub fn types(&self, root: u32, rules: HashRules) -> Vec<TypeNow> {
        let mut units: FxHashMap<Unit, Symbol> = FxHashMap::default();
        for (id, file) in self.index.files() {
            if file.root == root {
                for (unit, place) in self.index.units_of(id) {
                    if let Place::Type(symbol) = place {
                        units.entry(unit).or_insert(symbol);
                    }
                }
            }
        }
        let mut types: Vec<TypeNow> = units
            .into_iter()
            .map(|(unit, symbol)| self.type_now(unit, symbol, rules))
            .collect();
        types.sort_unstable_by(|a, b| (&a.identity, &a.id).cmp(&(&b.identity, &b.id)));
        types
    }

    fn type_now(&self, unit: Unit, symbol: Symbol, rules: HashRules) -> TypeNow {
        let files: BTreeSet<&str> = self
            .index
            .parts(symbol)
            .into_iter()
            .filter_map(|part| self.index.file(part.symbol.file))
            .map(|file| &*file.path)
            .collect();
        let mut api = Vec::new();
        let mut names: BTreeSet<String> = BTreeSet::new();
        for part in self.index.parts(symbol) {
            if let Some(file) = self.index.file(part.symbol.file) {
                let bases = file.facts.bases_of(part.symbol.item);
                bases.for_each(|(_, base)| add_names(base, &mut names));
            }
        }
        for member in self.index.members(symbol) {
            let Some((file, item)) = self.index.get(member) else {
                continue;
            };
            if matches!(item.visibility, Visibility::Public | Visibility::Protected) {
                api.push(signature(file, item));
                add_names(file.facts.str(item.result), &mut names);
                add_names(file.facts.str(item.params), &mut names);
            }
        }
        let id = unit.id();
        let depends_on = names
            .iter()
            .filter_map(|name| self.only_type_named(name, symbol))
            .filter(|other| *other != id)
            .collect();
        TypeNow {
            id,
            hashes: self.index.type_hashes(symbol, rules),
            project_id: String::new(),
            files: files.into_iter().map(str::to_owned).collect(),
            api,
            depends_on,
            identity: Identity {
                fqn: unit.path,
                kind: unit.kind.to_owned(),
                arity: unit.arity,
            },
        }
    }

    /// The id of the type that a name in the text of `around` means, where only one can be meant: in
    /// the same folder and language, one of that name. Scopes and imports are not looked at yet.
    fn only_type_named(&self, name: &str, around: Symbol) -> Option<String> {
        let (file, _) = self.index.get(around)?;
        let mut ids: BTreeSet<String> = BTreeSet::new();
        for symbol in self.index.types_named(name) {
            let (other, item) = self.index.get(symbol)?;
            if other.root == file.root && other.facts.language == file.facts.language {
                let path = self.index.path_of(symbol);
                ids.insert(type_id(&path, item.kind.as_str(), item.arity));
            }
        }
        if ids.len() > 1 {
            return None;
        }
        ids.pop_first()
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

/// The names in a type as written.
fn add_names(text: &str, names: &mut BTreeSet<String>) {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_name = |word: &&str| word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit());
    names.extend(words.filter(is_name).map(str::to_owned));
}
