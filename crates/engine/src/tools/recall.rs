//! `codecortex_recall`: what was observed before, and whether it still holds (SPEC OB1, X7, D16).

use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply};
use codecortex_context::observations::ObservationItem;
use codecortex_memory::{
    Actor, ObservationFilter, Phase, RecallItem, RecallMode, RecallRequest, StoreMatches,
};
use codecortex_protocol::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::observations::store;
use crate::observations::successors::names_in_notes;
use crate::tools::schema::{AnyObject, schema_of};
use crate::tools::tool::{Profile, Tool};
use codecortex_observations::Settings;
use codecortex_observations::{former_names, since};

/// Arguments of `codecortex_recall`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecallArgs {
    /// Words that the observations contain.
    query: Option<String>,
    /// Observations to return in full.
    ids: Option<Vec<u64>>,
    /// Only observations of this task.
    task_id: Option<String>,
    /// Only observations about this symbol.
    symbol: Option<String>,
    /// Further conditions: `actors`, `phases`, `types`, `branch`, `file`, `since`, `until`, `around` (id),
    /// `window`, `limit`.
    #[schemars(with = "Option<AnyObject>", extend("x-profile" = "full"))]
    filter: Option<Conditions>,
    /// `nextCursor` of a page.
    cursor: Option<String>,
}

/// Conditions that few callers have.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Conditions {
    actors: Vec<String>,
    phases: Vec<String>,
    types: Vec<String>,
    branch: Option<String>,
    worktree: Option<String>,
    file: Option<String>,
    since: Option<String>,
    until: Option<String>,
    around: Option<u64>,
    window: Option<usize>,
    limit: Option<usize>,
}

/// Answer of `codecortex_recall`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecallData {
    /// `jsonl`, `sqlite` or `markdown_fallback`.
    source: &'static str,
    /// `index`, `timeline` or `detail`.
    mode: &'static str,
    /// The observations.
    items: Vec<ObservationItem>,
    /// Number of matching observations, on all pages.
    total: u64,
    /// False if there are more than `total`.
    #[serde(skip_serializing_if = "is_true")]
    is_exact: bool,
    /// If no observation has all words: the count for each word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    word_hits: Vec<WordCount>,
    /// Requested ids that were forgotten.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forgotten: Vec<u64>,
    /// Requested ids that never existed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<u64>,
    #[serde(flatten)]
    common: Common,
}

fn is_true(flag: &bool) -> bool {
    *flag
}

/// How many observations have a word.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct WordCount {
    word: String,
    count: u64,
}

struct Recalled {
    found: StoreMatches,
    /// In the order of their importance: what comes last is left out first.
    items: Vec<ObservationItem>,
}

async fn handle(cx: CallContext, args: Value) -> Result<Recalled, ToolError> {
    let args: RecallArgs = parse(args)?;
    let settings = cx.look(|cx| Ok(Settings::new(cx)?)).await?;
    settings.need_observations()?;
    store::known_names(&cx, &settings).await?;
    let mut request = cx.view(|cx| request(cx, args)).await?;
    if let Some(path) = &request.filter.symbol {
        let in_notes = names_in_notes(&cx, &settings, path).await?;
        request.filter.former_symbols.extend(in_notes);
    }
    let found = store::recall(&cx, &settings, &request).await?;
    let items = cx.view(|cx| judged(cx, &found)).await;
    Ok(Recalled {
        items: by_importance(&found, items, request.around),
        found,
    })
}

fn request(cx: &Invocation<'_>, args: RecallArgs) -> Result<RecallRequest, ToolError> {
    let more = args.filter.unwrap_or_default();
    let cursor = args.cursor.as_deref().map(str::parse);
    let from = cursor.transpose().map_err(|_| {
        ToolError::invalid("`cursor` is not one of ours.")
            .hint("Give `nextCursor` of the page before, or leave it out.")
    })?;
    // A symbol that is gone may have been observed all the same.
    let symbol = args.symbol.map(|name| match cx.peek_symbol(&name) {
        Some(found) => found.path,
        None => name,
    });
    let former_symbols = symbol.as_deref().map(|path| former_names(&cx.view, path));
    Ok(RecallRequest {
        query: args.query.filter(|query| !query.trim().is_empty()),
        filter: ObservationFilter {
            task_id: args.task_id,
            actors: more.actors.into_iter().map(Actor::from).collect(),
            phases: more.phases.into_iter().map(Phase::from).collect(),
            kinds: more.types,
            branch: more.branch,
            worktree: more.worktree,
            file: more.file,
            symbol,
            former_symbols: former_symbols.unwrap_or_default(),
            since: more.since,
            until: more.until,
            ..ObservationFilter::default()
        },
        ids: args.ids.unwrap_or_default(),
        around: more.around,
        window: more.window,
        from,
        limit: more.limit,
        ..RecallRequest::default()
    })
}

