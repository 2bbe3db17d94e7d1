//! `codecortex_searchApi`: symbols by name or documentation, in pages (SPEC S4, `001`).

use codecortex_analysis::external::{is_of_package, need_all_libraries};
use codecortex_analysis::place::Location;
use codecortex_answer::args::{check_range, check_text, entries, parse};
use codecortex_answer::cursor::{DEFAULT_LIMIT, MAX_LIMIT, Paging, read_cursor};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_context::map;
use codecortex_index::{SearchQuery, SearchResult, SymbolHit};
use codecortex_protocol::{Failure, ToolError};
use codecortex_syntax::ItemKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tool_use::ToolUse;
use crate::tools::needs::RequiredInput;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// Declarations that are added where no name is made of all words.
const MAX_RANKED: usize = 50;
/// Declarations of the ranking that are looked at: of some kinds there may be few.
const MAX_LOOKED_AT: usize = 1000;

/// Arguments of `codecortex_searchApi`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchArgs {
    /// The name, its words, initials or part, or `Type.Name`.
    label_query: String,
    /// Number of results to skip; `cursor` takes precedence.
    #[schemars(range(min = 0), extend("x-profile" = "full"))]
    search_index: Option<u64>,
    /// `nextCursor` of a page.
    cursor: Option<String>,
    /// Results a page; 30 by default.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u64>,
    /// Only these kinds: `class`, `method`, `function`, `field` …
    #[schemars(with = "Option<Vec<String>>")]
    kinds: Option<Value>,
    /// Also local declarations.
    #[schemars(extend("x-profile" = "full"))]
    include_locals: Option<bool>,
    /// Also declarations outside the workspace.
    #[schemars(extend("x-profile" = "full"))]
    external: Option<bool>,
}

/// The kinds that have a name to search for.
fn searchable() -> impl Iterator<Item = ItemKind> {
    let kinds = ItemKind::ALL.into_iter();
    kinds.filter(|kind| *kind != ItemKind::Extension)
}

/// Answer of `codecortex_searchApi`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchData {
    /// Exact number of results on all pages.
    total: u32,
    /// Number of results before this page.
    search_index: u32,
    /// The page, best first.
    items: Vec<SearchItem>,
    /// Limits of the search, if it found nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    #[serde(flatten)]
    common: Common,
}

/// A symbol that was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SearchItem {
    /// Simple name.
    name: String,
    /// What is declared: `class`, `method`, `field` …
    kind: &'static str,
    /// Full path.
    path: String,
    /// How it was found: `exact`, `words`, `prefix`, `camelHump`, `substring`, `fuzzy`, `form` (`auth` for
    /// `authentication`), `someWords` or `documentation`.
    #[serde(rename = "match")]
    matched: &'static str,
    /// The declaration as the language writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(flatten)]
    location: Location,
    /// First line of the documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<String>,
}

/// What somebody has to know who looks for a word of a document.
pub(crate) const CODE_ALONE: &str = "Only code is looked at: no documents, no SQL, no settings.";

/// A page of what was found.
struct SearchPage {
    hits: Vec<SymbolHit>,
    start: usize,
    total: usize,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: SearchArgs = parse(args)?;
    cx.look(|cx| page(cx, &args)).await
}

fn page(cx: &Invocation<'_>, args: &SearchArgs) -> ToolResult {
    check_text("labelQuery", &args.label_query)?;
    let limit = check_range("limit", args.limit.unwrap_or(DEFAULT_LIMIT), 1, MAX_LIMIT)?;
    let start = match &args.cursor {
        Some(cursor) => read_cursor(Some(cursor))?,
        None => check_range(
            "searchIndex",
            args.search_index.unwrap_or(0),
            0,
            u64::from(u32::MAX),
        )?,
    };
    let (text, tags) = split_tags(args.label_query.clone());
    let query = SearchQuery {
        text,
        tags,
        kinds: kinds(args.kinds.as_ref())?,
        include_locals: args.include_locals.unwrap_or(false),
        include_external: args.external.unwrap_or(false),
    };
    if query.include_external {
        need_all_libraries(cx)?;
    }
    let page = search(cx, query, start, limit)?;
    Ok(Box::new(IndexPage::new(cx, &page)))
}

/// What is asked for without its words that begin with `tag:`, and these: attributes, specifiers and modifiers that
/// everything found has to have (SPEC AS1).
fn split_tags(query: String) -> (String, Vec<String>) {
    const TAG: &str = "tag:";
    if !query.contains(TAG) {
        return (query, Vec::new());
    }
    let words = query.split_whitespace();
    let (tags, words): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with(TAG));
    let tags = tags.iter().map(|tag| tag[TAG.len()..].to_owned());
    (
        words.join(" "),
        tags.filter(|tag| !tag.is_empty()).collect(),
    )
}

/// A page of the hits, which are kept for the next page.
///
/// # Errors
/// `Failure::Waits` for texts.
fn search(
    cx: &Invocation<'_>,
    query: SearchQuery,
    start: usize,
    limit: usize,
) -> Result<SearchPage, Failure> {
    let mut memo = cx.last_search();
    let kept = memo
        .take()
        .filter(|(revision, known, _)| *revision == cx.revision && *known == query);
    let kept = match kept {
        Some(kept) => kept,
        None => (cx.revision, query.clone(), find(cx, &query)?),
    };
    let (_, _, found) = memo.insert(kept);
    let start = start.min(found.len());
    let end = start.saturating_add(limit).min(found.len());
    cx.index.rank_to(found, end);
    Ok(SearchPage {
        hits: found.ranked()[start..end].to_vec(),
        start,
        total: found.len(),
    })
}

