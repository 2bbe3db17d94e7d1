//! What crosses the engine's door: [`Event`]s in, [`Effect`]s out (SPEC D5).
//!
//! The engine never lists a folder, reads a file or looks at a clock. A host tells it what happened
//! and carries out what it asks for; the same messages serve the native host (as Rust values) and
//! the workers of VS Code (as structured-cloned objects made by `serde-wasm-bindgen`). The
//! TypeScript types in `extension/generated` are made from the schemas of these items.
//!
//! File contents do not travel here: the host reads a file where that is cheap, runs
//! `codecortex_syntax::analyse` on the bytes beside the read, and hands in the compact outcome
//! through the engine's `ingest`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::personal::PersonalSettings;
use crate::ports::{Request, Response};
use crate::position::{DocumentSpan, Position};
use crate::providers::Disagreement;
use crate::scripts::ScriptSettings;
use crate::tokens::Tokenizer;

/// Something that happened outside the engine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Event {
    /// The workspace and its settings: the first event, and again whenever either changes.
    /// Everything known so far is dropped but the cache and the open documents.
    Configure {
        /// The workspace's folders, in the user's order.
        roots: Vec<Root>,
        /// The user's settings.
        config: Config,
    },
    /// Answer to [`Effect::List`]; a host may answer one `list` in portions.
    Listed {
        /// One listing for each folder; every folder that was asked for comes once.
        listings: Vec<Listing>,
    },
    /// The watcher saw these absolute paths appear, change or vanish; files or folders.
    Changed {
        /// Absolute paths with `/`.
        paths: Vec<String>,
    },
    /// The host learns of changes in another way than before. Without this event, by [`Event::Changed`].
    Watching {
        /// Why the disk is not relied on to tell of changes; absent where it is.
        unwatched: Option<Unwatched>,
    },
    /// An editor holds this document now; its text wins over the disk until `closed` (SPEC I1).
    Opened {
        /// Absolute path with `/`.
        path: String,
        /// The editor's version number of `text`.
        version: i64,
        /// The whole text.
        text: String,
        /// Whether `text` differs from the disk.
        dirty: bool,
    },
    /// An open document changed.
    Edited {
        /// Absolute path with `/`.
        path: String,
        /// The editor's version number after the change.
        version: i64,
        /// The edits, applied in this order, each to the result of the one before.
        changes: Vec<TextChange>,
        /// Whether the text differs from the disk afterwards.
        dirty: bool,
    },
    /// An open document was written to the disk.
    Saved {
        /// Absolute path with `/`.
        path: String,
    },
    /// The editor let go of a document; the disk is the truth again.
    Closed {
        /// Absolute path with `/`.
        path: String,
    },
    /// What time it is. A host tells before every other event that may be of some minutes later; the
    /// engine has no clock.
    Time {
        /// Ms since 1970.
        now_ms: f64,
    },
    /// What the editor shows, whenever that changes (SPEC LC2).
    Editor {
        /// Absolute path with `/` of the document that has the focus; absent where none has.
        active: Option<String>,
        /// Selections in it, the primary one first; a cursor is an empty one.
        #[serde(default)]
        selections: Vec<DocumentSpan>,
        /// What of it is on the screen.
        #[serde(default)]
        visible: Vec<DocumentSpan>,
    },
    /// The problems that the editor shows for a file, all of them; none takes them back (SPEC LC2).
    Diagnosed {
        /// Absolute path with `/`.
        path: String,
        /// The problems, in any order.
        diagnostics: Vec<Diagnostic>,
    },
    /// The primary cursor moved.
    Selected {
        /// Absolute path with `/`.
        path: String,
        /// Where the cursor is, as the editor's protocol counts.
        position: Position,
    },
    /// Forget the index and the cache and read everything anew.
    Reindex,
    /// Stop indexing; what is there stays usable and is reported as partial.
    CancelIndexing,
    /// The host's reply to an [`Effect::Ask`]; each ask gets one. A reply that comes after an [`Effect::Cancel`] counts
    /// for nothing.
    Replied {
        /// The number it was asked with.
        id: u32,
        /// What came of it.
        reply: Response,
        /// Ms since 1970.
        now_ms: f64,
    },
    /// The time that [`Effect::Tick`] asked for has passed.
    Tick {
        /// Ms since 1970.
        now_ms: f64,
    },
    /// A person wants the folder `.context/` of this root (SPEC D17).
    KeepContext {
        /// Index into the roots.
        root: u32,
    },
    /// A model is there that may be asked, or is no longer (SPEC SE2). Before that no [`Request::Model`] comes.
    Model {
        /// What people call it; absent where there is none.
        name: Option<String>,
        /// How many types of a root may be described at a time.
        slots: u32,
    },
    /// Types are to be described, or no longer: they go into the queue or out of it.
    Wanted {
        /// Index into the roots.
        root: u32,
        /// Their ids.
        types: Vec<String>,
        /// Whether they are wanted.
        wanted: bool,
    },
    /// A tool is called (SPEC D6). The answer is an [`Effect::Answer`] with the same id.
    Call {
        /// The caller's number for this call.
        id: u32,
        /// The tool's name, as in the table.
        tool: String,
        /// The arguments, unchecked.
        args: Value,
        /// Where the call comes from.
        caller: Caller,
    },
    /// Nobody wants the answer to a call any more. It is answered at once, with `Cancelled`, if it is not answered yet;
    /// what it waits for is given up by [`Effect::Cancel`].
    CancelCall {
        /// The caller's number for the call.
        id: u32,
    },
    /// A call was answered: how long that took, which the host measures (SPEC T1).
    Answered {
        /// The caller's number for the call.
        id: u32,
        /// From the call to its answer, in µs.
        took_us: f64,
    },
    /// The host ends: what is to be kept is kept now.
    Ending,
}

