//! Checks the result of a verb that writes new code: it parses, its names mean what they meant, and what is written means
//! something.

use codecortex_analysis::changed_names::{EditedText, with_edited_files};
use codecortex_edit::{
    MeaningCheck, Refusal, RenameTexts, SourceChange, check_syntax, check_written,
};
use codecortex_protocol::Failure;
use codecortex_resolve::Resolver;

use crate::invocation::Invocation;
use crate::tools::refactor::planned::edited_texts;
use crate::tools::refactor::refused::failure;

/// Resolves the result of a change. `names` are those of which every look-up is compared.
pub(super) fn check_result(
    cx: &Invocation<'_>,
    change: &SourceChange,
    texts: &RenameTexts,
    names: [&str; 2],
) -> Result<(), Failure> {
    let refuse = |refusal: Refusal| failure(cx, &refusal);
    for file in &change.files {
        let Some(before) = texts.get(&file.file) else {
            continue;
        };
        let path = cx.shown_path(file.file);
        let after = file.apply(before);
        check_syntax(&path, file.file, before, &after).map_err(refuse)?;
    }
    for created in &change.created {
        check_syntax(&created.path, created.beside, "", &created.text).map_err(refuse)?;
    }
    // The bindings before are made anew, as those of the result are: the ones at hand may be of a text that is being edited.
    let before: Vec<EditedText> = change
        .files
        .iter()
        .filter_map(|file| {
            let text = texts.get(&file.file)?.clone();
            Some(EditedText::changed(file.file, text))
        })
        .collect();
    let check = with_edited_files(cx.code, &before, |before| {
        MeaningCheck::new(&Resolver::new(before), change, names)
    });
    let edited = edited_texts(cx, change, texts);
    let verified = with_edited_files(cx.code, &edited, |after| {
        check.verify(after)?;
        check_written(change, after)
    });
    verified.map_err(refuse)
}
