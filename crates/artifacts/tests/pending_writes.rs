//! Answers that wait until their effects are in `.context/` (SPEC D37, X12).
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_artifacts::{HeldCall, NotWritten, PATIENCE_MS, Unwritten};
use codecortex_protocol::{Beginning, ErrorCode, Room};
use proptest::prelude::*;

type Writes = Unwritten<&'static str, &'static str>;

const NOW: u64 = 1_700_000_000_000;

/// A call that wants an effect kept in each of these roots, and whose answer waits for them.
fn hold(writes: &mut Writes, call: u32, roots: &[u32]) {
    let kept = roots.iter().map(|root| (*root, "pin"));
    writes.note(call, kept.collect());
    let waits_for = writes.roots_of_call(call);
    writes.hold(HeldCall::new(call, "done", true), waits_for, NOW);
}

/// The calls whose answers wait for nothing any more, with why their effects are not kept.
fn ready(writes: &mut Writes) -> Vec<(u32, Option<NotWritten>)> {
    let ready = writes.take_ready().into_iter();
    ready.map(|(held, why)| (held.id, why)).collect()
}

#[test]
fn an_answer_waits_for_all_of_its_roots() {
    let mut writes = Writes::default();
    hold(&mut writes, 1, &[0, 1]);
    assert_eq!(writes.awaited_roots(), [0, 1]);
    writes.take(0);
    writes.written(0);
    assert_eq!(ready(&mut writes), []);
    assert!(!writes.is_awaited(0) && writes.is_awaited(1));
    writes.take(1);
    writes.written(1);
    assert_eq!(ready(&mut writes), [(1, None)]);
    assert!(writes.kept_of(0).is_empty() && writes.kept_of(1).is_empty());
}

#[test]
fn an_update_has_what_was_noted_before_it_began() {
    let mut writes = Writes::default();
    hold(&mut writes, 1, &[0]);
    writes.take(0);
    hold(&mut writes, 2, &[0]);
    writes.written(0);
    assert_eq!(ready(&mut writes), [(1, None)]);
    assert_eq!(writes.kept_of(0), ["pin"], "of the second call");
    writes.take(0);
    writes.written(0);
    assert_eq!(ready(&mut writes), [(2, None)]);
}

#[test]
fn a_disk_that_takes_nothing_fails_what_the_update_had() {
    let mut writes = Writes::default();
    hold(&mut writes, 1, &[0]);
    writes.take(0);
    hold(&mut writes, 2, &[0]);
    let full = NotWritten::Disk("full".to_owned());
    writes.failed(0, full.clone());
    assert_eq!(ready(&mut writes), [(1, Some(full))]);
    assert_eq!(writes.kept_of(0).len(), 1);
}

#[test]
fn another_process_that_always_writes_first_is_not_waited_for_endlessly() {
    let mut writes = Writes::default();
    hold(&mut writes, 1, &[0]);
    writes.take(0);
    for _ in 0..200 {
        writes.conflicted(0);
        assert_eq!(ready(&mut writes), []);
    }
    writes.conflicted(0);
    assert_eq!(ready(&mut writes), [(1, Some(NotWritten::Busy))]);
    writes.conflicted(7); // no such root
}

#[test]
fn an_answer_waits_so_long_and_no_longer() {
    let mut writes = Writes::default();
    hold(&mut writes, 1, &[0, 1]);
    assert!(writes.expire(NOW + PATIENCE_MS).is_empty());
    assert_eq!(writes.expire(NOW + PATIENCE_MS + 1), [0, 1]);
    assert_eq!(ready(&mut writes), [(1, Some(NotWritten::Busy))]);
}

#[test]
fn patience_begins_when_the_time_is_known() {
    let mut writes = Writes::default();
    writes.note(1, vec![(0, "pin")]);
    let roots = writes.roots_of_call(1);
    writes.hold(HeldCall::new(1, "done", true), roots, 0);
    assert!(writes.expire(NOW).is_empty(), "no time was known before");
    assert_eq!(writes.expire(NOW + PATIENCE_MS + 1), [0]);
}

