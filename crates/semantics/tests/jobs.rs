//! Jobs of the types of a root: wished, given out, begun, ended, and what the ledger hears of them (SPEC I3, I4, X12).
#![allow(
    clippy::unwrap_used,
    clippy::field_reassign_with_default,
    reason = "tests; the rest of the state is private"
)]

use codecortex_ledger::{Batch, Identity, Ledger, TextState, TypeNow};
use codecortex_semantics::{Accepted, JobOutcome, SemanticJobs, TextFile, Worker};

const NOW: u64 = 1_700_000_000_000;
const MINUTE: u64 = 60_000;

/// A ledger that knows these types.
fn ledger(names: &[&str]) -> Ledger {
    let types = names.iter().map(|name| TypeNow {
        id: id(name),
        identity: Identity {
            fqn: (*name).to_owned(),
            kind: "class".to_owned(),
            arity: 0,
        },
        files: vec![format!("src/{name}.cs")],
        ..TypeNow::default()
    });
    let mut ledger = Ledger::default();
    let batch = Batch {
        changed: types.collect(),
        complete: true,
        ..Batch::default()
    };
    ledger.update(batch, NOW);
    ledger
}

fn id(name: &str) -> String {
    format!("T_{name:a<8}").to_lowercase()
}

fn slots(slots: u32) -> SemanticJobs {
    let mut jobs = SemanticJobs::default();
    jobs.slots = slots;
    jobs
}

fn wish(jobs: &mut SemanticJobs, name: &str, is_wanted: bool) {
    jobs.wishes.push((id(name), is_wanted));
    jobs.has_news = true;
}

/// An update of the ledger, in which jobs are numbered from 1.
fn update(
    jobs: &mut SemanticJobs,
    ledger: &mut Ledger,
    now: u64,
) -> codecortex_semantics::LedgerConsequence {
    let told = jobs.tell(ledger, now);
    let mut last = jobs.given.iter().map(|given| given.id).max().unwrap_or(0);
    jobs.take(
        ledger,
        now,
        false,
        |_| None,
        || {
            last += 1;
            last
        },
    );
    told
}

fn state(ledger: &Ledger, name: &str) -> TextState {
    ledger.get(&id(name)).unwrap().state
}

fn file(name: &str) -> TextFile {
    TextFile {
        path: format!("types/{}.semantic.md", id(name)),
        text: format!("text of {name}"),
    }
}

#[test]
fn a_job_begins_when_it_is_on_the_disk() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order"]));
    wish(&mut jobs, "Order", true);
    assert!(jobs.is_due(Some(&ledger), NOW));
    update(&mut jobs, &mut ledger, NOW);
    assert_eq!(state(&ledger, "Order"), TextState::Generating);
    assert!(
        jobs.running(1).is_none(),
        "another process does not see it yet"
    );
    assert_eq!(jobs.written(), [1]);
    assert_eq!(jobs.running(1).unwrap().types, [id("Order")]);
    assert_eq!(jobs.written(), Vec::<u32>::new(), "it begins once");
    assert!(!jobs.is_due(Some(&ledger), NOW));
}

#[test]
fn a_text_is_written_with_the_update_that_hears_of_it() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order"]));
    wish(&mut jobs, "Order", true);
    update(&mut jobs, &mut ledger, NOW);
    jobs.written();
    jobs.end(1, JobOutcome::Done(vec![file("Order")]));
    jobs.end(7, JobOutcome::Done(Vec::new()));
    let told = update(&mut jobs, &mut ledger, NOW + MINUTE);
    assert_eq!(told.files, [file("Order")]);
    assert_eq!(state(&ledger, "Order"), TextState::Cached);
    assert!(jobs.given.is_empty());
}

#[test]
fn only_so_many_types_are_described_at_a_time() {
    let (mut jobs, mut ledger) = (slots(2), ledger(&["A", "B", "C"]));
    for name in ["A", "B", "C"] {
        wish(&mut jobs, name, true);
    }
    update(&mut jobs, &mut ledger, NOW);
    assert_eq!((jobs.given.len(), ledger.waiting_count()), (2, 1));
    jobs.written();
    jobs.end(1, JobOutcome::Done(Vec::new()));
    update(&mut jobs, &mut ledger, NOW);
    assert_eq!((jobs.given.len(), ledger.waiting_count()), (2, 0));
    let (mut none, mut other) = (slots(0), self::ledger(&["A"]));
    wish(&mut none, "A", true);
    update(&mut none, &mut other, NOW);
    assert!(none.given.is_empty(), "no model");
}

