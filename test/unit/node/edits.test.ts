/** Plans of edits can be had without the native program, edits cannot (SPEC ED1, X14). */
import { describe, expect, it } from "vitest";

import { gate } from "../../../extension/node/edits";
import type { ToolRow } from "../../../extension/node/toolTable";

function row(argument: string, needsConfirmation = true): ToolRow {
  return {
    name: "codecortex_tool",
    title: "",
    description: "",
    profile: "default",
    readOnly: !needsConfirmation,
    destructive: needsConfirmation,
    idempotent: false,
    needsConfirmation,
    inputSchema: { type: "object", properties: { [argument]: {} } },
    fullArguments: {},
    outputSchema: { type: "object" },
  };
}

describe("a tool with a dry run", () => {
  const tool = row("dryRun");
  it("is asked for its plan", () => {
    expect(gate(tool, { a: 1 }, "plan")).toEqual({ kind: "call", args: { a: 1, dryRun: true }, isPlan: true });
    expect(gate(tool, { dryRun: true }, "asGiven")).toMatchObject({ kind: "call" });
  });
  it("makes no edit", () => {
    for (const purpose of ["apply", "asGiven"] as const) {
      expect(gate(tool, { a: 1 }, purpose)).toMatchObject({ kind: "refused", problem: { code: "Unavailable" } });
    }
  });
});

describe("a tool with numbered plans", () => {
  const tool = row("planId");
  it("is asked for its plan", () => {
    expect(gate(tool, { a: 1 }, "plan")).toEqual({ kind: "call", args: { a: 1 }, isPlan: false });
    expect(gate(tool, { planId: null }, "asGiven")).toMatchObject({ kind: "call" });
  });
  it("applies none", () => {
    expect(gate(tool, { planId: "p" }, "plan")).toMatchObject({ kind: "refused" });
    expect(gate(tool, { planId: "p" }, "asGiven")).toMatchObject({ kind: "refused" });
    expect(gate(tool, {}, "apply")).toMatchObject({ kind: "refused" });
  });
});

describe("every other call", () => {
  it("goes on as it is", () => {
    for (const tool of [row("symbol"), row("dryRun", false), undefined]) {
      expect(gate(tool, { a: 1 }, "apply")).toEqual({ kind: "call", args: { a: 1 }, isPlan: false });
    }
    expect(gate(row("dryRun"), [1], "plan")).toEqual({ kind: "call", args: [1], isPlan: false });
  });
});
