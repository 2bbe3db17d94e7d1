//! From a symbol path that somebody typed to the declarations that are meant (SPEC S2).
//!
//! In this order, the first that finds anything decides: the full path; the end of a path; wildcards.
//! Nothing found: names within an edit distance of two are suggested, never taken.

use std::cmp::Reverse;

use codecortex_syntax::{Item, ItemFlags, ItemKind, Language};
use codecortex_text::wildcard_matches;
use rustc_hash::FxHashMap;

use crate::children::in_containers;
use crate::entry::simple_name;
use crate::fold::{lower, mask};
use crate::module::crate_folder;
use crate::overlay::Overlay;
use crate::segments::{Segment, SegmentKind, written_path};
use crate::symbol_path::{SymbolPath, split_types};
use crate::{FileId, Index, IndexedFile, Symbol};

/// Where a path has more meanings than these, what was used lately decides nothing: finding that out for
/// each of them takes longer than finding them, and nobody looks at all of them.
const MAX_BY_RECENCY: usize = 256;

/// Of a name that is declared more often, only the declarations are compared that are where their container is: a path
/// takes a thousand times as long to make as a file to compare.
const MANY_OF_A_NAME: usize = 256;

/// Suggestions are for reading; more than this is noise.
const MAX_SUGGESTIONS: usize = 8;

/// How a path was matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// The whole path.
    Exact,
    /// The end of a path.
    Suffix,
    /// A pattern.
    Wildcard,
}

impl Match {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Suffix => "suffix",
            Self::Wildcard => "wildcard",
        }
    }
}

/// One path and everything that declares it: parts of a type, overloads, a prototype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The full path as its language writes it.
    pub path: String,
    /// Its declarations; never empty.
    pub symbols: Vec<Symbol>,
    /// How it was found.
    pub matched: Match,
}

impl Resolved {
    /// Whether the name of what was found differs in case from the one that was asked for.
    #[must_use]
    pub fn is_other_spelling(&self, asked: &SymbolPath) -> bool {
        let name = self.path.rsplit(['.', ':', '+', '/', '#', '\\']).next();
        let name = name.and_then(|name| name.split('<').next()).unwrap_or("");
        !asked.has_wildcard() && name != asked.name() && lower(name) == lower(asked.name())
    }
}

/// What a path resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// One path.
    One(Resolved),
    /// Several, best first.
    Many(Vec<Resolved>),
    /// Nothing; paths that may be meant.
    None(Vec<String>),
}

/// A group of candidates with what ranks it.
pub(crate) struct RankedGroup {
    pub(crate) resolved: Resolved,
    case_differs: bool,
    /// Namespaces around it.
    depth: usize,
    visibility: u8,
    is_local: bool,
    /// Of a type, how many parameters it has.
    arity: u8,
    /// Whether it is declared outside of the workspace alone.
    is_external: bool,
    /// Greater for what was used later.
    recency: u32,
}

impl RankedGroup {
    /// Its place among several.
    fn rank(&self) -> (bool, usize, u8, Reverse<u32>, usize, &str) {
        let path = &self.resolved.path;
        (
            self.case_differs,
            self.depth,
            self.visibility,
            Reverse(self.recency),
            path.len(),
            path,
        )
    }
}

/// How a symbol's path fits the query.
struct PathFit {
    /// Whether the query is the whole path.
    is_whole: bool,
    case_differs: bool,
    depth: usize,
    path: String,
}

/// The parameters of a type as its signature writes them: `<K, V>`.
fn type_params<'a>(file: &'a IndexedFile, item: &Item) -> &'a str {
    let signature = file.facts.str(item.signature);
    let name = file.facts.str(item.name);
    let after = signature
        .match_indices(name)
        .map(|(at, _)| &signature[at + name.len()..])
        .find(|after| after.starts_with('<'));
    let mut depth = 0usize;
    for (at, c) in after.unwrap_or("").char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return &after.unwrap_or("")[..=at];
        }
    }
    ""
}

impl Index {
    /// Resolves a path where nothing is known of what was used lately (SPEC S2, D20).
    #[must_use]
    pub fn resolve(&self, path: &SymbolPath) -> Resolution {
        self.resolve_recent(path, &|_| 0, Overlay::Hidden)
    }

