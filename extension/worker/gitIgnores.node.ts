/**
 * Ignore files that count for a workspace folder though they are not in it: those of the folders above, up to the
 * repository's top, the repository's `info/exclude`, and the user's global excludes (SPEC P2).
 */
import { closeSync, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { homedir } from "node:os";

import { fromNative, joinPath } from "../core/paths";
import type { IgnoreFile } from "../generated/protocol";
import { GIT_EXCLUDE, GLOBAL_EXCLUDES, IGNORE_FILES, LARGEST_IGNORE_FILE } from "./files";
import { READ_WITHOUT_WAITING } from "./pipes.node";

const WINDOWS = process.platform === "win32";

/** Folders above that are looked at for the top of a repository. */
const MOST_ABOVE = 64;

/** A small text file; undefined where it cannot be read or is no text file of sensible size. */
export function readSmall(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    // Without that a pipe that took the file's place would hold this thread for ever.
    descriptor = openSync(path, READ_WITHOUT_WAITING);
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size <= LARGEST_IGNORE_FILE ? readFileSync(descriptor, "utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
  }
}

/** The ignore files that count for everything below a root, nearest folder first. */
export function ignoreFilesAbove(root: string): IgnoreFile[] {
  const folders = ancestors(root);
  const top = folders.find((folder) => exists(joinPath(folder, ".git")));
  if (top === undefined) {
    return [];
  }
  const found = folders
    .slice(1, folders.indexOf(top) + 1)
    .flatMap((folder) => IGNORE_FILES.flatMap((name) => fileAbove(root, folder, name, joinPath(folder, name))));
  const exclude = joinPath(gitFolder(top), "info/exclude");
  found.push(...fileAbove(root, top, GIT_EXCLUDE, exclude));
  found.push(...fileAbove(root, top, GLOBAL_EXCLUDES, globalExcludes()));
  return found;
}

function fileAbove(root: string, folder: string, name: string, path: string): IgnoreFile[] {
  const text = readSmall(path);
  const above = root.slice(folder.length).replace(/^\/+/, "");
  return text === undefined ? [] : [above === "" ? { name, text } : { name, text, above }];
}

/** A folder and those that it is in. */
function ancestors(folder: string): string[] {
  const found: string[] = [];
  let path = folder.replace(/(?<=.)\/+$/, "");
  while (found.length < MOST_ABOVE) {
    found.push(path);
    const end = path.lastIndexOf("/");
    if (end < 0 || path === "/") {
      break;
    }
    path = end === 0 ? "/" : path.slice(0, end);
  }
  return found;
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Where a repository keeps what all of its worktrees share. */
function gitFolder(top: string): string {
  const git = joinPath(top, ".git");
  const pointer = /^gitdir: (.+)$/m.exec(readSmall(git) ?? "")?.[1];
  if (pointer === undefined) {
    return git;
  }
  const folder = resolveFrom(top, pointer);
  const common = readSmall(joinPath(folder, "commondir"))?.trim();
  return common === undefined ? folder : resolveFrom(folder, common);
}

function resolveFrom(base: string, path: string): string {
  const own = fromNative(path.trim(), WINDOWS);
  return own.startsWith("/") || /^[a-z]:\//i.test(own) ? own : joinPath(base, own);
}

/** What git's configuration of the user says, else where git looks without one. */
function globalExcludes(): string {
  const home = fromNative(homedir(), WINDOWS);
  const config = fromNative(process.env.XDG_CONFIG_HOME ?? joinPath(home, ".config"), WINDOWS);
  for (const path of [joinPath(home, ".gitconfig"), joinPath(config, "git/config")]) {
    const told = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readSmall(path) ?? "")?.[1];
    if (told !== undefined) {
      return resolveFrom(home, told.replace(/^~\//, `${home}/`));
    }
  }
  return joinPath(config, "git/ignore");
}
