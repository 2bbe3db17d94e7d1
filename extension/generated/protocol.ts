// Generated from crates/protocol/src/events.rs by `cargo xtask codegen`; do not edit.

/**
 * The answer to a call, serialised to the byte: hosts hand it on as it is, so that the budget
 * that was measured is the budget that is kept (SPEC D14).
 */
export interface Answer {
  /** Whether the call succeeded. */
  ok: boolean;
  /** The envelope, where JSON was asked for. */
  json?: string | null;
  /** The text form, where it was asked for. */
  text?: string | null;
}

/** The form of an answer (SPEC TC8). */
export type AnswerFormat =
  /** The envelope: `{"ok":true,"data":…}`. */
  | "json"
  /** Declarations as code, everything else as short comments; fewer tokens for the same facts. */
  | "text"
  /** Both, each within the budget by itself. */
  | "both";

/** An edit that was applied and can be taken back. */
export interface AppliedEdit {
  /** The host's name for it. */
  id: string;
  /** What it was for. */
  summary?: string | null;
  /** When it was applied, in milliseconds since 1970. */
  atMs: number;
  /** Its files. */
  files: AppliedFile[];
}

/** A file of an edit that was applied. */
export interface AppliedFile {
  /** Absolute path with `/`: where the file is now, or was when it was deleted. */
  path: string;
  /** Where the file was, if it was moved. */
  movedFrom?: string | null;
  /** What it held; absent where it was made, and in a list without contents. */
  before?: Uint8Array | null;
  /** What it held afterwards; absent where it was deleted, and in a list without contents. */
  after?: Uint8Array | null;
  /** The rights of a file that was deleted. */
  mode?: number | null;
}

/** What became of an [`Request::Apply`]. */
export type ApplyOutcome =
  /** It is done. */
  | {
    type: "done";
  }
  /** A person did not want it. Nothing was changed. */
  | {
    type: "rejected";
  }
  /** A file is not as expected. Nothing was changed but `not_restored`. */
  | {
    type: "conflict";
    /** Its absolute path. */
    path: string;
    /** Absolute paths of files that are not as before: somebody saved them while the edit was being taken back. */
    notRestored?: string[];
  }
  /** It could not be done. Nothing was changed but `not_restored`. */
  | {
    type: "failed";
    /** Why, as a sentence. */
    reason: string;
    /** Absolute paths of files that are not as before. */
    notRestored?: string[];
  };

/** Whether every script sees every other one without `import`. */
export type AutomaticImports = "auto" | "true" | "false" | true | false;

/** Where a call comes from: it decides defaults, never what is true. */
export interface Caller {
  /** Which surface. */
  kind?: CallerKind;
  /**
   * The most UTF-8 bytes one form of the answer may have, where the surface has such a limit
   * (SPEC X1: a Language Model tool answer stays under 8,000 bytes).
   */
  maxBytes?: number | null;
  /** The most tokens the surface grants; the smaller of this and the call's `maxTokens` holds. */
  maxTokens?: number | null;
  /** Whether the surface can ask language providers; it is asked by [`Request::Providers`] then. */
  providers?: boolean;
}

/** The surfaces. */
export type CallerKind =
  /** The command line and batches. */
  | "cli"
  /** An MCP client: always both forms. */
  | "mcp"
  /** VS Code's Language Model tools. */
  | "lm"
  /** A person's editor: what it asks is not what a caller needs to remember, and costs no tokens. */
  | "editor";

/** What became of an [`Request::Commit`]. */
export type CommitOutcome =
  /** It is on the disk. */
  | {
    type: "done";
    /** The stamps of the files that were expected, in their order. */
    stamps: (string | null)[];
  }
  /** A file is not as expected: somebody else wrote. Nothing was changed. */
  | {
    type: "conflict";
  }
  /** Another process holds the lock. Nothing was changed. */
  | {
    type: "busy";
  }
  /** The disk does not allow it. */
  | {
    type: "failed";
    /** Why, as a sentence. */
    reason: string;
  };

