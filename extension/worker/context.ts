/** How the engine worker reads manifests and the files of `.context/`, and writes the latter. */
import type {
  CommitOutcome,
  DiffOf,
  DiffOutcome,
  DiskChange,
  FetchedFile,
  MemoryReply,
  MemoryRequest,
  Root,
  Stamped,
} from "../generated/protocol";
import type { FilesReply } from "../core/messages";
import type { AskHost } from "./hostFiles";
import { joinPath } from "../core/paths";
import { sentence } from "./files";

/** What is to happen below `.context/` of a root; see the request `commit`. */
export interface Commit {
  expect: Stamped[];
  changes: DiskChange[];
}

/** A place where these files are. Nothing of it rejects. */
export interface ContextStore {
  /** Reads a file as it is; one that is not there is empty. Below `.context/`, and if it is confined, no link is followed. */
  fetch(root: Root, path: string, isConfined?: boolean): Promise<FetchedFile>;
  /** Changes files with the lock held, if what is expected is there. */
  commit(root: Root, commit: Commit): Promise<CommitOutcome>;
  /** The commits that lead to the root's present state, as the response `log` has them; null where there are none. */
  log(root: Root, most: number): Promise<string | null>;
  /** What differs between two states of the root's repository, as the response `diff` has it. */
  diff(root: Root, of: DiffOf): Promise<DiffOutcome>;
  /** Asks the store of observations of a root. */
  memory(root: Root, request: MemoryRequest): Promise<MemoryReply>;
}

/** The folder that everything written is below. */
export const CONTEXT_FOLDER = ".context";
/** The largest file that is read; compile commands list every file with all its flags. */
export const LARGEST_FETCHED = 64 * 1024 * 1024;

/** Whether a path is below the folder and nowhere else. */
export function isInContext(path: string): boolean {
  const parts = path.split("/");
  return (
    parts[0] === CONTEXT_FOLDER &&
    parts.length > 1 &&
    !/[\\:]/.test(path) &&
    parts.every((part) => part !== "" && part !== "." && part !== "..")
  );
}

/** The paths that a change touches. */
export function pathsOf(change: DiskChange): string[] {
  return change.type === "move" ? [change.from, change.to] : [change.path];
}

/** A failure with its reason as a sentence. */
export function failed(path: string, why: string): CommitOutcome {
  return { type: "failed", reason: `${path}: ${why}.` };
}

/** A file as the editor has read it. */
export function fetched(reply: FilesReply): FetchedFile {
  if (reply.op === "read") {
    return { bytes: reply.bytes, stamp: `${reply.mtimeMs}-${reply.size}` };
  }
  const isAbsent = reply.op === "failed" && reply.code === "FileNotFound";
  return isAbsent ? {} : { error: sentence(reply.op === "failed" ? reply.code : "unknown") };
}

/** Files that only the editor can reach. */
export class HostContext implements ContextStore {
  constructor(private readonly ask: AskHost) {}

  async fetch(root: Root, path: string): Promise<FetchedFile> {
    return fetched(await this.ask({ op: "read", path: joinPath(root.path, path), maxBytes: LARGEST_FETCHED }));
  }

  async commit(root: Root, { expect, changes }: Commit): Promise<CommitOutcome> {
    const reply = await this.ask({ op: "commit", root: root.path, expect, changes });
    return reply.op === "commit" ? reply.outcome : failed(CONTEXT_FOLDER, "the editor did not write it");
  }

  /** The editor's file systems have no git. */
  log(): Promise<string | null> {
    return Promise.resolve(null);
  }

  diff(): Promise<DiffOutcome> {
    const reason = "The editor's file systems have no git.";
    return Promise.resolve({ type: "failed", reason, hint: "Give the change as `patch`, a unified diff." });
  }

  /** They have no lock that other programs know either. */
  memory(): Promise<MemoryReply> {
    return Promise.resolve({
      type: "failed",
      code: "Unavailable",
      message: "No observations are kept in a folder that only the editor can reach.",
      hint: "Open the folder on a disk.",
      retryable: false,
    });
  }
}

/** Sends each root to the store that can reach it. */
export class RoutedContext implements ContextStore {
  /** `isHosted` says whether only the editor can reach the root with this path. */
  constructor(
    private readonly disk: ContextStore,
    private readonly hosted: ContextStore,
    private readonly isHosted: (rootPath: string) => boolean,
  ) {}

  fetch(root: Root, path: string, isConfined = false): Promise<FetchedFile> {
    return this.of(root).fetch(root, path, isConfined);
  }

  commit(root: Root, commit: Commit): Promise<CommitOutcome> {
    return this.of(root).commit(root, commit);
  }

  log(root: Root, most: number): Promise<string | null> {
    return this.of(root).log(root, most);
  }

  diff(root: Root, of: DiffOf): Promise<DiffOutcome> {
    return this.of(root).diff(root, of);
  }

  memory(root: Root, request: MemoryRequest): Promise<MemoryReply> {
    return this.of(root).memory(root, request);
  }

  private of(root: Root): ContextStore {
    return this.isHosted(root.path) ? this.hosted : this.disk;
  }
}
