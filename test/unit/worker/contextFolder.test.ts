/** The cases of test/contract/context-folder, which `crates/host` has to hold as well. */
import { execFileSync } from "node:child_process";
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { DiskChange, Root } from "../../../extension/generated/protocol";
import { DiskContext } from "../../../extension/worker/context.node";
import cases from "../../contract/context-folder/cases.json";
import { decode, encode } from "./fakes";

/** What lies at a path: a text, nothing, or something that is described. */
type Entry =
  | string
  | null
  | {
      text?: string;
      /** Seconds since it was written. */
      age?: number;
      /** Bytes of it, all of them 0. */
      size?: number;
      folder?: true;
      /** Permissions, as octal digits. */
      mode?: string;
      link?: string;
      hardLink?: string;
      pipe?: true;
    };

type Entries = Readonly<Record<string, Entry>>;

type Change =
  | { write: string; text: string }
  | { append: string; text: string }
  | { move: string; to: string }
  | { delete: string };

type Step =
  | { put: Entries }
  | { look: string[] }
  | { fetch: string; gives: string | null | { error: true } }
  | { commit: Change[]; base?: string[]; by?: "another"; outcome: "done" | "conflict" | "busy" | { failed: string } };

interface Case {
  name: string;
  needs?: "links" | "permissions";
  before?: Entries;
  steps: Step[];
  after: Entries;
}

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "context-folder-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("the context folder", () => {
  for (const one of cases as Case[]) {
    it(one.name, async ({ skip }) => {
      skip(one.needs === "links" && process.platform === "win32", "links take a privilege here");
      skip(one.needs === "permissions" && mayWriteAnything(), "this user may write anything");
      await put(one.before ?? {});
      const play = new Play();
      for (const step of one.steps) {
        await play.take(step);
      }
      for (const [path, entry] of Object.entries(one.before ?? {})) {
        if (modeOf(entry) !== undefined) {
          await chmod(join(folder, path), 0o755).catch(() => undefined);
        }
      }
      await play.end();
      expect(await found(folder)).toEqual(one.after);
    });
  }
});

/** The superuser may, and Windows has other permissions. */
function mayWriteAnything(): boolean {
  return process.platform === "win32" || process.getuid?.() === 0;
}

/** A case while it runs. */
class Play {
  private readonly store = new DiskContext(Date.now, 0);
  private readonly root: Root = { name: "app", path: folder };
  /** Stamps of files as they were looked at last, or given by a commit. */
  private readonly stamps = new Map<string, string | null>();

  async take(step: Step): Promise<void> {
    if ("put" in step) {
      await put(step.put);
    } else if ("look" in step) {
      for (const path of step.look) {
        this.stamps.set(path, await this.stampOf(path));
      }
    } else if ("fetch" in step) {
      await this.fetch(step);
    } else {
      await this.commit(step);
    }
  }

  /** The next commit of who kept the lock gives it back. */
  async end(): Promise<void> {
    await this.store.commit(this.root, { expect: [], changes: [] });
  }

  private async fetch({ fetch: path, gives }: Extract<Step, { fetch: string }>): Promise<void> {
    const { bytes, stamp, error } = await this.store.fetch(this.root, path);
    if (typeof gives === "string") {
      expect(bytes && decode(bytes), path).toBe(gives);
      expect(stamp, path).toMatch(/^\d+-\d+-\d+$/);
    } else {
      expect([bytes, stamp, error !== undefined], path).toEqual([undefined, undefined, gives !== null]);
    }
  }

  private async commit({ commit, base = [], by, outcome }: Extract<Step, { commit: Change[] }>): Promise<void> {
    const expected = base.map((path) => ({ path, stamp: this.stamps.get(path) ?? null }));
    const store = by === "another" ? new DiskContext(Date.now, 0) : this.store;
    const became = await store.commit(this.root, { expect: expected, changes: commit.map(changeOf) });
    const what = JSON.stringify(commit);
    if (typeof outcome === "object") {
      expect(became, what).toEqual({ type: "failed", reason: expect.stringContaining(outcome.failed) as string });
      return;
    }
    expect(became.type, what).toBe(outcome);
    if (became.type === "done") {
      expect(became.stamps, what).toEqual(await Promise.all(base.map((path) => this.stampOf(path))));
      base.forEach((path, index) => this.stamps.set(path, became.stamps[index] ?? null));
    }
  }

  private async stampOf(path: string): Promise<string | null> {
    return (await this.store.fetch(this.root, path)).stamp ?? null;
  }
}

function changeOf(change: Change): DiskChange {
  if ("write" in change) {
    return { type: "write", path: change.write, bytes: encode(change.text) };
  }
  if ("append" in change) {
    return { type: "append", path: change.append, text: change.text };
  }
  return "move" in change
    ? { type: "move", from: change.move, to: change.to }
    : { type: "delete", path: change.delete };
}

async function put(entries: Entries): Promise<void> {
  for (const [path, entry] of Object.entries(entries)) {
    await putOne(join(folder, path), entry);
  }
}

async function putOne(path: string, entry: Entry): Promise<void> {
  if (entry === null) {
    await rm(path, { recursive: true });
    return;
  }
  const {
    text = "",
    age,
    size,
    folder: isFolder,
    link: target,
    hardLink,
    pipe,
  } = typeof entry === "string" ? { text: entry } : entry;
  await mkdir(dirname(path), { recursive: true });
  if (target !== undefined) {
    await symlink(target, path);
  } else if (hardLink !== undefined) {
    await link(join(folder, hardLink), path);
  } else if (pipe) {
    execFileSync("mkfifo", [path]);
  } else if (isFolder) {
    await mkdir(path, { recursive: true });
  } else {
    await writeFile(path, text);
  }
  if (size !== undefined) {
    await truncate(path, size);
  }
  if (age !== undefined) {
    const at = Date.now() / 1000 - age;
    await utimes(path, at, at);
  }
  const mode = modeOf(entry);
  if (mode !== undefined) {
    await chmod(path, Number.parseInt(mode, 8));
  }
}

function modeOf(entry: Entry): string | undefined {
  return typeof entry === "object" && entry !== null ? entry.mode : undefined;
}

/** Every file and link below a folder, by its path. A lock that nobody has is nothing. */
async function found(start: string): Promise<Entries> {
  const all: Record<string, Entry> = {};
  const look = async (path: string): Promise<void> => {
    const name = relative(start, path).replaceAll("\\", "/");
    const kind = await lstat(path);
    if (kind.isDirectory()) {
      for (const inner of await readdir(path)) {
        await look(join(path, inner));
      }
    } else if (kind.isFIFO()) {
      all[name] = { pipe: true };
    } else if (!/^\.context\/cache\/lock\/free\.\d+$/.test(name)) {
      all[name] = kind.isSymbolicLink() ? { link: await readlink(path) } : await readFile(path, "utf8");
    }
  };
  await look(start).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      throw error;
    }
  });
  return all;
}
