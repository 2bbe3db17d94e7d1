/**
 * Manifests and the files of `.context/` on the disk; `crates/host/src/context_folder.rs` is its twin.
 * Both hold the cases of `test/contract/context-folder`.
 */
import { close, constants, fdatasync, fstat, read as readFrom, write as writeTo, type BigIntStats } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import type {
  CommitOutcome,
  DiffOf,
  DiffOutcome,
  DiskChange,
  FetchedFile,
  MemoryReply,
  MemoryRequest,
  Root,
} from "../generated/protocol";
import { ConfinedFolder, kindOf, refusedFile, RefusedError } from "./confined.node";
import {
  CONTEXT_FOLDER,
  failed,
  isInContext,
  LARGEST_FETCHED,
  pathsOf,
  type Commit,
  type ContextStore,
} from "./context";
import { errorCode } from "./errorCode.node";
import { sentence } from "./files";
import { gitDiff } from "./gitDiff.node";
import { gitLog } from "./gitLog.node";
import { Lock, LockError } from "./lock.node";
import { answerMemory } from "./observations.node";

const promises = {
  close: promisify(close),
  fdatasync: promisify(fdatasync),
  fstat: promisify(fstat) as (file: number, options: { bigint: true }) => Promise<BigIntStats>,
  read: promisify(readFrom),
  write: promisify(writeTo),
};

/** Windows has no such flags; its types say otherwise. */
const SAFE = process.platform === "win32" ? 0 : constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** The folder that the lock is in, below the folder. */
const CACHE = "cache";
/** How long a writer waits for others before it says that they are busy, in ms. */
const PATIENCE_MS = 2000;
/** How long a lock is kept after a conflict at most, in ms: who wanted to write may have thought better of it. */
const KEEP_MS = 2000;

/**
 * What is told from a whole file by what it says, or is for one person at this moment: if the machine loses
 * power, nothing is lost with it that is not made again.
 */
const DISPOSABLE: readonly string[] = [".context/cache/", ".context/access.json", ".context/prompt_window.md"];

/** An operation that failed, with the path it was about. */
class DiskError extends Error {
  constructor(
    readonly path: string,
    override readonly cause: unknown,
  ) {
    super(reason(cause));
  }
}

/** Files that this worker reads and writes itself. */
export class DiskContext implements ContextStore {
  /** Locks that are kept after a conflict for the next commit, by their roots. */
  private readonly kept = new Map<string, { lock: Lock; timer: NodeJS.Timeout }>();

  /** `now` is the time in ms since 1970; `patience` is for tests. */
  constructor(
    private readonly now: () => number = Date.now,
    private readonly patience = PATIENCE_MS,
  ) {}

  async fetch(root: Root, path: string, isConfined = false): Promise<FetchedFile> {
    try {
      return await (isConfined || isInContext(path) ? readInside(root.path, path) : read(join(root.path, path)));
    } catch (error) {
      if (error instanceof RefusedError) {
        // What is below a file is not there either.
        return error.message === "it is not a folder" ? {} : { error: error.message };
      }
      const code = errorCode(error);
      return code === "ENOENT" || code === "ENOTDIR" ? {} : { error: sentence(code) };
    }
  }

  /**
   * Who finds that the files are others than it expects keeps the lock, so that what it reads next is not outdated once
   * more before it can write.
   */
  async commit(root: Root, { expect, changes }: Commit): Promise<CommitOutcome> {
    const foreign = changes.flatMap(pathsOf).find((path) => !isInContext(path));
    if (foreign !== undefined) {
      return failed(foreign, "it is not below .context");
    }
    try {
      return await withFolder(root.path, changes, (folder) => this.commitIn(folder, root.path, { expect, changes }));
    } catch (error) {
      if (error instanceof LockError) {
        return { type: "busy" };
      }
      const { path, cause } =
        error instanceof DiskError ? error : { path: join(root.path, CONTEXT_FOLDER), cause: error };
      // It was deleted in the meantime.
      return errorCode(cause) === "ENOENT" ? { type: "conflict" } : failed(path, reason(cause));
    }
  }

