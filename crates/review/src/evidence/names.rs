//! What the names on added lines mean: definitions that the diff does not show.

use codecortex_bind::facts::Role;
use codecortex_index::{FileId, Symbol};
use codecortex_resolve::{DefRef, ExprRef};
use codecortex_syntax::ItemKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence_lines::{EvidenceLines, EvidenceReason, distinct};
use super::facts::Evidence;
use super::search::EvidenceSearch;
use crate::changed_lines::ChangedLines;
use crate::diff::Hunk;
use crate::source::{is_local, name_line, span};

/// Names of a change that are looked up.
const MAX_NAMES: usize = 600;
/// A name with more declarations means too much to be shown where its use is not resolved.
const MAX_MEANINGS: usize = 6;
/// Uses of a name that are resolved.
const MAX_PLACES: usize = 6;
/// Implementations of a member of an interface that tell what it does; of more none does.
const MAX_IMPLEMENTATIONS: usize = 2;
/// Declarations that are shown of one name.
const MAX_SHOWN: usize = 3;
/// Lines of a definition's head.
const HEAD: u32 = 3;

/// What a name means, or may mean.
#[derive(Clone, Debug)]
pub(super) struct Meant {
    pub(super) part: EvidenceReason,
    pub(super) symbol: Symbol,
    pub(super) unit: usize,
    pub(super) score: f64,
}

/// Where the uses of a name lead.
#[derive(Default)]
pub(super) struct Led {
    pub(super) symbols: Vec<Symbol>,
    /// Fields and the like, whose use tells nearly all of them.
    pub(super) members: Vec<Symbol>,
    asked: usize,
    /// Whether a use leads nobody knows where.
    is_open: bool,
}

/// What is known of the names on changed lines.
pub(super) type ChangedNames = FxHashMap<String, ChangedName>;

/// A name on changed lines.
#[derive(Default)]
pub(super) struct ChangedName {
    /// How often added lines have it.
    count: u32,
    /// Whether removed lines have it.
    was_there: bool,
    pub(super) unit: usize,
    /// Whether it is in code that is no test.
    is_product: bool,
    /// Whether it is called, or spelled like a type or a constant.
    pub(super) is_telling: bool,
}

impl ChangedName {
    /// What comes first: what product code has, what is new, what is frequent.
    pub(super) fn rank(&self) -> (bool, bool, std::cmp::Reverse<u32>) {
        let is_old = self.was_there || self.count == 0;
        (!self.is_product, is_old, std::cmp::Reverse(self.count))
    }
}

pub(super) fn find(
    search: &EvidenceSearch<'_>,
    words: &ChangedNames,
    gone: &[(usize, String)],
) -> Vec<Meant> {
    let resolved = resolved(search);
    let added = words.iter().filter(|(_, word)| word.count > 0);
    let mut order: Vec<(&String, &ChangedName)> = added.collect();
    order.sort_by_key(|(name, word)| (word.rank(), *name));
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    let mut meant = Vec::new();
    for (rank, (name, word)) in order.into_iter().take(MAX_NAMES).enumerate() {
        if gone.iter().any(|(_, gone)| gone == name) {
            continue;
        }
        let led = resolved.get(name.as_str());
        let members = led.map_or(&[][..], |led| &led.members);
        let (symbols, doubt) = match led {
            Some(led) if !led.symbols.is_empty() => (led.symbols.clone(), 0.0),
            Some(led) if !led.is_open => (Vec::new(), 0.0),
            // A word that is no use there: a string's, or a name that the change declares.
            None if search.is_resolved(word.unit) => (Vec::new(), 0.0),
            _ => by_name(search, word.unit, name),
        };
        let score = rank as f64 + doubt + if word.was_there { 20.0 } else { 0.0 };
        let of = |part| move |symbol| (part, symbol);
        let symbols = symbols.into_iter().take(MAX_SHOWN);
        let members = members.iter().copied().take(MAX_SHOWN);
        let all = symbols.map(of(EvidenceReason::Definition));
        for (part, symbol) in all.chain(members.map(of(EvidenceReason::Member))) {
            if seen.insert(symbol) && !is_shown(search, symbol) {
                meant.push(Meant {
                    part,
                    symbol,
                    unit: word.unit,
                    score,
                });
            }
        }
    }
    meant
}

