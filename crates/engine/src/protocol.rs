//! What crosses the engine's door: [`Event`]s in, [`Effect`]s out (SPEC D5).
//!
//! The engine never lists a folder, reads a file or looks at a clock. A host tells it what happened
//! and carries out what it asks for; the same messages serve the native host (as Rust values) and
//! the workers of VS Code (as structured-cloned objects made by `serde-wasm-bindgen`). The
//! TypeScript types in `extension/generated` are made from the schemas of these items.
//!
//! File contents do not travel here: the host reads a file where that is cheap, runs
//! `codecortex_syntax::analyse` on the bytes beside the read, and hands in the compact outcome
//! through [`crate::Engine::ingest`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// A tool is called (SPEC D6). The answer is an [`Effect::Answer`] with the same id.
    Call {
        /// The caller's number for this call.
        id: u32,
        /// The tool's name, as in the table.
        tool: String,
        /// The arguments, unchecked.
        args: Value,
        /// Where the call comes from.
        door: Door,
    },
}

/// A workspace folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Root {
    /// The name shown in paths, `name/relative/path` (SPEC TC2).
    pub name: String,
    /// Absolute path with `/` and without one at the end.
    pub path: String,
}

/// The settings that the core knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Config {
    /// Files above this many bytes are left out and listed as oversized.
    pub max_file_size: u32,
    /// Further `.gitignore` patterns of what to leave out (VS Code's `files.exclude`, own settings).
    pub exclude: Vec<String>,
    /// Whether generated code is left out.
    pub exclude_generated: bool,
    /// The form answers take where a call does not say (SPEC TC8).
    pub format: Format,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_file_size: 4 * 1024 * 1024,
            exclude: Vec::new(),
            exclude_generated: true,
            format: Format::Json,
        }
    }
}

/// The form of an answer (SPEC TC8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// The envelope: `{"ok":true,"data":…}`.
    #[default]
    Json,
    /// Declarations as code, everything else as short comments; fewer tokens for the same facts.
    Text,
    /// Both, each within the budget by itself.
    Both,
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
    pub entries: Vec<Entry>,
    /// The folder's ignore files with their text: `.gitignore`, `.ignore`; for the root also
    /// `.git/info/exclude`.
    pub ignore_files: Vec<IgnoreFile>,
    /// Why the folder could not be listed, where it could not.
    #[serde(default)]
    pub error: Option<String>,
}

/// One entry of a [`Listing`].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
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
    /// Its name; `.ignore` wins over `.gitignore`, `.gitignore` over `.git/info/exclude`.
    pub name: String,
    /// Its lines.
    pub text: String,
}

/// A place in a document as VS Code and LSP count: from 0, characters in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// Line from 0.
    pub line: u32,
    /// UTF-16 units from the line's start.
    pub character: u32,
}

/// One edit of a document, in terms of the text before it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
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
pub struct Door {
    /// Which surface.
    pub kind: DoorKind,
    /// The most UTF-8 bytes one form of the answer may have, where the surface has such a limit
    /// (SPEC X1: a Language Model tool answer stays under 8,000 bytes).
    pub max_bytes: Option<u32>,
    /// The most tokens the surface grants; the smaller of this and the call's `maxTokens` holds.
    pub max_tokens: Option<u32>,
}

/// The surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DoorKind {
    /// The command line and batches.
    #[default]
    Cli,
    /// An MCP client: always both forms.
    Mcp,
    /// VS Code's Language Model tools.
    Lm,
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
    },
    /// The state changed in a way a person may want to see.
    State {
        /// The state now.
        state: State,
    },
    /// The index is settled and differs from the cache last exported: a good moment to call
    /// `export_cache` and write it.
    SaveCache,
    /// The answer to a call.
    Answer {
        /// The call's id.
        id: u32,
        /// The answer.
        answer: Answer,
    },
}

/// A folder of a root.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
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
    /// Files still to be read.
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
