//! From one back end to another and back.

use std::fs;

use codecortex_memory::native::{MemoryFolder, migrate};
use codecortex_memory::{BackEnd, IdState, Store, forget};

use crate::support::{TS, all, full, open, plain, sealed};

fn filled(root: &std::path::Path, source: BackEnd) -> Box<dyn Store> {
    let mut store = open(root, source);
    store
        .append((0..50).map(|n| sealed(full(n))).collect())
        .unwrap();
    forget(&mut *store, &[5, 6], TS).unwrap();
    store.purge(&[7, 51], TS).unwrap();
    store.append(vec![plain("last")]).unwrap();
    store
}

#[test]
fn there_and_back_loses_nothing() {
    for (from, to) in [
        (BackEnd::Jsonl, BackEnd::Sqlite),
        (BackEnd::Sqlite, BackEnd::Jsonl),
    ] {
        let root = tempfile::tempdir().unwrap();
        let before = all(&mut *filled(root.path(), from));
        let folder = MemoryFolder::at_root(root.path(), false).unwrap().unwrap();
        let migrated = migrate(&folder, from, to).unwrap();
        assert_eq!(
            (migrated.records, migrated.kept),
            (before.len() as u64, None)
        );
        assert_eq!(folder.holder(), Some(to));
        assert_eq!(folder.open(from).err().unwrap().code(), "Unavailable");
        let mut store = folder.open(to).unwrap();
        assert_eq!(all(&mut *store), before);
        assert_eq!(store.read(&[5]).unwrap(), [IdState::Forgotten]);
        drop(store);
        migrate(&folder, to, from).unwrap();
        let mut store = folder.open(from).unwrap();
        assert_eq!(all(&mut *store), before);
        assert_eq!(store.append(vec![plain("next")]).unwrap().ids, [54]);
    }
}

#[test]
fn fields_of_later_versions_go_along() {
    let root = tempfile::tempdir().unwrap();
    drop(open(root.path(), BackEnd::Jsonl));
    let line = r#"{"schema_version":"obs.v1","id":3,"ts":"2026-03-04 05:06:07","task_id":null,"actor":"boss","phase":"later","summary":"s","refs":{"files":["a"],"tickets":[1]},"ext":{"mood":{"x":1.5}},"weight":2}"#;
    let folder = MemoryFolder::at_root(root.path(), false).unwrap().unwrap();
    let file = folder.path().join("observations.jsonl");
    fs::write(&file, format!("{line}\n")).unwrap();
    migrate(&folder, BackEnd::Jsonl, BackEnd::Sqlite).unwrap();
    migrate(&folder, BackEnd::Sqlite, BackEnd::Jsonl).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{line}\n"));
}

#[test]
fn lines_that_are_no_records_stay_on_the_disk() {
    let root = tempfile::tempdir().unwrap();
    let mut store = open(root.path(), BackEnd::Jsonl);
    store.append(vec![plain("one")]).unwrap();
    let folder = MemoryFolder::at_root(root.path(), false).unwrap().unwrap();
    let file = folder.path().join("observations.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("<<<<<<< HEAD\n{text}")).unwrap();
    let migrated = migrate(&folder, BackEnd::Jsonl, BackEnd::Sqlite).unwrap();
    assert_eq!(migrated.health.foreign, 1);
    assert!(
        fs::read_to_string(migrated.kept.unwrap())
            .unwrap()
            .starts_with("<<<<")
    );
}

#[test]
fn a_migration_that_was_killed_is_ended_or_taken_back() {
    for has_new in [false, true] {
        let root = tempfile::tempdir().unwrap();
        drop(filled(root.path(), BackEnd::Jsonl));
        let folder = MemoryFolder::at_root(root.path(), false).unwrap().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::rename(
            path("observations.jsonl"),
            path("observations.jsonl.migrating"),
        )
        .unwrap();
        let source = if has_new {
            let other = tempfile::tempdir().unwrap();
            drop(filled(other.path(), BackEnd::Sqlite));
            fs::copy(other.path().join(".context/memory/mem.db"), path("mem.db")).unwrap();
            BackEnd::Sqlite
        } else {
            BackEnd::Jsonl
        };
        let mut store = folder.open(source).unwrap();
        assert_eq!(all(&mut *store).last().unwrap().summary, "last");
        assert!(!path("observations.jsonl.migrating").exists());
    }
}

#[test]
fn an_emergency_ends_with_a_migration() {
    let root = tempfile::tempdir().unwrap();
    open(root.path(), BackEnd::Markdown)
        .append(vec![plain("one"), plain("two")])
        .unwrap();
    let folder = MemoryFolder::at_root(root.path(), false).unwrap().unwrap();
    migrate(&folder, BackEnd::Markdown, BackEnd::Jsonl).unwrap();
    let mut store = folder.open(BackEnd::Jsonl).unwrap();
    assert_eq!(all(&mut *store).len(), 2);
    let error = migrate(&folder, BackEnd::Jsonl, BackEnd::Markdown).unwrap_err();
    assert_eq!(error.code(), "Unavailable");
}
