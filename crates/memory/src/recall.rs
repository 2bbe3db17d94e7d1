//! Progressive disclosure (`003` §5.1, G3): an index of one line each, a timeline around something, and details
//! of those that somebody names, inside a budget.

use serde::{Deserialize, Serialize};

use crate::anchor::{Anchor, AnchorVerdict, Since, worst};
use crate::error::{MemoryError, Result};
use crate::filter::ObservationFilter;
use crate::record::{Observation, Refs};
use crate::store::{BackEnd, IdState, ObservationOrder, Select, Store, Total};
use crate::words::QueryWord;

/// Observations of an index where nothing is said.
const DEFAULT_LIMIT: usize = 20;
/// Observations of one answer.
const MAX_LIMIT: usize = 500;
/// Observations on each side of a timeline's middle where nothing is said.
const DEFAULT_WINDOW: usize = 5;

/// How much is told of each observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecallMode {
    /// One line each, the newest first.
    Index,
    /// One line each in the order of time: a task's, or those around one.
    Timeline,
    /// Everything of those that are named.
    Detail,
}

/// A question of a tool or command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecallRequest {
    /// Words that have to be in it.
    pub query: Option<String>,
    /// Conditions beside them, such as the task. Its words are added to those of `query`.
    pub filter: ObservationFilter,
    /// Observations whose details are asked for.
    pub ids: Vec<u64>,
    /// The middle of a timeline.
    pub around: Option<u64>,
    /// Observations on each side of the middle; 5 where nothing is said.
    pub window: Option<usize>,
    /// The id behind which the next page begins (`next` of the answer before).
    pub from: Option<u64>,
    /// Observations at most; 20 where nothing is said, 500 at most.
    pub limit: Option<usize>,
    /// What `items` may cost, in tokens of four characters; no bound where nothing is said.
    pub budget_tokens: Option<u32>,
    /// How much is told; by the other fields where nothing is said.
    pub mode: Option<RecallMode>,
}

/// An observation as it is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecallItem {
    /// Its id.
    pub id: u64,
    /// When, in UTC.
    pub ts: String,
    /// The task, if any.
    pub task_id: Option<String>,
    /// Who observed it.
    pub actor: String,
    /// In which phase.
    pub phase: String,
    /// One line.
    pub summary: String,
    /// Its kind, if any.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Whether it still holds for the symbols it is anchored to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<AnchorVerdict>,
    /// The rest of it, in details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What it refers to, in details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refs: Option<Refs>,
    /// The symbols it is anchored to, in details.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<String>,
    /// The branch it was made on, in details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// What was spent (SPEC D7).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecallAccount {
    /// The budget, if there was one.
    pub budget_tokens: Option<u32>,
    /// What `items` cost: characters of their JSON by four, rounded up.
    pub tokens_approx: u32,
    /// Whether something was left out.
    pub truncated: bool,
    /// Which forms were exchanged for shorter ones.
    pub downgrade_applied: Vec<&'static str>,
}

/// What was left out of an observation, or the whole of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Omitted {
    /// Its id.
    pub id: u64,
    /// What it would cost in the form asked for.
    pub tokens: u32,
}

/// How many observations have a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordHits {
    /// The word, folded.
    pub word: String,
    /// Observations with it that meet all other conditions.
    pub total: Total,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recalled {
    /// Which back end it came from.
    pub source: BackEnd,
    /// How much is told.
    pub mode: RecallMode,
    /// The observations.
    pub items: Vec<RecallItem>,
    /// Number of matching observations, on all pages.
    pub total: Total,
    /// Where the next page begins (`from`), if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
    /// What was spent.
    pub budget: RecallAccount,
    /// What the budget left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<Omitted>,
    /// Where no observation has all words: how many have each. Never a silent zero.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub word_hits: Vec<WordHits>,
    /// Requested ids that were forgotten.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forgotten: Vec<u64>,
    /// Requested ids that never existed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<u64>,
}