/** The settings that the core knows. */
export interface Config {
  /** Files above this many bytes are left out and listed as oversized. */
  maxFileSize?: number;
  /** Further `.gitignore` patterns of what to leave out (VS Code's `files.exclude`, own settings). */
  exclude?: string[];
  /** Whether generated code is left out; names lead into it all the same. */
  excludeGenerated?: boolean;
  /** The form answers take where a call does not say (SPEC TC8). */
  format?: AnswerFormat;
  /** The most megabytes that the index may hold in memory; 0 for no ceiling (SPEC X10). */
  memoryCeilingMb?: number;
  /** Whether the folder `.context/` is kept up to date where there is one. */
  keepContext?: boolean;
  /**
   * Paths of roots whose `.context/` came with the repository: no person vouches for it, and nothing is written
   * into it (SPEC D17).
   */
  untrustedContexts?: string[];
  /** What the person set for each root, by its path. */
  personal?: Record<string, PersonalSettings>;
  /** How tokens are counted besides `ceil(chars/4)`. */
  tokenizer?: Tokenizer;
  /** A document is sampled every so many minutes, to be compared with what it becomes (SPEC D27). */
  anchorMinutes?: number;
  /** Whether live context is recorded in `.context/replay/` where there is such a folder (SPEC D27). */
  record?: boolean;
  /** Whether a log of telemetry is kept on this machine (SPEC T1). */
  telemetry?: boolean;
  /**
   * Files that declare what the workspace uses and does not have, by absolute paths or such below a workspace folder
   * (SPEC AS3). None: they are looked for where such files lie. Empty: there are none.
   */
  externalTypes?: string[] | null;
  /** How scripts are read. */
  angelscript?: ScriptSettings;
}

/** A problem that an editor shows. */
export interface Diagnostic {
  /** Where. */
  span: DocumentSpan;
  /** How grave it is. */
  severity: Severity;
  /** What it says. */
  message: string;
  /** Who says it, such as `tsc`. */
  source?: string | null;
}

/** Which two states of a repository are compared. */
export type DiffOf =
  /** The last commit and the index. */
  | {
    type: "staged";
  }
  /** The index and the files on the disk, those that git does not know included. */
  | {
    type: "unstaged";
  }
  /** The last commit and the files on the disk, those that git does not know included. */
  | {
    type: "uncommitted";
  }
  /** Two commits. */
  | {
    type: "range";
    /** A name of a commit. Without `head` the point where the present commit left its history. */
    base: string;
    /** A name of a commit; absent for the present one. */
    head?: string | null;
  };

/** What became of an [`Request::Diff`]. */
export type DiffOutcome =
  /** It was read. */
  | {
    type: "done";
    /** What differs. */
    diff: GitDiff;
  }
  /** It could not be. */
  | {
    type: "failed";
    /** Why, as a sentence. */
    reason: string;
    /** What to do next, as a sentence. */
    hint: string;
  };

/** A folder of a root. */
export interface DirRef {
  /** Index into the roots. */
  root: number;
  /** Relative to the root with `/`; empty for the root itself. */
  dir: string;
}

/** A place about which language providers and the index disagree. It holds nothing of the source. */
export interface Disagreement {
  /** Language id. */
  language: string;
  /** What the symbol is: `method`, `class` … */
  kind: string;
  /** What stands before the name: `none`, `this`, `name`, `member`, `call` … */
  shape: string;
  /** How sure the index was; `none` where only the providers know the place. */
  tier: string;
  /** How many places. */
  count: number;
}

/** One step of an [`Request::Commit`]. */
export type DiskChange =
  /** Put a file in place whole, its folder too. */
  | {
    type: "write";
    /** Relative to the root. */
    path: string;
    /** What it holds then. */
    bytes: Uint8Array;
  }
  /** Add lines to a file's end; it and its folder are made where they are not there. */
  | {
    type: "append";
    /** Relative to the root. */
    path: string;
    /** The lines. */
    text: string;
  }
  /** Give a file another name, in git too where it is tracked. One that is not there is no failure. */
  | {
    type: "move";
    /** Relative to the root. */
    from: string;
    /** Relative to the root. */
    to: string;
  }
  /** Delete a file. One that is not there is no failure. */
  | {
    type: "delete";
    /** Relative to the root. */
    path: string;
  };

/** A range in a document. */
export interface DocumentSpan {
  /** Its start. */
  start: Position;
  /** Its end, exclusive. */
  end: Position;
}