  private async commitIn(folder: ConfinedFolder, root: string, { expect, changes }: Commit): Promise<CommitOutcome> {
    const cache = about(join(root, CONTEXT_FOLDER, CACHE), () => folder.made(`${CONTEXT_FOLDER}/${CACHE}`));
    const lock = this.takeKept(root) ?? new Lock(this.patience, this.now);
    let isKept = false;
    try {
      if (!(await take(lock, cache))) {
        return { type: "busy" };
      }
      if (lock.takeLeft()) {
        sweep(folder);
      }
      const stamps = (): (string | null)[] => expect.map((file) => stampOf(folder, file.path));
      if (stamps().some((stamp, index) => stamp !== (expect[index]?.stamp ?? null))) {
        this.keep(root, lock);
        isKept = true;
        return { type: "conflict" };
      }
      changes.forEach((change) => {
        check(folder, root, change);
      });
      lock.check();
      for (const change of changes) {
        await apply(folder, root, change);
      }
      return { type: "done", stamps: stamps() };
    } finally {
      if (!isKept) {
        giveBack(lock, cache);
      }
      cache.close();
    }
  }

  private takeKept(root: string): Lock | undefined {
    const kept = this.kept.get(root);
    this.kept.delete(root);
    clearTimeout(kept?.timer);
    return kept?.lock;
  }

  /** It is given back with the next commit, after a while, or taken over when the process ends. */
  private keep(root: string, lock: Lock): void {
    const timer = setTimeout(() => {
      this.takeKept(root);
      try {
        ConfinedFolder.with(root, (folder) => {
          const cache = folder.below(`${CONTEXT_FOLDER}/${CACHE}`);
          giveBack(lock, cache);
          cache.close();
        });
      } catch {
        // the folder is gone, and the lock with it
      }
    }, KEEP_MS);
    this.kept.set(root, { lock, timer });
  }

  log(root: Root, most: number): Promise<string | null> {
    return gitLog(root.path, most);
  }

  diff(root: Root, of: DiffOf): Promise<DiffOutcome> {
    return gitDiff(root.path, of);
  }

  memory(root: Root, request: MemoryRequest): Promise<MemoryReply> {
    return Promise.resolve(answerMemory(root.path, request));
  }
}

/** Opens the folder of a root for a commit that needs `.context`, which is made where the commit brings its `.gitignore`. */
async function withFolder(
  path: string,
  changes: readonly DiskChange[],
  work: (root: ConfinedFolder) => Promise<CommitOutcome>,
): Promise<CommitOutcome> {
  const isWanted = changes.some((change) => change.type === "write" && change.path === ".context/.gitignore");
  const root = ConfinedFolder.open(path);
  try {
    about(join(path, CONTEXT_FOLDER), () => {
      (isWanted ? root.made(CONTEXT_FOLDER) : root.below(CONTEXT_FOLDER)).close();
    });
    return await work(root);
  } finally {
    root.close();
  }
}

/** Does something; what fails is about this path. */
function about<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new DiskError(path, error);
  }
}

async function take(lock: Lock, cache: ConfinedFolder): Promise<boolean> {
  try {
    return await lock.take(cache);
  } catch (error) {
    throw new DiskError(join(cache.path, "lock"), error);
  }
}

/** One that cannot be given back is taken over when it is old; what was done is done. */
function giveBack(lock: Lock, cache: ConfinedFolder): void {
  try {
    lock.giveBack(cache);
  } catch {
    // the folder may be gone
  }
}

/** Deletes what a process had half written when it was killed; what stays does no harm. */
function sweep(root: ConfinedFolder): void {
  const folder = root.below(CONTEXT_FOLDER);
  folder.sweep(true);
  folder.close();
}

