//! What the index thinks of the result of an edit: places that do not parse, names that mean nothing or something else.

use codecortex_analysis::changed_names::with_edited_files;
use codecortex_edit::{ResolvedUses, UseProblem, new_syntax_errors};
use codecortex_protocol::Failure;
use codecortex_resolve::{FileNo, Resolver};
use codecortex_text::TextDocument;

use crate::invocation::Invocation;
use crate::tools::refactor::answer_parts::ProblemData;
use crate::tools::refactor::refused::place_of;
use crate::tools::refactor::resolved_change::ResolvedChange;

/// The most problems of an answer.
const MAX_PROBLEMS: usize = 50;

/// The uses that an edit would change.
pub(super) fn changed_uses(cx: &Invocation<'_>, resolved: &ResolvedChange) -> Vec<UseProblem> {
    let uses = with_edited_files(cx.code, &resolved.texts_before(), |before| {
        ResolvedUses::new(&Resolver::new(before), &resolved.change)
    });
    with_edited_files(cx.code, &resolved.texts_after(cx), |after| {
        uses.problems(after)
    })
}

/// The problems that an edit would leave.
pub(super) fn aftermath(
    cx: &Invocation<'_>,
    resolved: &ResolvedChange,
) -> Result<Vec<ProblemData>, Failure> {
    let mut problems = Vec::new();
    for file in &resolved.change.files {
        let Some(before) = resolved.texts.get(&file.file) else {
            continue;
        };
        let after = file.apply(before);
        let path = cx.shown_path(file.file);
        for at in new_syntax_errors(&path, before, &after) {
            let place = place_in(&path, &after, at);
            problems.push(ProblemData::syntax_error(place));
        }
    }
    let uses = changed_uses(cx, resolved);
    for found in uses.iter().take(MAX_PROBLEMS) {
        let place = place_after(cx, resolved, (found.file, found.at))?;
        problems.push(ProblemData::of_use(place, found));
    }
    problems.truncate(MAX_PROBLEMS);
    Ok(problems)
}

/// A place of the result as answers show it.
fn place_after(
    cx: &Invocation<'_>,
    resolved: &ResolvedChange,
    (file, at): (FileNo, u32),
) -> Result<String, Failure> {
    let changed = resolved.change.file(file).zip(resolved.texts.get(&file));
    match changed {
        Some((changed, before)) => Ok(place_in(&cx.shown_path(file), &changed.apply(before), at)),
        None => place_of(cx, file, at),
    }
}

fn place_in(path: &str, text: &str, at: u32) -> String {
    let document = TextDocument::new(text);
    let at = document.position((at as usize).min(document.len()));
    format!("{path}:{}:{}", at.line + 1, at.character + 1)
}
