import { describe, expect, it } from "vitest";

import type { AnswerOf } from "../../../extension/core/envelope";
import { findingRow, findingText, firstLine, jsonIn, reviewAnswer, reviewGroups } from "../../../extension/core/review";
import {
  byModel,
  ReviewProblem,
  reviewOf,
  withDismissed,
  withFindings,
  type Reviewed,
} from "../../../extension/core/reviewSession";
import type { Finding, ReviewData, UnitEntry } from "../../../extension/generated/answers";

export const unit = (fields: Partial<UnitEntry>): UnitEntry => ({
  unit_id: "u1",
  file_path: "src/cart.ts",
  patch_type: "modify",
  tags: ["api_changed"],
  metrics: { added_lines: 3, removed_lines: 1, hunk_count: 1 },
  risk: "high",
  rule_context_level: "function",
  rule_confidence: 0.9,
  rule_notes: [],
  line_numbers: { new_compact: "L12-L14,L20", old_compact: "L12" },
  agent_decision: { context_level: "function", priority: "high" },
  ...fields,
});

export const finding = (fields: Partial<Finding>): Finding => ({
  id: "f1",
  file: "src/cart.ts",
  line: 13,
  severity: "warning",
  category: "callers",
  message: "2 callers were not adapted",
  ...fields,
});

const SCOPE = { label: "Uncommitted changes", args: { mode: "uncommitted" }, root: { name: "app", path: "/code/app" } };

/** A core that gives these answers one after the other, and what it was asked. */
function core(...answers: (Partial<ReviewData> | { error: { message: string; hint?: string } })[]) {
  const asked: Record<string, unknown>[] = [];
  const ask = (args: Record<string, unknown>) => {
    asked.push(args);
    const next = answers.shift() ?? {};
    const envelope = "error" in next ? { ok: false, ...next } : { ok: true, data: next };
    return Promise.resolve<AnswerOf<"codecortex_reviewChanges">>({ ok: true, json: JSON.stringify(envelope) });
  };
  return { ask, asked };
}

const reviewed = (fields: Partial<Reviewed>): Reviewed => ({
  scope: SCOPE,
  index: {} as ReviewData,
  units: [unit({})],
  findings: [],
  dropped: 0,
  ...fields,
});

describe("units and findings as rows", () => {
  it("come as findings first, then by risk, and empty groups are left out", () => {
    const units = [unit({ unit_id: "u2", risk: "none" }), unit({ symbols: [{ path: "Cart.total", kind: "method" }] })];
    const groups = reviewGroups(units, [finding({})]);
    expect(groups.map(({ id, isFolded }) => [id, isFolded])).toEqual([
      ["findings", false],
      ["high", false],
      ["none", true],
    ]);
    const [found, high, none] = groups.map(({ entries }) => entries[0]);
    expect(found).toMatchObject({ label: "2 callers were not adapted", description: "src/cart.ts:13", line: 13 });
    expect(high).toMatchObject({ label: "total", filePath: "src/cart.ts", line: 12, icon: "diff-modified" });
    expect(none?.label).toBe("cart.ts");
  });

  it("lead to the old version where the file is gone, and to its first line where no line is known", () => {
    const gone = unit({ patch_type: "delete", line_numbers: { new_compact: "", old_compact: "L4-L9" } });
    expect(reviewGroups([gone], [])[0]?.entries[0]).toMatchObject({ isDeleted: true, line: 4, icon: "diff-removed" });
    expect(reviewGroups([], [finding({ line: 0 })])[0]?.entries[0]).toMatchObject({
      line: 1,
      description: "src/cart.ts",
    });
    expect([firstLine("L7"), firstLine(""), firstLine("x")]).toEqual([7, 1, 1]);
  });

  it("show what a model wrote as text", () => {
    const evil = finding({
      message: "[click](command:rm) <img src=x>",
      evidence: ["`a`", "http://x"],
      suggestion: "# do *it*",
      checked: "1 use",
    });
    const text = findingText(evil);
    expect(text).toContain("\\[click\\]\\(command:rm\\) \\<img src=x\\>");
    expect(text).toContain("- \\`a\\`");
    expect(text).toContain("Suggestion: \\# do \\*it\\*");
    expect(text).toContain("The index says: 1 use");
    expect(findingRow(evil)).toMatch(/^- warning: .* — src\/cart\.ts:13 {2}\n {2}The index says: 1 use$/);
  });

  it("are told in a chat in numbers, and that nothing changed is said", () => {
    const index = {
      review_metadata: { mode: "working", base_branch: "HEAD", total_files: 1, total_changes: 4 },
      summary: { total_lines: { added: 3, removed: 1 } },
      review_index: Array.from({ length: 14 }, (_, at) => unit({ unit_id: `u${String(at)}` })),
    } as unknown as ReviewData;
    const text = reviewAnswer("Uncommitted changes", index, [finding({})]);
    expect(text).toContain("**Uncommitted changes**: 1 file, +3 −1");
    expect(text).toContain("**Findings** (1)\n- warning: 2 callers were not adapted — src/cart.ts:13");
    expect(text).toContain("**High risk** (14)");
    expect(text).toContain("- … and 2 more");
    expect(reviewAnswer("Staged changes", {} as ReviewData, [])).toBe(
      "There is nothing to review: Staged changes has no change.",
    );
  });
});

