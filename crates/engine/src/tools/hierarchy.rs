//! `codecortex_getClassHierarchy`: what a type derives from and what derives from it (SPEC R3, D22).

pub(crate) mod compare;

use std::collections::{BTreeMap, BTreeSet};

use codecortex_analysis::external::{self, need_assemblies};
use codecortex_analysis::place::{LspRange, ResolvedSymbol, range_of};
use codecortex_analysis::preview::{has_unreal_macros, preview, shown_line};
use codecortex_analysis::subject::name_bytes;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_analysis::words::TierWord;
use codecortex_answer::args::{check_range, parse};
use codecortex_answer::cursor::{Paging, read_cursor};
use codecortex_answer::reply::{Common, Reply};
use codecortex_external::DeclarationOrigin;
use codecortex_ide::{Agreement, Why};
use codecortex_index::{FileId, IndexedFile, Symbol};
use codecortex_protocol::{ErrorCode, Failure, ProviderTopic, ToolError};
use codecortex_resolve::{DefRef, Resolver};
use codecortex_syntax::{Item, ItemFlags, Language};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::tool_use::ToolUse;
use crate::tools::hierarchy::compare::ProviderHierarchy;
use crate::tools::members::type_meant;
use crate::tools::needs::RequiredInput;
use crate::tools::references::TierCounts;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// Bases of bases that are looked at for libraries that have them.
const MAX_BASES: usize = 200;

/// Arguments of `codecortex_getClassHierarchy`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HierarchyArgs {
    /// The type's name, path, id or `file:line`.
    name: String,
    /// Namespace or module of the type.
    #[schemars(extend("x-profile" = "full"))]
    namespace: Option<String>,
    /// Levels of bases; 3 by default.
    #[schemars(range(min = 0, max = 50))]
    max_super_depth: Option<u64>,
    /// Levels of subtypes; 2 by default.
    #[schemars(range(min = 0, max = 50))]
    max_sub_depth: Option<u64>,
    /// Subtypes of each type; 10 by default.
    #[schemars(range(min = 1, max = 200), extend("x-profile" = "full"))]
    max_sub_breadth: Option<u64>,
    /// `nextCursor` of a page.
    cursor: Option<String>,
    /// Whether to include source lines; true by default.
    #[schemars(extend("x-profile" = "full"))]
    include_preview: Option<bool>,
}

/// Answer of `codecortex_getClassHierarchy`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HierarchyData {
    resolved: ResolvedSymbol,
    /// The type's path.
    root: String,
    /// All bases, nearest first.
    supers: Vec<String>,
    /// Direct bases of the type and of each base.
    bases_by_class: BTreeMap<String, Vec<String>>,
    /// Direct subtypes of each type; for the root, those after `cursor`.
    derived_by_parent: BTreeMap<String, Vec<String>>,
    /// Place of each declaration.
    source_by_class: BTreeMap<String, TypeSource>,
    limits: Limits,
    truncated: Truncated,
    /// Counts of direct subtypes: known ones, and candidates by name.
    total_by_tier: TierCounts,
    /// Types whose base of this name is provably outside the workspace.
    total_outside: u32,
    /// Agreement with language providers about direct bases and subtypes, if they returned results.
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<Agreement>,
    #[serde(flatten)]
    common: Common,
}

/// Where a type is written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct TypeSource {
    /// Language id; `cpp` of an engine's type, `external` of another that is not of the workspace.
    source: String,
    /// Where the engine declares it.
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    /// Of its name; from 0, UTF-16.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_range: Option<LspRange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<String>,
    /// `provider` where a language server says the same of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<TierWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
}

/// What a hierarchy calls the source of a workspace's types: the language id, `as` for AngelScript (SPEC D22).
fn source_word(language: Language) -> &'static str {
    match language {
        Language::AngelScript => "as",
        language => language.info().id,
    }
}

impl TypeSource {
    /// A type of which only this is known.
    fn from_source(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            header: None,
            file_path: None,
            start_line: None,
            end_line: None,
            name_range: None,
            preview: None,
            tier: None,
            why: None,
        }
    }
}