impl Event {
    /// When it happened, in ms since 1970, where it says so.
    #[must_use]
    pub fn now_ms(&self) -> Option<f64> {
        match self {
            Self::Time { now_ms } | Self::Tick { now_ms } | Self::Replied { now_ms, .. } => {
                Some(*now_ms)
            }
            _ => None,
        }
    }
}

/// A workspace folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Root {
    /// The name shown in paths, `name/relative/path` (SPEC TC2).
    pub name: String,
    /// Absolute path with `/` and without one at the end.
    pub path: String,
    /// The folder's path as it was given, where a link leads to it: what callers name files by, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// What is not read as code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadLimits {
    /// Files above this many bytes are left out.
    pub max_file_size: u32,
    /// Whether generated code is left out.
    pub exclude_generated: bool,
}

/// The settings that the core knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Config {
    /// Files above this many bytes are left out and listed as oversized.
    pub max_file_size: u32,
    /// Further `.gitignore` patterns of what to leave out (VS Code's `files.exclude`, own settings).
    pub exclude: Vec<String>,
    /// Whether generated code is left out; names lead into it all the same.
    pub exclude_generated: bool,
    /// Whether `max_file_size` holds whatever a folder's `.context/config.json` says: a person gave it to a command.
    #[serde(skip)]
    pub max_file_size_holds: bool,
    /// The same of `exclude_generated`.
    #[serde(skip)]
    pub exclude_generated_holds: bool,
    /// Whether doors that show a person no edit before it is made may edit files and folders whose names begin with a
    /// dot: other programs run what they say. A person said so to a command.
    #[serde(skip)]
    pub edit_hidden: bool,
    /// The form answers take where a call does not say (SPEC TC8).
    pub format: AnswerFormat,
    /// The most megabytes that the index may hold in memory; 0 for no ceiling (SPEC X10).
    pub memory_ceiling_mb: u32,
    /// Whether the folder `.context/` is kept up to date where there is one.
    pub keep_context: bool,
    /// Paths of roots whose `.context/` came with the repository: no person vouches for it, and nothing is written
    /// into it (SPEC D17).
    pub untrusted_contexts: Vec<String>,
    /// What the person set for each root, by its path.
    pub personal: BTreeMap<String, PersonalSettings>,
    /// How tokens are counted besides `ceil(chars/4)`.
    pub tokenizer: Tokenizer,
    /// A document is sampled every so many minutes, to be compared with what it becomes (SPEC D27).
    pub anchor_minutes: u32,
    /// Whether live context is recorded in `.context/replay/` where there is such a folder (SPEC D27).
    pub record: bool,
    /// Whether a log of telemetry is kept on this machine (SPEC T1).
    pub telemetry: bool,
    /// Files that declare what the workspace uses and does not have, by absolute paths or such below a workspace folder
    /// (SPEC AS3). None: they are looked for where such files lie. Empty: there are none.
    pub external_types: Option<Vec<String>>,
    /// How scripts are read.
    pub angelscript: ScriptSettings,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_file_size: 4 * 1024 * 1024,
            exclude: Vec::new(),
            exclude_generated: true,
            max_file_size_holds: false,
            exclude_generated_holds: false,
            edit_hidden: false,
            format: AnswerFormat::Json,
            memory_ceiling_mb: 0,
            keep_context: true,
            untrusted_contexts: Vec::new(),
            personal: BTreeMap::new(),
            tokenizer: Tokenizer::Approx,
            anchor_minutes: 30,
            record: false,
            telemetry: true,
            external_types: None,
            angelscript: ScriptSettings::default(),
        }
    }
}

