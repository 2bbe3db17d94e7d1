//! `codecortex_applyEdit`: change text by optimistic versions (SPEC LC4, D15, D28).

pub(crate) mod change;

use codecortex_analysis::disk_text::DiskText;
use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply};
use codecortex_live::{Labels, unified, version_of};
use codecortex_protocol::file_names::{NameProblem, is_hidden, name_problem};
use codecortex_protocol::paths::{WorkspacePath, absolute_path, places};
use codecortex_protocol::{
    Bytes, ErrorCode, Failure, FileEdit, Located, Missing, Position, TextChange, ToolError,
};
use codecortex_text::{TextDocument, encode_like};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::actions::Action;
use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::live::history;
use crate::tool_use::ToolUse;
use crate::tools::apply_edit::change::RequestedEdit;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_live::{EditedFile, FailedEdit, FailedFile, LiveEdit};

/// The most files of one edit.
const MAX_FILES: usize = 100;
/// The most bytes of new text.
const MAX_TEXT: usize = 8 << 20;
/// Lines of the difference in a conflict.
const CONFLICT_LINES: usize = 200;
/// The version of a file that is not there.
const NEW: &str = "new";

/// Arguments of `codecortex_applyEdit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApplyArgs {
    /// Each file once.
    edits: Vec<FileChanges>,
    /// Purpose, shown to the user.
    summary: Option<String>,
    /// Only returns the diff.
    dry_run: Option<bool>,
    /// Applies that `dryRun`.
    plan_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FileChanges {
    file_path: String,
    base_version: String,
    /// Of the base text: `oldText` (occurs once), or whole lines, or with characters an exact range.
    changes: Vec<RequestedEdit>,
}

/// Answer of `codecortex_applyEdit`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApplyData {
    /// Whether the files are changed; false for a dry run.
    applied: bool,
    /// Of a dry run: the argument that applies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_id: Option<String>,
    /// Number of the edit, as in `plan_hints`.
    edit_id: u32,
    /// Outcome for each file.
    files: Vec<FileData>,
    #[serde(flatten)]
    common: Common,
}

/// Outcome for a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FileData {
    /// `rootName/relative/path`.
    file_path: String,
    /// Its version afterwards: the `baseVersion` of the next edit.
    version_id: String,
    /// Lines that came.
    added: u32,
    /// Lines that went.
    removed: u32,
    /// First line concerned, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    /// Last line concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    /// A unified diff, of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

async fn handle(cx: CallContext, args: Value) -> Result<Edited, ToolError> {
    let args: ApplyArgs = parse(args)?;
    check_size(&args)?;
    let located = cx.look(|cx| {
        let located = locate_all(cx, &args)?;
        wait_for_texts(cx, &located)?;
        Ok(located)
    });
    let located = located.await?;
    let edit = cx.view(|cx| edit_of(cx, &args, &located)).await?;
    if args.dry_run == Some(true) {
        return Ok(edited(&edit, true));
    }
    if let Some(id) = &args.plan_id {
        check_plan(id, &plan_id(&edit.files))?;
    }
    let edit = cx.apply(edit).await?;
    Ok(edited(&edit, false))
}

/// The number of a plan: the same for the same texts before and afterwards, wherever the workspace lies.
pub(crate) fn plan_id(files: &[EditedFile]) -> String {
    let mut told = Vec::new();
    for file in files {
        let before = file.before.as_ref().map(version_of);
        for part in [
            file.located.display.as_str(),
            &before.unwrap_or_default(),
            &file.version,
            file.moved_to.as_ref().map_or("", |to| &to.display),
        ] {
            told.extend_from_slice(part.as_bytes());
            told.push(0);
        }
    }
    format!("{:016x}", xxh3_64(&told))
}

/// Refuses an edit that is not the one of the plan that somebody agreed to.
pub(crate) fn check_plan(agreed: &str, now: &str) -> Result<(), ToolError> {
    if agreed == now {
        return Ok(());
    }
    let error = ToolError::new(
        ErrorCode::VersionConflict,
        "The plan is another one now: the code or the arguments have changed. Nothing was changed.",
    );
    Err(error
        .hint("Call without `planId`, show the new plan, then apply it.")
        .detail("planId", now))
}

