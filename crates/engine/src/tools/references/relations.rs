//! `relation` of `codecortex_findReferences`: callers, callees, what implements and what is implemented
//! (SPEC R3, R5). Answers are declarations, each with the places that make it one.

pub(crate) mod compare;

use std::collections::BTreeMap;

use codecortex_analysis::place::{LspRange, ResolvedSymbol, range_of};
use codecortex_analysis::subject::{CallSubject, name_bytes};
use codecortex_analysis::words::{TierWord, kind_word};
use codecortex_answer::args::check_range;
use codecortex_answer::cursor::Paging;
use codecortex_answer::reply::{Common, Reply};
use codecortex_bind::facts::{DefKind, Role};
use codecortex_ide::{Agreement, Sites, Why};
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::{ErrorCode, Failure, ProviderTopic, ToolError};
use codecortex_resolve::{ConfidenceTier, DefRef, ExprRef, FileNo, MAX_ASKED_OF_EACH, Resolver};
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::CallContext;
use crate::invocation::Invocation;
use crate::tools::references::filter::UsesFilter;
use crate::tools::references::relations::compare::ProviderVerdict;
use crate::tools::references::{ReferencesArgs, ReferencesData, TierCounts};
use crate::tools::several::SeveralData;

/// What is asked for in the place of uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RelationWord {
    /// Declarations that call it, or use it where it cannot be called.
    Callers,
    /// Declarations that it calls.
    Callees,
    /// What implements, overrides or derives from it.
    Implementations,
    /// What it implements, overrides or derives from.
    Overrides,
}

impl RelationWord {
    /// What a title says of so many.
    fn title(self, count: usize) -> String {
        let (one, several) = match self {
            Self::Callers => ("caller", "callers"),
            Self::Callees => ("callee", "callees"),
            Self::Implementations => ("implementation", "implementations"),
            Self::Overrides => ("overridden declaration", "overridden declarations"),
        };
        format!("{count} {}", if count == 1 { one } else { several })
    }

    /// Steps that are gone unless the caller says how many.
    fn usual_depth(self) -> u64 {
        match self {
            Self::Callers | Self::Callees => 1,
            Self::Implementations | Self::Overrides => MAX_DEPTH,
        }
    }
}

/// The most steps from one declaration to the next.
pub(super) const MAX_DEPTH: u64 = 10;
/// The most declarations that are looked for; what has more is `truncated`.
const MAX: usize = 1000;
/// Places that an entry lists; their number is `uses`.
const MAX_SITES: usize = 10;

/// A declaration that is related to the symbol.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeclarationData {
    /// `method`, `class` …; `file` for code outside of any declaration.
    kind: &'static str,
    name: String,
    /// Full path; of a local its name.
    path: String,
    file_path: String,
    /// From 1.
    start_line: u32,
    /// From 1.
    end_line: u32,
    /// Of the whole declaration; from 0, UTF-16.
    range: LspRange,
    /// Of its name.
    name_range: LspRange,
    tier: TierWord,
    /// What is unusual about the tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
    /// Steps from the symbol.
    depth: u32,
    /// The declaration one step nearer, where it is not the symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<String>,
    /// How many calls or uses make it a caller or callee.
    #[serde(skip_serializing_if = "is_zero")]
    uses: u32,
    /// Where the first of them are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sites: Vec<CallSite>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Where one calls the other.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CallSite {
    file_path: String,
    /// Of the name; from 0, UTF-16.
    range: LspRange,
    tier: TierWord,
}

/// What a declaration is told from others by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum RelationKey {
    /// One of the index.
    Symbol(Symbol),
    /// A local.
    Local(DefRef),
    /// Code of a file outside of any declaration.
    File(FileNo),
}

/// A use that makes one declaration the caller of the other.
#[derive(Clone, Copy, Debug)]
struct CallerUse {
    file: FileNo,
    at: u32,
    len: u32,
    tier: ConfidenceTier,
}

/// A declaration that was found.
#[derive(Debug)]
struct RelatedDeclaration {
    node: RelationKey,
    tier: ConfidenceTier,
    depth: u32,
    via: Option<RelationKey>,
    uses: Vec<CallerUse>,
    /// What language providers make of it, where they said anything.
    verdict: Option<ProviderVerdict>,
}

