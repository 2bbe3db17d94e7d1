//! Checks the result of a verb that writes new code: it parses, its names mean what they meant, and what is written means
//! something.

use codecortex_analysis::changed_names::with_edited_files;
use codecortex_edit::{MeaningCheck, Refusal, check_syntax, check_written};
use codecortex_protocol::Failure;
use codecortex_resolve::Resolver;

use crate::invocation::Invocation;
use crate::tools::refactor::refused::failure;
use crate::tools::refactor::resolved_change::ResolvedChange;

/// Resolves the result of a change. `names` are those of which every look-up is compared.
pub(super) fn check_result(
    cx: &Invocation<'_>,
    resolved: &ResolvedChange,
    names: [&str; 2],
) -> Result<(), Failure> {
    let refuse = |refusal: Refusal| failure(cx, &refusal);
    let change = &resolved.change;
    for file in &change.files {
        let Some(before) = resolved.texts.get(&file.file) else {
            continue;
        };
        let path = cx.shown_path(file.file);
        let after = file.apply(before);
        check_syntax(&path, file.file, before, &after).map_err(refuse)?;
    }
    for created in &change.created {
        check_syntax(&created.path, created.beside, "", &created.text).map_err(refuse)?;
    }
    let check = meaning_before(cx, resolved, names);
    let edited = resolved.texts_after(cx);
    let verified = with_edited_files(cx.code, &edited, |after| {
        check.verify(after)?;
        check_written(change, after)
    });
    verified.map_err(refuse)
}

/// Takes down what the code means now.
pub(super) fn meaning_before(
    cx: &Invocation<'_>,
    resolved: &ResolvedChange,
    names: [&str; 2],
) -> MeaningCheck {
    with_edited_files(cx.code, &resolved.texts_before(), |before| {
        MeaningCheck::new(&Resolver::new(before), &resolved.change, names)
    })
}
