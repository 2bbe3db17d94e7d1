//! What rules and plans ask for beyond what every change is shown with, looked up by the resolver (SPEC RV2, `004` §2, §4).

use std::collections::BTreeSet;

use codecortex_analysis::AnalysisView;
use codecortex_bind::facts::Role;
use codecortex_index::Symbol;
use codecortex_protocol::Failure;
use codecortex_resolve::{DefRef, FileNo, Resolver};
use codecortex_syntax::ItemKind;

use super::evidence_lines::{EvidenceLines, EvidenceReason, distinct};
use super::facts::{Evidence, UsesOfChanged};
use super::keys;
use super::search::EvidenceSearch;
use super::uses::{self, MAX_MEANINGS};
use crate::change::ReviewedChange;
use crate::level::{EvidenceRequest, RequestKind};
use crate::source::name_line;
use crate::unit::ReviewUnit;

/// Places of a request that may be shown.
const MAX_SHOWN: usize = 12;
/// Places of a request that are looked at.
const MAX_FOUND: usize = 200;
/// The same where a rule asks: it does so of every change alike.
const MAX_SHOWN_OF_RULE: usize = 3;
/// Requests of a change.
pub(crate) const MAX_ASKED: usize = 200;
/// What somebody asked for comes before what is shown of every change, what a rule asks for after that.
const FIRST: f64 = -1_000.0;
const LAST: f64 = 1_000.0;

/// Something to look up for a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    /// The unit.
    pub(crate) unit: usize,
    /// What is asked.
    pub(crate) request: EvidenceRequest,
    /// Whether a plan asks; else a rule does.
    pub(crate) is_planned: bool,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The unit that it is for.
    pub unit: usize,
    /// What was asked.
    pub request: EvidenceRequest,
    /// Whether a plan asked; else a rule did.
    pub is_planned: bool,
    /// Places outside of the diff, the nearest first: path and line.
    pub found: Vec<(String, u32)>,
}

/// A place before the text of its file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnreadUse {
    /// A use, by its byte.
    Use(FileNo, u32),
    /// A line: of a declaration's name, or of a string.
    Head(FileNo, u32),
}

impl UnreadUse {
    fn file(self) -> FileNo {
        match self {
            Self::Use(file, _) | Self::Head(file, _) => file,
        }
    }
}

/// Looks up requests of units. The call waits for the texts of files.
///
/// # Errors
/// `Failure::Missing` for texts.
pub(crate) fn look_up(
    view: &AnalysisView<'_>,
    root: u32,
    (change, units): (&ReviewedChange, &[ReviewUnit]),
    wishes: &[Wish],
    evidence: &mut Evidence,
) -> Result<(), Failure> {
    let wishes: Vec<&Wish> = wishes
        .iter()
        .take(MAX_ASKED)
        .filter(|wish| !is_answered(units, wish, evidence))
        .collect();
    if wishes.is_empty() {
        return Ok(());
    }
    let names = view.names();
    let query = Resolver::new(names.workspace());
    let search = EvidenceSearch::new(view, root, (change, units), &query);
    let mut hits: Vec<Vec<UnreadUse>> = wishes
        .iter()
        .map(|wish| hits(&search, wish.unit, &wish.request))
        .collect();
    let with_strings = read_strings(&search, &wishes)?;
    for (wish, hits) in wishes.iter().zip(&mut hits) {
        hits.extend(in_strings(&search, wish, &with_strings));
    }
    let files: BTreeSet<FileNo> = hits.iter().flatten().map(|hit| hit.file()).collect();
    let is_other = |file: &FileNo| {
        let changed = search.changed.get(file);
        changed.is_none_or(|at| change.files[*at].new.is_none())
    };
    view.need_texts(files.iter().copied().filter(is_other))?;
    evidence.lines.add(&search, &files);
    for (wish, hits) in wishes.into_iter().zip(hits) {
        show(&search, wish, &hits, evidence);
    }
    evidence.sort();
    Ok(())
}

/// The files whose strings are looked through for keys of a configuration. The call waits for their texts.
fn read_strings(search: &EvidenceSearch<'_>, wishes: &[&Wish]) -> Result<Vec<FileNo>, Failure> {
    if !wishes.iter().any(|wish| is_of_keys(&wish.request)) {
        return Ok(Vec::new());
    }
    let (files, _) = keys::files(search);
    search.view.need_texts(files.iter().copied())?;
    Ok(files)
}