describe("what a model answers", () => {
  it("is found with words and fences around it, as an object or a list", () => {
    expect(jsonIn('Here:\n```json\n{"findings":[{"line":1}]}\n```')).toEqual({ findings: [{ line: 1 }] });
    expect(jsonIn('[{"line":2}]')).toEqual({ findings: [{ line: 2 }] });
    expect(jsonIn("I found nothing.")).toBeUndefined();
    expect(jsonIn("} {")).toBeUndefined();
  });
});

describe("a review", () => {
  it("takes all pages of units, then what is found without a model", async () => {
    const { ask, asked } = core(
      { review_index: [unit({})], nextCursor: "1" },
      { review_index: [unit({ unit_id: "u2" })] },
      { findings: [finding({})] },
    );
    const { units, findings } = await reviewOf(SCOPE, ask);
    expect(units.map(({ unit_id }) => unit_id)).toEqual(["u1", "u2"]);
    expect(findings).toHaveLength(1);
    expect(asked).toEqual([
      { mode: "uncommitted", step: "index" },
      { mode: "uncommitted", step: "index", cursor: "1" },
      { mode: "uncommitted", step: "findings" },
    ]);
  });

  it("asks for no findings of no change, and says what went wrong with what helps", async () => {
    const empty = core({ review_index: [] });
    expect((await reviewOf(SCOPE, empty.ask)).findings).toEqual([]);
    expect(empty.asked).toHaveLength(1);
    const failed = core({ error: { message: "There is no commit `x`.", hint: "Name one." } });
    const problem = await reviewOf(SCOPE, failed.ask).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ReviewProblem);
    expect((problem as Error).message).toBe("There is no commit `x`. Name one.");
  });

  it("keeps what is found without a model beside a model's, each once", async () => {
    const before = reviewed({ findings: [finding({}), finding({ id: "f2" })] });
    const checked = [finding({ id: "f2", message: "said anew" }), finding({ id: "m1" })];
    const { ask, asked } = core({ findings: checked, dropped: [{ message: "x", reason: "it is used" }] });
    const after = await withFindings(before, { findings: [] }, ask);
    expect(after.findings.map(({ id }) => id)).toEqual(["f2", "m1", "f1"]);
    expect(after.dropped).toBe(1);
    expect(asked).toEqual([{ mode: "uncommitted", step: "findings", findings: { findings: [] } }]);
    const host = core({ findings: [] });
    await byModel(before, "look at errors", host.ask);
    expect(host.asked).toEqual([{ mode: "uncommitted", step: "review", wish: "look at errors" }]);
  });

  it("does not show again what a person dismissed, until it is restored", async () => {
    const one = finding({});
    const { ask, asked } = core({}, {});
    const without = await withDismissed(reviewed({ findings: [one] }), one, "dismiss", ask);
    expect(without.findings).toEqual([]);
    expect((await withDismissed(without, one, "restore", ask)).findings).toEqual([one]);
    expect(asked).toEqual([
      { mode: "uncommitted", step: "findings", dismiss: ["f1"] },
      { mode: "uncommitted", step: "findings", restore: ["f1"] },
    ]);
  });
});
