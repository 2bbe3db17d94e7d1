//! `cache/ledger.bin`: what the readable files do not say, so that a start knows as much as before the end.
//!
//! Disposable. Without it, hashes are compared by the letters that `index.json` shows, and types that were
//! renamed while nothing was running are not recognised: their members are not known.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::{ContextFile, ContextFileProblem};
use crate::graph::{GraphEdit, GraphSlot};
use crate::ledger::Ledger;
use crate::model::{LongMemberId, NameHash, RecordedSignature};
use crate::partial_hashes::{HashKind, PartialHashes};

/// Changes with the form of [`CacheEntry`] and with what the hashes mean.
const VERSION: u32 = 4;

#[derive(Serialize)]
struct NewFile<'a> {
    version: u32,
    entries: Vec<NewEntry<'a>>,
}

/// What [`CacheEntry`] is read from.
#[derive(Serialize)]
struct NewEntry<'a> {
    id: &'a str,
    arity: u8,
    hashes: PartialHashes,
    api: &'a [RecordedSignature],
    names: &'a [NameHash],
    bases: RecordedSignature,
    long_member_ids: &'a [LongMemberId],
    depends_on: Vec<&'a str>,
}

#[derive(Deserialize)]
struct CacheFile {
    version: u32,
    entries: Vec<CacheEntry>,
}

#[derive(Deserialize)]
struct CacheEntry {
    id: String,
    arity: u8,
    hashes: PartialHashes,
    api: Box<[RecordedSignature]>,
    names: Box<[NameHash]>,
    bases: RecordedSignature,
    long_member_ids: Box<[LongMemberId]>,
    depends_on: Vec<String>,
}

/// Tells a whole file from one that was cut off or altered.
fn checksum(body: &[u8]) -> [u8; 8] {
    let full: [u8; 32] = Sha256::digest(body).into();
    std::array::from_fn(|at| full[at])
}

/// The bytes of the cache.
pub(crate) fn render(ledger: &Ledger) -> Vec<u8> {
    let entries = ledger.records.values().filter_map(|record| {
        let depends_on = record.depends_on.as_ref()?.iter();
        Some(NewEntry {
            id: &record.id,
            arity: record.identity.arity,
            hashes: record.hashes,
            api: record.api.as_ref()?,
            names: &record.names,
            bases: record.bases,
            long_member_ids: &record.long_member_ids,
            depends_on: depends_on.map(|id| &**id).collect(),
        })
    });
    let mut entries: Vec<NewEntry<'_>> = entries.collect();
    entries.sort_by_key(|entry| entry.id);
    let file = NewFile {
        version: VERSION,
        entries,
    };
    // Plain data of known form can always be written.
    let body = postcard::to_allocvec(&file).unwrap_or_default();
    let mut bytes = checksum(&body).to_vec();
    bytes.extend(body);
    bytes
}

/// Takes in a cache, for the types that it still fits.
pub(crate) fn read(ledger: &mut Ledger, bytes: &[u8], problems: &mut Vec<ContextFileProblem>) {
    let whole = bytes
        .split_first_chunk()
        .filter(|(sum, body)| **sum == checksum(body));
    let entries = match whole.map(|(_, body)| postcard::from_bytes::<CacheFile>(body)) {
        Some(Ok(file)) if file.version == VERSION => file.entries,
        _ => {
            return problems.push(ContextFileProblem {
                file: ContextFile::Cache,
                place: String::new(),
                what: "not a whole cache of this version".to_owned(),
                next: "nothing is taken from it, the next update has to be complete",
            });
        }
    };
    let mut linked = Vec::new();
    for entry in entries {
        linked.extend(read_cache_entry(ledger, entry));
    }
    link_all(ledger, linked);
}

fn read_cache_entry(ledger: &mut Ledger, entry: CacheEntry) -> Option<GraphSlot> {
    let found = ledger.living(&entry.id);
    let node = *found
        .iter()
        .find(|node| ledger.records[*node].id == entry.id)?;
    let record = ledger.records.get_mut(&node)?;
    // Where both are empty, nothing can be compared and nothing is contradicted.
    let fits = |kind: &HashKind| {
        let (shown, full) = (record.hashes.get(*kind), entry.hashes.get(*kind));
        shown.show() == full.show()
    };
    if !HashKind::ALL.iter().all(fits) {
        return None;
    }
    record.hashes = entry.hashes;
    record.api = Some(entry.api);
    record.names = entry.names;
    record.bases = entry.bases;
    record.long_member_ids = entry.long_member_ids;
    if record.is_guess {
        record.is_guess = false;
        let guess = record.identity.key();
        Arc::make_mut(&mut record.identity).arity = entry.arity;
        ledger.by_identity.remove(&guess);
        ledger.by_identity.insert(record.identity.key(), node);
    }
    record.depends_on = Some(ledger.interner.intern_all(&entry.depends_on));
    let told = entry.depends_on.iter();
    told.for_each(|id| ledger.add_user(id, node));
    Some(node)
}

fn link_all(ledger: &mut Ledger, nodes: Vec<GraphSlot>) {
    let edits = nodes.into_iter().map(|node| {
        let told = ledger.records[&node].depends_on.iter().flatten();
        let targets: BTreeSet<GraphSlot> = told.flat_map(|id| ledger.nodes_of(id)).collect();
        GraphEdit {
            node,
            targets: targets
                .into_iter()
                .filter(|target| *target != node)
                .collect(),
        }
    });
    let edits = edits.collect();
    ledger.graph.apply(&[], edits);
}
