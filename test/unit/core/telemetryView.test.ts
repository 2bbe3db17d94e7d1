import { describe, expect, it } from "vitest";

import { telemetryView } from "../../../extension/core/telemetryView";
import type { StatusData } from "../../../extension/generated/answers";

type Telemetry = NonNullable<StatusData["telemetry"]>;

const TELEMETRY: Telemetry = {
  isKept: true,
  uptimeSec: 3_725,
  projects: 2,
  typesIndexed: 0,
  semanticQueueLength: 0,
  recentSemanticFailures: 0,
  semanticTokensSaved: 0,
  p50ResolveMs: 1.25,
  p95ResolveMs: 1_250,
  memoryMB: 61.4,
  budgetUsageRatio: 0.426,
  budgetExceeded: 0,
  editsApplied: 3,
  editsFailed: 1,
  editsUndone: 0,
  alarms: ["95 of 100 symbols take longer than 100 ms to resolve."],
  tools: [
    { tool: "codecortex_getContext", calls: 1_200, failures: 2, tokens: 400_000, p50Ms: 12.4, p95Ms: 80 },
    { tool: "other", calls: 1, failures: 1, tokens: 100 },
  ],
  days: [
    { day: "2026-11-27", calls: 200, failures: 0, tokens: 1_000, p95Ms: 5 },
    { day: "2026-11-29", calls: 1_001, failures: 3, tokens: 399_100, p95Ms: 80 },
  ],
  task: {
    from: "2026-11-29T10:00:00Z",
    to: "2026-11-29T10:05:00Z",
    calls: 2,
    tokens: 900,
    fileTokens: 21_000,
    receipts: [
      {
        at: "2026-11-29T10:00:00Z",
        tool: "codecortex_getOutline",
        symbol: "A.b",
        tokens: 300,
        tookMs: 2,
        files: 1,
        fileTokens: 9_000,
      },
      { at: "2026-11-29T10:05:00Z", tool: "codecortex_searchApi", tokens: 600, files: 0, fileTokens: 0 },
    ],
  },
};

const viewOf = (telemetry: Telemetry | undefined) =>
  telemetryView((telemetry ? { telemetry } : {}) as unknown as StatusData);

describe("the telemetry page", () => {
  it("has figures, alarms and tools", () => {
    const view = viewOf(TELEMETRY);
    const figures = Object.fromEntries(view?.figures.map(({ name, value }) => [name, value]) ?? []);
    expect(figures).toMatchObject({
      Answers: "1,201",
      Tokens: "400,100",
      "Resolve, p50 / p95": "1.25 ms / 1.3 s",
      "Budget used": "43 %",
      "Files from cache": "–",
      "Edits made / refused / undone": "3 / 1 / 0",
      Up: "1 h 2 min",
    });
    expect(figures).not.toHaveProperty("Model tokens saved");
    expect(view?.alarms).toHaveLength(1);
    expect(view?.tools[0]).toMatchObject({ tool: "getContext", calls: "1,200", half: "12 ms", share: 1 });
    expect(view?.tools[1]).toMatchObject({ tool: "other", half: "–", share: 0.00025 });
  });

  it("shows thirty days, those without calls empty", () => {
    const [calls] = viewOf(TELEMETRY)?.charts ?? [];
    expect(calls?.bars).toHaveLength(30);
    expect(calls?.most).toBe("1,001");
    expect(calls?.bars.slice(-3)).toEqual([
      { label: "2026-11-27", share: 200 / 1_001, title: "2026-11-27: 200" },
      { label: "2026-11-28", share: 0, title: "2026-11-28: 0" },
      { label: "2026-11-29", share: 1, title: "2026-11-29: 1,001" },
    ]);
    expect(calls?.bars[0]?.label).toBe("2026-10-31");
  });

  it("lists the newest answer of the last task first", () => {
    const view = viewOf(TELEMETRY);
    expect(view?.task).toBe("2 answers of 900 tokens. The files that they name have 21,000 tokens.");
    expect(view?.receipts).toEqual([
      { time: "10:05:00", tool: "searchApi", symbol: "", tokens: "600", replaced: "" },
      { time: "10:00:00", tool: "getOutline", symbol: "A.b", tokens: "300", replaced: "1 file, 9,000" },
    ]);
  });

  it("says where its figures come from", () => {
    expect(viewOf(undefined)).toBeUndefined();
    expect(viewOf({ ...TELEMETRY, isKept: false })?.source).toContain("No log is kept");
    expect(viewOf({ ...TELEMETRY, error: "no right." })?.source).toBe("The log cannot be read: no right.");
    const rest: Telemetry = { ...TELEMETRY, days: [], tools: [], damagedLines: 3 };
    delete rest.task;
    const view = viewOf(rest);
    expect(view).toMatchObject({ charts: [], tools: [], task: "", receipts: [] });
    expect(view?.source).toContain("3 lines of it cannot be read");
  });
});
