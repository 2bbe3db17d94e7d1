//! What investigations concluded about types that are to be described (SPEC SE1, IN1).
//!
//! `state.json` names the operations that are done, each with the files in which its evidence stands, so that nobody looks
//! through `ops/` for a prompt. A conclusion is offered as long as everything that it rests on is as it was, and with those of
//! its places alone that were checked and lie in the described types: what another says is evidence, and no more.

use codecortex_analysis::view::AnalysisView;
use codecortex_index::Symbol;
use codecortex_protocol::paths::display;
use codecortex_semantics::{Finding, OpState, Operation};

use crate::conclusion::is_current;

/// The most conclusions of a prompt.
const MAX_FINDINGS: usize = 5;

/// What operations say about types, those with the most evidence in them first.
pub(crate) fn findings(
    view: &AnalysisView<'_>,
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
    found.truncate(MAX_FINDINGS);
    found
}

/// The files, as answers show them, and lines of all parts of types.
fn parts_of(view: &AnalysisView<'_>, root: u32, types: &[Symbol]) -> Vec<(String, u32, u32)> {
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
