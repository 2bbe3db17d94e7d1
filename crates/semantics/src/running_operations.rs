//! Operations in the `state.json` of a root: which run, and which are done with evidence in which files (SPEC IN1).

use std::collections::{BTreeMap, BTreeSet};

use codecortex_ledger::Ledger;
use serde_json::json;

use crate::investigation::Investigation;
use crate::operation::{OpState, Operation, is_op_id};

/// The key of `state.json` with the ids of running operations.
const RUNNING: &str = "operations";
/// The key of `state.json` with the files of the evidence, relative to the root, by the operation's id.
const CONCLUDED: &str = "concluded";
/// The most operations that are named there.
const MAX_NAMED: usize = 200;

/// Returns the running operations that a root's `state.json` names.
pub fn noted_running(ledger: &Ledger) -> BTreeSet<String> {
    let noted = ledger.foreign_state().get(RUNNING);
    let noted = noted.and_then(|noted| noted.as_array()).into_iter();
    let noted = noted.flatten().filter_map(|id| id.as_str());
    noted.filter(|id| is_op_id(id)).map(str::to_owned).collect()
}

/// Notes which operations run.
pub fn note_running(ledger: &mut Ledger, now: &BTreeSet<String>) {
    let state = ledger.foreign_state_mut();
    match now.is_empty() {
        true => drop(state.remove(RUNNING)),
        false => drop(state.insert(RUNNING.to_owned(), json!(now))),
    }
}

/// Notes which operations of a root are done, with an update of its ledger; `folder` is the root's name in paths.
pub fn note_concluded(
    ledger: &mut Ledger,
    root: u32,
    folder: &str,
    ops: &BTreeMap<String, Investigation>,
) {
    let before = concluded(ledger);
    let mut now = before.clone();
    for (id, op) in ops.iter().filter(|(_, op)| op.root == root) {
        let files = evidence_files(&op.operation, folder);
        match op.operation.state == OpState::Done && !files.is_empty() {
            true => drop(now.insert(id.clone(), files)),
            false => drop(now.remove(id)),
        }
    }
    while now.len() > MAX_NAMED {
        now.pop_first();
    }
    if now == before {
        return;
    }
    let state = ledger.foreign_state_mut();
    match now.is_empty() {
        true => drop(state.remove(CONCLUDED)),
        false => drop(state.insert(CONCLUDED.to_owned(), json!(now))),
    }
}

/// Returns the ids of operations with evidence in some files of a root.
pub fn concluded_about(ledger: &Ledger, files: &BTreeSet<String>) -> Vec<String> {
    let all = concluded(ledger).into_iter();
    all.filter(|(_, of)| !of.is_disjoint(files))
        .map(|(id, _)| id)
        .collect()
}

/// Operations that are done with the files of their evidence; entries of another form are left out.
fn concluded(ledger: &Ledger) -> BTreeMap<String, BTreeSet<String>> {
    let noted = ledger.foreign_state().get(CONCLUDED);
    let noted = noted
        .and_then(|noted| noted.as_object())
        .into_iter()
        .flatten();
    noted
        .filter(|(id, _)| is_op_id(id))
        .map(|(id, files)| {
            let files = files.as_array().into_iter().flatten();
            let files = files.filter_map(|file| file.as_str().map(str::to_owned));
            (id.clone(), files.collect())
        })
        .collect()
}

fn evidence_files(operation: &Operation, folder: &str) -> BTreeSet<String> {
    let evidence = operation.result.iter().flat_map(|result| &result.evidence);
    let verified = evidence.filter(|evidence| evidence.verified);
    let files =
        verified.filter_map(|evidence| evidence.path.strip_prefix(folder)?.strip_prefix('/'));
    files.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::{Conclusion, Evidence};

    fn done(question: &str, path: &str, verified: bool) -> Investigation {
        let mut operation = Operation::new(question, Vec::new());
        operation.state = OpState::Done;
        operation.result = Some(Conclusion {
            evidence: vec![Evidence {
                path: path.to_owned(),
                verified,
                ..Evidence::default()
            }],
            ..Conclusion::default()
        });
        Investigation::new(0, operation)
    }

    fn by_id(ops: Vec<Investigation>) -> BTreeMap<String, Investigation> {
        let ops = ops.into_iter();
        ops.map(|op| (op.operation.op_id.clone(), op)).collect()
    }

    fn about(ledger: &Ledger, path: &str) -> usize {
        concluded_about(ledger, &[path.to_owned()].into()).len()
    }

    #[test]
    fn conclusions_are_found_by_the_files_of_their_verified_evidence() {
        let mut ledger = Ledger::default();
        let ops = by_id(vec![
            done("a?", "shop/src/a.rs", true),
            done("b?", "shop/src/b.rs", false),
            done("c?", "other/src/c.rs", true),
        ]);
        note_concluded(&mut ledger, 0, "shop", &ops);
        assert_eq!(about(&ledger, "src/a.rs"), 1);
        assert_eq!(about(&ledger, "src/b.rs"), 0, "not verified");
        assert_eq!(about(&ledger, "src/c.rs"), 0, "of another folder");
    }

    #[test]
    fn an_operation_that_runs_again_is_no_conclusion() {
        let mut ledger = Ledger::default();
        let mut ops = by_id(vec![done("a?", "shop/a.rs", true)]);
        note_concluded(&mut ledger, 1, "shop", &ops);
        assert_eq!(about(&ledger, "a.rs"), 0, "of another root");
        note_concluded(&mut ledger, 0, "shop", &ops);
        assert_eq!(about(&ledger, "a.rs"), 1);
        for op in ops.values_mut() {
            op.operation.state = OpState::Running;
        }
        note_concluded(&mut ledger, 0, "shop", &ops);
        assert!(!ledger.foreign_state().contains_key(CONCLUDED));
    }

    #[test]
    fn the_names_in_state_json_are_bounded() {
        let mut ledger = Ledger::default();
        let ops = (0..MAX_NAMED + 5).map(|at| done(&format!("{at}?"), "shop/a.rs", true));
        note_concluded(&mut ledger, 0, "shop", &by_id(ops.collect()));
        assert_eq!(about(&ledger, "a.rs"), MAX_NAMED);
    }

    #[test]
    fn entries_of_another_form_are_left_out() {
        let mut ledger = Ledger::default();
        let id = Operation::new("a?", Vec::new()).op_id;
        let state = ledger.foreign_state_mut();
        state.insert(RUNNING.to_owned(), json!([id, 7, "../../etc/passwd"]));
        state.insert(CONCLUDED.to_owned(), json!({ "../x": ["a.rs"], "y": 3 }));
        assert_eq!(noted_running(&ledger), [id].into());
        assert_eq!(about(&ledger, "a.rs"), 0);
        note_running(&mut ledger, &BTreeSet::new());
        assert!(!ledger.foreign_state().contains_key(RUNNING));
    }
}
