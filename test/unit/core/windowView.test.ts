import { describe, expect, it } from "vitest";

import { freshNonce, pageHtml } from "../../../extension/core/page";
import type { EngineView } from "../../../extension/core/status";
import { windowWith } from "../answers";
import { ageText, shownView, windowView, type ShownView } from "../../../extension/core/windowView";

const WINDOW = {
  usedTokens: 1_234,
  budgetTokens: 4_000,
  bySource: { pinned: 400, focus: 0, recent: 834 },
  pieces: [
    {
      tier: "pinned",
      symbol: "Harbour.Orders.OrderService.Place(Harbour.Orders.Order)",
      id: "T_a_b",
      reason: "pinned",
      form: "names",
      tokens: 400,
      pinTokens: 1_640,
      ageMinutes: 65,
    },
    {
      tier: "recent",
      symbol: "web/src/cart.ts",
      id: "file:web/src/cart.ts",
      reason: "used by Harbour.Orders.OrderService",
      form: "outline",
      tokens: 834,
      pinTokens: 834,
      score: 0.7,
    },
  ],
  downgrades: ["Harbour.Orders.OrderService.Place(Harbour.Orders.Order): outline→names"],
  cut: [
    { tier: "pinned", symbol: "Old.Gone", id: "T_old", reason: "it is not there any more" },
    { tier: "focus", symbol: "Harbour.Big", id: "T_big", reason: "the window is full", tokens: 9_001 },
  ],
  cutTotal: 60,
  notices: ["Pins may take 60 % of the window."],
};

const view = (changes: Partial<EngineView>): EngineView => ({
  life: { kind: "running" },
  state: { phase: "ready", files: 3, pending: 0, skipped: 0, symbols: 1, lines: 1, revision: 1 },
  usage: undefined,
  spends: [],
  crashes: 0,
  ...changes,
});

const pieces = ({ groups }: ShownView) => groups.flatMap((group) => group.pieces);

describe("the view of a window", () => {
  const shown = shownView(windowWith(WINDOW));

  it("has the parts that are not empty, in their order, with what they take", () => {
    expect(shown.groups.map(({ label, count, tokens }) => [label, count, tokens])).toEqual([
      ["Pinned", "1", "400"],
      ["Recent", "1", "834"],
      ["No Room", "2 of 60", ""],
    ]);
    expect(shown).toMatchObject({
      used: "1,234",
      budget: "4,000",
      percent: "31%",
      fill: "calm",
      label: "1,234 of 4,000 tokens used, 31%: pinned 400, focus 0, recent 834",
      notices: ["Pins may take 60 % of the window."],
      shares: { pinned: 0.1, focus: 0, recent: 0.2085 },
    });
  });

  it("names pieces by their last part, with their parameters", () => {
    expect(pieces(shown).map(({ name, container }) => [name, container])).toEqual([
      ["Place(Harbour.Orders.Order)", "Harbour.Orders.OrderService"],
      ["cart.ts", "web/src"],
      ["Gone", "Old"],
      ["Big", "Harbour"],
    ]);
  });

  it("says why, in what form, how old, and what a pin takes", () => {
    const [pinned, recent, , big] = pieces(shown);
    expect(pinned).toMatchObject({
      facts: ["names ↓", "1 h"],
      tokensText: "400",
      price: "of 1,640",
      label:
        "Place(Harbour.Orders.Order), pinned, 400 tokens, names, less than there is, 1 h ago, 1,640 tokens in full",
    });
    expect(pinned?.title.split("\n")).toEqual([
      "Harbour.Orders.OrderService.Place(Harbour.Orders.Order)",
      "Pinned",
      "400 tokens as names (outline→names)",
      "1,640 tokens in full",
      "Put in 1 h ago",
    ]);
    expect(recent).toMatchObject({
      facts: ["used by OrderService", "outline"],
      price: "pin 834",
      label: "cart.ts, used by Harbour.Orders.OrderService, 834 tokens, outline, a pin takes 834 tokens",
    });
    expect(big).toMatchObject({ facts: ["Focus", "the window is full"], tokensText: "9,001", price: "" });
    expect(big?.label).toBe("Big, focus, no room: the window is full, would take 9,001 tokens");
  });

  it("offers what makes sense for each", () => {
    expect(pieces(shown).map(({ actions, isThere }) => [actions.join(" "), isThere])).toEqual([
      ["unpin", true],
      ["pin add dismiss", true],
      ["unpin", false],
      ["pin dismiss", true],
    ]);
  });

  it("gives the same file of two folders a key each", () => {
    const twice = windowWith({ ...WINDOW, pieces: [WINDOW.pieces[1], WINDOW.pieces[1]], cut: [] });
    expect(pieces(shownView(twice)).map(({ key }) => key)).toEqual(["file:web/src/cart.ts", "file:web/src/cart.ts 1"]);
    const of = (folder: string) => ({ ...WINDOW.pieces[1], folder });
    const apart = pieces(shownView(windowWith({ ...WINDOW, pieces: [of("app"), of("lib")], cut: [] })));
    expect(apart.map(({ key, container, folder }) => [key, container, folder])).toEqual([
      ["app file:web/src/cart.ts", "app • web/src", "app"],
      ["lib file:web/src/cart.ts", "lib • web/src", "lib"],
    ]);
  });

  it("tells ages in the largest unit that fits", () => {
    expect([0, 1, 59, 60, 1_439, 1_440, 10_000].map(ageText)).toEqual([
      "now",
      "1 min",
      "59 min",
      "1 h",
      "23 h",
      "1 d",
      "6 d",
    ]);
  });
});