    /// Resolves a path. Several meanings come in this order (SPEC D20): in the case that is written, in
    /// fewer namespaces, more public, used later, of a shorter path. `recency` is greater for what was
    /// used later and 0 for what was not.
    #[must_use]
    pub fn resolve_recent(
        &self,
        path: &SymbolPath,
        recency: &dyn Fn(Symbol) -> u32,
        overlay: Overlay,
    ) -> Resolution {
        let wanted: Vec<String> = path.segments.iter().map(|segment| lower(segment)).collect();
        let wildcard = path.has_wildcard();
        let mut groups = if wildcard {
            self.wildcard_groups(path, &wanted, overlay)
        } else {
            self.named_groups(path, &wanted, overlay)
        };
        // What the workspace declares goes before all that it uses from outside (SPEC AS3).
        prefer(&mut groups, |group| !group.is_external);
        if !wildcard {
            // A type `Engine` is meant rather than the module `engine`, though that is its whole path.
            prefer(&mut groups, |group| !group.case_differs);
            prefer(&mut groups, |group| group.resolved.matched == Match::Exact);
            prefer(&mut groups, |group| !group.is_local);
            // Of types with one path a path without type arguments means the one that has none.
            if path.arity.is_none() {
                prefer(&mut groups, |group| {
                    group.resolved.matched != Match::Exact || group.arity == 0
                });
            }
        }
        if (2..=MAX_BY_RECENCY).contains(&groups.len()) {
            for group in &mut groups {
                let symbols = group.resolved.symbols.iter();
                group.recency = symbols.map(|symbol| recency(*symbol)).max().unwrap_or(0);
            }
        }
        groups.sort_by(|a, b| a.rank().cmp(&b.rank()));
        let mut found: Vec<Resolved> = groups.into_iter().map(|group| group.resolved).collect();
        match (found.len(), found.pop()) {
            (1, Some(only)) => Resolution::One(only),
            (_, Some(last)) => {
                found.push(last);
                Resolution::Many(found)
            }
            (_, None) => Resolution::None(self.suggestions(path)),
        }
    }

    fn named_groups(
        &self,
        path: &SymbolPath,
        wanted: &[String],
        overlay: Overlay,
    ) -> Vec<RankedGroup> {
        let named = || self.named_in(path.name(), overlay);
        let files = Some(named().count()).filter(|count| *count > MANY_OF_A_NAME);
        let files = files.and_then(|_| self.files_of_container(wanted, overlay));
        if let Some(files) = files {
            let is_there = |symbol: &Symbol| files.binary_search(&symbol.file).is_ok();
            let groups = self.group(path, wanted, named().filter(is_there));
            if !groups.is_empty() {
                return groups;
            }
        }
        self.group(path, wanted, named())
    }

    fn wildcard_groups(
        &self,
        path: &SymbolPath,
        wanted: &[String],
        overlay: Overlay,
    ) -> Vec<RankedGroup> {
        let pattern = wanted.last().map_or("", String::as_str);
        let letters = mask(&pattern.replace(['*', '?'], ""));
        let prefix = pattern.split(['*', '?']).next().unwrap_or("");
        if let Some(found) = in_containers(self, wanted, overlay) {
            return self.group(path, wanted, found.into_iter());
        }
        let mut sorted = self.sorted_names.borrow_mut();
        let (places, new) = sorted.starting_with(&self.names, prefix);
        let places = places.iter().map(|place| *place as usize).chain(new);
        let symbols = places
            .map(|place| (self.names.text(place), &self.names[place]))
            .filter(|(name, entry)| letters & !entry.mask == 0 && wildcard_matches(pattern, name))
            .flat_map(|(_, name)| name.symbols.iter().copied());
        let over = match overlay {
            Overlay::Shown => Some(self.overlay.names().iter()),
            Overlay::Hidden => None,
        };
        let over = over.into_iter().flatten();
        let over = over.filter(|(name, _)| wildcard_matches(pattern, name));
        let over = over.flat_map(|(_, name)| name.symbols.iter().copied());
        self.group(path, wanted, symbols.chain(over))
    }

