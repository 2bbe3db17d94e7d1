/** Reads a file of the disk so that bytes and state belong together, also while somebody writes it. */
import { closeSync, fstatSync, openSync, readSync, type Stats } from "node:fs";

import { sentence } from "./files";
import { errorCode } from "./errorCode.node";
import { changedMs } from "./listing.node";
import { READ_WITHOUT_WAITING } from "./pipes.node";

/** A file's bytes with the state they had. `bytes` is only valid until the next file is read. */
export interface FileBytes {
  size: number;
  mtimeMs: number;
  bytes: Uint8Array;
}

/** A file written again and again is taken as it is after this many attempts. */
const ATTEMPTS = 3;

/** The state of an open file. */
export type StatOpen = (descriptor: number) => Pick<Stats, "size" | "mtimeMs" | "ctimeMs" | "birthtimeMs" | "isFile">;

/** Reads files into one buffer that grows with the largest of them. */
export class FileReader {
  private buffer = new Uint8Array(256 * 1024);

  /** `stat` is there for tests that change a file while it is read. */
  constructor(private readonly stat: StatOpen = fstatSync) {}

  /**
   * Reads a file, at most one byte more than `maxBytes`: more is not needed to see that it is too
   * large, whatever it has grown to since it was listed. Throws a sentence where it cannot be read.
   */
  read(path: string, maxBytes: number): FileBytes {
    let descriptor: number | undefined;
    try {
      // Without O_NONBLOCK a pipe that took the file's place would block this worker for ever.
      descriptor = openSync(path, READ_WITHOUT_WAITING);
      return this.readOpen(descriptor, maxBytes);
    } catch (error) {
      throw error instanceof NotAFile ? error : new Error(sentence(errorCode(error)));
    } finally {
      if (descriptor !== undefined) {
        closeSync(descriptor);
      }
    }
  }

  private readOpen(descriptor: number, maxBytes: number): FileBytes {
    for (let attempt = 1; ; attempt += 1) {
      const before = this.stat(descriptor);
      if (!before.isFile()) {
        throw new NotAFile("it is not a regular file");
      }
      const length = this.fill(descriptor, Math.min(before.size, maxBytes) + 1);
      const after = this.stat(descriptor);
      const isSameTime = after.mtimeMs === before.mtimeMs && changedMs(after) === changedMs(before);
      const still = after.size === before.size && isSameTime;
      const whole = length === Math.min(before.size, maxBytes + 1);
      if ((still && whole) || attempt === ATTEMPTS) {
        return { size: after.size, mtimeMs: after.mtimeMs, bytes: this.buffer.subarray(0, length) };
      }
    }
  }

  /** Reads from the start until `wanted` bytes are there or the file ends. */
  private fill(descriptor: number, wanted: number): number {
    if (this.buffer.length < wanted) {
      this.buffer = new Uint8Array(Math.max(wanted, this.buffer.length * 2));
    }
    let length = 0;
    while (length < wanted) {
      const count = readSync(descriptor, this.buffer, length, wanted - length, length);
      if (count === 0) {
        break;
      }
      length += count;
    }
    return length;
  }
}

class NotAFile extends Error {}