/** Something the host is asked to do. */
export type Effect =
  /**
   * List these folders and send one `listed`. Folders are listed once and may be watched from
   * then on, not recursively.
   */
  | {
    type: "list";
    /** The folders. */
    dirs: DirRef[];
  }
  /** Read these files, analyse the bytes, and `ingest` each outcome, also where reading failed. */
  | {
    type: "read";
    /** The files, most wanted first. */
    files: FileRef[];
    /**
     * What of them is not read as code, where their folder's `.context/config.json` says otherwise than the
     * settings.
     */
    limits?: ReadLimits | null;
  }
  /** The state changed in a way a person may want to see. */
  | {
    type: "state";
    /** The state now. */
    state: State;
  }
  /**
   * The index is settled and differs from the cache last exported: a good moment to call
   * `export_cache` and write it.
   */
  | {
    type: "saveCache";
  }
  /** Do what the request says and send one `replied`, in any case. */
  | {
    type: "ask";
    /** The number to reply with. */
    id: number;
    /** The number of the call that asks; absent where the engine asks for itself. */
    call?: number | null;
    /** What is asked. */
    request: Request;
  }
  /** What this [`Effect::Ask`] asked for is not wanted any more: what is not done yet need not be done. */
  | {
    type: "cancel";
    /** Its number. */
    id: number;
  }
  /** Places about which language providers and the index disagree, for the host's log. */
  | {
    type: "disagreed";
    /** By what they have in common. */
    disagreements: Disagreement[];
  }
  /** Send a `tick` after this time; only the earliest of several counts. */
  | {
    type: "tick";
    /** Ms from now. */
    afterMs: number;
  }
  /** The prompt window may be another one: who shows it asks `codecortex_getContext`. */
  | {
    type: "windowChanged";
  }
  /** Something a person should know. The same sentence comes once. */
  | {
    type: "notice";
    /** A sentence with what to do about it. */
    text: string;
  }
  /** Append this line to the day's file of the log of telemetry; files older than 30 days go (SPEC T1). */
  | {
    type: "keepTelemetry";
    /** The line, without its end. */
    line: string;
  }
  /** The answer to a call. */
  | {
    type: "answer";
    /** The call's id. */
    id: number;
    /** The answer. */
    answer: Answer;
  };

/** What a folder's entry is. */
export type EntryKind =
  /** A regular file. */
  | "file"
  /** A folder. */
  | "dir"
  /** A symbolic link; not followed. */
  | "symlink"
  /** A pipe, socket or device; never read. */
  | "other";

/** Something that happened outside the engine. */
export type Event =
  /**
   * The workspace and its settings: the first event, and again whenever either changes.
   * Everything known so far is dropped but the cache and the open documents.
   */
  | {
    type: "configure";
    /** The workspace's folders, in the user's order. */
    roots: Root[];
    /** The user's settings. */
    config: Config;
  }
  /** Answer to [`Effect::List`]; a host may answer one `list` in portions. */
  | {
    type: "listed";
    /** One listing for each folder; every folder that was asked for comes once. */
    listings: Listing[];
  }
  /** The watcher saw these absolute paths appear, change or vanish; files or folders. */
  | {
    type: "changed";
    /** Absolute paths with `/`. */
    paths: string[];
  }
  /** The host learns of changes in another way than before. Without this event, by [`Event::Changed`]. */
  | {
    type: "watching";
    /** Why the disk is not relied on to tell of changes; absent where it is. */
    unwatched?: Unwatched | null;
  }
  /** An editor holds this document now; its text wins over the disk until `closed` (SPEC I1). */
  | {
    type: "opened";
    /** Absolute path with `/`. */
    path: string;
    /** The editor's version number of `text`. */
    version: number;
    /** The whole text. */
    text: string;
    /** Whether `text` differs from the disk. */
    dirty: boolean;
  }
  /** An open document changed. */
  | {
    type: "edited";
    /** Absolute path with `/`. */
    path: string;
    /** The editor's version number after the change. */
    version: number;
    /** The edits, applied in this order, each to the result of the one before. */
    changes: TextChange[];
    /** Whether the text differs from the disk afterwards. */
    dirty: boolean;
  }
  /** An open document was written to the disk. */
  | {
    type: "saved";
    /** Absolute path with `/`. */
    path: string;
  }
  /** The editor let go of a document; the disk is the truth again. */
  | {
    type: "closed";
    /** Absolute path with `/`. */
    path: string;
  }
  /**
   * What time it is. A host tells before every other event that may be of some minutes later; the
   * engine has no clock.
   */
  | {
    type: "time";
    /** Ms since 1970. */
    nowMs: number;
  }
  /** What the editor shows, whenever that changes (SPEC LC2). */
  | {
    type: "editor";
    /** Absolute path with `/` of the document that has the focus; absent where none has. */
    active?: string | null;
    /** Selections in it, the primary one first; a cursor is an empty one. */
    selections?: DocumentSpan[];
    /** What of it is on the screen. */
    visible?: DocumentSpan[];
  }
  /** The problems that the editor shows for a file, all of them; none takes them back (SPEC LC2). */
  | {
    type: "diagnosed";
    /** Absolute path with `/`. */
    path: string;
    /** The problems, in any order. */
    diagnostics: Diagnostic[];
  }
  /** The primary cursor moved. */
  | {
    type: "selected";
    /** Absolute path with `/`. */
    path: string;
    /** Where the cursor is, as the editor's protocol counts. */
    position: Position;
  }
  /** Forget the index and the cache and read everything anew. */
  | {
    type: "reindex";
  }
  /** Stop indexing; what is there stays usable and is reported as partial. */
  | {
    type: "cancelIndexing";
  }
  /**
   * The host's reply to an [`Effect::Ask`]; each ask gets one. A reply that comes after an [`Effect::Cancel`] counts
   * for nothing.
   */
  | {
    type: "replied";
    /** The number it was asked with. */
    id: number;
    /** What came of it. */
    reply: Response;
    /** Ms since 1970. */
    nowMs: number;
  }
  /** The time that [`Effect::Tick`] asked for has passed. */
  | {
    type: "tick";
    /** Ms since 1970. */
    nowMs: number;
  }
  /** A person wants the folder `.context/` of this root (SPEC D17). */
  | {
    type: "keepContext";
    /** Index into the roots. */
    root: number;
  }
  /** A model is there that may be asked, or is no longer (SPEC SE2). Before that no [`Request::Model`] comes. */
  | {
    type: "model";
    /** What people call it; absent where there is none. */
    name?: string | null;
    /** How many types of a root may be described at a time. */
    slots: number;
  }
  /** Types are to be described, or no longer: they go into the queue or out of it. */
  | {
    type: "wanted";
    /** Index into the roots. */
    root: number;
    /** Their ids. */
    types: string[];
    /** Whether they are wanted. */
    wanted: boolean;
  }
  /** A tool is called (SPEC D6). The answer is an [`Effect::Answer`] with the same id. */
  | {
    type: "call";
    /** The caller's number for this call. */
    id: number;
    /** The tool's name, as in the table. */
    tool: string;
    /** The arguments, unchecked. */
    args: unknown;
    /** Where the call comes from. */
    caller: Caller;
  }
  /**
   * Nobody wants the answer to a call any more. It is answered at once, with `Cancelled`, if it is not answered yet;
   * what it waits for is given up by [`Effect::Cancel`].
   */
  | {
    type: "cancelCall";
    /** The caller's number for the call. */
    id: number;
  }
  /** A call was answered: how long that took, which the host measures (SPEC T1). */
  | {
    type: "answered";
    /** The caller's number for the call. */
    id: number;
    /** From the call to its answer, in µs. */
    tookUs: number;
  }
  /** The host ends: what is to be kept is kept now. */
  | {
    type: "ending";
  };

