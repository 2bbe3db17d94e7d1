//! `codecortex_findReferences`: where a symbol is used, as a compiler would answer (SPEC R2, R5).

pub(crate) mod facets;
pub(crate) mod filter;
pub(crate) mod found_uses;
pub(crate) mod relations;

use std::collections::BTreeMap;
use std::rc::Rc;

use codecortex_analysis::external::absent_package;
use codecortex_analysis::place::{EditorPosition, LspRange, ResolvedSymbol, range_of};
use codecortex_analysis::preview::preview;
use codecortex_analysis::read_outside::{name_outside, text_outside};
use codecortex_analysis::subject::CallSubject;
use codecortex_analysis::words::{RoleWord, TierWord};
use codecortex_answer::args::{check_range, check_text, parse};
use codecortex_answer::cursor::{DEFAULT_LIMIT, MAX_LIMIT, Paging, read_cursor};
use codecortex_answer::reply::{Common, Reply};
use codecortex_ide::{Agreement, MergedUse, MergedUses, Outside, ReferenceSubject, Why};
use codecortex_protocol::{Failure, ProviderReply, ProviderTopic, ToolError};
use codecortex_resolve::{DefRef, FileNo, Resolver};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tool_use::ToolUse;
use crate::tools::needs::RequiredInput;
use crate::tools::references::facets::Facets;
use crate::tools::references::filter::UsesFilter;
use crate::tools::references::found_uses::found_uses;
use crate::tools::references::relations::{DeclarationData, RelationWord};
use crate::tools::schema::schema_of;
use crate::tools::several::{SeveralData, SymbolArgument, for_each};
use crate::tools::tool::{Profile, Tool};

/// Arguments of `codecortex_findReferences`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferencesArgs {
    /// A path, id or list of these; or `filePath` with `position`.
    #[schemars(with = "Option<SymbolArgument>")]
    symbol: Option<String>,
    /// The file of `position`.
    file_path: Option<String>,
    /// A place on the name; from 1, UTF-16.
    position: Option<EditorPosition>,
    /// Returns these declarations instead of uses.
    relation: Option<RelationWord>,
    /// Steps to follow `relation`.
    #[schemars(range(min = 1, max = 10))]
    pub(super) depth: Option<u64>,
    /// Only these; all but `name` by default.
    pub(super) tiers: Option<Vec<TierWord>>,
    /// Only these kinds of use.
    pub(super) roles: Option<Vec<RoleWord>>,
    /// Only uses below this folder.
    pub(super) folder: Option<String>,
    /// Whether to include source lines; true by default.
    #[schemars(extend("x-profile" = "full"))]
    include_preview: Option<bool>,
    /// `nextCursor` of a page.
    cursor: Option<String>,
    /// Results a page.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u64>,
}

/// Answer of `codecortex_findReferences`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferencesData {
    /// The resolved symbol; absent for locals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resolved: Option<ResolvedSymbol>,
    /// Number of results within the filters, on all pages.
    pub(super) total: u32,
    /// Counts before the filters; with `relation`, within them.
    pub(super) total_by_tier: TierCounts,
    /// Occurrences of the name that provably refer to a symbol outside the workspace.
    pub(super) total_outside: u32,
    /// On the first of several pages: counts by role, within the filters.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) total_by_role: BTreeMap<&'static str, u32>,
    /// The same by folder; smaller folders are combined as `…`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) total_by_folder: BTreeMap<String, u32>,
    /// Best first, then by file and place.
    pub(super) references: Vec<ReferenceData>,
    /// Agreement with language providers, if they returned results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<Agreement>,
    /// With `relation`, instead of `references`: nearest first, then best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) declarations: Option<Vec<DeclarationData>>,
    /// Whether the search for `relation` reached its limit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) truncated: bool,
    #[serde(flatten)]
    pub(super) several: SeveralData,
    #[serde(flatten)]
    pub(super) common: Common,
}

/// Counts by tier.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct TierCounts {
    #[serde(skip_serializing_if = "is_zero")]
    provider: u32,
    exact: u32,
    inferred: u32,
    related: u32,
    name: u32,
}

impl TierCounts {
    pub(super) fn add(&mut self, tier: TierWord) {
        match tier {
            TierWord::Provider => self.provider += 1,
            TierWord::Exact => self.exact += 1,
            TierWord::Inferred => self.inferred += 1,
            TierWord::Related => self.related += 1,
            TierWord::Name => self.name += 1,
        }
    }
}

impl TierCounts {
    /// So many that are known, and so many by name alone.
    pub(super) fn of_known(exact: u32, name: u32) -> Self {
        Self {
            exact,
            name,
            ..Self::default()
        }
    }

