//! Checks what was concluded against the sources, and later whether these are as they were (SPEC IN1).

use codecortex_analysis::view::AnalysisView;
use codecortex_index::{HashRules, render};
use codecortex_protocol::paths::{display, places};
use codecortex_protocol::{Failure, Missing};
use codecortex_semantics::{
    Conclusion, Evidence, Investigation, OpState, Operation, ReadFile, clean_text, verify,
};

/// Checks a conclusion and ends the operation with it.
///
/// # Errors
/// Waits for the texts of its evidence.
pub fn finish(
    cx: &AnalysisView<'_>,
    op: &mut Investigation,
    mut conclusion: Conclusion,
) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for evidence in &mut conclusion.evidence {
        let Some(path) = shown_path(cx, &evidence.path) else {
            verify(evidence, None);
            continue;
        };
        let found = places(&path, &cx.workspace.roots)?;
        let Some(id) = found
            .iter()
            .find_map(|place| cx.index.file_id(place.root, &place.path))
        else {
            continue;
        };
        match cx.text_of_file(id) {
            Ok(text) => verify_shown(evidence, text.snapshot.text.text()),
            Err(Failure::Missing(Missing::Texts(files))) => missing.extend(files),
            Err(_) => verify(evidence, None),
        }
        evidence.path.clone_from(&path);
        op.seen.insert(path);
    }
    if !missing.is_empty() {
        missing.dedup();
        return Err(Failure::Missing(Missing::Texts(missing)));
    }
    let read = op.seen.iter();
    op.operation.read = read
        .map(|path| ReadFile {
            hash: code_hash(cx, path).unwrap_or_default(),
            path: path.clone(),
        })
        .collect();
    op.operation.result = Some(conclusion);
    op.operation.error = None;
    op.operation.state = OpState::Done;
    Ok(())
}

/// Checks evidence against a text, or where a model was sent the text without secrets against that.
fn verify_shown(evidence: &mut Evidence, mut text: String) {
    verify(evidence, Some(&text));
    if !evidence.verified && evidence.quote.contains("[secret:") && clean_text(&mut text) > 0 {
        verify(evidence, Some(&text));
    }
}

/// A hash of the code of a file: comments, documentation and white space do not count.
fn code_hash(cx: &AnalysisView<'_>, path: &str) -> Option<String> {
    let found = places(path, &cx.workspace.roots).ok()?;
    let mut files = found.iter();
    let file = files.find_map(|place| cx.index.file_id(place.root, &place.path))?;
    let mut sum = [0u8; 16];
    for (unit, place) in cx.index.units_of(file) {
        let hashed = cx
            .index
            .hashes_without(&unit, place, HashRules::default(), None)?
            .hashes;
        for digest in [hashed.structure, hashed.implementation()] {
            sum.iter_mut()
                .zip(digest)
                .for_each(|(sum, byte)| *sum = sum.rotate_left(3) ^ byte);
        }
    }
    Some(render(&sum))
}

/// Whether everything that an operation read is as it was.
pub fn is_current(cx: &AnalysisView<'_>, operation: &Operation) -> bool {
    let mut read = operation.read.iter();
    read.all(|file| code_hash(cx, &file.path).as_deref() == Some(file.hash.as_str()))
}

/// An indexed file, as answers show it.
pub fn shown_path(cx: &AnalysisView<'_>, path: &str) -> Option<String> {
    let found = places(path, &cx.workspace.roots).ok()?;
    let place = found
        .into_iter()
        .find(|place| cx.index.file_id(place.root, &place.path).is_some())?;
    let root = cx.workspace.roots.get(place.root as usize)?;
    Some(display(root, &place.path))
}
