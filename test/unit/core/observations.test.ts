import { describe, expect, it } from "vitest";

import { observationText, relativeIn, shownObservation } from "../../../extension/core/observations";

const item = {
  id: 7,
  ts: "2026-01-02 03:04:05",
  actor: "planner",
  phase: "plan",
  summary: "Total adds one",
};

describe("an observation in a list", () => {
  it("says whether it still holds", () => {
    expect(shownObservation({ ...item, verdict: "drifted", task_id: "T1" })).toEqual({
      label: "$(warning) Total adds one",
      description: "#7",
      detail: "2026-01-02 03:04:05 UTC · planner/plan · T1 · its code means something else now",
    });
    expect(shownObservation(item).label).toBe("$(note) Total adds one");
  });

  it("is told whole", () => {
    const whole = { ...item, detail: "because of tax", symbols: ["Cart.total"], refs: { files: ["a.py"] } };
    expect(observationText(whole).split("\n")).toEqual([
      "#7 Total adds one",
      "2026-01-02 03:04:05 UTC · planner/plan",
      "About: Cart.total",
      "Files: a.py",
      "",
      "because of tax",
      "",
    ]);
  });

  it("names files below its folder alone", () => {
    expect(relativeIn("/w/app", "/w/app/src/a.ts")).toBe("src/a.ts");
    expect(relativeIn("/w/app", "/w/apple/a.ts")).toBeUndefined();
  });
});
