#!/usr/bin/env node
/**
 * Commits that only refactor, made again by `batch-edit` at their parents: whether the code is then as the commit has it,
 * apart from comments and layout (SPEC ED1).
 *
 *     node bench/sequences.mjs --repositories DIR [--only TEXT] [--json FILE] [--binary PATH]
 *
 * `bench/sequences.json` has the commits with their steps. `DIR` has clones, bare or not, as `owner+name/repo`, `owner+name`
 * or `name`; a commit whose repository is not there is skipped. Each is checked out in a clone that is made for it and
 * deleted afterwards. The exit code is 1 where a commit that was tried is not made.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { made } from "./lib/sequences.mjs";

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    repositories: { type: "string" },
    only: { type: "string", default: "" },
    json: { type: "string" },
    binary: { type: "string", default: join(repository, "target/release/codecortex") },
  },
});
if (!values.repositories) {
  process.stderr.write("Give --repositories, a folder with clones.\n");
  process.exit(2);
}
const all = JSON.parse(readFileSync(join(repository, "bench/sequences.json"), "utf8"));
const chosen = all.filter((sequence) => `${sequence.repository} ${sequence.commit}`.includes(values.only));
const results = chosen.map((sequence) => {
  const [folder, binary] = [resolve(values.repositories), resolve(values.binary)];
  const found = { ...sequence, ...made({ sequence, folder, binary }) };
  const why = found.why ?? (found.files ?? []).join(", ");
  const steps = `${sequence.steps.length} step${sequence.steps.length === 1 ? "" : "s"}`;
  console.log(
    `${sequence.repository} ${sequence.commit.slice(0, 10)} (${steps}): ${found.outcome}${why && `: ${why}`}`,
  );
  return found;
});
const count = (outcome) => results.filter((found) => found.outcome === outcome).length;
const tried = results.length - count("skipped");
console.log(
  `${count("same")} of ${tried} as the commit has them, ${count("refused")} refused, ${count("skipped")} skipped`,
);
if (values.json) {
  writeFileSync(values.json, `${JSON.stringify(results, undefined, 1)}\n`);
}
process.exitCode = count("same") === tried ? 0 : 1;