/// The form of an answer (SPEC TC8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AnswerFormat {
    /// The envelope: `{"ok":true,"data":…}`.
    #[default]
    Json,
    /// Declarations as code, everything else as short comments; fewer tokens for the same facts.
    Text,
    /// Both, each within the budget by itself.
    Both,
}

/// Why a host lists folders to find changes, instead of being told of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Unwatched {
    /// The system gives no watcher.
    Unavailable,
    /// The system does not watch every folder, as where its watches ran out.
    LimitReached,
    /// Something changed and nobody was told, as on some network and virtual disks.
    Silent,
}

/// The content of one folder.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listing {
    /// Index into the roots of the last `configure`.
    pub root: u32,
    /// Folder relative to the root with `/`; empty for the root itself.
    pub dir: String,
    /// What is in it, in any order.
    pub entries: Vec<ListingEntry>,
    /// The folder's ignore files with their text: `.gitignore`, `.ignore`; for the root also
    /// `.git/info/exclude` and `.context/config.json`.
    pub ignore_files: Vec<IgnoreFile>,
    /// Why the folder could not be listed, where it could not.
    #[serde(default)]
    pub error: Option<String>,
}

/// One entry of a [`Listing`].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListingEntry {
    /// The name without its folder.
    pub name: String,
    /// What it is, links not followed.
    pub kind: EntryKind,
    /// Bytes; 0 for what is no file.
    #[serde(default)]
    pub size: f64,
    /// Last modification in ms since 1970, as exact as the host has it.
    #[serde(default)]
    pub mtime_ms: f64,
    /// When the file itself changed, in ms since 1970: nobody sets this time, so that a file that took another's place
    /// shows by it although size and modification are the same. 0 where the host does not know it.
    #[serde(default)]
    pub changed_ms: f64,
    /// For a link: the absolute path it finally leads to, with `/`; absent where it leads nowhere.
    #[serde(default)]
    pub target: Option<String>,
}

/// What a folder's entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Dir,
    /// A symbolic link; not followed.
    Symlink,
    /// A pipe, socket or device; never read.
    Other,
}

