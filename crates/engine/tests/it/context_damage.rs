//! Whatever the files of `.context/` hold, the tools that read them answer (SPEC P5, I5): files that were cut, merged by
//! hand, made by another program or by somebody who wants to do harm.
//!
//! `CODECORTEX_DAMAGE=10000` tries more cases than the suite does, and says how long the slowest took.
#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a test says how long its slowest case took"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use codecortex_engine::Engine;
use codecortex_engine::protocol::{Event, FileVersions, GitDiff};
use codecortex_memory::{BackEnd, InMemory};
use serde_json::{Value, json};

use crate::review::bytes;
use crate::support::chance::{Chance, count_of};
use crate::support::damage::{KINDS, damaged};
use crate::support::{Host, Node};

const CASES: usize = 200;
/// Cases below one name of a test: they run beside each other.
const PARTS: usize = 4;

const FILES: &str = "
//- /app/Store.cs
namespace N;
/// <summary>Keeps what all have.</summary>
public class Base { public int Size() { return 1; } }
/// <summary>Keeps nodes.</summary>
public class Store : Base {
    public int Add(int key) { return key + 1; }
    private int opened;
}
public class Left { public Right Other; }
public class Right { public Left Other; }
//- /app/tools.py
class Client:
    def get(self, url: str) -> str:
        return url
