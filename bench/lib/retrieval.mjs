/** Does the context for a question hold what the real change edited? Tasks made of commits, with their own scorer. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { row } from "./report.mjs";

/** Means in percent at 1,000 and 4,000 tokens that are aimed at (SPEC RM1). */
const TARGETS = {
  query: { symbol: [84, 93], hunk: [42, 65], file: [90, 97], mrr: [78, 78] },
  focus: { symbol: [86, 95], file: [90, 97], mrr: [74, 74] },
};
const BUDGETS = [1000, 4000];

/** The share of the tasks that a quick run takes. */
const QUICK = 4;

/** Runs the tasks of `contextBench` in clones below `checkouts` through `codecortex context`. */
export function retrieval({ binary, contextBench, checkouts, out, quick, say, environment }) {
  mkdirSync(out, { recursive: true });
  const results = join(out, "context.jsonl");
  const part = (name) => join(contextBench, name);
  const args = [part("run.py"), "--tasks", part("dev.jsonl"), "--checkouts", checkouts, "--name", "codecortex"];
  args.push("--cmd", `python3 ${part("adapter.py")}`, "--budgets", BUDGETS.join(","), "--out", results);
  args.push("--sample", String(quick ? QUICK : 1));
  say("retrieval: tasks made of commits");
  execFileSync("python3", args, {
    env: { ...environment, CODECORTEX: binary },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const answers = readFileSync(results, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { rows: [...rowsOf(answers), over(answers)], raw: answers };
}

function rowsOf(answers) {
  return Object.entries(TARGETS).flatMap(([scenario, measures]) =>
    Object.entries(measures).flatMap(([measure, targets]) =>
      BUDGETS.map((budget, at) => {
        const own = answers.filter((answer) => answer.scenario === scenario && answer.budget === budget);
        const known = own.map((answer) => answer[measure]).filter((value) => value !== null);
        const mean = (100 * known.reduce((sum, value) => sum + value, 0)) / Math.max(1, known.length);
        return row({
          section: "context",
          what: `${scenario}: ${measure} in ${budget} tokens, ${known.length} tasks`,
          values: [mean],
          unit: "%",
          target: ["≥", targets[at]],
        });
      }),
    ),
  );
}

/** Answers above what was allowed. */
function over(answers) {
  const above = answers.filter((answer) => answer.over).length;
  return row({ section: "context", what: "answers above their budget", values: [above], target: ["≤", 0] });
}
