/**
 * What a person does, as observations: commands in terminals, tasks and test runs, files that they save (SPEC X7).
 *
 * What came in a burst is one observation; what is done over and over is counted. Secrets are the core's business: it takes
 * them out before anything is written, and it writes nothing where nobody opted in.
 */
import { Batcher } from "./batch";
import type { Disposable } from "./disposable";
import { relativeIn } from "./observations";
import { baseName } from "./paths";

/** Something that ended. */
export type Deed =
  | { kind: "command"; commandLine: string; exitCode: number | undefined }
  | { kind: "task"; name: string; isTest: boolean; exitCode: number | undefined }
  | { kind: "edit"; path: string };

/** Arguments of `codecortex_remember`. */
export interface Remembered {
  text: string;
  more: {
    actor: "system";
    phase: "implement" | "verify" | "other";
    type: "command" | "task" | "test" | "edit";
    files?: string[];
    commands?: string[];
  };
}

/** What recording needs. */
export interface RecorderParts {
  /** Whether somebody wants it now. */
  isOn(): boolean;
  /** The folder that observations are relative to, as the engine's path; absent without any. */
  folderOf: (path: string) => string | undefined;
  /** Records one; whether more may follow. */
  remember(observation: Remembered): Promise<boolean>;
  now: () => number;
}

/** A person pauses between two pieces of work. */
const BURST = { quietMs: 20_000, maxMs: 5 * 60_000 };
/** Observations of one burst: a loop in a terminal is not worth a hundred. */
const MOST_OF_BURST = 20;
/** Files that an observation names. */
const MOST_FILES = 50;
/** Characters of a command that are recorded. */
const MOST_COMMAND = 1_000;

/** Gathers deeds and records them when a burst is over. */
export class Recorder implements Disposable {
  private readonly deeds: Batcher<Deed>;

  constructor(private readonly parts: RecorderParts) {
    this.deeds = new Batcher(BURST, parts.now, (deeds) => void this.record([...deeds]));
  }

  /** Something was done. */
  add(deed: Deed): void {
    if (this.parts.isOn()) {
      this.deeds.add(deed);
    }
  }

  /** Records now what was done. */
  handOver(): void {
    this.deeds.handOver();
  }

  dispose(): void {
    this.deeds.dispose();
  }

  private async record(deeds: readonly Deed[]): Promise<void> {
    for (const observation of observationsOf(deeds, this.parts.folderOf)) {
      // Who has switched it off meanwhile wants nothing of this either.
      if (!this.parts.isOn() || !(await this.parts.remember(observation))) {
        return;
      }
    }
  }
}

/** What a burst is told as: its edits as one, the rest in its order, the same command once. */
export function observationsOf(deeds: readonly Deed[], folderOf: (path: string) => string | undefined): Remembered[] {
  const counts = new Map<string, { deed: Deed; count: number }>();
  const files = new Set<string>();
  for (const deed of deeds) {
    if (deed.kind === "edit") {
      const folder = folderOf(deed.path);
      const file = folder === undefined ? undefined : relativeIn(folder, deed.path);
      if (file !== undefined && !isOurs(file)) {
        files.add(file);
      }
      continue;
    }
    const key = JSON.stringify(deed);
    const known = counts.get(key);
    counts.set(key, { deed, count: (known?.count ?? 0) + 1 });
  }
  const done = [...counts.values()].flatMap(({ deed, count }) => doneAs(deed, count));
  return [...editsAs([...files]), ...done].slice(0, MOST_OF_BURST);
}

/** What we write ourselves is no work of a person. */
function isOurs(file: string): boolean {
  return file.split("/").includes(".context");
}

function editsAs(files: readonly string[]): Remembered[] {
  const [first] = files;
  if (first === undefined) {
    return [];
  }
  const names = files.slice(0, 3).map(baseName).join(", ");
  const more = files.length > 3 ? ` and ${String(files.length - 3)} more` : "";
  const text = `Edited ${names}${more}`;
  return [{ text, more: { actor: "system", phase: "implement", type: "edit", files: files.slice(0, MOST_FILES) } }];
}

function doneAs(deed: Deed, count: number): Remembered[] {
  const times = count === 1 ? "" : ` (${String(count)} times)`;
  if (deed.kind === "task") {
    const { name, isTest, exitCode } = deed;
    const text = `${isTest ? "Test run" : "Task"} ${name} ${endedAs(exitCode)}${times}`;
    return [{ text, more: { actor: "system", phase: isTest ? "verify" : "other", type: isTest ? "test" : "task" } }];
  }
  if (deed.kind !== "command" || deed.commandLine.trim() === "") {
    return [];
  }
  const line = deed.commandLine.trim().slice(0, MOST_COMMAND);
  const [head = ""] = line.split("\n");
  const text = `Ran ${head}${head === line ? "" : " …"}: ${endedAs(deed.exitCode)}${times}`;
  return [{ text, more: { actor: "system", phase: "other", type: "command", commands: [line] } }];
}

/** How something ended, as its exit code says it. */
function endedAs(exitCode: number | undefined): string {
  if (exitCode === undefined) {
    return "ended";
  }
  return exitCode === 0 ? "succeeded" : `failed with exit code ${String(exitCode)}`;
}
