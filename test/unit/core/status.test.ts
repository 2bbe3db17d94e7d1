import { describe, expect, it } from "vitest";

import { declaredTools } from "../../../extension/core/manifest";
import { invocationMessage } from "../../../extension/core/invocation";
import { Ledger, tokensOf } from "../../../extension/core/ledger";
import { bytes, percent, statusItem, type EngineView } from "../../../extension/core/status";
import { windowWith } from "../answers";
import type { Phase, State } from "../../../extension/generated/protocol";

const state = (phase: Phase, files = 1_200, pending = 0): State => ({
  phase,
  files,
  pending,
  skipped: 34,
  symbols: 45_678,
  lines: 1_234_567,
  revision: 7,
});

const view = (changes: Partial<EngineView>): EngineView => ({
  life: { kind: "running" },
  state: undefined,
  usage: undefined,
  spends: [],
  crashes: 0,
  ...changes,
});

describe("statusItem", () => {
  it("is quiet when everything is in the index", () => {
    const item = statusItem(view({ state: state("ready") }));
    expect(item).toMatchObject({
      text: "$(symbol-structure) CodeCortex",
      label: "CodeCortex: ready",
      severity: "normal",
    });
  });

  it("has everything in its tooltip", () => {
    const ledger = new Ledger();
    ledger.book("codecortex_getOutline", ["x".repeat(401)], 12);
    ledger.book("codecortex_getOutline", ["x".repeat(40)], 3);
    const { tooltip } = statusItem(
      view({
        state: state("ready"),
        usage: { engineBytes: 80 * 1024 * 1024, parserBytes: 31 * 1024 * 1024, parsers: 2 },
        spends: ledger.byCost(),
        crashes: 1,
        window: windowWith({
          usedTokens: 3_300,
          budgetTokens: 4_000,
          bySource: { pinned: 2_000, focus: 0, recent: 1_290 },
          pieces: [{ tier: "pinned" }, { tier: "recent" }],
          cutTotal: 7,
          notices: ["Pins may take 60 % of the window."],
          spent: {
            bySymbol: [
              { symbol: "App.Store_1", calls: 3, tokens: 1_200 },
              { symbol: `${"Deep.".repeat(20)}End`, calls: 1, tokens: 90 },
            ],
          },
        }),
      }),
    );
    expect(tooltip).toBe(
      [
        "**CodeCortex** — ready",
        "",
        "| Prompt window: 3,300 of 4,000 tokens (83%) | &emsp;pieces | &emsp;tokens | &emsp;share |",
        "| :--- | ---: | ---: | ---: |",
        "| $(pinned) Pinned | 1 | 2,000 | 50% |",
        "| $(target) Focus | 0 | 0 | 0% |",
        "| $(history) Recent | 1 | 1,290 | 32% |",
        "| $(circle-outline) Free |  | 700 | 18% |",
        "",
        "$(warning) Pins may take 60 % of the window\\.",
        "",
        "$(fold) 7 without room",
        "",
        "| Tokens of answers | &emsp;calls | &emsp;last | &emsp;all |",
        "| :--- | ---: | ---: | ---: |",
        "| getOutline | 2 | 10 | 111 |",
        "",
        "| Given out about | &emsp;calls | &emsp;all |",
        "| :--- | ---: | ---: |",
        "| App\\.Store\\_1 | 3 | 1,200 |",
        `| …${"\\.Deep".repeat(9).replace("\\.Deep", "eep")}\\.End | 1 | 90 |`,
        "",
        "| Index |  |",
        "| :--- | ---: |",
        "| $(files) Files | 1,200 |",
        "| $(symbol-class) Symbols | 45,678 |",
        "| $(list-ordered) Lines | 1,234,567 |",
        "| $(watch) Pending | 0 |",
        "| $(exclude) Left out | 34 |",
        "| $(history) Revision | 7 |",
        "| $(chip) Memory | 80 MB + 31 MB in 2 parsers |",
        "| $(debug-restart) Restarts | 1 |",
        "",
        "[Prompt Window](command:codecortex.openWindow) · [Show Status](command:codecortex.showStatus) · [Reindex](command:codecortex.reindex) · [Show Log](command:codecortex.showLog)",
      ].join("\n"),
    );
  });

  it.each([
    [3_179, "normal"],
    [3_180, "warning"],
    [3_979, "warning"],
    [3_980, "error"],
    [4_000, "error"],
  ])("has the colour of the window: %i of 4,000", (usedTokens, severity) => {
    const window = windowWith({ usedTokens, budgetTokens: 4_000 });
    expect(statusItem(view({ state: state("ready"), window }))).toMatchObject({ severity });
  });

  it("says what is used of the window, and how far indexing is while that goes on", () => {
    const window = windowWith({ usedTokens: 1_234, budgetTokens: 4_000 });
    expect(statusItem(view({ state: state("ready"), window }))).toMatchObject({
      text: "$(symbol-structure) CodeCortex 1.2k / 4k",
      label: "CodeCortex: ready, prompt window 1,234 of 4,000 tokens (31%)",
    });
    expect(statusItem(view({ state: state("indexing", 1, 1), window })).text).toBe("$(sync~spin) CodeCortex 50%");
    const full = windowWith({ usedTokens: 4_000, budgetTokens: 4_000 });
    expect(statusItem(view({ state: state("cancelled"), window: full })).severity).toBe("warning");
  });

  it("shows how far indexing is and offers to stop it", () => {
    const item = statusItem(view({ state: state("indexing", 999, 1) }));
    expect(item.text).toBe("$(sync~spin) CodeCortex 99%");
    expect(item.label).toBe("CodeCortex: indexing, 99% done");
    expect(item.tooltip).toContain("[Cancel Indexing](command:codecortex.cancelIndexing)");
  });

  it.each([
    [view({ life: { kind: "stopped" } }), "stopped", "normal"],
    [view({ life: { kind: "starting" } }), "starting", "normal"],
    [view({}), "starting", "normal"],
    [view({ state: state("empty") }), "no folder is open", "normal"],
    [view({ state: state("scanning") }), "looking for files", "normal"],
    [view({ state: state("cancelled") }), "indexing was cancelled, the index is partial", "warning"],
    [view({ life: { kind: "restarting", inMs: 1, reason: "x" } }), "restarting the engine", "warning"],
    [view({ life: { kind: "failed", reason: "x" } }), "the engine stopped", "error"],
  ])("says what is going on (%#)", (shown, phase, severity) => {
    expect(statusItem(shown)).toMatchObject({ label: `CodeCortex: ${phase}`, severity });
  });

  it("shows a reason as text, never as Markdown", () => {
    const { tooltip } = statusItem(view({ life: { kind: "failed", reason: "[x](command:evil) `y` $(z)" } }));
    expect(tooltip).toContain("\\[x\\]\\(command:evil\\) \\`y\\` \\$\\(z\\)");
  });

  it("never says 100% while a file is pending", () => {
    expect(percent(state("indexing", 999_999, 1))).toBe(99);
    expect(percent(state("indexing", 5, 0))).toBe(100);
    expect(percent(state("indexing", 0, 0))).toBe(0);
  });

  it("writes bytes for people", () => {
    expect([0, 1, 70_000, 5.5 * 1024 * 1024, 600 * 1024 * 1024].map(bytes)).toEqual([
      "0 KB",
      "1 KB",
      "69 KB",
      "5.5 MB",
      "600 MB",
    ]);
  });
});

