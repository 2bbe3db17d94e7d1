//! `move`: a declaration to another file, with the imports on all sides.

use codecortex_analysis::other_states::path_in_names;
use codecortex_edit::{LocatedEdit as _, MoveDeclaration, MoveOptions, MoveTarget};
use codecortex_index::FileId;
use codecortex_protocol::{Failure, ToolError};
use codecortex_resolve::{FileNo, Resolver};

use crate::invocation::Invocation;
use crate::tools::refactor::args::{RefactorArgs, TextKind};
use crate::tools::refactor::checked::check_result;
use crate::tools::refactor::documents::{ChangedDocuments, change_documents};
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, planned};
use crate::tools::refactor::resolved_change::resolve_with;
use crate::tools::refactor::subject::{RefactoringSubject, subject};

/// Plans a move.
pub(super) fn plan(cx: &Invocation<'_>, args: &RefactorArgs) -> Result<PlannedEdit, Failure> {
    let Some(path) = args.new_path.as_deref() else {
        return Err(ToolError::invalid("`newPath` is missing.").into());
    };
    let options = MoveOptions {
        re_exports: args.re_export == Some(true),
        comments: args.wants_text(TextKind::Comment),
        strings: args.wants_text(TextKind::String),
    };
    let locate = |resolver: &Resolver<'_>| {
        let subject = subject(cx, resolver, args, |of| resolver.symbol(of))?;
        let old = match &subject {
            RefactoringSubject::Declarations(defs) => defs.first().map(|def| def.file),
            RefactoringSubject::Place(file, _) => Some(*file),
        };
        let old = old.ok_or_else(|| ToolError::invalid("Nothing is named there."))?;
        let target = target(cx, resolver, old, path)?;
        Ok(match subject {
            RefactoringSubject::Declarations(defs) => {
                MoveDeclaration::of(resolver, &defs, target, options)
            }
            RefactoringSubject::Place(file, byte) => {
                MoveDeclaration::at_place(resolver, (file, byte), target, options)
            }
        })
    };
    let (moved, resolved) = resolve_with(cx, locate, |_, _| match options.has_texts() {
        true => cx.shown_files().map(|(id, _)| id.0).collect(),
        false => Vec::new(),
    })?;
    check_result(cx, &resolved, moved.names())?;
    let documents = match args.wants_text(TextKind::Document) {
        true => documents(cx, &moved)?,
        false => ChangedDocuments::default(),
    };
    let title = EditTitle::of_verb(format!("Move `{}` to {path}", moved.name()), "moved");
    Ok(planned(cx, title, &resolved)?.with_documents(documents))
}

/// The documents that write the declaration with its module.
fn documents(cx: &Invocation<'_>, moved: &MoveDeclaration) -> Result<ChangedDocuments, Failure> {
    let name = {
        let names = cx.names();
        moved.dotted_name(&Resolver::new(names.workspace()))
    };
    match name {
        Some(name) => change_documents(cx, |text| name.places(text), name.replacement()),
        None => Err(ToolError::invalid(
            "Texts of this language do not write a declaration with its file.",
        )
        .into()),
    }
}

/// The file that a path below the workspace folder of the old file means. A path may begin with the folder's name.
fn target(
    cx: &Invocation<'_>,
    resolver: &Resolver<'_>,
    old: FileNo,
    path: &str,
) -> Result<MoveTarget, Failure> {
    let file = cx.index.file(FileId(old));
    let root = file.map_or(0, |file| file.root);
    let shown = cx.shown_path(old);
    let own = file.map_or("", |file| &*file.path);
    let folder = shown.strip_suffix(own).unwrap_or_default();
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let path = path
        .strip_prefix(folder)
        .filter(|_| !folder.is_empty())
        .unwrap_or(path);
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    if path.starts_with('/') || !path.split('/').all(is_plain) {
        let error = ToolError::invalid(format!("`{path}` is no path below the workspace folder."));
        return Err(error.into());
    }
    let in_names = path_in_names(cx.code, root, path).into_owned();
    let there = resolver.workspace().file_at(&in_names);
    Ok(MoveTarget {
        path: in_names,
        path_in_folder: path.to_owned(),
        file: there.unwrap_or_else(|| cx.code.first_free_file()),
        exists: there.is_some(),
    })
}
