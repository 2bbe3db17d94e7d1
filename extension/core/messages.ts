/**
 * What the extension host and the engine worker say to each other.
 *
 * The engine's own events and effects are generated from Rust (`generated/protocol.ts`); these
 * messages wrap them with what only concerns the two sides of the channel.
 */
import type {
  AppliedEdit,
  Answer,
  ApplyOutcome,
  CommitOutcome,
  Config,
  DiskChange,
  Caller,
  EntryKind,
  Event,
  FileEdit,
  ModelOutcome,
  ModelRequest,
  ProviderQuestion,
  ProviderReply,
  Root,
  Stamped,
  State,
} from "../generated/protocol";

/** An engine event that the host passes on as it is; calls and file changes have messages of their own. */
export type PlainEvent =
  | Exclude<
      Event,
      {
        type: "call" | "changed" | "listed" | "configure" | "replied" | "cancelCall" | "tick" | "time";
      }
    >
  | Configure;

/** Roots and settings; the extension leaves none of them to a default. */
export interface Configure {
  type: "configure";
  roots: Root[];
  config: Required<Config>;
}

/**
 * The module and the workers' scripts: a folder on the desktop; on the web their contents, because the
 * page's policy lets a worker neither fetch them nor start from their addresses.
 */
export type Assets = { kind: "folder"; path: string } | { kind: "blobs"; engine: Blob; parser: Blob; module: Blob };

/** Everything a worker needs to know before the first event. */
export interface StartOptions {
  assets: Assets;
  /** Where the cache lies: a file's path on the desktop, a key on the web; absent where nothing is kept. */
  cache?: string;
  /** Whether an earlier cache is read; not after two crashes in a row, it may be their cause. */
  useCache: boolean;
  /** Parse workers; 0 lets the machine decide. */
  workers: number;
  /** Where the engine notes what it parses, one number; absent where threads share no memory. */
  parsing?: SharedArrayBuffer;
  /** Numbers of texts that an engine before this one did not come back from. */
  leftOut?: number[];
}

/** From the extension host to the engine worker. */
export type ToWorker =
  | { kind: "start"; options: StartOptions }
  | { kind: "event"; event: PlainEvent }
  /** Changed paths joined by NUL: one string of thousands of paths costs a fraction of an array. */
  | { kind: "changed"; paths: string }
  | { kind: "call"; id: number; tool: string; args: unknown; caller: Caller }
  | { kind: "cancel"; id: number }
  /** A person says whether observations of a root are kept. */
  | { kind: "observations"; root: number; keep: boolean }
  | { kind: "files"; id: number; reply: FilesReply }
  /** The process ends: the cache is written now if it was to be written soon, and `saved` is the answer. */
  | { kind: "save" }
  | { kind: "crash" };

/** From the engine worker to the extension host. */
export type FromWorker =
  | { kind: "ready"; startMs: number; cache: CacheUse }
  | { kind: "state"; state: State; usage: Usage }
  | { kind: "answer"; id: number; answer: Answer }
  /** The prompt window may be another one. */
  | { kind: "window" }
  | { kind: "log"; level: LogLevel; message: string }
  /** Something a person should know. */
  | { kind: "notice"; text: string }
  | { kind: "files"; id: number; request: HostRequest }
  /** The answer to `save`. */
  | { kind: "saved" }
  /** The engine waits for another program, and lives. */
  | { kind: "alive" }
  /** The worker ends; `parsing` is the number of the text that it was at, if any. */
  | { kind: "failed"; reason: string; parsing?: number };

/** What became of the cache at start. */
export type CacheUse = "used" | "absent" | "refused" | "skipped";

/** How much a line in the log matters. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** What the workers hold. */
export interface Usage {
  /** Linear memory of the engine's module. */
  engineBytes: number;
  /** Linear memory of all parse workers. */
  parserBytes: number;
  /** Parse workers alive. */
  parsers: number;
}

/** A request for files that only the editor can reach: virtual workspaces and the web. */
export type FilesRequest =
  | { op: "list"; path: string }
  | { op: "read"; path: string; maxBytes: number }
  /** Reads what is in no root, but was named by a language provider; answered like `read`. */
  | { op: "readOutside"; path: string; maxBytes: number }
  /** Changes files below `.context/` of the root with this path. */
  | { op: "commit"; root: string; expect: Stamped[]; changes: DiskChange[] }
  /** Makes an edit that a tool asks for. */
  | { op: "apply"; summary: string | null; undoes: string | null; files: FileEdit[] }
  /** Lists the edits that can be taken back. */
  | { op: "appliedEdits"; lastWithContents: boolean };

/** A request to the extension host: for files, to the editor's language providers, or to its language model. */
export type HostRequest =
  | FilesRequest
  | { op: "consult"; question: ProviderQuestion }
  | { op: "askModel"; id: number; request: ModelRequest }
  | { op: "cancelModel"; id: number };

/** One entry of a folder as the editor's file system tells it. */
export interface HostEntry {
  name: string;
  kind: EntryKind;
  size: number;
  mtimeMs: number;
}

/** The answer to a {@link HostRequest}. */
export type FilesReply =
  | { op: "list"; entries: HostEntry[] }
  | { op: "read"; size: number; mtimeMs: number; bytes: Uint8Array<ArrayBuffer> }
  | { op: "commit"; outcome: CommitOutcome }
  | { op: "apply"; outcome: ApplyOutcome }
  | { op: "appliedEdits"; edits: AppliedEdit[] }
  | { op: "consult"; reply: ProviderReply }
  | { op: "askModel"; outcome: ModelOutcome }
  | { op: "failed"; code: string };

/** Objects that change hands instead of being copied. */
export type Handed = ArrayBuffer[];