/** Reads a file below `.context/`; no link leads it elsewhere. */
async function readInside(root: string, path: string): Promise<FetchedFile> {
  const file = ConfinedFolder.with(root, (folder) => folder.openFile(path, constants.O_RDONLY));
  try {
    const found = await promises.fstat(file, { bigint: true });
    if (found.size > LARGEST_FETCHED) {
      return { error: "it is too large" };
    }
    const bytes = new Uint8Array(Number(found.size));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await promises.read(file, bytes, length, bytes.length - length, length);
      if (bytesRead === 0) {
        break;
      }
      length += bytesRead;
    }
    return { bytes: bytes.subarray(0, length), stamp: stamp(found) };
  } finally {
    await promises.close(file);
  }
}

async function read(path: string): Promise<FetchedFile> {
  const file = await open(path, constants.O_RDONLY | SAFE);
  try {
    const found = await file.stat({ bigint: true });
    if (!found.isFile()) {
      return { error: "it is not a regular file" };
    }
    if (found.size > LARGEST_FETCHED) {
      return { error: "it is too large" };
    }
    return { bytes: new Uint8Array(await file.readFile()), stamp: stamp(found) };
  } finally {
    await file.close();
  }
}

/** Tells a file from any that took its place. */
function stamp(found: BigIntStats): string {
  return `${found.mtimeNs}-${found.size}-${found.ino}`;
}

function stampOf(root: ConfinedFolder, path: string): string | null {
  try {
    const found = root.find(path);
    return found === undefined ? null : stamp(found);
  } catch {
    return null;
  }
}

/** Fails where a change cannot be made, as far as what lies there tells, before any of a commit is. */
function check(root: ConfinedFolder, rootPath: string, change: DiskChange): void {
  for (const path of pathsOf(change)) {
    about(join(rootPath, path), () => {
      const found = root.find(path);
      if (change.type === "append" && found && !found.isFile()) {
        throw refusedFile(kindOf(found));
      }
    });
  }
}

async function apply(root: ConfinedFolder, rootPath: string, change: DiskChange): Promise<void> {
  if (change.type === "move") {
    move(root, change.from, change.to);
    return;
  }
  const { path } = change;
  try {
    if (change.type === "delete") {
      root.remove(path);
      return;
    }
    // A folder is made in one that is there: what was deleted around it stays away.
    const above = path.slice(0, path.lastIndexOf("/"));
    if (above !== CONTEXT_FOLDER) {
      root.made(above).close();
    }
    if (change.type === "append") {
      root.append(path, change.text);
    } else {
      await replace(root, path, change.bytes);
    }
  } catch (error) {
    throw new DiskError(join(rootPath, path), error);
  }
}

/** Writes a file beside its place and moves it there. */
async function replace(root: ConfinedFolder, path: string, bytes: Uint8Array): Promise<void> {
  const half = root.half(path);
  try {
    for (let written = 0; written < bytes.length;) {
      written += (await promises.write(half.file, bytes, written)).bytesWritten;
    }
    if (!DISPOSABLE.some((start) => path.startsWith(start))) {
      await promises.fdatasync(half.file);
    }
  } catch (error) {
    half.drop();
    throw error;
  }
  half.place();
}

/**
 * Gives a file of a type its new name. It is a plain rename: a repository's git may run programs, and what is staged is
 * the user's own. One that stays does no harm.
 */
function move(root: ConfinedFolder, from: string, to: string): void {
  if (stampOf(root, from) === null || stampOf(root, to) !== null) {
    return;
  }
  try {
    root.rename(from, to);
  } catch {
    // it stays where it is
  }
}

/** An error as a person would say it. */
function reason(error: unknown): string {
  if (error instanceof RefusedError) {
    return error.message;
  }
  const code = errorCode(error);
  switch (code) {
    case "EACCES":
    case "EPERM":
      return "no permission to write it";
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    case "EROFS":
      return "the disk is read-only";
    case "ENOTDIR":
    case "EEXIST":
      return "it is not a folder";
    case "EISDIR":
    case "ERR_FS_EISDIR":
      return "it is a folder";
    default:
      return `writing failed (${code})`;
  }
}
