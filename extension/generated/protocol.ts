// Generated from the items of crates/engine/src/protocol.rs; do not edit.

/** A workspace folder. */
export interface Root {
  /** The name shown in paths, `name/relative/path`. */
  name: string;
  /** Absolute path with `/` and without one at the end. */
  path: string;
}

/** The form of an answer. */
export type Format = "json" | "text" | "both";

/** The settings that the core knows. */
export interface Config {
  /** Files above this many bytes are left out and listed as oversized. */
  maxFileSize: number;
  /** Further `.gitignore` patterns of what to leave out. */
  exclude: string[];
  /** Whether generated code is left out. */
  excludeGenerated: boolean;
  /** The form answers take where a call does not say. */
  format: Format;
}

/** What a folder's entry is. */
export type EntryKind = "file" | "dir" | "symlink" | "other";

/** One entry of a listing. */
export interface Entry {
  /** The name without its folder. */
  name: string;
  /** What it is, links not followed. */
  kind: EntryKind;
  /** Bytes; 0 for what is no file. */
  size?: number;
  /** Last modification in ms since 1970, as exact as the host has it. */
  mtimeMs?: number;
  /** For a link: the absolute path it finally leads to; absent where it leads nowhere. */
  target?: string | null;
}

/** The text of a `.gitignore` or `.ignore`. */
export interface IgnoreFile {
  /** Its name. */
  name: string;
  /** Its lines. */
  text: string;
}

/** The content of one folder. */
export interface Listing {
  /** Index into the roots of the last `configure`. */
  root: number;
  /** Folder relative to the root with `/`; empty for the root itself. */
  dir: string;
  /** What is in it, in any order. */
  entries: Entry[];
  /** The folder's ignore files with their text. */
  ignoreFiles: IgnoreFile[];
  /** Why the folder could not be listed, where it could not. */
  error?: string | null;
}

/** A place in a document as VS Code and LSP count. */
export interface Position {
  /** Line from 0. */
  line: number;
  /** UTF-16 units from the line's start. */
  character: number;
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

/** The surfaces. */
export type DoorKind = "cli" | "mcp" | "lm";

/** Where a call comes from. */
export interface Door {
  /** Which surface. */
  kind?: DoorKind;
  /** The most UTF-8 bytes one form of the answer may have. */
  maxBytes?: number | null;
  /** The most tokens the surface grants. */
  maxTokens?: number | null;
}

/** Something that happened outside the engine. */
export type Event =
  | { type: "configure"; roots: Root[]; config: Config }
  | { type: "listed"; listings: Listing[] }
  | { type: "changed"; paths: string[] }
  | { type: "opened"; path: string; version: number; text: string; dirty: boolean }
  | { type: "edited"; path: string; version: number; changes: TextChange[]; dirty: boolean }
  | { type: "saved"; path: string }
  | { type: "closed"; path: string }
  | { type: "selected"; path: string; position: Position }
  | { type: "reindex" }
  | { type: "cancelIndexing" }
  | { type: "call"; id: number; tool: string; args: unknown; door: Door };

/** A folder of a root. */
export interface DirRef {
  /** Index into the roots. */
  root: number;
  /** Relative to the root with `/`; empty for the root itself. */
  dir: string;
}

/** A file of a root. */
export interface FileRef {
  /** Index into the roots. */
  root: number;
  /** Relative to the root with `/`. */
  path: string;
}

/** What the engine is doing. */
export type Phase = "empty" | "scanning" | "indexing" | "ready" | "cancelled";

/** What a status bar shows. */
export interface State {
  /** What the engine is doing. */
  phase: Phase;
  /** Files whose facts are in the index. */
  files: number;
  /** Files still to be read. */
  pending: number;
  /** Files and folders left out. */
  skipped: number;
  /** Declarations in the index. */
  symbols: number;
  /** Lines of the indexed files. */
  lines: number;
  /** Grows with every change of the index. */
  revision: number;
}

/** The answer to a call, serialised to the byte. */
export interface Answer {
  /** Whether the call succeeded. */
  ok: boolean;
  /** The envelope, where JSON was asked for. */
  json?: string | null;
  /** The text form, where it was asked for. */
  text?: string | null;
}

/** Something the host is asked to do. */
export type Effect =
  | { type: "list"; dirs: DirRef[] }
  | { type: "read"; files: FileRef[] }
  | { type: "state"; state: State }
  | { type: "saveCache" }
  | { type: "answer"; id: number; answer: Answer };
