//! From a wish to a change: its places are located, their texts are read, and the replacements are planned.

use codecortex_analysis::changed_names::EditedText;
use codecortex_edit::{LocatedEdit, Refusal, RenameTexts, SourceChange};
use codecortex_index::FileId;
use codecortex_protocol::Failure;
use codecortex_resolve::{FileNo, Resolver};

use crate::invocation::Invocation;
use crate::tools::refactor::current_texts::texts_of;
use crate::tools::refactor::refused::failure;

/// A change with the texts that it is of: what every verb plans.
pub(super) struct ResolvedChange {
    pub(super) change: SourceChange,
    /// At least those of the changed files.
    pub(super) texts: RenameTexts,
}

/// Locates an edit and plans its replacements.
pub(super) fn resolve<E: LocatedEdit>(
    cx: &Invocation<'_>,
    locate: impl FnOnce(&Resolver<'_>) -> Result<Result<E, Refusal>, Failure>,
) -> Result<(E, ResolvedChange), Failure> {
    resolve_with(cx, locate, |_, _| Vec::new())
}

/// The same with the texts of further files.
pub(super) fn resolve_with<E: LocatedEdit>(
    cx: &Invocation<'_>,
    locate: impl FnOnce(&Resolver<'_>) -> Result<Result<E, Refusal>, Failure>,
    further: impl FnOnce(&Resolver<'_>, &E) -> Vec<FileNo>,
) -> Result<(E, ResolvedChange), Failure> {
    let names = cx.names();
    let resolver = Resolver::new(names.workspace());
    let edit = locate(&resolver)?.map_err(|refusal| failure(cx, &refusal))?;
    let mut files = edit.files().to_vec();
    files.extend(further(&resolver, &edit));
    files.sort_unstable();
    files.dedup();
    cx.need_texts(files.iter().copied())?;
    let texts = texts_of(cx, &files)?;
    let change = edit.plan(&resolver, &texts);
    let change = change.map_err(|refusal| failure(cx, &refusal))?;
    Ok((edit, ResolvedChange { change, texts }))
}

impl ResolvedChange {
    /// The changed files as they are now. Their bindings are made anew, as those of the result are: the ones at hand may be
    /// of a text that is being edited, whose bindings are made in another way.
    pub(super) fn texts_before(&self) -> Vec<EditedText> {
        let changed = self.change.files.iter().filter_map(|file| {
            let text = self.texts.get(&file.file)?.clone();
            Some(EditedText::changed(file.file, text))
        });
        changed.collect()
    }

    /// The changed and made files as the change would leave them.
    pub(super) fn texts_after(&self, cx: &Invocation<'_>) -> Vec<EditedText> {
        let change = &self.change;
        let changed = change.files.iter().filter_map(|file| {
            let after = file.apply(self.texts.get(&file.file)?);
            Some(EditedText {
                place: self.renamed_place(cx, file.file),
                ..EditedText::changed(file.file, after)
            })
        });
        let created = change.created.iter().map(|created| EditedText {
            file: created.file,
            place: cx
                .index
                .file(FileId(created.beside))
                .map(|beside| (beside.root, created.path.clone())),
            text: Some(created.text.clone()),
        });
        changed.chain(created).collect()
    }

    /// The workspace folder and the path of a file that gets another name.
    pub(super) fn renamed_place(&self, cx: &Invocation<'_>, file: FileNo) -> Option<(u32, String)> {
        let mut renamed = self.change.renamed.iter();
        let renamed = renamed.find(|renamed| renamed.file == file)?;
        let indexed = cx.index.file(FileId(file))?;
        let folder = indexed.path.rfind('/').map_or(0, |end| end + 1);
        let folder = indexed.path.get(..folder)?;
        Some((indexed.root, format!("{folder}{}", renamed.name)))
    }
}