#[test]
fn a_failure_is_tried_again_after_a_while() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order"]));
    wish(&mut jobs, "Order", true);
    update(&mut jobs, &mut ledger, NOW);
    jobs.written();
    jobs.end(1, JobOutcome::Failed("no answer".to_owned(), 10 * MINUTE));
    update(&mut jobs, &mut ledger, NOW);
    assert_eq!(state(&ledger, "Order"), TextState::Pending);
    assert!(jobs.given.is_empty());
    assert_eq!(
        ledger.get(&id("Order")).unwrap().last_error.as_deref(),
        Some("no answer")
    );
    let due = jobs.due(&ledger).unwrap();
    assert!(due >= NOW + 10 * MINUTE && !jobs.is_due(Some(&ledger), NOW + MINUTE));
    assert!(jobs.is_due(Some(&ledger), due));
    update(&mut jobs, &mut ledger, due);
    assert_eq!(jobs.given.len(), 1);
}

#[test]
fn a_quota_that_is_used_up_is_looked_at_again() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order"]));
    wish(&mut jobs, "Order", true);
    jobs.tell(&mut ledger, NOW);
    let spent = |_: u32| Some("20 requests an hour".to_owned());
    jobs.take(&mut ledger, NOW, false, spent, || 1);
    assert!(jobs.given.is_empty());
    assert_eq!(jobs.held().unwrap(), "20 requests an hour");
    let due = jobs.due(&ledger).unwrap();
    assert!(due > NOW);
    jobs.take(&mut ledger, due, false, |_| None, || 1);
    assert_eq!((jobs.given.len(), jobs.held()), (1, None));
}

#[test]
fn a_refused_key_stops_jobs_until_somebody_acts() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order"]));
    jobs.refused = Some("the key is not valid".to_owned());
    wish(&mut jobs, "Order", true);
    update(&mut jobs, &mut ledger, NOW);
    assert!(jobs.given.is_empty() && jobs.held().is_some());
    jobs.refused = None;
    update(&mut jobs, &mut ledger, NOW);
    assert_eq!(jobs.given.len(), 1);
}

#[test]
fn a_cancelled_job_is_void_and_its_answer_counts_for_nothing() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order"]));
    wish(&mut jobs, "Order", true);
    update(&mut jobs, &mut ledger, NOW);
    jobs.written();
    wish(&mut jobs, "Order", false);
    let told = update(&mut jobs, &mut ledger, NOW);
    assert_eq!(told.void, [1]);
    assert_eq!(state(&ledger, "Order"), TextState::None);
    jobs.end(1, JobOutcome::Done(vec![file("Order")]));
    assert!(update(&mut jobs, &mut ledger, NOW).files.is_empty());
}

#[test]
fn a_type_that_is_gone_ends_its_job() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order"]));
    wish(&mut jobs, "Order", true);
    update(&mut jobs, &mut ledger, NOW);
    jobs.written();
    let gone = Batch {
        removed: vec![id("Order")],
        ..Batch::default()
    };
    ledger.update(gone, NOW);
    assert_eq!(update(&mut jobs, &mut ledger, NOW).void, [1]);
    wish(&mut jobs, "Order", true);
    update(&mut jobs, &mut ledger, NOW);
    assert!(jobs.given.is_empty(), "nobody can describe it");
}

#[test]
fn a_text_that_is_handed_in_is_known_before_it_is_on_the_disk() {
    let (mut jobs, mut ledger) = (slots(0), ledger(&["Order"]));
    let seen = ledger.unit(&id("Order")).unwrap().types;
    let accepted = Accepted {
        id: id("Order"),
        seen,
        files: vec![file("Order")],
    };
    jobs.accepted.push(accepted.clone());
    assert_eq!(jobs.brought(&id("Order")), Some(&accepted));
    assert_eq!(
        jobs.text_on_its_way(&file("Order").path),
        Some("text of Order")
    );
    let told = update(&mut jobs, &mut ledger, NOW);
    assert_eq!(told.files, [file("Order")]);
    assert_eq!(state(&ledger, "Order"), TextState::Cached);
    assert!(jobs.brought(&id("Order")).is_none(), "the ledger knows");
    assert!(
        jobs.text_on_its_way(&file("Order").path).is_some(),
        "the disk does not"
    );
    jobs.written();
    assert_eq!(jobs.text_on_its_way(&file("Order").path), None);
}