/// Goes from declarations to related ones, nearest first.
struct RelationWalk<'a> {
    cx: &'a Invocation<'a>,
    query: &'a Resolver<'a>,
    filter: &'a UsesFilter<'a>,
    relation: RelationWord,
    found: Vec<RelatedDeclaration>,
    places: FxHashMap<RelationKey, usize>,
    /// The uses that each of them has so far, by its place in `found`.
    sites: FxHashSet<(usize, FileNo, u32)>,
    /// What the asked tiers leave out, by how sure it is.
    left_out: LeftOut,
    truncated: bool,
}

/// What is not in the answer but counted in it (SPEC X3, D35).
#[derive(Default)]
struct LeftOut {
    /// Declarations of tiers that were not asked for, each with its surest one.
    by_tier: FxHashMap<RelationKey, ConfidenceTier>,
    /// Occurrences of the symbol's own name that provably lead outside, whatever the depth.
    outside: u32,
}

impl LeftOut {
    fn add(&mut self, node: RelationKey, tier: ConfidenceTier) {
        let known = self.by_tier.entry(node).or_insert(tier);
        *known = tier.min(*known);
    }
}

pub(super) struct Related {
    resolved: Option<ResolvedSymbol>,
    name: String,
    relation: RelationWord,
    counts: TierCounts,
    /// Occurrences of the name that lead outside.
    outside: u32,
    page: Vec<DeclarationData>,
    agreement: Option<Agreement>,
    paging: Paging,
    truncated: bool,
    unsaved: bool,
}

/// What was found.
struct RelationsResult {
    relation: RelationWord,
    found: Vec<RelatedDeclaration>,
    places: FxHashMap<RelationKey, usize>,
    left_out: LeftOut,
    truncated: bool,
}

/// The page of it that is shown.
struct RelationPage {
    relation: RelationWord,
    counts: TierCounts,
    outside: u32,
    shown: Vec<RelatedDeclaration>,
    agreement: Option<Agreement>,
    paging: Paging,
    truncated: bool,
}

/// It as it is shown.
struct ShownRelations {
    /// What the symbol is called, where it has no path.
    local_name: String,
    page: Vec<DeclarationData>,
    unsaved: bool,
}

/// Answers with what is related to a symbol.
pub(super) async fn related(
    cx: &CallContext,
    args: &ReferencesArgs,
    subject: CallSubject,
    page: (usize, usize),
    relation: RelationWord,
) -> Result<Related, ToolError> {
    let walked = cx
        .look(|cx| Ok(find(cx, args, &subject, relation)?))
        .await?;
    let defs = &subject.defs;
    let place = match relation {
        RelationWord::Implementations => cx.view(|cx| compare::place(cx, defs)).await,
        _ => None,
    };
    let reply = match place {
        Some(place) => {
            let topic = ProviderTopic::Implementations;
            cx.consult(topic, place, args.is_further_page()).await?
        }
        None => None,
    };
    let said = match &reply {
        Some(reply) => Some(cx.look(|cx| compare::said(cx, defs, reply)).await?),
        None => None,
    };
    let choose = |cx: &Invocation<'_>| choose(cx, (args, page), walked, (defs, said));
    let chosen = cx.view(choose).await?;
    let shown = cx.look(|cx| show(cx, args, (defs, &chosen))).await?;
    Ok(Related::of(subject, chosen, shown))
}

/// Finds what is related to a symbol.
fn find(
    cx: &Invocation<'_>,
    args: &ReferencesArgs,
    subject: &CallSubject,
    relation: RelationWord,
) -> Result<RelationsResult, ToolError> {
    let filter = UsesFilter::new(cx, args, cx.is_by_name(&subject.defs))?;
    if relation != RelationWord::Callers && cx.is_by_name(&subject.defs) {
        return Err(ToolError::new(
            ErrorCode::Unavailable,
            "Names of this language are found by their text: nothing more than uses and callers is known.",
        )
        .hint("Leave out `relation`, or ask for `callers`."));
    }
    let depth = args.depth.unwrap_or(relation.usual_depth());
    let depth = check_range("depth", depth, 1, MAX_DEPTH)? as u32;
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let mut walk = RelationWalk {
        cx,
        query: &query,
        filter: &filter,
        relation,
        found: Vec::new(),
        places: FxHashMap::default(),
        sites: FxHashSet::default(),
        left_out: LeftOut::default(),
        truncated: false,
    };
    walk.run(&subject.defs, depth);
    Ok(RelationsResult {
        relation,
        found: walk.found,
        places: walk.places,
        left_out: walk.left_out,
        truncated: walk.truncated,
    })
}