/// What a store has for a question, before anything is known of the code and of a budget: what a host answers with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoreMatches {
    /// Which back end it came from.
    pub source: BackEnd,
    /// How much is asked for.
    pub mode: RecallMode,
    /// The observations, in the order in which they are told.
    pub records: Vec<Observation>,
    /// Number of matching observations, on all pages.
    pub total: Total,
    /// Where the next page begins (`from`), if there is one.
    pub next: Option<u64>,
    /// If no observation has all words: the count for each word.
    pub word_hits: Vec<WordHits>,
    /// Requested ids that were forgotten.
    pub forgotten: Vec<u64>,
    /// Requested ids that never existed.
    pub unknown: Vec<u64>,
}

impl StoreMatches {
    /// Nothing, of a store that is not there yet.
    ///
    /// # Errors
    /// As [`find`], of the question alone.
    pub fn nothing(source: BackEnd, request: &RecallRequest) -> Result<Self> {
        select_of(request)?;
        Ok(Self {
            unknown: request.ids.clone(),
            ..Self::empty(source, mode_of(request)?)
        })
    }

    fn empty(source: BackEnd, mode: RecallMode) -> Self {
        Self {
            source,
            mode,
            records: Vec::new(),
            total: Total {
                count: 0,
                is_exact: true,
            },
            next: None,
            word_hits: Vec::new(),
            forgotten: Vec::new(),
            unknown: Vec::new(),
        }
    }
}

/// What a store has for a question. Ids that are not there are told, not refused.
///
/// # Errors
/// `Invalid` for a question that contradicts itself, `UnknownIds` where the middle of a timeline is not there.
pub fn find(store: &mut dyn Store, request: &RecallRequest) -> Result<StoreMatches> {
    let mode = mode_of(request)?;
    let select = select_of(request)?;
    let mut found = StoreMatches::empty(store.source(), mode);
    found.records = match (mode, request.around) {
        (RecallMode::Detail, _) => named(store, &request.ids, &mut found)?,
        (RecallMode::Timeline, Some(middle)) => {
            around(store, select, middle, request.window, &mut found)?
        }
        _ => listed(store, &select, &mut found)?,
    };
    Ok(found)
}

/// Answers a question within its budget. `judge` says what became of an anchored symbol; `None` where nobody knows.
///
/// # Errors
/// As [`find`]; `UnknownIds` too where there is none of the ids asked for.
pub fn recall(
    store: &mut dyn Store,
    request: &RecallRequest,
    judge: &mut dyn FnMut(&Anchor) -> Option<Since>,
) -> Result<Recalled> {
    let found = find(store, request)?;
    if found.mode == RecallMode::Detail && found.records.is_empty() && found.forgotten.is_empty() {
        return Err(MemoryError::UnknownIds {
            ids: request.ids.clone(),
        });
    }
    let told = found.records.iter();
    let details: Vec<RecallItem> = told
        .map(|record| RecallItem::new(record, found.mode, judge))
        .collect();
    let mut recalled = Recalled {
        source: found.source,
        mode: found.mode,
        items: Vec::new(),
        total: found.total,
        next: found.next,
        budget: RecallAccount::default(),
        omitted: Vec::new(),
        word_hits: found.word_hits,
        forgotten: found.forgotten,
        unknown: found.unknown,
    };
    let middle = request
        .around
        .filter(|_| found.mode == RecallMode::Timeline);
    fit(details, request.budget_tokens, middle, &mut recalled);
    Ok(recalled)
}

fn mode_of(request: &RecallRequest) -> Result<RecallMode> {
    let implied = match (
        request.ids.is_empty(),
        request.around.is_some() || request.filter.task_id.is_some(),
    ) {
        (false, _) => RecallMode::Detail,
        (true, true) => RecallMode::Timeline,
        (true, false) => RecallMode::Index,
    };
    let mode = request.mode.unwrap_or(implied);
    if mode == RecallMode::Detail && request.ids.is_empty() {
        return Err(MemoryError::invalid(
            "ids",
            "details need ids; an index lists them",
        ));
    }
    if request.ids.len() > MAX_LIMIT {
        return Err(MemoryError::invalid(
            "ids",
            format!("there are more than {MAX_LIMIT}"),
        ));
    }
    Ok(mode)
}