#[test]
fn a_text_about_an_unknown_type_is_refused_with_a_reason() {
    let (mut jobs, mut ledger) = (slots(0), ledger(&["Order"]));
    jobs.accepted.push(Accepted {
        id: id("Gone"),
        seen: Vec::new(),
        files: vec![file("Gone")],
    });
    let told = update(&mut jobs, &mut ledger, NOW);
    assert!(told.files.is_empty());
    assert_eq!(told.refused[0].0, id("Gone"));
    assert!(!told.refused[0].1.is_empty());
}

#[test]
fn what_another_process_overwrote_is_told_again() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order", "Cart"]));
    let on_disk = self::ledger(&["Order", "Cart"]);
    wish(&mut jobs, "Order", true);
    update(&mut jobs, &mut ledger, NOW);
    // Another process wrote first: the job is not on the disk, and the wish is not either.
    jobs.begin_again();
    assert!(jobs.given.is_empty());
    let mut ledger = on_disk;
    update(&mut jobs, &mut ledger, NOW);
    assert_eq!(state(&ledger, "Order"), TextState::Generating);
    assert_eq!(jobs.given.len(), 1);
}

#[test]
fn a_lost_text_is_none() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order"]));
    wish(&mut jobs, "Order", true);
    update(&mut jobs, &mut ledger, NOW);
    jobs.written();
    jobs.end(1, JobOutcome::Done(vec![file("Order")]));
    update(&mut jobs, &mut ledger, NOW);
    jobs.slots = 0;
    jobs.lost.push(id("Order"));
    update(&mut jobs, &mut ledger, NOW);
    assert_ne!(state(&ledger, "Order"), TextState::Cached);
}

#[test]
fn one_process_describes_the_types_of_a_folder() {
    let (mut mine, mut ledger) = (slots(1), ledger(&["Order", "Cart"]));
    wish(&mut mine, "Order", true);
    wish(&mut mine, "Cart", true);
    update(&mut mine, &mut ledger, NOW);
    let worker = mine.note_worker(NOW).unwrap();
    assert_eq!(
        mine.note_worker(NOW + 1_000),
        Some(worker),
        "the note holds for a while"
    );
    assert!(
        !mine.is_elsewhere(&ledger, Some(worker), NOW),
        "it is this process"
    );
    let mut other = slots(1);
    assert!(other.is_elsewhere(&ledger, Some(worker), NOW));
    other.take(&mut ledger, NOW, true, |_| None, || 1);
    assert!(other.given.is_empty() && other.held().is_some());
    assert!(
        !other.is_elsewhere(&ledger, Some(worker), worker.until),
        "its time is over"
    );
    let far = Worker {
        until: NOW + 60 * MINUTE,
        ..worker
    };
    assert!(
        !other.is_elsewhere(&ledger, Some(far), NOW),
        "of another clock"
    );
    assert!(!other.is_elsewhere(&ledger, None, NOW));
}

#[test]
fn a_process_without_jobs_is_no_worker() {
    let (mut jobs, mut ledger) = (slots(1), ledger(&["Order"]));
    assert_eq!(jobs.note_worker(NOW), None);
    wish(&mut jobs, "Order", true);
    update(&mut jobs, &mut ledger, NOW);
    let first = jobs.note_worker(NOW).unwrap();
    let later = jobs.note_worker(NOW + 4 * MINUTE).unwrap();
    assert_eq!(first.number, later.number);
    assert!(
        later.until > first.until,
        "it says again that it is at work"
    );
    jobs.written();
    jobs.end(1, JobOutcome::Done(Vec::new()));
    update(&mut jobs, &mut ledger, NOW);
    assert_eq!(jobs.note_worker(NOW), None);
}
