//! Who uses what changed, outside of the diff: callers and tests by the resolver, and what is left of names that are gone.

use codecortex_bind::facts::Role;
use codecortex_index::{FileId, Symbol};
use codecortex_resolve::{ConfidenceTier, DefRef, ExprRef, FileNo, Reference};
use codecortex_syntax::{ItemKind, Visibility};
use rustc_hash::FxHashMap;

use super::documents::{DocumentedName, Form, SearchedName, names};
use super::evidence_lines::{EvidenceLines, EvidenceReason, distinct};
use super::facts::{Evidence, Gone, UsesOfChanged};
use super::remaining_meanings;
use super::search::EvidenceSearch;
use super::test_coverage::Tested;
use crate::change::ChangedFile;
use crate::source::name_line;
use crate::touched_declarations::Touched;

/// Declarations whose uses are looked for.
const MAX_ASKED: usize = 60;
/// Names that are gone whose uses are looked for.
const MAX_GONE: usize = 20;
/// Uses of one declaration that are kept, best first.
const MAX_USES: usize = 200;
/// Callers that are shown of what kept its signature, of what did not, and tests.
const SHOWN: [usize; 3] = [3, 40, 2];
/// Callers of what did not that are shown before everything else.
const FIRST: usize = 8;
/// A name that is used oftener without leading anywhere is common; so many of these uses count then.
const COMMON: usize = 12;
const MAX_BY_NAME: usize = 3;
/// Types above a receiver that are looked at.
pub(super) const MAX_SUPERTYPES: usize = 50;
/// A name with more declarations is not followed by its text.
pub(super) const MAX_MEANINGS: usize = 3;

/// A use.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvidenceUse {
    pub(super) file: FileNo,
    pub(super) at: u32,
    pub(super) tier: ConfidenceTier,
}

/// The uses of a declaration.
#[derive(Debug)]
pub(super) struct DeclarationUses {
    pub(super) unit: usize,
    pub(super) place: usize,
    pub(super) is_grave: bool,
    pub(super) uses: Vec<EvidenceUse>,
    is_followed: bool,
}

/// The uses of what changed.
#[derive(Debug, Default)]
pub(super) struct ChangedUses {
    pub(super) of: Vec<DeclarationUses>,
    gone_uses: Vec<(usize, String, Vec<EvidenceUse>)>,
    /// The same in documentation.
    gone_docs: Vec<(usize, String, Vec<EvidenceUse>)>,
    /// Unit and name of declarations that are gone, with no other of that name.
    pub(super) gone: Vec<(usize, String)>,
    /// The same of members whose name others have too, with the types that had them.
    gone_members: Vec<(usize, String, Vec<DefRef>)>,
    /// What of it others may have used, for documentation.
    pub(super) sought: Vec<SearchedName>,
}

impl ChangedUses {
    pub(super) fn files(&self) -> impl Iterator<Item = FileNo> {
        let uses = self.of.iter().flat_map(|of| &of.uses);
        let gone = self.gone_uses.iter().flat_map(|(_, _, uses)| uses);
        let docs = self.gone_docs.iter().flat_map(|(_, _, uses)| uses);
        uses.chain(gone).chain(docs).map(|used| used.file)
    }
}

pub(super) fn find(search: &EvidenceSearch<'_>) -> ChangedUses {
    let mut used = ChangedUses::default();
    let mut asked: Vec<(usize, usize, &Touched)> = Vec::new();
    for (unit, of) in search.units.iter().enumerate() {
        let file = of.file_of(search.change);
        if file.is_test {
            continue;
        }
        for (place, touched) in of.touched.iter().enumerate() {
            let gone = match &touched.old_name {
                Some(old) => Some(old),
                None => touched.new.is_none().then_some(&touched.name),
            };
            // What only its function uses nobody else misses.
            if let Some(name) = gone.filter(|name| name.len() > 3 && !touched.is_closure) {
                note_gone(search, unit, touched, name, &mut used);
            }
            let is_callable = touched.kind.is_callable()
                || touched.kind.is_type() && touched.is_signature_changed();
            if is_callable && touched.new.is_some() && !touched.changes.contains("added") {
                asked.push((unit, place, touched));
            }
        }
    }
    asked.sort_by_key(|(unit, place, touched)| {
        (
            !touched.is_signature_changed(),
            !touched.is_visible,
            *unit,
            *place,
        )
    });
    asked.truncate(MAX_ASKED);
    used.of = uses_of_each(search, &asked);
    used.gone.dedup();
    used.sought.dedup();
    used.sought.truncate(MAX_GONE);
    for (unit, name) in used.gone.iter().take(MAX_GONE) {
        let uses = named(search, name, true);
        used.gone_uses.push((*unit, name.clone(), uses));
        let docs = with_roles(search, name, |role| role == Role::Doc);
        used.gone_docs.push((*unit, name.clone(), docs));
    }
    used.gone_members.dedup();
    for (unit, name, types) in used.gone_members.iter().take(MAX_GONE) {
        let uses = on_members_gone(search, name, types);
        used.gone_uses.push((*unit, name.clone(), uses));
    }
    used
}

