//! `rename`: one name for a declaration and everything that must share it.

use codecortex_analysis::changed_names::{EditedText, with_edited_files};
use codecortex_edit::{MeaningCheck, Refusal, Rename, RenameOptions, RenameTexts, SourceChange};
use codecortex_protocol::{Failure, ToolError};
use codecortex_resolve::Resolver;

use crate::invocation::Invocation;
use crate::tools::refactor::args::RefactorArgs;
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, edited_texts, planned, texts_of};
use crate::tools::refactor::refused::failure;
use crate::tools::refactor::subject::{RefactoringSubject, subject};

/// Plans a rename.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let (rename, change, texts) = {
        let names = cx.names();
        let resolver = Resolver::new(names.workspace());
        let found = find(cx, &resolver, args)?;
        let rename = found.map_err(|refusal| failure(cx, &refusal))?;
        cx.need_texts(rename.files().iter().copied())?;
        let texts = texts_of(cx, rename.files())?;
        let change = rename.plan(&resolver, &texts);
        let change = change.map_err(|refusal| failure(cx, &refusal))?;
        (rename, change, texts)
    };
    let check = check_of(cx, &rename, &change, &texts);
    let edited = edited_texts(cx, &change, &texts);
    let verified = with_edited_files(cx.code, &edited, |after| check.verify(after));
    verified.map_err(|refusal| failure(cx, &refusal))?;
    let (old, new) = (rename.old_name(), rename.new_name());
    let title = EditTitle {
        summary: format!("Rename `{old}` to `{new}`"),
        plan: format!("{old} -> {new}"),
        done: format!("renamed {old} to {new}"),
        names: Some((old.to_owned(), new.to_owned())),
    };
    planned(cx, title, &change, &texts)
}

/// Takes down what the code means now. The bindings of the changed texts are made anew, as those of the result are: the
/// ones at hand may be of a text that is being edited, whose bindings are made in another way.
fn check_of(
    cx: &Invocation<'_>,
    rename: &Rename,
    change: &SourceChange,
    texts: &RenameTexts,
) -> MeaningCheck {
    let files = change.files.iter();
    let files = files.filter_map(|file| {
        let text = texts.get(&file.file)?.clone();
        Some(EditedText::changed(file.file, text))
    });
    let texts: Vec<EditedText> = files.collect();
    with_edited_files(cx.code, &texts, |before| {
        let names = [rename.old_name(), rename.new_name()];
        MeaningCheck::new(&Resolver::new(before), change, names)
    })
}

/// What the arguments name, with its places.
fn find(
    cx: &Invocation<'_>,
    resolver: &Resolver<'_>,
    args: &RefactorArgs,
) -> Result<Result<Rename, Refusal>, Failure> {
    let options = RenameOptions {
        leaves_unsure: args.leave_unsure == Some(true),
    };
    let Some(new) = args.new_name.as_deref() else {
        let error = ToolError::invalid("`newName` is missing or empty.");
        return Err(error.detail("kind", "InvalidName").into());
    };
    let family = |of| resolver.rename_family(&[of]).defs.into_iter().collect();
    Ok(match subject(cx, resolver, args, family)? {
        RefactoringSubject::Declarations(defs) => Rename::of(resolver, &defs, new, options),
        RefactoringSubject::Place(file, byte) => {
            Rename::at_place(resolver, (file, byte), new, options)
        }
    })
}