/// Limits of the search.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Limits {
    max_super_depth: u32,
    max_sub_depth: u32,
    max_sub_breadth: u32,
}

/// Results beyond the limits.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Truncated {
    supers: bool,
    derived_depth: bool,
    /// How many more each has.
    derived_breadth_by_class: BTreeMap<String, u32>,
}

pub(crate) struct Hierarchy {
    resolved: ResolvedSymbol,
    supers: Vec<String>,
    bases: BTreeMap<String, Vec<String>>,
    derived: BTreeMap<String, Vec<String>>,
    sources: BTreeMap<String, TypeSource>,
    limits: Limits,
    truncated: Truncated,
    counts: TierCounts,
    outside: u32,
    /// What language providers say of types.
    verdicts: BTreeMap<String, Option<Why>>,
    agreement: Option<Agreement>,
    /// Where the page is among all that derives directly from the root.
    paging: Paging,
    unsaved: bool,
}

/// Walks up and down.
struct HierarchyWalk<'a> {
    cx: &'a Invocation<'a>,
    query: &'a Resolver<'a>,
    hierarchy: Hierarchy,
    /// Types by the path they are shown under.
    places: BTreeMap<String, Vec<DefRef>>,
}

/// What the index knows of a type's hierarchy, and what it was asked for with.
struct HierarchyResult {
    root: DefRef,
    hierarchy: Hierarchy,
    places: BTreeMap<String, Vec<DefRef>>,
    is_further_page: bool,
    with_preview: bool,
    previews: Previews,
}

/// Of which types the source lines are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Previews {
    All,
    /// As the contract of AngelScript's tools has them (SPEC D9, D22).
    ScriptsAlone,
}

async fn handle(cx: CallContext, args: Value) -> Result<Hierarchy, ToolError> {
    hierarchy(cx, args, Previews::All).await
}

/// The same with previews of AngelScript types alone.
pub(crate) async fn handle_script(cx: CallContext, args: Value) -> Result<Hierarchy, ToolError> {
    hierarchy(cx, args, Previews::ScriptsAlone).await
}

async fn hierarchy(
    cx: CallContext,
    args: Value,
    previews: Previews,
) -> Result<Hierarchy, ToolError> {
    let args: HierarchyArgs = parse(args)?;
    let limits = Limits {
        max_super_depth: check_range("maxSuperDepth", args.max_super_depth.unwrap_or(3), 0, 50)?
            as u32,
        max_sub_depth: check_range("maxSubDepth", args.max_sub_depth.unwrap_or(2), 0, 50)? as u32,
        max_sub_breadth: check_range("maxSubBreadth", args.max_sub_breadth.unwrap_or(10), 1, 200)?
            as u32,
    };
    let start = read_cursor(args.cursor.as_deref())?;
    let walked = cx
        .look(|cx| find(cx, &args, limits, start, previews))
        .await?;
    let place = cx
        .view(|cx| Resolver::new(cx.names().workspace()).place(walked.root))
        .await;
    let reply = match place {
        Some(at) => {
            let place = (walked.root.file, at);
            let topic = ProviderTopic::Hierarchy;
            cx.consult(topic, place, walked.is_further_page).await?
        }
        None => None,
    };
    let said = match &reply {
        Some(reply) => Some(cx.look(|cx| compare::said(cx, &walked, reply)).await?),
        None => None,
    };
    let walked = cx.view(|cx| judge(cx, walked, said)).await;
    let sources = cx.look(|cx| sources(cx, &walked)).await?;
    Ok(cx.view(|cx| finish(cx, walked, sources)).await)
}

