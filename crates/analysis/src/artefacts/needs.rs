//! What a type's structure needs: its bases and the types in what others see of it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use codecortex_index::{Symbol, type_id};
use codecortex_resolve::{AllTypes, DefRef, NamedTypes, Resolver, Workspace};
use codecortex_syntax::{Item, ItemFlags, ItemKind, Language, Visibility};
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;

/// A type that another one needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The type, by one of its parts.
    pub symbol: Symbol,
    /// Its id.
    pub id: String,
    /// Whether it is a base of the type that needs it.
    pub is_base: bool,
    /// How many of that type's bases and public members name it.
    pub mentions: u32,
}

/// Most bytes of files' insides that a pass over many types keeps read at a time: little beside what the
/// index holds, and enough that hardly a file is read twice.
const MAX_READ: usize = 8 << 20;

/// More types than these are asked about with the names of all types at hand.
const MANY: usize = 256;

/// How a type is named in another one's structure.
#[derive(Clone, Copy, Debug, Default)]
struct Mentions {
    is_base: bool,
    count: u32,
}

/// A type of the index, with its id.
type Meaning = (Symbol, String);

/// What names mean where nothing is resolved: a type, where only one can be meant.
type MeaningsByName = FxHashMap<String, Option<Meaning>>;

/// What names mean, in one state of the index: the same few stand in most signatures.
pub struct Meanings<'a> {
    engine: &'a Analysis,
    query: Resolver<'a>,
    named: NamedTypes,
    /// The type of the index that each definition is, with its id.
    types: RefCell<FxHashMap<DefRef, Option<Meaning>>>,
    /// What names mean where nothing is resolved, by root and language.
    by_name: RefCell<FxHashMap<(u32, Language), MeaningsByName>>,
}

impl<'a> Meanings<'a> {
    fn new(engine: &'a Analysis, workspace: &'a Workspace, all: Option<&AllTypes>) -> Self {
        let query = Resolver::new(workspace);
        Self {
            engine,
            query: match all {
                Some(all) => query.with_known_types(all),
                None => query,
            },
            named: all.map_or_else(NamedTypes::default, |all| NamedTypes::among(all.clone())),
            types: RefCell::default(),
            by_name: RefCell::default(),
        }
    }