/// Takes in what language providers say, and chooses what is shown.
fn choose(
    cx: &Invocation<'_>,
    (args, (start, limit)): (&ReferencesArgs, (usize, usize)),
    walked: RelationsResult,
    (defs, said): (&[DefRef], Option<Sites>),
) -> Result<RelationPage, ToolError> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let filter = UsesFilter::new(cx, args, cx.is_by_name(defs))?;
    let mut walk = RelationWalk {
        cx,
        query: &query,
        filter: &filter,
        relation: walked.relation,
        found: walked.found,
        places: walked.places,
        sites: FxHashSet::default(),
        left_out: walked.left_out,
        truncated: walked.truncated,
    };
    let agreement = said.and_then(|said| walk.judge(defs, &said));
    let (mut entries, truncated) = (walk.found, walk.truncated);
    let shown_nodes = walk.places;
    let left_out = walk.left_out;
    entries.retain(|entry| filter.fits_place(cx, entry.node.file()));
    entries.sort_by_cached_key(|entry| {
        let path = cx.shown_path(entry.node.file());
        (entry.depth, entry.tier().0, path, entry.node.at(cx, &query))
    });
    let mut counts = TierCounts::default();
    entries.iter().for_each(|entry| counts.add(entry.tier().0));
    let fits =
        |node: &RelationKey| filter.fits_place(cx, node.file()) && !shown_nodes.contains_key(node);
    let unshown = left_out.by_tier.iter().filter(|(node, _)| fits(node));
    unshown.for_each(|(_, tier)| counts.add((*tier).into()));
    let total = entries.len();
    Ok(RelationPage {
        relation: walked.relation,
        counts,
        outside: left_out.outside,
        shown: entries.into_iter().skip(start).take(limit).collect(),
        agreement,
        paging: Paging {
            total,
            start: start.min(total),
            revision: cx.revision,
        },
        truncated,
    })
}

/// Shows it, with the texts that it is in.
fn show(
    cx: &Invocation<'_>,
    args: &ReferencesArgs,
    (defs, chosen): (&[DefRef], &RelationPage),
) -> Result<ShownRelations, Failure> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    cx.need_texts(chosen.shown.iter().flat_map(|entry| {
        let sites = entry.uses.iter().take(MAX_SITES).map(|site| site.file);
        sites.chain([entry.node.file()])
    }))?;
    let page = chosen
        .shown
        .iter()
        .map(|entry| describe(cx, &query, entry))
        .collect::<Result<Vec<_>, Failure>>()?;
    let mut shown = chosen.shown.iter();
    let unsaved = shown.any(|entry| cx.is_unsaved(FileId(entry.node.file())));
    let agreement = chosen.agreement.as_ref();
    if let Some(agreement) = agreement.filter(|_| !args.is_further_page()) {
        cx.note_agreement(agreement, Vec::new());
    }
    let first = defs.first();
    Ok(ShownRelations {
        local_name: first.map_or_else(String::new, |def| query.name(*def).to_owned()),
        page,
        unsaved,
    })
}

impl Related {
    fn of(subject: CallSubject, chosen: RelationPage, shown: ShownRelations) -> Self {
        let resolved = subject.resolved;
        let name = resolved.as_ref().map(|resolved| resolved.path.clone());
        Self {
            name: name.unwrap_or(shown.local_name),
            resolved,
            relation: chosen.relation,
            counts: chosen.counts,
            outside: chosen.outside,
            page: shown.page,
            agreement: chosen.agreement,
            paging: chosen.paging,
            truncated: chosen.truncated,
            unsaved: shown.unsaved,
        }
    }
}

