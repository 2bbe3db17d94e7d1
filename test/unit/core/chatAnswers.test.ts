import { describe, expect, it } from "vitest";

import { dataWith } from "../answers";
import { changesAnswer, recallAnswer, windowAnswer } from "../../../extension/core/chatAnswers";

const listed = (fields: object) => windowAnswer(dataWith("codecortex_getContext", fields));
const changed = (fields: object) => changesAnswer(dataWith("codecortex_changes", fields));

describe("the prompt window in a chat", () => {
  const piece = { tier: "pinned", symbol: "App.Cart", reason: "pinned", form: "outline", tokens: 1200 };

  it("is a list with what it costs and what had no room", () => {
    const text = listed({
      usedTokens: 1200,
      budgetTokens: 4000,
      pieces: [piece],
      cut: [{ symbol: "App.Ledger", tokens: 900 }],
      cutTotal: 3,
      notices: ["Pins take more than their share."],
    });
    expect(text).toContain("**1,200** of 4,000 tokens");
    expect(text).toContain("- **Cart** · 1,200 tokens · outline  \n  pinned: pinned");
    expect(text).toContain("Without room: 3, first App.Ledger (900).");
    expect(text).toContain("> Pins take more than their share.");
  });

  it("says what to do where nothing is in it, and shows no Markdown of symbols", () => {
    expect(listed({ usedTokens: 0, budgetTokens: 4000, pieces: [] })).toContain("pin code (`Pin to CodeCortex`");
    const odd = listed({ pieces: [{ ...piece, reason: "a|b`c`<d>" }] });
    expect(odd).toContain("a\\|b\\`c\\`\\<d\\>");
  });

  it("stays short", () => {
    const text = listed({ pieces: Array.from({ length: 500 }, () => piece) });
    expect(text.split("\n").length).toBeLessThan(100);
    expect(text).toContain("… and 460 more.");
  });
});

describe("changes in a chat", () => {
  it("are grouped, the gravest first", () => {
    const change = (path: string, changeClass: string) => ({ path, changeClass, kind: "class", filePath: "app/a.cs" });
    const text = changed({
      changes: [change("A", "Cosmetic"), change("B", "Structure")],
      totalByClass: { Structure: 5, Cosmetic: 1 },
    });
    expect(text.indexOf("**Structure** (5)")).toBeLessThan(text.indexOf("**Cosmetic** (1)"));
    expect(text).toContain("- B — app/a.cs");
    expect(text).toContain("- … and 4 more");
    expect(changed({})).toBe("No type has changed since the index was complete.");
  });
});

describe("observations in a chat", () => {
  const recalled = (fields: object, query = "") => recallAnswer(dataWith("codecortex_recall", fields), query);
  const item = { id: 7, ts: "2026-01-02 03:04:05", actor: "planner", phase: "plan", summary: "Tax is *rounded*" };

  it("say when it was, whether it still holds, and how many more there are", () => {
    const text = recalled({ items: [{ ...item, verdict: "drifted", type: "decision" }], total: 3 });
    expect(text).toContain("- **Tax is \\*rounded\\***");
    expect(text).toContain("\\#7 · 2026\\-01\\-02 03:04 UTC · decision · its code has changed");
    expect(text).toContain("… and 2 more");
  });

  it("say which words there are where none has all", () => {
    expect(recalled({ items: [], total: 0 })).toBe("There are no observations yet.");
    const text = recalled({ items: [], total: 0, wordHits: [{ word: "tax", count: 2 }] }, "tax moon");
    expect(text).toBe("No observation has all of “tax moon”. Its words alone: tax (2).");
  });
});
