/**
 * The files of `.context/` where only the editor can reach them: virtual workspaces and the web.
 *
 * There is one window at such a folder as a rule, and most of these file systems know no lock; what
 * somebody else wrote in the meantime is noticed by its state.
 */
import { FileSystemError, Uri, workspace } from "vscode";

import type { CommitOutcome, DiskChange, Stamped } from "../generated/protocol";

/** Changes files below `.context/` of a root, if what is expected is there. */
export async function commit(root: Uri, expect: Stamped[], changes: DiskChange[]): Promise<CommitOutcome> {
  const stamps = (): Promise<(string | null)[]> => Promise.all(expect.map(({ path }) => stampOf(at(root, path))));
  const found = await stamps();
  if (found.some((stamp, index) => stamp !== (expect[index]?.stamp ?? null))) {
    return { type: "conflict" };
  }
  for (const change of changes) {
    try {
      await apply(root, change);
    } catch (error) {
      const path = change.type === "move" ? change.to : change.path;
      return { type: "failed", reason: `${path}: ${reason(error)}.` };
    }
  }
  return { type: "done", stamps: await stamps() };
}

function at(root: Uri, path: string): Uri {
  return Uri.joinPath(root, ...path.split("/"));
}

async function stampOf(file: Uri): Promise<string | null> {
  try {
    const { mtime, size } = await workspace.fs.stat(file);
    return `${mtime}-${size}`;
  } catch {
    return null;
  }
}

async function apply(root: Uri, change: DiskChange): Promise<void> {
  switch (change.type) {
    case "write":
      await makeFolder(root, change.path);
      await workspace.fs.writeFile(at(root, change.path), change.bytes);
      break;
    case "append":
      await makeFolder(root, change.path);
      await append(at(root, change.path), change.text);
      break;
    case "move":
      await whereThere(workspace.fs.rename(at(root, change.from), at(root, change.to)));
      break;
    case "delete":
      await whereThere(workspace.fs.delete(at(root, change.path)));
      break;
  }
}

/** Not every file system makes the folders around a file. */
async function makeFolder(root: Uri, path: string): Promise<void> {
  await workspace.fs.createDirectory(at(root, path.slice(0, path.lastIndexOf("/"))));
}

async function append(file: Uri, text: string): Promise<void> {
  let before: Uint8Array = new Uint8Array();
  try {
    before = await workspace.fs.readFile(file);
  } catch (error) {
    if (!isAbsent(error)) {
      throw error;
    }
  }
  const added = new TextEncoder().encode(text);
  const whole = new Uint8Array(before.length + added.length);
  whole.set(before);
  whole.set(added, before.length);
  await workspace.fs.writeFile(file, whole);
}

/** What is not there needs no change. */
async function whereThere(work: Thenable<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isAbsent(error)) {
      throw error;
    }
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof FileSystemError && error.code === "FileNotFound";
}

function reason(error: unknown): string {
  if (error instanceof FileSystemError && error.code === "NoPermissions") {
    return "no permission to write it";
  }
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