/** What became of a file of an [`Request::Texts`]. */
export interface FetchedFile {
  /** What it holds; absent where it is not there. */
  bytes?: Uint8Array | null;
  /** What tells this state of the file from any other, as the host likes; absent where it is not there. */
  stamp?: string | null;
  /** Why it could not be read though it is there. */
  error?: string | null;
}

/** What is to be done to a file by an [`Request::Apply`]. */
export interface FileEdit {
  /** Absolute path with `/`. */
  path: string;
  /** Index into the roots; absent for an open document outside of them. */
  root?: number | null;
  /**
   * The editor's version that the changes are of; absent where no editor holds the file. An editor that
   * has another version answers `conflict`.
   */
  version?: number | null;
  /** Of a file that no editor holds, the state it has to be in; absent where it must not be there. */
  stamp?: string | null;
  /**
   * The changes, each in terms of the text before all of them, from the start to the end. Of a file that
   * is to be made, its text at its start.
   */
  changes: TextChange[];
  /** What the file holds then, in its own encoding; absent where an editor holds it or it is deleted. */
  bytes?: Uint8Array | null;
  /** A unified diff, for who has to agree. */
  diff: string;
  /** Whether the file is deleted. */
  deleted?: boolean;
  /**
   * The absolute path that the file has afterwards, where it is moved. Nothing may be there, unless a disk that folds
   * case has the file itself there.
   */
  movedTo?: string | null;
  /** Whether the folder that the file is in afterwards is made where it is not there. */
  makesFolder?: boolean;
  /** The rights of a file that is made, as Unix counts them; absent for the user's own. */
  mode?: number | null;
}

/** A file of a root. */
export interface FileRef {
  /** Index into the roots. */
  root: number;
  /** Relative to the root with `/`. */
  path: string;
}

/** A file of a [`GitDiff`]. */
export interface FileVersions {
  /** Its path after the change, or before where it is gone. */
  path: string;
  /** What it held; absent where it was not there or is too large. */
  old?: Uint8Array | null;
  /** What it holds; absent where it is gone or too large. */
  new?: Uint8Array | null;
}

