/** Who has a lock or writes a file, and whether that process is still there; `crates/confined/src/owner.rs` is its twin. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

import { errorCode } from "./errorCode.node";

/** A process; `place` names the machine, its boot and its table of processes, `start` tells reused ids apart. */
export interface Owner {
  place: string;
  pid: number;
  start: number;
}

let own: Owner | undefined;

/** This process. */
export function ownOwner(): Owner {
  own ??= { place: hex(fnv(placeName())), pid: process.pid, start: startOf(process.pid) ?? 0 };
  return own;
}

/** An owner in a name. */
export function shownOwner({ place, pid, start }: Owner): string {
  return `${place}.${pid}.${start}`;
}

/** The owner in a name; `undefined` where there is none. */
export function parseOwner(text: string): Owner | undefined {
  const found = /^([0-9a-f]{8})\.(\d+)\.(\d+)$/.exec(text);
  return found === null ? undefined : { place: found[1] ?? "", pid: Number(found[2]), start: Number(found[3]) };
}

/** Whether a process can be looked at from here, and told from another one with its id. */
export function isKnown(owner: Owner): boolean {
  return owner.place === ownOwner().place && owner.start !== 0;
}

/** Whether a process has certainly ended. */
export function isGone(owner: Owner): boolean {
  if (owner.place !== ownOwner().place) {
    return false;
  }
  return owner.start === 0 ? !exists(owner.pid) : startOf(owner.pid) !== owner.start;
}

/** Whether it is this very process. */
export function isOwn(owner: Owner): boolean {
  const me = ownOwner();
  return owner.place === me.place && owner.pid === me.pid && owner.start === me.start;
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
