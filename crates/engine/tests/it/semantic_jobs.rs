//! Jobs for a model that describes types: what is given out, when, and what becomes of it (SPEC I3, I4, D17, D19).

use crate::support::Host;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::{ModelFailure, ModelOutcome};
use serde_json::Value;

const CORE: &str = "namespace N; public class Core { public int One() { return 1; } }\n";
const USERS: &str =
    "namespace N; public class First : Core { } public class Second { public Core Of; }\n";
/// A whole text.
const TEXT: &str =
    "ROLE:\na\nLIFECYCLE:\nb\nEDGE_CASES:\nc\nLIMITATIONS:\nd\nRECOMMENDATIONS:\ne\n";
/// Longer than a describer has for a job, in ms.
const LONG: f64 = 21.0 * 60_000.0;

fn workspace() -> Host {
    let mut host = Host::new(&format!(
        "//- /app/Core.cs\n{CORE}//- /app/Users.cs\n{USERS}"
    ));
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    host
}

/// Another process on the same disk.
fn second(host: &Host) -> Host {
    let mut other = Host::empty(&[("app", "/w/app")]);
    other.disk.clone_from(&host.disk);
    other.mtimes.clone_from(&host.mtimes);
    other.clock = host.clock;
    other.configure();
    other.touched(&["/w/app/.context"]);
    other.settle();
    other
}

fn type_of(host: &Host, fqn: &str) -> Value {
    let text = host.text("/w/app/.context/index.json").unwrap();
    let index: Value = serde_json::from_str(&text).unwrap();
    let mut types = index["types"].as_array().unwrap().iter();
    types.find(|of| of["fqn"] == fqn).unwrap().clone()
}

fn state(host: &Host, fqn: &str) -> String {
    let of = type_of(host, fqn);
    of["semanticState"].as_str().unwrap().to_owned()
}