    /// Of subtypes: nothing where all that there are is known, else the counts as a comment.
    pub(super) fn text_of_subtypes(&self, outside: u32) -> String {
        match self.name + outside {
            0 => String::new(),
            _ => format!(" // subtypes:{}", self.text(outside)),
        }
    }

    /// The counts in brackets, with a blank before them: `" (2 exact, 7 by name only)"`. What is unsure is never told
    /// without saying how much is sure (SPEC X3, D35).
    pub(super) fn text(&self, outside: u32) -> String {
        let sure = self.provider + self.exact;
        let unsure = self.inferred + self.related + self.name + outside;
        let counts = [
            (self.provider, "confirmed", false),
            (self.exact, "exact", sure == 0 && unsure > 0),
            (self.inferred, "inferred", false),
            (self.related, "related", false),
            (self.name, "by name only", false),
            (outside, "outside the workspace", false),
        ];
        let shown = counts
            .iter()
            .filter(|(count, _, is_told)| *count > 0 || *is_told);
        let words: Vec<String> = shown
            .map(|(count, word, _)| format!("{count} {word}"))
            .collect();
        match words.is_empty() {
            true => String::new(),
            false => format!(" ({})", words.join(", ")),
        }
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// One use.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReferenceData {
    file_path: String,
    /// From 1; 0 where the file cannot be read any more.
    start_line: u32,
    /// From 1; 0 where the file cannot be read any more.
    end_line: u32,
    /// Of the name; from 0, UTF-16.
    range: LspRange,
    /// Its source line.
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<String>,
    tier: TierWord,
    /// What is unusual about the tier: a word, or in tier `name` why the receiver's type is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    role: RoleWord,
    /// The declaration it is in.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    inside: Option<String>,
}

impl ReferencesArgs {
    /// Whether a page behind the first one is asked for.
    pub(super) fn is_further_page(&self) -> bool {
        self.cursor.is_some()
    }
}

struct References {
    resolved: Option<ResolvedSymbol>,
    name: String,
    counts: TierCounts,
    /// Occurrences of its name that lead outside.
    outside: u32,
    /// Of a symbol with very many uses, on the first page.
    spread: Option<Facets>,
    page: Vec<ReferenceData>,
    agreement: Option<Agreement>,
    paging: Paging,
    unsaved: bool,
}

/// Uses that were found.
struct CollectedUses {
    subject: CallSubject,
    uses: Rc<codecortex_resolve::SymbolUses>,
}

/// What of them and of what language providers say is shown.
struct UsesPage {
    counts: TierCounts,
    spread: Option<Facets>,
    shown: Vec<MergedUse>,
    paging: Paging,
}

/// It as it is shown.
struct ShownReferences {
    page: Vec<ReferenceData>,
    name: String,
    unsaved: bool,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: ReferencesArgs = parse(args)?;
    let limit = check_range("limit", args.limit.unwrap_or(DEFAULT_LIMIT), 1, MAX_LIMIT)?;
    let page = (read_cursor(args.cursor.as_deref())?, limit);
    let subject = cx.look(|cx| subject(cx, &args)).await?;
    if let Some(relation) = args.relation {
        let related = relations::related(&cx, &args, subject, page, relation).await?;
        return Ok(Box::new(related));
    }
    let found = cx.view(|cx| CollectedUses::of(cx, &args, subject)).await?;
    let uses = with_providers(&cx, &args, &found).await?;
    let chosen = cx
        .view(|cx| choose(cx, (&args, page), (&found, &uses)))
        .await?;
    let shown = cx.look(|cx| show(cx, &args, &found, (&uses, &chosen.shown)));
    let shown = shown.await?;
    Ok(Box::new(References::of(found, uses, chosen, shown)))
}

impl CollectedUses {
    fn of(
        cx: &Invocation<'_>,
        args: &ReferencesArgs,
        subject: CallSubject,
    ) -> Result<Self, ToolError> {
        let filter = UsesFilter::new(cx, args, cx.is_by_name(&subject.defs))?;
        Ok(Self {
            uses: found_uses(cx, &subject.defs, filter.wants_related()),
            subject,
        })
    }
}

/// Chooses what is shown.
fn choose(
    cx: &Invocation<'_>,
    (args, (start, limit)): (&ReferencesArgs, (usize, usize)),
    (found, uses): (&CollectedUses, &MergedUses),
) -> Result<UsesPage, ToolError> {
    let filter = UsesFilter::new(cx, args, cx.is_by_name(&found.subject.defs))?;
    let mut counts = TierCounts::default();
    uses.all.iter().for_each(|place| counts.add(place.tier));
    let kept: Vec<&MergedUse> = uses
        .all
        .iter()
        .filter(|place| {
            filter.fits_use(place.tier, place.own)
                && filter.fits_role(place.role, true)
                && match place.is_outside {
                    true => filter.fits_outside(),
                    false => filter.fits_place(cx, place.file),
                }
        })
        .collect();
    let total = kept.len();
    let is_hub = total > MAX_LIMIT as usize && !args.is_further_page();
    let spread = is_hub.then(|| Facets::new(cx, &kept));
    let page = start.min(total)..start.saturating_add(limit).min(total);
    Ok(UsesPage {
        counts,
        spread,
        shown: kept[page].iter().map(|place| **place).collect(),
        paging: Paging {
            total,
            start: start.min(total),
            revision: cx.revision,
        },
    })
}

/// Shows them, with the texts that they are in.
fn show(
    cx: &Invocation<'_>,
    args: &ReferencesArgs,
    CollectedUses { subject, .. }: &CollectedUses,
    (uses, shown): (&MergedUses, &[MergedUse]),
) -> Result<ShownReferences, Failure> {
    let inside = || shown.iter().filter(|place| !place.is_outside);
    let with_preview = args.include_preview.unwrap_or(true);
    let outside = || shown.iter().filter_map(|place| uses.site_outside(place));
    let previewed = outside().filter(|_| with_preview);
    cx.need_texts_outside(
        inside().map(|place| place.file),
        previewed.map(|site| site.absolute.as_str()),
    )?;
    let names = cx.names();
    let page = shown
        .iter()
        .map(|place| match uses.site_outside(place) {
            Some(site) => describe_outside(cx, site, place, with_preview),
            None => describe(cx, place, with_preview),
        })
        .collect::<Result<Vec<_>, Failure>>()?;
    let unsaved = inside().any(|place| cx.is_unsaved(codecortex_index::FileId(place.file)));
    if let Some(agreement) = uses.agreement.as_ref().filter(|_| !args.is_further_page()) {
        cx.note_agreement(agreement, uses.disagreements.clone());
        cx.learn(&uses.lessons);
    }
    let name = match (subject.defs.first(), &args.file_path, args.position) {
        (Some(def), ..) => codecortex_analysis::subject::name_of(names.workspace(), *def),
        (None, Some(path), Some(at)) => format!("{path}:{}:{}", at.line, at.character),
        _ => String::new(),
    };
    Ok(ShownReferences {
        page,
        name,
        unsaved,
    })
}

impl References {
    fn of(
        found: CollectedUses,
        uses: MergedUses,
        chosen: UsesPage,
        shown: ShownReferences,
    ) -> Self {
        let resolved = found.subject.resolved;
        let path = resolved.as_ref().map(|resolved| resolved.path.clone());
        Self {
            name: path.unwrap_or(shown.name),
            resolved,
            counts: chosen.counts,
            outside: found.uses.outside as u32,
            spread: chosen.spread,
            page: shown.page,
            agreement: uses.agreement,
            paging: chosen.paging,
            unsaved: shown.unsaved,
        }
    }
}

fn subject(cx: &Invocation<'_>, args: &ReferencesArgs) -> Result<CallSubject, Failure> {
    match (&args.symbol, &args.file_path, args.position) {
        (Some(symbol), None, None) => cx.subject_named(symbol),
        (None, Some(path), Some(position)) => {
            check_text("filePath", path)?;
            let subject = cx.subject_at(path, position)?;
            // Language providers may know what is there.
            let unknown = cx.has_providers() && args.relation.is_none();
            subject
                .or_else(|| unknown.then(CallSubject::unknown))
                .ok_or_else(|| nothing_at(path, position).into())
        }
        _ => Err(ToolError::invalid("A symbol is not given, or given twice.")
            .hint("Give `symbol`, or `filePath` with `position`.")
            .into()),
    }
}

fn nothing_at(path: &str, position: EditorPosition) -> ToolError {
    ToolError::new(
        codecortex_protocol::ErrorCode::SymbolNotFound,
        format!(
            "No name of the workspace is at {path}:{}:{}.",
            position.line, position.character
        ),
    )
    .hint("Give the place of a name, or `symbol`. What comes from outside the workspace is not followed.")
}

/// What was found together with what language providers say, where the caller's surface has some.
async fn with_providers(
    cx: &CallContext,
    args: &ReferencesArgs,
    CollectedUses { subject, uses }: &CollectedUses,
) -> Result<MergedUses, ToolError> {
    let declared = cx.look(|cx| asked_place(cx, subject, args)).await?;
    let reply = match declared {
        Some((_, place)) => {
            let topic = ProviderTopic::References;
            cx.consult(topic, place, args.is_further_page()).await?
        }
        None => None,
    };
    let mut all = match (&reply, declared) {
        (Some(reply), Some((def, place))) => {
            let merged = |cx: &Invocation<'_>| merged(cx, uses, reply, (def, place));
            cx.look(merged).await?
        }
        _ => codecortex_ide::unmerged(&uses.references),
    };
    if let (true, Some(path), Some(position)) = (
        all.all.is_empty() && subject.defs.is_empty(),
        &args.file_path,
        args.position,
    ) {
        return Err(nothing_at(path, position));
    }
    all.mark_renamed(&uses.renamed);
    Ok(all)
}

/// Where language providers are asked, and the definition that is declared; none of what the index does not know: it
/// comes from outside, or its language is not followed.
type AskedPlace = (Option<DefRef>, (FileNo, u32));

fn asked_place(
    cx: &Invocation<'_>,
    subject: &CallSubject,
    args: &ReferencesArgs,
) -> Result<Option<AskedPlace>, Failure> {
    let names = cx.names();
    let declared = subject.defs.iter().find_map(|def| {
        let at = codecortex_analysis::subject::name_bytes(names.workspace(), *def)?.start;
        Some((*def, at))
    });
    let at = match (&args.file_path, args.position) {
        (Some(path), Some(position)) => Some((path, position)),
        _ => None,
    };
    Ok(match (declared, at) {
        (Some((def, _)), Some((path, position))) => Some((Some(def), cx.byte_at(path, position)?)),
        (Some((def, at)), None) => Some((Some(def), (def.file, at))),
        (None, Some((path, position))) if subject.defs.is_empty() => {
            Some((None, cx.byte_at(path, position)?))
        }
        (None, _) => None,
    })
}

/// Merges what was found with a reply of theirs.
fn merged(
    cx: &Invocation<'_>,
    uses: &codecortex_resolve::SymbolUses,
    reply: &ProviderReply,
    (def, place): AskedPlace,
) -> Result<MergedUses, Failure> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let Some(def) = def else {
        let name = crate::tools::position::name_at(cx, &query, place);
        let of = ReferenceSubject {
            name: &name.unwrap_or_default(),
            kind: "unknown",
            home: Some(place.0),
        };
        return codecortex_ide::merge(cx, &of, &[], reply);
    };
    let kind = names.workspace().file(def.file);
    let of = ReferenceSubject {
        name: &codecortex_analysis::subject::name_of(names.workspace(), def),
        kind: kind.map_or("unknown", |file| {
            codecortex_analysis::words::kind_word(file.def(def.def).kind)
        }),
        home: Some(def.file),
    };
    codecortex_ide::merge(cx, &of, &uses.references, reply)
}

