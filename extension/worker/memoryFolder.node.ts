/**
 * The folder of observations, `.context/memory/` of a root: who holds the records, and the log for people;
 * `crates/memory/src/native/mod.rs` is its twin.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { errorCode } from "./listing.node";
import { Lock, LOCK, makeFolder, MemoryError } from "./memoryLock.node";

export const LOG = "observations.jsonl";
export const SHOWN = "observations.md";
export const DATABASE = "mem.db";

/** Where records are. */
export type Backend = "jsonl" | "markdown" | "sqlite";

/** An observation without its id; a JSON object with the fields of `obs.v1` that passed the core's secret filter. */
export type Draft = Readonly<Record<string, unknown>>;

/** Records of one back end; everything is synchronous, for the lock is held meanwhile. */
export interface ObservationStore {
  /** Records all or none of them; their ids in order. */
  append(drafts: readonly Draft[]): number[];
  /** Records a tombstone and takes observations out of all files; the tombstone's id. */
  purge(ids: readonly number[], tombstone: Draft): number;
  /** Everything, as the core reads it; null where there is nothing yet. */
  read(): Uint8Array | null;
}

/** The folder of a root. */
export class MemoryFolder {
  private readonly path: string;
  private readonly lock: Lock;

  /** `root` is the absolute path of the workspace folder. */
  constructor(private readonly root: string) {
    this.path = join(root, ".context", "memory");
    this.lock = new Lock(join(this.path, LOCK));
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** The back end that holds records; none where there are none yet. */
  holder(): Backend | undefined {
    return existsSync(this.file(DATABASE)) ? "sqlite" : existsSync(this.file(LOG)) ? "jsonl" : undefined;
  }

  /** Does what writes, under the lock, unless the records are elsewhere. */
  write<T>(backend: Backend, work: (check: () => void) => T): T {
    for (const part of [join(this.root, ".context"), this.path]) {
      makeFolder(part);
    }
    return this.lock.hold((check) => {
      this.claim(backend);
      return work(check);
    });
  }

  /** Fails where another back end holds the records. */
  claim(asked: Backend): void {
    const [holder, file] = asked === "jsonl" ? ["sqlite", DATABASE] : ["jsonl", LOG];
    if (existsSync(this.file(file))) {
      throw new MemoryError("Elsewhere", `The observations are in ${holder}, not in ${asked}.`);
    }
  }

  /** What a file holds; null where it is not there. */
  bytes(name: string): Uint8Array | null {
    try {
      return new Uint8Array(readFileSync(this.file(name)));
    } catch (error) {
      if (errorCode(error) === "ENOENT") {
        return null;
      }
      throw error;
    }
  }

  /** Appends to the log for people; what does not work there is no reason to lose a record. */
  show(drafts: readonly Draft[], ids: readonly number[]): void {
    try {
      this.appendShown(drafts.map((draft, at) => shownLine(draft, ids[at] ?? 0)).join(""));
    } catch {
      // nothing reads it
    }
  }

  appendShown(lines: string): void {
    const path = this.file(SHOWN);
    const head = existsSync(path) && statSync(path).size > 0 ? "" : "# Observations\n\n";
    appendFileSync(path, head + lines);
  }

  /** Takes lines out of the log for people. */
  purgeShown(ids: ReadonlySet<number>): void {
    rewrite(this.file(SHOWN), (line) => !ids.has(shownId(line) ?? 0));
  }
}

/** The id of a line of the log for people, if it is one of an observation. */
export function shownId(line: string): number | undefined {
  const id = /^- #(\d+) /.exec(line)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** The summary alone, as `crates/memory/src/markdown.rs` writes it. */
export function shownLine(draft: Draft, id: number): string {
  const word = (key: string) => {
    const value = draft[key];
    return typeof value === "string" ? value.replace(/\p{Cc}/gu, " ") : "";
  };
  const [task, summary] = [word("task_id"), word("summary")];
  const shownTask = task.replaceAll("%", "%25").replaceAll("]", "%5D");
  const mark = task !== "" || summary.startsWith("[") ? `[${shownTask}] ` : "";
  const gone = forgotten(draft);
  const forgets = gone === undefined ? "" : ` (forgets ${gone.map((of) => `#${of}`).join(" ")})`;
  return `- #${id} ${word("ts")} ${word("actor")}/${word("phase")} ${mark}${summary}${forgets}\n`;
}

/** What a tombstone names; `undefined` of another record. */
export function forgotten(record: Draft): number[] | undefined {
  const tombstone = (record.ext as { tombstone?: { ids?: unknown } | null } | null | undefined)?.tombstone;
  const ids = tombstone?.ids;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "number") : tombstone ? [] : undefined;
}

/** The line of a record with its id, without its end. */
export function lineOf(draft: Draft, id: number): string {
  return JSON.stringify({ ...draft, schema_version: "obs.v1", id });
}

/** Puts a file in place without the lines that are not kept. */
export function rewrite(path: string, isKept: (line: string) => boolean): void {
  if (!existsSync(path)) {
    return;
  }
  // Byte by byte: what is no text is kept as it is.
  const lines = readFileSync(path, "latin1").split(/(?<=\n)/);
  const kept = lines.filter((line) => isKept(Buffer.from(line, "latin1").toString("utf8")));
  if (kept.length === lines.length) {
    return;
  }
  const half = `${path}.writing-${process.pid}`;
  const file = openSync(half, "w", statSync(path).mode);
  try {
    writeFileSync(file, kept.join(""), "latin1");
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(half, path);
}