fn want(host: &mut Host, names: &[&str], wanted: bool) {
    let id = |name: &&str| {
        type_of(host, &format!("N.{name}"))["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let types = names.iter().map(id).collect();
    host.send(Event::Wanted {
        root: 0,
        types,
        wanted,
    });
    host.settle();
}

fn slots(host: &mut Host, slots: u32) {
    let name = Some("m".to_owned());
    host.send(Event::Model { name, slots });
    host.settle();
}

/// Number and path of a job of one type.
fn job(host: &Host, at: usize) -> (u32, String) {
    match host.jobs.get(at) {
        Some((id, request)) => (*id, request.subject.clone()),
        other => panic!("{other:?}"),
    }
}

fn done(host: &mut Host, id: u32) {
    host.model_says(id, TEXT);
}

#[test]
fn nothing_is_given_out_before_somebody_is_there() {
    let mut host = workspace();
    want(&mut host, &["Core", "First"], true);
    assert!(host.jobs.is_empty());
    assert_eq!(state(&host, "N.Core"), "pending");
    slots(&mut host, 1);
    assert_eq!(host.jobs.len(), 1);
}

#[test]
fn what_most_types_need_comes_first_and_one_at_a_time() {
    let mut host = workspace();
    slots(&mut host, 1);
    want(&mut host, &["First", "Second", "Core"], true);
    let (id, path) = job(&host, 0);
    assert_eq!((path.as_str(), host.jobs.len()), ("N.Core", 1));
    assert_eq!(state(&host, "N.Core"), "generating");
    done(&mut host, id);
    assert_eq!(state(&host, "N.Core"), "cached");
    assert_eq!(host.jobs.len(), 2);
    done(&mut host, id);
    assert_eq!(host.jobs.len(), 2, "a job ends once");
}

#[test]
fn it_is_on_the_disk_before_it_begins() {
    let mut host = workspace();
    slots(&mut host, 1);
    host.refuse = vec![codecortex_engine::protocol::CommitOutcome::Conflict];
    let id = type_of(&host, "N.Core")["id"].as_str().unwrap().to_owned();
    host.send(Event::Wanted {
        root: 0,
        types: vec![id],
        wanted: true,
    });
    while host.refuse.len() == 1 {
        let wait = host.tick_asked.take().unwrap();
        host.clock += f64::from(wait);
        let now_ms = host.clock;
        host.send(Event::Tick { now_ms });
        assert!(host.jobs.is_empty());
    }
    host.settle();
    assert_eq!(host.jobs.len(), 1);
    assert_eq!(state(&host, "N.Core"), "generating");
}

#[test]
fn three_failures_end_it_until_somebody_asks_again() {
    let mut host = workspace();
    slots(&mut host, 1);
    want(&mut host, &["Core"], true);
    for attempt in 0..3 {
        assert_eq!(host.jobs.len(), attempt + 1);
        let (id, _) = job(&host, attempt);
        let outcome = ModelOutcome::failed(ModelFailure::Unreachable, "no answer");
        host.model_ends(id, outcome);
    }
    assert_eq!(host.jobs.len(), 3);
    assert_eq!(state(&host, "N.Core"), "pending");
    assert!(
        host.text("/w/app/.context/state.json")
            .unwrap()
            .contains("no answer")
    );
    want(&mut host, &["Core"], true);
    assert_eq!(host.jobs.len(), 4);
}

#[test]
fn what_is_not_wanted_any_more_is_taken_back() {
    let mut host = workspace();
    slots(&mut host, 1);
    want(&mut host, &["Core"], true);
    let (id, _) = job(&host, 0);
    want(&mut host, &["Core"], false);
    assert_eq!(host.withdrawn, [id]);
    assert_eq!(state(&host, "N.Core"), "none");
    done(&mut host, id);
    assert_eq!(state(&host, "N.Core"), "none");
    assert_eq!(host.jobs.len(), 1);
}

#[test]
fn a_type_that_changed_meanwhile_is_not_up_to_date() {
    let mut host = workspace();
    slots(&mut host, 1);
    want(&mut host, &["Core"], true);
    let (id, _) = job(&host, 0);
    host.write("/w/app/Core.cs", &CORE.replace("int One", "long One"));
    host.touched(&["/w/app/Core.cs"]);
    host.settle();
    done(&mut host, id);
    assert_eq!(state(&host, "N.Core"), "stale");
}

#[test]
fn a_type_that_needs_others_in_a_circle_meanwhile_is_another_job() {
    let mut host = workspace();
    slots(&mut host, 1);
    want(&mut host, &["Core"], true);
    let (id, _) = job(&host, 0);
    host.write("/w/app/Core.cs", &CORE.replace("int One", "First One"));
    host.touched(&["/w/app/Core.cs"]);
    host.settle();
    assert_eq!(host.withdrawn, [id]);
    let (_, subject) = job(&host, host.jobs.len() - 1);
    assert!(["N.Core, N.First", "N.First, N.Core"].contains(&subject.as_str()));
    done(&mut host, id);
    assert_eq!(state(&host, "N.Core"), "generating");
}

#[test]
fn what_another_window_is_at_stays_with_it_until_its_time_is_over() {
    let mut host = workspace();
    slots(&mut host, 1);
    want(&mut host, &["Core"], true);
    let (id, _) = job(&host, 0);
    let mut other = second(&host);
    slots(&mut other, 4);
    assert_eq!(state(&other, "N.Core"), "generating");
    assert!(other.jobs.is_empty());
    // What it wrote is read by the first, which ends its job.
    host.disk.clone_from(&other.disk);
    host.mtimes.clone_from(&other.mtimes);
    host.clock = host.clock.max(other.clock);
    done(&mut host, id);
    assert_eq!(state(&host, "N.Core"), "cached");
}

#[test]
fn what_a_window_was_at_that_ended_is_given_out_again() {
    let mut host = workspace();
    slots(&mut host, 1);
    want(&mut host, &["Core"], true);
    let mut other = second(&host);
    slots(&mut other, 1);
    assert!(other.jobs.is_empty());
    other.clock += LONG;
    let now_ms = other.clock;
    other.send(Event::Tick { now_ms });
    other.settle();
    assert_eq!(job(&other, 0).1, "N.Core");
}

/// What another process wrote on the same disk.
fn reads(host: &mut Host, other: &Host) {
    host.disk.clone_from(&other.disk);
    host.mtimes.clone_from(&other.mtimes);
    host.clock = host.clock.max(other.clock);
    host.touched(&["/w/app/.context"]);
    host.settle();
}

/// One process describes types of a folder (513): what others want it makes, and when it is done they may.
#[test]
fn one_process_describes_types_of_a_folder() {
    let mut host = workspace();
    slots(&mut host, 1);
    want(&mut host, &["Core"], true);
    let (id, _) = job(&host, 0);
    let mut other = second(&host);
    slots(&mut other, 4);
    want(&mut other, &["First", "Second"], true);
    assert!(other.jobs.is_empty(), "another one is at it");
    let told = other.ok(
        "describe",
        serde_json::json!({ "symbol": "N.First", "dryRun": true }),
    );
    assert!(
        told["why"].as_str().unwrap().contains("another process"),
        "{told}"
    );
    // The first one makes what the other wanted.
    reads(&mut host, &other);
    done(&mut host, id);
    let (next, path) = job(&host, 1);
    assert!(["N.First", "N.Second"].contains(&path.as_str()), "{path}");
    done(&mut host, next);
    let (last, _) = job(&host, 2);
    done(&mut host, last);
    for name in ["Core", "First", "Second"] {
        assert_eq!(state(&host, &format!("N.{name}")), "cached");
    }
    let noted = host.text("/w/app/.context/state.json").unwrap();
    assert!(!noted.contains("\"describing\""), "{noted}");
    // Then the folder is free.
    reads(&mut other, &host);
    other.clock += 6.0 * 60_000.0;
    want(&mut other, &["First"], true);
    let told = other.ok(
        "describe",
        serde_json::json!({ "symbol": "N.First", "dryRun": true }),
    );
    assert!(!told.to_string().contains("another process"), "{told}");
}

/// A process that ended holds others up for five minutes, and not at all where what it was at is taken back.
#[test]
fn who_ended_without_a_word_describes_nothing_more() {
    let begun = || {
        let mut host = workspace();
        slots(&mut host, 1);
        want(&mut host, &["Core"], true);
        let mut other = second(&host);
        slots(&mut other, 1);
        want(&mut other, &["First"], true);
        assert!(other.jobs.is_empty());
        other
    };
    let mut other = begun();
    other.clock += 60_000.0;
    want(&mut other, &["Second"], true);
    assert!(other.jobs.is_empty(), "it may wait for its model");
    other.clock += 5.0 * 60_000.0;
    want(&mut other, &["Second"], true);
    let (_, path) = job(&other, 0);
    assert!(["N.First", "N.Second"].contains(&path.as_str()), "{path}");
    let mut other = begun();
    want(&mut other, &["Core"], false);
    assert_eq!(job(&other, 0).1, "N.First");
}
