//! Many processes at one store, and processes that are killed (OB1). Full counts, with writers of Node among them:
//! `cargo nextest run -p codecortex-memory --run-ignored all --no-capture many_processes killed`.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use codecortex_memory::{BackEnd, Store};

use crate::support::{all, open};

/// The program that writes, which is built with the tests.
fn writer() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_memory-writer"))
}

/// The writer of the extension, where there is a Node to run it and a compiler of TypeScript.
fn node_writer() -> Option<PathBuf> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let has_compiler = crate_folder.join("../../node_modules/typescript").exists();
    let has_node = Command::new("node").arg("--version").output().is_ok();
    (has_compiler && has_node).then(|| crate_folder.join("tests/writer.cjs"))
}

fn spawn(root: &Path, source: BackEnd, count: usize, name: &str) -> Child {
    let args = [
        root.to_str().unwrap(),
        source.as_str(),
        &count.to_string(),
        name,
    ];
    Command::new(writer())
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Ids and microseconds of what was acknowledged.
fn acknowledged(text: &str) -> Vec<(u64, u64)> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().map(|line| line.split_once(' ').unwrap());
    lines
        .map(|(id, micros)| (id.parse().unwrap(), micros.parse().unwrap()))
        .collect()
}

fn write_together(
    source: BackEnd,
    processes: usize,
    count: usize,
    node: Option<&Path>,
) -> (Vec<u64>, Box<dyn Store>, tempfile::TempDir) {
    let root = tempfile::tempdir().unwrap();
    let start = |number: usize| {
        let is_node = node.is_some() && number % 2 == 1;
        match node.filter(|_| is_node) {
            Some(script) => {
                let (count, name) = (count.to_string(), format!("n{number}"));
                let mut node = Command::new("node");
                let node = node.arg(script).arg(root.path()).args([count, name]);
                node.stdout(Stdio::piped()).spawn().unwrap()
            }
            None => spawn(root.path(), source, count, &format!("w{number}")),
        }
    };
    let children: Vec<Child> = (0..processes).map(start).collect();
    let mut told = Vec::new();
    for mut child in children {
        let mut text = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert!(child.wait().unwrap().success());
        told.extend(acknowledged(&text));
    }
    let ids: HashSet<u64> = told.iter().map(|(id, _)| *id).collect();
    assert_eq!(
        ids.len(),
        processes * count,
        "an id was given twice, or none"
    );
    let mut store = open(root.path(), source);
    let records = all(&mut *store);
    assert_eq!(records.len(), processes * count, "a line was lost");
    let summaries: HashSet<&str> = records
        .iter()
        .map(|record| record.summary.as_str())
        .collect();
    assert_eq!(summaries.len(), processes * count);
    let mut micros: Vec<u64> = told.iter().map(|(_, micros)| *micros).collect();
    micros.sort_unstable();
    (micros, store, root)
}

#[test]
fn processes_lose_no_line_and_repeat_no_id() {
    for source in [BackEnd::Jsonl, BackEnd::Sqlite, BackEnd::Markdown] {
        write_together(source, 4, 40, None);
    }
}

#[test]
fn writers_of_both_programs_keep_one_protocol() {
    if let Some(script) = node_writer() {
        write_together(BackEnd::Jsonl, 4, 40, Some(&script));
    }
}

/// The full count of OB1, with its time. `processes_lose_no_line_and_repeat_no_id` holds the same with fewer each time the
/// tests run; this one is run by hand, since a busy machine decides how long an append takes.
#[test]
#[ignore = "takes a minute; the full count"]
fn many_processes_stay_within_their_time() {
    for source in [BackEnd::Jsonl, BackEnd::Sqlite] {
        let script = node_writer().filter(|_| source == BackEnd::Jsonl);
        let (micros, _store, _root) = write_together(source, 16, 2000, script.as_deref());
        let at = |share: f64| micros[(micros.len() as f64 * share) as usize];
        let (p50, p95, p99) = (at(0.5), at(0.95), at(0.99));
        let _ = writeln!(
            std::io::stderr(),
            "{source:?}: p50 {p50} us, p95 {p95} us, p99 {p99} us, max {} us",
            micros[micros.len() - 1]
        );
        assert!(p95 <= 5000, "{source:?}: {p95} us");
    }
}

/// Kills writers in the middle of their work; what they acknowledged is there, and the next one goes on.
fn kill_writers(source: BackEnd, kills: u64) {
    let root = tempfile::tempdir().unwrap();
    let mut told: Vec<u64> = Vec::new();
    for kill in 0..kills {
        let mut child = spawn(root.path(), source, 1_000_000, &format!("k{kill}"));
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        reader.read_line(&mut text).unwrap(); // it is at work now
        std::thread::sleep(Duration::from_micros(kill * 37 % 4000));
        child.kill().unwrap();
        child.wait().unwrap();
        reader.read_to_string(&mut text).unwrap();
        told.extend(acknowledged(&text).into_iter().map(|(id, _)| id));
    }
    assert!(told.len() as u64 >= kills);
    let mut store = open(root.path(), source);
    store
        .append(vec![crate::support::plain("after all")])
        .unwrap();
    let there: Vec<u64> = all(&mut *store).iter().map(|record| record.id).collect();
    let known: HashSet<u64> = there.iter().copied().collect();
    assert_eq!(known.len(), there.len());
    assert!(
        told.iter().all(|id| known.contains(id)),
        "{source:?}: an acknowledged observation is gone"
    );
    let health = store.health().unwrap();
    assert_eq!((health.cut, health.foreign, health.duplicates), (0, 0, 0));
}

#[test]
fn writers_that_are_killed_leave_a_whole_store() {
    for source in [BackEnd::Jsonl, BackEnd::Sqlite] {
        kill_writers(source, 8);
    }
}

/// The full count of OB1; `writers_that_are_killed_leave_a_whole_store` holds the same with fewer each time the tests run.
#[test]
#[ignore = "takes a minute; the full count"]
fn killed_two_hundred_times() {
    for source in [BackEnd::Jsonl, BackEnd::Sqlite] {
        kill_writers(source, 200);
    }
}
