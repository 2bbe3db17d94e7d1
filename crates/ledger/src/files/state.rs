//! `state.json`, as far as it is the ledger's (SPEC D17): drift counts and times, retries, `lastError`, the
//! queue. Other parts of it (pins, focus, quotas …) are kept as they are.

use codecortex_hashes::{ChangeClass, ChangeKinds};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

use super::{ContextFile, ContextFileProblem, MADE_ANEW, SCHEMA_VERSION, broken, object, pretty};
use crate::graph::GraphSlot;
use crate::ledger::Ledger;
use crate::record::{Drift, TypeRecord};
use crate::semantic::LEASE;
use crate::time::{Clock, Millis};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StateFile<'a> {
    schema_version: &'a str,
    clock: String,
    /// Where the count of time is not the clock's, because that was set back.
    #[serde(with = "super::time_as_text")]
    count: Millis,
    next_ticket: u64,
    types: BTreeMap<&'a str, TypeState>,
    #[serde(flatten)]
    foreign: Map<String, Value>,
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct TypeState {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<ChangeClass>,
    #[serde(
        skip_serializing_if = "Option::is_none",
        with = "super::maybe_time_as_text"
    )]
    changed_at: Option<Millis>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unseen: Vec<ChangeClass>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    since_dispatch: Vec<ChangeClass>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drift: Option<DriftState>,
    #[serde(skip_serializing_if = "is_default")]
    retries: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_error: Option<String>,
    #[serde(
        skip_serializing_if = "Option::is_none",
        with = "super::maybe_time_as_text"
    )]
    ready_at: Option<Millis>,
    #[serde(
        skip_serializing_if = "Option::is_none",
        with = "super::maybe_time_as_text"
    )]
    leased_until: Option<Millis>,
    #[serde(skip_serializing_if = "is_default")]
    ticket: u64,
    #[serde(skip_serializing_if = "is_default")]
    outdated: bool,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DriftState {
    count: u32,
    #[serde(with = "super::time_as_text")]
    first_at: Millis,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "super::maybe_time_as_text"
    )]
    window_ends_at: Option<Millis>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

const OWN: [&str; 5] = ["schemaVersion", "clock", "count", "nextTicket", "types"];

/// `state.json` as it should be now. Types of which there is nothing to say are not in it.
pub(crate) fn render(ledger: &Ledger) -> String {
    let states = ledger
        .records
        .values()
        .map(|record| (record.id.as_str(), state_of(record)));
    let mut foreign = ledger.foreign_state.clone();
    OWN.iter().for_each(|key| drop(foreign.remove(*key)));
    pretty(&StateFile {
        schema_version: SCHEMA_VERSION,
        clock: crate::time::rfc3339(ledger.clock.host()),
        count: ledger.clock.count(),
        next_ticket: ledger.next_ticket,
        types: states
            .filter(|(_, state)| *state != TypeState::default())
            .collect(),
        foreign,
    })
}

/// Takes in a `state.json`, for the types that are there.
pub(crate) fn read(ledger: &mut Ledger, text: &str, problems: &mut Vec<ContextFileProblem>) {
    let Some(mut map) = object(ContextFile::State, text, problems) else {
        return;
    };
    let time = |key: &str| crate::time::parse_rfc3339(map.get(key)?.as_str()?);
    if let (Some(clock), Some(count)) = (time("clock"), time("count")) {
        ledger.clock = Clock::from_parts(clock, count);
    } else {
        problems.push(problem(
            "clock",
            "no time to count from",
            "time is counted from now on",
        ));
    }
    ledger.next_ticket = map.get("nextTicket").and_then(Value::as_u64).unwrap_or(0);
    match map.remove("types") {
        Some(Value::Object(types)) => {
            for (id, state) in types {
                read_type_state(ledger, &id, state, problems);
            }
        }
        _ => problems.push(problem("types", "missing or not an object", MADE_ANEW)),
    }
    OWN.iter().for_each(|key| drop(map.remove(*key)));
    ledger.foreign_state = map;
}

fn read_type_state(
    ledger: &mut Ledger,
    id: &str,
    state: Value,
    problems: &mut Vec<ContextFileProblem>,
) {
    let place = format!("types.{id}");
    let state: TypeState = match serde_path_to_error::deserialize(state) {
        Ok(state) => state,
        Err(error) => return problems.push(broken(ContextFile::State, &place, &error)),
    };
    let found = ledger.living(id);
    let found = found.iter().find(|node| ledger.records[*node].id == id);
    let Some(node) = found.copied() else {
        return problems.push(problem(
            &place,
            "no such type in index.json",
            "it is left out",
        ));
    };
    ledger.next_ticket = ledger.next_ticket.max(state.ticket);
    take_state(ledger, node, state);
}

fn take_state(ledger: &mut Ledger, node: GraphSlot, state: TypeState) {
    if let Some(drift) = state.drift {
        ledger.set_drift(
            node,
            Drift {
                count: drift.count,
                first_at: Some(drift.first_at),
                window_ends: drift.window_ends_at,
            },
        );
    }
    let longest = ledger.clock.count().saturating_add(LEASE);
    let record = ledger.record(node);
    if let Some(first) = state.changes.iter().min() {
        // The index says the gravest; where the two disagree, it was written later.
        if record.changes.class() == Some(*first) {
            record.changes = all(&state.changes);
        }
    }
    record.changed_at = state.changed_at;
    record.state_extra = state.extra;
    let semantic = &mut record.semantic;
    semantic.unseen = all(&state.unseen);
    semantic.since_dispatch = all(&state.since_dispatch);
    semantic.retries = state.retries;
    semantic.last_error = state.last_error;
    semantic.ready_at = state.ready_at.unwrap_or(0);
    // A longer one than any is a mistake, and would keep the type from ever being described.
    semantic.leased_until = state.leased_until.unwrap_or(0).min(longest);
    semantic.ticket = state.ticket;
    semantic.outdated = state.outdated;
}

fn problem(place: &str, what: &str, next: &'static str) -> ContextFileProblem {
    ContextFileProblem {
        file: ContextFile::State,
        place: place.to_owned(),
        what: what.to_owned(),
        next,
    }
}

fn all(classes: &[ChangeClass]) -> ChangeKinds {
    let mut changes = ChangeKinds::default();
    classes.iter().for_each(|class| changes.insert(*class));
    changes
}

fn state_of(record: &TypeRecord) -> TypeState {
    let semantic = &record.semantic;
    TypeState {
        changes: record.changes.classes().collect(),
        changed_at: record.changed_at,
        unseen: semantic.unseen.classes().collect(),
        since_dispatch: semantic.since_dispatch.classes().collect(),
        drift: record.drift.first_at.map(|first_at| DriftState {
            count: record.drift.count,
            first_at,
            window_ends_at: record.drift.window_ends,
        }),
        retries: semantic.retries,
        last_error: semantic.last_error.clone(),
        ready_at: (semantic.ready_at > 0).then_some(semantic.ready_at),
        leased_until: (semantic.leased_until > 0).then_some(semantic.leased_until),
        ticket: semantic.ticket,
        outdated: semantic.outdated,
        extra: record.state_extra.clone(),
    }
}