/// The text of a `.gitignore` or `.ignore`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IgnoreFile {
    /// Its name; `.ignore` wins over `.gitignore`, `.gitignore` over `.git/info/exclude`, that over `core.excludesFile`
    /// (the user's own for all repositories).
    pub name: String,
    /// Its lines.
    pub text: String,
    /// Of a folder above the root: the path from there down to the root. Empty for the listed folder's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub above: String,
}

/// A problem that an editor shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostic {
    /// Where.
    pub span: DocumentSpan,
    /// How grave it is.
    pub severity: Severity,
    /// What it says.
    pub message: String,
    /// Who says it, such as `tsc`.
    #[serde(default)]
    pub source: Option<String>,
}

/// How grave a problem is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// It does not work.
    Error,
    /// It may not work.
    Warning,
    /// Something to know.
    Information,
    /// Something that could be better.
    Hint,
}

/// One edit of a document, in terms of the text before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextChange {
    /// Start of what is replaced.
    pub start: Position,
    /// End of what is replaced, exclusive.
    pub end: Position,
    /// What comes in its place.
    pub text: String,
}

/// Where a call comes from: it decides defaults, never what is true.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Caller {
    /// Which surface.
    pub kind: CallerKind,
    /// The most UTF-8 bytes one form of the answer may have, where the surface has such a limit
    /// (SPEC X1: a Language Model tool answer stays under 8,000 bytes).
    pub max_bytes: Option<u32>,
    /// The most tokens the surface grants; the smaller of this and the call's `maxTokens` holds.
    pub max_tokens: Option<u32>,
    /// Whether the surface can ask language providers; it is asked by [`Request::Providers`] then.
    pub providers: bool,
}

/// The surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CallerKind {
    /// The command line and batches.
    #[default]
    Cli,
    /// An MCP client: always both forms.
    Mcp,
    /// VS Code's Language Model tools.
    Lm,
    /// A person's editor: what it asks is not what a caller needs to remember, and costs no tokens.
    Editor,
}

/// Something the host is asked to do.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Effect {
    /// List these folders and send one `listed`. Folders are listed once and may be watched from
    /// then on, not recursively.
    List {
        /// The folders.
        dirs: Vec<DirRef>,
    },
    /// Read these files, analyse the bytes, and `ingest` each outcome, also where reading failed.
    Read {
        /// The files, most wanted first.
        files: Vec<FileRef>,
        /// What of them is not read as code, where their folder's `.context/config.json` says otherwise than the
        /// settings.
        #[serde(skip_serializing_if = "Option::is_none")]
        limits: Option<ReadLimits>,
    },
    /// The state changed in a way a person may want to see.
    State {
        /// The state now.
        state: State,
    },
    /// The index is settled and differs from the cache last exported: a good moment to call
    /// `export_cache` and write it.
    SaveCache,
    /// Do what the request says and send one `replied`, in any case.
    Ask {
        /// The number to reply with.
        id: u32,
        /// The number of the call that asks; absent where the engine asks for itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        call: Option<u32>,
        /// What is asked.
        request: Request,
    },
    /// What this [`Effect::Ask`] asked for is not wanted any more: what is not done yet need not be done.
    Cancel {
        /// Its number.
        id: u32,
    },
    /// Places about which language providers and the index disagree, for the host's log.
    Disagreed {
        /// By what they have in common.
        disagreements: Vec<Disagreement>,
    },
    /// Send a `tick` after this time; only the earliest of several counts.
    Tick {
        /// Ms from now.
        after_ms: u32,
    },
    /// The prompt window may be another one: who shows it asks `codecortex_getContext`.
    WindowChanged,
    /// Something a person should know. The same sentence comes once.
    Notice {
        /// A sentence with what to do about it.
        text: String,
    },
    /// Append this line to the day's file of the log of telemetry; files older than 30 days go (SPEC T1).
    KeepTelemetry {
        /// The line, without its end.
        line: String,
    },
    /// The answer to a call.
    Answer {
        /// The call's id.
        id: u32,
        /// The answer.
        answer: Answer,
    },
}