/// Finds the type, and goes up and down from it.
fn find(
    cx: &Invocation<'_>,
    args: &HierarchyArgs,
    limits: Limits,
    start: usize,
    previews: Previews,
) -> Result<HierarchyResult, Failure> {
    let (mut symbol, mut resolved) = type_meant(cx, &args.name, args.namespace.as_deref())?;
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let mut def = cx.def_of(&query, symbol);
    if let Some((meant, place)) = meant_by(cx, &query, symbol, &resolved)? {
        (symbol, def) = (place, Some(meant));
        resolved = resolved_symbol(cx, place).unwrap_or(resolved);
    }
    let def = def
        .filter(|def| !query.is_by_name(def.file))
        .ok_or_else(|| {
            ToolError::new(
                ErrorCode::Unavailable,
                format!(
                    "Bases of '{}' are not followed: its language is of the second rank.",
                    resolved.path
                ),
            )
        })?;
    let lacks_bases = external::lacks_bases(cx, symbol, query.supertypes(def).0.len());
    // Bases of bases may be of libraries, too.
    let _ = query.all_supertypes(def, MAX_BASES);
    if lacks_bases {
        need_assemblies(cx, def.file)?;
    }
    let paging = Paging {
        total: 0,
        start,
        revision: cx.revision,
    };
    let hierarchy = Hierarchy {
        supers: Vec::new(),
        bases: BTreeMap::new(),
        derived: BTreeMap::new(),
        sources: BTreeMap::new(),
        limits,
        truncated: Truncated::default(),
        counts: TierCounts::default(),
        outside: 0,
        verdicts: BTreeMap::new(),
        agreement: None,
        paging,
        unsaved: cx.is_unsaved(symbol.file),
        resolved,
    };
    let mut walk = HierarchyWalk {
        cx,
        query: &query,
        hierarchy,
        places: BTreeMap::new(),
    };
    let root = walk.known_path(def);
    walk.hierarchy.resolved.path.clone_from(&root);
    walk.places.insert(root, vec![def]);
    walk.up(def);
    walk.down(def);
    Ok(HierarchyResult {
        root: def,
        hierarchy: walk.hierarchy,
        places: walk.places,
        is_further_page: args.cursor.is_some(),
        with_preview: args.include_preview.unwrap_or(true),
        previews,
    })
}

/// The type that is asked about by another name of it: what an alias stands for, or the class that a variable holds.
fn meant_by(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    symbol: Symbol,
    resolved: &ResolvedSymbol,
) -> Result<Option<(DefRef, Symbol)>, ToolError> {
    let Some(def) = cx.def_of(query, symbol) else {
        return Ok(None);
    };
    let meant = query.types_meant(def);
    let is_type = cx
        .index
        .get(symbol)
        .is_some_and(|(_, item)| item.kind.is_type());
    match meant[..] {
        [meant] => {
            // A class without a name is shown as what holds it.
            let held = query.holder(meant).map(|_| symbol);
            let place = cx.symbol_of(query, meant).or(held);
            Ok(place.map(|place| (meant, place)))
        }
        // An alias of several types has a hierarchy of its own: what implements it.
        _ if is_type => Ok(None),
        _ => {
            let paths = meant.iter().filter_map(|meant| cx.symbol_of(query, *meant));
            let paths: Vec<String> = paths.map(|place| cx.index.path_of(place)).collect();
            let all = paths.join(", ");
            Err(
                ToolError::invalid(format!("'{}' stands for several types.", resolved.path))
                    .hint(format!("Ask for one of them: {all}.")),
            )
        }
    }
}

/// Takes in what language providers say.
fn judge(
    cx: &Invocation<'_>,
    walked: HierarchyResult,
    said: Option<ProviderHierarchy>,
) -> HierarchyResult {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let mut walk = HierarchyWalk {
        cx,
        query: &query,
        hierarchy: walked.hierarchy,
        places: walked.places,
    };
    if let Some(said) = said {
        walk.merge(walked.root, &said);
    }
    walk.count(walked.root);
    HierarchyResult {
        hierarchy: walk.hierarchy,
        places: walk.places,
        ..walked
    }
}