#[test]
fn a_refused_effect_fails_its_own_call_alone() {
    let mut writes = Writes::default();
    writes.note(1, vec![(0, "text")]);
    let roots = writes.roots_of_call(1);
    writes.hold(HeldCall::new(1, "done", true), roots, NOW);
    hold(&mut writes, 2, &[0]);
    assert_eq!(writes.call_of(0, |kept| *kept == "text"), Some(1));
    writes.refused(1, "it is another type now".to_owned());
    let why = NotWritten::Refused("it is another type now".to_owned());
    assert_eq!(ready(&mut writes), [(1, Some(why))]);
    assert_eq!(writes.call_of(0, |kept| *kept == "text"), None);
    assert_eq!(writes.kept_of(0), ["pin"]);
}

#[test]
fn a_cancelled_call_has_no_answer_and_keeps_its_effect() {
    let mut writes = Writes::default();
    hold(&mut writes, 1, &[0]);
    assert!(writes.take_held(2).is_none());
    assert_eq!(writes.take_held(1).unwrap().answered, "done");
    assert_eq!(writes.kept_of(0), ["pin"]);
    writes.take(0);
    writes.written(0);
    assert_eq!(ready(&mut writes), []);
}

#[test]
fn other_roots_abandon_what_waits_and_new_settings_do_not() {
    let mut writes = Writes::default();
    hold(&mut writes, 1, &[0]);
    let begin = |writes: &mut Writes, are_same_roots| {
        let beginning = Beginning {
            roots: 1,
            are_same_roots,
        };
        Room::<()>::begin(writes, beginning);
    };
    begin(&mut writes, true);
    assert_eq!(writes.awaited_roots(), [0]);
    begin(&mut writes, false);
    assert_eq!(ready(&mut writes), [(1, Some(NotWritten::Abandoned))]);
    assert!(writes.kept_of(0).is_empty());
}

#[test]
fn each_failure_has_its_code_and_a_next_step() {
    for (why, code, may_repeat) in [
        (NotWritten::Busy, ErrorCode::Busy, true),
        (
            NotWritten::Disk("full".to_owned()),
            ErrorCode::Unavailable,
            false,
        ),
        (
            NotWritten::Refused("old".to_owned()),
            ErrorCode::VersionConflict,
            false,
        ),
        (NotWritten::Abandoned, ErrorCode::Cancelled, false),
    ] {
        let error = why.into_error();
        assert_eq!(error.code, code);
        assert_eq!(error.retryable == Some(true), may_repeat);
        assert!(error.message.starts_with("Nothing was kept: "));
        assert!(error.hint.is_some());
    }
}

/// Something that happens to a root.
#[derive(Clone, Copy, Debug)]
enum Step {
    Hold(u32),
    Take(u32),
    Written(u32),
    Failed(u32),
    Conflicted(u32),
}

fn step() -> impl Strategy<Value = Step> {
    let root = 0..3_u32;
    prop_oneof![
        root.clone().prop_map(Step::Hold),
        root.clone().prop_map(Step::Take),
        root.clone().prop_map(Step::Written),
        root.clone().prop_map(Step::Failed),
        root.prop_map(Step::Conflicted),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Each call gets one answer, and no answer says that an effect is kept which is still to be written.
    #[test]
    fn every_call_is_answered_once(steps in proptest::collection::vec(step(), 1..60)) {
        let mut writes = Writes::default();
        let mut waiting = std::collections::BTreeSet::new();
        let mut calls = 0;
        for step in steps {
            match step {
                Step::Hold(root) => {
                    calls += 1;
                    hold(&mut writes, calls, &[root, (root + 1) % 3]);
                    waiting.insert(calls);
                }
                Step::Take(root) => writes.take(root),
                Step::Written(root) => writes.written(root),
                Step::Failed(root) => writes.failed(root, NotWritten::Busy),
                Step::Conflicted(root) => writes.conflicted(root),
            }
            for (call, why) in ready(&mut writes) {
                prop_assert!(waiting.remove(&call), "{} is answered twice", call);
                prop_assert!(why.is_some() || writes.roots_of_call(call).is_empty());
            }
        }
        for root in 0..3 {
            writes.take(root);
            writes.written(root);
        }
        for (call, _) in ready(&mut writes) {
            prop_assert!(waiting.remove(&call));
        }
        prop_assert!(waiting.is_empty());
    }
}
