//! Files that are not as they have to be, and disks that refuse.

use std::fs;

use codecortex_memory::native::MemoryFolder;
use codecortex_memory::{BackEnd, MemoryError, Select};
use proptest::prelude::*;

use crate::support::{all, open, plain};

fn jsonl(root: &std::path::Path) -> std::path::PathBuf {
    root.join(".context/memory/observations.jsonl")
}

#[test]
fn lines_that_are_no_observations_are_counted() {
    let root = tempfile::tempdir().unwrap();
    let mut store = open(root.path(), BackEnd::Jsonl);
    store.append(vec![plain("one"), plain("two")]).unwrap();
    let text = fs::read_to_string(jsonl(root.path())).unwrap();
    let (first, second) = text.split_once('\n').unwrap();
    let later = first
        .replace("obs.v1", "obs.v2")
        .replace("\"id\":1", "\"id\":70");
    fs::write(
        jsonl(root.path()),
        format!(
            "{first}\n{first}\n=======\n{}\n{later}\n\n{second}",
            &first[..40]
        ),
    )
    .unwrap();
    let health = store.health().unwrap();
    assert_eq!(
        (health.observations, health.duplicates, health.foreign),
        (2, 1, 1)
    );
    assert_eq!((health.cut, health.other_schema), (1, 1));
    assert_eq!(health.notes().len(), 4);
    assert_eq!(store.append(vec![plain("three")]).unwrap().ids, [71]);
    let page = store
        .select(&Select {
            limit: 9,
            ..Select::default()
        })
        .unwrap();
    assert_eq!(page.total.count, 3);
}