    /// Where the members of a type may be written that a path names before its last part: the files of all that is called
    /// so, members written outside of it included, and those of modules that may be. None where it names no type, or so
    /// many that every name is sooner looked at.
    fn files_of_container(&self, wanted: &[String], overlay: Overlay) -> Option<Vec<FileId>> {
        const MAX_FILES: usize = 256;
        let [.., container, _] = wanted else {
            return None;
        };
        let is_type = |symbol: Symbol| {
            let found = self.get(symbol);
            found.is_some_and(|(_, item)| item.kind.is_type())
        };
        let named: Vec<Symbol> = self.named_in(container, overlay).collect();
        if named.len() > MAX_FILES || !named.iter().copied().any(is_type) {
            return None;
        }
        let outside = self.outside_members_named(container, overlay);
        let symbols = named.into_iter().chain(outside);
        let mut files: Vec<FileId> = symbols.map(|symbol| symbol.file).collect();
        files.extend(self.files_with_part(container));
        files.sort_unstable();
        files.dedup();
        (files.len() <= MAX_FILES).then_some(files)
    }

    /// Candidates that fit the whole query, by path.
    pub(crate) fn group(
        &self,
        path: &SymbolPath,
        wanted: &[String],
        symbols: impl Iterator<Item = Symbol>,
    ) -> Vec<RankedGroup> {
        let mut found: Vec<(Symbol, &Item, PathFit)> = Vec::new();
        for symbol in symbols {
            let Some((file, item)) = self.get(symbol) else {
                continue;
            };
            if item.kind == ItemKind::Extension || !fits_overload(path, file, item) {
                continue;
            }
            if let Some(fit) = self.fits(symbol, file, path, wanted) {
                found.push((symbol, item, fit));
            }
        }
        if path.parameters.as_ref().is_some_and(Vec::is_empty) {
            let takes_none = |item: &Item| item.params.is_empty();
            if found.iter().any(|(_, item, ..)| takes_none(item)) {
                found.retain(|(_, item, ..)| takes_none(item));
            }
        }
        if let Some(arity) = path.arity
            && found
                .iter()
                .any(|(_, item, ..)| usize::from(item.arity) == arity)
        {
            found.retain(|(_, item, ..)| usize::from(item.arity) == arity);
        }
        let types: Vec<Symbol> = found
            .iter()
            .filter(|(_, item, ..)| item.kind.is_type())
            .map(|found| found.0)
            .collect();
        // `Store` means the class, not the constructor in it.
        found.retain(|(symbol, item, ..)| {
            let special = matches!(item.kind, ItemKind::Constructor | ItemKind::Destructor);
            !(special
                && item.parent.is_some_and(|parent| {
                    types.contains(&Symbol {
                        file: symbol.file,
                        item: parent,
                    })
                }))
        });
        let mut groups: indexmap::IndexMap<(String, u8), RankedGroup> = indexmap::IndexMap::new();
        for (symbol, item, fit) in found {
            let key_arity = if item.kind.is_type() { item.arity } else { 0 };
            let key = (fit.path.clone(), key_arity);
            let group = groups.entry(key).or_insert_with(|| RankedGroup {
                resolved: Resolved {
                    path: fit.path,
                    symbols: Vec::new(),
                    matched: match (path.has_wildcard(), fit.is_whole) {
                        (true, _) => Match::Wildcard,
                        (false, true) => Match::Exact,
                        (false, false) => Match::Suffix,
                    },
                },
                case_differs: fit.case_differs,
                depth: fit.depth,
                visibility: item.visibility as u8,
                is_local: item.flags.contains(ItemFlags::LOCAL),
                arity: key_arity,
                is_external: true,
                recency: 0,
            });
            let is_external = self.is_external(symbol.file);
            if group.is_external && !is_external {
                group.resolved.symbols.clear();
                group.is_external = false;
            } else if is_external && !group.is_external {
                continue;
            }
            group.resolved.symbols.push(symbol);
            group.visibility = group.visibility.min(item.visibility as u8);
        }
        let mut groups: Vec<RankedGroup> = groups.into_values().collect();
        self.tell_apart(&mut groups);
        for group in &mut groups {
            // A definition says more than its prototypes, a type's largest part more than the others.
            let symbols = &mut group.resolved.symbols;
            symbols.sort_by_key(|symbol| self.order_of_part(*symbol));
        }
        groups
    }

