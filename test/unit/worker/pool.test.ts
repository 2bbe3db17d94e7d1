import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Job } from "../../../extension/worker/jobs";
import { ParserPool, poolSize } from "../../../extension/worker/pool";
import { decode, EMPTY_MODULE, encode, FakeParser } from "./fakes";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const OPTIONS = { maxFileSize: 10, excludeGenerated: true };
const file = (path: string): Extract<Job, { kind: "file" }> => ({
  kind: "file",
  file: `/root/${path}`,
  path,
  options: OPTIONS,
});

function setUp(size: number) {
  const parsers: FakeParser[] = [];
  const warnings: string[] = [];
  let rests = 0;
  const pool = new ParserPool({
    spawn: () => {
      const parser = new FakeParser();
      parsers.push(parser);
      return parser;
    },
    module: EMPTY_MODULE,
    size,
    idleMs: 3_000,
    timeoutMs: 60_000,
    warn: (message) => warnings.push(message),
    rested: () => {
      rests += 1;
    },
  });
  const parser = (index: number) => {
    const found = parsers[index];
    if (!found) {
      throw new Error(`there is no parser ${index}`);
    }
    return found;
  };
  return { pool, parsers, parser, warnings, rests: () => rests };
}

/** What became of a job, as text. */
const fate = (result: Promise<{ outcome: Uint8Array }>) =>
  result.then(
    ({ outcome }) => decode(outcome),
    (error: unknown) => String(error),
  );

describe("ParserPool", () => {
  it("starts workers only when there is work for them", () => {
    const { pool, parsers } = setUp(3);
    expect(pool.alive).toBe(0);
    void pool.run(file("a"));
    expect(parsers.length).toBe(1);
    for (let more = 0; more < 20; more += 1) {
      void pool.run(file(`b${more}`));
    }
    expect(parsers.length).toBe(3);
    expect(parsers.map((parser) => parser.jobs.length)).toEqual([3, 3, 3]);
  });

  it("gives each worker the next job as soon as it has room", async () => {
    const { pool, parser } = setUp(1);
    const fates = ["a", "b", "c", "d", "e"].map((name) => fate(pool.run(file(name))));
    for (const name of ["a", "b", "c", "d", "e"]) {
      parser(0).done(name);
    }
    expect(await Promise.all(fates)).toEqual(["a", "b", "c", "d", "e"]);
    expect(pool.memoryBytes).toBe(500);
  });

  it("ends idle workers, which gives their memory back, and starts new ones later", async () => {
    const { pool, parsers, parser, rests } = setUp(1);
    const first = fate(pool.run(file("a")));
    parser(0).done();
    await first;
    vi.advanceTimersByTime(2_999);
    expect(pool.alive).toBe(1);
    vi.advanceTimersByTime(1);
    expect(pool.alive).toBe(0);
    expect(pool.memoryBytes).toBe(0);
    expect(parser(0).terminated).toBe(true);
    expect(rests()).toBe(1);
    void pool.run(file("b"));
    expect(parsers.length).toBe(2);
  });

  it("does not end a worker that got work while it was idle", () => {
    const { pool, parser } = setUp(1);
    void pool.run(file("a"));
    parser(0).done();
    vi.advanceTimersByTime(2_000);
    void pool.run(file("b"));
    vi.advanceTimersByTime(10_000);
    expect(parser(0).terminated).toBe(false);
  });

  it("blames the file a worker died at and gives the others to a new one", async () => {
    const { pool, parsers, parser, warnings } = setUp(1);
    const fates = ["a", "b", "c"].map((name) => fate(pool.run(file(name))));
    parser(0).dies("out of memory");
    expect(parsers.length).toBe(2);
    expect(parser(1).jobs.map(({ job }) => job.kind === "file" && job.path)).toEqual(["b", "c"]);
    parser(1).done("b");
    parser(1).done("c");
    expect(await Promise.all(fates)).toEqual(["Error: the parser gave up on it: out of memory", "b", "c"]);
    expect(warnings.length).toBe(1);
  });

  it("replaces a worker whose instance trapped", async () => {
    const { pool, parsers, parser } = setUp(1);
    const fates = ["a", "b"].map((name) => fate(pool.run(file(name))));
    parser(0).fails("panicked", true);
    expect(parser(0).terminated).toBe(true);
    expect(parsers.length).toBe(2);
    parser(1).done("b");
    expect(await Promise.all(fates)).toEqual(["Error: panicked", "b"]);
  });

  it("keeps a worker whose file merely could not be read", async () => {
    const { pool, parsers, parser } = setUp(1);
    const fates = ["a", "b"].map((name) => fate(pool.run(file(name))));
    parser(0).fails("it is gone", false);
    parser(0).done("b");
    expect(await Promise.all(fates)).toEqual(["Error: it is gone", "b"]);
    expect(parsers.length).toBe(1);
  });

  it("gives up a file that is parsed for too long", async () => {
    const { pool, parser } = setUp(1);
    const fates = ["slow", "next"].map((name) => fate(pool.run(file(name))));
    vi.advanceTimersByTime(59_999);
    expect(parser(0).terminated).toBe(false);
    vi.advanceTimersByTime(1);
    expect(parser(0).terminated).toBe(true);
    parser(1).done("next");
    expect(await Promise.all(fates)).toEqual(["Error: the parser did not come to an end within 60 s", "next"]);
  });

  it("times each job by itself", () => {
    const { pool, parser } = setUp(1);
    void pool.run(file("a"));
    void pool.run(file("b"));
    vi.advanceTimersByTime(50_000);
    parser(0).done();
    vi.advanceTimersByTime(50_000);
    expect(parser(0).terminated).toBe(false);
  });

  it("does not send bytes again that died with their worker", async () => {
    const { pool, parser } = setUp(1);
    const bytes = encode("x");
    const first = fate(pool.run(file("a")));
    const second = fate(
      pool.run({ kind: "bytes", path: "b", bytes, size: 1, mtimeMs: 1, options: OPTIONS }, [bytes.buffer]),
    );
    parser(0).dies("crash");
    expect(await first).toContain("crash");
    expect(await second).toContain("replaced while the file waited");
  });

  it("rejects what is left when it is disposed", async () => {
    const { pool, parser } = setUp(1);
    const fates = ["a", "b", "c", "d", "e"].map((name) => fate(pool.run(file(name))));
    pool.dispose();
    expect(new Set(await Promise.all(fates))).toEqual(new Set(["Error: the parsers were shut down"]));
    expect(parser(0).terminated).toBe(true);
    expect(await fate(pool.run(file("f")))).toContain("shut down");
  });
});

describe("poolSize", () => {
  it.each([
    [0, 1, 1],
    [0, 2, 1],
    [0, 4, 3],
    [0, 64, 4],
    [7, 2, 7],
  ])("%i chosen on %i cores gives %i", (chosen, cores, size) => {
    expect(poolSize(chosen, cores)).toBe(size);
  });
});