fn finish(
    cx: &Invocation<'_>,
    walked: HierarchyResult,
    mut sources: BTreeMap<String, TypeSource>,
) -> Hierarchy {
    if walked.previews == Previews::ScriptsAlone {
        let script = source_word(Language::AngelScript);
        for other in sources.values_mut().filter(|of| of.source != script) {
            other.preview = None;
        }
    }
    let agreement = walked.hierarchy.agreement.as_ref();
    if let Some(agreement) = agreement.filter(|_| !walked.is_further_page) {
        cx.note_agreement(agreement, Vec::new());
    }
    let mut hierarchy = walked.hierarchy;
    // What is outside stands there already: it has no place.
    hierarchy.sources.extend(sources);
    hierarchy
}

impl HierarchyWalk<'_> {
    /// The path of a type; with its file where another one of the answer has that path, as packages of one last name
    /// give their types.
    fn known_path(&self, def: DefRef) -> String {
        let named = self.cx.symbol_of(self.query, def).or_else(|| {
            let holder = self.query.holder(def)?;
            self.cx.symbol_of(self.query, holder)
        });
        let path = match named {
            Some(symbol) => self.cx.index.unique_path_of(symbol),
            None => self.query.name(def).to_owned(),
        };
        let is_other = |of: &DefRef| *of != def && !self.query.symbol(*of).contains(&def);
        let shown = self.places.get(&path).and_then(|defs| defs.first());
        let file = self.cx.index.file(FileId(def.file));
        match (shown, file) {
            (Some(shown), Some(file)) if is_other(shown) => {
                format!("{path} ({})", self.cx.display_path(file))
            }
            _ => path,
        }
    }

    /// The path under which a type is shown from now on.
    fn path(&mut self, def: DefRef) -> String {
        let path = self.known_path(def);
        self.places.entry(path.clone()).or_insert_with(|| vec![def]);
        path
    }

    fn up(&mut self, root: DefRef) {
        let mut level = vec![root];
        for depth in 0.. {
            let mut above = Vec::new();
            for def in level {
                let (inside, outside) = self.query.supertypes(def);
                if depth == self.hierarchy.limits.max_super_depth {
                    // In a circle it ends at what is there already.
                    let is_new = |base: &DefRef| !self.is_above(*base);
                    let leaves_out = !outside.is_empty() || inside.iter().any(is_new);
                    self.hierarchy.truncated.supers |= leaves_out;
                    continue;
                }
                let own = self.path(def);
                let mut bases = Vec::new();
                for base in inside {
                    let is_new = !self.is_above(base);
                    let path = self.path(base);
                    if is_new {
                        self.hierarchy.supers.push(path.clone());
                        above.push(base);
                    }
                    bases.push(path);
                }
                for name in outside {
                    let name = self.query.text(name).to_owned();
                    self.add_outside(&name);
                    bases.push(name);
                }
                if !bases.is_empty() {
                    self.hierarchy.bases.insert(own, bases);
                }
            }
            if above.is_empty() {
                return;
            }
            level = above;
        }
    }

    /// Whether a type is the one that is asked about, or known to be above it.
    fn is_above(&self, def: DefRef) -> bool {
        let path = self.known_path(def);
        path == self.hierarchy.resolved.path || self.hierarchy.supers.contains(&path)
    }

    fn add_outside(&mut self, name: &str) {
        if !self.hierarchy.supers.iter().any(|known| known == name) {
            self.hierarchy.supers.push(name.to_owned());
        }
        self.hierarchy
            .sources
            .entry(name.to_owned())
            .or_insert_with(|| TypeSource::from_source("external"));
    }

    /// Counts what derives from the type directly, also what is not known to (SPEC X3, D35).
    fn count(&mut self, root: DefRef) {
        let unsure = self.query.unsure_implementations(root);
        let known = self.hierarchy.paging.total as u32;
        self.hierarchy.counts = TierCounts::of_known(known, unsure.by_name.len() as u32);
        self.hierarchy.outside = unsure.outside.len() as u32;
    }

    fn down(&mut self, root: DefRef) {
        let limits = self.hierarchy.limits;
        let mut level = vec![root];
        let mut seen = vec![root];
        for depth in 0.. {
            let mut below = Vec::new();
            for def in level {
                let derived = self.query.subtypes(def);
                if derived.is_empty() {
                    continue;
                }
                if depth == limits.max_sub_depth {
                    let is_new = |derived: &DefRef| !seen.contains(derived);
                    self.hierarchy.truncated.derived_depth |= derived.iter().any(is_new);
                    continue;
                }
                let own = self.path(def);
                let mut named: Vec<(String, DefRef)> = derived
                    .into_iter()
                    .map(|derived| (self.known_path(derived), derived))
                    .collect();
                named.sort();
                if def == root {
                    let Paging { total, start, .. } = &mut self.hierarchy.paging;
                    *total = named.len();
                    named.drain(..*start.min(total));
                }
                let most = limits.max_sub_breadth as usize;
                if named.len() > most {
                    let more = (named.len() - most) as u32;
                    self.hierarchy
                        .truncated
                        .derived_breadth_by_class
                        .insert(own.clone(), more);
                    named.truncate(most);
                }
                for (path, derived) in &mut named {
                    // Only what is shown has a place: another branch may show what this one leaves out.
                    *path = self.path(*derived);
                    if !seen.contains(derived) {
                        seen.push(*derived);
                        below.push(*derived);
                    }
                }
                let paths = named.into_iter().map(|(path, _)| path).collect();
                self.hierarchy.derived.insert(own, paths);
            }
            if below.is_empty() {
                return;
            }
            level = below;
        }
    }
}