describe("where there is no window", () => {
  const title = (changes: Partial<EngineView>) => {
    const shown = windowView(view(changes));
    return shown.kind === "empty" ? [shown.title, shown.isBusy, ...shown.offers.map(({ label }) => label)] : shown.kind;
  };
  const state = (phase: "indexing" | "empty" | "scanning", pending = 0) => ({
    state: { phase, files: 1, pending, skipped: 0, symbols: 0, lines: 0, revision: 0 },
  });

  it.each([
    [{ life: { kind: "failed", reason: "x" } as const }, ["CodeCortex stopped", false, "Start Again", "Show Log"]],
    [state("empty"), ["No folder is open", false, "Open Folder"]],
    [state("scanning"), ["Starting", true]],
    [state("indexing", 3), ["Indexing, 25% done", true]],
    [{ windowProblem: "No." }, ["The prompt window cannot be shown", false, "Reindex", "Show Log"]],
    [
      { window: windowWith({ budgetTokens: 9 }) },
      ["Nothing is in the prompt window yet", false, "Pin Symbol at Cursor…", "Add Type to Focus…"],
    ],
    [{ ...state("indexing", 3), window: windowWith(WINDOW) }, "window"],
  ])("says why and what to do (%#)", (changes, expected) => {
    expect(title(changes)).toEqual(expected);
  });
});

describe("the page", () => {
  it("runs one script, fetches one style, and lets no text out of its place", () => {
    const html = pageHtml({
      cspSource: "https://source",
      script: 'https://x/window.js?"><script>',
      style: "https://x/window.css",
      nonce: "abc",
      title: "<Prompt>",
    });
    expect(html).toContain("default-src 'none'; style-src https://source; script-src 'nonce-abc'");
    expect(html).toContain('src="https://x/window.js?&quot;&gt;&lt;script&gt;"');
    expect(html).toContain("<title>&lt;Prompt&gt;</title>");
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/unsafe|\son\w+=/);
  });

  it("has another nonce each time", () => {
    expect(freshNonce()).toMatch(/^[0-9a-f]{32}$/);
    expect(freshNonce()).not.toBe(freshNonce());
  });
});
