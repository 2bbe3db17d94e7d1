/**
 * Files below one folder, no link followed at any level; `crates/confined` is its twin.
 *
 * Node has no calls relative to a folder's handle. Linux names what is open in `/proc/self/fd`, and a path through that
 * goes on from the handle. Elsewhere each level is looked at before and after, and compared with what was opened.
 */
import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
  type BigIntStats,
} from "node:fs";
import { join } from "node:path";

import { errorCode } from "./errorCode.node";
import { LARGEST_IGNORE_FILE } from "./files";
import { halfName, isLeft } from "./half.node";

/** Whether handles have names here. */
const HAS_HANDLES = process.platform === "linux" && existsSync("/proc/self/fd");

/** Windows has no such flags; its types say otherwise. */
const FILE_FLAGS = process.platform === "win32" ? 0 : constants.O_NONBLOCK | constants.O_NOFOLLOW;
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | FILE_FLAGS;

/** Folders below folders that are looked at for half files. */
const SWEPT_LEVELS = 4;

/** What an entry of a folder is. */
export type Kind = "file" | "folder" | "link" | "pipe" | "socket" | "device";

/** Why an entry was not opened, in the words of `crates/confined/src/entry_info.rs`. */
export class RefusedError extends Error {}

/** A file beside its place that is not whole yet. */
export interface Half {
  /** Its descriptor, open for writing. */
  readonly file: number;
  /** Puts it in place; what is there is replaced. */
  place(): void;
  /** Deletes it. */
  drop(): void;
}

/** A folder that is open until it is closed. */
export class ConfinedFolder {
  private constructor(
    /** Where it was when it was opened, for messages; where handles have no names, where it is. */
    readonly path: string,
    private readonly handle: number | undefined,
    /** The folders that it was reached through, where handles have no names: their paths and what they were. */
    private readonly levels: readonly (readonly [string, string])[],
  ) {}

  /** Opens a folder that a person named; links in its own path are followed. `hasHandles` is for tests. */
  static open(path: string, hasHandles = HAS_HANDLES): ConfinedFolder {
    if (hasHandles) {
      return new ConfinedFolder(path, openSync(path, constants.O_RDONLY | constants.O_DIRECTORY), []);
    }
    return new ConfinedFolder(path, undefined, [[path, idOf(statSync(path, { bigint: true }))]]);
  }

  /** Does something with a folder that is closed afterwards. */
  static with<T>(path: string, work: (folder: ConfinedFolder) => T): T {
    const folder = ConfinedFolder.open(path);
    try {
      return work(folder);
    } finally {
      folder.close();
    }
  }

  close(): void {
    if (this.handle !== undefined) {
      closeSync(this.handle);
    }
  }

  /** What tells it from another folder that took its place. */
  id(): string {
    return this.handle === undefined ? (this.levels.at(-1)?.[1] ?? "") : idOf(fstatSync(this.handle, { bigint: true }));
  }

  /** Opens a folder below, level by level. */
  below(path: string): ConfinedFolder {
    let folder = this.again();
    for (const name of partsOf(path)) {
      const above = folder;
      try {
        folder = above.inner(name);
      } finally {
        above.close();
      }
    }
    return folder;
  }

  /** The same; its last level is made where it is not there. */
  made(path: string): ConfinedFolder {
    return this.in(path, (folder, name) => {
      try {
        return folder.inner(name);
      } catch (error) {
        if (errorCode(error) !== "ENOENT") {
          throw error;
        }
      }
      try {
        mkdirSync(folder.at(name));
      } catch (error) {
        if (errorCode(error) !== "EEXIST") {
          throw error;
        }
      }
      return folder.inner(name);
    });
  }

  /** The entry itself; `undefined` where it is not there. */
  find(path: string): BigIntStats | undefined {
    try {
      return this.in(path, (folder, name) => lstatSync(folder.at(name), { bigint: true }));
    } catch (error) {
      if (errorCode(error) === "ENOENT") {
        return undefined;
      }
      throw error;
    }
  }

  /** Whether anything has this name: what is no file is refused when it is opened, not passed over. */
  has(path: string): boolean {
    return this.find(path) !== undefined;
  }

  /** Opens a regular file, as flags of `open(2)` say; the descriptor is the caller's to close. */
  openFile(path: string, flags: number): number {
    return this.in(path, (folder, name) => folder.openInner(name, flags));
  }

