//! From a planned change of code to what every file is to hold, with the diff and the number of the plan.

use codecortex_analysis::changed_names::EditedText;
use codecortex_analysis::disk_text::DiskText;
use codecortex_edit::{CreatedFile, RenameTexts, SourceChange, Untouched};
use codecortex_index::FileId;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{ErrorCode, Failure, Position, TextChange, ToolError};
use codecortex_resolve::FileNo;
use codecortex_syntax::content_hash;
use codecortex_text::TextDocument;
use xxhash_rust::xxh3::xxh3_64;

use crate::invocation::Invocation;
use crate::tools::apply_edit::{check_file, created_file, edited_file};
use crate::tools::refactor::answer::{ProblemData, UntouchedData};
use crate::tools::refactor::refused::place_of;
use codecortex_live::{EditedFile, LiveEdit};

/// A plan that nothing was done of yet.
pub(super) struct PlannedEdit {
    /// What tells it from other plans: of the texts, the replacements and the arguments.
    pub(super) id: String,
    pub(super) title: EditTitle,
    pub(super) edit: LiveEdit,
    /// Replacements in each file of the edit, in its order.
    pub(super) counts: Vec<u32>,
    pub(super) not_touched: Vec<UntouchedData>,
    /// What the index thinks of the result.
    pub(super) problems: Vec<ProblemData>,
    /// What a reader of the plan must know, a sentence each.
    pub(super) notes: Vec<String>,
    /// Whether a text of an editor that is not saved takes part.
    pub(super) is_unsaved: bool,
}

/// What an edit is called.
#[derive(Clone, Debug)]
pub(super) struct EditTitle {
    /// For who has to agree, and for the history: `Rename `a` to `b``.
    pub(super) summary: String,
    /// In the text of a plan: `a -> b`.
    pub(super) plan: String,
    /// In the text of an edit that was applied: `renamed a to b`.
    pub(super) done: String,
    /// The name before and afterwards, of an edit that changes one.
    pub(super) names: Option<(String, String)>,
}

impl EditTitle {
    /// Of an edit that changes no name: `Delete `a``.
    pub(super) fn new(summary: String) -> Self {
        Self {
            plan: summary.clone(),
            done: format!("done: {summary}"),
            summary,
            names: None,
        }
    }
}