fn note_gone(
    search: &EvidenceSearch<'_>,
    unit: usize,
    touched: &Touched,
    name: &str,
    used: &mut ChangedUses,
) {
    let is_alone = search.named(name).is_empty();
    if is_alone {
        used.gone.push((unit, name.to_owned()));
    } else {
        let of = types_named(search, &touched.container);
        used.gone_members.push((unit, name.to_owned(), of));
    }
    let file = search.units[unit].file_of(search.change);
    let is_alone = is_alone && !remaining_meanings::is_anything(search, name);
    let is_sought = is_public_before(touched, file)
        && !is_still_there(touched, name, file)
        && (is_alone || !remaining_meanings::is_member(search, name, &touched.container));
    if is_sought && (is_alone || !touched.container.is_empty()) {
        used.sought.push(SearchedName {
            unit,
            name: name.to_owned(),
            form: Form::documents_naming(name, &touched.container, &file.path, is_alone),
        });
    }
}

/// Whether a declaration could be used by anybody: documentation is about such.
fn is_public_before(touched: &Touched, file: &ChangedFile) -> bool {
    let facts = file.old.as_ref().and_then(|old| old.facts.as_ref());
    let was = facts
        .zip(touched.old)
        .and_then(|(facts, was)| facts.items.get(was as usize));
    // `default` is how it is exported, not what it is called; what begins with `_` says that it is nobody else's.
    let is_named = touched.name != "default" && !touched.name.starts_with('_');
    was.is_some_and(|was| was.visibility == Visibility::Public) && is_named
}

/// Whether what had a declaration has another of its name: an overload, or a property instead of a method.
fn is_still_there(touched: &Touched, name: &str, file: &ChangedFile) -> bool {
    let facts = file.new.as_ref().and_then(|new| new.facts.as_ref());
    facts.is_some_and(|facts| {
        let is_around = |item: &codecortex_syntax::Item| {
            let parent = item.parent.and_then(|at| facts.items.get(at as usize));
            let around = parent.map_or("", |parent| facts.str(parent.name));
            [around, facts.str(item.container)].contains(&touched.container.as_str())
        };
        let mut items = facts.items.iter();
        items.any(|item| facts.str(item.name) == name && is_around(item))
    })
}

/// The types of a name; nothing where there are many, of which it may be any.
pub(super) fn types_named(search: &EvidenceSearch<'_>, name: &str) -> Vec<DefRef> {
    let is_type = |symbol: &Symbol| {
        let found = search.view.index.get(*symbol);
        found.is_some_and(|(_, item)| item.kind.is_type())
    };
    let types: Vec<Symbol> = search.named(name).into_iter().filter(is_type).collect();
    if types.len() > MAX_MEANINGS {
        return Vec::new();
    }
    let defs = types
        .into_iter()
        .filter_map(|symbol| search.view.def_of(search.query, symbol));
    defs.collect()
}

/// Uses of a name that lead nowhere, on values of a type that had a member of it, or of a type derived from it.
fn on_members_gone(search: &EvidenceSearch<'_>, name: &str, types: &[DefRef]) -> Vec<EvidenceUse> {
    if types.is_empty() {
        return Vec::new();
    }
    let had_it = |receiver: DefRef| {
        types.contains(&receiver) || {
            let (above, _) = search.query.all_supertypes(receiver, MAX_SUPERTYPES);
            above.iter().any(|above| types.contains(above))
        }
    };
    let mut uses = named(search, name, false);
    uses.retain(|used| {
        let (expr, _) = search.query.at(used.file, used.at);
        expr.is_some_and(|expr| {
            let file = used.file;
            let at = ExprRef { file, expr };
            search.query.receiver_type(at).is_some_and(had_it)
                && search.query.target(at).defs.is_empty()
        })
    });
    uses
}