#[test]
fn lines_of_a_merge_are_told_in_the_order_of_ids() {
    let root = tempfile::tempdir().unwrap();
    let mut store = open(root.path(), BackEnd::Jsonl);
    store
        .append((0..4).map(|n| plain(&format!("number {n}"))).collect())
        .unwrap();
    let text = fs::read_to_string(jsonl(root.path())).unwrap();
    let lines: Vec<&str> = text.lines().rev().collect();
    fs::write(jsonl(root.path()), lines.join("\n") + "\n").unwrap();
    let ids: Vec<u64> = all(&mut *store).iter().map(|record| record.id).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
    assert_eq!(store.append(vec![plain("next")]).unwrap().ids, [5]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    /// A file that was cut at any byte is mended by the next append; whole lines stay.
    #[test]
    fn a_file_cut_anywhere_goes_on(cut in 0usize..900) {
        let root = tempfile::tempdir().unwrap();
        let mut store = open(root.path(), BackEnd::Jsonl);
        store.append((0..5).map(|n| plain(&format!("number {n}"))).collect()).unwrap();
        let text = fs::read(jsonl(root.path())).unwrap();
        let left = &text[..cut.min(text.len())];
        fs::write(jsonl(root.path()), left).unwrap();
        // It would say that the ids were given.
        fs::remove_file(root.path().join(".context/memory/observations.md")).unwrap();
        let whole = left.iter().filter(|byte| **byte == b'\n').count();
        let appended = store.append(vec![plain("after")]).unwrap();
        let records = all(&mut *store);
        prop_assert!(records.len() > whole && records.len() <= whole + 2);
        prop_assert_eq!(records.last().unwrap().id, appended.ids[0]);
        prop_assert_eq!(records.last().unwrap().id, records.len() as u64);
        prop_assert_eq!(store.health().unwrap().cut, 0);
        let file = fs::read_to_string(jsonl(root.path())).unwrap();
        prop_assert!(file.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    }
}

#[test]
fn a_database_of_a_later_version_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    open(root.path(), BackEnd::Sqlite)
        .append(vec![plain("one")])
        .unwrap();
    let path = root.path().join(".context/memory/mem.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("PRAGMA user_version=9").unwrap();
    drop(connection);
    let folder = MemoryFolder::at_root(root.path(), false).unwrap().unwrap();
    let error = folder.open(BackEnd::Sqlite).err().unwrap();
    assert!(
        matches!(error, MemoryError::NewerVersion { found: 9, .. }),
        "{error}"
    );
    fs::remove_file(&path).unwrap();
    fs::write(&path, "no database at all, but long enough to have a header of one hundred bytes or so, which is none ....").unwrap();
    let error = folder.open(BackEnd::Sqlite).err().unwrap();
    assert!(matches!(error, MemoryError::Damaged { .. }), "{error}");
}

#[test]
fn unknown_back_ends_are_refused_with_the_list() {
    let error = BackEnd::parse("redis").unwrap_err();
    assert_eq!(error.code(), "InvalidParams");
    assert!(
        error.to_string().contains("markdown, jsonl, sqlite"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn links_out_of_the_root_are_not_followed() {
    let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(other.path(), root.path().join(".context")).unwrap();
    let error = MemoryFolder::at_root(root.path(), true).unwrap_err();
    assert_eq!(error.code(), "AccessDenied");
}

#[test]
fn a_folder_that_is_not_there_is_not_made_by_looking() {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(MemoryFolder::at_root(root.path(), false).unwrap(), None);
    assert!(!root.path().join(".context").exists());
}

/// A process that ends, or a disk that is full, between the tombstone and the lines that it names.
#[test]
fn a_purge_that_was_interrupted_is_finished_by_the_next() {
    let root = tempfile::tempdir().unwrap();
    let mut store = open(root.path(), BackEnd::Jsonl);
    store
        .append((0..4).map(|n| plain(&format!("number {n}"))).collect())
        .unwrap();
    let before = fs::read_to_string(jsonl(root.path())).unwrap();
    store.purge(&[2], crate::support::TS).unwrap();
    let after = fs::read_to_string(jsonl(root.path())).unwrap();
    let tombstone = after.lines().last().unwrap();
    fs::write(jsonl(root.path()), format!("{before}{tombstone}\n")).unwrap();
    let mut store = open(root.path(), BackEnd::Jsonl);
    store.purge(&[3], crate::support::TS).unwrap();
    let text = fs::read_to_string(jsonl(root.path())).unwrap();
    for (summary, stays) in [
        ("number 0", true),
        ("number 1", false),
        ("number 2", false),
        ("number 3", true),
    ] {
        assert_eq!(text.contains(summary), stays, "{summary}: {text}");
    }
    // What was only forgotten stays in the file.
    store
        .append(vec![
            codecortex_memory::Sealed::tombstone(&[4], false, crate::support::TS).unwrap(),
        ])
        .unwrap();
    store.purge(&[1], crate::support::TS).unwrap();
    let text = fs::read_to_string(jsonl(root.path())).unwrap();
    assert!(text.contains("number 3") && !text.contains("number 0"));
}

#[test]
fn a_purge_that_stops_half_way_says_what_is_so() {
    for source in [BackEnd::Jsonl, BackEnd::Sqlite] {
        let root = tempfile::tempdir().unwrap();
        let mut store = open(root.path(), source);
        store.append(vec![plain("one"), plain("two")]).unwrap();
        let log = root.path().join(".context/memory/observations.md");
        let text = fs::read(&log).unwrap();
        fs::remove_file(&log).unwrap();
        fs::create_dir(&log).unwrap();
        let error = store.purge(&[1], crate::support::TS).unwrap_err();
        assert!(matches!(error, MemoryError::HalfPurged { .. }), "{error}");
        assert!(error.to_string().contains("are forgotten"), "{error}");
        assert!(!error.hint().contains("nothing was recorded"));
        fs::remove_dir(&log).unwrap();
        fs::write(&log, text).unwrap();
        store.purge(&[1], crate::support::TS).unwrap();
        let text = fs::read_to_string(&log).unwrap();
        assert!(!text.contains("one") && text.contains("two"), "{text}");
    }
}

/// The superuser may write anything, so the disk itself has to refuse: give a small file system that is mounted at
/// `CODECORTEX_FULL_DISK`, such as `mount -t tmpfs -o size=256k none /mnt/full`.
#[test]
#[ignore = "needs a file system that can be filled"]
fn a_full_disk_leaves_the_log_as_it_was() {
    let place = std::env::var("CODECORTEX_FULL_DISK").unwrap();
    for source in [BackEnd::Jsonl, BackEnd::Sqlite] {
        let root = tempfile::tempdir_in(&place).unwrap();
        let mut store = open(root.path(), source);
        let mut count = 0;
        let error = loop {
            let mut draft =
                codecortex_memory::ObservationDraft::new(crate::support::TS, "fills the disk");
            draft.detail = Some("x y ".repeat(700));
            match store.append(vec![crate::support::sealed(draft)]) {
                Ok(_) => count += 1,
                Err(error) => break error,
            }
        };
        assert!(
            matches!(error, MemoryError::DiskFull { .. }),
            "{source:?}: {error}"
        );
        assert_eq!(all(&mut *store).len(), count, "{source:?}");
        assert_eq!(store.health().unwrap().cut, 0);
    }
}