    /// The order of declarations of one symbol: definitions before prototypes, larger parts of a type first.
    #[must_use]
    pub fn order_of_part(&self, symbol: Symbol) -> impl Ord + use<> {
        let place = self.get(symbol);
        let is_prototype =
            place.is_none_or(|(_, item)| item.flags.contains(ItemFlags::DECLARATION));
        let lines = place
            .filter(|(_, item)| item.kind.is_type())
            .map_or(0, |(_, item)| item.end.line.saturating_sub(item.start.line));
        let file = place.map(|(file, _)| (file.root, file.path.clone()));
        (is_prototype, Reverse(lines), file, symbol.item)
    }

    /// Types of one path that differ in their parameters are shown with them.
    fn tell_apart(&self, groups: &mut [RankedGroup]) {
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        for group in groups.iter() {
            *counts.entry(group.resolved.path.clone()).or_default() += 1;
        }
        for group in groups {
            if group.arity > 0
                && counts.get(&group.resolved.path) > Some(&1)
                && let Some((file, item)) =
                    group.resolved.symbols.first().and_then(|of| self.get(*of))
            {
                group.resolved.path.push_str(type_params(file, item));
            }
        }
    }

    /// The path of a symbol; with its parameters if it is a type and another one of the same path has others.
    #[must_use]
    pub fn unique_path_of(&self, symbol: Symbol) -> String {
        let path = self.path_of(symbol);
        let Some((file, item)) = self.get(symbol) else {
            return path;
        };
        if !item.kind.is_type() || item.arity == 0 {
            return path;
        }
        let name = simple_name(file.facts.str(item.name));
        let has_another = self.named(name).iter().any(|other| {
            let is_other = |(_, other): (&IndexedFile, &Item)| {
                other.kind.is_type() && other.arity != item.arity
            };
            self.get(*other).is_some_and(is_other) && self.path_of(*other) == path
        });
        if has_another {
            return path + type_params(file, item);
        }
        path
    }

    /// How the symbol's path ends with the query, if it does.
    fn fits(
        &self,
        symbol: Symbol,
        file: &IndexedFile,
        path: &SymbolPath,
        wanted: &[String],
    ) -> Option<PathFit> {
        let segments = self.segments(symbol);
        let (skips, anchored) = self.behind_crate(file, path);
        let (written, wanted) = (&path.segments[skips..], &wanted[skips..]);
        // A module's name may have dots (`store.test`), which the query's grammar splits at.
        let flat: Vec<&str> = segments
            .iter()
            .flat_map(|segment| {
                let splits = segment.kind == SegmentKind::Namespace;
                segment.text.split(move |c| splits && c == '.')
            })
            .filter(|part| !part.is_empty())
            .collect();
        let skipped = flat.len().checked_sub(wanted.len())?;
        if anchored.is_some_and(|crates| crates != skipped) {
            return None;
        }
        let mut case_differs = false;
        for ((part, wanted), written) in flat[skipped..].iter().zip(wanted).zip(written) {
            if wanted.contains(['*', '?']) {
                if !wildcard_matches(wanted, &lower(part)) {
                    return None;
                }
            } else if *part != written {
                if lower(part) != *wanted {
                    return None;
                }
                case_differs = true;
            }
        }
        let is_namespace = |segment: &&Segment<'_>| segment.kind == SegmentKind::Namespace;
        let namespaces = segments.iter().filter(is_namespace);
        Some(PathFit {
            is_whole: skipped == 0 || skipped == anchored.unwrap_or(usize::MAX),
            case_differs,
            depth: namespaces.count(),
            path: written_path(file, &segments),
        })
    }

    /// How many segments at the head of a query name the crate of a file of Rust (`crate`, or its name with `_` for `-`),
    /// and how many of the file's own path do then: what follows begins at the crate's root.
    fn behind_crate(&self, file: &IndexedFile, path: &SymbolPath) -> (usize, Option<usize>) {
        if file.facts.language != Language::Rust || path.segments.len() < 2 {
            return (0, None);
        }
        let own = usize::from(crate_folder(&file.path).is_some_and(|folder| !folder.is_empty()));
        let written = &path.segments[0];
        if written == "crate" || self.crate_name(file).is_some_and(|name| name == *written) {
            return (1, Some(own));
        }
        (0, None)
    }

