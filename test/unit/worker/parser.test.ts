import { describe, expect, it } from "vitest";

import type { FromParser, Job } from "../../../extension/worker/jobs";
import { Parser, type Disk } from "../../../extension/worker/parser";
import { decode, EMPTY_MODULE, encode, FakeModule } from "./fakes";

const OPTIONS = { maxFileSize: 100, excludeGenerated: false };

function setUp(disk?: Disk) {
  const answers: FromParser[] = [];
  const handed: number[] = [];
  let instances = 0;
  const parser = new Parser({
    instantiate: () => {
      instances += 1;
      return new FakeModule();
    },
    disk,
    lastWords: () => "panicked at walk.rs",
    post: (message, hand) => {
      answers.push(message);
      handed.push(hand.length);
    },
  });
  const run = (id: number, job: Job) => {
    parser.receive({ kind: "job", id, job });
    return answers.at(-1);
  };
  return { parser, answers, handed, run, instances: () => instances };
}

const bytes = (text: string): Job => ({
  kind: "bytes",
  path: "a.ts",
  bytes: encode(text),
  size: 3,
  mtimeMs: 4,
  options: OPTIONS,
});

describe("Parser", () => {
  it("analyses bytes and hands the facts over", () => {
    const { parser, run, handed, instances } = setUp();
    parser.receive({ kind: "module", module: EMPTY_MODULE });
    const answer = run(1, bytes("abc"));
    expect(answer).toMatchObject({ id: 1, ok: true, memoryBytes: 1_000 });
    const result = answer?.ok ? answer.result : [];
    expect("outcome" in result && decode(result.outcome)).toBe("a.ts 100 false ABC");
    expect(result).toMatchObject({ size: 3, mtimeMs: 4 });
    run(2, bytes("def"));
    expect(instances()).toBe(1);
    expect(handed).toEqual([1, 1]);
  });

  it("says with the module's last words when it trapped", () => {
    const { parser, run } = setUp();
    parser.receive({ kind: "module", module: EMPTY_MODULE });
    expect(run(1, bytes("trap"))).toEqual({
      id: 1,
      ok: false,
      broken: true,
      reason: "the parser gave up on it: panicked at walk.rs",
      memoryBytes: 1_000,
    });
  });

  it("lists without an instance of the module", () => {
    const listing = { root: 0, dir: "", entries: [], ignoreFiles: [] };
    const { run, instances } = setUp({
      list: () => [listing],
      read: () => ({ size: 0, mtimeMs: 0, bytes: encode("") }),
    });
    expect(run(1, { kind: "list", folders: [] })).toMatchObject({ ok: true, result: [listing], memoryBytes: 0 });
    expect(instances()).toBe(0);
  });

  it("passes the sentence of a failed read on and goes on", () => {
    const { parser, run } = setUp({
      list: () => [],
      read: (file, maxBytes) => {
        if (file === "/gone") {
          throw new Error("it is gone");
        }
        return { size: 9, mtimeMs: 8, bytes: encode(`${file} ${maxBytes}`) };
      },
    });
    parser.receive({ kind: "module", module: EMPTY_MODULE });
    const read = (file: string): Job => ({ kind: "file", file, path: "a.ts", options: OPTIONS });
    expect(run(1, read("/gone"))).toMatchObject({ ok: false, reason: "it is gone", broken: false });
    expect(run(2, read("/a.ts"))).toMatchObject({ ok: true, result: { size: 9, mtimeMs: 8 } });
  });

  it("answers a job it cannot do", () => {
    const { run } = setUp();
    expect(run(1, { kind: "list", folders: [] })).toMatchObject({ ok: false, reason: "there is no disk here" });
    expect(run(2, bytes("abc"))).toMatchObject({ ok: false, reason: "the parser has no module" });
  });
});