fn select_of(request: &RecallRequest) -> Result<Select> {
    let mut filter = request.filter.clone();
    if let Some(query) = &request.query {
        filter
            .words
            .extend(ObservationFilter::of_query(query)?.words);
    }
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(MemoryError::invalid(
            "limit",
            format!("it is not within 1 and {MAX_LIMIT}"),
        ));
    }
    if request.window.is_some_and(|window| window > MAX_LIMIT / 2) {
        return Err(MemoryError::invalid(
            "window",
            format!("it is more than {}", MAX_LIMIT / 2),
        ));
    }
    Ok(Select {
        filter,
        order: ObservationOrder::NewestFirst,
        from: request.from,
        limit,
    })
}

/// Those that are asked for by their ids, in the order of the question.
fn named(store: &mut dyn Store, ids: &[u64], found: &mut StoreMatches) -> Result<Vec<Observation>> {
    let mut records = Vec::new();
    for (id, reading) in ids.iter().zip(store.read(ids)?) {
        match reading {
            IdState::Found(record) => records.push(*record),
            IdState::Forgotten => found.forgotten.push(*id),
            IdState::Unknown => found.unknown.push(*id),
        }
    }
    found.total.count = records.len() as u64;
    Ok(records)
}

/// Those that meet the conditions. An index is the newest first; a timeline is told in the order of time.
fn listed(
    store: &mut dyn Store,
    select: &Select,
    found: &mut StoreMatches,
) -> Result<Vec<Observation>> {
    let mut page = store.select(select)?;
    found.total = page.total;
    if page.has_more {
        found.next = page.records.last().map(|record| record.id);
    }
    if page.total.count == 0 && select.filter.words.len() > 1 {
        found.word_hits = word_hits(store, select)?;
    }
    if found.mode == RecallMode::Timeline {
        page.records.reverse();
    }
    Ok(page.records)
}

/// How many have each of the words, where none has all of them.
fn word_hits(store: &mut dyn Store, select: &Select) -> Result<Vec<WordHits>> {
    let hits = |word: &QueryWord| {
        let mut alone = select.clone();
        alone.filter.words = vec![word.clone()];
        alone.limit = 1;
        Ok(WordHits {
            word: word.as_str().to_owned(),
            total: store.select(&alone)?.total,
        })
    };
    select.filter.words.iter().map(hits).collect()
}

/// The window around one that is there, of those that meet the conditions.
fn around(
    store: &mut dyn Store,
    select: Select,
    middle: u64,
    window: Option<usize>,
    found: &mut StoreMatches,
) -> Result<Vec<Observation>> {
    let Some(IdState::Found(record)) = store.read(&[middle])?.pop() else {
        return Err(MemoryError::UnknownIds { ids: vec![middle] });
    };
    let side = Select {
        from: Some(middle),
        limit: window.unwrap_or(DEFAULT_WINDOW),
        ..select
    };
    let before = store.select(&side)?;
    let after = store.select(&Select {
        order: ObservationOrder::OldestFirst,
        ..side
    })?;
    found.total = before.total;
    let mut records = before.records;
    records.reverse();
    records.push(*record);
    records.extend(after.records);
    Ok(records)
}

