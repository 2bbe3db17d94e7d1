//! `batch`: steps of which each sees what those before it do, planned, shown and applied as one edit (SPEC ED1).

use std::cell::{Cell, RefCell};

use codecortex_analysis::Analysis;
use codecortex_analysis::draft::Draft;
use codecortex_answer::args::parse;
use codecortex_index::FileId;
use codecortex_live::EditedFile;
use codecortex_protocol::counts::counted;
use codecortex_protocol::{ErrorCode, Failure, Located, ToolError};
use codecortex_text::TextDocument;
use serde_json::{Map, Value};

use crate::calls::CallContext;
use crate::invocation::Invocation;
use crate::tools::apply_edit::{check_file, edited_file};
use crate::tools::refactor::answer_parts::StepData;
use crate::tools::refactor::args::{RefactorAction, RefactorArgs};
use crate::tools::refactor::current_texts::texts_of;
use crate::tools::refactor::planned::{EditTitle, PlannedEdit, made_file, moved_file};
use crate::tools::refactor::refused::NOTHING_TO_DO;
use crate::tools::refactor::text_change::changed_part;
use crate::tools::refactor::{ALIASES, argument_names, plan_verb};

/// The most steps of a batch.
const MAX_STEPS: usize = 100;
/// So often a step is planned anew because a text had to be read first.
const MAX_LOOKS: u32 = 100;

/// Plans the steps one on top of the other.
pub(super) async fn plan(cx: &CallContext, args: &RefactorArgs) -> Result<PlannedEdit, ToolError> {
    let steps = steps(args)?;
    let draft = RefCell::new(cx.view(|cx| Draft::new(cx.code)).await);
    let mut batch = Batch::default();
    for (number, step) in steps.iter().enumerate() {
        let looks = Cell::new(0);
        let look = |cx: &Invocation<'_>| {
            looks.set(looks.get() + 1);
            match looks.get() > MAX_LOOKS {
                true => Err(never_ready().into()),
                false => in_draft(cx, &draft, |cx| plan_verb(cx, step)),
            }
        };
        let planned = match cx.look(look).await {
            Ok(planned) => planned,
            // Steps that only tidy up may find everything tidy.
            Err(error) if is_nothing_to_do(&error) => {
                let left = StepData::nothing_to_do(&word_of(step.action));
                batch.steps.push(BatchStep::Left(left));
                continue;
            }
            Err(error) => return Err(at_step(error, number + 1, step.action)),
        };
        for file in &planned.edit.files {
            batch.take(file, &planned);
            let mut draft = draft.borrow_mut();
            let after = file.after.text();
            match (&file.moved_to, file.effect.deleted) {
                (Some(to), _) => {
                    draft.set(&file.located, None);
                    draft.set(to, Some(&after));
                }
                (None, true) => draft.set(&file.located, None),
                (None, false) => draft.set(&file.located, Some(&after)),
            }
        }
        batch.steps.push(BatchStep::Planned(Box::new(planned)));
    }
    cx.look(|cx| batch.joined(cx)).await
}

/// The arguments of each step.
fn steps(args: &RefactorArgs) -> Result<Vec<RefactorArgs>, ToolError> {
    let steps = args.steps.as_deref().unwrap_or_default();
    if steps.is_empty() || steps.len() > MAX_STEPS {
        let count = counted(steps.len(), "step");
        let message = format!("`steps` has {count}, not 1 to {MAX_STEPS}.");
        return Err(ToolError::invalid(message)
            .hint("Give a list of objects with the arguments of this tool, in order."));
    }
    let numbered = steps.iter().enumerate();
    let read = numbered.map(|(number, step)| {
        let step = step_args(step).map_err(|error| {
            let ToolError { message, .. } = &error;
            let message = format!("Step {}: {message} Nothing was changed.", number + 1);
            ToolError { message, ..error }.detail("step", number as u32 + 1)
        })?;
        Ok(step)
    });
    read.collect()
}

fn step_args(written: &Map<String, Value>) -> Result<RefactorArgs, ToolError> {
    let known = argument_names();
    let mut step = Map::new();
    for (name, value) in written.iter().filter(|(_, value)| !value.is_null()) {
        let alias = ALIASES.iter().find(|(alias, _)| alias == name);
        let name = alias.map_or(name.as_str(), |(_, name)| name);
        if !known.iter().any(|known| known == name) {
            let message = format!("There is no argument `{name}`.");
            return Err(
                ToolError::invalid(message).hint(format!("A step takes {}.", known.join(", ")))
            );
        }
        step.insert(name.to_owned(), value.clone());
    }
    let step: RefactorArgs = parse(Value::Object(step))?;
    let is_whole = step.plan_id.is_some()
        || step.list.is_some()
        || step.cursor.is_some()
        || step.diff_tokens.is_some();
    if is_whole || matches!(step.action, RefactorAction::Batch | RefactorAction::Undo) {
        let message = "`batch`, `undo`, `list`, `cursor`, `diffTokens` and `planId` are of a call, not of a step.";
        return Err(ToolError::invalid(message).hint("Undo before the batch, or after it."));
    }
    Ok(step)
}

/// The same error, which names its step.
fn at_step(error: ToolError, number: usize, action: RefactorAction) -> ToolError {
    let word = word_of(action);
    let message = format!("Step {number} (`{word}`): {}", error.message);
    ToolError { message, ..error }.detail("step", number as u32)
}

/// An action as callers write it.
fn word_of(action: RefactorAction) -> String {
    let word = serde_json::to_value(action).unwrap_or_default();
    word.as_str().unwrap_or_default().to_owned()
}

fn is_nothing_to_do(error: &ToolError) -> bool {
    error.details.get("kind").and_then(Value::as_str) == Some(NOTHING_TO_DO)
}