fn is_of_keys(request: &EvidenceRequest) -> bool {
    request.kind == RequestKind::SearchConfigUsage
}

/// Where strings have the key that a request is about.
fn in_strings(search: &EvidenceSearch<'_>, wish: &Wish, files: &[FileNo]) -> Vec<UnreadUse> {
    let details = wish.request.details.as_deref();
    let Some(details) = details.filter(|_| is_of_keys(&wish.request)) else {
        return Vec::new();
    };
    let mut spellings = spellings(details);
    // In strings a key may stand as configurations write it.
    let kebab: Vec<String> = spellings
        .iter()
        .filter(|name| name.contains('_') && !name.contains(char::is_uppercase))
        .map(|name| name.replace('_', "-"))
        .collect();
    spellings.extend(kebab);
    let found = keys::in_strings(search, files, &spellings).into_iter();
    found
        .map(|(file, line)| UnreadUse::Head(file, line))
        .collect()
}

/// Whether a rule asks for uses that were looked for with every declaration that changed; then they are what was found.
fn is_answered(units: &[ReviewUnit], wish: &Wish, evidence: &mut Evidence) -> bool {
    let is_of_uses = matches!(
        wish.request.kind,
        RequestKind::Callers | RequestKind::SearchCallers
    );
    if wish.is_planned || !is_of_uses {
        return false;
    }
    let path = wish.request.details.as_deref();
    let is_it = |known: &&UsesOfChanged| {
        let touched = units[known.of.0].touched.get(known.of.1);
        known.is_followed
            && known.of.0 == wish.unit
            && touched.is_some_and(|touched| Some(touched.path.as_str()) == path)
    };
    let Some(known) = evidence.known.iter().find(is_it) else {
        return false;
    };
    let looked = Looked {
        unit: wish.unit,
        request: wish.request.clone(),
        is_planned: false,
        found: known.callers.clone(),
    };
    evidence.looked.push(looked);
    true
}

fn hits(search: &EvidenceSearch<'_>, unit: usize, request: &EvidenceRequest) -> Vec<UnreadUse> {
    let Some(details) = request.details.as_deref() else {
        return Vec::new();
    };
    let mut hits = match request.kind {
        RequestKind::PreviousVersion | RequestKind::ScannerIssues => return Vec::new(),
        RequestKind::Search => words_used(search, details),
        RequestKind::SearchConfigUsage => spellings(details)
            .iter()
            .flat_map(|name| named(search, name, true))
            .collect(),
        RequestKind::Callers | RequestKind::SearchCallers | RequestKind::SearchModelUsage => {
            uses_of(search, unit, details)
        }
        RequestKind::SearchImplementations => implementations(search, unit, details),
        RequestKind::SearchClassMethods => members(search, unit, details),
    };
    hits.retain(|hit| search.path(hit.file()).is_some());
    hits.truncate(MAX_FOUND);
    hits
}

/// The declarations that a path or name means: of the unit, else the nearest of that name.
fn symbols(search: &EvidenceSearch<'_>, unit: usize, details: &str) -> Vec<Symbol> {
    let mut segments = details
        .rsplit(['.', ':', '#', '/'])
        .filter(|s| !s.is_empty());
    let name = segments.next().unwrap_or(details);
    let container = segments.next();
    let of = &search.units[unit];
    let own = search.current.get(&of.file).map(|file| {
        let is_it = |touched: &&crate::touched_declarations::Touched| {
            touched.path == details || container.is_none() && touched.name == name
        };
        let items = of.touched.iter().filter(is_it).filter_map(|it| it.new);
        let found = items.map(|item| Symbol { file: *file, item });
        found.collect::<Vec<_>>()
    });
    if let Some(own) = own.filter(|own| !own.is_empty()) {
        return own;
    }
    let mut all = search.named(name);
    let is_in = |symbol: &Symbol| {
        let file = search.view.index.file(symbol.file);
        let path = file.map(|file| crate::source::path_in_file(&file.facts, symbol.item));
        let around = path.and_then(|path| Some(path.rsplit_once('.')?.0.to_owned()));
        around.is_some_and(|around| around.rsplit('.').next() == container)
    };
    if container.is_some() && all.iter().any(is_in) {
        all.retain(is_in);
    }
    let nearness = |symbol: &Symbol| {
        search
            .path(symbol.file.0)
            .map_or(0, |path| search.nearness(path))
    };
    all.sort_by_key(|symbol| std::cmp::Reverse(nearness(symbol)));
    all.truncate(MAX_MEANINGS);
    all
}