/// Where each type is written, with the texts that they are in.
fn sources(
    cx: &Invocation<'_>,
    walked: &HierarchyResult,
) -> Result<BTreeMap<String, TypeSource>, Failure> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let written = Written {
        cx,
        query: &query,
        walked,
    };
    written.all()
}

/// Says where types are written.
struct Written<'a> {
    cx: &'a Invocation<'a>,
    query: &'a Resolver<'a>,
    walked: &'a HierarchyResult,
}

impl Written<'_> {
    fn all(&self) -> Result<BTreeMap<String, TypeSource>, Failure> {
        let with_preview = self.walked.with_preview;
        // Of generated code the index has no places: its text alone says where a type is.
        let is_generated = |def: &&DefRef| self.cx.is_generated(def.file);
        let all = self.walked.places.values().flatten();
        let read = all.filter(|def| with_preview || is_generated(def));
        self.cx.need_texts(read.map(|def| def.file))?;
        let mut sources = BTreeMap::new();
        for (path, defs) in &self.walked.places {
            let Some(def) = defs.first() else {
                continue;
            };
            let source = match self.main_part(*def) {
                Some(symbol) => self.source_of(symbol, path, with_preview)?,
                None => self.source_of_generated(*def, with_preview)?,
            };
            sources.extend(source.map(|source| (path.clone(), source)));
        }
        Ok(sources)
    }

    /// Of a partial type the largest part: whichever part names a base, the type is shown at one place.
    fn main_part(&self, def: DefRef) -> Option<Symbol> {
        let own = self.cx.symbol_of(self.query, def)?;
        let is_partial = |symbol: &Symbol| {
            let item = self.cx.index.get(*symbol).map(|(_, item)| item);
            item.is_some_and(|item| item.flags.contains(ItemFlags::PARTIAL))
        };
        if !is_partial(&own) {
            return Some(own);
        }
        let parts = self.query.symbol(def).into_iter();
        let parts = parts.filter_map(|part| self.cx.symbol_of(self.query, part));
        parts
            .filter(is_partial)
            .min_by_key(|part| self.cx.index.order_of_part(*part))
    }

    fn source_of(
        &self,
        symbol: Symbol,
        path: &str,
        with_preview: bool,
    ) -> Result<Option<TypeSource>, Failure> {
        let Some((file, item)) = self.cx.index.get(symbol) else {
            return Ok(None);
        };
        if let Some(origin) = external::origin_of(self.cx, file) {
            return Ok(Some(self.source_outside(origin, item, file)));
        }
        let verdict = self.walked.hierarchy.verdicts.get(path).copied();
        let is_disputed = verdict == Some(Some(Why::Disputed));
        let mut source = TypeSource {
            file_path: Some(self.cx.display_path(file)),
            start_line: Some(item.start.line + 1),
            end_line: Some(item.end.line + 1),
            name_range: Some(LspRange::of_name(item)),
            tier: verdict.filter(|_| !is_disputed).map(|_| TierWord::Provider),
            why: verdict.flatten(),
            ..TypeSource::from_source(source_word(file.facts.language))
        };
        if with_preview {
            source.preview = Some(match self.cx.text_of_file(FileId(symbol.file.0)) {
                Ok(text) => {
                    let range = range_of(&text, item.start_byte..item.end_byte);
                    let has_macros = has_unreal_macros(&file.path, Some(file.facts.language));
                    let start = shown_line(&text, has_macros, range.start_line());
                    source.start_line = Some(start);
                    preview(&text, start, range.end_line())
                }
                Err(Failure::Missing(waits)) => return Err(Failure::Missing(waits)),
                Err(Failure::Error(_)) => codecortex_analysis::preview::UNAVAILABLE.to_owned(),
            });
        }
        Ok(Some(source))
    }

    /// Where a type comes from that is not of the workspace: its source is nowhere, or the file that declares it (SPEC AS3).
    fn source_outside(
        &self,
        origin: &DeclarationOrigin,
        item: &Item,
        file: &IndexedFile,
    ) -> TypeSource {
        let header = external::engine_header(self.cx, file.facts.str(item.name));
        let mut source = TypeSource {
            header: header.map(str::to_owned),
            ..TypeSource::from_source(origin.source.as_str())
        };
        if origin.is_itself() {
            source.file_path = Some(origin.path.clone());
            source.start_line = Some(item.start.line + 1);
            source.end_line = Some(item.end.line + 1);
        }
        source
    }

    /// Where a type is written that is left out because it is generated.
    fn source_of_generated(
        &self,
        def: DefRef,
        with_preview: bool,
    ) -> Result<Option<TypeSource>, Failure> {
        let names = self.cx.names();
        let file = self.cx.index.file(FileId(def.file));
        let bound = names.workspace().file(def.file);
        let (Some(file), Some(bound), Some(name)) =
            (file, bound, name_bytes(names.workspace(), def))
        else {
            return Ok(None);
        };
        let mut source = TypeSource {
            file_path: Some(self.cx.display_path(file)),
            preview: with_preview.then(|| codecortex_analysis::preview::UNAVAILABLE.to_owned()),
            ..TypeSource::from_source(source_word(file.facts.language))
        };
        match self.cx.text_of_file(FileId(def.file)) {
            Ok(text) => {
                let found = bound.def(def.def);
                let range = range_of(&text, found.start..found.end);
                let (start, end) = (range.start_line(), range.end_line());
                source.start_line = Some(start);
                source.end_line = Some(end);
                source.name_range = Some(range_of(&text, name));
                source.preview = with_preview.then(|| preview(&text, start, end));
            }
            Err(Failure::Missing(waits)) => return Err(Failure::Missing(waits)),
            Err(Failure::Error(_)) => {}
        }
        Ok(Some(source))
    }
}

