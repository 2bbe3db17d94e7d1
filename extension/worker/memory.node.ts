/**
 * Appends observations to `.context/memory/observations.jsonl`; `crates/memory/src/native` is its twin, and
 * docs/memory.md has the protocol of both. Everything is synchronous: the lock is held for as long as it takes.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

import { errorCode } from "./listing.node";

const LOCK = "lock";
const LOG = "observations.jsonl";
const SHOWN = "observations.md";
const DATABASE = "mem.db";
/** How long somebody waits for others at most. */
const PATIENCE_MS = 10_000;
/** Looks after which somebody asks whether the owner is still there: some ms. */
const LONG = 7;
/** The age from which on a lock is taken over whose owner cannot be looked at. */
const LEASE_MS = 60_000;
/** The age from which on an owner writes nothing any more. */
const WORK_MS = 20_000;
/** Bytes of the end of the log that are looked at first. */
const TAIL = 16 * 1024;
const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Why nothing was recorded. */
export class MemoryError extends Error {
  constructor(
    readonly code: "Busy" | "Elsewhere" | "LockLost" | "Outside",
    message: string,
  ) {
    super(message);
  }
}

/** A process; `place` names the machine, its boot and its table of processes, `start` tells reused ids apart. */
interface Owner {
  place: string;
  pid: number;
  start: number;
}

type Token =
  | { kind: "free"; name: string; number: number }
  | { kind: "held"; name: string; number: number; owner: Owner; millis: number };

/** An observation without its id; a JSON object with the fields of `obs.v1` that passed the core's secret filter. */
export type Draft = Readonly<Record<string, unknown>>;

/** Records observations in the log of a root. */
export class MemoryLog {
  private readonly folder: string;
  private readonly lock: Lock;

  /** `root` is the absolute path of the workspace folder. */
  constructor(private readonly root: string) {
    this.folder = join(root, ".context", "memory");
    this.lock = new Lock(join(this.folder, LOCK));
  }

  /** Appends to the log for people; what does not work there is no reason to lose a record. */
  private show(drafts: readonly Draft[], ids: readonly number[]): void {
    const path = join(this.folder, SHOWN);
    const lines = drafts.map((draft, at) => shownLine(draft, ids[at] ?? 0));
    try {
      const head = existsSync(path) ? "" : "# Observations\n\n";
      appendFileSync(path, head + lines.join(""));
    } catch {
      // nothing reads it
    }
  }

  /** The log as it is; null where there is none yet. */
  read(): Uint8Array | null {
    try {
      return new Uint8Array(readFileSync(join(this.folder, LOG)));
    } catch (error) {
      if (errorCode(error) === "ENOENT") {
        return null;
      }
      throw error;
    }
  }

  /** Whether the records are in the database. */
  isInDatabase(): boolean {
    return existsSync(join(this.folder, DATABASE));
  }