  /** What a file holds; null where it is not there. */
  bytes(path: string): Uint8Array | null {
    let file: number;
    try {
      file = this.openFile(path, constants.O_RDONLY);
    } catch (error) {
      if (errorCode(error) === "ENOENT") {
        return null;
      }
      throw error;
    }
    try {
      return new Uint8Array(readFileSync(file));
    } finally {
      closeSync(file);
    }
  }

  /** Appends to a file, which is made where it is not there; its folder is not. */
  append(path: string, text: string | ((isEmpty: boolean) => string)): void {
    const file = this.openFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
    try {
      writeFileSync(file, typeof text === "string" ? text : text(fstatSync(file).size === 0));
    } finally {
      closeSync(file);
    }
  }

  /** Makes an empty file that must not be there yet. */
  create(path: string): void {
    this.in(path, (folder, name) => {
      closeSync(openSync(folder.at(name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | FILE_FLAGS));
    });
  }

  /** Begins a file that takes the place of another when it is whole, with the same permissions. */
  half(path: string): Half {
    const parts = partsOf(path);
    const name = parts.pop() ?? "";
    const folder = parts.length === 0 ? this.again() : this.below(parts.join("/"));
    const half = halfName();
    let file: number;
    try {
      file = openSync(folder.at(half), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | FILE_FLAGS, 0o666);
      keepMode(folder, name, file);
    } catch (error) {
      folder.close();
      throw error;
    }
    const end = (work: () => void) => {
      try {
        closeSync(file);
        work();
      } finally {
        folder.close();
      }
    };
    const drop = () => {
      unlinkSync(folder.at(half));
    };
    return {
      file,
      place: () => {
        end(() => {
          try {
            renameSync(folder.at(half), folder.at(name));
          } catch (error) {
            drop();
            throw error;
          }
        });
      },
      drop: () => {
        end(drop);
      },
    };
  }

  /** Puts a file in place whole or not at all, also if the machine loses power. */
  replace(path: string, text: string | Uint8Array, encoding: BufferEncoding = "utf8"): void {
    const half = this.half(path);
    try {
      writeFileSync(half.file, text, encoding);
      fdatasyncSync(half.file);
    } catch (error) {
      half.drop();
      throw error;
    }
    half.place();
  }

  /** Gives an entry another name; what has that name is replaced. A link is moved itself. */
  rename(from: string, to: string): void {
    this.in(from, (fromFolder, fromName) => {
      this.in(to, (toFolder, toName) => {
        renameSync(fromFolder.at(fromName), toFolder.at(toName));
      });
    });
  }

  /** Deletes a file; of a link the link itself. One that is not there is deleted already. */
  remove(path: string): void {
    try {
      this.in(path, (folder, name) => {
        unlinkSync(folder.at(name));
      });
    } catch (error) {
      if (errorCode(error) !== "ENOENT") {
        throw error;
      }
    }
  }

  /** Deletes a folder that is empty. */
  removeFolder(path: string): void {
    this.in(path, (folder, name) => {
      rmdirSync(folder.at(name));
    });
  }

  /** The names of all entries. */
  entries(): string[] {
    return readdirSync(this.at("."));
  }

  /**
   * Deletes half files of processes that ended, here and in the folders below; `nameless` ones too, as earlier versions
   * wrote them, whose lock has to be ours. What stays does no harm.
   */
  sweep(nameless: boolean, levels = SWEPT_LEVELS): void {
    for (const name of this.entries()) {
      try {
        const found = this.find(name);
        const kind = found && kindOf(found);
        if (kind === "file" && isLeft(name, Number(found?.mtimeMs), nameless)) {
          this.remove(name);
        } else if (kind === "folder" && isLeft(name, Number(found?.mtimeMs), false)) {
          this.dropFolder(name);
        } else if (kind === "folder" && levels > 0) {
          const inner = this.below(name);
          try {
            inner.sweep(nameless, levels - 1);
          } finally {
            inner.close();
          }
        }
      } catch {
        // somebody else removed it, or nobody may
      }
    }
  }

  /** Deletes a folder with the files in it. */
  dropFolder(path: string): void {
    const inner = this.below(path);
    try {
      inner.entries().forEach((name) => {
        inner.remove(name);
      });
    } finally {
      inner.close();
    }
    this.removeFolder(path);
  }

  /** Does something in the folder that a path's last part is in. */
  private in<T>(path: string, work: (folder: ConfinedFolder, name: string) => T): T {
    const parts = partsOf(path);
    const name = parts.pop() ?? "";
    if (parts.length === 0) {
      return work(this, name);
    }
    const folder = this.below(parts.join("/"));
    try {
      return work(folder, name);
    } finally {
      folder.close();
    }
  }

  /** The same folder, open once more. */
  private again(): ConfinedFolder {
    const handle = this.handle === undefined ? undefined : openSync(this.at("."), FOLDER_FLAGS);
    return new ConfinedFolder(this.path, handle, this.levels);
  }

  /** The path by which the system finds an entry. */
  private at(name: string): string {
    if (this.handle !== undefined) {
      return `/proc/self/fd/${this.handle}/${name}`;
    }
    this.verify();
    return join(this.path, name);
  }

  /** Where handles have no names: whether all levels are what they were. */
  private verify(): void {
    for (const [at, [path, id]] of this.levels.entries()) {
      const found = (at === 0 ? statSync : lstatSync)(path, { bigint: true });
      if (!found.isDirectory() || idOf(found) !== id) {
        throw refusedFolder(kindOf(found));
      }
    }
  }

  private inner(name: string): ConfinedFolder {
    const path = join(this.path, name);
    if (this.handle === undefined) {
      const found = lstatSync(this.at(name), { bigint: true });
      if (!found.isDirectory()) {
        throw refusedFolder(kindOf(found));
      }
      return new ConfinedFolder(path, undefined, [...this.levels, [path, idOf(found)]]);
    }
    try {
      return new ConfinedFolder(path, openSync(this.at(name), FOLDER_FLAGS), []);
    } catch (error) {
      const found = lstatSync(this.at(name), { bigint: true });
      throw found.isDirectory() ? error : refusedFolder(kindOf(found));
    }
  }

  private openInner(name: string, flags: number): number {
    // A pipe or a device does something when it is opened, so it is looked at before.
    const before = this.find(name);
    if (before && !before.isFile()) {
      throw refusedFile(kindOf(before));
    }
    const file = openSync(this.at(name), flags | FILE_FLAGS, 0o666);
    try {
      const found = fstatSync(file, { bigint: true });
      // It may have become something else between the two.
      const after = this.handle === undefined ? this.find(name) : found;
      if (!found.isFile() || after === undefined || idOf(after) !== idOf(found)) {
        throw refusedFile(kindOf(after ?? found));
      }
      return file;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }
}

/** A small text file below a folder; undefined where it cannot be read or is no text file of sensible size. */
export function readConfined(folder: string, path: string): string | undefined {
  try {
    return ConfinedFolder.with(folder, (open) => {
      const size = open.find(path)?.size ?? 0n;
      const bytes = size <= LARGEST_IGNORE_FILE ? open.bytes(path) : null;
      return bytes === null ? undefined : Buffer.from(bytes).toString("utf8");
    });
  } catch {
    return undefined;
  }
}

/** Device and number of a file, which tell it from another that took its place. */
function idOf(found: BigIntStats): string {
  return `${found.dev}-${found.ino}`;
}

/** What an entry is. */
export function kindOf(found: BigIntStats): Kind {
  switch (true) {
    case found.isFile():
      return "file";
    case found.isDirectory():
      return "folder";
    case found.isSymbolicLink():
      return "link";
    case found.isFIFO():
      return "pipe";
    case found.isSocket():
      return "socket";
    default:
      return "device";
  }
}

/** Says that an entry is no file that can be read or written. */
export function refusedFile(kind: Kind): RefusedError {
  switch (kind) {
    case "file":
      return new RefusedError("it changed while it was opened");
    case "folder":
      return new RefusedError("it is a folder");
    default:
      return new RefusedError(`it is not a file but a ${kind}`);
  }
}

function refusedFolder(kind: Kind): RefusedError {
  switch (kind) {
    case "file":
      return new RefusedError("it is not a folder");
    case "folder":
      return new RefusedError("it changed while it was opened");
    default:
      return new RefusedError(`it is not a folder but a ${kind}`);
  }
}

/** The parts of a path, each a name on every system. */
function partsOf(path: string): string[] {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || /[\\:\0]/.test(part))) {
    throw new RefusedError("it is not a path below the folder");
  }
  return parts;
}

/** A file that takes another one's place may be read and written by the same people. */
function keepMode(folder: ConfinedFolder, name: string, file: number): void {
  const former = folder.find(name);
  if (former?.isFile() === true && process.platform !== "win32") {
    fchmodSync(file, Number(former.mode & 0o777n));
  }
}
