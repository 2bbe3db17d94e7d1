//! `index.json` (SPEC P3, `000` §3.1).

use codecortex_hashes::{ChangeClass, ChangeKinds};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::sync::Arc;

use super::{
    ContextFile, ContextFileProblem, ENTRY_DROPPED, MADE_ANEW, SCHEMA_VERSION, entries, object,
    pretty,
};
use crate::config::Config;
use crate::graph::GraphSlot;
use crate::ids;
use crate::ledger::Ledger;
use crate::model::{Identity, Pack, Project};
use crate::partial_hashes::{HashKind, PartialHash, PartialHashes};
use crate::record::{Drift, TextBase, TypeRecord};
use crate::semantic::{Semantic, TextState};
use crate::time::Millis;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct IndexFile<'a> {
    schema_version: &'a str,
    #[serde(with = "super::time_as_text")]
    generated_at: Millis,
    projects: &'a [Project],
    types: Types<'a>,
    packs: &'a [Pack],
    config_snapshot: &'a Config,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

/// The blocks of all types in the order of their paths, each made when its turn has come.
struct Types<'a>(&'a Ledger);

impl Serialize for Types<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut records: Vec<(&GraphSlot, &TypeRecord)> = self.0.records.iter().collect();
        records.sort_unstable_by(|(_, a), (_, b)| (&a.identity, &a.id).cmp(&(&b.identity, &b.id)));
        let types = records.into_iter();
        to.collect_seq(types.map(|(node, record)| entry(self.0, *node, record)))
    }
}

