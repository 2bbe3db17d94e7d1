//! The second pass: a file's symbols and every place where it names one.

use std::collections::BTreeMap;
use std::rc::Rc;

use codecortex_analysis::Analysis;
use codecortex_analysis::words::kind_word;
use codecortex_bind::facts::{Def, DefKind, Role, flag};
use codecortex_index::{FileId, Symbol};
use codecortex_resolve::{DefRef, ExprRef, Resolver, RoleOf};
use codecortex_syntax::{Item, ItemKind};
use codecortex_text::LineIndex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::symbols::{ScipSymbols, SymbolOwner};
use crate::test_code::is_test;
use crate::view::ScipView;

/// First line and byte in it, last line and byte in it, both from 0; the end is exclusive. Bytes are those of
/// the text as UTF-8.
pub type ScipRange = [u32; 4];

/// What an occurrence does with its symbol, as bits; none where it is only named, as a type is.
pub mod role {
    /// It defines it.
    pub const DEFINITION: i32 = 1;
    /// It brings it in.
    pub const IMPORT: i32 = 2;
    /// It writes to it.
    pub const WRITE: i32 = 4;
    /// It reads or calls it.
    pub const READ: i32 = 8;
    /// It stands in code that tests other code.
    pub const TEST: i32 = 32;
    /// It announces what is defined elsewhere.
    pub const FORWARD: i32 = 64;
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScipDocument {
    /// Relative to its root, with `/`.
    pub path: String,
    /// VS Code's language id.
    pub language: &'static str,
    /// By place, then by symbol.
    pub occurrences: Vec<Occurrence>,
    /// What is defined in it, in the order of places.
    pub symbols: Vec<SymbolInformation>,
}

/// A place where a symbol is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Of the name.
    pub range: ScipRange,
    /// In SCIP's form.
    pub symbol: Rc<str>,
    /// See [`role`].
    pub roles: i32,
    /// Of the whole declaration, where it defines.
    pub enclosing: Option<ScipRange>,
}

/// What is known of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolInformation {
    /// In SCIP's form.
    pub symbol: Rc<str>,
    /// As the source writes it.
    pub name: String,
    /// `class`, `method`, `parameter` …
    pub kind: &'static str,
    /// Plain text; empty where there is none.
    pub documentation: String,
    /// As its language writes it; empty where the index has none.
    pub signature: String,
    /// What it implements, overrides or derives from.
    pub relationships: Vec<Relationship>,
    /// Of a local the symbol that it is in.
    pub enclosing: Option<Rc<str>>,
}

/// How a symbol relates to another, which it implements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relationship {
    /// The other one.
    pub symbol: Rc<str>,
    /// Whether uses of the one may mean the other: so for members, not for types.
    pub is_reference: bool,
}

/// A use may mean one of so many at most.
const MAX_TARGETS: usize = 32;

/// First byte and end of a name, and the symbol that it means.
type NamedRange = (u32, u32, Rc<str>);

/// What is done at a place.
#[derive(Default)]
struct SymbolRole {
    roles: i32,
    enclosing: Option<ScipRange>,
}

/// Writes one document.
pub(crate) struct ScipWriter<'a> {
    code: &'a Analysis,
    query: &'a Resolver<'a>,
    symbols: &'a ScipSymbols,
    view: ScipView<'a>,
    text: &'a str,
    lines: LineIndex,
    locals: FxHashMap<DefRef, Rc<str>>,
    next_local: u32,
    occurrences: BTreeMap<NamedRange, SymbolRole>,
    described: FxHashSet<Rc<str>>,
    information: Vec<SymbolInformation>,
}

impl<'a> ScipWriter<'a> {
    /// `None` where the file is gone.
    pub(crate) fn new(
        code: &'a Analysis,
        query: &'a Resolver<'a>,
        symbols: &'a ScipSymbols,
        id: FileId,
        text: &'a str,
    ) -> Option<Self> {
        Some(Self {
            code,
            query,
            symbols,
            view: ScipView::new(query, id, code.index().file(id)?),
            text,
            lines: LineIndex::new(text),
            locals: FxHashMap::default(),
            next_local: 0,
            occurrences: BTreeMap::new(),
            described: FxHashSet::default(),
            information: Vec::new(),
        })
    }

