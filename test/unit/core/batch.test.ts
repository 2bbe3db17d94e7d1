import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Batcher, Throttle } from "../../../extension/core/batch";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function batches() {
  const flushed: string[][] = [];
  const batcher = new Batcher<string>({ quietMs: 120, maxMs: 800 }, Date.now, (items) => flushed.push([...items]));
  return { flushed, batcher };
}

describe("Batcher", () => {
  it("hands over once it has been quiet, each item once", () => {
    const { flushed, batcher } = batches();
    batcher.add("a");
    vi.advanceTimersByTime(100);
    batcher.add("b");
    batcher.add("a");
    vi.advanceTimersByTime(119);
    expect(flushed).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(flushed).toEqual([["a", "b"]]);
  });

  it("makes one batch of a checkout of thousands of files", () => {
    const { flushed, batcher } = batches();
    for (let file = 0; file < 5_000; file += 1) {
      batcher.add(`file ${file}`);
    }
    vi.advanceTimersByTime(2_000);
    expect(flushed.map((batch) => batch.length)).toEqual([5_000]);
  });

  it("never waits longer than the maximum (SPEC I1)", () => {
    const { flushed, batcher } = batches();
    for (let ms = 0; ms < 2_400; ms += 50) {
      batcher.add("busy");
      vi.advanceTimersByTime(50);
    }
    expect(flushed.length).toBeGreaterThanOrEqual(2);
    vi.advanceTimersByTime(800);
    expect(flushed.length).toBeLessThanOrEqual(4);
  });

  it("hands over at once when asked, and nothing when there is nothing", () => {
    const { flushed, batcher } = batches();
    batcher.handOver();
    batcher.add("a");
    batcher.handOver();
    vi.advanceTimersByTime(1_000);
    expect(flushed).toEqual([["a"]]);
  });

  it("is silent after being disposed", () => {
    const { flushed, batcher } = batches();
    batcher.add("a");
    batcher.dispose();
    vi.advanceTimersByTime(1_000);
    expect(flushed).toEqual([]);
  });
});

describe("Throttle", () => {
  it("runs the first at once and the last in the end", () => {
    const ran: number[] = [];
    const throttle = new Throttle(100);
    for (let call = 0; call < 10; call += 1) {
      throttle.run(() => ran.push(call));
      vi.advanceTimersByTime(15);
    }
    vi.advanceTimersByTime(1_000);
    expect(ran[0]).toBe(0);
    expect(ran.at(-1)).toBe(9);
    expect(ran.length).toBeLessThanOrEqual(4);
  });

  it("forgets what waits when disposed", () => {
    const ran: number[] = [];
    const throttle = new Throttle(100);
    throttle.run(() => ran.push(1));
    throttle.run(() => ran.push(2));
    throttle.dispose();
    vi.advanceTimersByTime(1_000);
    expect(ran).toEqual([1]);
  });
});
