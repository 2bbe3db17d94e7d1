/**
 * The folder of observations, `.context/memory/` of a root: who holds the records, and the log for people;
 * `crates/memory/src/native/mod.rs` is its twin.
 */
import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { ConfinedFolder, RefusedError } from "./confined.node";
import { errorCode } from "./errorCode.node";
import { Lock } from "./lock.node";

export const LOG = "observations.jsonl";
export const SHOWN = "observations.md";
export const DATABASE = "mem.db";

/** Records that are elsewhere. */
export class ElsewhereError extends Error {}

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
  private readonly lock = new Lock();
  private warnings: string[] = [];

  /** `root` is the absolute path of the workspace folder. */
  constructor(private readonly root: string) {}

  /** Does something with the folder; `undefined` where it is not there. Links are not followed. */
  read<T>(work: (folder: ConfinedFolder) => T): T | undefined {
    return ConfinedFolder.with(this.root, (root) => {
      let folder: ConfinedFolder;
      try {
        folder = root.below(FOLDER);
      } catch (error) {
        if (errorCode(error) === "ENOENT") {
          return undefined;
        }
        throw error;
      }
      try {
        return work(folder);
      } finally {
        folder.close();
      }
    });
  }

  /** The back end that holds records; none where there are none yet. */
  holder(): Backend | undefined {
    return this.read((folder) => (folder.has(DATABASE) ? "sqlite" : folder.has(LOG) ? "jsonl" : undefined));
  }

  /** Does what writes, under the lock, unless the records are elsewhere. */
  write<T>(backend: Backend, work: (folder: ConfinedFolder, check: () => void) => T): T {
    return ConfinedFolder.with(this.root, (root) => {
      root.made(".context").close();
      const folder = root.made(FOLDER);
      try {
        return this.lock.hold(folder, (check) => {
          claim(folder, backend);
          return work(folder, check);
        });
      } finally {
        folder.close();
      }
    });
  }

  /** Appends to the log for people; what does not work there is told, and no reason to lose a record. */
  show(folder: ConfinedFolder, drafts: readonly Draft[], ids: readonly number[]): void {
    try {
      appendShown(folder, drafts.map((draft, at) => shownLine(draft, ids[at] ?? 0)).join(""));
    } catch (error) {
      const why = error instanceof RefusedError ? error.message : errorCode(error);
      this.warnings.push(`.context/memory/${SHOWN}: ${why}.`);
    }
  }

  /** What did not work beside what was recorded since this was asked last. */
  takeWarnings(): string[] {
    return this.warnings.splice(0);
  }

  /** What a file of a back end holds; null where it is not there. */
  bytes(backend: Backend, name: string): Uint8Array | null {
    const bytes = this.read((folder) => {
      claim(folder, backend);
      return folder.bytes(name);
    });
    return bytes ?? null;
  }
}

/** Ids in the log for people count below this one: anybody may edit it. */
const SHOWN_BELOW = 2 ** 52;

/** Bytes of the end of the log for people that are looked at first. */
const SHOWN_END = 16 * 1024;

/** The folder, below the root. */
const FOLDER = ".context/memory";

/** Fails where another back end holds the records. */
export function claim(folder: ConfinedFolder, asked: Backend): void {
  const [holder, file] = asked === "jsonl" ? ["sqlite", DATABASE] : ["jsonl", LOG];
  if (folder.has(file)) {
    throw new ElsewhereError(`The observations are in ${holder}, not in ${asked}.`);
  }
}

export function appendShown(folder: ConfinedFolder, lines: string): void {
  folder.append(SHOWN, (isEmpty) => (isEmpty ? "# Observations\n\n" : "") + lines);
}

/** Takes lines out of the log for people. */
export function purgeShown(folder: ConfinedFolder, ids: ReadonlySet<number>): void {
  rewrite(folder, SHOWN, (line) => !ids.has(shownId(line) ?? 0));
}

/** The highest id of the log for people, by its end; 0 where there is none, or none that can be read. */
export function lastShownId(folder: ConfinedFolder): number {
  let file: number;
  try {
    file = folder.openFile(SHOWN, constants.O_RDONLY);
  } catch {
    return 0; // it is no reason to lose a record
  }
  try {
    const length = fstatSync(file).size;
    for (let size = SHOWN_END; ; size *= 8) {
      const start = Math.max(0, length - size);
      const block = Buffer.alloc(length - start);
      const read = readSync(file, block, 0, block.length, start);
      const lines = block.toString("utf8", 0, read).split("\n");
      // The first line of a block may lack its beginning.
      const ids = lines
        .slice(start > 0 ? 1 : 0)
        .map((line) => shownId(line) ?? 0)
        .filter((id) => id < SHOWN_BELOW);
      const last = ids.reduce((highest, id) => Math.max(highest, id), 0);
      if (last > 0 || start === 0) {
        return last;
      }
    }
  } finally {
    closeSync(file);
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
export function rewrite(folder: ConfinedFolder, name: string, isKept: (line: string) => boolean): void {
  const bytes = folder.bytes(name);
  if (bytes === null) {
    return;
  }
  // Byte by byte: what is no text is kept as it is.
  const lines = Buffer.from(bytes)
    .toString("latin1")
    .split(/(?<=\n)/);
  const kept = lines.filter((line) => isKept(Buffer.from(line, "latin1").toString("utf8")));
  if (kept.length < lines.length) {
    folder.replace(name, kept.join(""), "latin1");
  }
}