/// What [`TypeEntry`] is read from.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NewTypeEntry<'a> {
    id: &'a str,
    fqn: &'a str,
    project_id: &'a str,
    kind: &'a str,
    files: Vec<&'a str>,
    structure_hash: String,
    public_impl_hash: String,
    internal_impl_hash: String,
    cosmetic_hash: String,
    impl_hash: String,
    xml_doc_hash: String,
    change_class: Option<ChangeClass>,
    internal_changed: bool,
    last_semantic_base: Option<BaseEntry>,
    semantic_state: TextState,
    semantic_group_id: Option<&'a str>,
    depth_hint: Option<u32>,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TypeEntry {
    id: String,
    fqn: String,
    #[serde(default)]
    project_id: String,
    kind: String,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    structure_hash: String,
    #[serde(default)]
    public_impl_hash: String,
    #[serde(default)]
    internal_impl_hash: String,
    #[serde(default)]
    cosmetic_hash: String,
    #[serde(default)]
    impl_hash: String,
    #[serde(default)]
    xml_doc_hash: String,
    #[serde(default)]
    change_class: Option<ChangeClass>,
    #[serde(default)]
    internal_changed: bool,
    #[serde(default)]
    last_semantic_base: Option<BaseEntry>,
    #[serde(default)]
    semantic_state: TextState,
    #[serde(default)]
    semantic_group_id: Option<String>,
    #[serde(default)]
    depth_hint: Option<u32>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BaseEntry {
    #[serde(default)]
    structure_hash: String,
    #[serde(default)]
    public_impl_hash: String,
    #[serde(default)]
    internal_impl_hash: String,
    #[serde(with = "super::time_as_text")]
    generated_at: Millis,
}

/// `index.json` as it should be now: types in the order of their paths, one block each.
pub(crate) fn render(ledger: &Ledger, generated_at: Millis) -> String {
    pretty(&IndexFile {
        schema_version: SCHEMA_VERSION,
        generated_at,
        projects: &ledger.projects,
        types: Types(ledger),
        packs: &ledger.packs,
        config_snapshot: &ledger.config,
        extra: &ledger.foreign_index,
    })
}

fn entry<'a>(ledger: &'a Ledger, node: GraphSlot, record: &'a TypeRecord) -> NewTypeEntry<'a> {
    let shown = |kind| record.hashes.show(kind);
    let depth = record.depends_on.as_ref().map(|_| ledger.graph.depth(node));
    NewTypeEntry {
        id: &record.id,
        fqn: &record.identity.fqn,
        project_id: &record.project_id,
        kind: &record.identity.kind,
        files: record.files.iter().map(|path| &**path).collect(),
        structure_hash: shown(HashKind::Structure),
        public_impl_hash: shown(HashKind::PublicImpl),
        internal_impl_hash: shown(HashKind::InternalImpl),
        cosmetic_hash: shown(HashKind::Cosmetic),
        impl_hash: shown(HashKind::Impl),
        xml_doc_hash: shown(HashKind::XmlDoc),
        change_class: record.changes.class(),
        internal_changed: !record.drift.is_empty(),
        last_semantic_base: record.base.map(|base| BaseEntry {
            structure_hash: base.structure.show(),
            public_impl_hash: base.public_impl.show(),
            internal_impl_hash: base.internal_impl.show(),
            generated_at: base.generated_at,
        }),
        semantic_state: record.semantic.state,
        semantic_group_id: record.group.as_deref(),
        depth_hint: depth.or(record.depth_hint),
        extra: &record.extra,
    }
}

/// Takes in an `index.json`; the ledger must be empty.
pub(crate) fn read(ledger: &mut Ledger, text: &str, problems: &mut Vec<ContextFileProblem>) {
    let Some(mut map) = object(ContextFile::Index, text, problems) else {
        return;
    };
    map.remove("schemaVersion");
    map.remove("generatedAt");
    match map
        .remove("configSnapshot")
        .map(serde_path_to_error::deserialize)
    {
        Some(Ok(config)) => ledger.config = config,
        Some(Err(error)) => {
            problems.push(super::broken(ContextFile::Index, "configSnapshot", &error));
            ledger.config = unknown_config();
        }
        None => {
            problems.push(problem("configSnapshot", "missing", MADE_ANEW));
            ledger.config = unknown_config();
        }
    }
    let mut list = |key: &str| map.remove(key);
    let (projects, types, packs) = (list("projects"), list("types"), list("packs"));
    ledger.set_projects(entries(ContextFile::Index, "projects", projects, problems));
    ledger.set_packs(entries(ContextFile::Index, "packs", packs, problems));
    for entry in entries::<TypeEntry>(ContextFile::Index, "types", types, problems) {
        read_entry(ledger, entry, problems);
    }
    ledger.foreign_index = map;
}

fn read_entry(ledger: &mut Ledger, entry: TypeEntry, problems: &mut Vec<ContextFileProblem>) {
    let place = format!("type {}", entry.id);
    let mut parse = |key: &str, shown: &str| {
        PartialHash::parse(shown).unwrap_or_else(|| {
            let what = format!("{key} is not a hash: {shown:?}");
            problems.push(problem(&place, &what, ENTRY_DROPPED));
            PartialHash::default()
        })
    };
    let mut hashes = PartialHashes::default();
    for (kind, shown) in [
        (HashKind::Structure, &entry.structure_hash),
        (HashKind::PublicImpl, &entry.public_impl_hash),
        (HashKind::InternalImpl, &entry.internal_impl_hash),
        (HashKind::Cosmetic, &entry.cosmetic_hash),
        (HashKind::Impl, &entry.impl_hash),
        (HashKind::XmlDoc, &entry.xml_doc_hash),
    ] {
        hashes.set(kind, parse(kind.as_str(), shown));
    }
    let base = entry.last_semantic_base.map(|base| TextBase {
        structure: parse("lastSemanticBase.structureHash", &base.structure_hash),
        public_impl: parse("lastSemanticBase.publicImplHash", &base.public_impl_hash),
        internal_impl: parse(
            "lastSemanticBase.internalImplHash",
            &base.internal_impl_hash,
        ),
        generated_at: base.generated_at,
    });
    let mut changes = ChangeKinds::default();
    entry
        .change_class
        .into_iter()
        .for_each(|class| changes.insert(class));
    let arity = arity_of(&entry.fqn, &entry.kind, &entry.id);
    let identity = Identity {
        fqn: entry.fqn,
        kind: entry.kind,
        arity: arity.unwrap_or(0),
    };
    if ledger.by_identity.contains_key(&identity.key()) {
        problems.push(problem(&place, "it is there twice", ENTRY_DROPPED));
        return;
    }
    // Without `state.json`, a drift begins when it is read.
    let first_at = entry.internal_changed.then(|| ledger.clock.count());
    let node = ledger.graph.add();
    let short = ids::short(&entry.id).to_owned();
    ledger.by_identity.insert(identity.key(), node);
    let project_id = ledger.interner.intern(&entry.project_id);
    let files = ledger.interner.intern_all(&entry.files);
    ledger.by_short.entry(short.clone()).or_default().push(node);
    ledger.records.insert(
        node,
        TypeRecord {
            id: entry.id,
            short,
            identity: Arc::new(identity),
            is_guess: arity.is_none(),
            project_id,
            files,
            hashes,
            changes,
            base,
            semantic: Semantic {
                state: entry.semantic_state,
                ..Semantic::default()
            },
            group: entry.semantic_group_id,
            depth_hint: entry.depth_hint,
            extra: entry.extra,
            ..TypeRecord::default()
        },
    );
    ledger.set_drift(
        node,
        Drift {
            count: u32::from(first_at.is_some()),
            first_at,
            window_ends: None,
        },
    );
}

fn problem(place: &str, what: &str, next: &'static str) -> ContextFileProblem {
    ContextFileProblem {
        file: ContextFile::Index,
        place: place.to_owned(),
        what: what.to_owned(),
        next,
    }
}

/// What hashes were made by is not known, so they compare with none.
fn unknown_config() -> Config {
    Config {
        hash_version: String::new(),
        ..Config::default()
    }
}

/// The number of type parameters, which the file does not have but which is in the id's hash.
fn arity_of(fqn: &str, kind: &str, id: &str) -> Option<u8> {
    const MAX: u8 = 32;
    (0..MAX).find(|arity| codecortex_hashes::type_id(fqn, kind, *arity) == ids::short(id))
}
