import { describe, expect, it } from "vitest";

import { investigationPage, progressOf, roleOf, semanticAnswer } from "../../../extension/core/texts";
import { dataWith } from "../answers";

const semantic = (fields: object) => dataWith("codecortex_getSemantic", { resolved: { path: "Shop.Cart" }, ...fields });
const EVIL = "<img src=x> [open](command:evil) https://example.org www.example.org a@b.c\n# Heading";
/** Nothing of it is markup, and no bare address becomes a link. */
const HARMLESS =
  "\\<img src=x\\> \\[open\\]\\(command\\:evil\\) https\\://example\\.org www\\.example\\.org a\\@b\\.c \\# Heading";

describe("the ROLE in a hover", () => {
  const sections = [
    { name: "LIFECYCLE", text: "One request." },
    { name: "ROLE", text: ` ${EVIL}\n` },
  ];

  it("is what the model wrote, as text", () => {
    expect(roleOf(semantic({ semanticState: "cached", sections }))).toBe(`**Role**  \n${HARMLESS}`);
  });

  it("says where it is of older code, and is nothing where there is none", () => {
    expect(roleOf(semantic({ semanticState: "stale", sections }))).toContain("_(of the code as it was)_");
    expect(roleOf(semantic({ semanticState: "none" }))).toBeUndefined();
    expect(roleOf(semantic({ semanticState: "cached", sections: [{ name: "ROLE", text: " " }] }))).toBeUndefined();
  });
});

describe("a text in a chat", () => {
  it("has its sections and where it stands", () => {
    const sections = [{ name: "EDGE_CASES", text: EVIL }];
    expect(semanticAnswer(semantic({ semanticState: "cached", sections, promptTokens: 9 }))).toBe(
      `**Shop.Cart** · true of the code as it is\n\n**Edge cases**  \n${HARMLESS}`,
    );
  });

  it("says what a new one costs and why the last try failed, and not what an agent is told to do", () => {
    const told = { why: "Answer `prompt` yourself.", lastError: "No answer.", promptTokens: 1_200 };
    const answer = semanticAnswer(semantic({ semanticState: "none", ...told }));
    expect(answer).toBe("**Shop.Cart** · not described\n\n> No answer\\.\n\nA model would be sent 1,200 tokens.");
  });
});

describe("an investigation", () => {
  const operation = {
    schemaVersion: "1.0",
    opId: "op1",
    question: "How are <b>batches</b> handled?",
    scopePaths: ["app/src"],
    state: "done",
    steps: [{ tool: "codecortex_findReferences", args: {}, ok: true, tokens: 20 }],
    tokens: 4_200,
    read: [],
    error: null,
    result: {
      conclusion: "In parts.\n\nOne after the other.",
      evidence: [
        { path: "app/a.ts", startLine: 3, endLine: 9, quote: "for (", why: "the loop", verified: true },
        { path: "app/b.ts", startLine: 1, endLine: 1, quote: "", why: EVIL, verified: false },
      ],
      open: ["Who stops it?"],
    },
  };
  const page = (fields: object, more: object = {}) =>
    investigationPage(dataWith("codecortex_op", { operation: { ...operation, ...fields }, ...more }));

  it("is a page with conclusion, evidence and what is open", () => {
    expect(page({}).split("\n")).toEqual([
      "# How are \\<b\\>batches\\</b\\> handled?",
      "",
      "Concluded · 1 step · 4,200 tokens · in app/src",
      "",
      "In parts\\.",
      "",
      "One after the other\\.",
      "",
      "## Evidence",
      "",
      "- ✓ **app/a\\.ts** 3–9  ",
      "  the loop  ",
      "  “for \\(”",
      "- ✗ not verified: **app/b\\.ts** 1  ",
      `  ${HARMLESS}`,
      "",
      "## Open",
      "",
      "- Who stops it?",
      "",
    ]);
  });

  it("says why there is no conclusion, and that the code is another one now", () => {
    const text = page({ result: null, state: "failed", error: "The model gave up." }, { isOutdated: true });
    expect(text).toContain("> The code that this rests on has changed since.");
    expect(text).toContain("Failed · 1 step");
    expect(text).toContain("> The model gave up\\.");
    expect(text).not.toContain("## Evidence");
  });

  it("says how far it is", () => {
    const told = (fields: object) =>
      progressOf(dataWith("codecortex_op", { operation: { ...operation, ...fields } }).operation);
    expect(told({})).toBe("step 1: findReferences, 4,200 tokens");
    expect(told({ steps: [], tokens: 0 })).toBe("thinking");
  });
});