    pub(crate) fn write(mut self) -> ScipDocument {
        for def in std::mem::take(&mut self.view.defs) {
            self.define(def);
        }
        if self.query.dialect(self.view.id.0).is_some() {
            self.uses();
        } else {
            self.items();
        }
        let occurrences = std::mem::take(&mut self.occurrences).into_iter();
        let of_file = if is_test(&self.view.file.path) {
            role::TEST
        } else {
            0
        };
        let occurrences = occurrences.map(|((start, end, symbol), named)| Occurrence {
            range: self.range(start, end),
            symbol,
            roles: named.roles | of_file,
            enclosing: named.enclosing,
        });
        ScipDocument {
            occurrences: occurrences.collect(),
            path: self.view.file.path.to_string(),
            language: self.view.file.facts.language.info().id,
            symbols: self.information,
        }
    }

    fn define(&mut self, at: DefRef) {
        let Some(def) = self.query.definition(at) else {
            return;
        };
        let ends = match def.kind {
            DefKind::Alias => self.query.without_aliases(vec![at]),
            _ => vec![at],
        };
        let (start, end) = self.name_of(at, def);
        if ends != [at] {
            // What an import does not write is named by nobody.
            if def.flags & flag::UNWRITTEN == 0 {
                ends.iter()
                    .for_each(|target| self.name(start, end, *target, role::IMPORT));
            }
            return;
        }
        // A key of an object literal writes the member that is expected there.
        for member in self.query.contextual_definitions(at) {
            if member != at {
                self.name(start, end, member, role::WRITE);
            }
        }
        let group = self.query.symbol(at);
        let symbol = match self.symbol_of(at) {
            Some(symbol) => symbol,
            None => self.new_local(&group),
        };
        let has_definition = |flags: u32| flags & flag::DECLARATION == 0;
        let is_announced = !has_definition(def.flags)
            && group.iter().any(|part| {
                let found = self.query.definition(*part);
                found.is_some_and(|found| has_definition(found.flags))
            });
        let is_again = def.flags & flag::IMPLICIT != 0 && self.described.contains(&symbol);
        if is_announced || is_again {
            let roles = if is_announced {
                role::FORWARD
            } else {
                role::WRITE
            };
            self.add(start, end, symbol, roles, None);
            return;
        }
        let item = self.view.item_named_at(def.at);
        let whole = match item {
            Some((_, item)) => (item.start_byte, item.end_byte),
            None => (def.start, def.end),
        };
        let whole = (whole.0 <= start && end <= whole.1).then(|| self.range(whole.0, whole.1));
        self.add(start, end, symbol.clone(), role::DEFINITION, whole);
        if self.described.insert(symbol.clone()) {
            let item = item.map(|(_, item)| item);
            let information = self.describe(at, def, symbol, item);
            self.information.push(information);
        }
    }

    fn describe(
        &self,
        at: DefRef,
        def: &Def,
        symbol: Rc<str>,
        item: Option<&Item>,
    ) -> SymbolInformation {
        let facts = &self.view.file.facts;
        let is_local = self.locals.contains_key(&at);
        let enclosing = || {
            let (_, item) = self.view.item_around(def.at)?;
            self.symbol_of(self.view.def_of(item)?)
        };
        SymbolInformation {
            name: self.query.name(at).to_owned(),
            kind: item.map_or_else(|| kind_word(def.kind), |item| item.kind.as_str()),
            documentation: item.map_or("", |item| facts.str(item.doc)).to_owned(),
            signature: item.map_or("", |item| facts.str(item.signature)).to_owned(),
            relationships: match is_local {
                true => Vec::new(),
                false => self.relationships(at, &symbol),
            },
            enclosing: is_local.then(enclosing).flatten(),
            symbol,
        }
    }

    /// Said once: where the symbol is declared first.
    fn relationships(&self, of: DefRef, own: &Rc<str>) -> Vec<Relationship> {
        let node = self.symbols.symbol_of_node(SymbolOwner::Def(of));
        if !node.is_some_and(|symbol| self.symbols.is_home(symbol, self.view.id.0)) {
            return Vec::new();
        }
        let is_reference = !self.query.is_type(of);
        let above = self.query.implemented(of);
        let mut symbols: Vec<Rc<str>> = above
            .iter()
            .filter_map(|base| self.symbols.symbol_of_node(SymbolOwner::Def(*base)))
            .map(|symbol| self.symbols.text(symbol))
            .filter(|symbol| symbol != own)
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
            .into_iter()
            .map(|symbol| Relationship {
                symbol,
                is_reference,
            })
            .collect()
    }

    fn uses(&mut self) {
        let file = self.view.id.0;
        for (expr, at, len, role) in self.query.uses_between(file, 0, u32::MAX) {
            let target = self.query.target(ExprRef { file, expr });
            let mut meant = target.defs;
            if meant.is_empty() {
                // What leaves the workspace was last named by the last import on the way.
                meant.extend(target.via_aliases.last());
            }
            meant.extend(self.query.constructed_by(ExprRef { file, expr }));
            for def in meant.into_iter().take(MAX_TARGETS) {
                self.name(at, at + len, def, bits(role));
            }
        }
    }

