/**
 * Lists a folder of the disk.
 *
 * Runs in a parse worker, so the synchronous calls hold nobody up; they cost a tenth of the
 * asynchronous ones.
 */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent } from "node:fs";

import type { Entry, EntryKind, IgnoreFile, Listing } from "../generated/protocol";
import { fromNative, joinPath } from "../core/paths";
import {
  CONTEXT_CONFIG,
  failedListing,
  GIT_EXCLUDE,
  IGNORE_FILES,
  ignoreFile,
  LARGEST_IGNORE_FILE,
  sentence,
  type FolderRequest,
} from "./files";

const WINDOWS = process.platform === "win32";

/** Lists one folder; a folder that cannot be listed has `error` set. */
export function listFolder(folder: FolderRequest): Listing {
  const path = joinPath(folder.rootPath, folder.dir);
  let dirents: Dirent[];
  try {
    dirents = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    return failedListing(folder, sentence(errorCode(error)));
  }
  const entries = dirents.flatMap((dirent) => entryOf(path, dirent));
  const names = IGNORE_FILES.filter((name) => entries.some((entry) => entry.name === name && entry.kind === "file"));
  const ignoreFiles = names.flatMap((name) => ignoreFile(name, readSmall(joinPath(path, name))));
  if (folder.dir === "") {
    ignoreFiles.push(...gitExclude(path, entries));
    if (entries.some((entry) => entry.name === ".context" && entry.kind === "dir")) {
      ignoreFiles.push(...ignoreFile(CONTEXT_CONFIG, readSmall(joinPath(path, CONTEXT_CONFIG))));
    }
  }
  return { root: folder.root, dir: folder.dir, entries, ignoreFiles };
}

/** The code of a file system error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}

/** A name with this character was no UTF-8, and so nobody can open it by that name. */
const NOT_UTF8 = "\uFFFD";

/** An entry that vanished meanwhile is left out. */
function entryOf(folder: string, dirent: Dirent): Entry[] {
  const { name } = dirent;
  const path = joinPath(folder, name);
  let kind = kindOf(dirent);
  if (kind === "dir") {
    return [{ name, kind }];
  }
  if (kind === "symlink") {
    return [{ name, kind, target: linkTarget(path) }];
  }
  try {
    const stat = lstatSync(path);
    // Some file systems do not say what an entry is before one looks.
    kind = kindOf(stat);
    if (kind === "symlink") {
      return [{ name, kind, target: linkTarget(path) }];
    }
    return [kind === "file" ? { name, kind, size: stat.size, mtimeMs: stat.mtimeMs } : { name, kind }];
  } catch {
    return name.includes(NOT_UTF8) ? [{ name, kind: "other" }] : [];
  }
}

function kindOf(what: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): EntryKind {
  if (what.isFile()) {
    return "file";
  }
  if (what.isDirectory()) {
    return "dir";
  }
  return what.isSymbolicLink() ? "symlink" : "other";
}

function linkTarget(path: string): string | undefined {
  try {
    return fromNative(realpathSync.native(path), WINDOWS);
  } catch {
    // It leads nowhere or in a circle.
    return undefined;
  }
}

/** The repository's own exclude file; a linked worktree keeps it in the main one. */
function gitExclude(root: string, entries: Entry[]): IgnoreFile[] {
  const git = entries.find((entry) => entry.name === ".git");
  if (git?.kind === "dir") {
    return ignoreFile(GIT_EXCLUDE, readSmall(joinPath(root, GIT_EXCLUDE)));
  }
  if (git?.kind !== "file") {
    return [];
  }
  const pointer = /^gitdir: (.+)$/m.exec(readSmall(joinPath(root, ".git")) ?? "")?.[1];
  if (pointer === undefined) {
    return [];
  }
  const gitDir = resolveFrom(root, pointer);
  const common = readSmall(joinPath(gitDir, "commondir"))?.trim();
  const shared = common === undefined ? gitDir : resolveFrom(gitDir, common);
  return ignoreFile(GIT_EXCLUDE, readSmall(joinPath(shared, "info/exclude")));
}

function resolveFrom(base: string, path: string): string {
  const own = fromNative(path.trim(), WINDOWS);
  return own.startsWith("/") || /^[a-z]:\//.test(own) ? own : joinPath(base, own);
}

/** A small text file; undefined where it cannot be read or is no text file of sensible size. */
function readSmall(path: string): string | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= LARGEST_IGNORE_FILE ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