/// What is to be done to a file by an [`Request::Apply`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileEdit {
    /// Absolute path with `/`.
    pub path: String,
    /// Index into the roots; absent for an open document outside of them.
    pub root: Option<u32>,
    /// The editor's version that the changes are of; absent where no editor holds the file. An editor that
    /// has another version answers `conflict`.
    pub version: Option<i64>,
    /// Of a file that no editor holds, the state it has to be in; absent where it must not be there.
    pub stamp: Option<String>,
    /// The changes, each in terms of the text before all of them, from the start to the end. Of a file that
    /// is to be made, its text at its start.
    pub changes: Vec<TextChange>,
    /// What the file holds then, in its own encoding; absent where an editor holds it or it is deleted.
    pub bytes: Option<Bytes>,
    /// A unified diff, for who has to agree.
    pub diff: String,
    /// Whether the file is deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
    /// The absolute path that the file has afterwards, where it is moved. Nothing may be there, unless a disk that folds
    /// case has the file itself there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// Whether the folder that the file is in afterwards is made where it is not there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub makes_folder: bool,
    /// The rights of a file that is made, as Unix counts them; absent for the user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<u32>,
}

/// An edit that was applied and can be taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedEdit {
    /// The host's name for it.
    pub id: String,
    /// What it was for.
    pub summary: Option<String>,
    /// When it was applied, in milliseconds since 1970.
    pub at_ms: f64,
    /// Its files.
    pub files: Vec<AppliedFile>,
}

/// A file of an edit that was applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedFile {
    /// Absolute path with `/`: where the file is now, or was when it was deleted.
    pub path: String,
    /// Where the file was, if it was moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// What it held; absent where it was made, and in a list without contents.
    pub before: Option<Bytes>,
    /// What it held afterwards; absent where it was deleted, and in a list without contents.
    pub after: Option<Bytes>,
    /// The rights of a file that was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<u32>,
}

/// What became of an [`Request::Apply`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum ApplyOutcome {
    /// It is done.
    Done,
    /// A person did not want it. Nothing was changed.
    Rejected,
    /// A file is not as expected. Nothing was changed but `not_restored`.
    Conflict {
        /// Its absolute path.
        path: String,
        /// Absolute paths of files that are not as before: somebody saved them while the edit was being taken back.
        #[serde(default)]
        not_restored: Vec<String>,
    },
    /// It could not be done. Nothing was changed but `not_restored`.
    Failed {
        /// Why, as a sentence.
        reason: String,
        /// Absolute paths of files that are not as before.
        #[serde(default)]
        not_restored: Vec<String>,
    },
}

/// A file's content as it crosses the door: `Uint8Array` in JavaScript.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(#[serde(with = "serde_bytes")] pub Vec<u8>);

impl JsonSchema for Bytes {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Bytes".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "binary" })
    }
}

/// What became of a file of an [`Request::Texts`].
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FetchedFile {
    /// What it holds; absent where it is not there.
    pub bytes: Option<Bytes>,
    /// What tells this state of the file from any other, as the host likes; absent where it is not there.
    pub stamp: Option<String>,
    /// Why it could not be read though it is there.
    pub error: Option<String>,
}

/// A file and the state it is expected in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stamped {
    /// Relative to the root.
    pub path: String,
    /// As the host gave it; absent for a file that is not there.
    #[serde(default)]
    pub stamp: Option<String>,
}

/// One step of an [`Request::Commit`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum DiskChange {
    /// Put a file in place whole, its folder too.
    Write {
        /// Relative to the root.
        path: String,
        /// What it holds then.
        bytes: Bytes,
    },
    /// Add lines to a file's end; it and its folder are made where they are not there.
    Append {
        /// Relative to the root.
        path: String,
        /// The lines.
        text: String,
    },
    /// Give a file another name, in git too where it is tracked. One that is not there is no failure.
    Move {
        /// Relative to the root.
        from: String,
        /// Relative to the root.
        to: String,
    },
    /// Delete a file. One that is not there is no failure.
    Delete {
        /// Relative to the root.
        path: String,
    },
}