/// Names on changed lines of code, comments left out.
pub(super) fn changed_names(search: &EvidenceSearch<'_>) -> ChangedNames {
    let mut words = ChangedNames::default();
    for (at, unit) in search.units.iter().enumerate() {
        let file = unit.file_of(search.change);
        if file.language.is_none() {
            continue;
        }
        let lines = ChangedLines::from_hunks(unit.hunks_of(search.change));
        let removed = lines.removed.iter().map(|(_, text)| (*text, false));
        let added = lines.added.iter().map(|(_, text)| (*text, true));
        for (text, is_added) in added.chain(removed) {
            for name in names_of(text) {
                let is_product = !file.is_test;
                let word = words.entry(name.to_owned()).or_insert_with(|| ChangedName {
                    unit: at,
                    ..ChangedName::default()
                });
                if is_added && (word.count == 0 || !word.is_product && is_product) {
                    word.unit = at;
                }
                word.count += u32::from(is_added);
                word.was_there |= !is_added;
                word.is_product |= is_product;
                word.is_telling |= is_telling(text, name);
            }
        }
    }
    words
}

/// Whether a name of a line is called there, or spelled like a type or a constant.
fn is_telling(line: &str, name: &str) -> bool {
    const CALLS: [&str; 6] = ["(", "::", "<", "!(", "![", "!{"];
    let is_called = |(at, _): (usize, &str)| {
        let rest = &line[at + name.len()..];
        CALLS.iter().any(|call| rest.starts_with(call))
    };
    name.starts_with(char::is_uppercase) || line.match_indices(name).any(is_called)
}

