//! `rename`: one name for a declaration and everything that must share it.

use std::ops::Range;

use codecortex_analysis::changed_names::with_edited_files;
use codecortex_edit::{LocatedEdit as _, Rename, RenameOptions, whole_words};
use codecortex_protocol::{Failure, ToolError};

use crate::invocation::Invocation;
use crate::tools::refactor::args::{RefactorArgs, TextKind};
use crate::tools::refactor::checked::meaning_before;
use crate::tools::refactor::documents::{ChangedDocuments, change_documents};
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned};
use crate::tools::refactor::refused::failure;
use crate::tools::refactor::resolved_change::resolve_with;
use crate::tools::refactor::subject::{RefactoringSubject, subject};

/// Plans a rename.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let Some(new) = args.new_name.as_deref() else {
        let error = ToolError::invalid("`newName` is missing or empty.");
        return Err(error.detail("kind", "InvalidName").into());
    };
    let options = options(args);
    let (rename, resolved) = resolve_with(
        cx,
        |resolver| {
            let family = |of| resolver.rename_family(&[of]).defs.into_iter().collect();
            Ok(match subject(cx, resolver, args, family)? {
                RefactoringSubject::Declarations(defs) => Rename::of(resolver, &defs, new, options),
                RefactoringSubject::Place(file, byte) => {
                    Rename::at_place(resolver, (file, byte), new, options)
                }
            })
        },
        |_, rename| match (options.comments || options.strings) && !rename.is_local() {
            true => cx.shown_files().map(|(id, _)| id.0).collect(),
            false => Vec::new(),
        },
    )?;
    let check = meaning_before(cx, &resolved, rename.names());
    let edited = resolved.texts_after(cx);
    let verified = with_edited_files(cx.code, &edited, |after| check.verify(after));
    verified.map_err(|refusal| failure(cx, &refusal))?;
    let (old, new) = (rename.old_name(), rename.new_name());
    let title = EditTitle {
        summary: format!("Rename `{old}` to `{new}`"),
        plan: format!("{old} -> {new}"),
        done: format!("renamed {old} to {new}"),
        names: Some((old.to_owned(), new.to_owned())),
    };
    let documents = match args.wants_text(TextKind::Document) && !rename.is_local() {
        true => change_documents(cx, |text| words(text, old), new)?,
        false => ChangedDocuments::default(),
    };
    Ok(planned(cx, title, &resolved)?.with_documents(documents))
}

fn options(args: &RefactorArgs) -> RenameOptions {
    RenameOptions {
        leaves_unsure: args.leave_unsure == Some(true),
        notes_doubts: args.leave_unsure == Some(true),
        comments: args.wants_text(TextKind::Comment),
        strings: args.wants_text(TextKind::String),
    }
}

/// The whole words of a text that are spelled like a name.
fn words(text: &str, name: &str) -> Vec<Range<u32>> {
    let length = name.len() as u32;
    let words = whole_words(text, name).into_iter();
    words.map(|at| at..at + length).collect()
}
