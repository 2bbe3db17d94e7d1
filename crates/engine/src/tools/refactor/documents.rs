//! Words of documents that change with a name on request: Markdown and other files of prose, which nothing resolves.

use std::ops::Range;

use codecortex_analysis::prose::is_prose;
use codecortex_analysis::workspace::Status;
use codecortex_live::EditedFile;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{Failure, Located, Missing, Position, TextChange};
use codecortex_syntax::SkipReason;
use codecortex_text::TextDocument;

use crate::invocation::Invocation;
use crate::tools::apply_edit::{check_file, edited_file};
use crate::tools::refactor::answer_parts::WordData;
use crate::tools::refactor::args::TextKind;

/// Documents with the count of replacements in each, and the places of these.
#[derive(Default)]
pub(super) struct ChangedDocuments {
    pub(super) files: Vec<(EditedFile, u32)>,
    pub(super) words: Vec<WordData>,
}

/// Replaces places of all documents, which a text gives in its order.
pub(super) fn change_documents(
    cx: &Invocation<'_>,
    places: impl Fn(&str) -> Vec<Range<u32>>,
    new: &str,
) -> Result<ChangedDocuments, Failure> {
    let documents = documents(cx);
    need_texts(cx, &documents)?;
    let mut changed = ChangedDocuments::default();
    for document in documents {
        let Ok(text) = cx.text_of(&document) else {
            continue; // it is gone, or is no text
        };
        let before = &text.snapshot.text;
        let whole = before.text();
        let words = places(&whole);
        if words.is_empty() {
            continue;
        }
        check_file(cx, (&document.display, &document), false)?;
        let position = |byte: usize| {
            let at = before.position(byte);
            Position {
                line: at.line,
                character: at.character,
            }
        };
        let (mut changes, mut after) = (Vec::new(), before.clone());
        let ranges = words.iter().map(|of| of.start as usize..of.end as usize);
        for range in ranges.clone() {
            let start = position(range.start);
            let place = format!(
                "{}:{}:{}",
                document.display,
                start.line + 1,
                start.character + 1
            );
            changed.words.push(WordData::new(place, TextKind::Document));
            changes.push(TextChange {
                start,
                end: position(range.end),
                text: new.to_owned(),
            });
        }
        for range in ranges.rev() {
            TextDocument::replace(&mut after, range, new);
        }
        let count = changes.len() as u32;
        let file = edited_file(cx, &document, (before, after), changes)?;
        changed.files.push((file, count));
    }
    Ok(changed)
}

/// The files of prose that the workspace shows.
fn documents(cx: &Invocation<'_>) -> Vec<Located> {
    let is_shown = |status: &Status| matches!(status, Status::Skipped(SkipReason::UnknownLanguage));
    let files = cx.workspace.files();
    files
        .filter(|(_, path, state)| is_prose(path) && is_shown(&state.status))
        .filter_map(|(root, path, _)| {
            let root = cx.workspace.roots.get(root as usize)?;
            Some(cx.located(&absolute_path(root, path)))
        })
        .collect()
}

/// Waits for all texts with one look at the disk.
fn need_texts(cx: &Invocation<'_>, files: &[Located]) -> Result<(), Failure> {
    let is_missing =
        |file: &&Located| matches!(cx.text_of(file), Err(Failure::Missing(Missing::Texts(_))));
    let missing: Vec<Located> = files.iter().filter(is_missing).cloned().collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Failure::Missing(Missing::Texts(missing))),
    }
}