/// A use in a file that is not in the index.
fn describe_outside(
    cx: &Invocation<'_>,
    site: &Outside,
    place: &MergedUse,
    with_preview: bool,
) -> Result<ReferenceData, Failure> {
    let range = LspRange::of_outside(site.range);
    let (start_line, end_line) = (range.start_line(), range.end_line());
    let shown = match with_preview {
        true => Some(match text_outside(cx, &site.absolute)? {
            Some(text) => preview(&text, start_line, end_line),
            None => codecortex_analysis::preview::UNAVAILABLE.to_owned(),
        }),
        false => {
            name_outside(cx, &site.absolute);
            None
        }
    };
    Ok(ReferenceData {
        file_path: site.path.clone(),
        start_line,
        end_line,
        range,
        preview: shown,
        tier: place.tier,
        why: place.why.map(word),
        role: RoleWord::from_role(place.role),
        inside: None,
    })
}

fn describe(
    cx: &Invocation<'_>,
    reference: &MergedUse,
    with_preview: bool,
) -> Result<ReferenceData, Failure> {
    let bytes = reference.at..reference.at + reference.len;
    let inside = cx.around(reference.file, reference.at);
    let inside = inside.map(|(symbol, _)| cx.index.path_of(symbol));
    let mut data = ReferenceData {
        file_path: cx.shown_path(reference.file),
        start_line: 0,
        end_line: 0,
        range: LspRange::default(),
        preview: with_preview.then(|| codecortex_analysis::preview::UNAVAILABLE.to_owned()),
        tier: reference.tier,
        why: reference
            .why
            .map(word)
            .or_else(|| unknown_receiver(cx, reference)),
        role: RoleWord::from_role(reference.role),
        inside,
    };
    match cx.text_of_file(codecortex_index::FileId(reference.file)) {
        Ok(text) => {
            data.range = range_of(&text, bytes);
            data.start_line = data.range.start_line();
            data.end_line = data.range.end_line();
            if with_preview {
                data.preview = Some(preview(&text, data.start_line, data.end_line));
            }
        }
        // What is gone or cannot be read is still a reference of the index.
        Err(Failure::Error(_)) => {}
        Err(waits) => return Err(waits),
    }
    Ok(data)
}