/// The edit as it is asked for. Of one that cannot be made it is noted that it was wanted.
fn edit_of(
    cx: &Invocation<'_>,
    args: &ApplyArgs,
    located: &[Located],
) -> Result<LiveEdit, ToolError> {
    let id = cx.session.live.next_edit();
    let summary = args.summary.as_deref();
    let mut files = Vec::new();
    for (file, changes) in located.iter().zip(&args.edits) {
        match plan(cx, file, changes) {
            Ok(planned) => files.push(planned),
            Err(error) if args.dry_run == Some(true) => return Err(error),
            Err(error) => {
                let reason = error.message.clone();
                let wanted = located
                    .iter()
                    .zip(&args.edits)
                    .map(|(located, changes)| FailedFile {
                        located: located.clone(),
                        patch: change::wanted(&changes.changes),
                    });
                cx.enqueue(Action::EditFailed(Box::new(FailedEdit {
                    id,
                    summary: args.summary.clone(),
                    files: wanted.collect(),
                    reason,
                })));
                return Err(error);
            }
        }
    }
    Ok(LiveEdit {
        id,
        summary: summary.map(|text| text.chars().take(200).collect()),
        files,
        undoes: None,
    })
}

fn check_size(args: &ApplyArgs) -> Result<(), ToolError> {
    let changes = args.edits.iter().flat_map(|file| &file.changes);
    let text: usize = changes.map(RequestedEdit::len).sum();
    match args.edits.len() {
        0 => Err(ToolError::invalid("`edits` is empty.").hint("Give a file with its changes.")),
        count if count > MAX_FILES => Err(ToolError::invalid(format!(
            "`edits` has {count} files; {MAX_FILES} are the most."
        ))),
        _ if text > MAX_TEXT => Err(ToolError::invalid(format!(
            "The changes have {text} bytes of text; {MAX_TEXT} are the most."
        ))),
        _ => Ok(()),
    }
}

/// The files, each once, and none of those that programs keep for themselves.
fn locate_all(cx: &Invocation<'_>, args: &ApplyArgs) -> Result<Vec<Located>, Failure> {
    let mut all: Vec<Located> = Vec::new();
    for changes in &args.edits {
        let path = &changes.file_path;
        let file = match changes.base_version.as_str() {
            NEW => new_file(cx, path)?,
            _ => cx.locate(path)?,
        };
        if file.place.is_none() && !cx.documents.contains_key(&file.path) {
            let error = ToolError::new(
                ErrorCode::AccessDenied,
                format!("`{path}` is outside the workspace: it can be read, not changed."),
            );
            return Err(error.hint("Open it in the editor to change it.").into());
        }
        let is_new = changes.base_version == NEW;
        check_file(cx, (path, &file), is_new)?;
        if all.contains(&file) {
            let error = ToolError::invalid(format!("`{path}` is there twice."));
            return Err(error
                .hint("Put all changes of a file into one entry.")
                .into());
        }
        all.push(file);
    }
    Ok(all)
}

/// Refuses a file that programs keep for themselves, and one that another edit is changing.
pub(crate) fn check_file(
    cx: &Invocation<'_>,
    (path, file): (&str, &Located),
    is_new: bool,
) -> Result<(), ToolError> {
    let inside = file.place.as_ref().map_or("", |place| place.path.as_str());
    check_name(cx, path, inside, is_new)?;
    if cx.session.live.is_being_edited(&file.path) {
        let error = ToolError::new(
            ErrorCode::Busy,
            format!("Another edit of `{path}` is being applied."),
        );
        return Err(error.hint("Call again in a moment.").retryable());
    }
    Ok(())
}

