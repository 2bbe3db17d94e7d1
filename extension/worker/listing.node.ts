/**
 * Lists a folder of the disk.
 *
 * Runs in a parse worker, so the synchronous calls hold nobody up; they cost a tenth of the
 * asynchronous ones.
 */
import { lstatSync, readdirSync, realpathSync, type Dirent, type Stats } from "node:fs";

import type { ListingEntry, EntryKind, Listing } from "../generated/protocol";
import { fromNative, joinPath } from "../core/paths";
import { CONTEXT_CONFIG, failedListing, IGNORE_FILES, ignoreFile, sentence, type FolderRequest } from "./files";
import { readConfined } from "./confined.node";
import { errorCode } from "./errorCode.node";
import { ignoreFilesAbove, readSmall } from "./gitIgnores.node";

export { errorCode } from "./errorCode.node";

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
    ignoreFiles.push(...ignoreFilesAbove(path));
    if (entries.some((entry) => entry.name === ".context" && entry.kind === "dir")) {
      ignoreFiles.push(...ignoreFile(CONTEXT_CONFIG, readConfined(path, CONTEXT_CONFIG)));
    }
  }
  return { root: folder.root, dir: folder.dir, entries, ignoreFiles };
}

/**
 * When the file itself changed, which no program sets: another file in its place has another, whatever its size and
 * modification are. On Windows it is the time when it was made, as the native host has it: both share caches.
 */
export function changedMs(stat: Pick<Stats, "ctimeMs" | "birthtimeMs">): number {
  return WINDOWS ? stat.birthtimeMs : stat.ctimeMs;
}

/** A name with this character was no UTF-8, and so nobody can open it by that name. */
const NOT_UTF8 = "\uFFFD";

/** An entry that vanished meanwhile is left out. */
function entryOf(folder: string, dirent: Dirent): ListingEntry[] {
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
    if (kind !== "file") {
      return [{ name, kind }];
    }
    return [{ name, kind, size: stat.size, mtimeMs: stat.mtimeMs, changedMs: changedMs(stat) }];
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
