import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { consult, OwnQuestions, questionKey, type Editor, type Place } from "../../../extension/core/consult";
import type { ProviderTopic, DocumentSpan } from "../../../extension/generated/protocol";

const AT = { line: 1, character: 2 };
const LIMITS = { timeoutMs: 1_500, mostPlaces: 10 };
const span = (line: number): DocumentSpan => ({ start: { line, character: 0 }, end: { line, character: 3 } });
const place = (path: string, line: number): Place => ({ path, range: span(line) });

/** An editor that says the same to everything. */
function editor(places: Place[], changes: Partial<Editor> = {}): Editor {
  return {
    references: () => Promise.resolve(places),
    definitions: () => Promise.resolve(places),
    implementations: () => Promise.resolve(places),
    hierarchy: () => Promise.resolve({ above: [], below: places }),
    documents: () => new Map(),
    ...changes,
  };
}

const question = (about: ProviderTopic) => ({ about, path: "/a.ts", position: AT });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("consult", () => {
  it("gives places by file, whatever their order", async () => {
    const reply = await consult(
      question("references"),
      editor([place("/b.ts", 1), place("/a.ts", 2), place("/b.ts", 3)]),
      LIMITS,
    );
    expect(reply).toEqual({
      outcome: "answered",
      complete: true,
      places: [
        { path: "/a.ts", ranges: [span(2)] },
        { path: "/b.ts", ranges: [span(1), span(3)] },
      ],
      above: [],
      below: [],
    });
    expect((await consult(question("hierarchy"), editor([place("/a.ts", 2)]), LIMITS)).below).toHaveLength(1);
    expect((await consult(question("definition"), editor([place("/a.ts", 2)]), LIMITS)).places).toHaveLength(1);
    const none = editor([], { implementations: () => Promise.resolve([place("/a.ts", 2)]) });
    expect((await consult(question("implementations"), none, LIMITS)).places).toHaveLength(1);
  });

  it("does not wait longer than it may", async () => {
    const never = new Promise<Place[]>(() => undefined);
    const asking = consult(question("references"), editor([], { references: () => never }), LIMITS);
    const settled = vi.fn();
    void asking.then(settled);
    await vi.advanceTimersByTimeAsync(1_499);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await asking).toMatchObject({ outcome: "timedOut", complete: false, places: [] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("takes a failure of an extension as no answer", async () => {
    const fails = editor([], { references: () => Promise.reject(new Error("no")) });
    expect(await consult(question("references"), fails, LIMITS)).toMatchObject({ outcome: "failed" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves out files that changed while they were asked about", async () => {
    const looks = [
      new Map([
        ["/a.ts", { version: 1, isDirty: false }],
        ["/b.ts", { version: 4, isDirty: true }],
      ]),
      new Map([
        ["/a.ts", { version: 2, isDirty: true }],
        ["/b.ts", { version: 4, isDirty: true }],
        ["/c.ts", { version: 1, isDirty: false }],
        ["/d.ts", { version: 2, isDirty: true }],
      ]),
    ];
    let look = 0;
    const documents = () => looks[Math.min(look++, 1)] ?? new Map<string, never>();
    const places = ["/a.ts", "/b.ts", "/c.ts", "/d.ts", "/e.ts"].map((path) => place(path, 0));
    const reply = await consult(question("references"), editor(places, { documents }), LIMITS);
    // Asking itself has opened c; e is as it is on the disk.
    expect(reply.places).toEqual([
      { path: "/b.ts", version: 4, ranges: [span(0)] },
      { path: "/c.ts", version: 1, ranges: [span(0)] },
      { path: "/e.ts", ranges: [span(0)] },
    ]);
    expect(reply.complete).toBe(false);
  });

  it("cuts a long list between files", async () => {
    const many = Array.from({ length: 8 }, (_, line) => place("/b.ts", line));
    const reply = await consult(
      question("references"),
      editor([...many, place("/a.ts", 0), place("/a.ts", 1), place("/a.ts", 2), place("/c.ts", 0)]),
      LIMITS,
    );
    expect(reply.places.map(({ path, ranges }) => [path, ranges?.length])).toEqual([
      ["/a.ts", 3],
      ["/c.ts", 1],
    ]);
    expect(reply.complete).toBe(false);
  });
});

describe("our own questions", () => {
  it("are known until everybody has answered, also where two ask the same", async () => {
    const own = new OwnQuestions();
    const key = questionKey("references", "file:///a.ts", AT);
    let first: (() => void) | undefined;
    const one = own.during(key, () => new Promise<void>((resolve) => (first = resolve)));
    const two = own.during(key, () => Promise.reject(new Error("no")));
    expect(own.has(key)).toBe(true);
    await expect(two).rejects.toThrow("no");
    expect(own.has(key)).toBe(true);
    first?.();
    await one;
    expect(own.has(key)).toBe(false);
    expect(own.has(questionKey("references", "file:///a.ts", { line: 1, character: 3 }))).toBe(false);
    expect(own.has(questionKey("definition", "file:///a.ts", AT))).toBe(false);
  });
});