/** A member that the project's engine generates from another one: its uses are uses of that one. */
export interface GeneratedMember {
  /**
   * Its name, with `<Event>`, `<Prop>`, `<Method>` or `<Member>` for the name of its source: `Trigger_<Event>`.
   * A property `bLit` is also `Lit`.
   */
  name: string;
}

/** What differs between two states of a repository. Paths are relative to the root. */
export interface GitDiff {
  /** The older commit, in full; absent where it is the index. */
  base?: string | null;
  /** The newer commit, in full; absent where it is the index or the disk. */
  head?: string | null;
  /** A unified diff as git writes it, renames found, with three lines around. */
  patch: string;
  /** Whether the diff is longer than what is read of one. */
  isCut: boolean;
  /** Both versions of the files of the diff, as far as they are read. */
  versions: FileVersions[];
  /** Files that git does not know. */
  untracked: FileVersions[];
  /** The last commits before the older state: as of [`Response::Log`], each file with the status `M`. */
  log: string;
}

/** The text of a `.gitignore` or `.ignore`. */
export interface IgnoreFile {
  /**
   * Its name; `.ignore` wins over `.gitignore`, `.gitignore` over `.git/info/exclude`, that over `core.excludesFile`
   * (the user's own for all repositories).
   */
  name: string;
  /** Its lines. */
  text: string;
  /** Of a folder above the root: the path from there down to the root. Empty for the listed folder's own. */
  above?: string;
}

/** The content of one folder. */
export interface Listing {
  /** Index into the roots of the last `configure`. */
  root: number;
  /** Folder relative to the root with `/`; empty for the root itself. */
  dir: string;
  /** What is in it, in any order. */
  entries: ListingEntry[];
  /**
   * The folder's ignore files with their text: `.gitignore`, `.ignore`; for the root also
   * `.git/info/exclude` and `.context/config.json`.
   */
  ignoreFiles: IgnoreFile[];
  /** Why the folder could not be listed, where it could not. */
  error?: string | null;
}

/** One entry of a [`Listing`]. */
export interface ListingEntry {
  /** The name without its folder. */
  name: string;
  /** What it is, links not followed. */
  kind: EntryKind;
  /** Bytes; 0 for what is no file. */
  size?: number;
  /** Last modification in ms since 1970, as exact as the host has it. */
  mtimeMs?: number;
  /**
   * When the file itself changed, in ms since 1970: nobody sets this time, so that a file that took another's place
   * shows by it although size and modification are the same. 0 where the host does not know it.
   */
  changedMs?: number;
  /** For a link: the absolute path it finally leads to, with `/`; absent where it leads nowhere. */
  target?: string | null;
}

/** What became of a [`MemoryRequest`]. */
export type MemoryReply =
  /** What is checked out. */
  | {
    type: "place";
    /** The branch; absent without git, and where none is checked out. */
    branch?: string | null;
    /** The name of the worktree, where it is not the repository's first. */
    worktree?: string | null;
  }
  /** They are recorded. */
  | {
    type: "recorded";
    /** Their ids, in their order. */
    ids: number[];
    /** Problems that did not prevent the recording. */
    warnings: string[];
  }
  /** What the question found. */
  | {
    type: "found";
    /** As the crate `codecortex-memory` has it. */
    found: unknown;
  }
  /** The whole log of a host that does not look into it; absent where there is none yet. */
  | {
    type: "log";
    /** Its lines: records of `obs.v1`, or those of Markdown. */
    bytes?: Uint8Array | null;
    /** `jsonl`, `sqlite` or `markdown`. */
    backend: string;
  }
  /** It was not done. */
  | {
    type: "failed";
    /** A code of the envelope. */
    code: string;
    /** Why, as a sentence. */
    message: string;
    /** What to do next. */
    hint: string;
    /** Whether the same may succeed later. */
    retryable: boolean;
  };

/** What is to be done in the store of a root. */
export type MemoryRequest =
  /** Say what is checked out, and where. */
  | {
    type: "place";
  }
  /** Record these under new ids, all or none. */
  | {
    type: "append";
    /** `jsonl`, `sqlite` or `markdown`; absent for the one that holds records. */
    backend?: string | null;
    /** Records of `obs.v1` without ids. */
    records: unknown[];
  }
  /** Say what a question finds. */
  | {
    type: "recall";
    /** `jsonl`, `sqlite` or `markdown`; absent for the one that holds records. */
    backend?: string | null;
    /** The question. */
    question: unknown;
  }
  /** Take these out of all files, and record that they are gone. */
  | {
    type: "purge";
    /** `jsonl` or `sqlite`; absent for the one that holds records. */
    backend?: string | null;
    /** Their ids. */
    ids: number[];
    /** What records it: a record of `obs.v1` without an id. */
    tombstone: unknown;
    /** When, in UTC: `YYYY-MM-DD HH:mm:ss`. */
    ts: string;
  };

