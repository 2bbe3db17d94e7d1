/**
 * Appends observations to `.context/memory/observations.jsonl`; `crates/memory/src/native/jsonl.rs` is its twin, and
 * docs/memory.md has the protocol of both.
 */
import { closeSync, constants, fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";

import type { ConfinedFolder } from "./confined.node";
import {
  forgotten,
  lastShownId,
  lineOf,
  LOG,
  MemoryFolder,
  purgeShown,
  rewrite,
  type Draft,
  type ObservationStore,
} from "./memoryFolder.node";

/** Bytes of the end of the log that are looked at first. */
const TAIL = 16 * 1024;
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Records observations in the log of a root. */
export class MemoryLog implements ObservationStore {
  private readonly folder: MemoryFolder;

  /** `root` is the absolute path of the workspace folder. */
  constructor(root: string, folder = new MemoryFolder(root)) {
    this.folder = folder;
  }

  read(): Uint8Array | null {
    return this.folder.bytes("jsonl", LOG);
  }

  purge(ids: readonly number[], tombstone: Draft): number {
    const [id] = this.append([tombstone]);
    const gone = new Set(ids);
    this.folder.write("jsonl", (folder, check) => {
      check();
      rewrite(folder, LOG, (line) => !isPurged(line, gone));
      purgeShown(folder, gone);
    });
    return id ?? 0;
  }

  append(drafts: readonly Draft[]): number[] {
    return this.folder.write("jsonl", (folder, check) => {
      const ids = appendTo(folder, drafts, check);
      this.folder.show(folder, drafts, ids);
      return ids;
    });
  }
}

/** Whether a line is an observation that is to be taken out. Tombstones stay: what they name would come back. */
function isPurged(line: string, ids: ReadonlySet<number>): boolean {
  const record = recordOf(line);
  const id = idOf(record);
  return record !== undefined && id !== undefined && ids.has(id) && forgotten(record) === undefined;
}

function appendTo(folder: ConfinedFolder, drafts: readonly Draft[], check: () => void): number[] {
  const file = folder.openFile(LOG, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    const length = fstatSync(file).size;
    const { keep, lastId, needsNewline } = tailOf(file, length);
    // What another back end was told stands in the log for people: no id is given twice.
    const next = Math.max(lastId, lastShownId(folder)) + 1;
    const ids = drafts.map((_, at) => next + at);
    const lines = drafts.map((draft, at) => `${lineOf(draft, next + at)}\n`);
    const text = Buffer.from((needsNewline ? "\n" : "") + lines.join(""));
    check();
    if (keep < length) {
      ftruncateSync(file, keep);
    }
    try {
      for (let written = 0; written < text.length;) {
        written += writeSync(file, text, written);
      }
    } catch (error) {
      ftruncateSync(file, keep); // half a line would be taken away by the next writer as well
      throw error;
    }
    return ids;
  } finally {
    closeSync(file);
  }
}

/** What the end of a log says: the highest id, and up to where it is whole. */
interface Tail {
  keep: number;
  lastId: number;
  needsNewline: boolean;
}

function tailOf(file: number, length: number): Tail {
  for (let size = TAIL; ; size *= 8) {
    const start = Math.max(0, length - size);
    const block = Buffer.alloc(length - start);
    for (let read = 0; read < block.length;) {
      const more = readSync(file, block, read, block.length - read, start + read);
      if (more === 0) {
        break;
      }
      read += more;
    }
    const tail = tailOfBlock(block, start === 0);
    if (tail !== undefined) {
      return { ...tail, keep: start + tail.keep };
    }
  }
}

/** `undefined` if more of the log has to be looked at. */
function tailOfBlock(block: Buffer, isWhole: boolean): Tail | undefined {
  const first = isWhole ? 0 : block.indexOf(10) + 1;
  if (!isWhole && first === 0) {
    return undefined;
  }
  const last = block.lastIndexOf(10) + 1;
  const fragment = block.toString("utf8", last).trim();
  const record = recordOf(fragment);
  // What begins like a record and is none lacks its end: it was never acknowledged.
  const isCut = fragment.startsWith("{") && record === undefined && !fragment.endsWith("}");
  const lines = block.toString("utf8", first, last).split("\n").map(recordOf);
  const ids = [...lines, record].map(idOf).filter((id) => id !== undefined);
  if (ids.length === 0 && !isWhole) {
    return undefined;
  }
  return {
    keep: isCut ? last : block.length,
    lastId: ids.reduce((highest, id) => Math.max(highest, id), 0),
    needsNewline: !isCut && last < block.length,
  };
}

function recordOf(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function idOf(record: Record<string, unknown> | undefined): number | undefined {
  const id = record?.id;
  const isId = typeof id === "number" && Number.isInteger(id) && id >= 0 && id < MAX_ID;
  return isId && typeof record?.schema_version === "string" ? id : undefined;
}