/// Refuses what programs keep for themselves or run, whatever it is called here.
fn check_name(
    cx: &Invocation<'_>,
    shown: &str,
    inside: &str,
    is_new: bool,
) -> Result<(), ToolError> {
    let denied = |message: String| ToolError::new(ErrorCode::AccessDenied, message);
    match name_problem(inside) {
        Some(NameProblem::Owned) => Err(denied(format!(
            "`{shown}` belongs to git or to CodeCortex, by its name here or on other systems."
        ))
        .hint("Change it by git, or by the tools of CodeCortex.")),
        Some(NameProblem::Unportable) if is_new => Err(denied(format!(
            "`{shown}` has another meaning on other systems."
        ))
        .hint(
            "Choose a name without `:` and `\\`, without a dot or blank at its end, and not that of a device of Windows.",
        )),
        _ if is_hidden(inside) && !cx.call.asks_person && !cx.config.edit_hidden => {
            Err(denied(format!(
                "`{shown}` is hidden: other programs may run such a file."
            ))
            .hint("The user can make this edit, or allow it with the command's option --edit-hidden."))
        }
        _ => Ok(()),
    }
}

/// Where a file is to be made: in a folder that is there.
fn new_file(cx: &Invocation<'_>, input: &str) -> Result<Located, Failure> {
    let roots = &cx.workspace.roots;
    let folder_of = |place: &WorkspacePath| match place.path.rsplit_once('/') {
        Some((folder, _)) => folder.to_owned(),
        None => String::new(),
    };
    let mut readings = places(input, roots)?;
    readings.retain(|place| {
        let folder = folder_of(place);
        !place.path.is_empty() && (folder.is_empty() || cx.workspace.is_dir(place.root, &folder))
    });
    // `app/a.py` in the folder `app` means the file `a.py`, unless `app` has a folder `app`.
    let chosen = match readings.as_slice() {
        [] => None,
        [one] => Some(one),
        several => {
            let named = |place: &&WorkspacePath| {
                let name = &roots[place.root as usize].name;
                input
                    .trim()
                    .strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.trim_start_matches('/') == place.path)
            };
            let mut named = several.iter().filter(named);
            named.next().filter(|_| named.next().is_none())
        }
    };
    match chosen {
        Some(place) => {
            let root = &roots[place.root as usize];
            Ok(cx.located(&absolute_path(root, &place.path)))
        }
        None => Err(ToolError::new(
            ErrorCode::NotFound,
            format!("The folder of `{input}` is not there, or there are several."),
        )
        .hint("Give `rootName/relative/path` in a folder that is there.")
        .into()),
    }
}

/// Has all texts read at once that no editor holds.
fn wait_for_texts(cx: &Invocation<'_>, files: &[Located]) -> Result<(), Failure> {
    let is_missing = |file: &&Located| {
        let is_open = cx.documents.contains_key(&file.path);
        !is_open && !cx.disk().contains_key(&file.path)
    };
    let missing: Vec<Located> = files.iter().filter(is_missing).cloned().collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Failure::Missing(Missing::Texts(missing))),
    }
}

/// What becomes of a file, or why it cannot.
fn plan(
    cx: &Invocation<'_>,
    file: &Located,
    wanted: &FileChanges,
) -> Result<EditedFile, ToolError> {
    let as_error = |failure| match failure {
        Failure::Error(error) => error,
        Failure::Missing(_) => ToolError::new(ErrorCode::InternalError, "A text is missing."),
    };
    if wanted.base_version == NEW {
        return plan_new(cx, file, wanted);
    }
    let text = cx.text_of(file).map_err(as_error)?;
    let now = text.snapshot;
    if *now.id() != wanted.base_version {
        return Err(conflict(cx, file, &wanted.base_version));
    }
    let (changes, after) = change::apply(&now.text, &wanted.changes)
        .map_err(|error| error.detail("filePath", file.display.clone()))?;
    edited_file(cx, file, (&now.text, after), changes)
}