/// What was found, each with whether it still holds.
pub(crate) fn judged(cx: &Invocation<'_>, found: &StoreMatches) -> Vec<ObservationItem> {
    let mut judge = |anchor: &codecortex_memory::Anchor| since(&cx.view, anchor);
    let items = found.records.iter();
    items
        .map(|record| RecallItem::new(record, found.mode, &mut judge).into())
        .collect()
}

/// A timeline loses first what is farthest from its middle, or what is oldest; others lose their last.
pub(crate) fn by_importance(
    found: &StoreMatches,
    mut items: Vec<ObservationItem>,
    around: Option<u64>,
) -> Vec<ObservationItem> {
    if found.mode != RecallMode::Timeline {
        return items;
    }
    match around.and_then(|id| items.iter().position(|item| item.id == id)) {
        Some(middle) => {
            let mut places: Vec<usize> = (0..items.len()).collect();
            places.sort_by_key(|place| place.abs_diff(middle));
            places
                .into_iter()
                .map(|place| items[place].clone())
                .collect()
        }
        None => {
            items.reverse();
            items
        }
    }
}

/// The first so many of them as they are told: a timeline in the order of time.
pub(crate) fn in_order(mode: RecallMode, items: &[ObservationItem]) -> Vec<ObservationItem> {
    let mut shown = items.to_vec();
    if mode == RecallMode::Timeline {
        shown.sort_by_key(|item| item.id);
    }
    shown
}

impl Recalled {
    fn shown(&self, level: usize, pieces: usize) -> Vec<ObservationItem> {
        let mut shown = in_order(self.found.mode, &self.items[..pieces]);
        if level > 0 {
            shown.iter_mut().for_each(|item| *item = item.brief());
        }
        shown
    }
}

impl Reply for Recalled {
    fn levels(&self) -> &'static [&'static str] {
        match self.found.mode {
            RecallMode::Detail => &["detail", "detail→timeline"],
            RecallMode::Timeline => &["timeline"],
            RecallMode::Index => &["index"],
        }
    }

    fn pieces(&self) -> usize {
        self.items.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let found = &self.found;
        let data = RecallData {
            source: found.source.in_payload(),
            mode: mode_word(found.mode),
            items: self.shown(level, pieces),
            total: found.total.count,
            is_exact: found.total.is_exact,
            word_hits: word_counts(found),
            forgotten: found.forgotten.clone(),
            unknown: found.unknown.clone(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let shown = self.shown(level, pieces);
        let mut out: String = shown.iter().map(ObservationItem::text).collect();
        let total = self.found.total;
        let more = if total.is_exact { "" } else { " or more" };
        out += &format!("// {} of {}{more}\n", shown.len(), total.count);
        for WordCount { word, count } in word_counts(&self.found) {
            out += &format!("// {word}: {count}\n");
        }
        for (ids, what) in [
            (&self.found.forgotten, "forgotten"),
            (&self.found.unknown, "never given"),
        ] {
            if !ids.is_empty() {
                let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
                out += &format!("// {what}: {}\n", ids.join(", "));
            }
        }
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        // Details are of ids; what is around something has no further page.
        let last = self.items[..shown].iter().map(|item| item.id).min()?;
        let has_more = shown < self.items.len() || self.found.next.is_some();
        (self.found.mode == RecallMode::Index && has_more).then(|| last.to_string())
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

fn word_counts(found: &StoreMatches) -> Vec<WordCount> {
    let counts = found.word_hits.iter().map(|hits| WordCount {
        word: hits.word.clone(),
        count: hits.total.count,
    });
    counts.collect()
}

/// The word for how much is told.
pub(crate) fn mode_word(mode: RecallMode) -> &'static str {
    match mode {
        RecallMode::Index => "index",
        RecallMode::Timeline => "timeline",
        RecallMode::Detail => "detail",
    }
}

/// The row of `codecortex_recall`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_recall",
    reference_name: "cortexRecall",
    title: "Recall",
    description: "Find observations of earlier sessions, and whether the code has changed since.",
    icon: "$(history)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[("text", "query"), ("task_id", "taskId"), ("id", "ids")],
    schema: schema_of::<RecallArgs>,
    output: schema_of::<RecallData>,
    needs: &[],
    handler: |cx, args| boxed(handle(cx, args)),
};