    /// Names that may be meant: the same name elsewhere, then names that differ in two letters.
    fn suggestions(&self, path: &SymbolPath) -> Vec<String> {
        let wanted = lower(path.name());
        let mut near: Vec<(usize, usize, String)> = Vec::new();
        let bits = mask(&wanted);
        for (name, entry) in self.names.iter() {
            if entry.symbols.is_empty() || name.len().abs_diff(wanted.len()) > 2 {
                continue;
            }
            // Two edits change at most four of the letters that occur.
            if (bits ^ entry.mask).count_ones() > 4 {
                continue;
            }
            let distance = strsim::levenshtein(&wanted, name);
            if distance <= 2
                && distance * 2 < wanted.chars().count().max(1) + usize::from(distance == 0)
            {
                let best = entry.symbols.iter().take(64).filter_map(|symbol| {
                    let (file, item) = self.get(*symbol)?;
                    // What is read of packages is no name that callers know of.
                    let usable = !self.is_external(symbol.file)
                        && item.kind != ItemKind::Extension
                        && !item.flags.contains(ItemFlags::LOCAL);
                    // Of names that are as near in any case, the one in the case that was asked for.
                    let written = simple_name(file.facts.str(item.name));
                    let as_written = strsim::levenshtein(path.name(), written);
                    usable.then(|| (as_written, item.visibility, self.path_of(*symbol)))
                });
                let mut best: Vec<_> = best.collect();
                best.sort_by(|a, b| (a.0, a.1, a.2.len(), &a.2).cmp(&(b.0, b.1, b.2.len(), &b.2)));
                let best = best.into_iter().take(3);
                near.extend(best.map(|(as_written, _, path)| (distance, as_written, path)));
            }
        }
        near.sort();
        let mut out: Vec<String> = Vec::new();
        for (_, _, path) in near {
            let simple = path
                .rsplit(['.', ':', '+', '/'])
                .next()
                .unwrap_or("")
                .to_owned();
            for suggestion in [simple, path] {
                if !suggestion.is_empty() && !out.contains(&suggestion) {
                    out.push(suggestion);
                }
            }
        }
        out.truncate(MAX_SUGGESTIONS);
        out
    }
}

/// Keeps only what fits, if anything does.
fn prefer(groups: &mut Vec<RankedGroup>, fits: impl Fn(&RankedGroup) -> bool) {
    if groups.iter().any(&fits) {
        groups.retain(fits);
    }
}

/// Whether an overload has the parameter types that the query names; simple names are enough.
fn fits_overload(path: &SymbolPath, file: &IndexedFile, item: &Item) -> bool {
    let Some(wanted) = path.parameters.as_ref().filter(|wanted| !wanted.is_empty()) else {
        return true;
    };
    let written = split_types(file.facts.str(item.params));
    let has_keywords = file.facts.language == Language::CSharp;
    let simple = |text: &str| {
        let text = lower(text);
        let bare = text
            .split('<')
            .next()
            .unwrap_or("")
            .trim_end_matches(['?', '*', '&', ']', '[']);
        let name = bare.rsplit(['.', ':', ' ']).next().unwrap_or("");
        match has_keywords {
            true => keyword_of(name).to_owned(),
            false => name.to_owned(),
        }
    };
    wanted.len() == written.len()
        && wanted
            .iter()
            .zip(&written)
            .all(|(a, b)| simple(a) == simple(b))
}