impl RelationWalk<'_> {
    fn run(&mut self, of: &[DefRef], depth: u32) {
        let mut level: Vec<(Option<RelationKey>, Vec<DefRef>)> = vec![(None, of.to_vec())];
        let own: Vec<RelationKey> = of.iter().filter_map(|def| self.node_of(*def)).collect();
        for depth in 1..=depth {
            let before = self.found.len();
            for (via, defs) in std::mem::take(&mut level) {
                self.step(via, &defs, depth);
            }
            let new = self.found[before..].iter();
            // What calls itself is one of its callers, and leads nowhere new.
            let next = new.filter(|entry| !own.contains(&entry.node));
            level = next
                .map(|entry| (Some(entry.node), self.defs_of(entry.node)))
                .collect();
            if level.is_empty() || self.truncated {
                return;
            }
        }
    }

    fn step(&mut self, via: Option<RelationKey>, defs: &[DefRef], depth: u32) {
        match self.relation {
            RelationWord::Callers => self.callers_of(via, defs, depth),
            RelationWord::Callees => {
                for def in self.asked(defs) {
                    self.callees(via, *def, depth);
                }
            }
            RelationWord::Implementations => {
                for def in self.asked(defs) {
                    let below = self.query.implementations(*def);
                    below.iter().for_each(|def| self.relate(via, *def, depth));
                    self.relate_unsure(via, *def, depth);
                }
            }
            RelationWord::Overrides => {
                for def in self.asked(defs) {
                    let above = self.query.implemented(*def);
                    above.iter().for_each(|def| self.relate(via, *def, depth));
                }
            }
        }
    }

    /// Those that are asked for their own. Of thousands of overloads not every one is: that takes the square of their
    /// number.
    fn asked<'d>(&mut self, defs: &'d [DefRef]) -> &'d [DefRef] {
        let most = (MAX_ASKED_OF_EACH / defs.len().max(1)).max(1);
        self.truncated |= defs.len() > most;
        &defs[..defs.len().min(most)]
    }

    /// Callers of all at once.
    fn callers_of(&mut self, via: Option<RelationKey>, defs: &[DefRef], depth: u32) {
        // By the text alone, a call without brackets looks like a use of a value.
        let takes_calls =
            |of: &DefRef| self.query.takes_calls(*of) && !self.query.is_by_name(of.file);
        let (called, used): (Vec<DefRef>, Vec<DefRef>) =
            defs.iter().copied().partition(takes_calls);
        self.callers(via, &called, true, depth);
        self.callers(via, &used, false, depth);
    }

    fn callers(&mut self, via: Option<RelationKey>, of: &[DefRef], is_called: bool, depth: u32) {
        if of.is_empty() {
            return;
        }
        let uses = self.query.counted_references_of(of, true);
        if via.is_none() {
            self.left_out.outside += uses.outside as u32;
        }
        for reference in uses.references {
            let role = reference.role;
            let calls = match is_called {
                true => role == Role::Call.into() || role == Role::Attribute.into(),
                false => role != Role::Import.into() && role != Role::Doc.into(),
            };
            if !self.filter.fits_role(role, calls) {
                continue;
            }
            let around = self.cx.around(reference.file, reference.at);
            let node = around.map_or(RelationKey::File(reference.file), |(symbol, _)| {
                RelationKey::Symbol(symbol)
            });
            if !self.filter.fits_tier(reference.tier) {
                self.left_out.add(node, reference.tier);
                continue;
            }
            let site = CallerUse {
                file: reference.file,
                at: reference.at,
                len: reference.len,
                tier: reference.tier,
            };
            self.add(node, reference.tier, depth, via, Some(site));
        }
    }

    fn callees(&mut self, via: Option<RelationKey>, of: DefRef, depth: u32) {
        for part in self.query.symbol(of) {
            let Some(node) = self.node_of(part) else {
                continue;
            };
            let Some((start, end)) = self.extent(part, node) else {
                continue;
            };
            let is_type = self.query.is_type(part);
            for (expr, at, len, role) in self.query.uses_between(part.file, start, end) {
                let around = self.cx.around(part.file, at);
                let inner = around.map(|(symbol, _)| RelationKey::Symbol(symbol));
                let is_own =
                    is_type || inner == Some(node) || matches!(node, RelationKey::Local(_));
                let calls = role == Role::Call.into();
                if !is_own || !self.filter.fits_role(role, calls) {
                    continue;
                }
                let target = self.query.target(ExprRef {
                    file: part.file,
                    expr,
                });
                let tier = if target.is_exact {
                    ConfidenceTier::Exact
                } else {
                    ConfidenceTier::Inferred
                };
                if !self.filter.fits_tier(tier) {
                    continue;
                }
                let file = part.file;
                let site = CallerUse {
                    file,
                    at,
                    len,
                    tier,
                };
                for def in target.defs {
                    if let Some(callee) = self.callee(def) {
                        self.add(callee, tier, depth, via, Some(site));
                    }
                }
            }
        }
    }

    /// What is called: a parameter that holds a function is no declaration of one.
    fn callee(&self, def: DefRef) -> Option<RelationKey> {
        let kind = self.query.kind(def)?;
        let is_open = matches!(kind, DefKind::Parameter | DefKind::TypeParam);
        self.node_of(def).filter(|_| !is_open)
    }

    /// What may implement it because its base has the type's name.
    fn relate_unsure(&mut self, via: Option<RelationKey>, of: DefRef, depth: u32) {
        let unsure = self.query.unsure_implementations(of);
        if via.is_none() {
            self.left_out.outside += unsure.outside.len() as u32;
        }
        for def in unsure.by_name {
            let Some(node) = self.node_of(def) else {
                continue;
            };
            match self.filter.fits_tier(ConfidenceTier::Name) {
                true => self.add(node, ConfidenceTier::Name, depth, via, None),
                false => self.left_out.add(node, ConfidenceTier::Name),
            }
        }
    }

    fn relate(&mut self, via: Option<RelationKey>, def: DefRef, depth: u32) {
        if let Some(node) = self.node_of(def)
            && self.filter.fits_tier(ConfidenceTier::Related)
        {
            self.add(node, ConfidenceTier::Related, depth, via, None);
        }
    }

    fn add(
        &mut self,
        node: RelationKey,
        tier: ConfidenceTier,
        depth: u32,
        via: Option<RelationKey>,
        site: Option<CallerUse>,
    ) {
        let place = match self.places.get(&node) {
            Some(place) => *place,
            None if self.found.len() >= MAX => {
                self.truncated = true;
                return;
            }
            None => {
                self.places.insert(node, self.found.len());
                self.found.push(RelatedDeclaration {
                    node,
                    tier,
                    depth,
                    via,
                    uses: Vec::new(),
                    verdict: None,
                });
                self.found.len() - 1
            }
        };
        let entry = &mut self.found[place];
        // What is reached again by a longer way stays where it is.
        if entry.depth != depth || entry.via != via {
            return;
        }
        entry.tier = entry.tier.min(tier);
        if let Some(site) = site
            && self.sites.insert((place, site.file, site.at))
        {
            entry.uses.push(site);
        }
    }

    fn node_of(&self, def: DefRef) -> Option<RelationKey> {
        match self.cx.symbol_of(self.query, def) {
            Some(symbol) => Some(RelationKey::Symbol(symbol)),
            None => self.query.place(def).map(|_| RelationKey::Local(def)),
        }
    }

    fn defs_of(&self, node: RelationKey) -> Vec<DefRef> {
        match node {
            RelationKey::Symbol(symbol) => self.cx.def_of(self.query, symbol).into_iter().collect(),
            RelationKey::Local(def) => vec![def],
            RelationKey::File(_) => Vec::new(),
        }
    }

    /// The bytes of a declaration.
    fn extent(&self, def: DefRef, node: RelationKey) -> Option<(u32, u32)> {
        match node {
            RelationKey::Symbol(symbol) => {
                let (_, item) = self.cx.index.get(symbol)?;
                Some((item.start_byte, item.end_byte))
            }
            _ => self.query.extent(def),
        }
    }
}