    /// Of a language that is not resolved: what is declared.
    fn items(&mut self) {
        for (index, item) in self.view.file.facts.items.iter().enumerate() {
            let node = SymbolOwner::Item(Symbol {
                file: self.view.id,
                item: index as u32,
            });
            let Some(symbol) = self
                .symbols
                .symbol_of_node(node)
                .map(|symbol| self.symbols.text(symbol))
            else {
                continue;
            };
            let facts = &self.view.file.facts;
            let name = facts.str(item.name);
            let (start, end) = (item.name_byte, item.name_byte + name.len() as u32);
            let whole = self.range(item.start_byte, item.end_byte);
            self.add(start, end, symbol.clone(), role::DEFINITION, Some(whole));
            if self.described.insert(symbol.clone()) && item.kind != ItemKind::Extension {
                self.information.push(SymbolInformation {
                    symbol,
                    name: name.to_owned(),
                    kind: item.kind.as_str(),
                    documentation: facts.str(item.doc).to_owned(),
                    signature: facts.str(item.signature).to_owned(),
                    relationships: Vec::new(),
                    enclosing: None,
                });
            }
        }
    }

    /// A place that names a definition, here or elsewhere.
    fn name(&mut self, start: u32, end: u32, def: DefRef, roles: i32) {
        for end_of in self.query.without_aliases(vec![def]) {
            if let Some(symbol) = self.symbol_of(end_of) {
                self.add(start, end, symbol, roles, None);
            }
        }
    }

    fn add(
        &mut self,
        start: u32,
        end: u32,
        symbol: Rc<str>,
        roles: i32,
        enclosing: Option<ScipRange>,
    ) {
        let (start, end) = (self.clamped(start), self.clamped(end));
        let entry = self
            .occurrences
            .entry((start, end.max(start), symbol))
            .or_default();
        entry.roles |= roles;
        if entry.roles & role::DEFINITION != 0 {
            entry.roles &= !role::FORWARD;
        }
        entry.enclosing = entry.enclosing.or(enclosing);
    }

    /// Its symbol; of a part of a type that is generated, and has no document, another part's.
    fn symbol_of(&self, def: DefRef) -> Option<Rc<str>> {
        let of = |def: DefRef| self.symbols.symbol_of_node(SymbolOwner::Def(def));
        let of_parts = || {
            let is_generated = self.code.is_generated(def.file);
            let parts = is_generated.then(|| self.query.symbol(def));
            parts.into_iter().flatten().find_map(of)
        };
        match of(def) {
            Some(symbol) => Some(self.symbols.text(symbol)),
            None => {
                let local = self.locals.get(&def).cloned();
                local.or_else(|| Some(self.symbols.text(of_parts()?)))
            }
        }
    }

    fn new_local(&mut self, group: &[DefRef]) -> Rc<str> {
        let symbol: Rc<str> = format!("local {}", self.next_local).into();
        self.next_local += 1;
        for part in group {
            self.locals.insert(*part, symbol.clone());
        }
        symbol
    }

    /// The bytes of a definition's name; where none is written, of the word that is there.
    fn name_of(&self, at: DefRef, def: &Def) -> (u32, u32) {
        if def.flags & flag::UNWRITTEN == 0 {
            return (def.at, def.at + self.query.name(at).len() as u32);
        }
        let rest = self.text.get(def.at as usize..).unwrap_or("");
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len()) as u32;
        let first = rest.chars().next().map_or(0, char::len_utf8) as u32;
        (def.at, def.at + word.max(first))
    }

    /// A byte of the text where a character begins.
    fn clamped(&self, byte: u32) -> u32 {
        self.text.floor_char_boundary(byte as usize) as u32
    }

    fn range(&self, start: u32, end: u32) -> ScipRange {
        let place = |byte: u32| {
            let byte = self.clamped(byte);
            let line = self.lines.line_of(byte);
            (
                line,
                byte - self.lines.line_start(line, self.text).min(byte),
            )
        };
        let (start, end) = (place(start), place(end.max(start)));
        [start.0, start.1, end.0, end.1]
    }
}

fn bits(of: RoleOf) -> i32 {
    const ALL: [(Role, i32); 5] = [
        (Role::Read, role::READ),
        (Role::Call, role::READ),
        (Role::Write, role::WRITE),
        (Role::ReadWrite, role::READ | role::WRITE),
        (Role::Import, role::IMPORT),
    ];
    let known = ALL.iter().find(|(known, _)| of == (*known).into());
    known.map_or(0, |(_, bits)| *bits)
}