fn never_ready() -> ToolError {
    ToolError::new(
        ErrorCode::Unavailable,
        "What the step needs could not be read. Nothing was changed.",
    )
}

/// Looks at the code as the steps so far would leave it.
fn in_draft<T>(
    cx: &Invocation<'_>,
    draft: &RefCell<Draft>,
    look: impl FnOnce(&Invocation<'_>) -> T,
) -> T {
    let mut draft = draft.borrow_mut();
    draft.take_texts(cx.code);
    draft.look(cx.code, |code: &Analysis| look(&cx.with_code(code)))
}

/// The steps so far, and what they do to files.
#[derive(Default)]
struct Batch {
    steps: Vec<BatchStep>,
    files: Vec<BatchFile>,
}

/// What becomes of a step.
enum BatchStep {
    Planned(Box<PlannedEdit>),
    /// It finds nothing to do.
    Left(StepData),
}

impl BatchStep {
    fn planned(&self) -> Option<&PlannedEdit> {
        match self {
            Self::Planned(planned) => Some(planned),
            Self::Left(_) => None,
        }
    }

    fn data(&self) -> StepData {
        match self {
            Self::Planned(planned) => StepData::new(planned),
            Self::Left(left) => left.clone(),
        }
    }
}

/// A file that steps change.
struct BatchFile {
    /// Where it is on the disk; none of one that a step makes.
    origin: Option<Located>,
    /// Where the steps so far leave it.
    now: Located,
    after: TextDocument,
    edits: u32,
}

impl Batch {
    /// Takes in what a step does to a file.
    fn take(&mut self, file: &EditedFile, planned: &PlannedEdit) {
        let mut beside = planned.edit.files.iter().zip(&planned.counts);
        let count = beside.find(|(of, _)| of.located.path == file.located.path);
        let edits = count.map_or(0, |(_, count)| *count);
        let mut known = self.files.iter_mut();
        let known = known.find(|known| known.now.path == file.located.path);
        let now = file.moved_to.as_ref().unwrap_or(&file.located).clone();
        match known {
            Some(known) => {
                known.now = now;
                known.after = file.after.clone();
                known.edits += edits;
            }
            None => self.files.push(BatchFile {
                origin: file.before.is_some().then(|| file.located.clone()),
                now,
                after: file.after.clone(),
                edits,
            }),
        }
    }

    /// All steps as one edit of the files as they are.
    fn joined(&self, cx: &Invocation<'_>) -> Result<PlannedEdit, Failure> {
        let (mut files, mut is_unsaved) = (Vec::new(), false);
        for file in &self.files {
            if let Some(origin) = &file.origin {
                is_unsaved |= is_unsaved_file(cx, origin)?;
            }
            if let Some(edited) = file.edited(cx)? {
                files.push((edited, file.edits));
            }
        }
        if files.is_empty() {
            let message = "The steps leave every file as it is. Nothing was changed.";
            return Err(ToolError::invalid(message).into());
        }
        let steps = || self.steps.iter().filter_map(BatchStep::planned);
        let numbered = self.steps.iter().enumerate();
        let noted = numbered.flat_map(|(number, step)| {
            let notes = step.planned().into_iter().flat_map(|step| &step.notes);
            notes.map(move |note| format!("Step {}: {note}", number + 1))
        });
        Ok(PlannedEdit {
            not_touched: steps().flat_map(|step| step.not_touched.clone()).collect(),
            words: steps().flat_map(|step| step.words.clone()).collect(),
            problems: steps().flat_map(|step| step.problems.clone()).collect(),
            notes: noted.collect(),
            steps: self.steps.iter().map(BatchStep::data).collect(),
            is_unsaved,
            ..PlannedEdit::new(cx, self.title(), files)
        })
    }

    fn title(&self) -> EditTitle {
        const MAX_NAMED: usize = 3;
        let count = counted(self.steps.len(), "step");
        let planned = || self.steps.iter().filter_map(BatchStep::planned);
        let named = planned().take(MAX_NAMED);
        let named: Vec<&str> = named.map(|step| step.title.summary.as_str()).collect();
        let more = match planned().count() > MAX_NAMED {
            true => "; ...",
            false => "",
        };
        EditTitle {
            summary: format!("{count}: {}{more}", named.join("; ")),
            plan: count.clone(),
            done: format!("done: {count}"),
            names: None,
        }
    }
}

impl BatchFile {
    /// What becomes of the file; none where the steps leave it as it is.
    fn edited(&self, cx: &Invocation<'_>) -> Result<Option<EditedFile>, Failure> {
        let after = self.after.text();
        let Some(origin) = &self.origin else {
            return made_file(cx, &self.now, &after).map(Some);
        };
        check_file(cx, (&origin.display, origin), false)?;
        let before = &cx.text_of(origin)?.snapshot.text;
        let changes: Vec<_> = changed_part(before, &after).into_iter().collect();
        let is_moved = origin.path != self.now.path;
        if changes.is_empty() && !is_moved {
            return Ok(None);
        }
        let edited = edited_file(cx, origin, (before, self.after.clone()), changes)?;
        match is_moved {
            true => moved_file(cx, edited, &self.now).map(Some),
            false => Ok(Some(edited)),
        }
    }
}

/// Whether an editor has a text of a file that is not saved. The text must be the one that the index was made of.
fn is_unsaved_file(cx: &Invocation<'_>, file: &Located) -> Result<bool, Failure> {
    let place = file.place.as_ref();
    let id = place.and_then(|place| cx.index.file_id(place.root, &place.path));
    let Some(FileId(number)) = id else {
        return Ok(false); // a document
    };
    texts_of(cx, &[number])?;
    Ok(cx.is_unsaved(FileId(number)))
}
