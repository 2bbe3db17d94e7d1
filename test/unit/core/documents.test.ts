import { describe, expect, it } from "vitest";

import { DocumentFeed, FEED_SLICE, type OpenDocument } from "../../../extension/core/documents";
import type { PlainEvent } from "../../../extension/core/messages";
import { HoldMeter, Slices } from "../../../extension/core/schedule";
import type { TextChange } from "../../../extension/generated/protocol";

/** A document that a test can edit. */
class Text implements OpenDocument {
  version = 1;
  isDirty = false;
  isClosed = false;
  reads = 0;

  constructor(
    readonly path: string,
    private content: string[],
  ) {}

  get lineCount() {
    return this.content.length;
  }

  lines(from: number, to: number): string {
    this.reads += 1;
    const last = to >= this.content.length;
    return this.content.slice(from, to).join("\n") + (last ? "" : "\n");
  }

  set(content: string[]) {
    this.content = content;
    this.version += 1;
    this.isDirty = true;
  }

  get text() {
    return this.content.join("\n");
  }
}

function setUp(maxCharacters = 1_000_000) {
  const events: PlainEvent[] = [];
  const deferred: (() => void)[] = [];
  let ms = 0;
  const clock = () => ms++;
  const slices = new Slices(
    new HoldMeter(clock),
    clock,
    (run) => deferred.push(run),
    (name, error) => {
      throw new Error(name, { cause: error });
    },
    0.5,
  );
  const feed = new DocumentFeed((event) => events.push(event), slices, {
    ...FEED_SLICE,
    maxCharacters: () => maxCharacters,
  });
  /** Runs the next slice; gives whether there was one. */
  const step = () => {
    const run = deferred.shift();
    run?.();
    return run !== undefined;
  };
  const settle = () => {
    while (step());
  };
  return { events, feed, step, settle };
}

const insert = (text: string): TextChange => ({
  start: { line: 0, character: 0 },
  end: { line: 0, character: 0 },
  text,
});
const same = (change: TextChange) => change;
const numbered = (lines: number) => Array.from({ length: lines }, (_, line) => `line ${line}`);

describe("DocumentFeed", () => {
  it("reads a long document in slices and sends it whole", () => {
    const { events, feed, step, settle } = setUp();
    const document = new Text("/a.ts", numbered(7_000));
    feed.opened(document);
    step();
    expect(events).toEqual([]);
    settle();
    expect(document.reads).toBe(4);
    expect(events).toEqual([{ type: "opened", path: "/a.ts", version: 1, text: document.text, dirty: false }]);
  });

  it("starts again where the document changes while it is read", () => {
    const { events, feed, step, settle } = setUp();
    const document = new Text("/a.ts", numbered(5_000));
    feed.opened(document);
    step();
    document.set(numbered(4_500).map((line) => line.toUpperCase()));
    feed.edited(document, [insert("x")], same);
    settle();
    expect(events).toEqual([{ type: "opened", path: "/a.ts", version: 2, text: document.text, dirty: true }]);
  });

  it("sends edits one by one once the text is there", () => {
    const { events, feed, settle } = setUp();
    const document = new Text("/a.ts", ["a"]);
    feed.opened(document);
    settle();
    document.set(["xa"]);
    feed.edited(document, [insert("x")], same);
    feed.edited(document, [], same);
    document.isDirty = false;
    feed.saved("/a.ts");
    feed.closed("/a.ts");
    feed.edited(document, [insert("y")], same);
    expect(events.slice(1)).toEqual([
      { type: "edited", path: "/a.ts", version: 2, changes: [insert("x")], dirty: true },
      { type: "saved", path: "/a.ts" },
      { type: "closed", path: "/a.ts" },
    ]);
  });

  it("tells when only the dirty mark changed", () => {
    const { events, feed, settle } = setUp();
    const document = new Text("/a.ts", ["a"]);
    feed.opened(document);
    settle();
    document.isDirty = true;
    feed.edited(document, [], same);
    feed.edited(document, [], same);
    expect(events.slice(1)).toEqual([{ type: "edited", path: "/a.ts", version: 1, changes: [], dirty: true }]);
  });

  it("sends the whole text instead of an edit in hundreds of places", () => {
    const { events, feed, settle } = setUp();
    const document = new Text("/a.ts", ["a"]);
    feed.opened(document);
    settle();
    document.set(["b"]);
    feed.edited(
      document,
      Array.from({ length: 300 }, () => insert("b")),
      same,
    );
    document.set(["c"]);
    feed.edited(document, [insert("c".repeat(300 * 1024))], same);
    settle();
    expect(events.slice(1)).toEqual([{ type: "opened", path: "/a.ts", version: 3, text: "c", dirty: true }]);
  });

  it("leaves a document that is too long to the disk", () => {
    const { events, feed, settle } = setUp(10);
    const document = new Text("/a.ts", ["a line that is longer"]);
    feed.opened(document);
    settle();
    feed.edited(document, [insert("x")], same);
    feed.saved("/a.ts");
    feed.closed("/a.ts");
    expect(events).toEqual([]);
  });

  it("does not send what was closed before it was read", () => {
    const { events, feed, settle } = setUp();
    const document = new Text("/a.ts", ["a"]);
    feed.opened(document);
    feed.closed("/a.ts");
    settle();
    const other = new Text("/b.ts", ["b"]);
    feed.opened(other);
    other.isClosed = true;
    settle();
    expect(events).toEqual([]);
  });

  it("replays every document for a new engine, with its unsaved text", () => {
    const { events, feed, settle } = setUp();
    const document = new Text("/a.ts", ["a"]);
    feed.opened(document);
    settle();
    document.set(["unsaved"]);
    feed.edited(document, [insert("unsaved")], same);
    events.length = 0;
    feed.replay([document, new Text("/b.ts", ["b"])]);
    settle();
    expect(events).toEqual([
      { type: "opened", path: "/a.ts", version: 2, text: "unsaved", dirty: true },
      { type: "opened", path: "/b.ts", version: 1, text: "b", dirty: false },
    ]);
  });
});