/// What becomes of a file whose text is `before` and will be `after`: what the editor or the disk must have, and what
/// it gets, in its own encoding. The text must be here.
pub(crate) fn edited_file(
    cx: &Invocation<'_>,
    file: &Located,
    (before, after): (&TextDocument, TextDocument),
    changes: Vec<TextChange>,
) -> Result<EditedFile, ToolError> {
    let as_error = |failure| match failure {
        Failure::Error(error) => error,
        Failure::Missing(_) => ToolError::new(ErrorCode::InternalError, "A text is missing."),
    };
    let mut effect = FileEdit {
        path: file.path.clone(),
        root: file.place.as_ref().map(|place| place.root),
        version: None,
        stamp: None,
        changes,
        bytes: None,
        diff: String::new(),
        deleted: false,
        moved_to: None,
        makes_folder: false,
        mode: None,
    };
    match cx.documents.get(&file.path) {
        Some(document) => effect.version = Some(document.version),
        None => {
            if let DiskText::Text { bytes, stamp, .. } = cx.disk_text(file).map_err(as_error)? {
                let encoded = encode_like(&after.text(), bytes).ok_or_else(|| {
                    ToolError::new(
                        ErrorCode::Unavailable,
                        format!(
                            "`{}` is not valid text: an edit would lose bytes.",
                            file.display
                        ),
                    )
                })?;
                effect.stamp.clone_from(stamp);
                effect.bytes = Some(Bytes(encoded));
            }
        }
    }
    Ok(planned(file, Some(before.clone()), after, effect))
}

fn plan_new(
    cx: &Invocation<'_>,
    file: &Located,
    wanted: &FileChanges,
) -> Result<EditedFile, ToolError> {
    check_absent(cx, file)?;
    let (changes, after) = change::apply(&TextDocument::new(""), &wanted.changes)?;
    Ok(made(file, after, changes))
}

/// What becomes of a file that is made with a text. What the disk has there must be known.
pub(crate) fn created_file(
    cx: &Invocation<'_>,
    file: &Located,
    text: &str,
) -> Result<EditedFile, ToolError> {
    check_absent(cx, file)?;
    let start = Position {
        line: 0,
        character: 0,
    };
    let changes = vec![TextChange {
        start,
        end: start,
        text: text.to_owned(),
    }];
    Ok(made(file, TextDocument::new(text), changes))
}

fn made(file: &Located, after: TextDocument, changes: Vec<TextChange>) -> EditedFile {
    let effect = FileEdit {
        path: file.path.clone(),
        root: file.place.as_ref().map(|place| place.root),
        version: None,
        stamp: None,
        changes,
        bytes: Some(Bytes(after.text().into_bytes())),
        diff: String::new(),
        deleted: false,
        moved_to: None,
        makes_folder: false,
        mode: None,
    };
    planned(file, None, after, effect)
}

/// Refuses a file that is there.
pub(crate) fn check_absent(cx: &Invocation<'_>, file: &Located) -> Result<(), ToolError> {
    let is_open = cx.documents.contains_key(&file.path);
    let is_there = !matches!(cx.disk_text(file), Ok(DiskText::Absent));
    if is_open || is_there {
        return Err(ToolError::new(
            ErrorCode::VersionConflict,
            format!("`{}` is there already.", file.display),
        )
        .hint("Read it with codecortex_getLiveContext and edit that version.")
        .detail("filePath", file.display.clone()));
    }
    Ok(())
}

fn planned(
    file: &Located,
    before: Option<TextDocument>,
    after: TextDocument,
    mut effect: FileEdit,
) -> EditedFile {
    let nothing = TextDocument::new("");
    let old = before.as_ref().unwrap_or(&nothing);
    let old_version = before.as_ref().map_or_else(|| NEW.to_owned(), version_of);
    let new_version = version_of(&after);
    let labels = Labels {
        path: &file.display,
        old: &old_version,
        new: &new_version,
    };
    let patch = unified(old, &after, None, Some(labels), usize::MAX);
    effect.diff.clone_from(&patch.text);
    EditedFile {
        located: file.clone(),
        diff: patch.text,
        added: patch.added,
        removed: patch.removed,
        lines: patch.lines,
        before,
        after,
        version: new_version,
        effect,
        moved_to: None,
    }
}