//- /app/.context/config.json
{
  // what people wrote
  \"tags\": { \"low\": [\"*.py\"] },
  \"exclude\": [\"gen/\"],
  \"promptWindow\": { \"maxChars\": 12000, \"pinnedShare\": 50, \"focusMinutes\": 20 },
  \"profiles\": { \"small\": { \"max_per_source_tokens\": { \"pinned\": 300 } } },
  \"budgetRules\": [{ \"mode\": \"index\", \"profile\": \"small\" }],
  \"outlines\": \"all\",
  \"model\": { \"mode\": \"manual\" }
}
//- /app/.context/review-rules.json
{ \"rules\": [{ \"id\": \"r\", \"when\": { \"path\": [\"*.py\"] }, \"level\": \"function\", \"confidence\": 0.9,
  \"risk\": \"low\", \"requests\": [{ \"type\": \"search\", \"details\": \"get\" }] }] }
";
const TEXT: &str = "ROLE:\nKeeps nodes by key.\nLIFECYCLE:\nMade once.\nEDGE_CASES:\nNone.\n\
    LIMITATIONS:\nNo threads.\nRECOMMENDATIONS:\nClose it.\n";
const PATCH: &str = "diff --git a/tools.py b/tools.py
--- a/tools.py
+++ b/tools.py
@@ -1,3 +1,3 @@
 class Client:
     def get(self, url: str) -> str:
-        return None
+        return url
";

/// A workspace whose `.context/` has every file that there may be, and what of it calls name.
struct Kept {
    host: Host,
    op: Value,
    finding: String,
    /// What is not code: paths.
    files: Vec<String>,
    cache: Vec<u8>,
}

fn diff() -> GitDiff {
    let new = "class Client:\n    def get(self, url: str) -> str:\n        return url\n";
    GitDiff {
        base: Some("1111".into()),
        patch: PATCH.into(),
        versions: vec![FileVersions {
            path: "tools.py".into(),
            old: bytes(&new.replace("return url", "return None")),
            new: bytes(new),
        }],
        ..GitDiff::default()
    }
}

fn kept() -> Kept {
    let mut host = Host::new(FILES);
    host.clock = 1.7e12;
    host.person_sets(|own| own.observations = Some(true));
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    assert!(host.notices.is_empty(), "{:?}", host.notices);
    for symbol in ["N.Store", "N.Left"] {
        let found = host.ok("getSemantic", json!({ "symbol": symbol }));
        let args = json!({ "ticket": found["ticket"], "text": TEXT });
        host.call("submitSemantic", args);
        host.settle();
    }
    let pin = json!({ "action": "pin", "symbols": ["N.Store", "tools.py", "N.Store.Add"] });
    host.ok("pin", pin);
    host.ok("pin", json!({ "action": "add", "symbols": ["N.Base"] }));
    host.ok(
        "pin",
        json!({ "action": "dismiss", "symbols": ["tools.Client"] }),
    );
    let pack = json!({ "action": "build", "name": "p", "filter": "type:*" });
    host.ok("pack", pack);
    host.ok("pack", json!({ "action": "activate", "name": "p" }));
    host.ok(
        "remember",
        json!({ "text": "Store is slow", "symbols": ["N.Store"] }),
    );
    let begun = host.ok("investigate", json!({ "question": "How are keys made?" }));
    let op = begun["operation"]["opId"].clone();
    let conclusion = json!({
        "summary": "By key.",
        "evidence": [{ "filePath": "app/Store.cs", "startLine": 5, "endLine": 6, "claim": "it adds" }],
        "open": ["why one?"],
    });
    host.call("op", json!({ "opId": op, "conclusion": conclusion }));
    // One that is not at its end.
    let name = Some("scripted".to_owned());
    host.send(Event::Model { name, slots: 1 });
    host.ok("investigate", json!({ "question": "Who closes it?" }));
    host.settle();
    host.diff = Some(diff());
    host.call("reviewChanges", json!({ "base": "main", "head": "HEAD" }));
    let finding = "f-0123456789abcdef".to_owned();
    host.call("reviewChanges", json!({ "dismiss": [finding] }));
    host.ok("getContext", json!({}));
    host.settle();
    // A type that gets another name leaves an alias.
    let text = host.text("/w/app/Store.cs").unwrap();
    host.write(
        "/w/app/Store.cs",
        &text
            .replace("class Base", "class Root")
            .replace(": Base", ": Root"),
    );
    host.touched(&["/w/app/Store.cs"]);
    host.settle();
    let paths = host.disk.keys().filter(|path| path.contains("/.context/"));
    let files: Vec<String> = paths.cloned().collect();
    let cache = host.engine.export_cache(host.clock + 10_000.0);
    Kept {
        host,
        op,
        finding,
        files,
        cache,
    }
}

/// The tools that read what is kept.
fn ask(host: &mut Host, kept: &Kept) {
    let store = json!({ "symbol": "N.Store" });
    for (tool, args) in [
        ("status", json!({ "list": "texts" })),
        ("getContext", json!({ "list": true })),
        (
            "getContext",
            json!({ "mode": "mixed", "task": "close the store" }),
        ),
        ("pin", json!({ "action": "unpin", "symbols": ["tools.py"] })),
        ("pack", json!({ "action": "list" })),
        ("pack", json!({ "action": "build", "name": "p" })),
        ("pack", json!({ "action": "show", "name": "p" })),
        ("getSemantic", store.clone()),
        ("getTypeMembers", store.clone()),
        ("hashes", store.clone()),
        ("aliases", json!({})),
        ("getOutline", store.clone()),
        ("changes", json!({})),
        ("recall", json!({ "query": "slow" })),
        ("op", json!({ "opId": kept.op })),
        ("investigate", json!({ "question": "How are keys made?" })),
        ("describe", store.clone()),
        ("invalidate", store),
        ("reviewChanges", json!({ "base": "main", "head": "HEAD" })),
        ("reviewChanges", json!({ "restore": [kept.finding] })),
    ] {
        // Whatever it says; a tool that waits for ever is told by its absence.
        let answer = host.try_call(&format!("codecortex_{tool}"), args, Default::default());
        assert!(answer.is_some(), "{tool} does not answer");
    }
}

/// Lets the time pass that the engine wants to wait, for a while: what cannot be read is tried again every minute, for
/// ever. Nothing may be tried again and again without a pause.
fn settle(host: &mut Host) {
    let mut quick = 0;
    for _ in 0..300 {
        let Some(wait) = host.tick_asked.take().filter(|wait| *wait < 60_000) else {
            return;
        };
        quick += u32::from(wait < 1_000);
        assert!(quick < 150, "it does the same for ever");
        host.clock += f64::from(wait);
        let now_ms = host.clock;
        host.send(Event::Tick { now_ms });
    }
}

/// One case: what was done to which files.
fn damage(kept: &Kept, chance: &mut Chance, host: &mut Host) -> (Vec<u8>, String) {
    let mut told = String::new();
    for _ in 0..1 + chance.below(3) {
        let path = chance.one(&kept.files);
        let kind = *chance.one(&KINDS);
        told += &format!("{kind} of {path}; ");
        let of = |path: &String| match kept.host.disk.get(path) {
            Some(Node::File(bytes)) => bytes.clone(),
            _ => Vec::new(),
        };
        let other = of(chance.one(&kept.files));
        match chance.below(20) {
            // A folder in the place of a file, no file, and what may not be read.
            0 => {
                host.disk.remove(path);
                host.write(&format!("{path}/inside"), "x");
            }
            1 => {
                host.disk.remove(path);
                host.mtimes.remove(path);
            }
            2 => host.put(path, Node::Denied),
            _ => {
                let bytes = damaged(chance, kind, &of(path), &other);
                host.put(path, Node::File(bytes));
            }
        }
    }
    let mut cache = kept.cache.clone();
    if chance.is(30) {
        let kind = *chance.one(&KINDS);
        told += &format!("{kind} of the cache");
        cache = damaged(chance, kind, &cache, b"another");
    }
    (cache, told)
}

/// The log of observations, which a host only hands on.
fn observations(kept: &Kept, chance: &mut Chance) -> InMemory {
    let text = kept.host.observations.text();
    match chance.is(30) {
        true => {
            let kind = *chance.one(&KINDS);
            let source = *chance.one(&[BackEnd::Jsonl, BackEnd::Markdown]);
            InMemory::from_source(source, damaged(chance, kind, text, TEXT.as_bytes()))
        }
        false => InMemory::new(text.to_vec()),
    }
}

fn run(kept: &Kept, seed: u64) -> Result<Duration, String> {
    let mut chance = Chance::new(seed);
    let mut host = Host::empty(&[("app", "/w/app")]);
    host.disk.clone_from(&kept.host.disk);
    host.mtimes.clone_from(&kept.host.mtimes);
    host.clock = kept.host.clock + 100_000.0;
    host.diff = Some(diff());
    host.observations = observations(kept, &mut chance);
    let (cache, told) = damage(kept, &mut chance, &mut host);
    let began = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(|| {
        host.engine = Engine::new();
        if chance.is(70) {
            host.engine.import_cache(cache);
        }
        host.configure();
        let is_first = chance.is(50);
        if is_first {
            settle(&mut host);
        }
        ask(&mut host, kept);
        let name = Some("scripted".to_owned());
        host.send(Event::Model { name, slots: 1 });
        host.touched(&["/w/app/.context"]);
        settle(&mut host);
        ask(&mut host, kept);
    }));
    let why = |panic: Box<dyn std::any::Any + Send>| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
    };
    match done {
        Ok(()) => Ok(began.elapsed()),
        Err(panic) => Err(format!("seed {seed}: {told}: {:?}", why(panic))),
    }
}