/// Names of at least four letters, without those of a comment at the line's end.
pub(super) fn names_of(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or(line);
    let code = if code.trim_start().starts_with('#') {
        ""
    } else {
        code
    };
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|name| name.len() >= 4 && name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Where names lead, by the resolver.
#[derive(Default)]
struct Leads {
    by_name: FxHashMap<String, Led>,
}

impl Leads {
    /// Follows the uses between two bytes of a file. One name may mean several things in a change; so many places are
    /// asked for each.
    fn follow(
        &mut self,
        search: &EvidenceSearch<'_>,
        (file, text): (FileId, &str),
        (start, end): (u32, u32),
    ) {
        for (expr, place, len, role) in search.query.uses_between(file.0, start, end) {
            let name = text.get(place as usize..(place + len) as usize);
            let name = name.unwrap_or("");
            if name.len() < 2 || role == Role::Doc.into() {
                continue;
            }
            let known = self.by_name.entry(name.to_owned()).or_default();
            if known.asked < MAX_PLACES {
                known.asked += 1;
                known.lead(search, ExprRef { file: file.0, expr });
            }
        }
    }
}

impl Led {
    /// Adds where a use leads.
    pub(super) fn lead(&mut self, search: &EvidenceSearch<'_>, at: ExprRef) {
        let target = search.query.target(at);
        self.is_open |= target.defs.is_empty() && !target.external;
        let defs = target.defs.iter().flat_map(|def| told(search, *def));
        let symbols = defs.filter_map(|def| search.view.symbol_of(search.query, def));
        let symbols = symbols.flat_map(|symbol| declared(search, symbol));
        for symbol in symbols {
            let list = match worth(search, symbol) {
                Some(EvidenceReason::Definition) => &mut self.symbols,
                Some(_) => &mut self.members,
                None => continue,
            };
            if !list.contains(&symbol) {
                list.push(symbol);
            }
        }
    }
}

/// What names on added lines lead to, where their file is the one of the index.
fn resolved(search: &EvidenceSearch<'_>) -> FxHashMap<String, Led> {
    let mut leads = Leads::default();
    for (at, id) in &search.current {
        let file = &search.change.files[*at];
        let Some(new) = &file.new else { continue };
        if search.query.is_by_name(id.0) {
            continue;
        }
        let runs = file.diff.hunks.iter().flat_map(Hunk::runs);
        for run in runs.filter(|run| run.new_count > 0) {
            let bytes = (new.start_of(run.new), new.start_of(run.new + run.new_count));
            leads.follow(search, (*id, &new.text), bytes);
        }
    }
    leads.by_name
}

/// What tells what a name means: for a prototype what has its body, for a member of an interface also what implements it,
/// where that is little.
fn told(search: &EvidenceSearch<'_>, def: DefRef) -> Vec<DefRef> {
    let query = search.query;
    let item = |def: DefRef| {
        let symbol = search.view.symbol_of(query, def)?;
        search.item(symbol)
    };
    let length = |def: &DefRef| item(*def).map(|item| item.end_byte - item.start_byte);
    // Of a prototype and what has its body, or of overloads and what implements them.
    let is_callable = item(def).is_some_and(|item| item.kind.is_callable());
    let parts = if is_callable {
        query.symbol(def)
    } else {
        vec![def]
    };
    let def = parts.into_iter().max_by_key(length).unwrap_or(def);
    let mut told = vec![def];
    if is_abstract(search, def) {
        let below = query.implementations(def);
        if below.len() <= MAX_IMPLEMENTATIONS {
            told.extend(below);
        }
    }
    told
}

/// Whether a declaration is a member of an interface.
fn is_abstract(search: &EvidenceSearch<'_>, def: DefRef) -> bool {
    let symbol = search.view.symbol_of(search.query, def);
    let found = symbol.and_then(|symbol| search.view.index.get(symbol));
    found.is_some_and(|(file, item)| {
        let parent = item.parent.and_then(|at| file.facts.items.get(at as usize));
        let is_open = |kind| matches!(kind, ItemKind::Interface | ItemKind::Trait);
        item.kind.is_callable() && parent.is_some_and(|parent| is_open(parent.kind))
    })
}

/// A block of members stands for its type, whose head tells what it is.
fn declared(search: &EvidenceSearch<'_>, symbol: Symbol) -> Vec<Symbol> {
    let item = search.item(symbol);
    let Some(block) = item.filter(|item| item.kind == ItemKind::Extension) else {
        return vec![symbol];
    };
    let file = search.view.index.file(symbol.file);
    let name = file.map_or("", |file| file.facts.str(block.name));
    let mut types = search.named(name);
    types.retain(|found| search.item(*found).is_some_and(|item| item.kind.is_type()));
    match types.len() {
        1 => types,
        _ => vec![symbol],
    }
}

/// As what a declaration is shown; not where it tells no more than its use.
fn worth(search: &EvidenceSearch<'_>, symbol: Symbol) -> Option<EvidenceReason> {
    let item = search.item(symbol)?;
    let is_of_root = search.path(symbol.file.0).is_some();
    if !is_of_root || is_local(item) || item.kind.is_namespace() {
        return None;
    }
    Some(match item.kind {
        ItemKind::Field | ItemKind::EnumMember => EvidenceReason::Member,
        _ => EvidenceReason::Definition,
    })
}

/// What a name may mean that nobody resolved: the nearest declaration of it, and how doubtful that is.
fn by_name(search: &EvidenceSearch<'_>, unit: usize, name: &str) -> (Vec<Symbol>, f64) {
    let all = search.named_for(unit, name);
    if all.is_empty() || all.len() > MAX_MEANINGS {
        return (Vec::new(), 0.0);
    }
    let nearest = nearest(search, &all);
    (nearest.into_iter().collect(), 10.0 * (all.len() - 1) as f64)
}

/// The declaration that is nearest to the change.
pub(super) fn nearest(search: &EvidenceSearch<'_>, all: &[Symbol]) -> Option<Symbol> {
    let nearness = |symbol: &&Symbol| {
        let path = search.path(symbol.file.0);
        path.map_or(0, |path| search.nearness(path))
    };
    all.iter().max_by_key(nearness).copied()
}

/// Whether the diff shows what a declaration is.
pub(super) fn is_shown(search: &EvidenceSearch<'_>, symbol: Symbol) -> bool {
    let (Some(path), Some(item)) = (search.path(symbol.file.0), search.item(symbol)) else {
        return true;
    };
    let line = name_line(item);
    search.shown.has(path, line) || search.shown.is_changed(path, line)
}

pub(super) fn add(search: &EvidenceSearch<'_>, meant: Vec<Meant>, found: &mut Evidence) {
    for meant in meant {
        let Some((path, lines)) = head_lines(search, meant.symbol, found) else {
            continue;
        };
        found.add(EvidenceLines {
            part: meant.part,
            score: meant.score,
            unit: meant.unit,
            path: path.to_owned(),
            lines,
        });
    }
}

/// The file of a declaration, and the lines of its head that the diff does not show.
fn head_lines<'s>(
    search: &EvidenceSearch<'s>,
    symbol: Symbol,
    found: &Evidence,
) -> Option<(&'s str, Vec<u32>)> {
    let (path, item) = search.path(symbol.file.0).zip(search.item(symbol))?;
    let (name, (_, end)) = (name_line(item), span(item));
    let last = match item.kind.is_type() {
        true => name,
        false => {
            let is_end = |line: &u32| {
                let text = found.lines.line(path, *line);
                text.ends_with(['{', ':', ';', ',']) || text.ends_with("=>")
            };
            let mut lines = name..=end.min(name + HEAD - 1);
            lines.find(is_end).unwrap_or(name)
        }
    };
    let lines = (name..=last).filter(|line| !search.shown.has(path, *line));
    Some((path, distinct(lines)))
}

#[cfg(test)]
mod tests {
    use super::names_of;

    #[test]
    fn names_are_words_of_code() {
        let names: Vec<&str> = names_of("  total = price_of(x, 4e10) // comment here").collect();
        assert_eq!(names, ["total", "price_of"]);
        assert_eq!(names_of("# comment here").count(), 0);
    }
}
