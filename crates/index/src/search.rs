//! Symbols by what somebody remembers of them: a name, its start, its camel-case words, a part, a typo, or a
//! word of the documentation (SPEC S4).
//!
//! Names are tested once each, not once a symbol: a million lines have fewer than a hundred
//! thousand different names, and a mask of their letters refuses most without looking at the text.

use std::cell::RefMut;

use codecortex_syntax::{Item, ItemFlags, ItemKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::doc_index::{DocIndex, Documented, DocumentedDeclaration, folded, split};
use crate::file_facts::DocumentedItem;
use crate::fold::{lower, mask};
use crate::matching::{HitKind, NameQuery, WantedWords, has_forms};
use crate::operators::{operator_asked, operator_named};
use crate::tests_by_path::{is_of_tests, names_tests};
use crate::{FileId, Index, IndexedFile, Symbol};

/// What to search for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// Words; a path's separators also separate words, of which the last is the name.
    pub text: String,
    /// Only these kinds; empty for all.
    pub kinds: Vec<ItemKind>,
    /// Whether declarations inside function bodies count.
    pub include_locals: bool,
    /// Only what has all of these attributes, specifiers or modifiers, in any case. With no text, all that has them.
    pub tags: Vec<String>,
    /// Whether what is declared outside of the workspace counts; else only where there is no other hit by its name (SPEC
    /// AS3).
    pub include_external: bool,
}

/// A symbol that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolHit {
    /// The symbol.
    pub symbol: Symbol,
    /// How it was found.
    pub kind: HitKind,
}

/// What a search found, best first.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The hits by kind; the first [`SearchResult::ranked`] of them in their final order.
    hits: Vec<SymbolHit>,
    ranked: usize,
    /// Whether tests come as what they test.
    wants_tests: bool,
}

impl SearchResult {
    /// How many hits there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hits.len()
    }

    /// Leaves out hits that do not count.
    pub fn retain(&mut self, counts: impl Fn(Symbol) -> bool) {
        self.hits.retain(|hit| counts(hit.symbol));
        self.ranked = 0;
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    /// The hits that [`Index::rank_to`] has put in order.
    #[must_use]
    pub fn ranked(&self) -> &[SymbolHit] {
        &self.hits[..self.ranked]
    }

    /// Whether the best hit has what was asked for as its name, however it is written.
    #[must_use]
    pub fn is_by_name(&self) -> bool {
        self.hits
            .first()
            .is_some_and(|hit| hit.kind <= HitKind::Words)
    }
}

impl Index {
    /// Every symbol that fits, best first. The order is total and does not depend on the order in
    /// which files were indexed, so pages never overlap.
    #[must_use]
    pub fn search(&self, query: &SearchQuery) -> Vec<SymbolHit> {
        let mut found = self.find(query);
        self.rank_to(&mut found, usize::MAX);
        found.hits
    }