/** Why a model did not answer. */
export type ModelFailure =
  /** There is no model. */
  | "absent"
  /** A key is missing or wrong, or a person did not agree: asking again does not help. */
  | "refused"
  /** Too much was asked in too short a time. */
  | "limited"
  /** It cannot be reached, or it is broken. */
  | "unreachable"
  /** It took too long. */
  | "timedOut"
  /** It answered with something that is no answer, or with too much. */
  | "malformed"
  /** Nobody wants it any more. */
  | "cancelled";

/** One message of a conversation. */
export interface ModelMessage {
  /** Who says it. */
  role: ModelRole;
  /** What it says; may be empty where the model calls tools. */
  content: string;
  /** Tools that the model called in this message. */
  calls?: ModelToolCall[];
  /** Of a tool's answer, the call that it is of. */
  callId?: string | null;
}

/** When a model is asked to describe types. */
export type ModelMode =
  /** Only on an explicit command. */
  | "manual"
  /** Also on a request for a stale or missing text. */
  | "automatic";

/** What became of a request. */
export type ModelOutcome =
  /** The model answered. */
  | {
    type: "answered";
    /** What it said, as it is; nobody has looked at it. */
    text: string;
    /** Tools that it wants called. */
    calls?: ModelToolCall[];
    /** What it cost, where the model says so. */
    usage?: ModelUsage | null;
  }
  /** It did not. */
  | {
    type: "failed";
    /** In what way. */
    failure: ModelFailure;
    /** Why, as a sentence. */
    message: string;
    /** Ms until it may be asked again, where somebody said so. */
    retryAfterMs?: number | null;
  };

/** What a model is asked, whole: a host keeps nothing of earlier requests. */
export interface ModelRequest {
  /** What it is for: `describe`, `investigate`, `review` …; for logs, consents and accounts. */
  purpose: string;
  /** What it is about, for people: a type's path, a question. */
  subject: string;
  /** The conversation so far, the oldest first. */
  messages: ModelMessage[];
  /** Tools that the model may call; the core answers the calls. None where it cannot call any. */
  tools?: ModelTool[];
  /** The most tokens that the answer may have. */
  maxOutputTokens: number;
  /** How often the host may ask in all, where the model is busy or cannot be reached; it waits longer each time. */
  attempts: number;
}

/** Who says something in a conversation. */
export type ModelRole =
  /** Standing instructions. */
  | "system"
  /** Who asks. */
  | "user"
  /** The model. */
  | "assistant"
  /** A tool that the model called. */
  | "tool";

/** Conditions and quotas for requests to models. */
export interface ModelSettings {
  /** Whether a request for a stale or missing text starts a new one. */
  mode?: ModelMode;
  /** Limit of requests in an hour. */
  callsPerHour?: number | null;
  /** Limit of requests in a day. */
  callsPerDay?: number | null;
  /** Limit of tokens, in and out, in an hour. */
  tokensPerHour?: number | null;
  /** Limit of tokens, in and out, in a day. */
  tokensPerDay?: number | null;
}

/** A tool that a model may call. */
export interface ModelTool {
  /** Its name. */
  name: string;
  /** What it does. */
  description: string;
  /** The JSON schema of its arguments. */
  inputSchema: unknown;
}

/** A call of a tool by a model. */
export interface ModelToolCall {
  /** The model's name for this call. */
  id: string;
  /** The tool. */
  name: string;
  /** Its arguments as the model wrote them: a JSON object, if the model is right. */
  arguments: string;
}

/** What a request cost. */
export interface ModelUsage {
  /** Tokens that went in, by the model's count. */
  inputTokens: number;
  /** Tokens that came out. */
  outputTokens: number;
}

/** The settings of a person for one workspace folder. What is not there is as without a word. */
export interface PersonalSettings {
  /** Whether live context is recorded in `.context/replay/`. */
  record?: boolean | null;
  /** Whether observations are recorded in `.context/memory/` and told. */
  observations?: boolean | null;
  /** Whether a log of telemetry is kept on this machine (SPEC T1). */
  telemetry?: boolean | null;
  /** Files that declare what the workspace uses and does not have: absolute paths, or such below the folder. */
  externalTypes?: string[] | null;
  /** Models that describe types and answer questions. */
  model?: ModelSettings | null;
}

/** What the engine is doing. */
export type Phase =
  /** No folder is open. */
  | "empty"
  /** Folders are being listed. */
  | "scanning"
  /** Files are being read. */
  | "indexing"
  /** Everything is in the index. */
  | "ready"
  /** The user stopped it before everything was in. */
  | "cancelled";

