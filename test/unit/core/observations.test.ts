import { describe, expect, it } from "vitest";

import {
  agoOf,
  isOptedOut,
  observationEntry,
  observationText,
  relativeIn,
  shownObservation,
} from "../../../extension/core/observations";

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
      detail: "2026-01-02 03:04:05 UTC · planner/plan · T1 · its code has changed",
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

describe("an observation in the timeline", () => {
  const now = Date.parse("2026-01-02T05:04:05Z");

  it("says what it is, when it was, and by icon, colour and word whether it still holds", () => {
    expect(observationEntry({ ...item, type: "decision", task_id: "T1", verdict: "orphaned" }, now)).toEqual({
      id: 7,
      label: "Total adds one",
      description: "2 hrs ago · decision · T1",
      tooltip:
        "**Total adds one**  \n\\#7 · 2026\\-01\\-02 03:04:05 UTC · planner/plan · decision · T1  \nIts code is gone.",
      icon: "circle-slash",
      color: "disabledForeground",
      spoken: "Total adds one, 2 hrs ago, its code is gone",
    });
    expect(observationEntry({ ...item, verdict: "fresh" }, now)).toMatchObject({
      icon: "pass",
      color: "testing.iconPassed",
    });
    expect(observationEntry(item, now)).toMatchObject({ icon: "note" });
  });

  it("shows what a summary has of markup as it is", () => {
    const { tooltip } = observationEntry({ ...item, summary: "<b>[x](command:y)</b>" }, now);
    expect(tooltip).toContain("\\<b\\>\\[x\\]\\(command:y\\)\\</b\\>");
  });

  it("says times as the editor does, and dates of long ago", () => {
    expect(agoOf("2026-01-02 05:04:00", now)).toBe("now");
    expect(agoOf("2026-01-02 05:02:00", now)).toBe("2 mins ago");
    expect(agoOf("2026-01-01 05:00:00", now)).toBe("1 day ago");
    expect(agoOf("2025-11-01 05:00:00", now)).toBe("2025-11-01");
    expect(agoOf("some time", now)).toBe("some time");
  });
});

describe("opting in", () => {
  it("is what an answer asks for that names the setting", () => {
    expect(isOptedOut("A person opts in: `codecortex settings observations true`.")).toBe(true);
    expect(isOptedOut(undefined)).toBe(false);
  });
});
