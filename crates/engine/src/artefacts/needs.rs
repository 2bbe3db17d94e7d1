//! What a type's structure needs: its bases and the types in what others see of it.

use std::collections::BTreeMap;

use codecortex_index::{File, Symbol, type_id};
use codecortex_syntax::{Flags, Item, ItemKind, Language, Visibility};
use rustc_hash::FxHashMap;

use crate::Engine;

/// A type that another one needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// The type, by one of its parts.
    pub(crate) symbol: Symbol,
    /// Its id.
    pub(crate) id: String,
    /// Whether it is a base of the type that needs it.
    pub(crate) is_base: bool,
    /// How many of that type's bases and public members name it.
    pub(crate) mentions: u32,
}

/// How a name occurs in a type's structure.
#[derive(Clone, Copy, Debug, Default)]
struct Mentions {
    is_base: bool,
    count: u32,
}

/// What names mean, by root and language: the same few stand in most signatures.
#[derive(Debug, Default)]
pub(crate) struct KnownNames(FxHashMap<(u32, Language), Meanings>);

/// The type that each name means, with its id, where it means one.
type Meanings = FxHashMap<String, Option<(Symbol, String)>>;

impl Engine {
    /// The types that the structure of a type names, itself left out, in the order of their names. Only
    /// what is seen from outside is looked at: bases, and results and parameters of visible members.
    pub(crate) fn needs(&self, symbol: Symbol) -> Vec<Need> {
        self.needs_by(symbol, &mut KnownNames::default())
    }

    /// [`Self::needs`] for many types of one revision of the index.
    pub(crate) fn needs_by(&self, symbol: Symbol, known: &mut KnownNames) -> Vec<Need> {
        let Some((file, _)) = self.index.get(symbol) else {
            return Vec::new();
        };
        let known = known.0.entry((file.root, file.facts.language)).or_default();
        let own = self.id_of_type(symbol);
        let mut needs: BTreeMap<String, Need> = BTreeMap::new();
        for (name, mentions) in self.names_in_structure(symbol) {
            let meaning = match known.get(&name) {
                Some(meaning) => meaning.clone(),
                None => {
                    let meaning = self.type_named(&name, symbol);
                    known.insert(name, meaning.clone());
                    meaning
                }
            };
            let Some((other, id)) = meaning else {
                continue;
            };
            if own.as_ref() == Some(&id) {
                continue;
            }
            let need = needs.entry(id.clone()).or_insert(Need {
                symbol: other,
                id,
                is_base: false,
                mentions: 0,
            });
            need.is_base |= mentions.is_base;
            need.mentions += mentions.count;
        }
        needs.into_values().collect()
    }

    fn names_in_structure(&self, symbol: Symbol) -> BTreeMap<String, Mentions> {
        let mut names = BTreeMap::new();
        for part in self.index.parts(symbol) {
            let Some((file, item)) = self.index.get(part.symbol) else {
                continue;
            };
            for (_, base) in file.facts.bases_of(part.symbol.item) {
                add_names(base, true, &mut names);
            }
            // What a delegate or an alias says of other types, it says itself.
            if item.kind.is_type() {
                add_types_of(file, item, &mut names);
            }
        }
        for member in self.index.members(symbol) {
            if let Some((file, item)) = self.index.get(member)
                && is_seen(item)
            {
                add_types_of(file, item, &mut names);
            }
        }
        names
    }

    /// The types that the signature of a member names, in the order of their names.
    pub(super) fn needs_of_member(&self, member: Symbol) -> Vec<Symbol> {
        let mut names = BTreeMap::new();
        if let Some((file, item)) = self.index.get(member) {
            add_types_of(file, item, &mut names);
        }
        let found = names
            .keys()
            .filter_map(|name| self.type_named(name, member));
        found.map(|(symbol, _)| symbol).collect()
    }

    /// The type that a name in the text of `around` means, with its id, where only one can be meant: in
    /// the same folder and language, one of that name. Scopes and imports are not looked at yet.
    pub(crate) fn type_named(&self, name: &str, around: Symbol) -> Option<(Symbol, String)> {
        let (file, _) = self.index.get(around)?;
        let mut only: Option<(Symbol, String)> = None;
        for symbol in self.index.types_named(name) {
            let (other, item) = self.index.get(symbol)?;
            if other.root != file.root || other.facts.language != file.facts.language {
                continue;
            }
            let id = type_id(&self.index.path_of(symbol), item.kind.as_str(), item.arity);
            match &only {
                Some((_, known)) if *known != id => return None,
                Some(_) => {}
                None => only = Some((symbol, id)),
            }
        }
        only
    }

    /// The type that a symbol is or is in; members written outside of their type are in it too.
    pub(crate) fn type_around(&self, symbol: Symbol) -> Option<Symbol> {
        let (file, item) = self.index.get(symbol)?;
        let mut around = Some((symbol.item, item));
        while let Some((index, item)) = around {
            let named = |written| {
                let name = simple(file.facts.str(written));
                self.type_named(name, symbol).map(|(owner, _)| owner)
            };
            if item.kind.is_type() {
                return Some(Symbol {
                    item: index,
                    ..symbol
                });
            }
            if item.kind == ItemKind::Extension {
                return named(item.name);
            }
            if !item.container.is_empty() {
                return named(item.container);
            }
            let parent = item.parent;
            around =
                parent.and_then(|parent| Some((parent, file.facts.items.get(parent as usize)?)));
        }
        None
    }

    /// The id of a type; `None` for what is none.
    pub(crate) fn id_of_type(&self, symbol: Symbol) -> Option<String> {
        let (_, item) = self.index.get(symbol)?;
        let path = || self.index.path_of(symbol);
        item.kind
            .is_type()
            .then(|| type_id(&path(), item.kind.as_str(), item.arity))
    }
}

/// Whether others can use a member of a type that they can use.
pub(super) fn is_seen(item: &Item) -> bool {
    let visible = matches!(item.visibility, Visibility::Public | Visibility::Protected);
    visible && !item.flags.contains(Flags::LOCAL) && item.kind != ItemKind::Extension
}

fn add_types_of(file: &File, item: &Item, names: &mut BTreeMap<String, Mentions>) {
    add_names(file.facts.str(item.result), false, names);
    add_names(file.facts.str(item.params), false, names);
}

/// The name of a type as written, without namespaces and type arguments.
pub(super) fn simple(written: &str) -> &str {
    let bare = written.split(['<', '[', '(']).next().unwrap_or(written);
    bare.trim().rsplit(['.', ':']).next().unwrap_or(bare).trim()
}

/// Counts the names in a type as written.
fn add_names(text: &str, is_base: bool, names: &mut BTreeMap<String, Mentions>) {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_name = |word: &&str| word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit());
    for word in words.filter(is_name) {
        let mentions = names.entry(word.to_owned()).or_default();
        mentions.is_base |= is_base;
        mentions.count += 1;
    }
}
