//! Whatever the files of a store hold, those that read them answer (SPEC P5): files that were cut, merged by hand, or made
//! by somebody who wants to do harm.
//!
//! `CODECORTEX_DAMAGE=10000` tries more cases than the suite does.

#![allow(
    unreachable_pub,
    dead_code,
    reason = "what damages files is shared with the tests of the engine"
)]

#[path = "../../../engine/tests/it/support/chance.rs"]
mod chance;
#[path = "../../../engine/tests/it/support/damage.rs"]
mod kinds;

use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use codecortex_memory::native::{MemoryFolder, migrate};
use codecortex_memory::{
    BackEnd, IdState, MemoryError, ObservationFilter, ObservationOrder, RecallRequest, Select,
    Store, find, forget,
};

use self::chance::{Chance, count_of};
use self::kinds::{KINDS, damaged};
use crate::support::{TS, full, open, plain, sealed};

const CASES: usize = 100;

const SOURCES: [BackEnd; 3] = [BackEnd::Jsonl, BackEnd::Sqlite, BackEnd::Markdown];

/// What the file of the lock may be called, none of which a program of ours gives it.
const NAMES: [&str; 12] = [
    "free.18446744073709551615",
    "free.9007199254740990",
    "free.9007199254740991",
    "free.-1",
    "free.7 (1)",
    "free.NaN",
    "free",
    "held.1",
    "held.1.00000000.4294967296.0.0",
    "held.1.0000000g.1.1.1",
    "held.1.deadbeef.4294967295.18446744073709551615.18446744073709551615",
    "<<<<<<< HEAD",
];

fn memory(root: &Path) -> PathBuf {
    root.join(".context/memory")
}

/// A store with some of everything.
fn make(root: &Path, source: BackEnd) {
    let mut store = open(root, source);
    for number in 0..6 {
        store.append(vec![sealed(full(number))]).unwrap();
    }
    store.append(vec![plain("the last one")]).unwrap();
    let _ = forget(&mut *store, &[2], TS);
    let _ = store.purge(&[3], TS);
}

fn files(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(memory(root)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Does something to a file or two, and tells what.
fn damage(root: &Path, chance: &mut Chance) -> String {
    let mut told = String::new();
    for _ in 0..1 + chance.below(2) {
        let files = files(root);
        let path = chance.one(&files).clone();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match chance.below(20) {
            0 => {
                told += &format!("a folder for {name}; ");
                fs::remove_file(&path).unwrap();
                fs::create_dir_all(path.join("inside")).unwrap();
                return told;
            }
            1 => {
                told += &format!("no {name}; ");
                fs::remove_file(&path).unwrap();
                return told;
            }
            2..5 => told += &rename_lock(root, chance),
            _ => {
                let kind = *chance.one(&KINDS);
                told += &format!("{kind} of {name}; ");
                let other = fs::read(chance.one(&files)).unwrap();
                let bytes = damaged(chance, kind, &fs::read(&path).unwrap(), &other);
                fs::write(&path, bytes).unwrap();
            }
        }
    }
    told
}

/// Gives the lock's file another name, some time ago.
fn rename_lock(root: &Path, chance: &mut Chance) -> String {
    let folder = memory(root).join("lock");
    let Some(token) = fs::read_dir(&folder)
        .ok()
        .and_then(|mut entries| entries.next())
    else {
        return String::new();
    };
    let name = *chance.one(&NAMES);
    fs::rename(token.unwrap().path(), folder.join(name)).unwrap();
    let before = SystemTime::now() - Duration::from_secs(1_000);
    File::open(&folder).unwrap().set_modified(before).unwrap();
    format!("the lock is {name}; ")
}

/// Asks everything that a store is asked.
fn ask(root: &Path, source: BackEnd) -> Result<(), MemoryError> {
    let Some(folder) = MemoryFolder::at_root(root, false)? else {
        return Ok(());
    };
    let mut store = folder.open(source)?;
    let _ = store.health();
    let words = ObservationFilter::of_query("parseFile zebra").unwrap();
    let of_files = ObservationFilter {
        file: Some("src/".to_owned()),
        since: Some(TS.to_owned()),
        ..ObservationFilter::default()
    };
    for filter in [ObservationFilter::default(), words, of_files] {
        for (order, from) in [
            (ObservationOrder::NewestFirst, None),
            (ObservationOrder::OldestFirst, Some(3)),
        ] {
            let filter = filter.clone();
            let select = Select {
                filter,
                order,
                from,
                limit: 4,
            };
            let _ = store.select(&select);
        }
    }
    let _ = store.read(&[0, 1, 2, 3, 9, u64::MAX]);
    let _ = store.each(&mut |_| Ok(()));
    for request in [
        RecallRequest {
            query: Some("breaks".to_owned()),
            ..RecallRequest::default()
        },
        RecallRequest {
            around: Some(4),
            ..RecallRequest::default()
        },
        RecallRequest {
            ids: vec![1, 2, 7],
            ..RecallRequest::default()
        },
    ] {
        let _ = find(&mut *store, &request);
    }
    let appended = store.append(vec![plain("after")])?;
    is_read(&mut *store, &appended.ids);
    let _ = forget(&mut *store, &[4], TS);
    let _ = store.purge(&[1, 5], TS);
    drop(store);
    for to in [BackEnd::Sqlite, BackEnd::Jsonl] {
        let _ = migrate(&folder, source, to);
    }
    Ok(())
}

/// What is said to be recorded is told. Markdown has no more than a line of it.
fn is_read(store: &mut dyn Store, ids: &[u64]) {
    if store.source() == BackEnd::Markdown {
        return;
    }
    match store.read(ids).map(|mut readings| readings.pop()) {
        Ok(Some(IdState::Found(record))) => assert_eq!(record.summary, "after"),
        other => panic!("{ids:?} was recorded and is {other:?}"),
    }
}

fn run(seed: u64) -> Result<(), String> {
    let mut chance = Chance::new(seed);
    let source = *chance.one(&SOURCES);
    let root = tempfile::tempdir().unwrap();
    make(root.path(), source);
    let told = damage(root.path(), &mut chance);
    let done = catch_unwind(AssertUnwindSafe(|| {
        let asked = ask(root.path(), source);
        // Nobody has the lock, so no call waits for it.
        assert!(!matches!(asked, Err(MemoryError::Busy { .. })), "{asked:?}");
        let again = ask(root.path(), source);
        assert!(!matches!(again, Err(MemoryError::Busy { .. })), "{again:?}");
    }));
    let why = |panic: Box<dyn std::any::Any + Send>| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
    };
    done.map_err(|panic| format!("seed {seed}, {source:?}: {told}{:?}", why(panic)))
}

#[test]
fn damaged_stores_are_read() {
    let cases = count_of("CODECORTEX_DAMAGE", CASES) as u64;
    let failures: Vec<String> = (0..cases).filter_map(|seed| run(seed).err()).collect();
    assert!(
        failures.is_empty(),
        "{} of {cases}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