/// The uses of declarations, looked for together: that is most of the work.
fn uses_of_each(
    search: &EvidenceSearch<'_>,
    asked: &[(usize, usize, &Touched)],
) -> Vec<DeclarationUses> {
    let defs: Vec<Option<DefRef>> = asked
        .iter()
        .map(|(unit, _, touched)| {
            let file = search.current.get(&search.units[*unit].file);
            let own = file.zip(touched.new);
            let symbol = own.map(|(file, item)| Symbol { file: *file, item });
            symbol.and_then(|symbol| search.view.def_of(search.query, symbol))
        })
        .collect();
    let known = || asked.iter().zip(&defs);
    let questions: Vec<Vec<DefRef>> = known()
        .filter_map(|((.., touched), def)| Some(asked_for(search, (*def)?, touched)))
        .collect();
    let mut answers = search
        .query
        .references_and_related_of_each(&questions)
        .into_iter();
    known()
        .map(|(asked, def)| {
            let found = def.and_then(|_| answers.next());
            uses_of(search, *asked, found)
        })
        .collect()
}

/// What is asked for the uses of a declaration: of a constructor those of its type.
fn asked_for(search: &EvidenceSearch<'_>, def: DefRef, touched: &Touched) -> Vec<DefRef> {
    let around = || search.query.block_around(def.file, def_at(search, def));
    match touched.kind {
        ItemKind::Constructor => std::iter::once(def).chain(around()).collect(),
        _ => vec![def],
    }
}

/// The uses of a declaration; `found` are its references, where it could be followed.
fn uses_of(
    search: &EvidenceSearch<'_>,
    (unit, place, touched): (usize, usize, &Touched),
    found: Option<Vec<Reference>>,
) -> DeclarationUses {
    let file = search.units[unit].file;
    let is_followed = found.is_some();
    let mut uses = match found {
        Some(found) => resolved(search, found, touched),
        // What nobody resolves is followed by its name, a closure in its file alone.
        None if touched.is_closure => {
            let mut uses = named(search, &touched.name, false);
            uses.retain(|used| search.changed.get(&used.file) == Some(&file));
            uses
        }
        None if search.named(&touched.name).len() <= MAX_MEANINGS => {
            named(search, &touched.name, false)
        }
        None => Vec::new(),
    };
    uses.retain(|used| !is_own(search, unit, touched, used));
    rank(search, &mut uses);
    let sure = uses
        .iter()
        .filter(|used| used.tier != ConfidenceTier::Name)
        .count();
    let is_common = uses.len() - sure > COMMON && search.named(&touched.name).len() > 1;
    if is_followed && is_common {
        // Such a name leads to what others declare as well.
        uses.truncate(sure + MAX_BY_NAME);
    }
    DeclarationUses {
        unit,
        place,
        is_grave: touched.is_signature_changed(),
        is_followed,
        uses,
    }
}

fn resolved(
    search: &EvidenceSearch<'_>,
    references: Vec<Reference>,
    touched: &Touched,
) -> Vec<EvidenceUse> {
    let is_use = |role| role != Role::Import.into() && role != Role::Doc.into();
    let is_unclear = search.named(&touched.name).len() > MAX_MEANINGS;
    let uses = references
        .into_iter()
        .filter(|found| is_use(found.role) && !(is_unclear && found.tier == ConfidenceTier::Name));
    uses.map(|found| EvidenceUse {
        file: found.file,
        at: found.at,
        tier: found.tier,
    })
    .collect()
}

fn def_at(search: &EvidenceSearch<'_>, def: DefRef) -> u32 {
    search.query.place(def).unwrap_or(0)
}

/// Uses of a name by its text; imports too where all of it counts.
pub(super) fn named(search: &EvidenceSearch<'_>, name: &str, all: bool) -> Vec<EvidenceUse> {
    with_roles(search, name, |role| match role {
        Role::Doc => false,
        Role::Import => all,
        _ => true,
    })
}