fn word(why: Why) -> String {
    why.as_str().to_owned()
}

/// Why nobody knows the type of the receiver of a use that is known by name alone, where a package is the reason.
fn unknown_receiver(cx: &Invocation<'_>, reference: &MergedUse) -> Option<String> {
    if reference.tier != TierWord::Name {
        return None;
    }
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let module = query.missing_module_of_receiver(reference.file, reference.at)?;
    let package = absent_package(cx, reference.file, &module)?;
    Some(format!(
        "receiver's type is unknown: from package {package}, not installed"
    ))
}

impl Reply for References {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "in:none", "preview:none"]
    }

    fn pieces(&self) -> usize {
        self.page.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let mut references = self.page[..pieces].to_vec();
        for reference in &mut references {
            if level >= 1 {
                reference.inside = None;
            }
            if level >= 2 {
                reference.preview = None;
            }
        }
        let spread = self.spread.clone().unwrap_or_default();
        let data = ReferencesData {
            resolved: self.resolved.clone(),
            total: self.paging.total as u32,
            total_by_tier: self.counts,
            total_outside: self.outside,
            total_by_role: spread.by_role,
            total_by_folder: spread.by_folder,
            references,
            agreement: match level {
                0 | 1 => self.agreement.clone(),
                _ => self.agreement.as_ref().map(Agreement::counts),
            },
            declarations: None,
            truncated: false,
            several: SeveralData::default(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let total = self.paging.total;
        let plural = if total == 1 { "" } else { "s" };
        let mut out = format!("// {total} reference{plural} of {}", self.name);
        out.push_str(&self.counts.text(self.outside));
        out.push('\n');
        if let Some(spread) = &self.spread {
            out.push_str(&spread.text());
        }
        if let Some(agreement) = &self.agreement {
            let all = level < 2;
            out.push_str(&if all {
                agreement.text()
            } else {
                agreement.counts().text()
            });
        }
        let mut file = "";
        for reference in &self.page[..pieces] {
            if file != reference.file_path {
                file = &reference.file_path;
                out.push_str(&format!("// {file}\n"));
            }
            out.push_str(&self.line(reference, level));
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

impl References {
    /// One use: its line number, its source, and what is not the usual.
    fn line(&self, reference: &ReferenceData, level: usize) -> String {
        let mut notes = vec![reference.role.as_str().to_owned()];
        match reference.tier {
            TierWord::Exact | TierWord::Provider => {}
            tier => notes.push(tier.as_str().to_owned()),
        }
        notes.extend(reference.why.clone());
        if let Some(inside) = reference.inside.as_ref().filter(|_| level == 0) {
            notes.push(format!("in {inside}"));
        }
        let source = match (&reference.preview, level) {
            (Some(preview), 0 | 1) => preview.trim_end(),
            _ => "",
        };
        format!(
            "{}: {source} // {}\n",
            reference.start_line,
            notes.join(", ")
        )
    }
}

/// The row of `codecortex_findReferences`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_findReferences",
    reference_name: "references",
    title: "Find references",
    description: "Find every use of a symbol as a compiler resolves it, without other symbols of the same name; `tier` \
        marks overrides and uncertain hits. `relation` returns callers, callees, implementations or overridden \
        members.",
    icon: "$(references)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: true,
    former_name: None,
    uses: &[ToolUse::Investigation, ToolUse::Review],
    aliases: &[
        ("name", "symbol"),
        ("symbolPath", "symbol"),
        ("typeId", "symbol"),
        ("memberId", "symbol"),
        ("id", "symbol"),
        ("file", "filePath"),
        ("path", "filePath"),
        ("maxResults", "limit"),
    ],
    schema: schema_of::<ReferencesArgs>,
    output: schema_of::<ReferencesData>,
    needs: &[
        RequiredInput::Projects,
        RequiredInput::External,
        RequiredInput::Text,
    ],
    handler: |cx, args| {
        boxed_reply(for_each(cx, args, "symbol", |cx, args| {
            boxed_reply(handle(cx, args))
        }))
    },
};
