//! From a planned change of code to what every file is to hold, with the diff and the number of the plan.

use codecortex_analysis::disk_text::DiskText;
use codecortex_edit::{CreatedFile, Untouched, WordPlace};
use codecortex_index::FileId;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{ErrorCode, Failure, Located, Position, TextChange, ToolError};
use codecortex_resolve::FileNo;
use codecortex_text::TextDocument;

use crate::invocation::Invocation;
use crate::tools::apply_edit::{check_file, created_file, edited_file, plan_id};
use crate::tools::refactor::answer::UntouchedData;
use crate::tools::refactor::answer_parts::{ProblemData, StepData, WordData};
use crate::tools::refactor::diff_page::DiffPage;
use crate::tools::refactor::documents::ChangedDocuments;
use crate::tools::refactor::refused::place_of;
use crate::tools::refactor::resolved_change::ResolvedChange;
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
    /// Places in comments, strings and documents that change on request.
    pub(super) words: Vec<WordData>,
    /// What the index thinks of the result.
    pub(super) problems: Vec<ProblemData>,
    /// What a reader of the plan must know, a sentence each.
    pub(super) notes: Vec<String>,
    /// Of a batch: its steps.
    pub(super) steps: Vec<StepData>,
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

    /// Of an edit whose summary begins with its verb: `Move `a` to b.ts` and `moved`.
    pub(super) fn of_verb(summary: String, past: &str) -> Self {
        let plain = summary.replace('`', "");
        let (verb, rest) = plain.split_once(' ').unwrap_or((&plain, ""));
        Self {
            plan: format!("{} {rest}", verb.to_lowercase()),
            done: format!("{past} {rest}"),
            summary,
            names: None,
        }
    }
}

/// The plan of a change.
pub(super) fn planned(
    cx: &Invocation<'_>,
    title: EditTitle,
    resolved: &ResolvedChange,
) -> Result<PlannedEdit, Failure> {
    let ResolvedChange { change, texts } = resolved;
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
        let planned = match resolved.renamed_place(cx, file) {
            Some(place) => moved_file(cx, planned, &located_at(cx, place)?)?,
            None => planned,
        };
        files.push((planned, count));
    }
    for created in &change.created {
        files.push((planned_creation(cx, created)?, 1));
    }
    Ok(PlannedEdit {
        not_touched: not_touched(cx, &change.not_touched)?,
        words: words(cx, &change.words)?,
        notes: change.notes.clone(),
        is_unsaved,
        ..PlannedEdit::new(cx, title, files)
    })
}

impl PlannedEdit {
    /// The diff of the texts as they are now, as far as a page shows it.
    pub(super) fn files_now(&self) -> Option<String> {
        let mut diffs: Vec<String> = self
            .edit
            .files
            .iter()
            .map(|file| file.diff.clone())
            .collect();
        let shown = DiffPage::first().limit(diffs.iter_mut());
        let shown = diffs.get(..shown)?.concat();
        (!shown.is_empty()).then_some(shown)
    }

    /// The same with documents that change too.
    pub(super) fn with_documents(mut self, documents: ChangedDocuments) -> Self {
        let ChangedDocuments { files, words } = documents;
        self.words.extend(words);
        let code = self.edit.files.into_iter().zip(self.counts);
        (self.edit.files, self.counts) = in_order(code.chain(files).collect());
        self.id = plan_id(&self.edit.files);
        self
    }

    /// A plan of files with the count of replacements in each.
    pub(super) fn new(
        cx: &Invocation<'_>,
        title: EditTitle,
        files: Vec<(EditedFile, u32)>,
    ) -> Self {
        let (files, counts) = in_order(files);
        Self {
            id: plan_id(&files),
            edit: LiveEdit {
                id: cx.session.live.next_edit(),
                summary: Some(title.summary.clone()),
                files,
                undoes: None,
            },
            title,
            counts,
            not_touched: Vec::new(),
            words: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
            steps: Vec::new(),
            is_unsaved: false,
        }
    }
}

/// Files by path: they have numbers in the order in which they were read, which differs from process to process.
fn in_order(mut files: Vec<(EditedFile, u32)>) -> (Vec<EditedFile>, Vec<u32>) {
    files.sort_by(|(a, _), (b, _)| a.located.path.cmp(&b.located.path));
    files.into_iter().unzip()
}

/// A file that is made, with its folder where that is not there.
fn planned_creation(cx: &Invocation<'_>, created: &CreatedFile) -> Result<EditedFile, Failure> {
    let lost = || ToolError::new(ErrorCode::InternalError, "The index lost a file.");
    let beside = cx.index.file(FileId(created.beside)).ok_or_else(lost)?;
    let located = located_at(cx, (beside.root, created.path.clone()))?;
    made_file(cx, &located, &created.text)
}

/// A file that is made, with its folder where that is not there. Nothing may be at its place.
pub(super) fn made_file(
    cx: &Invocation<'_>,
    located: &Located,
    text: &str,
) -> Result<EditedFile, Failure> {
    check_file(cx, (&located.display, located), true)?;
    cx.disk_text(located)?;
    let mut made = created_file(cx, located, text)?;
    made.effect.makes_folder = true;
    Ok(made)
}

fn located_at(cx: &Invocation<'_>, (root, path): (u32, String)) -> Result<Located, Failure> {
    let lost = || ToolError::new(ErrorCode::InternalError, "The index lost a folder.");
    let root = cx.workspace.roots.get(root as usize).ok_or_else(lost)?;
    Ok(cx.located(&absolute_path(root, &path)))
}

/// A file that gets another name, at which nothing may be.
pub(super) fn moved_file(
    cx: &Invocation<'_>,
    file: EditedFile,
    to: &Located,
) -> Result<EditedFile, Failure> {
    check_file(cx, (&to.display, to), true)?;
    // A disk that folds case has the file itself there.
    let is_itself = file.located.path.to_lowercase() == to.path.to_lowercase();
    let is_free = matches!(cx.disk_text(to)?, DiskText::Absent);
    if !(is_itself || is_free) || cx.documents.contains_key(&to.path) {
        let error = ToolError::invalid(format!(
            "`{}` is there already. Nothing was changed.",
            to.display
        ));
        let error = error.hint("Choose a name that is not taken.");
        return Err(error.detail("kind", "Conflict").into());
    }
    Ok(file.into_moved(to.clone()))
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

fn not_touched(cx: &Invocation<'_>, places: &[Untouched]) -> Result<Vec<UntouchedData>, Failure> {
    let place = |place: &Untouched| {
        let at = place_of(cx, place.file, place.at)?;
        Ok(UntouchedData::new(at, place.reason))
    };
    places.iter().map(place).collect()
}

fn words(cx: &Invocation<'_>, places: &[WordPlace]) -> Result<Vec<WordData>, Failure> {
    let place = |place: &WordPlace| {
        let at = place_of(cx, place.file, place.at)?;
        Ok(WordData::new(at, place.kind.into()))
    };
    places.iter().map(place).collect()
}