pub(super) fn with_roles(
    search: &EvidenceSearch<'_>,
    name: &str,
    counts: impl Fn(Role) -> bool,
) -> Vec<EvidenceUse> {
    let names = search.view.names();
    let workspace = names.workspace();
    let Some(of) = workspace.name(name) else {
        return Vec::new();
    };
    let mut uses = Vec::new();
    // Files have the numbers by which they happened to be read.
    let mut files = workspace.files_with(of).to_vec();
    files.sort_unstable_by_key(|file| search.path(*file));
    for file in files.into_iter().take(MAX_USES) {
        let Some(bound) = workspace.file(file) else {
            continue;
        };
        for (_, used, at, role) in bound.uses() {
            if bound.name(used) == of && counts(role) {
                uses.push(EvidenceUse {
                    file,
                    at,
                    tier: ConfidenceTier::Name,
                });
            }
        }
    }
    rank(search, &mut uses);
    uses
}

/// The surest first, then the nearest.
pub(super) fn rank(search: &EvidenceSearch<'_>, uses: &mut Vec<EvidenceUse>) {
    uses.retain(|used| search.path(used.file).is_some());
    uses.sort_by_cached_key(|used| {
        let path = search.path(used.file).unwrap_or("");
        let tier = used.tier == ConfidenceTier::Name;
        (
            tier,
            std::cmp::Reverse(search.nearness(path)),
            path,
            used.at,
        )
    });
    uses.truncate(MAX_USES);
}

/// Whether a use is in the declaration itself.
pub(super) fn is_own(
    search: &EvidenceSearch<'_>,
    unit: usize,
    touched: &Touched,
    used: &EvidenceUse,
) -> bool {
    let of = search.units[unit].file;
    let is_file = search.changed.get(&used.file) == Some(&of);
    let facts = search.change.files[of]
        .new
        .as_ref()
        .and_then(|new| new.facts.as_ref());
    let item = facts
        .zip(touched.new)
        .and_then(|(facts, item)| facts.items.get(item as usize));
    is_file && item.is_some_and(|item| item.start_byte <= used.at && used.at < item.end_byte)
}

pub(super) fn add(
    search: &EvidenceSearch<'_>,
    used: ChangedUses,
    documents: &DocumentedName,
    found: &mut Evidence,
) {
    let mut taken: FxHashMap<(String, u32), ()> = FxHashMap::default();
    let tested = Tested::new(search);
    for of in &used.of {
        let (callers, tests) = split(search, &of.uses, found);
        let most = SHOWN[usize::from(of.is_grave)];
        let base = if of.is_grave { 0.0 } else { 10.0 };
        show(
            search,
            EvidenceReason::Caller,
            (of.unit, base, most),
            &callers,
            &mut taken,
            found,
        );
        show(
            search,
            EvidenceReason::Test,
            (of.unit, base, SHOWN[2]),
            &tests,
            &mut taken,
            found,
        );
        let bare = |sites: &[UseSite]| -> Vec<(String, u32)> {
            let places = sites.iter().map(|site| (site.path.clone(), site.line));
            places.collect()
        };
        // What only overrides it, or may be another thing of its name, does not name it.
        let is_meant = |used: &&EvidenceUse| {
            matches!(used.tier, ConfidenceTier::Exact | ConfidenceTier::Inferred)
        };
        let meant: Vec<EvidenceUse> = of.uses.iter().filter(is_meant).copied().collect();
        let (_, naming) = split(search, &meant, found);
        found.known.push(UsesOfChanged {
            of: (of.unit, of.place),
            callers: bare(&callers),
            tests: bare(&naming),
            is_tested_anew: tested.is_tested(search, of),
            is_followed: of.is_followed,
        });
        implementations(search, of, found);
    }
    for (unit, name, uses) in &used.gone_uses {
        let (callers, tests) = split(search, uses, found);
        show(
            search,
            EvidenceReason::Caller,
            (*unit, 0.0, SHOWN[1]),
            &callers,
            &mut taken,
            found,
        );
        let left = callers
            .iter()
            .chain(&tests)
            .map(|site| (site.path.clone(), site.line))
            .collect();
        let mut docs = used.gone_docs.iter();
        let docs = docs.find(|(of, named, _)| of == unit && named == name);
        let form = used
            .sought
            .iter()
            .find(|sought| (sought.unit, &sought.name) == (*unit, name));
        let mut documented = docs.map_or_else(Vec::new, |(_, _, uses)| {
            let (code, tests) = split(search, uses, found);
            let all = code.iter().chain(&tests);
            // What is named there may be a parameter, or anything else of that name.
            let is_named = |site: &&UseSite| {
                let line = found.lines.line(&site.path, site.line);
                form.is_some_and(|sought| names(line, name, &sought.form))
            };
            let named = all.filter(is_named);
            named.map(|site| (site.path.clone(), site.line)).collect()
        });
        documented.extend(documents.mentions(*unit, name).cloned());
        let is_it = |touched: &&Touched| touched.old_name.as_ref().unwrap_or(&touched.name) == name;
        let is_type = search.units[*unit].touched.iter().find(is_it);
        found.gone.push(Gone {
            unit: *unit,
            name: name.clone(),
            is_type: is_type.is_some_and(|touched| touched.kind.is_type()),
            left,
            documented,
        });
    }
}

