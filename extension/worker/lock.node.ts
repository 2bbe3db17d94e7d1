/**
 * The lock of a folder between processes; `crates/confined/src/lock.rs` is its twin, and docs/memory.md has the protocol
 * of both.
 */
import type { ConfinedFolder } from "./confined.node";
import { kindOf, RefusedError } from "./confined.node";
import { halfName } from "./half.node";
import { errorCode } from "./errorCode.node";
import { isGone, isKnown, isOwn, ownOwner, parseOwner, shownOwner, type Owner } from "./owner.node";

/** The folder of the token, in that of what is locked. */
export const LOCK = "lock";
/** How long somebody waits for others at most. */
const PATIENCE_MS = 10_000;
/** Looks after which somebody asks whether the owner is still there: some ms. */
const LONG = 7;
/** The age from which on a lock is taken over whose owner cannot be looked at. */
const LEASE_MS = 60_000;
/** The age from which on an owner writes nothing any more. */
const WORK_MS = 20_000;
/** The age from which on a file in the token's place has no owner any more: earlier versions made an empty file. */
const FORMER_MS = 10_000;
/** The age from which on a lock is taken over that another worker of this process left: workers end before it does. */
const WORKER_MS = 10_000;

/** Why nothing was written. */
export class LockError extends Error {
  constructor(
    readonly code: "Busy" | "LockLost",
    message: string,
  ) {
    super(message);
  }
}

type Token =
  | { kind: "free"; name: string; number: number }
  | { kind: "held"; name: string; number: number; owner: Owner; millis: number };

/** The token while it is ours. */
interface Grip {
  name: string;
  number: number;
  since: number;
}

/** The token of a folder: one empty file whose name says who has it. Every step is a rename of that very name. */
export class Lock {
  /** The name under which it was given back last: nobody else may have come. */
  private last: string | undefined;
  private grip: Grip | undefined;
  /** Whether what was taken last was left by a process that ended in the middle of its work. */
  private wasLeft = false;

  /** `patience` is how long somebody waits for others, in ms; `now` the time in ms since 1970. */
  constructor(
    private readonly patience = PATIENCE_MS,
    private readonly now: () => number = Date.now,
  ) {}

  /** Waits for the lock of a folder and does something; `check` fails where it was held for too long to be sure of it. */
  hold<T>(store: ConfinedFolder, work: (check: () => void) => T): T {
    const end = Date.now() + this.patience;
    for (let round = 0; !this.attempt(store, round); round += 1) {
      if (Date.now() > end && round > LONG) {
        throw new LockError("Busy", "Another process is writing to the store.");
      }
      Atomics.wait(SLEEP, 0, 0, pauseMs(round));
    }
    try {
      return work(() => {
        this.check();
      });
    } finally {
      this.giveBack(store);
    }
  }

