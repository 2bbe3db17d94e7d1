import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { WindowFeed } from "../../../extension/core/windowFeed";
import type { Answer } from "../../../extension/generated/protocol";
import { dataWith } from "../answers";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const asked: ((answer: Answer) => void)[] = [];
  let changes = 0;
  const feed = new WindowFeed({
    ask: () => new Promise((resolve) => asked.push(resolve)),
    changed: () => {
      changes += 1;
    },
    measure: (work) => {
      work();
    },
  });
  const answer = async (data: object, place = asked.length - 1) => {
    asked[place]?.({ ok: true, json: JSON.stringify({ ok: true, data: dataWith("codecortex_getContext", data) }) });
    await vi.advanceTimersByTimeAsync(0);
  };
  return { feed, asked, answer, changes: () => changes };
}

describe("the feed of the prompt window", () => {
  it("asks when the index is complete, not while files come in", async () => {
    const { feed, asked, answer, changes } = setUp();
    feed.invalidate();
    feed.follow("scanning");
    feed.follow("indexing");
    feed.invalidate();
    expect(asked.length).toBe(0);
    feed.follow("ready");
    expect(asked.length).toBe(1);
    await answer({ usedTokens: 7, budgetTokens: 9 });
    expect([feed.window?.usedTokens, changes()]).toEqual([7, 1]);
    feed.follow("ready");
    expect(asked.length).toBe(1);
  });

  it("asks one question at a time, and once more for what was told meanwhile", async () => {
    const { feed, asked, answer } = setUp();
    feed.follow("ready");
    feed.invalidate();
    feed.invalidate();
    expect(asked.length).toBe(1);
    await answer({ usedTokens: 1 });
    expect(asked.length).toBe(2);
    await answer({ usedTokens: 2 });
    expect([asked.length, feed.window?.usedTokens]).toEqual([2, 2]);
  });

  it("keeps the window it has where there is no answer, and says why", async () => {
    const { feed, asked, answer } = setUp();
    feed.follow("ready");
    await answer({ usedTokens: 1 });
    feed.invalidate();
    asked[1]?.({ ok: false, json: JSON.stringify({ ok: false, error: { message: "Busy." } }) });
    await vi.advanceTimersByTimeAsync(0);
    expect([feed.window?.usedTokens, feed.problem]).toEqual([1, "Busy."]);
    feed.invalidate();
    await answer({ usedTokens: 3 });
    expect([feed.window?.usedTokens, feed.problem]).toEqual([3, undefined]);
  });

  it("forgets the window with the engine, and what that one still says", async () => {
    const { feed, asked, answer, changes } = setUp();
    feed.follow("ready");
    await answer({ usedTokens: 1 });
    feed.invalidate();
    feed.follow(undefined);
    expect([feed.window, changes()]).toEqual([undefined, 2]);
    await answer({ usedTokens: 9 }, 1);
    expect(feed.window).toBeUndefined();
    feed.follow("ready");
    expect(asked.length).toBe(3);
  });

  it("looks once a minute at what ages, and at nothing else", async () => {
    const { feed, asked, answer } = setUp();
    feed.follow("ready");
    await answer({ pieces: [{ tier: "focus", ageMinutes: 0 }] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBe(2);
    await answer({ pieces: [{ tier: "recent" }] });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked.length).toBe(2);
    feed.invalidate();
    await answer({ pieces: [{ tier: "focus", ageMinutes: 0 }] });
    feed.dispose();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked.length).toBe(3);
  });
});