/// What became of an [`Request::Commit`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum CommitOutcome {
    /// It is on the disk.
    Done {
        /// The stamps of the files that were expected, in their order.
        stamps: Vec<Option<String>>,
    },
    /// A file is not as expected: somebody else wrote. Nothing was changed.
    Conflict,
    /// Another process holds the lock. Nothing was changed.
    Busy,
    /// The disk does not allow it.
    Failed {
        /// Why, as a sentence.
        reason: String,
    },
}

/// A folder of a root.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct DirRef {
    /// Index into the roots.
    pub root: u32,
    /// Relative to the root with `/`; empty for the root itself.
    pub dir: String,
}

/// A file of a root.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct FileRef {
    /// Index into the roots.
    pub root: u32,
    /// Relative to the root with `/`.
    pub path: String,
}

/// What a status bar shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// What the engine is doing.
    pub phase: Phase,
    /// Files whose facts are in the index.
    pub files: u32,
    /// Files that are not read yet.
    pub pending: u32,
    /// Files and folders left out (SPEC P2).
    pub skipped: u32,
    /// Declarations in the index.
    pub symbols: u32,
    /// Lines of the indexed files.
    pub lines: u32,
    /// Grows with every change of the index.
    pub revision: u32,
}

/// What the engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// No folder is open.
    Empty,
    /// Folders are being listed.
    Scanning,
    /// Files are being read.
    Indexing,
    /// Everything is in the index.
    Ready,
    /// The user stopped it before everything was in.
    Cancelled,
}

/// The answer to a call, serialised to the byte: hosts hand it on as it is, so that the budget
/// that was measured is the budget that is kept (SPEC D14).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Whether the call succeeded.
    pub ok: bool,
    /// The envelope, where JSON was asked for.
    pub json: Option<String>,
    /// The text form, where it was asked for.
    pub text: Option<String>,
}

/// Which two states of a repository are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum DiffOf {
    /// The last commit and the index.
    Staged,
    /// The index and the files on the disk, those that git does not know included.
    Unstaged,
    /// The last commit and the files on the disk, those that git does not know included.
    Uncommitted,
    /// Two commits.
    Range {
        /// A name of a commit. Without `head` the point where the present commit left its history.
        base: String,
        /// A name of a commit; absent for the present one.
        head: Option<String>,
    },
}

/// What became of an [`Request::Diff`].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum DiffOutcome {
    /// It was read.
    Done {
        /// What differs.
        diff: GitDiff,
    },
    /// It could not be.
    Failed {
        /// Why, as a sentence.
        reason: String,
        /// What to do next, as a sentence.
        hint: String,
    },
}

/// What differs between two states of a repository. Paths are relative to the root.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitDiff {
    /// The older commit, in full; absent where it is the index.
    pub base: Option<String>,
    /// The newer commit, in full; absent where it is the index or the disk.
    pub head: Option<String>,
    /// A unified diff as git writes it, renames found, with three lines around.
    pub patch: String,
    /// Whether the diff is longer than what is read of one.
    pub is_cut: bool,
    /// Both versions of the files of the diff, as far as they are read.
    pub versions: Vec<FileVersions>,
    /// Files that git does not know.
    pub untracked: Vec<FileVersions>,
    /// The last commits before the older state: as of [`Response::Log`], each file with the status `M`.
    pub log: String,
}

/// A file of a [`GitDiff`].
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileVersions {
    /// Its path after the change, or before where it is gone.
    pub path: String,
    /// What it held; absent where it was not there or is too large.
    pub old: Option<Bytes>,
    /// What it holds; absent where it is gone or too large.
    pub new: Option<Bytes>,
}
