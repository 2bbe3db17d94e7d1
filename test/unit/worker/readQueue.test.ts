import { describe, expect, it } from "vitest";

import type { FileRef } from "../../../extension/generated/protocol";
import { ReadQueue } from "../../../extension/worker/readQueue";
import { settle } from "./fakes";

const files = (...paths: string[]): FileRef[] => paths.map((path) => ({ root: 0, path }));
const many = (count: number): FileRef[] => files(...Array.from({ length: count }, (_, index) => `f${index}`));

function setUp(width: number) {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const queue = new ReadQueue(
    () => width,
    ({ path }) => {
      started.push(path);
      return new Promise((resolve) => finish.set(path, resolve));
    },
  );
  const done = async (path: string) => {
    finish.get(path)?.();
    await settle();
  };
  return { queue, started, done };
}

describe("ReadQueue", () => {
  it("reads so many at a time, in order", async () => {
    const { queue, started, done } = setUp(2);
    queue.add(files("a", "b", "c", "d"));
    expect(started).toEqual(["a", "b"]);
    await done("b");
    expect(started).toEqual(["a", "b", "c"]);
    expect(queue.pending).toBe(3);
  });

  it("does not queue twice what waits, but reads again what changed while it was read", async () => {
    const { queue, started, done } = setUp(1);
    queue.add(files("a", "b"));
    queue.add(files("b"));
    queue.add(files("a"));
    await done("a");
    await done("b");
    expect(started).toEqual(["a", "b", "a"]);
  });

  it("lets a handful go before a long queue", async () => {
    const { queue, started, done } = setUp(1);
    queue.add(many(100));
    queue.add(files("saved"));
    await done("f0");
    expect(started).toEqual(["f0", "saved"]);
    await done("saved");
    expect(started.at(-1)).toBe("f1");
  });

  it("lets a file overtake that somebody waits for, and reads it once", async () => {
    const { queue, started, done } = setUp(1);
    queue.add(many(50));
    queue.add(files("f40"));
    await done("f0");
    await done("f40");
    for (let file = 1; file < 50; file += 1) {
      await done(`f${file}`);
    }
    expect(started.slice(0, 3)).toEqual(["f0", "f40", "f1"]);
    expect(started.length).toBe(50);
    expect(queue.pending).toBe(0);
  });

  it("reads what somebody waits for even when indexing is cancelled", async () => {
    const { queue, started, done } = setUp(1);
    queue.add(many(50));
    queue.add(files("f40"));
    queue.shorten();
    await done("f0");
    await done("f40");
    expect(started).toEqual(["f0", "f40"]);
    queue.add(many(50));
    expect(started.at(-1)).toBe("f0");
  });

  it("forgets what waits and keeps going with what comes later", async () => {
    const { queue, started, done } = setUp(1);
    queue.add(many(100));
    queue.clear();
    expect(queue.pending).toBe(0);
    queue.add(files("new"));
    expect(started).toEqual(["f0", "new"]);
    await done("f0");
    await done("new");
    expect(started).toEqual(["f0", "new"]);
  });
});