    /// What [`Index::search`] gives, of which the order is still to be made by [`Index::rank_to`]:
    /// a search can find thousands of which a page is shown.
    #[must_use]
    pub fn find(&self, query: &SearchQuery) -> SearchResult {
        if let Some(signs) = operator_asked(&query.text) {
            let mut hits = self.operator_hits(signs, query);
            if !query.include_external {
                self.leave_out_external(&mut hits);
            }
            if !hits.is_empty() {
                return SearchResult {
                    hits,
                    ..SearchResult::default()
                };
            }
        }
        let words: Vec<&str> = query
            .text
            .split(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '/' | '#' | '+' | '\\'))
            .filter(|word| !word.is_empty())
            .collect();
        let Some((name, context)) = words.split_last() else {
            return self.all_tagged(query);
        };
        let mut hits = self.name_hits(name, context, query);
        let is_prose = query.text.split_whitespace().eq(words.iter().copied());
        let wanted = match words.as_slice() {
            [_, _, ..] if is_prose => WantedWords::of_words(&words).map(|wanted| (wanted, &[][..])),
            [.., name] => WantedWords::of_name(name).map(|wanted| (wanted, context)),
            [] => None,
        };
        if let Some((wanted, context)) = &wanted {
            self.word_hits(wanted, context, query, &mut hits);
        }
        self.documentation_hits(&words, query, &mut hits);
        // Names of several words are no words with forms, and looking for them costs a look at most names.
        let are_words = is_prose && words.iter().all(|word| is_one_word(word));
        if are_words && hits.iter().all(|hit| hit.kind >= HitKind::Fuzzy) {
            self.form_hits(&words, query, &mut hits);
        }
        if !query.include_external {
            self.leave_out_external(&mut hits);
        }
        hits.sort_by_key(|hit| hit.kind);
        SearchResult {
            hits,
            ranked: 0,
            wants_tests: words.iter().any(|word| names_tests(word)),
        }
    }

    /// Declarations of an operator, however it is written.
    fn operator_hits(&self, signs: &str, query: &SearchQuery) -> Vec<SymbolHit> {
        let names = self.names.iter();
        let named = names.filter(|(name, _)| operator_named(name) == Some(signs));
        let symbols = named.flat_map(|(_, entry)| entry.symbols.iter().copied());
        let wanted = symbols.filter(|symbol| self.wanted_item(*symbol, query).is_some());
        let kind = HitKind::Exact;
        wanted.map(|symbol| SymbolHit { symbol, kind }).collect()
    }

    /// Leaves out what is declared outside of the workspace, unless it alone has the name.
    fn leave_out_external(&self, hits: &mut Vec<SymbolHit>) {
        let is_own = |hit: &SymbolHit| !self.is_external(hit.symbol.file);
        let is_named = |hit: &SymbolHit| hit.kind <= HitKind::Words;
        if !hits.iter().any(is_own) {
            return;
        }
        let is_found = hits
            .iter()
            .any(|hit| is_own(hit) && hit.kind < HitKind::Fuzzy);
        hits.retain(|hit| is_own(hit) || !is_found && is_named(hit));
    }

    /// Puts declarations that another ranking found for the words of `query`, in its order, at most so many, behind hits
    /// by name and before the rest of those by documentation.
    pub fn add_ranked(
        &self,
        found: &mut SearchResult,
        query: &SearchQuery,
        (symbols, most): (&[Symbol], usize),
    ) {
        let by_name = found
            .hits
            .partition_point(|hit| hit.kind < HitKind::SomeWords);
        self.rank_to(found, by_name);
        let rest = found.hits.split_off(by_name);
        let documented: FxHashSet<Symbol> = rest.iter().map(|hit| hit.symbol).collect();
        let mut known: FxHashSet<Symbol> = found.hits.iter().map(|hit| hit.symbol).collect();
        let end = found.hits.len() + most;
        for symbol in symbols.iter().copied() {
            if found.hits.len() == end {
                break;
            }
            if self.wanted_item(symbol, query).is_some() && known.insert(symbol) {
                let kind = match documented.contains(&symbol) {
                    true => HitKind::Documentation,
                    false => HitKind::SomeWords,
                };
                found.hits.push(SymbolHit { symbol, kind });
            }
        }
        found.ranked = found.hits.len();
        let rest = rest.into_iter().filter(|hit| !known.contains(&hit.symbol));
        found.hits.extend(rest);
    }

    /// Brings at least the first `end` hits into their order.
    pub fn rank_to(&self, found: &mut SearchResult, end: usize) {
        let end = end.min(found.hits.len());
        while found.ranked < end {
            let rest = &mut found.hits[found.ranked..];
            let kind = rest[0].kind;
            let alike = rest.partition_point(|hit| hit.kind == kind);
            self.rank(&mut rest[..alike], found.wants_tests);
            found.ranked += alike;
        }
    }

    fn name_hits(&self, name: &str, context: &[&str], query: &SearchQuery) -> Vec<SymbolHit> {
        let mut wanted = NameQuery::new(name);
        let context: Vec<String> = context.iter().map(|word| lower(word)).collect();
        let mut hits = Vec::new();
        for (candidate, entry) in self.names.iter() {
            if entry.symbols.is_empty() {
                continue;
            }
            let kind = wanted.kind(candidate, entry.mask);
            let may_be_camel = kind.is_none_or(|kind| kind > HitKind::CamelCase)
                && wanted.may_match_word_starts(candidate, entry.mask, entry.word_starts);
            if kind.is_none() && !may_be_camel {
                continue;
            }
            // Most of those that bear a name spell it alike.
            let mut judged: Option<(&str, Option<HitKind>)> = None;
            for symbol in &entry.symbols {
                let Some((file, item)) = self.wanted_item(*symbol, query) else {
                    continue;
                };
                let written = file.facts.str(item.name);
                let kind = match judged {
                    Some((known, kind)) if known == written => kind,
                    _ => wanted.kind_as_written(kind, may_be_camel, written),
                };
                judged = Some((written, kind));
                if let Some(kind) = kind
                    && self.in_context(*symbol, &context)
                {
                    let symbol = *symbol;
                    hits.push(SymbolHit { symbol, kind });
                }
            }
        }
        hits
    }

    /// Symbols whose names are made of several words, however these are written in them: `url for` finds `url_for` and
    /// `getUrlFor`.
    fn word_hits(
        &self,
        wanted: &WantedWords,
        context: &[&str],
        query: &SearchQuery,
        hits: &mut Vec<SymbolHit>,
    ) {
        let context: Vec<String> = context.iter().map(|word| lower(word)).collect();
        let at = hits.iter().enumerate().map(|(at, hit)| (hit.symbol, at));
        let known: FxHashMap<Symbol, usize> = at.collect();
        let names = self.names.iter();
        let names = names.filter(|(name, entry)| wanted.may_be_in(name, entry.mask));
        for symbol in names.flat_map(|(_, entry)| &entry.symbols) {
            let Some((file, item)) = self.wanted_item(*symbol, query) else {
                continue;
            };
            let Some(kind) = wanted.kind(file.facts.str(item.name)) else {
                continue;
            };
            if !self.in_context(*symbol, &context) {
                continue;
            }
            match known.get(symbol) {
                Some(at) => hits[*at].kind = hits[*at].kind.min(kind),
                None => hits.push(SymbolHit {
                    symbol: *symbol,
                    kind,
                }),
            }
        }
    }

    /// Symbols whose names have forms of all words: `remove temporary directory` finds `rmTmpDir`, `authentication` finds
    /// `basicAuth`. Asked where no name has the words themselves.
    fn form_hits(&self, words: &[&str], query: &SearchQuery, hits: &mut Vec<SymbolHit>) {
        let words: Vec<String> = words.iter().map(|word| lower(word)).collect();
        let firsts = words.iter().filter_map(|word| word.chars().next());
        let mut letter = [0; 4];
        let firsts = firsts.fold(0, |all, c| all | mask(c.encode_utf8(&mut letter)));
        let at = hits.iter().enumerate().map(|(at, hit)| (hit.symbol, at));
        let known: FxHashMap<Symbol, usize> = at.collect();
        // Forms of a word begin alike.
        let names = self.names.iter();
        let names = names.filter(|(_, entry)| firsts & !entry.word_starts == 0);
        for symbol in names.flat_map(|(_, entry)| &entry.symbols) {
            let Some((file, item)) = self.wanted_item(*symbol, query) else {
                continue;
            };
            if !has_forms(file.facts.str(item.name), &words) {
                continue;
            }
            let kind = HitKind::Form;
            match known.get(symbol) {
                Some(at) => hits[*at].kind = hits[*at].kind.min(kind),
                None => hits.push(SymbolHit {
                    symbol: *symbol,
                    kind,
                }),
            }
        }
    }

    /// Symbols whose documentation has every word, where the name did not already match.
    fn documentation_hits(&self, words: &[&str], query: &SearchQuery, hits: &mut Vec<SymbolHit>) {
        let needles: Vec<Vec<u8>> = words
            .iter()
            .flat_map(|word| split(word.as_bytes()))
            .map(|word| {
                let mut needle = Vec::new();
                folded(word, &mut needle);
                needle
            })
            .collect();
        if needles.iter().all(|needle| needle.len() < 3) {
            return; // two letters occur everywhere and mean nothing
        }
        let found = if self.is_searched_again() {
            self.doc_index().search(&needles)
        } else {
            self.look_through_documentation(&needles)
        };
        let known: FxHashSet<Symbol> = hits.iter().map(|hit| hit.symbol).collect();
        for declared in found {
            let DocumentedDeclaration { symbol, .. } = declared;
            if is_wanted(declared.kind, declared.is_local, query)
                && !known.contains(&symbol)
                && (query.tags.is_empty() || self.wanted_item(symbol, query).is_some())
            {
                let kind = HitKind::Documentation;
                hits.push(SymbolHit { symbol, kind });
            }
        }
    }

    /// Makes what searches after the first one need, for who is going to be asked many.
    pub fn prepare_search(&self) {
        self.is_searched.set(true);
        drop(self.doc_index());
    }

    /// Whether documentation was searched before: a table pays only then.
    fn is_searched_again(&self) -> bool {
        self.is_searched.replace(true)
    }

    /// The full-text index of documentation, up to date.
    fn doc_index(&self) -> RefMut<'_, DocIndex> {
        let mut docs = self.docs.borrow_mut();
        if !docs.is_built() || docs.needs_rebuild() {
            docs.build();
            self.all_files().for_each(|(id, _)| docs.note(id));
        }
        let mut changed = docs.take_changed();
        for id in &changed {
            docs.replace(*id, self.documented(*id));
        }
        changed.retain(|id| self.file(*id).is_some_and(|file| !file.facts.is_read()));
        self.each_cached(&changed, |id, documented| {
            docs.replace(id, documented.iter().copied());
        });
        docs
    }

    /// What is documented in a file that is in memory.
    fn documented(&self, id: FileId) -> impl Iterator<Item = Documented<'_>> {
        let file = self.file(id).filter(|file| file.facts.is_read());
        file.into_iter().flat_map(move |file| {
            DocumentedItem::all_of(&file.facts).map(move |found| Documented::from_item(id, &found))
        })
    }

    /// Hands out what is documented in these files, which are not in memory.
    fn each_cached(&self, files: &[FileId], mut visit: impl FnMut(FileId, &[Documented<'_>])) {
        let number = |id: &FileId| Some((self.file(*id)?.facts.cached_number()?, *id));
        let ids: FxHashMap<u32, FileId> = files.iter().filter_map(number).collect();
        let Some(source) = self.source.as_ref().filter(|_| !ids.is_empty()) else {
            return;
        };
        source.each_documented(&mut |number, items| {
            let Some(file) = ids.get(&number).copied() else {
                return;
            };
            let documented = items.iter().map(|found| Documented::from_item(file, found));
            visit(file, &documented.collect::<Vec<_>>());
        });
    }

    /// What the table would find, without one.
    fn look_through_documentation(&self, needles: &[Vec<u8>]) -> Vec<DocumentedDeclaration> {
        let needles: Vec<Needle> = needles.iter().map(|needle| Needle::new(needle)).collect();
        let has_all = |found: &Documented<'_>| {
            needles.iter().all(|needle| {
                needle.is_in(found.doc.as_bytes()) || needle.is_in(found.name.as_bytes())
            })
        };
        let in_memory = self.all_files().flat_map(|(id, _)| self.documented(id));
        let declared = |found: Documented<'_>| found.declared;
        let mut all: Vec<DocumentedDeclaration> = in_memory.filter(has_all).map(declared).collect();
        let unread = self.files().filter(|(_, file)| !file.facts.is_read());
        let unread: Vec<FileId> = unread.map(|(id, _)| id).collect();
        self.each_cached(&unread, |_, documented| {
            let found = documented.iter().copied().filter(has_all);
            all.extend(found.map(declared));
        });
        all
    }

    fn wanted_item(&self, symbol: Symbol, query: &SearchQuery) -> Option<(&IndexedFile, &Item)> {
        let (file, item) = self.get(symbol)?;
        let is_local = item.flags.contains(ItemFlags::LOCAL);
        let is_tagged = || query.tags.iter().all(|tag| has_tag(file, item, tag));
        (is_wanted(item.kind, is_local, query) && is_tagged()).then_some((file, item))
    }

    /// Every symbol that has the tags of a query without a name.
    fn all_tagged(&self, query: &SearchQuery) -> SearchResult {
        let symbols = self.names.iter().flat_map(|(_, entry)| &entry.symbols);
        let tagged = symbols
            .filter(|symbol| !query.tags.is_empty() && self.wanted_item(**symbol, query).is_some());
        let kind = HitKind::Exact;
        let hits = tagged.map(|symbol| SymbolHit {
            symbol: *symbol,
            kind,
        });
        SearchResult {
            hits: hits.collect(),
            ..SearchResult::default()
        }
    }

    /// Whether every context word occurs in the path before the name.
    fn in_context(&self, symbol: Symbol, context: &[String]) -> bool {
        if context.is_empty() {
            return true;
        }
        let segments = self.segments(symbol);
        let before: Vec<String> = segments
            .iter()
            .rev()
            .skip(1)
            .map(|segment| lower(segment.text))
            .collect();
        context
            .iter()
            .all(|word| before.iter().any(|part| part.contains(word.as_str())))
    }

    /// Sorts hits of one kind by how much they are likely meant, what tests the product behind it; of equals, by where they
    /// are.
    fn rank(&self, hits: &mut [SymbolHit], wants_tests: bool) {
        let places = self.places();
        let mut tests: FxHashMap<FileId, bool> = FxHashMap::default();
        hits.sort_by_cached_key(|hit| {
            let Some((file, item)) = self.get(hit.symbol) else {
                return (u64::MAX, u64::MAX, 0);
            };
            let is_local = item.flags.contains(ItemFlags::LOCAL);
            let length = file.facts.str(item.name).len().min(0xffff) as u64;
            let is_test = !wants_tests
                && *tests
                    .entry(hit.symbol.file)
                    .or_insert_with(|| is_of_tests(&file.path));
            let fit = u64::from(is_test) << 40
                | (item.visibility as u64 + 4 * u64::from(is_local)) << 24
                | u64::from(kind_rank(item.kind)) << 16
                | length;
            let place = places.get(hit.symbol.file.0 as usize).copied().unwrap_or(0);
            let place = u64::from(place) << 32 | u64::from(hit.symbol.item);
            (fit, lead(file, item), place)
        });
    }
}

