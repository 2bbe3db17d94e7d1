/** The log of observations as Node writes it; crates/memory holds the same protocol. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { MemoryLog } from "../../../extension/worker/memory.node";
import { hasDatabases, TABLES } from "../../../extension/worker/memoryDatabase.node";
import { answerMemory } from "../../../extension/worker/observations.node";

const DRAFT = { ts: "2026-01-01 00:00:00", task_id: null, actor: "system", phase: "other", summary: "it works" };

describe("the log of observations", () => {
  let root: string;
  const path = (...parts: string[]) => join(root, ".context", "memory", ...parts);
  const lines = () =>
    readFileSync(path("observations.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "memory-"));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it("gives ids in order and the lock back", () => {
    const log = new MemoryLog(root);
    expect(log.append([DRAFT, DRAFT])).toEqual([1, 2]);
    expect(new MemoryLog(root).append([DRAFT])).toEqual([3]);
    expect(log.append([DRAFT])).toEqual([4]);
    expect(lines().map((line) => line.id)).toEqual([1, 2, 3, 4]);
    expect(lines()[0]).toEqual({ ...DRAFT, schema_version: "obs.v1", id: 1 });
    expect(readdirSync(path("lock"))).toEqual(["free.6"]);
    const shown = readFileSync(path("observations.md"), "utf8");
    expect(shown).toMatch(/^# Observations\n\n- #1 2026-01-01 00:00:00 system\/other it works\n/);
  });

  it("gives no id that stands in the log for people", () => {
    const log = new MemoryLog(root);
    log.append([DRAFT]);
    const line = "- #7 2026-01-01 00:00:00 system/other by another back end\n";
    writeFileSync(path("observations.md"), line, { flag: "a" });
    expect(log.append([DRAFT])).toEqual([8]);
    writeFileSync(path("observations.md"), `${line}${"prose\n".repeat(5_000)}`);
    expect(log.append([DRAFT])).toEqual([9]);
  });

  it("mends a log that was cut at any byte", () => {
    new MemoryLog(root).append([DRAFT, DRAFT]);
    const whole = readFileSync(path("observations.jsonl"));
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const left = whole.subarray(0, cut);
      writeFileSync(path("observations.jsonl"), left);
      rmSync(path("observations.md")); // it would say that the ids were given
      const ids = new MemoryLog(root).append([DRAFT]);
      expect(lines().map((line) => line.id)).toEqual([...Array(ids[0] ?? 0).keys()].map((at) => at + 1));
      expect(lines().length).toBeGreaterThan(left.filter((byte) => byte === 10).length);
    }
  });

  it("counts ids of later schemas and leaves foreign lines alone", () => {
    new MemoryLog(root).append([]);
    writeFileSync(path("observations.jsonl"), '<<<<<<<\n{"schema_version":"obs.v2","id":41}');
    expect(new MemoryLog(root).append([DRAFT])).toEqual([42]);
    expect(readFileSync(path("observations.jsonl"), "utf8")).toMatch(
      /^<<<<<<<\n\{"schema_version":"obs.v2","id":41\}\n/,
    );
  });

  it("takes over what a process left that ended", () => {
    const log = new MemoryLog(root);
    log.append([]);
    const [free = ""] = readdirSync(path("lock"));
    renameSync(path("lock", free), path("lock", `held.9.00000000.1.1.${Date.now() - 61_000}`));
    expect(log.append([DRAFT])).toEqual([1]);
    expect(readdirSync(path("lock"))).toEqual(["free.11"]);
  });

  it("writes nothing while a database holds the records", () => {
    const log = new MemoryLog(root);
    log.append([]);
    writeFileSync(path("mem.db"), "");
    expect(() => log.append([DRAFT])).toThrow("sqlite");
    expect(readdirSync(path("lock"))[0]).toMatch(/^free\./);
  });

  it.skipIf(process.platform === "win32")("does not follow links out of the workspace", () => {
    mkdirSync(join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), join(root, ".context"));
    expect(() => new MemoryLog(root).append([DRAFT])).toThrow("it is not a folder but a link");
  });
});

describe("other back ends", () => {
  let root: string;
  const path = (name: string) => join(root, ".context", "memory", name);
  const backends = hasDatabases() ? (["markdown", "sqlite"] as const) : (["markdown"] as const);
  const tombstone = {
    ...DRAFT,
    summary: "Purged 1 observation.",
    ext: { tombstone: { ids: [2], purged: true } },
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "memory-"));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const append = (backend: string | null, ...records: object[]) =>
    answerMemory(root, { type: "append", backend, records });
  const told = (backend: string | null) => {
    const reply = answerMemory(root, { type: "recall", backend, question: {} });
    if (reply.type !== "log") {
      throw new Error(JSON.stringify(reply));
    }
    return { backend: reply.backend, text: Buffer.from((reply.bytes ?? []) as Uint8Array).toString("utf8") };
  };

  for (const backend of backends) {
    it(`record, tell and purge: ${backend}`, () => {
      const secret = { ...DRAFT, summary: "a secret", task_id: "50%]" };
      expect(append(backend, DRAFT, secret)).toEqual({ type: "recorded", ids: [1, 2], warnings: [] });
      expect(append(backend, DRAFT)).toMatchObject({ ids: [3] });
      expect(told(backend).backend).toBe(backend);
      expect(told(backend).text).toContain("a secret");
      const purged = answerMemory(root, { type: "purge", backend, ids: [2], tombstone, ts: DRAFT.ts });
      expect(purged).toMatchObject({ type: "recorded", ids: [4] });
      expect(told(backend).text).not.toContain("a secret");
      expect(told(backend).text).toContain("Purged");
      expect(readFileSync(path("observations.md"), "utf8")).toContain("Purged 1 observation. (forgets #2)\n");
      expect(append(backend, DRAFT)).toMatchObject({ ids: [5] });
    });
  }

  it("lose what Markdown has no room for, and say so", () => {
    expect(append("markdown", { ...DRAFT, detail: "long" })).toMatchObject({
      ids: [1],
      warnings: ["Markdown keeps only summaries: 1 details are lost."],
    });
  });

  it("write nothing while another one holds the records", () => {
    append("jsonl", DRAFT);
    expect(append("markdown", DRAFT)).toMatchObject({ type: "failed", code: "Unavailable" });
    expect(told(null).backend).toBe("jsonl");
  });

  it.skipIf(hasDatabases())("say so where this Node has no SQLite", () => {
    expect(append("sqlite", DRAFT)).toMatchObject({ type: "failed", code: "Unavailable" });
    append("jsonl");
    writeFileSync(path("mem.db"), "");
    expect(answerMemory(root, { type: "recall", backend: null, question: {} })).toMatchObject({ code: "Unavailable" });
  });

  it("have the tables that the native one has", () => {
    const native = readFileSync(new URL("../../../crates/memory/src/native/sqlite.rs", import.meta.url), "utf8");
    expect(native).toContain(TABLES);
  });
});

describe("the place of an observation", () => {
  it.skipIf(process.platform === "win32")("is not waited for where git's files are pipes", () => {
    const root = mkdtempSync(join(tmpdir(), "codecortex-"));
    const place = (pipe: string) => {
      rmSync(join(root, ".git"), { recursive: true, force: true });
      if (pipe !== ".git") {
        mkdirSync(join(root, ".git"));
      }
      execFileSync("mkfifo", [join(root, pipe)]);
      return answerMemory(root, { type: "place" });
    };
    const nothing = { type: "place", branch: null, worktree: null };
    expect([place(".git"), place(".git/HEAD")]).toEqual([nothing, nothing]);
    rmSync(root, { recursive: true });
  });
});