impl RecallItem {
    /// An observation as a mode tells it; `judge` says what became of an anchored symbol.
    #[must_use]
    pub fn new(
        record: &Observation,
        mode: RecallMode,
        judge: &mut dyn FnMut(&Anchor) -> Option<Since>,
    ) -> Self {
        let is_detail = mode == RecallMode::Detail;
        let ext = record.ext.as_ref();
        let anchors = ext.map_or(&[][..], |ext| &ext.anchors);
        let verdicts = anchors
            .iter()
            .filter_map(|anchor| Some(anchor.verdict(&judge(anchor)?)));
        let verdict = worst(verdicts.collect::<Vec<_>>());
        Self {
            id: record.id,
            ts: record.ts.clone(),
            task_id: record.task().map(str::to_owned),
            actor: record.actor.as_str().to_owned(),
            phase: record.phase.as_str().to_owned(),
            summary: record.summary.clone(),
            kind: record.kind().map(str::to_owned),
            verdict,
            detail: record.detail.clone().filter(|_| is_detail),
            refs: record.refs.clone().filter(|_| is_detail),
            symbols: if is_detail {
                anchors.iter().map(|anchor| anchor.symbol.clone()).collect()
            } else {
                Vec::new()
            },
            branch: ext.and_then(|ext| ext.branch.clone()).filter(|_| is_detail),
        }
    }

    /// The same as an index tells it.
    #[must_use]
    pub fn brief(&self) -> Self {
        Self {
            detail: None,
            refs: None,
            symbols: Vec::new(),
            branch: None,
            ..self.clone()
        }
    }

    /// Characters of its JSON, with the comma behind it.
    fn characters(&self) -> usize {
        serde_json::to_string(self).map_or(0, |json| json.chars().count() + 1)
    }
}

/// Characters of the brackets around all items; each item counts a comma, and the last has none.
const BRACKETS: usize = 1;