  /** Records a tombstone and takes observations out of the log and out of the one for people; the tombstone's id. */
  purge(ids: readonly number[], tombstone: Draft): number {
    const [id] = this.append([tombstone]);
    const gone = new Set(ids);
    this.lock.hold((check) => {
      check();
      rewrite(join(this.folder, LOG), (line) => !isPurged(line, gone));
      rewrite(join(this.folder, SHOWN), (line) => !gone.has(Number(/^- #(\d+) /.exec(line)?.[1])));
    });
    return id ?? 0;
  }

  /** Records all or none of them; their ids in order. */
  append(drafts: readonly Draft[]): number[] {
    for (const part of [join(this.root, ".context"), this.folder]) {
      makeFolder(part);
    }
    return this.lock.hold((check) => {
      if (existsSync(join(this.folder, DATABASE))) {
        throw new MemoryError("Elsewhere", "The observations are in sqlite, not in jsonl.");
      }
      const ids = appendTo(join(this.folder, LOG), drafts, check);
      this.show(drafts, ids);
      return ids;
    });
  }
}

/** Whether a line is an observation that is to be taken out. Tombstones stay: what they name would come back. */
function isPurged(line: string, ids: ReadonlySet<number>): boolean {
  const record = recordOf(line);
  const id = idOf(record);
  const ext = record?.ext as { tombstone?: unknown } | null | undefined;
  return id !== undefined && ids.has(id) && (ext?.tombstone ?? undefined) === undefined;
}

/** Puts a file in place without the lines that are not kept. */
function rewrite(path: string, isKept: (line: string) => boolean): void {
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

function appendTo(path: string, drafts: readonly Draft[], check: () => void): number[] {
  const file = openSync(path, "a+");
  try {
    const length = fstatSync(file).size;
    const { keep, lastId, needsNewline } = tailOf(file, length);
    const ids = drafts.map((_, at) => lastId + 1 + at);
    const lines = drafts.map((draft, at) => `${lineOf(draft, lastId + 1 + at)}\n`);
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

/** The summary alone, as `crates/memory/src/markdown.rs` writes it. */
function shownLine(draft: Draft, id: number): string {
  const word = (key: string) => {
    const value = draft[key];
    return typeof value === "string" ? value.replace(/\p{Cc}/gu, " ") : "";
  };
  const [task, summary] = [word("task_id"), word("summary")];
  const shownTask = task.replaceAll("%", "%25").replaceAll("]", "%5D");
  const mark = task !== "" || summary.startsWith("[") ? `[${shownTask}] ` : "";
  return `- #${id} ${word("ts")} ${word("actor")}/${word("phase")} ${mark}${summary}\n`;
}

function lineOf(draft: Draft, id: number): string {
  return JSON.stringify({ ...draft, schema_version: "obs.v1", id });
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

/** The token of a store: one empty file whose name says who has it. Every step is a rename of that very name. */
class Lock {
  private readonly me = ownOwner();
  /** The name under which it was given back last: nobody else may have come. */
  private last: string | undefined;

  constructor(private readonly folder: string) {}

  /** Waits for the lock; `check` fails where it was held for too long to be sure of it. */
  hold<T>(work: (check: () => void) => T): T {
    const { name, number } = this.take();
    const since = Date.now();
    try {
      return work(() => {
        if (Date.now() - since > WORK_MS) {
          throw new MemoryError("LockLost", "The store's lock was held for too long.");
        }
      });
    } finally {
      const free = `free.${number + 1}`;
      if (this.move(name, free)) {
        this.last = free;
      }
    }
  }

  private take(): { name: string; number: number } {
    const end = Date.now() + PATIENCE_MS;
    for (let round = 0; ; round += 1) {
      const token = this.look();
      if (token !== undefined && (token.kind === "free" || (round >= LONG && this.isLeft(token)))) {
        const number = token.number + 1;
        const { place, pid, start } = this.me;
        const name = `held.${number}.${place}.${pid}.${start}.${Date.now()}`;
        if (this.move(token.name, name)) {
          return { name, number };
        }
      }
      if (Date.now() > end) {
        throw new MemoryError("Busy", "Another process is writing to the store.");
      }
      pause(round, this.me.pid);
    }
  }

  /** The token; `undefined` while it has no name that can be seen. */
  private look(): Token | undefined {
    const last = this.last;
    this.last = undefined;
    if (last !== undefined) {
      return parseToken(last);
    }
    const token = this.token();
    if (token === undefined && this.token() === undefined) {
      this.make();
    }
    return token;
  }

  private token(): Token | undefined {
    let names: string[];
    try {
      names = readdirSync(this.folder);
    } catch (error) {
      if (errorCode(error) === "ENOENT") {
        return undefined;
      }
      throw error;
    }
    const tokens = names.map(parseToken).filter((token) => token !== undefined);
    return tokens.sort((a, b) => b.number - a.number)[0];
  }

  /** Puts a folder with a token in place; one takes the place of an empty folder only. */
  private make(): void {
    const made = join(this.folder, "..", `.${LOCK}-${process.pid}-${Date.now()}`);
    try {
      mkdirSync(made);
      writeFileSync(join(made, "free.0"), "");
      if (process.platform === "win32" && existsSync(this.folder)) {
        rmdirSync(this.folder); // fails unless it is empty
      }
      renameSync(made, this.folder);
    } catch (error) {
      rmSync(made, { recursive: true, force: true });
      if (!existsSync(this.folder)) {
        throw error;
      }
    }
  }

  /** Gives the token another name; false if it has not the old one any more. */
  private move(from: string, to: string): boolean {
    try {
      renameSync(join(this.folder, from), join(this.folder, to));
      return true;
    } catch (error) {
      const code = errorCode(error);
      // Windows refuses while somebody, such as a virus scanner, looks at the file.
      if (code === "ENOENT" || (process.platform === "win32" && (code === "EPERM" || code === "EACCES"))) {
        return false;
      }
      throw error;
    }
  }

  /** Whether its owner ended, or nobody can say so and it is old. */
  private isLeft(token: Extract<Token, { kind: "held" }>): boolean {
    const { owner, millis } = token;
    const isHere = owner.place === this.me.place;
    if (isHere && owner.start !== 0) {
      return startOf(owner.pid) !== owner.start;
    }
    return (isHere && !exists(owner.pid)) || Math.abs(Date.now() - millis) > LEASE_MS;
  }
}

function parseToken(name: string): Token | undefined {
  const free = /^free\.(\d+)$/.exec(name);
  if (free !== null) {
    return { kind: "free", name, number: Number(free[1]) };
  }
  const held = /^held\.(\d+)\.([0-9a-f]{8})\.(\d+)\.(\d+)\.(\d+)$/.exec(name);
  if (held === null) {
    return undefined;
  }
  const [number, pid, start, millis] = [held[1], held[3], held[4], held[5]].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return { kind: "held", name, number, owner: { place: held[2] ?? "", pid, start }, millis };
}

function ownOwner(): Owner {
  return { place: hex(fnv(placeName())), pid: process.pid, start: startOf(process.pid) ?? 0 };
}

function placeName(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return process.platform === "win32" ? (process.env.COMPUTERNAME ?? "") : hostname();
  }
}

/** When a process began, in ticks; `undefined` if it ended, waits to be buried, or the system does not tell. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : Number(fields[19]);
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

function fnv(text: string): number {
  return Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5) >>> 0;
}

function hex(hash: number): string {
  return hash.toString(16).padStart(8, "0");
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4));

/**
 * Lets others work: for twice as long each time, differently in every process. Who has the lock goes on with several
 * records then, which costs all of them less than taking turns; beginning anew with short waits keeps anybody from
 * waiting for ever.
 */
function pause(round: number, pid: number): void {
  if (round < 2) {
    return;
  }
  const doublings = round < 20 ? Math.min(round - 2, 9) : round % 10;
  const micros = 50 << doublings;
  const spread = (pid * 31 + round * 17) % 64;
  Atomics.wait(SLEEP, 0, 0, (micros + (micros * spread) / 64) / 1000);
}

/** Makes a folder in one that is there. Links are not followed: they lead out of the workspace. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") {
      throw error;
    }
  }
  if (!lstatSync(path).isDirectory()) {
    throw new MemoryError("Outside", `${path} is no folder of this workspace.`);
  }
}
