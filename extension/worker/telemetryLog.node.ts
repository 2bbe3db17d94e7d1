/**
 * The log of telemetry on the disk: a folder a workspace in the user's folder for state, with a file of lines a day (SPEC T1).
 * It never leaves the machine. The binary keeps the same one (`crates/host/src/telemetry_log.rs`).
 */
import { createHash } from "node:crypto";
import { appendFile, lstat, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

import type { Response, Root } from "../generated/protocol";
import { errorCode } from "./errorCode.node";
import type { TelemetryLogs } from "./telemetryLog";

/** The days that a log has, today's among them. */
const DAYS = 30;
/** A day's file that is longer takes no more lines. */
const MAX_BYTES = 4 * 1024 * 1024;
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;
/** The hexadecimal digits of a hash that name a workspace's folder. */
const KEY_LENGTH = 24;

/** The user's folder for state: that of the binary on each system. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base =
    process.platform === "win32"
      ? (env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"))
      : (env.XDG_STATE_HOME ?? join(homedir(), ".local", "state"));
  return join(base, "codecortex");
}

/** Logs below the user's folder for state. */
export class TelemetryFolder implements TelemetryLogs {
  constructor(
    private readonly state = stateFolder(),
    private readonly warn: (message: string) => void = () => undefined,
  ) {}

  async append(roots: readonly Root[], line: string, nowMs: number): Promise<void> {
    const folder = this.folderOf(roots);
    const path = join(folder, `${new Date(nowMs).toISOString().slice(0, 10)}.jsonl`);
    try {
      const length = await lengthOf(path);
      if (length === undefined) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await deleteOld(folder);
      }
      if ((length ?? 0) + Buffer.byteLength(line) <= MAX_BYTES) {
        // One write: the lines of several processes do not mix.
        await appendFile(path, `${line}\n`, { mode: 0o600 });
      }
    } catch (error) {
      this.warn(`what answers cost is not kept: ${errorCode(error)}`);
    }
  }

  async read(roots: readonly Root[]): Promise<Response> {
    const folder = this.folderOf(roots);
    try {
      const names = (await dayFiles(folder)).slice(-DAYS);
      const files = await Promise.all(names.map((name) => readDay(join(folder, name))));
      return { type: "telemetry", files, error: null };
    } catch (error) {
      return { type: "telemetry", files: [], error: `${folder}: ${errorCode(error)}.` };
    }
  }

  private folderOf(roots: readonly Root[]): string {
    const hash = createHash("sha256");
    for (const { path } of roots) {
      hash.update(path).update("\0");
    }
    return join(this.state, "telemetry", hash.digest("hex").slice(0, KEY_LENGTH));
  }
}

/** The bytes of a day's file; undefined where there is none. */
async function lengthOf(path: string): Promise<number | undefined> {
  try {
    const found = await lstat(path);
    if (!found.isFile()) {
      throw new Error("it is no file");
    }
    return found.size;
  } catch (error) {
    if (errorCode(error) === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

/** Room for the day that begins. */
async function deleteOld(folder: string): Promise<void> {
  const names = await dayFiles(folder);
  for (const name of names.slice(0, Math.max(0, names.length - (DAYS - 1)))) {
    await rm(join(folder, name));
  }
}

/** Names of the days' files, the oldest first. */
async function dayFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => DAY_FILE.test(name)).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") {
      return [];
    }
    throw error;
  }
}

async function readDay(path: string): Promise<string> {
  const length = await lengthOf(path);
  if (length === undefined || length > 2 * MAX_BYTES) {
    throw new Error("it is not a day's file");
  }
  return readFile(path, "utf8");
}
