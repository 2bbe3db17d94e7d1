//! What investigations concluded about types that are to be described (SPEC SE1, IN1).
//!
//! `state.json` names the operations that are done, each with the files in which its evidence stands, so that nobody looks
//! through `ops/` for a prompt. A conclusion is offered as long as everything that it rests on is as it was, and with those of
//! its places alone that were checked and lie in the described types: what another says is evidence, and no more.

use std::collections::{BTreeMap, BTreeSet};

use codecortex_analysis::view::View;
use codecortex_index::Symbol;
use codecortex_ledger::Ledger;
use codecortex_protocol::paths::display;
use codecortex_semantics::{Finding, OpState, Operation, is_op_id};
use serde_json::json;

use crate::semantics::conclusion::is_current;
use crate::semantics::investigation::Investigation;

/// The key of `state.json` with what is concluded: the files of the evidence, relative to the root, by the operation's id.
const CONCLUDED: &str = "concluded";
/// Operations that are named there, and conclusions of a prompt.
const MOST_NAMED: usize = 200;
const MOST_FINDINGS: usize = 5;

/// Notes which operations of a root are done, with an update of its ledger.
pub(crate) fn note_concluded(
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
    while now.len() > MOST_NAMED {
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

/// Operations that are done with the files of their evidence; what is none of that form is left out.
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

/// Ids of operations with evidence in some files of a root.
pub(crate) fn concluded_about(ledger: &Ledger, files: &BTreeSet<String>) -> Vec<String> {
    let all = concluded(ledger).into_iter();
    all.filter(|(_, of)| !of.is_disjoint(files))
        .map(|(id, _)| id)
        .collect()
}

/// What operations say about types, those with the most evidence in them first.
pub(crate) fn findings(
    view: &View<'_>,
    root: u32,
    types: &[Symbol],
    operations: &[Operation],
) -> Vec<Finding> {
    let parts = parts_of(view, root, types);
    let mut found: Vec<Finding> = Vec::new();
    for operation in operations {
        let Some(result) = &operation.result else {
            continue;
        };
        let is_offered = operation.state == OpState::Done && is_current(view, operation);
        let inside = result.evidence.iter().filter(|evidence| {
            let mut parts = parts.iter();
            evidence.verified
                && parts.any(|(path, first, last)| {
                    *path == evidence.path
                        && evidence.start_line <= *last
                        && evidence.end_line >= *first
                })
        });
        let evidence: Vec<String> = inside
            .map(|of| format!("{}:{}-{} {}", of.path, of.start_line, of.end_line, of.why))
            .collect();
        if is_offered && !evidence.is_empty() {
            found.push(Finding {
                question: operation.question.clone(),
                conclusion: result.conclusion.clone(),
                evidence,
            });
        }
    }
    found.sort_by(|a, b| {
        let by_evidence = b.evidence.len().cmp(&a.evidence.len());
        by_evidence.then_with(|| a.question.cmp(&b.question))
    });
    found.truncate(MOST_FINDINGS);
    found
}

/// The files, as answers show them, and lines of all parts of types.
fn parts_of(view: &View<'_>, root: u32, types: &[Symbol]) -> Vec<(String, u32, u32)> {
    let Some(folder) = view.workspace.roots.get(root as usize) else {
        return Vec::new();
    };
    let parts = types.iter().flat_map(|symbol| view.index.parts(*symbol));
    parts
        .filter_map(|part| {
            let (file, item) = view.index.get(part.symbol)?;
            let (first, last) = (item.start.line + 1, item.end.line + 1);
            Some((display(folder, &file.path), first, last))
        })
        .collect()
}