/// The files of a change as it would leave them. `texts` has those of the changed files.
pub(super) fn edited_texts(
    cx: &Invocation<'_>,
    change: &SourceChange,
    texts: &RenameTexts,
) -> Vec<EditedText> {
    let changed = change.files.iter().filter_map(|file| {
        let after = file.apply(texts.get(&file.file)?);
        Some(EditedText {
            place: renamed_place(cx, change, file.file),
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

/// The texts of files, in the state that the index is of.
pub(super) fn texts_of(cx: &Invocation<'_>, files: &[FileNo]) -> Result<RenameTexts, Failure> {
    let mut texts = RenameTexts::default();
    for file in files {
        let id = FileId(*file);
        let text = cx.text_of_file(id)?;
        if is_newer(cx, id)? {
            let error = ToolError::new(
                ErrorCode::VersionConflict,
                format!("`{}` was just changed.", cx.shown_path(*file)),
            );
            return Err(error.retryable().hint("Call again.").into());
        }
        texts.insert(*file, text.snapshot.text.text());
    }
    Ok(texts)
}

/// Whether the disk has another text of a file than the index was made of.
fn is_newer(cx: &Invocation<'_>, file: FileId) -> Result<bool, Failure> {
    let Some(located) = cx.located_file(file) else {
        return Ok(false);
    };
    if cx.documents.contains_key(&located.path) {
        return Ok(false);
    }
    let known = cx.index.file(file).map(|file| file.facts.summary().hash);
    match cx.disk_text(&located)? {
        DiskText::Text { bytes, .. } => Ok(known != Some(content_hash(bytes))),
        _ => Ok(true),
    }
}

/// The workspace folder and the path of a file that gets another name.
fn renamed_place(
    cx: &Invocation<'_>,
    change: &SourceChange,
    file: FileNo,
) -> Option<(u32, String)> {
    let renamed = change.renamed.iter().find(|renamed| renamed.file == file)?;
    let indexed = cx.index.file(FileId(file))?;
    let folder = indexed.path.rfind('/').map_or(0, |end| end + 1);
    let folder = indexed.path.get(..folder)?;
    Some((indexed.root, format!("{folder}{}", renamed.name)))
}

/// The plan of a change. `texts` has those of the changed files.
pub(super) fn planned(
    cx: &Invocation<'_>,
    title: EditTitle,
    change: &SourceChange,
    texts: &RenameTexts,
) -> Result<PlannedEdit, Failure> {
    let mut files = Vec::new();
    let mut is_unsaved = false;
    for changed in &change.files {
        let file = changed.file;
        let Some(before) = texts.get(&file) else {
            continue; // a verb plans by the texts that it has
        };
        if cx.is_generated(file) {
            let error = ToolError::new(
                ErrorCode::Unavailable,
                format!(
                    "`{}` is generated and would have to change.",
                    cx.shown_path(file)
                ),
            );
            return Err(error.hint("Change what it is generated from.").into());
        }
        is_unsaved |= cx.is_unsaved(FileId(file));
        let count = changed.edits.len() as u32;
        let after = changed.apply(before);
        let planned = planned_file(cx, file, after, changed)?;
        let planned = match renamed_place(cx, change, file) {
            Some(place) => planned_rename(cx, planned, place)?,
            None => planned,
        };
        files.push((planned, count));
    }
    for created in &change.created {
        files.push((planned_creation(cx, created)?, 1));
    }
    // Files have numbers in the order in which they were read, which differs from process to process.
    files.sort_by(|(a, _), (b, _)| a.located.path.cmp(&b.located.path));
    let (files, counts): (Vec<EditedFile>, Vec<u32>) = files.into_iter().unzip();
    Ok(PlannedEdit {
        id: plan_id(&files),
        edit: LiveEdit {
            id: cx.session.live.next_edit(),
            summary: Some(title.summary.clone()),
            files,
            undoes: None,
        },
        title,
        counts,
        not_touched: not_touched(cx, &change.not_touched)?,
        problems: Vec::new(),
        notes: change.notes.clone(),
        is_unsaved,
    })
}

/// A file that is made, with its folder where that is not there.
fn planned_creation(cx: &Invocation<'_>, created: &CreatedFile) -> Result<EditedFile, Failure> {
    let lost = || ToolError::new(ErrorCode::InternalError, "The index lost a file.");
    let beside = cx.index.file(FileId(created.beside)).ok_or_else(lost)?;
    let root = cx.workspace.roots.get(beside.root as usize);
    let located = cx.located(&absolute_path(root.ok_or_else(lost)?, &created.path));
    check_file(cx, (&located.display, &located), true)?;
    cx.disk_text(&located)?;
    let mut made = created_file(cx, &located, &created.text)?;
    made.effect.makes_folder = true;
    Ok(made)
}

/// A file that gets another name, at which nothing may be.
fn planned_rename(
    cx: &Invocation<'_>,
    file: EditedFile,
    (root, path): (u32, String),
) -> Result<EditedFile, Failure> {
    let lost = || ToolError::new(ErrorCode::InternalError, "The index lost a folder.");
    let root = cx.workspace.roots.get(root as usize).ok_or_else(lost)?;
    let to = cx.located(&absolute_path(root, &path));
    check_file(cx, (&to.display, &to), true)?;
    // A disk that folds case has the file itself there.
    let is_itself = file.located.path.to_lowercase() == to.path.to_lowercase();
    let is_free = matches!(cx.disk_text(&to)?, DiskText::Absent);
    if !(is_itself || is_free) || cx.documents.contains_key(&to.path) {
        let error = ToolError::invalid(format!(
            "`{}` is there already. Nothing was changed.",
            to.display
        ));
        let error = error.hint("Choose a name that is not taken.");
        return Err(error.detail("kind", "Conflict").into());
    }
    Ok(file.into_moved(to))
}

fn planned_file(
    cx: &Invocation<'_>,
    file: FileNo,
    after: String,
    change: &codecortex_edit::FileChange,
) -> Result<EditedFile, Failure> {
    let id = FileId(file);
    let located = cx
        .located_file(id)
        .ok_or_else(|| ToolError::new(ErrorCode::InternalError, "The index lost a file."))?;
    check_file(cx, (&located.display, &located), false)?;
    let before = &cx.text_of_file(id)?.snapshot.text;
    let position = |byte: u32| {
        let at = before.position(byte as usize);
        Position {
            line: at.line,
            character: at.character,
        }
    };
    let changes = change.edits.iter().map(|edit| TextChange {
        start: position(edit.start),
        end: position(edit.end),
        text: edit.text.clone(),
    });
    let after = TextDocument::new(&after);
    Ok(edited_file(
        cx,
        &located,
        (before, after),
        changes.collect(),
    )?)
}

/// The number of a plan: the same for the same texts before and afterwards.
pub(super) fn plan_id(files: &[EditedFile]) -> String {
    let mut told = Vec::new();
    for file in files {
        let before = file.before.as_ref().map(codecortex_live::version_of);
        for part in [
            file.located.path.as_str(),
            &before.unwrap_or_default(),
            &file.version,
            file.moved_to.as_ref().map_or("", |to| &to.path),
        ] {
            told.extend_from_slice(part.as_bytes());
            told.push(0);
        }
    }
    format!("{:016x}", xxh3_64(&told))
}

fn not_touched(cx: &Invocation<'_>, places: &[Untouched]) -> Result<Vec<UntouchedData>, Failure> {
    let place = |place: &Untouched| {
        let at = place_of(cx, place.file, place.at)?;
        Ok(UntouchedData::new(at, place.reason))
    };
    places.iter().map(place).collect()
}