/** A place in a document as VS Code and LSP count: from 0, characters in UTF-16 units. */
export interface Position {
  /** Line from 0. */
  line: number;
  /** UTF-16 units from the line's start. */
  character: number;
}

/** How a question to language providers ended. */
export type ProviderOutcome =
  /** Whoever serves the file has answered, or nobody does. */
  | "answered"
  /** There was no answer in time. */
  | "timedOut"
  /** The question could not be asked. */
  | "failed";

/** A question to the language providers of an editor. */
export interface ProviderQuestion {
  /** What is asked. */
  about: ProviderTopic;
  /** Absolute path with `/`. */
  path: string;
  /** A place in a name of that file. */
  position: Position;
}

/** What language providers said. */
export interface ProviderReply {
  /** How it ended. */
  outcome?: ProviderOutcome;
  /** Whether nothing was left out; of a file that is here, nothing ever is. */
  complete?: boolean;
  /** Of references, definitions and implementations, the places. */
  places?: ProviderResult[];
  /** Of a hierarchy, the bases. */
  above?: ProviderResult[];
  /** Of a hierarchy, what derives from it. */
  below?: ProviderResult[];
}

/** What language providers said about one file. */
export interface ProviderResult {
  /** Absolute path with `/`. */
  path?: string;
  /** The editor's version of the text that was asked about; absent where no editor holds the file. */
  version?: number | null;
  /** The places, in any order. */
  ranges?: DocumentSpan[];
}

/** What language providers are asked about. */
export type ProviderTopic =
  /** Where the symbol at a place is used. */
  | "references"
  /** Where it is declared. */
  | "definition"
  /** The direct bases of a type, and what derives from it or implements it. */
  | "hierarchy"
  /** What implements or overrides it. */
  | "implementations";

/** What is not read as code. */
export interface ReadLimits {
  /** Files above this many bytes are left out. */
  maxFileSize: number;
  /** Whether generated code is left out. */
  excludeGenerated: boolean;
}

/** A question to the host. */
export type Request =
  /** Read these files of the roots as they are; a file that is not there is no failure. */
  | {
    type: "texts";
    /** The files, in the order of the reply. */
    files: FileRef[];
    /** Whether a file that a link leads to is not read: a repository names these files (SPEC D30). */
    confined?: boolean;
  }
  /** Read these files as they are, which are in no root but were named by an earlier answer (SPEC D12). */
  | {
    type: "outsideTexts";
    /** Absolute paths with `/`, in the order of the reply. */
    paths: string[];
  }
  /** Read the commits that lead to a root's present state (ancestors of `HEAD` alone). */
  | {
    type: "log";
    /** Index into the roots. */
    root: number;
    /** The most commits. */
    most: number;
  }
  /** Read what differs between two states of a root's repository, with the two versions of the files (SPEC RV1). */
  | {
    type: "diff";
    /** Index into the roots. */
    root: number;
    /** Between which states. */
    of: DiffOf;
  }
  /** Ask the store of observations in `.context/memory/` of a root (SPEC OB1, X7). */
  | {
    type: "memory";
    /** Index into the roots. */
    root: number;
    /** What is to be done. */
    request: MemoryRequest;
  }
  /**
   * Change files below `.context/` of a root, all or none as far as the disk allows: with the lock
   * held, and only if what is expected is there (SPEC I5, D17).
   */
  | {
    type: "commit";
    /** Index into the roots. */
    root: number;
    /** Files that must be as they were when they were read or committed last. */
    expect: Stamped[];
    /** What to do, in this order. Paths are relative to the root and begin with `.context/`. */
    changes: DiskChange[];
  }
  /**
   * Change these files, all or none (SPEC LC4, ED1). In an editor: as one undo step, after a person agreed where
   * that is asked for, and what is open stays unsaved if it was. On the disk: with a lock held, each file put in
   * place whole.
   */
  | {
    type: "apply";
    /** What it is for, as the caller said. */
    summary?: string | null;
    /** The files. */
    files: FileEdit[];
    /** The applied edit that this one takes back: it leaves no inverse, and the other's is forgotten. */
    undoes?: string | null;
  }
  /** Say which edits of these roots were applied and can be taken back. */
  | {
    type: "appliedEdits";
    /** The newest alone, with what its files held and hold; else all, without contents. */
    lastWithContents: boolean;
  }
  /** Ask the editor's language providers. The host decides how long they have. */
  | {
    type: "providers";
    /** What to ask. */
    question: ProviderQuestion;
  }
  /** Read the log of telemetry of these roots: the lines of the last 30 days (SPEC T1). */
  | {
    type: "telemetry";
  }
  /** Ask the model. The host decides how long the model has, and how often it is asked again when it is busy. */
  | {
    type: "model";
    /** What to ask. */
    request: ModelRequest;
  };