impl RelationKey {
    fn file(self) -> FileNo {
        match self {
            Self::Symbol(symbol) => symbol.file.0,
            Self::Local(def) => def.file,
            Self::File(file) => file,
        }
    }

    /// The first byte of its name.
    fn at(self, cx: &Invocation<'_>, query: &Resolver<'_>) -> u32 {
        match self {
            Self::Symbol(symbol) => cx.index.get(symbol).map_or(0, |(_, item)| item.name_byte),
            Self::Local(def) => query.place(def).unwrap_or(0),
            Self::File(_) => 0,
        }
    }

    fn path(self, cx: &Invocation<'_>, query: &Resolver<'_>) -> String {
        match self {
            Self::Symbol(symbol) => cx.index.path_of(symbol),
            Self::Local(def) => query.name(def).to_owned(),
            Self::File(file) => cx.shown_path(file),
        }
    }
}

fn describe(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    entry: &RelatedDeclaration,
) -> Result<DeclarationData, Failure> {
    let (kind, name, range, name_range) = match entry.node {
        RelationKey::Symbol(symbol) => {
            let (file, item) = cx.index.get(symbol).ok_or_else(lost)?;
            let name = file.facts.str(item.name).to_owned();
            let (whole, name_range) = (LspRange::of_item(item), LspRange::of_name(item));
            (item.kind.as_str(), name, whole, name_range)
        }
        RelationKey::Local(def) => local(cx, query, def)?,
        RelationKey::File(file) => {
            let path = cx.shown_path(file);
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            ("file", name, LspRange::default(), LspRange::default())
        }
    };
    let (tier, why) = entry.tier();
    let sites = entry.uses.iter().take(MAX_SITES);
    let sites = sites
        .map(|site| {
            Ok(CallSite {
                file_path: cx.shown_path(site.file),
                range: bytes(cx, site.file, site.at..site.at + site.len)?,
                tier: site.tier.into(),
            })
        })
        .collect::<Result<Vec<_>, Failure>>()?;
    Ok(DeclarationData {
        kind,
        name,
        path: entry.node.path(cx, query),
        file_path: cx.shown_path(entry.node.file()),
        start_line: range.start_line(),
        end_line: range.end_line(),
        range,
        name_range,
        tier,
        why,
        depth: entry.depth,
        via: entry.via.map(|via| via.path(cx, query)),
        uses: entry.uses.len() as u32,
        sites,
    })
}