impl Reply for Hierarchy {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "preview:head", "preview:none", "sources:none"]
    }

    fn pieces(&self) -> usize {
        let direct = self.derived.get(&self.resolved.path);
        direct.map_or(0, Vec::len)
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let page = self.page(pieces);
        let mut sources = page.sources;
        for source in sources.values_mut() {
            match level {
                0 => {}
                1 => {
                    let head = |preview: &String| preview.lines().next().unwrap_or("").to_owned();
                    source.preview = source.preview.as_ref().map(head);
                }
                _ => source.preview = None,
            }
        }
        if level >= 3 {
            sources.clear();
        }
        let data = HierarchyData {
            resolved: self.resolved.clone(),
            root: self.resolved.path.clone(),
            supers: self.supers.clone(),
            bases_by_class: self.bases.clone(),
            derived_by_parent: page.derived,
            source_by_class: sources,
            limits: self.limits,
            truncated: page.truncated,
            total_by_tier: self.counts,
            total_outside: self.outside,
            agreement: match level {
                0..=2 => self.agreement.clone(),
                _ => self.agreement.as_ref().map(Agreement::counts),
            },
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let page = self.page(pieces);
        let mut out = String::new();
        let place = |path: &str| match self.sources.get(path) {
            Some(source) if level < 3 => match (&source.file_path, source.start_line) {
                (Some(file), Some(line)) => format!(" // {file}:{line}"),
                _ => " // external".to_owned(),
            },
            _ => String::new(),
        };
        let root = &self.resolved.path;
        let known = self.counts.text_of_subtypes(self.outside);
        out.push_str(&format!("{root}{}{known}\n", place(root)));
        for (class, bases) in &self.bases {
            for base in bases {
                out.push_str(&format!("{class} < {base}{}\n", place(base)));
            }
        }
        for (class, derived) in &page.derived {
            for derived in derived {
                out.push_str(&format!("{derived} < {class}{}\n", place(derived)));
            }
            if let Some(more) = page.truncated.derived_breadth_by_class.get(class) {
                out.push_str(&format!("// and {more} more < {class}\n"));
            }
        }
        if let Some(agreement) = &self.agreement {
            out.push_str(&agreement.text());
        }
        if self.truncated.supers {
            out.push_str("// more above: maxSuperDepth\n");
        }
        if self.truncated.derived_depth {
            out.push_str("// more below: maxSubDepth\n");
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

/// The part of a hierarchy that has the first few of what derives directly from the type.
struct HierarchyPage {
    derived: BTreeMap<String, Vec<String>>,
    sources: BTreeMap<String, TypeSource>,
    truncated: Truncated,
}

impl Hierarchy {
    /// What is left of it when so many of what derives directly from the type are shown, with what derives from those.
    fn page(&self, direct: usize) -> HierarchyPage {
        let root = &self.resolved.path;
        let all = self.derived.get(root).map_or(0, Vec::len);
        let mut page = HierarchyPage {
            derived: self.derived.clone(),
            sources: self.sources.clone(),
            truncated: self.truncated.clone(),
        };
        if direct >= all {
            return page;
        }
        let breadth = &mut page.truncated.derived_breadth_by_class;
        *breadth.entry(root.clone()).or_default() += (all - direct) as u32;
        page.derived
            .entry(root.clone())
            .and_modify(|shown| shown.truncate(direct));
        let below = reachable(root, &page.derived);
        page.derived.retain(|class, _| below.contains(class));
        breadth.retain(|class, _| below.contains(class));
        let above = self
            .bases
            .iter()
            .flat_map(|(class, bases)| bases.iter().chain([class]));
        let above: BTreeSet<&String> = above.chain(&self.supers).collect();
        page.sources
            .retain(|class, _| below.contains(class) || above.contains(class));
        page
    }
}

/// A type and everything that derives from it.
fn reachable(root: &str, derived: &BTreeMap<String, Vec<String>>) -> BTreeSet<String> {
    let mut seen = BTreeSet::from([root.to_owned()]);
    let mut open = vec![root];
    while let Some(class) = open.pop() {
        for below in derived.get(class).into_iter().flatten() {
            if seen.insert(below.clone()) {
                open.push(below);
            }
        }
    }
    seen
}

/// The row of `codecortex_getClassHierarchy`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_getClassHierarchy",
    reference_name: "hierarchy",
    title: "Class hierarchy",
    description: "Show the bases of a class or interface, and the types that derive from it or implement it.",
    icon: "$(type-hierarchy-sub)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: true,
    former_name: None,
    uses: &[ToolUse::Investigation, ToolUse::Review],
    aliases: &[
        ("symbol", "name"),
        ("type", "name"),
        ("typeName", "name"),
        ("typeId", "name"),
        ("maxBreadth", "maxSubBreadth"),
    ],
    schema: schema_of::<HierarchyArgs>,
    output: schema_of::<HierarchyData>,
    needs: &[RequiredInput::Projects, RequiredInput::External],
    handler: |cx, args| boxed(handle(cx, args)),
};
