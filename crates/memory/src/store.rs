//! What every back end does (`003` §5.1, SPEC OB1). One suite of tests holds for all of them
//! (`tests/it/conformance.rs`).

use serde::{Deserialize, Serialize};

use crate::draft::Sealed;
use crate::error::{MemoryError, Result};
use crate::filter::ObservationFilter;
use crate::record::Observation;

/// Which back end holds the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackEnd {
    /// `memory/observations.jsonl`
    Jsonl,
    /// `memory/mem.db`
    Sqlite,
    /// `memory/observations.md`, for emergencies.
    #[serde(rename = "markdown_fallback")]
    Markdown,
}

impl BackEnd {
    /// The back ends as the configuration names them (`003` §6.2).
    pub const KNOWN: &'static [&'static str] = &["markdown", "jsonl", "sqlite"];

    /// The back end of the configuration's word.
    ///
    /// # Errors
    /// `UnknownBackend`, with the list (SPEC D25).
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "jsonl" => Ok(Self::Jsonl),
            "sqlite" => Ok(Self::Sqlite),
            "markdown" => Ok(Self::Markdown),
            _ => Err(MemoryError::UnknownBackend {
                name: name.to_owned(),
                known: Self::KNOWN,
            }),
        }
    }

    /// The word in payloads (`003` §4.1).
    #[must_use]
    pub fn in_payload(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Sqlite => "sqlite",
            Self::Markdown => "markdown_fallback",
        }
    }

    /// The configuration's word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Sqlite => "sqlite",
            Self::Markdown => "markdown",
        }
    }
}

/// In which order observations are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObservationOrder {
    /// The highest id first.
    #[default]
    NewestFirst,
    /// The lowest id first.
    OldestFirst,
}

/// A question for one page of observations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Select {
    /// Which ones.
    pub filter: ObservationFilter,
    /// In which order.
    pub order: ObservationOrder,
    /// The id behind which the page begins, in the order asked for.
    pub from: Option<u64>,
    /// How many at most.
    pub limit: usize,
}

/// Up to here matches are counted: counting a million takes longer than finding a page of them.
pub const MAX_COUNT: u64 = 10_000;

/// How many there are. Where a count is not exact, it is [`MAX_COUNT`] and there are more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    /// As many at least.
    pub count: u64,
    /// Whether there are no more.
    pub is_exact: bool,
}

/// One page of observations.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservationPage {
    /// In the order asked for.
    pub records: Vec<Observation>,
    /// Whether there are more behind them.
    pub has_more: bool,
    /// How many match the filter, on all pages.
    pub total: Total,
}

/// What became of an id.
#[derive(Clone, Debug, PartialEq)]
pub enum IdState {
    /// It is there.
    Found(Box<Observation>),
    /// It was forgotten or purged, or is what says that others are.
    Forgotten,
    /// No observation ever had it.
    Unknown,
}

/// What a store holds, and what of it is no observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Health {
    /// Observations, forgotten ones and tombstones included.
    pub observations: u64,
    /// Those that are told to nobody.
    pub hidden: u64,
    /// Lines that lack their end.
    pub cut: u64,
    /// Lines that are no records.
    pub foreign: u64,
    /// Records of another schema.
    pub other_schema: u64,
    /// Lines whose id an earlier one has.
    pub duplicates: u64,
}

impl Health {
    pub(crate) fn add(&mut self, other: &Self) {
        self.observations += other.observations;
        self.hidden += other.hidden;
        self.cut += other.cut;
        self.foreign += other.foreign;
        self.other_schema += other.other_schema;
        self.duplicates += other.duplicates;
    }

    /// What a person has to know of it, if anything.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        [
            (self.cut, "lines lack their end"),
            (self.foreign, "lines are not observations"),
            (self.other_schema, "records are of another schema version"),
            (
                self.duplicates,
                "lines repeat an id; the first of each counts",
            ),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}."))
        .collect()
    }
}

/// What an append did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Appended {
    /// The ids, in the order of the drafts.
    pub ids: Vec<u64>,
    /// Bytes of an unfinished line of a killed writer that were taken away before.
    pub mended: u64,
    /// What did not work beside it, such as the log for people.
    pub warnings: Vec<String>,
}

/// A back end.
///
/// Every method fails with the error of what it met; the store is then as it was.
pub trait Store {
    /// Which one it is.
    fn source(&self) -> BackEnd;

    /// Records observations under new ids, all or none of them.
    fn append(&mut self, drafts: Vec<Sealed>) -> Result<Appended>;

    /// What became of these ids, in their order.
    fn read(&mut self, ids: &[u64]) -> Result<Vec<IdState>>;

    /// A page of observations; forgotten ones and tombstones are in none.
    fn select(&mut self, select: &Select) -> Result<ObservationPage>;

    /// Takes observations out of all files and records a tombstone of them at this time. Ids that are not there
    /// any more are passed over, so that a purge can be repeated. The tombstone's id.
    fn purge(&mut self, ids: &[u64], ts: &str) -> Result<u64>;

    /// Shows every record in the order of ids, forgotten ones and tombstones too, for an export or a migration.
    fn each(&mut self, visit: &mut dyn FnMut(&Observation) -> Result<()>) -> Result<()>;

    /// What is in it.
    fn health(&mut self) -> Result<Health>;
}

/// Records that observations are forgotten (SPEC D26). The tombstone's id.
///
/// # Errors
/// `UnknownIds` where one was never given; nothing is forgotten then.
pub fn forget(store: &mut dyn Store, ids: &[u64], ts: &str) -> Result<u64> {
    let tombstone = Sealed::tombstone(ids, false, ts)?;
    let readings = store.read(ids)?;
    let unknown = ids
        .iter()
        .zip(&readings)
        .filter(|(_, reading)| **reading == IdState::Unknown);
    let unknown: Vec<u64> = unknown.map(|(id, _)| *id).collect();
    if !unknown.is_empty() {
        return Err(MemoryError::UnknownIds { ids: unknown });
    }
    let appended = store.append(vec![tombstone])?;
    Ok(appended.ids.first().copied().unwrap_or_default())
}

/// The page of a question among all ids that match, ascending; whether there are more.
pub(crate) fn page(matches: &[u64], select: &Select) -> (Vec<u64>, bool) {
    let limit = select.limit;
    let (rest, ids): (&[u64], Vec<u64>) = match select.order {
        ObservationOrder::NewestFirst => {
            let end = select.from.map_or(matches.len(), |from| {
                matches.partition_point(|id| *id < from)
            });
            let rest = &matches[..end];
            (rest, rest.iter().rev().take(limit).copied().collect())
        }
        ObservationOrder::OldestFirst => {
            let start = select
                .from
                .map_or(0, |from| matches.partition_point(|id| *id <= from));
            let rest = &matches[start..];
            (rest, rest.iter().take(limit).copied().collect())
        }
    };
    let has_more = rest.len() > ids.len();
    (ids, has_more)
}