type Described = (&'static str, String, LspRange, LspRange);

fn local(cx: &Invocation<'_>, query: &Resolver<'_>, def: DefRef) -> Result<Described, Failure> {
    let kind = query.kind(def).ok_or_else(lost)?;
    let (start, end) = query.extent(def).ok_or_else(lost)?;
    let names = cx.names();
    let name = name_bytes(names.workspace(), def).ok_or_else(lost)?;
    Ok((
        kind_word(kind),
        query.name(def).to_owned(),
        bytes(cx, def.file, start..end)?,
        bytes(cx, def.file, name)?,
    ))
}

/// A range of a file; nothing of what cannot be read any more.
fn bytes(
    cx: &Invocation<'_>,
    file: FileNo,
    bytes: std::ops::Range<u32>,
) -> Result<LspRange, Failure> {
    match cx.text_of_file(FileId(file)) {
        Ok(text) => Ok(range_of(&text, bytes)),
        Err(Failure::Error(_)) => Ok(LspRange::default()),
        Err(waits) => Err(waits),
    }
}

fn lost() -> codecortex_protocol::ToolError {
    codecortex_protocol::ToolError::new(
        codecortex_protocol::ErrorCode::InternalError,
        "The index lost a declaration.",
    )
}

impl Reply for Related {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "sites:none"]
    }

    fn pieces(&self) -> usize {
        self.page.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let mut declarations = self.page[..pieces].to_vec();
        if level >= 1 {
            declarations
                .iter_mut()
                .for_each(|entry| entry.sites.clear());
        }
        let data = ReferencesData {
            resolved: self.resolved.clone(),
            total: self.paging.total as u32,
            total_by_tier: self.counts,
            total_outside: self.outside,
            references: Vec::new(),
            agreement: match level {
                0 => self.agreement.clone(),
                _ => self.agreement.as_ref().map(Agreement::counts),
            },
            total_by_role: BTreeMap::new(),
            total_by_folder: BTreeMap::new(),
            declarations: Some(declarations),
            truncated: self.truncated,
            several: SeveralData::default(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let mut out = format!(
            "// {} of {}",
            self.relation.title(self.paging.total),
            self.name
        );
        if self.truncated {
            out.push_str(" and more");
        }
        out.push_str(&self.counts.text(self.outside));
        out.push('\n');
        if let Some(agreement) = &self.agreement {
            out.push_str(&match level {
                0 => agreement.text(),
                _ => agreement.counts().text(),
            });
        }
        for entry in &self.page[..pieces] {
            out.push_str(&entry.line(level));
        }
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        self.paging.next_cursor(shown)
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}

impl DeclarationData {
    /// Where it is, what it is, and where it calls or is called.
    fn line(&self, level: usize) -> String {
        let mut notes = Vec::new();
        if self.uses > 0 && level == 0 {
            let lines: Vec<String> = self
                .sites
                .iter()
                .map(|site| site.range.start_line().to_string())
                .collect();
            let more = if self.uses as usize > lines.len() {
                " …"
            } else {
                ""
            };
            notes.push(format!("at {}{more}", lines.join(", ")));
        }
        match self.tier {
            TierWord::Inferred => notes.push("inferred".to_owned()),
            TierWord::Related if self.uses > 0 => notes.push("related".to_owned()),
            TierWord::Name => notes.push("name".to_owned()),
            _ => {}
        }
        notes.extend(self.why.map(|why| why.as_str().to_owned()));
        if let Some(via) = &self.via {
            notes.push(format!("via {via}"));
        }
        let notes = match notes.is_empty() {
            true => String::new(),
            false => format!(" // {}", notes.join(", ")),
        };
        format!(
            "{}:{}-{}: {} {}{notes}\n",
            self.file_path, self.start_line, self.end_line, self.kind, self.path
        )
    }
}