fn defs(search: &EvidenceSearch<'_>, symbols: &[Symbol]) -> Vec<DefRef> {
    let found = symbols
        .iter()
        .filter_map(|symbol| search.view.def_of(search.query, *symbol));
    found.collect()
}

fn uses_of(search: &EvidenceSearch<'_>, unit: usize, details: &str) -> Vec<UnreadUse> {
    let defs = defs(search, &symbols(search, unit, details));
    if defs.is_empty() {
        let name = details.rsplit(['.', ':', '#', '/']).next();
        return named(search, name.unwrap_or(details), false);
    }
    let references = search.query.references_and_related_of(&defs);
    let is_use = |role| role != Role::Import.into() && role != Role::Doc.into();
    let used = references.into_iter().filter(|found| is_use(found.role));
    let mut hits: Vec<UnreadUse> = used
        .map(|found| UnreadUse::Use(found.file, found.at))
        .collect();
    by_nearness(search, &mut hits);
    hits
}

fn named(search: &EvidenceSearch<'_>, name: &str, all: bool) -> Vec<UnreadUse> {
    let used = uses::named(search, name, all);
    used.iter()
        .map(|used| UnreadUse::Use(used.file, used.at))
        .collect()
}

/// Uses of the rarest of several words; that the others stand there too is seen when its text is read.
fn words_used(search: &EvidenceSearch<'_>, details: &str) -> Vec<UnreadUse> {
    let names = search.view.names();
    let workspace = names.workspace();
    let files = |word: &&str| {
        let known = workspace.name(word);
        known.map(|name| workspace.files_with(name).len())
    };
    let known = words(details).filter(|word| files(word).is_some());
    let rarest = known.min_by_key(files);
    rarest.map_or_else(Vec::new, |word| named(search, word, true))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// How code may spell the last part of a configuration's key.
fn spellings(details: &str) -> BTreeSet<String> {
    let key = details
        .rsplit(['.', '/', ':'])
        .next()
        .unwrap_or(details)
        .trim();
    let mut parts: Vec<String> = Vec::new();
    let mut is_inside = false;
    for c in key.chars() {
        if !c.is_alphanumeric() {
            is_inside = false;
            continue;
        }
        match parts.last_mut().filter(|_| is_inside && !c.is_uppercase()) {
            Some(part) => part.extend(c.to_lowercase()),
            None => parts.push(c.to_lowercase().collect()),
        }
        is_inside = true;
    }
    let capital = |part: &String| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(letters).collect()
        })
    };
    let pascal: String = parts.iter().map(capital).collect();
    let first = parts.first().cloned().unwrap_or_default();
    let camel: String = std::iter::once(first)
        .chain(parts.iter().skip(1).map(capital))
        .collect();
    let snake = parts.join("_");
    [key.to_owned(), snake.to_uppercase(), snake, camel, pascal]
        .into_iter()
        .filter(|name| !name.is_empty())
        .collect()
}

fn implementations(search: &EvidenceSearch<'_>, unit: usize, details: &str) -> Vec<UnreadUse> {
    let mut hits = Vec::new();
    for def in defs(search, &symbols(search, unit, details)) {
        let below = search.query.implementations(def).into_iter();
        for def in below.chain(search.query.derived(def)) {
            let symbol = search.view.symbol_of(search.query, def);
            if let Some(hit) = symbol.and_then(|symbol| head(search, symbol))
                && !hits.contains(&hit)
            {
                hits.push(hit);
            }
        }
    }
    by_nearness(search, &mut hits);
    hits
}

