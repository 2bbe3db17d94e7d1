//! Stores to try things on.

use std::path::Path;

use codecortex_memory::native::MemoryFolder;
use codecortex_memory::{
    Actor, Anchor, BackEnd, IdState, InMemory, Observation, ObservationDraft, Phase, Redactor,
    Sealed, Store,
};
use tempfile::TempDir;

pub(crate) const TS: &str = "2026-03-04 05:06:07";

/// A store of each back end, with the folder that it is in.
pub(crate) fn stores() -> Vec<(&'static str, Box<dyn Store>, Option<TempDir>)> {
    let mut stores: Vec<(&'static str, Box<dyn Store>, Option<TempDir>)> =
        vec![("in memory", Box::new(InMemory::default()), None)];
    for name in ["jsonl", "sqlite", "markdown"] {
        let root = tempfile::tempdir().unwrap();
        let store = open(root.path(), BackEnd::parse(name).unwrap());
        stores.push((name, store, Some(root)));
    }
    // The newest records of a database wait for its index: here none does, and some.
    for (name, indexed) in [("sqlite, indexed", i64::MAX), ("sqlite, half indexed", 3)] {
        let root = tempfile::tempdir().unwrap();
        make_database(root.path(), indexed);
        stores.push((name, open(root.path(), BackEnd::Sqlite), Some(root)));
    }
    stores
}

/// An empty database, of whose records those up to this id are indexed at once.
fn make_database(root: &Path, indexed: i64) {
    open(root, BackEnd::Sqlite)
        .append(vec![plain("the first one")])
        .unwrap();
    let path = root.join(".context/memory/mem.db");
    let database = rusqlite::Connection::open(path).unwrap();
    let empty = format!(
        "DELETE FROM observation; UPDATE meta SET value = 0; \
         UPDATE meta SET value = 1 WHERE key = 'next_id'; \
         UPDATE meta SET value = {indexed} WHERE key = 'indexed';"
    );
    database.execute_batch(&empty).unwrap();
    std::fs::remove_file(root.join(".context/memory/observations.md")).unwrap();
}

pub(crate) fn open(root: &Path, source: BackEnd) -> Box<dyn Store> {
    let folder = MemoryFolder::at_root(root, true).unwrap().unwrap();
    folder.open(source).unwrap()
}

pub(crate) fn sealed(draft: ObservationDraft) -> Sealed {
    draft.seal(&Redactor::default()).unwrap()
}

/// An observation with a summary alone.
pub(crate) fn plain(summary: &str) -> Sealed {
    sealed(ObservationDraft::new(TS, summary))
}

/// An observation with every field.
pub(crate) fn full(number: usize) -> ObservationDraft {
    let mut draft = ObservationDraft::new(TS, format!("parseFile breaks on \"quotes\" {number}"));
    draft.actor = Actor::Verifier;
    draft.phase = Phase::Verify;
    draft.task_id = Some(format!("task-{}", number % 2));
    draft.detail = Some(format!("line one\nzebra{number}\t检索"));
    draft.refs.files = vec![format!("src/parser/file{number}.rs")];
    draft.refs.commands = vec!["cargo test".to_owned()];
    draft.refs.urls = vec!["https://example.com/x".to_owned()];
    draft.ext.kind = Some("bug".to_owned());
    draft.ext.branch = Some("main".to_owned());
    draft.ext.worktree = Some("wt".to_owned());
    draft.ext.anchors = vec![Anchor {
        symbol: format!("parser::File{number}"),
        ..Anchor::default()
    }];
    draft
}

pub(crate) fn record(store: &mut dyn Store, id: u64) -> Observation {
    match store.read(&[id]).unwrap().pop() {
        Some(IdState::Found(record)) => *record,
        other => panic!("{id}: {other:?}"),
    }
}

pub(crate) fn all(store: &mut dyn Store) -> Vec<Observation> {
    let mut records = Vec::new();
    store
        .each(&mut |record| {
            records.push(record.clone());
            Ok(())
        })
        .unwrap();
    records
}