fn is_wanted(kind: ItemKind, is_local: bool, query: &SearchQuery) -> bool {
    kind != ItemKind::Extension
        && (query.include_locals || !is_local)
        && (query.kinds.is_empty() || query.kinds.contains(&kind))
}

/// Whether a declaration has an attribute, specifier or modifier of that name, in whatever case: the engines and
/// languages that have them differ in whether it counts.
fn has_tag(file: &IndexedFile, item: &Item, tag: &str) -> bool {
    let is_it = |name: &str| {
        let last = name.rsplit(['.', ':']).next().unwrap_or(name);
        let is_last = last.eq_ignore_ascii_case(tag) || name.eq_ignore_ascii_case(tag);
        is_last
            || last
                .strip_suffix("Attribute")
                .is_some_and(|name| name.eq_ignore_ascii_case(tag))
    };
    file.facts.marks_of(item).any(is_it) || item.flags.modifiers().any(is_it)
}

/// Of declarations of one name, that in the file of the name goes first, then the longest: a class before its parts.
fn lead(file: &IndexedFile, item: &Item) -> u64 {
    let stem = file.path.rsplit('/').next().unwrap_or(&file.path);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        lower(&letters.collect::<String>())
    };
    let is_elsewhere = letters(stem) != letters(file.facts.str(item.name));
    let lines = u64::from(item.end.line.saturating_sub(item.start.line));
    u64::from(is_elsewhere) << 32 | (u64::from(u32::MAX) - lines)
}

