/**
 * The lock of a store of observations between processes; `crates/memory/src/native/lock.rs` is its twin, and
 * docs/memory.md has the protocol of both. It is synchronous: it is held for as long as a record takes.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

import { errorCode } from "./listing.node";

/** The folder of the token, in that of the store. */
export const LOCK = "lock";
/** How long somebody waits for others at most. */
const PATIENCE_MS = 10_000;
/** Looks after which somebody asks whether the owner is still there: some ms. */
const LONG = 7;
/** The age from which on a lock is taken over whose owner cannot be looked at. */
const LEASE_MS = 60_000;
/** The age from which on an owner writes nothing any more. */
const WORK_MS = 20_000;

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

/** The token of a store: one empty file whose name says who has it. Every step is a rename of that very name. */
export class Lock {
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
export function makeFolder(path: string): void {
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
