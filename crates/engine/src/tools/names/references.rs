//! `codecortex_findReferences`: where a symbol is used, as a compiler would answer (SPEC R2, R5).

use codecortex_bind::facts::Role;
use codecortex_resolve::{DefRef, Query, Reference, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::filter::Filter;
use super::relations::{DeclarationData, RelationWord};
use super::{LspRange, Subject, preview, range_of, relations};
use crate::Engine;
use crate::error::ToolError;
use crate::tools::args::{check_range, check_text, parse};
use crate::tools::common::{Common, DEFAULT_LIMIT, MAX_LIMIT, Paging, Reply, read_cursor};
use crate::tools::symbols::{EditorPosition, ResolvedSymbol};
use crate::tools::{Failure, Handled};

/// Arguments of `codecortex_findReferences`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferencesArgs {
    /// A path or id, instead of a place.
    symbol: Option<String>,
    /// The file of `position`.
    file_path: Option<String>,
    /// A place in it where the symbol is named.
    position: Option<EditorPosition>,
    /// Declarations around or below instead of uses.
    relation: Option<RelationWord>,
    /// Steps of `relation`.
    #[schemars(range(min = 1, max = 10))]
    pub(super) depth: Option<u64>,
    /// Only these; all but `name` unless said.
    pub(super) tiers: Option<Vec<TierWord>>,
    /// Only these.
    pub(super) roles: Option<Vec<RoleWord>>,
    /// Only files below it.
    pub(super) folder: Option<String>,
    /// Source lines; yes unless false.
    include_preview: Option<bool>,
    cursor: Option<String>,
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u64>,
}

/// How sure a reference is (SPEC R2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum TierWord {
    /// A language server agrees.
    Provider,
    /// Every step to it is declared.
    Exact,
    /// Some step was inferred.
    Inferred,
    /// An override or implementation.
    Related,
    /// Same name, receiver unknown.
    Name,
}

impl From<Tier> for TierWord {
    fn from(tier: Tier) -> Self {
        match tier {
            Tier::Exact => Self::Exact,
            Tier::Inferred => Self::Inferred,
            Tier::Related => Self::Related,
            Tier::Name => Self::Name,
        }
    }
}

/// What is done with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RoleWord {
    /// Its value is used.
    Read,
    /// It is assigned.
    Write,
    /// It is called or constructed.
    Call,
    /// It is used as a type.
    Type,
    /// It is imported or exported.
    Import,
    /// An attribute or decorator.
    Attribute,
    /// Named in documentation.
    Doc,
}

impl RoleWord {
    pub(super) fn of(role: codecortex_resolve::RoleOf) -> Self {
        const ALL: [(Role, RoleWord); 8] = [
            (Role::Read, RoleWord::Read),
            (Role::Write, RoleWord::Write),
            (Role::ReadWrite, RoleWord::Write),
            (Role::Call, RoleWord::Call),
            (Role::Type, RoleWord::Type),
            (Role::Import, RoleWord::Import),
            (Role::Attribute, RoleWord::Attribute),
            (Role::Doc, RoleWord::Doc),
        ];
        let known = ALL.iter().find(|(known, _)| role == (*known).into());
        known.map_or(Self::Read, |(_, word)| *word)
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Call => "call",
            Self::Type => "type",
            Self::Import => "import",
            Self::Attribute => "attribute",
            Self::Doc => "doc",
        }
    }
}

/// Answer of `codecortex_findReferences`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferencesData {
    /// The symbol that was meant; absent for locals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resolved: Option<ResolvedSymbol>,
    /// All that fit the filters, on every page.
    pub(super) total: u32,
    /// Before the filters; of `relation`, what fits them.
    pub(super) total_by_tier: TierCounts,
    /// Best first, then by file and place.
    pub(super) references: Vec<ReferenceData>,
    /// With `relation`, in place of `references`: nearest first, then best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) declarations: Option<Vec<DeclarationData>>,
    /// Whether there are more of `relation` than were looked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) truncated: bool,
    #[serde(flatten)]
    pub(super) common: Common,
}

/// Counts by tier.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct TierCounts {
    exact: u32,
    inferred: u32,
    related: u32,
    name: u32,
}

impl TierCounts {
    pub(super) fn add(&mut self, tier: Tier) {
        match tier {
            Tier::Exact => self.exact += 1,
            Tier::Inferred => self.inferred += 1,
            Tier::Related => self.related += 1,
            Tier::Name => self.name += 1,
        }
    }
}

/// One use.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReferenceData {
    file_path: String,
    /// From 1.
    start_line: u32,
    /// From 1.
    end_line: u32,
    /// Of the name; from 0, UTF-16.
    range: LspRange,
    /// Its source line.
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<String>,
    tier: TierWord,
    role: RoleWord,
    /// The declaration it is in.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    inside: Option<String>,
}

struct References {
    resolved: Option<ResolvedSymbol>,
    name: String,
    counts: TierCounts,
    page: Vec<ReferenceData>,
    paging: Paging,
    unsaved: bool,
}