/// Members of a type, where its file has them.
fn members(search: &EvidenceSearch<'_>, unit: usize, details: &str) -> Vec<UnreadUse> {
    let mut hits = Vec::new();
    for symbol in symbols(search, unit, details) {
        let Some(file) = search.view.index.file(symbol.file) else {
            continue;
        };
        let items = &file.facts.items;
        let name = items
            .get(symbol.item as usize)
            .map(|item| file.facts.str(item.name));
        let is_of = |parent: u32| {
            parent == symbol.item
                || items.get(parent as usize).is_some_and(|parent| {
                    parent.kind == ItemKind::Extension && Some(file.facts.str(parent.name)) == name
                })
        };
        let members = items.iter().filter(|item| item.parent.is_some_and(is_of));
        hits.extend(members.map(|item| UnreadUse::Head(symbol.file.0, name_line(item))));
    }
    hits
}

fn head(search: &EvidenceSearch<'_>, symbol: Symbol) -> Option<UnreadUse> {
    let item = search.item(symbol)?;
    Some(UnreadUse::Head(symbol.file.0, name_line(item)))
}

fn by_nearness(search: &EvidenceSearch<'_>, hits: &mut [UnreadUse]) {
    hits.sort_by_cached_key(|hit| {
        let path = search.path(hit.file()).unwrap_or("");
        (std::cmp::Reverse(search.nearness(path)), path)
    });
}

fn show(search: &EvidenceSearch<'_>, wish: &Wish, hits: &[UnreadUse], found: &mut Evidence) {
    let Some(details) = wish.request.details.as_deref() else {
        return;
    };
    let kind = wish.request.kind;
    let (part, most, base) = (part_of(kind), most_shown(wish), base_of(wish));
    let mut places: Vec<(String, u32)> = Vec::new();
    for hit in hits {
        let Some((path, line)) = place_of(search, *hit, found) else {
            continue;
        };
        let text = found.lines.line(path, line);
        let has_all = || words(details).all(|word| text.contains(word));
        let place = (path.to_owned(), line);
        if places.contains(&place) || kind == RequestKind::Search && !has_all() {
            continue;
        }
        if places.len() < most {
            let around = match hit {
                UnreadUse::Use(file, at) => search.view.around(*file, *at),
                UnreadUse::Head(..) => None,
            };
            let head = around.map(|(_, item)| name_line(item));
            let head = head.filter(|head| !search.shown.has(path, *head));
            found.add(EvidenceLines {
                part,
                score: base + places.len() as f64,
                unit: wish.unit,
                path: path.to_owned(),
                lines: distinct(head.into_iter().chain([line])),
            });
        }
        places.push(place);
    }
    found.looked.push(Looked {
        unit: wish.unit,
        request: wish.request.clone(),
        is_planned: wish.is_planned,
        found: places,
    });
}

fn part_of(kind: RequestKind) -> EvidenceReason {
    match kind {
        RequestKind::SearchImplementations => EvidenceReason::Implementation,
        RequestKind::SearchClassMethods => EvidenceReason::Definition,
        RequestKind::Search | RequestKind::SearchConfigUsage => EvidenceReason::Search,
        _ => EvidenceReason::Caller,
    }
}

fn most_shown(wish: &Wish) -> usize {
    match wish.is_planned {
        true => MAX_SHOWN,
        false => MAX_SHOWN_OF_RULE,
    }
}

fn base_of(wish: &Wish) -> f64 {
    match wish.is_planned {
        true => FIRST,
        false => LAST,
    }
}

/// Path and line of a place outside of the diff.
fn place_of<'s>(
    search: &EvidenceSearch<'s>,
    hit: UnreadUse,
    found: &Evidence,
) -> Option<(&'s str, u32)> {
    let path = search.path(hit.file())?;
    // Of a file that is another in the index than after the change, places mean nothing.
    let changed = search.changed.get(&hit.file());
    if changed.is_some_and(|at| !search.current.contains_key(at)) {
        return None;
    }
    let line = match hit {
        UnreadUse::Head(_, line) => Some(line).filter(|line| *line <= found.lines.count(path)),
        UnreadUse::Use(_, at) => found.lines.line_at(path, at),
    };
    let line = line.filter(|line| !search.shown.has(path, *line))?;
    Some((path, line))
}

#[cfg(test)]
mod tests {
    use super::spellings;

    #[test]
    fn a_key_is_looked_for_as_code_spells_it() {
        let names = spellings("server.request-timeout");
        for name in [
            "request_timeout",
            "REQUEST_TIMEOUT",
            "requestTimeout",
            "RequestTimeout",
        ] {
            assert!(names.contains(name), "{names:?}");
        }
        assert!(spellings("poolSize").contains("pool_size"));
    }
}
