/** One review: what is asked of the core, and what it said last (SPEC RV1, RV3). */
import type { Finding, ReviewData, UnitEntry } from "../generated/answers";
import { dataOf, type AnswerOf } from "./envelope";
import type { ReviewScope } from "./review";

/** Pages of units that are asked for at most: a view of more is no view. */
const PAGES = 20;

/** Calls the tool for a person. */
export type AskReview = (args: Record<string, unknown>) => Promise<AnswerOf<"codecortex_reviewChanges">>;

/** What a review knows. */
export interface Reviewed {
  scope: ReviewScope;
  /** The first page, with the change in numbers. */
  index: ReviewData;
  units: UnitEntry[];
  findings: Finding[];
  /** What does not stand of what a model found. */
  dropped: number;
}

/** What went wrong, as a sentence with what can be done about it. */
export class ReviewProblem extends Error {}

/** Asks for units and for what is found without a model. Throws a {@link ReviewProblem}. */
export async function reviewOf(scope: ReviewScope, ask: AskReview): Promise<Reviewed> {
  const index = await answered(ask({ ...scope.args, step: "index" }));
  const units = [...(index.review_index ?? [])];
  let { nextCursor: cursor } = index;
  for (let page = 1; cursor !== undefined && page < PAGES; page += 1) {
    const next = await answered(ask({ ...scope.args, step: "index", cursor }));
    units.push(...(next.review_index ?? []));
    cursor = next.nextCursor;
  }
  if (units.length === 0) {
    return { scope, index, units, findings: [], dropped: 0 };
  }
  const { findings = [] } = await answered(ask({ ...scope.args, step: "findings" }));
  return { scope, index, units, findings, dropped: 0 };
}

/** The same with a model's findings: those that the index does not contradict, beside what is found without one. */
export async function withFindings(
  reviewed: Reviewed,
  written: Record<string, unknown>,
  ask: AskReview,
): Promise<Reviewed> {
  const { scope } = reviewed;
  return joined(reviewed, await answered(ask({ ...scope.args, step: "findings", findings: written })));
}

/** The same with what the host's own model finds. */
export async function byModel(reviewed: Reviewed, wish: string, ask: AskReview): Promise<Reviewed> {
  const { scope } = reviewed;
  return joined(reviewed, await answered(ask({ ...scope.args, step: "review", ...(wish === "" ? {} : { wish }) })));
}

/** The same without a finding that a person has dismissed; with `restore`, as it is with it again. */
export async function withDismissed(
  reviewed: Reviewed,
  finding: Finding,
  what: "dismiss" | "restore",
  ask: AskReview,
): Promise<Reviewed> {
  const { scope } = reviewed;
  await answered(ask({ ...scope.args, step: "findings", [what]: [finding.id] }));
  const others = reviewed.findings.filter(({ id }) => id !== finding.id);
  return { ...reviewed, findings: what === "dismiss" ? others : [finding, ...others] };
}

function joined(reviewed: Reviewed, { findings = [], dropped = [] }: ReviewData): Reviewed {
  const known = new Set(findings.map(({ id }) => id));
  const others = reviewed.findings.filter(({ id }) => !known.has(id));
  return { ...reviewed, findings: [...findings, ...others], dropped: dropped.length };
}

async function answered(answer: Promise<AnswerOf<"codecortex_reviewChanges">>): Promise<ReviewData> {
  const read = dataOf(await answer);
  if ("problem" in read) {
    throw new ReviewProblem([read.problem, read.hint].filter((sentence) => sentence !== undefined).join(" "));
  }
  return read.data;
}