/// The text is another by now: what changed since the caller's version, where that is kept.
fn conflict(cx: &Invocation<'_>, file: &Located, base: &str) -> ToolError {
    let shown: String = base.chars().take(40).collect();
    let error = ToolError::new(
        ErrorCode::VersionConflict,
        format!(
            "`{}` is not at version {shown} any more; nothing was changed.",
            file.display
        ),
    )
    .retryable()
    .detail("filePath", file.display.clone())
    .detail("baseVersion", shown);
    let Ok(text) = cx.text_of(file) else {
        return error;
    };
    let now = text.snapshot;
    let error = error.detail("currentVersion", now.id().clone());
    let history = history(cx.session, &file.path);
    match history.and_then(|history| history.find(base, now)) {
        Some(then) => {
            let labels = Labels {
                path: &file.display,
                old: then.id(),
                new: now.id(),
            };
            let patch = unified(&then.text, &now.text, None, Some(labels), CONFLICT_LINES);
            error
                .hint("Fit your edit to `diff` and repeat it with `currentVersion`.")
                .detail("diff", patch.text)
        }
        None => error.hint("Read the text again with codecortex_getLiveContext."),
    }
}

struct Edited {
    id: u32,
    files: Vec<FileData>,
    /// The number of the plan, where nothing is changed yet.
    plan_id: Option<String>,
}

/// The answer to an edit.
fn edited(edit: &LiveEdit, is_dry: bool) -> Edited {
    let files = edit.files.iter().map(|file| FileData {
        file_path: file.located.display.clone(),
        version_id: file.version.clone(),
        added: file.added as u32,
        removed: file.removed as u32,
        start_line: file.lines.map(|(first, _)| first as u32),
        end_line: file.lines.map(|(_, last)| last as u32),
        diff: is_dry.then(|| file.diff.clone()),
    });
    Edited {
        id: edit.id,
        files: files.collect(),
        plan_id: is_dry.then(|| plan_id(&edit.files)),
    }
}

impl Reply for Edited {
    fn levels(&self) -> &'static [&'static str] {
        &["whole", "no diffs"]
    }

    fn pieces(&self) -> usize {
        self.files.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let mut files = self.files[..pieces].to_vec();
        if level > 0 {
            files.iter_mut().for_each(|file| file.diff = None);
        }
        let data = ApplyData {
            applied: self.plan_id.is_none(),
            plan_id: self.plan_id.clone(),
            edit_id: self.id,
            files,
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let word = match &self.plan_id {
            Some(_) => "would change",
            None => "changed",
        };
        let mut out = match &self.plan_id {
            Some(id) => format!("// plan {id}; nothing is changed yet\n"),
            None => String::new(),
        };
        for file in &self.files[..pieces] {
            let FileData {
                file_path,
                version_id,
                added,
                removed,
                ..
            } = file;
            out += &format!("// {word} {file_path} +{added} -{removed} {version_id}\n");
            if let Some(diff) = file.diff.as_ref().filter(|_| level == 0) {
                out += diff;
            }
        }
        out
    }

    fn next_cursor(&self, _: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

/// The row of `codecortex_applyEdit`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_applyEdit",
    reference_name: "applyEdit",
    title: "Apply edit",
    description: "Change text in files, all or none, unsaved text too. `baseVersion` is the `versionId` of \
        codecortex_getLiveContext (`new` creates a file); if the text changed since, the edit is rejected.",
    icon: "$(edit)",
    profile: Profile::Default,
    is_read_only: false,
    is_destructive: true,
    is_idempotent: false,
    needs_confirmation: true,
    sees_generated: false,
    former_name: None,
    uses: &[ToolUse::Recording],
    aliases: &[("files", "edits"), ("description", "summary")],
    schema: schema_of::<ApplyArgs>,
    output: schema_of::<ApplyData>,
    needs: &[],
    handler: |cx, args| boxed(handle(cx, args)),
};