/// Types are looked for more often than what is in them.
fn kind_rank(kind: ItemKind) -> u8 {
    if kind.is_type() {
        0
    } else if kind.is_namespace() {
        1
    } else if kind.is_callable() {
        2
    } else {
        3
    }
}

/// A word to look for in text of any case. The rarest of its bytes is looked for first, by
/// `memchr2`; comparing at every place costs several times as much.
struct Needle {
    lower: Vec<u8>,
    rarest: usize,
}

impl Needle {
    /// `lower` is in lower case.
    fn new(lower: &[u8]) -> Self {
        let lower = lower.to_vec();
        const COMMON: &[u8] = b" etaoinsrhldcumfpgwybvkxjqz";
        let rarity = |byte: &u8| {
            COMMON
                .iter()
                .position(|common| common == byte)
                .unwrap_or(COMMON.len())
        };
        let rarest = (0..lower.len())
            .max_by_key(|at| rarity(&lower[*at]))
            .unwrap_or(0);
        Self { lower, rarest }
    }

    fn is_in(&self, text: &[u8]) -> bool {
        if !self.lower.is_ascii() {
            let mut all = Vec::new();
            folded(text, &mut all);
            return memchr::memmem::find(&all, &self.lower).is_some();
        }
        let Some(rare) = self.lower.get(self.rarest) else {
            return true;
        };
        memchr::memchr2_iter(*rare, rare.to_ascii_uppercase(), text).any(|at| {
            at.checked_sub(self.rarest)
                .and_then(|start| text.get(start..start + self.lower.len()))
                .is_some_and(|window| window.eq_ignore_ascii_case(&self.lower))
        })
    }
}

/// Whether a word is written as in prose, so that it is not a name of several words.
fn is_one_word(word: &str) -> bool {
    let is_in_prose = |c: char| c.is_alphabetic() && !c.is_uppercase();
    word.chars().skip(1).all(is_in_prose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needles_ignore_case() {
        let needle = Needle::new(b"quick");
        assert!(needle.is_in(b"the qUICK fox") && needle.is_in(b"quick") && !needle.is_in(b"quic"));
        let needle = Needle::new("сессию".as_bytes());
        assert!(needle.is_in("Проверяет СЕССИЮ.".as_bytes()));
    }
}
