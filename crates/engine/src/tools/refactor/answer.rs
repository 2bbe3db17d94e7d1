//! The answer of a refactoring: the plan or what was done, with what stays.

use codecortex_answer::reply::{Common, Reply};
use codecortex_edit::UntouchedReason;
use codecortex_protocol::counts::counted;
use codecortex_protocol::{AppliedEdit, ToolError};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use codecortex_live::LiveEdit;

use crate::invocation::Invocation;
use crate::tools::refactor::answer_parts::{ProblemData, StepData, WordData, extent};
use crate::tools::refactor::diff_page::DiffPage;
use crate::tools::refactor::planned::{EditTitle, PlannedEdit};
use crate::tools::refactor::refactored_file::{EditorChange, RefactoredFile};

/// Answer of `codecortex_refactor`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RefactorData {
    /// Whether the files are changed; false for a plan.
    applied: bool,
    /// Of a plan: the argument that applies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_id: Option<String>,
    /// Of an edit that was applied: its number, as in `plan_hints`.
    #[serde(skip_serializing_if = "Option::is_none")]
    edit_id: Option<u32>,
    /// What it does, as a title.
    summary: String,
    /// The name before, of an edit that changes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    old_name: Option<String>,
    /// The name afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    new_name: Option<String>,
    /// Replacements in all files.
    total_edits: u32,
    /// Changed files.
    total_files: u32,
    /// Changed files, by path, the first with their diffs; `nextCursor` goes on with those of the others.
    files: Vec<RefactoredFile>,
    /// Places with the old name that stay, in files that have it in code.
    total_not_touched: u32,
    /// The first of them.
    not_touched: Vec<UntouchedData>,
    /// Words in comments, strings and documents that change because `texts` asks for it.
    #[serde(skip_serializing_if = "is_none")]
    total_words: u32,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<WordData>,
    /// Of a batch: its steps. Places are in the texts that the steps before leave.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<StepData>,
    /// What the index finds in the result that was not there before: places that do not parse, names that are not
    /// resolved or mean something else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ProblemData>,
    /// Of `undo` with `list`: edits that can be taken back, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    history: Vec<AppliedEditData>,
    /// What the edit changes beside its purpose: visibility that is widened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(flatten)]
    common: Common,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_none(count: &u32) -> bool {
    *count == 0
}

/// An edit that can be taken back.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AppliedEditData {
    /// What it was for.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    /// When it was applied, in milliseconds since 1970.
    at_ms: f64,
    /// `rootName/relative/path` of its files, the first ones of many.
    files: Vec<String>,
    /// How many files it changed.
    total_files: u32,
}

impl AppliedEditData {
    fn new(cx: &Invocation<'_>, edit: &AppliedEdit) -> Self {
        const MAX_FILES: usize = 10;
        let files = edit.files.iter().take(MAX_FILES);
        Self {
            summary: edit.summary.clone(),
            at_ms: edit.at_ms,
            files: files.map(|file| cx.located(&file.path).display).collect(),
            total_files: edit.files.len() as u32,
        }
    }
}

/// A place with the old name that stays.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UntouchedData {
    /// `rootName/relative/path:line:character`, from 1, UTF-16.
    place: String,
    /// `comment`, `string`, or `name`: a use whose receiver cannot be typed.
    reason: &'static str,
}

impl UntouchedData {
    pub(super) fn new(place: String, reason: UntouchedReason) -> Self {
        let reason = match reason {
            UntouchedReason::Comment => "comment",
            UntouchedReason::String => "string",
            UntouchedReason::Name => "name",
        };
        Self { place, reason }
    }
}

/// The most files of a page.
const MAX_FILES: usize = 200;
/// The most places that stay which an answer lists.
const MAX_NOT_TOUCHED: usize = 50;