pub(crate) fn handle(engine: &Engine, args: Value) -> Handled {
    let args: ReferencesArgs = parse(args)?;
    let limit = check_range("limit", args.limit.unwrap_or(DEFAULT_LIMIT), 1, MAX_LIMIT)?;
    let start = read_cursor(args.cursor.as_deref())?;
    engine.need_projects()?;
    let subject = subject(engine, &args)?;
    let filter = Filter::of(&args)?;
    if let Some(relation) = args.relation {
        return relations::handle(engine, &args, &filter, subject, (start, limit), relation);
    }
    let found = found(engine, &subject.defs);
    let mut counts = TierCounts::default();
    found
        .iter()
        .for_each(|reference| counts.add(reference.tier));
    let kept: Vec<&Reference> = found
        .iter()
        .filter(|reference| {
            filter.fits_tier(reference.tier)
                && filter.fits_role(reference.role, true)
                && filter.fits_place(engine, reference.file)
        })
        .collect();
    let total = kept.len();
    let shown: Vec<&Reference> = kept.into_iter().skip(start).take(limit).collect();
    engine.need_texts(shown.iter().map(|reference| reference.file))?;
    let with_preview = args.include_preview.unwrap_or(true);
    let names = engine.names();
    let page = shown
        .iter()
        .map(|reference| describe(engine, reference, with_preview))
        .collect::<Result<Vec<_>, Failure>>()?;
    let unsaved = shown
        .iter()
        .any(|reference| engine.is_unsaved(codecortex_index::FileId(reference.file)));
    let name = subject.defs.first();
    let name = name.map_or_else(String::new, |def| super::name_of(names.workspace(), *def));
    Ok(Box::new(References {
        name: subject
            .resolved
            .as_ref()
            .map_or(name, |resolved| resolved.path.clone()),
        resolved: subject.resolved,
        counts,
        page,
        paging: Paging {
            total,
            start: start.min(total),
            revision: engine.revision,
        },
        unsaved,
    }))
}

fn subject(engine: &Engine, args: &ReferencesArgs) -> Result<Subject, Failure> {
    match (&args.symbol, &args.file_path, args.position) {
        (Some(symbol), None, None) => engine.subject_named(symbol),
        (None, Some(path), Some(position)) => {
            check_text("filePath", path)?;
            engine.subject_at(path, position)?.ok_or_else(|| {
                ToolError::new(
                    crate::ErrorCode::SymbolNotFound,
                    format!(
                        "There is no name of the workspace at {path}:{}:{}.",
                        position.line, position.character
                    ),
                )
                .hint("Give the place of a name, or `symbol`. What comes from outside the workspace is not followed.")
                .into()
            })
        }
        _ => Err(ToolError::invalid("A symbol is not given, or given twice.")
            .hint("Give `symbol`, or `filePath` with `position`.")
            .into()),
    }
}

/// Every use of these definitions, the surest first.
fn found(engine: &Engine, defs: &[DefRef]) -> Vec<Reference> {
    let names = engine.names();
    if let Some(found) = names.remembered(defs) {
        return found;
    }
    let query = Query::new(names.workspace());
    let mut found: Vec<Reference> = Vec::new();
    for def in defs {
        found.extend(query.references(*def));
    }
    found.sort_unstable_by_key(|reference| (reference.file, reference.at, reference.tier));
    found.dedup_by_key(|reference| (reference.file, reference.at));
    let home = defs.first().map(|def| def.file);
    let path = |reference: &Reference| {
        let file = names.workspace().file(reference.file);
        file.map_or("", codecortex_resolve::File::path)
    };
    found.sort_by(|a, b| {
        let key = |reference: &Reference| (reference.tier, Some(reference.file) != home);
        key(a)
            .cmp(&key(b))
            .then_with(|| path(a).cmp(path(b)))
            .then_with(|| a.at.cmp(&b.at))
    });
    names.remember(defs, &found);
    found
}

fn describe(
    engine: &Engine,
    reference: &Reference,
    with_preview: bool,
) -> Result<ReferenceData, Failure> {
    let bytes = reference.at..reference.at + reference.len;
    let inside = engine.around(reference.file, reference.at);
    let inside = inside.map(|(symbol, _)| engine.index.path_of(symbol));
    let mut data = ReferenceData {
        file_path: engine.shown_path(reference.file),
        start_line: 0,
        end_line: 0,
        range: LspRange::default(),
        preview: with_preview.then(|| super::UNAVAILABLE.to_owned()),
        tier: reference.tier.into(),
        role: RoleWord::of(reference.role),
        inside,
    };
    match engine.text_of_file(codecortex_index::FileId(reference.file)) {
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
        let data = ReferencesData {
            resolved: self.resolved.clone(),
            total: self.paging.total as u32,
            total_by_tier: self.counts,
            references,
            declarations: None,
            truncated: false,
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let counts = [
            (self.counts.exact, "exact"),
            (self.counts.inferred, "inferred"),
            (self.counts.related, "related"),
            (self.counts.name, "by name only"),
        ];
        let counts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        let total = self.paging.total;
        let plural = if total == 1 { "" } else { "s" };
        let mut out = format!("// {total} reference{plural} of {}", self.name);
        if !counts.is_empty() {
            out.push_str(&format!(" ({})", counts.join(", ")));
        }
        out.push('\n');
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
            TierWord::Inferred => notes.push("inferred".to_owned()),
            TierWord::Related => notes.push("related".to_owned()),
            TierWord::Name => notes.push("name".to_owned()),
        }
        if let Some(inside) = reference.inside.as_ref().filter(|_| level == 0) {
            notes.push(format!("in {inside}"));
        }
        let source = match (&reference.preview, level) {
            (Some(preview), 0 | 1) => preview.trim(),
            _ => "",
        };
        format!(
            "{}: {source} // {}\n",
            reference.start_line,
            notes.join(", ")
        )
    }
}