/** What a host replies to a [`Request`]: the variant of the same name. */
export type Response =
  /** To [`Request::Texts`] and [`Request::OutsideTexts`]. */
  | {
    type: "texts";
    /** What each file holds, in the order asked. */
    files: FetchedFile[];
  }
  /** To [`Request::Log`]. */
  | {
    type: "log";
    /**
     * The commits, the newest first: of each a character 1, its message, a character 2, and a line for each file it
     * touched: status, tab, path relative to the root, and where it was moved a tab and the new path. Absent where the
     * root is in no repository, or there is no git.
     */
    log?: string | null;
  }
  /** To [`Request::Diff`]. */
  | {
    type: "diff";
    /** What differs, or why nobody can say. */
    outcome: DiffOutcome;
  }
  /** To [`Request::Memory`]. */
  | {
    type: "memory";
    /** What became of it. */
    reply: MemoryReply;
  }
  /** To [`Request::Commit`]. */
  | {
    type: "commit";
    /** What became of it. */
    outcome: CommitOutcome;
  }
  /** To [`Request::Apply`]. */
  | {
    type: "apply";
    /** What became of it. */
    outcome: ApplyOutcome;
  }
  /** To [`Request::AppliedEdits`]. */
  | {
    type: "appliedEdits";
    /** The edits, the newest first. */
    edits: AppliedEdit[];
    /** Why they cannot be read, as a sentence. */
    error?: string | null;
  }
  /** To [`Request::Providers`]. */
  | {
    type: "providers";
    /** What they said. */
    reply: ProviderReply;
  }
  /** To [`Request::Telemetry`]. */
  | {
    type: "telemetry";
    /** What each day's file holds, the oldest first; none where no log is kept. */
    files: string[];
    /** Why it cannot be read, as a sentence. */
    error?: string | null;
  }
  /** To [`Request::Model`]. */
  | {
    type: "model";
    /** What became of it. */
    outcome: ModelOutcome;
  };

/** A workspace folder. */
export interface Root {
  /** The name shown in paths, `name/relative/path` (SPEC TC2). */
  name: string;
  /** Absolute path with `/` and without one at the end. */
  path: string;
  /** The folder's path as it was given, where a link leads to it: what callers name files by, too. */
  link?: string | null;
}

/** Settings for AngelScript. Missing ones come from other settings or from the scripts. */
export interface ScriptSettings {
  /**
   * Whether every script sees every other one without `import`: `auto` follows the engine's database, else the
   * scripts' own imports.
   */
  automaticImports?: AutomaticImports | null;
  /** Members that the project's engine generates from others. */
  generatedMembers?: GeneratedMember[] | null;
}

/** How grave a problem is. */
export type Severity =
  /** It does not work. */
  | "error"
  /** It may not work. */
  | "warning"
  /** Something to know. */
  | "information"
  /** Something that could be better. */
  | "hint";

/** A file and the state it is expected in. */
export interface Stamped {
  /** Relative to the root. */
  path: string;
  /** As the host gave it; absent for a file that is not there. */
  stamp?: string | null;
}

/** What a status bar shows. */
export interface State {
  /** What the engine is doing. */
  phase: Phase;
  /** Files whose facts are in the index. */
  files: number;
  /** Files that are not read yet. */
  pending: number;
  /** Files and folders left out (SPEC P2). */
  skipped: number;
  /** Declarations in the index. */
  symbols: number;
  /** Lines of the indexed files. */
  lines: number;
  /** Grows with every change of the index. */
  revision: number;
}

/** One edit of a document, in terms of the text before it. */
export interface TextChange {
  /** Start of what is replaced. */
  start: Position;
  /** End of what is replaced, exclusive. */
  end: Position;
  /** What comes in its place. */
  text: string;
}

/** How tokens are counted. */
export type Tokenizer =
  /** `ceil(chars / 4)`. */
  | "approx"
  /** As the models of that vocabulary count. Not in every build: where it is missing, `approx` holds. */
  | "o200k_base";

/** Why a host lists folders to find changes, instead of being told of them. */
export type Unwatched =
  /** The system gives no watcher. */
  | "unavailable"
  /** The system does not watch every folder, as where its watches ran out. */
  | "limitReached"
  /** Something changed and nobody was told, as on some network and virtual disks. */
  | "silent";