    /// The types that the structure of a type names, itself left out, in the order of their ids. Only
    /// what is seen from outside is looked at: bases, and results and parameters of visible members.
    pub fn needs(&self, symbol: Symbol) -> Vec<Need> {
        let own = id_of_type(self.engine, symbol);
        let root = |symbol: Symbol| self.engine.index.file(symbol.file).map(|file| file.root);
        let mut needs: BTreeMap<String, Need> = BTreeMap::new();
        for ((other, id), mentions) in self.named_in_structure(symbol) {
            // Every folder of a workspace has its own ledger.
            if own.as_ref() == Some(&id) || root(other) != root(symbol) {
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

    fn named_in_structure(&self, symbol: Symbol) -> Vec<(Meaning, Mentions)> {
        let index = &self.engine.index;
        let mut all = Vec::new();
        for part in index.parts(symbol) {
            let Some((_, item)) = index.get(part.symbol) else {
                continue;
            };
            self.add_bases(part.symbol, part.is_extension, &mut all);
            // What a delegate or an alias says of other types, it says itself.
            if item.kind.is_type() {
                self.add_head(part.symbol, &mut all);
            }
        }
        for member in index.members(symbol) {
            if index.get(member).is_some_and(|(_, item)| is_seen(item)) {
                self.add_head(member, &mut all);
            }
        }
        all
    }

    /// The types that the signature of a member names, in the order of their paths' names.
    pub fn of_member(&self, member: Symbol) -> Vec<Symbol> {
        let mut all = Vec::new();
        self.add_head(member, &mut all);
        let ids = all.into_iter().map(|((symbol, id), _)| (id, symbol));
        let by_id: BTreeMap<String, Symbol> = ids.collect();
        by_id.into_values().collect()
    }

    /// Whether the names of a file are resolved, and it is what the resolver knows.
    fn is_resolved(&self, symbol: Symbol) -> bool {
        self.query.dialect(symbol.file.0).is_some()
    }

    fn add_bases(&self, part: Symbol, is_extension: bool, all: &mut Vec<(Meaning, Mentions)>) {
        let Some((file, item)) = self.engine.index.get(part) else {
            return;
        };
        if !self.is_resolved(part) {
            for (_, base) in file.facts.bases_of(part.item) {
                self.add_by_name(part, base, true, all);
            }
            return;
        }
        let defs = match is_extension {
            true => Vec::from_iter(self.query.block_around(part.file.0, item.name_byte)),
            false => self.query.definitions_named_at(part.file.0, item.name_byte),
        };
        let types = defs.into_iter();
        let types = types.flat_map(|def| self.query.types_in_bases(def, &self.named));
        self.add_all(types, true, all);
    }

    fn add_head(&self, symbol: Symbol, all: &mut Vec<(Meaning, Mentions)>) {
        let Some((file, item)) = self.engine.index.get(symbol) else {
            return;
        };
        if !self.is_resolved(symbol) {
            self.add_by_name(symbol, file.facts.str(item.result), false, all);
            self.add_by_name(symbol, file.facts.str(item.params), false, all);
            return;
        }
        let defs = self
            .query
            .definitions_named_at(symbol.file.0, item.name_byte);
        let types = defs.into_iter();
        let types = types.flat_map(|def| self.query.types_in_signature(def, &self.named));
        self.add_all(types, false, all);
    }

    fn add_all(
        &self,
        types: impl Iterator<Item = DefRef>,
        is_base: bool,
        all: &mut Vec<(Meaning, Mentions)>,
    ) {
        let mentions = Mentions { is_base, count: 1 };
        all.extend(types.filter_map(|def| Some((self.type_of(def)?, mentions))));
    }

    /// The type of the index that a definition is.
    fn type_of(&self, def: DefRef) -> Option<(Symbol, String)> {
        if let Some(known) = self.types.borrow().get(&def) {
            return known.clone();
        }
        // What the workspace depends on outside of it, no folder keeps.
        let symbol = self.engine.symbol_of(&self.query, def);
        let symbol = symbol.filter(|symbol| !self.engine.index.is_external(symbol.file));
        let found = symbol.and_then(|symbol| Some((symbol, id_of_type(self.engine, symbol)?)));
        self.types.borrow_mut().insert(def, found.clone());
        found
    }

    /// Adds what the names in a written type mean, where only one type can be meant.
    fn add_by_name(
        &self,
        around: Symbol,
        written: &str,
        is_base: bool,
        all: &mut Vec<(Meaning, Mentions)>,
    ) {
        let Some((file, _)) = self.engine.index.get(around) else {
            return;
        };
        let mut by_name = self.by_name.borrow_mut();
        let known = by_name.entry((file.root, file.facts.language)).or_default();
        for name in names_in(written) {
            let meaning = match known.get(name) {
                Some(meaning) => meaning.clone(),
                None => {
                    let meaning = type_named(self.engine, name, around);
                    known.insert(name.to_owned(), meaning.clone());
                    meaning
                }
            };
            let mentions = Mentions { is_base, count: 1 };
            all.extend(meaning.map(|meaning| (meaning, mentions)));
        }
    }
}

/// The types that the structure of a type names, itself left out, in the order of their ids. Only
/// what is seen from outside is looked at: bases, and results and parameters of visible members.
pub fn needs(code: &Analysis, symbol: Symbol) -> Vec<Need> {
    with_meanings(code, |meanings| meanings.needs(symbol))
}

/// Asks about several types of one state of the index.
pub fn with_meanings<T>(code: &Analysis, ask: impl FnOnce(&Meanings<'_>) -> T) -> T {
    let names = code.names();
    ask(&Meanings::new(code, names.workspace(), None))
}

/// [`needs`] of many types, in their order. What was read for some is given back before the next,
/// so that a pass over everything needs little more memory than one question.
pub fn needs_of_all(code: &Analysis, symbols: &[Symbol]) -> Vec<Vec<Need>> {
    let mut places: Vec<usize> = (0..symbols.len()).collect();
    places.sort_by_key(|place| symbols[*place]);
    let mut all: Vec<Vec<Need>> = Vec::new();
    all.resize_with(symbols.len(), Vec::new);
    let all_types = (symbols.len() > MANY).then(|| all_types(code));
    let mut open = places.into_iter().peekable();
    while open.peek().is_some() {
        let names = code.names();
        let meanings = Meanings::new(code, names.workspace(), all_types.as_ref());
        for place in open.by_ref() {
            all[place] = meanings.needs(symbols[place]);
            if names.workspace().read_bytes() > MAX_READ {
                break;
            }
        }
        drop(meanings);
        drop(names);
        let is_last = open.peek().is_none() && symbols.len() > MANY;
        // Somebody who asks further up may be looking at them.
        if let Ok(mut names) = code.names.try_borrow_mut() {
            names.forget_beyond(if is_last { 0 } else { MAX_READ });
        }
    }
    all
}

/// The names of all types.
fn all_types(code: &Analysis) -> AllTypes {
    let names = code.names();
    let items = code.index.files().flat_map(|(_, file)| {
        let types = file.facts.items.iter().filter(|item| item.kind.is_type());
        types.map(move |item| (file, item))
    });
    let types = items.map(|(file, item)| {
        let name = file.facts.str(item.name);
        let around = item.parent.and_then(|at| file.facts.items.get(at as usize));
        let is_inside = around.is_some_and(|around| !around.kind.is_namespace());
        let name = name.rsplit(['.', ':']).next().unwrap_or(name);
        (name, is_inside || !item.container.is_empty())
    });
    AllTypes::new(names.workspace(), types)
}

/// The types that the signature of a member names.
pub fn needs_of_member(code: &Analysis, member: Symbol) -> Vec<Symbol> {
    with_meanings(code, |meanings| meanings.of_member(member))
}

/// The type that a name in the text of `around` means, with its id, where only one can be meant: in
/// the same folder and language, one of that name: scopes and imports are not looked at.
pub fn type_named(code: &Analysis, name: &str, around: Symbol) -> Option<(Symbol, String)> {
    let (file, _) = code.index.get(around)?;
    let mut only: Option<(Symbol, String)> = None;
    for symbol in code.index.types_named(name) {
        let (other, item) = code.index.get(symbol)?;
        if other.root != file.root || other.facts.language != file.facts.language {
            continue;
        }
        let id = type_id(&code.index.path_of(symbol), item.kind.as_str(), item.arity);
        match &only {
            Some((_, known)) if *known != id => return None,
            Some(_) => {}
            None => only = Some((symbol, id)),
        }
    }
    only
}

/// The type that a symbol is or is in; members written outside of their type are in it too.
pub fn type_around(code: &Analysis, symbol: Symbol) -> Option<Symbol> {
    let (file, item) = code.index.get(symbol)?;
    let mut around = Some((symbol.item, item));
    while let Some((index, item)) = around {
        let named = |written| {
            let name = simple(file.facts.str(written));
            type_named(code, name, symbol).map(|(owner, _)| owner)
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
        around = parent.and_then(|parent| Some((parent, file.facts.items.get(parent as usize)?)));
    }
    None
}

/// The id of a type; `None` for what is none.
pub fn id_of_type(code: &Analysis, symbol: Symbol) -> Option<String> {
    let (_, item) = code.index.get(symbol)?;
    let path = || code.index.path_of(symbol);
    item.kind
        .is_type()
        .then(|| type_id(&path(), item.kind.as_str(), item.arity))
}

/// Whether others can use a member of a type that they can use.
pub fn is_seen(item: &Item) -> bool {
    let visible = matches!(item.visibility, Visibility::Public | Visibility::Protected);
    visible && !item.flags.contains(ItemFlags::LOCAL) && item.kind != ItemKind::Extension
}

/// The name of a type as written, without namespaces and type arguments.
pub fn simple(written: &str) -> &str {
    let bare = written.split(['<', '[', '(']).next().unwrap_or(written);
    bare.trim().rsplit(['.', ':']).next().unwrap_or(bare).trim()
}

/// The names in a type as written.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit()))
}