/// Every hit. Where no name is made of all words of a question, the declarations that `getContext` would show come in its
/// order: an agent that asks in words is answered (SPEC S4, RM1).
fn find(cx: &Invocation<'_>, query: &SearchQuery) -> Result<SearchResult, Failure> {
    let mut found = cx.index.find(query);
    if !query.include_external {
        // What questions have read of packages counts for no search that does not ask for it.
        found.retain(|symbol| !is_of_package(cx, symbol.file));
    }
    let has_several_words =
        query.text.split_whitespace().nth(1).is_some() || codecortex_text::is_unspaced(&query.text);
    if has_several_words && !found.is_by_name() {
        let map = &cx.session.context.map;
        let symbols = map::declarations(&cx.view, map, &query.text, MAX_LOOKED_AT)?;
        cx.index
            .add_ranked(&mut found, query, (&symbols, MAX_RANKED));
    }
    Ok(found)
}

fn kinds(value: Option<&Value>) -> Result<Vec<ItemKind>, ToolError> {
    entries(value)
        .iter()
        .map(|name| {
            let word = name.as_str();
            let known = word.and_then(|word| searchable().find(|kind| kind.as_str() == word));
            known.ok_or_else(|| {
                let known: Vec<&str> = searchable().map(ItemKind::as_str).collect();
                ToolError::invalid(format!("`kinds` has {name}, which is not a kind."))
                    .hint(format!("The kinds are {}.", known.join(", ")))
            })
        })
        .collect()
}

/// A page, read out of the index.
struct IndexPage {
    paging: Paging,
    items: Vec<SearchRow>,
    unsaved: bool,
}

struct SearchRow {
    name: String,
    kind: &'static str,
    path: String,
    matched: &'static str,
    signature: String,
    location: Location,
    doc: String,
}

impl IndexPage {
    fn new(cx: &Invocation<'_>, search: &SearchPage) -> Self {
        let mut unsaved = false;
        let items = search
            .hits
            .iter()
            .filter_map(|hit| {
                let (file, item) = cx.index.get(hit.symbol)?;
                unsaved |= cx.is_unsaved(hit.symbol.file);
                let text = |string| file.facts.str(string).to_owned();
                Some(SearchRow {
                    name: text(item.name),
                    kind: item.kind.as_str(),
                    path: cx.index.path_of(hit.symbol),
                    matched: hit.kind.as_str(),
                    signature: text(item.signature),
                    location: cx.location(file, item),
                    doc: text(item.doc).lines().next().unwrap_or("").to_owned(),
                })
            })
            .collect();
        Self {
            paging: Paging {
                total: search.total,
                start: search.start,
                revision: cx.revision,
            },
            items,
            unsaved,
        }
    }
}

impl Reply for IndexPage {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "doc:none", "signature:none"]
    }

    fn pieces(&self) -> usize {
        self.items.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let keep = |text: &str, up_to: usize| {
            (level <= up_to && !text.is_empty()).then(|| text.to_owned())
        };
        let items = self.items[..pieces]
            .iter()
            .map(|found| SearchItem {
                name: found.name.clone(),
                kind: found.kind,
                path: found.path.clone(),
                matched: found.matched,
                signature: keep(&found.signature, 1),
                location: found.location.clone(),
                doc: keep(&found.doc, 0),
            })
            .collect();
        let data = SearchData {
            total: self.paging.total as u32,
            search_index: self.paging.start as u32,
            items,
            note: (self.paging.total == 0).then_some(CODE_ALONE),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let Paging { total, start, .. } = self.paging;
        let mut out = format!("// {total} found");
        if start > 0 || pieces < total {
            let first = start + usize::from(pieces > 0);
            out.push_str(&format!(", {first}-{} shown", start + pieces));
        }
        out.push('\n');
        if total == 0 {
            out.push_str(&format!("// {CODE_ALONE}\n"));
        }
        for found in &self.items[..pieces] {
            if level == 0 && !found.doc.is_empty() {
                out.push_str(&format!("/// {}\n", found.doc));
            }
            let written = if level <= 1 && !found.signature.is_empty() {
                &found.signature
            } else {
                found.kind
            };
            out.push_str(&format!(
                "{written} // {} {} {}\n",
                found.path,
                found.location.short(),
                found.matched
            ));
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

/// The row of `codecortex_searchApi`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_searchApi",
    reference_name: "searchApi",
    title: "Search symbols",
    description: "Find classes, functions, methods and other declarations by name, its words (`url for`), \
        initials (`NS` finds `NodeStore`), part, with typos, or by documentation. Returns signatures and \
        places, best first.",
    icon: "$(symbol-class)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[ToolUse::Investigation, ToolUse::Review],
    aliases: &[
        ("query", "labelQuery"),
        ("label", "labelQuery"),
        ("kind", "kinds"),
        ("maxResults", "limit"),
        ("includeExternal", "external"),
    ],
    schema: schema_of::<SearchArgs>,
    output: schema_of::<SearchData>,
    needs: &[RequiredInput::External],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