  /** Waits for the lock and keeps it until it is given back; false where others do not give it back in time. */
  async take(store: ConfinedFolder): Promise<boolean> {
    const end = Date.now() + this.patience;
    for (let round = 0; !this.attempt(store, round); round += 1) {
      if (Date.now() > end && round > LONG) {
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs(round)));
    }
    return true;
  }

  /** Whether a process had ended in the middle of its work; asked once. */
  takeLeft(): boolean {
    const { wasLeft } = this;
    this.wasLeft = false;
    return wasLeft;
  }

  /** Fails where it is not ours any more for sure. */
  check(): void {
    if (this.grip === undefined || this.now() - this.grip.since > WORK_MS) {
      throw new LockError("LockLost", "The lock was held for too long.");
    }
  }

  /** Lets others write; nothing happens where it is not held. */
  giveBack(store: ConfinedFolder): void {
    const { grip } = this;
    this.grip = undefined;
    if (grip !== undefined) {
      const free = `free.${grip.number + 1}`;
      if (move(store, grip.name, free)) {
        this.last = free;
      }
    }
  }

  /** Whether the lock is ours now. */
  private attempt(store: ConfinedFolder, round: number): boolean {
    if (this.grip !== undefined) {
      return true;
    }
    const token = this.look(store);
    const isLeft = token?.kind === "held" && round >= LONG && this.isLeft(token);
    if (token === undefined || (token.kind === "held" && !isLeft)) {
      return false;
    }
    const number = token.number + 1;
    const name = `held.${number}.${shownOwner(ownOwner())}.${this.now()}`;
    if (!move(store, token.name, name)) {
      return false;
    }
    this.grip = { name, number, since: this.now() };
    this.wasLeft ||= isLeft;
    return true;
  }

  /** The token; `undefined` while it has no name that can be seen. */
  private look(store: ConfinedFolder): Token | undefined {
    const last = this.last;
    this.last = undefined;
    if (last !== undefined) {
      return parseToken(last);
    }
    const found = store.find(LOCK);
    if (found !== undefined && kindOf(found) === "file") {
      this.lookAtFormer(store, Number(found.mtimeMs));
      return undefined;
    }
    const token = tokenOf(store);
    if (token === undefined && tokenOf(store) === undefined) {
      make(store);
    }
    return token;
  }

  /** A file in the place of the token's folder is the lock of an earlier version; one from the future is old too. */
  private lookAtFormer(store: ConfinedFolder, mtimeMs: number): void {
    if (Math.abs(this.now() - mtimeMs) > FORMER_MS) {
      store.remove(LOCK);
      this.wasLeft = true;
    }
  }

  /** Whether its owner ended, or nobody can say so and it is old. */
  private isLeft({ owner, millis }: Extract<Token, { kind: "held" }>): boolean {
    const age = Math.abs(this.now() - millis);
    return isGone(owner) || (isOwn(owner) && age > WORKER_MS) || (!isKnown(owner) && age > LEASE_MS);
  }
}

function tokenOf(store: ConfinedFolder): Token | undefined {
  let names: string[];
  try {
    const folder = store.below(LOCK);
    try {
      names = folder.entries();
    } finally {
      folder.close();
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") {
      return undefined;
    }
    throw error instanceof RefusedError ? new RefusedError(`${store.path}/${LOCK}: ${error.message}`) : error;
  }
  const tokens = names.map(parseToken).filter((token) => token !== undefined);
  return tokens.sort((a, b) => b.number - a.number)[0];
}

/** Puts a folder with a token in place; one takes the place of an empty folder only. */
function make(store: ConfinedFolder): void {
  const made = halfName();
  try {
    store.made(made).close();
    store.create(`${made}/free.0`);
    if (process.platform === "win32" && store.has(LOCK)) {
      store.removeFolder(LOCK); // fails unless it is empty
    }
    store.rename(made, LOCK);
  } catch (error) {
    if (store.has(made)) {
      store.dropFolder(made);
    }
    if (!store.has(LOCK)) {
      throw error;
    }
  }
}

/** Gives the token another name; false if it has not the old one any more. */
function move(store: ConfinedFolder, from: string, to: string): boolean {
  try {
    store.rename(`${LOCK}/${from}`, `${LOCK}/${to}`);
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

function parseToken(name: string): Token | undefined {
  const found = /^(free|held)\.(\d+)(?:\.(.+)\.(\d+))?$/.exec(name);
  const [number, millis] = [Number(found?.[2]), Number(found?.[4])];
  const owner = parseOwner(found?.[3] ?? "");
  if (found === null || !(number < Number.MAX_SAFE_INTEGER)) {
    return undefined;
  }
  if (found[1] === "free") {
    return found[3] === undefined ? { kind: "free", name, number } : undefined;
  }
  return owner && { kind: "held", name, number, owner, millis };
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4));

/**
 * How long others may work meanwhile, in ms: twice as long each time, differently in every process. Who has the lock
 * goes on with several records then, which costs all of them less than taking turns; beginning anew with short waits
 * keeps anybody from waiting for ever.
 */
function pauseMs(round: number): number {
  if (round < 2) {
    return 0;
  }
  const doublings = round < 20 ? Math.min(round - 2, 9) : round % 10;
  const micros = 50 << doublings;
  const spread = (process.pid * 31 + round * 17) % 64;
  return (micros + (micros * spread) / 64) / 1000;
}