fn part(part: usize) {
    let kept = kept();
    let names = kept.files.join(" ");
    for name in [
        "index.json",
        "state.json",
        "aliases.json",
        "ledger.bin",
        "semantic.md",
        "ops/",
        "packs/",
        "outline.md",
    ] {
        assert!(names.contains(name), "{name} is not among {names}");
    }
    let cases = count_of("CODECORTEX_DAMAGE", CASES) / PARTS;
    let first = (part * cases) as u64;
    let mut slowest = (Duration::ZERO, 0);
    let mut failures = Vec::new();
    for seed in first..first + cases as u64 {
        match run(&kept, seed) {
            Ok(took) => slowest = slowest.max((took, seed)),
            Err(why) => failures.push(why),
        }
    }
    let (took, seed) = slowest;
    println!("{cases} cases; the slowest is seed {seed} with {took:?}");
    assert!(
        failures.is_empty(),
        "{} of {cases}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn damaged_folders_are_answered_first_part() {
    part(0);
}

#[test]
fn damaged_folders_are_answered_second_part() {
    part(1);
}

#[test]
fn damaged_folders_are_answered_third_part() {
    part(2);
}

#[test]
fn damaged_folders_are_answered_fourth_part() {
    part(3);
}

/// What nobody can read is not written over, and not tried all the time; it is made up to date once it can be read.
#[test]
fn a_folder_in_the_place_of_a_file_is_said_and_nothing_is_written() {
    let kept = kept();
    let path = "/w/app/.context/index.json";
    let mut host = Host::empty(&[("app", "/w/app")]);
    host.disk.clone_from(&kept.host.disk);
    host.mtimes.clone_from(&kept.host.mtimes);
    host.clock = kept.host.clock + 100_000.0;
    host.put(path, Node::Denied);
    host.configure();
    host.touched(&["/w/app/.context"]);
    settle(&mut host);
    let context = host.ok("status", json!({}))["context"][0].clone();
    let failure = context["failure"].as_str().unwrap();
    assert!(
        failure.contains("index.json could not be read"),
        "{context}"
    );
    assert!(host.committed.is_empty(), "{:?}", host.committed);
    let index = kept.host.text(path).unwrap();
    host.write(path, &index);
    host.clock += 60_000.0;
    let now_ms = host.clock;
    host.send(Event::Tick { now_ms });
    settle(&mut host);
    let context = host.ok("status", json!({}))["context"][0].clone();
    assert_eq!(context["failure"], Value::Null, "{context}");
}
