/**
 * The person's own settings on the disk: `codecortex/config.json` in the user's folder for settings, as the binary has them
 * (`crates/host/src/personal_settings.rs`).
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import { record } from "../core/json";
import type { ModelSettings, PersonalSettings } from "../generated/protocol";
import { errorCode } from "./errorCode.node";
import type { PersonalStore } from "./personalSettings";

/** A longer file is written by nobody. */
const MAX_BYTES = 1024 * 1024;

/** The file's place: that of the binary on each system. */
export function personalFile(env: NodeJS.ProcessEnv = process.env): string {
  const base =
    process.platform === "win32"
      ? (env.APPDATA ?? join(homedir(), "AppData", "Roaming"))
      : (env.XDG_CONFIG_HOME ?? join(homedir(), ".config"));
  return join(base, "codecortex", "config.json");
}

/** Settings in a file. What cannot be read counts as no word, and is not written over. */
export class PersonalFile implements PersonalStore {
  /** What was read last, and the state of the file then. */
  private known: { stamp: string; all: Record<string, unknown> } | undefined;

  constructor(
    private readonly path = personalFile(),
    private readonly warn: (message: string) => void = () => undefined,
  ) {}

  read(paths: readonly string[]): Record<string, PersonalSettings> {
    const all = this.current();
    const everywhere = settingsOf(all);
    const folders = record(all.folders);
    return Object.fromEntries(paths.map((path) => [path, { ...everywhere, ...settingsOf(record(folders[path])) }]));
  }

  keepObservations(path: string, keep: boolean): string | undefined {
    try {
      const all = this.load();
      const folders = record(all.folders);
      const own = { ...record(folders[path]), observations: keep };
      this.store({ ...all, folders: { ...folders, [path]: own } });
      return undefined;
    } catch (error) {
      return `${this.path}: ${message(error)}`;
    }
  }

  /** Each call asks: the file is read when it is another one. */
  private current(): Record<string, unknown> {
    const found = statSync(this.path, { throwIfNoEntry: false, bigint: true });
    const stamp = found ? `${found.mtimeNs}-${found.ctimeNs}-${found.size}-${found.ino}` : "";
    if (this.known?.stamp !== stamp) {
      let all: Record<string, unknown> = {};
      try {
        all = this.load();
      } catch (error) {
        this.warn(`your own settings do not count: ${message(error)}`);
      }
      this.known = { stamp, all };
    }
    return this.known.all;
  }

  private load(): Record<string, unknown> {
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (!found) {
      return {};
    }
    // A pipe would be waited for.
    if (!found.isFile() || found.size > MAX_BYTES) {
      throw new Error("it is not a settings file");
    }
    const all: unknown = JSON.parse(readFileSync(this.path, "utf8"));
    if (typeof all !== "object" || all === null || Array.isArray(all)) {
      throw new Error("it is not an object");
    }
    return all as Record<string, unknown>;
  }

  /** Replaces the file whole. A link to where a person keeps such files is the person's own. */
  private store(all: unknown): void {
    mkdirSync(dirname(this.path), { recursive: true });
    const place = realOr(this.path);
    const half = join(dirname(place), `.writing-${randomBytes(6).toString("hex")}`);
    try {
      const file = openSync(half, "wx");
      try {
        writeSync(file, `${JSON.stringify(all, undefined, 2)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(half, place);
    } catch (error) {
      rmSync(half, { force: true });
      throw error;
    }
  }
}

/** What a folder's part says; what is not of its type says nothing. */
function settingsOf(of: Record<string, unknown>): PersonalSettings {
  const settings: PersonalSettings = {};
  if (typeof of.record === "boolean") {
    settings.record = of.record;
  }
  if (typeof of.observations === "boolean") {
    settings.observations = of.observations;
  }
  if (typeof of.telemetry === "boolean") {
    settings.telemetry = of.telemetry;
  }
  if (Array.isArray(of.externalTypes)) {
    settings.externalTypes = of.externalTypes.filter((path) => typeof path === "string");
  }
  if (of.model !== undefined) {
    settings.model = modelOf(record(of.model));
  }
  return settings;
}

function modelOf(of: Record<string, unknown>): ModelSettings {
  const model: ModelSettings = { mode: of.mode === "automatic" ? "automatic" : "manual" };
  for (const key of ["callsPerHour", "callsPerDay", "tokensPerHour", "tokensPerDay"] as const) {
    const most = of[key];
    if (typeof most === "number" && Number.isInteger(most) && most >= 0 && most < 2 ** 32) {
      model[key] = most;
    }
  }
  return model;
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function message(error: unknown): string {
  const code = errorCode(error);
  return code === "unknown" && error instanceof Error ? error.message : code;
}