/// Takes what the budget has room for. Details that do not fit are exchanged for lines; lines that do not fit are
/// left out, of a timeline those farthest from its middle.
fn fit(items: Vec<RecallItem>, budget: Option<u32>, middle: Option<u64>, recalled: &mut Recalled) {
    let most = budget.map_or(usize::MAX, |tokens| tokens as usize * 4);
    let (mode, account) = (recalled.mode, &mut recalled.budget);
    account.budget_tokens = budget;
    let mut importance: Vec<usize> = (0..items.len()).collect();
    if let Some(at) = middle.and_then(|id| items.iter().position(|item| item.id == id)) {
        importance.sort_by_key(|&place| place.abs_diff(at));
    } else if mode == RecallMode::Timeline {
        importance.reverse(); // the newest are the last
    }
    let mut spent = BRACKETS;
    let mut kept: Vec<Option<RecallItem>> = vec![None; items.len()];
    let mut is_full = false;
    for place in importance {
        let item = &items[place];
        let characters = item.characters();
        let brief = item.brief();
        let shorter = brief.characters();
        let fits = |characters: usize| !is_full && spent + characters <= most;
        if fits(characters) {
            spent += characters;
            kept[place] = Some(item.clone());
            continue;
        }
        recalled.omitted.push(Omitted {
            id: item.id,
            tokens: characters.div_ceil(4) as u32,
        });
        if mode == RecallMode::Detail && fits(shorter) {
            spent += shorter;
            kept[place] = Some(brief);
        } else {
            is_full = mode != RecallMode::Detail; // a timeline has no holes, an index neither
        }
    }
    account.truncated = !recalled.omitted.is_empty();
    if mode == RecallMode::Detail && account.truncated {
        account.downgrade_applied = vec!["detail→timeline"];
    }
    let dropped = recalled.omitted.first().map(|omitted| omitted.id);
    recalled.items = kept.into_iter().flatten().collect();
    if mode == RecallMode::Index && dropped.is_some() {
        recalled.next = recalled.items.last().map(|item| item.id);
    }
    let spent = if recalled.items.is_empty() { 2 } else { spent };
    account.tokens_approx = spent.div_ceil(4) as u32;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{InMemory, ObservationDraft, Redactor};

    fn store(count: usize, detail: usize) -> InMemory {
        let mut store = InMemory::default();
        let draft = |n: usize| {
            let mut draft =
                ObservationDraft::new("2026-01-01 00:00:00", format!("observation number {n}"));
            draft.detail = Some("é".repeat(detail * (n % 3)));
            draft.task_id = n.is_multiple_of(2).then(|| "T".to_owned());
            draft.seal(&Redactor::default()).unwrap()
        };
        store.append((0..count).map(draft).collect()).unwrap();
        store
    }

    fn ask(store: &mut InMemory, request: &RecallRequest) -> Result<Recalled> {
        recall(store, request, &mut |_| None)
    }

    proptest! {
        #[test]
        fn no_answer_exceeds_its_budget(
            count in 0usize..30, detail in 0usize..200, budget in 1u32..600,
            ids in proptest::collection::vec(1u64..40, 0..10), around in proptest::option::of(1u64..30),
        ) {
            let request = RecallRequest { ids, around, budget_tokens: Some(budget), ..RecallRequest::default() };
            let Ok(recalled) = ask(&mut store(count, detail), &request) else { return Ok(()) };
            let json = serde_json::to_string(&recalled.items).unwrap();
            let tokens = json.chars().count().div_ceil(4) as u32;
            prop_assert_eq!(tokens, recalled.budget.tokens_approx);
            prop_assert!(tokens <= budget);
            prop_assert_eq!(recalled.budget.truncated, !recalled.omitted.is_empty());
        }
    }

    #[test]
    fn details_are_told_of_ids_alone() {
        let mut store = store(5, 10);
        let index = ask(&mut store, &RecallRequest::default()).unwrap();
        assert_eq!(index.mode, RecallMode::Index);
        assert!(index.items.iter().all(|item| item.detail.is_none()));
        let request = RecallRequest {
            ids: vec![3, 2, 99],
            ..RecallRequest::default()
        };
        let detail = ask(&mut store, &request).unwrap();
        let ids: Vec<u64> = detail.items.iter().map(|item| item.id).collect();
        assert_eq!((ids, detail.unknown), (vec![3, 2], vec![99]));
        assert!(detail.items[0].detail.is_some());
        let request = RecallRequest {
            mode: Some(RecallMode::Detail),
            ..RecallRequest::default()
        };
        assert_eq!(
            ask(&mut store, &request).unwrap_err().code(),
            "InvalidParams"
        );
    }

    #[test]
    fn details_that_do_not_fit_become_lines_and_are_named() {
        let request = RecallRequest {
            ids: vec![3, 1],
            budget_tokens: Some(100),
            ..RecallRequest::default()
        };
        let recalled = ask(&mut store(5, 200), &request).unwrap();
        assert_eq!(recalled.budget.downgrade_applied, ["detail→timeline"]);
        assert_eq!(recalled.omitted[0].id, 3);
        assert!(recalled.items[0].detail.is_none());
    }

    #[test]
    fn a_timeline_is_a_window_in_the_order_of_time() {
        let mut request = RecallRequest {
            around: Some(5),
            window: Some(2),
            ..RecallRequest::default()
        };
        let ids = |recalled: Recalled| {
            recalled
                .items
                .iter()
                .map(|item| item.id)
                .collect::<Vec<_>>()
        };
        let mut store = store(10, 0);
        assert_eq!(ids(ask(&mut store, &request).unwrap()), [3, 4, 5, 6, 7]);
        request.filter.task_id = Some("T".to_owned());
        assert_eq!(ids(ask(&mut store, &request).unwrap()), [1, 3, 5, 7, 9]);
        request.around = Some(77);
        assert_eq!(ask(&mut store, &request).unwrap_err().code(), "NotFound");
    }

    #[test]
    fn a_question_without_an_answer_tells_what_its_words_have() {
        let request = RecallRequest {
            query: Some("observation zebra".to_owned()),
            ..RecallRequest::default()
        };
        let recalled = ask(&mut store(4, 0), &request).unwrap();
        let hits: Vec<u64> = recalled
            .word_hits
            .iter()
            .map(|hits| hits.total.count)
            .collect();
        assert_eq!(hits, [4, 0]);
    }
}