/// The reply.
pub(super) struct Refactored {
    plan_id: Option<String>,
    edit_id: Option<u32>,
    title: EditTitle,
    /// Those from the start of the page on.
    files: Vec<RefactoredFile>,
    total_files: u32,
    /// How many of `files` are shown with their diffs.
    with_diffs: usize,
    /// Which files are shown, of a plan that is shown in pages.
    page: Option<DiffPage>,
    total_edits: u32,
    not_touched: Vec<UntouchedData>,
    words: Vec<WordData>,
    steps: Vec<StepData>,
    problems: Vec<ProblemData>,
    history: Option<Vec<AppliedEditData>>,
    notes: Vec<String>,
    is_unsaved: bool,
}

impl Refactored {
    /// Of a plan.
    pub(super) fn planned(plan: &PlannedEdit, page: DiffPage) -> Result<Self, ToolError> {
        let mut planned = Self::of(plan, &plan.edit, true);
        if page.start > 0 && page.start >= planned.files.len() {
            let total = counted(planned.files.len(), "file");
            let message = format!("`cursor` is past the {total} of the plan.");
            return Err(ToolError::invalid(message).hint("Leave it out."));
        }
        planned.files.drain(..page.start);
        let diffs = planned
            .files
            .iter_mut()
            .filter_map(|file| file.diff.as_mut());
        planned.with_diffs = page.limit(diffs);
        planned.page = Some(page);
        Ok(planned)
    }

    /// The same with the changes themselves, for an editor that makes them.
    pub(super) fn planned_for_editor(plan: &PlannedEdit) -> Self {
        let mut planned = Self::of(plan, &plan.edit, true);
        for (shown, file) in planned.files.iter_mut().zip(&plan.edit.files) {
            shown.change = Some(EditorChange {
                version: file.effect.version,
                edits: file.effect.changes.clone(),
            });
        }
        planned
    }

    /// Of an edit that was applied.
    pub(super) fn applied(plan: &PlannedEdit, edit: &LiveEdit) -> Self {
        Self::of(plan, edit, false)
    }

    fn of(plan: &PlannedEdit, edit: &LiveEdit, is_plan: bool) -> Self {
        let files = edit.files.iter().zip(&plan.counts);
        let files = files.map(|(file, edits)| RefactoredFile::new(file, *edits, is_plan));
        Self {
            plan_id: is_plan.then(|| plan.id.clone()),
            edit_id: (!is_plan).then_some(edit.id),
            title: plan.title.clone(),
            total_files: plan.counts.len() as u32,
            with_diffs: plan.counts.len(),
            page: None,
            files: files.collect(),
            total_edits: plan.counts.iter().sum(),
            not_touched: plan.not_touched.clone(),
            words: plan.words.clone(),
            steps: plan.steps.clone(),
            problems: plan.problems.clone(),
            history: None,
            notes: plan.notes.clone(),
            is_unsaved: plan.is_unsaved,
        }
    }

    /// The edits that can be taken back.
    pub(super) fn history(cx: &Invocation<'_>, edits: &[AppliedEdit]) -> Self {
        let title = "Edits that can be taken back".to_owned();
        Self {
            plan_id: None,
            edit_id: None,
            title: EditTitle {
                plan: title.clone(),
                done: title.clone(),
                summary: title,
                names: None,
            },
            total_files: 0,
            with_diffs: 0,
            page: None,
            files: Vec::new(),
            total_edits: 0,
            not_touched: Vec::new(),
            words: Vec::new(),
            steps: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
            history: Some(
                edits
                    .iter()
                    .map(|edit| AppliedEditData::new(cx, edit))
                    .collect(),
            ),
            is_unsaved: false,
        }
    }

    fn with_diffs(&self, level: usize) -> usize {
        match level {
            0 => self.with_diffs,
            _ => 0,
        }
    }