describe("Ledger", () => {
  it("counts four characters a token, each part by itself (SPEC D7)", () => {
    expect(tokensOf(["abcde", "a"])).toBe(3);
    expect(tokensOf([])).toBe(0);
  });

  it("names the dearest tool first and the last one called", () => {
    const ledger = new Ledger();
    expect(ledger.last).toBeUndefined();
    ledger.book("a", ["x".repeat(4)], 1);
    ledger.book("b", ["x".repeat(400)], 2);
    ledger.book("a", ["x".repeat(8)], 3);
    expect(ledger.byCost().map((spend) => spend.tool)).toEqual(["b", "a"]);
    expect(ledger.last).toEqual({ tool: "a", calls: 2, tokens: 3, lastTokens: 2, lastMs: 3 });
  });
});

describe("invocationMessage", () => {
  it.each([
    ["codecortex_searchApi", { labelQuery: "open file" }, "Searching symbols for `open file`"],
    ["codecortex_searchApi", { labelQuery: "  " }, "Searching symbols"],
    ["codecortex_searchApi", { labelQuery: 5 }, "Searching symbols"],
    ["codecortex_getOutline", null, "Outlining code"],
    ["codecortex_status", {}, "Reading the index status"],
    ["codecortex_unknown", { labelQuery: "x" }, "Running A Tool"],
  ])("%s %j", (tool, input, expected) => {
    expect(invocationMessage(tool, "A Tool", input)).toBe(expected);
  });

  it("keeps what it quotes on one line, short, and unable to end the quotation", () => {
    const message = invocationMessage("codecortex_searchApi", "", { labelQuery: `a\n\`b\` ${"😀".repeat(100)}` });
    expect(message).toMatch(/^Searching symbols for `a b (😀)+…`$/u);
    expect(message.length).toBeLessThan(100);
  });
});

describe("declaredTools", () => {
  it("reads what is there and survives what is not", () => {
    const manifest = {
      contributes: { languageModelTools: [{ name: "a", displayName: "A" }, { name: "b" }, null, {}] },
    };
    expect(declaredTools(manifest)).toEqual([
      { name: "a", displayName: "A" },
      { name: "b", displayName: "b" },
    ]);
    for (const broken of [undefined, null, {}, { contributes: 1 }, { contributes: { languageModelTools: "x" } }]) {
      expect(declaredTools(broken)).toEqual([]);
    }
  });
});
