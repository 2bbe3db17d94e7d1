import { describe, expect, it } from "vitest";

import { windowWith } from "../answers";
import { fillOf, isGone, shortTokens, usedPercent } from "../../../extension/core/promptWindow";

const piece = (symbol: string, changes: object = {}) => ({
  tier: "recent",
  symbol,
  id: `T_${symbol}`,
  reason: "used lately",
  form: "outline",
  tokens: 10,
  pinTokens: 12,
  ...changes,
});

describe("promptWindow", () => {
  it("reads what the engine lists, with the step down of each piece", () => {
    const window = windowWith({
      usedTokens: 40,
      budgetTokens: 100,
      bySource: { pinned: 30, focus: 0, recent: 10 },
      pieces: [piece("A.B", { tier: "pinned", ageMinutes: 0 }), piece("A.C")],
      downgrades: ["A.B: outline→outline, cut"],
      cut: [{ tier: "focus", symbol: "A.D", id: "T_D", reason: "the window is full", tokens: 7 }],
      cutTotal: 9,
      notices: ["Mind."],
      spent: { tokens: 9, last: 4, bySymbol: [{ symbol: "A.B", calls: 2, tokens: 9 }] },
    });
    expect(window.pieces).toMatchObject([{ tier: "pinned", ageMinutes: 0, downgrade: "outline→outline, cut" }, {}]);
    expect(window.pieces[1]).not.toHaveProperty("downgrade");
    expect(window.pieces[1]).not.toHaveProperty("ageMinutes");
    expect(window.dearest).toEqual([{ symbol: "A.B", calls: 2, tokens: 9 }]);
    expect(window).toMatchObject({ cutTotal: 9, notices: ["Mind."], bySource: { pinned: 30, focus: 0, recent: 10 } });
  });

  it("makes a window of an answer that leaves out what is empty", () => {
    for (const cut of [undefined, [{ tier: "of a later version", symbol: "A", id: "T_A", reason: "full" }]]) {
      const window = windowWith({ cut });
      expect(window).toMatchObject({ usedTokens: 0, budgetTokens: 0, pieces: [], dearest: [], notices: [] });
      expect(window.bySource).toEqual({ pinned: 0, focus: 0, recent: 0 });
      expect(window.cutTotal).toBe(window.cut.length);
      expect(window.cut.map(({ tier }) => tier)).toEqual(cut ? ["recent"] : []);
    }
  });
});

describe("fillOf", () => {
  const filled = (usedTokens: number, budgetTokens = 1_000, cut: unknown[] = []) =>
    fillOf(windowWith({ usedTokens, budgetTokens, cut }));

  it("changes at 80 and 100 percent", () => {
    expect([0, 794, 795, 994, 995, 1_000].map((used) => filled(used))).toEqual([
      "calm",
      "calm",
      "high",
      "high",
      "full",
      "full",
    ]);
    expect(filled(0, 0)).toBe("full");
  });

  it("is full when a pin has no room, not when its code is gone or something else was cut", () => {
    const cut = (tier: string, reason: string) => [{ tier, reason, id: "x", symbol: "x" }];
    expect(filled(1, 100, cut("pinned", "pins have taken their part"))).toBe("full");
    expect(filled(1, 100, cut("pinned", "it is not there any more"))).toBe("calm");
    expect(filled(1, 100, cut("recent", "the window is full"))).toBe("calm");
  });

  it("says the share in whole percent", () => {
    expect(usedPercent(windowWith({ usedTokens: 1_234, budgetTokens: 4_000 }))).toBe(31);
    expect(isGone({ tier: "pinned", symbol: "", id: "", reason: "it is not there any more" })).toBe(true);
  });
});

describe("shortTokens", () => {
  it("never has more than four letters", () => {
    const numbers = [0, 840, 999, 1_000, 1_234, 4_000, 9_949, 9_951, 15_999, 999_499, 999_500, 1_250_000, 12_000_000];
    expect(numbers.map(shortTokens)).toEqual([
      "0",
      "840",
      "999",
      "1k",
      "1.2k",
      "4k",
      "9.9k",
      "10k",
      "16k",
      "999k",
      "1M",
      "1.3M",
      "12M",
    ]);
  });
});