    fn history_text(history: &[AppliedEditData]) -> String {
        if history.is_empty() {
            return "// no edit can be taken back\n".to_owned();
        }
        let mut out = String::from("// edits that can be taken back, the newest first\n");
        for edit in history {
            let summary = edit.summary.as_deref().unwrap_or("an edit");
            let files = edit.files.join(", ");
            let more = match edit.total_files as usize - edit.files.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            out += &format!("// {summary}: {files}{more}\n");
        }
        out
    }
}

impl Reply for Refactored {
    fn levels(&self) -> &'static [&'static str] {
        &["whole", "no diffs"]
    }

    fn pieces(&self) -> usize {
        match self.page {
            Some(_) => self.files.len().min(MAX_FILES),
            None => self.files.len(),
        }
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let mut files = self.files[..pieces].to_vec();
        let most = match level {
            0 => MAX_NOT_TOUCHED,
            _ => MAX_NOT_TOUCHED / 10,
        };
        let with_diffs = self.with_diffs(level);
        let without = files.iter_mut().skip(with_diffs);
        without.for_each(|file| file.diff = None);
        let data = RefactorData {
            applied: self.edit_id.is_some(),
            plan_id: self.plan_id.clone(),
            edit_id: self.edit_id,
            summary: self.title.summary.clone(),
            old_name: self.title.names.as_ref().map(|(old, _)| old.clone()),
            new_name: self.title.names.as_ref().map(|(_, new)| new.clone()),
            total_edits: self.total_edits,
            total_files: self.total_files,
            files,
            total_not_touched: self.not_touched.len() as u32,
            not_touched: self.not_touched.iter().take(most).cloned().collect(),
            total_words: self.words.len() as u32,
            words: self.words.iter().take(most).cloned().collect(),
            steps: self.steps.clone(),
            problems: self.problems.clone(),
            history: self.history.clone().unwrap_or_default(),
            notes: self.notes.clone(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        if let Some(history) = &self.history {
            return Self::history_text(history);
        }
        let EditTitle { plan, done, .. } = &self.title;
        let extent = extent(self.total_edits, self.total_files as usize);
        let mut out = match &self.plan_id {
            Some(id) => format!("// plan {id}: {plan}, {extent}; nothing is changed yet\n"),
            None => format!("// {done}: {extent}\n"),
        };
        for (number, step) in self.steps.iter().enumerate() {
            out += &step.line(number + 1);
        }
        let with_diffs = self.with_diffs(level);
        for (number, file) in self.files[..pieces].iter().enumerate() {
            out += &format!("// {}\n", file.line());
            if let Some(diff) = file.diff.as_ref().filter(|_| number < with_diffs) {
                out += diff;
            }
        }
        for ProblemData { place, kind, name } in &self.problems {
            let name = name.as_deref().unwrap_or_default();
            out += format!("// afterwards {kind} {place} {name}").trim_end();
            out.push('\n');
        }
        for note in &self.notes {
            out += &format!("// {note}\n");
        }
        let most = match level {
            0 => MAX_NOT_TOUCHED,
            _ => MAX_NOT_TOUCHED / 10,
        };
        if !self.words.is_empty() {
            let verb = if self.words.len() == 1 {
                "changes"
            } else {
                "change"
            };
            let words = counted(self.words.len(), "word");
            out += &format!("// {words} in texts {verb} too:\n");
        }
        for word in self.words.iter().take(most) {
            out += &word.line();
        }
        if !self.not_touched.is_empty() {
            let verb = if self.not_touched.len() == 1 {
                "stays"
            } else {
                "stay"
            };
            let places = counted(self.not_touched.len(), "place");
            out += &format!("// {places} {verb}:\n");
        }
        for stays in self.not_touched.iter().take(most) {
            out += &format!("//   {} {}\n", stays.place, stays.reason);
        }
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        let page = self.page?;
        let shown = shown.min(self.with_diffs);
        let is_more = shown > 0 && shown < self.files.len();
        is_more.then(|| page.behind(shown))
    }

    fn is_unsaved(&self) -> bool {
        self.is_unsaved
    }
}
