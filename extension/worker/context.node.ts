/**
 * Manifests and the files of `.context/` on the disk; `crates/host/src/context_folder.rs` is its twin.
 * Both hold the cases of `test/contract/context-folder`.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import { appendFile, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
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
import {
  CONTEXT_FOLDER,
  CONTEXT_LOCK,
  failed,
  isInContext,
  LARGEST_FETCHED,
  pathsOf,
  STALE_MS,
  type Commit,
  type ContextStore,
} from "./context";
import { sentence } from "./files";
import { gitDiff } from "./gitDiff.node";
import { gitLog } from "./gitLog.node";
import { errorCode } from "./listing.node";
import { answerMemory } from "./observations.node";

const run = promisify(execFile);

/** Windows has no such flags; its types say otherwise. */
const SAFE = process.platform === "win32" ? 0 : constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** How the names of files begin that are not whole yet. */
const HALF = ".writing-";

/**
 * What is told from a whole file by what it says, or is for one person at this moment: if the machine loses
 * power, nothing is lost with it that is not made again.
 */
const DISPOSABLE: readonly string[] = [".context/cache/", ".context/access.json", ".context/prompt_window.md"];

/** An operation that failed, with the path it was about. */
class DiskError extends Error {
  constructor(
    readonly path: string,
    readonly code: string,
  ) {
    super(code);
  }
}

/** Files that this worker reads and writes itself. */
export class DiskContext implements ContextStore {
  /** `now` is the time in ms since 1970. */
  constructor(private readonly now: () => number = Date.now) {}

  async fetch(root: Root, path: string): Promise<FetchedFile> {
    try {
      return await read(join(root.path, path));
    } catch (error) {
      const code = errorCode(error);
      return code === "ENOENT" || code === "ENOTDIR" ? {} : { error: sentence(code) };
    }
  }

  async commit(root: Root, { expect, changes }: Commit): Promise<CommitOutcome> {
    const folder = join(root.path, CONTEXT_FOLDER);
    try {
      const foreign = changes.flatMap(pathsOf).find((path) => !isInContext(path));
      if (foreign !== undefined) {
        return failed(foreign, "it is not below .context");
      }
      const isWanted = changes.some((change) => change.type === "write" && change.path === ".context/.gitignore");
      if (!(await hasFolder(folder, isWanted))) {
        return { type: "conflict" };
      }
      const lock = join(folder, CONTEXT_LOCK);
      if (!(await this.lock(lock))) {
        return { type: "busy" };
      }
      try {
        const stamps = (): Promise<(string | null)[]> =>
          Promise.all(expect.map((file) => stampOf(join(root.path, file.path))));
        const found = await stamps();
        if (found.some((stamp, index) => stamp !== (expect[index]?.stamp ?? null))) {
          return { type: "conflict" };
        }
        for (const change of changes) {
          await apply(root.path, change);
        }
        return { type: "done", stamps: await stamps() };
      } finally {
        // One that stays is taken over when it is old; what was done is done.
        await rm(lock, { force: true }).catch(() => undefined);
      }
    } catch (error) {
      if ((error instanceof DiskError ? error.code : errorCode(error)) === "ENOENT") {
        return { type: "conflict" }; // it was deleted in the meantime
      }
      return error instanceof DiskError
        ? failed(error.path, reason(error.code))
        : failed(folder, reason(errorCode(error)));
    }
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

  /** One writer at a time; false where another is at it. */
  private async lock(path: string): Promise<boolean> {
    await make(dirname(path));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        await (await open(path, "wx")).close();
        return true;
      } catch (error) {
        if (errorCode(error) !== "EEXIST") {
          throw new DiskError(path, errorCode(error));
        }
      }
      const age = await lstat(path).then(
        (found) => this.now() - found.mtimeMs,
        () => Infinity,
      );
      // One from the future was made before the clock was set back.
      if (Math.abs(age) <= STALE_MS) {
        return false;
      }
      await rm(path, { force: true });
      await sweep(dirname(dirname(path)));
    }
    return false;
  }
}

/** Deletes what a process had half written when it was killed; what stays does no harm. */
async function sweep(folder: string): Promise<void> {
  for (const inner of ["", "cache", "types"]) {
    const names = await readdir(join(folder, inner)).catch(() => []);
    for (const name of names.filter((name) => name.startsWith(HALF))) {
      await rm(join(folder, inner, name), { force: true }).catch(() => undefined);
    }
  }
}

/**
 * Whether the folder is there; it is made if somebody wants it, and one that was deleted stays away. Links
 * are not followed: they lead out of the workspace.
 */
async function hasFolder(folder: string, isWanted: boolean): Promise<boolean> {
  try {
    if ((await lstat(folder)).isDirectory()) {
      return true;
    }
  } catch (error) {
    if (errorCode(error) !== "ENOENT") {
      throw new DiskError(folder, errorCode(error));
    }
    if (isWanted) {
      await mkdir(folder);
    }
    return isWanted;
  }
  throw new DiskError(folder, "ENOTDIR");
}

async function read(path: string): Promise<FetchedFile> {
  const file = await open(path, constants.O_RDONLY | SAFE);
  try {
    const found = await file.stat({ bigint: true });
    if (!found.isFile()) {
      return { error: "it is no regular file" };
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

async function stampOf(path: string): Promise<string | null> {
  try {
    return stamp(await lstat(path, { bigint: true }));
  } catch {
    return null;
  }
}

async function apply(root: string, change: DiskChange): Promise<void> {
  if (change.type === "move") {
    await move(root, join(root, change.from), join(root, change.to));
    return;
  }
  const path = join(root, change.path);
  try {
    if (change.type === "write") {
      const lasts = !DISPOSABLE.some((start) => change.path.startsWith(start));
      await replace(path, change.bytes, lasts);
    } else if (change.type === "append") {
      await make(dirname(path));
      await appendFile(path, change.text);
    } else {
      await rm(path, { force: true });
    }
  } catch (error) {
    throw new DiskError(path, errorCode(error));
  }
}

/** Makes a folder in one that is there: what was deleted around it stays away. */
async function make(folder: string): Promise<void> {
  await mkdir(folder).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") {
      throw error;
    }
  });
}

/**
 * Writes a file beside its place and moves it there; `lasts` says that it has to be whole also after the machine
 * lost power.
 */
async function replace(path: string, bytes: Uint8Array, lasts: boolean): Promise<void> {
  const folder = dirname(path);
  await make(folder);
  const half = join(folder, `${HALF}${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(half, "wx");
    try {
      await file.writeFile(bytes);
      if (lasts) {
        await file.datasync();
      }
    } finally {
      await file.close();
    }
    await rename(half, path);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}

/** Gives a file of a type its new name, in git too where it is tracked. One that stays does no harm. */
async function move(root: string, from: string, to: string): Promise<void> {
  if ((await stampOf(from)) === null || (await stampOf(to)) !== null) {
    return;
  }
  try {
    await run("git", ["-C", root, "mv", "--", from, to]);
  } catch {
    await rename(from, to).catch(() => undefined);
  }
}

/** An error's code as a person would say it. */
function reason(code: string): string {
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
      return "it is no folder";
    case "EISDIR":
    case "ERR_FS_EISDIR":
      return "it is a folder";
    default:
      return `writing failed (${code})`;
  }
}