pub(super) struct UseSite {
    pub(super) path: String,
    pub(super) line: u32,
    /// The line of the head of what it is in.
    head: Option<u32>,
}

/// Uses outside of the diff: those of code and those of tests.
pub(super) fn split(
    search: &EvidenceSearch<'_>,
    uses: &[EvidenceUse],
    found: &Evidence,
) -> (Vec<UseSite>, Vec<UseSite>) {
    let (mut callers, mut tests) = (Vec::new(), Vec::new());
    for used in uses {
        let Some(path) = search.path(used.file) else {
            continue;
        };
        // Of a file that is another in the index than after the change, bytes mean nothing.
        let is_stale = search
            .changed
            .get(&used.file)
            .is_some_and(|at| !search.current.contains_key(at));
        let Some(line) = found.lines.line_at(path, used.at).filter(|_| !is_stale) else {
            continue;
        };
        if search.shown.has(path, line) {
            continue;
        }
        let around = search.view.around(used.file, used.at);
        let is_test = around.map_or_else(
            || crate::source::is_test_path(path),
            |(symbol, _)| search.is_test(symbol),
        );
        let head = around.map(|(_, item)| name_line(item));
        let site = UseSite {
            path: path.to_owned(),
            line,
            head,
        };
        let list = if is_test { &mut tests } else { &mut callers };
        if !list
            .iter()
            .any(|known: &UseSite| known.path == site.path && known.line == site.line)
        {
            list.push(site);
        }
    }
    (callers, tests)
}

fn show(
    search: &EvidenceSearch<'_>,
    part: EvidenceReason,
    (unit, base, most): (usize, f64, usize),
    sites: &[UseSite],
    taken: &mut FxHashMap<(String, u32), ()>,
    found: &mut Evidence,
) {
    for (rank, site) in sites.iter().take(most).enumerate() {
        if taken.insert((site.path.clone(), site.line), ()).is_some() {
            continue;
        }
        let head = site
            .head
            .filter(|head| !search.shown.has(&site.path, *head));
        found.add(EvidenceLines {
            part,
            score: base + rank as f64 + if rank < FIRST { 0.0 } else { 100.0 },
            unit,
            path: site.path.clone(),
            lines: distinct(head.into_iter().chain([site.line])),
        });
    }
}

/// Heads of what implements or overrides a declaration whose signature changed.
fn implementations(search: &EvidenceSearch<'_>, of: &DeclarationUses, found: &mut Evidence) {
    let unit = &search.units[of.unit];
    let touched = &unit.touched[of.place];
    let own = search
        .current
        .get(&unit.file)
        .zip(touched.new)
        .map(|(file, item)| Symbol { file: *file, item });
    let Some(def) = own
        .filter(|_| of.is_grave)
        .and_then(|symbol| search.view.def_of(search.query, symbol))
    else {
        return;
    };
    for (rank, below) in search
        .query
        .implementations(def)
        .into_iter()
        .take(SHOWN[1])
        .enumerate()
    {
        let Some(symbol) = search.view.symbol_of(search.query, below) else {
            continue;
        };
        let (Some(path), Some(item)) = (search.path(symbol.file.0), search.item(symbol)) else {
            continue;
        };
        let line = name_line(item);
        // Its text may not have been read; then there is nothing to show.
        if !search.shown.has(path, line)
            && search.view.index.file(FileId(symbol.file.0)).is_some()
            && found.lines.count(path) >= line
        {
            found.add(EvidenceLines {
                part: EvidenceReason::Implementation,
                score: rank as f64,
                unit: of.unit,
                path: path.to_owned(),
                lines: vec![line],
            });
        }
    }
}