/// The keyword of C# for a type of the runtime, by its name in lower case: both are one type.
fn keyword_of(name: &str) -> &str {
    match name {
        "boolean" => "bool",
        "single" => "float",
        "int16" => "short",
        "uint16" => "ushort",
        "int32" => "int",
        "uint32" => "uint",
        "int64" => "long",
        "uint64" => "ulong",
        "intptr" => "nint",
        "uintptr" => "nuint",
        // The others differ in case alone.
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_syntax::{Limits, Outcome, analyse};

    fn index(files: &[(&str, &str)]) -> Index {
        let mut index = Index::new();
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: false,
        };
        for (path, text) in files {
            if let Outcome::Facts(facts) = analyse(path, text.as_bytes(), limits) {
                index.insert(0, path, facts);
            }
        }
        index
    }

    fn order(index: &Index, path: &str, recent: &[&str]) -> Vec<String> {
        let recency = |symbol| {
            let path = index.path_of(symbol);
            let place = recent.iter().position(|recent| *recent == path);
            place.map_or(0, |place| place as u32 + 1)
        };
        match index.resolve_recent(&SymbolPath::parse(path).unwrap(), &recency, Overlay::Hidden) {
            Resolution::One(found) => vec![found.path],
            Resolution::Many(found) => found.into_iter().map(|found| found.path).collect(),
            Resolution::None(_) => Vec::new(),
        }
    }

    #[test]
    fn members_of_a_frequent_name_are_looked_for_where_their_type_is() {
        let mut files = vec![
            (
                "a.cs".to_owned(),
                "partial class Store { int Get; }".to_owned(),
            ),
            (
                "b.cs".to_owned(),
                "partial class Store { int Get(int a) => 1; }".to_owned(),
            ),
            (
                "n/c.cs".to_owned(),
                "namespace N { class Store { int Get; } }".to_owned(),
            ),
            (
                "o.cs".to_owned(),
                "namespace O { class Shop { class Store { } int Get; } }".to_owned(),
            ),
        ];
        for other in 0..300 {
            let text = format!("class O{other} {{ int Get; }}");
            files.push((format!("o/O{other}.cs"), text));
        }
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect();
        let index = index(&files);
        assert!(index.named("Get").len() > MANY_OF_A_NAME);
        assert_eq!(order(&index, "Store.Get", &[]), ["Store.Get"]);
        assert_eq!(order(&index, "N.Store.Get", &[]), ["N.Store.Get"]);
        assert_eq!(order(&index, "Shop.Get", &[]), ["O.Shop.Get"]);
        assert_eq!(order(&index, "store.get", &[]), ["Store.Get"]);
        assert_eq!(order(&index, "O7.Get", &[]), ["O7.Get"]);
        assert!(order(&index, "Nothing.Get", &[]).is_empty());
    }

    #[test]
    fn members_by_wildcard_are_looked_for_where_their_type_is() {
        let mut files = vec![
            (
                "a.cs".to_owned(),
                "partial class Store { int GetA() => 1; int Get; }".to_owned(),
            ),
            (
                "b.cs".to_owned(),
                "partial class Store { int GetB() => 1; class In { int GetC; } }".to_owned(),
            ),
            (
                "m/a.cpp".to_owned(),
                "struct Store { int getD(); };".to_owned(),
            ),
            (
                "m/b.cpp".to_owned(),
                "int Store::getD() { return 1; }".to_owned(),
            ),
            (
                "store.ts".to_owned(),
                "export function getE() {}".to_owned(),
            ),
            (
                "go/s.go".to_owned(),
                "package s\ntype Store struct { GetF int }\nfunc (s *Store) GetG() {}".to_owned(),
            ),
            (
                "src/store/mod.rs".to_owned(),
                "pub fn get_h() {}".to_owned(),
            ),
            (
                "src/e.rs".to_owned(),
                "impl crate::d::Store { fn get_i() {} }".to_owned(),
            ),
        ];
        for other in 0..300 {
            files.push((
                format!("o/O{other}.cs"),
                format!("class O{other} {{ int Get{other}; }}"),
            ));
        }
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect();
        let index = index(&files);
        let wanted = ["store", "get*"].map(str::to_owned);
        let looked: Vec<&str> = index
            .files_of_container(&wanted, Overlay::Hidden)
            .unwrap()
            .into_iter()
            .map(|id| &*index.file(id).unwrap().path)
            .collect();
        assert_eq!(looked.len(), 8, "{looked:?}");
        let found = order(&index, "Store.Get*", &[]);
        let path = SymbolPath::parse("Store.Get*").unwrap();
        // As if every name was looked at.
        let all = index.files().flat_map(|(file, of)| {
            let items = 0..of.facts.items.len() as u32;
            items.map(move |item| Symbol { file, item })
        });
        let is_get = |symbol: &Symbol| {
            let (file, item) = index.get(*symbol).unwrap();
            lower(file.facts.str(item.name)).starts_with("get")
        };
        let groups = index.group(&path, &wanted, all.filter(is_get));
        let mut expected: Vec<String> = groups
            .into_iter()
            .map(|group| group.resolved.path)
            .collect();
        expected.sort_unstable();
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected);
        assert!(expected.len() >= 7, "{expected:?}");
    }

    /// SPEC TC4: `()` means the overload without parameters; spellings of one type are one.
    #[test]
    fn overloads_are_named_as_people_write_them() {
        let index = index(&[(
            "a.cs",
            "class NodeBox { public void Add(string s, int i) { } public void Add() { } public void One(int i) { } }",
        )]);
        let params = |path: &str| match index.resolve(&SymbolPath::parse(path).unwrap()) {
            Resolution::One(found) => found
                .symbols
                .iter()
                .map(|symbol| {
                    let (file, item) = index.get(*symbol).unwrap();
                    file.facts.str(item.params).to_owned()
                })
                .collect(),
            _ => Vec::new(),
        };
        assert_eq!(params("NodeBox.Add()"), [""]);
        assert_eq!(params("NodeBox.Add(System.String, System.Int32)").len(), 1);
        assert_eq!(params("NodeBox.Add(String,int)").len(), 1);
        assert_eq!(params("NodeBox.Add").len(), 2);
        assert_eq!(params("NodeBox.One()").len(), 1);
        assert_eq!(params("NodeBox.Add(System.Int64, int)").len(), 0);
    }

    #[test]
    fn crates_are_called_as_rust_calls_them() {
        let mut index = index(&[
            (
                "src/lib.rs",
                "pub mod deep { pub struct Store; }\npub struct Top;\n",
            ),
            ("crates/my-lib/src/deep.rs", "pub struct Store;\n"),
        ]);
        let none: &[&str] = &[];
        assert_eq!(
            order(&index, "my_lib::deep::Store", none),
            ["my-lib::deep::Store"]
        );
        assert_eq!(order(&index, "crate::Top", none), ["Top"]);
        assert_eq!(order(&index, "crate::Store", none).len(), 0);
        assert_eq!(order(&index, "my_app::deep::Store", none).len(), 0);
        index.set_crate_names(0, [(String::new(), "my_app".to_owned())]);
        assert_eq!(order(&index, "my_app::deep::Store", none), ["deep::Store"]);
    }

    /// SPEC D20: another case is another spelling, and it can be said.
    #[test]
    fn another_case_is_another_spelling() {
        let index = index(&[("src/lib.rs", "pub mod rope { pub fn len() {} }\n")]);
        let asked = SymbolPath::parse("Rope").unwrap();
        let Resolution::One(found) = index.resolve(&asked) else {
            panic!("one is found");
        };
        assert!(found.is_other_spelling(&asked));
        assert!(!found.is_other_spelling(&SymbolPath::parse("rope").unwrap()));
    }

    /// SPEC D20: each rule decides only where those before it do not.
    #[test]
    fn several_meanings_have_an_order() {
        let index = index(&[(
            "a.cs",
            "namespace Long.Deep { public class Store { public class Inner { public int Id; } } }
             namespace Far { public class Store { } public class store { } internal class Id { } }
             namespace Near { class Store { } }
             namespace Furthest { public class Store { } }",
        )]);
        let none: &[&str] = &[];
        assert_eq!(
            order(&index, "Store", none),
            [
                "Far.Store",
                "Furthest.Store",
                "Near.Store",
                "Long.Deep.Store"
            ]
        );
        // Used later wins over shorter, not over more public or fewer namespaces.
        assert_eq!(
            order(&index, "Store", &["Near.Store", "Furthest.Store"]),
            [
                "Furthest.Store",
                "Far.Store",
                "Near.Store",
                "Long.Deep.Store"
            ]
        );
        assert_eq!(
            order(
                &index,
                "Store",
                &["Far.Store", "Furthest.Store", "Long.Deep.Store"]
            )[..2],
            ["Furthest.Store", "Far.Store"]
        );
        // The case that is written decides alone.
        assert_eq!(order(&index, "store", none), ["Far.store"]);
        assert_eq!(order(&index, "STORE", none).len(), 5);
        // Types around a member are no namespaces.
        assert_eq!(
            order(&index, "Id", none),
            ["Far.Id", "Long.Deep.Store+Inner.Id"]
        );
        assert_eq!(
            order(&index, "S*e", none)[..3],
            ["Far.Store", "Far.store", "Furthest.Store"]
        );
    }
}
